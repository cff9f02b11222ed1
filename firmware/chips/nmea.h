// NMEA 0183: sentences of a GNSS receiver, put together to fixes.
#ifndef CHIPS_NMEA_H
#define CHIPS_NMEA_H

#include <stdbool.h>
#include <stdint.h>

// As MAVLink's GPS_FIX_TYPE.
enum gnss_fix_type { GNSS_NONE = 0, GNSS_NO_FIX = 1, GNSS_2D = 2, GNSS_3D = 3, GNSS_DGPS = 4, GNSS_RTK_FLOAT = 5, GNSS_RTK_FIXED = 6 };

struct gnss_fix {
    uint64_t time;               // when the first sentence of it began to arrive, us
    enum gnss_fix_type type;
    int32_t latitude, longitude; // 1e-7 deg
    float altitude;              // m above mean sea level
    float hdop, vdop;
    float speed;                 // m/s over ground
    float course;                // rad
    bool has_course;
    unsigned satellites;
};

#define NMEA_SENTENCE_MAX 120
#define NMEA_FIELDS_MAX 26

struct nmea {
    char sentence[NMEA_SENTENCE_MAX];
    unsigned length;
    bool inside;
    uint64_t sentence_time, rmc_time, gga_time, vtg_time, gsa_time; // 0: never
    bool rmc_new, gga_new, vtg_new, rmc_valid;
    unsigned quality, gsa_mode;
    uint32_t valid_sentences;
    struct gnss_fix building;
};

// Takes a byte. True if a fix is complete; it is then in *fix.
bool nmea_take(struct nmea *nmea, uint8_t byte, uint64_t now, struct gnss_fix *fix);

#endif
