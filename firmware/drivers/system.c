#include "system.h"
#include "registers.h"

uint32_t system_ram_size(void)
{
    return REGISTER(SYSTEM_BASE + 0x0C);
}

uint32_t system_unique(void)
{
    return REGISTER(SYSTEM_BASE + 0x10);
}

enum reset_cause system_reset_cause(void)
{
    return (enum reset_cause)REGISTER(SYSTEM_BASE + 0x14);
}

void system_reset(void)
{
    REGISTER(SYSTEM_BASE + 0x18) = 0x52455345u;
}
