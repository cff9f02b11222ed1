// Angular velocity to torque, axis by axis.
#ifndef CONTROL_RATE_CONTROLLER_H
#define CONTROL_RATE_CONTROLLER_H

#include "../math/vector.h"
#include <stdbool.h>

struct rate_gains {
    float p, i, d, feed_forward, integral_limit, filter; // filter: Hz
};

struct rate_axis {
    float integral, previous, derivative;
    bool running;
};

// One step of
//   u = P (w_d - w) + I integral(w_d - w) - D dw/dt (low-passed) + FF w_d
// `hold`: the integral stays (saturated, or on the ground).
float rate_axis_step(struct rate_axis *axis, const struct rate_gains *gains, float demand, float rate, float dt, bool hold);
void rate_axis_reset(struct rate_axis *axis);

#endif
