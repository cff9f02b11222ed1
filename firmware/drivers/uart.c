#include "uart.h"
#include "registers.h"

#define DATA(n) REGISTER(UART_BASE(n) + 0x00)
#define STATUS(n) REGISTER(UART_BASE(n) + 0x04)
#define ERRORS(n) REGISTER(UART_BASE(n) + 0x08)
#define BAUD(n) REGISTER(UART_BASE(n) + 0x0C)

void uart_begin(unsigned uart, uint32_t baud)
{
    BAUD(uart) = baud;
    ERRORS(uart) = 3;
}

int uart_read(unsigned uart)
{
    uint32_t data = DATA(uart);
    return data & 0x80000000u ? -1 : (int)(data & 0xFF);
}

uint32_t uart_room(unsigned uart)
{
    return STATUS(uart) >> 16;
}

bool uart_write(unsigned uart, const uint8_t *bytes, uint32_t length)
{
    if (uart_room(uart) < length)
        return false;
    for (uint32_t i = 0; i < length; i++)
        DATA(uart) = bytes[i];
    return true;
}
