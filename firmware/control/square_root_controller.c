#include "square_root_controller.h"
#include "../math/scalar.h"

float square_root_controller(float error, float p, float deceleration)
{
    float linear = deceleration / (p * p);
    if (absolute(error) <= linear)
        return p * error;
    return sign(error) * square_root(2.0f * deceleration * (absolute(error) - 0.5f * linear));
}
