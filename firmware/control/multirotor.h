// Flies a multirotor: from what a mode demands to pulses for its motors, with lift-off and touch-down.
#ifndef CONTROL_MULTIROTOR_H
#define CONTROL_MULTIROTOR_H

#include "gust_observer.h"
#include "position_controller.h"

enum flight_phase {
    PHASE_GROUND,   // motors idle
    PHASE_LIFT_OFF, // thrust rises until the vehicle leaves the ground
    PHASE_FLYING,
    PHASE_TOUCHING, // the ground carries it: thrust falls
};

struct flight_demand {
    enum { HORIZONTAL_ANGLES, HORIZONTAL_MOTION, HORIZONTAL_LOST } horizontal; // lost: tilted against the wind as it was
    enum { VERTICAL_THRUST, VERTICAL_MOTION } vertical;
    float roll, pitch;    // rad, of HORIZONTAL_ANGLES
    float thrust;         // of full, of VERTICAL_THRUST
    struct motion motion; // local
    bool ignore_height;   // VERTICAL_MOTION by velocity alone
    bool ignore_position; // HORIZONTAL_MOTION by velocity alone
    float yaw, yaw_rate;  // rad, rad/s
    bool fly;             // leave the ground if on it
    bool land;            // stay on the ground once there
};

struct multirotor {
    enum flight_phase phase;
    struct position_controller position;
    struct gust_observer gusts;
    struct quaternion attitude_demand;
    float yaw_rate_demand, thrust_demand;
    float phase_time, contact_time, tilted_time;
};

extern struct multirotor multirotor;

void multirotor_reset(void);
// Every loop: from the demand to attitude and thrust.
void multirotor_follow(const struct flight_demand *demand, float dt);
// Every loop: from attitude and thrust to pulses, with the gyroscope as it was just read.
void multirotor_output(struct vector3 angular_velocity, float dt);

#endif
