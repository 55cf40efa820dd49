/* SPDX-License-Identifier: MIT
 *
 * machine.c: see machine.h. The hub runs the items; this is its client. To be answered,
 * an item finds the values in memory when it goes on: the code that reads them is the
 * kernel's own. The file is long because each kind of stop of an item is answered from
 * one state, which a second file would have to see whole. */
#include "config.h"

#include "native/machine.h"

#include "exec/algo.h"
#include "exec/atomic.h"
#include "exec/gate.h"
#include "exec/item-finding.h"
#include "exec/resident.h"
#include "finding/names.h"
#include "native/unwritten.h"

#include <string.h>

/* Steps without anything new after which learning from a launch ends: it may wait for
 * ever in a loop. A fact that was not learned is met while exploring, which then begins
 * anew. */
enum { MOST_IDLE = 1 << 14 };
/* Stops in a row of an item in that launch, at memory that is not known as a
 * location. */
enum { MOST_STOPS = 256 };
/* Stops in a row of an item that is explored, at memory that only it accesses. */
enum { MOST_OWN_STOPS = 1 << 20 };

static uint32_t id_of(const struct weiri_machine *machine, uint32_t thread)
{
    return thread / machine->n_items << machine->hub.shift | thread % machine->n_items;
}

static struct weiri_group *group_of(const struct weiri_machine *machine,
                                    uint32_t thread)
{
    return weiri_hub_group(&machine->hub, id_of(machine, thread));
}

/* ---- The hub's questions --------------------------------------------------- */

/* The item's stack below its kernel's frames, as far as what runs between them and here
 * reaches. */
typedef uint64_t two_words __attribute__((vector_size(16)));
enum { DEAD_PAIRS = 512 };

/* Clears what calls have left below the caller's frame. Frames that the kernel opens
 * later have it in places that it never writes, and a fingerprint covers those: without
 * this, it would depend on whether there was one before, and on what is done for the
 * first time. The item's stack has room, or else the kernel has hardly any. */
static __attribute__((noinline)) void clear_dead_stack(
    const struct weiri_machine *machine)
{
    volatile two_words dead[DEAD_PAIRS];
    if ((uintptr_t)dead - machine->hub.worker->own_low > sizeof(dead)) {
        for (size_t i = 0; i < DEAD_PAIRS; i++) {
            dead[i] = (two_words){ 0 };
        }
    }
}

/* Runs on the item's stack. */
static uint32_t next(void *data, const struct weiri_stop *stop)
{
    struct weiri_machine *machine = data;
    (void)stop;
    machine->print = machine->prints ? weiri_hub_fingerprint(&machine->hub) : 0;
    clear_dead_stack(machine);
    return WEIRI_NO_ITEM;
}

static void mix(uint64_t *hash, uint64_t with)
{
    *hash = (*hash ^ with) * 0x9e3779b97f4a7c15;
    *hash ^= *hash >> 29;
}

/* Records the stop, or compares it. Returns: whether the item may go on from it */
static bool follow_trace(const struct weiri_machine *machine, uint32_t thread,
                         const struct weiri_stop *stop)
{
    struct weiri_machine_trace *trace = machine->trace;
    uint64_t hash = machine->print;
    mix(&hash, *machine->compared);
    mix(&hash, stop->kind);
    mix(&hash, (uint64_t)(uintptr_t)stop->pc);
    mix(&hash, (uint64_t)(uintptr_t)stop->site);
    if (stop->kind == WEIRI_STOP_BEFORE_ACCESS) {
        mix(&hash, (uint64_t)(uintptr_t)stop->address);
        mix(&hash, (uint64_t)stop->bytes << 8 | stop->operation);
    } else if (stop->kind == WEIRI_STOP_BEFORE_ATOMIC) {
        const struct weiri_atomic_op *op = machine->hub.atomic;
        mix(&hash, (uint64_t)(uintptr_t)op->address);
        mix(&hash, (uint64_t)op->kind << 16 | (uint64_t)op->order << 8 | op->scope);
        mix(&hash, op->operand);
        mix(&hash, op->expected);
    } else if (stop->kind == WEIRI_STOP_WAITS) {
        const struct weiri_group *group = group_of(machine, thread);
        mix(&hash, stop->op);
        mix(&hash, group->public.values[thread % machine->n_items].bits);
    }
    if (!trace->compares) {
        g_array_append_val(trace->stops, hash);
        return true;
    }
    trace->differs = trace->at >= trace->stops->len
        || g_array_index(trace->stops, uint64_t, trace->at) != hash;
    trace->at += !trace->differs;
    return !trace->differs;
}

/* ---- Stops ----------------------------------------------------------------- */

static struct weiri_request *add(const struct weiri_machine *machine,
                                 struct weiri_machine_item *item,
                                 enum weiri_request_kind kind,
                                 const struct weiri_stop *stop)
{
    struct weiri_request request = { .kind = kind,
                                     .site = stop->site,
                                     .pc = stop->pc,
                                     .print = machine->print + item->requests->len,
                                     .stop = stop->ordinal };
    g_array_append_val(item->requests, request);
    return &g_array_index(item->requests, struct weiri_request,
                          item->requests->len - 1);
}

static struct weiri_object *object_of(const struct weiri_machine *machine,
                                      const volatile void *address, size_t bytes,
                                      const void *place)
{
    struct weiri_object *object
        = weiri_objects_find(machine->hub.launch->objects, address, place);
    bool inside = object != NULL && object->kind != WEIRI_OBJECT_FREED
        && bytes
            <= object->bytes - (size_t)((const volatile char *)address - object->start);
    return inside ? object : NULL;
}

/* A cell that only this item accesses is about to be written. */
static void note_written(const struct weiri_machine *machine,
                         struct weiri_machine_item *item, uint32_t index)
{
    struct weiri_native_cell *cell = weiri_cell_at(&machine->cells, index);
    item->marked = true;
    if (!cell->noted) {
        cell->noted = true;
        g_array_append_val(item->written, index);
    }
}

/* Whether the item may be about to copy a struct: then gcc reports the write, then the
 * read, and then copies, so at the stop before the read nothing is written yet. A store
 * that changes nothing looks the same. */
static bool may_copy(const struct weiri_machine_item *item,
                     const struct weiri_stop *stop)
{
    enum { NEAR = 128 }; /* bytes of code between the two reports */
    const volatile char *read = stop->address;
    return !item->copying && stop->kind == WEIRI_STOP_BEFORE_ACCESS
        && stop->operation == WEIRI_OPERATION_READ && stop->bytes == item->stored_bytes
        && (uintptr_t)stop->pc - (uintptr_t)item->stored_pc <= NEAR
        && (read >= item->stored + stop->bytes || read + stop->bytes <= item->stored)
        && memcmp((const void *)item->stored, item->before->data, stop->bytes) == 0;
}

/* Whether it is taken for a copy, so that the write comes after the read. That may be
 * wrong where executions end at races: the two are plain accesses of different memory,
 * and without a race nothing depends on their order. Otherwise a write of up to 8 bytes
 * is a copy if it was one before. */
static bool is_copying(const struct weiri_machine *machine,
                       const struct weiri_machine_item *item,
                       const struct weiri_stop *stop)
{
    return may_copy(item, stop)
        && (stop->aggregate || machine->ends_at_races
            || g_hash_table_contains(machine->copies, item->stored_pc));
}

/* The write was taken for a store before the read. If memory has changed since, it is a
 * copy, and the exploration begins anew. */
static void look_at_suspect(struct weiri_machine *machine,
                            struct weiri_machine_item *item)
{
    if (item->suspect != NULL
        && memcmp((const void *)item->suspect, item->before->data, item->before->len)
            != 0) {
        g_hash_table_add(machine->copies, (void *)item->stored_pc);
        machine->cells.changed = true;
    }
    item->suspect = NULL;
}

/* The store that the item was about to do at its stop before has been done, or will be
 * after this stop. */
static void add_store(struct weiri_machine *machine, struct weiri_machine_item *item,
                      uint32_t thread, const struct weiri_stop *now)
{
    look_at_suspect(machine, item);
    if (item->stored == NULL) {
        return;
    }
    if (is_copying(machine, item, now)) {
        item->copying = true;
        item->stored_stop = now->ordinal;
        return;
    }
    const struct weiri_object *object
        = object_of(machine, item->stored, item->stored_bytes, item->stored_pc);
    weiri_cells_touch(&machine->cells, thread, item->stored, item->stored_bytes,
                      WEIRI_TOUCH_WRITE, object, machine->pieces);
    const struct weiri_stop stop
        = { .pc = item->stored_pc, .ordinal = item->stored_stop };
    for (guint i = 0; i < machine->pieces->len; i++) {
        uint32_t index = g_array_index(machine->pieces, uint32_t, i);
        const struct weiri_native_cell *cell = weiri_cell_at(&machine->cells, index);
        if (cell->location != WEIRI_NO_LOCATION) {
            struct weiri_request *request
                = add(machine, item, WEIRI_REQUEST_WRITE, &stop);
            request->cell = index;
            request->value = weiri_cell_read(cell);
            request->is_volatile = item->stored_volatile;
            item->suspect = may_copy(item, now) ? item->stored : NULL;
        }
    }
    item->stored = NULL;
    item->copying = false;
}

/* The item is about to read memory that it alone accesses, or that is never written. */
static void look_at_read(struct weiri_machine *machine, uint32_t thread,
                         const struct weiri_stop *stop)
{
    const struct weiri_request request = { .kind = WEIRI_REQUEST_READ,
                                           .site = stop->site,
                                           .pc = stop->pc,
                                           .stop = stop->ordinal };
    g_array_set_size(machine->pieces_read, 0);
    for (guint i = 0; i < machine->pieces->len; i++) {
        uint32_t index = g_array_index(machine->pieces, uint32_t, i);
        const struct weiri_native_cell *cell = weiri_cell_at(&machine->cells, index);
        struct weiri_unwritten_piece piece
            = { index,
                cell->location == WEIRI_NO_LOCATION && !cell->noted
                    ? weiri_cell_unwritten(&machine->cells, index)
                    : 0 };
        g_array_append_val(machine->pieces_read, piece);
    }
    weiri_unwritten_read(machine, thread, &request);
}

/* The item gets what it has asked for. */
static void look_at_answers(struct weiri_machine *machine,
                            const struct weiri_machine_item *item, uint32_t thread)
{
    const struct weiri_request *latest = NULL;
    g_array_set_size(machine->pieces_read, 0);
    for (guint i = 0; i < item->requests->len; i++) {
        const struct weiri_request *request
            = &g_array_index(item->requests, struct weiri_request, i);
        bool reads = request->kind == WEIRI_REQUEST_READ
            || (request->kind == WEIRI_REQUEST_ATOMIC
                && request->atomic.kind != WEIRI_ATOMIC_STORE);
        if (reads) {
            struct weiri_unwritten_piece piece
                = { request->cell,
                    request->value
                            == weiri_cell_at(&machine->cells, request->cell)->initial
                        ? weiri_cell_unwritten(&machine->cells, request->cell)
                        : 0 };
            g_array_append_val(machine->pieces_read, piece);
            latest = request;
        }
    }
    if (latest != NULL) {
        weiri_unwritten_read(machine, thread, latest);
    }
}

static void add_access(struct weiri_machine *machine, struct weiri_machine_item *item,
                       uint32_t thread, const struct weiri_stop *stop)
{
    bool writes = stop->operation == WEIRI_OPERATION_WRITE;
    volatile char *address = (volatile char *)stop->address;
    const struct weiri_object *object
        = object_of(machine, address, stop->bytes, stop->pc);
    if (object == NULL) {
        return; /* wrong, or not memory of the launch: the report has this */
    }
    machine->orders |= stop->is_volatile;
    weiri_cells_touch(&machine->cells, thread, address, stop->bytes,
                      writes ? WEIRI_TOUCH_WRITE : WEIRI_TOUCH_READ, object,
                      machine->pieces);
    if (!writes && machine->reads != WEIRI_UNWRITTEN_IGNORED) {
        look_at_read(machine, thread, stop);
    }
    if (writes) {
        item->stored = address;
        item->stored_bytes = stop->bytes;
        item->stored_volatile = stop->is_volatile;
        item->stored_pc = stop->pc;
        item->stored_stop = stop->ordinal;
        g_byte_array_set_size(item->before, 0);
        g_byte_array_append(item->before, (const void *)address, stop->bytes);
    }
    for (guint i = 0; i < machine->pieces->len; i++) {
        uint32_t index = g_array_index(machine->pieces, uint32_t, i);
        bool shared
            = weiri_cell_at(&machine->cells, index)->location != WEIRI_NO_LOCATION;
        if (writes && !shared) {
            note_written(machine, item, index);
        } else if (!writes && shared) {
            struct weiri_request *request
                = add(machine, item, WEIRI_REQUEST_READ, stop);
            request->cell = index;
            request->is_volatile = stop->is_volatile;
        }
    }
}

/* A place of local memory counts once, though each group has its own: groups do not
 * meet there. */
static void note_order(struct weiri_machine *machine, uint32_t thread,
                       const struct weiri_atomic_op *op,
                       const struct weiri_object *object)
{
    uintptr_t at = (uintptr_t)op->address;
    if (object->kind == WEIRI_OBJECT_LOCAL) {
        at -= (uintptr_t)group_of(machine, thread)->local_memory;
    }
    machine->orders |= op->order != memory_order_relaxed
        || op->failure != memory_order_relaxed
        || (machine->has_atomic && machine->atomic_at != at);
    machine->has_atomic = true;
    machine->atomic_at = at;
}

static void add_atomic(struct weiri_machine *machine, struct weiri_machine_item *item,
                       uint32_t thread, const struct weiri_stop *stop)
{
    const struct weiri_atomic_op *op = machine->hub.atomic;
    volatile char *address = (volatile char *)op->address;
    const struct weiri_object *object
        = object_of(machine, address, op->bytes,
                    op->site != NULL ? (const void *)op->site : op->pc);
    if (object == NULL) {
        return;
    }
    note_order(machine, thread, op, object);
    unsigned how = WEIRI_TOUCH_ATOMIC
        | (op->kind == WEIRI_ATOMIC_LOAD ? WEIRI_TOUCH_READ : WEIRI_TOUCH_WRITE);
    weiri_cells_touch(&machine->cells, thread, address, op->bytes, how, object,
                      machine->pieces);
    struct weiri_request *request = add(machine, item, WEIRI_REQUEST_ATOMIC, stop);
    request->cell = g_array_index(machine->pieces, uint32_t, 0);
    request->atomic = *op;
}

uint64_t weiri_value_bits(uint64_t op, union weiri_value value)
{
    switch (WEIRI_OP_TYPE(op)) {
    case WEIRI_TYPE_none:
        return 0;
    case WEIRI_TYPE_i32:
    case WEIRI_TYPE_u32:
    case WEIRI_TYPE_f32:
        return (uint32_t)value.bits;
    default:
        return value.bits;
    }
}

static void add_meeting(struct weiri_machine *machine, struct weiri_machine_item *item,
                        uint32_t thread, const struct weiri_stop *stop)
{
    struct weiri_group *group = group_of(machine, thread);
    uint32_t index = thread % machine->n_items;
    if (WEIRI_OP_LEVEL(stop->op) >= WEIRI_LEVEL_LANES
        || WEIRI_OP_KIND(stop->op) == WEIRI_GRID) {
        enum weir_language language = machine->hub.launch->kernel->language;
        weiri_cells_refuse(
            &machine->cells,
            g_strdup_printf(
                "%s:%u: weir explore does not know %s, in which not just "
                "a group or a sub-group takes part: use weir check",
                stop->site->file, stop->site->line,
                weiri_named(stop->site, weiri_operation_name(language, stop->op))));
    }
    weiri_gate_judge_source(machine->hub.worker, group, index, stop->op, stop->site);
    struct weiri_request *request = add(machine, item, WEIRI_REQUEST_MEET, stop);
    request->op = stop->op;
    request->argument = weiri_value_bits(stop->op, group->public.values[index]);
    request->source
        = WEIRI_OP_KIND(stop->op) == WEIRI_SHUFFLE ? group->public.sources[index] : 0;
}

bool weiri_machine_is_over(const struct weiri_machine *machine)
{
    const struct weiri_cells *cells = &machine->cells;
    return cells->refused != NULL || machine->interrupted
        || (machine->learns ? cells->began_anew : cells->changed);
}

/* The values that the item has compared on its way to the stop, and the place of the
 * stop. */
static void add_to_course(const struct weiri_machine *machine,
                          struct weiri_machine_item *item,
                          const struct weiri_stop *stop)
{
    const volatile void *address = stop->kind == WEIRI_STOP_BEFORE_ACCESS
        ? stop->address
        : stop->kind == WEIRI_STOP_BEFORE_ATOMIC ? machine->hub.atomic->address
                                                 : NULL;
    mix(&item->course, *machine->compared);
    mix(&item->course, stop->kind);
    mix(&item->course, (uint64_t)(uintptr_t)stop->pc);
    mix(&item->course, (uint64_t)(uintptr_t)stop->site);
    mix(&item->course, (uint64_t)(uintptr_t)address);
}

/* Runs the item to its next request. */
static void advance(struct weiri_machine *machine, uint32_t thread)
{
    struct weiri_machine_item *item = &machine->items[thread];
    g_array_set_size(item->requests, 0);
    item->at = 0;
    item->marked = false;
    item->course = 0;
    const struct weiri_group *learned_from
        = machine->learns ? group_of(machine, thread) : NULL;
    uint32_t n_stops = 0;
    do {
        machine->print = 0; /* an item that returns has no private state */
        *machine->compared = 0;
        weiri_unseen_begin(&machine->unseen, &machine->cells, learned_from);
        struct weiri_stop stop = weiri_hub_run(&machine->hub, id_of(machine, thread));
        weiri_unseen_look(&machine->unseen, &machine->cells, learned_from, thread,
                          item->stops);
        weiri_unseen_stop(item->stops, &stop, machine->hub.atomic);
        add_store(machine, item, thread, &stop);
        add_to_course(machine, item, &stop);
        if (machine->trace != NULL && !follow_trace(machine, thread, &stop)) {
            break;
        }
        switch ((enum weiri_stop_kind)stop.kind) {
        case WEIRI_STOP_BEFORE_ACCESS:
            add_access(machine, item, thread, &stop);
            break;
        case WEIRI_STOP_BEFORE_ATOMIC:
            add_atomic(machine, item, thread, &stop);
            break;
        case WEIRI_STOP_BEFORE_FENCE:
            machine->orders = true;
            add(machine, item, WEIRI_REQUEST_FENCE, &stop)->atomic
                = *machine->hub.atomic;
            break;
        case WEIRI_STOP_WAITS:
            add_meeting(machine, item, thread, &stop);
            break;
        case WEIRI_STOP_RETURNED:
            add(machine, item, WEIRI_REQUEST_END, &stop);
            break;
        case WEIRI_STOP_INTERRUPTED:
            machine->interrupted = true;
            break;
        case WEIRI_STOP_OVERFLOWED:
            weiri_item_finding_overflow(machine->hub.worker);
            add(machine, item, WEIRI_REQUEST_FAULT, &stop);
            break;
        case WEIRI_STOP_FAULTED:
            weiri_item_finding_fault(machine->hub.worker);
            add(machine, item, WEIRI_REQUEST_FAULT, &stop);
            break;
        default:
            add(machine, item, WEIRI_REQUEST_FAULT, &stop);
            break;
        }
        if (++n_stops >= (machine->learns ? MOST_STOPS : MOST_OWN_STOPS)
            && item->requests->len == 0) {
            /* In the launch that is learned from, the others come, too. */
            add(machine, item,
                machine->learns ? WEIRI_REQUEST_FENCE : WEIRI_REQUEST_BOUND, &stop);
        }
    } while (item->requests->len == 0 && !weiri_machine_is_over(machine));
    if (item->requests->len == 0) {
        add(machine, item, WEIRI_REQUEST_FAULT, &(struct weiri_stop){ 0 });
    }
}

/* ---- Items ----------------------------------------------------------------- */

const struct weiri_request *weiri_machine_request(const struct weiri_machine *machine,
                                                  uint32_t thread)
{
    const struct weiri_machine_item *item = &machine->items[thread];
    return &g_array_index(item->requests, struct weiri_request, item->at);
}

uint64_t weiri_machine_course(const struct weiri_machine *machine, uint32_t thread,
                              uint32_t depth)
{
    uint64_t hash = machine->items[thread].course;
    mix(&hash, (uint64_t)thread << 32 | depth);
    return hash;
}

void weiri_machine_start(struct weiri_machine *machine, uint32_t thread)
{
    struct weiri_machine_item *item = &machine->items[thread];
    for (guint i = 0; i < item->written->len; i++) {
        struct weiri_native_cell *cell
            = weiri_cell_at(&machine->cells, g_array_index(item->written, uint32_t, i));
        weiri_cell_write(cell, cell->initial);
        cell->noted = false;
    }
    g_array_set_size(item->written, 0);
    item->stored = item->suspect = NULL;
    item->copying = false;
    memset(item->stops, 0, sizeof(item->stops));
    weiri_hub_restart(&machine->hub, id_of(machine, thread));
    advance(machine, thread);
}

/* Puts the answers where the item's code looks for them. */
static void place(struct weiri_machine *machine, uint32_t thread)
{
    const struct weiri_machine_item *item = &machine->items[thread];
    for (guint i = 0; i < item->requests->len; i++) {
        const struct weiri_request *request
            = &g_array_index(item->requests, struct weiri_request, i);
        if (request->kind == WEIRI_REQUEST_READ
            || request->kind == WEIRI_REQUEST_ATOMIC) {
            weiri_cell_write(weiri_cell_at(&machine->cells, request->cell),
                             request->value);
        } else if (request->kind == WEIRI_REQUEST_MEET) {
            group_of(machine, thread)->public.values[thread % machine->n_items].bits
                = (uint64_t)request->value;
        }
    }
    if (machine->reads != WEIRI_UNWRITTEN_IGNORED) {
        look_at_answers(machine, item, thread);
    }
    volatile char *copy = item->copying ? item->stored : item->suspect;
    if (copy != NULL) { /* another item may have been there since */
        memcpy((void *)copy, item->before->data, item->before->len);
    }
}

void weiri_machine_answer(struct weiri_machine *machine, uint32_t thread, int64_t value,
                          bool fails)
{
    struct weiri_machine_item *item = &machine->items[thread];
    struct weiri_request *request
        = &g_array_index(item->requests, struct weiri_request, item->at);
    if (request->kind != WEIRI_REQUEST_WRITE) {
        request->value = value;
    }
    if (++item->at == item->requests->len) {
        place(machine, thread);
        machine->hub.worker->fails
            = fails; /* an atomic operation is the last request */
        advance(machine, thread);
    }
}

/* ---- Learning -------------------------------------------------------------- */

/* The members of a rendezvous: threads @first and so on. */
static uint32_t members_of(const struct weiri_machine *machine, uint32_t thread,
                           uint64_t op, uint32_t *first)
{
    const struct weiri_gate *gate
        = weiri_group_gate(group_of(machine, thread), op, thread % machine->n_items);
    *first = thread - thread % machine->n_items + gate->first;
    return gate->n_members;
}

/* Whether all that are to meet the item wait; then they get their results. */
static bool meet(struct weiri_machine *machine, uint32_t thread)
{
    /* A request is gone when it is answered. */
    uint64_t op = weiri_machine_request(machine, thread)->op;
    uint32_t first, n = members_of(machine, thread, op, &first);
    for (uint32_t t = first; t < first + n; t++) {
        const struct weiri_request *other = weiri_machine_request(machine, t);
        if (other->kind != WEIRI_REQUEST_MEET || other->op != op) {
            return false;
        }
    }
    g_autofree union weiri_value *values = g_new(union weiri_value, n);
    g_autofree size_t *sources = g_new(size_t, n);
    for (uint32_t i = 0; i < n; i++) {
        values[i].bits = weiri_machine_request(machine, first + i)->argument;
        sources[i] = weiri_machine_request(machine, first + i)->source;
    }
    weiri_algo(op, values, sources, n);
    for (uint32_t i = 0; i < n; i++) {
        weiri_machine_answer(machine, first + i,
                             (int64_t)weiri_value_bits(op, values[i]), false);
    }
    return true;
}

/* One step of the item with what memory holds now. Returns: whether it has made one */
static bool step(struct weiri_machine *machine, uint32_t thread)
{
    const struct weiri_request *request = weiri_machine_request(machine, thread);
    switch (request->kind) {
    case WEIRI_REQUEST_READ:
    case WEIRI_REQUEST_ATOMIC:
        weiri_machine_answer(
            machine, thread,
            weiri_cell_read(weiri_cell_at(&machine->cells, request->cell)), false);
        return true;
    case WEIRI_REQUEST_MEET:
        return meet(machine, thread);
    case WEIRI_REQUEST_END:
    case WEIRI_REQUEST_BOUND:
    case WEIRI_REQUEST_FAULT:
        return false;
    default:
        weiri_machine_answer(machine, thread, 0, false);
        return true;
    }
}

/* Each item in turn takes one step. */
static void run_all(struct weiri_machine *machine)
{
    const struct weiri_cells *cells = &machine->cells;
    for (uint32_t t = 0; t < machine->n_threads && !weiri_machine_is_over(machine);
         t++) {
        weiri_machine_start(machine, t);
    }
    guint known = 0;
    uint32_t n_idle = 0;
    for (bool goes = true; goes && n_idle < MOST_IDLE;) {
        goes = false;
        for (uint32_t t = 0; t < machine->n_threads && !weiri_machine_is_over(machine);
             t++) {
            goes |= step(machine, t);
            n_idle++;
        }
        if (cells->all->len + cells->locations->len != known) {
            known = cells->all->len + cells->locations->len;
            n_idle = 0;
        }
    }
}

/* Memory is as before the launch: all writes of items are undone. */
static void reset(struct weiri_machine *machine)
{
    weiri_cells_restore(&machine->cells);
    for (uint32_t t = 0; t < machine->n_threads; t++) {
        g_array_set_size(machine->items[t].written, 0);
    }
    for (guint i = 0; i < machine->cells.all->len; i++) {
        weiri_cell_at(&machine->cells, i)->noted = false;
    }
}

void weiri_machine_learn(struct weiri_machine *machine)
{
    struct weiri_cells *cells = &machine->cells;
    enum weiri_unwritten_use reads = machine->reads;
    machine->learns = true;
    machine->reads = WEIRI_UNWRITTEN_IGNORED;
    reset(machine);
    do {
        cells->changed = cells->began_anew = false;
        run_all(machine);
        reset(machine);
    } while (cells->changed && cells->refused == NULL && !machine->interrupted);
    machine->learns = false;
    machine->reads = reads;
}

/* ---- The launch ------------------------------------------------------------ */

bool weiri_machine_init(struct weiri_machine *machine, struct weiri_worker *worker,
                        bool all_locations, bool ends_at_races, uint64_t *compared)
{
    const struct weiri_launch *launch = worker->launch;
    *machine = (struct weiri_machine){ .compared = compared,
                                       .ends_at_races = ends_at_races,
                                       .copies = g_hash_table_new(NULL, NULL),
                                       .n_items = launch->kernel->hierarchical
                                           ? 1
                                           : (uint32_t)launch->shape.items };
    const struct weiri_hub_client client
        = { .next = next, .apart = true, .self = machine };
    weiri_hub_init(&machine->hub, worker, &client);
    weiri_cells_init(&machine->cells, all_locations);
    weiri_unseen_init(&machine->unseen, launch);
    machine->pieces = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    machine->unwritten = g_ptr_array_new_with_free_func(weiri_unwritten_read_free);
    machine->pieces_read
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_unwritten_piece));
    if (machine->hub.n_slots < launch->n_groups) {
        return false;
    }
    while (weiri_resident_start(worker)) {
        weiri_hub_admit(&machine->hub, worker->group);
    }
    machine->n_threads = machine->hub.n_resident * machine->n_items;
    machine->items = g_new0(struct weiri_machine_item, machine->n_threads);
    for (uint32_t t = 0; t < machine->n_threads; t++) {
        machine->items[t].requests
            = g_array_new(FALSE, FALSE, sizeof(struct weiri_request));
        machine->items[t].written = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        machine->items[t].before = g_byte_array_new();
    }
    return true;
}

void weiri_machine_clear(struct weiri_machine *machine)
{
    for (uint32_t t = 0; t < machine->n_threads; t++) {
        g_array_unref(machine->items[t].requests);
        g_array_unref(machine->items[t].written);
        g_byte_array_unref(machine->items[t].before);
    }
    for (uint32_t s = 0; s < machine->hub.n_slots; s++) {
        struct weiri_group *group = machine->hub.slots[s];
        if (group != NULL) {
            weiri_hub_dismiss(&machine->hub, group);
            weiri_resident_end(machine->hub.worker, true);
        }
    }
    g_free(machine->items);
    g_array_unref(machine->pieces);
    g_array_unref(machine->pieces_read);
    g_ptr_array_unref(machine->unwritten);
    g_hash_table_unref(machine->copies);
    weiri_unseen_clear(&machine->unseen);
    weiri_cells_clear(&machine->cells);
    weiri_hub_clear(&machine->hub);
}
