// I2C controllers. A transfer is started and asked about later, since the bus is slow.
#ifndef DRIVERS_I2C_H
#define DRIVERS_I2C_H

#include <stdint.h>

enum i2c_result { I2C_BUSY, I2C_DONE, I2C_FAILED };

void i2c_begin(unsigned controller, uint32_t clock);
// Writes, then reads after a repeated start; either may be of length 0. The buffers must stay until it is done.
void i2c_start(unsigned controller, unsigned chip, const uint8_t *write, uint32_t write_length, uint8_t *read, uint32_t read_length);
enum i2c_result i2c_poll(unsigned controller);
// The same, waiting for its end.
enum i2c_result i2c_transfer(unsigned controller, unsigned chip, const uint8_t *write, uint32_t write_length, uint8_t *read, uint32_t read_length);

#endif
