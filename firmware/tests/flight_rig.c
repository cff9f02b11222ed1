// Flies the estimator, the controllers and the modes natively, against a simple model of an X500 quadcopter with
// noisy sensors and gusts. Not the firmware's drivers: those run on the simulated computer.
#include "../control/multirotor.h"
#include "../drivers/timer.h"
#include "../navigation/arming.h"
#include "../navigation/failsafes.h"
#include "../navigation/mission.h"
#include "../navigation/modes.h"
#include "../navigation/sensing.h"
#include "../system/announcements.h"
#include "../system/memory.h"
#include "../system/parameters.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double now_s;
uint64_t timer_micros(void) { return (uint64_t)(now_s * 1e6); }

static unsigned long long seed = 88172645463325252ull;
static double uniform(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}
static double normal(void)
{
    double u = uniform() + 1e-300, v = uniform();
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

// ---- the model: quaternion, velocities and position in double precision
static double q[4] = {1, 0, 0, 0}, w[3], v[3], p[3], rotor[4], force[3];
static const double mass = 2.0643, inertia[3] = {0.0239, 0.0239, 0.0440}, k = 8.54858e-6, kq = 1.367773e-7, drag = 8.06428e-5;
static const double at[4][2] = {{0.174, 0.174}, {-0.174, -0.174}, {0.174, -0.174}, {-0.174, 0.174}};
static double wind[3], gust[3], wind_mean, turbulence;
static int on_ground = 1;
static double touch_speed, gyro_bias[3] = {0.01, -0.02, 0.005}, accel_bias[3] = {0.1, -0.05, 0.15};

static void rotate(const double a[3], double out[3])
{
    double t[3] = {2 * (q[2] * a[2] - q[3] * a[1]), 2 * (q[3] * a[0] - q[1] * a[2]), 2 * (q[1] * a[1] - q[2] * a[0])};
    out[0] = a[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = a[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = a[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}
static void rotate_back(const double a[3], double out[3])
{
    q[1] = -q[1], q[2] = -q[2], q[3] = -q[3];
    rotate(a, out);
    q[1] = -q[1], q[2] = -q[2], q[3] = -q[3];
}

static void step_model(double dt)
{
    double thrust = 0, torque[3] = {0, 0, 0}, speeds = 0;
    for (int i = 0; i < 4; i++) {
        double command = fmin(fmax((vehicle.output[i] - 1000.0) / 1000.0, 0), 1) * 1000.0;
        rotor[i] += (command - rotor[i]) * dt / (command > rotor[i] ? 0.0125 : 0.025);
        double f = k * rotor[i] * rotor[i];
        thrust += f;
        torque[0] -= at[i][1] * f;
        torque[1] += at[i][0] * f;
        torque[2] += (i < 2 ? 1 : -1) * kq * rotor[i] * rotor[i];
        speeds += rotor[i];
    }
    for (int i = 0; i < 3; i++) {
        gust[i] += -gust[i] * dt / 1.5 + turbulence * sqrt(2 * dt / 1.5) * normal();
        wind[i] = (i == 0 ? wind_mean : 0) + gust[i];
    }
    double relative[3], body[3];
    for (int i = 0; i < 3; i++)
        relative[i] = v[i] - wind[i];
    rotate_back(relative, body);
    force[0] = -drag * speeds * body[0] / mass;
    force[1] = -drag * speeds * body[1] / mass;
    force[2] = -thrust / mass;
    double a[3];
    rotate(force, a);
    a[2] += 9.80665;
    if (on_ground && a[2] < 0)
        on_ground = 0;
    if (on_ground) {
        for (int i = 0; i < 3; i++)
            v[i] = w[i] = a[i] = 0;
        double up[3] = {0, 0, -9.80665};
        rotate_back(up, force);
    } else {
        for (int i = 0; i < 3; i++)
            w[i] += dt * (torque[i] - w[(i + 1) % 3] * w[(i + 2) % 3] * (inertia[(i + 2) % 3] - inertia[(i + 1) % 3])) / inertia[i];
        double dq[4] = {-q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1], q[0] * w[1] - q[1] * w[2] + q[3] * w[0], q[0] * w[2] + q[1] * w[1] - q[2] * w[0]};
        double n = 0;
        for (int i = 0; i < 4; i++)
            q[i] += 0.5 * dt * dq[i], n += q[i] * q[i];
        for (int i = 0; i < 4; i++)
            q[i] /= sqrt(n);
        for (int i = 0; i < 3; i++)
            v[i] += a[i] * dt, p[i] += v[i] * dt;
        if (p[2] > 0) {
            if (!on_ground)
                touch_speed = fmax(touch_speed, v[2]);
            p[2] = 0;
            on_ground = 1;
            double yaw = atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
            q[0] = cos(yaw / 2), q[1] = q[2] = 0, q[3] = sin(yaw / 2);
        }
    }
}

static double gnss_cep = 1.5, gnss_wander[3];
static int rtk;
static struct { double t, p[3], v[3]; } late[64];
static int late_next;

static void sense_gnss(void)
{
    double sigma = rtk ? 0.01 : gnss_cep / 1.1774, phi = exp(-0.2 / 300.0);
    double error[3];
    for (int i = 0; i < 3; i++) {
        gnss_wander[i] = phi * gnss_wander[i] + sqrt(1 - phi * phi) * normal();
        error[i] = sigma * (i == 2 ? 2 : 1) * (0.97 * gnss_wander[i] + 0.22 * normal());
    }
    // What was true 0.1 s ago.
    int i = (late_next + 64 - 40) % 64;
    struct gnss_fix fix = {.time = timer_micros(), .type = rtk ? GNSS_RTK_FIXED : GNSS_3D, .hdop = 0.8f, .vdop = 1.2f, .satellites = 12, .has_course = true};
    double north = late[i].p[0] + error[0], east = late[i].p[1] + error[1];
    fix.latitude = (int32_t)lround(473977000 + north / 0.011132);
    fix.longitude = (int32_t)lround(85456000 + east / 0.011132 / cos(0.827));
    fix.altitude = (float)(488 - late[i].p[2] + error[2]);
    double vn = late[i].v[0] + 0.05 * normal(), ve = late[i].v[1] + 0.05 * normal();
    fix.speed = (float)hypot(vn, ve);
    fix.course = (float)atan2(ve, vn);
    sensing_take_fix(&fix);
}

static void step_firmware(unsigned tick, double dt)
{
    vehicle.now = timer_micros();
    double f[3], g[3];
    for (int i = 0; i < 3; i++) {
        g[i] = w[i] + gyro_bias[i] + 0.002 * normal();
        f[i] = force[i] + accel_bias[i] + 0.05 * normal();
    }
    struct vector3 gyro = {(float)g[0], (float)g[1], (float)g[2]}, accel = {(float)f[0], (float)f[1], (float)f[2]};
    modes_output(gyro, (float)dt);
    sensing_take_imu(gyro, accel, (float)dt);
    modes_step((float)dt);
    if (tick % 4 == 0) {
        double field[3] = {21.0, 1.0, 43.0}, body[3]; // declination atan(1/21) = 2.7 deg
        rotate_back(field, body);
        sensing_take_field((struct vector3){(float)(body[0] + 0.3 * normal()), (float)(body[1] + 0.3 * normal()), (float)(body[2] + 0.3 * normal())});
    }
    if (tick % 5 == 0)
        sensing_take_pressure((float)(95600.0 * pow(1 - 2.25577e-5 * -p[2], 5.25588) + 1.5 * normal()));
    if (tick % 80 == 0)
        sense_gnss();
    if (tick % 40 == 0) {
        sensing_watch();
        failsafes_step();
    }
    late[late_next].t = now_s;
    memcpy(late[late_next].p, p, sizeof p);
    memcpy(late[late_next].v, v, sizeof v);
    late_next = (late_next + 1) % 64;
}

static unsigned tick;
static uint32_t told;
static int verbose;
static double worst_attitude, worst_following, worst_position, hover_position, worst_cross;
static double hover_at[3];
static int watching;

static void run(double seconds)
{
    double until = now_s + seconds;
    while (now_s < until) {
        for (int i = 0; i < 10; i++) {
            step_model(0.00025);
            now_s += 0.00025;
        }
        step_firmware(tick++, 0.0025);
        while (told < announcement_count()) {
            const struct announcement *a = announcement(told++);
            if (a && verbose)
                printf("%7.2f  %s\n", now_s, a->text.characters);
        }
        // The attitude's error as an angle.
        double e[4] = {vehicle.estimate.attitude.w, vehicle.estimate.attitude.x, vehicle.estimate.attitude.y, vehicle.estimate.attitude.z};
        double dot = fabs(e[0] * q[0] + e[1] * q[1] + e[2] * q[2] + e[3] * q[3]);
        if (watching) {
            worst_attitude = fmax(worst_attitude, 2 * acos(fmin(dot, 1)) * 57.29578);
            struct euler wanted = quaternion_to_euler(multirotor.attitude_demand), now = vehicle.estimate.angles;
            worst_following = fmax(worst_following, 57.29578 * hypot(wanted.roll - now.roll, wanted.pitch - now.pitch));
            worst_position = fmax(worst_position, sqrt(pow(vehicle.estimate.position.x - p[0], 2) + pow(vehicle.estimate.position.y - p[1], 2)));
            hover_position = fmax(hover_position, sqrt(pow(hover_at[0] - p[0], 2) + pow(hover_at[1] - p[1], 2) + pow(hover_at[2] - p[2], 2)));
        }
        if (verbose > 1 && tick % 200 == 0)
            printf("%7.2f p %6.2f %6.2f %6.2f v %5.2f %5.2f %5.2f est %6.2f %6.2f %6.2f vz %5.2f thr %.3f hov %.3f phase %d tilt %.1f\n", now_s, p[0], p[1], p[2], v[0], v[1], v[2], vehicle.estimate.position.x, vehicle.estimate.position.y, vehicle.estimate.position.z, vehicle.estimate.velocity.z, vehicle.throttle, multirotor.position.hover_thrust, multirotor.phase, worst_attitude);
    }
}

static void hold_sticks(struct sticks sticks, double seconds)
{
    sticks.valid = true;
    for (double until = now_s + seconds; now_s < until;) {
        vehicle.sticks = sticks;
        vehicle.sticks_at = timer_micros();
        run(0.1);
    }
}

static void expect(int condition, const char *what, double value)
{
    printf("%s: %s: %.3f\n", condition ? "ok" : "FAILED", what, value);
    if (!condition)
        exit(1);
}

int main(int argc, char **argv)
{
    rtk = argc > 1 && atoi(argv[1]);
    wind_mean = argc > 2 ? atof(argv[2]) : 6;
    turbulence = argc > 3 ? atof(argv[3]) : 1.0;
    verbose = argc > 4 ? atoi(argv[4]) : 0;
    if (argc > 5)
        for (int i = 0; i < atoi(argv[5]); i++)
            uniform();
    static char heap[65536];
    heap_begin((uintptr_t)heap, (uintptr_t)heap + sizeof heap);
    vehicle.loop_rate = 400;
    vehicle.chip_imu = vehicle.chip_compass = vehicle.chip_barometer = true;
    for (int i = 0; i < 3; i++)
        gnss_wander[i] = normal();
    mission_begin();
    modes_armed(false);
    run(15);
    vehicle_set_mode(MODE_GUIDED);
    expect(arming_arm(false), "arms", 1);
    run(1);
    expect(modes_take_off(10), "takes off", 10);
    run(15);
    double bound = rtk ? 0.3 : 4;
    expect(fabs(p[2] + 10) < (rtk ? 0.5 : 2), "is at 10 m", -p[2]);
    memcpy(hover_at, p, sizeof p);
    if (rtk)
        hover_at[0] = hover_at[1] = 0, hover_at[2] = -10;
    watching = 1;
    run(30);
    watching = 0;
    expect(worst_attitude < 3, "attitude in hover is known to (deg)", worst_attitude);
    expect(worst_following < 3, "tilt follows what is demanded within (deg)", worst_following);
    expect(worst_position < bound, "position in hover is known to (m)", worst_position);
    expect(hover_position < (rtk ? 0.2 : 4), "hovers within (m)", hover_position);
    // A square of 20 m.
    const float corners[4][2] = {{20, 0}, {20, 20}, {0, 20}, {0, 0}};
    for (int i = 0; i < 4; i++) {
        double from[2] = {i == 0 ? 0 : corners[i - 1][0], i == 0 ? 0 : corners[i - 1][1]};
        modes_go_to((struct vector3){corners[i][0], corners[i][1], vehicle.home.z - 10}, NAN);
        double along[2] = {(corners[i][0] - from[0]) / 20, (corners[i][1] - from[1]) / 20};
        for (int j = 0; j < 100; j++) {
            run(0.1);
            worst_cross = fmax(worst_cross, fabs((p[0] - from[0]) * along[1] - (p[1] - from[1]) * along[0]));
        }
        if (rtk)
            expect(hypot(p[0] - corners[i][0], p[1] - corners[i][1]) < 0.5, "corner reached within (m)", hypot(p[0] - corners[i][0], p[1] - corners[i][1]));
    }
    if (rtk)
        expect(worst_cross < 0.5, "stays on the square within (m)", worst_cross);
    vehicle_set_mode(MODE_LAND);
    for (int i = 0; i < 60 && vehicle.armed; i++)
        run(1);
    expect(!vehicle.armed, "lands and disarms", now_s);
    expect(touch_speed < 0.5, "touches down at (m/s)", touch_speed);

    // By sticks: up, north, and home by itself.
    run(2);
    vehicle_set_mode(MODE_LOITER);
    expect(arming_arm(false), "arms again", 1);
    hold_sticks((struct sticks){.throttle = 0.5f}, 2);
    expect(on_ground, "stays on the ground with the stick in the middle", -p[2]);
    hold_sticks((struct sticks){.throttle = 1.0f}, 7);
    hold_sticks((struct sticks){.throttle = 0.5f}, 3);
    double height = -p[2];
    expect(height > 4, "climbs by the stick", height);
    hold_sticks((struct sticks){.throttle = 0.5f, .pitch = 1.0f}, 6);
    hold_sticks((struct sticks){.throttle = 0.5f}, 5);
    expect(p[0] > 15 && p[0] < 40, "flies forward by the stick", p[0]);
    expect(fabs(-p[2] - height) < 1, "and keeps its height", -p[2]);
    vehicle_set_mode(MODE_ALTITUDE_HOLD);
    hold_sticks((struct sticks){.throttle = 0.5f}, 3);
    expect(fabs(-p[2] - height) < 1, "keeps its height in ALT_HOLD", -p[2]);
    run(2.5);
    expect(vehicle.mode == MODE_LAND, "lands when the sticks fall silent", vehicle.mode);
    vehicle_set_mode(MODE_RTL);
    touch_speed = 0;
    for (int i = 0; i < 90 && vehicle.armed; i++)
        run(1);
    expect(!vehicle.armed && hypot(p[0] - vehicle.home.x, p[1] - vehicle.home.y) < (rtk ? 0.7 : 4), "returns and lands at home within (m)", hypot(p[0] - vehicle.home.x, p[1] - vehicle.home.y));
    expect(touch_speed < 0.5, "touches down at (m/s)", touch_speed);
    return 0;
}
