// Programs that start other programs, one way for each word on the command line.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9 - 1;
}

// Wall time of children costs no virtual time, and their status arrives.
static void by_system(void) {
    usleep(2000);
    int status = system("sleep 0.05; exit 3");
    printf("%d %.6f\n", WEXITSTATUS(status), now());
    setenv("WORD", "spoken", 1);
    fflush(stdout);
    status = system("echo $WORD; test -z \"$LD_PRELOAD$IRONBIRD_SHIM\"");
    printf("%d %d\n", status, system(0));
    printf("%d\n", WEXITSTATUS(system("no-such-command 2>/dev/null")));
}

static void by_popen(void) {
    char line[100];
    FILE *file = popen("echo one; sleep 0.02; echo two; exit 5", "r");
    printf("%d\n", fileno(file) > 2);
    while (fgets(line, sizeof line, file))
        printf("got %s", line);
    printf("%d %.6f\n", WEXITSTATUS(pclose(file)), now());
    fflush(stdout);
    file = popen("tr a-z A-Z", "w");
    fputs("louder\n", file);
    printf("%d\n", pclose(file));
    // More than a pipe holds: the child waits until it is read.
    file = popen("yes | head -n 100000", "r");
    long count = 0;
    while (fgets(line, sizeof line, file)) {
        count++;
        if (count % 1000 == 0)
            usleep(1);
    }
    int status = pclose(file);
    printf("%ld %d %.6f\n", count, status, now());
}

static void by_spawn(void) {
    int fds[2], status;
    char text[100] = {0};
    pid_t child;
    pipe2(fds, O_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    char *words[] = {"sh", "-c", "read line; echo \"[$line]\"; kill -9 $$", 0};
    printf("%d\n", posix_spawnp(&child, "sh", &actions, 0, words, environ));
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    printf("%zd %s", read(fds[0], text, 99), text);
    printf("%zd\n", read(fds[0], text, 99));
    printf("%d", waitpid(child, &status, 0) == child);
    printf(" %d\n", WTERMSIG(status));
    printf("%d\n", posix_spawn(&child, "/no/such/file", 0, 0, words, environ) == ENOENT);
    printf("%d", wait(&status));
    printf(" %d\n", errno == ECHILD);
}

static void by_fork(void) {
    int there[2], back[2], status;
    char text[100] = {0};
    pipe(there);
    pipe(back);
    pid_t child = fork();
    if (!child) {
        dup2(there[0], 0);
        dup2(back[1], 1);
        close(there[1]);
        close(back[0]);
        execlp("sh", "sh", "-c", "read a; echo \"$0 $1 $2 $3 $4 said $a\"; exit 7", "1", "2", "3", "4", "5", (char *)0);
        _exit(127);
    }
    close(there[0]);
    close(back[1]);
    printf("%d\n", waitpid(child, &status, WNOHANG));
    usleep(1000);
    write(there[1], "hello\n", 6);
    struct pollfd file = {back[0], POLLIN, 0};
    printf("%d\n", poll(&file, 1, 10));
    ssize_t length = read(back[0], text, 99);
    printf("%zd %s", length, text);
    printf("%d", waitpid(child, &status, 0) == child);
    printf(" %d\n", WEXITSTATUS(status));
    child = vfork();
    if (!child) {
        execl("/no/such/file", "x", (char *)0);
        _exit(errno);
    }
    siginfo_t info;
    printf("%d", waitid(P_PID, child, &info, WEXITED));
    printf(" %d %d\n", info.si_status == ENOENT, info.si_pid == child);
}

static volatile int ended;

static void on_child(int number) {
    ended++;
}

static void by_signal(void) {
    int status;
    signal(SIGCHLD, on_child);
    pid_t child = fork();
    if (!child) {
        execlp("cat", "cat", (char *)0);
        _exit(127);
    }
    // Its input is the program's own, which leads nowhere: a pipe is what it must wait for.
    printf("%d\n", waitpid(child, &status, 0) == child);
    printf("%d %d\n", WEXITSTATUS(status), ended);
    int fds[2];
    pipe(fds);
    child = fork();
    if (!child) {
        dup2(fds[0], 0);
        close(fds[1]);
        execlp("cat", "cat", (char *)0);
        _exit(127);
    }
    usleep(1000);
    printf("%d\n", kill(child, SIGTERM));
    printf("%d", waitpid(child, &status, 0) == child);
    printf(" %d %d\n", WTERMSIG(status), ended);
}

static void *in_little_room(void *unused) {
    FILE *file = popen("echo here; exit 6", "r");
    char line[10] = "";
    fgets(line, sizeof line, file);
    int status = pclose(file);
    printf("%d %s", WEXITSTATUS(status), line);
    return unused;
}

// Commands from threads with the smallest stacks, two at a time.
static void by_threads(void) {
    pthread_t threads[2];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], &attributes, in_little_room, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "";
    if (!strcmp(word, "outside")) {
        // This program again, as a child that listens to the network.
        char path[1000];
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 20);
        strcpy(path + length, " listen");
        system(path);
    } else if (!strcmp(word, "listen")) {
        char byte;
        struct sockaddr_in any = {.sin_family = AF_INET};
        int fd = socket(AF_INET, SOCK_DGRAM, 0);
        bind(fd, (struct sockaddr *)&any, sizeof any);
        recv(fd, &byte, 1, 0);
    } else if (!strcmp(word, "system")) {
        by_system();
    } else if (!strcmp(word, "popen")) {
        by_popen();
    } else if (!strcmp(word, "spawn")) {
        by_spawn();
    } else if (!strcmp(word, "fork")) {
        by_fork();
    } else if (!strcmp(word, "threads")) {
        by_threads();
    } else if (!strcmp(word, "signal")) {
        by_signal();
    } else if (!strcmp(word, "restless")) {
        system("sleep 100");
    } else if (!strcmp(word, "orphan")) {
        system("sleep 1000 > /dev/null 2>&1 &");
    } else if (!strcmp(word, "deadlock")) {
        int fds[2];
        pipe(fds);
        dup2(fds[0], 0);
        system("read line");
    } else if (!strcmp(word, "exec")) {
        execlp("true", "true", (char *)0);
    } else if (!strcmp(word, "copy")) {
        pid_t child = fork();
        if (!child)
            usleep(1000);
        int status;
        waitpid(child, &status, 0);
        printf("%d\n", WEXITSTATUS(status));
    } else if (!strcmp(word, "sleep")) {
        sleep(1);
    }
    return 0;
}
