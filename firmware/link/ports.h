// The two ways to a ground station: radio and network.
#ifndef LINK_PORTS_H
#define LINK_PORTS_H

#include <stdint.h>

void ports_begin(uint32_t unique);
void ports_receive(void);
void ports_send(void);

#endif
