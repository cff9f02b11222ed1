// In a turn the airspeed V stays and the nose f turns, so that the velocities over ground before and after tell both:
//
//   v1 = V f1 + wind,  v2 = V f2 + wind   =>   V = |v2 - v1| / |f2 - f1|,   wind = (v1 + v2)/2 - V (f1 + f2)/2
#include "wind_estimator.h"

#define TURN_LEAST 0.3f  // of |f2 - f1|: 17 degrees
#define AGE_MAX 4.0f     // s between the two
#define WEIGHT 0.2f      // of a new estimate
#define KNOWN_TIME 60.0f  // s without a turn after which the wind may be another
#define SPEED_MAX 60.0f

void wind_estimator_step(struct wind_estimator *w, struct vector3 nose, struct vector3 velocity, float dt)
{
    w->age += dt;
    w->known_age += dt;
    if (!w->running) {
        *w = (struct wind_estimator){.nose = nose, .velocity = velocity, .airspeed = vector_length(velocity), .running = true};
        return;
    }
    struct vector3 turned = vector_subtract(nose, w->nose);
    float turn = vector_length(turned);
    if (w->age > AGE_MAX || turn > TURN_LEAST) {
        float airspeed = turn > TURN_LEAST ? vector_length(vector_subtract(velocity, w->velocity)) / turn : 0.0f;
        if (w->age <= AGE_MAX && airspeed > 3.0f && airspeed < SPEED_MAX) {
            struct vector3 mean = vector_scale(vector_add(velocity, w->velocity), 0.5f);
            struct vector3 wind = vector_subtract(mean, vector_scale(vector_add(nose, w->nose), 0.5f * airspeed));
            float weight = w->known ? WEIGHT : 1.0f;
            w->wind = vector_add(w->wind, vector_scale(vector_subtract(wind, w->wind), weight));
            w->known = true;
            w->known_age = 0.0f;
        }
        w->nose = nose;
        w->velocity = velocity;
        w->age = 0.0f;
    }
    if (w->known_age > KNOWN_TIME)
        w->known = false;
    float airspeed = vector_length(vector_subtract(velocity, w->wind));
    w->airspeed += dt / (dt + 0.5f) * (airspeed - w->airspeed);
}
