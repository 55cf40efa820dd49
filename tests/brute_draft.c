/* SPDX-License-Identifier: MIT
 *
 * brute_draft.c: draws statements. A habit is what makes a program hang together: where
 * each order and scope is drawn by itself, hardly anything is ordered, and a model that
 * forgets an edge is never found out. So there is one habit a program, and a slip now
 * and then. */
#include "brute_draft.h"

#include <string.h>

/* The statements of a thread that must stay free, to close blocks and to end. */
enum { SPARE = 6 };

static const struct brute_statement block_end = { .kind = BRUTE_CLOSE };

/* ---- Habits ---------------------------------------------------------------------- */

/* The possible values, weakest first. The strongest that is not seq_cst is the last but
 * one. */
static memory_order draw_order(struct brute_draft *draft, const memory_order *may,
                               unsigned n)
{
    enum brute_orders orders = draft->orders;
    if (draft->fenced && !once_in(draft, 4)) {
        orders = ORDERS_RELAXED;
    }
    if (once_in(draft, 6)) {
        orders = (enum brute_orders)below(draft, 4);
    }
    switch (orders) {
    case ORDERS_RELAXED:
        return may[0];
    case ORDERS_MESSAGE:
        return may[n - 2];
    case ORDERS_STRONGEST:
        return may[n - 1];
    default:
        return may[below(draft, n)];
    }
}

static memory_order order_of(struct brute_draft *draft, enum brute_kind kind)
{
    static const memory_order loads[]
        = { memory_order_relaxed, memory_order_acquire, memory_order_seq_cst };
    static const memory_order stores[]
        = { memory_order_relaxed, memory_order_release, memory_order_seq_cst };
    static const memory_order any[]
        = { memory_order_relaxed, memory_order_acquire, memory_order_release,
            memory_order_acq_rel, memory_order_seq_cst };
    switch (kind) {
    case BRUTE_LOAD:
        return draw_order(draft, loads, G_N_ELEMENTS(loads));
    case BRUTE_STORE:
        return draw_order(draft, stores, G_N_ELEMENTS(stores));
    default:
        return draw_order(draft, any, G_N_ELEMENTS(any));
    }
}

/* A fence that is relaxed is none. */
static memory_order fence_order_of(struct brute_draft *draft)
{
    static const memory_order any[] = { memory_order_acquire, memory_order_release,
                                        memory_order_acq_rel, memory_order_seq_cst };
    switch (draft->orders) {
    case ORDERS_MESSAGE:
        return any[once_in(draft, 3) ? below(draft, 3) : 2];
    case ORDERS_STRONGEST:
        return any[once_in(draft, 6) ? 2 : 3];
    default:
        return any[below(draft, G_N_ELEMENTS(any))];
    }
}

static memory_scope scope_of(struct brute_draft *draft, memory_scope habit)
{
    if (!draft->program->placed) {
        return memory_scope_device;
    }
    if (once_in(draft, 40)) {
        return (memory_scope)below(draft, 5);
    }
    return once_in(draft, draft->scope_slips)
        ? (memory_scope)(memory_scope_work_group + below(draft, 3))
        : habit;
}

static unsigned flags_of(struct brute_draft *draft)
{
    return !draft->program->placed || once_in(draft, 2) ? WEIR_LOCAL | WEIR_GLOBAL
                                                        : below(draft, 4);
}

/* ---- Statements ------------------------------------------------------------------ */

/* Appends to the thread. Returns: whether there was room, for @n_events events, too */
static bool add(struct brute_draft *draft, unsigned thread, unsigned n_events,
                struct brute_statement statement)
{
    unsigned *n = &draft->n_statements[thread];
    if (*n + SPARE >= BRUTE_STATEMENTS
        || draft->n_events + n_events > draft->most_events) {
        return false;
    }
    draft->n_events += n_events;
    draft->program->threads[thread].statements[(*n)++] = statement;
    return true;
}

/* A free register, or if there is none some other one. */
static unsigned new_register(struct brute_draft *draft, unsigned thread)
{
    unsigned *n = &draft->n_registers[thread];
    return *n < BRUTE_REGISTERS ? (*n)++ : below(draft, BRUTE_REGISTERS);
}

/* @value, by way of a register if there is one that something was read into. */
static struct brute_operand draw_operand(struct brute_draft *draft, unsigned thread,
                                         int value)
{
    struct brute_operand operand = { .value = value };
    if (draft->n_registers[thread] != 0 && once_in(draft, 5)) {
        operand.form = (enum brute_form)(1 + below(draft, 3));
        operand.reg = below(draft, draft->n_registers[thread]);
        if (operand.form == BRUTE_REGISTER) {
            operand.value = (int)below(draft, 2);
        }
    }
    return operand;
}

static struct brute_operand draw_offset(struct brute_draft *draft, unsigned thread)
{
    struct brute_operand operand = { .value = 0 };
    if (draft->n_registers[thread] != 0 && once_in(draft, 12)) {
        operand.form = once_in(draft, 2) ? BRUTE_XOR : BRUTE_MASK;
        operand.reg = below(draft, draft->n_registers[thread]);
    }
    return operand;
}

/* The expected value of a compare-exchange: a register, which is set before, or a plain
 * location. */
static void add_compare(struct brute_draft *draft, unsigned thread,
                        struct brute_statement compare)
{
    compare.weak = once_in(draft, 2);
    compare.failure = order_of(draft, BRUTE_LOAD);
    for (unsigned i = 0; i < draft->n_locations; i++) {
        if (!draft->program->locations[i].atomic && brute_may_touch(draft, thread, i)
            && once_in(draft, 4)) {
            compare.expects_location = true;
            compare.expected = i;
            add(draft, thread, 3, compare);
            return;
        }
    }
    compare.expected = new_register(draft, thread);
    if (!compare.drops && compare.expected == compare.result) {
        compare.drops = true;
    }
    if (once_in(draft, 2)) {
        struct brute_statement set
            = { .kind = BRUTE_SET,
                .result = compare.expected,
                .operand = draw_operand(draft, thread, (int)below(draft, 2)) };
        add(draft, thread, 0, set);
    }
    add(draft, thread, 1, compare);
}

static enum brute_kind draw_kind(struct brute_draft *draft, enum brute_purpose purpose)
{
    static const enum brute_kind updates[]
        = { BRUTE_EXCHANGE, BRUTE_FETCH_ADD, BRUTE_FETCH_ADD,
            BRUTE_FETCH_OR, BRUTE_COMPARE,   BRUTE_COMPARE };
    if (draft->updates && once_in(draft, 2)) {
        return updates[below(draft, G_N_ELEMENTS(updates))];
    }
    if (purpose == ANYHOW) {
        purpose = once_in(draft, 2) ? TO_READ : TO_WRITE;
    }
    return purpose == TO_READ ? BRUTE_LOAD : BRUTE_STORE;
}

bool brute_may_touch(const struct brute_draft *draft, unsigned thread,
                     unsigned location)
{
    const struct brute_thread *threads = draft->program->threads;
    unsigned home = draft->homes[location];
    return !draft->program->locations[location].local
        || (threads[thread].group == threads[home].group
            && threads[thread].device == threads[home].device);
}

void brute_add_touch(struct brute_draft *draft, unsigned thread,
                     struct brute_touch touch)
{
    if (!brute_may_touch(draft, thread, touch.location)) {
        return;
    }
    enum brute_kind kind = draw_kind(draft, touch.purpose);
    bool atomic
        = draft->program->locations[touch.location].atomic && !once_in(draft, 30);
    if (!atomic && kind != BRUTE_STORE) {
        kind = touch.purpose == TO_WRITE ? BRUTE_STORE : BRUTE_LOAD;
    }
    struct brute_statement access
        = { .kind = kind,
            .atomic = atomic,
            .order = order_of(draft, kind),
            .scope = scope_of(draft, draft->scope),
            .location = touch.location,
            .offset = draw_offset(draft, thread),
            .operand = draw_operand(draft, thread, 1 + (int)below(draft, 2)) };
    access.drops = kind >= BRUTE_EXCHANGE && once_in(draft, 6);
    if (kind != BRUTE_STORE && !access.drops) {
        access.result = new_register(draft, thread);
    }
    if (kind == BRUTE_COMPARE) {
        add_compare(draft, thread, access);
    } else {
        add(draft, thread, 1, access);
    }
}

void brute_add_fence(struct brute_draft *draft, unsigned thread)
{
    struct brute_statement fence = { .kind = BRUTE_FENCE,
                                     .order = fence_order_of(draft),
                                     .scope = scope_of(draft, draft->fence_scope),
                                     .spaces = flags_of(draft) };
    add(draft, thread, 1, fence);
}

bool brute_add_if(struct brute_draft *draft, unsigned thread)
{
    if (draft->n_registers[thread] == 0) {
        return false;
    }
    struct brute_statement condition
        = { .kind = BRUTE_IF,
            .reg = below(draft, draft->n_registers[thread]),
            .comparison = once_in(draft, 4) ? BRUTE_UNEQUAL : BRUTE_EQUAL,
            .operand.value = once_in(draft, 3) ? 0 : 1 };
    return add(draft, thread, 0, condition);
}

/* There is always room for it: SPARE. */
void brute_add_close(struct brute_draft *draft, unsigned thread)
{
    unsigned at = draft->n_statements[thread]++;
    draft->program->threads[thread].statements[at] = block_end;
}

/* ---- Between accesses ------------------------------------------------------------ */

/* Twice an access, counted; or a load until it reads something. */
static void add_loop(struct brute_draft *draft, unsigned thread,
                     struct brute_touch touch)
{
    unsigned reg = new_register(draft, thread), before = draft->n_events;
    bool counts = once_in(draft, 2) || !brute_may_touch(draft, thread, touch.location)
        || !draft->program->locations[touch.location].atomic;
    struct brute_statement loop = { .kind = BRUTE_WHILE,
                                    .reg = reg,
                                    .comparison = counts ? BRUTE_LESS : BRUTE_UNEQUAL,
                                    .operand.value = counts ? 2 : 1 };
    if (!add(draft, thread, 0, loop)) {
        return;
    }
    if (counts) {
        struct brute_statement step
            = { .kind = BRUTE_SET,
                .result = reg,
                .operand = { BRUTE_REGISTER, .reg = reg, .value = 1 } };
        brute_add_touch(draft, thread, touch);
        if (!add(draft, thread, 0, step)) { /* else there would be no end */
            draft->n_statements[thread]--;
            return;
        }
    } else {
        struct brute_statement load = { .kind = BRUTE_LOAD,
                                        .atomic = true,
                                        .order = order_of(draft, BRUTE_LOAD),
                                        .scope = scope_of(draft, draft->scope),
                                        .location = touch.location,
                                        .result = reg };
        add(draft, thread, 1, load);
    }
    brute_add_close(draft, thread);
    draft->n_events += draft->n_events - before; /* twice what is in it */
}

void brute_add_touches(struct brute_draft *draft, unsigned thread,
                       const struct brute_touch *touches, unsigned n)
{
    unsigned depth = 0;
    for (unsigned i = 0; i < n; i++) {
        if (i > 0 && (draft->fenced ? !once_in(draft, 6) : once_in(draft, 6))) {
            brute_add_fence(draft, thread);
        }
        if (draft->branches && depth < 2 && once_in(draft, 2)) {
            depth += brute_add_if(draft, thread);
        } else if (depth > 0 && once_in(draft, 4)) {
            struct brute_statement otherwise = { .kind = BRUTE_ELSE };
            add(draft, thread, 0, otherwise);
            brute_add_touch(draft, thread, touches[i]);
            brute_add_close(draft, thread);
            depth--;
        }
        if (draft->loops && once_in(draft, 3)) {
            add_loop(draft, thread, touches[i]);
        } else {
            brute_add_touch(draft, thread, touches[i]);
        }
    }
    for (; depth > 0; depth--) {
        brute_add_close(draft, thread);
    }
}

void brute_insert(struct brute_draft *draft, unsigned thread, unsigned at,
                  struct brute_statement statement)
{
    struct brute_statement *statements = draft->program->threads[thread].statements;
    unsigned *n = &draft->n_statements[thread];
    if (draft->n_events < draft->most_events && *n + 1 < BRUTE_STATEMENTS) {
        memmove(&statements[at + 1], &statements[at], (*n - at) * sizeof(*statements));
        statements[at] = statement;
        draft->n_events++;
        (*n)++;
    }
}
