// AK8963: magnetometer behind the auxiliary bus of the MPU-9250.
#ifndef CHIPS_AK8963_H
#define CHIPS_AK8963_H

#include "../math/vector.h"
#include <stdbool.h>

bool ak8963_begin(void);
// The field in microtesla, body. False if nothing new came, the sensor is off the bus or its range is exceeded.
bool ak8963_read(struct vector3 *field);

#endif
