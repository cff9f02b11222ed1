#include "sensing.h"
#include "../estimation/declination.h"
#include "../system/announcements.h"
#include "../system/parameters.h"

#define ALIGNMENT_SAMPLES 400    // loops that make a mean
#ifdef VEHICLE_PLANE
#define ALIGNMENT_TRIES 1        // then it starts although it moves: thrown already
#else
#define ALIGNMENT_TRIES 5
#endif
#define FIELD_TRIES 3            // means for which the compass is waited for
#define STILL_RATE 0.05f         // rad/s around the mean that counts as still
#define PRESSURE_SAMPLES 25
#define IMU_TIME 100000u         // us of silence after which a sensor is not healthy
#define COMPASS_TIME 250000u
#define BAROMETER_TIME 500000u
#define FIX_TIME 1200000u
#define POSITION_TIME 6000000u   // us without GNSS after which the position is lost
#define FIELD_EVERY 5            // of the readings of the compass that are used
#define HDOP_USABLE 5.0f

static struct {
    struct vector3 gyro, accel, gyro_low, gyro_high;
    unsigned count, tries;
} alignment;
static struct vector3 field_last = {1.0f, 0.0f, 0.0f}; // without a compass the nose points north
static bool field_known;
static unsigned field_count;
static float reference_pressure;
static unsigned pressure_count;
static float barometric_height;

// The standard atmosphere near the ground: h = T0/L (1 - (p/p0)^(R L / g)), T0/L = 44330.8 m, exponent 0.190263.
static float height_of_pressure(float pressure)
{
    return 44330.8f * (1.0f - power(pressure / reference_pressure, 0.190263f));
}

static void widen(float value, float *low, float *high)
{
    *low = minimum(*low, value);
    *high = maximum(*high, value);
}

static void align(struct vector3 gyro, struct vector3 accel)
{
    if (alignment.count == 0) {
        alignment.gyro = alignment.accel = (struct vector3){0.0f, 0.0f, 0.0f};
        alignment.gyro_low = alignment.gyro_high = gyro;
    }
    alignment.gyro = vector_add(alignment.gyro, gyro);
    alignment.accel = vector_add(alignment.accel, accel);
    widen(gyro.x, &alignment.gyro_low.x, &alignment.gyro_high.x);
    widen(gyro.y, &alignment.gyro_low.y, &alignment.gyro_high.y);
    widen(gyro.z, &alignment.gyro_low.z, &alignment.gyro_high.z);
    if (++alignment.count < ALIGNMENT_SAMPLES || (!field_known && vehicle.chip_compass && alignment.count < FIELD_TRIES * ALIGNMENT_SAMPLES))
        return;
    float share = 1.0f / (float)alignment.count;
    alignment.count = 0;
    struct vector3 range = vector_subtract(alignment.gyro_high, alignment.gyro_low);
    bool still = maximum(maximum(range.x, range.y), range.z) < 2.0f * STILL_RATE;
    struct vector3 bias = vector_scale(alignment.gyro, share);
    if (parameters.gyro_calibration != 0.0f && (!still || vector_length(bias) > 0.15f)) {
        if (++alignment.tries < ALIGNMENT_TRIES)
            return;
        still = false;
    }
    if (!still || parameters.gyro_calibration == 0.0f) {
        bias = (struct vector3){0.0f, 0.0f, 0.0f};
        announce(SEVERITY_WARNING, "Gyroscope not calibrated: moving");
    }
    estimator_align(&vehicle.estimate, vector_scale(alignment.accel, share), field_last, vehicle.declination, bias);
    announce(SEVERITY_INFO, "Attitude aligned");
}

void sensing_take_imu(struct vector3 angular_velocity, struct vector3 specific_force, float dt)
{
    vehicle.imu_at = vehicle.now;
    if (vehicle.estimate.aligned)
        estimator_predict(&vehicle.estimate, angular_velocity, specific_force, dt, vehicle.now);
    else
        align(angular_velocity, specific_force);
}

void sensing_take_field(struct vector3 field)
{
    vehicle.compass_at = vehicle.now;
    field_last = vector_subtract(field, (struct vector3){parameters.compass_offset_x, parameters.compass_offset_y, parameters.compass_offset_z});
    field_known = true;
    if (vehicle.estimate.aligned && ++field_count % FIELD_EVERY == 0)
        estimator_use_field(&vehicle.estimate, field_last, vehicle.declination, vehicle.now);
}

void sensing_take_pressure(float pressure)
{
    if (pressure < 10000.0f || pressure > 120000.0f)
        return;
    vehicle.barometer_at = vehicle.now;
    if (pressure_count < PRESSURE_SAMPLES) { // the mean of the first ones is height 0
        reference_pressure += (pressure - reference_pressure) / (float)++pressure_count;
        return;
    }
    barometric_height = height_of_pressure(pressure);
    if (vehicle.estimate.aligned)
        estimator_use_height(&vehicle.estimate, barometric_height, vehicle.now);
}

static float quality_factor(enum gnss_fix_type type)
{
    switch (type) {
    case GNSS_RTK_FIXED: return 0.05f;
    case GNSS_RTK_FLOAT: return 0.3f;
    case GNSS_DGPS: return 0.7f;
    case GNSS_2D: return 3.0f;
    default: return 1.0f;
    }
}

void sensing_take_fix(const struct gnss_fix *fix)
{
    vehicle.fix = *fix;
    vehicle.fix_at = vehicle.now;
    if (fix->type < GNSS_2D || fix->hdop > HDOP_USABLE || !vehicle.estimate.aligned)
        return;
    struct location location = {fix->latitude, fix->longitude, fix->altitude};
    if (!vehicle.origin.set) {
        if (fix->type < GNSS_3D)
            return;
        vehicle.declination = declination_at(fix->latitude, fix->longitude);
        struct vector3 here = {0.0f, 0.0f, vehicle.estimate.position.z};
        origin_set(&vehicle.origin, location);
        vehicle.origin.location.altitude += here.z;
        announce(SEVERITY_INFO, "Origin set by GNSS");
    }
    float deviation = parameters.gnss_position_noise * quality_factor(fix->type) * maximum(fix->hdop, 0.7f);
    struct gnss_measurement m = {
        .time = fix->time - (uint32_t)(parameters.gnss_delay * 1e6f),
        .position = origin_to_local(&vehicle.origin, location),
        .position_deviation = maximum(deviation, 0.05f),
        // Heights by satellites wander by metres; without RTK the barometer knows better for some minutes.
        .height_deviation = fix->type == GNSS_RTK_FIXED ? 2.0f * deviation : 8.0f * deviation,
        .velocity_deviation = parameters.gnss_velocity_noise,
        .has_height = fix->type >= GNSS_3D,
        .has_velocity = fix->has_course || fix->speed < 0.5f,
    };
    if (fix->has_course)
        m.velocity = (struct vector3){fix->speed * cosine(fix->course), fix->speed * sine(fix->course), 0.0f};
    estimator_use_gnss(&vehicle.estimate, &m, vehicle.now);
}

static bool heard(uint64_t at, uint32_t limit)
{
    return at != 0 && vehicle.now - at < limit;
}

// A multirotor that is not armed stands. A plane may have been thrown: only GNSS knows.
static bool stands_still(void)
{
    bool quiet = vector_length(vehicle.estimate.angular_velocity) < STILL_RATE && vector_length(vehicle.estimate.acceleration) < 0.5f;
    bool slow = vehicle.healthy.gnss && vehicle.fix.speed < 1.0f;
#ifdef VEHICLE_PLANE
    return !vehicle.armed && quiet && slow;
#else
    return !vehicle.armed && quiet && (slow || !vehicle.healthy.gnss);
#endif
}

void sensing_watch(void)
{
    vehicle.healthy.imu = heard(vehicle.imu_at, IMU_TIME);
    vehicle.healthy.compass = heard(vehicle.compass_at, COMPASS_TIME);
    vehicle.healthy.barometer = heard(vehicle.barometer_at, BAROMETER_TIME);
    vehicle.healthy.gnss = heard(vehicle.fix_at, FIX_TIME) && vehicle.fix.type >= GNSS_3D && vehicle.fix.hdop <= HDOP_USABLE;
    struct estimator *e = &vehicle.estimate;
    if (e->positioned && vehicle.now - e->gnss_used_at > POSITION_TIME)
        e->positioned = false;
    if (e->aligned && stands_still())
        estimator_use_standstill(e);
}

void sensing_set_home(void)
{
    vehicle.home = vehicle.estimate.position;
    vehicle.home_set = vehicle.estimate.positioned;
}
