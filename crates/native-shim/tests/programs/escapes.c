// Ways out of virtual time, and ways to end, one for each word on the command line.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline __attribute__((always_inline)) long inline_call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

// Functions with names that the loader knows, so that a message can say them.
void clock_by_instruction(void) {
    struct timespec now;
    inline_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0);
}

void sleep_by_instruction(void) {
    struct timespec span = {0, 1};
    inline_call(SYS_nanosleep, (long)&span, 0, 0);
}

unsigned long counter_of_the_processor(void) {
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}

void exec_by_instruction(void) {
    char *none[] = {0};
    inline_call(SYS_execve, (long)"/bin/true", (long)none, (long)none);
}

void write_to_nowhere(void) {
    *(volatile int *)16 = 1;
}

pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;

static void *crossing(void *unused) {
    pthread_setname_np(pthread_self(), "crossing");
    pthread_mutex_lock(&second_lock);
    usleep(1000);
    pthread_mutex_lock(&first_lock);
    return unused;
}

static void *crash_inside(void *unused) {
    pthread_setname_np(pthread_self(), "unlucky");
    write_to_nowhere();
    return unused;
}

static void *hold_the_stream(void *unused) {
    flockfile(stdout);
    usleep(1000);
    return unused;
}

void expect_nothing(int count) {
    assert(count == 0);
    printf("nothing\n");
}

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "";
    pthread_t thread;
    struct timespec now;
    if (!strcmp(word, "numbers")) {
        usleep(1250);
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
        printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
        struct timespec span = {2, 0};
        syscall(SYS_nanosleep, &span, 0);
        printf("%ld\n", (long)time(0));
    } else if (!strcmp(word, "clock")) {
        clock_by_instruction();
    } else if (!strcmp(word, "sleep")) {
        sleep_by_instruction();
    } else if (!strcmp(word, "rdtsc")) {
        printf("%lu\n", counter_of_the_processor());
    } else if (!strcmp(word, "exec")) {
        execl("/bin/true", "true", (char *)0);
    } else if (!strcmp(word, "exec-instruction")) {
        exec_by_instruction();
    } else if (!strcmp(word, "system")) {
        return system("true");
    } else if (!strcmp(word, "fork")) {
        return fork();
    } else if (!strcmp(word, "number")) {
        syscall(SYS_poll, 0, 0, 1000);
    } else if (!strcmp(word, "cancel")) {
        pthread_create(&thread, 0, crossing, 0);
        pthread_cancel(thread);
    } else if (!strcmp(word, "stream")) {
        pthread_create(&thread, 0, hold_the_stream, 0);
        usleep(100);
        puts("waits for the stream");
    } else if (!strcmp(word, "deadlock")) {
        pthread_mutex_lock(&first_lock);
        pthread_create(&thread, 0, crossing, 0);
        usleep(500);
        pthread_mutex_lock(&second_lock);
    } else if (!strcmp(word, "crash")) {
        pthread_create(&thread, 0, crash_inside, 0);
        pthread_join(thread, 0);
    } else if (!strcmp(word, "abort")) {
        abort();
    } else if (!strcmp(word, "assert")) {
        expect_nothing(count);
    } else if (!strcmp(word, "exit")) {
        usleep(7000);
        exit(9);
    } else if (!strcmp(word, "_exit")) {
        _exit(8);
    }
    return 0;
}
