#include "ports.h"
#include "../board.h"
#include "../drivers/timer.h"
#include "../drivers/uart.h"
#include "link.h"
#include "streams.h"
#include "udp.h"

#define FRAMES_PER_CALL 4

static bool radio_send(const uint8_t *frame, unsigned length, unsigned reserve)
{
    return uart_room(BOARD_TELEMETRY_UART) >= length + reserve && uart_write(BOARD_TELEMETRY_UART, frame, length);
}

static bool network_send(const uint8_t *frame, unsigned length, unsigned reserve)
{
    (void)reserve;
    return udp_send(frame, length);
}

static struct link radio = {.send = radio_send}, network = {.send = network_send};

void ports_begin(uint32_t unique)
{
    uint8_t system = (uint8_t)unique;
    link_begin(system == 0 ? 1 : system);
    uart_begin(BOARD_TELEMETRY_UART, BOARD_TELEMETRY_BAUD);
    udp_begin(unique);
    streams_begin(&radio, true);
    streams_begin(&network, false);
}

void ports_receive(void)
{
    int byte;
    while ((byte = uart_read(BOARD_TELEMETRY_UART)) >= 0) {
        uint8_t b = (uint8_t)byte;
        link_take_bytes(&radio, &b, 1);
    }
    for (unsigned i = 0; i < FRAMES_PER_CALL; i++) {
        const uint8_t *bytes;
        bool any;
        unsigned length = udp_receive(&bytes, &any);
        if (length > 0)
            link_take_datagram(&network, bytes, length);
        if (!any)
            break;
    }
}

void ports_send(void)
{
    uint64_t now = timer_micros();
    streams_step(&radio, now);
    streams_step(&network, now);
}
