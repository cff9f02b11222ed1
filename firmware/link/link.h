// A link to ground stations: what came in, what goes out, and how often.
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "mavlink_frame.h"

#define LINK_STREAMS_MAX 16
#define COMPONENT_AUTOPILOT 1

struct stream {
    uint32_t interval; // us; 0: off
    uint64_t due;
};

struct link {
    // Sends a frame whole, or not at all if there is no room for it and `reserve` bytes more.
    bool (*send)(const uint8_t *frame, unsigned length, unsigned reserve);
    struct mavlink_parser parser;
    uint8_t sequence;
    bool slow;
    uint32_t dropped;            // frames for which there was no room
    struct stream streams[LINK_STREAMS_MAX];
    uint32_t next_announcement;
    uint32_t reached_told;       // items of the mission
    uint16_t next_parameter;     // of a list that is being sent; parameter_count(): none
    // An upload of a mission.
    struct {
        bool running;
        uint16_t count, next;
        uint8_t system, component, tries;
        uint64_t asked_at;
    } upload;
};

void link_begin(uint8_t system);
uint8_t link_system(void);
// Sends a message, ahead of streams. False if it was dropped.
bool link_send(struct link *link, uint32_t id, const void *payload);
// The same for streams, which leave room for answers.
bool link_send_stream(struct link *link, uint32_t id, const void *payload);
void link_take_bytes(struct link *link, const uint8_t *bytes, unsigned count);
// The same for bytes that no others follow: no frame is spread over datagrams.
void link_take_datagram(struct link *link, const uint8_t *bytes, unsigned count);

#endif
