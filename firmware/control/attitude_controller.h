// Attitude to angular velocity.
#ifndef CONTROL_ATTITUDE_CONTROLLER_H
#define CONTROL_ATTITUDE_CONTROLLER_H

#include "../math/vector.h"

// The angular velocity (body) that turns `attitude` to `demand`, plus a turning of the demand about the vertical.
struct vector3 attitude_controller(struct quaternion attitude, struct quaternion demand, float yaw_rate);

#endif
