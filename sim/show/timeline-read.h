/* SPDX-License-Identifier: MIT
 *
 * timeline-read.h: the file of `weir trace`, read back. docs/traces.md describes it. */
#ifndef WEIRI_REPORT_TIMELINE_READ_H
#define WEIRI_REPORT_TIMELINE_READ_H

#include "watch/timeline.h"

/* A finding, and the events at which it happened, from 1. */
struct weiri_traced_finding {
    const char *kind, *message; /* interned */
    GArray *events;             /* of uint32_t; owned */
};

/* Texts are interned, or NULL. */
struct weiri_traced_launch {
    struct weiri_timeline *timeline; /* owned */
    const char *kernel, *schedule, *incomplete;
    uint64_t seed;
    GArray *findings; /* of struct weiri_traced_finding; owned */
};

struct weiri_traced_file {
    const char *command;
    GArray *launches; /* of struct weiri_traced_launch */
};

/**
 * weiri_timeline_read:
 * @name: of the file, for errors
 *
 * Any text may be read; every index in the result is valid.
 *
 * Returns: (transfer full): or %NULL
 * Errors:  %WEIR_ERROR_INPUT, with the place in the text
 */
struct weiri_traced_file *weiri_timeline_read(const char *text, size_t bytes,
                                              const char *name, GError **error);
void weiri_traced_file_free(struct weiri_traced_file *file);

static inline const struct weiri_traced_launch *weiri_traced_launch_at(
    const struct weiri_traced_file *file, guint i)
{
    return &g_array_index(file->launches, struct weiri_traced_launch, i);
}

static inline const struct weiri_act *weiri_act_at(
    const struct weiri_timeline *timeline, guint i)
{
    return &g_array_index(timeline->acts, struct weiri_act, i);
}

/* The site and the object of an event; NULL for none. */
static inline const struct weiri_act_site *weiri_act_site_of(
    const struct weiri_timeline *timeline, const struct weiri_act *act)
{
    return act->site == 0
        ? NULL
        : &g_array_index(timeline->sites, struct weiri_act_site, act->site - 1);
}

static inline const struct weiri_act_object *weiri_act_object_of(
    const struct weiri_timeline *timeline, const struct weiri_act *act)
{
    return act->object == 0
        ? NULL
        : &g_array_index(timeline->objects, struct weiri_act_object, act->object - 1);
}

/** "scratch[3]", or NULL where an event accesses no memory that is known.
 *  Returns: (transfer full) */
char *weiri_act_place(const struct weiri_timeline *timeline,
                      const struct weiri_act *act);

/** A value as the type of the site has it. Returns: (transfer full) */
char *weiri_act_value(const struct weiri_timeline *timeline,
                      const struct weiri_act *act, uint64_t bits);

/** Whether an event is an access that reads, or writes. */
static inline bool weiri_act_reads(const struct weiri_act *act)
{
    return act->kind == WEIRI_ACT_READ || act->kind == WEIRI_ACT_UPDATE
        || act->kind == WEIRI_ACT_ATOMIC_READ || act->kind == WEIRI_ACT_ATOMIC_UPDATE;
}

static inline bool weiri_act_writes(const struct weiri_act *act)
{
    return act->kind == WEIRI_ACT_WRITE || act->kind == WEIRI_ACT_UPDATE
        || act->kind == WEIRI_ACT_ATOMIC_WRITE || act->kind == WEIRI_ACT_ATOMIC_UPDATE;
}

static inline bool weiri_act_is_atomic(const struct weiri_act *act)
{
    return act->kind >= WEIRI_ACT_ATOMIC_READ && act->kind <= WEIRI_ACT_ATOMIC_UPDATE;
}

#endif
