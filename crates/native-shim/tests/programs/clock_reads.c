// Reads the clock as often as it is told, and says how far it moved.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **words) {
    long reads = count > 1 ? atol(words[1]) : 0;
    struct timespec first, last;
    clock_gettime(CLOCK_MONOTONIC, &first);
    for (long i = 0; i < reads; i++)
        clock_gettime(CLOCK_MONOTONIC, &last);
    printf("%ld\n", (last.tv_sec - first.tv_sec) * 1000000000 + last.tv_nsec - first.tv_nsec);
    return 0;
}
