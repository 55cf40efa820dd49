/* SPDX-License-Identifier: MIT
 *
 * history.c: see history.h. Histories are a tree whose nodes are found by parent and
 * place in a hash index; a node is added the first time that an item takes that step,
 * and is never removed before the launch ends. The last event that two items have in
 * common is the meeting point of their ways to the root, which is found by depth. When
 * the tree is full, new histories are LOST, and the report does without the place.
 *
 * A path is looked up by its addresses first, and only a new list of addresses is
 * turned into places of the source, which is slow. Compilers make several addresses of
 * one place, so that several lists of addresses can be one path. */
#include "config.h"

#include "deterministic/history.h"

#include "base/assert.h"

#include <string.h>
#include <sys/mman.h>

/* Histories that are kept: 48 MiB. If items part in more ways than that, the place is
 * not known. */
enum { MOST_NODES = 1 << 20 };

/* Capacity doubles from FIRST_CAPACITY. Where it would reach MANY, there is room for
 * all nodes at once: pages that the launch does not use cost nothing. */
enum { FIRST_CAPACITY = 1 << 10, MANY = 1 << 16 };
enum { HUGE_BYTES = 2 * 1024 * 1024 };

/* ---- Histories ----------------------------------------------------------- */

void weiri_history_init(struct weiri_histories *histories, bool again)
{
    *histories = (struct weiri_histories){ .capacity = FIRST_CAPACITY,
                                           .n_nodes = 2,
                                           .again = again };
    histories->nodes = g_new0(struct weiri_history, histories->capacity);
    histories->sequels = g_new0(struct weiri_sequel, histories->capacity);
    histories->index_mask = 2 * histories->capacity - 1;
    histories->index = g_new0(uint32_t, histories->index_mask + 1);
    histories->raw = g_hash_table_new_full(weiri_backtrace_hash, weiri_backtrace_equal,
                                           g_free, NULL);
    histories->same = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                            (GDestroyNotify)g_bytes_unref, NULL);
    histories->paths = g_array_new(FALSE, TRUE, sizeof(struct weiri_backtrace));
    g_array_set_size(histories->paths, 1); /* path 0 has no calls */
}

void weiri_history_clear(struct weiri_histories *histories)
{
    g_free(histories->nodes);
    g_free(histories->sequels);
    g_free(histories->index);
    g_hash_table_unref(histories->raw);
    g_hash_table_unref(histories->same);
    g_array_unref(histories->paths);
}

/* The index entry of the node with that parent and place, or the entry that it would
 * have. Both words are hashed, since a loop makes many nodes of one place; but nodes of
 * one place whose parents are neighbours, as a loop makes them, are in one cache
 * line. */
static uint32_t *find_node(const struct weiri_histories *histories, uint32_t parent,
                           const void *place)
{
    uint64_t hash
        = ((uintptr_t)place * 0x9e3779b97f4a7c15 ^ parent / 16) * 0xff51afd7ed558ccd;
    uint32_t at = ((uint32_t)(hash >> 32) * 16 + parent % 16) & histories->index_mask;
    while (histories->index[at] != 0) {
        const struct weiri_history *node = &histories->nodes[histories->index[at]];
        if (node->parent == parent && node->place == place) {
            break;
        }
        at = (at + 1) & histories->index_mask;
    }
    return &histories->index[at];
}

/* Wishes that huge pages hold an array. */
static void advise(void *start, size_t bytes)
{
    uintptr_t from = ((uintptr_t)start + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
    uintptr_t end = ((uintptr_t)start + bytes) / HUGE_BYTES * HUGE_BYTES;
    if (from < end) {
        (void)madvise((void *)from, end - from, MADV_HUGEPAGE);
    }
}

static void grow(struct weiri_histories *histories)
{
    histories->capacity *= 2;
    if (histories->capacity >= MANY) {
        histories->capacity = MOST_NODES;
    }
    histories->nodes
        = g_renew(struct weiri_history, histories->nodes, histories->capacity);
    histories->sequels
        = g_renew(struct weiri_sequel, histories->sequels, histories->capacity);
    histories->index_mask = 2 * histories->capacity - 1;
    g_free(histories->index);
    histories->index = g_new0(uint32_t, histories->index_mask + 1);
    advise(histories->nodes, histories->capacity * sizeof(*histories->nodes));
    advise(histories->sequels, histories->capacity * sizeof(*histories->sequels));
    advise(histories->index, (histories->index_mask + 1) * sizeof(uint32_t));
    for (uint32_t i = 2; i < histories->n_nodes; i++) {
        *find_node(histories, histories->nodes[i].parent, histories->nodes[i].place)
            = i;
    }
}

uint32_t weiri_history_after(struct weiri_histories *histories, uint32_t history,
                             const void *place, bool is_site, const void *last,
                             bool last_is_site)
{
    if (history == WEIRI_HISTORY_LOST) {
        return WEIRI_HISTORY_LOST;
    }
    uint32_t *at = find_node(histories, history, place);
    if (*at == 0) {
        if (histories->n_nodes == MOST_NODES) {
            return WEIRI_HISTORY_LOST;
        }
        if (histories->n_nodes == histories->capacity) {
            grow(histories);
            at = find_node(histories, history, place);
        }
        *at = histories->n_nodes++;
        histories->nodes[*at]
            = (struct weiri_history){ .place = place,
                                      .last = last,
                                      .parent = history,
                                      .depth = histories->nodes[history].depth + 1,
                                      .is_site = is_site,
                                      .last_is_site = last_is_site };
        histories->sequels[*at] = (struct weiri_sequel){ NULL, 0 };
    }
    if (histories->again) {
        histories->sequels[history] = (struct weiri_sequel){ place, *at };
    }
    return *at;
}

uint32_t weiri_history_common(const struct weiri_histories *histories, uint32_t a,
                              uint32_t b)
{
    if (a == WEIRI_HISTORY_LOST || b == WEIRI_HISTORY_LOST) {
        return WEIRI_HISTORY_LOST;
    }
    while (a != b) {
        if (histories->nodes[a].depth >= histories->nodes[b].depth) {
            a = histories->nodes[a].parent;
        } else {
            b = histories->nodes[b].parent;
        }
    }
    return a;
}

const void *weiri_history_parting(const struct weiri_histories *histories,
                                  uint32_t common, uint32_t history, bool *is_site)
{
    const struct weiri_history *nodes = histories->nodes;
    while (nodes[history].depth > nodes[common].depth + 1) {
        history = nodes[history].parent;
    }
    if (history != common && nodes[history].last != NULL) {
        *is_site = nodes[history].last_is_site;
        return nodes[history].last;
    }
    *is_site = nodes[common].is_site;
    return nodes[common].place;
}

/* ---- Paths --------------------------------------------------------------- */

uint32_t weiri_history_known_path(const struct weiri_histories *histories,
                                  const struct weiri_backtrace *calls)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(histories->raw, calls)) - 1;
}

uint32_t weiri_history_path(struct weiri_histories *histories,
                            const struct weiri_backtrace *calls,
                            uint32_t (*place_of)(const void *pc))
{
    uint32_t known = weiri_history_known_path(histories, calls);
    if (known != UINT32_MAX) {
        return known;
    }
    uint32_t places[WEIRI_MOST_CALLS];
    for (uint32_t i = 0; i < calls->n; i++) {
        places[i] = place_of(calls->pc[i]);
    }
    g_autoptr(GBytes) key = g_bytes_new(places, calls->n * sizeof(*places));
    uint32_t path = GPOINTER_TO_UINT(g_hash_table_lookup(histories->same, key)) - 1;
    if (path == UINT32_MAX) {
        path = histories->paths->len;
        g_array_append_vals(histories->paths, calls, 1);
        g_hash_table_insert(histories->same, g_bytes_ref(key),
                            GUINT_TO_POINTER(path + 1));
    }
    g_hash_table_insert(histories->raw, g_memdup2(calls, sizeof(*calls)),
                        GUINT_TO_POINTER(path + 1));
    return path;
}

const struct weiri_backtrace *weiri_history_calls(
    const struct weiri_histories *histories, uint32_t path)
{
    return &g_array_index(histories->paths, struct weiri_backtrace, path);
}
