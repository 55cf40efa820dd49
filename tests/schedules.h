/* SPDX-License-Identifier: MIT
 *
 * schedules.h: the deterministic schedules that the tests run under, and how a
 * launch under one of them is made and named. */
#ifndef WEIR_TESTS_SCHEDULES_H
#define WEIR_TESTS_SCHEDULES_H

#include "support.h"

/* A schedule and a seed. */
struct order {
    const char *schedule;
    uint64_t seed;
};

static const struct order orders[] __attribute__((unused)) = {
    { "in-order", 0 }, { "reverse", 0 }, { "round-robin", 0 }, { "random", 1 },
    { "random", 20 },  { "pct:1", 5 },   { "pct:3", 11 },
};
enum { N_ORDERS = G_N_ELEMENTS(orders) };

/* Options of a launch under @order_; more of them may follow. */
#define UNDER(order_, ...)                                                             \
    (&(struct weir_launch_options){                                                    \
        .schedule = (order_)->schedule, .seed = (order_)->seed, __VA_ARGS__ })

/* For a failure's text: which launch it was. */
TEST_HELPER const char *order_name(const struct order *order)
{
    static char name[64];
    g_snprintf(name, sizeof(name), "schedule %s, seed %" G_GUINT64_FORMAT,
               order->schedule, order->seed);
    return name;
}

/* Takes a report that must hold nothing. */
TEST_HELPER void expect_quiet(struct weir_report *report,
                              const struct weir_kernel *kernel,
                              const struct order *order, size_t local)
{
    const char *incomplete = weir_report_incomplete(report);
    if (weir_report_n_findings(report) != 0 || incomplete != NULL) {
        char *text = weir_report_to_text(report);
        ck_abort_msg("kernel '%s' in groups of %zu under %s should draw nothing, but "
                     "(%s):\n%s",
                     kernel->name, local, order_name(order),
                     incomplete != NULL ? incomplete : "complete", text);
    }
    weir_report_free(report);
}

/* Local ids below @n for which @holds, as a party's items are written: "0-4,7". */
TEST_HELPER char *ranges_of(bool (*holds)(size_t i, size_t n), size_t n)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < n; i++) {
        if (!holds(i, n)) {
            continue;
        }
        size_t end = i;
        while (end + 1 < n && holds(end + 1, n)) {
            end++;
        }
        g_string_append_printf(text, "%s%zu", text->len > 0 ? "," : "", i);
        if (end > i) {
            g_string_append_printf(text, "-%zu", end);
        }
        i = end;
    }
    return g_string_free(text, FALSE);
}

/* Numbers in "0-4,7". */
TEST_HELPER size_t count_ranges(const char *ranges)
{
    size_t n = 0;
    for (const char *at = ranges; *at != '\0';) {
        char *end;
        unsigned long long first = strtoull(at, &end, 10), last = first;
        ck_assert_msg(end != at, "no ranges of numbers: '%s'", ranges);
        if (*end == '-') {
            at = end + 1;
            last = strtoull(at, &end, 10);
        }
        ck_assert_msg(last >= first && (*end == ',' || *end == '\0'),
                      "no ranges of numbers: '%s'", ranges);
        n += last - first + 1;
        at = *end == ',' ? end + 1 : end;
    }
    return n;
}

/* Whether @text names a line of this file: ends in, or goes on after, "file.c:LINE". */
TEST_HELPER void expect_names_line(const char *text, const char *file, uint32_t line)
{
    const char *base = strrchr(file, '/');
    g_autofree char *part = g_strdup_printf("%s:%" G_GUINT32_FORMAT,
                                            base != NULL ? base + 1 : file, line);
    ck_assert_ptr_nonnull(text);
    const char *at = strstr(text, part);
    ck_assert_msg(at != NULL && !g_ascii_isdigit(at[strlen(part)]),
                  "'%s' is not in: %s", part, text);
}

/* The one party in @state. */
TEST_HELPER const struct weir_party *party_in_state(const struct weir_finding *finding,
                                                    const char *state)
{
    const struct weir_party *found = NULL;
    for (size_t i = 0; i < finding->n_parties; i++) {
        if (strcmp(weir_state_name(finding->parties[i].state), state) == 0) {
            ck_assert_msg(found == NULL, "two parties are %s: %s", state,
                          finding->message);
            found = &finding->parties[i];
        }
    }
    ck_assert_msg(found != NULL, "no party is %s: %s", state, finding->message);
    return found;
}

#endif
