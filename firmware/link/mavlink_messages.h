// Written by tools/generate_mavlink.py from the official definitions; change it there.
#ifndef LINK_MAVLINK_MESSAGES_H
#define LINK_MAVLINK_MESSAGES_H

#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structures are payloads as they are sent");

struct mavlink_format {
    uint32_t id;
    uint8_t crc_extra, minimum, length;
};

#define MAVLINK_FORMAT_COUNT 37
#define MAVLINK_PAYLOAD_MAX 78
extern const struct mavlink_format mavlink_formats[MAVLINK_FORMAT_COUNT];

#define MAVLINK_ID_HEARTBEAT 0u
struct mavlink_heartbeat {
    uint32_t custom_mode;
    uint8_t type;
    uint8_t autopilot;
    uint8_t base_mode;
    uint8_t system_status;
    uint8_t mavlink_version;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_heartbeat) == 9, "length of HEARTBEAT");

#define MAVLINK_ID_SYS_STATUS 1u
struct mavlink_sys_status {
    uint32_t onboard_control_sensors_present;
    uint32_t onboard_control_sensors_enabled;
    uint32_t onboard_control_sensors_health;
    uint16_t load;
    uint16_t voltage_battery;
    int16_t current_battery;
    uint16_t drop_rate_comm;
    uint16_t errors_comm;
    uint16_t errors_count1;
    uint16_t errors_count2;
    uint16_t errors_count3;
    uint16_t errors_count4;
    int8_t battery_remaining;
    uint32_t onboard_control_sensors_present_extended; // extension
    uint32_t onboard_control_sensors_enabled_extended; // extension
    uint32_t onboard_control_sensors_health_extended; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_sys_status) == 43, "length of SYS_STATUS");

#define MAVLINK_ID_PING 4u
struct mavlink_ping {
    uint64_t time_usec;
    uint32_t seq;
    uint8_t target_system;
    uint8_t target_component;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_ping) == 14, "length of PING");

#define MAVLINK_ID_SET_MODE 11u
struct mavlink_set_mode {
    uint32_t custom_mode;
    uint8_t target_system;
    uint8_t base_mode;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_set_mode) == 6, "length of SET_MODE");

#define MAVLINK_ID_PARAM_REQUEST_READ 20u
struct mavlink_param_request_read {
    int16_t param_index;
    uint8_t target_system;
    uint8_t target_component;
    char param_id[16];
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_param_request_read) == 20, "length of PARAM_REQUEST_READ");

#define MAVLINK_ID_PARAM_REQUEST_LIST 21u
struct mavlink_param_request_list {
    uint8_t target_system;
    uint8_t target_component;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_param_request_list) == 2, "length of PARAM_REQUEST_LIST");

#define MAVLINK_ID_PARAM_VALUE 22u
struct mavlink_param_value {
    float param_value;
    uint16_t param_count;
    uint16_t param_index;
    char param_id[16];
    uint8_t param_type;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_param_value) == 25, "length of PARAM_VALUE");

#define MAVLINK_ID_PARAM_SET 23u
struct mavlink_param_set {
    float param_value;
    uint8_t target_system;
    uint8_t target_component;
    char param_id[16];
    uint8_t param_type;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_param_set) == 23, "length of PARAM_SET");

#define MAVLINK_ID_GPS_RAW_INT 24u
struct mavlink_gps_raw_int {
    uint64_t time_usec;
    int32_t lat;
    int32_t lon;
    int32_t alt;
    uint16_t eph;
    uint16_t epv;
    uint16_t vel;
    uint16_t cog;
    uint8_t fix_type;
    uint8_t satellites_visible;
    int32_t alt_ellipsoid; // extension
    uint32_t h_acc; // extension
    uint32_t v_acc; // extension
    uint32_t vel_acc; // extension
    uint32_t hdg_acc; // extension
    uint16_t yaw; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_gps_raw_int) == 52, "length of GPS_RAW_INT");

#define MAVLINK_ID_ATTITUDE 30u
struct mavlink_attitude {
    uint32_t time_boot_ms;
    float roll;
    float pitch;
    float yaw;
    float rollspeed;
    float pitchspeed;
    float yawspeed;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_attitude) == 28, "length of ATTITUDE");

#define MAVLINK_ID_LOCAL_POSITION_NED 32u
struct mavlink_local_position_ned {
    uint32_t time_boot_ms;
    float x;
    float y;
    float z;
    float vx;
    float vy;
    float vz;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_local_position_ned) == 28, "length of LOCAL_POSITION_NED");

#define MAVLINK_ID_GLOBAL_POSITION_INT 33u
struct mavlink_global_position_int {
    uint32_t time_boot_ms;
    int32_t lat;
    int32_t lon;
    int32_t alt;
    int32_t relative_alt;
    int16_t vx;
    int16_t vy;
    int16_t vz;
    uint16_t hdg;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_global_position_int) == 28, "length of GLOBAL_POSITION_INT");

#define MAVLINK_ID_SERVO_OUTPUT_RAW 36u
struct mavlink_servo_output_raw {
    uint32_t time_usec;
    uint16_t servo1_raw;
    uint16_t servo2_raw;
    uint16_t servo3_raw;
    uint16_t servo4_raw;
    uint16_t servo5_raw;
    uint16_t servo6_raw;
    uint16_t servo7_raw;
    uint16_t servo8_raw;
    uint8_t port;
    uint16_t servo9_raw; // extension
    uint16_t servo10_raw; // extension
    uint16_t servo11_raw; // extension
    uint16_t servo12_raw; // extension
    uint16_t servo13_raw; // extension
    uint16_t servo14_raw; // extension
    uint16_t servo15_raw; // extension
    uint16_t servo16_raw; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_servo_output_raw) == 37, "length of SERVO_OUTPUT_RAW");

#define MAVLINK_ID_MISSION_REQUEST 40u
struct mavlink_mission_request {
    uint16_t seq;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_request) == 5, "length of MISSION_REQUEST");

#define MAVLINK_ID_MISSION_SET_CURRENT 41u
struct mavlink_mission_set_current {
    uint16_t seq;
    uint8_t target_system;
    uint8_t target_component;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_set_current) == 4, "length of MISSION_SET_CURRENT");

#define MAVLINK_ID_MISSION_CURRENT 42u
struct mavlink_mission_current {
    uint16_t seq;
    uint16_t total; // extension
    uint8_t mission_state; // extension
    uint8_t mission_mode; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_current) == 6, "length of MISSION_CURRENT");

#define MAVLINK_ID_MISSION_REQUEST_LIST 43u
struct mavlink_mission_request_list {
    uint8_t target_system;
    uint8_t target_component;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_request_list) == 3, "length of MISSION_REQUEST_LIST");

#define MAVLINK_ID_MISSION_COUNT 44u
struct mavlink_mission_count {
    uint16_t count;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_count) == 5, "length of MISSION_COUNT");

#define MAVLINK_ID_MISSION_CLEAR_ALL 45u
struct mavlink_mission_clear_all {
    uint8_t target_system;
    uint8_t target_component;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_clear_all) == 3, "length of MISSION_CLEAR_ALL");

#define MAVLINK_ID_MISSION_ITEM_REACHED 46u
struct mavlink_mission_item_reached {
    uint16_t seq;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_item_reached) == 2, "length of MISSION_ITEM_REACHED");

#define MAVLINK_ID_MISSION_ACK 47u
struct mavlink_mission_ack {
    uint8_t target_system;
    uint8_t target_component;
    uint8_t type;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_ack) == 4, "length of MISSION_ACK");

#define MAVLINK_ID_MISSION_REQUEST_INT 51u
struct mavlink_mission_request_int {
    uint16_t seq;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_request_int) == 5, "length of MISSION_REQUEST_INT");

#define MAVLINK_ID_MANUAL_CONTROL 69u
struct mavlink_manual_control {
    int16_t x;
    int16_t y;
    int16_t z;
    int16_t r;
    uint16_t buttons;
    uint8_t target;
    uint16_t buttons2; // extension
    uint8_t enabled_extensions; // extension
    int16_t s; // extension
    int16_t t; // extension
    int16_t aux1; // extension
    int16_t aux2; // extension
    int16_t aux3; // extension
    int16_t aux4; // extension
    int16_t aux5; // extension
    int16_t aux6; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_manual_control) == 30, "length of MANUAL_CONTROL");

#define MAVLINK_ID_RC_CHANNELS_OVERRIDE 70u
struct mavlink_rc_channels_override {
    uint16_t chan1_raw;
    uint16_t chan2_raw;
    uint16_t chan3_raw;
    uint16_t chan4_raw;
    uint16_t chan5_raw;
    uint16_t chan6_raw;
    uint16_t chan7_raw;
    uint16_t chan8_raw;
    uint8_t target_system;
    uint8_t target_component;
    uint16_t chan9_raw; // extension
    uint16_t chan10_raw; // extension
    uint16_t chan11_raw; // extension
    uint16_t chan12_raw; // extension
    uint16_t chan13_raw; // extension
    uint16_t chan14_raw; // extension
    uint16_t chan15_raw; // extension
    uint16_t chan16_raw; // extension
    uint16_t chan17_raw; // extension
    uint16_t chan18_raw; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_rc_channels_override) == 38, "length of RC_CHANNELS_OVERRIDE");

#define MAVLINK_ID_MISSION_ITEM_INT 73u
struct mavlink_mission_item_int {
    float param1;
    float param2;
    float param3;
    float param4;
    int32_t x;
    int32_t y;
    float z;
    uint16_t seq;
    uint16_t command;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t frame;
    uint8_t current;
    uint8_t autocontinue;
    uint8_t mission_type; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_mission_item_int) == 38, "length of MISSION_ITEM_INT");

#define MAVLINK_ID_VFR_HUD 74u
struct mavlink_vfr_hud {
    float airspeed;
    float groundspeed;
    float alt;
    float climb;
    int16_t heading;
    uint16_t throttle;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_vfr_hud) == 20, "length of VFR_HUD");

#define MAVLINK_ID_COMMAND_INT 75u
struct mavlink_command_int {
    float param1;
    float param2;
    float param3;
    float param4;
    int32_t x;
    int32_t y;
    float z;
    uint16_t command;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t frame;
    uint8_t current;
    uint8_t autocontinue;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_command_int) == 35, "length of COMMAND_INT");

#define MAVLINK_ID_COMMAND_LONG 76u
struct mavlink_command_long {
    float param1;
    float param2;
    float param3;
    float param4;
    float param5;
    float param6;
    float param7;
    uint16_t command;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t confirmation;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_command_long) == 33, "length of COMMAND_LONG");

#define MAVLINK_ID_COMMAND_ACK 77u
struct mavlink_command_ack {
    uint16_t command;
    uint8_t result;
    uint8_t progress; // extension
    int32_t result_param2; // extension
    uint8_t target_system; // extension
    uint8_t target_component; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_command_ack) == 10, "length of COMMAND_ACK");

#define MAVLINK_ID_SET_POSITION_TARGET_LOCAL_NED 84u
struct mavlink_set_position_target_local_ned {
    uint32_t time_boot_ms;
    float x;
    float y;
    float z;
    float vx;
    float vy;
    float vz;
    float afx;
    float afy;
    float afz;
    float yaw;
    float yaw_rate;
    uint16_t type_mask;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t coordinate_frame;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_set_position_target_local_ned) == 53, "length of SET_POSITION_TARGET_LOCAL_NED");

#define MAVLINK_ID_SET_POSITION_TARGET_GLOBAL_INT 86u
struct mavlink_set_position_target_global_int {
    uint32_t time_boot_ms;
    int32_t lat_int;
    int32_t lon_int;
    float alt;
    float vx;
    float vy;
    float vz;
    float afx;
    float afy;
    float afz;
    float yaw;
    float yaw_rate;
    uint16_t type_mask;
    uint8_t target_system;
    uint8_t target_component;
    uint8_t coordinate_frame;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_set_position_target_global_int) == 53, "length of SET_POSITION_TARGET_GLOBAL_INT");

#define MAVLINK_ID_TIMESYNC 111u
struct mavlink_timesync {
    int64_t tc1;
    int64_t ts1;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_timesync) == 16, "length of TIMESYNC");

#define MAVLINK_ID_AUTOPILOT_VERSION 148u
struct mavlink_autopilot_version {
    uint64_t capabilities;
    uint64_t uid;
    uint32_t flight_sw_version;
    uint32_t middleware_sw_version;
    uint32_t os_sw_version;
    uint32_t board_version;
    uint16_t vendor_id;
    uint16_t product_id;
    uint8_t flight_custom_version[8];
    uint8_t middleware_custom_version[8];
    uint8_t os_custom_version[8];
    uint8_t uid2[18]; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_autopilot_version) == 78, "length of AUTOPILOT_VERSION");

#define MAVLINK_ID_HOME_POSITION 242u
struct mavlink_home_position {
    int32_t latitude;
    int32_t longitude;
    int32_t altitude;
    float x;
    float y;
    float z;
    float q[4];
    float approach_x;
    float approach_y;
    float approach_z;
    uint64_t time_usec; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_home_position) == 60, "length of HOME_POSITION");

#define MAVLINK_ID_EXTENDED_SYS_STATE 245u
struct mavlink_extended_sys_state {
    uint8_t vtol_state;
    uint8_t landed_state;
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_extended_sys_state) == 2, "length of EXTENDED_SYS_STATE");

#define MAVLINK_ID_NAMED_VALUE_FLOAT 251u
struct mavlink_named_value_float {
    uint32_t time_boot_ms;
    float value;
    char name[10];
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_named_value_float) == 18, "length of NAMED_VALUE_FLOAT");

#define MAVLINK_ID_STATUSTEXT 253u
struct mavlink_statustext {
    uint8_t severity;
    char text[50];
    uint16_t id; // extension
    uint8_t chunk_seq; // extension
} __attribute__((packed));
_Static_assert(sizeof(struct mavlink_statustext) == 54, "length of STATUSTEXT");

#endif
