// Rotors push along z, the axis of the body. What is felt across it comes from the air: with f = a - g,
// push = f - (f z) z, of which the horizontal part is to be held against by tilting.
#include "gust_observer.h"
#include "../system/parameters.h"

#define MEAN_TIME 4.0f // s

void gust_observer_reset(struct gust_observer *o)
{
    *o = (struct gust_observer){.running = false};
}

static void approach(struct vector3 *value, struct vector3 goal, float part)
{
    value->x += part * (goal.x - value->x);
    value->y += part * (goal.y - value->y);
}

void gust_observer_step(struct gust_observer *o, struct quaternion attitude, struct vector3 acceleration, float dt)
{
    if (parameters.gust_filter <= 0.0f) {
        gust_observer_reset(o);
        return;
    }
    const struct quaternion q = attitude;
    struct vector3 z = {2.0f * (q.x * q.z + q.w * q.y), 2.0f * (q.y * q.z - q.w * q.x), 1.0f - 2.0f * (q.x * q.x + q.y * q.y)};
    acceleration.z -= GRAVITY;
    float thrust = vector_dot(acceleration, z);
    struct vector3 push = {acceleration.x - thrust * z.x, acceleration.y - thrust * z.y, 0.0f};
    if (!o->running)
        o->push = o->mean = push;
    o->running = true;
    approach(&o->push, push, low_pass_weight(parameters.gust_filter, dt));
    approach(&o->mean, push, dt * (1.0f / MEAN_TIME));
}
