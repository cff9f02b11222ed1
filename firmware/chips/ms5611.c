// Commands: MS5611-01BA03 data sheet, p. 10. One temperature for four pressures.
#include "ms5611.h"
#include "../board.h"
#include "../drivers/i2c.h"
#include "../drivers/timer.h"
#include "ms5611_compensation.h"

#define COMMAND_RESET 0x1E
#define COMMAND_PROM 0xA0
#define COMMAND_READ 0x00
#define COMMAND_PRESSURE 0x48    // oversampling 4096
#define COMMAND_TEMPERATURE 0x58 // oversampling 4096
#define CONVERSION_TIME 9100     // us; the data sheet says 9.04 ms at most
#define RETRY_TIME 20000
#define TRANSFER_TIME 10000u     // us after which a transfer is given up
#define PRESSURES_PER_TEMPERATURE 4

static enum { IDLE, COMMANDING, CONVERTING, READING } state;
static unsigned step; // 0: temperature
static uint16_t prom[8];
static uint32_t temperature_word;
static uint64_t ready_at, started_at;
static uint8_t command[1], answer[3];

static bool send_command(uint8_t code, unsigned answer_length)
{
    command[0] = code;
    return i2c_transfer(BOARD_BAROMETER_I2C, BOARD_BAROMETER_ADDRESS, command, 1, answer, answer_length) == I2C_DONE;
}

bool ms5611_begin(void)
{
    i2c_begin(BOARD_BAROMETER_I2C, 400000);
    if (!send_command(COMMAND_RESET, 0))
        return false;
    timer_wait(4000);
    for (unsigned i = 0; i < 8; i++) {
        if (!send_command((uint8_t)(COMMAND_PROM + 2 * i), 2))
            return false;
        prom[i] = (uint16_t)(answer[0] << 8 | answer[1]);
    }
    return ms5611_prom_is_valid(prom);
}

static void start_command(uint64_t now)
{
    started_at = now;
    command[0] = step == 0 ? COMMAND_TEMPERATURE : COMMAND_PRESSURE;
    i2c_start(BOARD_BAROMETER_I2C, BOARD_BAROMETER_ADDRESS, command, 1, answer, 0);
    ready_at = now + CONVERSION_TIME;
    state = COMMANDING;
}

static bool take_answer(float *pressure)
{
    uint32_t word = (uint32_t)answer[0] << 16 | (uint32_t)answer[1] << 8 | answer[2];
    if (word == 0 || word == 0xFFFFFF) // read too early, or nobody drives the bus: convert the same again
        return false;
    bool was_pressure = step != 0;
    if (was_pressure)
        *pressure = ms5611_compensate(prom, word, temperature_word);
    else
        temperature_word = word;
    step = step == PRESSURES_PER_TEMPERATURE ? 0 : step + 1;
    return was_pressure;
}

static enum i2c_result poll_transfer(uint64_t now)
{
    enum i2c_result result = i2c_poll(BOARD_BAROMETER_I2C);
    return result == I2C_BUSY && now - started_at > TRANSFER_TIME ? I2C_FAILED : result;
}

bool ms5611_poll(uint64_t now, float *pressure)
{
    bool fresh = false;
    switch (state) {
    case IDLE:
        if (now >= ready_at)
            start_command(now);
        break;
    case COMMANDING:
        switch (poll_transfer(now)) {
        case I2C_DONE:
            state = CONVERTING;
            break;
        case I2C_FAILED:
            ready_at = now + RETRY_TIME;
            state = IDLE;
            break;
        case I2C_BUSY:
            break;
        }
        break;
    case CONVERTING:
        if (now < ready_at)
            break;
        command[0] = COMMAND_READ;
        started_at = now;
        i2c_start(BOARD_BAROMETER_I2C, BOARD_BAROMETER_ADDRESS, command, 1, answer, 3);
        state = READING;
        break;
    case READING:
        switch (poll_transfer(now)) {
        case I2C_DONE:
            fresh = take_answer(pressure);
            start_command(now);
            break;
        case I2C_FAILED:
            ready_at = now + RETRY_TIME;
            state = IDLE;
            break;
        case I2C_BUSY:
            break;
        }
        break;
    }
    return fresh;
}
