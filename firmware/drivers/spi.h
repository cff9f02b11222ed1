// SPI controllers. The bytes are in RAM and moved by the controller; the processor sleeps meanwhile.
#ifndef DRIVERS_SPI_H
#define DRIVERS_SPI_H

#include <stdbool.h>
#include <stdint.h>

void spi_begin(unsigned controller);
// One frame: selects the chip, exchanges bytes, lets it go. False if the controller reports a failure.
bool spi_transfer(unsigned controller, unsigned chip, uint32_t clock, const uint8_t *write, uint8_t *read, uint32_t length);

#endif
