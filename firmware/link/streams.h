// Messages that are sent again and again.
#ifndef LINK_STREAMS_H
#define LINK_STREAMS_H

#include "link.h"

// Sets the usual rates. `slow`: those of a radio of 57600 baud.
void streams_begin(struct link *link, bool slow);
// Interval in us; -1: off, 0: the usual one. False if the message is not among the streams.
bool streams_set_interval(struct link *link, uint32_t id, float interval);
bool streams_send_once(struct link *link, uint32_t id);
// Sends what is due, texts, and what else is waiting. Never waits for the link.
void streams_step(struct link *link, uint64_t now);

#endif
