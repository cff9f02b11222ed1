// UARTs with FIFOs of 256 bytes each way. Nothing here waits.
#ifndef DRIVERS_UART_H
#define DRIVERS_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_begin(unsigned uart, uint32_t baud);
// The oldest byte that came, or -1.
int uart_read(unsigned uart);
// Bytes of room in the FIFO to be sent.
uint32_t uart_room(unsigned uart);
// Writes all bytes, or none if there is no room for all.
bool uart_write(unsigned uart, const uint8_t *bytes, uint32_t length);

#endif
