// A stand-in for ArduCopter on Linux: what it does on its buses, in its threads and with its clocks, without its flight code.
//
//   hal.c      threads, locks, SPI, I2C, serial ports
//   chips.c    MPU-9250, AK8963, MS5611, PCA9685, the lights that are not there
//   receiver.c NMEA
//   mavlink.c  the ground station's messages
//   flight.c   where it is, and how it gets to where it should be
//   main.c     start, modes, mission
#pragma once
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- hal.c

enum { FIFO_TIMER = 15, FIFO_UART = 14, FIFO_RCIN = 13, FIFO_MAIN = 12, FIFO_BUS = 12, FIFO_LOG = 11, FIFO_IO = 10 };

uint64_t micros(void);
void sleep_us(uint32_t us);
void delay_ms(uint32_t ms);
void die(const char *what);

void make_lock(pthread_mutex_t *lock);
void start_thread(const char *name, int priority, void *(*run)(void *), void *argument);

// A thread that does its task so many times a second, after all are there.
struct periodic {
    const char *name;
    int priority;
    unsigned rate;
    void (*task)(void);
};
void start_periodic(struct periodic *thread);
void wait_for_all_threads(unsigned count);

// A bus, its lock, and the thread that does what is due on it.
struct timer {
    int fd;
    void (*task)(void);
};
struct bus {
    const char *name;
    pthread_mutex_t lock;
    int epoll, wake, fd;
    struct timer timers[4];
    unsigned count;
    bool is_started;
};
void make_bus(struct bus *bus, const char *name, const char *path);
void every(struct bus *bus, uint32_t us, void (*task)(void));
// What each probed address makes and throws away.
void make_poller_and_drop_it(void);

void spi_speed(uint32_t hertz);
bool spi_transfer(struct bus *bus, const uint8_t *out, uint32_t out_length, uint8_t *in, uint32_t in_length);
bool i2c_transfer(int fd, uint8_t chip, const uint8_t *out, uint16_t out_length, uint8_t *in, uint16_t in_length, unsigned retries);

struct ring {
    uint8_t bytes[8192];
    unsigned head, tail;
};
struct serial {
    const char *path;
    int fd;
    pthread_mutex_t lock;
    struct ring in, out;
};
void open_serial(struct serial *port, const char *path, uint32_t baud);
void set_speed(struct serial *port, uint32_t baud);
void serial_tick(struct serial *port);
bool serial_get(struct serial *port, uint8_t *byte);
bool serial_put(struct serial *port, const uint8_t *bytes, unsigned length);

// ---- chips.c

extern struct bus spi0, i2c1;

void start_pulses(void);
void set_pulse_rate(unsigned hertz);
void send_pulses(const double us[4]);
void look_for_lights(void);
void start_barometer(void);
void find_inertial_unit(void);
void find_compass(void);
void start_inertial_unit(void);

// Means since the last time; whether there are any. Body axes, rad/s and m/s^2.
bool take_inertial(double rate[3], double force[3]);
bool has_inertial(void);
// The last field in mG along the body's axes, and when it was measured.
uint64_t take_field(double field[3]);
// The mean pressure in Pa since the last time; whether there is one.
bool take_pressure(double *pressure);
extern unsigned wrong_registers;

// ---- receiver.c

struct fix {
    uint64_t at;
    unsigned number;
    int quality, satellites;
    double latitude, longitude, altitude; // degrees, m
    double north, east;                   // m/s
};
void start_receiver(struct serial *port, uint32_t first_baud);
void read_receiver(void);
extern struct fix fix;

// ---- mavlink.c

struct item {
    uint16_t command;
    double latitude, longitude, altitude;
    float parameter;
};
enum { MOST_ITEMS = 64 };
extern struct item mission[MOST_ITEMS];
extern unsigned mission_length, mission_item;
void start_link(struct serial *port);
void read_link(void);
void write_link(void);
void tell(int severity, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- flight.c

struct state {
    double q[4];                  // body to north, east, down
    double rate[3];               // rad/s
    double position[3], speed[3]; // from home: north, east, up
    bool is_level, uses_fixes, has_heading, has_compass;
};
extern struct state now;
void estimate(double dt);
// Flies towards a place, or sinks; thrust and moments become widths of pulses. Without `spins` they are the lowest.
struct wish {
    double place[3];
    bool sinks, spins;
};
void control(double dt, const struct wish *wish, double us[4]);
void forget_integral(void);
bool looks_landed(void);
void home_here(void);
extern double home_latitude, home_longitude, home_altitude;
void offset_of(double latitude, double longitude, double *north, double *east);
void angles(double *roll, double *pitch, double *yaw);

// ---- main.c

enum mode { STABILIZE = 0, AUTO = 3, GUIDED = 4, RTL = 6, LAND = 9, THROW = 18 };
extern enum mode mode;
extern bool is_armed;
// They answer with the number of a MAV_RESULT.
int arm(bool arms);
int set_mode(unsigned number);
int take_off(double altitude);
int start_mission(void);
int go_to(double latitude, double longitude, double altitude);
double parameter(const char *name, double otherwise);
