// MAVLink 2 frames: bytes to messages and back. No input or output here.
#ifndef LINK_MAVLINK_FRAME_H
#define LINK_MAVLINK_FRAME_H

#include "mavlink_messages.h"
#include <stdbool.h>

#define MAVLINK_FRAME_MAX (10 + 255 + 2 + 13) // header, payload, check sum, signature

struct mavlink_message {
    uint32_t id;
    uint8_t system, component, sequence;
    uint8_t payload[256]; // what was not sent is 0
};

struct mavlink_parser {
    uint8_t waiting[MAVLINK_FRAME_MAX + 1]; // a frame and the byte behind it
    unsigned length;
    uint32_t received, bad; // frames
};

const struct mavlink_format *mavlink_find(uint32_t id);
// Writes a frame; its length. Zeros at the end of the payload are left out, but for its first byte.
unsigned mavlink_encode(uint8_t frame[MAVLINK_FRAME_MAX], uint32_t id, const void *payload, uint8_t system, uint8_t component, uint8_t sequence);
// Takes a byte. True if a message that we know is complete; more may have been hidden in what looked like a frame.
// Signatures are skipped, not checked.
bool mavlink_parse(struct mavlink_parser *parser, uint8_t byte, struct mavlink_message *message);
// The next message that is complete, of the bytes that were taken.
bool mavlink_next(struct mavlink_parser *parser, struct mavlink_message *message);
// The same where nothing follows what has come, as at the end of a datagram: what was hidden in an unfinished frame.
bool mavlink_end(struct mavlink_parser *parser, struct mavlink_message *message);

#endif
