#include "position_controller.h"
#include "../system/parameters.h"
#include "square_root_controller.h"

#define HORIZONTAL_DECELERATION 2.5f // m/s^2
#define INTEGRAL_MAX 5.0f            // m/s^2, horizontally
#define VERTICAL_INTEGRAL_MAX 5.0f
#define HOVER_TIME 8.0f              // s

void position_controller_reset(struct position_controller *c)
{
    c->integral = (struct vector3){0.0f, 0.0f, 0.0f};
    c->hover_thrust = parameters.hover_thrust;
    c->saturated = false;
}

// v_d = v_ff + P (p_d - p), limited like a square root; a_d = a_ff + P (v_d - v) + I integral(v_d - v) - push.
struct vector3 position_controller_horizontal(struct position_controller *c, const struct motion *demand, struct vector3 position, struct vector3 velocity, struct vector3 push, float dt)
{
    float north = demand->position.x - position.x, east = demand->position.y - position.y;
    float distance = square_root(north * north + east * east);
    float speed = square_root_controller(distance, parameters.position_p, HORIZONTAL_DECELERATION);
    speed = minimum(speed, 2.0f * parameters.cruise_speed);
    float scale = distance > 1e-3f ? speed / distance : 0.0f;
    float error_north = demand->velocity.x + scale * north - velocity.x;
    float error_east = demand->velocity.y + scale * east - velocity.y;
    float largest = GRAVITY * sine(RADIANS(parameters.angle_max)) / cosine(RADIANS(parameters.angle_max));
    struct vector3 a = {
        demand->acceleration.x + parameters.velocity_p * error_north + c->integral.x - push.x,
        demand->acceleration.y + parameters.velocity_p * error_east + c->integral.y - push.y,
        0.0f,
    };
    float size = horizontal_length(a);
    bool limited = size > largest;
    if (limited) {
        a.x *= largest / size;
        a.y *= largest / size;
    }
    // While limited the integral may turn or shrink, not grow.
    struct vector3 grown = {c->integral.x + parameters.velocity_i * error_north * dt, c->integral.y + parameters.velocity_i * error_east * dt, 0.0f};
    float grown_size = horizontal_length(grown);
    if (grown_size <= horizontal_length(c->integral) || (!limited && grown_size < INTEGRAL_MAX)) {
        c->integral.x = grown.x;
        c->integral.y = grown.y;
    }
    return a;
}

// a_d = a_ff + P (v_d - v) + I integral; thrust carries the weight and accelerates: T = hover (g - a_d) / g / cos(tilt).
float position_controller_vertical(struct position_controller *c, float velocity_demand, float acceleration_demand, float velocity, float cos_tilt, float dt)
{
    float error = velocity_demand - velocity;
    float a = acceleration_demand + parameters.climb_p * error + c->integral.z;
    float wanted = c->hover_thrust * (GRAVITY - a) / GRAVITY / maximum(cos_tilt, 0.5f);
    float least = square(parameters.spin_minimum);
    float thrust = clamp(wanted, least, 0.95f);
    c->saturated = thrust != wanted;
    if (!c->saturated || error * (thrust - wanted) < 0.0f)
        c->integral.z = clamp(c->integral.z + parameters.climb_i * error * dt, -VERTICAL_INTEGRAL_MAX, VERTICAL_INTEGRAL_MAX);
    return thrust;
}

// The body's z axis against the wanted specific force (a - g); the nose as near to `yaw` as that allows.
struct quaternion position_controller_attitude(struct vector3 a, float yaw)
{
    // In a frame turned by yaw: pitch = atan(-a_forward / g), roll = atan(a_right cos(pitch) / g).
    float c = cosine(yaw), s = sine(yaw);
    float forward = c * a.x + s * a.y, right = -s * a.x + c * a.y;
    float pitch = arc_tangent2(-forward, GRAVITY);
    float roll = arc_tangent2(right * cosine(pitch), GRAVITY);
    return quaternion_from_euler((struct euler){roll, pitch, yaw});
}

void position_controller_learn_hover(struct position_controller *c, float thrust, float cos_tilt, float acceleration_down, float dt)
{
    float carrying = (GRAVITY - acceleration_down) / GRAVITY;
    if (carrying < 0.5f || cos_tilt < 0.8f)
        return;
    float measured = clamp(thrust * cos_tilt / carrying, 0.1f, 0.9f);
    float before = c->hover_thrust;
    c->hover_thrust += dt / HOVER_TIME * (measured - c->hover_thrust);
    // The integral had made up for the difference: take it back, so that thrust does not jump.
    c->integral.z = GRAVITY - (GRAVITY - c->integral.z) * before / c->hover_thrust;
}
