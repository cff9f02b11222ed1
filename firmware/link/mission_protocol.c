#include "mission_protocol.h"
#include "../drivers/timer.h"
#include "../navigation/mission.h"
#include "../system/announcements.h"
#include "../system/memory.h"

// MAV_MISSION_RESULT
enum { ACCEPTED = 0, ERROR = 1, UNSUPPORTED = 3, NO_SPACE = 4, INVALID_SEQUENCE = 13, OPERATION_CANCELLED = 15 };

#define RETRY_TIME 500000u // us
#define TRIES 10

static struct link *uploading; // the link of the upload that was begun last

static bool for_us(uint8_t system)
{
    return system == link_system();
}

static void acknowledge(struct link *link, uint8_t system, uint8_t component, uint8_t result)
{
    struct mavlink_mission_ack m = {.target_system = system, .target_component = component, .type = result};
    link_send(link, MAVLINK_ID_MISSION_ACK, &m);
}

static void ask(struct link *link)
{
    struct mavlink_mission_request_int m = {.seq = link->upload.next, .target_system = link->upload.system, .target_component = link->upload.component};
    link_send(link, MAVLINK_ID_MISSION_REQUEST_INT, &m);
    link->upload.asked_at = timer_micros();
}

// There is memory for one mission: a new one ends the upload of another.
static void forget_mission(void)
{
    if (uploading != NULL)
        uploading->upload.running = false;
    uploading = NULL;
    mission_clear();
}

static void take_count(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_mission_count m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system) || m.mission_type != 0)
        return;
    if (m.count > mission_capacity()) {
        acknowledge(link, message->system, message->component, NO_SPACE);
        return;
    }
    forget_mission();
    if (m.count == 0) {
        acknowledge(link, message->system, message->component, ACCEPTED);
        return;
    }
    uploading = link;
    link->upload.running = true;
    link->upload.count = m.count;
    link->upload.next = 0;
    link->upload.tries = 0;
    link->upload.system = message->system;
    link->upload.component = message->component;
    ask(link);
}

static void take_item(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_mission_item_int m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system) || !link->upload.running)
        return;
    if (m.seq != link->upload.next) { // repeated, or one was lost
        ask(link);
        return;
    }
    if (!mission_is_supported(m.command)) {
        forget_mission();
        acknowledge(link, message->system, message->component, UNSUPPORTED);
        return;
    }
    struct mission_item item = {{m.param1, m.param2, m.param3, m.param4}, m.x, m.y, m.z, m.command, m.frame, m.autocontinue};
    for (int i = 0; i < 4; i++)
        if (!is_finite(item.parameter[i]))
            item.parameter[i] = 0.0f;
    mission_store(m.seq, &item);
    link->upload.next++;
    link->upload.tries = 0;
    if (link->upload.next < link->upload.count) {
        ask(link);
        return;
    }
    link->upload.running = false;
    mission_complete(link->upload.count);
    acknowledge(link, message->system, message->component, ACCEPTED);
    struct text text = {.length = 0};
    text_append(&text, "Mission of ");
    text_append_integer(&text, link->upload.count);
    text_append(&text, " items received");
    announce_text(SEVERITY_INFO, &text);
}

static void send_count(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_mission_request_list m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system) || m.mission_type != 0)
        return;
    struct mavlink_mission_count answer = {.count = (uint16_t)mission_count(), .target_system = message->system, .target_component = message->component};
    link_send(link, MAVLINK_ID_MISSION_COUNT, &answer);
}

// MISSION_REQUEST is older, with the same layout.
static void send_item(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_mission_request_int m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system) || m.mission_type != 0)
        return;
    const struct mission_item *item = mission_item(m.seq);
    if (item == NULL) {
        acknowledge(link, message->system, message->component, INVALID_SEQUENCE);
        return;
    }
    struct mavlink_mission_item_int answer = {
        .param1 = item->parameter[0], .param2 = item->parameter[1], .param3 = item->parameter[2], .param4 = item->parameter[3],
        .x = item->latitude, .y = item->longitude, .z = item->altitude, .seq = m.seq, .command = item->command, .frame = item->frame,
        .autocontinue = item->autocontinue, .current = m.seq == mission_current(),
        .target_system = message->system, .target_component = message->component,
    };
    link_send(link, MAVLINK_ID_MISSION_ITEM_INT, &answer);
}

static void clear(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_mission_clear_all m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system) || m.mission_type != 0)
        return;
    forget_mission();
    acknowledge(link, message->system, message->component, ACCEPTED);
}

static void set_current(const struct mavlink_message *message)
{
    struct mavlink_mission_set_current m;
    memcpy(&m, message->payload, sizeof m);
    if (for_us(m.target_system))
        mission_set_current(m.seq);
}

void mission_protocol_take(struct link *link, const struct mavlink_message *message)
{
    switch (message->id) {
    case MAVLINK_ID_MISSION_COUNT: take_count(link, message); break;
    case MAVLINK_ID_MISSION_ITEM_INT: take_item(link, message); break;
    case MAVLINK_ID_MISSION_REQUEST_LIST: send_count(link, message); break;
    case MAVLINK_ID_MISSION_REQUEST:
    case MAVLINK_ID_MISSION_REQUEST_INT: send_item(link, message); break;
    case MAVLINK_ID_MISSION_CLEAR_ALL: clear(link, message); break;
    case MAVLINK_ID_MISSION_SET_CURRENT: set_current(message); break;
    default: break;
    }
}

void mission_protocol_step(struct link *link, uint64_t now)
{
    if (!link->upload.running || now - link->upload.asked_at < RETRY_TIME)
        return;
    if (++link->upload.tries > TRIES) {
        forget_mission();
        announce(SEVERITY_WARNING, "Mission upload broke off: no mission");
        acknowledge(link, link->upload.system, link->upload.component, OPERATION_CANCELLED);
    } else {
        ask(link);
    }
}
