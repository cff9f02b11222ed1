#include "mixer.h"
#include "../math/scalar.h"

// Front right and rear left turn counter-clockwise: the vehicle yaws clockwise if they push more.
static const struct {
    float roll, pitch, yaw;
} effect[MIXER_MOTORS] = {{-1.0f, 1.0f, 1.0f}, {1.0f, -1.0f, 1.0f}, {1.0f, 1.0f, -1.0f}, {-1.0f, -1.0f, -1.0f}};

#define YAW_RESERVE 0.06f // of full thrust that is left to yaw if thrust would take it

void mixer_mix(const struct mixer_demand *demand, float least, struct mixer_output *output)
{
    float part[MIXER_MOTORS], high = -10.0f, low = 10.0f;
    output->saturated = false;
    for (int i = 0; i < MIXER_MOTORS; i++) {
        part[i] = effect[i].roll * demand->roll + effect[i].pitch * demand->pitch;
        high = maximum(high, part[i]);
        low = minimum(low, part[i]);
    }
    float span = 1.0f - least;
    if (high - low > span) {
        float scale = span / (high - low);
        for (int i = 0; i < MIXER_MOTORS; i++)
            part[i] *= scale;
        high *= scale;
        low *= scale;
        output->saturated = true;
    }
    // Thrust gives way to roll and pitch, and a little to yaw.
    float reserve = minimum(minimum(YAW_RESERVE, absolute(demand->yaw)), 0.5f * (span - (high - low)));
    float thrust = clamp(demand->thrust, least - low + reserve, 1.0f - high - reserve);
    if (absolute(thrust - demand->thrust) > 0.01f)
        output->saturated = true;
    float room = absolute(demand->yaw);
    for (int i = 0; i < MIXER_MOTORS; i++) {
        bool up = effect[i].yaw * demand->yaw > 0.0f;
        float value = thrust + part[i];
        room = minimum(room, maximum(up ? 1.0f - value : value - least, 0.0f));
    }
    if (room < absolute(demand->yaw))
        output->saturated = true;
    float yaw = sign(demand->yaw) * room;
    for (int i = 0; i < MIXER_MOTORS; i++)
        output->thrust[i] = clamp(thrust + part[i] + effect[i].yaw * yaw, 0.0f, 1.0f);
}
