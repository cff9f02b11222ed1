// Pulses for motors and servos.
#ifndef DRIVERS_PWM_H
#define DRIVERS_PWM_H

#include <stdint.h>

void pwm_begin(uint32_t frequency);
// Width in microseconds, to a tenth; 0: no pulse.
void pwm_write(unsigned channel, float width);
void pwm_off(void);

#endif
