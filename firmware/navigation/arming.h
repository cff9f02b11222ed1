// When motors may turn.
#ifndef NAVIGATION_ARMING_H
#define NAVIGATION_ARMING_H

#include <stdbool.h>

// Arms if all checks pass, or whatever is wrong if `force`. False, with an announcement, if not.
bool arming_arm(bool force);
// Disarms. Refuses in flight unless `force`.
bool arming_disarm(bool force);
// Why arming would be refused now, into the text of an announcement; NULL if it would not. May announce it.
bool arming_is_ready(bool tell);

#endif
