// Lateral guidance of planes: the acceleration to the right that leads to a line or around a circle.
#ifndef CONTROL_L1_GUIDANCE_H
#define CONTROL_L1_GUIDANCE_H

#include "../math/vector.h"

// S. Park, J. Deyst, J. P. How: A New Nonlinear Guidance Logic for Trajectory Tracking, AIAA 2004-4900.
float l1_follow_line(struct vector3 from, struct vector3 to, struct vector3 position, struct vector3 velocity);
// `radius` > 0: clockwise.
float l1_circle(struct vector3 centre, float radius, struct vector3 position, struct vector3 velocity);
// To keep a course over ground.
float l1_hold_course(float course, struct vector3 velocity);

#endif
