// The Ethernet controller: whole frames, without preamble and check sequence.
#ifndef DRIVERS_NIC_H
#define DRIVERS_NIC_H

#include <stdint.h>

#define NIC_FRAME_SIZE 1514

void nic_address(uint8_t address[6]);
void nic_send(const uint8_t *frame, uint32_t length);
// Copies the oldest frame that has come to a buffer of NIC_FRAME_SIZE. Its length, or 0.
uint32_t nic_receive(uint8_t *frame);

#endif
