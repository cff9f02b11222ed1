// What a trap leaves behind for the next start.
#ifndef SYSTEM_TRAP_H
#define SYSTEM_TRAP_H

#include <stdint.h>

struct trap_report {
    uint32_t cause, program_counter, stack_pointer, value;
};

// The trap that ended the last run, if there was one; forgets it.
int trap_take_report(struct trap_report *report);

#endif
