// What epoll, timerfd and eventfd say to wrong calls. Every line is "call errno".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static const char *name_of(int number) {
    switch (number) {
    case EBADF: return "EBADF";
    case EEXIST: return "EEXIST";
    case EINVAL: return "EINVAL";
    case ELOOP: return "ELOOP";
    case ENOENT: return "ENOENT";
    case EPERM: return "EPERM";
    default: return "another";
    }
}

static void say(const char *call, int result) {
    printf("%s %s\n", call, result < 0 ? name_of(errno) : "fine");
}

static int add(int set, int fd) {
    struct epoll_event event = {EPOLLIN, {.fd = fd}};
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
}

static void sets(int closed, int file, int event) {
    struct epoll_event any = {EPOLLIN, {.fd = event}};
    int set = epoll_create1(0);
    say("closed-set", add(closed, event));
    say("closed-descriptor", add(set, closed));
    say("both-closed", add(closed, closed));
    say("regular-file", add(set, file));
    say("no-set", add(event, set));
    say("no-set-but-a-file", add(file, event));
    say("modify-unknown", epoll_ctl(set, EPOLL_CTL_MOD, event, &any));
    say("remove-unknown", epoll_ctl(set, EPOLL_CTL_DEL, event, &any));
    say("unknown-operation", epoll_ctl(set, 9, event, &any));
    say("add", add(set, event));
    say("add-again", add(set, event));
    say("no-set-but-in-one", add(event, set));
    say("unknown-operation", epoll_ctl(set, 9, event, &any));
    say("wait-closed", epoll_wait(closed, &any, 1, 0));
    say("wait-no-set", epoll_wait(event, &any, 1, 0));
    say("wait-for-none", epoll_wait(set, &any, 0, 0));
    close(set);
}

static void nested(int event) {
    struct epoll_event found;
    int set[6];
    for (int i = 0; i < 6; i++)
        set[i] = epoll_create1(0);
    int copy = dup(set[0]);
    say("itself", add(set[0], set[0]));
    say("a-copy-of-itself", add(set[0], copy));
    say("remove-itself", epoll_ctl(set[0], EPOLL_CTL_DEL, set[0], &found));
    for (int i = 0; i < 4; i++)
        say("nest", add(set[i], set[i + 1]));
    say("cycle-of-two", add(set[1], set[0]));
    say("cycle-of-five", add(set[4], set[0]));
    say("six-from-below", add(set[4], set[5]));
    say("six-from-above", add(set[5], set[0]));
    say("beside", add(set[5], set[1]));
    say("lowest", add(set[4], event));
    eventfd_write(event, 1);
    say("seen-from-above", epoll_wait(set[0], &found, 1, 0) == 1 && found.data.fd == set[1] ? 0 : -1);
    close(set[2]);
    say("not-seen", epoll_wait(set[0], &found, 1, 0) == 0 ? 0 : -1);
}

static void times(int closed, int file, int event) {
    struct itimerspec time = {{0, 0}, {1, 0}};
    say("settime-closed", timerfd_settime(closed, 0, &time, 0));
    say("settime-file", timerfd_settime(file, 0, &time, 0));
    say("settime-event", timerfd_settime(event, 0, &time, 0));
    say("gettime-closed", timerfd_gettime(closed, &time));
    say("gettime-file", timerfd_gettime(file, &time));
    say("gettime-event", timerfd_gettime(event, &time));
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    say("gettime", timerfd_gettime(timer, &time));
    say("write-timer", eventfd_write(timer, 1));
}

static void events(int closed, int event) {
    uint64_t value;
    int set = epoll_create1(0);
    say("read-closed", eventfd_read(closed, &value));
    say("write-closed", eventfd_write(closed, 1));
    say("read-set", eventfd_read(set, &value));
    say("write-set", eventfd_write(set, 1));
    say("read-too-short", (int)read(event, &value, 4));
    say("write-too-much", eventfd_write(event, UINT64_MAX));
}

int main(void) {
    char path[] = "/tmp/errors-XXXXXX";
    int file = mkstemp(path), event = eventfd(0, 0), closed = dup(event);
    unlink(path);
    // Far away from the numbers that are given next.
    closed = fcntl(closed, F_DUPFD, 200);
    close(closed);
    sets(closed, file, event);
    nested(event);
    times(closed, file, event);
    events(closed, event);
    return 0;
}
