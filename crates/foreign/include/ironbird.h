/* What a C library offers to be a component of Ironbird, type foreign.c.
 *
 *     cc -shared -fPIC -O2 -o controller.so controller.c
 *
 * The library is loaded by a process of its own for each component. A crash of it is reported as a fault of
 * that component. Whatever it prints goes to the standard error.
 */
#ifndef IRONBIRD_H
#define IRONBIRD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ports, one a line, in the order in which their numbers lie in the arrays of ironbird_step:
 *
 *     "ironbird 1\n"                  the version of this interface
 *     "in  position m\n"              a name and a unit
 *     "in  rates rad/s [3] body\n"    a vector: three numbers; a frame, if it has one
 *     "in  armed bool\n"              1 or 0
 *     "in  share\n"                   a plain number
 *     "out force N\n"
 */
const char *ironbird_describe(void);

/* Makes a component; NULL refuses the parameters. Names and values are those of the key "parameters" of the
 * experiment, in the order of their names; they are gone after the call. */
void *ironbird_create(const char *const *names, const double *values, size_t count);

/* One step at the time t, in seconds: reads all numbers of the inputs, writes all numbers of the outputs.
 * Anything but 0 ends the run with a fault of this component. */
int ironbird_step(void *self, double t, const double *in, double *out);

void ironbird_destroy(void *self);

/* Optional: why the last call of ironbird_step or ironbird_load failed, or of ironbird_create, with NULL. */
const char *ironbird_error(void *self);

/* Optional, both or none: a component that has them can be saved in checkpoints, and reset.
 * ironbird_save returns how many bytes its state has, and writes them if capacity is not less. */
size_t ironbird_save(void *self, void *bytes, size_t capacity);
int ironbird_load(void *self, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
