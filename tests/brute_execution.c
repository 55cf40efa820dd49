/* SPDX-License-Identifier: MIT
 *
 * brute_execution.c: events of an execution, sorted into sets and related, each by its
 * definition and pair by pair. Where threads have no groups, each is a group of its own
 * on one device, and all scopes are that of the device. */
#include "brute_execution.h"

static bool touches_memory(const struct brute_event *event)
{
    return event->kind == READS || event->kind == WRITES;
}

static bool same_group(const struct brute_program *program, unsigned a, unsigned b)
{
    const struct brute_thread *of = program->threads;
    return program->placed ? of[a].group == of[b].group && of[a].device == of[b].device
                           : a == b;
}

static bool same_device(const struct brute_program *program, unsigned a, unsigned b)
{
    return !program->placed || program->threads[a].device == program->threads[b].device;
}

static bool meet(const struct brute_program *program, const struct brute_event *entry,
                 const struct brute_event *leave)
{
    return entry->kind == ENTERS && leave->kind == EXITS
        && entry->thread != leave->thread
        && same_group(program, entry->thread, leave->thread)
        && entry->label == leave->label && entry->occurrence == leave->occurrence;
}

/* Whether that scope of a thread's event covers the other thread. */
static bool covers(const struct brute_program *program, const struct brute_event *event,
                   unsigned thread)
{
    if (!event->ordered) {
        return event->thread == thread;
    }
    switch (program->placed ? event->scope : memory_scope_device) {
    case memory_scope_work_group:
        return same_group(program, event->thread, thread);
    case memory_scope_device:
        return same_device(program, event->thread, thread);
    case memory_scope_system:
        return true;
    default: /* nothing says which threads share a sub-group */
        return event->thread == thread;
    }
}

static bool is_in_space(const struct brute_execution *execution,
                        const struct brute_event *event, unsigned space)
{
    if (touches_memory(event)) {
        bool local = execution->program->locations[event->location].local;
        return (local ? WEIR_LOCAL : WEIR_GLOBAL) == space;
    }
    return (event->spaces & space) != 0;
}

/* ---- Sets ------------------------------------------------------------------------ */

static void include(brute_set *set, unsigned i, bool is_in)
{
    *set |= is_in ? brute_bit(i) : 0;
}

static void sort_event(struct brute_execution *execution, unsigned i)
{
    const struct brute_event *event = &execution->events[i];
    enum brute_event_kind kind = event->kind;
    memory_order order = event->order;
    bool memory = touches_memory(event), fences = kind == FENCES;
    bool is_sc = event->ordered && order == memory_order_seq_cst;
    bool is_both = is_sc || (event->ordered && order == memory_order_acq_rel);
    bool releases = is_both || (event->ordered && order == memory_order_release);
    bool acquires = is_both || (event->ordered && order == memory_order_acquire);
    include(&execution->IW, i, event->thread == BRUTE_THREADS);
    include(&execution->R, i, kind == READS);
    include(&execution->W, i, kind == WRITES);
    include(&execution->F, i, fences);
    include(&execution->M, i, memory);
    include(&execution->At, i, event->ordered);
    include(&execution->SC, i, is_sc);
    include(&execution->Rel, i, releases && (kind == WRITES || fences));
    include(&execution->Acq, i, acquires && (kind == READS || fences));
    include(&execution->barriers, i, kind == ENTERS || kind == EXITS);
    include(&execution->updates, i, event->pairs);
    include(&execution->declared, i,
            memory && execution->program->locations[event->location].atomic);
    for (unsigned space = WEIR_LOCAL; space <= WEIR_GLOBAL; space++) {
        include(&execution->space[space], i, is_in_space(execution, event, space));
    }
}

/* ---- Relations ------------------------------------------------------------------- */

static void relate_pair(struct brute_execution *execution, unsigned i, unsigned j)
{
    const struct brute_program *program = execution->program;
    const struct brute_event *a = &execution->events[i], *b = &execution->events[j];
    if (touches_memory(a) && touches_memory(b) && a->location == b->location) {
        relate(&execution->loc, i, j);
    }
    if (a->thread != b->thread) {
        relate(&execution->different, i, j);
    }
    if (a->thread == BRUTE_THREADS || b->thread == BRUTE_THREADS) {
        return;
    }
    if (i < j && a->thread == b->thread) {
        relate(&execution->sb, i, j);
    }
    if (meet(program, a, b)) {
        relate(&execution->bar, i, j);
    }
    if (covers(program, a, b->thread) && covers(program, b, a->thread)) {
        relate(&execution->strong, i, j);
        if (!program->placed || (a->ordered && b->ordered && a->scope == b->scope)) {
            relate(&execution->equal, i, j);
        }
    }
}

static void depend(struct relation *relation, unsigned start, uint32_t on, unsigned at)
{
    for (; on != 0; on &= on - 1) {
        relate(relation, start + (unsigned)__builtin_ctz(on), at);
    }
}

static void relate_event(struct brute_execution *execution, unsigned i)
{
    const struct brute_event *event = &execution->events[i];
    if (event->pairs) {
        relate(&execution->rmw, i - 1, i);
    }
    if (event->thread != BRUTE_THREADS) {
        unsigned start = execution->start[event->thread];
        depend(&execution->address, start, event->address, i);
        depend(&execution->data, start, event->data, i);
        depend(&execution->control, start, event->control, i);
    }
    for (unsigned j = 0; j < execution->n; j++) {
        relate_pair(execution, i, j);
    }
}

/* ---- Executions ------------------------------------------------------------------ */

/* Relations without pairs and sets without events. */
static void relate_nothing(struct brute_execution *execution)
{
    struct relation *all[]
        = { &execution->sb,      &execution->rmw,       &execution->loc,
            &execution->bar,     &execution->address,   &execution->data,
            &execution->control, &execution->different, &execution->strong,
            &execution->equal,   &execution->rf,        &execution->mo };
    for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        *all[i] = empty(execution->n);
    }
    brute_set *sets[]
        = { &execution->IW,       &execution->R,       &execution->W,
            &execution->F,        &execution->M,       &execution->At,
            &execution->Rel,      &execution->Acq,     &execution->SC,
            &execution->barriers, &execution->updates, &execution->declared,
            &execution->space[1], &execution->space[2] };
    for (unsigned i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        *sets[i] = 0;
    }
}

bool brute_place(struct brute_execution *execution, const struct brute_program *program,
                 const struct brute_trace *const *traces)
{
    execution->program = program;
    execution->n = 0;
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        if (program->locations[i].used) {
            execution->events[execution->n++]
                = (struct brute_event){ .kind = WRITES,
                                        .thread = BRUTE_THREADS,
                                        .location = i,
                                        .value = program->locations[i].initial };
        }
    }
    for (unsigned t = 0; t < program->n_threads; t++) {
        execution->start[t] = execution->n;
        if (execution->n + traces[t]->n_events > BRUTE_EVENTS) {
            return false;
        }
        for (unsigned i = 0; i < traces[t]->n_events; i++) {
            execution->events[execution->n++] = traces[t]->events[i];
        }
    }
    for (unsigned t = program->n_threads; t <= BRUTE_THREADS; t++) {
        execution->start[t] = execution->n;
    }
    relate_nothing(execution);
    for (unsigned i = 0; i < execution->n; i++) {
        sort_event(execution, i);
        relate_event(execution, i);
    }
    return true;
}
