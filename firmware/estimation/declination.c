#include "declination.h"
#include "../math/scalar.h"

static float along_row(int row, int column, float part)
{
    float left = (float)declination_table[row][column], right = (float)declination_table[row][column + 1];
    // Across the seam of ±180 degrees the short way is meant.
    if (right - left > 1800.0f)
        right -= 3600.0f;
    if (right - left < -1800.0f)
        right += 3600.0f;
    return left + part * (right - left);
}

float declination_at(int32_t latitude, int32_t longitude)
{
    float row = clamp(((float)latitude * 1e-7f - DECLINATION_LATITUDE) / DECLINATION_STEP, 0.0f, DECLINATION_ROWS - 1.001f);
    float column = clamp(((float)longitude * 1e-7f - DECLINATION_LONGITUDE) / DECLINATION_STEP, 0.0f, DECLINATION_COLUMNS - 1.001f);
    int i = (int)row, j = (int)column;
    float south = along_row(i, j, column - (float)j), north = along_row(i + 1, j, column - (float)j);
    return RADIANS(0.1f * (south + (row - (float)i) * (north - south)));
}
