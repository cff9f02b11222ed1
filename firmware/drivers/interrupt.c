#include "interrupt.h"
#include "registers.h"

#define PLIC_PRIORITY(source) REGISTER(PLIC_BASE + 4 * (source))
#define PLIC_ENABLE REGISTER(PLIC_BASE + 0x2000)
#define PLIC_THRESHOLD REGISTER(PLIC_BASE + 0x200000)
#define PLIC_CLAIM REGISTER(PLIC_BASE + 0x200004)
#define MIE_EXTERNAL (1u << 11)

void interrupt_enable(unsigned source)
{
    PLIC_PRIORITY(source) = 1;
    PLIC_ENABLE |= 1u << source;
    PLIC_THRESHOLD = 0;
}

void interrupt_wait(void)
{
#ifndef BUSY_IDLE
    __asm__ volatile("csrs mie, %0\n wfi\n csrc mie, %0" ::"r"(MIE_EXTERNAL));
#endif
}

void interrupt_acknowledge(void)
{
    uint32_t source;
    while ((source = PLIC_CLAIM) != 0)
        PLIC_CLAIM = source;
}
