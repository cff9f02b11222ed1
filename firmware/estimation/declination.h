// Magnetic declination from a coarse table, bilinear: good to about half a degree away from the magnetic poles.
#ifndef ESTIMATION_DECLINATION_H
#define ESTIMATION_DECLINATION_H

#include <stdint.h>

#define DECLINATION_STEP 10.0f // degrees
#define DECLINATION_LATITUDE -70.0f
#define DECLINATION_LONGITUDE -180.0f
#define DECLINATION_ROWS 15
#define DECLINATION_COLUMNS 37

extern const int16_t declination_table[DECLINATION_ROWS][DECLINATION_COLUMNS];

// In rad, east positive; arguments in 1e-7 deg.
float declination_at(int32_t latitude, int32_t longitude);

#endif
