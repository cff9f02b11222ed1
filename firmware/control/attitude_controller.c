#include "attitude_controller.h"
#include "../system/parameters.h"
#include "square_root_controller.h"

// The error as a turn about the axes of the body: q_e = q^-1 q_d, e = 2 sign(w) (x, y, z), exact enough below 90 deg.
struct vector3 attitude_controller(struct quaternion attitude, struct quaternion demand, float yaw_rate)
{
    struct quaternion error = quaternion_multiply(quaternion_conjugate(attitude), demand);
    float s = error.w < 0.0f ? -2.0f : 2.0f;
    float acceleration = RADIANS(parameters.angle_acceleration);
    float limit = RADIANS(parameters.rate_max), yaw_limit = RADIANS(parameters.yaw_rate_max);
    struct vector3 turning = quaternion_rotate_back(attitude, (struct vector3){0.0f, 0.0f, yaw_rate});
    return (struct vector3){
        clamp(square_root_controller(s * error.x, parameters.angle_p, acceleration) + turning.x, -limit, limit),
        clamp(square_root_controller(s * error.y, parameters.angle_p, acceleration) + turning.y, -limit, limit),
        clamp(parameters.heading_p * s * error.z + turning.z, -yaw_limit, yaw_limit),
    };
}
