// Waits while handlers of signals run. In real time it prints the same, up to a millisecond.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, timed;
static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_t sleeper;
static volatile sig_atomic_t handled;
static long handler_ms;

static long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + (now.tv_nsec + 500000) / 1000000;
}

static void pause_ms(long ms) {
    struct timespec span = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&span, NULL);
}

static void handle(int number) {
    (void)number;
    handled++;
    if (handler_ms) pause_ms(handler_ms);
}

static long returned_ms;
static int result;

static void *wait_for_condition(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    result = pthread_cond_wait(&condition, &mutex);
    returned_ms = now_ms();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *wait_until_50(void *unused) {
    (void)unused;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 50000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&mutex);
    result = pthread_cond_timedwait(&timed, &mutex, &until);
    returned_ms = now_ms();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *wait_at_barrier(void *unused) {
    (void)unused;
    result = pthread_barrier_wait(&barrier);
    returned_ms = now_ms();
    return NULL;
}

static void *wait_to_read(void *unused) {
    (void)unused;
    result = pthread_rwlock_rdlock(&lock);
    returned_ms = now_ms();
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *wait_for_thread(void *unused) {
    (void)unused;
    result = pthread_join(sleeper, NULL);
    returned_ms = now_ms();
    return NULL;
}

static void *sleep_40(void *unused) {
    (void)unused;
    pause_ms(40);
    return NULL;
}

static void signal_condition(void) { pthread_cond_signal(&condition); }

static void signal_and_keep_mutex(void) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pause_ms(10);
    pthread_mutex_unlock(&mutex);
}

static void arrive(void) { pthread_barrier_wait(&barrier); }
static void unlock(void) { pthread_rwlock_unlock(&lock); }
static void nothing(void) {}

// Signals go out each 10 ms, three of them; 40 ms after its begin it is over.
static void try(const char *what, void *(*waits)(void *), long handler, void (*end)(void)) {
    pthread_t waiter;
    handled = 0;
    handler_ms = handler;
    if (waits == wait_to_read) pthread_rwlock_wrlock(&lock);
    long begun = now_ms();
    if (waits == wait_for_thread) pthread_create(&sleeper, NULL, sleep_40, NULL);
    pthread_create(&waiter, NULL, waits, NULL);
    for (int turn = 0; turn < 3; turn++) {
        pause_ms(10);
        pthread_kill(waiter, SIGUSR1);
    }
    pause_ms(10);
    end();
    pthread_join(waiter, NULL);
    const char *how = result == 0 ? "over" : result == ETIMEDOUT ? "timed out" : "failed";
    printf("%s: %s after %ld ms, %d handled\n", what, how, returned_ms - begun, (int)handled);
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&timed, &attributes);
    pthread_barrier_init(&barrier, NULL, 2);
    try("condition, quick handlers", wait_for_condition, 0, signal_condition);
    try("condition, the mutex is held", wait_for_condition, 0, signal_and_keep_mutex);
    try("condition while a handler sleeps", wait_for_condition, 35, signal_condition);
    try("condition and mutex while a handler sleeps", wait_for_condition, 35, signal_and_keep_mutex);
    try("time", wait_until_50, 0, nothing);
    try("time while a handler sleeps", wait_until_50, 60, nothing);
    try("barrier", wait_at_barrier, 0, arrive);
    try("barrier while a handler sleeps", wait_at_barrier, 35, arrive);
    try("lock", wait_to_read, 0, unlock);
    try("lock while a handler sleeps", wait_to_read, 35, unlock);
    try("thread", wait_for_thread, 0, nothing);
    try("thread while a handler sleeps", wait_for_thread, 35, nothing);
    return 0;
}
