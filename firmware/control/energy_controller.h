// Height and speed of planes by pitch and throttle, without a sensor for the airspeed.
#ifndef CONTROL_ENERGY_CONTROLLER_H
#define CONTROL_ENERGY_CONTROLLER_H

#include <stdbool.h>

struct energy_input {
    float height_error;         // m, positive: too low
    float climb;                // m/s
    float ground_speed;         // m/s over which climbing is reckoned
    float airspeed;             // m/s, estimated
    bool airspeed_known;
    float bank;                 // rad
    float ground_speed_lack;    // m/s below the least ground speed; negative: none
};

struct energy_controller {
    float pitch_integral, lack_integral;
};

void energy_controller_step(struct energy_controller *c, const struct energy_input *in, float dt, float *pitch, float *throttle);

#endif
