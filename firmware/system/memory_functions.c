// Without a C library these are ours. Compiled with -fno-tree-loop-distribute-patterns, lest they call themselves.
#include "memory.h"

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((((uintptr_t)t | (uintptr_t)f) & 3) == 0)
        for (; size >= 4; size -= 4, t += 4, f += 4)
            *(uint32_t *)(void *)t = *(const uint32_t *)(const void *)f;
    for (; size > 0; size--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) {
        for (; size > 0; size--)
            *t++ = *f++;
    } else {
        while (size-- > 0)
            t[size] = f[size];
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *t = to;
    for (; size > 0; size--)
        *t++ = (unsigned char)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *l = left, *r = right;
    for (; size > 0; size--, l++, r++)
        if (*l != *r)
            return *l - *r;
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length] != 0)
        length++;
    return length;
}
