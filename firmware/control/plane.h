// Flies a plane: from bank, pitch and throttle to its servos.
#ifndef CONTROL_PLANE_H
#define CONTROL_PLANE_H

#include "../math/vector.h"
#include <stdbool.h>

struct plane_demand {
    float bank, pitch; // rad
    float throttle;    // of full
    bool direct;       // surfaces as below, without any control
    float aileron, elevator, rudder; // -1 to 1, nose up and right positive
};

void plane_reset(void);
void plane_output(const struct plane_demand *demand, struct vector3 angular_velocity, float speed_scale, float dt);

#endif
