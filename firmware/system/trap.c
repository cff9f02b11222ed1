// A trap is recorded in memory that a reset keeps. Nobody feeds the watchdog any more, so it resets the computer.
#include "trap.h"
#include "../drivers/pwm.h"

#define TRAP_MAGIC 0x54524150u

static struct {
    uint32_t magic;
    struct trap_report report;
} kept __attribute__((section(".kept")));

void trap_record(uint32_t cause, uint32_t program_counter, uint32_t stack_pointer, uint32_t value);

void trap_record(uint32_t cause, uint32_t program_counter, uint32_t stack_pointer, uint32_t value)
{
    kept.report = (struct trap_report){cause, program_counter, stack_pointer, value};
    kept.magic = TRAP_MAGIC;
    pwm_off();
}

int trap_take_report(struct trap_report *report)
{
    if (kept.magic != TRAP_MAGIC)
        return 0;
    kept.magic = 0;
    *report = kept.report;
    return 1;
}
