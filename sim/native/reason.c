/* SPDX-License-Identifier: MIT
 *
 * reason.c: see reason.h. A race is explained by the property that its accesses lack to
 * be ordered. A wrong result, or a failed item, is explained by the first read that
 * does not get the newest value. A launch that does not end is explained by an item
 * that waits: by the reads in its loop, or by the item that does not reach its
 * barrier. */
#include "config.h"

#include "native/reason.h"

#include "answer/drawn.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_SPINNING = 3 }; /* items that a reason names */

static char *race_text(const struct weiri_shown *shown)
{
    uint32_t one = shown->one, other = shown->other;
    bool reads = shown->events[one].kind == WEIRI_READS_MEMORY
        || shown->events[other].kind == WEIRI_READS_MEMORY;
    uint32_t read = shown->events[one].kind == WEIRI_READS_MEMORY ? one : other;
    uint32_t write = read == one ? other : one;
    g_autofree char *why
        = weiri_drawn_why(&shown->execution, shown->model, one, other, true);
    g_autofree char *first = weiri_shown_line(shown, reads ? read : one);
    g_autofree char *second = weiri_shown_line(shown, reads ? write : other);
    bool early = reads && shown->sequence.step[read] < shown->sequence.step[write];
    return !reads ? g_strdup_printf("%s. So the value of %s or the value of %s may "
                                    "remain",
                                    why, first, second)
        : early   ? g_strdup_printf("%s. So %s may already read the value that %s "
                                      "writes",
                                    why, first, second)
                  : g_strdup_printf("%s. So %s may read a value from before %s", why,
                                    first, second);
}

static char *result_text(const struct weiri_shown *shown)
{
    const struct weiri_execution *execution = &shown->execution;
    for (uint32_t i = 0; i < execution->n_events; i++) {
        uint32_t read = shown->sequence.at[i], write = shown->sequence.newest[read];
        if (write == WEIRI_INITIAL) {
            continue;
        }
        const struct weiri_execution_event *event = &shown->events[read];
        g_autofree char *why
            = weiri_drawn_why(execution, shown->model, write, read, false);
        g_autofree char *reader = weiri_shown_name(shown, event->thread);
        g_autofree char *writer = weiri_shown_name(shown, shown->events[write].thread);
        g_autofree char *at = weiri_shown_line(shown, read);
        g_autofree char *from = weiri_shown_line(shown, write);
        return g_strdup_printf(
            "%s reads %s=%" PRId64 " (%s), and not the newest value, "
            "%" PRId64 ", which %s has written (%s): %s",
            reader, shown->locations[event->location].name, event->value, at,
            shown->events[write].value, writer, from, why);
    }
    return g_strdup("every read gets the newest value: the order of the items' steps "
                    "alone leads to it");
}

/* The reads that the item repeats: its latest @n events. */
static char *reads_text(const struct weiri_shown *shown, uint32_t thread, uint32_t n)
{
    uint32_t end = shown->execution.first[thread + 1];
    g_autoptr(GPtrArray) reads = g_ptr_array_new_with_free_func(g_free);
    n = MIN(n, end - shown->execution.first[thread]);
    for (uint32_t e = end - n; e < end; e++) {
        const struct weiri_execution_event *event = &shown->events[e];
        if (event->kind != WEIRI_READS_MEMORY) {
            continue;
        }
        g_autofree char *at = weiri_shown_line(shown, e);
        char *read
            = g_strdup_printf("%s=%" PRId64 " (%s)",
                              shown->locations[event->location].name, event->value, at);
        if (g_ptr_array_find_with_equal_func(reads, read, g_str_equal, NULL)) {
            g_free(read);
        } else {
            g_ptr_array_add(reads, read);
        }
    }
    g_ptr_array_add(reads, NULL);
    return g_strjoinv(" and ", (char **)reads->pdata);
}

static const struct weiri_native_node *end_of(const struct weiri_shown *shown,
                                              uint32_t thread)
{
    uint32_t node;
    memcpy(&node, shown->execution.states[thread], sizeof(node));
    return weiri_history_node(shown->native, node);
}

/* Groups that have started and have not ended, if there are others that have not
 * started; else 0. An execution that starves has the items of the former alone. */
static uint32_t count_resident(const struct weiri_shown *shown)
{
    uint32_t n_items = shown->native->machine.n_items, n = 0, last = UINT32_MAX;
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        if (end_of(shown, t)->step.kind != WEIRI_STEP_END && t / n_items != last) {
            last = t / n_items;
            n++;
        }
    }
    return shown->program.n_threads < shown->native->machine.n_threads ? n : 0;
}

/* Why nothing ends the loops: no item writes such a value, or none that may start. */
static void add_no_write(GString *text, const struct weiri_shown *shown,
                         const char *loops)
{
    uint32_t resident = count_resident(shown);
    if (resident == 0) {
        g_string_append_printf(text, "; no item writes a value that would end %s",
                               loops);
        return;
    }
    uint32_t n_items = shown->native->machine.n_items;
    uint32_t n_groups = shown->native->machine.n_threads / n_items;
    uint32_t waiting = n_groups - shown->program.n_threads / n_items;
    g_string_append_printf(text,
                           "; no group that has started writes a value that would end "
                           "%s, and %u of %u groups %s not started, because %u %s "
                           "resident",
                           loops, waiting, n_groups, waiting == 1 ? "has" : "have",
                           resident, resident == 1 ? "group is" : "groups are");
}

/* The first items that spin and read different things: of a deadlock of locks, the
 * items that hold them. */
static char *loop_text(const struct weiri_shown *shown)
{
    g_autoptr(GPtrArray) seen = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t t = 0; t < shown->program.n_threads && seen->len < MOST_SPINNING;
         t++) {
        const struct weiri_step *step = &end_of(shown, t)->step;
        if (step->kind != WEIRI_STEP_SPIN) {
            continue;
        }
        g_autofree char *name = weiri_shown_name(shown, t);
        char *reads = reads_text(shown, t, (uint32_t)step->value);
        if (reads[0] == '\0') {
            g_free(reads);
            return g_strdup_printf("%s repeats a loop in which it reads nothing", name);
        }
        if (g_ptr_array_find_with_equal_func(seen, reads, g_str_equal, NULL)) {
            g_free(reads);
            continue;
        }
        g_string_append_printf(text, "%s%s keeps reading %s",
                               seen->len > 0 ? ", and " : "", name, reads);
        g_ptr_array_add(seen, reads);
    }
    if (seen->len == 0) {
        return NULL;
    }
    add_no_write(text, shown, seen->len == 1 ? "this loop" : "one of these loops");
    return g_strdup(text->str);
}

/* The first item that waits at a barrier, and the first item that it waits for. */
static char *barrier_text(const struct weiri_shown *shown)
{
    const struct weiri_program_thread *threads = shown->program.threads;
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        const struct weiri_step *step = &end_of(shown, t)->step;
        for (uint32_t u = 0;
             u < shown->program.n_threads && step->kind == WEIRI_STEP_ENTER; u++) {
            const struct weiri_step *other = &end_of(shown, u)->step;
            bool member = step->scope == memory_scope_sub_group
                ? threads[u].sub_group == threads[t].sub_group
                : threads[u].group == threads[t].group;
            if (!member || u == t
                || (other->kind == WEIRI_STEP_ENTER && other->label == step->label)) {
                continue;
            }
            g_autofree char *name = weiri_shown_name(shown, t);
            g_autofree char *who = weiri_shown_name(shown, u);
            g_autofree char *at
                = weiri_shown_line(shown, shown->execution.first[t + 1] - 1);
            return g_strdup_printf("%s waits (%s) for %s, which %s", name, at, who,
                                   other->kind == WEIRI_STEP_END ? "has returned"
                                       : other->kind == WEIRI_STEP_ENTER
                                       ? "waits elsewhere"
                                       : "never arrives");
        }
    }
    return NULL;
}

char *weiri_reason(const struct weiri_shown *shown, enum weiri_shows shows)
{
    switch (shows) {
    case WEIRI_SHOWS_RACE:
        return race_text(shown);
    case WEIRI_SHOWS_RESULT:
    case WEIRI_SHOWS_FAULT:
        return result_text(shown);
    case WEIRI_SHOWS_LOOP:
        return loop_text(shown);
    case WEIRI_SHOWS_BARRIER:
        return barrier_text(shown);
    case WEIRI_SHOWS_ACCESSES:
        break;
    }
    return NULL;
}
