// Where it is, from what the chips say; and the pulses that take it to where it should be.
#include "copter.h"

struct state now = {.q = {1, 0, 0, 0}};
double home_latitude, home_longitude, home_altitude;

static const double GRAVITY = 9.80665;
static double force[3], bias[3], up_bias;
static double ground_pressure, home_height;
static unsigned settled, fixes_seen, good_fixes;
static double rate_sum[3], force_sum[3];
static uint64_t last_fix;

// A vector of the body as north, east, down, and back.
static void to_ned(const double b[3], double n[3]) {
    const double w = now.q[0], x = now.q[1], y = now.q[2], z = now.q[3];
    n[0] = (1 - 2 * (y * y + z * z)) * b[0] + 2 * (x * y - w * z) * b[1] + 2 * (x * z + w * y) * b[2];
    n[1] = 2 * (x * y + w * z) * b[0] + (1 - 2 * (x * x + z * z)) * b[1] + 2 * (y * z - w * x) * b[2];
    n[2] = 2 * (x * z - w * y) * b[0] + 2 * (y * z + w * x) * b[1] + (1 - 2 * (x * x + y * y)) * b[2];
}

static void to_body(const double n[3], double b[3]) {
    const double q[4] = {now.q[0], now.q[1], now.q[2], now.q[3]};
    for (int i = 1; i < 4; i++) now.q[i] = -now.q[i];
    to_ned(n, b);
    memcpy(now.q, q, sizeof q);
}

void angles(double *roll, double *pitch, double *yaw) {
    const double w = now.q[0], x = now.q[1], y = now.q[2], z = now.q[3];
    *roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
    *pitch = asin(fmax(-1, fmin(1, 2 * (w * y - z * x))));
    *yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

static void set_angles(double roll, double pitch, double yaw) {
    const double a = cos(roll / 2), b = sin(roll / 2), c = cos(pitch / 2), d = sin(pitch / 2), e = cos(yaw / 2), f = sin(yaw / 2);
    now.q[0] = a * c * e + b * d * f;
    now.q[1] = b * c * e - a * d * f;
    now.q[2] = a * d * e + b * c * f;
    now.q[3] = a * c * f - b * d * e;
}

void offset_of(double latitude, double longitude, double *north, double *east) {
    const double per_degree = 111319.49;
    *north = (latitude - home_latitude) * per_degree;
    *east = (longitude - home_longitude) * per_degree * cos(home_latitude * M_PI / 180);
}

// Home is where it is now.
void home_here(void) {
    const double per_degree = 111319.49;
    home_latitude += now.position[0] / per_degree;
    home_longitude += now.position[1] / per_degree / cos(home_latitude * M_PI / 180);
    home_altitude += now.position[2];
    home_height += now.position[2];
    memset(now.position, 0, sizeof now.position);
}

// The heading that the compass shows, where it shows one.
static bool heading(double *yaw) {
    double field[3], level[3];
    uint64_t at = take_field(field);
    bool works = at && micros() - at < 500000;
    if (works != now.has_compass) tell(4, works ? "Compass healthy" : "Compass not healthy");
    now.has_compass = works;
    if (!works) return false;
    to_ned(field, level);
    *yaw = -atan2(level[1], level[0]);
    return true;
}

// While it stands still at the start: the offset of the gyroscope, then its attitude.
static void settle(void) {
    for (int i = 0; i < 3; i++) {
        rate_sum[i] += now.rate[i];
        force_sum[i] += force[i];
    }
    if (++settled < 800) return;
    for (int i = 0; i < 3; i++) bias[i] = rate_sum[i] / settled;
    double roll = atan2(-force_sum[1], -force_sum[2]), yaw = 0;
    double pitch = atan2(force_sum[0], hypot(force_sum[1], force_sum[2]));
    set_angles(roll, pitch, 0);
    now.has_heading = heading(&yaw);
    set_angles(roll, pitch, yaw);
    now.is_level = true;
    tell(6, "EKF3 IMU0 initialised");
    tell(6, "EKF3 IMU0 tilt alignment complete");
    if (now.has_heading) tell(6, "EKF3 IMU0 MAG0 initial yaw alignment complete");
}

// Mahony's filter: gravity keeps it level, the compass its heading.
static void turn(double dt) {
    double rate[3], up[3], down[3] = {0, 0, -1}, size = 0, yaw;
    for (int i = 0; i < 3; i++) {
        rate[i] = now.rate[i];
        size += force[i] * force[i];
    }
    size = sqrt(size);
    to_body(down, up);
    if (fabs(size - GRAVITY) < 1.5) {
        const double error[3] = {force[1] * up[2] - force[2] * up[1], force[2] * up[0] - force[0] * up[2], force[0] * up[1] - force[1] * up[0]};
        for (int i = 0; i < 3; i++) {
            rate[i] += 0.08 * error[i] / size;
            bias[i] -= 0.002 * dt * error[i] / size;
        }
    }
    if (heading(&yaw)) {
        const double vertical[3] = {0, 0, 1};
        double axis[3], error = remainder(yaw, 2 * M_PI);
        to_body(vertical, axis);
        for (int i = 0; i < 3; i++) rate[i] += 0.4 * error * axis[i];
    }
    const double w = now.q[0], x = now.q[1], y = now.q[2], z = now.q[3], h = dt / 2;
    now.q[0] += h * (-x * rate[0] - y * rate[1] - z * rate[2]);
    now.q[1] += h * (w * rate[0] + y * rate[2] - z * rate[1]);
    now.q[2] += h * (w * rate[1] - x * rate[2] + z * rate[0]);
    now.q[3] += h * (w * rate[2] + x * rate[1] - y * rate[0]);
    size = sqrt(now.q[0] * now.q[0] + now.q[1] * now.q[1] + now.q[2] * now.q[2] + now.q[3] * now.q[3]);
    for (int i = 0; i < 4; i++) now.q[i] /= size;
}

static void weigh_fix(void) {
    if (fix.number == fixes_seen) return;
    fixes_seen = fix.number;
    good_fixes = fix.quality > 0 && fix.quality != 6 && fix.satellites >= 6 ? good_fixes + 1 : 0;
    if (!good_fixes) return;
    last_fix = fix.at;
    if (!now.uses_fixes) {
        home_latitude = fix.latitude;
        home_longitude = fix.longitude;
        home_altitude = fix.altitude;
        // As many as 10 s of them.
        if (good_fixes < 50 || !now.has_heading) return;
        now.uses_fixes = true;
        tell(6, "EKF3 IMU0 is using GPS");
    }
    double place[2];
    offset_of(fix.latitude, fix.longitude, &place[0], &place[1]);
    const double speed[2] = {fix.north, fix.east};
    for (int i = 0; i < 2; i++) {
        double off = place[i] - now.position[i];
        now.position[i] += 0.05 * off;
        now.speed[i] += 0.01 * off + 0.15 * (speed[i] - now.speed[i]);
    }
}

static void weigh_pressure(void) {
    double pressure;
    if (!take_pressure(&pressure)) return;
    if (!is_armed && !now.uses_fixes) ground_pressure = ground_pressure ? ground_pressure + 0.02 * (pressure - ground_pressure) : pressure;
    double height = 44330.77 * (1 - pow(pressure / ground_pressure, 0.190263)) - home_height, off = height - now.position[2];
    now.position[2] += 0.03 * off;
    now.speed[2] += 0.02 * off;
    up_bias += 0.002 * off;
}

void estimate(double dt) {
    if (!take_inertial(now.rate, force)) return;
    if (!now.is_level) return settle();
    for (int i = 0; i < 3; i++) now.rate[i] -= bias[i];
    turn(dt);
    double a[3];
    to_ned(force, a);
    const double acceleration[3] = {a[0], a[1], -(a[2] + GRAVITY) + up_bias};
    for (int i = 0; i < 3; i++) {
        now.position[i] += dt * now.speed[i];
        now.speed[i] += dt * acceleration[i];
    }
    weigh_fix();
    weigh_pressure();
    if (!now.uses_fixes) now.position[0] = now.position[1] = now.speed[0] = now.speed[1] = 0;
    if (now.uses_fixes && micros() - last_fix > 4000000) {
        now.uses_fixes = false;
        good_fixes = 0;
        tell(3, "EKF3 IMU0 stopped aiding");
    }
}

// ---- to where it should be: place, speed, tilt, turn rate, moments

static const double MASS = 2.0643, ARM = 0.174, THRUST = 8.54858e-6, YAW = 0.016;
static double climb_integral, thrust_now;
static unsigned low_for;

void forget_integral(void) {
    climb_integral = 0;
    low_for = 0;
}

bool looks_landed(void) { return low_for > 400; }

static double within(double value, double most) { return fmax(-most, fmin(most, value)); }

void control(double dt, const struct wish *wish, double us[4]) {
    for (int i = 0; i < 4; i++) us[i] = 1000;
    if (!wish->spins) return forget_integral();
    double wanted[3];
    for (int i = 0; i < 2; i++) {
        double speed = within(0.8 * (wish->place[i] - now.position[i]), 3);
        wanted[i] = within(2 * (speed - now.speed[i]), 3);
    }
    // Without places nothing is done about them: it stays level.
    if (!now.uses_fixes) wanted[0] = wanted[1] = 0;
    double climb = wish->sinks ? -0.6 : fmax(-1, fmin(2, wish->place[2] - now.position[2]));
    double off = climb - now.speed[2];
    climb_integral = within(climb_integral + dt * off, 6);
    wanted[2] = fmax(-7, fmin(5, 4 * off + 1.5 * climb_integral));
    // The direction of the thrust, and how far it is from up of the body.
    const double ned[3] = {wanted[0], wanted[1], -(wanted[2] + GRAVITY)};
    double body[3], size = sqrt(ned[0] * ned[0] + ned[1] * ned[1] + ned[2] * ned[2]);
    to_body(ned, body);
    double tilt[3] = {body[1] / size, -body[0] / size, 0}, roll, pitch, yaw;
    angles(&roll, &pitch, &yaw);
    thrust_now = fmax(0.1, -body[2]) * MASS;
    low_for = wish->sinks && fabs(now.speed[2]) < 0.2 && thrust_now < 0.5 * MASS * GRAVITY ? low_for + 1 : 0;
    const double rates[3] = {6 * tilt[0], 6 * tilt[1], -2 * remainder(yaw, 2 * M_PI)};
    const double inertia[3] = {0.0239, 0.0239, 0.0440};
    double moments[3];
    for (int i = 0; i < 3; i++) moments[i] = inertia[i] * (i < 2 ? 18 : 6) * (rates[i] - now.rate[i]);
    moments[2] = within(moments[2], 4 * YAW * 1.0);
    // Front right, rear left, front left, rear right.
    static const int signs[4][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};
    for (int i = 0; i < 4; i++) {
        double thrust = thrust_now / 4 + (signs[i][0] * moments[0] + signs[i][1] * moments[1]) / (4 * ARM) + signs[i][2] * moments[2] / (4 * YAW);
        us[i] = 1010 + 990 * fmin(1, sqrt(fmax(0.05, thrust) / THRUST) / 1000);
    }
}
