/* A peer of the SimBricks base protocol in C, written from its byte layout alone: it shares no code with the
 * crate it tests. It exchanges NET packets in simulated time, or misbehaves on command.
 *
 *   peer listen SOCKET SHM [key=value]...     peer connect SOCKET [key=value]...
 *
 * latency, interval: picoseconds. count: packets to send, the k-th at k * latency. flags: of the introduction.
 * elen, entries: of both queues. terminate=1: ends with TERMINATE. syncs: SYNCs at time 0.
 * port: of the packets. bad: what to do wrong, at packet number `at` or in the handshake.
 *
 * Runs to (count + 2) * latency and prints `received N sum S synchronised 0|1 ended 0|1`. A packet's frame is
 * its number, as 8 bytes, and `len - 8` bytes of its number's low byte.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static uint64_t number(int argc, char **argv, const char *key, uint64_t otherwise) {
    size_t n = strlen(key);
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], key, n) && argv[i][n] == '=') return strtoull(argv[i] + n + 1, NULL, 0);
    return otherwise;
}

static const char *bad = "";

static int is(const char *what) {
    return !strcmp(bad, what);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void put64(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 8; i++) at[i] = value >> (8 * i);
}

static uint64_t get64(const uint8_t *at) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static void send_intro(int fd, uint8_t *bytes, size_t length, int pool, int pools) {
    char control[CMSG_SPACE(2 * sizeof(int))] = {0};
    struct iovec part = {bytes, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (pools > 0) {
        int fds[2] = {pool, pool};
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(pools * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(pools * sizeof(int));
        memcpy(CMSG_DATA(header), fds, pools * sizeof(int));
    }
    if (sendmsg(fd, &message, 0) != (ssize_t)length) fail("sendmsg");
}

/* The received bytes; the descriptor goes to *pool. */
static size_t receive_intro(int fd, uint8_t *bytes, size_t room, int *pool) {
    char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {bytes, room};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(fd, &message, 0);
    if (got <= 0) fail("recvmsg");
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && pool) memcpy(pool, CMSG_DATA(header), sizeof(int));
    return got;
}

struct queue {
    uint8_t *first;
    uint64_t elen, nentries, next;
};

static uint8_t *slot(struct queue *q) {
    return q->first + q->next * q->elen;
}

static void push(struct queue *q, uint64_t timestamp, uint8_t type) {
    uint8_t *s = slot(q);
    put64(s + 48, timestamp);
    __atomic_store_n(s + 63, type | 0x80, __ATOMIC_RELEASE);
    q->next = (q->next + 1) % q->nentries;
}

static void wait_free(struct queue *q) {
    while (__atomic_load_n(slot(q) + 63, __ATOMIC_ACQUIRE) & 0x80) usleep(10);
}

int main(int argc, char **argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int listens = argc > 3 && !strcmp(argv[1], "listen");
    if (!listens && (argc < 3 || strcmp(argv[1], "connect"))) return 2;
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "bad=", 4)) bad = argv[i] + 4;
    uint64_t L = number(argc, argv, "latency", 500000), S = number(argc, argv, "interval", 500000);
    uint64_t count = number(argc, argv, "count", 0), at = number(argc, argv, "at", 0);
    uint64_t flags = number(argc, argv, "flags", 1), syncs = number(argc, argv, "syncs", 1);
    uint64_t elen = number(argc, argv, "elen", 1600), entries = number(argc, argv, "entries", 8192);
    uint64_t port = number(argc, argv, "port", 0), len = number(argc, argv, "len", 64);

    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), pool = -1;
    uint8_t *map = NULL, mine[3000] = {0}, theirs[2048];
    struct queue in = {0}, out = {0};
    uint64_t peer_flags;
    put64(mine, is("version") ? 2 : 1);
    put64(mine + 8, flags);
    uint64_t protocol = is("protocol") ? 3 : 1;
    if (listens) {
        size_t queue = elen * entries, size = 2 * queue;
        pool = open(argv[3], O_CREAT | O_RDWR, 0666);
        if (pool < 0 || ftruncate(pool, is("small") ? size - 1 : is("empty") ? 0 : size) < 0) fail(argv[3]);
        map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, pool, 0);
        if (map == MAP_FAILED) fail("mmap");
        if (!is("small") && !is("empty")) memset(map, 0, size);
        in = (struct queue){map, elen, entries, 0};
        out = (struct queue){map + queue, elen, entries, 0};
        int listening = fd;
        if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 5)) fail(argv[2]);
        if (is("deaf")) pause();
        fd = accept(listening, NULL, NULL);
        if (fd < 0) fail("accept");
        close(listening);
        uint64_t l2c[3] = {is("overlap") ? queue - 64 : queue, is("elen") ? 63 : elen,
                           is("entries") ? 0 : is("overflow") ? UINT64_MAX / 8 : entries};
        uint64_t c2l[3] = {is("unaligned") ? 4 : 0, elen, entries};
        for (int i = 0; i < 3; i++) {
            put64(mine + 16 + 8 * i, l2c[i]);
            put64(mine + 40 + 8 * i, c2l[i]);
        }
        put64(mine + 64, protocol);
        put64(mine + 72, is("offset") ? 4096 : 80);
    } else {
        while (connect(fd, (struct sockaddr *)&address, sizeof address)) {
            if (errno != ENOENT && errno != ECONNREFUSED) fail(argv[2]);
            usleep(1000);
        }
        put64(mine + 16, protocol);
        put64(mine + 24, is("offset") ? 4096 : 32);
    }
    if (is("eof")) return 0;
    if (is("silent")) pause();
    size_t length = (listens ? 80 : 32) + 4;
    if (is("short")) length = listens ? 79 : 31;
    if (is("tiny")) length = 1;
    if (is("long")) length = sizeof mine;
    int pools = !listens || is("nofile") ? 0 : is("twofiles") ? 2 : 1;
    if (is("notafile")) pool = fd;
    send_intro(fd, mine, length, pool, pools);
    if (listens) {
        if (receive_intro(fd, theirs, sizeof theirs, NULL) < 32) return 1;
        peer_flags = get64(theirs + 8);
    } else {
        if (receive_intro(fd, theirs, sizeof theirs, &pool) < 80) return 1;
        peer_flags = get64(theirs + 8);
        struct stat file;
        if (fstat(pool, &file)) fail("fstat");
        map = mmap(NULL, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, pool, 0);
        if (map == MAP_FAILED) fail("mmap");
        in = (struct queue){map + get64(theirs + 16), get64(theirs + 24), get64(theirs + 32), 0};
        out = (struct queue){map + get64(theirs + 40), get64(theirs + 48), get64(theirs + 56), 0};
    }
    int synchronised = flags != 0 && peer_flags != 0, ended = 0;

    uint64_t now = 0, sent = 0, received = 0, sum = 0, in_timestamp = 0, out_timestamp = 0;
    uint64_t until = (count + 2) * L;
    while (synchronised ? now < until : (sent < count || received < count)) {
        if (sent < count && (!synchronised || now == sent * L)) {
            if (sent == at && *bad) {
                if (is("die")) _exit(3);
                if (is("stop")) pause();
                if (is("close")) {
                    close(fd);
                    pause();
                }
                wait_free(&out);
                if (is("backwards")) push(&out, now - 1, 0x00), pause();
                if (is("type")) push(&out, now + L, 0x10), pause();
                if (is("upper")) push(&out, now + L, 0x41), pause();
                if (is("longframe")) len = 60000;
                if (is("shrink") && ftruncate(pool, 2 * elen * entries - 4096) == 0) pause();
            }
            wait_free(&out);
            uint8_t *s = slot(&out);
            s[0] = len & 0xff;
            s[1] = len >> 8;
            s[2] = port;
            if (len <= out.elen - 64) {
                memset(s + 64, sent & 0xff, len);
                put64(s + 64, sent);
            }
            push(&out, now + L, 0x40);
            out_timestamp = now;
            sent++;
        }
        if (synchronised && (out_timestamp == 0 || now - out_timestamp >= S)) {
            for (uint64_t i = 0; i < (now == 0 ? syncs : 1); i++) {
                wait_free(&out);
                push(&out, now + L, 0x00);
            }
            out_timestamp = now;
        }
        for (;;) {
            uint8_t own_type = __atomic_load_n(slot(&in) + 63, __ATOMIC_ACQUIRE);
            if (!(own_type & 0x80)) {
                if (!synchronised || ended || in_timestamp > now) break;
                usleep(1);
                continue;
            }
            uint64_t stamp = get64(slot(&in) + 48);
            if ((own_type & 0x7f) == 1) {
                /* Due at once, whatever its time stamp. */
                if (stamp != L - 1) fprintf(stderr, "TERMINATE for %llu\n", (unsigned long long)stamp);
                ended = 1;
                in_timestamp = UINT64_MAX;
            } else if (synchronised) {
                in_timestamp = stamp;
                if (stamp > now) break;
            }
            if ((own_type & 0x7f) == 0x40) {
                uint8_t *s = slot(&in);
                uint64_t length = s[0] | s[1] << 8, value = get64(s + 64);
                for (uint64_t i = 8; i < length; i++)
                    if (s[64 + i] != (value & 0xff)) return 4;
                received++;
                sum += value;
            }
            __atomic_store_n(slot(&in) + 63, own_type & 0x7f, __ATOMIC_RELEASE);
            in.next = (in.next + 1) % in.nentries;
        }
        if (synchronised) {
            uint64_t next = out_timestamp + S;
            now = in_timestamp < next ? in_timestamp : next;
        }
    }
    if (number(argc, argv, "terminate", 0)) {
        wait_free(&out);
        push(&out, L - 1, 0x01);
    }
    printf("received %llu sum %llu synchronised %d ended %d\n", (unsigned long long)received,
           (unsigned long long)sum, synchronised, ended);
    fflush(stdout);
    /* Stays until it is told to go: its end would be noticed. */
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    return 0;
}
