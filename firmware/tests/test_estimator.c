// The estimator on readings that were made for it.
#include "../estimation/estimator.h"
#include "check.h"

#define DT 0.0025f
static const struct vector3 level = {0.0f, 0.0f, -GRAVITY}, zero = {0.0f, 0.0f, 0.0f};
static struct estimator e;
static uint64_t now;

static void stand(float seconds, struct vector3 gyro, struct vector3 accel)
{
    for (float t = 0.0f; t < seconds; t += DT) {
        now += 2500;
        estimator_predict(&e, gyro, accel, DT, now);
        if (now % 100000 == 0)
            estimator_use_standstill(&e);
    }
}

static struct gnss_measurement fix(float north, float east)
{
    return (struct gnss_measurement){.time = now, .position = {north, east, 0.0f}, .position_deviation = 1.0f, .height_deviation = 3.0f, .velocity_deviation = 0.2f, .has_height = true, .has_velocity = true};
}

static void alignment_finds_level_and_north(void)
{
    // Rolled by 0.2, pitched by -0.1, heading 1.0: what the sensors say there, with a declination of 0.05.
    struct quaternion truth = quaternion_from_euler((struct euler){0.2f, -0.1f, 1.0f});
    struct vector3 field = quaternion_rotate_back(truth, (struct vector3){20.0f * cosine(0.05f), 20.0f * sine(0.05f), 43.0f});
    estimator_align(&e, quaternion_rotate_back(truth, level), field, 0.05f, zero);
    CHECK_NEAR(e.angles.roll, 0.2, 1e-5);
    CHECK_NEAR(e.angles.pitch, -0.1, 1e-5);
    CHECK_NEAR(e.angles.yaw, 1.0, 1e-5);
}

static void standing_still_teaches_the_bias_of_the_gyroscope(void)
{
    estimator_align(&e, level, (struct vector3){20.0f, 0.0f, 43.0f}, 0.0f, zero);
    stand(20.0f, (struct vector3){0.004f, -0.003f, 0.002f}, level);
    CHECK_NEAR(e.gyro_bias.x, 0.004, 4e-4);
    CHECK_NEAR(e.gyro_bias.y, -0.003, 4e-4);
    CHECK_NEAR(e.gyro_bias.z, 0.002, 4e-4);
    CHECK(horizontal_length(e.velocity) < 0.05f);
}

// Accelerates north for 2 s, then coasts; fixes come 0.1 s late and must not pull it back.
static void late_fixes_are_compared_with_the_past(void)
{
    estimator_align(&e, level, (struct vector3){20.0f, 0.0f, 43.0f}, 0.0f, zero);
    struct gnss_measurement start = fix(0.0f, 0.0f);
    estimator_use_gnss(&e, &start, now);
    float worst = 0.0f;
    uint64_t begin = now;
    for (int i = 0; i < 4000; i++) {
        now += 2500;
        float t = (float)(now - begin) * 1e-6f, late = maximum(t - 0.1f, 0.0f);
        estimator_predict(&e, zero, (struct vector3){t < 2.0f ? 3.0f : 0.0f, 0.0f, -GRAVITY}, DT, now);
        if (i % 40 == 0 && t > 0.2f) {
            struct gnss_measurement m = fix(late < 2.0f ? 1.5f * late * late : 6.0f + 6.0f * (late - 2.0f), 0.0f);
            m.velocity.x = 3.0f * minimum(late, 2.0f);
            m.time = now - 100000;
            m.position_deviation = 0.05f;
            estimator_use_gnss(&e, &m, now);
        }
        float truth = t < 2.0f ? 1.5f * t * t : 6.0f + 6.0f * (t - 2.0f);
        worst = maximum(worst, absolute(e.position.x - truth));
    }
    CHECK(worst < 0.08f);
    CHECK_NEAR(e.velocity.x, 6.0, 0.05);
}

static void a_jump_is_rejected_until_it_lasts(void)
{
    estimator_align(&e, level, (struct vector3){20.0f, 0.0f, 43.0f}, 0.0f, zero);
    for (int i = 0; i < 30; i++) {
        stand(0.2f, zero, level);
        struct gnss_measurement m = fix(0.0f, 0.0f);
        estimator_use_gnss(&e, &m, now);
    }
    struct gnss_measurement jumped = fix(100.0f, 0.0f);
    for (int i = 0; i < 5; i++)
        estimator_use_gnss(&e, &jumped, now);
    CHECK(e.position.x < 0.5f);
    CHECK(e.ratios.position > 1.0f);
    for (int i = 0; i < 20; i++)
        estimator_use_gnss(&e, &jumped, now);
    CHECK_NEAR(e.position.x, 100.0, 1.0);
}

static void the_covariance_stays_symmetric_and_positive(void)
{
    for (int i = 0; i < ESTIMATOR_STATES; i++) {
        CHECK(e.covariance[i][i] > 0.0f);
        for (int j = 0; j < ESTIMATOR_STATES; j++) {
            CHECK_NEAR(e.covariance[i][j], e.covariance[j][i], 1e-4 * sqrt((double)e.covariance[i][i] * (double)e.covariance[j][j]) + 1e-9);
            CHECK(square(e.covariance[i][j]) <= 1.001f * e.covariance[i][i] * e.covariance[j][j] + 1e-12f);
        }
    }
}

int main(void)
{
    alignment_finds_level_and_north();
    standing_still_teaches_the_bias_of_the_gyroscope();
    the_covariance_stays_symmetric_and_positive();
    late_fixes_are_compared_with_the_past();
    the_covariance_stays_symmetric_and_positive();
    a_jump_is_rejected_until_it_lasts();
    return checks_failed != 0;
}
