// Radii of curvature of the WGS-84 ellipsoid at the origin; good to 1e-4 within some tens of kilometres.
#include "geodesy.h"

#define SEMI_MAJOR 6378137.0f
#define ECCENTRICITY_SQUARED 0.00669437999f
#define UNIT RADIANS(1e-7f)

void origin_set(struct origin *origin, struct location location)
{
    float latitude = (float)location.latitude * UNIT;
    float s = sine(latitude), q = 1.0f - ECCENTRICITY_SQUARED * s * s, root = square_root(q);
    origin->location = location;
    origin->north_per_unit = UNIT * SEMI_MAJOR * (1.0f - ECCENTRICITY_SQUARED) / (q * root);
    origin->east_per_unit = UNIT * SEMI_MAJOR / root * cosine(latitude);
    origin->set = true;
}

struct vector3 origin_to_local(const struct origin *origin, struct location location)
{
    // Differences wrap as the globe does.
    int32_t north = (int32_t)((uint32_t)location.latitude - (uint32_t)origin->location.latitude);
    int64_t east = (int64_t)location.longitude - origin->location.longitude;
    if (east > 1800000000)
        east -= 3600000000LL;
    if (east < -1800000000)
        east += 3600000000LL;
    return (struct vector3){(float)north * origin->north_per_unit, (float)(int32_t)east * origin->east_per_unit, origin->location.altitude - location.altitude};
}

static int32_t nearest(float value)
{
    return (int32_t)(value + (value < 0.0f ? -0.5f : 0.5f));
}

struct location origin_to_location(const struct origin *origin, struct vector3 local)
{
    return (struct location){
        origin->location.latitude + nearest(local.x / origin->north_per_unit),
        origin->location.longitude + nearest(local.y / origin->east_per_unit),
        origin->location.altitude - local.z,
    };
}
