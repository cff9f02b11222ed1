#include "rate_controller.h"

float rate_axis_step(struct rate_axis *axis, const struct rate_gains *gains, float demand, float rate, float dt, bool hold)
{
    float error = demand - rate;
    if (axis->running && dt > 0.0f) {
        float slope = (rate - axis->previous) / dt;
        axis->derivative += low_pass_weight(gains->filter, dt) * (slope - axis->derivative);
    }
    axis->running = true;
    axis->previous = rate;
    // A held integral may still shrink.
    if (!hold || axis->integral * error < 0.0f)
        axis->integral = clamp(axis->integral + gains->i * error * dt, -gains->integral_limit, gains->integral_limit);
    return gains->p * error + axis->integral - gains->d * axis->derivative + gains->feed_forward * demand;
}

void rate_axis_reset(struct rate_axis *axis)
{
    *axis = (struct rate_axis){0};
}
