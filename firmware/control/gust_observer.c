// Rotors push along the z axis of the body. What is felt across it comes from the air: f = R' (a - g), and
// push = R (f_x, f_y, 0), of which the horizontal part is to be held against by tilting.
#include "gust_observer.h"
#include "../system/parameters.h"

#define MEAN_TIME 4.0f // s

void gust_observer_reset(struct gust_observer *o)
{
    *o = (struct gust_observer){.running = false};
}

void gust_observer_step(struct gust_observer *o, struct quaternion attitude, struct vector3 acceleration, float dt)
{
    if (parameters.gust_filter <= 0.0f) {
        gust_observer_reset(o);
        return;
    }
    acceleration.z -= GRAVITY;
    struct vector3 felt = quaternion_rotate_back(attitude, acceleration);
    felt.z = 0.0f;
    struct vector3 push = quaternion_rotate(attitude, felt);
    push.z = 0.0f;
    if (!o->running)
        o->push = o->mean = push;
    o->running = true;
    o->push = vector_add(o->push, vector_scale(vector_subtract(push, o->push), low_pass_weight(parameters.gust_filter, dt)));
    o->mean = vector_add(o->mean, vector_scale(vector_subtract(push, o->mean), dt / (dt + MEAN_TIME)));
}
