// Two threads and a clock: the least that must work.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *other(void *argument) {
    struct timespec span = {0, 1500000};
    nanosleep(&span, 0);
    printf("other %ld\n", (long)argument);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, (void *)42);
    void *result;
    pthread_join(thread, &result);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("joined %ld at %ld.%09ld\n", (long)result, (long)now.tv_sec, now.tv_nsec);
    clock_gettime(CLOCK_REALTIME, &now);
    printf("real %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    return 3;
}
