#include "trajectory.h"
#include "../system/parameters.h"

#define LAG_SLOW 1.5f // m behind where the leg begins to wait
#define LAG_STOP 4.0f

void trajectory_begin(struct trajectory *t, struct vector3 from, struct vector3 to)
{
    struct vector3 way = vector_subtract(to, from);
    *t = (struct trajectory){.start = from, .length = vector_length(way)};
    if (t->length > 1e-3f)
        t->direction = vector_scale(way, 1.0f / t->length);
}

// The speed at which no component is too fast.
static float allowed_speed(const struct trajectory *t)
{
    float speed = parameters.cruise_speed / maximum(horizontal_length(t->direction), 0.01f);
    float vertical = t->direction.z < 0.0f ? parameters.climb_speed : parameters.descent_speed;
    return minimum(speed, vertical / maximum(absolute(t->direction.z), 0.01f));
}

void trajectory_step(struct trajectory *t, float lag, float dt)
{
    float a = parameters.cruise_acceleration, rest = maximum(t->length - t->travelled, 0.0f);
    float wait = clamp((LAG_STOP - lag) / (LAG_STOP - LAG_SLOW), 0.0f, 1.0f);
    // Near the end proportional, so that it settles: v = min(sqrt(2 a rest), 2 rest).
    float goal = minimum(minimum(allowed_speed(t) * wait, square_root(2.0f * a * rest)), 2.0f * rest);
    float change = clamp(goal - t->speed, -1.5f * a * dt, a * dt);
    t->acceleration = dt > 0.0f ? change / dt : 0.0f;
    t->speed = maximum(t->speed + change, 0.0f);
    t->travelled = minimum(t->travelled + t->speed * dt, t->length);
}

struct motion trajectory_motion(const struct trajectory *t)
{
    return (struct motion){
        vector_add(t->start, vector_scale(t->direction, t->travelled)),
        vector_scale(t->direction, t->speed),
        vector_scale(t->direction, t->acceleration),
    };
}

bool trajectory_ended(const struct trajectory *t)
{
    return t->length - t->travelled < 0.05f;
}
