#include "link.h"
#include "../system/memory.h"
#include "handlers.h"

#define STREAM_RESERVE 80 // bytes of room that streams leave to answers

static uint8_t own_system;

void link_begin(uint8_t system)
{
    own_system = system;
}

uint8_t link_system(void)
{
    return own_system;
}

static bool send(struct link *link, uint32_t id, const void *payload, unsigned reserve)
{
    static uint8_t frame[MAVLINK_FRAME_MAX];
    unsigned length = mavlink_encode(frame, id, payload, own_system, COMPONENT_AUTOPILOT, link->sequence);
    if (length == 0 || !link->send(frame, length, reserve)) {
        link->dropped++;
        return false;
    }
    link->sequence++;
    return true;
}

bool link_send(struct link *link, uint32_t id, const void *payload)
{
    return send(link, id, payload, 0);
}

bool link_send_stream(struct link *link, uint32_t id, const void *payload)
{
    return send(link, id, payload, STREAM_RESERVE);
}

void link_take_bytes(struct link *link, const uint8_t *bytes, unsigned count)
{
    static struct mavlink_message message;
    for (unsigned i = 0; i < count; i++)
        for (bool is_there = mavlink_parse(&link->parser, bytes[i], &message); is_there; is_there = mavlink_next(&link->parser, &message))
            handlers_take(link, &message);
}

void link_take_datagram(struct link *link, const uint8_t *bytes, unsigned count)
{
    static struct mavlink_message message;
    link_take_bytes(link, bytes, count);
    while (mavlink_end(&link->parser, &message))
        handlers_take(link, &message);
}
