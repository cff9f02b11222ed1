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
    bool multirotor, plane, needs_position;
} modes[] = {
    {MODE_STABILIZE, "STABILIZE", true, false, false},
    {MODE_ALTITUDE_HOLD, "ALT_HOLD", true, false, false},
    {MODE_LOITER, "LOITER", true, true, true},
    {MODE_GUIDED, "GUIDED", true, true, true},
    {MODE_AUTO, "AUTO", true, true, true},
    {MODE_LAND, "LAND", true, false, false},
    {MODE_RTL, "RTL", true, true, true},
    {MODE_MANUAL, "MANUAL", false, true, false},
    {MODE_FLY_BY_WIRE, "FBW", false, true, false},
    {MODE_CRUISE, "CRUISE", false, true, true},
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

bool vehicle_set_mode(enum mode mode)
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
        if (modes[i].needs_position && !vehicle.estimate.positioned)
            return refuse(mode, " needs a position");
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
    return refuse(mode, ": there is no such mode");
}

float vehicle_height(void)
{
    return vehicle.home.z - vehicle.estimate.position.z;
}
