/* SPDX-License-Identifier: MIT
 *
 * order.c: see order.h.
 *
 * A release publishes a clock: the times that its item knows, and the item's own time.
 * Which reads acquire it is a matter of scopes, decided when the location is read. Is
 * the write that is read strong with the read? Is the release end strong with the
 * acquire end? So a location's message keeps release ends separately, by their reach:
 *
 *     level      instance              contents
 *     sub-group  which sub-group       ends of its items, of scope sub-group or wider
 *     group      which group           ends of its items, of scope work-group or wider
 *     device     one                   ends of all items, of scope device or wider
 *
 * An acquire end of scope S takes the ends at its own instances up to level S: that is,
 * every end whose scope includes it and that its scope includes (rule "mutual"). Under
 * the rule "same" an end is only at the level of its own scope, and only that scope
 * takes it; the system is then a level of its own. For a relaxed read, the ends that a
 * later acquire fence may take are the item's pending ends.
 *
 * With OpenCL's address spaces an end carries the clock of the location's space only. A
 * fence of both spaces passes the other space's clock on to another such fence
 * ("Overhauling SC atomics in C11 and OpenCL", POPL 2016), and so do sequentially
 * consistent fences. But accesses to one space are not in program order with a fence of
 * the other. So if such a fence of one space acquires a clock of the other space, that
 * clock orders no access after the fence: it is in transit, and is passed on only if
 * the fence itself is a release end, too.
 *
 * The file is long because ends, items and groups share the same clocks, and every
 * rule of scopes and spaces concerns all three: separate files would each have to know
 * the details of the others.
 *
 * Invariants: an item that is in step in a space has its group's time and clock there.
 * All items of a group know all that its items did, in step, before the group's
 * time. */
#include "config.h"

#include "watch/order.h"

#include "base/assert.h"

#include <glib.h>
#include <string.h>

/* Which acquire ends may take a release end. */
enum { BY_ANY, BY_SC, BY_BOTH_SPACES };

/* Release ends of one kind, joined. */
struct end {
    uint8_t level; /* of enum memory_scope */
    uint8_t by;
    uint8_t space; /* of the location, under the address spaces of OpenCL; else 0 */
    uint64_t instance;
    struct weiri_clock *clock[WEIRI_N_SPACES]; /* owned; NULL if it carries none */
};

struct weiri_ends {
    uint32_t n;
    uint32_t capacity;
    uint32_t kept; /* ends left after the latest removal of useless ones */
    struct end end[];
};

/* The clocks that a release published. */
struct published {
    struct weiri_clock *clock[WEIRI_N_REACHES][WEIRI_N_SPACES]; /* owned */
};

/* The latest release of an item of that kind: a fence, or a write to one location. */
struct release {
    const struct weiri_message *message; /* NULL for a fence */
    memory_scope scope;
    bool sc;        /* a fence that is sequentially consistent */
    unsigned flags; /* the spaces of a fence */
    struct published published;
    struct published transit; /* acquired by a fence, and in transit */
};

/* The ends that an item's strong reads of a location have seen. Only under PTX. */
struct awaited {
    const struct weiri_message *message;
    struct weiri_ends *ends[WEIRI_N_REACHES]; /* owned */
};

/* The greatest time: after that many releases, an item's accesses count as ordered. */
static const uint32_t LAST_TIME = WEIRI_ORDER_PENDING - 1;

/* ---- Scopes ---------------------------------------------------------------------- */

static uint64_t instance_of(const struct weiri_happens_before *order,
                            memory_scope level, uint64_t group, uint32_t item)
{
    switch (level) {
    case memory_scope_work_item:
        return group * order->n_items + item;
    case memory_scope_sub_group:
        return group * order->n_items + (item >> order->sub_group_shift);
    case memory_scope_work_group:
        return group;
    default:
        return 0;
    }
}

/* With one device the system is as wide as the device, though another scope. */
static memory_scope level_of(const struct weiri_happens_before *order,
                             memory_scope scope)
{
    return order->rule == WEIR_SCOPE_RULE_MUTUAL ? MIN(scope, memory_scope_device)
                                                 : scope;
}

bool weiri_order_strong(const struct weiri_happens_before *order, uint64_t group_a,
                        uint32_t item_a, memory_scope scope_a, uint64_t group_b,
                        uint32_t item_b, memory_scope scope_b)
{
    if (group_a == group_b && item_a == item_b) {
        return true;
    }
    if (order->rule == WEIR_SCOPE_RULE_SAME && scope_a != scope_b) {
        return false;
    }
    memory_scope both = MIN(scope_a, scope_b);
    return instance_of(order, both, group_a, item_a)
        == instance_of(order, both, group_b, item_b);
}

/* ---- Ends ------------------------------------------------------------------------ */

static void free_ends(struct weiri_happens_before *order, struct weiri_ends **ends)
{
    if (*ends == NULL) {
        return;
    }
    for (uint32_t i = 0; i < (*ends)->n; i++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            weiri_clock_unref(&order->clocks, (*ends)->end[i].clock[s]);
        }
    }
    g_free(*ends);
    *ends = NULL;
}

/* Whether no item is left that could take the end. */
static bool is_idle(const struct weiri_happens_before *order, const struct end *end)
{
    return end->level < memory_scope_device
        && !weiri_order_is_resident(order,
                                    end->level == memory_scope_work_group
                                        ? end->instance
                                        : end->instance / order->n_items);
}

/* Room for one more. Removes the ends that no item can take when they may be half of
 * all. */
static struct end *add_end(struct weiri_happens_before *order, struct weiri_ends **ends)
{
    struct weiri_ends *all = *ends;
    if (all != NULL && all->n == all->capacity && all->n > 2 * all->kept) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < all->n; i++) {
            if (is_idle(order, &all->end[i])) {
                for (int s = 0; s < WEIRI_N_SPACES; s++) {
                    weiri_clock_unref(&order->clocks, all->end[i].clock[s]);
                }
            } else {
                all->end[n++] = all->end[i];
            }
        }
        all->n = all->kept = n;
    }
    if (all == NULL || all->n == all->capacity) {
        uint32_t capacity = all == NULL ? 2 : 2 * all->capacity;
        bool fresh = all == NULL;
        all = g_realloc(all, sizeof(*all) + capacity * sizeof(*all->end));
        if (fresh) {
            all->n = all->kept = 0;
        }
        all->capacity = capacity;
        *ends = all;
    }
    struct end *end = &all->end[all->n++];
    *end = (struct end){ 0 };
    return end;
}

/* Joins the clocks of @like, which are borrowed, into the end of its kind. */
static void join_end(struct weiri_happens_before *order, struct weiri_ends **ends,
                     const struct end *like)
{
    struct end *end = NULL;
    for (uint32_t i = 0; *ends != NULL && i < (*ends)->n && end == NULL; i++) {
        struct end *one = &(*ends)->end[i];
        if (one->level == like->level && one->by == like->by
            && one->space == like->space && one->instance == like->instance) {
            end = one;
        }
    }
    if (end == NULL) {
        end = add_end(order, ends);
        end->level = like->level;
        end->by = like->by;
        end->space = like->space;
        end->instance = like->instance;
    }
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        end->clock[s] = weiri_clock_join(&order->clocks, end->clock[s], like->clock[s]);
    }
}

/* Joins an end of one kind at each level of its reach. */
static void add_ends(struct weiri_happens_before *order, struct weiri_ends **ends,
                     enum weiri_reach reach, uint64_t group, uint32_t item,
                     memory_scope scope, struct end like)
{
    memory_scope level = level_of(order, scope), first = memory_scope_sub_group;
    if (reach == WEIRI_WIDENED) {
        first = level = memory_scope_device;
    } else if (order->rule == WEIR_SCOPE_RULE_SAME) {
        first = MAX(level, memory_scope_sub_group);
    }
    for (memory_scope l = first; l <= level; l++) {
        like.level = (uint8_t)l;
        like.instance = instance_of(order, l, group, item);
        join_end(order, ends, &like);
    }
}

/* Adds a release of the item, which heads the message's release sequence, with what it
 * published. */
static void add_release(struct weiri_happens_before *order,
                        struct weiri_message *message, enum weiri_memory_space space,
                        uint64_t group, uint32_t item, const struct release *release)
{
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        struct weiri_ends **ends = r == WEIRI_AS_IS ? &message->ends : &message->wide;
        struct weiri_clock *const *clock = release->published.clock[r];
        if (order->spaces == WEIR_SPACES_SYCL) {
            struct end all = { .by = BY_ANY, .clock = { clock[0], clock[1] } };
            add_ends(order, ends, r, group, item, release->scope, all);
            continue;
        }
        enum weiri_memory_space other = WEIRI_N_SPACES - 1 - space;
        unsigned flag = space == WEIRI_GLOBALLY ? WEIR_GLOBAL : WEIR_LOCAL;
        if ((release->flags & flag) == 0) {
            continue;
        }
        struct end own = { .by = BY_ANY, .space = (uint8_t)space };
        own.clock[space] = clock[space];
        add_ends(order, ends, r, group, item, release->scope, own);
        bool both
            = release->message == NULL && release->flags == (WEIR_LOCAL | WEIR_GLOBAL);
        struct end crossing = { .by = BY_BOTH_SPACES, .space = (uint8_t)space };
        crossing.clock[other] = both ? clock[other] : release->transit.clock[r][other];
        if (both) {
            add_ends(order, ends, r, group, item, release->scope, crossing);
        }
        crossing.by = BY_SC;
        if (release->sc && crossing.clock[other] != NULL) {
            add_ends(order, ends, r, group, item, release->scope, crossing);
        }
    }
}

/* An acquire end. */
struct taker {
    uint64_t group;
    uint32_t item;
    memory_scope scope;
    bool sc; /* a fence that is sequentially consistent */
    bool fence;
    unsigned flags;            /* of a fence */
    struct published *transit; /* (out): what is in transit after it */
};

enum taking { TAKES_NOTHING, TAKES, TAKES_FOR_TRANSIT };

static enum taking takes(const struct weiri_happens_before *order,
                         enum weiri_reach reach, const struct end *end,
                         const struct taker *taker)
{
    if (reach == WEIRI_AS_IS) {
        memory_scope scope = level_of(order, taker->scope);
        if (order->rule == WEIR_SCOPE_RULE_SAME ? end->level != scope
                                                : end->level > scope) {
            return TAKES_NOTHING;
        }
        if (end->instance
            != instance_of(order, end->level, taker->group, taker->item)) {
            return TAKES_NOTHING;
        }
    }
    if (order->spaces == WEIR_SPACES_SYCL) {
        return TAKES;
    }
    unsigned flag = end->space == WEIRI_GLOBALLY ? WEIR_GLOBAL : WEIR_LOCAL;
    if (taker->fence && (taker->flags & flag) == 0) {
        return TAKES_NOTHING;
    }
    if (end->by == BY_ANY
        || (taker->fence && taker->flags == (WEIR_LOCAL | WEIR_GLOBAL)
            && (end->by == BY_BOTH_SPACES || taker->sc))) {
        return TAKES;
    }
    return end->by == BY_SC && taker->sc ? TAKES_FOR_TRANSIT : TAKES_NOTHING;
}

/* ---- Threads --------------------------------------------------------------------- */

static struct weiri_order_group *find_group(const struct weiri_happens_before *order,
                                            uint64_t index)
{
    for (guint i = 0; i < order->resident->len; i++) {
        struct weiri_order_group *group = g_ptr_array_index(order->resident, i);
        if (group->index == index) {
            return group;
        }
    }
    return NULL;
}

struct weiri_order_group *weiri_order_group_at(struct weiri_happens_before *order,
                                               uint64_t index)
{
    if (order->latest == NULL || order->latest->index != index) {
        order->latest = find_group(order, index);
        weiri_assert(order->latest != NULL);
    }
    return order->latest;
}

static void set_clock(struct weiri_happens_before *order, struct weiri_clock **at,
                      struct weiri_clock *clock)
{
    weiri_clock_unref(&order->clocks, *at);
    *at = clock;
}

/* The item's own state, in step with its group at first. */
static struct weiri_order_item *item_of(struct weiri_order_group *group, uint32_t item)
{
    if (group->items[item] == NULL) {
        group->items[item] = g_new0(struct weiri_order_item, 1);
    }
    return group->items[item];
}

/* From here on the item has its own time and clock in that space. */
static void set_apart(struct weiri_order_group *group, uint32_t item,
                      enum weiri_memory_space space)
{
    struct weiri_order_item *state = group->items[item];
    if (state->apart[space]) {
        return;
    }
    if (!state->apart[WEIRI_N_SPACES - 1 - space]) {
        g_array_append_val(group->apart, item);
    }
    state->apart[space] = true;
    state->time[space] = group->time[space];
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        state->view[r][space] = weiri_clock_ref(group->view[r][space]);
    }
}

static void clear_published(struct weiri_happens_before *order,
                            struct published *published)
{
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            set_clock(order, &published->clock[r][s], NULL);
        }
    }
}

static void clear_release(struct weiri_happens_before *order, struct release *release)
{
    clear_published(order, &release->published);
    clear_published(order, &release->transit);
}

static void free_item(struct weiri_happens_before *order,
                      struct weiri_order_item *state)
{
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            weiri_clock_unref(&order->clocks, state->view[r][s]);
        }
        free_ends(order, &state->pending[r]);
    }
    for (guint i = 0; state->releases != NULL && i < state->releases->len; i++) {
        clear_release(order, &g_array_index(state->releases, struct release, i));
    }
    g_clear_pointer(&state->releases, g_array_unref);
    for (guint i = 0; state->readings != NULL && i < state->readings->len; i++) {
        struct awaited *one = &g_array_index(state->readings, struct awaited, i);
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            free_ends(order, &one->ends[r]);
        }
    }
    g_clear_pointer(&state->readings, g_array_unref);
    g_free(state);
}

/* The item acquires the clocks of @ends. Returns: whether there were any */
static bool take(struct weiri_happens_before *order, struct weiri_order_group *group,
                 enum weiri_reach reach, const struct weiri_ends *ends,
                 const struct taker *taker)
{
    bool took = false;
    for (uint32_t i = 0; ends != NULL && i < ends->n; i++) {
        const struct end *end = &ends->end[i];
        enum taking taking = takes(order, reach, end, taker);
        if (taking == TAKES_FOR_TRANSIT) {
            for (int s = 0; s < WEIRI_N_SPACES; s++) {
                struct weiri_clock **at = &taker->transit->clock[reach][s];
                *at = weiri_clock_join(&order->clocks, *at, end->clock[s]);
            }
        }
        if (taking != TAKES) {
            continue;
        }
        struct weiri_order_item *state = item_of(group, taker->item);
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            if (end->clock[s] != NULL) {
                set_apart(group, taker->item, s);
                state->view[reach][s] = weiri_clock_join(
                    &order->clocks, state->view[reach][s], end->clock[s]);
                took = true;
            }
        }
    }
    return took;
}

/* The ends that the item's reads of that location have seen. */
static struct awaited *awaited_at(struct weiri_order_item *state,
                                  const struct weiri_message *message)
{
    if (state->readings == NULL) {
        state->readings = g_array_new(FALSE, TRUE, sizeof(struct awaited));
    }
    for (guint i = 0; i < state->readings->len; i++) {
        struct awaited *one = &g_array_index(state->readings, struct awaited, i);
        if (one->message == message) {
            return one;
        }
    }
    const struct awaited fresh = { .message = message };
    g_array_append_val(state->readings, fresh);
    return &g_array_index(state->readings, struct awaited, state->readings->len - 1);
}

/* Keeps the ends that a later acquire fence of the item may take. Under PTX, a later
 * acquire of the same location may take them, too. */
static void keep_pending(struct weiri_happens_before *order,
                         struct weiri_order_group *group, uint32_t item,
                         enum weiri_reach reach, const struct weiri_message *message,
                         const struct weiri_ends *ends)
{
    for (uint32_t i = 0; ends != NULL && i < ends->n; i++) {
        const struct end *end = &ends->end[i];
        if (reach == WEIRI_WIDENED
            || end->instance == instance_of(order, end->level, group->index, item)) {
            struct weiri_order_item *state = item_of(group, item);
            join_end(order, &state->pending[reach], end);
            if (order->ptx) {
                join_end(order, &awaited_at(state, message)->ends[reach], end);
            }
            if (order->hands_on && reach == WEIRI_AS_IS) {
                join_end(order, &group->coming, end);
            }
        }
    }
}

/* Publishes what the item knows and did up to its time, which advances. The clocks in
 * @published are borrowed. */
static void publish(struct weiri_happens_before *order, struct weiri_order_group *group,
                    uint32_t item, struct published *published)
{
    struct weiri_order_item *state = item_of(group, item);
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        set_apart(group, item, s);
        uint32_t time = state->time[s];
        group->published[s] = MAX(group->published[s], time);
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            struct weiri_clock **view = &state->view[r][s];
            *view = weiri_clock_raise(&order->clocks, *view, group->index,
                                      group->time[s]);
            *view = weiri_clock_raise_item(&order->clocks, *view, group->index, item,
                                           time + 1);
            published->clock[r][s] = *view;
        }
        state->time[s] = MIN(time + 1, LAST_TIME);
    }
}

/* Keeps a release for later writes of the item, in the place of an earlier one of its
 * kind. */
static void keep_release(struct weiri_happens_before *order,
                         struct weiri_order_item *state, struct release kept)
{
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            weiri_clock_ref(kept.published.clock[r][s]);
            weiri_clock_ref(kept.transit.clock[r][s]);
        }
    }
    if (state->releases == NULL) {
        state->releases = g_array_new(FALSE, FALSE, sizeof(struct release));
    }
    for (guint i = 0; i < state->releases->len; i++) {
        struct release *one = &g_array_index(state->releases, struct release, i);
        if (one->message == kept.message && one->scope == kept.scope
            && one->sc == kept.sc && one->flags == kept.flags) {
            clear_release(order, one);
            *one = kept;
            return;
        }
    }
    g_array_append_val(state->releases, kept);
}

/* ---- Groups and items ------------------------------------------------------------ */

struct weiri_happens_before *weiri_order_new(enum weir_scope_rule rule,
                                             enum weir_spaces spaces, bool ptx,
                                             const struct weiri_shape *shape,
                                             size_t n_groups)
{
    struct weiri_happens_before *order = g_new0(struct weiri_happens_before, 1);
    order->rule = ptx ? WEIR_SCOPE_RULE_MUTUAL : rule;
    order->spaces = ptx ? WEIR_SPACES_SYCL : spaces;
    order->ptx = ptx;
    order->n_items = (uint32_t)shape->items;
    order->sub_group_size = shape->sub_group_size;
    order->sub_group_shift = shape->sub_group_shift;
    weiri_clocks_init(&order->clocks, n_groups, shape->items);
    order->resident = g_ptr_array_new();
    order->is_resident = g_new0(uint64_t, n_groups / 64 + 1);
    order->spare = g_ptr_array_new();
    order->published = g_hash_table_new(NULL, NULL);
    return order;
}

void weiri_order_begin_group(struct weiri_happens_before *order, uint64_t index)
{
    struct weiri_order_group *group;
    if (order->spare->len > 0) {
        group = g_ptr_array_steal_index_fast(order->spare, order->spare->len - 1);
    } else {
        group = g_new0(struct weiri_order_group, 1);
        group->items = g_new0(struct weiri_order_item *, order->n_items);
        group->apart = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    group->index = index;
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        group->time[s] = 1;
        group->published[s] = 0;
    }
    g_ptr_array_add(order->resident, group);
    order->is_resident[index / 64] |= (uint64_t)1 << index % 64;
    order->latest = group;
}

static void empty_group(struct weiri_happens_before *order,
                        struct weiri_order_group *group)
{
    for (uint32_t i = 0; i < order->n_items; i++) {
        if (group->items[i] != NULL) {
            free_item(order, group->items[i]);
            group->items[i] = NULL;
        }
    }
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            set_clock(order, &group->view[r][s], NULL);
        }
    }
    g_array_set_size(group->apart, 0);
    free_ends(order, &group->coming);
    free_ends(order, &group->handed);
}

void weiri_order_end_group(struct weiri_happens_before *order, uint64_t index)
{
    struct weiri_order_group *group = weiri_order_group_at(order, index);
    if (group->published[0] != 0 || group->published[1] != 0) {
        uint64_t published = (uint64_t)group->published[1] << 32 | group->published[0];
        g_hash_table_insert(order->published, (gpointer)(uintptr_t)index,
                            (gpointer)(uintptr_t)published);
        order->n_published = g_hash_table_size(order->published);
    }
    empty_group(order, group);
    g_ptr_array_remove_fast(order->resident, group);
    order->is_resident[index / 64] &= ~((uint64_t)1 << index % 64);
    g_ptr_array_add(order->spare, group);
    order->latest = NULL;
}

/* Those of a group that was cancelled are left. */
static void free_channels(struct weiri_happens_before *order)
{
    if (order->channels == NULL) {
        return;
    }
    g_autoptr(GList) numbers = g_hash_table_get_keys(order->channels);
    for (const GList *at = numbers; at != NULL; at = at->next) {
        weiri_order_forget(order, (uintptr_t)at->data);
    }
    g_hash_table_unref(order->channels);
}

static void free_group(void *data)
{
    struct weiri_order_group *group = data;
    g_free(group->items);
    g_array_unref(group->apart);
    g_free(group);
}

void weiri_order_free(struct weiri_happens_before *order)
{
    for (guint i = 0; i < order->resident->len; i++) {
        empty_group(order, g_ptr_array_index(order->resident, i));
    }
    g_ptr_array_set_free_func(order->resident, free_group);
    g_ptr_array_set_free_func(order->spare, free_group);
    g_ptr_array_unref(order->resident);
    g_free(order->is_resident);
    g_ptr_array_unref(order->spare);
    g_hash_table_unref(order->published);
    free_channels(order);
    weiri_clocks_clear(&order->clocks);
    g_free(order);
}

static const struct weiri_clock *view_of(const struct weiri_actor *actor,
                                         enum weiri_memory_space space,
                                         enum weiri_reach reach)
{
    return actor->state != NULL && actor->state->apart[space]
        ? actor->state->view[reach][space]
        : actor->group->view[reach][space];
}

bool weiri_order_before(const struct weiri_happens_before *order,
                        const struct weiri_actor *actor, enum weiri_memory_space space,
                        enum weiri_reach reach, uint64_t group, uint32_t item,
                        uint32_t time)
{
    if (group == actor->group->index
        && ((item == actor->item && time < WEIRI_ORDER_PENDING)
            || time < actor->group->time[space])) {
        return true;
    }
    return weiri_clock_time(&order->clocks, view_of(actor, space, reach), group, item)
        > time;
}

static bool is_in_ends(const struct weiri_happens_before *order,
                       const struct weiri_actor *actor, enum weiri_memory_space space,
                       const struct weiri_ends *ends, uint64_t group, uint32_t item,
                       uint32_t time)
{
    for (uint32_t i = 0; ends != NULL && i < ends->n; i++) {
        const struct end *end = &ends->end[i];
        if (end->clock[space] != NULL
            && end->instance
                == instance_of(order, end->level, actor->group->index, actor->item)
            && weiri_clock_time(&order->clocks, end->clock[space], group, item)
                > time) {
            return true;
        }
    }
    return false;
}

bool weiri_order_fenced_before(const struct weiri_happens_before *order,
                               const struct weiri_actor *actor,
                               enum weiri_memory_space space, uint64_t group,
                               uint32_t item, uint32_t time)
{
    const struct weiri_order_item *self = actor->group->items[actor->item];
    const struct weiri_ends *own = self != NULL ? self->pending[WEIRI_AS_IS] : NULL;
    return is_in_ends(order, actor, space, own, group, item, time)
        || is_in_ends(order, actor, space, actor->group->handed, group, item, time);
}

bool weiri_order_clock_all_before(const struct weiri_happens_before *order,
                                  const struct weiri_actor *actor,
                                  enum weiri_memory_space space, uint64_t group,
                                  uint32_t time)
{
    return weiri_clock_floor(&order->clocks, view_of(actor, space, WEIRI_AS_IS), group)
        > time;
}

uint32_t weiri_order_published(const struct weiri_happens_before *order,
                               enum weiri_memory_space space, uint64_t group)
{
    uint64_t published
        = (uintptr_t)g_hash_table_lookup(order->published, (gpointer)(uintptr_t)group);
    return (uint32_t)(published >> 32 * space);
}

/* ---- What makes order ------------------------------------------------------------ */

/* Brings all items of the group in step: they know of each other, and have one time. */
static void meet_in_group(struct weiri_happens_before *order,
                          struct weiri_order_group *group,
                          enum weiri_memory_space space)
{
    uint32_t time = group->time[space];
    for (guint i = 0; i < group->apart->len; i++) {
        uint32_t item = g_array_index(group->apart, uint32_t, i);
        struct weiri_order_item *state = group->items[item];
        if (!state->apart[space]) {
            continue;
        }
        time = MAX(time, state->time[space]);
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            group->view[r][space] = weiri_clock_join(
                &order->clocks, group->view[r][space], state->view[r][space]);
            set_clock(order, &state->view[r][space], NULL);
        }
        state->apart[space] = false;
    }
    group->time[space] = MIN(time + 1, LAST_TIME);
}

/* What some items have read before the barrier is known to all of them after it. */
static void hand_ends(struct weiri_happens_before *order,
                      struct weiri_order_group *group)
{
    for (uint32_t i = 0; group->coming != NULL && i < group->coming->n; i++) {
        join_end(order, &group->handed, &group->coming->end[i]);
    }
    free_ends(order, &group->coming);
}

/* Keeps the items that are out of step in the other space. */
static void tidy_apart(struct weiri_order_group *group)
{
    guint n = 0;
    for (guint i = 0; i < group->apart->len; i++) {
        uint32_t item = g_array_index(group->apart, uint32_t, i);
        const struct weiri_order_item *state = group->items[item];
        if (state->apart[0] || state->apart[1]) {
            g_array_index(group->apart, uint32_t, n++) = item;
        }
    }
    g_array_set_size(group->apart, n);
}

/* @lanes: which of the items from @first on meet, one for each bit */
static void meet_in_sub_group(struct weiri_happens_before *order,
                              struct weiri_order_group *group,
                              enum weiri_memory_space space, uint32_t first,
                              uint64_t lanes)
{
    struct weiri_clock *all[WEIRI_N_REACHES];
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        all[r] = weiri_clock_ref(group->view[r][space]);
    }
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        uint32_t item = first + (uint32_t)__builtin_ctzll(left);
        const struct weiri_order_item *state = item_of(group, item);
        set_apart(group, item, space);
        group->published[space] = MAX(group->published[space], state->time[space]);
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            all[r] = weiri_clock_raise_item(&order->clocks, all[r], group->index, item,
                                            state->time[space] + 1);
            all[r] = weiri_clock_join(&order->clocks, all[r], state->view[r][space]);
        }
    }
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        struct weiri_order_item *state
            = group->items[first + (uint32_t)__builtin_ctzll(left)];
        state->time[space] = MIN(state->time[space] + 1, LAST_TIME);
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            set_clock(order, &state->view[r][space], weiri_clock_ref(all[r]));
        }
    }
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        weiri_clock_unref(&order->clocks, all[r]);
    }
}

void weiri_order_meet(struct weiri_happens_before *order, uint64_t index,
                      enum weiri_level level, uint32_t item, uint32_t mask,
                      unsigned flags)
{
    static const unsigned flag[WEIRI_N_SPACES] = { WEIR_GLOBAL, WEIR_LOCAL };
    struct weiri_order_group *group = weiri_order_group_at(order, index);
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        if ((flags & flag[s]) == 0) {
            continue;
        }
        if (level == WEIRI_LEVEL_GROUP) {
            meet_in_group(order, group, s);
        } else {
            uint32_t first = item >> order->sub_group_shift << order->sub_group_shift;
            uint32_t n = MIN(order->sub_group_size, order->n_items - first);
            uint64_t all = UINT64_MAX >> (64 - n);
            meet_in_sub_group(order, group, s, first,
                              level == WEIRI_LEVEL_LANES ? all & mask : all);
        }
    }
    if (level == WEIRI_LEVEL_GROUP) {
        hand_ends(order, group);
    }
    if (group->apart->len > 0) {
        tidy_apart(group);
    }
}

static bool is_acquire(memory_order order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

static bool is_release(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel
        || order == memory_order_seq_cst;
}

bool weiri_order_fence(struct weiri_happens_before *order, uint64_t index,
                       uint32_t item, memory_order memory_order, memory_scope scope,
                       unsigned flags)
{
    bool sc = memory_order == memory_order_seq_cst;
    struct published transit = { 0 };
    bool took[WEIRI_N_REACHES] = { false, false };
    struct weiri_order_group *group = weiri_order_group_at(order, index);
    if (flags == 0) {
        flags = WEIR_LOCAL | WEIR_GLOBAL;
    }
    if (is_acquire(memory_order) && group->items[item] != NULL) {
        const struct taker taker = { index, item, scope, sc, true, flags, &transit };
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            took[r] = take(order, group, r, group->items[item]->pending[r], &taker);
        }
    }
    if (is_release(memory_order)) {
        struct release fence
            = { .scope = scope, .sc = sc, .flags = flags, .transit = transit };
        publish(order, group, item, &fence.published);
        keep_release(order, group->items[item], fence);
    }
    clear_published(order, &transit);
    return took[WEIRI_WIDENED] && !took[WEIRI_AS_IS];
}

/* ---- Channels -------------------------------------------------------------------- */

/* The clocks that items have given. */
struct channel {
    struct weiri_clock *clock[WEIRI_N_REACHES][WEIRI_N_SPACES]; /* owned */
};

void weiri_order_give(struct weiri_happens_before *order, uint64_t index, uint32_t item,
                      uint64_t number)
{
    if (order->channels == NULL) {
        order->channels = g_hash_table_new(NULL, NULL);
    }
    struct channel *channel
        = g_hash_table_lookup(order->channels, (gpointer)(uintptr_t)number);
    if (channel == NULL) {
        channel = g_new0(struct channel, 1);
        g_hash_table_insert(order->channels, (gpointer)(uintptr_t)number, channel);
    }
    struct published given;
    publish(order, weiri_order_group_at(order, index), item, &given);
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            channel->clock[r][s] = weiri_clock_join(
                &order->clocks, channel->clock[r][s], given.clock[r][s]);
        }
    }
}

static struct channel *find_channel(const struct weiri_happens_before *order,
                                    uint64_t number)
{
    return order->channels == NULL
        ? NULL
        : g_hash_table_lookup(order->channels, (gpointer)(uintptr_t)number);
}

void weiri_order_take(struct weiri_happens_before *order, uint64_t index, uint32_t item,
                      uint64_t number)
{
    const struct channel *channel = find_channel(order, number);
    if (channel == NULL) {
        return;
    }
    struct weiri_order_group *group = weiri_order_group_at(order, index);
    struct weiri_order_item *state = item_of(group, item);
    for (int s = 0; s < WEIRI_N_SPACES; s++) {
        set_apart(group, item, s);
        for (int r = 0; r < WEIRI_N_REACHES; r++) {
            state->view[r][s] = weiri_clock_join(&order->clocks, state->view[r][s],
                                                 channel->clock[r][s]);
        }
    }
}

void weiri_order_forget(struct weiri_happens_before *order, uint64_t number)
{
    struct channel *channel = find_channel(order, number);
    if (channel == NULL) {
        return;
    }
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        for (int s = 0; s < WEIRI_N_SPACES; s++) {
            weiri_clock_unref(&order->clocks, channel->clock[r][s]);
        }
    }
    g_hash_table_remove(order->channels, (gpointer)(uintptr_t)number);
    g_free(channel);
}

/* ---- Messages -------------------------------------------------------------------- */

/* The item reads the location's latest write. Returns: see weiri_order_atomic() */
static bool read_message(struct weiri_happens_before *order,
                         struct weiri_order_group *group,
                         const struct weiri_message *message, const struct taker *taker,
                         bool acquires, bool strong)
{
    bool took[WEIRI_N_REACHES] = { false, false };
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        const struct weiri_ends *ends = r == WEIRI_WIDENED ? message->wide
            : strong                                       ? message->ends
                                                           : NULL;
        if (acquires) {
            took[r] = take(order, group, r, ends, taker);
        }
        keep_pending(order, group, taker->item, r, message, ends);
    }
    return took[WEIRI_WIDENED] && !took[WEIRI_AS_IS];
}

/* An acquire takes what earlier strong reads of its location have seen. */
static void take_awaited(struct weiri_happens_before *order,
                         struct weiri_order_group *group,
                         const struct weiri_message *message, const struct taker *taker)
{
    struct weiri_order_item *state = group->items[taker->item];
    if (state == NULL || state->readings == NULL) {
        return;
    }
    const struct awaited *awaited = awaited_at(state, message);
    for (int r = 0; r < WEIRI_N_REACHES; r++) {
        (void)take(order, group, r, awaited->ends[r], taker);
    }
}

/* Adds the earlier releases that the item's write belongs to: fences before it, and the
 * item's earlier writes to the location. */
static void add_kept(struct weiri_happens_before *order,
                     struct weiri_order_group *group, uint32_t item,
                     struct weiri_message *message, enum weiri_memory_space space)
{
    const struct weiri_order_item *state = group->items[item];
    for (guint i = 0;
         state != NULL && state->releases != NULL && i < state->releases->len; i++) {
        const struct release *one = &g_array_index(state->releases, struct release, i);
        if (one->message == NULL || one->message == message) {
            add_release(order, message, space, group->index, item, one);
        }
    }
}

/* The item's write becomes the location's latest. @continues: it is a read-modify-write
 * that continues the release sequence which it reads from. @own: the write as a
 * release, used if it @releases */
static void write_message(struct weiri_happens_before *order,
                          struct weiri_order_group *group, uint32_t item,
                          struct weiri_message *message, enum weiri_memory_space space,
                          bool releases, bool continues, bool reads, struct release own)
{
    if (!continues) {
        free_ends(order, &message->ends);
    }
    if (!reads) {
        free_ends(order, &message->wide);
    }
    if (group->items[item] != NULL) {
        add_kept(order, group, item, message, space);
    }
    if (releases) {
        publish(order, group, item, &own.published);
        add_release(order, message, space, group->index, item, &own);
        keep_release(order, group->items[item], own);
    }
    message->written = true;
    message->group = (uint32_t)group->index;
    message->item = item;
    message->scope = (uint8_t)own.scope;
}

bool weiri_order_synchronise(struct weiri_happens_before *order,
                             const struct weiri_actor *actor,
                             struct weiri_message *message,
                             enum weiri_memory_space space, memory_order memory_order,
                             memory_scope scope, bool reads, bool writes)
{
    struct weiri_order_group *group = actor->group;
    uint64_t index = group->index;
    uint32_t item = actor->item;
    bool strong = message->written
        && weiri_order_strong(order, message->group, message->item, message->scope,
                              index, item, scope);
    bool narrow = false;
    const struct taker taker = { index, item, scope, false, false, 0, NULL };
    if (reads && is_acquire(memory_order)) {
        take_awaited(order, group, message, &taker);
    }
    if (reads && message->written && message->wide != NULL) {
        narrow = read_message(order, group, message, &taker, is_acquire(memory_order),
                              strong);
    }
    if (writes) {
        write_message(order, group, item, message, space, is_release(memory_order),
                      strong && reads, reads,
                      (struct release){ .message = message,
                                        .scope = scope,
                                        .flags = WEIR_LOCAL | WEIR_GLOBAL });
    }
    return narrow;
}

void weiri_order_overwrite(struct weiri_happens_before *order,
                           struct weiri_message *message)
{
    free_ends(order, &message->ends);
    free_ends(order, &message->wide);
    message->written = false;
}
