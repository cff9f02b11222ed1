#include "parameters.h"
#include <stddef.h>

#ifdef VEHICLE_PLANE
#define DEFAULT(multirotor, plane) (plane)
#else
#define DEFAULT(multirotor, plane) (multirotor)
#endif

struct parameters parameters = {
#define PARAMETER(name, field, multirotor, plane, meaning) .field = DEFAULT(multirotor, plane),
#include "parameters.def"
#undef PARAMETER
};

static const struct {
    const char *name;
    size_t offset;
} table[] = {
#define PARAMETER(name, field, multirotor, plane, meaning) {name, offsetof(struct parameters, field)},
#include "parameters.def"
#undef PARAMETER
};

unsigned parameter_count(void)
{
    return sizeof table / sizeof table[0];
}

const char *parameter_name(unsigned index)
{
    return table[index].name;
}

float *parameter_value(unsigned index)
{
    return (float *)(void *)((char *)&parameters + table[index].offset);
}

int parameter_find(const char *name)
{
    for (unsigned index = 0; index < parameter_count(); index++) {
        const char *candidate = table[index].name;
        unsigned i = 0;
        while (i < 16 && candidate[i] == name[i] && candidate[i] != 0)
            i++;
        if (i == 16 || candidate[i] == name[i])
            return (int)index;
    }
    return -1;
}
