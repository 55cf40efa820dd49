/* SPDX-License-Identifier: MIT
 *
 * causes.c: see causes.h. A deterministic launch runs on one thread, so each read reads
 * the latest write.
 *
 * A cell of memory keeps the release whose release sequence its latest write belongs
 * to. A read-modify-write that is a release itself begins a sequence of its own here,
 * though it continues the one before, too: the earlier release is found by following
 * the read of that read-modify-write. So an access has at most one edge. */
#include "config.h"

#include "watch/causes.h"

#include "watch/timeline.h"

/* Memory that begins at an address. Accesses that overlap and begin elsewhere are in
 * cells of their own. */
struct cell {
    uintptr_t address; /* the key */
    uint64_t group;    /* of local memory: its group plus 1; else 0 */
    uint32_t writer;   /* the event of the latest write, */
    uint32_t bytes;    /* and its size */
    uint32_t write_time, access_time;
    struct weiri_release release; /* of the latest write; @event 0: none */
};

enum { FIRST_CELLS = 1024 };
/* An item that reads this many releases without an acquire fence forgets the first. */
enum { MOST_PENDING = 256 };

void weiri_causes_init(struct weiri_causes *causes, enum weir_scope_rule rule,
                       uint32_t sub_group_shift, GArray *edges)
{
    *causes = (struct weiri_causes){ .rule = rule,
                                     .sub_group_shift = sub_group_shift,
                                     .edges = edges };
    weiri_table_init(&causes->cells, FIRST_CELLS, sizeof(struct cell));
}

void weiri_causes_clear(struct weiri_causes *causes)
{
    weiri_table_clear(&causes->cells);
}

static bool releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel
        || order == memory_order_seq_cst;
}

static bool acquires(memory_order order)
{
    return order == memory_order_acquire || order == memory_order_consume
        || order == memory_order_acq_rel || order == memory_order_seq_cst;
}

/* Whether the scopes of a release and of the causer include each other. */
static bool includes(const struct weiri_causes *causes,
                     const struct weiri_release *release,
                     const struct weiri_causer *causer, memory_scope scope)
{
    if (causes->rule == WEIR_SCOPE_RULE_SAME && scope != release->scope) {
        return false;
    }
    switch (MIN(scope, release->scope)) {
    case memory_scope_work_item:
        return false;
    case memory_scope_sub_group:
        return release->group == causer->group
            && release->item >> causes->sub_group_shift
            == causer->item >> causes->sub_group_shift;
    case memory_scope_work_group:
        return release->group == causer->group;
    default:
        return true;
    }
}

static void synchronise(struct weiri_causes *causes,
                        const struct weiri_release *release,
                        const struct weiri_causer *causer, memory_scope scope)
{
    bool own = release->group == causer->group && release->item == causer->item;
    if (!own && includes(causes, release, causer, scope)) {
        struct weiri_act_edge edge = { release->event, causer->event };
        g_array_append_val(causes->edges, edge);
    }
}

/* A relaxed read of what @release has released: an acquire fence may follow. */
static void remember(struct weiri_cause_item *state,
                     const struct weiri_release *release)
{
    if (state->pending == NULL) {
        state->pending = g_array_new(FALSE, FALSE, sizeof(struct weiri_release));
    }
    GArray *pending = state->pending;
    for (guint i = 0; i < pending->len; i++) {
        if (g_array_index(pending, struct weiri_release, i).event == release->event) {
            return;
        }
    }
    if (pending->len == MOST_PENDING) {
        g_array_remove_index(pending, 0);
    }
    g_array_append_val(pending, *release);
}

/* The release of a write; @before: of the write that it replaces. */
static struct weiri_release release_of(const struct weiri_causer *causer,
                                       const struct weiri_cause_access *access,
                                       const struct weiri_release *before)
{
    if (!access->atomic) {
        return (struct weiri_release){ 0 };
    }
    if (releases(access->order)) {
        return (struct weiri_release){ causer->event, causer->item, causer->group,
                                       access->scope };
    }
    if (causer->state->fence.event != 0) {
        return causer->state->fence;
    }
    return access->reads ? *before : (struct weiri_release){ 0 };
}

static struct cell *cell_of(struct weiri_causes *causes, uintptr_t address,
                            uint64_t group)
{
    uint32_t index = weiri_table_find(&causes->cells, &address, sizeof(struct cell),
                                      sizeof(address));
    if (index == 0) {
        struct cell fresh = { .address = address, .group = group };
        index = weiri_table_add(&causes->cells, &fresh, sizeof(fresh), sizeof(address));
    }
    struct cell *cell = weiri_table_at(&causes->cells, index, sizeof(struct cell));
    if (cell->group != group) { /* the address is another group's now */
        *cell = (struct cell){ .address = address, .group = group };
    }
    return cell;
}

uint32_t weiri_causes_access(struct weiri_causes *causes,
                             const struct weiri_causer *causer,
                             const struct weiri_cause_access *access)
{
    struct cell *cell
        = cell_of(causes, access->address, access->local ? causer->group + 1 : 0);
    uint32_t time = causer->state->time + 1;
    uint32_t from = 0;
    time = MAX(time, cell->write_time + 1);
    if (access->reads && cell->bytes == access->bytes) {
        from = cell->writer;
    }
    if (access->reads && access->atomic && cell->release.event != 0) {
        if (acquires(access->order)) {
            synchronise(causes, &cell->release, causer, access->scope);
        } else {
            remember(causer->state, &cell->release);
        }
    }
    if (access->writes) {
        time = MAX(time, cell->access_time + 1);
        cell->release = release_of(causer, access, &cell->release);
        cell->writer = causer->event;
        cell->bytes = access->bytes;
        cell->write_time = time;
    }
    cell->access_time = MAX(cell->access_time, time);
    causer->state->time = time;
    return from;
}

void weiri_causes_fence(struct weiri_causes *causes, const struct weiri_causer *causer,
                        memory_order order, memory_scope scope)
{
    struct weiri_cause_item *state = causer->state;
    state->time++;
    if (acquires(order) && state->pending != NULL) {
        for (guint i = 0; i < state->pending->len; i++) {
            synchronise(causes, &g_array_index(state->pending, struct weiri_release, i),
                        causer, scope);
        }
        g_array_set_size(state->pending, 0);
    }
    if (releases(order)) {
        state->fence = (struct weiri_release){ causer->event, causer->item,
                                               causer->group, scope };
    }
}
