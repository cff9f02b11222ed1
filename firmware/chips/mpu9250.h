// MPU-9250: gyroscope and accelerometer, read through its FIFO.
#ifndef CHIPS_MPU9250_H
#define CHIPS_MPU9250_H

#include "../math/vector.h"
#include <stdbool.h>
#include <stdint.h>

#define MPU9250_SAMPLE_TIME 0.001f // seconds between samples in the FIFO

struct imu_reading {
    struct vector3 angular_velocity; // rad/s, body, mean of the samples
    struct vector3 specific_force;   // m/s^2, body, mean of the samples
    unsigned samples;                // taken since the last reading
    bool lost;                       // the FIFO ran over or was reset: samples are missing
};

// Resets and configures the chip. False if it does not answer as it should.
bool mpu9250_begin(void);
// Takes all samples from the FIFO. False if there was none or the bus failed.
bool mpu9250_read(struct imu_reading *reading);
// Reads one of the configuration registers back, and writes it again if it was lost.
void mpu9250_check_next_register(void);
// How often a register had been lost.
uint32_t mpu9250_register_errors(void);

// For the compass behind the chip.
bool mpu9250_write_register(uint8_t address, uint8_t value);
bool mpu9250_read_registers(uint8_t address, uint8_t *values, unsigned count);
void mpu9250_enable_auxiliary_bus(void);

#endif
