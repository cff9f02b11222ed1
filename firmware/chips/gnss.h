// The GNSS receiver on its UART, at whatever rate it sends.
#ifndef CHIPS_GNSS_H
#define CHIPS_GNSS_H

#include "nmea.h"

void gnss_begin(uint64_t now);
// Takes what came. True if there is a new fix (or the receiver's word that it has none).
bool gnss_poll(uint64_t now, struct gnss_fix *fix);

#endif
