// Latitude and longitude to metres around an origin, and back.
#ifndef NAVIGATION_GEODESY_H
#define NAVIGATION_GEODESY_H

#include "../math/vector.h"
#include <stdint.h>

struct location {
    int32_t latitude, longitude; // 1e-7 deg
    float altitude;              // m above mean sea level
};

struct origin {
    struct location location;
    float north_per_unit, east_per_unit; // m per 1e-7 deg there
    bool set;
};

void origin_set(struct origin *origin, struct location location);
struct vector3 origin_to_local(const struct origin *origin, struct location location);
struct location origin_to_location(const struct origin *origin, struct vector3 local);

#endif
