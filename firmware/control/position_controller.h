// Position and velocity to attitude and thrust.
#ifndef CONTROL_POSITION_CONTROLLER_H
#define CONTROL_POSITION_CONTROLLER_H

#include "../math/vector.h"
#include <stdbool.h>

// Where the vehicle should be, and how it should move there.
struct motion {
    struct vector3 position, velocity, acceleration; // local
};

struct position_controller {
    struct vector3 integral; // m/s^2: against wind and a wrong idea of the weight
    float hover_thrust;
    bool saturated; // thrust or tilt reached a limit in the last step
};

void position_controller_reset(struct position_controller *c);

// The acceleration that thrust has to make horizontally, to follow a motion while the air pushes by itself.
struct vector3 position_controller_horizontal(struct position_controller *c, const struct motion *demand, struct vector3 position, struct vector3 velocity, struct vector3 push, float dt);
// Velocity and acceleration downwards to thrust, of full thrust.
float position_controller_vertical(struct position_controller *c, float velocity_demand, float acceleration_demand, float velocity, float cos_tilt, float dt);
// The attitude that accelerates so with the nose to `yaw`, tilted at most by the parameter.
struct quaternion position_controller_attitude(struct vector3 acceleration, float yaw);
// Watches thrust and acceleration in flight, to know what carries the vehicle.
void position_controller_learn_hover(struct position_controller *c, float thrust, float cos_tilt, float acceleration_down, float dt);

#endif
