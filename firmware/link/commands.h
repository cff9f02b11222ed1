// COMMAND_LONG and COMMAND_INT.
#ifndef LINK_COMMANDS_H
#define LINK_COMMANDS_H

#include "link.h"

void commands_take(struct link *link, const struct mavlink_message *message);

#endif
