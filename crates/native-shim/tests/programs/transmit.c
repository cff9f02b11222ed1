// Sends more over a serial port than its line carries, in every way that a program may wait for room.
#define _GNU_SOURCE
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// <termios.h> and the kernel's header, which has speeds that are any number, cannot both be included.
int tcdrain(int fd);
int tcflush(int fd, int queue);
int tcgetattr(int fd, void *settings);
int tcsetattr(int fd, int when, const void *settings);

static int port;
static char bytes[16384];

static int waiting(void) {
    int count = -1;
    ioctl(port, TIOCOUTQ, &count);
    return count;
}

static void say(const char *what, int result) {
    struct timespec now;
    int count = waiting();
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%ld.%06ld %s %d, %d wait\n", (long)now.tv_sec - 1, now.tv_nsec / 1000, what, result, count);
}

// The result, or the error below zero.
static int sent(int count) {
    int written = write(port, bytes, count);
    return written < 0 ? -errno : written;
}

static void blocking(int yes) {
    fcntl(port, F_SETFL, yes ? 0 : O_NONBLOCK);
}

static int polled(int milliseconds) {
    struct pollfd file = {port, POLLOUT, 0};
    poll(&file, 1, milliseconds);
    return file.revents;
}

static void speed(unsigned long request, unsigned baud) {
    struct termios2 settings;
    ioctl(port, TCGETS2, &settings);
    settings.c_cflag = (settings.c_cflag & ~CBAUD) | BOTHER;
    settings.c_ispeed = settings.c_ospeed = baud;
    ioctl(port, request, &settings);
}

static void fill(void) {
    blocking(0);
    sent(4096);
}

static void waits_for_room(void) {
    blocking(0);
    say("takes", sent(5000));
    say("takes", sent(1));
    say("poll", polled(0));
    say("poll", polled(-1));
    say("takes", sent(1));
    say("poll", polled(0));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(port, &set);
    struct timeval patience = {1, 0};
    say("select", select(port + 1, 0, &set, 0, &patience));
    say("drained", tcdrain(port));
    blocking(1);
    say("takes", sent(10000));
}

static void settings_wait(void) {
    unsigned char settings[60], before[60];
    tcgetattr(port, before);
    say("TCSADRAIN", tcsetattr(port, 1, before));
    tcgetattr(port, settings);
    say("same settings", memcmp(before, settings, sizeof settings) == 0);
    sent(10);
    speed(TCSETSW2, 200000);
    say("TCSETSW2", 0);
    sent(10);
    int input[2];
    ioctl(port, FIONREAD, &input[0]);
    speed(TCSETSF2, 100000);
    ioctl(port, FIONREAD, &input[1]);
    say("TCSETSF2", input[0] * 10 + input[1]);
    sent(10);
    say("TCSBRK", ioctl(port, TCSBRK, 1));
}

static void flushes(void) {
    sent(10);
    say("flushed", tcflush(port, TCOFLUSH));
    say("flushed", tcflush(port, TCIOFLUSH));
    tcdrain(port);
}

static void *polls(void *unused) {
    say("other polled", polled(-1));
    return unused;
}

static void *drains(void *unused) {
    say("other drained", tcdrain(port));
    return unused;
}

static void speed_changes(void) {
    pthread_t threads[2];
    sent(1000);
    pthread_create(&threads[0], 0, polls, 0);
    pthread_create(&threads[1], 0, drains, 0);
    usleep(10050);
    speed(TCSETS2, 200000);
    say("faster", 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    speed(TCSETS2, 100000);
}

static void sets(void) {
    for (int edge = 0; edge < 2; edge++) {
        struct epoll_event event = {.events = EPOLLOUT | (edge ? EPOLLET : 0)};
        int set = epoll_create1(0);
        epoll_ctl(set, EPOLL_CTL_ADD, port, &event);
        say(edge ? "edge" : "level", epoll_wait(set, &event, 1, 0));
        fill();
        say("crowded", epoll_wait(set, &event, 1, 0));
        say("room", epoll_wait(set, &event, 1, -1));
        say("again", epoll_wait(set, &event, 1, 0));
        close(set);
        tcdrain(port);
    }
}

static void *writes(void *text) {
    char own[100];
    memset(own, *(char *)text, sizeof own);
    usleep(1000);
    say("other takes", write(port, own, sizeof own));
    return text;
}

static void writers_take_turns(void) {
    pthread_t threads[2];
    blocking(1);
    pthread_create(&threads[0], 0, writes, "b");
    pthread_create(&threads[1], 0, polls, 0);
    say("first takes", sent(8192));
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    tcdrain(port);
}

static void nothing(int number) {
    (void)number;
}

static void signals_interrupt(void) {
    struct sigaction action = {.sa_handler = nothing};
    struct itimerval timer = {{0, 0}, {0, 10000}};
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &timer, 0);
    say("interrupted", sent(5000));
    fill();
    blocking(1);
    timer.it_value.tv_usec = 50;
    setitimer(ITIMER_REAL, &timer, 0);
    say("interrupted", sent(5000));
    timer.it_value.tv_usec = 10000;
    setitimer(ITIMER_REAL, &timer, 0);
    int drained = tcdrain(port);
    say("interrupted", drained < 0 ? -errno : drained);
    tcdrain(port);
}

// What a read without data gives.
static int nothing_read(int least, int tenths) {
    struct termios2 settings;
    ioctl(port, TCGETS2, &settings);
    settings.c_lflag &= ~ICANON;
    settings.c_cc[VMIN] = least;
    settings.c_cc[VTIME] = tenths;
    ioctl(port, TCSETS2, &settings);
    char byte;
    int count = read(port, &byte, 1);
    return count < 0 ? -errno : count;
}

static void reads_nothing(void) {
    say("read", nothing_read(0, 1));
    blocking(0);
    say("read", nothing_read(0, 1));
    say("read", nothing_read(0, 0));
    say("read", nothing_read(1, 0));
}

// 30 kB/s for ten seconds.
static void offers(void) {
    speed(TCSETS2, 115200);
    blocking(0);
    int accepted = 0, refused = 0;
    for (int i = 0; i < 1000; i++) {
        int count = 0;
        for (int left = 300; left > 0 && count >= 0; left -= count) {
            count = sent(left);
            accepted += count > 0 ? count : 0;
            refused += count == -EAGAIN;
        }
        if (i < 999)
            usleep(10000);
    }
    printf("%d %d %d\n", accepted, refused, waiting());
}

// Each line tells when it was taken.
static void floods(void) {
    for (int number = 0;; number++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int length =
            snprintf(bytes, sizeof bytes, "%d %d %ld.%09ld ", number, waiting(), (long)now.tv_sec, now.tv_nsec);
        memset(bytes + length, '.', 1000 - length);
        if (sent(1000) != 1000)
            return;
    }
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    memset(bytes, 'a', sizeof bytes);
    port = open("/dev/ttyTEST", O_RDWR | O_NOCTTY);
    if (!strcmp(what, "offers"))
        offers();
    else if (!strcmp(what, "floods"))
        floods();
    else {
        waits_for_room();
        settings_wait();
        flushes();
        speed_changes();
        sets();
        writers_take_turns();
        signals_interrupt();
        reads_nothing();
    }
    return 0;
}
