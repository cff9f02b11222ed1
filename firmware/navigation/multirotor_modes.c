// Modes of a multirotor. In all that hold a place, a leg (control/trajectory.h) leads to it.
#include "../control/multirotor.h"
#include "../control/trajectory.h"
#include "../system/announcements.h"
#include "../system/parameters.h"
#include "arming.h"
#include "mission.h"
#include "modes.h"
#include <stddef.h>

#define STICK_DEAD 0.05f
#define STICK_SPEED 5.0f        // m/s, of a full stick in LOITER
enum stage { STAGE_HOLD, STAGE_LEG, STAGE_VELOCITY, STAGE_CLIMB, STAGE_RETURN, STAGE_DESCEND };

static struct {
    enum stage stage;
    struct trajectory leg;
    struct motion target;        // that is being followed
    struct vector3 velocity;     // STAGE_VELOCITY
    float yaw, yaw_rate;
    float take_off_height;       // over home; 0: no take-off
    bool fly;                    // the pilot or a command wants to leave the ground
    bool airborne;               // it has
    float item_time;             // s since the mission's item was reached
    bool mission_complete;
    uint32_t mission_revision;
    bool item_running;
    float velocity_age;          // s since the last velocity command
} plan;

static const struct vector3 zero = {0.0f, 0.0f, 0.0f};

static void hold(struct vector3 place)
{
    plan.stage = STAGE_HOLD;
    plan.target = (struct motion){place, zero, zero};
    plan.yaw_rate = 0.0f;
}

// The place where the vehicle stops, if it begins to now.
static void hold_here(void)
{
    struct vector3 v = vehicle.estimate.velocity, place = vehicle.estimate.position;
    float distance = 0.5f * vector_dot(v, v) / parameters.cruise_acceleration;
    float speed = vector_length(v);
    if (speed > 0.1f && plan.airborne)
        place = vector_add(place, vector_scale(v, distance / speed));
    hold(place);
    plan.yaw = vehicle.estimate.angles.yaw;
}

static void go(struct vector3 place, float yaw)
{
    struct vector3 from = plan.stage == STAGE_HOLD || plan.stage == STAGE_LEG ? plan.target.position : vehicle.estimate.position;
    if (vector_length(vector_subtract(from, vehicle.estimate.position)) > 3.0f)
        from = vehicle.estimate.position;
    trajectory_begin(&plan.leg, from, place);
    plan.stage = STAGE_LEG;
    plan.yaw_rate = 0.0f;
    if (is_finite(yaw))
        plan.yaw = wrap_angle(yaw);
    else if (parameters.waypoint_yaw != 0.0f && plan.leg.length * horizontal_length(plan.leg.direction) > 2.0f)
        plan.yaw = arc_tangent2(plan.leg.direction.y, plan.leg.direction.x);
}

void modes_enter(enum mode mode)
{
    hold_here();
    plan.take_off_height = 0.0f;
    plan.item_running = false;
    if (mode == MODE_RTL) {
        plan.stage = STAGE_CLIMB;
        float height = maximum(parameters.rtl_height, vehicle_height());
        trajectory_begin(&plan.leg, vehicle.estimate.position, (struct vector3){plan.target.position.x, plan.target.position.y, vehicle.home.z - height});
    }
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
    go(place, yaw);
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

static float lag(void)
{
    return vector_length(vector_subtract(plan.target.position, vehicle.estimate.position));
}

static bool follow_leg(struct flight_demand *d, float dt)
{
    trajectory_step(&plan.leg, lag(), dt);
    plan.target = trajectory_motion(&plan.leg);
    d->motion = plan.target;
    return trajectory_ended(&plan.leg) && lag() < parameters.waypoint_radius;
}

// Fast while high, slow where the ground may be.
static void descend(struct flight_demand *d)
{
    float speed = clamp(0.25f * (vehicle_height() - 3.0f), parameters.land_speed, parameters.descent_speed);
    plan.target.velocity = (struct vector3){0.0f, 0.0f, speed};
    plan.target.acceleration = zero;
    plan.target.position.z = vehicle.estimate.position.z;
    d->motion = plan.target;
    d->ignore_height = true;
    d->land = true;
}

// GUIDED, and AUTO between its items.
static void follow_plan(struct flight_demand *d, float dt)
{
    switch (plan.stage) {
    case STAGE_VELOCITY:
        plan.velocity_age += dt;
        if (plan.velocity_age > 3.0f) { // whoever steers fell silent
            hold_here();
            break;
        }
        d->motion.velocity = plan.velocity;
        d->ignore_height = d->ignore_position = true;
        plan.yaw = wrap_angle(plan.yaw + plan.yaw_rate * dt);
        return;
    case STAGE_LEG:
        if (follow_leg(d, dt))
            hold(plan.target.position);
        return;
    default:
        break;
    }
    d->motion = plan.target;
}

static void return_home(struct flight_demand *d, float dt)
{
    switch (plan.stage) {
    case STAGE_CLIMB:
        if (follow_leg(d, dt)) {
            plan.stage = STAGE_RETURN;
            trajectory_begin(&plan.leg, plan.target.position, (struct vector3){vehicle.home.x, vehicle.home.y, plan.target.position.z});
        }
        break;
    case STAGE_RETURN:
        if (follow_leg(d, dt))
            plan.stage = STAGE_DESCEND;
        break;
    case STAGE_DESCEND:
        descend(d);
        break;
    default:
        plan.stage = STAGE_DESCEND;
        break;
    }
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
            go(up, NOT_A_NUMBER);
        }
        break;
    case COMMAND_WAYPOINT:
    case COMMAND_LOITER_TIME:
    case COMMAND_LOITER_UNLIMITED:
        go(mission_place(item), item->parameter[3] != 0.0f ? RADIANS(item->parameter[3]) : NOT_A_NUMBER);
        break;
    case COMMAND_LAND: {
        struct vector3 place = mission_place(item);
        place.z = plan.target.position.z;
        go(place, NOT_A_NUMBER);
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
        hold(plan.target.position);
        break;
    }
}

// One step of an item; true when it is done.
static bool fly_item(const struct mission_item *item, struct flight_demand *d, float dt)
{
    switch (item->command) {
    case COMMAND_TAKEOFF:
        follow_plan(d, dt);
        return plan.airborne && plan.take_off_height == 0.0f && plan.stage == STAGE_HOLD;
    case COMMAND_LAND:
        if (plan.stage == STAGE_LEG && !follow_leg(d, dt))
            return false;
        plan.stage = STAGE_DESCEND;
        descend(d);
        return false;
    case COMMAND_RTL:
        return_home(d, dt);
        return false;
    case COMMAND_CHANGE_SPEED:
        follow_plan(d, dt);
        return true;
    case COMMAND_LOITER_UNLIMITED:
        follow_plan(d, dt);
        return false;
    default: // waypoints and waits: param1 is a time to stay
        follow_plan(d, dt);
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
        follow_plan(d, dt);
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
        hold(vehicle.estimate.position);
        if (plan.take_off_height > 0.0f) {
            struct vector3 up = vehicle.estimate.position;
            up.z = vehicle.home.z - plan.take_off_height;
            go(up, NOT_A_NUMBER);
            plan.take_off_height = 0.0f;
        }
    }
    if (multirotor.phase == PHASE_GROUND)
        plan.airborne = false;
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
        descend(&d);
        break;
    case MODE_RTL:
        return_home(&d, dt);
        break;
    default:
        follow_plan(&d, dt);
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
