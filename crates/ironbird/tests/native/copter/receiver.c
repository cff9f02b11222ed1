// A satellite receiver: finds its rate, and takes RMC and GGA that belong together.
#include "copter.h"

struct fix fix;
static struct serial *line;
static const uint32_t RATES[] = {9600, 115200, 4800, 19200, 38400, 57600, 230400, 460800};
static unsigned next_rate;
static uint64_t rate_since, rmc_at, gga_at;
static bool is_found;
static char sentence[128];
static unsigned length;
static double latitude, longitude, altitude, north, east;
static int quality, satellites;

void start_receiver(struct serial *port, uint32_t first_baud) {
    line = port;
    set_speed(line, first_baud);
    rate_since = micros();
}

// Fields between commas; empty ones count.
static unsigned split(char *text, char *fields[], unsigned most) {
    unsigned count = 0;
    for (fields[count++] = text; *text && count < most; text++) {
        if (*text == ',') {
            *text = 0;
            fields[count++] = text + 1;
        }
    }
    return count;
}

static double degrees(const char *text, const char *side) {
    double value = atof(text), whole = floor(value / 100), result = whole + (value - 100 * whole) / 60;
    return *side == 'S' || *side == 'W' ? -result : result;
}

static void publish(void) {
    uint64_t time = micros();
    if (time - rmc_at > 150000 || time - gga_at > 150000) return;
    rmc_at = gga_at = 0;
    fix = (struct fix){time, fix.number + 1, quality, satellites, latitude, longitude, altitude, north, east};
}

static void take(void) {
    char *fields[20];
    unsigned sum = 0;
    char *star = strchr(sentence, '*'), digits[3];
    if (!star) return;
    for (char *c = sentence; c < star; c++) sum ^= (uint8_t)*c;
    snprintf(digits, sizeof digits, "%02X", sum);
    if (strncmp(star + 1, digits, 2)) return;
    *star = 0;
    if (!is_found) tell(6, "GPS 1: detected NMEA");
    is_found = true;
    unsigned count = split(sentence, fields, 20);
    const char *kind = fields[0] + 2;
    if (!strcmp(kind, "RMC") && count > 9) {
        double speed = atof(fields[7]) * 0.514444, course = atof(fields[8]) * M_PI / 180;
        north = speed * cos(course);
        east = speed * sin(course);
        rmc_at = micros();
        publish();
    } else if (!strcmp(kind, "GGA") && count > 9) {
        quality = atoi(fields[6]);
        satellites = atoi(fields[7]);
        if (quality) {
            latitude = degrees(fields[2], fields[3]);
            longitude = degrees(fields[4], fields[5]);
            altitude = atof(fields[9]);
        }
        gga_at = micros();
        publish();
    }
}

void read_receiver(void) {
    uint8_t byte;
    while (serial_get(line, &byte)) {
        if (byte == '$') {
            length = 0;
        } else if (byte == '\r' || byte == '\n') {
            sentence[length] = 0;
            if (length > 6) take();
            length = 0;
        } else if (length < sizeof sentence - 1) {
            sentence[length++] = (char)byte;
        }
    }
    // Another rate, with a word to receivers that can be told theirs.
    if (!is_found && micros() - rate_since > 1200000) {
        static const uint8_t word[] = {0xB5, 0x62, 0x06, 0x00, 0x14, 0x00, 0x01, 0x00};
        set_speed(line, RATES[next_rate++ % (sizeof RATES / sizeof *RATES)]);
        serial_put(line, word, sizeof word);
        rate_since = micros();
    }
}
