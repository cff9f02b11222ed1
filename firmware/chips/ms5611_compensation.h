// What the words of an MS5611 mean.
#ifndef CHIPS_MS5611_COMPENSATION_H
#define CHIPS_MS5611_COMPENSATION_H

#include <stdbool.h>
#include <stdint.h>

bool ms5611_prom_is_valid(const uint16_t prom[8]);
// Pressure in Pa from the two conversions D1 and D2; prom[1] to prom[6] are C1 to C6.
float ms5611_compensate(const uint16_t prom[8], uint32_t d1, uint32_t d2);

#endif
