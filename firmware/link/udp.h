// MAVLink over UDP over Ethernet: just enough of IPv4 and ARP.
#ifndef LINK_UDP_H
#define LINK_UDP_H

#include <stdbool.h>
#include <stdint.h>

void udp_begin(uint32_t unique);
// Sends to the station that was heard last, or to all.
bool udp_send(const uint8_t *bytes, unsigned length);
// Looks at one frame that came, answers it if it is ARP. The length of the datagram for us, and where it is; 0: none.
// `any` tells whether there was a frame at all.
unsigned udp_receive(const uint8_t **bytes, bool *any);

#endif
