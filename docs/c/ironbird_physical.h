/* The physical interface over SimBricks' base protocol, for simulators written in C.
 *
 * A link is two queues of slots in shared memory; every slot begins with 64 bytes, of which the last holds the owner
 * (bit 7: set when a message is ready) and the type. How a link is established and synchronised is SimBricks' base
 * protocol; docs/src/simbricks.md explains it, crates/simbricks/tests/c/physical_host.c is a small host that uses this file.
 *
 * Fields, sizes and offsets are those of G. Mohr, Modular Full-System Simulation for Cyber-Physical Systems, 2025,
 * Listings 3 to 5. What the thesis leaves open is Ironbird's choice and marked "ours".
 *
 * Values are whole numbers of 32 bits with sign: the physical value times a factor, rounded to the nearest, and cut
 * where it does not fit. Vectors are in the body's forward, starboard, down; places in north, east, down. All numbers are
 * little-endian.
 */
#ifndef IRONBIRD_PHYSICAL_H
#define IRONBIRD_PHYSICAL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PHYSICAL_PROTOCOL 4 /* ours: upper_layer_proto of the introduction */

/* Types of messages (ours): from the physical simulation to the host ... */
#define PHYSICAL_SENSOR_CAPABILITIES 0x40
#define PHYSICAL_ACTUATOR_CAPABILITIES 0x41
#define PHYSICAL_SENSOR_READ 0x42
#define PHYSICAL_REFUSAL 0x43
/* ... and from the host to the physical simulation. */
#define PHYSICAL_SENSOR_CONFIGURATION 0x60
#define PHYSICAL_SENSOR_READ_REQUEST 0x61
#define PHYSICAL_ACTUATOR_WRITE 0x62

/* What sensors measure: number, values, unit, usual factor. */
#define PHYSICAL_ALTITUDE 0x01         /* 1, m, 1e2 */
#define PHYSICAL_TEMPERATURE 0x02      /* 1, K, 1e6 */
#define PHYSICAL_POSITION 0x03         /* latitude and longitude in degrees, altitude in m, 1e6: up to 2147 m */
#define PHYSICAL_GROUND_VELOCITY 0x04  /* 1, m/s, 1e3 */
#define PHYSICAL_HEADING 0x05          /* 1, degrees, 1e3 */
#define PHYSICAL_ORIENTATION 0x06      /* w, x, y, z, from the body to north, east, down, 1e6 */
#define PHYSICAL_ANGULAR_VELOCITY 0x07 /* 3, rad/s, 1e6 */
#define PHYSICAL_ACCELERATION 0x08     /* 3, m/s^2, as an accelerometer shows it, 1e6 */
#define PHYSICAL_MAGNETIC_FIELD 0x09   /* 3, T, 1e9 */
#define PHYSICAL_PRESSURE 0x101        /* ours: 1, Pa, 1e2 */
#define PHYSICAL_AIRSPEED 0x102        /* ours: 1, m/s, 1e3 */
#define PHYSICAL_RANGE 0x103           /* ours: 1, m, 1e3 */

/* What actuators are told (ours): one value each. */
#define PHYSICAL_PULSE_WIDTH 0x01 /* us, 1e3 */
#define PHYSICAL_SHARE 0x02       /* of what is possible, -1 to 1, 1e6 */
#define PHYSICAL_ROTOR_SPEED 0x03 /* rad/s, 1e3 */
#define PHYSICAL_ANGLE 0x04       /* rad, 1e6 */

/* Why a configuration is refused (ours). */
#define PHYSICAL_NO_SUCH_SENSOR 1
#define PHYSICAL_FREQUENCY 2
#define PHYSICAL_NO_PUSH 3
#define PHYSICAL_FACTOR 4

/* The upper layer's part of both introductions. Both sides must say the same. */
struct physical_intro {
    uint32_t device_id;
    uint32_t sensor_count;
    uint32_t actuator_count;
} __attribute__((packed));

/* The first thing that the physical simulation sends: one of every sensor, then one of every actuator. */
struct physical_sensor_capabilities {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t sensor_type;
    uint32_t sensor_id;
    uint32_t conversion_factor;
    uint32_t max_frequency; /* Hz */
    bool push_available;
    uint8_t pad[19];
    uint64_t timestamp;
    uint8_t pad_[7];
    uint8_t own_type;
} __attribute__((packed));

struct physical_actuator_capabilities {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t actuator_type;
    uint32_t actuator_id;
    int32_t min_value; /* times the factor */
    int32_t max_value;
    uint32_t conversion_factor; /* ours, in bytes that the thesis leaves empty; 0 means 1 */
    uint8_t pad[16];
    uint64_t timestamp;
    uint8_t pad_[7];
    uint8_t own_type;
} __attribute__((packed));

/* The host answers the capabilities of every sensor. */
struct physical_sensor_configuration {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t sensor_type;
    uint32_t sensor_id;
    bool push_enabled;
    uint8_t pad[3];
    uint32_t frequency;         /* Hz, where readings are pushed */
    uint32_t conversion_factor; /* ours, in bytes that the thesis leaves empty; 0: as announced */
    uint8_t pad_2[16];
    uint64_t timestamp;
    uint8_t pad_[7];
    uint8_t own_type;
} __attribute__((packed));

/* Ours: why a configuration cannot be; the link ends behind it. */
struct physical_refusal {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t sensor_type;
    uint32_t sensor_id;
    uint32_t reason;
    uint32_t limit;
    uint8_t pad[20];
    uint64_t timestamp;
    uint8_t pad_[7];
    uint8_t own_type;
} __attribute__((packed));

struct physical_sensor_read_request {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t sensor_type;
    uint32_t sensor_id;
    uint8_t pad[28];
    uint64_t timestamp;
    uint8_t pad_[7];
    uint8_t own_type;
} __attribute__((packed));

/* A reading: the answer to a request bears its req_id, one that is pushed counts them. */
struct physical_sensor_read {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t sensor_type;
    uint32_t sensor_id;
    int32_t val_1_to_7[7];
    uint64_t timestamp;
    int32_t val_8;
    uint8_t pad_[3];
    uint8_t own_type;
} __attribute__((packed));

/* What an actuator is to do until it is told otherwise. */
struct physical_actuator_write {
    uint64_t req_id;
    uint32_t device_id;
    uint32_t actuator_type;
    uint32_t actuator_id;
    int32_t val_1_to_7[7];
    uint64_t timestamp;
    int32_t val_8;
    uint8_t pad_[3];
    uint8_t own_type;
} __attribute__((packed));

#define PHYSICAL_IS_A_SLOT(type) \
    static_assert(sizeof(struct type) == 64, "64 bytes"); \
    static_assert(offsetof(struct type, timestamp) == 48, "its time stamp"); \
    static_assert(offsetof(struct type, own_type) == 63, "its owner")

PHYSICAL_IS_A_SLOT(physical_sensor_capabilities);
PHYSICAL_IS_A_SLOT(physical_actuator_capabilities);
PHYSICAL_IS_A_SLOT(physical_sensor_configuration);
PHYSICAL_IS_A_SLOT(physical_refusal);
PHYSICAL_IS_A_SLOT(physical_sensor_read_request);
PHYSICAL_IS_A_SLOT(physical_sensor_read);
PHYSICAL_IS_A_SLOT(physical_actuator_write);
static_assert(sizeof(struct physical_intro) == 12, "12 bytes");

#endif
