/* SPDX-License-Identifier: MIT
 *
 * litmus-blocked.c: texts for executions that do not end, and for tests without any
 * execution that counts. */
#include "config.h"

#include "show/litmus.h"

#include <inttypes.h>

/* Appends "2 are blocked"; nothing if @n is 0. */
static void add_count(GString *text, const char *before, uint64_t n, const char *what)
{
    if (n > 0) {
        g_string_append_printf(text, "%s%" PRIu64 " %s %s", before, n,
                               n == 1 ? "is" : "are", what);
    }
}

char *weiri_litmus_nothing_counts(const struct weir_litmus_verdict *verdict)
{
    if (verdict->positive + verdict->negative > 0) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    uint64_t all = verdict->executions;
    const char *next = "; ";
    if (all > 0) {
        g_string_append_printf(text,
                               "the filter leaves out %s%" PRIu64 " execution%s%s",
                               all == 1 ? "the " : "all ", all, all == 1 ? "" : "s",
                               verdict->blocked == 0 ? ""
                                   : all == 1        ? " that ends"
                                                     : " that end");
    } else if (verdict->blocked + verdict->cut > 0) {
        g_string_append(text, "no execution ends");
        next = ": ";
    } else {
        g_string_append(text, "no execution has been found");
    }
    add_count(text, next, verdict->blocked, "blocked");
    add_count(text, verdict->blocked > 0 ? ", " : next, verdict->cut, "cut");
    return g_string_free(text, FALSE);
}

char *weiri_litmus_blocked_text(const struct weir_litmus *test,
                                const struct weir_litmus_blocked *blocked)
{
    bool faults = blocked->why == WEIR_LITMUS_FAULTED;
    uint32_t n_threads = (uint32_t)weir_litmus_n_threads(test), n = 0;
    g_autoptr(GString) names = g_string_new(NULL);
    for (uint32_t t = n_threads; t-- > 0;) {
        enum weir_litmus_end end = blocked->threads[t].end;
        if (end == WEIR_LITMUS_FAULTED || (!faults && end != WEIR_LITMUS_ENDED)) {
            g_autofree char *name = g_strdup_printf("P%u%s", t,
                                                    n == 0       ? ""
                                                        : n == 1 ? " and "
                                                                 : ", ");
            g_string_prepend(names, name);
            n++;
        }
    }
    return g_strdup_printf("%s %s", names->str,
                           !faults      ? n == 1 ? "waits for ever" : "wait for ever"
                               : n == 1 ? "faults"
                                        : "fault");
}
