// The least of a test framework: CHECK counts, and the program ends with the number of failures.
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <math.h>
#include <stdio.h>

static int checks_failed;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);        \
            checks_failed++;                                                      \
        }                                                                         \
    } while (0)

#define CHECK_NEAR(value, expected, tolerance)                                    \
    do {                                                                          \
        double value_ = (value), expected_ = (expected);                                       \
        if (!(fabs(value_ - expected_) <= (tolerance))) {                                      \
            printf("%s:%d: failed: %s = %.9g, expected %.9g\n", __FILE__, __LINE__, #value, value_, expected_); \
            checks_failed++;                                                      \
        }                                                                         \
    } while (0)

#endif
