#include "parameter_protocol.h"
#include "../math/scalar.h"
#include "../system/memory.h"
#include "../system/parameters.h"

#define TYPE_FLOAT 9 // MAV_PARAM_TYPE_REAL32
#define NAME_SIZE 16

static bool send_value(struct link *link, unsigned index, bool (*send)(struct link *, uint32_t, const void *))
{
    struct mavlink_param_value m = {.param_value = *parameter_value(index), .param_count = (uint16_t)parameter_count(), .param_index = (uint16_t)index, .param_type = TYPE_FLOAT};
    const char *name = parameter_name(index);
    for (unsigned i = 0; i < NAME_SIZE && name[i] != 0; i++)
        m.param_id[i] = name[i];
    return send(link, MAVLINK_ID_PARAM_VALUE, &m);
}

static void read(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_param_request_read m;
    memcpy(&m, message->payload, sizeof m);
    if (m.target_system != link_system())
        return;
    int index = m.param_index >= 0 ? m.param_index : parameter_find(m.param_id);
    if (index >= 0 && (unsigned)index < parameter_count())
        send_value(link, (unsigned)index, link_send);
}

static void set(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_param_set m;
    memcpy(&m, message->payload, sizeof m);
    int index = parameter_find(m.param_id);
    if (m.target_system != link_system() || index < 0)
        return;
    if (is_finite(m.param_value))
        *parameter_value((unsigned)index) = m.param_value;
    send_value(link, (unsigned)index, link_send);
}

void parameter_protocol_take(struct link *link, const struct mavlink_message *message)
{
    switch (message->id) {
    case MAVLINK_ID_PARAM_REQUEST_LIST:
        if (message->payload[0] == link_system() || message->payload[0] == 0)
            link->next_parameter = 0;
        break;
    case MAVLINK_ID_PARAM_REQUEST_READ: read(link, message); break;
    case MAVLINK_ID_PARAM_SET: set(link, message); break;
    default: break;
    }
}

void parameter_protocol_step(struct link *link)
{
    if (link->next_parameter < parameter_count() && send_value(link, link->next_parameter, link_send_stream))
        link->next_parameter++;
}
