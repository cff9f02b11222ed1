// The mission: a list of commands, kept in memory from the heap.
#ifndef NAVIGATION_MISSION_H
#define NAVIGATION_MISSION_H

#include "vehicle.h"

// As MAVLink's MAV_CMD.
enum { COMMAND_WAYPOINT = 16, COMMAND_LOITER_UNLIMITED = 17, COMMAND_LOITER_TIME = 19, COMMAND_RTL = 20, COMMAND_LAND = 21, COMMAND_TAKEOFF = 22, COMMAND_NAV_DELAY = 93, COMMAND_CHANGE_SPEED = 178 };

struct mission_item {
    float parameter[4];
    int32_t latitude, longitude;
    float altitude;
    uint16_t command;
    uint8_t frame;
    uint8_t autocontinue;
};

#define MISSION_CAPACITY 700

// Takes memory for as many items as there is room for, up to MISSION_CAPACITY.
void mission_begin(void);
unsigned mission_capacity(void);
unsigned mission_count(void);
void mission_clear(void);
// A new mission: cleared, its items stored one by one, and then there once it is complete. An upload that breaks off
// leaves none. Storing is false if there is no room.
bool mission_store(unsigned index, const struct mission_item *item);
void mission_complete(unsigned items_stored);
const struct mission_item *mission_item(unsigned index); // NULL beyond its end
bool mission_is_supported(uint16_t command);

unsigned mission_current(void);
bool mission_set_current(unsigned index);
// Changes whenever somebody else set the current item: whoever flies the mission begins it anew.
uint32_t mission_revision(void);
// The current item is done: notes it as reached and goes on. False at the end.
bool mission_advance(void);
// How many items were reached since the start, and which one was last.
uint32_t mission_reached_count(void);
unsigned mission_reached(void);
// Where an item is, local. Altitudes of frame 3 and 6 count from home.
struct vector3 mission_place(const struct mission_item *item);

#endif
