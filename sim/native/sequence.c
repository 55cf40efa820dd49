/* SPDX-License-Identifier: MIT
 *
 * sequence.c: see sequence.h. At most one event per thread may come next. The order
 * takes one that makes no read stale: a read of the newest value, or a write that is
 * next in modification order when no read of an older value is left. If every read can
 * get the newest value, program order, reads-from, modification order, reads-before and
 * barriers have no cycle together; then there is always such an event. Otherwise the
 * write is taken that makes the fewest reads stale.
 *
 * A thread goes on as long as it can, so that the order is easy to read. */
#include "config.h"

#include "native/sequence.h"

#include <glib.h>

struct work {
    const struct weiri_execution *execution;
    struct weiri_sequence *sequence;
    bool *placed;     /* by event */
    uint32_t *next;   /* by thread: its next event */
    uint32_t *newest; /* by location: the newest write, or WEIRI_INITIAL */
    uint32_t n;       /* events in the order */
};

static const struct weiri_execution_event *event_at(const struct work *work,
                                                    uint32_t event)
{
    return &work->execution->events[event];
}

/* The place of a write among the writes of its location, from 1; 0 for
 * WEIRI_INITIAL. */
static uint32_t place_of(const struct work *work, uint32_t write)
{
    return write == WEIRI_INITIAL ? 0 : event_at(work, write)->position + 1;
}

static bool is_ready(const struct work *work, uint32_t event)
{
    const struct weiri_execution_event *of = event_at(work, event);
    if (of->kind == WEIRI_READS_MEMORY) {
        return of->from == WEIRI_INITIAL || work->placed[of->from];
    }
    for (uint32_t e = 0; e < work->execution->n_events && of->kind == WEIRI_EXITS;
         e++) {
        if (!work->placed[e]
            && weiri_event_meets(work->execution->program->threads, event_at(work, e),
                                 of)) {
            return false;
        }
    }
    return true;
}

/* A read that is stale in any order of the rest. */
static bool is_lost(const struct work *work, uint32_t read)
{
    const struct weiri_execution_event *of = event_at(work, read);
    return place_of(work, of->from) < place_of(work, work->newest[of->location]);
}

/* How much harm the write does now: the reads that become stale, and the writes that
 * should be before it. @own: the read of the same read-modify-write, or itself */
static uint32_t harm_of_write(const struct work *work, uint32_t write, uint32_t own)
{
    const struct weiri_execution_event *of = event_at(work, write);
    uint32_t place = of->position + 1, harm = 0;
    for (uint32_t e = 0; e < work->execution->n_events; e++) {
        const struct weiri_execution_event *other = event_at(work, e);
        if (work->placed[e] || e == own || e == write || !weiri_event_is_access(other)
            || other->location != of->location
            || weiri_event_mo_place(work->execution->events, other) >= place) {
            continue;
        }
        harm += other->kind == WEIRI_WRITES_MEMORY ? work->execution->n_events
            : is_lost(work, e)                     ? 0
                                                   : 1;
    }
    return harm;
}

/* Whether the event is the read of a read-modify-write that writes. */
static bool is_update(const struct work *work, uint32_t event)
{
    return event_at(work, event)->kind == WEIRI_READS_MEMORY
        && event_at(work, event)->update && event + 1 < work->execution->n_events
        && event_at(work, event + 1)->update
        && event_at(work, event + 1)->thread == event_at(work, event)->thread;
}

static uint32_t harm_of(const struct work *work, uint32_t event)
{
    return event_at(work, event)->kind == WEIRI_WRITES_MEMORY
        ? harm_of_write(work, event, event)
        : is_update(work, event) ? harm_of_write(work, event + 1, event)
                                 : 0;
}

/* The event that is next. */
static uint32_t choose(const struct work *work, uint32_t latest)
{
    uint32_t best = WEIRI_INITIAL, least = UINT32_MAX;
    uint32_t n_threads = work->execution->program->n_threads;
    for (uint32_t i = 0; i <= n_threads; i++) {
        uint32_t t = i == 0 ? latest : i - 1; /* the thread that goes on comes first */
        uint32_t e = work->next[t];
        if (e < work->execution->first[t + 1] && is_ready(work, e)) {
            uint32_t harm = harm_of(work, e);
            if (harm < least) {
                best = e;
                least = harm;
            }
            if (least == 0) {
                break;
            }
        }
    }
    return best;
}

/* The next event of the first thread that has one. No event can come next where reads
 * and writes are in a cycle, by load buffering: then one of the reads does, before the
 * write that it reads. */
static uint32_t first_left(const struct work *work)
{
    uint32_t t = 0;
    while (work->next[t] == work->execution->first[t + 1]) {
        t++;
    }
    return work->next[t];
}

static void take(struct work *work, uint32_t event)
{
    const struct weiri_execution_event *of = event_at(work, event);
    struct weiri_sequence *sequence = work->sequence;
    sequence->at[work->n] = event;
    sequence->step[event] = work->n++;
    work->placed[event] = true;
    work->next[of->thread]++;
    if (of->kind == WEIRI_READS_MEMORY && is_lost(work, event)) {
        sequence->newest[event] = work->newest[of->location];
        sequence->interleaved = false;
    } else if (of->kind == WEIRI_WRITES_MEMORY) {
        uint32_t *newest = &work->newest[of->location];
        sequence->interleaved
            = sequence->interleaved && place_of(work, *newest) == of->position;
        *newest = place_of(work, *newest) < of->position + 1 ? event : *newest;
    }
}

void weiri_sequence_init(struct weiri_sequence *sequence,
                         const struct weiri_execution *execution)
{
    uint32_t n = execution->n_events, n_threads = execution->program->n_threads;
    uint32_t n_locations = execution->program->n_locations;
    g_autofree bool *placed = g_new0(bool, n + 1);
    g_autofree uint32_t *next
        = g_memdup2(execution->first, (n_threads + 1) * sizeof(uint32_t));
    g_autofree uint32_t *newest = g_new(uint32_t, n_locations + 1);
    struct work work = { execution, sequence, placed, next, newest, 0 };
    for (uint32_t i = 0; i < n_locations; i++) {
        newest[i] = WEIRI_INITIAL;
    }
    *sequence
        = (struct weiri_sequence){ g_new0(uint32_t, n + 1), g_new0(uint32_t, n + 1),
                                   g_new(uint32_t, n + 1), true };
    for (uint32_t e = 0; e < n; e++) {
        sequence->newest[e] = WEIRI_INITIAL;
    }
    for (uint32_t latest = 0; work.n < n;) {
        uint32_t event = choose(&work, latest);
        if (event == WEIRI_INITIAL) {
            event = first_left(&work);
            sequence->interleaved = false;
        }
        latest = event_at(&work, event)->thread;
        bool whole = is_update(&work, event);
        take(&work, event);
        if (whole) {
            take(&work, event + 1);
        }
    }
}

void weiri_sequence_clear(struct weiri_sequence *sequence)
{
    g_free(sequence->at);
    g_free(sequence->step);
    g_free(sequence->newest);
}
