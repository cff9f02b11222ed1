// Behaves towards its simulator as ArduPilot's SITL programs do with --model JSON: it sends its servos, waits for a line of
// text, finds numbers in it as they do, takes its clock from it, and ends when its parent is not there any more.

static char line[65000];

// The text behind a key: the section as it stands in the line, the key behind it, two characters on.
static const char *find(const char *section, const char *key) {
    const char *at = strstr(line, section);
    if (at) at = strstr(at + strlen(section), key);
    return at ? at + strlen(key) + 2 : NULL;
}

static int numbers(const char *section, const char *key, double *out, int count) {
    const char *at = find(section, key);
    if (!at) return 0;
    for (int i = 0; i < count; i++) {
        while (*at == '[' || *at == ',' || *at == ' ') at++;
        char *end;
        out[i] = strtod(at, &end);
        if (end == at) return 0;
        at = end;
    }
    return 1;
}

// Keeps what stands between the last two line ends.
static int keep_line(const char *text, int length) {
    if (length < 2 || text[length - 1] != '\n') return 0;
    const char *begin = memrchr(text, '\n', length - 1);
    if (!begin) return 0;
    int count = text + length - 1 - (begin + 1);
    memcpy(line, begin + 1, count);
    line[count] = 0;
    return count > 0;
}

int main(int count, char **arguments) {
    int channels = count > 1 && strcmp(arguments[1], "--servo-32") == 0 ? 32 : 16;
    autopilot = 3;
    flight.hover = 0.69;
    flight.rate_gain[0] = 0.05, flight.rate_gain[1] = 0.08, flight.rate_gain[2] = 0.1;
    flight.lift_gain = 0.08;
    start(talk_to_station, 10);
    pid_t parent = getppid();
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = at_port(9002);
    uint16_t packet[36] = {channels == 32 ? 29569 : 18458, 1000};
    uint32_t frame_number = 0, refused = 0;
    double time = 0;
    static char buffer[65000];
    for (;;) {
        if (kill(parent, 0) != 0) return 1;
        memcpy(packet + 2, &frame_number, 4);
        sendto(fd, packet, 8 + 2 * channels, 0, (struct sockaddr *)&to, sizeof to);
        int got = 0;
        for (int wait = 0; wait < 10 && !got; wait++) {
            struct pollfd ready = {fd, POLLIN, 0};
            if (poll(&ready, 1, 100) == 0) continue;
            struct sockaddr_in from;
            socklen_t size = sizeof from;
            int length = recvfrom(fd, buffer, sizeof buffer, 0, (struct sockaddr *)&from, &size);
            got = from.sin_port == to.sin_port && keep_line(buffer, length);
        }
        if (!got) continue;
        struct motion m;
        double timestamp, attitude[3], quaternion[4], force[3];
        int whole = numbers("", "timestamp", &timestamp, 1) && numbers("imu", "gyro", m.rates, 3) &&
                    numbers("imu", "accel_body", force, 3) && numbers("", "position", m.position, 3) &&
                    numbers("", "attitude", attitude, 3) && numbers("", "quaternion", quaternion, 4) &&
                    numbers("", "velocity", m.velocity, 3);
        if (!whole) {
            if (refused++ == 0) fprintf(stderr, "refused: %s\n", line);
            continue;
        }
        m.w = quaternion[0], m.x = quaternion[1], m.y = quaternion[2], m.z = quaternion[3];
        static double begin[3];
        for (int i = 0; i < 3; i++) {
            if (frame_number == 0) begin[i] = m.position[i];
            m.position[i] -= begin[i];
        }
        double controls[4], dt = timestamp - time;
        pthread_mutex_lock(&lock);
        vehicle.ground = 488;
        vehicle.above = -m.position[2];
        vehicle.latitude = 473977000 + 90 * m.position[0];
        vehicle.longitude = 85456000 + 133 * m.position[1];
        vehicle.knows_place = 1;
        fly(&m, dt, controls);
        for (int i = 0; i < channels; i++) packet[4 + i] = i < 4 ? 1000 + 1000 * (vehicle.armed ? controls[i] : 0) : 1500;
        pthread_mutex_unlock(&lock);
        time = timestamp;
        frame_number++;
    }
}
