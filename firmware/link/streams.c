#include "streams.h"
#include "../navigation/arming.h"
#include "../navigation/mission.h"
#include "../navigation/vehicle.h"
#include "../system/announcements.h"
#include "../system/memory.h"
#include "../system/parameters.h"
#include "mission_protocol.h"
#include "parameter_protocol.h"

// MAV_TYPE, MAV_AUTOPILOT, MAV_MODE_FLAG, MAV_STATE, MAV_SYS_STATUS_SENSOR
enum { TYPE_FIXED_WING = 1, TYPE_QUADROTOR = 2, AUTOPILOT_GENERIC = 0 };
enum { FLAG_CUSTOM = 1, FLAG_GUIDED = 8, FLAG_STABILIZE = 16, FLAG_MANUAL_INPUT = 64, FLAG_ARMED = 128 };
enum { STATE_CALIBRATING = 2, STATE_STANDBY = 3, STATE_ACTIVE = 4, STATE_CRITICAL = 5 };
enum { SENSOR_GYRO = 1, SENSOR_ACCEL = 2, SENSOR_MAG = 4, SENSOR_PRESSURE = 8, SENSOR_GPS = 32, SENSOR_AHRS = 0x200000, SENSOR_PREARM = 0x10000000 };

static uint32_t milliseconds(void)
{
    return (uint32_t)(vehicle.now / 1000);
}

static int16_t hundredths(float value)
{
    return (int16_t)clamp(value * 100.0f, -32767.0f, 32767.0f);
}

static uint16_t heading_hundredths(void)
{
    float degrees = DEGREES(vehicle.estimate.angles.yaw);
    return (uint16_t)((degrees < 0.0f ? degrees + 360.0f : degrees) * 100.0f);
}

static bool send_heartbeat(struct link *link)
{
    bool automatic = vehicle.mode == MODE_AUTO || vehicle.mode == MODE_GUIDED || vehicle.mode == MODE_RTL || vehicle.mode == MODE_LAND;
    struct mavlink_heartbeat m = {
        .custom_mode = vehicle.mode,
#ifdef VEHICLE_PLANE
        .type = TYPE_FIXED_WING,
#else
        .type = TYPE_QUADROTOR,
#endif
        .autopilot = AUTOPILOT_GENERIC,
        .base_mode = (uint8_t)(FLAG_CUSTOM | FLAG_STABILIZE | (automatic ? FLAG_GUIDED : FLAG_MANUAL_INPUT) | (vehicle.armed ? FLAG_ARMED : 0)),
        .system_status = !vehicle.estimate.aligned ? STATE_CALIBRATING : !vehicle.armed ? STATE_STANDBY : vehicle.healthy.imu ? STATE_ACTIVE : STATE_CRITICAL,
        .mavlink_version = 3,
    };
    return link_send_stream(link, MAVLINK_ID_HEARTBEAT, &m);
}

static bool send_sys_status(struct link *link)
{
    uint32_t healthy = 0;
    healthy |= vehicle.healthy.imu ? SENSOR_GYRO | SENSOR_ACCEL : 0;
    healthy |= vehicle.healthy.compass ? SENSOR_MAG : 0;
    healthy |= vehicle.healthy.barometer ? SENSOR_PRESSURE : 0;
    healthy |= vehicle.healthy.gnss ? SENSOR_GPS : 0;
    healthy |= vehicle.estimate.aligned ? SENSOR_AHRS : 0;
    healthy |= arming_is_ready(false) ? SENSOR_PREARM : 0;
    struct mavlink_sys_status m = {
        .onboard_control_sensors_present = SENSOR_GYRO | SENSOR_ACCEL | SENSOR_MAG | SENSOR_PRESSURE | SENSOR_GPS | SENSOR_AHRS | SENSOR_PREARM,
        .onboard_control_sensors_enabled = SENSOR_GYRO | SENSOR_ACCEL | SENSOR_MAG | SENSOR_PRESSURE | SENSOR_GPS | SENSOR_AHRS | SENSOR_PREARM,
        .onboard_control_sensors_health = healthy,
        .load = (uint16_t)(vehicle.load * 1000.0f + 0.5f),
        .voltage_battery = 65535,
        .current_battery = -1,
        .battery_remaining = -1,
        .errors_comm = (uint16_t)link->parser.bad,
        .errors_count1 = (uint16_t)vehicle.register_errors,
        .errors_count2 = (uint16_t)vehicle.task_slips,
        .errors_count3 = (uint16_t)vehicle.long_loops,
        .errors_count4 = (uint16_t)link->dropped,
    };
    return link_send_stream(link, MAVLINK_ID_SYS_STATUS, &m);
}

static bool send_gps(struct link *link)
{
    const struct gnss_fix *fix = &vehicle.fix;
    if (vehicle.fix_at == 0)
        return true;
    struct mavlink_gps_raw_int m = {
        .time_usec = fix->time, .fix_type = (uint8_t)fix->type, .lat = fix->latitude, .lon = fix->longitude, .alt = (int32_t)(fix->altitude * 1000.0f),
        .eph = (uint16_t)hundredths(minimum(fix->hdop, 99.0f)), .epv = (uint16_t)hundredths(minimum(fix->vdop, 99.0f)), .vel = (uint16_t)hundredths(fix->speed),
        .cog = fix->has_course ? (uint16_t)(DEGREES(fix->course) * 100.0f) : 65535, .satellites_visible = (uint8_t)fix->satellites,
    };
    return link_send_stream(link, MAVLINK_ID_GPS_RAW_INT, &m);
}

static bool send_attitude(struct link *link)
{
    const struct estimator *e = &vehicle.estimate;
    struct mavlink_attitude m = {milliseconds(), e->angles.roll, e->angles.pitch, e->angles.yaw, e->angular_velocity.x, e->angular_velocity.y, e->angular_velocity.z};
    return link_send_stream(link, MAVLINK_ID_ATTITUDE, &m);
}

static bool send_local_position(struct link *link)
{
    const struct estimator *e = &vehicle.estimate;
    struct mavlink_local_position_ned m = {milliseconds(), e->position.x, e->position.y, e->position.z, e->velocity.x, e->velocity.y, e->velocity.z};
    return link_send_stream(link, MAVLINK_ID_LOCAL_POSITION_NED, &m);
}

static bool send_global_position(struct link *link)
{
    const struct estimator *e = &vehicle.estimate;
    if (!vehicle.origin.set)
        return true;
    struct location here = origin_to_location(&vehicle.origin, e->position);
    struct mavlink_global_position_int m = {
        milliseconds(), here.latitude, here.longitude, (int32_t)(here.altitude * 1000.0f), (int32_t)(vehicle_height() * 1000.0f),
        hundredths(e->velocity.x), hundredths(e->velocity.y), hundredths(e->velocity.z), heading_hundredths(),
    };
    return link_send_stream(link, MAVLINK_ID_GLOBAL_POSITION_INT, &m);
}

static bool send_hud(struct link *link)
{
    const struct estimator *e = &vehicle.estimate;
    struct mavlink_vfr_hud m = {
        .airspeed = vehicle.airspeed, .groundspeed = horizontal_length(e->velocity), .alt = vehicle.origin.location.altitude - e->position.z, .climb = -e->velocity.z,
        .heading = (int16_t)(heading_hundredths() / 100), .throttle = (uint16_t)(vehicle.throttle * 100.0f),
    };
    return link_send_stream(link, MAVLINK_ID_VFR_HUD, &m);
}

static bool send_landed_state(struct link *link)
{
    struct mavlink_extended_sys_state m = {.landed_state = (uint8_t)vehicle.landed};
    return link_send_stream(link, MAVLINK_ID_EXTENDED_SYS_STATE, &m);
}

static bool send_home(struct link *link)
{
    if (!vehicle.home_set)
        return true;
    struct location home = origin_to_location(&vehicle.origin, vehicle.home);
    struct mavlink_home_position m = {
        .latitude = home.latitude, .longitude = home.longitude, .altitude = (int32_t)(home.altitude * 1000.0f),
        .x = vehicle.home.x, .y = vehicle.home.y, .z = vehicle.home.z, .q = {1.0f, 0.0f, 0.0f, 0.0f}, .time_usec = vehicle.now,
    };
    return link_send_stream(link, MAVLINK_ID_HOME_POSITION, &m);
}

static bool send_loop_rate(struct link *link)
{
    struct mavlink_named_value_float m = {.time_boot_ms = milliseconds(), .value = vehicle.loop_rate, .name = "loop_rate"};
    return link_send_stream(link, MAVLINK_ID_NAMED_VALUE_FLOAT, &m);
}

static bool send_mission_current(struct link *link)
{
    struct mavlink_mission_current m = {.seq = (uint16_t)mission_current(), .total = (uint16_t)mission_count()};
    return link_send_stream(link, MAVLINK_ID_MISSION_CURRENT, &m);
}

static bool send_outputs(struct link *link)
{
    struct mavlink_servo_output_raw m = {
        .time_usec = (uint32_t)vehicle.now, .servo1_raw = (uint16_t)vehicle.output[0], .servo2_raw = (uint16_t)vehicle.output[1],
        .servo3_raw = (uint16_t)vehicle.output[2], .servo4_raw = (uint16_t)vehicle.output[3],
    };
    return link_send_stream(link, MAVLINK_ID_SERVO_OUTPUT_RAW, &m);
}

// Usual intervals in ms, over the network and over a slow radio; 0: only if asked for.
static const struct {
    uint32_t id;
    bool (*send)(struct link *link);
    uint16_t network, radio;
} streams[] = {
    {MAVLINK_ID_HEARTBEAT, send_heartbeat, 1000, 1000},
    {MAVLINK_ID_ATTITUDE, send_attitude, 100, 250},
    {MAVLINK_ID_GLOBAL_POSITION_INT, send_global_position, 200, 250},
    {MAVLINK_ID_LOCAL_POSITION_NED, send_local_position, 200, 500},
    {MAVLINK_ID_EXTENDED_SYS_STATE, send_landed_state, 500, 500},
    {MAVLINK_ID_SYS_STATUS, send_sys_status, 1000, 1000},
    {MAVLINK_ID_GPS_RAW_INT, send_gps, 500, 1000},
    {MAVLINK_ID_VFR_HUD, send_hud, 250, 500},
    {MAVLINK_ID_NAMED_VALUE_FLOAT, send_loop_rate, 200, 1000},
    {MAVLINK_ID_MISSION_CURRENT, send_mission_current, 1000, 1000},
    {MAVLINK_ID_HOME_POSITION, send_home, 2000, 5000},
    {MAVLINK_ID_SERVO_OUTPUT_RAW, send_outputs, 0, 0},
};
#define STREAM_COUNT (sizeof streams / sizeof streams[0])
_Static_assert(STREAM_COUNT <= LINK_STREAMS_MAX, "a link has no room for all streams");

void streams_begin(struct link *link, bool slow)
{
    link->slow = slow;
    link->next_parameter = (uint16_t)parameter_count();
    for (unsigned i = 0; i < STREAM_COUNT; i++)
        streams_set_interval(link, streams[i].id, 0.0f);
}

bool streams_set_interval(struct link *link, uint32_t id, float interval)
{
    for (unsigned i = 0; i < STREAM_COUNT; i++) {
        if (streams[i].id != id)
            continue;
        uint32_t usual = 1000u * (link->slow ? streams[i].radio : streams[i].network);
        link->streams[i].interval = interval < 0.0f ? 0 : interval == 0.0f ? usual : (uint32_t)interval;
        link->streams[i].due = 0;
        return true;
    }
    return false;
}

bool streams_send_once(struct link *link, uint32_t id)
{
    if (id == MAVLINK_ID_AUTOPILOT_VERSION) {
        struct mavlink_autopilot_version m = {.capabilities = 0x0002 | 0x0004 | 0x2000 | 0x80 | 0x100}; // float parameters, integer missions, MAVLink 2, targets
        return link_send(link, id, &m);
    }
    for (unsigned i = 0; i < STREAM_COUNT; i++)
        if (streams[i].id == id)
            return streams[i].send(link);
    return false;
}

static void send_texts(struct link *link)
{
    while (link->next_announcement < announcement_count()) {
        const struct announcement *a = announcement(link->next_announcement);
        if (a != NULL) {
            struct mavlink_statustext m = {.severity = (uint8_t)a->severity};
            memcpy(m.text, a->text.characters, a->text.length);
            if (!link_send_stream(link, MAVLINK_ID_STATUSTEXT, &m))
                return;
        }
        link->next_announcement++;
    }
}

static void send_reached(struct link *link)
{
    if (link->reached_told == mission_reached_count())
        return;
    struct mavlink_mission_item_reached m = {.seq = (uint16_t)mission_reached()};
    if (link_send_stream(link, MAVLINK_ID_MISSION_ITEM_REACHED, &m))
        link->reached_told = mission_reached_count();
}

static void send_due(struct link *link, unsigned i, uint64_t now)
{
    struct stream *stream = &link->streams[i];
    if (stream->interval == 0 || now < stream->due || !streams[i].send(link))
        return;
    // In step, unless it fell behind: a late stream is thinned out, not made up for.
    stream->due = stream->due + stream->interval > now ? stream->due + stream->interval : now + stream->interval;
}

void streams_step(struct link *link, uint64_t now)
{
    mission_protocol_step(link, now);
    send_texts(link);
    send_reached(link);
    for (unsigned i = 0; i < STREAM_COUNT; i++)
        send_due(link, i, now);
    parameter_protocol_step(link);
}
