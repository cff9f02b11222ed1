#ifndef DRIVERS_WATCHDOG_H
#define DRIVERS_WATCHDOG_H

#include <stdint.h>

void watchdog_begin(uint32_t milliseconds);
void watchdog_feed(void);

#endif
