#include "commands.h"
#include "../navigation/arming.h"
#include "../navigation/mission.h"
#include "../navigation/modes.h"
#include "../navigation/sensing.h"
#include "../system/announcements.h"
#include "../system/memory.h"
#include "../system/parameters.h"
#include "streams.h"

// MAV_CMD
enum {
    DO_CHANGE_SPEED = 178, DO_SET_HOME = 179, DO_SET_MODE = 176, DO_REPOSITION = 192, MISSION_START = 300, ARM_DISARM = 400,
    RUN_PREARM_CHECKS = 401, SET_MESSAGE_INTERVAL = 511, REQUEST_MESSAGE = 512,
};
// MAV_RESULT
enum { ACCEPTED = 0, TEMPORARILY_REJECTED = 1, DENIED = 2, UNSUPPORTED = 3, FAILED = 4 };

#define FORCE_MAGIC 21196.0f
#define REPOSITION_CHANGES_MODE 1
struct command {
    uint16_t id;
    float parameter[4];
    struct location place; // latitude, longitude: 0 if not given
    bool relative;         // its altitude counts from home
};

static struct vector3 place_of(const struct command *c)
{
    struct vector3 place = vehicle.estimate.position;
    if (vehicle.origin.set && (c->place.latitude != 0 || c->place.longitude != 0))
        place = origin_to_local(&vehicle.origin, c->place);
    place.z = c->relative ? vehicle.home.z - c->place.altitude : vehicle.origin.location.altitude - c->place.altitude;
    return place;
}

static uint8_t result_of(bool done)
{
    return done ? ACCEPTED : TEMPORARILY_REJECTED;
}

static uint8_t reposition(const struct command *c)
{
    if (vehicle.mode != MODE_GUIDED && (((uint32_t)c->parameter[1] & REPOSITION_CHANGES_MODE) == 0 || !vehicle_set_mode(MODE_GUIDED)))
        return TEMPORARILY_REJECTED;
    return result_of(modes_go_to(place_of(c), c->parameter[3] != 0.0f ? c->parameter[3] : NOT_A_NUMBER));
}

static uint8_t start_mission(const struct command *c)
{
    if (mission_count() == 0) {
        announce(SEVERITY_WARNING, "No mission to start");
        return DENIED;
    }
    if (!vehicle_can_enter(MODE_AUTO))
        return TEMPORARILY_REJECTED;
    if (!mission_set_current((unsigned)maximum(c->parameter[0], 0.0f)))
        return DENIED;
    return result_of(modes_start_mission());
}

static uint8_t change_speed(const struct command *c)
{
    if (!(c->parameter[1] > 0.0f))
        return DENIED;
    parameters.cruise_speed = c->parameter[1];
    return ACCEPTED;
}

static uint8_t obey(struct link *link, const struct command *c)
{
    switch (c->id) {
    case ARM_DISARM:
        if (c->parameter[0] > 0.5f)
            return result_of(arming_arm(c->parameter[1] == FORCE_MAGIC));
        return result_of(arming_disarm(c->parameter[1] == FORCE_MAGIC));
    case RUN_PREARM_CHECKS:
        arming_is_ready(true);
        return ACCEPTED;
    case COMMAND_TAKEOFF:
        return result_of(modes_take_off(c->place.altitude));
    case COMMAND_LAND:
        return result_of(vehicle_set_mode(MODE_LAND));
    case COMMAND_RTL:
        return result_of(vehicle_set_mode(MODE_RTL));
    case COMMAND_LOITER_UNLIMITED:
        return result_of(vehicle_set_mode(MODE_LOITER));
    case DO_SET_MODE:
        return result_of(vehicle_set_mode((enum mode)c->parameter[1]));
    case DO_REPOSITION:
        return reposition(c);
    case DO_CHANGE_SPEED:
        return change_speed(c);
    case DO_SET_HOME:
        if (c->parameter[0] != 1.0f || !vehicle.estimate.positioned)
            return TEMPORARILY_REJECTED;
        sensing_set_home();
        return ACCEPTED;
    case MISSION_START:
        return start_mission(c);
    case SET_MESSAGE_INTERVAL:
        return streams_set_interval(link, (uint32_t)c->parameter[0], c->parameter[1]) ? ACCEPTED : DENIED;
    case REQUEST_MESSAGE:
        return streams_send_once(link, (uint32_t)c->parameter[0]) ? ACCEPTED : DENIED;
    default:
        return UNSUPPORTED;
    }
}

static bool is_relative(uint8_t frame)
{
    return frame == 3 || frame == 6;
}

static bool read_command(const struct mavlink_message *message, struct command *c, uint8_t *target)
{
    if (message->id == MAVLINK_ID_COMMAND_LONG) {
        struct mavlink_command_long m;
        memcpy(&m, message->payload, sizeof m);
        *target = m.target_system;
        *c = (struct command){m.command, {m.param1, m.param2, m.param3, m.param4}, {0, 0, m.param7}, true};
        // Single precision: good to about a metre, as whoever uses COMMAND_LONG for places knows.
        if (is_finite(m.param5) && is_finite(m.param6) && absolute(m.param5) <= 90.0f && absolute(m.param6) <= 180.0f) {
            c->place.latitude = (int32_t)(m.param5 * 1e7f);
            c->place.longitude = (int32_t)(m.param6 * 1e7f);
        }
    } else {
        struct mavlink_command_int m;
        memcpy(&m, message->payload, sizeof m);
        *target = m.target_system;
        *c = (struct command){m.command, {m.param1, m.param2, m.param3, m.param4}, {m.x, m.y, m.z}, is_relative(m.frame)};
    }
    for (int i = 0; i < 4; i++)
        if (!is_finite(c->parameter[i]))
            c->parameter[i] = 0.0f;
    if (!is_finite(c->place.altitude))
        c->place.altitude = 0.0f;
    return *target == 0 || *target == link_system();
}

void commands_take(struct link *link, const struct mavlink_message *message)
{
    struct command command;
    uint8_t target;
    if (!read_command(message, &command, &target))
        return;
    struct mavlink_command_ack ack = {
        .command = command.id,
        .result = obey(link, &command),
        .target_system = message->system,
        .target_component = message->component,
    };
    link_send(link, MAVLINK_ID_COMMAND_ACK, &ack);
}
