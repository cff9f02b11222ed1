// What messages from ground stations do.
#ifndef LINK_HANDLERS_H
#define LINK_HANDLERS_H

#include "link.h"

void handlers_take(struct link *link, const struct mavlink_message *message);

#endif
