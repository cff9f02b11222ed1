// Failsafes and memory of the mission, right and with the bugs.
#include "../drivers/timer.h"
#include "../navigation/failsafes.h"
#include "../navigation/mission.h"
#include "../system/announcements.h"
#include "../system/memory.h"
#include "check.h"
#include <string.h>

uint64_t timer_micros(void) { return vehicle.now; }

static void fly(float seconds)
{
    for (int i = 0; i < (int)(seconds * FAILSAFES_RATE); i++) {
        vehicle.now += 1000000 / FAILSAFES_RATE;
        vehicle.sticks_at = vehicle.estimate.gnss_used_at = vehicle.now;
        failsafes_step();
    }
}

static void take_off(void)
{
    vehicle.armed = false;
    fly(0.2f);
    vehicle.armed = vehicle.estimate.aligned = vehicle.estimate.positioned = true;
    vehicle.landed = LANDED_IN_AIR;
    vehicle.mode = MODE_GUIDED;
    vehicle.healthy.imu = vehicle.healthy.compass = vehicle.healthy.barometer = vehicle.healthy.gnss = true;
    vehicle.station_at = 0;
    fly(1.0f);
    CHECK(vehicle.mode == MODE_GUIDED);
}

static void short_failures_of_the_compass_are_forgotten(void)
{
    take_off();
    for (int i = 0; i < 5; i++) {
        vehicle.healthy.compass = false;
        fly(1.0f);
        vehicle.healthy.compass = true;
        fly(5.0f);
    }
#ifdef BUG_COMPASS_COUNTER
    CHECK(vehicle.mode == MODE_LAND);
#else
    CHECK(vehicle.mode == MODE_GUIDED);
    vehicle.healthy.compass = false;
    fly(3.5f);
    CHECK(vehicle.mode == MODE_LAND);
#endif
}

static void a_fix_that_is_lost_lands(void)
{
    take_off();
    vehicle.healthy.gnss = false;
    fly(2.5f);
    CHECK(vehicle.mode == MODE_GUIDED);
    fly(1.0f);
    CHECK(vehicle.mode == MODE_LAND);
    CHECK(strcmp(announcement(announcement_count() - 2)->text.characters, "Failsafe GNSS: landing") == 0);
}

static void a_silent_station_brings_it_home(void)
{
    take_off();
    vehicle.station_at = vehicle.now;
    fly(9.0f);
    CHECK(vehicle.mode == MODE_GUIDED);
    fly(2.0f);
    CHECK(vehicle.mode == MODE_RTL);
}

static void a_mission_takes_what_memory_there_is(void)
{
    static char memory[12000];
    struct mission_item item = {.command = COMMAND_WAYPOINT};
    heap_begin((uintptr_t)memory, (uintptr_t)memory + sizeof memory);
    mission_begin();
    CHECK(mission_capacity() == 175);
    CHECK(mission_store(174, &item) && !mission_store(175, &item));
    heap_begin((uintptr_t)memory, (uintptr_t)memory + 100);
    mission_begin();
    CHECK(mission_capacity() == 0 && !mission_store(0, &item));
}

int main(void)
{
    short_failures_of_the_compass_are_forgotten();
    a_fix_that_is_lost_lands();
    a_silent_station_brings_it_home();
    a_mission_takes_what_memory_there_is();
    return checks_failed != 0;
}
