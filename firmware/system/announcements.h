// Texts for people, on their way to all links.
#ifndef SYSTEM_ANNOUNCEMENTS_H
#define SYSTEM_ANNOUNCEMENTS_H

#include "text.h"

// As MAVLink's MAV_SEVERITY.
enum severity { SEVERITY_EMERGENCY = 0, SEVERITY_CRITICAL = 2, SEVERITY_ERROR = 3, SEVERITY_WARNING = 4, SEVERITY_NOTICE = 5, SEVERITY_INFO = 6 };

struct announcement {
    enum severity severity;
    struct text text;
};

void announce(enum severity severity, const char *text);
void announce_text(enum severity severity, const struct text *text);
// The announcement of a number, counted from 0, if it is still kept; NULL if it was forgotten.
const struct announcement *announcement(uint32_t number);
// How many there were.
uint32_t announcement_count(void);

#endif
