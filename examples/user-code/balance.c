/* F = -k · (position, velocity, angle, angular velocity), within a limit. */

#include "ironbird.h"

#include <stdlib.h>
#include <string.h>

struct balance {
    double limit;
};

static const double gains[] = {-22.91, -22.04, -113.9, -26.12};

const char *ironbird_describe(void)
{
    return "ironbird 1\n"
           "in  position m\n"
           "in  velocity m/s\n"
           "in  angle rad\n"
           "in  angular_velocity rad/s\n"
           "out force N\n";
}

void *ironbird_create(const char *const *names, const double *values, size_t count)
{
    struct balance *balance = calloc(1, sizeof *balance);
    for (size_t i = 0; balance && i < count; i++)
        if (strcmp(names[i], "limit") == 0)
            balance->limit = values[i];
    return balance;
}

int ironbird_step(void *self, double t, const double *in, double *out)
{
    const struct balance *balance = self;
    double force = 0;
    (void)t;
    for (int i = 0; i < 4; i++)
        force -= gains[i] * in[i];
    if (force > balance->limit)
        force = balance->limit;
    if (force < -balance->limit)
        force = -balance->limit;
    out[0] = force;
    return 0;
}

void ironbird_destroy(void *self)
{
    free(self);
}
