#include "ms5611_compensation.h"

// Application note AN520: CRC of 4 bits, polynomial 0x3000, over the eight words with the CRC itself cleared.
bool ms5611_prom_is_valid(const uint16_t prom[8])
{
    uint16_t any = 0, rest = 0;
    for (unsigned i = 0; i < 16; i++) {
        uint16_t word = i >> 1 == 7 ? prom[7] & 0xFF00 : prom[i >> 1];
        any |= prom[i >> 1];
        rest ^= i & 1 ? word & 0x00FF : word >> 8;
        for (int bit = 0; bit < 8; bit++)
            rest = (uint16_t)(rest & 0x8000 ? rest << 1 ^ 0x3000 : rest << 1);
    }
    return any != 0 && rest >> 12 == (prom[7] & 0xF);
}

// Data sheet, figures 2 and 3: first order, and second order below 20 degC and below -15 degC. Exact in 64 bits.
float ms5611_compensate(const uint16_t prom[8], uint32_t d1, uint32_t d2)
{
    int64_t dt = (int64_t)d2 - ((int64_t)prom[5] << 8);
    int64_t temperature = 2000 + ((dt * prom[6]) >> 23);
    int64_t offset = ((int64_t)prom[2] << 16) + ((prom[4] * dt) >> 7);
    int64_t sensitivity = ((int64_t)prom[1] << 15) + ((prom[3] * dt) >> 8);
    if (temperature < 2000) {
        int64_t below = (temperature - 2000) * (temperature - 2000);
        int64_t offset2 = 5 * below / 2, sensitivity2 = 5 * below / 4;
        if (temperature < -1500) {
            int64_t cold = (temperature + 1500) * (temperature + 1500);
            offset2 += 7 * cold;
            sensitivity2 += 11 * cold / 2;
        }
        offset -= offset2;
        sensitivity -= sensitivity2;
    }
    // In 0.01 mbar = 1 Pa, kept with its fraction: 2^-15 of the bracket.
    int64_t bracket = (((int64_t)d1 * sensitivity) >> 21) - offset;
    return (float)(int32_t)(bracket >> 8) * (1.0f / 128.0f);
}
