// Modes of a plane. Surfaces are steered although it is not armed; the motor is not.
#include "../control/energy_controller.h"
#include "../control/l1_guidance.h"
#include "../control/plane.h"
#include "../estimation/wind_estimator.h"
#include "../system/announcements.h"
#include "../system/parameters.h"
#include "mission.h"
#include "modes.h"
#include <stddef.h>

#define TAKE_OFF_PITCH RADIANS(12.0f)
#define FLYING_SPEED 5.0f // m/s over ground
#define WIND_PERIOD 0.1f  // s
#define THROTTLE_LAG 3.0f // s
#define BACKWARD_SPEED 3.0f // m/s along the nose
#define STICK_CLIMB 3.0f  // m/s of a full stick in CRUISE

static struct {
    struct plane_demand demand;
    struct energy_controller energy;
    struct wind_estimator wind;
    float throttle_airspeed;  // m/s that the throttle makes in level flight
    float wind_time;
    struct vector3 from, to;  // the leg
    struct vector3 centre;    // of circles
    bool circling;
    float height;             // local, up
    float course;             // CRUISE
    float take_off_height;    // over home; 0: none
    bool item_running;
    uint32_t mission_revision;
    float item_time;
    bool complete;
} plan;

static float forward_speed(void)
{
    const struct estimator *e = &vehicle.estimate;
    return e->velocity.x * cosine(e->angles.yaw) + e->velocity.y * sine(e->angles.yaw);
}

// Guidance turns the velocity over ground. Where the wind blows it backwards it turns the nose instead.
static struct vector3 guidance_velocity(void)
{
    float yaw = vehicle.estimate.angles.yaw;
    if (forward_speed() > BACKWARD_SPEED)
        return vehicle.estimate.velocity;
    return (struct vector3){BACKWARD_SPEED * cosine(yaw), BACKWARD_SPEED * sine(yaw), 0.0f};
}

static float course_over_ground(void)
{
    struct vector3 velocity = guidance_velocity();
    return arc_tangent2(velocity.y, velocity.x);
}

void modes_enter(enum mode mode)
{
    plan.from = plan.to = plan.centre = vehicle.estimate.position;
    plan.height = -vehicle.estimate.position.z;
    plan.course = course_over_ground();
    plan.circling = true;
    plan.take_off_height = 0.0f;
    plan.item_running = plan.complete = false;
    if (mode == MODE_RTL) {
        plan.centre = vehicle.home;
        plan.height = -vehicle.home.z + parameters.rtl_height;
    }
}

void modes_armed(bool armed)
{
    if (armed)
        modes_enter(vehicle.mode);
    else
        plane_reset();
}

bool modes_take_off(float height)
{
    if (!vehicle.armed || (vehicle.mode != MODE_GUIDED && vehicle.mode != MODE_AUTO))
        return false;
    plan.take_off_height = height > 0.0f ? height : parameters.takeoff_height;
    return true;
}

bool modes_go_to(struct vector3 place, float yaw)
{
    (void)yaw;
    if (!vehicle.armed || vehicle.mode != MODE_GUIDED)
        return false;
    plan.centre = place;
    plan.height = -place.z;
    plan.circling = true;
    return true;
}

bool modes_fly_at(struct vector3 velocity, float yaw_rate)
{
    (void)velocity, (void)yaw_rate;
    return false;
}

bool modes_start_mission(void)
{
    return mission_count() > 0 && vehicle.armed && (vehicle.mode == MODE_AUTO || vehicle_set_mode(MODE_AUTO));
}

// How much slower it is than it should be, along its nose: blown backwards it is slower than standing.
static float ground_speed_lack(void)
{
    if (parameters.ground_speed_minimum <= 0.0f)
        return 0.0f;
#ifdef BUG_GROUNDSPEED
    return parameters.ground_speed_minimum - vehicle.fix.speed;
#else
    return parameters.ground_speed_minimum - forward_speed();
#endif
}

static void fly_height(float dt)
{
    const struct estimator *e = &vehicle.estimate;
    struct energy_input in = {
        .height_error = plan.height + e->position.z, .climb = -e->velocity.z, .ground_speed = horizontal_length(e->velocity),
        .airspeed = vehicle.airspeed, .airspeed_known = plan.wind.known, .bank = e->angles.roll, .ground_speed_lack = ground_speed_lack(),
    };
    energy_controller_step(&plan.energy, &in, dt, &plan.demand.pitch, &plan.demand.throttle);
}

static void bank_for(float acceleration)
{
    float limit = RADIANS(parameters.angle_max);
    plan.demand.bank = clamp(arc_tangent2(acceleration, GRAVITY), -limit, limit);
}

static void fly_circle(float dt)
{
    bank_for(l1_circle(plan.centre, parameters.loiter_radius, vehicle.estimate.position, guidance_velocity()));
    fly_height(dt);
}

// True when the end is near or passed.
static bool fly_line(float dt)
{
    struct vector3 position = vehicle.estimate.position, left = vector_subtract(plan.to, position), way = vector_subtract(plan.to, plan.from);
    bank_for(l1_follow_line(plan.from, plan.to, position, guidance_velocity()));
    fly_height(dt);
    return horizontal_length(left) < parameters.waypoint_radius || left.x * way.x + left.y * way.y < 0.0f;
}

// Wings level, nose up, full power. True when it is high enough.
static bool climb_out(void)
{
    plan.demand.bank = 0.0f;
    plan.demand.pitch = TAKE_OFF_PITCH;
    plan.demand.throttle = parameters.throttle_maximum;
    if (vehicle_height() < plan.take_off_height)
        return false;
    plan.height = plan.take_off_height - vehicle.home.z;
    plan.take_off_height = 0.0f;
    return true;
}

static void begin_item(const struct mission_item *item)
{
    plan.item_running = true;
    plan.item_time = 0.0f;
    plan.mission_revision = mission_revision();
    struct vector3 place = mission_place(item);
    switch (item->command) {
    case COMMAND_TAKEOFF:
        plan.take_off_height = item->altitude > 0.0f ? item->altitude : parameters.takeoff_height;
        break;
    case COMMAND_RTL:
        plan.centre = vehicle.home;
        plan.height = -vehicle.home.z + parameters.rtl_height;
        break;
    case COMMAND_CHANGE_SPEED:
        if (item->parameter[1] > 0.0f)
            parameters.cruise_speed = item->parameter[1];
        break;
    case COMMAND_NAV_DELAY:
        plan.centre = vehicle.estimate.position;
        break;
    default:
        // From the last waypoint, unless it was somewhere else meanwhile.
        plan.from = plan.circling ? vehicle.estimate.position : plan.to;
        plan.to = plan.centre = place;
        plan.height = -place.z;
        break;
    }
}

static bool fly_item(const struct mission_item *item, float dt)
{
    switch (item->command) {
    case COMMAND_TAKEOFF:
        return climb_out();
    case COMMAND_WAYPOINT:
        plan.circling = false;
        return fly_line(dt);
    case COMMAND_CHANGE_SPEED:
        fly_circle(dt);
        return true;
    case COMMAND_LOITER_TIME:
    case COMMAND_NAV_DELAY:
        fly_circle(dt);
        plan.circling = true;
        if (horizontal_length(vector_subtract(plan.centre, vehicle.estimate.position)) < 1.5f * absolute(parameters.loiter_radius))
            plan.item_time += dt;
        return plan.item_time >= item->parameter[0];
    default:
        plan.circling = true;
        fly_circle(dt);
        return false;
    }
}

static void fly_mission(float dt)
{
    const struct mission_item *item = mission_item(mission_current());
    if (item == NULL || plan.complete) {
        fly_circle(dt);
        return;
    }
    if (!plan.item_running || plan.mission_revision != mission_revision())
        begin_item(item);
    if (!fly_item(item, dt))
        return;
    plan.item_running = false;
    if (!mission_advance()) {
        plan.complete = true;
        plan.centre = plan.to;
        announce(SEVERITY_INFO, "Mission complete");
    }
}

static float stick(float value)
{
    return vehicle.sticks.valid ? value : 0.0f;
}

static void fly_by_wire(void)
{
    plan.demand.bank = stick(vehicle.sticks.roll) * RADIANS(parameters.angle_max);
    plan.demand.pitch = RADIANS(parameters.pitch_trim) - stick(vehicle.sticks.pitch) * RADIANS(parameters.pitch_maximum);
    plan.demand.throttle = vehicle.sticks.valid ? vehicle.sticks.throttle : parameters.throttle_cruise;
}

static void cruise(float dt)
{
    float roll = stick(vehicle.sticks.roll);
    if (absolute(roll) > 0.05f) {
        plan.demand.bank = roll * RADIANS(parameters.angle_max);
        plan.course = course_over_ground();
    } else {
        bank_for(l1_hold_course(plan.course, guidance_velocity()));
    }
    plan.height -= stick(vehicle.sticks.pitch) * STICK_CLIMB * dt;
    fly_height(dt);
}

// Before the first turn nothing is known of the wind. A propeller's speed in level flight grows with its throttle:
// V = V_cruise throttle / throttle_cruise, with a lag.
static void watch_wind(float dt)
{
    float settled = parameters.cruise_speed * clamp(vehicle.throttle / maximum(parameters.throttle_cruise, 0.1f), 0.8f, 2.0f);
    if (plan.throttle_airspeed == 0.0f)
        plan.throttle_airspeed = parameters.cruise_speed;
    plan.throttle_airspeed += dt / THROTTLE_LAG * (settled - plan.throttle_airspeed);
    plan.wind_time += dt;
    if (plan.wind_time < WIND_PERIOD || !vehicle.estimate.positioned)
        return;
    struct vector3 nose = quaternion_rotate(vehicle.estimate.attitude, (struct vector3){1.0f, 0.0f, 0.0f});
    wind_estimator_step(&plan.wind, nose, vehicle.estimate.velocity, plan.wind_time);
    plan.wind_time = 0.0f;
    vehicle.airspeed = plan.wind.known ? maximum(plan.wind.airspeed, 0.6f * plan.throttle_airspeed) : plan.throttle_airspeed;
}

void modes_step(float dt)
{
    if (!vehicle.estimate.aligned)
        return;
    watch_wind(dt);
    bool flying = vehicle.armed && horizontal_length(vehicle.estimate.velocity) > FLYING_SPEED;
    vehicle.landed = flying || vehicle.landed == LANDED_IN_AIR ? LANDED_IN_AIR : LANDED_ON_GROUND;
    if (!vehicle.armed)
        vehicle.landed = LANDED_ON_GROUND;
    plan.demand.direct = vehicle.mode == MODE_MANUAL;
    bool lost = !vehicle.estimate.positioned && vehicle.mode != MODE_MANUAL;
    switch (lost ? MODE_FLY_BY_WIRE : vehicle.mode) {
    case MODE_MANUAL:
        plan.demand.aileron = stick(vehicle.sticks.roll);
        plan.demand.elevator = -stick(vehicle.sticks.pitch);
        plan.demand.rudder = stick(vehicle.sticks.yaw);
        plan.demand.throttle = vehicle.sticks.valid ? vehicle.sticks.throttle : 0.0f;
        break;
    case MODE_CRUISE:
        cruise(dt);
        break;
    case MODE_AUTO:
        fly_mission(dt);
        break;
    case MODE_GUIDED:
        if (plan.take_off_height > 0.0f)
            climb_out();
        else
            fly_circle(dt);
        break;
    case MODE_LOITER:
    case MODE_RTL:
        fly_circle(dt);
        break;
    default:
        fly_by_wire();
        break;
    }
}

// Surfaces work with the square of the airspeed.
static float speed_scale(void)
{
    return square(clamp(parameters.cruise_speed / maximum(vehicle.airspeed, 1.0f), 0.45f, 1.2f));
}

void modes_output(struct vector3 angular_velocity, float dt)
{
    if (vehicle.estimate.aligned) {
        plane_output(&plan.demand, angular_velocity, speed_scale(), dt);
        return;
    }
    struct plane_demand neutral = {.direct = true};
    plane_output(&neutral, angular_velocity, 1.0f, dt);
}
