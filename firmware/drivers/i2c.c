#include "i2c.h"
#include "interrupt.h"
#include "registers.h"
#include "timer.h"

#define CLOCK(n) REGISTER(I2C_BASE(n) + 0x00)
#define CHIP(n) REGISTER(I2C_BASE(n) + 0x04)
#define WRITE_ADDRESS(n) REGISTER(I2C_BASE(n) + 0x08)
#define WRITE_LENGTH(n) REGISTER(I2C_BASE(n) + 0x0C)
#define READ_ADDRESS(n) REGISTER(I2C_BASE(n) + 0x10)
#define READ_LENGTH(n) REGISTER(I2C_BASE(n) + 0x14)
#define START(n) REGISTER(I2C_BASE(n) + 0x18)
#define STATUS(n) REGISTER(I2C_BASE(n) + 0x1C)
#define STATUS_DONE 2u
#define STATUS_FAILED 4u
#define STATUS_NOT_ACKNOWLEDGED 8u
#define PATIENCE 10000u // us

void i2c_begin(unsigned controller, uint32_t clock)
{
    CLOCK(controller) = clock;
}

void i2c_start(unsigned controller, unsigned chip, const uint8_t *write, uint32_t write_length, uint8_t *read, uint32_t read_length)
{
    CHIP(controller) = chip;
    WRITE_ADDRESS(controller) = (uint32_t)(uintptr_t)write;
    WRITE_LENGTH(controller) = write_length;
    READ_ADDRESS(controller) = (uint32_t)(uintptr_t)read;
    READ_LENGTH(controller) = read_length;
    __asm__ volatile("" ::: "memory");
    START(controller) = 1;
}

enum i2c_result i2c_poll(unsigned controller)
{
    uint32_t status = STATUS(controller);
    __asm__ volatile("" ::: "memory");
    if ((status & (STATUS_DONE | STATUS_FAILED)) == 0)
        return I2C_BUSY;
    STATUS(controller) = STATUS_DONE | STATUS_FAILED | STATUS_NOT_ACKNOWLEDGED;
    return (status & (STATUS_FAILED | STATUS_NOT_ACKNOWLEDGED)) == 0 ? I2C_DONE : I2C_FAILED;
}

enum i2c_result i2c_transfer(unsigned controller, unsigned chip, const uint8_t *write, uint32_t write_length, uint8_t *read, uint32_t read_length)
{
    i2c_start(controller, chip, write, write_length, read, read_length);
    uint64_t until = timer_micros() + PATIENCE;
    enum i2c_result result;
    while ((result = i2c_poll(controller)) == I2C_BUSY && timer_micros() < until)
        timer_wait(50);
    return result == I2C_BUSY ? I2C_FAILED : result;
}
