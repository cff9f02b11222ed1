#include "l1_guidance.h"
#include "../system/parameters.h"

#define DAMPING 0.75f
#define SPEED_LEAST 3.0f

static float ground_speed(struct vector3 velocity)
{
    return maximum(horizontal_length(velocity), SPEED_LEAST);
}

// L1 = damping period V / pi, a = 4 damping^2 V^2 / L1 sin(eta): period and damping of the linearised track error.
static float l1_length(float speed)
{
    return DAMPING * parameters.l1_period * speed / PI;
}

static float acceleration(float eta, float speed)
{
    eta = clamp(wrap_angle(eta), -0.5f * PI, 0.5f * PI);
    return 4.0f * square(DAMPING) * square(speed) / l1_length(speed) * sine(eta);
}

static float course_of(struct vector3 v)
{
    return arc_tangent2(v.y, v.x);
}

float l1_follow_line(struct vector3 from, struct vector3 to, struct vector3 position, struct vector3 velocity)
{
    struct vector3 way = vector_subtract(to, from), ahead = vector_subtract(position, from), left = vector_subtract(to, position);
    float length = horizontal_length(way), speed = ground_speed(velocity), l1 = l1_length(speed);
    if (length < 1.0f)
        return acceleration(course_of(left) - course_of(velocity), speed);
    float north = way.x / length, east = way.y / length;
    float along = north * ahead.x + east * ahead.y;
    // Far behind the line's start: to the start first.
    if (along < -l1)
        return acceleration(course_of(vector_subtract(from, position)) - course_of(velocity), speed);
    float across = north * ahead.y - east * ahead.x; // right of the line
    float to_line = -arc_sine(clamp(across / l1, -0.7071f, 0.7071f));
    return acceleration(arc_tangent2(east, north) + to_line - course_of(velocity), speed);
}

// Far outside towards the centre; near the circle a spring and a damper across it, and what the curve itself needs.
float l1_circle(struct vector3 centre, float radius, struct vector3 position, struct vector3 velocity)
{
    float side = sign(radius), size = absolute(radius), speed = ground_speed(velocity);
    float north = position.x - centre.x, east = position.y - centre.y;
    float distance = maximum(square_root(north * north + east * east), 1.0f);
    north /= distance;
    east /= distance;
    float outside = distance - size, outward = north * velocity.x + east * velocity.y;
    float capture = acceleration(arc_tangent2(-east, -north) - course_of(velocity), speed);
    float omega = 2.0f * PI / parameters.l1_period;
    float tangential = side * (-east * velocity.x + north * velocity.y);
    float curve = tangential > 0.0f ? tangential * tangential / maximum(0.5f * size, distance) : 0.0f;
    // The centre of a clockwise circle is to the right.
    float circling = side * (square(omega) * outside + 2.0f * DAMPING * omega * outward + curve);
    if (outside > 0.0f && side * capture < side * circling)
        return capture;
    return circling;
}

float l1_hold_course(float course, struct vector3 velocity)
{
    return acceleration(course - course_of(velocity), ground_speed(velocity));
}
