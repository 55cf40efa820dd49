/* SPDX-License-Identifier: MIT
 *
 * partial-grow.c: see partial-grow.h. Rounds of histories: an item that reads a new
 * value may write others, so items are run again for these until there are none. A
 * value that comes up in round n is the last of a chain of n writes, each of which
 * depends on a read of the one before. In an execution these are different events. So
 * the rounds end where no execution has a write for each of them, to a location that
 * has got a value in that round. */
#include "config.h"

#include "native/partial-grow.h"

#include "native/history.h"
#include "native/vulkan.h"

#include <string.h>

/* Limits: of nodes, and of a history. */
enum { MOST_NODES = 50000, MOST_DEPTH = 400 };
enum { LOOK_EVERY = 64 }; /* nodes between two looks at the clock */

/* A value of a location; the first one is the initial value. */
struct value {
    int64_t value;
    uint64_t writers; /* the threads that write it: a bit each, the last for all from
                         that one on */
    uint64_t more;    /* the same, with those of this round */
};

/* A write of a history. */
struct own_write {
    uint32_t location;
    int64_t value;
};

static const struct weiri_native_node *node_at(const struct weiri_partial *p,
                                               uint32_t node)
{
    return weiri_history_node(p->native, node);
}

/* ---- Values ---------------------------------------------------------------- */

static GArray *values_of(const struct weiri_partial *p, uint32_t location)
{
    return g_array_index(p->values, GArray *, location);
}

static struct value *value_at(const struct weiri_partial *p, uint32_t location, guint i)
{
    return &g_array_index(values_of(p, location), struct value, i);
}

static uint64_t bit_of(uint32_t thread)
{
    return UINT64_C(1) << MIN(thread, 63);
}

/* Adds a write of the thread; those of one history are in @own. */
static void add_value(const struct weiri_partial *p, uint32_t thread, uint32_t location,
                      int64_t value)
{
    GArray *values = values_of(p, location);
    const struct own_write own = { location, value };
    guint i = 0;
    g_array_append_val(p->own, own);
    while (i < values->len && value_at(p, location, i)->value != value) {
        i++;
    }
    if (i == values->len) {
        const struct value fresh = { .value = value };
        g_array_append_val(values, fresh);
    }
    value_at(p, location, i)->more |= bit_of(thread);
}

/* Whether the thread may read the value: another thread writes it, or it is the
 * thread's own latest write, or, where it has not written, the initial value. Any model
 * has that: accesses of a thread to one location are in order. */
static bool may_read(const struct weiri_partial *p, uint32_t thread, uint32_t location,
                     guint i)
{
    const struct value *value = value_at(p, location, i);
    if ((value->writers & ~bit_of(thread)) != 0
        || (thread >= 63 && value->writers != 0)) {
        return true;
    }
    for (guint w = p->own->len; w-- > 0;) {
        const struct own_write *own = &g_array_index(p->own, struct own_write, w);
        if (own->location == location) {
            return own->value == value->value;
        }
    }
    return i == 0;
}

/* The values that came up become known. Returns: whether there are any */
static bool learn_values(const struct weiri_partial *p, uint32_t location)
{
    bool learns = false;
    for (guint i = 0; i < values_of(p, location)->len; i++) {
        struct value *value = value_at(p, location, i);
        learns |= (value->more & ~value->writers) != 0;
        value->writers |= value->more;
    }
    return learns;
}

/* ---- Histories ------------------------------------------------------------- */

/* The item answers at the node. Returns: the child, or WEIRI_NO_HISTORY */
static uint32_t answer(struct weiri_partial *p, uint32_t thread, uint32_t node,
                       int64_t read, bool wrote)
{
    struct weiri_step next;
    uint32_t state = node;
    p->native->program.resume(p->native, thread, &state, read, wrote, &next);
    return weiri_partial_is_over(p) ? WEIRI_NO_HISTORY : state;
}

static void look_at_limits(struct weiri_partial *p, uint32_t depth)
{
    p->n_grown++;
    p->too_large |= p->native->nodes->len > MOST_NODES || depth > MOST_DEPTH;
    p->limited |= p->native->ends_us != 0 && p->n_grown % LOOK_EVERY == 0
        && g_get_monotonic_time() >= p->native->ends_us;
}

static bool is_plain_barrier(const struct weiri_partial *p,
                             const struct weiri_step *step)
{
    uint64_t op = weiri_native_operation(p->native, step->label);
    const struct weiri_machine *machine = &p->native->machine;
    return WEIRI_OP_KIND(op) == WEIRI_BARRIER
        && (WEIRI_OP_LEVEL(op) == WEIRI_LEVEL_GROUP
            || machine->n_items <= machine->hub.launch->shape.sub_group_size);
}

/* Takes @why */
static void refuse(struct weiri_partial *p, char *why)
{
    struct weiri_native *native = p->native;
    if (native->failure == NULL) {
        native->failure = g_strdup_printf("under %s %s", p->model->name, why);
    }
    g_free(why);
    native->program.stopped = true;
}

/* Refuses a step that the model does not cover. Returns: whether it does cover it */
static bool is_covered(struct weiri_partial *p, uint32_t node)
{
    const struct weiri_step *step = &node_at(p, node)->step;
    char *why = NULL;
    if (step->kind == WEIRI_STEP_ENTER && !is_plain_barrier(p, step)) {
        why = g_strdup("a launch must not have operations of groups or sub-groups "
                       "other than barriers of a whole group");
    } else if (p->model->form == WEIRI_FORM_VULKAN) {
        why = weiri_native_not_vulkan(weiri_history_request(p->native, node), step);
    }
    if (why != NULL) {
        refuse(p, why);
    }
    return why == NULL;
}

/* Adds the histories from the node on, for the values that are known. */
static void grow_from(struct weiri_partial *p, uint32_t thread, uint32_t node,
                      uint32_t depth)
{
    const struct weiri_step step = node_at(p, node)->step;
    guint n_own = p->own->len;
    look_at_limits(p, depth);
    if (weiri_partial_is_over(p) || !is_covered(p, node)) {
        return;
    }
    switch (step.kind) {
    case WEIRI_STEP_READ:
    case WEIRI_STEP_UPDATE: {
        for (guint i = 0;
             i < values_of(p, step.location)->len && !weiri_partial_is_over(p); i++) {
            int64_t read = value_at(p, step.location, i)->value, written = 0;
            if (!may_read(p, thread, step.location, i)) {
                continue;
            }
            bool writes = step.kind == WEIRI_STEP_UPDATE
                && p->native->program.update(p->native, thread, &node, read, &written);
            for (int fails = 0; fails < (writes && step.weak ? 2 : 1); fails++) {
                bool wrote = writes && fails == 0;
                if (wrote) {
                    add_value(p, thread, step.location, written);
                }
                uint32_t child = answer(p, thread, node, read, wrote);
                if (child != WEIRI_NO_HISTORY) {
                    grow_from(p, thread, child, depth + 1);
                }
                g_array_set_size(p->own, n_own);
            }
        }
        return;
    }
    case WEIRI_STEP_WRITE:
        add_value(p, thread, step.location, step.value);
        break;
    case WEIRI_STEP_ENTER:
    case WEIRI_STEP_FENCE:
        break;
    default:
        return;
    }
    uint32_t child = answer(p, thread, node, 0, false);
    if (child != WEIRI_NO_HISTORY) {
        grow_from(p, thread, child, depth + 1);
    }
    g_array_set_size(p->own, n_own);
}

/* The most writes to the location in a history from the node on. */
static uint32_t count_writes(const struct weiri_partial *p, uint32_t node,
                             uint32_t location)
{
    const struct weiri_step *step = &node_at(p, node)->step;
    bool writes = step->kind == WEIRI_STEP_WRITE || step->kind == WEIRI_STEP_UPDATE;
    uint32_t most = 0;
    for (uint32_t child = node_at(p, node)->child; child != WEIRI_NO_HISTORY;
         child = node_at(p, child)->sibling) {
        most = MAX(most, count_writes(p, child, location));
    }
    return most + (writes && step->location == location);
}

/* Finds a write for the round, another one than other rounds have, where they may have
 * to take others. @taken: by location: the rounds that its writes are of */
static bool find_write(const struct weiri_partial *p, guint round, GArray *const *taken,
                       const uint32_t *most, bool *tried)
{
    uint32_t n = p->program.n_locations;
    for (uint32_t l = 0; l < n; l++) {
        if (g_array_index(p->rounds, uint8_t, round * n + l) == 0 || tried[l]) {
            continue;
        }
        tried[l] = true;
        if (taken[l]->len < most[l]) {
            g_array_append_val(taken[l], round);
            return true;
        }
        for (guint i = 0; i < taken[l]->len; i++) {
            guint other = g_array_index(taken[l], guint, i);
            if (find_write(p, other, taken, most, tried)) {
                g_array_index(taken[l], guint, i) = round;
                return true;
            }
        }
    }
    return false;
}

/* Whether each round so far can have another write of an execution. */
static bool may_be_a_chain(const struct weiri_partial *p)
{
    uint32_t n = p->program.n_locations;
    g_autofree uint32_t *most = g_new0(uint32_t, n + 1);
    g_autofree bool *tried = g_new0(bool, n + 1);
    g_autofree GArray **taken = g_new0(GArray *, n + 1);
    bool may = true;
    for (uint32_t l = 0; l < n; l++) {
        taken[l] = g_array_new(FALSE, FALSE, sizeof(guint));
        for (uint32_t t = 0; t < p->program.n_threads; t++) {
            most[l] += count_writes(p, p->native->roots[t], l);
        }
    }
    for (guint round = 0; round < p->rounds->len / n && may; round++) {
        memset(tried, 0, n * sizeof(*tried));
        may = find_write(p, round, taken, most, tried);
    }
    for (uint32_t l = 0; l < n; l++) {
        g_array_unref(taken[l]);
    }
    return may;
}

static void begin_values(struct weiri_partial *p)
{
    for (uint32_t l = 0; l < p->program.n_locations; l++) {
        GArray *values = g_array_new(FALSE, FALSE, sizeof(struct value));
        const struct value initial = { .value = p->program.locations[l].initial };
        g_array_append_val(values, initial);
        g_array_append_val(p->values, values);
    }
}

void weiri_partial_grow(struct weiri_partial *p)
{
    uint32_t n = p->program.n_locations;
    bool more = true;
    begin_values(p);
    while (more && !weiri_partial_is_over(p)) {
        for (uint32_t t = 0; t < p->program.n_threads && !weiri_partial_is_over(p);
             t++) {
            grow_from(p, t, p->native->roots[t], 0);
        }
        more = false;
        for (uint32_t l = 0; l < n; l++) {
            uint8_t gets = learn_values(p, l);
            more |= gets;
            g_array_append_val(p->rounds, gets);
        }
        more = more && !weiri_partial_is_over(p) && may_be_a_chain(p);
    }
}

uint32_t weiri_partial_number(const struct weiri_partial *p, uint32_t location,
                              int64_t value)
{
    uint32_t i = 0, n = values_of(p, location)->len;
    while (i < n && value_at(p, location, i)->value != value) {
        i++;
    }
    return p->first_value[location] + i;
}

uint32_t weiri_partial_n_values(const struct weiri_partial *p, uint32_t location)
{
    return values_of(p, location)->len;
}

static void free_values(void *data)
{
    g_array_unref(*(GArray **)data);
}

void weiri_partial_grow_begin(struct weiri_partial *p)
{
    p->values = g_array_new(FALSE, FALSE, sizeof(GArray *));
    g_array_set_clear_func(p->values, free_values);
    p->own = g_array_new(FALSE, FALSE, sizeof(struct own_write));
    p->rounds = g_array_new(FALSE, FALSE, sizeof(uint8_t));
    p->n_grown = 0;
}

void weiri_partial_grow_clear(struct weiri_partial *p)
{
    g_clear_pointer(&p->values, g_array_unref);
    g_clear_pointer(&p->own, g_array_unref);
    g_clear_pointer(&p->rounds, g_array_unref);
}
