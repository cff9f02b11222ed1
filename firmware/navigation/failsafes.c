#include "failsafes.h"
#include "../system/announcements.h"
#include "../system/parameters.h"
#include "modes.h"

enum action { ACTION_CONTINUE = 0, ACTION_LAND = 1, ACTION_RETURN = 2 };

// A failure counts up while it is seen; when it was seen for long enough, it acts once, until it is gone.
struct failsafe {
    unsigned seen;
    bool active;
};

static struct failsafe gnss, compass, barometer, station, sticks, estimator, imu;

static void act(enum action action)
{
    // Landing is not taken back by a return.
    if (action == ACTION_CONTINUE || vehicle.mode == MODE_LAND)
        return;
    if (action == ACTION_RETURN && vehicle.mode == MODE_RTL)
        return;
#ifdef VEHICLE_PLANE
    if (!vehicle_set_mode(MODE_RTL))
        vehicle_set_mode(MODE_FLY_BY_WIRE);
#else
    if (action == ACTION_RETURN && vehicle.estimate.positioned && vehicle_set_mode(MODE_RTL))
        return;
    vehicle_set_mode(MODE_LAND);
#endif
}

static void report(const char *name, const char *what)
{
    struct text text = {.length = 0};
    text_append(&text, name);
    text_append(&text, what);
    announce_text(SEVERITY_CRITICAL, &text);
}

static void watch(struct failsafe *f, bool failed, float time, float action, const char *name)
{
    if (failed) {
        f->seen++;
    } else {
        f->seen = 0;
        if (f->active)
            report(name, ": ended");
        f->active = false;
    }
    if (!f->active && (float)f->seen > time * FAILSAFES_RATE) {
        f->active = true;
        report(name, action == ACTION_CONTINUE ? ": continuing" : action == ACTION_LAND ? ": landing" : ": returning");
        act((enum action)action);
    }
}

#ifdef BUG_COMPASS_COUNTER
// Counts the checks that found the compass failed, and lands when there were too many.
static void watch_compass(bool failed)
{
    if (failed)
        compass.seen++;
    if (!compass.active && (float)compass.seen > parameters.compass_time * FAILSAFES_RATE) {
        compass.active = true;
        report("Failsafe compass", parameters.compass_action == ACTION_CONTINUE ? ": continuing" : ": landing");
        act((enum action)parameters.compass_action);
    }
}
#else
static void watch_compass(bool failed)
{
    watch(&compass, failed, parameters.compass_time, parameters.compass_action, "Failsafe compass");
}
#endif

// Sticks that fell silent are let go: 1 s later something else must fly.
static void watch_sticks(void)
{
    bool silent_now = vehicle.sticks_at == 0 || vehicle.now - vehicle.sticks_at > 500000;
    if (silent_now)
        vehicle.sticks.valid = false;
    bool by_sticks = vehicle.mode == MODE_STABILIZE || vehicle.mode == MODE_ALTITUDE_HOLD || vehicle.mode == MODE_MANUAL;
    watch(&sticks, silent_now && (by_sticks || sticks.active), 1.0f, parameters.stick_action, "Failsafe sticks");
}

void failsafes_step(void)
{
    const struct estimator *e = &vehicle.estimate;
    bool flying = vehicle.armed && vehicle.landed != LANDED_ON_GROUND;
    if (!flying) {
        gnss = compass = barometer = station = sticks = estimator = imu = (struct failsafe){0, false};
        return;
    }
    bool fix_lost = !vehicle.healthy.gnss || vehicle.now - e->gnss_used_at > 2000000;
    watch(&gnss, fix_lost, parameters.gnss_time, parameters.gnss_action, "Failsafe GNSS");
    watch(&barometer, !vehicle.healthy.barometer, 2.0f, parameters.barometer_action, "Failsafe barometer");
    watch_compass(!vehicle.healthy.compass);
    bool silent = vehicle.station_at != 0 && vehicle.now - vehicle.station_at > 2000000;
    watch(&station, silent, parameters.station_time - 2.0f, parameters.station_action, "Failsafe ground station");
    watch_sticks();
    float worst = maximum(maximum(e->ratios.position, e->ratios.velocity), e->ratios.heading);
    watch(&estimator, worst > parameters.estimator_threshold, 1.0f, parameters.estimator_action, "Failsafe estimator");
    watch(&imu, !vehicle.healthy.imu, 0.2f, parameters.imu_action, "Failsafe inertial sensors");
}
