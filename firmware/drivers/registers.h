// Where the peripherals are: docs/src/computer.md, "Memory map".
#ifndef DRIVERS_REGISTERS_H
#define DRIVERS_REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define CLINT_BASE 0x02000000u
#define PLIC_BASE 0x0C000000u
#define UART_BASE(n) (0x10000000u + 0x1000u * (n))
#define SPI_BASE(n) (0x10010000u + 0x1000u * (n))
#define I2C_BASE(n) (0x10020000u + 0x1000u * (n))
#define GPIO_BASE 0x10030000u
#define PWM_BASE 0x10040000u
#define NIC_BASE 0x10050000u
#define WATCHDOG_BASE 0x10060000u
#define SYSTEM_BASE 0x10070000u
#define RAM_BASE 0x80000000u

// Sources of the PLIC.
#define INTERRUPT_SPI(n) (5 + (n))
#define INTERRUPT_I2C(n) (7 + (n))

#endif
