/* A host of the physical interface in C, on docs/c/ironbird_physical.h: it shares no code with the crate it tests.
 *
 *   physical_host SOCKET DEVICE SENSORS ACTUATORS FREQUENCY UNTIL_US
 *
 * Connects, takes what is announced, has the first sensor pushed with FREQUENCY (0: none is pushed), asks for a reading
 * of every other sensor each 100 us, tells the first actuator its number of readings so far, and prints every reading:
 * `TIME METRIC ID v1 v2 v3 v8`. Latency and interval are 1 us. Ends with TERMINATE at UNTIL_US.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "ironbird_physical.h"

#define US 1000000ull /* ps */
#define LATENCY (1 * US)

static uint8_t *in, *out;
static uint64_t in_count, out_count, in_length, out_length, in_at, out_at, horizon, sent_at;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *slot(uint8_t *queue, uint64_t at, uint64_t length) {
    return queue + at * length;
}

static void send_message(uint64_t now, void *message, uint8_t type) {
    uint8_t *to = slot(out, out_at, out_length);
    _Atomic uint8_t *owner = (_Atomic uint8_t *)(to + 63);
    while (atomic_load_explicit(owner, memory_order_acquire) & 0x80) sched_yield();
    struct physical_sensor_read *bytes = message;
    bytes->timestamp = now + LATENCY;
    memcpy(to, message, 63);
    atomic_store_explicit(owner, type | 0x80, memory_order_release);
    out_at = (out_at + 1) % out_count;
    sent_at = now;
}

/* The type of the next message that is due, which is copied; -1 if there is none. */
static int receive(uint64_t now, void *message) {
    uint8_t *from = slot(in, in_at, in_length);
    _Atomic uint8_t *owner = (_Atomic uint8_t *)(from + 63);
    uint8_t type = atomic_load_explicit(owner, memory_order_acquire);
    if (!(type & 0x80)) return -1;
    memcpy(message, from, 64);
    type &= 0x7f;
    if (type == 1) {
        horizon = UINT64_MAX;
        return -1;
    }
    horizon = ((struct physical_sensor_read *)message)->timestamp;
    if (horizon > now) return -1;
    atomic_store_explicit(owner, type, memory_order_release);
    in_at = (in_at + 1) % in_count;
    return type;
}

static void meet(const char *path, struct physical_intro intro) {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) fail("connect");
    uint64_t base[4] = {1, 3, PHYSICAL_PROTOCOL, 32};
    uint8_t bytes[44], answer[2048];
    memcpy(bytes, base, 32);
    memcpy(bytes + 32, &intro, 12);
    if (send(fd, bytes, sizeof bytes, 0) != sizeof bytes) fail("send");
    char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {answer, sizeof answer};
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(fd, &header, 0) != 92 || !CMSG_FIRSTHDR(&header)) fail("recvmsg");
    int pool;
    memcpy(&pool, CMSG_DATA(CMSG_FIRSTHDR(&header)), sizeof pool);
    struct stat status;
    if (fstat(pool, &status)) fail("fstat");
    uint64_t words[10];
    memcpy(words, answer, 80);
    uint8_t *memory = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, pool, 0);
    if (memory == MAP_FAILED) fail("mmap");
    in = memory + words[2], in_length = words[3], in_count = words[4];
    out = memory + words[5], out_length = words[6], out_count = words[7];
}

int main(int argc, char **argv) {
    if (argc != 7) return 2;
    struct physical_intro intro = {atoi(argv[2]), atoi(argv[3]), atoi(argv[4])};
    uint32_t frequency = atoi(argv[5]);
    uint64_t until = strtoull(argv[6], NULL, 10) * US;
    meet(argv[1], intro);
    struct physical_sensor_capabilities sensors[8];
    struct physical_actuator_capabilities actuator = {0};
    uint32_t known = 0, readings = 0;
    uint64_t now = 0, next_poll = 100 * US, requests = 0;
    while (now < until) {
        union {
            struct physical_sensor_capabilities sensor;
            struct physical_actuator_capabilities actuator;
            struct physical_sensor_read read;
            struct physical_refusal refusal;
        } message;
        for (int type; (type = receive(now, &message)) >= 0;) {
            if (type == PHYSICAL_SENSOR_CAPABILITIES && known < 8) {
                struct physical_sensor_configuration wish = {
                    .req_id = message.sensor.req_id,
                    .device_id = message.sensor.device_id,
                    .sensor_type = message.sensor.sensor_type,
                    .sensor_id = message.sensor.sensor_id,
                    .push_enabled = known == 0 && frequency > 0,
                    .frequency = known == 0 ? frequency : 0,
                };
                sensors[known++] = message.sensor;
                send_message(now, &wish, PHYSICAL_SENSOR_CONFIGURATION);
            } else if (type == PHYSICAL_ACTUATOR_CAPABILITIES) {
                if (actuator.actuator_type == 0) actuator = message.actuator;
            } else if (type == PHYSICAL_REFUSAL) {
                printf("refused %u limit %u\n", message.refusal.reason, message.refusal.limit);
                return 0;
            } else if (type == PHYSICAL_SENSOR_READ) {
                const struct physical_sensor_read *read = &message.read;
                readings++;
                printf("%llu %u %u %d %d %d %d\n", (unsigned long long)now / US, read->sensor_type,
                       read->sensor_id, read->val_1_to_7[0], read->val_1_to_7[1], read->val_1_to_7[2],
                       read->val_8);
                struct physical_actuator_write write = {
                    .device_id = intro.device_id,
                    .actuator_type = actuator.actuator_type,
                    .actuator_id = actuator.actuator_id,
                    .val_1_to_7 = {readings * actuator.conversion_factor},
                };
                if (actuator.actuator_type) send_message(now, &write, PHYSICAL_ACTUATOR_WRITE);
            }
        }
        if (now >= next_poll) {
            next_poll += 100 * US;
            for (uint32_t n = frequency > 0; n < known; n++) {
                struct physical_sensor_read_request request = {
                    .req_id = requests++,
                    .device_id = intro.device_id,
                    .sensor_type = sensors[n].sensor_type,
                    .sensor_id = sensors[n].sensor_id,
                };
                send_message(now, &request, PHYSICAL_SENSOR_READ_REQUEST);
            }
        }
        if (now == 0 || now - sent_at >= LATENCY) {
            struct physical_sensor_read sync = {0};
            send_message(now, &sync, 0);
        }
        if (horizon <= now) {
            sched_yield();
            continue;
        }
        now = horizon < sent_at + LATENCY ? horizon : sent_at + LATENCY;
        if (next_poll < now) now = next_poll;
        if (until < now) now = until;
    }
    struct physical_sensor_read last = {0};
    send_message(now, &last, 1);
    return 0;
}
