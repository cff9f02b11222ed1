// Vectors of three, and quaternions that turn vectors of the body (forward, right, down) to north, east, down.
#ifndef MATH_VECTOR_H
#define MATH_VECTOR_H

#include "scalar.h"

struct vector3 {
    float x, y, z;
};

struct quaternion {
    float w, x, y, z;
};

struct euler {
    float roll, pitch, yaw;
};

static inline struct vector3 vector_add(struct vector3 a, struct vector3 b) { return (struct vector3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline struct vector3 vector_subtract(struct vector3 a, struct vector3 b) { return (struct vector3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline struct vector3 vector_scale(struct vector3 a, float s) { return (struct vector3){a.x * s, a.y * s, a.z * s}; }
static inline float vector_dot(struct vector3 a, struct vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline struct vector3 vector_cross(struct vector3 a, struct vector3 b) { return (struct vector3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static inline float vector_length(struct vector3 a) { return square_root(vector_dot(a, a)); }
static inline float horizontal_length(struct vector3 a) { return square_root(a.x * a.x + a.y * a.y); }

struct quaternion quaternion_multiply(struct quaternion a, struct quaternion b);
struct quaternion quaternion_conjugate(struct quaternion q);
struct quaternion quaternion_normalize(struct quaternion q);
// The turn by a rotation vector (axis times angle).
struct quaternion quaternion_from_rotation(struct vector3 rotation);
struct quaternion quaternion_from_euler(struct euler angles);
struct euler quaternion_to_euler(struct quaternion q);
struct vector3 quaternion_rotate(struct quaternion q, struct vector3 v);
struct vector3 quaternion_rotate_back(struct quaternion q, struct vector3 v);
// The same turn as a matrix: columns are the axes of the body.
void quaternion_to_matrix(struct quaternion q, float matrix[3][3]);

#endif
