// Torques and thrust to the four motors of a quad X.
#ifndef CONTROL_MIXER_H
#define CONTROL_MIXER_H

#include <stdbool.h>

#define MIXER_MOTORS 4

struct mixer_demand {
    float roll, pitch, yaw; // of full torque: one motor's full thrust on each arm
    float thrust;           // of full thrust
};

struct mixer_output {
    float thrust[MIXER_MOTORS]; // of full thrust: front right, rear left, front left, rear right
    bool saturated;             // not all of the demand was met
};

// Roll and pitch come first, then thrust, then yaw. `least`: the smallest thrust of a motor.
void mixer_mix(const struct mixer_demand *demand, float least, struct mixer_output *output);

#endif
