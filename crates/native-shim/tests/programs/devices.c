// Talks to a chip on SPI, one on I2C, a serial port, datagram and stream sockets, and the random devices.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void say(const char *what) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%ld.%06ld %s\n", (long)now.tv_sec - 1, now.tv_nsec / 1000, what);
}

static void check(int holds, const char *what) {
    if (!holds) {
        printf("WRONG %s, errno %d\n", what, errno);
        fflush(stdout);
        _exit(1);
    }
}

static void show(const char *what, const unsigned char *bytes, int length) {
    char line[200];
    int used = snprintf(line, sizeof line, "%s", what);
    for (int i = 0; i < length; i++)
        used += snprintf(line + used, sizeof line - used, " %02x", bytes[i]);
    say(line);
}

static void *meanwhile(void *unused) {
    usleep(5);
    say("meanwhile");
    return unused;
}

static void spi(void) {
    int fd = open("/dev/spidev0.1", O_RDWR);
    struct stat status;
    check(fd >= 0 && fstat(fd, &status) == 0 && S_ISCHR(status.st_mode), "open spi");
    unsigned char mode = 3, bits = 8, found = 0;
    unsigned speed = 1000000;
    check(ioctl(fd, SPI_IOC_WR_MODE, &mode) == 0 && ioctl(fd, SPI_IOC_RD_MODE, &found) == 0 && found == 3, "mode");
    check(ioctl(fd, SPI_IOC_WR_BITS_PER_WORD, &bits) == 0, "bits");
    check(ioctl(fd, SPI_IOC_WR_MAX_SPEED_HZ, &speed) == 0, "speed");
    pthread_t thread;
    pthread_create(&thread, 0, meanwhile, 0);
    unsigned char command[] = {0x80, 0x01}, answer[3];
    struct spi_ioc_transfer parts[2] = {
        {.tx_buf = (unsigned long)command, .len = 2},
        {.rx_buf = (unsigned long)answer, .len = 3, .speed_hz = 2000000},
    };
    check(ioctl(fd, SPI_IOC_MESSAGE(2), parts) == 5, "spi message");
    show("spi", answer, 3);
    pthread_join(thread, 0);
    close(fd);
    check(open("/dev/spidev9.9", O_RDWR) == -1 && errno == ENOENT, "no such bus");
}

static void i2c(void) {
    int fd = open("/dev/i2c-1", O_RDWR | O_CLOEXEC);
    unsigned char reg = 0x75, answer[2], byte = 0;
    struct i2c_msg messages[2] = {{0x68, 0, 1, &reg}, {0x68, I2C_M_RD, 2, answer}};
    struct i2c_rdwr_ioctl_data all = {messages, 2};
    check(ioctl(fd, I2C_RDWR, &all) == 2, "i2c");
    show("i2c", answer, 2);
    messages[0].addr = messages[1].addr = 0x55;
    check(ioctl(fd, I2C_RDWR, &all) == -1 && errno == EREMOTEIO, "nobody there");
    say("not acknowledged");
    check(ioctl(fd, I2C_SLAVE, 0x68) == 0, "slave");
    check(write(fd, &reg, 1) == 1 && read(fd, &byte, 1) == 1, "plain read and write");
    show("plain", &byte, 1);
    union i2c_smbus_data data;
    struct i2c_smbus_ioctl_data call = {I2C_SMBUS_READ, 0x10, I2C_SMBUS_WORD_DATA, &data};
    check(ioctl(fd, I2C_SMBUS, &call) == 0, "smbus");
    show("smbus", (unsigned char *)&data.word, 2);
    close(fd);
}

static void serial(void) {
    struct stat status;
    check(stat("/dev/ttyTEST", &status) == 0 && S_ISCHR(status.st_mode), "stat");
    int fd = open("/dev/ttyTEST", O_RDWR | O_NOCTTY);
    struct termios2 settings;
    check(ioctl(fd, TCGETS2, &settings) == 0, "TCGETS2");
    settings.c_cflag = (settings.c_cflag & ~CBAUD) | BOTHER;
    settings.c_ispeed = settings.c_ospeed = 123456;
    settings.c_lflag = 0;
    settings.c_cc[VMIN] = 1;
    check(ioctl(fd, TCSETS2, &settings) == 0 && isatty(fd), "TCSETS2");
    check(write(fd, "ping", 4) == 4, "write");
    char bytes[16] = {0};
    int count = read(fd, bytes, sizeof bytes);
    printf("serial %d %s\n", count, bytes);
    say("serial");
    fcntl(fd, F_SETFL, O_NONBLOCK);
    check(read(fd, bytes, 1) == -1 && errno == EAGAIN, "nothing left");
    close(fd);
}

static struct sockaddr_in at(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void datagrams(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in own = at(5000), other = at(6000), from;
    check(bind(fd, (void *)&own, sizeof own) == 0, "bind");
    check(sendto(fd, "hello", 5, 0, (void *)&other, sizeof other) == 5, "sendto");
    char bytes[32] = {0};
    socklen_t length = sizeof from;
    check(recvfrom(fd, bytes, sizeof bytes, 0, (void *)&from, &length) == 5, "recvfrom");
    printf("datagram %s from %d\n", bytes, ntohs(from.sin_port));
    struct timeval patience = {0, 3000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    check(recv(fd, bytes, sizeof bytes, 0) == -1 && errno == EAGAIN, "time-out");
    say("datagram time-out");
    struct pollfd file = {fd, POLLIN, 0};
    check(poll(&file, 1, 2) == 0, "poll");
    say("datagram poll");
    struct sockaddr_in nobody = at(7777);
    check(sendto(fd, "x", 1, 0, (void *)&nobody, sizeof nobody) == -1 && errno == ENETUNREACH, "refused");
    close(fd);
}

static void streams(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in own = at(5760), other = at(4560);
    check(bind(listener, (void *)&own, sizeof own) == 0 && listen(listener, 1) == 0, "listen");
    int fd = accept(listener, 0, 0);
    check(fd >= 0, "accept");
    say("accepted");
    char bytes[32] = {0};
    int count = read(fd, bytes, sizeof bytes);
    printf("stream %d %s\n", count, bytes);
    check(send(fd, "answer", 6, MSG_NOSIGNAL) == 6, "send");
    check(recv(fd, bytes, sizeof bytes, 0) == 0, "the other side closes");
    say("closed");
    close(fd);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    check(connect(fd, (void *)&other, sizeof other) == 0, "connect");
    say("connected");
    check(write(fd, "out", 3) == 3, "write");
    close(fd);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    other.sin_port = htons(4999);
    check(connect(fd, (void *)&other, sizeof other) == -1 && errno == ECONNREFUSED, "refused");
}

static void randomness(void) {
    unsigned char bytes[4];
    getrandom(bytes, 4, 0);
    show("getrandom", bytes, 4);
    FILE *file = fopen("/dev/urandom", "r");
    check(file && fread(bytes, 1, 4, file) == 4, "urandom");
    fclose(file);
}

int main(void) {
    spi();
    i2c();
    serial();
    datagrams();
    streams();
    randomness();
    return 0;
}
