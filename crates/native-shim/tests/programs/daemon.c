// An autopilot that is a daemon: a server that starts itself by a script. The script's commands are the same program
// under other names; they hand their words to the server over a local socket, print what comes back and end with the
// status that the server says. One of them returns only when the simulator has been heard.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static const char SOCKET[] = "daemon.sock", LOCK[] = "daemon.lock", PREFIX[] = "fly-";

static void check(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "%s: %s\n", what, strerror(errno));
        exit(99);
    }
}

static struct sockaddr_un address(void) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    strcpy(at.sun_path, SOCKET);
    return at;
}

// ---- the client ----

static int is_locked(void) {
    int fd = open(LOCK, O_RDWR | O_CREAT, 0666);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    check(fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0, "lock");
    close(fd);
    return lock.l_type != F_UNLCK;
}

static int client(int count, char **words) {
    if (!is_locked()) {
        fprintf(stderr, "no server\n");
        return 98;
    }
    struct sockaddr_un at = address();
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    check(connect(fd, (struct sockaddr *)&at, sizeof at) == 0, "connect");
    char line[1000] = "";
    for (int place = 0; place < count; place++) {
        strcat(line, words[place]);
        strcat(line, place + 1 < count ? " " : "");
    }
    // In two parts, so that the server may see half a line.
    size_t length = strlen(line) + 1;
    check(write(fd, line, 3) == 3 && write(fd, line + 3, length - 3) == (ssize_t)length - 3, "write");
    // The last byte is the status.
    char text[100];
    ssize_t held = 0, got;
    while ((got = read(fd, text + held, sizeof text - held)) > 0) {
        held += got;
        fwrite(text, held - 1, 1, stdout);
        text[0] = text[held - 1];
        held = 1;
    }
    check(got == 0, "read");
    return held ? text[0] : 97;
}

// ---- time steps of the simulator ----

struct frame {
    uint64_t time, value;
};

static pthread_mutex_t step_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t step_taken;
static struct frame step;
static int heard, closing;
static sem_t done;
static int modules;
static uint64_t sum = 14695981039346656037u;
static int link_fd = -1, telemetry_fd;

static uint64_t now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000u + time.tv_nsec / 1000;
}

static void *module(void *name) {
    pthread_setname_np(pthread_self(), name);
    uint64_t last = 0;
    for (;;) {
        pthread_mutex_lock(&step_lock);
        while (step.time == last && !closing) {
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_sec += 1;
            pthread_cond_timedwait(&step_taken, &step_lock, &until);
        }
        last = step.time;
        for (const char *letter = name; *letter; letter++)
            sum = (sum ^ (uint64_t)*letter ^ step.value) * 1099511628211u;
        int end = closing;
        pthread_mutex_unlock(&step_lock);
        if (end)
            return 0;
        sem_post(&done);
    }
}

static void *sender(void *unused) {
    pthread_setname_np(pthread_self(), "sim_send");
    uint64_t last = 0;
    for (;;) {
        pthread_mutex_lock(&step_lock);
        while (step.time == last && !closing)
            pthread_cond_wait(&step_taken, &step_lock);
        last = step.time;
        int waited = modules, end = closing;
        pthread_mutex_unlock(&step_lock);
        if (end)
            return 0;
        while (waited--)
            sem_wait(&done);
        struct frame answer = {last, sum ^ now_us()};
        check(send(link_fd, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer, "send");
        struct sockaddr_in station = {.sin_family = AF_INET, .sin_port = htons(14550)};
        station.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (last % 10 == 0)
            sendto(telemetry_fd, &answer, sizeof answer, 0, (struct sockaddr *)&station, sizeof station);
    }
}

static void spawn(void *(*start)(void *), void *argument, int priority) {
    pthread_t thread;
    pthread_attr_t attributes;
    struct sched_param parameters = {.sched_priority = priority};
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    check(pthread_create(&thread, &attributes, start, argument) == 0, "thread");
    pthread_attr_destroy(&attributes);
    pthread_detach(thread);
}

static void *receiver(void *unused) {
    pthread_setname_np(pthread_self(), "sim_rcv");
    struct sockaddr_in simulator = {.sin_family = AF_INET, .sin_port = htons(4560)};
    simulator.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd, one = 1;
    for (;;) {
        fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&simulator, sizeof simulator) == 0)
            break;
        close(fd);
        usleep(500);
    }
    check(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0, "nodelay");
    link_fd = fd;
    spawn(sender, 0, 99);
    struct frame frame;
    for (;;) {
        struct pollfd file = {fd, POLLIN, 0};
        check(poll(&file, 1, 1000) > 0, "poll");
        ssize_t got = recv(fd, &frame, sizeof frame, MSG_WAITALL);
        check(got == sizeof frame, "recv");
        pthread_mutex_lock(&step_lock);
        step = frame;
        heard = 1;
        closing = frame.value == UINT64_MAX;
        pthread_cond_broadcast(&step_taken);
        pthread_mutex_unlock(&step_lock);
        if (closing)
            return 0;
    }
}

// ---- the server ----

#define MOST 20
static struct {
    char name[20], value[20];
} settings[MOST];
static int setting_count;

static int setting(const char *name) {
    for (int place = 0; place < setting_count; place++)
        if (!strcmp(settings[place].name, name))
            return place;
    return -1;
}

static int perform(char *line, FILE *out) {
    char *rest, *words[4] = {"", "", "", ""};
    int count = 0;
    for (char *word = strtok_r(line, " ", &rest); word && count < 4; word = strtok_r(0, " ", &rest))
        words[count++] = word;
    if (!strcmp(words[0], "param")) {
        int place = setting(words[2]);
        if (!strcmp(words[1], "set")) {
            place = place < 0 ? setting_count++ : place;
            strcpy(settings[place].name, words[2]);
            strcpy(settings[place].value, words[3]);
            return 0;
        }
        if (place < 0)
            return 2;
        if (!strcmp(words[1], "show"))
            return fprintf(out, "%s\n", settings[place].value) < 0;
        return strcmp(settings[place].value, words[3]) != 0;
    }
    if (!strcmp(words[0], "module")) {
        pthread_mutex_lock(&step_lock);
        modules++;
        pthread_mutex_unlock(&step_lock);
        spawn(module, strdup(words[2]), atoi(words[3]));
        return 0;
    }
    if (!strcmp(words[0], "sim")) {
        spawn(receiver, 0, 99);
        pthread_mutex_lock(&step_lock);
        while (!heard)
            pthread_cond_wait(&step_taken, &step_lock);
        pthread_mutex_unlock(&step_lock);
        return 0;
    }
    if (!strcmp(words[0], "status")) {
        for (int place = 0; place < setting_count; place++)
            fprintf(out, "%s = %s\n", settings[place].name, settings[place].value);
        fprintf(out, "%d modules, heard %d at %llu us\n", modules, heard, (unsigned long long)now_us());
        usleep(1500);
        fprintf(out, "and 1500 us later at %llu us\n", (unsigned long long)now_us());
        return 5;
    }
    return 3;
}

static pthread_mutex_t clients_lock = PTHREAD_MUTEX_INITIALIZER;
static int busy[64];

static void *serve_one(void *file) {
    FILE *out = file;
    int fd = fileno(out);
    char line[1000];
    size_t length = 0;
    int bad = 0;
    while (!length || line[length - 1]) {
        ssize_t got = read(fd, line + length, sizeof line - length);
        if ((bad = got <= 0))
            break;
        length += got;
    }
    if (!bad) {
        char status = perform(line, out);
        fwrite(&status, 1, 1, out);
        fflush(out);
    }
    pthread_mutex_lock(&clients_lock);
    busy[fd] = 0;
    pthread_mutex_unlock(&clients_lock);
    shutdown(fd, SHUT_RDWR);
    return 0;
}

static int listening;

static void *serve(void *unused) {
    struct pollfd files[20] = {{listening, POLLIN, 0}};
    FILE *streams[20];
    int count = 1;
    for (;;) {
        int ready = poll(files, count, -1);
        check(ready > 0, "poll");
        pthread_mutex_lock(&clients_lock);
        if (files[0].revents & POLLIN) {
            ready--;
            int fd = accept(listening, 0, 0);
            check(fd >= 0, "accept");
            FILE *out = fdopen(fd, "w");
            check(out && fileno(out) == fd, "fdopen");
            setvbuf(out, 0, _IOLBF, BUFSIZ);
            pthread_t thread;
            busy[fd] = 1;
            check(pthread_create(&thread, 0, serve_one, out) == 0, "thread");
            pthread_detach(thread);
            streams[count] = out;
            files[count++] = (struct pollfd){fd, POLLHUP, 0};
        }
        for (int place = 1; place < count && ready > 0; place++) {
            if (!files[place].revents)
                continue;
            ready--;
            check(!busy[files[place].fd], "a client left before its answer");
            fclose(streams[place]);
            files[place] = files[--count];
            streams[place] = streams[count];
            place--;
        }
        pthread_mutex_unlock(&clients_lock);
    }
    return unused;
}

int main(int count, char **words) {
    const char *name = strrchr(words[0], '/');
    name = name ? name + 1 : words[0];
    if (!strncmp(name, PREFIX, strlen(PREFIX))) {
        words[0] = (char *)name + strlen(PREFIX);
        return client(count, words);
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&step_taken, &attributes);
    sem_init(&done, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    mkdir("log", 0777);
    telemetry_fd = socket(AF_INET, SOCK_DGRAM, 0);
    check(!is_locked(), "another server");
    struct sockaddr_un at = address();
    unlink(SOCKET);
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
    check(bind(listening, (struct sockaddr *)&at, sizeof at) == 0, "bind");
    check(listen(listening, 10) == 0, "listen");
    pthread_t thread;
    pthread_create(&thread, 0, serve, 0);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    check(fcntl(open(LOCK, O_RDWR | O_CREAT, 0666), F_SETLK, &lock) == 0, "lock");
    char path[1000], folder[500];
    snprintf(path, sizeof path, "%s:%s", getcwd(folder, sizeof folder), getenv("PATH"));
    setenv("PATH", path, 1);
    printf("begins at %llu us\n", (unsigned long long)now_us());
    fflush(stdout);
    int status = system("/bin/sh start.sh 0");
    printf("script ended with %d at %llu us\n", status, (unsigned long long)now_us());
    fflush(stdout);
    while (!closing)
        usleep(100000);
    printf("ends with %016llx\n", (unsigned long long)sum);
    return 0;
}
