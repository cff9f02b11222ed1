#include "nmea.h"
#include "../math/scalar.h"

#define PAIRING_TIME 150000u // us within which RMC and GGA belong together
#define GSA_TIME 5000000u    // us for which the last GSA is believed
#define KNOT (1852.0f / 3600.0f)

// An integer and its decimals as one number, exact: "12.345" with 4 decimals is 123450. False if it is not a number.
static bool parse_decimal(const char *text, unsigned decimals, int64_t *value)
{
    bool negative = *text == '-', point = false, digits = false;
    int64_t result = 0;
    if (negative)
        text++;
    for (; *text != 0; text++) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            digits = true;
            if (point && decimals == 0)
                continue;
            if (result > 100000000000000LL)
                return false;
            result = result * 10 + (*text - '0');
            if (point)
                decimals--;
        } else {
            return false;
        }
    }
    for (; decimals > 0; decimals--)
        result *= 10;
    *value = negative ? -result : result;
    return digits;
}

static bool parse_float(const char *text, float *value)
{
    int64_t thousandths;
    if (!parse_decimal(text, 3, &thousandths))
        return false;
    *value = (float)(int32_t)thousandths * 0.001f;
    return true;
}

static unsigned parse_unsigned(const char *text)
{
    int64_t value;
    return parse_decimal(text, 0, &value) && value >= 0 && value < 1000 ? (unsigned)value : 0;
}

// dddmm.mmmm and its hemisphere to 1e-7 deg.
static bool parse_angle(const char *text, const char *hemisphere, char negative, int32_t *angle)
{
    int64_t value;
    if (!parse_decimal(text, 7, &value) || value < 0 || value > 1800000000000LL)
        return false;
    int64_t degrees = value / 1000000000, minutes = value - degrees * 1000000000; // of 1e-7 minutes
    int32_t result = (int32_t)(degrees * 10000000 + (minutes + 30) / 60);
    *angle = hemisphere[0] == negative ? -result : result;
    return true;
}

static bool kind_is(const char *sentence, const char *kind)
{
    return sentence[2] == kind[0] && sentence[3] == kind[1] && sentence[4] == kind[2];
}

static unsigned split(char *sentence, const char *fields[NMEA_FIELDS_MAX])
{
    unsigned count = 0;
    fields[count++] = sentence;
    for (char *c = sentence; *c != 0; c++) {
        if (*c != ',')
            continue;
        *c = 0;
        if (count < NMEA_FIELDS_MAX)
            fields[count++] = c + 1;
    }
    for (unsigned i = count; i < NMEA_FIELDS_MAX; i++)
        fields[i] = "";
    return count;
}

static void take_speed(struct nmea *nmea, const char *knots, const char *course)
{
    float value, degrees;
    if (parse_float(knots, &value))
        nmea->building.speed = value * KNOT;
    nmea->building.has_course = parse_float(course, &degrees);
    if (nmea->building.has_course)
        nmea->building.course = RADIANS(degrees);
}

static void take_sentence(struct nmea *nmea)
{
    const char *f[NMEA_FIELDS_MAX];
    unsigned count = split(nmea->sentence, f);
    struct gnss_fix *fix = &nmea->building;
    uint64_t time = nmea->sentence_time;
    if (kind_is(f[0], "RMC") && count >= 10) {
        nmea->rmc_valid = f[2][0] == 'A' && parse_angle(f[3], f[4], 'S', &fix->latitude) && parse_angle(f[5], f[6], 'W', &fix->longitude);
        take_speed(nmea, f[7], f[8]);
        nmea->rmc_time = time;
        nmea->rmc_new = true;
    } else if (kind_is(f[0], "GGA") && count >= 10) {
        nmea->quality = parse_unsigned(f[6]);
        bool position = parse_angle(f[2], f[3], 'S', &fix->latitude) && parse_angle(f[4], f[5], 'W', &fix->longitude);
        if (!position)
            nmea->quality = 0;
        fix->satellites = parse_unsigned(f[7]);
        if (!parse_float(f[8], &fix->hdop))
            fix->hdop = 99.0f;
        parse_float(f[9], &fix->altitude);
        nmea->gga_time = time;
        nmea->gga_new = true;
    } else if (kind_is(f[0], "VTG") && count >= 6) {
        take_speed(nmea, f[5], f[1]);
        nmea->vtg_time = time;
        nmea->vtg_new = true;
    } else if (kind_is(f[0], "GSA") && count >= 18) {
        nmea->gsa_mode = parse_unsigned(f[2]);
        if (!parse_float(f[17], &fix->vdop))
            fix->vdop = 99.0f;
        nmea->gsa_time = time;
    }
}

// The quality of GGA says how the position was found, GSA whether there were satellites enough for a height.
static enum gnss_fix_type fix_type(const struct nmea *nmea, uint64_t now)
{
    if (!nmea->rmc_valid || nmea->quality == 0 || nmea->quality == 6)
        return GNSS_NO_FIX;
#ifndef BUG_GPS_2D
    if (nmea->gsa_time != 0 && now - nmea->gsa_time < GSA_TIME) {
        if (nmea->gsa_mode == 2)
            return GNSS_2D;
        if (nmea->gsa_mode != 3)
            return GNSS_NO_FIX;
    }
#else
    (void)now;
#endif
    switch (nmea->quality) {
    case 2: return GNSS_DGPS;
    case 4: return GNSS_RTK_FIXED;
    case 5: return GNSS_RTK_FLOAT;
    default: return GNSS_3D;
    }
}

static bool complete(struct nmea *nmea, uint64_t now, struct gnss_fix *fix)
{
    if (!nmea->rmc_new || !nmea->gga_new || (nmea->vtg_time != 0 && !nmea->vtg_new))
        return false;
    uint64_t first = nmea->rmc_time < nmea->gga_time ? nmea->rmc_time : nmea->gga_time;
    uint64_t last = nmea->rmc_time < nmea->gga_time ? nmea->gga_time : nmea->rmc_time;
    if (last - first > PAIRING_TIME) { // of two epochs: wait for the partner of the later one
        nmea->rmc_new = nmea->rmc_time == last;
        nmea->gga_new = nmea->gga_time == last;
        return false;
    }
    nmea->rmc_new = nmea->gga_new = nmea->vtg_new = false;
    nmea->building.type = fix_type(nmea, now);
    nmea->building.time = first;
    *fix = nmea->building;
    return true;
}

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "TTKKK,...*HH": the XOR of all characters before the star.
static bool check(struct nmea *nmea)
{
    unsigned n = nmea->length;
    if (n < 9 || nmea->sentence[n - 3] != '*')
        return false;
    uint8_t sum = 0;
    for (unsigned i = 0; i < n - 3; i++)
        sum ^= (uint8_t)nmea->sentence[i];
    int high = hexadecimal(nmea->sentence[n - 2]), low = hexadecimal(nmea->sentence[n - 1]);
    nmea->sentence[n - 3] = 0;
    return high >= 0 && low >= 0 && (high << 4 | low) == sum;
}

bool nmea_take(struct nmea *nmea, uint8_t byte, uint64_t now, struct gnss_fix *fix)
{
    if (byte == '$') {
        nmea->inside = true;
        nmea->length = 0;
        nmea->sentence_time = now;
        return false;
    }
    if (!nmea->inside)
        return false;
    if (byte == '\r' || byte == '\n') {
        nmea->inside = false;
        if (!check(nmea))
            return false;
        nmea->valid_sentences++;
        take_sentence(nmea);
        return complete(nmea, now, fix);
    }
    if (nmea->length == NMEA_SENTENCE_MAX)
        nmea->inside = false;
    else
        nmea->sentence[nmea->length++] = (char)byte;
    return false;
}
