// The wind, and with it the airspeed of an aircraft without a sensor for it.
#ifndef ESTIMATION_WIND_ESTIMATOR_H
#define ESTIMATION_WIND_ESTIMATOR_H

#include "../math/vector.h"
#include <stdbool.h>

struct wind_estimator {
    struct vector3 wind;              // local
    float airspeed;                   // m/s, low-passed
    struct vector3 nose, velocity;    // when it was seen last
    float age;                        // s since then
    float known_age;                  // s since the wind was measured
    bool known, running;
};

// Some times a second: where the nose points (local), and the velocity over ground.
void wind_estimator_step(struct wind_estimator *w, struct vector3 nose, struct vector3 velocity, float dt);

#endif
