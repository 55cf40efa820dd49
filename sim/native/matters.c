/* SPDX-License-Identifier: MIT
 *
 * matters.c: see matters.h. Each event gets a rank: how close it is to the failure.
 * Ranks are taken in this order, each as a whole, until one has more lines than there
 * is room for. Ranks after ALIKE are taken only while the text is very short. If the
 * first rank alone is too large, its latest events are taken. */
#include "config.h"

#include "native/matters.h"

#include <string.h>

/* Lines of text: an execution fits on a screen with the rest of its finding. */
enum { MOST_LINES = 18 };
/* With this many lines, ranks after ALIKE are left out. */
enum { ENOUGH_LINES = 6 };

/* How close an event is to the failure; 0 is closest. */
enum rank { ENDS, MESSAGES, ATOMICS, ALIKE, BARRIERS, SHARED, REST, NEVER };

static bool crosses(const struct weiri_shown *shown, uint32_t read)
{
    const struct weiri_execution_event *event = &shown->events[read];
    return event->kind == WEIRI_READS_MEMORY && event->from != WEIRI_INITIAL
        && shown->events[event->from].thread != event->thread;
}

static void set_rank(enum rank *ranks, uint32_t event, enum rank rank)
{
    ranks[event] = MIN(ranks[event], rank);
}

static void rank_end(const struct weiri_shown *shown, enum rank *ranks, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    set_rank(ranks, event, ENDS);
    if (of->kind == WEIRI_READS_MEMORY && of->from != WEIRI_INITIAL) {
        set_rank(ranks, of->from, MESSAGES);
    }
}

/* The last event of each item that has not returned; or that has failed. */
static void rank_stuck(const struct weiri_shown *shown, enum rank *ranks, bool failed)
{
    const struct weiri_execution *execution = &shown->execution;
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        uint32_t node;
        memcpy(&node, execution->states[t], sizeof(node));
        if (execution->first[t + 1] > execution->first[t]
            && (failed ? weiri_history_request(shown->native, node)->kind
                        == WEIRI_REQUEST_FAULT
                       : weiri_history_request(shown->native, node)->kind
                        != WEIRI_REQUEST_END)) {
            rank_end(shown, ranks, execution->first[t + 1] - 1);
        }
    }
}

/* Accesses to the same objects as those at the end. */
static void rank_alike(const struct weiri_shown *shown, enum rank *ranks)
{
    uint32_t n = shown->execution.n_events;
    for (uint32_t e = 0; e < n; e++) {
        const struct weiri_execution_event *end = &shown->events[e];
        for (uint32_t o = 0; o < n && ranks[e] == ENDS && weiri_event_is_access(end);
             o++) {
            const struct weiri_execution_event *other = &shown->events[o];
            if (weiri_event_is_access(other)
                && shown->objects[other->location] == shown->objects[end->location]) {
                set_rank(ranks, o, ALIKE);
            }
        }
    }
}

/* Barriers between two accesses that race do not order them. */
static void rank_barriers(const struct weiri_shown *shown, enum rank *ranks,
                          uint32_t one, uint32_t other)
{
    const struct weiri_program_thread *threads = shown->program.threads;
    uint32_t end = shown->first[shown->events[one].thread + 1];
    for (uint32_t e = one + 1; e < end; e++) {
        for (uint32_t x = shown->first[shown->events[other].thread]; x < other; x++) {
            if (weiri_event_meets(threads, &shown->events[e], &shown->events[x])) {
                set_rank(ranks, e, MESSAGES);
                set_rank(ranks, x - 1, MESSAGES); /* its entry */
            }
        }
    }
}

static enum rank *rank_all(const struct weiri_shown *shown, enum weiri_shows shows)
{
    uint32_t n = shown->execution.n_events;
    enum rank *ranks = g_new(enum rank, n + 1);
    for (uint32_t e = 0; e < n; e++) {
        const struct weiri_execution_event *event = &shown->events[e];
        ranks[e] = event->kind == WEIRI_EXITS    ? NEVER
            : event->kind == WEIRI_ENTERS        ? BARRIERS
            : event->kind == WEIRI_FENCES        ? ATOMICS
            : event->atomic && crosses(shown, e) ? MESSAGES
            : event->atomic                      ? ATOMICS
            : crosses(shown, e)                  ? SHARED
                                                 : REST;
    }
    for (uint32_t e = 0; e < n; e++) {
        if (crosses(shown, e)) {
            set_rank(ranks, shown->events[e].from,
                     shown->events[e].atomic ? MESSAGES : SHARED);
        }
        if (shown->sequence.newest[e] != WEIRI_INITIAL) {
            rank_end(shown, ranks, e);
            set_rank(ranks, shown->sequence.newest[e], ENDS);
        }
    }
    if (shows == WEIRI_SHOWS_RACE) {
        rank_end(shown, ranks, shown->one);
        rank_end(shown, ranks, shown->other);
        rank_barriers(shown, ranks, shown->one, shown->other);
        rank_barriers(shown, ranks, shown->other, shown->one);
    } else if (shows != WEIRI_SHOWS_RESULT) {
        rank_stuck(shown, ranks, shows == WEIRI_SHOWS_FAULT);
    }
    rank_alike(shown, ranks);
    for (uint32_t e = 0; e + 1 < n; e++) { /* both halves are one line */
        if (shown->events[e].update && shown->events[e].kind == WEIRI_READS_MEMORY
            && shown->events[e + 1].update) {
            ranks[e] = ranks[e + 1] = MIN(ranks[e], ranks[e + 1]);
        }
    }
    return ranks;
}

static bool is_line(const struct weiri_shown *shown, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    return !(of->update && of->kind == WEIRI_WRITES_MEMORY);
}

void weiri_matters_mark(const struct weiri_shown *shown, enum weiri_shows shows,
                        bool *matters)
{
    g_autofree enum rank *ranks = rank_all(shown, shows);
    uint32_t n = shown->execution.n_events, n_lines = 0;
    for (int rank = ENDS; rank < NEVER && (rank <= ALIKE || n_lines < ENOUGH_LINES);
         rank++) {
        uint32_t more = 0;
        for (uint32_t e = 0; e < n; e++) {
            more += (int)ranks[e] == rank && is_line(shown, e);
        }
        if (n_lines + more > MOST_LINES && n_lines > 0) {
            break;
        }
        for (uint32_t i = n; i-- > 0;) { /* from the latest step */
            uint32_t e = shown->sequence.at[i];
            if ((int)ranks[e] == rank && (n_lines < MOST_LINES || !is_line(shown, e))) {
                matters[e] = true;
                n_lines += is_line(shown, e);
            }
        }
    }
}
