// Reads frames from standard input and writes those that are understood, encoded again, to standard output, for
// test_mavlink.py.
#include "../link/mavlink_frame.h"
#include <stdio.h>

int main(void)
{
    static struct mavlink_parser parser;
    static struct mavlink_message message;
    uint8_t frame[MAVLINK_FRAME_MAX];
    int byte;
    while ((byte = getchar()) != EOF)
        for (bool is_there = mavlink_parse(&parser, (uint8_t)byte, &message); is_there; is_there = mavlink_next(&parser, &message))
            fwrite(frame, 1, mavlink_encode(frame, message.id, message.payload, message.system, message.component, message.sequence), stdout);
    return 0;
}
