// MAVLink 2 for the stand-ins of autopilots: frames, and a link to a ground station that gives orders.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEARTBEAT = 0, GLOBAL_POSITION = 33, COMMAND = 76, ACKNOWLEDGED = 77, ACTUATORS = 93, SENSORS = 107, FIX = 113, TRUTH = 115 };

static uint8_t extra(uint32_t id) {
    switch (id) {
    case HEARTBEAT: return 50;
    case GLOBAL_POSITION: return 104;
    case COMMAND: return 152;
    case ACKNOWLEDGED: return 143;
    case ACTUATORS: return 47;
    case SENSORS: return 108;
    case FIX: return 124;
    case TRUTH: return 4;
    default: return 0;
    }
}

static uint16_t check(uint16_t sum, uint8_t byte) {
    uint8_t x = byte ^ (sum & 0xff);
    x ^= x << 4;
    return (sum >> 8) ^ (x << 8) ^ (x << 3) ^ (x >> 4);
}

static uint16_t check_all(const uint8_t *bytes, int count, uint32_t id) {
    uint16_t sum = 0xffff;
    for (int i = 0; i < count; i++) sum = check(sum, bytes[i]);
    return check(sum, extra(id));
}

// A frame of the first vehicle; zeros at the end of the payload are left out.
static int frame(uint8_t *out, uint8_t *sequence, uint32_t id, const void *payload, int length) {
    const uint8_t *bytes = payload;
    while (length > 1 && bytes[length - 1] == 0) length--;
    uint8_t header[10] = {0xfd, length, 0, 0, (*sequence)++, 1, 1, id, id >> 8, id >> 16};
    memcpy(out, header, 10);
    memcpy(out + 10, payload, length);
    uint16_t sum = check_all(out + 1, 9 + length, id);
    out[10 + length] = sum;
    out[11 + length] = sum >> 8;
    return length + 12;
}

// Bytes of a stream that are not read yet.
struct stream {
    uint8_t bytes[8192];
    int count;
};

// The next whole message: its payload, filled up with zeros, and its number; -1 if there is none.
static int next_message(struct stream *in, uint8_t payload[256]) {
    int at = 0, id = -1;
    while (id < 0 && at < in->count) {
        const uint8_t *b = in->bytes + at;
        int left = in->count - at;
        if (b[0] != 0xfd) { at++; continue; }
        if (left < 12) break;
        int length = b[1];
        if (left < length + 12) break;
        uint32_t found = b[7] | b[8] << 8 | b[9] << 16;
        uint16_t sum = check_all(b + 1, 9 + length, found);
        if (b[10 + length] != (sum & 0xff) || b[11 + length] != sum >> 8) { at++; continue; }
        memset(payload, 0, 256);
        memcpy(payload, b + 10, length);
        id = found;
        at += length + 12;
    }
    memmove(in->bytes, in->bytes + at, in->count - at);
    in->count -= at;
    return id;
}

static int receive(struct stream *in, int fd) {
    int count = recv(fd, in->bytes + in->count, sizeof in->bytes - in->count, 0);
    if (count > 0) in->count += count;
    return count;
}

static struct sockaddr_in at_port(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static float number(const void *at) {
    float x;
    memcpy(&x, at, 4);
    return x;
}

static void start(void *(*work)(void *), int priority) {
    pthread_t thread;
    pthread_attr_t attributes;
    struct sched_param wanted = {.sched_priority = priority};
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &wanted);
    if (pthread_create(&thread, &attributes, work, NULL)) exit(3);
}

// What orders have made of the vehicle, and what it says of itself. The lock is that of the whole program.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int armed, flies, lands;
    double height;                  // to which it was told to climb, above where it stood
    double ground;                  // where that is above the sea
    int32_t latitude, longitude;    // degrees times 10^7
    double above;                   // metres
    int knows_place;
} vehicle;

// Who it says that it is: 12 is PX4, 3 ArduPilot. PX4 takes altitudes above the sea.
static int autopilot;
static int station_local, station_remote = 14550;

static void obey(int fd, uint8_t *sequence, const uint8_t *order) {
    uint8_t bytes[64], answer[3];
    uint16_t command = order[28] | order[29] << 8;
    answer[0] = command;
    answer[1] = command >> 8;
    answer[2] = 0;
    pthread_mutex_lock(&lock);
    switch (command) {
    case 400: vehicle.armed = number(order) == 1; break;
    case 22:
        vehicle.height = number(order + 24) - (autopilot == 12 ? vehicle.ground : 0);
        vehicle.flies = 1;
        vehicle.lands = 0;
        if (autopilot == 12 && !isnan(number(order + 16))) answer[2] = 2;
        break;
    case 21: vehicle.lands = 1; break;
    case 176: break;
    default: answer[2] = 3;
    }
    pthread_mutex_unlock(&lock);
    int length = frame(bytes, sequence, ACKNOWLEDGED, answer, 3);
    struct sockaddr_in to = at_port(station_remote);
    sendto(fd, bytes, length, 0, (struct sockaddr *)&to, sizeof to);
}

static void *talk_to_station(void *nothing) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = at_port(station_local), to = at_port(station_remote);
    if (station_local && bind(fd, (struct sockaddr *)&own, sizeof own)) exit(4);
    uint8_t sequence = 0, bytes[64], payload[256];
    struct stream in = {.count = 0};
    for (unsigned tick = 0;; tick++) {
        pthread_mutex_lock(&lock);
        uint8_t heart[9] = {0, 0, 0, 0, 2, autopilot, vehicle.armed ? 157 : 29, 4, 3};
        int32_t position[7] = {tick * 100, vehicle.latitude, vehicle.longitude,
                               1000 * (vehicle.ground + vehicle.above), 1000 * vehicle.above, 0, 0};
        int knows_place = vehicle.knows_place;
        pthread_mutex_unlock(&lock);
        if (tick % 10 == 0) {
            int length = frame(bytes, &sequence, HEARTBEAT, heart, sizeof heart);
            sendto(fd, bytes, length, 0, (struct sockaddr *)&to, sizeof to);
        }
        if (knows_place) {
            int length = frame(bytes, &sequence, GLOBAL_POSITION, position, sizeof position);
            sendto(fd, bytes, length, 0, (struct sockaddr *)&to, sizeof to);
        }
        struct timespec end, now;
        clock_gettime(CLOCK_MONOTONIC, &end);
        long long until = end.tv_sec * 1000LL + end.tv_nsec / 1000000 + 100;
        for (;;) {
            clock_gettime(CLOCK_MONOTONIC, &now);
            long long left = until - (now.tv_sec * 1000LL + now.tv_nsec / 1000000);
            struct pollfd wait = {fd, POLLIN, 0};
            if (left <= 0 || poll(&wait, 1, left) == 0) break;
            if (receive(&in, fd) < 0) continue;
            for (int id; (id = next_message(&in, payload)) >= 0;)
                if (id == COMMAND) obey(fd, &sequence, payload);
        }
    }
    return nothing;
}
