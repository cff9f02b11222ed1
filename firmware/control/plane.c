// Channels: aileron, elevator, throttle, rudder. 1500 us is the middle of a surface. Deflections count as in
// aerodynamics: aileron to roll right, elevator with its trailing edge down (nose down), rudder to yaw left.
#include "plane.h"
#include "../navigation/vehicle.h"
#include "../system/parameters.h"
#include "rate_controller.h"
#include "square_root_controller.h"

#define MIDDLE 1500.0f
#define HALF 500.0f
#define PULSE_STOP 1000.0f
#define PULSE_SPAN 1000.0f
#define INTEGRAL_LIMIT 0.4f

static struct rate_axis roll_axis, pitch_axis;

void plane_reset(void)
{
    rate_axis_reset(&roll_axis);
    rate_axis_reset(&pitch_axis);
}

static void write_surfaces(float aileron, float elevator, float rudder, float throttle)
{
    vehicle.output[0] = MIDDLE + HALF * clamp(aileron, -1.0f, 1.0f);
    vehicle.output[1] = MIDDLE - HALF * clamp(elevator, -1.0f, 1.0f);
    vehicle.output[2] = PULSE_STOP + PULSE_SPAN * (vehicle.armed ? clamp(throttle, 0.0f, 1.0f) : 0.0f);
    vehicle.output[3] = MIDDLE - HALF * clamp(rudder, -1.0f, 1.0f);
    vehicle.throttle = vehicle.armed ? throttle : 0.0f;
}

// In a level turn with bank b: yaw rate of the earth frame g tan(b) / V, of which the body sees
//   q = sin(b) g tan(b) / V,  r = cos(b) g tan(b) / V
void plane_output(const struct plane_demand *demand, struct vector3 angular_velocity, float speed_scale, float dt)
{
    if (demand->direct) {
        write_surfaces(demand->aileron, demand->elevator, demand->rudder, demand->throttle);
        return;
    }
    const struct estimator *e = &vehicle.estimate;
    struct vector3 w = vector_subtract(angular_velocity, e->gyro_bias);
    float limit = RADIANS(parameters.rate_max), bend = RADIANS(parameters.angle_acceleration);
    float bank = clamp(e->angles.roll, RADIANS(-60.0f), RADIANS(60.0f));
    float turning = GRAVITY * sine(bank) / cosine(bank) / parameters.cruise_speed;
    float roll_rate = clamp(square_root_controller(demand->bank - e->angles.roll, parameters.angle_p, bend), -limit, limit);
    float pitch_rate = clamp(square_root_controller(demand->pitch - e->angles.pitch, parameters.angle_p, bend), -0.5f * limit, 0.5f * limit) * cosine(bank) + sine(bank) * turning;
    // Moments grow with the square of the speed; the integral is a trim and keeps its size.
    float p = parameters.rate_p * speed_scale, i = parameters.rate_i * speed_scale, d = parameters.rate_d * speed_scale;
    const struct rate_gains roll_gains = {0.4f * p, 0.5f * i, d, parameters.roll_feed_forward * speed_scale, INTEGRAL_LIMIT, parameters.rate_filter};
    const struct rate_gains pitch_gains = {p, 2.0f * i, d, parameters.rate_feed_forward * speed_scale, INTEGRAL_LIMIT, parameters.rate_filter};
    float aileron = rate_axis_step(&roll_axis, &roll_gains, roll_rate, w.x, dt, false);
    float elevator = rate_axis_step(&pitch_axis, &pitch_gains, pitch_rate, w.y, dt, false);
    float rudder = speed_scale * parameters.yaw_rate_p * (cosine(bank) * turning - w.z) + parameters.rudder_mix * aileron;
    write_surfaces(aileron, elevator, rudder, demand->throttle);
}
