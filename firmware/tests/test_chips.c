// What the bytes of the chips mean: MS5611 and NMEA.
#include "../chips/ms5611_compensation.h"
#include "../chips/nmea.h"
#include "check.h"
#include <string.h>

static void the_example_of_the_data_sheet_is_100009_pascal(void)
{
    uint16_t prom[8] = {0, 40127, 36924, 23317, 23282, 33464, 28312, 0};
    CHECK_NEAR(ms5611_compensate(prom, 9085466, 8569150), 100009.0, 1.0);
    // At -20 degC the second order matters: dT of -1.2e6.
    uint32_t d2 = 33464u * 256u - 1185190u;
    double dt = -1185190.0, t = 2000 + floor(dt * 28312 / 8388608), low = (t - 2000) * (t - 2000), cold = (t + 1500) * (t + 1500);
    double off = 36924.0 * 65536 + 23282.0 * dt / 128 - 5 * low / 2 - 7 * cold;
    double sens = 40127.0 * 32768 + 23317.0 * dt / 256 - 5 * low / 4 - 11 * cold / 2;
    CHECK(t < -1500);
    CHECK_NEAR(ms5611_compensate(prom, 9085466, d2), (9085466.0 * sens / 2097152 - off) / 32768, 0.1);
}

static void a_wrong_prom_is_refused(void)
{
    // Application note AN520: these words have the CRC 0xB.
    uint16_t prom[8] = {0x3132, 0x3334, 0x3536, 0x3738, 0x3940, 0x4142, 0x4344, 0x450B};
    CHECK(ms5611_prom_is_valid(prom));
    prom[3] ^= 0x0100;
    CHECK(!ms5611_prom_is_valid(prom));
    memset(prom, 0, sizeof prom);
    CHECK(!ms5611_prom_is_valid(prom));
}

static struct nmea nmea;
static struct gnss_fix fix;

static int take(const char *content, uint64_t now)
{
    char line[160];
    uint8_t sum = 0;
    for (const char *c = content; *c; c++)
        sum ^= (uint8_t)*c;
    snprintf(line, sizeof line, "$%s*%02X\r\n", content, sum);
    int fixes = 0;
    for (const char *c = line; *c; c++)
        fixes += nmea_take(&nmea, (uint8_t)*c, now, &fix);
    return fixes;
}

#define GGA "GNGGA,120000.00,4723.8619926,N,00832.7360012,E,1,12,0.75,488.25,M,47.3,M,,"
#define RMC "GNRMC,120000.00,A,4723.8619926,N,00832.7360012,E,9.719,90.00,010626,,,A"
#define GSA(mode) "GNGSA,A," mode ",01,02,03,04,05,06,07,08,09,10,11,12,1.40,0.75,1.18"

static void a_fix_needs_both_sentences_of_an_epoch(void)
{
    memset(&nmea, 0, sizeof nmea);
    CHECK(take(GSA("3"), 1000000) == 0);
    CHECK(take(RMC, 1010000) == 0);
    CHECK(take(GGA, 1020000) == 1);
    CHECK(fix.type == GNSS_3D);
    CHECK(fix.latitude == 473976999); // 47 deg + 23.8619926 min
    CHECK(fix.longitude == 85456000);
    CHECK_NEAR(fix.altitude, 488.25, 1e-3);
    CHECK_NEAR(fix.speed, 5.0, 1e-3);
    CHECK_NEAR(fix.course, M_PI / 2, 1e-5);
    CHECK(fix.satellites == 12);
    CHECK_NEAR(fix.vdop, 1.18, 1e-3);
    CHECK(fix.time == 1010000);
    // Sentences 200 ms apart are of two epochs.
    CHECK(take(RMC, 1200000) == 0);
    CHECK(take(GGA, 1400000) == 0);
    CHECK(take(RMC, 1410000) == 1);
}

static void a_receiver_with_vtg_is_waited_for(void)
{
    memset(&nmea, 0, sizeof nmea);
    take("GNVTG,180.00,T,,M,2.000,N,3.704,K,A", 990000);
    CHECK(take(RMC, 1000000) == 0);
    CHECK(take(GGA, 1010000) == 1);
    CHECK(take(RMC, 1200000) == 0);
    CHECK(take(GGA, 1210000) == 0);
    CHECK(take("GNVTG,180.00,T,,M,2.000,N,3.704,K,A", 1220000) == 1);
    CHECK_NEAR(fix.speed, 2.0 * 1852 / 3600, 1e-4);
    CHECK_NEAR(fix.course, M_PI, 1e-5);
}

static void gsa_tells_a_2d_fix(void)
{
    memset(&nmea, 0, sizeof nmea);
    take(GSA("2"), 1000000);
    take(RMC, 1010000);
    CHECK(take(GGA, 1020000) == 1);
#ifdef BUG_GPS_2D
    CHECK(fix.type == GNSS_3D);
#else
    CHECK(fix.type == GNSS_2D);
#endif
}

static void no_fix_is_told_as_such(void)
{
    memset(&nmea, 0, sizeof nmea);
    take("GNRMC,120000.00,V,,,,,,,010626,,,N", 1000000);
    CHECK(take("GNGGA,120000.00,,,,,0,00,99.99,,M,,M,,", 1010000) == 1);
    CHECK(fix.type == GNSS_NO_FIX);
}

static void damaged_sentences_are_ignored(void)
{
    memset(&nmea, 0, sizeof nmea);
    const char *line = "$GNRMC,120000.00,A,4723.8619926,N,00832.7360012,E,9.719,90.00,010626,,,A*00\r\n";
    for (const char *c = line; *c; c++)
        nmea_take(&nmea, (uint8_t)*c, 0, &fix);
    for (int i = 0; i < 1000; i++)
        nmea_take(&nmea, i == 0 ? '$' : 'A', 0, &fix);
    CHECK(nmea.valid_sentences == 0);
    CHECK(take("GNRMC,120000.00,A,4723.86,S,00832.73,W,0.0,,010626,,,A", 10) == 0);
    CHECK(take("GNGGA,120000.00,4723.86,S,00832.73,W,4,12,0.75,-12.5,M,47.3,M,,", 20) == 1);
    CHECK(fix.latitude < 0 && fix.longitude < 0 && !fix.has_course && fix.type == GNSS_RTK_FIXED);
    CHECK_NEAR(fix.altitude, -12.5, 1e-3);
}

int main(void)
{
    the_example_of_the_data_sheet_is_100009_pascal();
    a_wrong_prom_is_refused();
    a_fix_needs_both_sentences_of_an_epoch();
    a_receiver_with_vtg_is_waited_for();
    gsa_tells_a_2d_fix();
    no_fix_is_told_as_such();
    damaged_sentences_are_ignored();
    return checks_failed != 0;
}
