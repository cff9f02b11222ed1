#include "multirotor.h"
#include "../navigation/arming.h"
#include "../navigation/vehicle.h"
#include "../system/announcements.h"
#include "../system/parameters.h"
#include "attitude_controller.h"
#include "mixer.h"
#include "rate_controller.h"
#include "square_root_controller.h"

#define PULSE_STOP 1000.0f       // us
#define PULSE_SPAN 1000.0f
#define SPOOL_TIME 0.8f          // s from standing to idling motors
#define LIFT_START 0.15f         // of full thrust
#define LIFT_SLOPE 0.25f         // 1/s
#define LIFT_SPEED 0.2f          // m/s that shows it left the ground
#define LIFT_TIME 6.0f           // s after which it is stuck
#define CONTACT_TIME 0.5f        // s without sinking, though asked to
#define CONTACT_SPEED 0.12f      // m/s
#define FALLING_SPEED 0.6f       // m/s: it was no ground
#define TOUCH_TIME 1.0f          // s in which thrust falls to 0
#define TILT_LOST RADIANS(65.0f)
#define TILT_LOST_TIME 1.0f
#define VERTICAL_DECELERATION 1.5f // m/s^2
#define INTEGRAL_LIMIT 0.2f

struct multirotor multirotor;
static struct rate_axis roll_axis, pitch_axis, yaw_axis;
static bool saturated;
static float touch_thrust, spool;

static void enter(enum flight_phase phase)
{
    multirotor.phase = phase;
    multirotor.phase_time = multirotor.contact_time = 0.0f;
    vehicle.landed = phase == PHASE_GROUND ? LANDED_ON_GROUND : phase == PHASE_LIFT_OFF ? LANDED_TAKING_OFF : phase == PHASE_TOUCHING ? LANDED_LANDING : LANDED_IN_AIR;
}

void multirotor_reset(void)
{
    enter(PHASE_GROUND);
    position_controller_reset(&multirotor.position);
    gust_observer_reset(&multirotor.gusts);
    rate_axis_reset(&roll_axis);
    rate_axis_reset(&pitch_axis);
    rate_axis_reset(&yaw_axis);
    multirotor.attitude_demand = quaternion_from_euler((struct euler){0.0f, 0.0f, vehicle.estimate.angles.yaw});
    multirotor.yaw_rate_demand = multirotor.thrust_demand = 0.0f;
    spool = 0.0f;
}

static void level(float yaw)
{
    multirotor.attitude_demand = quaternion_from_euler((struct euler){0.0f, 0.0f, yaw});
    multirotor.yaw_rate_demand = 0.0f;
}

static void lift_off(const struct flight_demand *demand, float cos_tilt)
{
    const struct estimator *e = &vehicle.estimate;
    level(demand->yaw);
    multirotor.thrust_demand = minimum(LIFT_START + LIFT_SLOPE * multirotor.phase_time, 0.95f);
    if (-e->velocity.z > LIFT_SPEED) {
        // What is more than the weight accelerates: hover = T cos(tilt) g / (g - a).
        float carrying = maximum(GRAVITY - e->acceleration.z, 0.5f * GRAVITY);
        float hover = multirotor.thrust_demand * cos_tilt * GRAVITY / carrying;
        multirotor.position.hover_thrust = clamp(hover, 0.2f, 0.85f);
        multirotor.position.integral = (struct vector3){0.0f, 0.0f, 0.0f};
        gust_observer_reset(&multirotor.gusts);
        enter(PHASE_FLYING);
    } else if (multirotor.phase_time > LIFT_TIME) {
        announce(SEVERITY_ERROR, "Take-off failed");
        enter(PHASE_GROUND);
        arming_disarm(true);
    }
}

static void fly_horizontally(const struct flight_demand *demand, float dt)
{
    const struct estimator *e = &vehicle.estimate;
    struct motion motion = demand->motion;
    if (demand->horizontal != HORIZONTAL_LOST)
        gust_observer_step(&multirotor.gusts, e->attitude, e->acceleration, dt);
    switch (demand->horizontal) {
    case HORIZONTAL_ANGLES:
        multirotor.attitude_demand = quaternion_from_euler((struct euler){demand->roll, demand->pitch, demand->yaw});
        break;
    case HORIZONTAL_LOST:
        multirotor.attitude_demand = position_controller_attitude(vector_subtract(multirotor.position.integral, multirotor.gusts.mean), demand->yaw);
        break;
    case HORIZONTAL_MOTION:
        if (demand->ignore_position)
            motion.position = e->position;
        struct vector3 a = position_controller_horizontal(&multirotor.position, &motion, e->position, e->velocity, multirotor.gusts.push, dt);
        multirotor.attitude_demand = position_controller_attitude(a, demand->yaw);
        break;
    }
    multirotor.yaw_rate_demand = demand->yaw_rate;
}

static void fly_vertically(const struct flight_demand *demand, float cos_tilt, float dt)
{
    const struct estimator *e = &vehicle.estimate;
    if (demand->vertical == VERTICAL_THRUST) {
        multirotor.thrust_demand = demand->thrust;
        return;
    }
    float velocity = demand->motion.velocity.z;
    if (!demand->ignore_height)
        velocity += square_root_controller(demand->motion.position.z - e->position.z, parameters.height_p, VERTICAL_DECELERATION);
    velocity = clamp(velocity, -1.5f * parameters.climb_speed, 1.5f * parameters.descent_speed);
    multirotor.thrust_demand = position_controller_vertical(&multirotor.position, velocity, demand->motion.acceleration.z, e->velocity.z, cos_tilt, dt);
    if (absolute(e->velocity.z) < 0.5f && !multirotor.position.saturated)
        position_controller_learn_hover(&multirotor.position, multirotor.thrust_demand, cos_tilt, e->acceleration.z, dt);
    // On the ground it does not sink any more, whatever it is asked to.
    bool stopped = demand->land && velocity > 0.2f && absolute(e->velocity.z) < CONTACT_SPEED;
    multirotor.contact_time = stopped ? multirotor.contact_time + dt : 0.0f;
    if (multirotor.contact_time > CONTACT_TIME) {
        touch_thrust = multirotor.thrust_demand;
        enter(PHASE_TOUCHING);
    }
}

static void touch(const struct flight_demand *demand)
{
    level(demand->yaw);
    multirotor.thrust_demand = touch_thrust * maximum(1.0f - multirotor.phase_time / TOUCH_TIME, 0.0f);
    if (!demand->land || vehicle.estimate.velocity.z > FALLING_SPEED) {
        enter(PHASE_FLYING);
    } else if (multirotor.phase_time > TOUCH_TIME + 0.2f) {
        enter(PHASE_GROUND);
        announce(SEVERITY_NOTICE, "Landed");
        arming_disarm(false);
    }
}

// Far from level for long, in the air: it is lost, and motors only make it worse.
static void watch_tilt(float cos_tilt, float dt)
{
    multirotor.tilted_time = cos_tilt < cosine(TILT_LOST) ? multirotor.tilted_time + dt : 0.0f;
    if (multirotor.tilted_time > TILT_LOST_TIME) {
        announce(SEVERITY_EMERGENCY, "Crash: motors off");
        arming_disarm(true);
    }
}

void multirotor_follow(const struct flight_demand *demand, float dt)
{
    if (!vehicle.armed)
        return;
    float cos_tilt = cosine(vehicle.estimate.angles.roll) * cosine(vehicle.estimate.angles.pitch);
    multirotor.phase_time += dt;
    switch (multirotor.phase) {
    case PHASE_GROUND:
        level(vehicle.estimate.angles.yaw);
        multirotor.thrust_demand = 0.0f;
        if (demand->fly && spool >= 1.0f)
            enter(demand->vertical == VERTICAL_THRUST ? PHASE_FLYING : PHASE_LIFT_OFF);
        else if (demand->land || (parameters.disarm_delay > 0.0f && multirotor.phase_time > parameters.disarm_delay))
            arming_disarm(false);
        break;
    case PHASE_LIFT_OFF:
        lift_off(demand, cos_tilt);
        break;
    case PHASE_FLYING:
        fly_horizontally(demand, dt);
        fly_vertically(demand, cos_tilt, dt);
        if (demand->vertical == VERTICAL_THRUST && !demand->fly && vehicle_height() < 0.5f && absolute(vehicle.estimate.velocity.z) < 0.2f)
            enter(PHASE_GROUND);
        break;
    case PHASE_TOUCHING:
        touch(demand);
        break;
    }
    watch_tilt(cos_tilt, dt);
}

// Thrust grows with the square of the speed, and the speed with the width of the pulse.
static float pulse_of_thrust(float thrust)
{
    return PULSE_STOP + PULSE_SPAN * square_root(clamp(thrust, 0.0f, 1.0f));
}

static void output_all(float pulse)
{
    for (int i = 0; i < OUTPUTS; i++)
        vehicle.output[i] = pulse;
    vehicle.throttle = 0.0f;
}

void multirotor_output(struct vector3 angular_velocity, float dt)
{
    if (!vehicle.armed) {
        output_all(PULSE_STOP);
        return;
    }
    if (multirotor.phase == PHASE_GROUND) {
        spool = minimum(spool + dt / SPOOL_TIME, 1.0f);
        output_all(PULSE_STOP + PULSE_SPAN * parameters.spin_armed * spool);
        return;
    }
    const struct rate_gains roll_pitch = {parameters.rate_p, parameters.rate_i, parameters.rate_d, parameters.rate_feed_forward, INTEGRAL_LIMIT, parameters.rate_filter};
    const struct rate_gains yaw = {parameters.yaw_rate_p, parameters.yaw_rate_i, 0.0f, 0.0f, INTEGRAL_LIMIT, parameters.rate_filter};
    struct vector3 w = vector_subtract(angular_velocity, vehicle.estimate.gyro_bias);
    struct vector3 demand = attitude_controller(vehicle.estimate.attitude, multirotor.attitude_demand, multirotor.yaw_rate_demand);
    bool hold = saturated || multirotor.phase != PHASE_FLYING;
    struct mixer_demand mix = {
        .roll = rate_axis_step(&roll_axis, &roll_pitch, demand.x, w.x, dt, hold),
        .pitch = rate_axis_step(&pitch_axis, &roll_pitch, demand.y, w.y, dt, hold),
        .yaw = rate_axis_step(&yaw_axis, &yaw, demand.z, w.z, dt, hold),
        .thrust = multirotor.thrust_demand,
    };
    if (multirotor.phase == PHASE_TOUCHING) { // no fighting against the ground
        float part = multirotor.thrust_demand / maximum(touch_thrust, 0.01f);
        mix.roll *= part;
        mix.pitch *= part;
        mix.yaw *= part;
    }
    struct mixer_output out;
    mixer_mix(&mix, square(multirotor.phase == PHASE_FLYING ? parameters.spin_minimum : parameters.spin_armed), &out);
    saturated = out.saturated;
    for (int i = 0; i < OUTPUTS; i++)
        vehicle.output[i] = pulse_of_thrust(out.thrust[i]);
    vehicle.throttle = multirotor.thrust_demand;
}
