// Two threads that write numbers to a serial port: a counter and something random, in thread-local and shared places.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static int port;
static __thread long own;
static long all;

static void *tick(void *span) {
    for (;;) {
        usleep((long)span);
        unsigned short random;
        char line[64];
        getrandom(&random, sizeof random, 0);
        int length = snprintf(line, sizeof line, "%ld %ld %ld %hu\n", (long)span, ++own, ++all, random);
        if (write(port, line, length) != length)
            return 0;
    }
}

int main(void) {
    pthread_t thread;
    port = open("/dev/ttyTEST", O_RDWR);
    pthread_create(&thread, 0, tick, (void *)700);
    tick((void *)1000);
}
