/* SPDX-License-Identifier: MIT
 *
 * trace.h: schedules as values and as files; their public side is in weir.h. */
#ifndef WEIRI_TRACE_H
#define WEIRI_TRACE_H

#include "exec/schedule.h"
#include "weir.h"

struct weir_schedule {
    GPtrArray *keys;     /* of char *, owned, in the order of setting */
    GHashTable *entries; /* key -> text, owned */
    GPtrArray *launches; /* of struct weiri_traced, owned */
    guint next;          /* index of the launch to follow next */
};

/* One launch of a schedule: its identity and its decisions. */
struct weiri_traced {
    char *kernel;       /* owned, as all strings here */
    char *identity;     /* a hash of its definition */
    char *device;       /* the profile's name */
    char *global;       /* sizes, "64" or "16 x 4" */
    char *local;        /* the same */
    char *schedule;     /* that made the decisions, "pct:3:1000" */
    uint64_t seed;      /* of it */
    uint32_t sub_group; /* items of a sub-group */
    bool accesses; /* plain accesses are stops: it replays in the same build only */
    uint64_t n_steps;
    uint64_t n_decisions;
    GArray *switches; /* of struct weiri_switch, by step; their files are interned */
};

/** A launch without names or switches, to be filled in. */
struct weiri_traced *weiri_traced_new(void);
void weiri_traced_free(struct weiri_traced *traced);

/** Appends a launch, and takes it. */
void weiri_trace_add(struct weir_schedule *schedule, struct weiri_traced *traced);

/** The next launch to follow, borrowed from the schedule; %NULL after the last. Each
 *  call advances. */
const struct weiri_traced *weiri_trace_next(struct weir_schedule *schedule);

/** Moves the launches of a schedule to the end of another one. */
void weiri_trace_move(struct weir_schedule *from, struct weir_schedule *to);

/** Whether the first @length bytes of @text can be the key of an entry. */
bool weiri_trace_is_key(const char *text, size_t length);

/* ---- As a file (host/trace-file.c) ----------------------------------------------- */

/** The text of a schedule's file. Returns: (transfer full) */
char *weiri_trace_to_text(const struct weir_schedule *schedule);

/** Reads the text of a schedule's file: @bytes bytes, which may be arbitrary. Errors
 *  call the file @name.
 *  Returns: (transfer full): or %NULL
 *  Errors:  %WEIR_ERROR_SCHEDULE */
struct weir_schedule *weiri_trace_parse(const char *text, size_t bytes,
                                        const char *name, GError **error);

#endif
