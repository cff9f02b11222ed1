#include "vector.h"

struct quaternion quaternion_multiply(struct quaternion a, struct quaternion b)
{
    return (struct quaternion){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

struct quaternion quaternion_conjugate(struct quaternion q)
{
    return (struct quaternion){q.w, -q.x, -q.y, -q.z};
}

struct quaternion quaternion_normalize(struct quaternion q)
{
    float s = 1.0f / square_root(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (struct quaternion){q.w * s, q.x * s, q.y * s, q.z * s};
}

struct quaternion quaternion_from_rotation(struct vector3 rotation)
{
    float angle = vector_length(rotation);
    // sin(a/2)/a, by its series where it cannot be divided.
    float s = angle > 1e-3f ? sine(0.5f * angle) / angle : 0.5f - angle * angle * (1.0f / 48.0f);
    return (struct quaternion){angle > 1e-3f ? cosine(0.5f * angle) : 1.0f - 0.125f * angle * angle, rotation.x * s, rotation.y * s, rotation.z * s};
}

struct quaternion quaternion_from_euler(struct euler angles)
{
    float cr = cosine(0.5f * angles.roll), sr = sine(0.5f * angles.roll);
    float cp = cosine(0.5f * angles.pitch), sp = sine(0.5f * angles.pitch);
    float cy = cosine(0.5f * angles.yaw), sy = sine(0.5f * angles.yaw);
    return (struct quaternion){cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy};
}

struct euler quaternion_to_euler(struct quaternion q)
{
    return (struct euler){
        arc_tangent2(2.0f * (q.w * q.x + q.y * q.z), 1.0f - 2.0f * (q.x * q.x + q.y * q.y)),
        arc_sine(2.0f * (q.w * q.y - q.z * q.x)),
        arc_tangent2(2.0f * (q.w * q.z + q.x * q.y), 1.0f - 2.0f * (q.y * q.y + q.z * q.z)),
    };
}

// v + 2 w (u x v) + 2 u x (u x v), with u the vector part.
struct vector3 quaternion_rotate(struct quaternion q, struct vector3 v)
{
    struct vector3 u = {q.x, q.y, q.z};
    struct vector3 t = vector_scale(vector_cross(u, v), 2.0f);
    return vector_add(v, vector_add(vector_scale(t, q.w), vector_cross(u, t)));
}

struct vector3 quaternion_rotate_back(struct quaternion q, struct vector3 v)
{
    return quaternion_rotate(quaternion_conjugate(q), v);
}

void quaternion_to_matrix(struct quaternion q, float matrix[3][3])
{
    struct vector3 x = quaternion_rotate(q, (struct vector3){1.0f, 0.0f, 0.0f});
    struct vector3 y = quaternion_rotate(q, (struct vector3){0.0f, 1.0f, 0.0f});
    struct vector3 z = vector_cross(x, y);
    matrix[0][0] = x.x, matrix[1][0] = x.y, matrix[2][0] = x.z;
    matrix[0][1] = y.x, matrix[1][1] = y.y, matrix[2][1] = y.z;
    matrix[0][2] = z.x, matrix[1][2] = z.y, matrix[2][2] = z.z;
}
