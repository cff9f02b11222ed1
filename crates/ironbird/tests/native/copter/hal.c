// Threads, locks and devices, by the calls that ArduPilot's layer for Linux makes.
#include "copter.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

uint64_t micros(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

void sleep_us(uint32_t us) {
    struct timespec span = {us / 1000000, (long)(us % 1000000) * 1000};
    while (nanosleep(&span, &span) == -1 && errno == EINTR) {
    }
}

void delay_ms(uint32_t ms) {
    uint64_t start = micros() / 1000;
    while (micros() / 1000 - start < ms) sleep_us(1000);
}

void die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

void make_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(lock, &kind);
}

void start_thread(const char *name, int priority, void *(*run)(void *), void *argument) {
    pthread_t thread;
    pthread_attr_t how;
    struct sched_param parameters = {.sched_priority = priority};
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, 1024 * 1024);
    if (geteuid() == 0) {
        pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&how, SCHED_FIFO);
        pthread_attr_setschedparam(&how, &parameters);
    }
    errno = pthread_create(&thread, &how, run, argument);
    if (errno) die(name);
    pthread_attr_destroy(&how);
    pthread_setname_np(thread, name);
}

static pthread_barrier_t all_there;
static bool has_barrier;

void wait_for_all_threads(unsigned count) {
    if (!has_barrier) {
        pthread_barrier_init(&all_there, NULL, count);
        has_barrier = true;
        return;
    }
    if (pthread_barrier_wait(&all_there) == PTHREAD_BARRIER_SERIAL_THREAD) pthread_barrier_destroy(&all_there);
}

// Sleeps to the next period; begins anew when it is late.
static void *run_periodic(void *argument) {
    struct periodic *thread = argument;
    uint64_t period = 1000000 / thread->rate;
    wait_for_all_threads(0);
    uint64_t next = micros() + period;
    for (;;) {
        uint64_t left = next - micros();
        if (left > period) {
            next = micros();
        } else {
            sleep_us((uint32_t)left);
        }
        next += period;
        thread->task();
    }
    return NULL;
}

void start_periodic(struct periodic *thread) {
    start_thread(thread->name, thread->priority, run_periodic, thread);
}

void make_bus(struct bus *bus, const char *name, const char *path) {
    bus->name = name;
    make_lock(&bus->lock);
    bus->fd = open(path, O_RDWR | O_CLOEXEC);
    if (bus->fd < 0) die(path);
    bus->epoll = epoll_create1(EPOLL_CLOEXEC);
    bus->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(bus->epoll, EPOLL_CTL_ADD, bus->wake, &event)) die("epoll");
}

void make_poller_and_drop_it(void) {
    int epoll = epoll_create1(EPOLL_CLOEXEC), wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event);
    close(wake);
    close(epoll);
}

static void *run_bus(void *argument) {
    struct bus *bus = argument;
    for (;;) {
        struct epoll_event events[4];
        int count = epoll_wait(bus->epoll, events, 4, -1);
        for (int i = 0; i < count; i++) {
            struct timer *timer = events[i].data.ptr;
            uint64_t times;
            if (read(timer ? timer->fd : bus->wake, &times, sizeof times) < 0 || !timer) continue;
            pthread_mutex_lock(&bus->lock);
            timer->task();
            pthread_mutex_unlock(&bus->lock);
        }
    }
    return NULL;
}

void every(struct bus *bus, uint32_t us, void (*task)(void)) {
    struct timer *timer = &bus->timers[bus->count++];
    timer->task = task;
    timer->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    struct itimerspec span = {.it_interval.tv_nsec = us * 1000L, .it_value.tv_nsec = us * 1000L};
    if (timer->fd < 0 || timerfd_settime(timer->fd, 0, &span, NULL)) die("timerfd");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = timer};
    if (epoll_ctl(bus->epoll, EPOLL_CTL_ADD, timer->fd, &event)) die("epoll");
    if (!bus->is_started) {
        bus->is_started = true;
        start_thread(bus->name, FIFO_BUS, run_bus, bus);
    }
}

static uint32_t speed;
void spi_speed(uint32_t hertz) { speed = hertz; }

// One part that is written and one that is read: the chip is selected over both.
bool spi_transfer(struct bus *bus, const uint8_t *out, uint32_t out_length, uint8_t *in, uint32_t in_length) {
    static int mode = -1;
    if (mode < 0) {
        uint8_t wanted = SPI_MODE_0;
        if (ioctl(bus->fd, SPI_IOC_WR_MODE, &wanted) < 0) die("SPI mode");
        mode = wanted;
    }
    struct spi_ioc_transfer parts[2] = {
        {.tx_buf = (uintptr_t)out, .len = out_length, .speed_hz = speed, .bits_per_word = 8},
        {.rx_buf = (uintptr_t)in, .len = in_length, .speed_hz = speed, .bits_per_word = 8},
    };
    int done = in_length ? ioctl(bus->fd, SPI_IOC_MESSAGE(2), parts) : ioctl(bus->fd, SPI_IOC_MESSAGE(1), parts);
    return done != -1;
}

bool i2c_transfer(int fd, uint8_t chip, const uint8_t *out, uint16_t out_length, uint8_t *in, uint16_t in_length, unsigned retries) {
    struct i2c_msg parts[2];
    unsigned count = 0;
    if (out_length) parts[count++] = (struct i2c_msg){chip, 0, out_length, (uint8_t *)out};
    if (in_length) parts[count++] = (struct i2c_msg){chip, I2C_M_RD, in_length, in};
    struct i2c_rdwr_ioctl_data all = {parts, count};
    int done;
    do {
        done = ioctl(fd, I2C_RDWR, &all);
    } while (done == -1 && retries-- > 0);
    return done != -1;
}

void set_speed(struct serial *port, uint32_t baud) {
    struct termios2 line = {0};
    if (ioctl(port->fd, TCGETS2, &line)) die("TCGETS2");
    line.c_cflag = (line.c_cflag & ~(CBAUD | CBAUD << IBSHIFT)) | BOTHER | BOTHER << IBSHIFT;
    line.c_ispeed = line.c_ospeed = baud;
    if (ioctl(port->fd, TCSETS2, &line)) die("TCSETS2");
}

void open_serial(struct serial *port, const char *path, uint32_t baud) {
    struct stat kind;
    if (stat(path, &kind) || !S_ISCHR(kind.st_mode)) die(path);
    port->path = path;
    make_lock(&port->lock);
    port->fd = open(path, O_RDWR | O_CLOEXEC);
    if (port->fd < 0) die(path);
    struct termios2 line = {0};
    if (ioctl(port->fd, TCGETS2, &line)) die("TCGETS2");
    line.c_iflag &= ~(BRKINT | ICRNL | IMAXBEL | IXON | IXOFF);
    line.c_oflag &= ~(OPOST | ONLCR);
    line.c_lflag &= ~(ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE);
    line.c_cc[VMIN] = 0;
    if (ioctl(port->fd, TCSETS2, &line)) die("TCSETS2");
    int flags = fcntl(port->fd, F_GETFL, 0);
    if (fcntl(port->fd, F_SETFL, flags | O_NONBLOCK)) die("fcntl");
    set_speed(port, baud);
}

static unsigned used(const struct ring *ring) { return (ring->head - ring->tail) % sizeof ring->bytes; }

static bool put(struct ring *ring, uint8_t byte) {
    if (used(ring) == sizeof ring->bytes - 1) return false;
    ring->bytes[ring->head] = byte;
    ring->head = (ring->head + 1) % sizeof ring->bytes;
    return true;
}

// Between the device and the rings; in the thread of the serial ports.
void serial_tick(struct serial *port) {
    if (port->fd <= 0) return;
    pthread_mutex_lock(&port->lock);
    struct pollfd ready = {.fd = port->fd, .events = POLLOUT};
    while (used(&port->out) && poll(&ready, 1, 0) == 1) {
        unsigned end = port->out.head < port->out.tail ? sizeof port->out.bytes : port->out.head;
        ssize_t done = write(port->fd, port->out.bytes + port->out.tail, end - port->out.tail);
        if (done <= 0) break;
        port->out.tail = (port->out.tail + (unsigned)done) % sizeof port->out.bytes;
    }
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(port->fd, &readable);
    struct timeval none = {0, 0};
    if (select(port->fd + 1, &readable, NULL, NULL, &none) == 1) {
        uint8_t bytes[256];
        ssize_t count;
        while ((count = read(port->fd, bytes, sizeof bytes)) > 0) {
            for (ssize_t i = 0; i < count; i++) put(&port->in, bytes[i]);
        }
    }
    pthread_mutex_unlock(&port->lock);
}

bool serial_get(struct serial *port, uint8_t *byte) {
    pthread_mutex_lock(&port->lock);
    bool has = used(&port->in) > 0;
    if (has) {
        *byte = port->in.bytes[port->in.tail];
        port->in.tail = (port->in.tail + 1) % sizeof port->in.bytes;
    }
    pthread_mutex_unlock(&port->lock);
    return has;
}

// All of it or nothing.
bool serial_put(struct serial *port, const uint8_t *bytes, unsigned length) {
    pthread_mutex_lock(&port->lock);
    bool fits = used(&port->out) + length < sizeof port->out.bytes;
    for (unsigned i = 0; fits && i < length; i++) put(&port->out, bytes[i]);
    pthread_mutex_unlock(&port->lock);
    return fits;
}
