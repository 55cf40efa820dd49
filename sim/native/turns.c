/* SPDX-License-Identifier: MIT
 *
 * turns.c: see turns.h. Items stop before an operation, and a stop has the same number
 * in an exploration and in a deterministic launch, where it is counted from the item's
 * start. So the events of an execution, one after the other, are turns: an item that
 * has made the operation of its n-th stop is at its stop n + 1. At a barrier it waits,
 * which is a stop of its own: there it is at stop n.
 *
 *      sequence    stop    turns
 *      W x    0.0     1    0.0:2     item 0 of group 0 makes one step
 *      R x    1.0     1
 *      W y    1.0     2    1.0:3
 *      R y    0.0     2    0.0       and the rest in order
 *
 * When a barrier releases its items, the first one in order goes on, and not the one
 * that arrived last. So a turn ends at a barrier, and another one begins.
 *
 * The stops of an item in between, at memory that it alone accesses, concern no other
 * item. Steps after the last event do not concern the finding. */
#include "config.h"

#include "native/turns.h"

#include <inttypes.h>

/* Turns, as they are added. */
struct turns {
    GString *text;
    uint32_t thread; /* that has the latest turn, or WEIRI_INITIAL */
    bool at_barrier; /* that thread has reached it */
    uint64_t *stops; /* by thread: where it is; 0: it has not started */
};

/* The thread's turn ends here. */
static void end_turn(struct turns *turns)
{
    if (turns->thread != WEIRI_INITIAL) {
        g_string_append_printf(turns->text, ":%" PRIu64 " ",
                               turns->stops[turns->thread]);
    }
}

/* The thread makes the event, unless it has done so on the way to its latest stop. */
static void make(const struct weiri_shown *shown, struct turns *turns,
                 const struct weiri_execution_event *event)
{
    uint32_t n_items = shown->native->machine.n_items, thread = event->thread;
    bool enters = event->kind == WEIRI_ENTERS;
    uint64_t stop = weiri_history_request(shown->native, event->place)->stop + !enters;
    if (turns->stops[thread] < stop && (thread != turns->thread || turns->at_barrier)) {
        end_turn(turns);
        g_string_append_printf(turns->text, "%u.%u", thread / n_items,
                               thread % n_items);
        turns->thread = thread;
        turns->at_barrier = false;
    }
    turns->at_barrier |= enters && thread == turns->thread;
    turns->stops[thread] = MAX(turns->stops[thread], stop);
}

/* Whether the read is of a compare-exchange that fails although it reads what it
 * expects. */
static bool fails_weakly(const struct weiri_shown *shown, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    const struct weiri_atomic_op *op
        = &weiri_history_request(shown->native, of->place)->atomic;
    if (of->kind != WEIRI_READS_MEMORY || !of->atomic || of->update || !op->weak
        || op->kind != WEIRI_ATOMIC_COMPARE_EXCHANGE) {
        return false;
    }
    uint64_t bits
        = op->bytes < sizeof(uint64_t) ? (1ull << (8 * op->bytes)) - 1 : UINT64_MAX;
    return (((uint64_t)of->value ^ op->expected) & bits) == 0;
}

/* The reason why the event cannot be a step of its item, or NULL. */
static char *obstacle(const struct weiri_shown *shown, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    bool stale = shown->sequence.newest[event] != WEIRI_INITIAL;
    bool weak = fails_weakly(shown, event);
    if (!stale && !weak) {
        return NULL;
    }
    g_autofree char *name = weiri_shown_name(shown, of->thread);
    g_autofree char *line = weiri_shown_line(shown, event);
    return stale
        ? g_strdup_printf("%s reads %s=%" PRId64 " (%s), not the newest value, %" PRId64
                          ", and no order of turns gives all values that are read",
                          name, shown->locations[of->location].name, of->value, line,
                          shown->events[shown->sequence.newest[event]].value)
        : g_strdup_printf(
            "the weak compare-exchange of %s fails (%s) although it reads the expected "
            "value, and no order of turns gives that",
            name, line);
}

char *weiri_turns_text(const struct weiri_shown *shown, const struct weiri_kept *race,
                       char **why_none)
{
    uint32_t n = shown->execution.n_events;
    for (uint32_t i = 0; i < n; i++) {
        *why_none = obstacle(shown, shown->sequence.at[i]);
        if (*why_none != NULL) {
            return NULL;
        }
    }
    if (!shown->sequence.interleaved) {
        *why_none = g_strdup("no order of turns gives the order of its writes");
        return NULL;
    }
    g_autofree uint64_t *stops = g_new0(uint64_t, shown->program.n_threads);
    struct turns turns = { g_string_new(NULL), WEIRI_INITIAL, false, stops };
    for (uint32_t i = 0; i < n; i++) {
        const struct weiri_execution_event *event
            = &shown->events[shown->sequence.at[i]];
        if (event->kind != WEIRI_EXITS) {
            make(shown, &turns, event);
        }
    }
    if (race != NULL) {
        make(shown, &turns, &race->execution->events[race->one]);
        make(shown, &turns, &race->execution->events[race->other]);
    }
    return g_string_free(turns.text, FALSE);
}
