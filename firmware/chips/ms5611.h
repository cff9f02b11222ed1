// MS5611: barometer on I2C. A state machine: every call does at most one step and never waits.
#ifndef CHIPS_MS5611_H
#define CHIPS_MS5611_H

#include <stdbool.h>
#include <stdint.h>

// Resets the chip, reads its calibration and checks that. False if it does not answer or the check fails.
bool ms5611_begin(void);
// To be called every loop. True when a new pressure (Pa) is there.
bool ms5611_poll(uint64_t now, float *pressure);

#endif
