// Functions of one number in single precision. Angles in radians. Accuracy is tested in tests/test_math.c.
#ifndef MATH_SCALAR_H
#define MATH_SCALAR_H

#include <stdbool.h>

#define PI 3.14159265f
#define GRAVITY 9.80665f
#define NOT_A_NUMBER __builtin_nanf("")
#define RADIANS(degrees) ((degrees) * (PI / 180.0f))
#define DEGREES(radians) ((radians) * (180.0f / PI))

static inline float absolute(float x) { return __builtin_fabsf(x); }
static inline float square(float x) { return x * x; }
static inline float square_root(float x) { return __builtin_sqrtf(x); }
static inline float minimum(float a, float b) { return a < b ? a : b; }
static inline float maximum(float a, float b) { return a > b ? a : b; }
static inline float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static inline float sign(float x) { return x < 0.0f ? -1.0f : 1.0f; }
static inline bool is_finite(float x) { return x - x == 0.0f; }

float sine(float x);
float cosine(float x);
float arc_tangent2(float y, float x);
float arc_sine(float x);       // arguments beyond ±1 count as ±1
float exponential(float x);
float logarithm(float x);      // x > 0
float power(float base, float exponent); // base > 0
float wrap_angle(float angle); // to [-pi, pi)

// How much of the way to a new value a first-order low-pass with this cut-off (Hz) goes in dt: dt / (dt + 1/(2 pi f)).
float low_pass_weight(float cutoff, float dt);

#endif
