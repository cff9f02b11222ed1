#include "announcements.h"
#include <stddef.h>

#define KEPT 16

static struct announcement kept[KEPT];
static uint32_t count;

void announce_text(enum severity severity, const struct text *text)
{
    kept[count % KEPT] = (struct announcement){severity, *text};
    count++;
}

void announce(enum severity severity, const char *text)
{
    struct text t = {.length = 0};
    text_append(&t, text);
    announce_text(severity, &t);
}

const struct announcement *announcement(uint32_t number)
{
    return number < count && count - number <= KEPT ? &kept[number % KEPT] : NULL;
}

uint32_t announcement_count(void)
{
    return count;
}
