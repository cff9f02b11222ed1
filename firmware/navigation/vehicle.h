// What all parts of the autopilot know about the vehicle.
#ifndef NAVIGATION_VEHICLE_H
#define NAVIGATION_VEHICLE_H

#include "../chips/nmea.h"
#include "../estimation/estimator.h"
#include "geodesy.h"
#include <stdbool.h>
#include <stdint.h>

enum mode {
    MODE_STABILIZE = 0, MODE_ALTITUDE_HOLD = 1, MODE_LOITER = 2, MODE_GUIDED = 3, MODE_AUTO = 4, MODE_LAND = 5, MODE_RTL = 6,
    MODE_MANUAL = 10, MODE_FLY_BY_WIRE = 11, MODE_CRUISE = 12,
};

enum landed_state { LANDED_ON_GROUND = 1, LANDED_IN_AIR = 2, LANDED_TAKING_OFF = 3, LANDED_LANDING = 4 }; // as MAV_LANDED_STATE

#define OUTPUTS 4

// -1 to 1, throttle 0 to 1.
struct sticks {
    float roll, pitch, yaw, throttle;
    bool valid;
};

struct vehicle {
    struct estimator estimate;
    struct origin origin;
    struct vector3 home; // local
    bool home_set;

    enum mode mode;
    bool armed;
    enum landed_state landed;
    struct sticks sticks;
    uint64_t sticks_at; // us, when they came; 0: never
    float output[OUTPUTS]; // us
    float throttle;        // of full, for people to see
    float airspeed;        // m/s, estimated by planes

    struct gnss_fix fix;
    float declination;
    struct {
        bool imu, compass, barometer, gnss;
    } healthy;
    bool chip_imu, chip_compass, chip_barometer; // were there at start-up
    uint64_t imu_at, compass_at, barometer_at, fix_at, station_at; // us, when last heard; 0: never
    uint64_t now;                                // us, when this loop began
    float loop_rate, load;                       // Hz, part of the processor's time
    uint32_t register_errors, task_slips, long_loops; // counted since the start
};

extern struct vehicle vehicle;

const char *mode_name(enum mode mode);
// Whether this vehicle has a mode and knows enough for it. False with an announcement.
bool vehicle_can_enter(enum mode mode);
// Changes the mode if it can be entered.
bool vehicle_set_mode(enum mode mode);
float vehicle_height(void); // m over home

#endif
