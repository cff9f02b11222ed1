// A straight leg flown with limited acceleration, from rest to rest.
#ifndef CONTROL_TRAJECTORY_H
#define CONTROL_TRAJECTORY_H

#include "position_controller.h"

struct trajectory {
    struct vector3 start, direction; // direction of length 1
    float length, travelled, speed, acceleration;
};

void trajectory_begin(struct trajectory *t, struct vector3 from, struct vector3 to);
// Moves on. `lag`: how far the vehicle is behind; the leg waits for it.
void trajectory_step(struct trajectory *t, float lag, float dt);
struct motion trajectory_motion(const struct trajectory *t);
bool trajectory_ended(const struct trajectory *t);

#endif
