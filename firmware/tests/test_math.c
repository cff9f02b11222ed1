// The functions of math/ against those of the C library in double precision.
#include "../math/vector.h"
#include "check.h"

static void trigonometric_functions_are_good_to_single_precision(void)
{
    for (double x = -40.0; x < 40.0; x += 0.00137) {
        CHECK_NEAR(sine((float)x), sin((double)(float)x), 3e-7);
        CHECK_NEAR(cosine((float)x), cos((double)(float)x), 3e-7);
    }
    for (double a = -3.14; a < 3.14; a += 0.00071)
        for (double r = 1e-6; r < 1e7; r *= 37.0)
            CHECK_NEAR(arc_tangent2((float)(r * sin(a)), (float)(r * cos(a))), a, 6e-7);
    CHECK_NEAR(arc_tangent2(0.0f, -1.0f), M_PI, 3e-7);
    CHECK_NEAR(arc_tangent2(1.0f, 0.0f), M_PI / 2, 3e-7);
    CHECK_NEAR(arc_tangent2(0.0f, 0.0f), 0.0, 0.0);
    for (double x = -1.0; x <= 1.0; x += 0.00023)
        CHECK_NEAR(arc_sine((float)x), asin((double)(float)x), 6e-7);
    CHECK_NEAR(arc_sine(1.5f), M_PI / 2, 3e-7);
}

static void exponentials_are_good_to_single_precision(void)
{
    for (double x = -80.0; x < 80.0; x += 0.0173) {
        double truth = exp((double)(float)x);
        CHECK_NEAR(exponential((float)x) / truth, 1.0, 4e-7);
    }
    for (double x = 1e-30; x < 1e30; x *= 1.0173)
        CHECK_NEAR(logarithm((float)x), log((double)(float)x), 1e-7 * fabs(log(x)) + 2e-7);
    // The use of it: the standard atmosphere, to a centimetre.
    for (double ratio = 0.7; ratio < 1.1; ratio += 0.00137)
        CHECK_NEAR(44330.8 * (double)power((float)ratio, 0.190263f), 44330.8 * pow((double)(float)ratio, (double)0.190263f), 0.015);
}

static void angles_are_wrapped(void)
{
    CHECK_NEAR(wrap_angle(3.5f), 3.5 - 2 * M_PI, 1e-6);
    CHECK_NEAR(wrap_angle(-3.5f), 2 * M_PI - 3.5, 1e-6);
    CHECK_NEAR(wrap_angle(20.0f), 20.0 - 6 * M_PI, 3e-6);
}

static void quaternions_turn_vectors(void)
{
    struct euler angles = {0.3f, -0.4f, 2.0f}, back = quaternion_to_euler(quaternion_from_euler(angles));
    CHECK_NEAR(back.roll, angles.roll, 1e-6);
    CHECK_NEAR(back.pitch, angles.pitch, 1e-6);
    CHECK_NEAR(back.yaw, angles.yaw, 1e-6);
    // A quarter to the right: forward becomes east.
    struct vector3 v = quaternion_rotate(quaternion_from_euler((struct euler){0.0f, 0.0f, PI / 2}), (struct vector3){1.0f, 0.0f, 0.0f});
    CHECK_NEAR(v.x, 0.0, 1e-6);
    CHECK_NEAR(v.y, 1.0, 1e-6);
    // Nose up: forward points against down.
    v = quaternion_rotate(quaternion_from_euler((struct euler){0.0f, 0.5f, 0.0f}), (struct vector3){1.0f, 0.0f, 0.0f});
    CHECK_NEAR(v.z, -sin(0.5), 1e-6);
    float m[3][3];
    struct quaternion q = quaternion_from_rotation((struct vector3){0.3f, -0.2f, 0.7f});
    quaternion_to_matrix(q, m);
    v = quaternion_rotate(q, (struct vector3){1.0f, 2.0f, 3.0f});
    CHECK_NEAR(v.y, m[1][0] + 2.0f * m[1][1] + 3.0f * m[1][2], 1e-5);
    v = quaternion_rotate_back(q, v);
    CHECK_NEAR(v.z, 3.0, 1e-5);
}

int main(void)
{
    trigonometric_functions_are_good_to_single_precision();
    exponentials_are_good_to_single_precision();
    angles_are_wrapped();
    quaternions_turn_vectors();
    return checks_failed != 0;
}
