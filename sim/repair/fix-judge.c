/* SPDX-License-Identifier: MIT
 *
 * fix-judge.c: whether the status of a program says that its answer is right. Most
 * programs compare their results and return 0 or 1; others print them and return 0.
 * They differ where the kernels do not run: a program that judges its answer fails. */
#include "config.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "repair/fixes.h"

#include <sys/wait.h>

enum {
    MOST_SECONDS = 10, /* of one run */
    MOST_COMPARED = 4, /* runs without the fix */
};

/* A run of @program under one order, with a limit of its own. */
static struct weiri_cli_run_result *run_one(const struct weiri_cli_verdict *verdict,
                                            char *const *program,
                                            const struct weiri_cli_run_options *how)
{
    const struct weiri_cli_subject subject = { .program = program };
    struct weiri_cli_check check = *verdict->check;
    check.limit = (struct weiri_cli_limit){
        MOST_SECONDS,
        MIN(verdict->check->limit.deadline_us,
            weiri_cli_clock_us() + MOST_SECONDS * (int64_t)G_USEC_PER_SEC)
    };
    return weiri_cli_run_once(&check, &subject, how);
}

/* Whether it has returned another status than 0 in a run of the check. A signal and a
 * launch that failed are not a judgement. */
static bool has_judged(const struct weiri_cli_verdict *verdict)
{
    for (guint i = 0; i < verdict->runs->len; i++) {
        const char *failure = weiri_cli_verdict_run(verdict, i)->failure;
        if (failure != NULL
            && g_regex_match_simple("^ended with status [0-9]+$", failure, 0, 0)) {
            return true;
        }
    }
    return false;
}

static bool notices_idle_kernels(const struct weiri_cli_verdict *verdict)
{
    const struct weiri_cli_run_options how = { .schedule = "in-order", .idle = true };
    struct weiri_cli_run_result *run = run_one(verdict, verdict->subject.program, &how);
    bool notices = run->error == NULL && run->incomplete == NULL && run->failure != NULL
        && WIFEXITED(run->status) && WEXITSTATUS(run->status) != 0;
    weiri_cli_run_unref(run);
    return notices;
}

/* Returns: (transfer full): what the program prints under an order, or NULL */
static GBytes *output_of(const struct weiri_cli_verdict *verdict, char *const *program,
                         const struct weiri_cli_schedule *order)
{
    const char *folder = weiri_cli_folder(NULL);
    if (folder == NULL) {
        return NULL;
    }
    g_autofree char *file = g_build_filename(folder, "output", NULL);
    const struct weiri_cli_run_options how
        = { .schedule = order->schedule, .seed = order->seed, .output_file = file };
    struct weiri_cli_run_result *run = run_one(verdict, program, &how);
    char *text = NULL;
    gsize bytes;
    bool whole = run->error == NULL && run->incomplete == NULL
        && g_file_get_contents(file, &text, &bytes, NULL);
    weiri_cli_run_unref(run);
    return whole ? g_bytes_new_take(text, bytes) : NULL;
}

static bool prints(const struct weiri_cli_verdict *verdict, char *const *program,
                   const struct weiri_cli_schedule *order, GBytes *text)
{
    GBytes *other = output_of(verdict, program, order);
    bool same = other != NULL && g_bytes_equal(other, text);
    g_clear_pointer(&other, g_bytes_unref);
    return same;
}

/* Whether the launches of the check ended, so that the program's output was really
 * computed. */
static bool ended_whole(const struct weiri_cli_verdict *verdict)
{
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        enum weir_finding_kind kind = found->finding->kind;
        if (!found->finding->note && kind != WEIR_FINDING_DATA_RACE
            && kind != WEIR_FINDING_SCOPE_RACE && kind != WEIR_FINDING_MIXED_ATOMIC
            && kind != WEIR_FINDING_UNINITIALIZED_READ) {
            return false;
        }
    }
    return true;
}

/* Whether it prints the same in two runs with the fix, and in none without it. Where
 * the former differ, as with times, nothing is known. */
static bool prints_else(const struct weiri_cli_verdict *verdict, const GArray *orders,
                        char *const *program)
{
    const struct weiri_cli_schedule *order
        = &g_array_index(orders, struct weiri_cli_schedule, 0);
    guint last = MIN(orders->len, MOST_COMPARED) - 1;
    GBytes *text = output_of(verdict, program, order);
    bool same = text == NULL || !prints(verdict, program, order + last, text);
    for (guint i = 0; i <= last && !same; i++) {
        same = prints(verdict, verdict->subject.program, order + i, text);
    }
    g_clear_pointer(&text, g_bytes_unref);
    return !same;
}

void weiri_cli_fix_judge(const struct weiri_cli_verdict *verdict, const GArray *orders,
                         char *const *program, struct weiri_cli_fix *fix)
{
    const struct weiri_cli_subject *original = &verdict->subject;
    if (fix->judged || fix->unjudged) {
        return;
    }
    bool is_program = original->kind == WEIRI_CLI_PROGRAM;
    fix->unjudged
        = is_program && !has_judged(verdict) && !notices_idle_kernels(verdict);
    fix->judged = !fix->unjudged && weiri_cli_judges_answer(original);
    fix->prints_else = fix->unjudged && program != NULL && orders->len > 0
        && ended_whole(verdict) && prints_else(verdict, orders, program);
}
