#include "memory.h"

static uintptr_t heap_next, heap_end;

void heap_begin(uintptr_t start, uintptr_t end)
{
    heap_next = (start + 7) & ~(uintptr_t)7;
    heap_end = end;
}

void *heap_allocate(size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (heap_end < heap_next || size > heap_end - heap_next)
        return NULL;
    void *block = (void *)heap_next;
    heap_next += size;
    return memset(block, 0, size);
}

size_t heap_free(void)
{
    return heap_end > heap_next ? heap_end - heap_next : 0;
}
