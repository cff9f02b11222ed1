#ifndef DRIVERS_GPIO_H
#define DRIVERS_GPIO_H

#include <stdbool.h>
#include <stdint.h>

void gpio_write(uint32_t lines, bool level);

#endif
