#include "vehicle.h"
#include "../system/announcements.h"
#include "modes.h"

struct vehicle vehicle = {
    .landed = LANDED_ON_GROUND,
#ifdef VEHICLE_PLANE
    .mode = MODE_FLY_BY_WIRE,
#else
    .mode = MODE_STABILIZE,
#endif
};

static const struct {
    enum mode mode;
    const char *name;
    bool multirotor, plane;
    enum { NEEDS_NOTHING, NEEDS_POSITION, NEEDS_FIX } needs; // a fix: a position, and a receiver that knows the height
} modes[] = {
    {MODE_STABILIZE, "STABILIZE", true, false, NEEDS_NOTHING},
    {MODE_ALTITUDE_HOLD, "ALT_HOLD", true, false, NEEDS_NOTHING},
    {MODE_LOITER, "LOITER", true, true, NEEDS_POSITION},
    {MODE_GUIDED, "GUIDED", true, true, NEEDS_FIX},
    {MODE_AUTO, "AUTO", true, true, NEEDS_FIX},
    {MODE_LAND, "LAND", true, false, NEEDS_NOTHING},
    {MODE_RTL, "RTL", true, true, NEEDS_POSITION},
    {MODE_MANUAL, "MANUAL", false, true, NEEDS_NOTHING},
    {MODE_FLY_BY_WIRE, "FBW", false, true, NEEDS_NOTHING},
    {MODE_CRUISE, "CRUISE", false, true, NEEDS_POSITION},
};
#define MODE_COUNT (sizeof modes / sizeof modes[0])

const char *mode_name(enum mode mode)
{
    for (unsigned i = 0; i < MODE_COUNT; i++)
        if (modes[i].mode == mode)
            return modes[i].name;
    return "?";
}

static bool refuse(enum mode mode, const char *reason)
{
    struct text text = {.length = 0};
    text_append(&text, "Mode ");
    text_append(&text, mode_name(mode));
    text_append(&text, reason);
    announce_text(SEVERITY_WARNING, &text);
    return false;
}

bool vehicle_can_enter(enum mode mode)
{
    for (unsigned i = 0; i < MODE_COUNT; i++) {
        if (modes[i].mode != mode)
            continue;
#ifdef VEHICLE_PLANE
        bool has = modes[i].plane;
#else
        bool has = modes[i].multirotor;
#endif
        if (!has)
            return refuse(mode, ": not on this vehicle");
        if (modes[i].needs != NEEDS_NOTHING && !vehicle.estimate.positioned)
            return refuse(mode, " needs a position");
        if (modes[i].needs == NEEDS_FIX && !vehicle.healthy.gnss)
            return refuse(mode, " needs a 3D fix");
        return true;
    }
    return refuse(mode, ": there is no such mode");
}

bool vehicle_set_mode(enum mode mode)
{
    if (!vehicle_can_enter(mode))
        return false;
    if (vehicle.mode != mode) {
        vehicle.mode = mode;
        struct text text = {.length = 0};
        text_append(&text, "Mode ");
        text_append(&text, mode_name(mode));
        announce_text(SEVERITY_INFO, &text);
    }
    modes_enter(mode);
    return true;
}

float vehicle_height(void)
{
    return vehicle.home.z - vehicle.estimate.position.z;
}
