// Text made of pieces, without a C library: text_append(&t, "Loop rate "), text_append_integer(&t, 312), ...
#ifndef SYSTEM_TEXT_H
#define SYSTEM_TEXT_H

#include <stdint.h>

#define TEXT_SIZE 50 // of MAVLink's STATUSTEXT

struct text {
    char characters[TEXT_SIZE + 1];
    unsigned length;
};

void text_append(struct text *text, const char *piece);
void text_append_integer(struct text *text, int32_t value);
void text_append_hexadecimal(struct text *text, uint32_t value);

#endif
