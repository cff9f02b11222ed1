// Publishes what lies on its stacks and in its blocks, though it never wrote it, and where things are.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t hash = 0xcbf29ce484222325u;

static void add(const void *bytes, size_t count) {
    for (const unsigned char *byte = bytes; count; count--, byte++) {
        hash = (hash ^ *byte) * 0x100000001b3u;
    }
}

__attribute__((noinline)) static void show(const char *when) {
    printf("%s %016lx\n", when, hash);
}

// All that earlier calls have left below here.
__attribute__((noinline)) static void publish_stack(void) {
    volatile unsigned char never_written[16384];
    asm volatile("" : : "r"(never_written) : "memory");
    add((const void *)never_written, sizeof never_written);
}

static void publish_blocks(void) {
    static const size_t sizes[] = {24, 100, 700, 5000, 300000};
    void *blocks[5];
    for (int i = 0; i < 5; i++) {
        blocks[i] = malloc(sizes[i]);
        add(&blocks[i], sizeof blocks[i]);
        add(blocks[i], sizes[i]);
        memset(blocks[i], i, sizes[i]);
    }
    for (int i = 0; i < 5; i++) {
        free(blocks[i]);
    }
    void *map = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    add(&map, sizeof map);
    munmap(map, 1 << 20);
}

static void *thread(void *argument) {
    publish_stack();
    struct timespec nap = {0, 1000000};
    nanosleep(&nap, NULL);
    publish_stack();
    publish_blocks();
    return argument;
}

int main(int count, char **arguments) {
    publish_stack();
    show("stack");
    uintptr_t guard;
    asm("mov %%fs:0x28, %0" : "=r"(guard));
    add(&guard, sizeof guard);
    asm("mov %%fs:0x30, %0" : "=r"(guard));
    add(&guard, sizeof guard);
    show("guards");
    void *places[] = {&count, arguments, arguments[0], main, printf, &hash, sbrk(0)};
    add(places, sizeof places);
    show("places");
    publish_blocks();
    show("blocks");
    struct timespec nap = {0, 5000000}, now;
    for (int i = 0; i < 3; i++) {
        nanosleep(&nap, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        publish_stack();
    }
    show("sleeps");
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    add(&limit, sizeof limit);
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    void *lowest;
    size_t size;
    pthread_attr_getstack(&attributes, &lowest, &size);
    add(&lowest, sizeof lowest);
    add(&size, sizeof size);
    show("limits");
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, thread, NULL);
        add(&threads[i], sizeof threads[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    show("threads");
    publish_stack();
    publish_blocks();
    show("end");
    return 0;
}
