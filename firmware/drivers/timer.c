// The CLINT's counter of 1 MHz. Interrupts stay masked (mstatus.MIE = 0): a pending one ends `wfi` all the same.
#include "timer.h"
#include "registers.h"

#define MTIMECMP_LOW REGISTER(CLINT_BASE + 0x4000)
#define MTIMECMP_HIGH REGISTER(CLINT_BASE + 0x4004)
#define MTIME_LOW REGISTER(CLINT_BASE + 0xBFF8)
#define MTIME_HIGH REGISTER(CLINT_BASE + 0xBFFC)
#define MIE_TIMER (1u << 7)

uint64_t timer_micros(void)
{
    uint32_t high, low;
    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (high != MTIME_HIGH);
    return (uint64_t)high << 32 | low;
}

void timer_alarm(uint64_t micros)
{
#ifdef BUSY_IDLE
    (void)micros;
#else
    MTIMECMP_HIGH = 0xFFFFFFFFu;
    MTIMECMP_LOW = (uint32_t)micros;
    MTIMECMP_HIGH = (uint32_t)(micros >> 32);
    __asm__ volatile("csrs mie, %0" ::"r"(MIE_TIMER));
#endif
}

void timer_alarm_off(void)
{
#ifndef BUSY_IDLE
    __asm__ volatile("csrc mie, %0" ::"r"(MIE_TIMER));
#endif
}

void timer_wait_until(uint64_t micros)
{
    timer_alarm(micros);
    while (timer_micros() < micros) {
#ifndef BUSY_IDLE
        __asm__ volatile("wfi");
#endif
    }
    timer_alarm_off();
}

void timer_wait(uint32_t micros)
{
    timer_wait_until(timer_micros() + micros);
}
