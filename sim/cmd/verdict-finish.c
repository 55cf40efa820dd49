/* SPDX-License-Identifier: MIT
 *
 * verdict-finish.c: the end of a command: known findings are marked, fixes are tried
 * for the others (fixes.c), and verdicts are counted, printed and written to files.
 * They give the exit status.
 *
 * The status is the worst of all verdicts: a finding outweighs a program that failed by
 * itself, since it may be the reason for that, and this one outweighs a run that was
 * not complete. */
#include "config.h"

#include "repair/fixes.h"

#include <stdio.h>

/* Whether every run that was made ended by itself. */
static bool is_complete(GPtrArray *verdicts)
{
    for (guint i = 0; i < verdicts->len; i++) {
        const struct weiri_cli_summary *run;
        if (weiri_cli_verdict_incomplete(g_ptr_array_index(verdicts, i), &run)
            != NULL) {
            return false;
        }
    }
    return true;
}

/* A program that is stopped before it launches anything is incomplete, not silent. A
 * check that could not see all accesses is incomplete, too. */
static int status_of(const struct weiri_cli_totals *totals, size_t ended_early)
{
    bool incomplete = totals->n_incomplete > 0 || ended_early > 0;
    if (totals->n_counted > 0) {
        return WEIRI_CLI_FINDINGS;
    }
    if (totals->n_failed > 0 || (totals->n_silent > 0 && !incomplete)) {
        return WEIRI_CLI_USAGE;
    }
    return incomplete || totals->n_unseen > 0 ? WEIRI_CLI_INCOMPLETE : WEIRI_CLI_CLEAN;
}

/* Whether a program failed in each run of one rank, and in none of the others: then the
 * cause may be there. Returns: (transfer full): "" where it is not so */
static char *rank_text(const struct weiri_cli_verdict *verdict,
                       const struct weiri_cli_summary *first)
{
    enum { FEWEST = 2 }; /* one run may be a chance */
    size_t n = 0, others = 0;
    bool alone = first->rank > 0;
    for (guint i = 0; i < verdict->runs->len; i++) {
        const struct weiri_cli_summary *run = weiri_cli_verdict_run(verdict, i);
        bool here = run->rank == first->rank;
        alone = alone && here == (run->failure != NULL);
        n += here;
        others += !here;
    }
    return alone && n >= FEWEST && others >= FEWEST ? g_strdup_printf(
               ", in each run of rank %u and in none of another rank", first->rank)
                                                    : g_strdup("");
}

/* Says which programs failed or launched nothing, with the first run that did. */
static void complain(const struct weiri_cli_verdict *verdict, bool incomplete)
{
    const char *name = weiri_cli_subject_name(&verdict->subject);
    size_t n = 0;
    const struct weiri_cli_summary *first = NULL;
    for (guint i = 0; i < verdict->runs->len; i++) {
        const struct weiri_cli_summary *run = weiri_cli_verdict_run(verdict, i);
        fputs(run->said != NULL ? run->said : "", stderr);
        if (run->failure != NULL && !weiri_cli_verdict_explains(verdict, run)) {
            first = first == NULL ? run : first;
            n++;
        }
    }
    if (first != NULL) {
        g_autofree char *order = weiri_cli_schedule_text(first->schedule, first->seed);
        g_autofree char *again = weiri_cli_shown_again(
            verdict->check, &verdict->subject, first->schedule, first->seed);
        g_autofree char *runs = weiri_cli_share_text(verdict, n);
        g_autofree char *rank = rank_text(verdict, first);
        weiri_cli_complain("%s failed by itself %s%s%s: it %s; again: %s", name, runs,
                           order, rank, first->failure, again);
    } else if (verdict->n_launches == 0 && verdict->notes->len > 0) {
        weiri_cli_complain("no launch of %s was made: %s", name,
                           (char *)g_ptr_array_index(verdict->notes, 0));
    } else if (verdict->n_launches == 0 && verdict->found->len == 0 && !incomplete) {
        weiri_cli_complain("%s launched nothing: %s", name,
                           weiri_cli_has_no_weir(verdict->subject.program[0])
                               ? "it is not linked with Weir: build it with weir-cc"
                               : "there is nothing to check");
    }
}

int weiri_cli_verdicts_finish(const struct weiri_cli_check *check, GPtrArray *verdicts,
                              size_t ended_early)
{
    struct weiri_cli_totals totals = { 0 };
    weiri_cli_known_mark(check, verdicts, is_complete(verdicts) && ended_early == 0);
    for (guint i = 0; i < verdicts->len; i++) {
        weiri_cli_fixes_explain(g_ptr_array_index(verdicts, i));
    }
    for (guint i = 0; check->fixes && i < verdicts->len; i++) {
        weiri_cli_fixes_try(g_ptr_array_index(verdicts, i));
    }
    for (guint i = 0; i < verdicts->len; i++) {
        weiri_cli_fixes_group(g_ptr_array_index(verdicts, i));
    }
    for (guint i = 0; i < verdicts->len; i++) {
        weiri_cli_verdict_count(g_ptr_array_index(verdicts, i), &totals);
    }
    for (guint i = 0; i < verdicts->len; i++) {
        const struct weiri_cli_verdict *verdict = g_ptr_array_index(verdicts, i);
        if (verdict->subject.program != NULL) {
            complain(verdict, totals.n_incomplete > 0 || ended_early > 0);
        }
    }
    char *text = check->json
        ? weiri_cli_verdicts_to_json(verdicts, ended_early)
        : weiri_cli_verdicts_to_text(verdicts, &totals, ended_early);
    bool written = weiri_cli_files_write(check, verdicts, &totals, ended_early);
    written
        = (check->patch == NULL || weiri_cli_fixes_write(check, verdicts)) && written;
    return weiri_cli_finish(
        text, written ? status_of(&totals, ended_early) : WEIRI_CLI_USAGE);
}
