// From readings of the chips to the estimate.
#ifndef NAVIGATION_SENSING_H
#define NAVIGATION_SENSING_H

#include "vehicle.h"

// The mean of inertial samples over dt; aligns the estimator first. Every loop.
void sensing_take_imu(struct vector3 angular_velocity, struct vector3 specific_force, float dt);
void sensing_take_field(struct vector3 field);
void sensing_take_pressure(float pressure);
void sensing_take_fix(const struct gnss_fix *fix);
// Ten times a second: who is healthy, and what follows if the vehicle stands.
void sensing_watch(void);
// The present place becomes home.
void sensing_set_home(void);

#endif
