// The part of MAVLink 2 that a flight with a mission needs.
#include "copter.h"

#include <stdarg.h>

enum {
    HEARTBEAT = 0,
    ATTITUDE = 30,
    GLOBAL_POSITION_INT = 33,
    MISSION_CURRENT = 42,
    MISSION_COUNT = 44,
    MISSION_ACK = 47,
    MISSION_REQUEST_INT = 51,
    MISSION_ITEM_INT = 73,
    COMMAND_INT = 75,
    COMMAND_LONG = 76,
    COMMAND_ACK = 77,
    STATUSTEXT = 253,
};
enum { ACCEPTED = 0, UNSUPPORTED = 3, VEHICLE = 1, STATION = 255 };

struct item mission[MOST_ITEMS];
unsigned mission_length, mission_item;
static unsigned uploading, asked;
static uint64_t asked_at;
static struct serial *line;
static uint8_t sequence;

// Messages that come by themselves, once they were asked for.
static struct stream {
    uint32_t message;
    uint64_t interval, due;
} streams[] = {{ATTITUDE, 0, 0}, {GLOBAL_POSITION_INT, 0, 0}, {MISSION_CURRENT, 0, 0}};
enum { STREAMS = sizeof streams / sizeof *streams };

static int extra(uint32_t message) {
    switch (message) {
    case HEARTBEAT: return 50;
    case ATTITUDE: return 39;
    case GLOBAL_POSITION_INT: return 104;
    case MISSION_CURRENT: return 28;
    case MISSION_COUNT: return 221;
    case MISSION_ACK: return 153;
    case MISSION_REQUEST_INT: return 196;
    case MISSION_ITEM_INT: return 38;
    case COMMAND_INT: return 158;
    case COMMAND_LONG: return 152;
    case COMMAND_ACK: return 143;
    case STATUSTEXT: return 83;
    default: return -1;
    }
}

static uint16_t crc(const uint8_t *bytes, unsigned length, uint8_t last) {
    uint16_t sum = 0xFFFF;
    for (unsigned i = 0; i <= length; i++) {
        uint8_t byte = (uint8_t)((i < length ? bytes[i] : last) ^ (sum & 0xFF));
        byte ^= (uint8_t)(byte << 4);
        sum = (uint16_t)(sum >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4);
    }
    return sum;
}

static void send(uint32_t message, const void *payload, uint8_t length) {
    uint8_t frame[280] = {0xFD};
    const uint8_t *bytes = payload;
    while (length > 1 && !bytes[length - 1]) length--;
    frame[1] = length;
    frame[4] = sequence;
    frame[5] = VEHICLE;
    frame[6] = 1;
    frame[7] = (uint8_t)message;
    frame[8] = (uint8_t)(message >> 8);
    memcpy(frame + 10, payload, length);
    uint16_t sum = crc(frame + 1, 9u + length, (uint8_t)extra(message));
    frame[10 + length] = (uint8_t)sum;
    frame[11 + length] = (uint8_t)(sum >> 8);
    if (serial_put(line, frame, 12u + length)) sequence++;
}

void start_link(struct serial *port) { line = port; }

void tell(int severity, const char *format, ...) {
    uint8_t payload[54] = {(uint8_t)severity};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf((char *)payload + 1, 51, format, arguments);
    va_end(arguments);
    printf("%s\n", payload + 1);
    send(STATUSTEXT, payload, sizeof payload);
}

static void acknowledge(uint16_t command, int result) {
    uint8_t payload[10] = {(uint8_t)command, (uint8_t)(command >> 8), (uint8_t)result};
    payload[8] = STATION;
    payload[9] = 190;
    send(COMMAND_ACK, payload, sizeof payload);
}

static int set_interval(uint32_t message, float interval) {
    for (unsigned i = 0; i < STREAMS; i++) {
        if (streams[i].message != message) continue;
        streams[i].interval = interval > 0 ? (uint64_t)interval : 0;
        return ACCEPTED;
    }
    return UNSUPPORTED;
}

static void command(uint16_t number, const float parameters[7], const int32_t place[2]) {
    int result = UNSUPPORTED;
    switch (number) {
    case 400: result = arm(parameters[0] == 1); break;
    case 176: result = set_mode((unsigned)parameters[1]); break;
    case 22: result = take_off(parameters[6]); break;
    case 21: result = set_mode(LAND); break;
    case 20: result = set_mode(RTL); break;
    case 300: result = start_mission(); break;
    case 511: result = set_interval((uint32_t)parameters[0], parameters[1]); break;
    case 192: result = place ? go_to(place[0] * 1e-7, place[1] * 1e-7, parameters[6]) : UNSUPPORTED; break;
    }
    acknowledge(number, result);
}

static void ask_for_item(void) {
    uint8_t payload[5] = {(uint8_t)asked, (uint8_t)(asked >> 8), STATION, 190, 0};
    send(MISSION_REQUEST_INT, payload, sizeof payload);
    asked_at = micros();
}

static void take_item(const uint8_t *p) {
    uint16_t number, what;
    int32_t x, y;
    float first, z;
    memcpy(&first, p, 4);
    memcpy(&x, p + 16, 4);
    memcpy(&y, p + 20, 4);
    memcpy(&z, p + 24, 4);
    memcpy(&number, p + 28, 2);
    memcpy(&what, p + 30, 2);
    if (!uploading || number != asked) return;
    mission[number] = (struct item){what, x * 1e-7, y * 1e-7, z, first};
    if (++asked < uploading) return ask_for_item();
    mission_length = uploading;
    uploading = 0;
    uint8_t payload[4] = {STATION, 190, 0, 0};
    send(MISSION_ACK, payload, sizeof payload);
    tell(6, "Mission: %u items", mission_length);
}

static void hear(uint32_t message, const uint8_t *p) {
    float parameters[7];
    uint16_t number;
    if (message == COMMAND_LONG) {
        memcpy(parameters, p, 28);
        memcpy(&number, p + 28, 2);
        command(number, parameters, NULL);
    } else if (message == COMMAND_INT) {
        int32_t place[2];
        memcpy(parameters, p, 16);
        memcpy(place, p + 16, 8);
        memcpy(parameters + 6, p + 24, 4);
        memcpy(&number, p + 28, 2);
        command(number, parameters, place);
    } else if (message == MISSION_COUNT) {
        memcpy(&number, p, 2);
        if (number == 0 || number > MOST_ITEMS) return;
        uploading = number;
        asked = 0;
        ask_for_item();
    } else if (message == MISSION_ITEM_INT) {
        take_item(p);
    }
}

void read_link(void) {
    static uint8_t frame[280];
    static unsigned length;
    uint8_t byte;
    while (serial_get(line, &byte)) {
        if (length == 0 && byte != 0xFD) continue;
        frame[length++] = byte;
        if (length < 2 || length < 12u + frame[1]) continue;
        uint32_t message = frame[7] | (uint32_t)frame[8] << 8 | (uint32_t)frame[9] << 16;
        unsigned size = frame[1];
        length = 0;
        int last = extra(message);
        if (last < 0 || crc(frame + 1, 9 + size, (uint8_t)last) != (frame[10 + size] | frame[11 + size] << 8)) continue;
        uint8_t payload[256] = {0};
        memcpy(payload, frame + 10, size);
        hear(message, payload);
    }
    if (uploading && micros() - asked_at > 1000000) ask_for_item();
}

static void put_i16(uint8_t *p, double value) {
    int16_t number = (int16_t)lround(value);
    memcpy(p, &number, 2);
}

static void put_i32(uint8_t *p, double value) {
    int32_t number = (int32_t)llround(value);
    memcpy(p, &number, 4);
}

static void put_f32(uint8_t *p, double value) {
    float number = (float)value;
    memcpy(p, &number, 4);
}

static void show(uint32_t message) {
    uint8_t p[28] = {0};
    uint32_t ms = (uint32_t)(micros() / 1000);
    memcpy(p, &ms, 4);
    double roll, pitch, yaw;
    angles(&roll, &pitch, &yaw);
    if (message == ATTITUDE) {
        put_f32(p + 4, roll);
        put_f32(p + 8, pitch);
        put_f32(p + 12, yaw);
        for (int i = 0; i < 3; i++) put_f32(p + 16 + 4 * i, now.rate[i]);
        send(ATTITUDE, p, 28);
    } else if (message == GLOBAL_POSITION_INT) {
        const double per_degree = 111319.49;
        put_i32(p + 4, 1e7 * (home_latitude + now.position[0] / per_degree));
        put_i32(p + 8, 1e7 * (home_longitude + now.position[1] / per_degree / cos(home_latitude * M_PI / 180)));
        put_i32(p + 12, 1e3 * (home_altitude + now.position[2]));
        put_i32(p + 16, 1e3 * now.position[2]);
        put_i16(p + 20, 100 * now.speed[0]);
        put_i16(p + 22, 100 * now.speed[1]);
        put_i16(p + 24, -100 * now.speed[2]);
        send(GLOBAL_POSITION_INT, p, 28);
    } else {
        uint8_t current[2] = {(uint8_t)mission_item, 0};
        send(MISSION_CURRENT, current, 2);
    }
}

void write_link(void) {
    static uint64_t heartbeat_due;
    uint64_t time = micros();
    if (time >= heartbeat_due) {
        heartbeat_due = time + 1000000;
        // A quadrotor, ArduPilot, custom modes, active or standing by.
        uint8_t p[9] = {(uint8_t)mode, 0, 0, 0, 2, 3, (uint8_t)(1 | (is_armed ? 128 : 0)), (uint8_t)(is_armed ? 4 : 3), 3};
        send(HEARTBEAT, p, sizeof p);
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        if (!streams[i].interval || time < streams[i].due) continue;
        streams[i].due = time + streams[i].interval;
        show(streams[i].message);
    }
}
