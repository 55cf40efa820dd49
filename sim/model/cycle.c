/* SPDX-License-Identifier: MIT
 *
 * cycle.c: see cycle.h. A way through stages is found by a breadth-first search over
 * pairs of an event and the number of completed stages:
 *
 *     (event, k)  -step of stage k->  (other, k + 1)
 *     (event, k)  -step of stage k - 1, if it is repeated->  (other, k)
 *
 * If stage k is optional, (event, k) also reaches (event, k + 1).
 *
 * It runs once for an explanation that people read, so it may allocate. */
#include "config.h"

#include "model/cycle.h"

#include "base/assert.h"

#include <glib.h>

/* ---- Edges ----------------------------------------------------------------------- */

void weiri_cycle_clear(struct weiri_cycle *cycle)
{
    g_free(cycle->edges);
    *cycle = (struct weiri_cycle){ 0 };
}

void weiri_cycle_add(struct weiri_cycle *cycle, uint32_t from, uint32_t to,
                     const char *name)
{
    cycle->edges = g_renew(struct weiri_edge, cycle->edges, cycle->n + 1);
    cycle->edges[cycle->n++] = (struct weiri_edge){ from, to, name };
}

void weiri_cycle_take_shorter(struct weiri_cycle *to, struct weiri_cycle *from)
{
    if (from->n > 0 && (to->n == 0 || from->n < to->n)) {
        weiri_cycle_clear(to);
        *to = *from;
        *from = (struct weiri_cycle){ 0 };
    }
    weiri_cycle_clear(from);
}

/* ---- A way ----------------------------------------------------------------------- */

/* An event with a number of completed stages, and how it was reached. */
struct node {
    uint32_t event;
    uint32_t done;
    uint32_t before;  /* its predecessor in the queue */
    const char *name; /* of the step from the predecessor; NULL at the start */
};

struct search {
    const struct weiri_algebra *algebra;
    const struct weiri_stage *stages;
    uint32_t n_stages;
    GArray *queue; /* of struct node; those reached so far, in order */
    bool *seen;    /* by event and completed stages */
};

static struct node node_at(const struct search *search, uint32_t at)
{
    return g_array_index(search->queue, struct node, at);
}

static void reach(struct search *search, struct node node)
{
    bool *seen = &search->seen[(size_t)node.done * search->algebra->n + node.event];
    if (*seen) {
        return;
    }
    *seen = true;
    g_array_append_val(search->queue, node);
    if (node.done < search->n_stages
        && search->stages[node.done].often == WEIRI_MAYBE) {
        node.done++;
        reach(search, node);
    }
}

/* Takes the steps of that stage from the node @at; afterwards @done stages are
 * complete. */
static void step(struct search *search, uint32_t at, const struct weiri_stage *stage,
                 uint32_t done)
{
    uint32_t from = node_at(search, at).event;
    for (uint32_t i = 0; i < stage->n_named; i++) {
        for (uint32_t to = 0; to < search->algebra->n; to++) {
            if (weiri_relation_has(search->algebra, stage->named[i].relation, from,
                                   to)) {
                reach(search, (struct node){ to, done, at, stage->named[i].name });
            }
        }
    }
}

/* Appends the steps to the node @at, in order. */
static void add_steps(struct weiri_cycle *cycle, const struct search *search,
                      uint32_t at)
{
    struct node node = node_at(search, at);
    if (node.name != NULL) {
        add_steps(cycle, search, node.before);
        weiri_cycle_add(cycle, node_at(search, node.before).event, node.event,
                        node.name);
    }
}

/* Returns: the place of the end in the queue, or 0 */
static uint32_t run(struct search *search, uint32_t from, uint32_t to)
{
    reach(search, (struct node){ .event = from });
    for (uint32_t at = 0; at < search->queue->len; at++) {
        struct node node = node_at(search, at);
        if (node.done == search->n_stages && node.event == to) {
            return at;
        }
        if (node.done < search->n_stages) {
            step(search, at, &search->stages[node.done], node.done + 1);
        }
        if (node.done > 0 && search->stages[node.done - 1].often == WEIRI_REPEATED) {
            step(search, at, &search->stages[node.done - 1], node.done);
        }
    }
    return 0;
}

bool weiri_cycle_add_way(struct weiri_cycle *cycle, const struct weiri_algebra *algebra,
                         const struct weiri_stage *stages, uint32_t n_stages,
                         uint32_t from, uint32_t to)
{
    g_autoptr(GArray) queue = g_array_new(FALSE, FALSE, sizeof(struct node));
    g_autofree bool *seen = g_new0(bool, (size_t)(n_stages + 1) * algebra->n);
    struct search search = { algebra, stages, n_stages, queue, seen };
    uint32_t end = run(&search, from, to);
    add_steps(cycle, &search, end);
    return end != 0;
}

/* ---- A cycle --------------------------------------------------------------------- */

bool weiri_cycle_find(struct weiri_cycle *cycle, struct weiri_algebra *algebra,
                      const struct weiri_named *named, uint32_t n_named)
{
    struct weiri_algebra_mark mark = weiri_algebra_mark(algebra);
    struct weiri_relation all = weiri_relation_new(algebra);
    for (uint32_t i = 0; i < n_named; i++) {
        all = weiri_relation_union(algebra, all, named[i].relation);
    }
    g_autofree uint32_t *events = g_new(uint32_t, MAX(algebra->n, 1));
    uint32_t length = weiri_relation_cycle(algebra, all, events);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t from = events[i], to = events[(i + 1) % length], by = 0;
        while (!weiri_relation_has(algebra, named[by].relation, from, to)) {
            by++;
        }
        weiri_cycle_add(cycle, from, to, named[by].name);
    }
    weiri_algebra_return(algebra, mark);
    return length > 0;
}
