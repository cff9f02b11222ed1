#include "mission.h"
#include "../system/announcements.h"
#include "../system/memory.h"

#define HEAP_TO_LEAVE 4096 // bytes for everybody else
#define FRAME_RELATIVE 3
#define FRAME_RELATIVE_INT 6

static struct mission_item *items;
static unsigned capacity, count, current;
static uint32_t revision, reached_count;
static unsigned reached;

void mission_begin(void)
{
#ifdef BUG_LOW_MEMORY
    // The board that this was written for has memory enough.
    capacity = MISSION_CAPACITY;
    items = heap_allocate(capacity * sizeof items[0]);
#else
    capacity = MISSION_CAPACITY;
    while (capacity > 0 && heap_free() < capacity * sizeof items[0] + HEAP_TO_LEAVE)
        capacity /= 2;
    items = capacity > 0 ? heap_allocate(capacity * sizeof items[0]) : NULL;
    if (items == NULL)
        capacity = 0;
    if (capacity < MISSION_CAPACITY) {
        struct text text = {.length = 0};
        text_append(&text, "Little memory: missions of ");
        text_append_integer(&text, (int32_t)capacity);
        text_append(&text, " items");
        announce_text(SEVERITY_WARNING, &text);
    }
#endif
}

unsigned mission_capacity(void) { return capacity; }
unsigned mission_count(void) { return count; }
unsigned mission_current(void) { return current; }
uint32_t mission_revision(void) { return revision; }
uint32_t mission_reached_count(void) { return reached_count; }
unsigned mission_reached(void) { return reached; }

void mission_clear(void)
{
    count = 0;
    current = 0;
    revision++;
}

bool mission_store(unsigned index, const struct mission_item *item)
{
    if (index >= capacity)
        return false;
    items[index] = *item;
    return true;
}

void mission_complete(unsigned items_stored)
{
    count = items_stored;
    mission_set_current(0);
}

const struct mission_item *mission_item(unsigned index)
{
    return index < count ? &items[index] : NULL;
}

bool mission_is_supported(uint16_t command)
{
    switch (command) {
    case COMMAND_WAYPOINT:
    case COMMAND_LOITER_UNLIMITED:
    case COMMAND_LOITER_TIME:
    case COMMAND_RTL:
    case COMMAND_TAKEOFF:
    case COMMAND_NAV_DELAY:
    case COMMAND_CHANGE_SPEED:
        return true;
#ifndef VEHICLE_PLANE
    case COMMAND_LAND: // planes are not landed by the autopilot
        return true;
#endif
    default:
        return false;
    }
}

bool mission_set_current(unsigned index)
{
    if (index >= count)
        return false;
    current = index;
    revision++;
    return true;
}

bool mission_advance(void)
{
    reached = current;
    reached_count++;
    if (current + 1 >= count)
        return false;
    current++;
    return true;
}

struct vector3 mission_place(const struct mission_item *item)
{
    struct location location = {item->latitude, item->longitude, vehicle.origin.location.altitude};
    struct vector3 place = vehicle.estimate.position;
    if (item->latitude != 0 || item->longitude != 0)
        place = origin_to_local(&vehicle.origin, location);
    if (item->frame == FRAME_RELATIVE || item->frame == FRAME_RELATIVE_INT)
        place.z = vehicle.home.z - item->altitude;
    else
        place.z = vehicle.origin.location.altitude - item->altitude;
    return place;
}
