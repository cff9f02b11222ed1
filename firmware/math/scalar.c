// Range reduction and short polynomials, with the coefficients of the Cephes library for single precision.
#include "scalar.h"
#include <stdint.h>

// x = n pi/2 + rest with |rest| <= pi/4. pi/2 is split in three, so that n times the first two parts is exact.
static float reduce(float x, int *quadrant)
{
    int n = (int)(x * 0.636619772f + (x < 0.0f ? -0.5f : 0.5f));
    float f = (float)n;
    *quadrant = n & 3;
    return ((x - f * 1.5703125f) - f * 4.83751297e-4f) - f * 7.54979013e-8f;
}

static float sine_polynomial(float x)
{
    float z = x * x;
    return ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;
}

static float cosine_polynomial(float x)
{
    float z = x * x;
    return ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - 0.5f * z + 1.0f;
}

static float sine_in_quadrant(float rest, int quadrant)
{
    float value = quadrant & 1 ? cosine_polynomial(rest) : sine_polynomial(rest);
    return quadrant & 2 ? -value : value;
}

float sine(float x)
{
    int quadrant;
    float rest = reduce(x, &quadrant);
    return sine_in_quadrant(rest, quadrant);
}

float cosine(float x)
{
    int quadrant;
    float rest = reduce(x, &quadrant);
    return sine_in_quadrant(rest, (quadrant + 1) & 3);
}

// For x >= 0. Beyond tan(pi/8): atan(x) = pi/4 + atan((x-1)/(x+1)); beyond tan(3 pi/8): pi/2 - atan(1/x).
static float arc_tangent(float x)
{
    float base = 0.0f;
    if (x > 2.414213562f) {
        base = 0.5f * PI;
        x = -1.0f / x;
    } else if (x > 0.414213562f) {
        base = 0.25f * PI;
        x = (x - 1.0f) / (x + 1.0f);
    }
    float z = x * x;
    return base + (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) * z * x + x;
}

float arc_tangent2(float y, float x)
{
    float ax = absolute(x), ay = absolute(y);
    if (ax == 0.0f && ay == 0.0f)
        return 0.0f;
    float angle = ax == 0.0f ? 0.5f * PI : arc_tangent(ay / ax);
    if (x < 0.0f)
        angle = PI - angle;
    return y < 0.0f ? -angle : angle;
}

float arc_sine(float x)
{
    x = clamp(x, -1.0f, 1.0f);
    return arc_tangent2(x, square_root((1.0f - x) * (1.0f + x)));
}

union bits {
    float value;
    int32_t pattern;
};

// e^x = 2^n e^r with |r| <= ln(2)/2.
float exponential(float x)
{
    x = clamp(x, -87.0f, 88.0f);
    int n = (int)(x * 1.44269504f + (x < 0.0f ? -0.5f : 0.5f));
    float f = (float)n;
    x = (x - f * 0.693359375f) + f * 2.12194440e-4f;
    float y = (((((1.9875691500e-4f * x + 1.3981999507e-3f) * x + 8.3334519073e-3f) * x + 4.1665795894e-2f) * x + 1.6666665459e-1f) * x + 5.0000001201e-1f) * x * x + x + 1.0f;
    union bits scale = {.pattern = (n + 127) << 23};
    return y * scale.value;
}

// x = m 2^n with sqrt(1/2) <= m < sqrt(2).
float logarithm(float x)
{
    union bits b = {.value = x};
    int n = (b.pattern >> 23) - 126;
    b.pattern = (b.pattern & 0x007FFFFF) | 0x3F000000;
    float m = b.value;
    if (m < 0.707106781f) {
        n--;
        m = m + m;
    }
    m -= 1.0f;
    float z = m * m;
    float y = ((((((((7.0376836292e-2f * m - 1.1514610310e-1f) * m + 1.1676998740e-1f) * m - 1.2420140846e-1f) * m + 1.4249322787e-1f) * m - 1.6668057665e-1f) * m + 2.0000714765e-1f) * m - 2.4999993993e-1f) * m + 3.3333331174e-1f) * m * z;
    float f = (float)n;
    y -= 2.12194440e-4f * f;
    y -= 0.5f * z;
    return m + y + 0.693359375f * f;
}

float power(float base, float exponent)
{
    return exponential(exponent * logarithm(base));
}

float wrap_angle(float angle)
{
    float turns = (angle + PI) * (1.0f / (2.0f * PI));
    int whole = (int)turns;
    if (turns < (float)whole)
        whole--;
    return angle - (float)whole * (2.0f * PI);
}

float low_pass_weight(float cutoff, float dt)
{
    return dt / (dt + 1.0f / (2.0f * PI * cutoff));
}
