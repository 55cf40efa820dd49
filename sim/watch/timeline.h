/* SPDX-License-Identifier: MIT
 *
 * timeline.h: the events of one launch, as values: the events in their order, and the
 * tables that they refer to by index. recorder.c fills it, report/timeline-write.c
 * writes it; docs/traces.md describes the file. */
#ifndef WEIRI_TIMELINE_H
#define WEIRI_TIMELINE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The acts of an item: constant, and name in the file. */
#define WEIRI_ACTS(X)                                                                  \
    X(START, "start")                                                                  \
    X(END, "end") /* it returns */                                                     \
    X(CUT, "cut") /* its group ends, and it has not returned */                        \
    X(ARRIVE, "arrive")                                                                \
    X(LEAVE, "leave")                                                                  \
    X(READ, "read")                                                                    \
    X(WRITE, "write")                                                                  \
    X(UPDATE, "read-write")                                                            \
    X(ATOMIC_READ, "atomic-read")                                                      \
    X(ATOMIC_WRITE, "atomic-write")                                                    \
    X(ATOMIC_UPDATE, "atomic-read-write")                                              \
    X(FENCE, "fence")

enum weiri_act_kind {
#define X(name, text) WEIRI_ACT_##name,
    WEIRI_ACTS(X)
#undef X
        WEIRI_N_ACTS,
};

/* An event. Indices are from 1; 0 means "no event". */
struct weiri_act {
    uint64_t step;        /* of the launch */
    uint64_t item;        /* linear id in the range, group by group */
    uint64_t offset;      /* in bytes, in @object; of ARRIVE and LEAVE: rendezvous of
                             that gate before */
    uint64_t read, wrote; /* bits, sign-extended but for floating-point */
    uint32_t time;        /* longest chain of causes that leads to it */
    uint32_t site;
    uint32_t object;
    uint32_t from; /* the event whose write it reads */
    uint8_t kind;  /* of enum weiri_act_kind */
};

/* A place in the source, with the operation there. Texts are interned or static, or
 * NULL. */
struct weiri_act_site {
    const char *file, *function, *source;
    const char *operation; /* "weir_barrier", "weir_atomic_load", "read" */
    const char *order, *scope;
    const char *type; /* of an atomic: "i32" */
    uint32_t line;
    uint32_t bytes; /* of the access */
};

/* Memory: a local array of all groups together, or an object of global memory. */
struct weiri_act_object {
    const char *name;     /* interned */
    const char *variable; /* of the source, that points to a local array; interned, or
                             NULL */
    bool local;
    int64_t first; /* the element at offset 0 */
    uint64_t element_bytes, bytes;
};

struct weiri_timeline {
    uint32_t dim, sub_group_size;
    bool reversed; /* as of struct weiri_shape */
    size_t global[3], local[3], groups[3];
    size_t n_groups, group_items;
    GArray *acts;    /* of struct weiri_act */
    GArray *sites;   /* of struct weiri_act_site */
    GArray *objects; /* of struct weiri_act_object */
    GArray *edges;   /* of struct weiri_act_edge */
    uint64_t n_more; /* events that were left out */
};

/* @to synchronises with @from: events, from 1. */
struct weiri_act_edge {
    uint32_t from, to;
};

static inline void weiri_timeline_free(struct weiri_timeline *timeline)
{
    if (timeline != NULL) {
        g_array_unref(timeline->acts);
        g_array_unref(timeline->sites);
        g_array_unref(timeline->objects);
        g_array_unref(timeline->edges);
        g_free(timeline);
    }
}

#endif
