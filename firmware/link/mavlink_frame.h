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
    uint8_t frame[MAVLINK_FRAME_MAX];
    unsigned length;
    uint32_t received, bad; // frames
};

const struct mavlink_format *mavlink_find(uint32_t id);
// Writes a frame; its length. Zeros at the end of the payload are left out, but for its first byte.
unsigned mavlink_encode(uint8_t frame[MAVLINK_FRAME_MAX], uint32_t id, const void *payload, uint8_t system, uint8_t component, uint8_t sequence);
// Takes a byte. True if a message that we know is complete.
bool mavlink_parse(struct mavlink_parser *parser, uint8_t byte, struct mavlink_message *message);

#endif
