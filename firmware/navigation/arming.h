// When motors may turn.
#ifndef NAVIGATION_ARMING_H
#define NAVIGATION_ARMING_H

#include <stdbool.h>

// Arms if all checks pass, or whatever is wrong if `force`. False, with an announcement, if not.
bool arming_arm(bool force);
// Disarms. Refuses in flight unless `force`.
bool arming_disarm(bool force);
// Whether all checks pass now; with `tell`, the first that does not is announced.
bool arming_is_ready(bool tell);

#endif
