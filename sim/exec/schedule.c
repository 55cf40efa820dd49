/* SPDX-License-Identifier: MIT
 *
 * schedule.c: see schedule.h. All names but "pct" stand alone; "pct" takes numbers
 * after colons. A number must begin with a digit, as g_ascii_strtoull() alone would
 * accept signs and blanks. */
#include "config.h"

#include "exec/schedule.h"

#include "weir.h"

#include <string.h>

/* More change points than any bug needs. */
enum { MOST_CHANGES = 1000 };

static const char *const names[] = {
#define X(name, text) text,
    WEIRI_SCHEDULES(X)
#undef X
};

/* Digits at *@at, from 1 to @most; goes past them. */
static bool parse_count(const char **at, uint64_t most, uint64_t *value)
{
    if (!g_ascii_isdigit(**at)) {
        return false;
    }
    char *end;
    *value = g_ascii_strtoull(*at, &end, 10);
    *at = end;
    return *value >= 1 && *value <= most;
}

static bool parse_pct(const char *text, struct weiri_schedule_spec *spec)
{
    uint64_t changes;
    spec->steps = 0;
    if (*text != ':' || (text++, !parse_count(&text, MOST_CHANGES, &changes))) {
        return false;
    }
    spec->changes = (uint32_t)changes;
    if (*text == ':' && (text++, !parse_count(&text, UINT64_MAX / 2, &spec->steps))) {
        return false;
    }
    return *text == '\0';
}

bool weiri_schedule_parse(const char *text, struct weiri_schedule_spec *spec,
                          GError **error)
{
    *spec = (struct weiri_schedule_spec){ 0 };
    for (unsigned kind = 0; kind < G_N_ELEMENTS(names); kind++) {
        spec->kind = (enum weiri_schedule_kind)kind;
        if (kind == WEIRI_SCHEDULE_PCT
                ? g_str_has_prefix(text, "pct") && parse_pct(text + 3, spec)
                : strcmp(text, names[kind]) == 0) {
            return true;
        }
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                "unknown schedule '%s': give in-order, reverse, round-robin, random, "
                "pct:D or pct:D:K with 1 to %d changes D among K steps",
                text, MOST_CHANGES);
    return false;
}
