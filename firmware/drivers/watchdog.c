#include "watchdog.h"
#include "registers.h"

#define TIME REGISTER(WATCHDOG_BASE + 0x00)
#define FEED REGISTER(WATCHDOG_BASE + 0x04)

void watchdog_begin(uint32_t milliseconds)
{
    TIME = milliseconds;
}

void watchdog_feed(void)
{
    FEED = 0x5A5A5A5Au;
}
