// Numbers that a ground station may change.
#ifndef SYSTEM_PARAMETERS_H
#define SYSTEM_PARAMETERS_H

struct parameters {
#define PARAMETER(name, field, multirotor, plane, meaning) float field;
#include "parameters.def"
#undef PARAMETER
};

extern struct parameters parameters;

unsigned parameter_count(void);
const char *parameter_name(unsigned index);
float *parameter_value(unsigned index);
// The index of a name (of at most 16 characters, ended by 0 if shorter), or -1.
int parameter_find(const char *name);

#endif
