// Reads the clock, or a register of a chip on SPI, as often as it is told.
#include <fcntl.h>
#include <linux/spi/spidev.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int read_clock(long times) {
    struct timespec time;
    while (times--)
        if (clock_gettime(CLOCK_MONOTONIC, &time))
            return 1;
    return 0;
}

static int read_chip(long times) {
    int chip = open("/dev/spidev0.0", O_RDWR);
    uint8_t written[3] = {0xA2}, read[3]; // a word of the calibration of an MS5611
    struct spi_ioc_transfer transfer = {
        .tx_buf = (uintptr_t)written, .rx_buf = (uintptr_t)read, .len = 3, .speed_hz = 10000000};
    while (times--)
        if (ioctl(chip, SPI_IOC_MESSAGE(1), &transfer) != 3)
            return 1;
    return 0;
}

int main(int count, char **words) {
    if (count < 3)
        return 2;
    int failed = strcmp(words[1], "clock") ? read_chip(atol(words[2])) : read_clock(atol(words[2]));
    while (count > 3) // in virtual time the run goes on without it
        sleep(1);
    return failed;
}
