// What the computer says about itself.
#ifndef DRIVERS_SYSTEM_H
#define DRIVERS_SYSTEM_H

#include <stdint.h>

enum reset_cause { RESET_POWER_ON = 1, RESET_WATCHDOG = 2, RESET_SOFTWARE = 3 };

uint32_t system_ram_size(void);
uint32_t system_unique(void);
enum reset_cause system_reset_cause(void);
void system_reset(void);

#endif
