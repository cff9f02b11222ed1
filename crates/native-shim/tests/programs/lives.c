// How threads begin and end, one way for each word on the command line.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static __thread long own;

static void *add(void *number) {
    own = (long)number;
    usleep(10 + own % 7);
    pthread_mutex_lock(&mutex);
    sum += own;
    pthread_mutex_unlock(&mutex);
    if (own % 2)
        pthread_exit(number);
    return number;
}

static void many(void) {
    pthread_t threads[20];
    for (long round = 0; round < 100; round++) {
        for (long i = 0; i < 20; i++)
            pthread_create(&threads[i], 0, add, (void *)i);
        for (long i = 0; i < 20; i++) {
            void *result;
            if (pthread_join(threads[i], &result) || result != (void *)i)
                abort();
        }
    }
    printf("sum %ld\n", sum);
}

static void detached(void) {
    for (long i = 0; i < 500; i++) {
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        if (i % 2)
            pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_create(&thread, &attributes, add, (void *)i);
        if (!(i % 2))
            pthread_detach(thread);
        pthread_attr_destroy(&attributes);
        usleep(i % 3);
    }
    usleep(1000);
    printf("sum %ld\n", sum);
}

static void *last(void *unused) {
    usleep(5000);
    puts("last");
    return unused;
}

static void *ends_everything(void *unused) {
    usleep(2000);
    exit(4);
    return unused;
}

static void *parent(void *depth) {
    pthread_t child;
    if (depth) {
        pthread_create(&child, 0, parent, (char *)depth - 1);
        pthread_join(child, 0);
    }
    sum++;
    return 0;
}

static int outer, inner;

static void on_usr1(int number) {
    outer++;
    if (outer == 1)
        kill(getpid(), SIGUSR2);
    usleep(100);
}

static void on_usr2(int number) {
    inner++;
}

static void on_alarm(int number) {
    outer++;
}

static void *write_later(void *fds) {
    usleep(3000);
    if (write(((int *)fds)[1], "x", 1) != 1)
        abort();
    return 0;
}

// A read goes on after a handler that asks for it, and ends with EINTR after one that does not.
static void restarts(void) {
    int fds[2];
    char byte;
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_alarm};
    pipe(fds);
    signal(SIGALRM, on_alarm);
    ualarm(1000, 0);
    pthread_create(&thread, 0, write_later, fds);
    printf("%zd", read(fds[0], &byte, 1));
    pthread_join(thread, 0);
    sigaction(SIGALRM, &action, 0);
    ualarm(1000, 0);
    ssize_t count = read(fds[0], &byte, 1);
    printf(" %zd %d", count, errno == EINTR);
    signal(SIGPIPE, on_alarm);
    close(fds[0]);
    count = write(fds[1], "x", 1);
    printf(" %zd %d %d\n", count, errno == EPIPE, outer);
}

static int fd;

static void *receive(void *unused) {
    char byte;
    ssize_t count = recv(fd, &byte, 1, 0);
    printf("recv %zd %d\n", count, count < 0 ? errno == EBADF || errno == EAGAIN : 0);
    return unused;
}

static void *overflow(void *depth) {
    volatile char room[4096];
    room[0] = 1;
    if (depth == (void *)(1L << 40))
        return 0;
    return (char *)overflow((char *)depth + 1) + room[0];
}

// Who is there, and who is not: 0, or the error.
static void ask(pid_t process, int number) {
    printf("%d ", kill(process, number) ? errno : 0);
}

static void neighbours(void) {
    pid_t parent = getppid(), nobody = 1 << 22;
    ask(parent, 0);
    ask(1, 0);
    ask(0, 0);
    ask(-getpgrp(), 0);
    ask(-1, 0);
    ask(parent, SIGTERM);
    ask(parent, 65);
    ask(nobody, 0);
    ask(nobody, SIGTERM);
    ask(nobody, 65);
    signal(SIGUSR2, on_usr2);
    ask(-getpgrp(), SIGUSR2);
    printf("%d %d\n", inner, parent == getppid());
}

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "";
    pthread_t thread;
    if (!strcmp(word, "many")) {
        many();
    } else if (!strcmp(word, "detached")) {
        detached();
    } else if (!strcmp(word, "main-first")) {
        pthread_create(&thread, 0, last, 0);
        pthread_exit(0);
    } else if (!strcmp(word, "exit-in-thread")) {
        pthread_create(&thread, 0, ends_everything, 0);
        pthread_join(thread, 0);
    } else if (!strcmp(word, "nested")) {
        pthread_create(&thread, 0, parent, (void *)30);
        pthread_join(thread, 0);
        printf("sum %ld\n", sum);
    } else if (!strcmp(word, "handlers")) {
        signal(SIGUSR1, on_usr1);
        signal(SIGUSR2, on_usr2);
        kill(getpid(), SIGUSR1);
        printf("%d %d\n", outer, inner);
    } else if (!strcmp(word, "closed")) {
        struct timeval patience = {0, 5000};
        fd = socket(AF_INET, SOCK_DGRAM, 0);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        pthread_create(&thread, 0, receive, 0);
        usleep(1000);
        close(fd);
        pthread_join(thread, 0);
    } else if (!strcmp(word, "overflow")) {
        pthread_create(&thread, 0, overflow, 0);
        pthread_join(thread, 0);
    } else if (!strcmp(word, "restarts")) {
        restarts();
    } else if (!strcmp(word, "neighbours")) {
        neighbours();
    } else if (!strcmp(word, "terminated")) {
        alarm(1);
        pause();
    }
    return 0;
}
