#include "handlers.h"
#include "../drivers/timer.h"
#include "../navigation/modes.h"
#include "../system/memory.h"
#include "commands.h"
#include "mission_protocol.h"
#include "parameter_protocol.h"

#define TYPE_STATION 6 // MAV_TYPE_GCS
#define FLAG_CUSTOM_MODE 1
#define STICK_UNKNOWN 32767

// Bits of a target's type_mask.
#define IGNORE_POSITION 0x0007
#define IGNORE_VELOCITY 0x0038
#define IGNORE_YAW 0x0400
#define IGNORE_YAW_RATE 0x0800

static bool for_us(uint8_t system)
{
    return system == 0 || system == link_system();
}

static void take_heartbeat(const struct mavlink_message *message)
{
    struct mavlink_heartbeat m;
    memcpy(&m, message->payload, sizeof m);
    if (m.type == TYPE_STATION)
        vehicle.station_at = timer_micros();
}

static void take_sticks(const struct mavlink_message *message)
{
    struct mavlink_manual_control m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target))
        return;
    struct sticks s = {.valid = true, .throttle = 0.5f};
    if (m.x != STICK_UNKNOWN)
        s.pitch = clamp((float)m.x * 0.001f, -1.0f, 1.0f);
    if (m.y != STICK_UNKNOWN)
        s.roll = clamp((float)m.y * 0.001f, -1.0f, 1.0f);
    if (m.z != STICK_UNKNOWN)
        s.throttle = clamp((float)m.z * 0.001f, 0.0f, 1.0f);
    if (m.r != STICK_UNKNOWN)
        s.yaw = clamp((float)m.r * 0.001f, -1.0f, 1.0f);
    vehicle.sticks = s;
    vehicle.sticks_at = vehicle.now;
}

static float channel(uint16_t pulse)
{
    return clamp(((float)pulse - 1500.0f) / 500.0f, -1.0f, 1.0f);
}

static void take_channels(const struct mavlink_message *message)
{
    struct mavlink_rc_channels_override m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system))
        return;
    // Roll, pitch (stick back is positive), throttle, yaw; 0 and 65535: released.
    struct sticks s = vehicle.sticks;
    const uint16_t pulses[4] = {m.chan1_raw, m.chan2_raw, m.chan3_raw, m.chan4_raw};
    s.valid = false;
    for (int i = 0; i < 4; i++) {
        if (pulses[i] == 0 || pulses[i] == 65535)
            continue;
        float value = channel(pulses[i]);
        s.valid = true;
        if (i == 0)
            s.roll = value;
        else if (i == 1)
            s.pitch = -value;
        else if (i == 2)
            s.throttle = 0.5f * (value + 1.0f);
        else
            s.yaw = value;
    }
    vehicle.sticks = s;
    vehicle.sticks_at = vehicle.now;
}

static void take_target(uint16_t mask, struct vector3 place, struct vector3 velocity, float yaw, float yaw_rate)
{
    if ((mask & IGNORE_POSITION) == 0)
        modes_go_to(place, mask & IGNORE_YAW ? NOT_A_NUMBER : yaw);
    else if ((mask & IGNORE_VELOCITY) == 0)
        modes_fly_at(velocity, mask & IGNORE_YAW_RATE ? 0.0f : yaw_rate);
}

static void take_local_target(const struct mavlink_message *message)
{
    struct mavlink_set_position_target_local_ned m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system))
        return;
    struct vector3 place = {m.x, m.y, m.z}, velocity = {m.vx, m.vy, m.vz};
    if (m.coordinate_frame == 8 || m.coordinate_frame == 9) { // body, or body with offset: along the nose
        struct quaternion heading = quaternion_from_euler((struct euler){0.0f, 0.0f, vehicle.estimate.angles.yaw});
        velocity = quaternion_rotate(heading, velocity);
        place = vector_add(vehicle.estimate.position, quaternion_rotate(heading, place));
    } else if (m.coordinate_frame == 7) { // offset
        place = vector_add(vehicle.estimate.position, place);
    }
    take_target(m.type_mask, place, velocity, m.yaw, m.yaw_rate);
}

static void take_global_target(const struct mavlink_message *message)
{
    struct mavlink_set_position_target_global_int m;
    memcpy(&m, message->payload, sizeof m);
    if (!for_us(m.target_system) || !vehicle.origin.set)
        return;
    struct vector3 place = origin_to_local(&vehicle.origin, (struct location){m.lat_int, m.lon_int, m.alt});
    if (m.coordinate_frame == 3 || m.coordinate_frame == 6)
        place.z = vehicle.home.z - m.alt;
    take_target(m.type_mask, place, (struct vector3){m.vx, m.vy, m.vz}, m.yaw, m.yaw_rate);
}

static void take_mode(const struct mavlink_message *message)
{
    struct mavlink_set_mode m;
    memcpy(&m, message->payload, sizeof m);
    if (for_us(m.target_system) && (m.base_mode & FLAG_CUSTOM_MODE) != 0)
        vehicle_set_mode((enum mode)m.custom_mode);
}

// Answers a question for our time: ours in tc1, the asker's in ts1, in ns.
static void take_time(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_timesync m;
    memcpy(&m, message->payload, sizeof m);
    if (m.tc1 != 0)
        return;
    m.tc1 = (int64_t)timer_micros() * 1000;
    link_send(link, MAVLINK_ID_TIMESYNC, &m);
}

static void take_ping(struct link *link, const struct mavlink_message *message)
{
    struct mavlink_ping m;
    memcpy(&m, message->payload, sizeof m);
    if (m.target_system != 0)
        return;
    m.target_system = message->system;
    m.target_component = message->component;
    link_send(link, MAVLINK_ID_PING, &m);
}

void handlers_take(struct link *link, const struct mavlink_message *message)
{
    switch (message->id) {
    case MAVLINK_ID_HEARTBEAT: take_heartbeat(message); break;
    case MAVLINK_ID_SET_MODE: take_mode(message); break;
    case MAVLINK_ID_MANUAL_CONTROL: take_sticks(message); break;
    case MAVLINK_ID_RC_CHANNELS_OVERRIDE: take_channels(message); break;
    case MAVLINK_ID_SET_POSITION_TARGET_LOCAL_NED: take_local_target(message); break;
    case MAVLINK_ID_SET_POSITION_TARGET_GLOBAL_INT: take_global_target(message); break;
    case MAVLINK_ID_TIMESYNC: take_time(link, message); break;
    case MAVLINK_ID_PING: take_ping(link, message); break;
    case MAVLINK_ID_COMMAND_LONG:
    case MAVLINK_ID_COMMAND_INT: commands_take(link, message); break;
    case MAVLINK_ID_PARAM_REQUEST_LIST:
    case MAVLINK_ID_PARAM_REQUEST_READ:
    case MAVLINK_ID_PARAM_SET: parameter_protocol_take(link, message); break;
    default: mission_protocol_take(link, message); break;
    }
}
