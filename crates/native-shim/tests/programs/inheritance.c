// A thread of low priority holds a mutex that one of high priority wants, and one in between has work to do. Main has a
// higher priority than all of them: it starts them, and joins them. Every line is "section who milliseconds".
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { OWNER, FIRST_LATER, THREADS = 6 };
static pthread_t threads[THREADS];
static int started;
static const char *section;
static struct timespec begun;
static pthread_mutex_t first, second;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void say(const char *who) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long us = (now.tv_sec - begun.tv_sec) * 1000000 + (now.tv_nsec - begun.tv_nsec) / 1000;
    printf("%s %s %ld.%03ld\n", section, who, us / 1000, us % 1000);
}

static void check(int holds, const char *what) {
    if (!holds) {
        printf("%s: WRONG %s\n", section, what);
        fflush(stdout);
        exit(1);
    }
}

static struct timespec at_ms(long ms) {
    struct timespec time = begun;
    time.tv_nsec += ms * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void sleep_until(long ms) {
    struct timespec time = at_ms(ms);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0) == EINTR) {
    }
}

static void start(int priority, void *(*work)(void *), const char *name) {
    pthread_attr_t attributes;
    struct sched_param parameters = {priority};
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
    check(pthread_create(&threads[started++], &attributes, work, (void *)name) == 0, "create");
    pthread_attr_destroy(&attributes);
}

static int shown_priority(pthread_t thread) {
    struct sched_param parameters;
    int policy;
    pthread_getschedparam(thread, &policy, &parameters);
    return parameters.sched_priority;
}

// The owner starts alone, and has its mutexes after a millisecond.
static void begin(const char *name, int protocol, void *(*owner)(void *)) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutex_init(&first, &attributes);
    pthread_mutex_init(&second, &attributes);
    section = name;
    started = 0;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    start(1, owner, "low");
    sleep_until(1);
}

static void end(void) {
    for (int i = 0; i < started; i++)
        check(pthread_join(threads[i], 0) == 0, "join");
    check(pthread_mutex_destroy(&first) == 0 && pthread_mutex_destroy(&second) == 0, "the mutexes are free");
}

static void *hold(void *name) {
    pthread_mutex_lock(&first);
    sleep_until(3);
    say(name);
    pthread_mutex_unlock(&first);
    say("low-again");
    return 0;
}

static void *work(void *name) {
    sleep_until(3);
    say(name);
    return 0;
}

static void *want_first(void *name) {
    check(pthread_mutex_lock(&first) == 0, "lock");
    say(name);
    pthread_mutex_unlock(&first);
    return 0;
}

static void *want_second(void *name) {
    check(pthread_mutex_lock(&second) == 0, "lock");
    say(name);
    pthread_mutex_unlock(&second);
    return 0;
}

static void low_mid_high(const char *name, int protocol) {
    begin(name, protocol, hold);
    start(5, work, "mid");
    start(9, want_first, "high");
    sleep_until(2);
    check(shown_priority(threads[OWNER]) == 1, "a priority is shown as it was set");
    end();
}

// Along a chain

static void *hold_second_and_want_first(void *name) {
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    say(name);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return 0;
}

static void chain(void) {
    begin("chain", PTHREAD_PRIO_INHERIT, hold);
    start(3, hold_second_and_want_first, "link");
    sleep_until(2);
    start(5, work, "mid");
    start(9, want_second, "high");
    end();
}

// Of several mutexes

static void *hold_both(void *name) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    sleep_until(3);
    say(name);
    pthread_mutex_unlock(&second);
    say("low-as-four");
    pthread_mutex_unlock(&first);
    say("low-again");
    return 0;
}

static void several(void) {
    begin("several", PTHREAD_PRIO_INHERIT, hold_both);
    start(3, work, "three");
    start(5, work, "mid");
    start(4, want_first, "four");
    start(9, want_second, "high");
    end();
}

// A waiter gives up

static void *want_for_a_while(void *name) {
    struct timespec until = at_ms(2);
    check(pthread_mutex_clocklock(&first, CLOCK_MONOTONIC, &until) == ETIMEDOUT, "clocklock");
    say(name);
    return 0;
}

static void timed(void) {
    begin("timed", PTHREAD_PRIO_INHERIT, hold);
    start(5, work, "mid");
    start(9, want_for_a_while, "high");
    end();
}

// A priority is set

static void set_waiter(const char *name, int before, int after) {
    begin(name, PTHREAD_PRIO_INHERIT, hold);
    start(before, want_first, "waiter");
    start(5, work, "mid");
    sleep_until(2);
    pthread_setschedprio(threads[FIRST_LATER], after);
    end();
}

static void set_owner(void) {
    begin("set-owner", PTHREAD_PRIO_INHERIT, hold);
    start(9, want_first, "high");
    start(5, work, "mid");
    sleep_until(2);
    pthread_setschedprio(threads[OWNER], 7);
    check(shown_priority(threads[OWNER]) == 7, "the new priority is shown");
    end();
}

// The mutex is given back by a wait on a condition

static void *hold_then_wait(void *name) {
    pthread_mutex_lock(&first);
    sleep_until(2);
    say(name);
    pthread_cond_wait(&condition, &first);
    say(name);
    pthread_mutex_unlock(&first);
    return 0;
}

static void *work_twice(void *name) {
    for (long ms = 2; ms <= 3; ms++) {
        sleep_until(ms);
        say(name);
    }
    return 0;
}

static void *want_first_and_signal(void *name) {
    pthread_mutex_lock(&first);
    say(name);
    sleep_until(3);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&first);
    say(name);
    return 0;
}

static void condition_wait(void) {
    begin("condition", PTHREAD_PRIO_INHERIT, hold_then_wait);
    start(5, work_twice, "mid");
    start(9, want_first_and_signal, "high");
    end();
}

// A handler runs in between

static long handled_until;

static void on_signal(int number) {
    (void)number;
    say("handler");
    sleep_until(handled_until);
}

static void interrupted(const char *name, long until) {
    handled_until = until;
    begin(name, PTHREAD_PRIO_INHERIT, hold);
    start(9, want_first, "high");
    start(5, work, "mid");
    sleep_until(2);
    pthread_kill(threads[FIRST_LATER], SIGUSR1);
    end();
}

int main(void) {
    struct sched_param parameters = {20};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    check(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0, "the priority of main");
    sigaction(SIGUSR1, &action, 0);
    low_mid_high("none", PTHREAD_PRIO_NONE);
    low_mid_high("inherit", PTHREAD_PRIO_INHERIT);
    chain();
    several();
    timed();
    set_waiter("lowered", 9, 3);
    set_waiter("raised", 2, 9);
    set_owner();
    condition_wait();
    interrupted("resumed", 0);
    interrupted("absent", 4);
    return 0;
}
