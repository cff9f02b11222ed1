#include "text.h"

static void append_character(struct text *text, char character)
{
    if (text->length < TEXT_SIZE)
        text->characters[text->length++] = character;
    text->characters[text->length] = 0;
}

void text_append(struct text *text, const char *piece)
{
    while (*piece != 0)
        append_character(text, *piece++);
}

void text_append_integer(struct text *text, int32_t value)
{
    char digits[11];
    unsigned count = 0;
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        append_character(text, '-');
    while (count > 0)
        append_character(text, digits[--count]);
}

void text_append_hexadecimal(struct text *text, uint32_t value)
{
    text_append(text, "0x");
    for (int shift = 28; shift >= 0; shift -= 4)
        append_character(text, "0123456789abcdef"[(value >> shift) & 15]);
}
