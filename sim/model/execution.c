/* SPDX-License-Identifier: MIT
 *
 * execution.c: copies of executions, and their order. A copy owns its events, and
 * refers to the program as the original does. The order compares events one by one:
 * thread, kind, value, and then the place of a write or the source of a read. It rests
 * on no address, so that it is the same in each process. */
#include "config.h"

#include "model/execution.h"

#include <glib.h>
#include <string.h>

struct weiri_execution *weiri_execution_copy(const struct weiri_execution *execution)
{
    const struct weiri_program *program = execution->program;
    struct weiri_execution *copy = g_new(struct weiri_execution, 1);
    uint32_t n_threads = program->n_threads;
    const void **states = g_new(const void *, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        states[t] = g_memdup2(execution->states[t], program->state_bytes);
    }
    *copy = (struct weiri_execution){
        .program = program,
        .n_events = execution->n_events,
        .events = g_memdup2(execution->events,
                            execution->n_events * sizeof(*execution->events)),
        .first
        = g_memdup2(execution->first, (n_threads + 1) * sizeof(*execution->first)),
        .states = states,
        .memory = g_memdup2(execution->memory,
                            program->n_locations * sizeof(*execution->memory)),
    };
    return copy;
}

void weiri_execution_free(struct weiri_execution *execution)
{
    if (execution == NULL) {
        return;
    }
    for (uint32_t t = 0; t < execution->program->n_threads; t++) {
        g_free((void *)execution->states[t]);
    }
    g_free((void *)execution->states);
    g_free((void *)execution->events);
    g_free((void *)execution->first);
    g_free((void *)execution->memory);
    g_free(execution);
}

static bool is_plain_read(const struct weiri_execution_event *event)
{
    return event->kind == WEIRI_READS_MEMORY && !event->atomic;
}

uint32_t weiri_execution_kept(const struct weiri_execution *execution, uint32_t event)
{
    const struct weiri_execution_event *read = &execution->events[event];
    uint32_t kept = WEIRI_INITIAL;
    bool acquires = false;
    for (uint32_t e = event;
         is_plain_read(read) && e-- > execution->first[read->thread];) {
        const struct weiri_execution_event *before = &execution->events[e];
        bool same = weiri_event_is_access(before) && before->location == read->location;
        bool reads = before->kind == WEIRI_READS_MEMORY;
        if (!weiri_event_is_access(before) || (same && !reads)
            || (same && is_plain_read(before) && before->from != read->from)) {
            break;
        }
        acquires |= reads && before->atomic && weiri_step_acquires(before->order);
        kept = same && is_plain_read(before) && acquires ? e : kept;
    }
    return kept;
}

/* Who meets at the barrier. */
static int meets_at(const struct weiri_execution_event *entry)
{
    if ((entry->traits.flags & WEIRI_TRAIT_STATED) != 0) {
        return entry->traits.meets;
    }
    return entry->scope == memory_scope_sub_group ? memory_scope_sub_group
                                                  : memory_scope_work_group;
}

bool weiri_event_gathers(const struct weiri_program_thread *threads,
                         const struct weiri_execution_event *entry, uint32_t thread)
{
    const struct weiri_program_thread *one = &threads[entry->thread];
    const struct weiri_program_thread *other = &threads[thread];
    switch (meets_at(entry)) {
    case memory_scope_sub_group:
        return one->sub_group == other->sub_group;
    case WEIRI_SCOPE_CLUSTER:
        return one->cluster == other->cluster;
    case memory_scope_device:
        return one->device == other->device;
    case memory_scope_system:
        return true;
    default:
        return one->group == other->group;
    }
}

bool weiri_event_meets(const struct weiri_program_thread *threads,
                       const struct weiri_execution_event *entry,
                       const struct weiri_execution_event *exit)
{
    bool stated = (entry->traits.flags & WEIRI_TRAIT_STATED) != 0;
    return entry->kind == WEIRI_ENTERS && exit->kind == WEIRI_EXITS
        && entry->thread != exit->thread
        && weiri_event_gathers(threads, entry, exit->thread)
        && entry->label == exit->label && entry->value == exit->value
        && (!stated || entry->position == exit->position)
        && (entry->traits.flags & WEIRI_TRAIT_LATE) == 0;
}

/* ---- Order ----------------------------------------------------------------------- */

static int compare(uint64_t one, uint64_t other)
{
    return (one > other) - (one < other);
}

int weiri_event_compare(const struct weiri_execution_event *one,
                        const struct weiri_execution_event *other)
{
    int order = compare(one->thread, other->thread);
    order = order != 0 ? order : compare(one->kind, other->kind);
    if (order != 0 || one->kind > WEIRI_WRITES_MEMORY) {
        return order;
    }
    order = (one->value > other->value) - (one->value < other->value);
    if (order == 0 && one->kind == WEIRI_WRITES_MEMORY) {
        return compare(one->position, other->position);
    }
    /* The initial value sorts before all writes. */
    return order != 0 ? order : compare(one->from + 1u, other->from + 1u);
}

int weiri_execution_compare(const struct weiri_execution *one,
                            const struct weiri_execution *other)
{
    int order = compare(one->n_events, other->n_events);
    for (uint32_t e = 0; order == 0 && e < one->n_events; e++) {
        order = weiri_event_compare(&one->events[e], &other->events[e]);
    }
    return order;
}
