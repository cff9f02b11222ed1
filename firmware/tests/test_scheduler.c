// The rules of the main loop, with a clock of our own.
#include "../drivers/timer.h"
#include "../system/scheduler.h"
#include "check.h"
#include <string.h>

static uint64_t clock_us;
uint64_t timer_micros(void) { return clock_us; }

static unsigned fast_runs, slow_runs, heavy_runs;
static uint32_t heavy_time;
static void fast(void) { fast_runs++; clock_us += 100; }
static void slow(void) { slow_runs++; clock_us += 50; }
static void heavy(void) { heavy_runs++; clock_us += heavy_time; }

static const struct task tasks[] = {{"fast", fast, 0, 150}, {"slow", slow, 10, 100}, {"heavy", heavy, 100, 2000}};

static void loop(struct scheduler *s, uint32_t fast_tasks)
{
    if (clock_us < s->next_at)
        clock_us = s->next_at;
    scheduler_loop_began(s, clock_us);
    clock_us += fast_tasks;
    scheduler_run(s);
}

static void tasks_run_at_their_rates(void)
{
    struct scheduler s;
    clock_us = 1000;
    fast_runs = slow_runs = heavy_runs = 0;
    heavy_time = 1000;
    scheduler_begin(&s, tasks, 3, clock_us);
    for (int i = 0; i < 400; i++)
        loop(&s, 200);
    CHECK(fast_runs == 400);
    CHECK(slow_runs == 10);
    CHECK(heavy_runs == 100);
    CHECK_NEAR(s.loop_rate, 400.0, 0.1);
    CHECK(s.slips == 0 && s.overruns == 0 && s.extra_loop_time == 0);
}

static void a_task_waits_for_a_loop_with_time_enough(void)
{
    struct scheduler s;
    clock_us = 1000;
    heavy_runs = 0;
    heavy_time = 1000;
    scheduler_begin(&s, tasks, 3, clock_us);
    // 1000 + 100 + 2000 > 2500: it starves, until loops are made longer.
    for (int i = 0; i < 8; i++)
        loop(&s, 1000);
    CHECK(heavy_runs == 0);
    for (int i = 0; i < 40; i++)
        loop(&s, 1000);
    CHECK(heavy_runs > 0);
    CHECK(s.slips > 0);
    CHECK(s.extra_loop_time >= 600);
    // Without need the extra time goes away.
    for (int i = 0; i < 51 * 200; i++)
        loop(&s, 100);
    CHECK(s.extra_loop_time == 0);
}

static void the_loop_rate_is_a_filtered_one(void)
{
    struct scheduler s;
    clock_us = 0;
    scheduler_begin(&s, tasks, 0, clock_us);
    double rate = 400.0;
    for (int i = 0; i < 50; i++) {
        loop(&s, 5000); // twice as long as it should be
        double dt = i == 0 ? 0.0 : 0.005;
        rate = 1.0 / (0.99 / rate + 0.01 * dt);
    }
    CHECK_NEAR(s.loop_rate, rate, 0.05);
    CHECK(s.loop_rate < 320.0);
    for (int i = 0; i < 2000; i++)
        loop(&s, 5000);
    CHECK_NEAR(s.loop_rate, 200.0, 0.1);
}

static void a_little_late_keeps_the_phase(void)
{
    struct scheduler s;
    clock_us = 0;
    scheduler_begin(&s, tasks, 0, clock_us);
    loop(&s, 0);
    clock_us = s.next_at + 100;
    scheduler_loop_began(&s, clock_us);
    CHECK(s.next_at == 5000);
    clock_us = s.next_at + 1000;
    scheduler_loop_began(&s, clock_us);
    CHECK(s.next_at == clock_us + SCHEDULER_PERIOD);
}

int main(void)
{
    tasks_run_at_their_rates();
    a_task_waits_for_a_loop_with_time_enough();
    the_loop_rate_is_a_filtered_one();
    a_little_late_keeps_the_phase();
    return checks_failed != 0;
}
