// https://mavlink.io/en/guide/serialization.html
#include "mavlink_frame.h"
#include "../system/memory.h"

#define START 0xFD
#define START_1 0xFE // of version 1, which is not understood
#define HEADER 10
#define CHECK 2
#define SIGNED 0x01 // the only flag that says how to read a frame
#define SIGNATURE 13

// CRC-16/MCRF4XX.
static uint16_t accumulate(uint16_t crc, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint8_t t = (uint8_t)(bytes[i] ^ (uint8_t)crc);
        t = (uint8_t)(t ^ (uint8_t)(t << 4));
        crc = (uint16_t)(crc >> 8 ^ t << 8 ^ t << 3 ^ t >> 4);
    }
    return crc;
}

static uint16_t check_sum(const uint8_t *frame, unsigned payload, uint8_t extra)
{
    uint16_t crc = accumulate(0xFFFF, frame + 1, HEADER - 1 + payload);
    return accumulate(crc, &extra, 1);
}

const struct mavlink_format *mavlink_find(uint32_t id)
{
    unsigned low = 0, high = MAVLINK_FORMAT_COUNT;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (mavlink_formats[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < MAVLINK_FORMAT_COUNT && mavlink_formats[low].id == id ? &mavlink_formats[low] : 0;
}

unsigned mavlink_encode(uint8_t frame[MAVLINK_FRAME_MAX], uint32_t id, const void *payload, uint8_t system, uint8_t component, uint8_t sequence)
{
    const struct mavlink_format *format = mavlink_find(id);
    const uint8_t *bytes = payload;
    if (format == 0)
        return 0;
    unsigned length = format->length;
    while (length > 1 && bytes[length - 1] == 0)
        length--;
    const uint8_t header[HEADER] = {START, (uint8_t)length, 0, 0, sequence, system, component, (uint8_t)id, (uint8_t)(id >> 8), (uint8_t)(id >> 16)};
    memcpy(frame, header, HEADER);
    memcpy(frame + HEADER, bytes, length);
    uint16_t crc = check_sum(frame, length, format->crc_extra);
    frame[HEADER + length] = (uint8_t)crc;
    frame[HEADER + length + 1] = (uint8_t)(crc >> 8);
    return HEADER + length + CHECK;
}

// What begins the bytes that wait.
enum found {
    PART,    // too little to tell
    NOTHING, // no frame: the first byte is skipped
    UNKNOWN, // a frame of another dialect
    MESSAGE, // a frame with a message that we know
};

// The length of a frame, from its first three bytes.
static unsigned whole_length(const uint8_t *frame)
{
    return HEADER + frame[1] + CHECK + (frame[2] & SIGNED ? SIGNATURE : 0u);
}

static uint32_t message_id(const uint8_t *frame)
{
    return (uint32_t)frame[7] | (uint32_t)frame[8] << 8 | (uint32_t)frame[9] << 16;
}

static enum found look(struct mavlink_parser *parser)
{
    const uint8_t *frame = parser->waiting;
    if (frame[0] != START)
        return NOTHING;
    if (parser->length < 3)
        return PART;
    // What another flag means is not known: neither is where such a frame ends.
    if (frame[2] & (uint8_t)~SIGNED)
        return NOTHING;
    unsigned payload = frame[1], whole = whole_length(frame);
    if (parser->length < whole)
        return PART;
    const struct mavlink_format *format = mavlink_find(message_id(frame));
    if (format == 0) {
        // Its check sum cannot be known. Where another frame begins behind it, it was one, and what is inside of it is
        // none; else it was none itself.
        if (parser->length == whole)
            return PART;
        return frame[whole] == START || frame[whole] == START_1 ? UNKNOWN : NOTHING;
    }
    uint16_t crc = (uint16_t)(frame[HEADER + payload] | frame[HEADER + payload + 1] << 8);
    if (crc != check_sum(frame, payload, format->crc_extra)) {
        parser->bad++;
        return NOTHING;
    }
    return MESSAGE;
}

static void take_frame(struct mavlink_parser *parser, struct mavlink_message *message)
{
    const uint8_t *frame = parser->waiting;
    parser->received++;
    message->id = message_id(frame);
    message->sequence = frame[4];
    message->system = frame[5];
    message->component = frame[6];
    memset(message->payload, 0, sizeof message->payload);
    memcpy(message->payload, frame + HEADER, frame[1]);
}

static void drop(struct mavlink_parser *parser, unsigned count)
{
    parser->length -= count;
    memmove(parser->waiting, parser->waiting + count, parser->length);
}

bool mavlink_next(struct mavlink_parser *parser, struct mavlink_message *message)
{
    while (parser->length > 0) {
        enum found found = look(parser);
        if (found == PART)
            return false;
        if (found == MESSAGE)
            take_frame(parser, message);
        unsigned count = found == NOTHING ? 1 : whole_length(parser->waiting);
        // Nothing that does not begin like a frame is one.
        while (found == NOTHING && count < parser->length && parser->waiting[count] != START)
            count++;
        drop(parser, count);
        if (found == MESSAGE)
            return true;
    }
    return false;
}

bool mavlink_parse(struct mavlink_parser *parser, uint8_t byte, struct mavlink_message *message)
{
    // Only where messages were left waiting.
    if (parser->length == sizeof parser->waiting)
        drop(parser, 1);
    parser->waiting[parser->length++] = byte;
    return mavlink_next(parser, message);
}

bool mavlink_end(struct mavlink_parser *parser, struct mavlink_message *message)
{
    while (parser->length > 0) {
        drop(parser, 1);
        if (mavlink_next(parser, message))
            return true;
    }
    return false;
}
