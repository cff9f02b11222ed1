// What the air does to a multirotor, felt by its accelerometers before velocity and position show it.
#ifndef CONTROL_GUST_OBSERVER_H
#define CONTROL_GUST_OBSERVER_H

#include "../math/vector.h"
#include <stdbool.h>

struct gust_observer {
    struct vector3 push; // m/s^2, local: horizontal, by the parameter's low-pass
    struct vector3 mean; // the same over seconds: the wind without its gusts
    bool running;
};

void gust_observer_reset(struct gust_observer *o);
// Takes the acceleration over ground (local, without gravity) and the attitude in which it was felt.
void gust_observer_step(struct gust_observer *o, struct quaternion attitude, struct vector3 acceleration, float dt);

#endif
