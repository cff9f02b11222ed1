// A ground station talks to the firmware: frames in, frames out.
#include "../drivers/timer.h"
#include "../link/handlers.h"
#include "../link/streams.h"
#include "../navigation/mission.h"
#include "../system/announcements.h"
#include "../system/memory.h"
#include "../system/parameters.h"
#include "check.h"
#include <string.h>

static uint64_t clock_us = 1000000;
uint64_t timer_micros(void) { return clock_us; }

// What was sent, decoded; room as of a FIFO.
static struct mavlink_message sent[512];
static unsigned sent_count, room;

static bool take_frame(const uint8_t *frame, unsigned length, unsigned reserve)
{
    static struct mavlink_parser parser;
    if (length + reserve > room)
        return false;
    room -= length;
    for (unsigned i = 0; i < length; i++)
        for (bool is_there = mavlink_parse(&parser, frame[i], &sent[sent_count % 512]); is_there; is_there = mavlink_next(&parser, &sent[sent_count % 512]))
            sent_count++;
    return true;
}

static struct link link = {.send = take_frame};

static void tell(uint32_t id, const void *payload)
{
    uint8_t frame[MAVLINK_FRAME_MAX];
    unsigned length = mavlink_encode(frame, id, payload, 255, 190, 0);
    sent_count = 0;
    room = 100000;
    link_take_bytes(&link, frame, length);
}

static uint8_t command(uint16_t id, float p1, float p2)
{
    struct mavlink_command_long m = {.target_system = 7, .target_component = 1, .command = id, .param1 = p1, .param2 = p2};
    tell(MAVLINK_ID_COMMAND_LONG, &m);
    struct mavlink_command_ack ack;
    memcpy(&ack, sent[sent_count - 1].payload, sizeof ack);
    CHECK(sent[sent_count - 1].id == MAVLINK_ID_COMMAND_ACK && ack.command == id && ack.target_system == 255);
    return ack.result;
}

static bool last_text_is(const char *text)
{
    return strcmp(announcement(announcement_count() - 1)->text.characters, text) == 0;
}

// How many of the frames behind these bytes are found.
static unsigned found_behind(const uint8_t *bytes, unsigned count)
{
    static struct mavlink_parser parser;
    static struct mavlink_message message;
    struct mavlink_heartbeat beat = {.type = 6, .mavlink_version = 3};
    uint8_t stream[1024], *end = stream + count;
    memset(&parser, 0, sizeof parser);
    memset(stream, 0, sizeof stream);
    memcpy(stream, bytes, count);
    for (uint8_t n = 0; n < 14; n++)
        end += mavlink_encode(end, MAVLINK_ID_HEARTBEAT, &beat, 255, 190, n);
    unsigned found = 0;
    for (unsigned i = 0; i < sizeof stream; i++)
        for (bool is_there = mavlink_parse(&parser, stream[i], &message); is_there; is_there = mavlink_next(&parser, &message))
            found += message.sequence == found;
    return found;
}

static void what_is_no_frame_costs_none_of_those_behind_it(void)
{
    const uint8_t stray[] = {0xFD, 0xFD, 0xFD};
    CHECK(found_behind(stray, 1) == 14 && found_behind(stray, 3) == 14);
    // The beginning of a frame that never came, and of one with a flag that nobody knows.
    const uint8_t cut[] = {0xFD, 200, 0, 0, 5}, flagged[] = {0xFD, 9, 2, 0, 5};
    CHECK(found_behind(cut, sizeof cut) == 14 && found_behind(flagged, sizeof flagged) == 14);
}

static void a_datagram_does_not_wait_for_the_rest_of_another(void)
{
    // Its length, 1, would be the flag of a signature in a frame of 278 bytes.
    struct mavlink_param_request_list list = {.target_system = 7};
    uint8_t stray = 0xFD, frame[MAVLINK_FRAME_MAX];
    unsigned length = mavlink_encode(frame, MAVLINK_ID_PARAM_REQUEST_LIST, &list, 255, 190, 0);
    CHECK(length == 13);
    link.next_parameter = parameter_count();
    link_take_datagram(&link, &stray, 1);
    link_take_datagram(&link, frame, length);
    CHECK(link.next_parameter == 0);
    link.next_parameter = parameter_count();
}

static void parameters_are_read_and_set(void)
{
    struct mavlink_param_set set = {.target_system = 7, .param_value = 7.5f, .param_type = 9};
    memcpy(set.param_id, "WP_SPEED", 8);
    tell(MAVLINK_ID_PARAM_SET, &set);
    struct mavlink_param_value value;
    memcpy(&value, sent[0].payload, sizeof value);
    CHECK(sent_count == 1 && value.param_value == 7.5f && parameters.cruise_speed == 7.5f && value.param_count == parameter_count());
    set.target_system = 8; // somebody else
    set.param_value = 1.0f;
    tell(MAVLINK_ID_PARAM_SET, &set);
    CHECK(sent_count == 0 && parameters.cruise_speed == 7.5f);
    struct mavlink_param_request_list list = {.target_system = 7};
    tell(MAVLINK_ID_PARAM_REQUEST_LIST, &list);
    unsigned values = 0;
    for (unsigned i = 0; i < 2 * parameter_count(); i++) {
        sent_count = 0;
        room = 100000;
        clock_us += 5000;
        streams_step(&link, clock_us);
        for (unsigned k = 0; k < sent_count; k++)
            values += sent[k].id == MAVLINK_ID_PARAM_VALUE;
    }
    CHECK(values == parameter_count());
}

static void a_mission_is_uploaded_and_downloaded(void)
{
    struct mavlink_mission_count count = {.count = 3, .target_system = 7};
    tell(MAVLINK_ID_MISSION_COUNT, &count);
    for (uint16_t i = 0; i < 3; i++) {
        CHECK(sent_count == 1 && sent[0].id == MAVLINK_ID_MISSION_REQUEST_INT && sent[0].payload[0] == i);
        struct mavlink_mission_item_int item = {.seq = i, .command = COMMAND_WAYPOINT, .frame = 6, .x = 473977000 + i, .y = 85456000, .z = 10.0f, .target_system = 7};
        if (i == 1) { // the answer got lost: it asks again
            clock_us += 600000;
            sent_count = 0;
            streams_step(&link, clock_us);
            CHECK(sent[0].id == MAVLINK_ID_MISSION_REQUEST_INT && sent[0].payload[0] == 1);
        }
        tell(MAVLINK_ID_MISSION_ITEM_INT, &item);
    }
    struct mavlink_mission_ack ack;
    memcpy(&ack, sent[0].payload, sizeof ack);
    CHECK(sent[0].id == MAVLINK_ID_MISSION_ACK && ack.type == 0 && mission_count() == 3);
    struct mavlink_mission_request_int request = {.seq = 2, .target_system = 7};
    tell(MAVLINK_ID_MISSION_REQUEST_INT, &request);
    struct mavlink_mission_item_int item;
    memcpy(&item, sent[0].payload, sizeof item);
    CHECK(sent[0].id == MAVLINK_ID_MISSION_ITEM_INT && item.x == 473977002 && item.z == 10.0f);
    count.count = 60000;
    tell(MAVLINK_ID_MISSION_COUNT, &count);
    memcpy(&ack, sent[0].payload, sizeof ack);
    CHECK(sent[0].id == MAVLINK_ID_MISSION_ACK && ack.type == 4 && mission_count() == 3);
}

static void commands_are_answered(void)
{
    CHECK(command(9999, 0, 0) == 3);                             // there is none
    CHECK(command(400, 1, 0) == 1 && !vehicle.armed);            // not aligned
    CHECK(command(176, 1, MODE_GUIDED) == 1);                    // no position
    CHECK(command(511, MAVLINK_ID_ATTITUDE, 10000) == 0);
    CHECK(command(511, 4711, 10000) == 2);
    CHECK(command(512, MAVLINK_ID_AUTOPILOT_VERSION, 0) == 0 && sent[0].id == MAVLINK_ID_AUTOPILOT_VERSION);
    vehicle.estimate.aligned = vehicle.estimate.positioned = true;
    CHECK(command(176, 1, MODE_GUIDED) == 1 && last_text_is("Mode GUIDED needs a 3D fix"));
    vehicle.healthy.gnss = true;
    CHECK(command(176, 1, MODE_GUIDED) == 0 && vehicle.mode == MODE_GUIDED);
    CHECK(command(400, 1, 21196) == 0 && vehicle.armed);         // by force
    CHECK(command(22, 0, 0) == 0);                               // take-off
    CHECK(command(400, 0, 0) == 0 && !vehicle.armed);            // still on the ground
    struct mavlink_timesync time = {.tc1 = 0, .ts1 = 42};
    tell(MAVLINK_ID_TIMESYNC, &time);
    memcpy(&time, sent[0].payload, sizeof time);
    CHECK(time.ts1 == 42 && time.tc1 == (int64_t)clock_us * 1000);
}

static void a_mission_is_not_started_without_a_fix(void)
{
    CHECK(command(400, 1, 21196) == 0 && mission_count() == 3);
    vehicle.healthy.gnss = false;
    CHECK(command(300, 0, 0) == 1 && vehicle.mode == MODE_GUIDED && last_text_is("Mode AUTO needs a 3D fix"));
    CHECK(command(176, 1, MODE_AUTO) == 1 && vehicle.mode == MODE_GUIDED);
    vehicle.healthy.gnss = true;
    CHECK(command(300, 3, 0) == 2 && vehicle.mode == MODE_GUIDED); // there is no item 3
    CHECK(command(300, 0, 0) == 0 && vehicle.mode == MODE_AUTO);
    vehicle.healthy.gnss = false;
    CHECK(command(300, 0, 0) == 1); // nor anew
    vehicle.healthy.gnss = true;
    CHECK(command(176, 1, MODE_GUIDED) == 0 && command(400, 0, 0) == 0);
}

static void an_upload_that_breaks_off_leaves_no_mission(void)
{
    CHECK(mission_count() == 3);
    struct mavlink_mission_count count = {.count = 3, .target_system = 7};
    tell(MAVLINK_ID_MISSION_COUNT, &count);
    struct mavlink_mission_item_int item = {.seq = 0, .command = COMMAND_WAYPOINT, .frame = 6, .x = 473977000, .y = 85456000, .z = 10.0f, .target_system = 7};
    tell(MAVLINK_ID_MISSION_ITEM_INT, &item);
    CHECK(mission_count() == 0 && mission_item(0) == NULL);
    CHECK(command(300, 0, 0) == 2 && last_text_is("No mission to start")); // not while it is under way
    for (int i = 0; i < 12; i++) {
        clock_us += 600000;
        sent_count = 0;
        room = 100000;
        streams_step(&link, clock_us);
    }
    CHECK(!link.upload.running && last_text_is("Mission upload broke off: no mission"));
    item.seq = 1; // too late
    tell(MAVLINK_ID_MISSION_ITEM_INT, &item);
    CHECK(mission_count() == 0);
    CHECK(command(400, 1, 21196) == 0 && command(300, 0, 0) == 2 && vehicle.mode == MODE_GUIDED);
    CHECK(last_text_is("No mission to start"));
    CHECK(command(400, 0, 0) == 0);
}

static void a_second_upload_ends_the_first(void)
{
    static struct link other = {.send = take_frame};
    struct mavlink_mission_count count = {.count = 2, .target_system = 7};
    tell(MAVLINK_ID_MISSION_COUNT, &count);
    uint8_t frame[MAVLINK_FRAME_MAX];
    link_take_bytes(&other, frame, mavlink_encode(frame, MAVLINK_ID_MISSION_COUNT, &count, 254, 190, 0));
    CHECK(!link.upload.running && other.upload.running);
    struct mavlink_mission_item_int item = {.command = COMMAND_WAYPOINT, .frame = 6, .target_system = 7};
    tell(MAVLINK_ID_MISSION_ITEM_INT, &item);
    CHECK(sent_count == 0 && other.upload.next == 0);
}

// 57600 baud are 5760 bytes per second, and 256 find room. Streams must fit, and leave room for an answer at any time.
static void streams_fit_a_slow_link(void)
{
    streams_begin(&link, true);
    vehicle.origin.set = vehicle.home_set = true;
    vehicle.fix_at = 1;
    unsigned bytes = 0, attitudes = 0;
    room = 256;
    for (int i = 0; i < 2000; i++) { // 10 s
        clock_us += 5000;
        room = room + 29 > 256 ? 256 : room + 29;
        unsigned before = room;
        sent_count = 0;
        streams_step(&link, clock_us);
        bytes += before - room;
        CHECK(room >= 66 || before < 146);
        for (unsigned k = 0; k < sent_count; k++)
            attitudes += sent[k].id == MAVLINK_ID_ATTITUDE;
    }
    CHECK(bytes < 57600);
    CHECK(attitudes >= 38 && attitudes <= 41);
}

int main(void)
{
    static char memory[30000];
    heap_begin((uintptr_t)memory, (uintptr_t)memory + sizeof memory);
    mission_begin();
    link_begin(7);
    streams_begin(&link, false);
    what_is_no_frame_costs_none_of_those_behind_it();
    a_datagram_does_not_wait_for_the_rest_of_another();
    parameters_are_read_and_set();
    a_mission_is_uploaded_and_downloaded();
    commands_are_answered();
    a_mission_is_not_started_without_a_fix();
    an_upload_that_breaks_off_leaves_no_mission();
    a_second_upload_ends_the_first();
    streams_fit_a_slow_link();
    return checks_failed != 0;
}
