#include "arming.h"
#include "../system/announcements.h"
#include "../system/parameters.h"
#include "../system/scheduler.h"
#include "modes.h"
#include "sensing.h"

#define LOOP_RATE_LEAST (SCHEDULER_LOOP_RATE * 9 / 10)
#define HDOP_MAX 2.5f
#define SATELLITES_LEAST 6
#define LEVEL_MAX RADIANS(25.0f)

static bool fails(bool tell, const char *reason)
{
    if (tell) {
        struct text text = {.length = 0};
        text_append(&text, "Arm: ");
        text_append(&text, reason);
        announce_text(SEVERITY_ERROR, &text);
    }
    return false;
}

static bool loop_rate_fails(bool tell)
{
    if (tell) {
        struct text text = {.length = 0};
        text_append(&text, "Loop rate ");
        text_append_integer(&text, (int32_t)(vehicle.loop_rate + 0.5f));
        text_append(&text, " Hz below ");
        text_append_integer(&text, LOOP_RATE_LEAST);
        text_append(&text, " Hz");
        announce_text(SEVERITY_ERROR, &text);
    }
    return false;
}

static bool needs_position(void)
{
    return vehicle.mode != MODE_STABILIZE && vehicle.mode != MODE_ALTITUDE_HOLD && vehicle.mode != MODE_MANUAL && vehicle.mode != MODE_FLY_BY_WIRE;
}

bool arming_is_ready(bool tell)
{
    const struct estimator *e = &vehicle.estimate;
    if (parameters.arming_check == 0.0f)
        return true;
    if (vehicle.loop_rate < LOOP_RATE_LEAST)
        return loop_rate_fails(tell);
    if (!vehicle.healthy.imu)
        return fails(tell, "inertial sensors not healthy");
    if (!e->aligned)
        return fails(tell, "attitude not aligned");
    if (!vehicle.healthy.barometer)
        return fails(tell, "barometer not healthy");
    if (!vehicle.healthy.compass)
        return fails(tell, "compass not healthy");
#ifndef VEHICLE_PLANE
    if (absolute(e->angles.roll) > LEVEL_MAX || absolute(e->angles.pitch) > LEVEL_MAX)
        return fails(tell, "not level");
#endif
    if (vector_length(e->gyro_bias) > 0.15f)
        return fails(tell, "gyroscope bias too large");
    if (needs_position()) {
        if (vehicle.fix.type < GNSS_3D || !vehicle.healthy.gnss)
            return fails(tell, "GNSS has no 3D fix");
        if (vehicle.fix.hdop > HDOP_MAX || vehicle.fix.satellites < SATELLITES_LEAST)
            return fails(tell, "GNSS too inaccurate");
        if (!e->positioned)
            return fails(tell, "no position");
        if (maximum(e->ratios.position, maximum(e->ratios.velocity, e->ratios.height)) > 0.8f)
            return fails(tell, "estimator contradicts GNSS");
    }
    if (e->ratios.heading > 0.8f)
        return fails(tell, "estimator contradicts compass");
    return true;
}

bool arming_arm(bool force)
{
    if (vehicle.armed)
        return true;
    if (!vehicle.estimate.aligned) // nothing can be flown then, by any force
        return fails(true, "attitude not aligned");
    if (!force && !arming_is_ready(true))
        return false;
    vehicle.armed = true;
    sensing_set_home();
    modes_armed(true);
    announce(SEVERITY_NOTICE, force ? "Armed by force" : "Armed");
    return true;
}

bool arming_disarm(bool force)
{
    if (!vehicle.armed)
        return true;
    if (!force && vehicle.landed != LANDED_ON_GROUND) {
        announce(SEVERITY_WARNING, "Disarm refused: in flight");
        return false;
    }
    vehicle.armed = false;
    modes_armed(false);
    announce(SEVERITY_NOTICE, "Disarmed");
    return true;
}
