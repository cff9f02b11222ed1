// https://mavlink.io/en/guide/serialization.html
#include "mavlink_frame.h"
#include "../system/memory.h"

#define START 0xFD
#define HEADER 10
#define SIGNED 0x01
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
    return HEADER + length + 2;
}

static bool take_frame(struct mavlink_parser *parser, struct mavlink_message *message)
{
    const uint8_t *frame = parser->frame;
    unsigned payload = frame[1];
    uint32_t id = (uint32_t)frame[7] | (uint32_t)frame[8] << 8 | (uint32_t)frame[9] << 16;
    const struct mavlink_format *format = mavlink_find(id);
    if (format == 0)
        return false;
    uint16_t crc = (uint16_t)(frame[HEADER + payload] | frame[HEADER + payload + 1] << 8);
    if (crc != check_sum(frame, payload, format->crc_extra)) {
        parser->bad++;
        return false;
    }
    parser->received++;
    message->id = id;
    message->sequence = frame[4];
    message->system = frame[5];
    message->component = frame[6];
    memset(message->payload, 0, sizeof message->payload);
    memcpy(message->payload, frame + HEADER, payload);
    return true;
}

bool mavlink_parse(struct mavlink_parser *parser, uint8_t byte, struct mavlink_message *message)
{
    if (parser->length == 0 && byte != START)
        return false;
    parser->frame[parser->length++] = byte;
    if (parser->length < HEADER)
        return false;
    unsigned whole = HEADER + parser->frame[1] + 2u + (parser->frame[2] & SIGNED ? SIGNATURE : 0);
    if (parser->length < whole)
        return false;
    parser->length = 0;
    return take_frame(parser, message);
}
