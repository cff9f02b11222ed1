// Register numbers: MPU-9250 register map, RM-MPU-9250A-00. The order of the steps is that of ArduPilot's driver.
#include "mpu9250.h"
#include "../board.h"
#include "../drivers/spi.h"
#include "../drivers/timer.h"
#include "../drivers/watchdog.h"
#include "../system/memory.h"

enum {
    SMPLRT_DIV = 0x19, CONFIG = 0x1A, GYRO_CONFIG = 0x1B, ACCEL_CONFIG = 0x1C, ACCEL_CONFIG2 = 0x1D, FIFO_EN = 0x23,
    INT_ENABLE = 0x38, ACCEL_XOUT_H = 0x3B, USER_CTRL = 0x6A, PWR_MGMT_1 = 0x6B, PWR_MGMT_2 = 0x6C, FIFO_COUNTH = 0x72, FIFO_R_W = 0x74, WHO_AM_I = 0x75,
};

#define USER_CTRL_I2C_IF_DIS 0x10
#define USER_CTRL_I2C_MST_EN 0x20
#define USER_CTRL_FIFO_RST 0x04
#define USER_CTRL_FIFO_EN 0x40
#define READ 0x80

#define CLOCK_CONFIGURATION 1000000u // all registers
#define CLOCK_SENSORS 11000000u      // sensor data only
#define FRAME_SIZE 14                // AX AY AZ T GX GY GZ, big-endian
#define FIFO_SIZE 512
#define EMPTY_READINGS 4             // in a row, after which the FIFO is not waited for
#define EMPTY_READINGS_TO_RESET 400
#define FRAMES_MAX (FIFO_SIZE / FRAME_SIZE)

#define SCALE_GYRO (PI / 180.0f / 16.4f) // 2000 deg/s
#define SCALE_ACCEL (GRAVITY / 2048.0f)  // 16 g

// What is written once and read back one by one, for ever.
static const struct {
    uint8_t address, value;
} checked[] = {
    {FIFO_EN, 0xF8},     // temperature, gyroscope and accelerometer
    {CONFIG, 0x41},      // FIFO stops when full; gyroscope 184 Hz, sampled at 1 kHz
    {ACCEL_CONFIG2, 1},  // 218 Hz
    {SMPLRT_DIV, 0},     // 1 kHz
    {GYRO_CONFIG, 0x18}, // 2000 deg/s
    {ACCEL_CONFIG, 0x18} // 16 g
};
#define CHECKED_COUNT (sizeof checked / sizeof checked[0])

static uint8_t sent[FIFO_SIZE + 4], received[FIFO_SIZE + 4];
static uint8_t user_control;
static unsigned next_checked, empty_readings;
static uint32_t register_errors;

static bool transfer(uint32_t clock, unsigned length)
{
    return spi_transfer(BOARD_IMU_SPI, BOARD_IMU_CHIP_SELECT, clock, sent, received, length);
}

bool mpu9250_write_register(uint8_t address, uint8_t value)
{
    sent[0] = address;
    sent[1] = value;
    return transfer(CLOCK_CONFIGURATION, 2);
}

static bool read_burst(uint32_t clock, uint8_t address, unsigned count)
{
    memset(sent, 0, count + 1);
    sent[0] = address | READ;
    return transfer(clock, count + 1);
}

bool mpu9250_read_registers(uint8_t address, uint8_t *values, unsigned count)
{
    if (!read_burst(CLOCK_CONFIGURATION, address, count))
        return false;
    memcpy(values, received + 1, count);
    return true;
}

static uint8_t read_register(uint8_t address)
{
    uint8_t value = 0;
    mpu9250_read_registers(address, &value, 1);
    return value;
}

static void reset_fifo(void)
{
    mpu9250_write_register(FIFO_EN, 0);
    mpu9250_write_register(USER_CTRL, user_control);
    mpu9250_write_register(USER_CTRL, user_control | USER_CTRL_FIFO_RST);
    mpu9250_write_register(USER_CTRL, user_control | USER_CTRL_FIFO_EN);
    mpu9250_write_register(FIFO_EN, 0xF8);
}

void mpu9250_enable_auxiliary_bus(void)
{
    user_control |= USER_CTRL_I2C_MST_EN;
    mpu9250_write_register(USER_CTRL, user_control | USER_CTRL_FIFO_EN);
}

static bool wake_up(void)
{
    uint8_t control = read_register(USER_CTRL);
    if (control & USER_CTRL_I2C_MST_EN) {
        mpu9250_write_register(USER_CTRL, control & (uint8_t)~USER_CTRL_I2C_MST_EN);
        timer_wait(10000);
    }
    mpu9250_write_register(PWR_MGMT_1, 0x80); // reset
    timer_wait(100000);
    watchdog_feed();
    user_control = USER_CTRL_I2C_IF_DIS;
    mpu9250_write_register(USER_CTRL, user_control);
    mpu9250_write_register(PWR_MGMT_1, 0x03); // clock from the gyroscope
    timer_wait(5000);
    return read_register(PWR_MGMT_1) == 0x03;
}

bool mpu9250_begin(void)
{
    spi_begin(BOARD_IMU_SPI);
    uint8_t identity = read_register(WHO_AM_I);
    if (identity != 0x71 && identity != 0x73)
        return false;
    unsigned tries = 0;
    while (!wake_up())
        if (++tries == 5)
            return false;
    mpu9250_write_register(PWR_MGMT_2, 0);
    timer_wait(1000);
    for (unsigned i = 0; i < CHECKED_COUNT; i++)
        mpu9250_write_register(checked[i].address, checked[i].value);
    mpu9250_write_register(INT_ENABLE, 1);
    reset_fifo();
    return true;
}

static int16_t word(const uint8_t *bytes)
{
    return (int16_t)(bytes[0] << 8 | bytes[1]);
}

// The mean of frames that were just received.
static void take_frames(struct imu_reading *reading, unsigned frames)
{
    int32_t accel[3] = {0}, gyro[3] = {0};
    for (unsigned frame = 0; frame < frames; frame++) {
        const uint8_t *data = received + 1 + frame * FRAME_SIZE;
        for (unsigned axis = 0; axis < 3; axis++) {
            accel[axis] += word(data + 2 * axis);
            gyro[axis] += word(data + 8 + 2 * axis);
        }
    }
    float accel_scale = SCALE_ACCEL / (float)frames, gyro_scale = SCALE_GYRO / (float)frames;
    reading->specific_force = vector_scale(BOARD_FROM_IMU((float)accel[0], (float)accel[1], (float)accel[2]), accel_scale);
    reading->angular_velocity = vector_scale(BOARD_FROM_IMU((float)gyro[0], (float)gyro[1], (float)gyro[2]), gyro_scale);
}

// A FIFO that stays empty is reset now and then. Until it recovers the registers of the sensors, which have the layout
// of a frame, are read instead.
static bool read_without_fifo(struct imu_reading *reading)
{
    if (++empty_readings < EMPTY_READINGS)
        return false;
    if (empty_readings % EMPTY_READINGS_TO_RESET == 0)
        reset_fifo();
    if (!read_burst(CLOCK_SENSORS, ACCEL_XOUT_H, FRAME_SIZE))
        return false;
    take_frames(reading, 1);
    reading->samples = 1;
    reading->lost = true;
    return true;
}

bool mpu9250_read(struct imu_reading *reading)
{
    if (!read_burst(CLOCK_SENSORS, FIFO_COUNTH, 2))
        return false;
    unsigned bytes = (unsigned)received[1] << 8 | received[2];
    if (bytes > FIFO_SIZE) // there is no chip: all ones
        return false;
    unsigned frames = bytes / FRAME_SIZE;
    if (frames == 0)
        return read_without_fifo(reading);
    empty_readings = 0;
    if (!read_burst(CLOCK_SENSORS, FIFO_R_W, frames * FRAME_SIZE))
        return false;
    take_frames(reading, frames);
    reading->samples = frames;
    reading->lost = frames >= FRAMES_MAX;
    if (reading->lost)
        reset_fifo();
    return true;
}

void mpu9250_check_next_register(void)
{
    if (read_register(checked[next_checked].address) != checked[next_checked].value) {
        mpu9250_write_register(checked[next_checked].address, checked[next_checked].value);
        register_errors++;
    }
    next_checked = (next_checked + 1) % CHECKED_COUNT;
}

uint32_t mpu9250_register_errors(void)
{
    return register_errors;
}
