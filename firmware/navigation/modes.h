// What the modes of flight want. There is one implementation for multirotors and one for planes.
#ifndef NAVIGATION_MODES_H
#define NAVIGATION_MODES_H

#include "vehicle.h"

// A mode begins, or begins anew.
void modes_enter(enum mode mode);
// The vehicle was armed or disarmed.
void modes_armed(bool armed);
// Every loop: from the estimate to demands.
void modes_step(float dt);
// Every loop, first: from demands and gyroscope to the outputs.
void modes_output(struct vector3 angular_velocity, float dt);
// GUIDED: take off to a height over home; go to a place (local), with the nose to yaw (NAN: as it is); or fly at a
// velocity. False if that cannot be now.
bool modes_take_off(float height);
bool modes_go_to(struct vector3 place, float yaw);
bool modes_fly_at(struct vector3 velocity, float yaw_rate);
// AUTO: begin the mission at its current item.
bool modes_start_mission(void);

#endif
