/* SPDX-License-Identifier: MIT
 *
 * history.h: how items reached the place where they are: by which calls to a
 * rendezvous, and through which events since the rendezvous before.
 *
 * Both are numbers: equal numbers mean equal ways. A *path* is a list of calls, as
 * places in the source; path 0 is the kernel's own body. A *history* is a node of a
 * tree: its parent is the history before its latest event. Items that did the same
 * share a node, so two items acted alike up to the node where their branches part. */
#ifndef WEIRI_HISTORY_H
#define WEIRI_HISTORY_H

#include "base/backtrace.h"

#include <glib.h>

/* A history, by its latest event: the site of an operation, or a place in the code. If
 * the code reports its blocks, the blocks are the events, and each keeps the operation
 * that was done last in the block before it. */
struct weiri_history {
    const void *place; /* a struct weir_site, or a return address */
    const void *last;  /* a site or an address: the last operation in the block of
                          @parent; or NULL */
    uint32_t parent;
    uint32_t depth;
    bool is_site;
    bool last_is_site;
};

/* The event that followed a history the latest time. Kept apart from the histories,
 * since it is read at every block of a kernel. */
struct weiri_sequel {
    const void *place; /* NULL: no event has followed */
    uint32_t history;
};

enum {
    WEIRI_HISTORY_START = 0, /* nothing since the latest rendezvous */
    WEIRI_HISTORY_LOST = 1,  /* too much to keep */
};

struct weiri_histories {
    struct weiri_history *nodes;
    struct weiri_sequel *sequels; /* by node */
    uint32_t n_nodes;
    uint32_t capacity;
    bool again;      /* @sequels are kept */
    uint32_t *index; /* of @nodes, by parent and place; open addressing */
    uint32_t index_mask;
    GHashTable *raw;  /* struct weiri_backtrace -> its path + 1 */
    GHashTable *same; /* the calls' places, as a GBytes -> path + 1 */
    GArray *paths;    /* of struct weiri_backtrace, by path */
};

/** @again: keep what followed each history, for weiri_history_again() */
void weiri_history_init(struct weiri_histories *histories, bool again);
void weiri_history_clear(struct weiri_histories *histories);

/** The history after one more event. @last: what was done last in the block before, a
 *  place or a site; or %NULL */
uint32_t weiri_history_after(struct weiri_histories *histories, uint32_t history,
                             const void *place, bool is_site, const void *last,
                             bool last_is_site);

/** The same, if that event is the one that followed @history the last time; otherwise
 *  %UINT32_MAX. */
static inline uint32_t weiri_history_again(const struct weiri_histories *histories,
                                           uint32_t history, const void *place)
{
    const struct weiri_sequel *sequel = &histories->sequels[history];
    return __builtin_expect(sequel->place == place, 1) ? sequel->history : UINT32_MAX;
}

/** The last place that some items passed together: @common is what their histories
 *  share, and @history one of these. @is_site: (out) */
const void *weiri_history_parting(const struct weiri_histories *histories,
                                  uint32_t common, uint32_t history, bool *is_site);

/** The longest history that both continue. */
uint32_t weiri_history_common(const struct weiri_histories *histories, uint32_t a,
                              uint32_t b);

/** The path of calls that were captured before, or %UINT32_MAX. */
uint32_t weiri_history_known_path(const struct weiri_histories *histories,
                                  const struct weiri_backtrace *calls);

/**
 * weiri_history_path:
 * @place_of: a number for the place in the source of a return address
 *
 * The path of these calls. On the hub's stack only.
 */
uint32_t weiri_history_path(struct weiri_histories *histories,
                            const struct weiri_backtrace *calls,
                            uint32_t (*place_of)(const void *pc));

/** The calls of a path, as they were first captured. */
const struct weiri_backtrace *weiri_history_calls(
    const struct weiri_histories *histories, uint32_t path);

#endif
