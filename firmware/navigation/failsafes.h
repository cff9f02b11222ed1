// What happens when something is lost in flight.
#ifndef NAVIGATION_FAILSAFES_H
#define NAVIGATION_FAILSAFES_H

#define FAILSAFES_RATE 10 // Hz at which to call

void failsafes_step(void);

#endif
