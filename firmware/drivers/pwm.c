#include "pwm.h"
#include "registers.h"

#define PERIOD REGISTER(PWM_BASE + 0x00)
#define WIDTH(n) REGISTER(PWM_BASE + 0x10 + 4 * (n))
#define CHANNELS 8
#define TICKS_PER_SECOND 10000000u

void pwm_begin(uint32_t frequency)
{
    PERIOD = TICKS_PER_SECOND / frequency;
}

void pwm_write(unsigned channel, float width)
{
    WIDTH(channel) = (uint32_t)(width * 10.0f + 0.5f);
}

void pwm_off(void)
{
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        WIDTH(channel) = 0;
}
