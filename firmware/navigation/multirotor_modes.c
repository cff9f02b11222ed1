// Modes of a multirotor. In all that hold a place, a leg (control/trajectory.h) leads to it.
#include "../system/announcements.h"
#include "../system/parameters.h"
#include "arming.h"
#include "mission.h"
#include "modes.h"
#include "multirotor_plan.h"
#include <stddef.h>

#define STICK_DEAD 0.05f
#define STICK_SPEED 5.0f        // m/s, of a full stick in LOITER
void modes_enter(enum mode mode)
{
    plan_hold_here();
    plan.take_off_height = 0.0f;
    plan.item_running = false;
    if (mode == MODE_RTL)
        plan_begin_return();
}

void modes_armed(bool armed)
{
    plan.airborne = plan.fly = false;
    multirotor_reset();
    if (armed)
        modes_enter(vehicle.mode);
}

bool modes_take_off(float height)
{
    if (!vehicle.armed || plan.airborne || (vehicle.mode != MODE_GUIDED && vehicle.mode != MODE_AUTO))
        return false;
    plan.take_off_height = height > 0.0f ? height : parameters.takeoff_height;
    plan.fly = true;
    return true;
}

bool modes_go_to(struct vector3 place, float yaw)
{
    if (!vehicle.armed || vehicle.mode != MODE_GUIDED || !plan.airborne)
        return false;
    plan_go(place, yaw);
    return true;
}

bool modes_fly_at(struct vector3 velocity, float yaw_rate)
{
    if (!vehicle.armed || vehicle.mode != MODE_GUIDED || !plan.airborne)
        return false;
    plan.stage = STAGE_VELOCITY;
    plan.velocity = velocity;
    plan.yaw_rate = yaw_rate;
    plan.velocity_age = 0.0f;
    return true;
}

bool modes_start_mission(void)
{
    if (mission_count() == 0 || !vehicle.armed)
        return false;
    return vehicle.mode == MODE_AUTO || vehicle_set_mode(MODE_AUTO);
}

static float stick(float value)
{
    return absolute(value) < STICK_DEAD ? 0.0f : (value - sign(value) * STICK_DEAD) / (1.0f - STICK_DEAD);
}

// -1 to 1 around the middle of the throttle's way.
static float climb_stick(void)
{
    return vehicle.sticks.valid ? stick(2.0f * vehicle.sticks.throttle - 1.0f) : 0.0f;
}

static void steer_yaw(float dt)
{
    plan.yaw_rate = vehicle.sticks.valid ? stick(vehicle.sticks.yaw) * RADIANS(parameters.yaw_rate_max) : 0.0f;
    plan.yaw = wrap_angle(plan.yaw + plan.yaw_rate * dt);
}

static void angles_by_sticks(struct flight_demand *d)
{
    float largest = RADIANS(parameters.angle_max);
    d->horizontal = HORIZONTAL_ANGLES;
    d->roll = vehicle.sticks.valid ? stick(vehicle.sticks.roll) * largest : 0.0f;
    d->pitch = vehicle.sticks.valid ? -stick(vehicle.sticks.pitch) * largest : 0.0f;
}

// The height follows the stick, and stays where it is let go.
static void height_by_stick(struct flight_demand *d, float dt)
{
    float climb = climb_stick();
    float speed = climb > 0.0f ? climb * parameters.climb_speed : climb * parameters.descent_speed;
    plan.fly = climb > 0.1f || plan.airborne;
    d->vertical = VERTICAL_MOTION;
    d->land = climb < -0.8f;
    d->motion.velocity.z = -speed;
    plan.target.position.z = clamp(plan.target.position.z - speed * dt, vehicle.estimate.position.z - 2.0f, vehicle.estimate.position.z + 2.0f);
    d->motion.position.z = plan.target.position.z;
}

static void place_by_sticks(struct flight_demand *d, float dt)
{
    float forward = vehicle.sticks.valid ? stick(vehicle.sticks.pitch) * STICK_SPEED : 0.0f;
    float right = vehicle.sticks.valid ? stick(vehicle.sticks.roll) * STICK_SPEED : 0.0f;
    float c = cosine(vehicle.estimate.angles.yaw), s = sine(vehicle.estimate.angles.yaw);
    float goal[2] = {c * forward - s * right, s * forward + c * right};
    float *velocity[2] = {&plan.target.velocity.x, &plan.target.velocity.y};
    float *place[2] = {&plan.target.position.x, &plan.target.position.y};
    for (int i = 0; i < 2; i++) {
        float limit = 2.0f * parameters.cruise_acceleration * dt;
        *velocity[i] += clamp(goal[i] - *velocity[i], -limit, limit);
        *place[i] += *velocity[i] * dt;
    }
    d->motion.position.x = plan.target.position.x;
    d->motion.position.y = plan.target.position.y;
    d->motion.velocity.x = plan.target.velocity.x;
    d->motion.velocity.y = plan.target.velocity.y;
}

static void begin_item(const struct mission_item *item)
{
    plan.item_running = true;
    plan.mission_complete = false;
    plan.item_time = 0.0f;
    plan.mission_revision = mission_revision();
    switch (item->command) {
    case COMMAND_TAKEOFF:
        if (!plan.airborne) {
            plan.take_off_height = item->altitude > 0.0f ? item->altitude : parameters.takeoff_height;
            plan.fly = true;
        } else {
            struct vector3 up = vehicle.estimate.position;
            up.z = minimum(up.z, vehicle.home.z - item->altitude);
            plan_go(up, NOT_A_NUMBER);
        }
        break;
    case COMMAND_WAYPOINT:
    case COMMAND_LOITER_TIME:
    case COMMAND_LOITER_UNLIMITED:
        plan_go(mission_place(item), item->parameter[3] != 0.0f ? RADIANS(item->parameter[3]) : NOT_A_NUMBER);
        break;
    case COMMAND_LAND: {
        struct vector3 place = mission_place(item);
        place.z = plan.target.position.z;
        plan_go(place, NOT_A_NUMBER);
        break;
    }
    case COMMAND_RTL:
        modes_enter(MODE_RTL);
        plan.item_running = true;
        break;
    case COMMAND_CHANGE_SPEED:
        if (item->parameter[1] > 0.0f)
            parameters.cruise_speed = item->parameter[1];
        break;
    default:
        plan_hold(plan.target.position);
        break;
    }
}

// One step of an item; true when it is done.
static bool fly_item(const struct mission_item *item, struct flight_demand *d, float dt)
{
    switch (item->command) {
    case COMMAND_TAKEOFF:
        plan_follow(d, dt);
        return plan.airborne && plan.take_off_height == 0.0f && plan.stage == STAGE_HOLD;
    case COMMAND_LAND:
        if (plan.stage == STAGE_LEG && !plan_follow_leg(d, dt))
            return false;
        plan.stage = STAGE_DESCEND;
        plan_descend(d);
        return false;
    case COMMAND_RTL:
        plan_return(d, dt);
        return false;
    case COMMAND_CHANGE_SPEED:
        plan_follow(d, dt);
        return true;
    case COMMAND_LOITER_UNLIMITED:
        plan_follow(d, dt);
        return false;
    default: // waypoints and waits: param1 is a time to stay
        plan_follow(d, dt);
        if (plan.stage != STAGE_HOLD)
            return false;
        plan.item_time += dt;
        return plan.item_time >= item->parameter[0];
    }
}

static void fly_mission(struct flight_demand *d, float dt)
{
    const struct mission_item *item = mission_item(mission_current());
    if (item == NULL) {
        plan_follow(d, dt);
        return;
    }
    if (!plan.item_running || plan.mission_revision != mission_revision())
        begin_item(item);
    if (!fly_item(item, d, dt) || plan.mission_complete)
        return;
    if (mission_advance()) {
        plan.item_running = false;
    } else {
        plan.mission_complete = true;
        announce(SEVERITY_INFO, "Mission complete");
    }
}

void modes_step(float dt)
{
    if (!vehicle.armed || !vehicle.estimate.aligned)
        return;
    struct flight_demand d = {.horizontal = HORIZONTAL_MOTION, .vertical = VERTICAL_MOTION, .motion = plan.target};
    bool left_ground = multirotor.phase == PHASE_FLYING || multirotor.phase == PHASE_TOUCHING;
    if (left_ground && !plan.airborne) {
        plan.airborne = true;
        // Over the place where it stood: until it is free to tilt, the wind carries it along.
        plan_hold((struct vector3){plan.ground.x, plan.ground.y, vehicle.estimate.position.z});
        if (plan.take_off_height > 0.0f) {
            struct vector3 up = plan.target.position;
            up.z = vehicle.home.z - plan.take_off_height;
            plan_go(up, NOT_A_NUMBER);
            plan.take_off_height = 0.0f;
        }
    }
    if (multirotor.phase == PHASE_GROUND) {
        plan.airborne = false;
        plan.ground = vehicle.estimate.position;
    }
    switch (vehicle.mode) {
    case MODE_STABILIZE:
        angles_by_sticks(&d);
        steer_yaw(dt);
        d.vertical = VERTICAL_THRUST;
        d.thrust = vehicle.sticks.valid ? square(vehicle.sticks.throttle) : 0.0f;
        plan.fly = d.thrust > 0.05f;
        break;
    case MODE_ALTITUDE_HOLD:
        angles_by_sticks(&d);
        steer_yaw(dt);
        height_by_stick(&d, dt);
        break;
    case MODE_LOITER:
        place_by_sticks(&d, dt);
        steer_yaw(dt);
        height_by_stick(&d, dt);
        break;
    case MODE_AUTO:
        fly_mission(&d, dt);
        break;
    case MODE_LAND:
        plan_descend(&d);
        break;
    case MODE_RTL:
        plan_return(&d, dt);
        break;
    default:
        plan_follow(&d, dt);
        break;
    }
    if (d.horizontal == HORIZONTAL_MOTION && !vehicle.estimate.positioned)
        d.horizontal = HORIZONTAL_LOST;
    d.yaw = plan.yaw;
    d.yaw_rate = plan.yaw_rate;
    d.fly = plan.fly;
    multirotor_follow(&d, dt);
    if (multirotor.phase == PHASE_GROUND && vehicle.mode != MODE_AUTO && plan.airborne)
        plan.fly = false;
}

void modes_output(struct vector3 angular_velocity, float dt)
{
    multirotor_output(angular_velocity, dt);
}
