// The drivers: which registers they read and write, in which order, with which waits.
#include "copter.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct bus spi0, i2c1;
unsigned wrong_registers;
static pthread_mutex_t samples; // guards what the threads of the buses have measured
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_samples(void) { make_lock(&samples); }

// ---- PCA9685: 13 channels from the fourth on, with a clock of 24.576 MHz at its pin

enum { PULSES = 0x40, FIRST = 3, CHANNELS = 13 };
static double period_us;

static void pulses_write(uint8_t first, const uint8_t *values, uint16_t count) {
    uint8_t bytes[64] = {first};
    memcpy(bytes + 1, values, count);
    pthread_mutex_lock(&i2c1.lock);
    if (!i2c_transfer(i2c1.fd, PULSES, bytes, (uint16_t)(count + 1), NULL, 0, 0)) die("PCA9685");
    pthread_mutex_unlock(&i2c1.lock);
}

static void pulses_set(uint8_t where, uint8_t value) { pulses_write(where, &value, 1); }

void set_pulse_rate(unsigned hertz) {
    const double clock = 24576000;
    const uint8_t off[4] = {0};
    for (uint8_t i = 0; i < CHANNELS; i++) pulses_write((uint8_t)(0x06 + 4 * (FIRST + i)), off, 4);
    uint8_t prescale = (uint8_t)(ceil(clock / (4096.0 * hertz)) - 1);
    period_us = 4096.0 * (prescale + 1) / clock * 1e6;
    pulses_set(0xFD, 0x10);
    pulses_set(0x00, 0x10);
    pulses_set(0xFE, prescale);
    pulses_set(0x00, 0x50);
    pulses_set(0x00, 0xA0);
}

void start_pulses(void) {
    const uint8_t off[4] = {0};
    pthread_once(&once, make_samples);
    pulses_write(0xFA, off, 4);
    delay_ms(2);
    set_pulse_rate(50);
}

// One transfer with all channels.
void send_pulses(const double us[4]) {
    uint8_t all[4 * CHANNELS] = {0};
    for (int i = 0; i < 4; i++) {
        int counts = (int)lround(us[i] * 4096 / period_us) - 1;
        all[4 * i + 2] = (uint8_t)(counts & 0xFF);
        all[4 * i + 3] = (uint8_t)(counts >> 8);
    }
    pulses_write(0x06 + 4 * FIRST, all, sizeof all);
}

// ---- lights, on every bus that there could be

void look_for_lights(void) {
    static const uint8_t lights[] = {0x55, 0x38, 0x39, 0x30, 0x54};
    for (unsigned number = 0; number < 16; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/i2c-%u", number);
        int fd = number == 1 ? dup(i2c1.fd) : open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0) {
            if (errno != ENOENT) die(path);
            continue;
        }
        for (unsigned i = 0; i < sizeof lights; i++) {
            const uint8_t command[2] = {0x84, 0x00};
            make_poller_and_drop_it();
            pthread_mutex_lock(&i2c1.lock);
            if (i2c_transfer(fd, lights[i], command, 2, NULL, 0, 10)) die("a light where there is none");
            pthread_mutex_unlock(&i2c1.lock);
        }
        close(fd);
    }
}

// ---- MS5611

enum { BAROMETER = 0x77, TEMPERATURE = 0x54, PRESSURE = 0x44 };
static uint16_t prom[8];
static unsigned baro_state;
static bool discards;
static double d1, d2;
static unsigned d1_count;
static double pressure_sum;
static unsigned pressure_count;

static bool baro_command(uint8_t command) { return i2c_transfer(i2c1.fd, BAROMETER, &command, 1, NULL, 0, 0); }

// Application note AN520.
static unsigned crc4(void) {
    uint16_t words[8], remainder = 0;
    memcpy(words, prom, sizeof words);
    words[7] &= 0xFF00;
    for (unsigned i = 0; i < 16; i++) {
        remainder ^= i % 2 ? words[i / 2] & 0xFF : words[i / 2] >> 8;
        for (int bit = 0; bit < 8; bit++) remainder = (uint16_t)(remainder & 0x8000 ? remainder << 1 ^ 0x3000 : remainder << 1);
    }
    return remainder >> 12 & 0xF;
}

static void compensate(void) {
    double dt = d2 - prom[5] * 256.0, celsius = 2000 + dt * prom[6] / 8388608.0;
    double offset = prom[2] * 65536.0 + prom[4] * dt / 128, sensitivity = prom[1] * 32768.0 + prom[3] * dt / 256;
    if (celsius < 2000) {
        double below = (celsius - 2000) * (celsius - 2000);
        offset -= 5 * below / 2;
        sensitivity -= 5 * below / 4;
    }
    pthread_mutex_lock(&samples);
    pressure_sum += (d1 * sensitivity / 2097152.0 - offset) / 32768.0;
    pressure_count++;
    pthread_mutex_unlock(&samples);
}

static void baro_tick(void) {
    uint8_t command = 0, bytes[3] = {0};
    if (!i2c_transfer(i2c1.fd, BAROMETER, &command, 1, bytes, 3, 0)) return;
    uint32_t value = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    // A reading that was too early: once more, and what comes then does not count.
    unsigned next = value == 0 ? baro_state : (baro_state + 1) % 5;
    if (!baro_command(next == 0 ? TEMPERATURE : PRESSURE)) return;
    if (discards || value == 0 || value == 0xFFFFFF) {
        discards = value == 0 || value == 0xFFFFFF;
    } else if (baro_state == 0) {
        d2 = value;
    } else {
        d1 = value;
        d1_count++;
        compensate();
    }
    baro_state = next;
}

void start_barometer(void) {
    pthread_mutex_lock(&i2c1.lock);
    if (!baro_command(0x1E)) die("MS5611");
    delay_ms(4);
    for (uint8_t i = 0; i < 8; i++) {
        uint8_t command = (uint8_t)(0xA0 + 2 * i), word[2] = {0};
        if (!i2c_transfer(i2c1.fd, BAROMETER, &command, 1, word, 2, 0)) die("MS5611's calibration");
        prom[i] = (uint16_t)(word[0] << 8 | word[1]);
    }
    if (crc4() != (prom[7] & 0xF)) die("check sum of MS5611's calibration");
    baro_command(TEMPERATURE);
    delay_ms(4);
    pthread_mutex_unlock(&i2c1.lock);
    every(&i2c1, 10000, baro_tick);
}

bool take_pressure(double *pressure) {
    pthread_mutex_lock(&samples);
    bool has = pressure_count > 0;
    if (has) *pressure = pressure_sum / pressure_count;
    pressure_sum = pressure_count = 0;
    pthread_mutex_unlock(&samples);
    return has;
}

// ---- MPU-9250

static const uint32_t SLOW = 1000000, FAST = 11000000;
static uint8_t user_control;
static struct {
    uint8_t where, value;
} checked[16];
static unsigned checked_count, polls, next_checked;
static double rate_sum[3], force_sum[3];
static unsigned frames;
static int16_t warmth;

static void imu_read(uint8_t where, uint8_t *values, uint32_t count) {
    uint8_t first = where | 0x80;
    if (!spi_transfer(&spi0, &first, 1, values, count)) die("MPU-9250");
}

static uint8_t imu_get(uint8_t where) {
    uint8_t value = 0;
    imu_read(where, &value, 1);
    return value;
}

static void imu_set(uint8_t where, uint8_t value) {
    const uint8_t bytes[2] = {where, value};
    if (!spi_transfer(&spi0, bytes, 2, NULL, 0)) die("MPU-9250");
}

static void imu_set_checked(uint8_t where, uint8_t value) {
    imu_set(where, value);
    for (unsigned i = 0; i < checked_count; i++) {
        if (checked[i].where == where) {
            checked[i].value = value;
            return;
        }
    }
    checked[checked_count].where = where;
    checked[checked_count++].value = value;
}

void find_inertial_unit(void) {
    pthread_mutex_lock(&spi0.lock);
    spi_speed(SLOW);
    uint8_t who = imu_get(0x75);
    if (who != 0x71 && who != 0x73) die("this is no MPU-9250");
    int tries = 0;
    for (; tries < 5; tries++) {
        user_control = imu_get(0x6A);
        if (user_control & 0x20) {
            user_control &= (uint8_t)~0x20;
            imu_set(0x6A, user_control);
            delay_ms(10);
        }
        imu_set(0x6B, 0x80);
        delay_ms(100);
        user_control |= 0x10;
        imu_set(0x6A, user_control);
        imu_set(0x6B, 0x03);
        delay_ms(5);
        if (imu_get(0x6B) == 0x03) break;
        delay_ms(10);
        if (imu_get(0x3A) & 1) break;
    }
    if (tries == 5) die("MPU-9250 does not wake");
    pthread_mutex_unlock(&spi0.lock);
}

static void reset_fifo(void) {
    user_control &= (uint8_t)~0x44;
    imu_set(0x23, 0x00);
    imu_set(0x6A, user_control);
    imu_set(0x6A, user_control | 0x04);
    user_control |= 0x40;
    imu_set(0x6A, user_control);
    imu_set_checked(0x23, 0xF8);
}

static int16_t word(const uint8_t *bytes) { return (int16_t)(bytes[0] << 8 | bytes[1]); }

// Whether the temperature in a frame can be: else the FIFO has lost its step.
static bool is_plausible(int16_t read) {
    if (abs(read - warmth) < 400) return true;
    uint8_t bytes[2];
    imu_read(0x41, bytes, 2);
    warmth = word(bytes);
    return abs(read - warmth) < 800;
}

static bool take_frames(const uint8_t *bytes, unsigned count) {
    const double per_g = 9.80665 / 2048, per_degree = M_PI / 180 / 16.4;
    for (; count--; bytes += 14) {
        if (!is_plausible(word(bytes + 6))) return false;
        // The chip's axes are right, forward, up.
        double force[3] = {word(bytes + 2), word(bytes), -word(bytes + 4)};
        double rate[3] = {word(bytes + 10), word(bytes + 8), -word(bytes + 12)};
        pthread_mutex_lock(&samples);
        for (int i = 0; i < 3; i++) {
            force_sum[i] += force[i] * per_g;
            rate_sum[i] += rate[i] * per_degree;
        }
        frames++;
        pthread_mutex_unlock(&samples);
    }
    return true;
}

static void imu_tick(void) {
    uint8_t bytes[8 * 14];
    imu_read(0x72, bytes, 2);
    unsigned left = (unsigned)(bytes[0] << 8 | bytes[1]) / 14;
    bool resets = left > 32;
    if (resets) left = 24;
    while (left) {
        unsigned burst = left < 8 ? left : 8;
        imu_read(0x74, bytes, burst * 14);
        if (!take_frames(bytes, burst)) {
            resets = true;
            break;
        }
        left -= burst;
    }
    if (resets) reset_fifo();
    if (++polls % 20 == 0) {
        uint8_t value = imu_get(checked[next_checked].where);
        if (value != checked[next_checked].value) {
            wrong_registers++;
            imu_set(checked[next_checked].where, checked[next_checked].value);
        }
        next_checked = (next_checked + 1) % checked_count;
    }
}

void start_inertial_unit(void) {
    static const uint8_t trims[] = {0x77, 0x78, 0x7A, 0x7B, 0x7D, 0x7E};
    pthread_mutex_lock(&spi0.lock);
    spi_speed(SLOW);
    imu_set(0x6C, 0x00);
    delay_ms(1);
    reset_fifo();
    imu_set(0x34, 0x1F);
    imu_set_checked(0x1A, 0x40);
    imu_set_checked(0x1D, 0x08);
    imu_set_checked(0x19, 0x00);
    delay_ms(1);
    imu_set_checked(0x1B, 0x18);
    delay_ms(1);
    imu_get(0x0C);
    imu_set_checked(0x1C, 0x18);
    delay_ms(1);
    imu_set(0x38, 0x01);
    delay_ms(1);
    imu_set(0x37, (imu_get(0x37) | 0x30) & 0x02);
    for (unsigned i = 0; i < sizeof trims; i++) imu_set_checked(trims[i], imu_get(trims[i]));
    spi_speed(FAST);
    pthread_mutex_unlock(&spi0.lock);
    every(&spi0, 1000, imu_tick);
}

bool has_inertial(void) {
    pthread_mutex_lock(&samples);
    bool has = frames > 0;
    pthread_mutex_unlock(&samples);
    return has;
}

bool take_inertial(double rate[3], double force[3]) {
    pthread_mutex_lock(&samples);
    bool has = frames > 0;
    for (int i = 0; i < 3; i++) {
        if (has) {
            rate[i] = rate_sum[i] / frames;
            force[i] = force_sum[i] / frames;
        }
        rate_sum[i] = force_sum[i] = 0;
    }
    frames = 0;
    pthread_mutex_unlock(&samples);
    return has;
}

// ---- AK8963, behind the inertial unit's own bus

static double gain[3];
static double field_now[3];
static uint64_t field_at;

static void aux_write(uint8_t where, uint8_t value) {
    imu_set(0x27, 0);
    imu_set(0x63, value);
    imu_set(0x25, 0x0C);
    imu_set(0x26, where);
    imu_set(0x27, 0x80 | 1);
    delay_ms(10);
    imu_set(0x27, 0);
}

static void aux_read(uint8_t where, uint8_t *values, uint8_t count) {
    imu_set(0x27, 0);
    imu_set(0x25, 0x0C | 0x80);
    imu_set(0x26, where);
    imu_set(0x27, 0x80 | count);
    delay_ms(10);
    imu_read(0x49, values, count);
    imu_set(0x27, 0);
}

static void compass_tick(void) {
    uint8_t bytes[7];
    imu_read(0x49, bytes, 7);
    int16_t raw[3];
    for (int i = 0; i < 3; i++) raw[i] = (int16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    if (bytes[6] & 0x08 || (!raw[0] && !raw[1] && !raw[2])) return;
    pthread_mutex_lock(&samples);
    for (int i = 0; i < 3; i++) field_now[i] = raw[i] * gain[i] * 1.5;
    field_at = micros();
    pthread_mutex_unlock(&samples);
}

void find_compass(void) {
    uint8_t bytes[3] = {0};
    pthread_mutex_lock(&spi0.lock);
    spi_speed(SLOW);
    user_control |= 0x20;
    imu_set(0x6A, user_control);
    imu_set(0x24, 0x1D);
    imu_set(0x34, 9);
    imu_set(0x67, 0x0F);
    int tries = 0;
    for (; tries < 5; tries++) {
        aux_read(0x00, bytes, 1);
        if (bytes[0] == 0x48) break;
        delay_ms(10);
    }
    if (tries == 5) die("there is no AK8963");
    aux_write(0x0A, 0x1F);
    aux_read(0x10, bytes, 3);
    for (int i = 0; i < 3; i++) gain[i] = (bytes[i] - 128) / 256.0 + 1;
    if (!bytes[0] || !bytes[1] || !bytes[2]) die("AK8963's adjustment");
    aux_write(0x0A, 0x16);
    imu_set(0x27, 0);
    imu_set(0x25, 0x0C | 0x80);
    imu_set(0x26, 0x03);
    imu_set(0x27, 0x80 | 7);
    pthread_mutex_unlock(&spi0.lock);
    every(&spi0, 10000, compass_tick);
}

uint64_t take_field(double field[3]) {
    pthread_mutex_lock(&samples);
    memcpy(field, field_now, sizeof field_now);
    uint64_t at = field_at;
    pthread_mutex_unlock(&samples);
    return at;
}
