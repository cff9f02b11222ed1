// A proportional controller that asks for no more deceleration than there is.
#ifndef CONTROL_SQUARE_ROOT_CONTROLLER_H
#define CONTROL_SQUARE_ROOT_CONTROLLER_H

// Near the target p e; beyond |e| = a/p^2 the speed from which the deceleration a still stops in time:
//   v = sqrt(2 a (|e| - a / (2 p^2)))
float square_root_controller(float error, float p, float deceleration);

#endif
