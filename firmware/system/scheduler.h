// The main loop's tasks. Fast tasks run in every loop; the others by a table, as time allows.
#ifndef SYSTEM_SCHEDULER_H
#define SYSTEM_SCHEDULER_H

#include <stdint.h>

#define SCHEDULER_LOOP_RATE 400
#define SCHEDULER_PERIOD (1000000 / SCHEDULER_LOOP_RATE) // us
#define SCHEDULER_TASKS_MAX 24

struct task {
    const char *name;
    void (*run)(void);
    uint16_t rate;     // Hz; 0: every loop
    uint16_t max_time; // us that it may take
};

struct scheduler {
    const struct task *tasks; // the most important first
    unsigned count;
    uint32_t tick;
    uint32_t last_run[SCHEDULER_TASKS_MAX];
    uint32_t slips;            // tasks that ran a whole interval late or more
    uint32_t overruns;         // tasks that took longer than they may
    uint32_t long_loops;       // loops longer than the period by a half
    uint32_t extra_loop_time;  // us that loops are prolonged by, since tasks starve
    uint32_t loops_achieved;
    uint64_t loop_at;          // when this loop began
    uint64_t next_at;          // when the next one is to begin
    float loop_dt;             // s between the last two loops
    float loop_rate;           // Hz, low-passed
    uint64_t idle;             // us spent waiting, in all
};

void scheduler_begin(struct scheduler *s, const struct task *tasks, unsigned count, uint64_t now);
// A loop begins: takes its duration into account.
void scheduler_loop_began(struct scheduler *s, uint64_t now);
// Runs the tasks that are due, in what is left of this loop.
void scheduler_run(struct scheduler *s);

#endif
