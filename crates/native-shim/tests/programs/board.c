// What a program asks of its computer: load, memory, room, names, pins, interfaces, locks.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void show(const char *path) {
    char text[100] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = read(fd, text, sizeof text - 1);
    printf("%s: %zd %s", path, length, text);
    close(fd);
}

static const char *said(int result) {
    return result < 0 ? strerrorname_np(errno) : "good";
}

static void *hold(void *file) {
    int fd = open(file, O_RDWR);
    flock(fd, LOCK_EX);
    usleep(5000);
    close(fd);
    fd = open(file, O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(fd, F_OFD_SETLK, &lock);
    usleep(5000);
    close(fd);
    return 0;
}

static void locks(void) {
    char name[] = "lock-XXXXXX";
    int fd = mkstemp(name);
    pthread_t thread;
    pthread_create(&thread, 0, hold, name);
    usleep(1000);
    printf("flock %s\n", said(flock(fd, LOCK_EX | LOCK_NB)));
    double begun = now();
    printf("flock %s", said(flock(fd, LOCK_EX)));
    printf(" after %.4f\n", now() - begun);
    flock(fd, LOCK_UN);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    printf("fcntl %s\n", said(fcntl(fd, F_OFD_SETLK, &lock)));
    begun = now();
    printf("fcntl %s", said(fcntl(fd, F_OFD_SETLKW, &lock)));
    printf(" after %.4f\n", now() - begun);
    pthread_join(thread, 0);
    unlink(name);
}

static void interfaces(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0), one = 1;
    struct ifconf list = {.ifc_len = 1000};
    printf("interfaces %s", said(ioctl(fd, SIOCGIFCONF, &list)));
    printf(" %d\n", list.ifc_len);
    struct ifreq request = {.ifr_name = "can0"};
    printf("can0 %s\n", said(ioctl(fd, SIOCGIFINDEX, &request)));
    printf("can %s\n", said(socket(AF_CAN, SOCK_RAW, 1)));
    printf("broadcast %s\n", said(setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &one, sizeof one)));
    // Three messages in one call, and back.
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(7000)};
    bind(fd, (struct sockaddr *)&own, sizeof own);
    char texts[3][10] = {"one", "two", "three"};
    struct iovec parts[3];
    struct mmsghdr messages[4] = {0};
    for (int place = 0; place < 3; place++) {
        parts[place] = (struct iovec){texts[place], 10};
        messages[place].msg_hdr = (struct msghdr){
            .msg_name = &own, .msg_namelen = sizeof own, .msg_iov = &parts[place], .msg_iovlen = 1};
    }
    printf("sent %d", sendmmsg(fd, messages, 3, 0));
    memset(texts, 0, sizeof texts);
    messages[3] = messages[2];
    printf(" received %d", recvmmsg(fd, messages, 4, MSG_WAITFORONE, 0));
    printf(" %s %s %s %u\n", texts[0], texts[1], texts[2], messages[2].msg_len);
}

// What is no file has no place, and takes what is printed.
static void prints(void) {
    int ends[2];
    char text[100] = "";
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    printf("place %s", said(lseek(ends[0], 0, SEEK_CUR)));
    printf(" %s", said(pread(ends[0], text, 1, 0)));
    printf(" %d", dprintf(ends[1], "%d %s %.2f %ld %c %d %d %g %d|", 1, "two", 3.0, 4L, '5', 6, 7, 8.5, 9));
    printf(" %zd %s", read(ends[0], text, sizeof text), text);
    int fd = open("/dev/null", O_RDWR);
    printf(" %s %d\n", said(lseek(fd, 0, SEEK_CUR)), dprintf(fd, "%s", "gone"));
}

int main(void) {
    usleep(250000);
    show("/proc/uptime");
    show("/proc/loadavg");
    show("/proc/stat");
    show("/etc/machine-id");
    show("/proc/sys/kernel/random/boot_id");
    show("/etc/hostname");
    FILE *file = fopen("/proc/meminfo", "re");
    int total = 0, avail = 0;
    for (int round = 0; round < 2; round++) {
        char line[100];
        while (fgets(line, sizeof line, file)) {
            sscanf(line, "MemTotal: %d kB", &total);
            sscanf(line, "MemFree: %d kB", &avail);
        }
        fseek(file, 0, SEEK_SET);
        printf("memory %d %d\n", total, avail);
        total = avail = 0;
    }
    fclose(file);
    struct stat stat_of;
    printf("stat %s", said(stat("/proc/meminfo", &stat_of)));
    printf(" %d\n", S_ISREG(stat_of.st_mode));
    struct sysinfo info;
    sysinfo(&info);
    printf("sysinfo %ld %lu %lu\n", info.uptime, info.totalram, info.loads[0]);
    double loads[3];
    printf("loads %d", getloadavg(loads, 3));
    printf(" %g\n", loads[0]);
    struct statvfs room;
    struct statfs space;
    printf("room %s", said(statvfs(".", &room)));
    printf(" %lu", room.f_bavail * room.f_frsize);
    printf(" %s", said(statfs("/", &space)));
    printf(" %lu %s\n", space.f_bfree * space.f_bsize, said(statfs("/no/such/folder", &space)));
    struct utsname names;
    char name[20];
    uname(&names);
    gethostname(name, sizeof name);
    printf("name %s %s\n", names.nodename, name);
    printf("locked %s", said(mlockall(MCL_CURRENT | MCL_FUTURE)));
    FILE *status = fopen("/proc/self/status", "r");
    for (char line[200]; fgets(line, sizeof line, status);) {
        int kilobytes;
        if (sscanf(line, "VmLck: %d kB", &kilobytes) == 1)
            printf(" %d\n", kilobytes);
    }
    fclose(status);
    // Calls are work and sleep is not: with 5 us for a call, half of the time is.
    struct tms before, after;
    struct rusage usage;
    clock_t begun = times(&before);
    for (int call = 0; call < 100000; call++)
        usleep(5);
    clock_t ended = times(&after);
    getrusage(RUSAGE_SELF, &usage);
    printf("ticks %ld of %ld, clock %d, usage %ld.%02ld faults %ld\n", after.tms_utime - before.tms_utime,
           ended - begun, clock() > 500000, usage.ru_utime.tv_sec, usage.ru_utime.tv_usec / 10000, usage.ru_minflt);
    const char *hardware[] = {"/dev/mem", "/dev/gpiomem", "/dev/ttyS0", "/dev/ttyAMA0", "/dev/watchdog",
                              "/sys/class/gpio/export", "/sys/bus/iio/devices/iio:device0/in_voltage0_raw"};
    for (int place = 0; place < 7; place++)
        printf("%s%s", said(open(hardware[place], O_RDWR)), place < 6 ? " " : "\n");
    printf("%s %s", opendir("/sys/class/pwm") ? "there" : said(-1), said(access("/sys/class/leds", F_OK)));
    printf(" %s", fopen("/sys/class/thermal/thermal_zone0/temp", "re") ? "there" : said(-1));
    DIR *folder = opendir(".");
    printf(" %s\n", folder ? "good" : said(-1));
    struct timeval zero = {0, 0};
    struct timespec moment = {0, 0};
    printf("%s", said(adjtime(&zero, 0)));
    printf(" %s\n", said(clock_settime(CLOCK_REALTIME, &moment)));
    interfaces();
    prints();
    locks();
    return 0;
}
