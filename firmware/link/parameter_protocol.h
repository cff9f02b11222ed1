// Reading and writing of parameters: https://mavlink.io/en/services/parameter.html
#ifndef LINK_PARAMETER_PROTOCOL_H
#define LINK_PARAMETER_PROTOCOL_H

#include "link.h"

void parameter_protocol_take(struct link *link, const struct mavlink_message *message);
// Sends on with a list that was asked for.
void parameter_protocol_step(struct link *link);

#endif
