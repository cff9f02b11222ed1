#include "gnss.h"
#include "../board.h"
#include "../drivers/uart.h"

static const uint32_t bauds[] = {115200, 9600, 4800, 19200, 38400, 57600, 230400, 460800};
#define BAUD_COUNT (sizeof bauds / sizeof bauds[0])
#define TIME_PER_BAUD 1200000u // us
#define TIME_TO_SEARCH_AGAIN 4000000u

static struct nmea nmea;
static unsigned baud;
static uint32_t sentences_seen;
static uint64_t heard_at, tried_at;

void gnss_begin(uint64_t now)
{
    uart_begin(BOARD_GNSS_UART, bauds[baud]);
    tried_at = heard_at = now;
}

static void search_baud(uint64_t now)
{
    if (nmea.valid_sentences != sentences_seen) {
        sentences_seen = nmea.valid_sentences;
        heard_at = tried_at = now;
    } else if (now - heard_at > (sentences_seen != 0 ? TIME_TO_SEARCH_AGAIN : 0) && now - tried_at > TIME_PER_BAUD) {
        baud = (baud + 1) % BAUD_COUNT;
        uart_begin(BOARD_GNSS_UART, bauds[baud]);
        tried_at = now;
    }
}

bool gnss_poll(uint64_t now, struct gnss_fix *fix)
{
    bool fresh = false;
    int byte;
    while ((byte = uart_read(BOARD_GNSS_UART)) >= 0)
        fresh |= nmea_take(&nmea, (uint8_t)byte, now, fix);
    search_baud(now);
    return fresh;
}
