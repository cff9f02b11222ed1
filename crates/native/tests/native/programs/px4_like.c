// Behaves towards its simulator as PX4's SITL program does: it connects by TCP until that succeeds, two threads send a
// message each at the start, its clock is that of HIL_SENSOR, and from the 13th one on it answers each of them once.

static pthread_cond_t sensed = PTHREAD_COND_INITIALIZER, decided = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;
static int simulator;
static uint8_t sequence;

static struct {
    uint64_t time;
    double force[3], rates[3], field[3], altitude;
    uint32_t is_new;
    unsigned count;
} sensors;
static struct {
    int32_t latitude, longitude, height;
    int16_t velocity[3];
    unsigned count;
} fix;
static struct {
    uint64_t time;
    float controls[16];
    int armed;
} answer;

static void send_message(uint32_t id, const void *payload, int length) {
    uint8_t bytes[300];
    pthread_mutex_lock(&sending);
    int count = frame(bytes, &sequence, id, payload, length);
    for (int done = 0; done < count;) {
        int written = send(simulator, bytes + done, count - done, 0);
        if (written <= 0) exit(5);
        done += written;
    }
    pthread_mutex_unlock(&sending);
}

static void take_sensors(const uint8_t *p) {
    memcpy(&sensors.time, p, 8);
    for (int i = 0; i < 3; i++) {
        sensors.force[i] = number(p + 8 + 4 * i);
        sensors.rates[i] = number(p + 20 + 4 * i);
    }
    uint32_t is_new;
    memcpy(&is_new, p + 60, 4);
    if ((is_new & 0x1c0) == 0x1c0)
        for (int i = 0; i < 3; i++) sensors.field[i] = number(p + 32 + 4 * i);
    if ((is_new & 0x1a00) == 0x1a00) sensors.altitude = number(p + 52);
    sensors.is_new |= is_new;
    sensors.count++;
    pthread_cond_signal(&sensed);
}

static void take_fix(const uint8_t *p) {
    memcpy(&fix.latitude, p + 8, 4);
    memcpy(&fix.longitude, p + 12, 4);
    memcpy(&fix.height, p + 16, 4);
    memcpy(fix.velocity, p + 26, 6);
    if (p[34] >= 3) fix.count++;
}

static void *listen_to_simulator(void *nothing) {
    uint8_t ask[33] = {0}, payload[256];
    float wanted[2] = {115, 5000};
    memcpy(ask, wanted, 8);
    ask[28] = 511 & 0xff;
    ask[29] = 511 >> 8;
    send_message(COMMAND, ask, sizeof ask);
    static struct stream in;
    for (;;) {
        struct pollfd wait = {simulator, POLLIN, 0};
        if (poll(&wait, 1, 1000) == 0) { fprintf(stderr, "poll timeout\n"); continue; }
        if (receive(&in, simulator) <= 0) exit(6);
        for (int id; (id = next_message(&in, payload)) >= 0;) {
            pthread_mutex_lock(&lock);
            if (id == SENSORS) take_sensors(payload);
            if (id == FIX) take_fix(payload);
            pthread_mutex_unlock(&lock);
        }
    }
    return nothing;
}

static void *answer_simulator(void *nothing) {
    uint8_t heart[9] = {0, 0, 0, 0, 0, 12, 0, 0, 3};
    send_message(HEARTBEAT, heart, sizeof heart);
    uint64_t said = 0;
    for (;;) {
        uint8_t payload[81] = {0};
        pthread_mutex_lock(&lock);
        while (answer.time == said) pthread_cond_wait(&decided, &lock);
        said = answer.time;
        memcpy(payload, &answer.time, 8);
        payload[8] = 1;
        memcpy(payload + 16, answer.controls, 64);
        payload[80] = answer.armed ? 129 : 1;
        pthread_mutex_unlock(&lock);
        send_message(ACTUATORS, payload, sizeof payload);
    }
    return nothing;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// A vector in body axes, in those of the Earth; with `back`, the other way round.
static void turn(const struct motion *m, const double v[3], int back, double out[3]) {
    double s = back ? -1 : 1, q[3] = {s * m->x, s * m->y, s * m->z}, t[3], u[3];
    cross(q, v, t);
    for (int i = 0; i < 3; i++) t[i] *= 2;
    cross(q, t, u);
    for (int i = 0; i < 3; i++) out[i] = v[i] + m->w * t[i] + u[i];
}

// Where the vehicle is, from its sensors: gyroscopes lead; gravity, magnetic north, pressure and fixes correct.
static void estimate(struct motion *m, double dt, uint32_t is_new, int fixed) {
    static const double down[3] = {0, 0, 1};
    static double level_altitude, fix_zero[2];
    static int knows_altitude, knows_fix;
    double felt[3], expected[3], error[3], rates[3], north[3], about[3] = {0};
    double norm = sqrt(sensors.force[0] * sensors.force[0] + sensors.force[1] * sensors.force[1] +
                       sensors.force[2] * sensors.force[2]);
    for (int i = 0; i < 3; i++) felt[i] = norm > 1 ? -sensors.force[i] / norm : 0;
    turn(m, down, 1, expected);
    cross(felt, expected, error);
    turn(m, sensors.field, 0, north);
    double heading_down[3] = {0, 0, -0.5 * atan2(north[1], north[0])};
    turn(m, heading_down, 1, about);
    for (int i = 0; i < 3; i++) rates[i] = sensors.rates[i] + 0.2 * error[i] + about[i];
    double w = m->w, x = m->x, y = m->y, z = m->z, h = dt / 2;
    m->w = w - h * (x * rates[0] + y * rates[1] + z * rates[2]);
    m->x = x + h * (w * rates[0] + y * rates[2] - z * rates[1]);
    m->y = y + h * (w * rates[1] + z * rates[0] - x * rates[2]);
    m->z = z + h * (w * rates[2] + x * rates[1] - y * rates[0]);
    double length = sqrt(m->w * m->w + m->x * m->x + m->y * m->y + m->z * m->z);
    m->w /= length, m->x /= length, m->y /= length, m->z /= length;
    memcpy(m->rates, sensors.rates, sizeof rates);
    double moved[3];
    turn(m, sensors.force, 0, moved);
    moved[2] += 9.80665;
    for (int i = 0; i < 3; i++) {
        m->velocity[i] += moved[i] * dt;
        m->position[i] += m->velocity[i] * dt;
    }
    if ((is_new & 0x1a00) == 0x1a00) {
        if (!knows_altitude) level_altitude = sensors.altitude;
        knows_altitude = 1;
        // While it stands, it learns how high that is.
        if (!vehicle.flies) level_altitude += 0.02 * (sensors.altitude - level_altitude);
        double off = level_altitude - sensors.altitude - m->position[2];
        m->position[2] += 0.06 * off;
        m->velocity[2] += 0.06 * off;
    }
    if (fixed) {
        double latitude = fix.latitude * 1e-7 * M_PI / 180, longitude = fix.longitude * 1e-7 * M_PI / 180;
        double place[2] = {latitude * 6371000, longitude * 6371000 * cos(latitude)};
        for (int i = 0; i < 2; i++) {
            if (!knows_fix) fix_zero[i] = place[i];
            if (!vehicle.flies) fix_zero[i] += 0.05 * (place[i] - fix_zero[i]);
            double off = place[i] - fix_zero[i] - m->position[i];
            m->position[i] += 0.3 * off;
            m->velocity[i] += 0.3 * (fix.velocity[i] * 0.01 - m->velocity[i]) + 0.1 * off;
        }
        m->velocity[2] += 0.1 * (fix.velocity[2] * 0.01 - m->velocity[2]);
        if (!knows_fix) vehicle.ground = fix.height * 1e-3;
        knows_fix = vehicle.knows_place = 1;
        vehicle.latitude = fix.latitude;
        vehicle.longitude = fix.longitude;
    }
    vehicle.above = -m->position[2];
}

static void *control(void *nothing) {
    struct motion motion = {.w = 1};
    uint64_t before = 0;
    unsigned fixes = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (sensors.time == before) pthread_cond_wait(&sensed, &lock);
        double dt = before ? (sensors.time - before) * 1e-6 : 0;
        before = sensors.time;
        uint32_t is_new = sensors.is_new;
        sensors.is_new = 0;
        estimate(&motion, dt, is_new, fix.count != fixes);
        fixes = fix.count;
        double controls[4];
        fly(&motion, dt, controls);
        if (sensors.count >= 13) {
            answer.time = sensors.time;
            answer.armed = vehicle.armed;
            for (int i = 0; i < 4; i++) answer.controls[i] = vehicle.armed ? round(1000 * controls[i]) / 1000 : 0;
            pthread_cond_signal(&decided);
        }
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

int main(void) {
    autopilot = 12;
    station_local = 18570;
    flight.hover = 0.69;
    flight.rate_gain[0] = 0.05, flight.rate_gain[1] = 0.08, flight.rate_gain[2] = 0.1;
    flight.lift_gain = 0.08;
    struct sockaddr_in to = at_port(4560);
    for (;;) {
        simulator = socket(AF_INET, SOCK_STREAM, 0);
        int on = 1;
        setsockopt(simulator, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connect(simulator, (struct sockaddr *)&to, sizeof to) == 0) break;
        close(simulator);
        usleep(500);
    }
    start(answer_simulator, 99);
    start(listen_to_simulator, 99);
    start(control, 86);
    start(talk_to_station, 50);
    for (;;) pause();
}
