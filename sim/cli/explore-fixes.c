/* SPDX-License-Identifier: MIT
 *
 * explore-fixes.c: see explore-fixes.h. A launch option gives operations other orders,
 * scopes and memories, and all launches are explored again, so what is proposed was
 * proved: its exploration was exhaustive and has found nothing.
 *
 * A stronger value never allows an execution that a weaker one forbids. So a lever is
 * tried at its strongest first, and is done with if that is not enough; the same holds
 * for all levers at once. This only saves time: nothing is proposed without a trial.
 *
 * Fixes are looked for in this order, until some are found: one change; two; the
 * changes that are left when all levers at once are enough and as many as possible
 * are taken back. */
#include "config.h"

#include "cli/explore-fixes.h"

#include "cli/child.h"
#include "cli/explore-changes.h"
#include "cli/explore-run.h"
#include "fix/candidate.h"
#include "report/record.h"
#include "report/report.h"

#include <string.h>

/* What an exploration may take of the time that is left: one in so many. */
enum { SHARE = 4 };
/* Levers that are tried in pairs. */
enum { MOST_PAIRED = 32 };

/* ---- Trials ---------------------------------------------------------------------- */

struct judged {
    enum weiri_cli_judgement is;
    uint64_t executions;
    char *breaks; /* what is wrong, in words; owned, or NULL */
};

struct search {
    const struct weiri_cli_again *again;
    const GPtrArray *records;
    GArray *before;    /* of struct judged, by launch */
    GHashTable *tried; /* option to GArray of struct judged, by launch; owned */
    bool late;         /* a trial was not made, or not to its end, for want of time */
};

static void clear_judged(void *data)
{
    g_free(((struct judged *)data)->breaks);
}

static GArray *judged_new(void)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct judged));
    g_array_set_clear_func(all, clear_judged);
    return all;
}

/* "a data race of box[0]" */
static char *words_of(const struct weir_finding *finding)
{
    g_autofree char *kind
        = g_strdelimit(g_strdup(weir_finding_kind_name(finding->kind)), "-", ' ');
    return finding->object != NULL ? g_strdup_printf("%s of %s[%" PRId64 "]", kind,
                                                     finding->object, finding->index)
                                   : g_steal_pointer(&kind);
}

static struct judged judge(const struct weiri_launch_record *record)
{
    struct judged judged = { .is = weiri_cli_judge_explored(record) };
    for (size_t i = 0; i < record->n_findings && judged.breaks == NULL; i++) {
        judged.breaks
            = record->findings[i].note ? NULL : words_of(&record->findings[i]);
    }
    if (judged.is == WEIRI_CLI_WRONG && judged.breaks == NULL) {
        judged.breaks = g_strdup("an execution that never ends");
    }
    judged.executions
        = record->n_explorations > 0 ? record->explorations->executions : 0;
    return judged;
}

static GArray *judge_all(const GPtrArray *records)
{
    GArray *all = judged_new();
    for (guint i = 0; records != NULL && i < records->len; i++) {
        struct judged judged = judge(g_ptr_array_index((GPtrArray *)records, i));
        g_array_append_val(all, judged);
    }
    return all;
}

/* How the launch is with the changes, if it is explored in time. */
static const struct judged *try_changes(struct search *search, const GArray *changes,
                                        guint launch)
{
    static const struct judged unknown = { .is = WEIRI_CLI_UNKNOWN };
    char *option = weiri_cli_changes_option(changes);
    GArray *all = g_hash_table_lookup(search->tried, option);
    const struct weiri_cli_limit *limit = search->again->limit;
    double left
        = (double)(limit->deadline_us - g_get_monotonic_time()) / G_USEC_PER_SEC;
    if (all == NULL && (left > 0 || limit->deadline_us == 0)
        && !weiri_cli_interrupted()) {
        g_autoptr(GPtrArray) records
            = search->again->explore(search->again->self, option, left / SHARE);
        all = judge_all(records);
        g_hash_table_insert(search->tried, g_steal_pointer(&option), all);
    }
    g_free(option);
    const struct judged *judged = all != NULL && launch < all->len
        ? &g_array_index(all, struct judged, launch)
        : &unknown;
    search->late |= judged->is == WEIRI_CLI_UNKNOWN;
    return judged;
}

/* Whether the changes repair the launch, and no other has become wrong. */
static bool repairs(struct search *search, const GArray *changes, guint launch)
{
    bool good = try_changes(search, changes, launch)->is == WEIRI_CLI_PROVED;
    for (guint i = 0; i < search->before->len; i++) {
        good = good
            && (g_array_index(search->before, struct judged, i).is != WEIRI_CLI_PROVED
                || try_changes(search, changes, i)->is == WEIRI_CLI_PROVED);
    }
    return good;
}

/* ---- Proposals ------------------------------------------------------------------- */

/* Changes that are enough together; or one that is too much. */
struct proposal {
    GArray *changes; /* of struct weiri_cli_change */
    unsigned cost;
    uint64_t executions;
    char *breaks; /* owned; of one that is too much, else NULL */
};

struct launch_proposals {
    GPtrArray *fixes;  /* of struct proposal *, the cheapest first */
    GPtrArray *weaker; /* that hold */
    GPtrArray *needed; /* that do not; of each lever the strongest ones */
    guint n_needed;    /* levers */
    guint n_alike;     /* scopes that were not tried */
    const char *none;  /* why there are no fixes; or NULL */
};

struct weiri_cli_proposals {
    bool weakens;
    const char *refused; /* why nothing was tried; or NULL */
    bool late;
    GArray *launches; /* of struct launch_proposals */
};

static void free_proposal(void *data)
{
    struct proposal *proposal = data;
    g_array_unref(proposal->changes);
    g_free(proposal->breaks);
    g_free(proposal);
}

static void clear_launch(void *data)
{
    struct launch_proposals *launch = data;
    g_ptr_array_unref(launch->fixes);
    g_ptr_array_unref(launch->weaker);
    g_ptr_array_unref(launch->needed);
}

void weiri_cli_proposals_free(struct weiri_cli_proposals *proposals)
{
    if (proposals != NULL) {
        g_array_unref(proposals->launches);
        g_free(proposals);
    }
}

static void add_proposal(GPtrArray *to, const GArray *changes,
                         const struct judged *judged)
{
    struct proposal *proposal = g_new0(struct proposal, 1);
    proposal->changes = g_array_copy((GArray *)changes);
    proposal->executions = judged->executions;
    proposal->breaks = g_strdup(judged->breaks);
    for (guint i = 0; i < changes->len; i++) {
        proposal->cost += weiri_cli_change_cost(
            &g_array_index(changes, struct weiri_cli_change, i));
    }
    g_ptr_array_add(to, proposal);
}

static int by_cost(const void *a, const void *b)
{
    const struct proposal *x = *(void *const *)a, *y = *(void *const *)b;
    return x->cost != y->cost ? (x->cost > y->cost) * 2 - 1 : 0;
}

/* Whether each change is at least as strong as that of the same lever in @known. */
static bool is_as_strong(const GArray *changes, const GArray *known)
{
    bool strong = changes->len == known->len;
    for (guint i = 0; strong && i < changes->len; i++) {
        const struct weiri_cli_change *one
            = &g_array_index(changes, struct weiri_cli_change, i);
        const struct weiri_cli_change *other
            = &g_array_index(known, struct weiri_cli_change, i);
        strong = one->lever.site == other->lever.site
            && one->lever.aspect == other->lever.aspect
            && weiri_cli_is_as_strong(one->lever.aspect, one->to, other->to);
    }
    return strong;
}

/* Whether a weaker change of the same levers, or an equal one, is proposed. */
static bool is_needless(const GPtrArray *fixes, const GArray *changes)
{
    bool needless = false;
    for (guint i = 0; i < fixes->len; i++) {
        const struct proposal *known = g_ptr_array_index((GPtrArray *)fixes, i);
        needless = needless || is_as_strong(changes, known->changes);
    }
    return needless;
}

/* ---- Fixes ----------------------------------------------------------------------- */

/* A lever, and the stronger values that it may have; the last is the strongest. */
struct choice {
    struct weiri_cli_lever lever;
    GArray *values; /* of unsigned */
};

static void clear_choice(void *data)
{
    g_array_unref(((struct choice *)data)->values);
}

static GArray *choices_of(const struct weir_exploration *found)
{
    g_autoptr(GArray) levers = weiri_cli_levers_of(found);
    GArray *choices = g_array_new(FALSE, FALSE, sizeof(struct choice));
    g_array_set_clear_func(choices, clear_choice);
    for (guint i = 0; i < levers->len; i++) {
        struct choice choice
            = { .lever = g_array_index(levers, struct weiri_cli_lever, i) };
        choice.values = weiri_cli_lever_values(found, &choice.lever, true, NULL);
        if (choice.values->len > 0) {
            g_array_append_val(choices, choice);
        } else {
            clear_choice(&choice);
        }
    }
    return choices;
}

static void set_change(GArray *changes, guint at, const struct choice *choice, guint i)
{
    struct weiri_cli_change change
        = { choice->lever, g_array_index(choice->values, unsigned, i) };
    if (at == changes->len) {
        g_array_append_val(changes, change);
    } else {
        g_array_index(changes, struct weiri_cli_change, at) = change;
    }
}

/* All levers that @taken leaves, at their strongest. */
static GArray *strongest(const GArray *choices, const bool *taken)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_change));
    for (guint i = 0; i < choices->len; i++) {
        const struct choice *choice = &g_array_index(choices, struct choice, i);
        if (taken == NULL || !taken[i]) {
            set_change(changes, changes->len, choice, choice->values->len - 1);
        }
    }
    return changes;
}

/* Tries all values of one lever, or of two, and keeps those without which a weaker one
 * is enough. */
static void try_values(struct search *search, guint launch, const struct choice *one,
                       const struct choice *other, GPtrArray *fixes)
{
    g_autoptr(GArray) changes
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_change));
    set_change(changes, 0, one, one->values->len - 1);
    if (other != NULL) {
        set_change(changes, 1, other, other->values->len - 1);
    }
    if (try_changes(search, changes, launch)->is == WEIRI_CLI_WRONG) {
        return;
    }
    /* Weaker values come first. */
    for (guint i = 0; i < one->values->len; i++) {
        set_change(changes, 0, one, i);
        for (guint k = 0; k < (other != NULL ? other->values->len : 1); k++) {
            if (other != NULL) {
                set_change(changes, 1, other, k);
            }
            if (!is_needless(fixes, changes) && repairs(search, changes, launch)) {
                add_proposal(fixes, changes, try_changes(search, changes, launch));
            }
        }
    }
}

static void try_pairs(struct search *search, guint launch, const GArray *choices,
                      GPtrArray *fixes)
{
    guint n = MIN(choices->len, MOST_PAIRED);
    for (guint i = 0; i < n; i++) {
        for (guint k = i + 1; k < n; k++) {
            try_values(search, launch, &g_array_index(choices, struct choice, i),
                       &g_array_index(choices, struct choice, k), fixes);
        }
    }
}

/* All levers at once are enough: takes back as many as possible, and then makes each of
 * the others as weak as possible. */
static void reduce(struct search *search, guint launch, const GArray *choices,
                   GPtrArray *fixes)
{
    g_autofree bool *taken = g_new0(bool, choices->len);
    for (guint i = 0; i < choices->len; i++) {
        taken[i] = true;
        g_autoptr(GArray) rest = strongest(choices, taken);
        taken[i] = rest->len > 0 && repairs(search, rest, launch);
    }
    g_autoptr(GArray) changes = strongest(choices, taken);
    guint at = 0;
    for (guint i = 0; i < choices->len; i++) {
        const struct choice *choice = &g_array_index(choices, struct choice, i);
        bool enough = taken[i];
        for (guint v = 0; !enough && v < choice->values->len; v++) {
            set_change(changes, at, choice, v);
            enough = repairs(search, changes, launch);
        }
        at += !taken[i];
    }
    const struct judged *judged = try_changes(search, changes, launch);
    if (judged->is == WEIRI_CLI_PROVED) {
        add_proposal(fixes, changes, judged);
    }
}

static void fix_launch(struct search *search, guint launch,
                       struct launch_proposals *proposals)
{
    const struct weiri_launch_record *record
        = g_ptr_array_index((GPtrArray *)search->records, launch);
    g_autoptr(GArray) choices = choices_of(record->explorations);
    g_autoptr(GArray) all = strongest(choices, NULL);
    search->late = false;
    if (all->len == 0) {
        proposals->none = "it has no order, scope or flag that could be stronger";
        return;
    }
    if (try_changes(search, all, launch)->is == WEIRI_CLI_WRONG) {
        proposals->none = "no order, scope or flag of a barrier is enough, not even "
                          "the strongest of all together";
        return;
    }
    for (guint i = 0; i < choices->len; i++) {
        try_values(search, launch, &g_array_index(choices, struct choice, i), NULL,
                   proposals->fixes);
    }
    if (proposals->fixes->len == 0) {
        try_pairs(search, launch, choices, proposals->fixes);
    }
    if (proposals->fixes->len == 0
        && try_changes(search, all, launch)->is == WEIRI_CLI_PROVED) {
        reduce(search, launch, choices, proposals->fixes);
    }
    g_ptr_array_sort(proposals->fixes, by_cost); /* stable */
    if (proposals->fixes->len == 0) {
        proposals->none = search->late
            ? "the time limit ended the trial of fixes"
            : "no order, scope or flag of a barrier is enough";
    }
}

/* ---- Weaker ---------------------------------------------------------------------- */

/* Whether all launches hold. *@broken: one that does not */
static bool all_hold(struct search *search, const GArray *changes,
                     const struct judged **broken)
{
    *broken = NULL;
    for (guint i = 0; i < search->records->len && *broken == NULL; i++) {
        const struct judged *judged = try_changes(search, changes, i);
        *broken = judged->is == WEIRI_CLI_PROVED ? NULL : judged;
    }
    return *broken == NULL;
}

/* Whether a proposal is of the lever, and weaker than the change, or not stronger. */
static bool is_known(const GPtrArray *proposals, const struct weiri_cli_change *change,
                     bool weaker)
{
    bool known = false;
    for (guint i = 0; i < proposals->len; i++) {
        const struct proposal *proposal = g_ptr_array_index((GPtrArray *)proposals, i);
        const struct weiri_cli_change *other
            = &g_array_index(proposal->changes, struct weiri_cli_change, 0);
        known = known
            || (other->lever.site == change->lever.site
                && other->lever.aspect == change->lever.aspect
                && weiri_cli_is_as_strong(change->lever.aspect,
                                          weaker ? change->to : other->to,
                                          weaker ? other->to : change->to));
    }
    return known;
}

static void weaken_lever(struct search *search, guint launch,
                         const struct weiri_cli_lever *lever,
                         struct launch_proposals *proposals)
{
    const struct weiri_launch_record *record
        = g_ptr_array_index((GPtrArray *)search->records, launch);
    g_autoptr(GArray) values = weiri_cli_lever_values(record->explorations, lever,
                                                      false, &proposals->n_alike);
    g_autoptr(GArray) changes
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_change));
    g_autoptr(GPtrArray) broken = g_ptr_array_new_with_free_func(free_proposal);
    guint n_before = proposals->weaker->len;
    for (guint i = 0; i < values->len; i++) {
        struct weiri_cli_change change = { *lever, g_array_index(values, unsigned, i) };
        const struct judged *wrong;
        g_array_set_size(changes, 0);
        g_array_append_val(changes, change);
        if (is_known(proposals->weaker, &change, true)) {
            continue;
        }
        if (all_hold(search, changes, &wrong)) {
            add_proposal(proposals->weaker, changes,
                         try_changes(search, changes, launch));
        } else if (wrong->is == WEIRI_CLI_WRONG) {
            add_proposal(broken, changes, wrong);
        }
    }
    proposals->n_needed += values->len > 0 && n_before == proposals->weaker->len;
    for (guint i = broken->len; i > 0; i--) {
        struct proposal *proposal = g_ptr_array_index(broken, i - 1);
        const struct weiri_cli_change *change
            = &g_array_index(proposal->changes, struct weiri_cli_change, 0);
        if (n_before == proposals->weaker->len
            && !is_known(proposals->needed, change, false)) {
            add_proposal(proposals->needed, proposal->changes,
                         &(struct judged){ .breaks = proposal->breaks });
        }
    }
}

static void weaken_launch(struct search *search, guint launch,
                          struct launch_proposals *proposals)
{
    const struct weiri_launch_record *record
        = g_ptr_array_index((GPtrArray *)search->records, launch);
    g_autoptr(GArray) levers = weiri_cli_levers_of(record->explorations);
    for (guint i = 0; i < levers->len; i++) {
        weaken_lever(search, launch, &g_array_index(levers, struct weiri_cli_lever, i),
                     proposals);
    }
}

/* ---- Searches -------------------------------------------------------------------- */

static void unref_array(void *array)
{
    g_array_unref(array);
}

static struct weiri_cli_proposals *proposals_new(guint n_launches)
{
    struct weiri_cli_proposals *proposals = g_new0(struct weiri_cli_proposals, 1);
    proposals->launches = g_array_new(FALSE, FALSE, sizeof(struct launch_proposals));
    g_array_set_clear_func(proposals->launches, clear_launch);
    for (guint i = 0; i < n_launches; i++) {
        const struct launch_proposals launch
            = { .fixes = g_ptr_array_new_with_free_func(free_proposal),
                .weaker = g_ptr_array_new_with_free_func(free_proposal),
                .needed = g_ptr_array_new_with_free_func(free_proposal) };
        g_array_append_val(proposals->launches, launch);
    }
    return proposals;
}

static void search_launches(const struct weiri_cli_again *again,
                            const GPtrArray *records,
                            struct weiri_cli_proposals *proposals)
{
    struct search search = { .again = again,
                             .records = records,
                             .before = judge_all(records),
                             .tried = g_hash_table_new_full(g_str_hash, g_str_equal,
                                                            g_free, unref_array) };
    bool correct = true;
    for (guint i = 0; i < records->len; i++) {
        correct = correct
            && g_array_index(search.before, struct judged, i).is == WEIRI_CLI_PROVED;
    }
    if (proposals->weakens && !correct) {
        proposals->refused = "what could be weaker is looked for only where each "
                             "launch is correct, and is explored to its end";
    }
    for (guint i = 0; i < records->len && proposals->refused == NULL; i++) {
        struct launch_proposals *launch
            = &g_array_index(proposals->launches, struct launch_proposals, i);
        if (proposals->weakens) {
            weaken_launch(&search, i, launch);
        } else if (g_array_index(search.before, struct judged, i).is
                   == WEIRI_CLI_WRONG) {
            fix_launch(&search, i, launch);
        }
    }
    proposals->late = search.late;
    g_hash_table_unref(search.tried);
    g_array_unref(search.before);
}

struct weiri_cli_proposals *weiri_cli_explore_fixes(const struct weiri_cli_again *again,
                                                    const GPtrArray *records)
{
    struct weiri_cli_proposals *proposals = proposals_new(records->len);
    weiri_cli_progress("exploring fixes");
    search_launches(again, records, proposals);
    weiri_cli_progress(NULL);
    return proposals;
}

struct weiri_cli_proposals *weiri_cli_explore_weaker(
    const struct weiri_cli_again *again, const GPtrArray *records)
{
    struct weiri_cli_proposals *proposals = proposals_new(records->len);
    proposals->weakens = true;
    weiri_cli_progress("exploring what could be weaker");
    search_launches(again, records, proposals);
    weiri_cli_progress(NULL);
    return proposals;
}

/* ---- Words ----------------------------------------------------------------------- */

static void add_changes(GString *out, const struct proposal *proposal)
{
    for (guint i = 0; i < proposal->changes->len; i++) {
        const struct weiri_cli_change *change
            = &g_array_index(proposal->changes, struct weiri_cli_change, i);
        g_autofree char *title = weiri_cli_change_title(change);
        g_string_append_printf(out, "%s%s %s:%u", i > 0 ? "; and " : "", title,
                               change->lever.site->file, change->lever.site->line);
    }
}

static void add_fixes(GString *out, const struct launch_proposals *launch)
{
    if (launch->fixes->len > 0) {
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < launch->fixes->len; i++) {
        const struct proposal *fix = g_ptr_array_index(launch->fixes, i);
        g_string_append(out, i == 0 ? "fix: " : "or:  ");
        add_changes(out, fix);
        g_string_append_printf(out,
                               " (proved%s: %" PRIu64 " execution%s, exhaustive)\n",
                               fix->changes->len > 1 ? " together" : "",
                               fix->executions, fix->executions == 1 ? "" : "s");
    }
    if (launch->none != NULL) {
        g_string_append_printf(out, "\nno fix: %s\n", launch->none);
    }
}

static void add_weaker(GString *out, const struct launch_proposals *launch, bool late)
{
    g_string_append_c(out, '\n');
    if (launch->weaker->len > 0) {
        g_string_append(out,
                        "could be weaker, each alone, at this size and under this "
                        "model:\n");
    } else if (!late) {
        g_string_append(out,
                        "nothing could be weaker, at this size and under this "
                        "model\n");
    }
    for (guint i = 0; i < launch->weaker->len; i++) {
        const struct proposal *weaker = g_ptr_array_index(launch->weaker, i);
        g_string_append(out, "  ");
        add_changes(out, weaker);
        g_string_append_printf(out, " (proved: %" PRIu64 " execution%s, exhaustive)\n",
                               weaker->executions, weaker->executions == 1 ? "" : "s");
    }
    if (launch->n_needed > 0) {
        g_string_append_printf(out, "needed: %u\n", launch->n_needed);
    }
    for (guint i = 0; i < launch->needed->len; i++) {
        const struct proposal *needed = g_ptr_array_index(launch->needed, i);
        g_string_append(out, "  ");
        add_changes(out, needed);
        g_string_append_printf(out, ": %s\n", needed->breaks);
    }
    if (launch->n_alike > 0) {
        g_string_append_printf(out,
                               "not tried: %u scope%s, which a launch of this size "
                               "does not distinguish\n",
                               launch->n_alike, launch->n_alike == 1 ? "" : "s");
    }
    if (late) {
        g_string_append(out, "not all was tried: the time limit was reached\n");
    }
}

void weiri_cli_proposals_add_text(const struct weiri_cli_proposals *proposals,
                                  guint launch, GString *out)
{
    if (proposals == NULL) {
        return;
    }
    const struct launch_proposals *of
        = &g_array_index(proposals->launches, struct launch_proposals, launch);
    if (!proposals->weakens) {
        add_fixes(out, of);
    } else if (proposals->refused == NULL) {
        add_weaker(out, of, proposals->late);
    } else if (launch == 0) {
        g_string_append_printf(out, "\n%s\n", proposals->refused);
    }
}

/* One member for each change; those of one proposal have one number. */
static void add_json(JsonBuilder *builder, const char *name, const GPtrArray *proposals,
                     bool stronger)
{
    static const enum weiri_fix_kind kinds[]
        = { [WEIRI_CLI_ORDER] = WEIRI_FIX_STRENGTHEN_ORDER,
            [WEIRI_CLI_FAILURE] = WEIRI_FIX_STRENGTHEN_ORDER,
            [WEIRI_CLI_SCOPE] = WEIRI_FIX_WIDEN_SCOPE,
            [WEIRI_CLI_SPACES] = WEIRI_FIX_WIDEN_BARRIER };
    static const char *const weaker[] = { [WEIRI_CLI_ORDER] = "weaken-order",
                                          [WEIRI_CLI_FAILURE] = "weaken-order",
                                          [WEIRI_CLI_SCOPE] = "narrow-scope",
                                          [WEIRI_CLI_SPACES] = "narrow-barrier" };
    weiri_json_array(builder, name);
    for (guint p = 0; p < proposals->len; p++) {
        const struct proposal *proposal = g_ptr_array_index((GPtrArray *)proposals, p);
        for (guint i = 0; i < proposal->changes->len; i++) {
            const struct weiri_cli_change *change
                = &g_array_index(proposal->changes, struct weiri_cli_change, i);
            const struct weiri_cli_lever *lever = &change->lever;
            g_autofree char *title = weiri_cli_change_title(change);
            weiri_json_object(builder, NULL);
            weiri_json_int(builder, "number", p + 1);
            weiri_json_text(builder, "what",
                            stronger ? weiri_fix_kind_name(kinds[lever->aspect])
                                     : weaker[lever->aspect]);
            weiri_json_text(builder, "file", lever->site->file);
            weiri_json_int(builder, "line", lever->site->line);
            weiri_json_text(builder, "from",
                            weiri_cli_value_name(lever->aspect, lever->from));
            weiri_json_text(builder, "to",
                            weiri_cli_value_name(lever->aspect, change->to));
            weiri_json_text(builder, "title", title);
            if (proposal->breaks == NULL) {
                weiri_json_object(builder, "proved");
                weiri_json_int(builder, "executions", proposal->executions);
                json_builder_end_object(builder);
            } else {
                weiri_json_text(builder, "breaks", proposal->breaks);
            }
            weiri_json_bool(builder, "verified", proposal->breaks == NULL);
            weiri_json_bool(builder, "alone", proposal->changes->len == 1);
            json_builder_end_object(builder);
        }
    }
    json_builder_end_array(builder);
}

void weiri_cli_proposals_add_json(const struct weiri_cli_proposals *proposals,
                                  guint launch, JsonBuilder *builder)
{
    if (proposals == NULL) {
        return;
    }
    const struct launch_proposals *of
        = &g_array_index(proposals->launches, struct launch_proposals, launch);
    if (!proposals->weakens) {
        add_json(builder, "fixes", of->fixes, true);
        weiri_json_text(builder, "unfixed", of->none);
        return;
    }
    add_json(builder, "weaker", of->weaker, false);
    add_json(builder, "needed", of->needed, false);
    weiri_json_text(builder, "unweakened",
                    proposals->refused != NULL ? proposals->refused
                        : proposals->late      ? "the time limit was reached"
                                               : NULL);
}
