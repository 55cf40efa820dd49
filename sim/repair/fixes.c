/* SPDX-License-Identifier: MIT
 *
 * fixes.c: the search for a fix. A candidate is applied to the sources, the program is
 * built again by the commands that built it, and tried: see fix-trial.h. An order is
 * first tried in the program as it stands, and if that shows it to be wrong, it is not
 * built at all. The first of the other candidates is built alone. After it, as many as
 * possible are built into one program and run one after the other, and only those that
 * do not fail there are built as they would be in the source. A candidate that
 * removes some findings and makes no new one is kept if nothing better is found, and
 * the search goes on from there: two defects need two changes. */
#include "config.h"

#include "repair/fix-trial.h"

#include "cli/child.h"
#include "repair/suggest.h"

#include <string.h>

enum {
    MOST_TRIED = 40,   /* candidates for each change */
    MOST_AT_ONCE = 12, /* of these, in one program */
    MOST_SHOWING = 8,  /* runs that showed findings, made first */
    MOST_SAME = 40,    /* other runs of the check that are made again */
    N_SEEDED = 20,     /* runs under new seeds */
    MORE_STEPS = 20,   /* how many times the steps a changed program may take */
};

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

static GPtrArray *candidates_for(const struct weiri_cli_trial *trial,
                                 const GPtrArray *targets)
{
    g_autoptr(GPtrArray) findings = findings_of(targets);
    if (trial->rebuild == NULL) {
        return weiri_candidates_by_order(findings);
    }
    return weiri_candidates_find(findings, trial->rebuild->sources,
                                 trial->rebuild->files, finds_wrong(trial->verdict));
}

/* The sizes that parts give to memory: of each, or 0. */
static void get_sizes(const GPtrArray *parts, uint64_t rooms[WEIRI_CLI_MOST_PARTS])
{
    for (guint k = 0; k < parts->len; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        rooms[k] = part->room;
    }
}

static void set_sizes(const GPtrArray *parts,
                      const uint64_t rooms[WEIRI_CLI_MOST_PARTS])
{
    for (guint k = 0; k < parts->len; k++) {
        struct weiri_fix_candidate *part = g_ptr_array_index(parts, k);
        if (part->kind == WEIRI_FIX_ENLARGE) {
            weiri_fix_candidate_resize(part, rooms[k]);
        }
    }
}

/* The result of a trial in a program that holds several candidates. */
struct sieved {
    bool tried;      /* with others, in one program */
    bool refused;    /* it was */
    GPtrArray *left; /* targets that a run with it still shows; owned, or NULL */
};

static void clear_sieved(void *data)
{
    struct sieved *sieved = data;
    g_clear_pointer(&sieved->left, g_ptr_array_unref);
}

/* Runs a program of several candidates for one of them, under the orders that showed
 * the targets. */
static void sieve_one(const struct weiri_cli_trial *trial, char *const *program,
                      unsigned number, struct sieved *sieved)
{
    g_autofree char *text = g_strdup_printf("%u", number);
    g_auto(GStrv) words = weiri_cli_words_with(program, "WEIR_TRIAL", text);
    struct weiri_cli_outcome outcome;
    weiri_cli_trial_show(trial, words, &outcome);
    *sieved = (struct sieved){ true, outcome.refused, outcome.left };
}

/* Tries candidates in one program, from @first on. One that removes all targets so is
 * built and tried alone after that; of the others no more need be known. */
static void sieve(const struct weiri_cli_trial *trial, const GPtrArray *candidates,
                  const GPtrArray *parts, guint first, GArray *all)
{
    g_autofree unsigned *numbers = g_new(unsigned, candidates->len);
    for (guint i = 0; i < candidates->len; i++) {
        numbers[i]
            = i < first || g_array_index(all, struct sieved, i).tried ? UINT_MAX : 0;
    }
    g_auto(GStrv) program = trial->rebuild == NULL
        ? NULL
        : weiri_cli_rebuild_several(trial->rebuild, parts, candidates, MOST_AT_ONCE,
                                    &trial->check->limit, numbers);
    for (guint i = first;
         program != NULL && i < candidates->len && !weiri_cli_trial_is_over(trial);
         i++) {
        if (numbers[i] != 0 && numbers[i] != UINT_MAX) {
            sieve_one(trial, program, numbers[i],
                      &g_array_index(all, struct sieved, i));
        }
    }
}

/* The change of one order or scope, as the option order has it, for each line of the
 * statement: the site of an operation has one of these. Returns: (transfer full): or
 * %NULL where the statement is not known to have a single atomic operation of C */
static char *override_of(const struct weiri_cli_trial *trial,
                         const struct weiri_fix_candidate *candidate)
{
    const struct weiri_source *source
        = weiri_sources_get(trial->rebuild->sources, candidate->file);
    uint32_t statement = source != NULL && !weiri_source_is_cpp(source)
        ? weiri_source_find(source, candidate->line)
        : WEIRI_STATEMENT_NONE;
    if (statement == WEIRI_STATEMENT_NONE || strpbrk(candidate->file, ",=:") != NULL) {
        return NULL;
    }
    g_autofree char *text
        = weiri_text_of(source, weiri_statement_range(source, statement));
    const char *call = strstr(text, "weir_atomic_");
    if (call == NULL || strstr(call + 1, "weir_atomic_") != NULL
        || strpbrk(text, "{#\\") != NULL) {
        return NULL;
    }
    const struct weiri_statement *at = weiri_source_at(source, statement);
    GString *all = g_string_new(NULL);
    for (uint32_t line = at->first_line; line <= at->last_line; line++) {
        g_autofree char *one = weiri_cli_override_text(candidate, line);
        g_string_append_printf(all, all->len > 0 ? ",%s" : "%s", one);
    }
    return g_string_free(all, FALSE);
}

/* The change of one order or scope takes effect in the program as it is, as with the
 * option order: if a run that showed the targets refuses it so, it is not built. */
static void try_unbuilt(const struct weiri_cli_trial *trial,
                        const struct weiri_fix_candidate *candidate,
                        struct sieved *sieved)
{
    bool is_word = (candidate->kind == WEIRI_FIX_STRENGTHEN_ORDER
                    && g_str_has_prefix(candidate->to, "memory_order_"))
        || (candidate->kind == WEIRI_FIX_WIDEN_SCOPE
            && g_str_has_prefix(candidate->to, "memory_scope_"));
    if (!is_word || candidate->edits->len != 1 || trial->rebuild == NULL
        || trial->rebuild->build == NULL || trial->check->options.order != NULL) {
        return;
    }
    g_autofree char *text = override_of(trial, candidate);
    if (text == NULL) {
        return;
    }
    struct weiri_cli_check check = *trial->check;
    check.options.order = text;
    struct weiri_cli_trial overridden = *trial;
    overridden.check = &check;
    struct weiri_cli_outcome outcome;
    weiri_cli_trial_show(&overridden, trial->verdict->subject.program, &outcome);
    if (outcome.refused || outcome.left->len > 0) {
        *sieved = (struct sieved){ true, outcome.refused, outcome.left };
    } else {
        g_ptr_array_unref(outcome.left);
    }
}

static void show_trial(guint index, guint n)
{
    g_autofree char *line = g_strdup_printf("trying fix %u of %u", index + 1, n);
    weiri_cli_progress(line);
}

/* The best of the candidates that are not in @parts; it is added to these.
 * Returns: whether that repairs the program. @left: (inout): the targets that are
 *          left */
static bool improve(const struct weiri_cli_trial *trial, GPtrArray *candidates,
                    GPtrArray *parts, GPtrArray **left,
                    struct weiri_cli_outcome *outcome)
{
    void *best = NULL;
    uint64_t best_sizes[WEIRI_CLI_MOST_PARTS] = { 0 };
    guint n = MIN(candidates->len, MOST_TRIED);
    g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(struct sieved));
    g_array_set_clear_func(all, clear_sieved);
    g_array_set_size(all, candidates->len);
    bool built = false;
    for (guint i = 0; i < n && !weiri_cli_trial_is_over(trial); i++) {
        struct sieved *sieved = &g_array_index(all, struct sieved, i);
        uint64_t sizes[WEIRI_CLI_MOST_PARTS];
        show_trial(i, n);
        if (!sieved->tried && parts->len == 0) {
            try_unbuilt(trial, g_ptr_array_index(candidates, i), sieved);
        }
        /* The first is the likeliest, and is built alone. */
        if (built && !sieved->tried) {
            sieve(trial, candidates, parts, i, all);
        }
        built = built || !sieved->tried;
        g_ptr_array_add(parts, g_ptr_array_index(candidates, i));
        get_sizes(parts, sizes);
        if (sieved->tried && (sieved->refused || sieved->left->len > 0)) {
            *outcome
                = (struct weiri_cli_outcome){ .refused = sieved->refused,
                                              .left = g_ptr_array_ref(sieved->left) };
        } else if (weiri_cli_trial_evaluate(trial, parts, outcome)) {
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

/* Chooses the finding that stands for all that @part has removed, and makes it the
 * leader of the others. They are the findings of @before that are not in @after. */
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

/* Whether the program judges its answer, and whether every execution is right, too, if
 * that can be explored. */
static void prove(const struct weiri_cli_trial *trial, struct weiri_cli_fix *fix)
{
    if (trial->rebuild == NULL) {
        weiri_cli_fix_judge(trial->verdict, trial->orders, NULL, fix);
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, 0);
        g_autofree char *order = weiri_cli_override_text(part, part->line);
        weiri_cli_fix_prove_kernel(trial->check, trial->verdict->subject.row, order,
                                   fix);
        return;
    }
    g_auto(GStrv) program
        = weiri_cli_rebuild_with(trial->rebuild, fix->parts, &trial->check->limit);
    weiri_cli_fix_judge(trial->verdict, trial->orders, program, fix);
    if (program != NULL) {
        weiri_cli_fix_prove_program(trial->check, program, trial->verdict->n_steps,
                                    fix);
    }
}

/* Takes over what @outcome has counted. */
static void count_runs(struct weiri_cli_fix *fix,
                       const struct weiri_cli_outcome *outcome)
{
    fix->runs = outcome->runs;
    fix->clean = outcome->clean;
    fix->right = outcome->right;
}

/* Whether a run that showed the targets refuses less in place of part @k, in the
 * program that is built already. */
static bool is_too_little(const struct weiri_cli_trial *trial, const GPtrArray *parts,
                          guint k)
{
    g_auto(GStrv) program = trial->rebuild != NULL
        ? weiri_cli_rebuild_less(trial->rebuild, parts, k)
        : NULL;
    if (program == NULL) {
        return false;
    }
    struct weiri_cli_outcome outcome;
    weiri_cli_trial_show(trial, program, &outcome);
    bool refused = outcome.refused || outcome.left->len > 0;
    g_ptr_array_unref(outcome.left);
    return refused;
}

/* Tries less in place of each part, where exploring proves that it is enough: runs
 * under schedules may miss what it lacks. @kept: owns the candidates */
static void weaken(const struct weiri_cli_trial *trial, struct weiri_cli_fix *fix,
                   GPtrArray *kept)
{
    GPtrArray *made = g_ptr_array_new_with_free_func(weiri_fix_candidate_free);
    g_ptr_array_add(kept, made);
    for (guint k = 0; k < fix->parts->len && fix->proved > 0; k++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, k);
        for (char **less = part->weaker; less != NULL && *less != NULL; less++) {
            if (less == part->weaker && is_too_little(trial, fix->parts, k)) {
                continue;
            }
            struct weiri_cli_fix tried = *fix;
            struct weiri_cli_outcome outcome = { 0 };
            void *weakened = weiri_fix_candidate_weakened(part, *less);
            g_ptr_array_add(made, weakened);
            fix->parts->pdata[k] = weakened;
            tried.proved = 0;
            if (!weiri_cli_trial_is_over(trial)
                && weiri_cli_trial_evaluate(trial, fix->parts, &outcome)) {
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
static char *reason_without_fix(const struct weiri_cli_trial *trial, size_t n_tried)
{
    struct weiri_cli_rebuild *rebuild = trial->rebuild;
    if (n_tried == 0) {
        return rebuild == NULL || has_lines(trial->targets)
            ? NULL
            : g_strdup("no fix was tried: the program has no debug information, which "
                       "states the lines of a finding: compile it with -g, and do not "
                       "strip it");
    }
    if (weiri_cli_trial_is_over(trial)) {
        return g_strdup("the time limit ended the trial of fixes: --time-limit=SECONDS "
                        "sets another one");
    }
    g_autofree char *failure = rebuild != NULL
        ? weiri_cli_rebuild_failure(rebuild, &trial->check->limit)
        : NULL;
    if (failure != NULL) {
        return g_strdup_printf("no fix was tried: %s", failure);
    }
    if (*trial->error != NULL) {
        return g_strdup_printf("not every fix could be tried: %s", *trial->error);
    }
    return weiri_cli_fix_none_text(rebuild, trial->targets);
}

static void search(const struct weiri_cli_trial *trial,
                   struct weiri_cli_verdict *verdict)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(
        (GDestroyNotify)g_ptr_array_unref); /* candidates, alive until the end */
    g_autoptr(GPtrArray) lefts
        = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    GPtrArray *left = g_ptr_array_ref(trial->targets);
    struct weiri_cli_outcome outcome = { 0 };
    bool repaired = false;
    g_ptr_array_add(lefts, g_ptr_array_ref(left));
    while (!repaired && parts->len < WEIRI_CLI_MOST_PARTS) {
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

static void choose_orders(struct weiri_cli_trial *trial)
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
    struct weiri_cli_trial trial = {
        .check = verdict->check,
        .verdict = verdict,
        .targets = targets,
        .orders = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_schedule)),
        .error = &not_run,
    };
    struct weiri_cli_rebuild rebuild;
    g_autoptr(GPtrArray) findings = findings_of(targets);
    bool ready = program == NULL
        || weiri_cli_rebuild_init(&rebuild, &verdict->subject, findings, &error);
    trial.rebuild = program != NULL ? &rebuild : NULL;
    if (ready) {
        choose_orders(&trial);
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
    bool ready = weiri_cli_rebuild_init(&rebuild, &verdict->subject, findings, NULL);
    for (guint i = 0; ready && i < verdict->found->len; i++) {
        struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        found->reason = weiri_reason_in_text(rebuild.sources, found->finding);
    }
    weiri_cli_rebuild_clear(&rebuild);
}
