// Chips that never answer: a wait for them ends. Registers are memory here, which nobody changes.
#define _DEFAULT_SOURCE
#include "../drivers/i2c.h"
#include "../drivers/registers.h"
#include "../drivers/spi.h"
#include "../drivers/timer.h"
#include "check.h"
#include <sys/mman.h>

static uint64_t clock_us;
static unsigned alarms;
uint64_t timer_micros(void) { return clock_us += 10; }
void timer_wait(uint32_t micros) { clock_us += micros; }
void timer_alarm(uint64_t micros) { alarms += micros > clock_us; }
void timer_alarm_off(void) { alarms--; }

static int lay_out(uintptr_t base, size_t size)
{
    return mmap((void *)base, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == (void *)base;
}

static void a_silent_spi_is_given_up(void)
{
    uint8_t bytes[4] = {0};
    clock_us = 0;
    CHECK(!spi_transfer(0, 0, 1000000, bytes, bytes, sizeof bytes));
    CHECK(clock_us > 5000 && clock_us < 20000 && alarms == 0);
}

static void a_silent_i2c_is_given_up(void)
{
    uint8_t bytes[4] = {0};
    clock_us = 0;
    CHECK(i2c_transfer(0, 0x77, bytes, 1, bytes, 3) == I2C_FAILED);
    CHECK(clock_us > 5000 && clock_us < 20000);
}

int main(void)
{
    if (!lay_out(SPI_BASE(0), 0x1000) || !lay_out(I2C_BASE(0), 0x1000) || !lay_out(PLIC_BASE, 0x201000)) {
        printf("skipped: the addresses of the registers are taken\n");
        return 0;
    }
    a_silent_spi_is_given_up();
    a_silent_i2c_is_given_up();
    return checks_failed != 0;
}
