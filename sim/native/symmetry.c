/* SPDX-License-Identifier: MIT
 *
 * symmetry.c: see symmetry.h. `alike` maps each thread to the first of its class.
 * Classes begin as large as groups and sub-groups allow, and are only ever divided. The
 * nodes of one history of all items of a class are linked in a circle by `like`, so
 * that a new node can be compared with the others at once. */
#include "config.h"

#include "native/symmetry.h"

#include "native/history.h"

/* The executions of an orbit: each may end in another state. */
enum { MOST_ORDERS = 40320 };

/* ---- Classes --------------------------------------------------------------- */

/* Whether the two threads may change places: all others are as near to one as to the
 * other. */
static bool have_like_places(const struct weiri_program *program, uint32_t one,
                             uint32_t other)
{
    const struct weiri_program_thread *a = &program->threads[one],
                                      *b = &program->threads[other];
    bool like = true;
    for (uint32_t t = 0; t < program->n_threads && like; t++) {
        const struct weiri_program_thread *c = &program->threads[t];
        like = t == one || t == other
            || ((a->group == c->group) == (b->group == c->group)
                && (a->sub_group == c->sub_group) == (b->sub_group == c->sub_group));
    }
    return like;
}

void weiri_symmetry_allow(struct weiri_native *native)
{
    const struct weiri_program *program = &native->program;
    native->alike = g_new(uint32_t, program->n_threads);
    for (uint32_t t = 0; t < program->n_threads; t++) {
        uint32_t first = 0;
        while (first < t
               && (native->alike[first] != first
                   || !have_like_places(program, first, t))) {
            first++;
        }
        native->alike[t] = first;
    }
}

/* Leaves items out of their classes that would give an orbit too many executions. */
static void limit(struct weiri_native *native)
{
    uint64_t orders = 1;
    for (uint32_t t = 0; t < native->program.n_threads; t++) {
        uint64_t n = 1; /* of the class, with the thread */
        for (uint32_t u = native->alike[t]; u < t; u++) {
            n += native->alike[u] == native->alike[t];
        }
        if (orders * n > MOST_ORDERS) {
            native->alike[t] = t;
        } else {
            orders *= n;
        }
    }
}

void weiri_symmetry_drop(struct weiri_native *native)
{
    g_clear_pointer(&native->alike, g_free);
    native->again = native->program.stopped = true;
}

static bool is_same_step(const struct weiri_native *native, uint32_t one,
                         uint32_t other)
{
    const struct weiri_step *a = &weiri_history_node(native, one)->step,
                            *b = &weiri_history_node(native, other)->step;
    const struct weiri_request *is = weiri_history_request(native, one),
                               *was = weiri_history_request(native, other);
    return weiri_history_same_request(is, was) && a->kind == b->kind
        && a->weak == b->weak && a->order == b->order && a->failure == b->failure
        && a->scope == b->scope && a->spaces == b->spaces && a->value == b->value
        && is->atomic.kind == was->atomic.kind && is->atomic.type == was->atomic.type
        && (is->kind != WEIRI_REQUEST_MEET || WEIRI_OP_KIND(is->op) == WEIRI_BARRIER);
}

/* The nodes of one history are of a class. Divides it by their steps. Returns: whether
 * that was needed */
static bool divide(struct weiri_native *native, const uint32_t *nodes, uint32_t n)
{
    bool divided = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = 0;
        while (first < i && !is_same_step(native, nodes[first], nodes[i])) {
            first++;
        }
        divided |= first > 0;
        native->alike[weiri_history_node(native, nodes[i])->thread]
            = weiri_history_node(native, nodes[first])->thread;
    }
    return divided;
}

static int by_thread(const void *a, const void *b, void *native)
{
    uint32_t one = weiri_history_node(native, *(const uint32_t *)a)->thread,
             other = weiri_history_node(native, *(const uint32_t *)b)->thread;
    return one < other ? -1 : one > other;
}

bool weiri_symmetry_holds(struct weiri_native *native, uint32_t node)
{
    if (weiri_history_node(native, node)->like == node) {
        return true;
    }
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t at = node;
    do {
        g_array_append_val(nodes, at);
        at = weiri_history_node(native, at)->like;
    } while (at != node);
    g_array_sort_with_data(nodes, by_thread, native);
    return !divide(native, (const uint32_t *)(void *)nodes->data, nodes->len);
}

void weiri_symmetry_begin(struct weiri_native *native)
{
    uint32_t n_threads = native->program.n_threads;
    if (native->alike == NULL) {
        return;
    }
    g_autofree uint32_t *nodes = g_new(uint32_t, n_threads);
    for (uint32_t first = 0; first < n_threads; first++) {
        uint32_t n = 0;
        for (uint32_t t = first; t < n_threads; t++) {
            if (native->alike[t] == first) {
                nodes[n++] = native->roots[t];
            }
        }
        divide(native, nodes, n);
    }
    limit(native);
    g_autofree uint32_t *last = g_new(uint32_t, n_threads); /* by class */
    for (uint32_t t = 0; t < n_threads; t++) {
        uint32_t class = native->alike[t], root = native->roots[t];
        if (class != t) {
            weiri_history_node(native, last[class])->like = root;
            weiri_history_node(native, root)->like = native->roots[class];
        }
        last[class] = root;
    }
}

uint32_t weiri_symmetry_items(const struct weiri_native *native)
{
    uint32_t n = 0, n_threads = native->alike != NULL ? native->program.n_threads : 0;
    for (uint32_t t = 0; t < n_threads; t++) {
        bool is = native->alike[t] != t;
        for (uint32_t u = t + 1; u < n_threads && !is; u++) {
            is = native->alike[u] == t;
        }
        n += is;
    }
    return n;
}
