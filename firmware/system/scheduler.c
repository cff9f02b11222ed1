// The rules are those of ArduPilot's AP_Scheduler.
#include "scheduler.h"
#include "../drivers/timer.h"

#define SLOWDOWN_MAX 4         // intervals after which a task counts as starved
#define EXTRA_STEP_UP 100      // us
#define EXTRA_STEP_DOWN 50
#define EXTRA_MAX 5000
#define LOOPS_BEFORE_DECAY 50

void scheduler_begin(struct scheduler *s, const struct task *tasks, unsigned count, uint64_t now)
{
    *s = (struct scheduler){.tasks = tasks, .count = count, .loop_at = now, .next_at = now, .loop_dt = 1e-6f * SCHEDULER_PERIOD, .loop_rate = SCHEDULER_LOOP_RATE};
}

// loop_rate = 1 / (0.99 / loop_rate + 0.01 dt)
void scheduler_loop_began(struct scheduler *s, uint64_t now)
{
    uint32_t elapsed = (uint32_t)(now - s->loop_at);
    // A little late keeps the phase, later starts a new one.
    s->next_at = now < s->next_at + SCHEDULER_PERIOD / 8 ? s->next_at + SCHEDULER_PERIOD : now + SCHEDULER_PERIOD;
    s->loop_at = now;
    s->loop_dt = (float)elapsed * 1e-6f;
    s->loop_rate = 1.0f / (0.99f / s->loop_rate + 0.01f * s->loop_dt);
    if (elapsed > SCHEDULER_PERIOD + SCHEDULER_PERIOD / 2)
        s->long_loops++;
    s->tick++;
}

static uint32_t interval(const struct task *task)
{
    if (task->rate == 0 || task->rate >= SCHEDULER_LOOP_RATE)
        return 1;
    return SCHEDULER_LOOP_RATE / task->rate;
}

void scheduler_run(struct scheduler *s)
{
    uint32_t starved = 0;
    for (unsigned i = 0; i < s->count; i++) {
        const struct task *task = &s->tasks[i];
        uint32_t waited = s->tick - s->last_run[i], due = interval(task);
        if (waited < due)
            continue;
        if (waited >= 2 * due)
            s->slips++;
        if (waited >= SLOWDOWN_MAX * due)
            starved++;
        uint64_t started = timer_micros();
        uint32_t used = (uint32_t)(started - s->loop_at), allowed = SCHEDULER_PERIOD + s->extra_loop_time;
        if (used + task->max_time > allowed)
            continue;
        s->last_run[i] = s->tick;
        task->run();
        if (timer_micros() - started > task->max_time)
            s->overruns++;
    }
    if (starved > 0) {
        s->loops_achieved = 0;
        s->extra_loop_time += EXTRA_STEP_UP;
        if (s->extra_loop_time > EXTRA_MAX)
            s->extra_loop_time = EXTRA_MAX;
    } else if (s->extra_loop_time > 0 && ++s->loops_achieved > LOOPS_BEFORE_DECAY) {
        s->loops_achieved = 0;
        s->extra_loop_time -= EXTRA_STEP_DOWN;
    }
}
