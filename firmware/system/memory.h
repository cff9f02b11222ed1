// The memory functions that a compiler may call, and a heap that only grows.
#ifndef SYSTEM_MEMORY_H
#define SYSTEM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);
size_t strlen(const char *text);

// The heap between two addresses.
void heap_begin(uintptr_t start, uintptr_t end);
// Memory aligned to 8 bytes and cleared, or NULL if so much is not left. It is never given back.
void *heap_allocate(size_t size);
size_t heap_free(void);

#endif
