/* SPDX-License-Identifier: MIT
 *
 * causes.c: findings that have one cause, where no fix shows it. A race of two plain
 * accesses may come with an atomic read that should order the two but is too weak, or
 * reads a write that is too weak, in its order or scope. The missing release of a lock
 * is such a case: all that the lock guards races. Runs that have shown a finding are
 * made again with the order that is missing. The findings that they no longer show have
 * this one cause. A finding that they still show is a defect of its own.
 *
 * Invariant: an order in place of the source's order changes no schedule, so the runs
 * differ in nothing else. */
#include "config.h"

#include "repair/fixes.h"

#include "cli/child.h"
#include "finding/identity.h"

#include <string.h>

/* Causes that are tried, and runs for each. */
enum { MOST_CAUSES = 4, MOST_RUNS = 12 };

static bool is_open(const struct weiri_cli_found *found)
{
    return !found->finding->note && !found->known && found->suppression == NULL
        && found->leader == NULL && !found->leads;
}

static bool shows(const struct weiri_cli_run_result *run,
                  const struct weiri_cli_found *found)
{
    const struct weir_finding *finding;
    size_t launch;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        if (weiri_finding_compare(finding, found->finding, WEIRI_IDENTITY_PLACES)
            == 0) {
            return true;
        }
    }
    return false;
}

/* One of the runs that have shown a finding, made again with the change; a run with the
 * same name and seed is made once. Returns: (nullable): it is one of @runs; %NULL if it
 * decides nothing */
static const struct weiri_cli_run_result *run_with(
    const struct weiri_cli_verdict *verdict, const struct weiri_cli_summary *shown,
    const char *cause, GPtrArray *runs)
{
    struct weiri_cli_run_result *run = NULL;
    for (guint i = 0; run == NULL && i < runs->len; i++) {
        struct weiri_cli_run_result *made = g_ptr_array_index(runs, i);
        bool same
            = strcmp(made->schedule, shown->schedule) == 0 && made->seed == shown->seed;
        run = same ? made : NULL;
    }
    if (run == NULL && runs->len < MOST_RUNS) {
        struct weiri_cli_check check = *verdict->check;
        check.options.order = (char *)cause;
        const struct weiri_cli_run_options options
            = { .schedule = shown->schedule, .seed = shown->seed };
        run = weiri_cli_run_once(&check, &verdict->subject, &options);
        g_ptr_array_add(runs, run);
    }
    return run != NULL && run->error == NULL && run->incomplete == NULL ? run : NULL;
}

/* Whether the change removes a finding in the runs that are made again: the first two
 * and the last. In one of them other accesses may order it by chance. */
static bool removes(const struct weiri_cli_verdict *verdict,
                    const struct weiri_cli_found *found, const char *cause,
                    GPtrArray *runs)
{
    guint last = found->runs->len - 1;
    const guint which[] = { 0, MIN(1, last), last };
    bool gone = true;
    for (size_t i = 0; gone && i < G_N_ELEMENTS(which); i++) {
        const struct weiri_cli_run_result *run = run_with(
            verdict, weiri_cli_shown_run(verdict, found, which[i]), cause, runs);
        gone = run != NULL && !shows(run, found);
    }
    return gone;
}

/* Returns: the open findings that the change removes */
static GPtrArray *removed_by(const struct weiri_cli_verdict *verdict, const char *cause)
{
    GPtrArray *removed = g_ptr_array_new();
    g_autoptr(GPtrArray) runs
        = g_ptr_array_new_with_free_func((GDestroyNotify)weiri_cli_run_unref);
    for (guint i = 0; i < verdict->found->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (is_open(found) && removes(verdict, found, cause, runs)) {
            g_ptr_array_add(removed, found);
        }
    }
    return removed;
}

/* Puts what the cause of @leader removes under it. */
static void group(const struct weiri_cli_verdict *verdict,
                  struct weiri_cli_found *leader)
{
    g_autoptr(GPtrArray) removed = removed_by(verdict, leader->finding->cause);
    if (removed->len < 2 || !g_ptr_array_find(removed, leader, NULL)) {
        return;
    }
    for (guint i = 0; i < removed->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(removed, i);
        found->leader = found != leader ? leader : NULL;
    }
    leader->leads = true;
}

void weiri_cli_fixes_group(struct weiri_cli_verdict *verdict)
{
    const struct weiri_cli_check *check = verdict->check;
    g_autoptr(GPtrArray) tried = g_ptr_array_new();
    if (verdict->fix != NULL || check->options.order != NULL || check->shrunk != NULL) {
        return;
    }
    for (guint i = 0; i < verdict->found->len && tried->len < MOST_CAUSES; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        const char *cause = found->finding->cause;
        size_t n_open = 0;
        for (guint k = 0; k < verdict->found->len; k++) {
            n_open += is_open(g_ptr_array_index(verdict->found, k));
        }
        if (n_open > 1 && is_open(found) && cause != NULL && !weiri_cli_interrupted()
            && !g_ptr_array_find_with_equal_func(tried, cause, g_str_equal, NULL)) {
            g_ptr_array_add(tried, (void *)cause);
            group(verdict, found);
        }
    }
}
