// Where the vehicle is and how it moves: an error-state Kalman filter over inertial sensors, GNSS, barometer and
// compass. Frames: body is forward, right, down; local is north, east, down of an origin fixed at the first good fix.
#ifndef ESTIMATION_ESTIMATOR_H
#define ESTIMATION_ESTIMATOR_H

#include "../math/vector.h"
#include <stdbool.h>
#include <stdint.h>

#define ESTIMATOR_STATES 16

// A normalised innovation: how far a measurement was off, over what was allowed (1 = at the gate).
struct estimator_ratios {
    float position, height, velocity, heading;
};

struct estimator {
    // The state.
    struct quaternion attitude;
    struct vector3 velocity, position;
    struct vector3 gyro_bias, accel_bias;
    float baro_offset; // barometric height minus height over the origin

    // Covariance of its errors: attitude (body), velocity, position, gyro bias, accel bias, barometer offset.
    float covariance[ESTIMATOR_STATES][ESTIMATOR_STATES];

    // Derived, for everybody.
    struct euler angles;
    struct vector3 angular_velocity; // without bias, body
    struct vector3 acceleration;     // local, without gravity

    struct estimator_ratios ratios;
    bool aligned;    // attitude is known
    bool positioned; // position and velocity are known: GNSS was good, and not long ago
    uint64_t gnss_used_at, heading_used_at, baro_used_at; // us; 0: never

    // Between predictions of the covariance.
    struct vector3 angle_sum, velocity_sum;
    float time_sum;

    // Where it was lately, for measurements that come late.
    struct {
        uint64_t time;
        struct vector3 position, velocity;
    } history[32];
    unsigned history_next;
    uint64_t history_at;
    unsigned rejected_positions, rejected_headings;
};

struct gnss_measurement {
    uint64_t time;            // to which it belongs, us
    struct vector3 position;  // local; z only if has_height
    struct vector3 velocity;  // local, horizontal
    float position_deviation, height_deviation, velocity_deviation;
    bool has_height, has_velocity;
};

// Level by the accelerometer, north by the compass. `field` in any unit, body; `declination` in rad.
void estimator_align(struct estimator *e, struct vector3 specific_force, struct vector3 field, float declination, struct vector3 gyro_bias);
// Takes the mean of the inertial sensors over dt.
void estimator_predict(struct estimator *e, struct vector3 angular_velocity, struct vector3 specific_force, float dt, uint64_t now);
void estimator_use_gnss(struct estimator *e, const struct gnss_measurement *m, uint64_t now);
void estimator_use_height(struct estimator *e, float barometric_height, uint64_t now);
void estimator_use_field(struct estimator *e, struct vector3 field, float declination, uint64_t now);
// The vehicle stands still: its velocity is 0, and so is its turning.
void estimator_use_standstill(struct estimator *e);
// Starts position and velocity anew from a fix.
void estimator_reset_position(struct estimator *e, const struct gnss_measurement *m);
// Makes the present the zero of heights: origin and barometer.
void estimator_reset_height(struct estimator *e, float barometric_height);

#endif
