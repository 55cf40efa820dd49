/* SPDX-License-Identifier: MIT
 *
 * fix-trial.c: see fix-trial.h. A changed program runs first under the schedules that
 * showed the findings, which refuse most candidates at once, then under the others and
 * under new seeds.
 *
 * The first access out of bounds ends its group, so a finding names one index of many.
 * How large the memory must be is found by bisection: a size that is too small shows a
 * larger index, which is a lower bound, and one that suffices is an upper bound. Builds
 * cost more than runs, so after the first size the others are tried in one program, and
 * each run of it chooses its size. The size that is found is then built like any other
 * change, and the result of that build counts. */
#include "config.h"

#include "repair/fix-trial.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "finding/identity.h"
#include "show/baseline.h"

#include <string.h>

enum {
    MOST_SIZES = 24, /* sizes that a candidate which enlarges memory is tried with */
    MOST_ROUGH = 2,  /* runs of one with a size that may be larger than needed */
    PLAIN_SECONDS = 10,
};

/* ---- Runs ------------------------------------------------------------------------ */

static struct weiri_cli_found *target_of(const struct weiri_cli_trial *trial,
                                         const struct weir_finding *finding)
{
    for (guint i = 0; i < trial->targets->len; i++) {
        struct weiri_cli_found *target = g_ptr_array_index(trial->targets, i);
        if (weiri_finding_compare(target->finding, finding, WEIRI_IDENTITY_PLACES)
            == 0) {
            return target;
        }
    }
    return NULL;
}

static bool is_excused(const struct weiri_cli_trial *trial,
                       const struct weir_finding *finding)
{
    return finding->note
        || (trial->check->suppressions != NULL
            && weiri_suppress_find(trial->check->suppressions, finding) != NULL)
        || (trial->check->known != NULL
            && weiri_baseline_has(trial->check->known, finding));
}

/* Notes what the run shows of the sizes of larger memory. Returns: whether one was too
 * small */
static bool was_too_small(const struct weiri_cli_run_result *run,
                          const GPtrArray *parts, struct weiri_cli_outcome *outcome)
{
    const struct weir_finding *finding;
    size_t launch;
    bool too_small = false;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        for (guint k = 0; k < parts->len; k++) {
            const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
            struct weiri_cli_size *size = &outcome->sizes[k];
            if (part->kind == WEIRI_FIX_ENLARGE
                && finding->kind == WEIR_FINDING_OUT_OF_BOUNDS && finding->index >= 0
                && (uint64_t)finding->index >= part->room
                && g_strcmp0(finding->object, part->object) == 0) {
                size->least = MAX(size->least, (uint64_t)finding->index + 1);
                too_small = true;
            }
        }
    }
    return too_small;
}

static void judge(const struct weiri_cli_trial *trial,
                  const struct weiri_cli_run_result *run, const GPtrArray *parts,
                  struct weiri_cli_outcome *outcome)
{
    const struct weir_finding *finding;
    size_t launch;
    bool clean = run->error == NULL && run->incomplete == NULL;
    if (run->error != NULL && *trial->error == NULL) {
        *trial->error = g_strdup(run->error->message);
    }
    outcome->refused = outcome->refused || !clean;
    outcome->runs++;
    if (was_too_small(run, parts, outcome)) {
        return; /* its other findings may follow from that */
    }
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        if (is_excused(trial, finding)) {
            continue;
        }
        struct weiri_cli_found *target = target_of(trial, finding);
        clean = false;
        outcome->refused = outcome->refused || target == NULL;
        if (target != NULL && !g_ptr_array_find(outcome->left, target, NULL)) {
            g_ptr_array_add(outcome->left, target);
        }
    }
    struct weiri_cli_found *wrong = trial->verdict->wrong;
    if (run->failure != NULL && wrong != NULL) { /* the program's own finding */
        clean = false;
        if (g_ptr_array_find(trial->targets, wrong, NULL)
            && !g_ptr_array_find(outcome->left, wrong, NULL)) {
            g_ptr_array_add(outcome->left, wrong);
        }
    }
    outcome->clean += clean;
    outcome->right += clean && run->failure == NULL;
}

bool weiri_cli_trial_is_over(const struct weiri_cli_trial *trial)
{
    return weiri_cli_interrupted()
        || weiri_cli_clock_us() >= trial->check->limit.deadline_us;
}

/* Runs the program under the order at @index. */
static void run_order(const struct weiri_cli_trial *trial,
                      const struct weiri_cli_check *check,
                      const struct weiri_cli_subject *subject, guint index,
                      const GPtrArray *parts, struct weiri_cli_outcome *outcome)
{
    const struct weiri_cli_schedule *order
        = &g_array_index(trial->orders, struct weiri_cli_schedule, index);
    /* Most candidates are refused by their first run, which needs no copies. */
    struct weiri_cli_run_options run_options = { .schedule = order->schedule,
                                                 .seed = order->seed,
                                                 .step_limit = trial->step_limit,
                                                 .forked = index > 0 };
    struct weiri_cli_run_result *run = weiri_cli_run_once(check, subject, &run_options);
    judge(trial, run, parts, outcome);
    weiri_cli_run_unref(run);
}

/* Runs the program under one order after another, until a run refuses it, or one after
 * those that showed the targets is not clean and correct. */
static void run_orders(const struct weiri_cli_trial *trial,
                       const struct weiri_cli_check *check,
                       const struct weiri_cli_subject *subject, const GPtrArray *parts,
                       struct weiri_cli_outcome *outcome)
{
    guint most = outcome->rough ? MOST_ROUGH : trial->orders->len;
    weiri_cli_child_fork_anew();
    for (guint i = 0; i < MIN(most, trial->orders->len) && !outcome->refused; i++) {
        if (i >= trial->n_showing && outcome->right < outcome->runs) {
            return;
        }
        run_order(trial, check, subject, i, parts, outcome);
    }
}

void weiri_cli_trial_show(const struct weiri_cli_trial *trial, char *const *program,
                          struct weiri_cli_outcome *outcome)
{
    const struct weiri_cli_subject subject = { .program = program };
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    *outcome = (struct weiri_cli_outcome){ .left = g_ptr_array_new() };
    weiri_cli_child_fork_anew();
    for (guint i = 0; i < trial->n_showing && !outcome->refused; i++) {
        run_order(trial, trial->check, &subject, i, none, outcome);
    }
}

static void run_changed(const struct weiri_cli_trial *trial, char *const *program,
                        const GPtrArray *parts, struct weiri_cli_outcome *outcome)
{
    struct weiri_cli_subject subject = { .program = program };
    run_orders(trial, trial->check, &subject, parts, outcome);
}

char *weiri_cli_override_text(const struct weiri_fix_candidate *part, uint32_t line)
{
    const char *word = part->to + strlen("memory_order_"); /* memory_scope_, too */
    return g_strdup_printf("%s:%" PRIu32 "=%s", part->file, line, word);
}

/* The same of a built-in kernel: one order is overridden. */
static void run_overridden(const struct weiri_cli_trial *trial, const GPtrArray *parts,
                           struct weiri_cli_outcome *outcome)
{
    const struct weiri_fix_candidate *part = g_ptr_array_index(parts, 0);
    g_autofree char *text = weiri_cli_override_text(part, part->line);
    struct weiri_cli_check check = *trial->check;
    check.options.order = text;
    outcome->refused = parts->len > 1;
    run_orders(trial, &check, &trial->verdict->subject, parts, outcome);
}

/* Whether the changed program answers right without a schedule, too, if it can tell. */
static bool answers_plainly(const struct weiri_cli_trial *trial, char *const *program)
{
    if (!weiri_cli_judges_answer(&trial->verdict->subject)) {
        return true;
    }
    struct weiri_cli_child child
        = { .argv = program,
            .deadline_us
            = MIN(trial->check->limit.deadline_us,
                  weiri_cli_clock_us() + PLAIN_SECONDS * (int64_t)G_USEC_PER_SEC) };
    bool right
        = weiri_cli_child_run(&child, NULL) && !child.timed_out && child.status == 0;
    g_free(child.said);
    return right;
}

static bool repairs(const struct weiri_cli_trial *trial,
                    const struct weiri_cli_outcome *outcome)
{
    return !outcome->refused && outcome->runs == trial->orders->len
        && outcome->right == outcome->runs;
}

/* The next size to be tried of one part, after @tried of them. The last run has shown
 * that fewer than @least are too few; or, with more than that, that they are enough, or
 * more than the device has. */
static uint64_t next_size(const struct weiri_fix_candidate *part,
                          struct weiri_cli_size *size, unsigned tried)
{
    enum { PATIENCE = 3, GROWTH = 4 };
    if (part->room == size->least) {
        return size->least;
    }
    if (part->room > size->least) {
        size->most = part->room;
    } else if (size->most < size->least) {
        size->most = 0; /* it was not enough under every schedule */
    }
    uint64_t beyond = size->least - part->elements;
    return size->most != 0 ? size->least + (size->most - size->least) / 2
        : tried < PATIENCE ? size->least
                           : size->least + beyond * GROWTH;
}

/* Gives each part that enlarges memory the next size to be tried.
 * Returns: whether one of them is another than before */
static bool resize(const GPtrArray *parts, struct weiri_cli_outcome *outcome,
                   unsigned tried)
{
    bool resized = false;
    for (guint k = 0; k < parts->len; k++) {
        struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        if (part->kind == WEIRI_FIX_ENLARGE) {
            uint64_t room = next_size(part, &outcome->sizes[k], tried);
            resized = resized || room != part->room;
            weiri_fix_candidate_resize(part, room);
        }
    }
    return resized;
}

/* The words that run a program in which the run chooses the sizes of @parts.
 * Returns: (transfer full) */
static char **with_sizes(char *const *program, const GPtrArray *parts)
{
    g_autoptr(GString) more = g_string_new(NULL);
    for (guint k = 0; k < parts->len; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        uint64_t n = part->kind == WEIRI_FIX_ENLARGE ? part->room - part->elements : 0;
        g_string_append_printf(more, k > 0 ? ",%" PRIu64 : "%" PRIu64, n);
    }
    return weiri_cli_words_with(program, "WEIR_TRIAL_MORE", more->str);
}

/* Runs a program that has these parts. */
static void try_sizes(const struct weiri_cli_trial *trial, char *const *program,
                      const GPtrArray *parts, struct weiri_cli_outcome *outcome)
{
    g_ptr_array_set_size(outcome->left, 0);
    outcome->runs = outcome->clean = outcome->right = 0;
    outcome->rough = false;
    for (guint k = 0; k < parts->len; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        outcome->rough = outcome->rough || part->room > outcome->sizes[k].least;
    }
    outcome->refused = program == NULL;
    if (program != NULL) {
        run_changed(trial, program, parts, outcome);
    }
}

/* Returns: whether the program with these parts is repaired. Memory that is enlarged
 * has the least size that suffices */
bool weiri_cli_trial_evaluate(const struct weiri_cli_trial *trial,
                              const GPtrArray *parts, struct weiri_cli_outcome *outcome)
{
    *outcome = (struct weiri_cli_outcome){ .left = g_ptr_array_new() };
    if (trial->rebuild == NULL) {
        run_overridden(trial, parts, outcome);
        return repairs(trial, outcome);
    }
    for (guint k = 0; k < parts->len; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        outcome->sizes[k].least = part->room;
    }
    g_auto(GStrv) sized = NULL;
    for (unsigned tried = 1;; tried++) {
        g_auto(GStrv) program = sized != NULL
            ? with_sizes(sized, parts)
            : weiri_cli_rebuild_with(trial->rebuild, parts, &trial->check->limit);
        try_sizes(trial, program, parts, outcome);
        bool found
            = (outcome->refused && !outcome->rough) || !resize(parts, outcome, tried);
        /* A change that removes some of the findings is built together with another
         * one. */
        bool in_part = !outcome->refused && outcome->left->len > 0;
        if (found && (sized == NULL || in_part)) {
            return repairs(trial, outcome) && answers_plainly(trial, program);
        }
        if ((tried >= MOST_SIZES && !found) || weiri_cli_trial_is_over(trial)) {
            outcome->refused = true;
            return false;
        }
        if (found) {
            g_clear_pointer(&sized, g_strfreev);
        } else if (tried == 1) {
            sized
                = weiri_cli_rebuild_sized(trial->rebuild, parts, &trial->check->limit);
        }
    }
}
