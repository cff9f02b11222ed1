#include "gpio.h"
#include "registers.h"

#define SET REGISTER(GPIO_BASE + 0x08)
#define CLEAR REGISTER(GPIO_BASE + 0x0C)

void gpio_write(uint32_t lines, bool level)
{
    if (level)
        SET = lines;
    else
        CLEAR = lines;
}
