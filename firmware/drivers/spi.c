#include "spi.h"
#include "interrupt.h"
#include "registers.h"
#include "timer.h"

#define CLOCK(n) REGISTER(SPI_BASE(n) + 0x00)
#define CHIP(n) REGISTER(SPI_BASE(n) + 0x04)
#define WRITE_ADDRESS(n) REGISTER(SPI_BASE(n) + 0x08)
#define READ_ADDRESS(n) REGISTER(SPI_BASE(n) + 0x0C)
#define LENGTH(n) REGISTER(SPI_BASE(n) + 0x10)
#define START(n) REGISTER(SPI_BASE(n) + 0x14)
#define STATUS(n) REGISTER(SPI_BASE(n) + 0x18)
#define INTERRUPT(n) REGISTER(SPI_BASE(n) + 0x1C)
#define STATUS_DONE 2u
#define STATUS_FAILED 4u
#define PATIENCE 10000u // us; the longest transfer takes half a millisecond

void spi_begin(unsigned controller)
{
    INTERRUPT(controller) = 1;
    interrupt_enable(INTERRUPT_SPI(controller));
}

bool spi_transfer(unsigned controller, unsigned chip, uint32_t clock, const uint8_t *write, uint8_t *read, uint32_t length)
{
    CLOCK(controller) = clock;
    CHIP(controller) = chip;
    WRITE_ADDRESS(controller) = (uint32_t)(uintptr_t)write;
    READ_ADDRESS(controller) = (uint32_t)(uintptr_t)read;
    LENGTH(controller) = length;
    __asm__ volatile("" ::: "memory");
    START(controller) = 1;
    uint64_t until = timer_micros() + PATIENCE;
    timer_alarm(until);
    uint32_t status;
    while (((status = STATUS(controller)) & (STATUS_DONE | STATUS_FAILED)) == 0 && timer_micros() < until)
        interrupt_wait();
    timer_alarm_off();
    STATUS(controller) = STATUS_DONE | STATUS_FAILED;
    interrupt_acknowledge();
    __asm__ volatile("" ::: "memory");
    return (status & (STATUS_DONE | STATUS_FAILED)) == STATUS_DONE;
}
