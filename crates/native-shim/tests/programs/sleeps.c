// Sleeps 1000 times for 50 us, as an ordinary thread and as a real-time one, and says how long that took in ns.
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long slept(void) {
    struct timespec first, last;
    clock_gettime(CLOCK_MONOTONIC, &first);
    for (int i = 0; i < 1000; i++)
        usleep(50);
    clock_gettime(CLOCK_MONOTONIC, &last);
    return (last.tv_sec - first.tv_sec) * 1000000000 + last.tv_nsec - first.tv_nsec;
}

int main(void) {
    long ordinary = slept();
    struct sched_param first = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &first);
    printf("%ld %ld\n", ordinary, slept());
    return 0;
}
