/* SPDX-License-Identifier: MIT
 *
 * race_draft.c: draws the lines of a program's items, piece by piece: a message, a
 * critical section, a counter that all add to, a barrier, or just anything. A piece is
 * put at the ends of its items' lines, so that waiting for each other never comes round
 * in a circle. */
#include "race_draft.h"

/* ---- What there is ------------------------------------------------------- */

static void add_place(struct draft *draft, unsigned object, unsigned offset,
                      unsigned bytes)
{
    bool local = draft->program->objects[object].local;
    memory_scope scope = local ? memory_scope_work_group : memory_scope_device;
    if (local && once_in(draft, 6)) {
        scope = memory_scope_sub_group;
    } else if (once_in(draft, 6)) {
        scope = below(draft, memory_scope_system + 1);
    }
    draft->places[draft->n_places++] = (struct place){ object, offset, bytes, scope };
    memset(&draft->atomic[object][offset], true, bytes);
}

static void draw_objects(struct draft *draft)
{
    struct program *program = draft->program;
    program->n_objects = 2 + below(draft, MOST_OBJECTS - 1);
    for (unsigned i = 0; i < program->n_objects; i++) {
        struct object *object = &program->objects[i];
        object->local = once_in(draft, program->spaces == WEIR_SPACES_SYCL ? 4 : 2);
        object->group = object->local ? below(draft, program->n_groups) : 0;
        object->bytes = once_in(draft, 2) ? 8 : 16;
        for (unsigned at = 0; at < object->bytes; at += 8) {
            switch (below(draft, 5)) {
            case 0:
                add_place(draft, i, at, 8);
                break;
            case 1:
                add_place(draft, i, at, 4);
                add_place(draft, i, at + 4, 4);
                break;
            case 2:
                add_place(draft, i, at + 4, 4);
                break;
            default: /* data alone */
                break;
            }
        }
    }
}

/* Mostly few items, which meet more often; and now and then more than a small clock
 * holds. */
static void draw_shape(struct draft *draft)
{
    struct program *program = draft->program;
    bool large = once_in(draft, draft->wild ? 2 : 16);
    do {
        program->n_groups = 1 + below(draft, large ? MOST_GROUPS : 4);
        program->n_items = 1 + below(draft, large ? 20 : 4);
    } while (program->n_groups * program->n_items < 2
             || program->n_groups * program->n_items > MOST_ITEMS);
    program->sub_group_size = 1u << below(draft, large ? 5 : 3);
    program->scopes = once_in(draft, 3) ? WEIR_SCOPE_RULE_SAME : WEIR_SCOPE_RULE_MUTUAL;
    program->spaces = once_in(draft, 3) ? WEIR_SPACES_OPENCL : WEIR_SPACES_SYCL;
    draft->scoping = below(draft, SCOPES_ANY + 1);
    draft->ordering = below(draft, ORDERS_ANY + 1);
}

static bool may_use(const struct draft *draft, unsigned item, unsigned object)
{
    const struct program *program = draft->program;
    return !program->objects[object].local
        || program->objects[object].group == item / program->n_items;
}

/* A place that both items may use, or NULL. */
static const struct place *draw_place(struct draft *draft, unsigned item,
                                      unsigned other)
{
    for (unsigned tries = 0; draft->n_places > 0 && tries < 8; tries++) {
        const struct place *place = &draft->places[below(draft, draft->n_places)];
        if (may_use(draft, item, place->object)
            && may_use(draft, other, place->object)) {
            return place;
        }
    }
    return NULL;
}

static unsigned draw_item(struct draft *draft)
{
    const struct program *program = draft->program;
    return below(draft, program->n_groups * program->n_items);
}

/* Mostly what the users of the place agreed on. */
static memory_scope draw_scope(struct draft *draft, const struct place *place)
{
    if (draft->scoping == SCOPES_ANY || once_in(draft, 25)) {
        return below(draft, memory_scope_system + 1);
    }
    return draft->scoping == SCOPES_WIDE ? memory_scope_device : place->scope;
}

/* A fence names one space or both; a barrier may name none. */
static unsigned draw_space(struct draft *draft, unsigned least)
{
    return once_in(draft, 4) ? least + below(draft, 4 - least)
                             : WEIR_LOCAL | WEIR_GLOBAL;
}

/* ---- Lines --------------------------------------------------------------- */

static struct line *add(struct draft *draft, unsigned item)
{
    unsigned n = draft->n_lines[item];
    draft->n_lines[item] = MIN(n + 1, MOST_LINES - 1); /* the last is overwritten */
    struct line *line = &draft->lines[item][n];
    *line = (struct line){ .step = { .item = item } };
    return line;
}

struct step draft_add_plain(struct draft *draft, unsigned item)
{
    const struct program *program = draft->program;
    struct step step = { .kind = STEP_PLAIN };
    bool hits = true;
    for (unsigned tries = 0; hits && tries < 12; tries++) {
        step.object = below(draft, program->n_objects);
        if (!may_use(draft, item, step.object)) {
            continue;
        }
        step.bytes = 1u << below(draft, 4);
        step.offset
            = below(draft, program->objects[step.object].bytes - step.bytes + 1);
        if (once_in(draft, 2)) {
            step.offset -= step.offset % step.bytes;
        }
        hits = !once_in(draft, 12)
            && memchr(&draft->atomic[step.object][step.offset], true, step.bytes)
                != NULL;
    }
    if (hits) {
        return (struct step){ .bytes = 0 };
    }
    unsigned what = below(draft, 9);
    step.reads = what < 5;
    step.writes = what >= 4;
    step.item = item;
    add(draft, item)->step = step;
    return step;
}

static void add_plains(struct draft *draft, unsigned item, unsigned most)
{
    for (unsigned n = below(draft, most + 1); n > 0; n--) {
        draft_add_plain(draft, item);
    }
}

static struct line *add_atomic(struct draft *draft, unsigned item,
                               const struct place *place, enum weiri_atomic kind,
                               memory_order order)
{
    struct line *line = add(draft, item);
    line->step = (struct step){
        .kind = STEP_ATOMIC,
        .item = item,
        .object = place->object,
        .offset = place->offset,
        .bytes = place->bytes,
        .reads = kind != WEIRI_ATOMIC_STORE,
        .writes = kind != WEIRI_ATOMIC_LOAD,
        .atomic = kind,
        .order = order,
        .failure = order,
        .scope = draw_scope(draft, place),
    };
    if (kind == WEIRI_ATOMIC_COMPARE_EXCHANGE) {
        static const memory_order failures[]
            = { memory_order_relaxed, memory_order_acquire, memory_order_seq_cst };
        line->step.failure = failures[below(draft, 3)];
    }
    return line;
}

static void add_fence(struct draft *draft, unsigned item, const struct place *place,
                      memory_order order)
{
    memory_scope scope = place != NULL ? draw_scope(draft, place)
                                       : below(draft, memory_scope_system + 1);
    add(draft, item)->step = (struct step){ .kind = STEP_FENCE,
                                            .item = item,
                                            .atomic = WEIRI_ATOMIC_FENCE,
                                            .order = order,
                                            .failure = order,
                                            .scope = scope,
                                            .space = draw_space(draft, WEIR_LOCAL) };
}

static enum weiri_atomic draw_rmw(struct draft *draft)
{
    static const enum weiri_atomic kinds[]
        = { WEIRI_ATOMIC_FETCH_ADD, WEIRI_ATOMIC_EXCHANGE,
            WEIRI_ATOMIC_COMPARE_EXCHANGE, WEIRI_ATOMIC_FETCH_MAX };
    return kinds[below(draft, G_N_ELEMENTS(kinds))];
}

memory_order draft_order(struct draft *draft)
{
    static const memory_order orders[]
        = { memory_order_relaxed, memory_order_acquire, memory_order_release,
            memory_order_acq_rel, memory_order_seq_cst };
    return orders[below(draft, G_N_ELEMENTS(orders))];
}

/* One of the two, or sometimes anything that a read-modify-write or fence may have. */
static memory_order one_of(struct draft *draft, memory_order half)
{
    if (draft->ordering == ORDERS_ANY ? once_in(draft, 3) : once_in(draft, 25)) {
        return draft_order(draft);
    }
    const memory_order orders[] = { half, memory_order_acq_rel, memory_order_seq_cst };
    return orders[below(draft, G_N_ELEMENTS(orders))];
}

static struct line *add_release(struct draft *draft, unsigned item,
                                const struct place *place)
{
    if (draft->ordering == ORDERS_BY_FENCES || once_in(draft, 5)) {
        add_fence(draft, item, place, one_of(draft, memory_order_release));
        if (once_in(draft, 4)) {
            draft_add_plain(draft, item);
        }
        return add_atomic(draft, item, place,
                          once_in(draft, 2) ? WEIRI_ATOMIC_STORE : draw_rmw(draft),
                          memory_order_relaxed);
    }
    memory_order order = one_of(draft, memory_order_release);
    if (once_in(draft, 2)) {
        return add_atomic(draft, item, place, WEIRI_ATOMIC_STORE,
                          legal(order, memory_order_release));
    }
    return add_atomic(draft, item, place, draw_rmw(draft), order);
}

static struct line *add_acquire(struct draft *draft, unsigned item,
                                const struct place *place)
{
    struct line *line;
    bool fenced = draft->ordering == ORDERS_BY_FENCES || once_in(draft, 5);
    memory_order order
        = fenced ? memory_order_relaxed : one_of(draft, memory_order_acquire);
    switch (below(draft, 4)) {
    case 0:
        line = add_atomic(draft, item, place, draw_rmw(draft), order);
        break;
    case 1:
        line = add_atomic(draft, item, place, WEIRI_ATOMIC_COMPARE_EXCHANGE, order);
        line->step.failure = legal(order, memory_order_acquire);
        line->step.writes = false;
        break;
    default:
        line = add_atomic(draft, item, place, WEIRI_ATOMIC_LOAD,
                          legal(order, memory_order_acquire));
    }
    if (fenced) {
        add_fence(draft, item, place, one_of(draft, memory_order_acquire));
    }
    return line;
}

static uint64_t new_message(struct draft *draft)
{
    return draft->n_messages < 64 ? UINT64_C(1) << draft->n_messages++ : 0;
}

/* ---- Pieces -------------------------------------------------------------- */

static void add_anything(struct draft *draft)
{
    unsigned item = draw_item(draft);
    const struct place *place = draw_place(draft, item, item);
    unsigned what = below(draft, 8);
    if (what < 4 || place == NULL) {
        add_plains(draft, item, 3);
    } else if (what == 4) {
        add_fence(draft, item, place, draft_order(draft));
    } else if (what == 5) {
        struct line *line
            = add_atomic(draft, item, place, draw_rmw(draft), draft_order(draft));
        if (line->step.atomic == WEIRI_ATOMIC_COMPARE_EXCHANGE && once_in(draft, 2)) {
            line->step.writes = false;
        }
    } else if (what == 6) {
        add_atomic(draft, item, place, WEIRI_ATOMIC_LOAD,
                   legal(draft_order(draft), memory_order_acquire));
    } else {
        add_atomic(draft, item, place, WEIRI_ATOMIC_STORE,
                   legal(draft_order(draft), memory_order_release));
    }
}

/* The same bytes again, where the item may have them. */
static void add_again(struct draft *draft, unsigned item, struct step step, bool writes)
{
    if (step.bytes > 0 && may_use(draft, item, step.object)) {
        step.item = item;
        step.writes = writes;
        step.reads = !writes || once_in(draft, 4);
        add(draft, item)->step = step;
    }
}

/* A message from one item to another at @place, perhaps by way of others'
 * read-modify-writes, or with one more store after the one that counts. */
static void send(struct draft *draft, unsigned from, unsigned to,
                 const struct place *place)
{
    struct line *line = add_release(draft, from, place);
    if (once_in(draft, 6)) {
        line = add_atomic(draft, from, place, WEIRI_ATOMIC_STORE, memory_order_relaxed);
    }
    uint64_t sent = line->sends = new_message(draft);
    while (once_in(draft, 3)) {
        unsigned relay = draw_item(draft);
        if (may_use(draft, relay, place->object)) {
            line = add_atomic(draft, relay, place, draw_rmw(draft),
                              once_in(draft, 2) ? memory_order_relaxed
                                                : draft_order(draft));
            line->waits = sent;
            sent = line->sends = new_message(draft);
        }
    }
    unsigned n = draft->n_lines[to];
    add_acquire(draft, to, place);
    draft->lines[to][n].waits = once_in(draft, 5) ? 0 : sent;
}

/* From one item to another, and perhaps on to a third. */
static void add_message(struct draft *draft)
{
    unsigned from = draw_item(draft);
    struct step news = { .bytes = 0 };
    add_plains(draft, from, 2);
    if (!once_in(draft, 3)) {
        news = draft_add_plain(draft, from);
    }
    do {
        unsigned to = draw_item(draft);
        const struct place *place = draw_place(draft, from, to);
        if (place == NULL) {
            return;
        }
        send(draft, from, to, place);
        add_plains(draft, to, 2);
        add_again(draft, to, news, once_in(draft, 2));
        from = to;
    } while (once_in(draft, 2));
}

/* Some items add to a counter, and an item that sees all additions reads what they
 * wrote. */
static void add_counter(struct draft *draft)
{
    unsigned last = draw_item(draft);
    const struct place *place = draw_place(draft, last, last);
    if (place == NULL) {
        return;
    }
    uint64_t sent = 0;
    for (unsigned n = 1 + below(draft, 4); n > 0; n--) {
        unsigned item = draw_item(draft);
        if (may_use(draft, item, place->object)) {
            add_plains(draft, item, 2);
            if (draft->ordering == ORDERS_BY_FENCES) {
                add_fence(draft, item, place, one_of(draft, memory_order_release));
            }
            struct line *line = add_atomic(draft, item, place, WEIRI_ATOMIC_FETCH_ADD,
                                           draft->ordering == ORDERS_BY_FENCES
                                               ? memory_order_relaxed
                                               : one_of(draft, memory_order_release));
            sent |= line->sends = new_message(draft);
        }
    }
    unsigned n = draft->n_lines[last];
    add_acquire(draft, last, place);
    draft->lines[last][n].waits = sent;
    add_plains(draft, last, 4);
}

/* Many items do the same to the same bytes, and send a message of it at one place or
 * not; at last an item that has received some of them writes there. */
static void add_crowd(struct draft *draft)
{
    unsigned item = draw_item(draft);
    const struct place *place = draw_place(draft, item, item);
    if (place == NULL) {
        return;
    }
    struct step step = draft_add_plain(draft, item);
    enum weiri_atomic kind = once_in(draft, 2) ? draw_rmw(draft) : WEIRI_ATOMIC_LOAD;
    bool plain = once_in(draft, 2);
    for (unsigned n = 2 + below(draft, 14); n > 0; n--) {
        item = draw_item(draft);
        if (!may_use(draft, item, place->object)) {
            continue;
        }
        if (plain) {
            add_again(draft, item, step, false);
        } else {
            add_atomic(draft, item, place, kind, memory_order_relaxed);
        }
        if (once_in(draft, 2)) {
            add_release(draft, item, place);
        }
    }
    item = draw_item(draft);
    if (may_use(draft, item, place->object)) {
        add_acquire(draft, item, place);
        add_again(draft, item, step, true);
    }
}

/* Each takes over from the one before and does the same to the same bytes; then come
 * some that have received no message. */
static void add_relay(struct draft *draft)
{
    unsigned item = draw_item(draft);
    const struct place *flag = draw_place(draft, item, item);
    const struct place *place = draw_place(draft, item, item);
    if (flag == NULL || place == NULL) {
        return;
    }
    bool plain = flag == place || once_in(draft, 3);
    struct step step = draft_add_plain(draft, item);
    enum weiri_atomic kind = once_in(draft, 2) ? draw_rmw(draft) : WEIRI_ATOMIC_STORE;
    memory_scope scope = below(draft, memory_scope_system + 1);
    uint64_t sent = 0;
    unsigned n_outside = 1 + below(draft, 3);
    for (unsigned n = n_outside + 2 + below(draft, 18); n > 0; n--) {
        bool outside = n <= n_outside;
        item = draw_item(draft);
        if (!may_use(draft, item, flag->object)
            || !may_use(draft, item, place->object)) {
            continue;
        }
        unsigned at = draft->n_lines[item];
        if (!outside) {
            add_acquire(draft, item, flag);
        }
        if (plain) {
            add_again(draft, item, step, outside && once_in(draft, 2));
        } else {
            add_atomic(draft, item, place, kind, memory_order_relaxed)->step.scope
                = outside && once_in(draft, 2) ? below(draft, memory_scope_system + 1)
                                               : scope;
        }
        if (at < draft->n_lines[item]) {
            draft->lines[item][at].waits = sent;
        }
        if (!outside) {
            sent = add_release(draft, item, flag)->sends = new_message(draft);
        }
    }
}

static void add_critical_sections(struct draft *draft)
{
    unsigned lock = ++draft->n_locks, first = draw_item(draft);
    const struct place *place = draw_place(draft, first, first);
    if (place == NULL) {
        return;
    }
    for (unsigned n = 2 + below(draft, 3); n > 0; n--) {
        unsigned item = n == 2 ? first : draw_item(draft);
        if (!may_use(draft, item, place->object)) {
            continue;
        }
        unsigned at = draft->n_lines[item];
        struct line *line;
        if (draft->ordering == ORDERS_BY_FENCES) {
            add_atomic(draft, item, place, draw_rmw(draft), memory_order_relaxed);
            add_fence(draft, item, place, one_of(draft, memory_order_acquire));
            draft->lines[item][at].takes = lock;
        } else {
            add_atomic(draft, item, place, draw_rmw(draft),
                       one_of(draft, memory_order_acquire))
                ->takes
                = lock;
        }
        add_plains(draft, item, 4);
        line = add_release(draft, item, place);
        line->gives = lock;
    }
}

/* All items of a group or sub-group that have not ended. */
static void add_meeting(struct draft *draft)
{
    struct program *program = draft->program;
    if (program->n_meetings == MOST_MEETINGS) {
        return;
    }
    unsigned number = program->n_meetings++;
    struct meeting *meeting = &program->meetings[number];
    unsigned member = draw_item(draft), n = program->n_items;
    bool whole = !once_in(draft, 3);
    meeting->level = whole ? WEIRI_LEVEL_GROUP : WEIRI_LEVEL_SUB_GROUP;
    meeting->scope = whole ? memory_scope_work_group : memory_scope_sub_group;
    meeting->space = WEIR_LOCAL | WEIR_GLOBAL;
    meeting->kind = WEIRI_BARRIER;
    unsigned what = below(draft, 6);
    if (what == 0) {
        meeting->kind = once_in(draft, 2) ? WEIRI_REDUCE_ADD : WEIRI_BROADCAST;
    } else if (what == 1 && !whole) {
        meeting->kind = WEIRI_LOAD; /* orders nothing */
        meeting->space = 0;
    } else if (what == 1) {
        meeting->scope = once_in(draft, 2) ? memory_scope_device : memory_scope_system;
    } else if (whole) {
        meeting->space = draw_space(draft, 0);
    }
    for (unsigned item = member / n * n; item < (member / n + 1) * n; item++) {
        bool near = item % n / program->sub_group_size
            == member % n / program->sub_group_size;
        if (whole || near) {
            meeting->members |= 1u << item;
            add(draft, item)->step
                = (struct step){ .kind = STEP_ARRIVE, .item = item, .meeting = number };
        }
    }
}

static void add_piece(struct draft *draft)
{
    unsigned what = below(draft, 16);
    if (what < 4) {
        add_anything(draft);
    } else if (what < 8) {
        add_message(draft);
    } else if (what < 9) {
        add_counter(draft);
    } else if (what < 10) {
        add_crowd(draft);
    } else if (what < 11) {
        add_relay(draft);
    } else if (what < 12) {
        add_critical_sections(draft);
    } else {
        add_meeting(draft);
        add_plains(draft, draw_item(draft), 3);
    }
}

void draft_draw(struct draft *draft)
{
    draw_shape(draft);
    draw_objects(draft);
    unsigned n = draft->wild ? below(draft, 4)
                             : 2 + below(draft, 4 + 2 * draft->program->n_groups);
    for (; n > 0; n--) {
        add_piece(draft);
    }
    if (draft->wild && once_in(draft, 2)) {
        add_relay(draft);
    } else if (draft->wild) {
        add_crowd(draft);
    }
}
