/* SPDX-License-Identifier: MIT
 *
 * fixes.c: the trial of fixes. A candidate is applied to the sources, the program is
 * built again by the commands that built it, and is run: first under the schedules that
 * showed the findings, which refuse most candidates at once, then under the others and
 * under new seeds. A candidate that removes some findings and makes no new one is kept
 * if nothing better is found, and the search goes on from there: two defects need two
 * changes.
 *
 * The first access out of bounds ends its group, so a finding names one index of many.
 * How large the memory must be is found by bisection: a size that is too small shows a
 * larger index, which is a lower bound, and one that suffices is an upper bound. */
#include "config.h"

#include "cli/fixes.h"

#include "base/file.h"
#include "cli/child.h"
#include "cli/clock.h"
#include "cli/opencl-kernel.h"
#include "cli/rebuild.h"
#include "exec/finding-identity.h"
#include "report/baseline.h"
#include "report/report.h"

#include <glib/gstdio.h>
#include <string.h>

enum {
    MOST_PARTS = 4,   /* changes that are needed together */
    MOST_TRIED = 40,  /* candidates for each of them */
    MOST_SHOWING = 8, /* runs that showed findings, made first */
    MOST_SAME = 40,   /* other runs of the check that are made again */
    MOST_SIZES = 24,  /* sizes that a candidate which enlarges memory is tried with */
    MOST_ROUGH = 2,   /* runs of one with a size that may be larger than needed */
    N_SEEDED = 20,    /* runs under new seeds */
    MORE_STEPS = 20,  /* a changed program may take so many times the steps */
    PLAIN_SECONDS = 10,
};

struct trial {
    const struct weiri_cli_check *check;
    const struct weiri_cli_verdict *verdict;
    struct weiri_cli_rebuild *rebuild; /* NULL for a built-in kernel */
    GPtrArray *targets; /* of struct weiri_cli_found *, that a fix is to remove */
    GArray *orders;     /* of struct weiri_cli_schedule, with borrowed names */
    guint n_showing;    /* of these, the first: each target shows in one of them */
    uint64_t step_limit;
    char **error; /* (out): why a changed program could not run, the first time */
};

/* The size of memory that a change enlarges, in elements. */
struct size {
    uint64_t least; /* with fewer an access was out of bounds */
    uint64_t most;  /* so many were not too few; 0: not known */
};

struct outcome {
    GPtrArray *left; /* targets that are still there */
    bool refused;    /* it does not build, or has a new finding, or hangs */
    bool rough;      /* it may be larger than needed */
    guint runs, clean, right;
    struct size sizes[MOST_PARTS];
};

/* ---- Runs ------------------------------------------------------------------------ */

static struct weiri_cli_found *target_of(const struct trial *trial,
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

static bool is_excused(const struct trial *trial, const struct weir_finding *finding)
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
                          const GPtrArray *parts, struct outcome *outcome)
{
    const struct weir_finding *finding;
    size_t launch;
    bool too_small = false;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        for (guint k = 0; k < parts->len; k++) {
            const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
            struct size *size = &outcome->sizes[k];
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

static void judge(const struct trial *trial, const struct weiri_cli_run_result *run,
                  const GPtrArray *parts, struct outcome *outcome)
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

static bool is_over(const struct trial *trial)
{
    return weiri_cli_interrupted()
        || weiri_cli_clock_us() >= trial->check->limit.deadline_us;
}

/* Runs it under one order after another, until it is refused or is no repair. */
static void run_orders(const struct trial *trial, const struct weiri_cli_check *check,
                       const struct weiri_cli_subject *subject, const GPtrArray *parts,
                       struct outcome *outcome)
{
    guint most = outcome->rough ? MOST_ROUGH : trial->orders->len;
    for (guint i = 0; i < MIN(most, trial->orders->len) && !outcome->refused; i++) {
        if (i >= trial->n_showing && outcome->right < outcome->runs) {
            return;
        }
        const struct weiri_cli_schedule *order
            = &g_array_index(trial->orders, struct weiri_cli_schedule, i);
        struct weiri_cli_run_options run_options = { .schedule = order->schedule,
                                                     .seed = order->seed,
                                                     .step_limit = trial->step_limit };
        struct weiri_cli_run_result *run
            = weiri_cli_run_once(check, subject, &run_options);
        judge(trial, run, parts, outcome);
        weiri_cli_run_unref(run);
    }
}

static void run_changed(const struct trial *trial, char *const *program,
                        const GPtrArray *parts, struct outcome *outcome)
{
    struct weiri_cli_subject subject = { .program = program };
    run_orders(trial, trial->check, &subject, parts, outcome);
}

/* "FILE:LINE=ORDER": a change of a built-in kernel. Returns: (transfer full) */
static char *override_text(const struct weiri_fix_candidate *part)
{
    const char *order = part->to + strlen("memory_order_");
    return g_strdup_printf("%s:%" PRIu32 "=%s", part->file, part->line, order);
}

/* The same of a built-in kernel: one order is overridden. */
static void run_overridden(const struct trial *trial, const GPtrArray *parts,
                           struct outcome *outcome)
{
    g_autofree char *text = override_text(g_ptr_array_index(parts, 0));
    struct weiri_cli_check check = *trial->check;
    check.options.order = text;
    outcome->refused = parts->len > 1;
    run_orders(trial, &check, &trial->verdict->subject, parts, outcome);
}

/* Whether the program judges its answer, and whether every execution is right, too, if
 * that can be explored. */
static void prove(const struct trial *trial, struct weiri_cli_fix *fix)
{
    if (trial->rebuild == NULL) {
        weiri_cli_fix_judge(trial->verdict, trial->orders, NULL, fix);
        g_autofree char *order = override_text(g_ptr_array_index(fix->parts, 0));
        weiri_cli_fix_prove_kernel(trial->check, trial->verdict->subject.row, order,
                                   fix);
        return;
    }
    g_auto(GStrv) program
        = weiri_cli_rebuild_with(trial->rebuild, fix->parts, &trial->check->limit);
    weiri_cli_fix_judge(trial->verdict, trial->orders, program, fix);
    if (program != NULL) {
        weiri_cli_fix_prove_program(trial->check, program, fix);
    }
}

/* Whether the changed program answers right without a schedule, too, if it can tell. */
static bool answers_plainly(const struct trial *trial, char *const *program)
{
    if (!weiri_cli_judges_answer(trial->verdict->subject.program)) {
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

static bool repairs(const struct trial *trial, const struct outcome *outcome)
{
    return !outcome->refused && outcome->runs == trial->orders->len
        && outcome->right == outcome->runs;
}

/* The next size to be tried of one part, after @tried of them. The last run has shown
 * that fewer than @least are too few; or, with more than that, that they are enough, or
 * more than the device has. */
static uint64_t next_size(const struct weiri_fix_candidate *part, struct size *size,
                          unsigned tried)
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
static bool resize(const GPtrArray *parts, struct outcome *outcome, unsigned tried)
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

/* Returns: whether the program with these parts is repaired. Memory that is enlarged
 * has the least size that suffices */
static bool evaluate(const struct trial *trial, const GPtrArray *parts,
                     struct outcome *outcome)
{
    *outcome = (struct outcome){ .left = g_ptr_array_new() };
    if (trial->rebuild == NULL) {
        run_overridden(trial, parts, outcome);
        return repairs(trial, outcome);
    }
    for (guint k = 0; k < parts->len; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        outcome->sizes[k].least = part->room;
    }
    for (unsigned tried = 1;; tried++) {
        g_auto(GStrv) program
            = weiri_cli_rebuild_with(trial->rebuild, parts, &trial->check->limit);
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
        if ((outcome->refused && !outcome->rough) || !resize(parts, outcome, tried)) {
            return repairs(trial, outcome) && answers_plainly(trial, program);
        }
        if (tried == MOST_SIZES || is_over(trial)) {
            outcome->refused = true;
            return false;
        }
    }
}

/* ---- The search ------------------------------------------------------------------ */

/* Whether the program has found its own answer wrong in a run. */
static bool finds_wrong(const struct weiri_cli_verdict *verdict)
{
    for (guint i = 0; i < verdict->runs->len; i++) {
        if (weiri_cli_verdict_run(verdict, i)->failure != NULL) {
            return true;
        }
    }
    return false;
}

/* Returns: (transfer container): of const struct weir_finding * */
static GPtrArray *findings_of(const GPtrArray *targets)
{
    GPtrArray *findings = g_ptr_array_new();
    for (guint i = 0; i < targets->len; i++) {
        const struct weiri_cli_found *target = g_ptr_array_index(targets, i);
        g_ptr_array_add(findings, (void *)target->finding);
    }
    return findings;
}

static GPtrArray *candidates_for(const struct trial *trial, const GPtrArray *targets)
{
    g_autoptr(GPtrArray) findings = findings_of(targets);
    if (trial->rebuild == NULL) {
        return weiri_candidates_by_order(findings);
    }
    return weiri_cli_rebuild_candidates(trial->rebuild, findings,
                                        finds_wrong(trial->verdict));
}

/* The sizes that parts give to memory: of each, or 0. */
static void get_sizes(const GPtrArray *parts, uint64_t rooms[MOST_PARTS])
{
    for (guint k = 0; k < parts->len; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        rooms[k] = part->room;
    }
}

static void set_sizes(const GPtrArray *parts, const uint64_t rooms[MOST_PARTS])
{
    for (guint k = 0; k < parts->len; k++) {
        struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        if (part->kind == WEIRI_FIX_ENLARGE) {
            weiri_fix_candidate_resize(part, rooms[k]);
        }
    }
}

/* The best of the candidates beside those of @parts, which it is added to.
 * Returns: whether that repairs the program. @left: (inout): what is left of targets */
static bool improve(const struct trial *trial, GPtrArray *candidates, GPtrArray *parts,
                    GPtrArray **left, struct outcome *outcome)
{
    void *best = NULL;
    uint64_t best_sizes[MOST_PARTS] = { 0 };
    for (guint i = 0; i < MIN(candidates->len, MOST_TRIED) && !is_over(trial); i++) {
        uint64_t sizes[MOST_PARTS];
        g_ptr_array_add(parts, g_ptr_array_index(candidates, i));
        get_sizes(parts, sizes);
        if (evaluate(trial, parts, outcome)) {
            g_ptr_array_unref(*left);
            *left = outcome->left;
            return true;
        }
        if (!outcome->refused && outcome->left->len > 0
            && outcome->left->len < (*left)->len) {
            get_sizes(parts, best_sizes);
            best = g_ptr_array_index(candidates, i);
            g_ptr_array_unref(*left);
            *left = g_ptr_array_ref(outcome->left);
        }
        set_sizes(parts, sizes);
        g_ptr_array_remove_index(parts, parts->len - 1);
        g_ptr_array_unref(outcome->left);
    }
    if (best != NULL) {
        g_ptr_array_add(parts, best);
        set_sizes(parts, best_sizes);
    }
    return false;
}

/* The finding that stands for all that one change removes: one that suggested it, a
 * wrong answer before what made it, and one whose line changes before others. */
static struct weiri_cli_found *leader_of(const GPtrArray *removed,
                                         const struct weiri_fix_candidate *part)
{
    static const unsigned char ranks[] = {
        [WEIR_FINDING_ASSERTION] = 5,
        [WEIR_FINDING_WRONG_RESULT] = 4,
        [WEIR_FINDING_FAULT] = 3,
        [WEIR_FINDING_OUT_OF_BOUNDS] = 2,
        [WEIR_FINDING_UNINITIALIZED_READ] = 1,
    };
    struct weiri_cli_found *leader = NULL;
    unsigned most = 0;
    for (guint i = 0; i < removed->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(removed, i);
        const struct weir_finding *finding = found->finding;
        bool suggests = g_ptr_array_find(part->suggested_by, finding, NULL),
             at_line = false;
        for (size_t p = 0; p < finding->n_parties; p++) {
            at_line = at_line
                || (finding->parties[p].line == part->line
                    && g_strcmp0(finding->parties[p].file, part->file) == 0);
        }
        unsigned rank = finding->kind < G_N_ELEMENTS(ranks) ? ranks[finding->kind] : 0;
        rank = suggests * 100 + rank * 2 + at_line;
        if (leader == NULL || rank > most) {
            leader = found;
            most = rank;
        }
    }
    return leader;
}

/* Sets the leader of the findings that @part has removed: those of @before that are not
 * in @after. */
static void group(GPtrArray *before, GPtrArray *after,
                  const struct weiri_fix_candidate *part)
{
    g_autoptr(GPtrArray) removed = g_ptr_array_new();
    for (guint i = 0; i < before->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(before, i);
        if (!g_ptr_array_find(after, found, NULL)) {
            g_ptr_array_add(removed, found);
        }
    }
    struct weiri_cli_found *leader = leader_of(removed, part);
    for (guint i = 0; i < removed->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(removed, i);
        found->leader = found != leader ? leader : NULL;
        found->missing = found == leader ? part->missing : NULL;
    }
}

/* Takes over what @outcome has counted. */
static void count_runs(struct weiri_cli_fix *fix, const struct outcome *outcome)
{
    fix->runs = outcome->runs;
    fix->clean = outcome->clean;
    fix->right = outcome->right;
}

/* Tries less in place of each part, where exploring proves that it is enough: runs
 * under schedules may miss what it lacks. @kept: owns the candidates */
static void weaken(const struct trial *trial, struct weiri_cli_fix *fix,
                   GPtrArray *kept)
{
    GPtrArray *made = g_ptr_array_new_with_free_func(weiri_fix_candidate_free);
    g_ptr_array_add(kept, made);
    for (guint k = 0; k < fix->parts->len && fix->proved > 0; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, k);
        for (char **less = part->weaker; less != NULL && *less != NULL; less++) {
            struct weiri_cli_fix tried = *fix;
            struct outcome outcome = { 0 };
            void *weakened = weiri_fix_candidate_weakened(part, *less);
            g_ptr_array_add(made, weakened);
            fix->parts->pdata[k] = weakened;
            tried.proved = 0;
            if (!is_over(trial) && evaluate(trial, fix->parts, &outcome)) {
                prove(trial, &tried);
            }
            g_clear_pointer(&outcome.left, g_ptr_array_unref);
            if (tried.proved > 0) {
                *fix = tried;
                count_runs(fix, &outcome);
                fix->weakest = true;
                break;
            }
            fix->parts->pdata[k] = (void *)part;
        }
    }
}

static bool has_lines(const GPtrArray *targets)
{
    bool found = false;
    for (guint i = 0; i < targets->len && !found; i++) {
        const struct weiri_cli_found *target = g_ptr_array_index(targets, i);
        const struct weir_finding *finding = target->finding;
        found = finding->n_parties == 0;
        for (size_t p = 0; p < finding->n_parties; p++) {
            found = found || finding->parties[p].file != NULL;
        }
    }
    return found;
}

/* The reason for offering no fix: "nothing repairs it" needs a trial that failed.
 * Returns: (transfer full): a line, or NULL where no change is known for the finding */
static char *reason_without_fix(const struct trial *trial, size_t n_tried)
{
    struct weiri_cli_rebuild *rebuild = trial->rebuild;
    if (n_tried == 0) {
        return rebuild == NULL || has_lines(trial->targets)
            ? NULL
            : g_strdup("no fix was tried: the program has no debug information, which "
                       "states the lines of a finding: compile it with -g, and do not "
                       "strip it");
    }
    if (is_over(trial)) {
        return g_strdup("the time limit ended the trial of fixes");
    }
    if (rebuild != NULL && rebuild->n_built == 0 && rebuild->failed != NULL) {
        g_autofree char *failed = g_steal_pointer(&rebuild->failed);
        g_autoptr(GPtrArray) nothing = g_ptr_array_new();
        g_auto(GStrv) same
            = weiri_cli_rebuild_with(rebuild, nothing, &trial->check->limit);
        return same != NULL
            ? g_strdup_printf(
                "no fix was tried: no change of the kinds that weir tries "
                "can be compiled here: %s",
                failed)
            : g_strdup_printf("no fix was tried: %s",
                              rebuild->failed != NULL ? rebuild->failed : failed);
    }
    if (*trial->error != NULL) {
        return g_strdup_printf("not every fix could be tried: %s", *trial->error);
    }
    return weiri_cli_fix_none_text(rebuild, trial->targets);
}

static void search(const struct trial *trial, struct weiri_cli_verdict *verdict)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(
        (GDestroyNotify)g_ptr_array_unref); /* candidates, alive until the end */
    g_autoptr(GPtrArray) lefts
        = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    GPtrArray *left = g_ptr_array_ref(trial->targets);
    struct outcome outcome = { 0 };
    bool repaired = false;
    g_ptr_array_add(lefts, g_ptr_array_ref(left));
    while (!repaired && parts->len < MOST_PARTS) {
        guint n = parts->len;
        GPtrArray *candidates = candidates_for(trial, left);
        g_ptr_array_add(kept, candidates);
        verdict->n_tried += MIN(candidates->len, MOST_TRIED);
        repaired = improve(trial, candidates, parts, &left, &outcome);
        if (parts->len == n) {
            break;
        }
        g_ptr_array_add(lefts, g_ptr_array_ref(left));
    }
    g_ptr_array_unref(left);
    if (!repaired) {
        verdict->unfixed = reason_without_fix(trial, verdict->n_tried);
        return;
    }
    verdict->fix = g_new0(struct weiri_cli_fix, 1);
    count_runs(verdict->fix, &outcome);
    verdict->fix->parts = g_ptr_array_ref(parts);
    prove(trial, verdict->fix);
    weaken(trial, verdict->fix, kept);
    verdict->candidates = g_ptr_array_ref(kept);
    verdict->diff
        = trial->rebuild != NULL ? weiri_cli_rebuild_diff(trial->rebuild, parts) : NULL;
    for (guint i = 0; i < parts->len; i++) {
        group(g_ptr_array_index(lefts, i), g_ptr_array_index(lefts, i + 1),
              g_ptr_array_index(parts, i));
    }
}

/* ---- Which runs ------------------------------------------------------------------ */

static bool has_order(const GArray *orders, const char *schedule, uint64_t seed)
{
    for (guint i = 0; i < orders->len; i++) {
        const struct weiri_cli_schedule *order
            = &g_array_index(orders, struct weiri_cli_schedule, i);
        if (order->seed == seed && strcmp(order->schedule, schedule) == 0) {
            return true;
        }
    }
    return false;
}

static void add_order(GArray *orders, const char *schedule, uint64_t seed)
{
    struct weiri_cli_schedule order = { (char *)schedule, seed };
    if (!has_order(orders, schedule, seed)) {
        g_array_append_val(orders, order);
    }
}

static void choose_orders(struct trial *trial)
{
    const struct weiri_cli_verdict *verdict = trial->verdict;
    for (guint i = 0; i < trial->targets->len; i++) {
        const struct weiri_cli_found *target = g_ptr_array_index(trial->targets, i);
        guint most = i == 0 ? MOST_SHOWING : 1;
        for (guint k = 0; k < MIN(target->runs->len, most); k++) {
            const struct weiri_cli_summary *run
                = weiri_cli_shown_run(verdict, target, k);
            add_order(trial->orders, run->schedule, run->seed);
        }
    }
    trial->n_showing = trial->orders->len;
    for (guint i = 0; i < MIN(verdict->runs->len, MOST_SAME); i++) {
        const struct weiri_cli_summary *run = weiri_cli_verdict_run(verdict, i);
        add_order(trial->orders, run->schedule, run->seed);
        trial->step_limit = MAX(trial->step_limit, run->most_steps);
    }
    trial->step_limit = MAX(trial->step_limit, 1000) * MORE_STEPS;
    for (guint n = trial->orders->len, seed = 1; trial->orders->len < n + N_SEEDED;
         seed++) {
        add_order(trial->orders, seed % 2 != 0 ? "random" : "pct:3:1000", seed);
    }
}

static bool is_target(const struct weiri_cli_found *found)
{
    return !found->finding->note && !found->known && found->suppression == NULL;
}

void weiri_cli_fixes_try(struct weiri_cli_verdict *verdict)
{
    g_autoptr(GPtrArray) targets = g_ptr_array_new();
    for (guint i = 0; i < verdict->found->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (is_target(found)) {
            g_ptr_array_add(targets, found);
        }
    }
    if (targets->len == 0) {
        return;
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *not_run = NULL;
    char *const *program = verdict->subject.program;
    struct trial trial = {
        .check = verdict->check,
        .verdict = verdict,
        .targets = targets,
        .orders = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_schedule)),
        .error = &not_run,
    };
    struct weiri_cli_rebuild rebuild;
    g_autoptr(GPtrArray) findings = findings_of(targets);
    bool ready = program == NULL
        || weiri_cli_rebuild_init(&rebuild, program, findings, &error);
    trial.rebuild = program != NULL ? &rebuild : NULL;
    if (ready) {
        choose_orders(&trial);
        weiri_cli_progress("trying fixes");
        search(&trial, verdict);
    } else {
        verdict->unfixed = g_strdup_printf("no fix was tried: %s", error->message);
    }
    if (trial.rebuild != NULL) {
        weiri_cli_rebuild_clear(trial.rebuild);
    }
    g_array_unref(trial.orders);
}

void weiri_cli_fixes_explain(struct weiri_cli_verdict *verdict)
{
    struct weiri_cli_rebuild rebuild;
    g_autoptr(GPtrArray) findings = findings_of(verdict->found);
    if (verdict->subject.program == NULL || findings->len == 0) {
        return;
    }
    bool ready
        = weiri_cli_rebuild_init(&rebuild, verdict->subject.program, findings, NULL);
    for (guint i = 0; ready && i < verdict->found->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        found->reason = weiri_reason_in_text(rebuild.sources, found->finding);
    }
    weiri_cli_rebuild_clear(&rebuild);
}
