// Upload and download of missions: https://mavlink.io/en/services/mission.html
#ifndef LINK_MISSION_PROTOCOL_H
#define LINK_MISSION_PROTOCOL_H

#include "link.h"

void mission_protocol_take(struct link *link, const struct mavlink_message *message);
// Asks again for what did not come.
void mission_protocol_step(struct link *link, uint64_t now);

#endif
