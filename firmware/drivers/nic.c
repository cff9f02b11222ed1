#include "nic.h"
#include "registers.h"

#define ADDRESS_LOW REGISTER(NIC_BASE + 0x00)
#define ADDRESS_HIGH REGISTER(NIC_BASE + 0x04)
#define SEND_ADDRESS REGISTER(NIC_BASE + 0x08)
#define SEND_LENGTH REGISTER(NIC_BASE + 0x0C)
#define SEND REGISTER(NIC_BASE + 0x10)
#define STATUS REGISTER(NIC_BASE + 0x14)
#define RECEIVE_ADDRESS REGISTER(NIC_BASE + 0x18)
#define RECEIVE REGISTER(NIC_BASE + 0x1C)
#define RECEIVE_LENGTH REGISTER(NIC_BASE + 0x20)

void nic_address(uint8_t address[6])
{
    uint32_t low = ADDRESS_LOW, high = ADDRESS_HIGH;
    for (int i = 0; i < 4; i++)
        address[i] = (uint8_t)(low >> (8 * i));
    address[4] = (uint8_t)high;
    address[5] = (uint8_t)(high >> 8);
}

void nic_send(const uint8_t *frame, uint32_t length)
{
    SEND_ADDRESS = (uint32_t)(uintptr_t)frame;
    SEND_LENGTH = length;
    __asm__ volatile("" ::: "memory");
    SEND = 1;
}

uint32_t nic_receive(uint8_t *frame)
{
    if ((STATUS & 1) == 0)
        return 0;
    RECEIVE_ADDRESS = (uint32_t)(uintptr_t)frame;
    RECEIVE = 1;
    __asm__ volatile("" ::: "memory");
    return RECEIVE_LENGTH;
}
