/* The SimBricks base protocol in plain C, waiting by spinning as its own programs do: what Ironbird's
 * channel is measured against. No payload: processes only tell each other how far they have come.
 *
 *   simbricks_spin [latency=NS] [interval=NS] [elen=BYTES] [entries=N] [until=NS] [seconds=S] LINK...
 *
 * A LINK is `listen:SOCKET:SHM` or `connect:SOCKET`; a process may have up to 64. It ends when its
 * simulated time reaches `until` or its wall time `seconds`, and then tells its peers, which end too.
 * Prints `steps N seconds X`: how often its time advanced, and the wall time that took.
 *
 * cc -O3 -o simbricks_spin simbricks_spin.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { LINKS = 64, SYNC = 0, TERMINATE = 1, READY = 0x80, TYPE = 0x7f, PROTO_BASE = 0 };

struct slot {
    uint8_t fields[48];
    uint64_t timestamp;
    uint8_t pad[7];
    uint8_t own_type;
};

struct listener_intro {
    uint64_t version, flags;
    uint64_t l2c_offset, l2c_elen, l2c_nentries;
    uint64_t c2l_offset, c2l_elen, c2l_nentries;
    uint64_t proto, upper_off;
    uint32_t dummy;
} __attribute__((packed));

struct connecter_intro {
    uint64_t version, flags, proto, upper_off;
    uint32_t dummy;
} __attribute__((packed));

struct queue {
    uint8_t *first;
    uint64_t elen, nentries, next;
};

struct link {
    int listen_fd, fd, pool_fd;
    const char *socket, *shm;
    uint8_t *pool;
    struct queue in, out;
    uint64_t in_timestamp, out_timestamp;
};

static uint64_t latency = 500, interval = 500, elen = 1600, entries = 8192, until = UINT64_MAX;
static double seconds = 1e18;
static struct link links[LINKS];
static int count;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static struct sockaddr_un address(const char *path) {
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof addr.sun_path) {
        fprintf(stderr, "%s: too long\n", path);
        exit(1);
    }
    strcpy(addr.sun_path, path);
    return addr;
}

static void start_listening(struct link *l) {
    size_t size = 2 * elen * entries;
    unlink(l->shm);
    l->pool_fd = open(l->shm, O_CREAT | O_RDWR, 0666);
    if (l->pool_fd < 0 || ftruncate(l->pool_fd, size) < 0) fail(l->shm);
    l->pool = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, l->pool_fd, 0);
    if (l->pool == MAP_FAILED) fail("mmap");
    memset(l->pool, 0, size);
    l->in = (struct queue){l->pool, elen, entries, 0};
    l->out = (struct queue){l->pool + elen * entries, elen, entries, 0};
    struct sockaddr_un addr = address(l->socket);
    l->listen_fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(l->listen_fd, (struct sockaddr *)&addr, sizeof addr) < 0 || listen(l->listen_fd, 5) < 0)
        fail(l->socket);
}

static void start_connecting(struct link *l) {
    struct sockaddr_un addr = address(l->socket);
    l->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    while (connect(l->fd, (struct sockaddr *)&addr, sizeof addr) < 0) {
        if (errno != ENOENT && errno != ECONNREFUSED) fail(l->socket);
        usleep(1000);
    }
    struct connecter_intro intro = {1, 3, PROTO_BASE, 32, 0};
    if (send(l->fd, &intro, sizeof intro, 0) != sizeof intro) fail("send");
}

static void accept_peer(struct link *l) {
    l->fd = accept(l->listen_fd, NULL, NULL);
    if (l->fd < 0) fail("accept");
    close(l->listen_fd);
    struct listener_intro intro = {1, 3, elen * entries, elen, entries, 0, elen, entries, PROTO_BASE, 80, 0};
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&intro, sizeof intro};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &l->pool_fd, sizeof(int));
    if (sendmsg(l->fd, &message, 0) != sizeof intro) fail("sendmsg");
}

static void receive_intro(struct link *l) {
    char buffer[2048], control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {buffer, sizeof buffer};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(l->fd, &message, 0);
    if (l->shm) {
        struct connecter_intro intro;
        if (got < (ssize_t)sizeof intro) fail("short introduction");
        return;
    }
    struct listener_intro intro;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (got < (ssize_t)sizeof intro || !header) fail("short introduction");
    memcpy(&intro, buffer, sizeof intro);
    memcpy(&l->pool_fd, CMSG_DATA(header), sizeof(int));
    struct stat file;
    if (fstat(l->pool_fd, &file) < 0) fail("fstat");
    l->pool = mmap(NULL, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, l->pool_fd, 0);
    if (l->pool == MAP_FAILED) fail("mmap");
    l->in = (struct queue){l->pool + intro.l2c_offset, intro.l2c_elen, intro.l2c_nentries, 0};
    l->out = (struct queue){l->pool + intro.c2l_offset, intro.c2l_elen, intro.c2l_nentries, 0};
}

static inline struct slot *next_slot(struct queue *q) {
    return (struct slot *)(q->first + q->next * q->elen);
}

static inline void advance(struct queue *q) {
    q->next = (q->next + 1) % q->nentries;
}

/* Spins while the queue is full. */
static void push(struct link *l, uint64_t timestamp, uint8_t type) {
    struct slot *slot = next_slot(&l->out);
    while (__atomic_load_n(&slot->own_type, __ATOMIC_ACQUIRE) & READY) {
    }
    slot->timestamp = timestamp;
    __atomic_store_n(&slot->own_type, type | READY, __ATOMIC_RELEASE);
    advance(&l->out);
}

/* Takes one message that is due at `now`; 0 if there is none, -1 at the end of the link. */
static inline int poll_link(struct link *l, uint64_t now) {
    struct slot *slot = next_slot(&l->in);
    uint8_t own_type = __atomic_load_n(&slot->own_type, __ATOMIC_ACQUIRE);
    if (!(own_type & READY)) return 0;
    if ((own_type & TYPE) == TERMINATE) return -1;
    l->in_timestamp = slot->timestamp;
    if (l->in_timestamp > now) return 0;
    __atomic_store_n(&slot->own_type, own_type & TYPE, __ATOMIC_RELEASE);
    advance(&l->in);
    return 1;
}

/* One step: tell the peers, then wait until all are past `now`. -1 at the end. */
static int step(uint64_t *now, double end, uint64_t *polls) {
    for (int i = 0; i < count; i++) {
        struct link *l = &links[i];
        if (l->out_timestamp == 0 || *now - l->out_timestamp >= interval) {
            push(l, *now + latency, SYNC);
            l->out_timestamp = *now;
        }
    }
    uint64_t earliest;
    do {
        earliest = UINT64_MAX;
        for (int i = 0; i < count; i++) {
            int got;
            while ((got = poll_link(&links[i], *now)) > 0) {
            }
            if (got < 0) return -1;
            if (links[i].in_timestamp < earliest) earliest = links[i].in_timestamp;
        }
        if ((++*polls & 0xffff) == 0 && wall() > end) return -1;
    } while (earliest <= *now);
    *now = earliest;
    for (int i = 0; i < count; i++)
        if (links[i].out_timestamp + interval < *now) *now = links[i].out_timestamp + interval;
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *text = argv[i];
        if (!strncmp(text, "latency=", 8)) latency = strtoull(text + 8, NULL, 10);
        else if (!strncmp(text, "interval=", 9)) interval = strtoull(text + 9, NULL, 10);
        else if (!strncmp(text, "elen=", 5)) elen = strtoull(text + 5, NULL, 10);
        else if (!strncmp(text, "entries=", 8)) entries = strtoull(text + 8, NULL, 10);
        else if (!strncmp(text, "until=", 6)) until = strtoull(text + 6, NULL, 10) * 1000;
        else if (!strncmp(text, "seconds=", 8)) seconds = atof(text + 8);
        else if (!strncmp(text, "connect:", 8) && count < LINKS) links[count++].socket = text + 8;
        else if (!strncmp(text, "listen:", 7) && strchr(text + 7, ':') && count < LINKS) {
            char *colon = strchr(text + 7, ':');
            *colon = 0;
            links[count].socket = text + 7;
            links[count++].shm = colon + 1;
        } else {
            fprintf(stderr, "not understood: %s\n", text);
            return 2;
        }
    }
    latency *= 1000;
    interval *= 1000;
    for (int i = 0; i < count; i++)
        if (links[i].shm) start_listening(&links[i]);
    for (int i = 0; i < count; i++)
        if (!links[i].shm) start_connecting(&links[i]);
    for (int i = 0; i < count; i++)
        if (links[i].shm) accept_peer(&links[i]);
    for (int i = 0; i < count; i++) receive_intro(&links[i]);

    uint64_t now = 0, steps = 0, polls = 0;
    double start = wall();
    while (now < until && step(&now, start + seconds, &polls) == 0) steps++;
    double took = wall() - start;
    for (int i = 0; i < count; i++) push(&links[i], latency - 1, TERMINATE);
    for (int i = 0; i < count; i++)
        if (links[i].shm) {
            unlink(links[i].socket);
            unlink(links[i].shm);
        }
    printf("steps %llu seconds %.6f\n", (unsigned long long)steps, took);
    return 0;
}
