// Time since reset, and waiting for it.
#ifndef DRIVERS_TIMER_H
#define DRIVERS_TIMER_H

#include <stdint.h>

uint64_t timer_micros(void);
// From a time on, an interrupt is pending and ends any wait; until the alarm is taken off.
void timer_alarm(uint64_t micros);
void timer_alarm_off(void);
void timer_wait_until(uint64_t micros);
void timer_wait(uint32_t micros);

#endif
