// Pitch leads to the climb rate wanted, throttle pays for it:
//
//   climb_d = P dh                       within WP_CLIMB and WP_DESCENT
//   pitch_d = trim + climb_d / V + P (climb_d - climb)/V + I integral
//   throttle = cruise + K climb_d / V + K_turn (1/cos^2(bank) - 1) + K_v (V_d - V) + what the ground speed lacks
#include "energy_controller.h"
#include "../math/scalar.h"
#include "../system/parameters.h"

#define HEIGHT_P 0.3f           // 1/s
#define CLIMB_P 0.6f
#define CLIMB_I 0.15f           // 1/s
#define THROTTLE_PER_SLOPE 1.2f
#define THROTTLE_PER_LOAD 0.12f
#define THROTTLE_PER_SPEED 0.05f // s/m
#define LACK_P 0.08f            // s/m
#define LACK_I 0.05f            // 1/m

void energy_controller_step(struct energy_controller *c, const struct energy_input *in, float dt, float *pitch, float *throttle)
{
    float wanted_speed = parameters.cruise_speed;
    // Faster through the air if the ground goes by too slowly.
    bool lacks = in->ground_speed_lack > 0.0f;
    if (lacks || c->lack_integral > 0.0f)
        c->lack_integral = clamp(c->lack_integral + LACK_I * in->ground_speed_lack * dt, 0.0f, 0.6f);
    float lack = lacks ? LACK_P * in->ground_speed_lack : 0.0f;
    float speed = clamp(in->airspeed_known ? in->airspeed : wanted_speed, parameters.airspeed_minimum, parameters.airspeed_maximum);

    float climb = clamp(HEIGHT_P * in->height_error, -parameters.descent_speed, parameters.climb_speed);
    float error = (climb - in->climb) / speed;
    float demand = RADIANS(parameters.pitch_trim) + climb / speed + CLIMB_P * error + c->pitch_integral;
    float low = RADIANS(parameters.pitch_minimum), high = RADIANS(parameters.pitch_maximum);
    // Too slow to climb: the nose goes down.
    if (in->airspeed_known && in->airspeed < parameters.airspeed_minimum)
        high = minimum(high, RADIANS(parameters.pitch_trim) - 0.05f * (parameters.airspeed_minimum - in->airspeed));
    *pitch = clamp(demand, low, high);
    if (*pitch == demand || error * (demand - *pitch) < 0.0f)
        c->pitch_integral = clamp(c->pitch_integral + CLIMB_I * error * dt, -0.2f, 0.2f);

    float cos_bank = maximum(cosine(in->bank), 0.5f);
    float power = parameters.throttle_cruise + THROTTLE_PER_SLOPE * climb / speed + THROTTLE_PER_LOAD * (1.0f / square(cos_bank) - 1.0f);
    if (in->airspeed_known && !lacks && c->lack_integral == 0.0f)
        power += THROTTLE_PER_SPEED * (wanted_speed - in->airspeed);
    *throttle = clamp(power + lack + c->lack_integral, 0.0f, parameters.throttle_maximum);
}
