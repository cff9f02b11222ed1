// What a multirotor is about to do: the place it holds or the leg to it, and how its modes follow them.
#ifndef NAVIGATION_MULTIROTOR_PLAN_H
#define NAVIGATION_MULTIROTOR_PLAN_H

#include "../control/multirotor.h"
#include "../control/trajectory.h"
#include <stdint.h>

enum stage { STAGE_HOLD, STAGE_LEG, STAGE_VELOCITY, STAGE_CLIMB, STAGE_RETURN, STAGE_DESCEND };

struct plan {
    enum stage stage;
    struct trajectory leg;
    struct motion target;        // that is being followed
    struct vector3 velocity;     // STAGE_VELOCITY
    float yaw, yaw_rate;
    float take_off_height;       // over home; 0: no take-off
    bool fly;                    // the pilot or a command wants to leave the ground
    bool airborne;               // it has
    struct vector3 ground;       // where it stood last
    float item_time;             // s since the mission's item was reached
    bool mission_complete;
    uint32_t mission_revision;
    bool item_running;
    float velocity_age;          // s since the last velocity command
};


extern struct plan plan;

void plan_hold(struct vector3 place);
// Holds the place where the vehicle stops, if it begins to now.
void plan_hold_here(void);
// A leg to a place; the yaw may be NaN.
void plan_go(struct vector3 place, float yaw);
// Begins to climb for a return.
void plan_begin_return(void);

// One step each, into the demand. A leg is done when it returns true.
bool plan_follow_leg(struct flight_demand *d, float dt);
void plan_descend(struct flight_demand *d);
void plan_return(struct flight_demand *d, float dt);
// GUIDED, and AUTO between its items.
void plan_follow(struct flight_demand *d, float dt);

#endif
