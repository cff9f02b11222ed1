// Start, modes and mission.
#include "copter.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ACCEPTED = 0, DENIED = 2, FAILED = 4 };
enum mode mode = STABILIZE;
bool is_armed;
static struct serial serial0, serial3;
static struct wish wish;
static bool is_thrown;

// ---- parameters, from the file of defaults

static struct {
    char name[17];
    double value;
} parameters[256];
static unsigned parameter_count;

static void read_defaults(const char *path) {
    FILE *file = fopen(path, "r");
    char line[128];
    if (!file) die(path);
    while (fgets(line, sizeof line, file) && parameter_count < 256) {
        if (sscanf(line, " %16[A-Z0-9_]%*[ ,\t]%lf", parameters[parameter_count].name, &parameters[parameter_count].value) == 2) parameter_count++;
    }
    fclose(file);
}

double parameter(const char *name, double otherwise) {
    for (unsigned i = 0; i < parameter_count; i++) {
        if (!strcmp(parameters[i].name, name)) return parameters[i].value;
    }
    return otherwise;
}

// ---- what the ground station can ask for

int arm(bool arms) {
    if (!arms) {
        is_armed = wish.spins = is_thrown = false;
        return ACCEPTED;
    }
    const char *why = NULL;
    if (parameter("FRAME_CLASS", 0) != 1) why = "PreArm: Check frame class and type";
    if (!now.uses_fixes) why = "PreArm: Need Position Estimate";
    if (mode == AUTO || mode == LAND || mode == RTL) why = "Arm: Mode not armable";
    // Skipped checks have another name and another sense since 4.7.
    if (parameter("ARMING_SKIPCHK", 0) == 0 && parameter("ARMING_CHECK", 1) != 0) why = "PreArm: Compass not calibrated";
    if (why) {
        tell(2, "%s", why);
        return FAILED;
    }
    if (!is_armed) {
        home_here();
        tell(6, "Arming motors");
    }
    is_armed = true;
    return ACCEPTED;
}

static void stay(void) {
    memcpy(wish.place, now.position, sizeof wish.place);
    wish.sinks = false;
}

int set_mode(unsigned number) {
    switch (number) {
    case STABILIZE:
    case GUIDED:
    case THROW:
        if (mode != (enum mode)number) stay();
        break;
    case LAND:
        if (mode != LAND) stay();
        wish.sinks = true;
        break;
    case AUTO:
        if (mission_length < 2) return FAILED;
        stay();
        mission_item = 1;
        break;
    case RTL:
        stay();
        wish.place[0] = wish.place[1] = 0;
        break;
    default: return FAILED;
    }
    mode = (enum mode)number;
    return ACCEPTED;
}

int take_off(double altitude) {
    if (mode != GUIDED || !is_armed || !now.uses_fixes) return FAILED;
    stay();
    wish.place[2] = altitude;
    wish.spins = true;
    return ACCEPTED;
}

int start_mission(void) {
    int done = is_armed ? set_mode(AUTO) : FAILED;
    if (done == ACCEPTED) wish.spins = true;
    return done;
}

int go_to(double latitude, double longitude, double altitude) {
    if (mode != GUIDED || !wish.spins) return DENIED;
    offset_of(latitude, longitude, &wish.place[0], &wish.place[1]);
    wish.place[2] = altitude;
    return ACCEPTED;
}

// ---- modes, at 400 Hz

static bool is_there(void) {
    double far = 0;
    for (int i = 0; i < 3; i++) far = fmax(far, fabs(wish.place[i] - now.position[i]));
    return far < 1;
}

// The first item of a mission is home.
static void fly_mission(void) {
    static unsigned told;
    if (mission_item >= mission_length) return;
    struct item *item = &mission[mission_item];
    if (told != mission_item) tell(6, "Mission: %u command %u", mission_item, item->command);
    told = mission_item;
    switch (item->command) {
    case 22: wish.place[2] = item->altitude; break;
    case 16:
        offset_of(item->latitude, item->longitude, &wish.place[0], &wish.place[1]);
        wish.place[2] = item->altitude;
        break;
    case 21: wish.sinks = true; return;
    case 20: set_mode(RTL); return;
    default: mission_item++; return;
    }
    if (is_there()) mission_item++;
}

static void update_mode(void) {
    bool needs_fixes = mode == AUTO || mode == GUIDED || mode == RTL;
    if (wish.spins && needs_fixes && !now.uses_fixes) {
        tell(2, "EKF Failsafe: changed to LAND Mode");
        set_mode(LAND);
    }
    if (mode == AUTO && wish.spins) fly_mission();
    if (mode == RTL && is_there()) set_mode(LAND);
    // Thrown: it rises faster than anybody lifts it.
    if (mode == THROW && is_armed && !wish.spins && now.speed[2] > 4) is_thrown = true;
    if (is_thrown && !wish.spins && now.speed[2] < 4) {
        tell(6, "Throw detected");
        stay();
        wish.spins = true;
    }
    if (wish.sinks && wish.spins && looks_landed()) {
        arm(false);
        tell(6, "Disarming motors");
    }
}

// ---- threads beside the main one

static unsigned ticks;
static void timer_task(void) { ticks++; }
static void uart_task(void) {
    serial_tick(&serial0);
    serial_tick(&serial3);
}
static void rcin_task(void) {}
static pthread_mutex_t log_lock;
static pthread_cond_t log_news = PTHREAD_COND_INITIALIZER;
static unsigned log_lines;
static void io_task(void) {
    pthread_mutex_lock(&log_lock);
    log_lines = 0;
    pthread_mutex_unlock(&log_lock);
}

// Waits a millisecond for something to write, by the wall clock.
static void *log_io(void *argument) {
    (void)argument;
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 1000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_mutex_lock(&log_lock);
        pthread_cond_timedwait(&log_news, &log_lock, &until);
        pthread_mutex_unlock(&log_lock);
        sleep_us(1000);
    }
    return NULL;
}

static void write_log(void) {
    pthread_mutex_lock(&log_lock);
    if (++log_lines > 10) pthread_cond_signal(&log_news);
    pthread_mutex_unlock(&log_lock);
}

static void start(void) {
    static struct periodic threads[] = {
        {"ap-timer", FIFO_TIMER, 1000, timer_task},
        {"ap-uart", FIFO_UART, 100, uart_task},
        {"ap-rcin", FIFO_RCIN, 100, rcin_task},
        {"ap-io", FIFO_IO, 50, io_task},
    };
    mlockall(MCL_CURRENT | MCL_FUTURE);
    struct sched_param priority = {.sched_priority = FIFO_MAIN};
    if (sched_setscheduler(0, SCHED_FIFO, &priority)) die("SCHED_FIFO");
    make_lock(&log_lock);
    wait_for_all_threads(5);
    for (unsigned i = 0; i < 4; i++) start_periodic(&threads[i]);
}

int main(int count, char *arguments[]) {
    const char *ports[2] = {NULL, NULL};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(arguments[i], "--serial0")) ports[0] = arguments[i + 1];
        if (!strcmp(arguments[i], "--serial3")) ports[1] = arguments[i + 1];
        if (!strcmp(arguments[i], "--defaults")) read_defaults(arguments[i + 1]);
    }
    if (!ports[0] || !ports[1]) {
        fprintf(stderr, "--serial0 and --serial3 are needed\n");
        return 1;
    }
    start();
    make_bus(&i2c1, "ap-i2c-1", "/dev/i2c-1");
    make_bus(&spi0, "ap-spi-0", "/dev/spidev0.1");
    start_pulses();
    open_serial(&serial0, ports[0], 115200);
    start_link(&serial0);
    wait_for_all_threads(0);
    start_thread("log_io", FIFO_LOG, log_io, NULL);
    look_for_lights();
    open_serial(&serial3, ports[1], 115200);
    // In thousands, where it is small.
    uint32_t baud = (uint32_t)parameter("SERIAL3_BAUD", 230);
    start_receiver(&serial3, baud == 115 ? 115200 : baud == 230 ? 230400 : baud * 1000);
    if (parameter("SERIAL3_PROTOCOL", 0) != 5 || parameter("GPS1_TYPE", 1) > 5) tell(4, "no receiver is set up");
    start_barometer();
    find_inertial_unit();
    find_compass();
    start_inertial_unit();
    set_pulse_rate(400);
    set_pulse_rate(490);
    uint64_t next = micros(), period = 2500, last = next;
    for (unsigned loops = 0;; loops++) {
        next += period;
        uint64_t time = micros();
        if (next > time) {
            sleep_us((uint32_t)(next - time));
        } else {
            next = time;
        }
        while (!has_inertial()) sleep_us(100);
        time = micros();
        double dt = (double)(time - last) * 1e-6, us[4];
        last = time;
        if (loops % 8 == 0) read_receiver();
        estimate(dt);
        update_mode();
        control(dt, &wish, us);
        send_pulses(us);
        read_link();
        write_link();
        write_log();
        if (wrong_registers && loops % 400 == 0) tell(3, "%u registers were wrong", wrong_registers);
    }
}
