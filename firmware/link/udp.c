// RFC 826 (ARP), RFC 791 (IPv4, without options and fragments), RFC 768 (UDP). All numbers big-endian.
#include "udp.h"
#include "../drivers/nic.h"
#include "../system/memory.h"

#define OWN_PORT 14555
#define STATION_PORT 14550
#define TYPE_IP 0x0800
#define TYPE_ARP 0x0806
#define PROTOCOL_UDP 17
#define ETHERNET 14
#define IP 20
#define UDP 8
#define HEADERS (ETHERNET + IP + UDP)

static uint8_t own_hardware[6], own_ip[4] = {10, 0, 0, 1};
static uint8_t station_hardware[6] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, station_ip[4] = {10, 0, 0, 255};
static uint16_t station_port = STATION_PORT, identification;
static uint8_t received[NIC_FRAME_SIZE + 2] __attribute__((aligned(4))), sent[NIC_FRAME_SIZE + 2] __attribute__((aligned(4)));

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static unsigned get16(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

// RFC 1071: the complement of the sum in one's complement.
static uint32_t sum_words(uint32_t sum, const uint8_t *bytes, unsigned length)
{
    for (; length > 1; length -= 2, bytes += 2)
        sum += get16(bytes);
    return length > 0 ? sum + ((uint32_t)bytes[0] << 8) : sum;
}

static unsigned fold(uint32_t sum)
{
    while (sum > 0xFFFF)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return ~sum & 0xFFFF;
}

void udp_begin(uint32_t unique)
{
    nic_address(own_hardware);
    own_ip[3] = (uint8_t)(unique % 250 + 1);
}

bool udp_send(const uint8_t *bytes, unsigned length)
{
    if (HEADERS + length > NIC_FRAME_SIZE)
        return false;
    uint8_t *ip = sent + ETHERNET, *udp = ip + IP;
    memcpy(sent, station_hardware, 6);
    memcpy(sent + 6, own_hardware, 6);
    put16(sent + 12, TYPE_IP);
    memset(ip, 0, IP + UDP);
    ip[0] = 0x45;
    put16(ip + 2, IP + UDP + length);
    put16(ip + 4, identification++);
    ip[8] = 64;
    ip[9] = PROTOCOL_UDP;
    memcpy(ip + 12, own_ip, 4);
    memcpy(ip + 16, station_ip, 4);
    put16(ip + 10, fold(sum_words(0, ip, IP)));
    put16(udp, OWN_PORT);
    put16(udp + 2, station_port);
    put16(udp + 4, UDP + length);
    memcpy(udp + UDP, bytes, length);
    // Over the pseudo header as well: addresses, protocol, length. 0 would mean "none".
    unsigned check = fold(sum_words(sum_words(PROTOCOL_UDP + UDP + length, ip + 12, 8), udp, UDP + length));
    put16(udp + 6, check == 0 ? 0xFFFF : check);
    nic_send(sent, HEADERS + length);
    return true;
}

static void answer_arp(unsigned length)
{
    const uint8_t *arp = received + ETHERNET;
    static const uint8_t request[8] = {0, 1, 8, 0, 6, 4, 0, 1};
    if (length < ETHERNET + 28 || memcmp(arp, request, sizeof request) != 0 || memcmp(arp + 24, own_ip, 4) != 0)
        return;
    uint8_t *answer = sent + ETHERNET;
    memcpy(sent, arp + 8, 6);
    memcpy(sent + 6, own_hardware, 6);
    put16(sent + 12, TYPE_ARP);
    memcpy(answer, request, sizeof request);
    answer[7] = 2;
    memcpy(answer + 8, own_hardware, 6);
    memcpy(answer + 14, own_ip, 4);
    memcpy(answer + 18, arp + 8, 10); // who asked: its hardware address and its IP address
    nic_send(sent, ETHERNET + 28);
}

static unsigned take_datagram(unsigned length, const uint8_t **bytes)
{
    const uint8_t *ip = received + ETHERNET;
    if (length < HEADERS || ip[0] >> 4 != 4 || ip[9] != PROTOCOL_UDP || (get16(ip + 6) & 0x3FFF) != 0)
        return 0;
    unsigned header = 4u * (ip[0] & 15u);
    static const uint8_t broadcast[4] = {10, 0, 0, 255}, limited[4] = {255, 255, 255, 255};
    if (memcmp(ip + 16, own_ip, 4) != 0 && memcmp(ip + 16, broadcast, 4) != 0 && memcmp(ip + 16, limited, 4) != 0)
        return 0;
    if (header < IP || length < ETHERNET + header + UDP || fold(sum_words(0, ip, header)) != 0)
        return 0;
    const uint8_t *udp = ip + header;
    unsigned size = get16(udp + 4);
    if (get16(udp + 2) != OWN_PORT || size < UDP || ETHERNET + header + size > length)
        return 0;
    if (get16(udp + 6) != 0 && fold(sum_words(sum_words(PROTOCOL_UDP + size, ip + 12, 8), udp, size)) != 0)
        return 0;
    memcpy(station_hardware, received + 6, 6);
    memcpy(station_ip, ip + 12, 4);
    station_port = (uint16_t)get16(udp);
    *bytes = udp + UDP;
    return size - UDP;
}

unsigned udp_receive(const uint8_t **bytes, bool *any)
{
    unsigned length = nic_receive(received);
    *any = length > 0;
    if (length < ETHERNET)
        return 0;
    switch (get16(received + 12)) {
    case TYPE_ARP:
        answer_arp(length);
        return 0;
    case TYPE_IP:
        return take_datagram(length, bytes);
    default:
        return 0;
    }
}
