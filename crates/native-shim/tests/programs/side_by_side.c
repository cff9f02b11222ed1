// A server and its clients, which are this program under other names. A script starts clients side by side; the server
// writes down whom it heard and when. The word on its command line is its way to accept.
//
//   say WORD…    connects once for each word, says it and waits for all answers
//   tell WORD    says it and leaves
//   later WORD   as say, and once it has been answered says it again
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "server.sock"};

static void check(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "%s: %s\n", what, strerror(errno));
        exit(99);
    }
}

// ---- clients ----

static int begin(const char *word) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    check(connect(fd, (struct sockaddr *)&at, sizeof at) == 0, "connect");
    size_t length = strlen(word) + 1;
    check(write(fd, word, length) == (ssize_t)length, "write");
    return fd;
}

static int say(int count, char **words) {
    int fds[10];
    char answer;
    for (int i = 0; i < count; i++)
        fds[i] = begin(words[i]);
    for (int i = 0; i < count; i++)
        check(read(fds[i], &answer, 1) == 1 && answer == '!', "answer");
    return 0;
}

// ---- the server ----

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9 - 1;
}

static int held = -1;

static void serve(int fd) {
    char word[20];
    size_t length = 0;
    while (!length || word[length - 1]) {
        ssize_t got = read(fd, word + length, sizeof word - length);
        check(got > 0, "read");
        length += got;
    }
    printf("%s %.3f\n", word, now());
    fflush(stdout);
    if (held < 0 && !strcmp(word, "wait")) {
        held = fd;
        return;
    }
    // Who only tells has left already.
    send(fd, "!", 1, MSG_NOSIGNAL);
    close(fd);
}

static int accept_one(int listening, int flags) {
    struct sockaddr_un peer;
    socklen_t length = sizeof peer;
    int fd = accept4(listening, (struct sockaddr *)&peer, &length, flags);
    // Clients have no name.
    check(fd < 0 || (length == sizeof peer.sun_family && peer.sun_family == AF_UNIX), "the peer's address");
    check(fd < 0 || !(fcntl(fd, F_GETFD) & FD_CLOEXEC) == !(flags & SOCK_CLOEXEC), "close on exec");
    return fd;
}

static void *by_blocking(void *socket) {
    for (;;) {
        int fd = accept_one(*(int *)socket, SOCK_CLOEXEC);
        check(fd >= 0, "accept");
        serve(fd);
    }
    return socket;
}

// Another descriptor of the same socket is as good, and the first may go.
static void *by_poll(void *socket) {
    struct pollfd file = {dup(*(int *)socket), POLLIN, 0};
    close(*(int *)socket);
    for (;;) {
        check(poll(&file, 1, -1) == 1 && file.revents == POLLIN, "poll");
        int fd = accept_one(file.fd, SOCK_CLOEXEC);
        check(fd >= 0, "accept");
        // It stays ready for as long as there is somebody.
        while (poll(&file, 1, 0) == 1) {
            int other = accept_one(file.fd, SOCK_CLOEXEC);
            check(other >= 0 && other != fd, "accept");
            serve(fd);
            fd = other;
        }
        serve(fd);
    }
    return socket;
}

static void *by_edges(void *socket) {
    int listening = *(int *)socket, set = epoll_create1(0);
    fcntl(listening, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {EPOLLIN | EPOLLET, {.fd = listening}};
    epoll_ctl(set, EPOLL_CTL_ADD, listening, &event);
    for (;;) {
        check(epoll_wait(set, &event, 1, -1) == 1 && event.data.fd == listening, "epoll");
        int fd;
        while ((fd = accept_one(listening, 0)) >= 0)
            serve(fd);
        check(errno == EAGAIN, "accept");
    }
    return socket;
}

// Accepts one and lets the others go.
static void *by_closing(void *socket) {
    int listening = *(int *)socket, fd = accept_one(listening, 0);
    check(accept(fd, 0, 0) < 0 && errno == EINVAL, "a connection does not listen");
    close(listening);
    check(accept(listening, 0, 0) < 0, "a closed socket does not listen");
    serve(fd);
    return socket;
}

// Both wait for the end of one pipe.
static void by_ends(void) {
    extern char **environ;
    for (int round = 0; round < 20; round++) {
        int fds[2], status;
        pid_t first, second;
        check(pipe(fds) == 0 && dup2(fds[0], 0) == 0, "pipe");
        close(fds[0]);
        fcntl(fds[1], F_SETFD, FD_CLOEXEC);
        char *slow[] = {"sh", "-c", "read line; sleep 0.005", 0}, *fast[] = {"cat", 0};
        check(posix_spawnp(&first, "sh", 0, 0, slow, environ) == 0, "spawn");
        check(posix_spawnp(&second, "cat", 0, 0, fast, environ) == 0, "spawn");
        close(fds[1]);
        check(wait(&status) == first && wait(&status) == second, "the order of ends");
    }
}

int main(int count, char **words) {
    const char *name = strrchr(words[0], '/');
    name = name ? name + 1 : words[0];
    if (!strcmp(name, "say"))
        return say(count - 1, words + 1);
    if (!strcmp(name, "tell"))
        return close(begin(words[1]));
    if (!strcmp(name, "later"))
        return say(1, words + 1) || say(1, words + 1);
    const char *way = words[1];
    if (!strcmp(way, "ends")) {
        by_ends();
        return 0;
    }
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(bind(listening, (struct sockaddr *)&at, sizeof at) == 0, "bind");
    // Most clients of a crowd cannot even connect until others have been accepted.
    check(listen(listening, 2) == 0, "listen");
    void *(*start)(void *) = !strcmp(way, "block")  ? by_blocking
                             : !strcmp(way, "poll")  ? by_poll
                             : !strcmp(way, "edges") ? by_edges
                                                     : by_closing;
    pthread_t thread;
    pthread_create(&thread, 0, start, &listening);
    char path[1000], folder[500];
    snprintf(path, sizeof path, "%s:%s", getcwd(folder, sizeof folder), getenv("PATH"));
    setenv("PATH", path, 1);
    int status = system("exec sh script.sh");
    printf("script ended with %d at %.3f\n", status, now());
    fflush(stdout);
    if (held >= 0) {
        sleep(10);
        check(write(held, "!", 1) == 1, "answer");
        close(held);
        usleep(1000);
    }
    return 0;
}
