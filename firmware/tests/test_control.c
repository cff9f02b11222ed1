// Mixer, gusts, square-root controller, legs, guidance, geodesy, declination, heap.
#include "../control/gust_observer.h"
#include "../control/l1_guidance.h"
#include "../control/mixer.h"
#include "../control/square_root_controller.h"
#include "../control/trajectory.h"
#include "../estimation/declination.h"
#include "../navigation/geodesy.h"
#include "../system/memory.h"
#include "../system/parameters.h"
#include "check.h"

static void the_mixer_turns_the_right_motors_up(void)
{
    struct mixer_output o;
    mixer_mix(&(struct mixer_demand){.roll = 0.1f, .thrust = 0.5f}, 0.02f, &o);
    CHECK_NEAR(o.thrust[0], 0.4, 1e-6); // front right
    CHECK_NEAR(o.thrust[1], 0.6, 1e-6); // rear left
    CHECK_NEAR(o.thrust[2], 0.6, 1e-6); // front left
    CHECK_NEAR(o.thrust[3], 0.4, 1e-6); // rear right
    mixer_mix(&(struct mixer_demand){.pitch = 0.1f, .thrust = 0.5f}, 0.02f, &o);
    CHECK(o.thrust[0] > 0.5f && o.thrust[2] > 0.5f && o.thrust[1] < 0.5f && o.thrust[3] < 0.5f);
    mixer_mix(&(struct mixer_demand){.yaw = 0.1f, .thrust = 0.5f}, 0.02f, &o);
    CHECK(o.thrust[0] > 0.5f && o.thrust[1] > 0.5f && o.thrust[2] < 0.5f && o.thrust[3] < 0.5f);
    CHECK(!o.saturated);
}

static void roll_and_pitch_come_before_thrust_and_yaw(void)
{
    struct mixer_output o;
    mixer_mix(&(struct mixer_demand){.roll = 0.3f, .yaw = 0.5f, .thrust = 1.0f}, 0.02f, &o);
    CHECK_NEAR(o.thrust[1] + o.thrust[2] - o.thrust[0] - o.thrust[3], 4 * 0.3, 1e-5);
    CHECK(o.saturated);
    mixer_mix(&(struct mixer_demand){.roll = 5.0f, .pitch = 3.0f, .yaw = -2.0f, .thrust = 0.0f}, 0.02f, &o);
    for (int i = 0; i < 4; i++)
        CHECK(o.thrust[i] >= 0.0199f && o.thrust[i] <= 1.0001f);
    CHECK_NEAR((o.thrust[2] - o.thrust[3]) / (o.thrust[1] - o.thrust[0]), 8.0 / 2.0, 1e-3);
}

static void the_square_root_is_smooth_and_stops_in_time(void)
{
    CHECK_NEAR(square_root_controller(0.5f, 2.0f, 3.0f), 1.0, 1e-6);
    float bend = 3.0f / 4.0f;
    CHECK_NEAR(square_root_controller(bend * 1.0001f, 2.0f, 3.0f), 2.0 * (double)bend, 1e-3);
    float x = 50.0f, v = square_root_controller(x, 1.0f, 2.0f), hardest = 0.0f;
    for (int i = 0; i < 20000; i++) {
        float next = square_root_controller(x, 1.0f, 2.0f);
        hardest = maximum(hardest, (v - next) / 0.001f);
        v = next;
        x -= v * 0.001f;
    }
    CHECK(hardest < 2.1f);
    CHECK_NEAR(x, 0.0, 0.01);
}

static void a_leg_is_flown_within_its_limits(void)
{
    struct trajectory t;
    trajectory_begin(&t, (struct vector3){0.0f, 0.0f, -10.0f}, (struct vector3){30.0f, 40.0f, -10.0f});
    float fastest = 0.0f, seconds = 0.0f;
    for (; !trajectory_ended(&t) && seconds < 60.0f; seconds += 0.0025f) {
        trajectory_step(&t, 0.0f, 0.0025f);
        fastest = maximum(fastest, t.speed);
    }
    CHECK_NEAR(fastest, parameters.cruise_speed, 1e-3);
    CHECK(seconds > 10.0f && seconds < 17.0f);
    CHECK_NEAR(trajectory_motion(&t).position.y, 40.0, 0.06);
    // A vehicle that stays behind is waited for.
    trajectory_begin(&t, (struct vector3){0.0f, 0.0f, 0.0f}, (struct vector3){100.0f, 0.0f, 0.0f});
    for (int i = 0; i < 4000; i++)
        trajectory_step(&t, 10.0f, 0.0025f);
    CHECK(t.travelled < 1.0f);
}

static void guidance_leads_to_line_and_circle(void)
{
    struct vector3 from = {0.0f, 0.0f, 0.0f}, to = {1000.0f, 0.0f, 0.0f}, north = {14.0f, 0.0f, 0.0f};
    CHECK(l1_follow_line(from, to, (struct vector3){100.0f, 20.0f, 0.0f}, north) < 0.0f);
    CHECK(l1_follow_line(from, to, (struct vector3){100.0f, -20.0f, 0.0f}, north) > 0.0f);
    CHECK_NEAR(l1_follow_line(from, to, (struct vector3){100.0f, 0.0f, 0.0f}, north), 0.0, 1e-5);
    // A point that flies as it is told ends on the circle, clockwise.
    double p[2] = {300.0, 20.0}, course = 0.3;
    for (int i = 0; i < 12000; i++) {
        struct vector3 position = {(float)p[0], (float)p[1], 0.0f}, velocity = {(float)(14 * cos(course)), (float)(14 * sin(course)), 0.0f};
        float a = clamp(l1_circle(from, 60.0f, position, velocity), -8.0f, 8.0f);
        course += a / 14.0 * 0.01;
        p[0] += 14 * cos(course) * 0.01;
        p[1] += 14 * sin(course) * 0.01;
    }
    CHECK_NEAR(hypot(p[0], p[1]), 60.0, 3.0);
    CHECK(p[0] * sin(course) - p[1] * cos(course) > 0.0);
}

static void places_go_there_and_back(void)
{
    struct origin origin;
    origin_set(&origin, (struct location){473977000, 85456000, 488.0f});
    struct vector3 local = origin_to_local(&origin, (struct location){473987000, 85466000, 500.0f});
    CHECK_NEAR(local.x, 111.19, 0.05); // 1e-4 deg of a meridian of 40 008 km at 47.4 deg
    CHECK_NEAR(local.y, 75.49, 0.05);
    CHECK_NEAR(local.z, -12.0, 1e-4);
    struct location back = origin_to_location(&origin, local);
    CHECK(back.latitude == 473987000 && back.longitude == 85466000);
    origin_set(&origin, (struct location){-180000000, 1799999000, 0.0f});
    CHECK_NEAR(origin_to_local(&origin, (struct location){-180000000, -1799999000, 0.0f}).y, 21.2, 0.1);
}

static void declinations_are_those_of_the_model(void)
{
    // World Magnetic Model 2025 at 2026.0, at points of the grid and between them.
    CHECK_NEAR(DEGREES(declination_at(500000000, 100000000)), declination_table[12][19] / 10.0, 0.06);
    CHECK_NEAR(DEGREES(declination_at(473977000, 85456000)), 3.7, 0.7);    // Zurich
    CHECK_NEAR(DEGREES(declination_at(-353632610, 1491652370)), 12.8, 1.0); // Canberra
    CHECK(DEGREES(declination_at(-900000000, 1800000000)) > -180.0f);
}

static void the_heap_ends(void)
{
    static char memory[1000];
    heap_begin((uintptr_t)memory, (uintptr_t)memory + sizeof memory);
    char *first = heap_allocate(100), *second = heap_allocate(100);
    CHECK(first != NULL && second >= first + 100 && ((uintptr_t)second & 7) == 0 && second[99] == 0);
    CHECK(heap_allocate(900) == NULL);
    CHECK(heap_allocate((size_t)-64) == NULL);
    CHECK(heap_allocate(heap_free() & ~(size_t)7) != NULL);
}

static void the_push_of_the_air_is_told_from_thrust(void)
{
    // Tilted, and carried by thrust alone: nothing is felt across the axis of the rotors.
    struct quaternion attitude = quaternion_from_euler((struct euler){0.2f, -0.1f, 1.0f});
    struct vector3 thrust = quaternion_rotate(attitude, (struct vector3){0.0f, 0.0f, -10.0f});
    thrust.z += GRAVITY;
    struct gust_observer o;
    gust_observer_reset(&o);
    gust_observer_step(&o, attitude, thrust, 0.0025f);
    CHECK_NEAR(o.push.x, 0.0, 1e-5);
    CHECK_NEAR(o.push.y, 0.0, 1e-5);
    // A gust from the south while level: 63 % of it are known after 1 / (2 pi f), its mean only after seconds.
    struct quaternion level = quaternion_from_euler((struct euler){0.0f, 0.0f, 1.0f});
    struct vector3 gust = {0.5f, 0.0f, 0.0f};
    gust_observer_reset(&o);
    gust_observer_step(&o, level, (struct vector3){0.0f, 0.0f, 0.0f}, 0.0005f);
    float time = 1.0f / (2.0f * PI * parameters.gust_filter);
    for (float t = 0.0f; t < time; t += 0.0005f)
        gust_observer_step(&o, level, gust, 0.0005f);
    CHECK_NEAR(o.push.x, 0.316, 0.01);
    CHECK_NEAR(o.push.y, 0.0, 1e-5);
    CHECK(o.mean.x < 0.02f);
    parameters.gust_filter = 0.0f;
    gust_observer_step(&o, level, gust, 0.0005f);
    CHECK(o.push.x == 0.0f && o.mean.x == 0.0f);
}

int main(void)
{
    the_push_of_the_air_is_told_from_thrust();
    the_mixer_turns_the_right_motors_up();
    roll_and_pitch_come_before_thrust_and_yaw();
    the_square_root_is_smooth_and_stops_in_time();
    a_leg_is_flown_within_its_limits();
    guidance_leads_to_line_and_circle();
    places_go_there_and_back();
    declinations_are_those_of_the_model();
    the_heap_ends();
    return checks_failed != 0;
}
