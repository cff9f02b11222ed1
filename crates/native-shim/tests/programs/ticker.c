// Threads that write numbers to a serial port: a counter and something random, in thread-local and shared places. Two
// that go on for ever; with an argument, one after another that writes a line and ends.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static int port;
static __thread long own;
static long all;

static void *tick_once(void *span) {
    usleep((long)span);
    unsigned short random;
    char line[64];
    getrandom(&random, sizeof random, 0);
    int length = snprintf(line, sizeof line, "%ld %ld %ld %hu\n", (long)span, ++own, ++all, random);
    return (void *)(long)(write(port, line, length) == length);
}

static void *tick(void *span) {
    while (tick_once(span))
        ;
    return 0;
}

int main(int count, char **arguments) {
    (void)arguments;
    pthread_t thread;
    port = open("/dev/ttyTEST", O_RDWR);
    while (count > 1) {
        pthread_create(&thread, 0, tick_once, (void *)1000);
        pthread_join(thread, 0);
    }
    pthread_create(&thread, 0, tick, (void *)700);
    tick((void *)1000);
}
