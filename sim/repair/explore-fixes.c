/* SPDX-License-Identifier: MIT
 *
 * explore-fixes.c: see explore-fixes.h. A launch option gives operations other orders,
 * scopes and memories, and all launches are explored again, so each proposal was
 * proved: its exploration was exhaustive and has found nothing.
 *
 * A stronger value never allows an execution that a weaker one forbids. So a lever is
 * tried at its strongest first, and its other values only if that is enough; the same
 * holds for all levers at once. This only saves time: nothing is proposed without a
 * trial.
 *
 * Fixes are looked for in this order, until some are found: one change; two; the
 * changes that are left when all levers at once are enough and as many as possible
 * are taken back; a change of the program's text, with which it is built again. */
#include "config.h"

#include "repair/explore-fixes.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "engine/explore-run.h"
#include "repair/explore-proposals.h"
#include "repair/rebuild.h"
#include "report/record.h"
#include "report/report.h"

#include <string.h>

enum {
    SHARE = 4,        /* a trial may take a quarter of the time that is left */
    MOST_PAIRED = 32, /* levers that are tried in pairs */
    MOST_BUILT = 16,  /* changes of the text that are tried for a launch */
};

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
    bool late;         /* some trial was not made or not completed, for want of time */
    struct weiri_cli_rebuild *rebuild; /* or NULL */
};

static void clear_judged(void *data)
{
    g_free(((struct judged *)data)->breaks);
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
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct judged));
    g_array_set_clear_func(all, clear_judged);
    for (guint i = 0; records != NULL && i < records->len; i++) {
        struct judged judged = judge(g_ptr_array_index((GPtrArray *)records, i));
        g_array_append_val(all, judged);
    }
    return all;
}

/* The seconds that a trial may take; 0 or less if no time is left. */
static double seconds_left(const struct search *search)
{
    int64_t deadline_us = search->again->limit->deadline_us;
    return weiri_cli_interrupted()
        ? 0
        : (double)(deadline_us - weiri_cli_clock_us()) / G_USEC_PER_SEC / SHARE;
}

/* The judgement of the launch with the changes; UNKNOWN for want of time. */
static const struct judged *try_changes(struct search *search, const GArray *changes,
                                        guint launch)
{
    static const struct judged unknown = { .is = WEIRI_CLI_UNKNOWN };
    char *option = weiri_cli_changes_option(changes);
    GArray *all = g_hash_table_lookup(search->tried, option);
    double seconds = seconds_left(search);
    if (all == NULL && seconds > 0) {
        g_autoptr(GPtrArray) records
            = search->again->explore(search->again->self, option, seconds);
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

static void free_proposal(void *data)
{
    struct weiri_cli_proposal *proposal = data;
    g_array_unref(proposal->changes);
    g_free(proposal->breaks);
    g_free(proposal);
}

static void clear_launch(void *data)
{
    struct weiri_cli_launch_proposals *launch = data;
    g_ptr_array_unref(launch->fixes);
    g_ptr_array_unref(launch->weaker);
    g_ptr_array_unref(launch->needed);
    g_free(launch->unbuilt);
}

void weiri_cli_proposals_free(struct weiri_cli_proposals *proposals)
{
    if (proposals != NULL) {
        g_array_unref(proposals->launches);
        g_ptr_array_unref(proposals->candidates);
        g_free(proposals->diff);
        g_free(proposals->missing);
        g_free(proposals);
    }
}

static void add_proposal(GPtrArray *to, const GArray *changes,
                         const struct judged *judged)
{
    struct weiri_cli_proposal *proposal = g_new0(struct weiri_cli_proposal, 1);
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
    const struct weiri_cli_proposal *x = *(void *const *)a, *y = *(void *const *)b;
    return x->cost != y->cost ? (x->cost > y->cost) * 2 - 1 : 0;
}

/* Whether each change is at least as strong as the change of the same lever in
 * @known. */
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
        const struct weiri_cli_proposal *known
            = g_ptr_array_index((GPtrArray *)fixes, i);
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

/* ---- Changes of the text --------------------------------------------------------- */

/* Changes of the text that no lever makes. One that enlarges an array is left out: its
 * size would have to be searched for. */
static bool is_built(enum weiri_fix_kind kind)
{
    return kind != WEIRI_FIX_STRENGTHEN_ORDER && kind != WEIRI_FIX_WIDEN_SCOPE
        && kind != WEIRI_FIX_WIDEN_BARRIER && kind != WEIRI_FIX_ENLARGE;
}

/* Whether each launch of the changed program is as good as before, and that one is
 * correct. */
static bool repairs_all(const struct search *search, const GArray *after, guint launch)
{
    bool good = after->len == search->before->len;
    for (guint i = 0; good && i < after->len; i++) {
        enum weiri_cli_judgement is = g_array_index(after, struct judged, i).is,
                                 was
            = g_array_index(search->before, struct judged, i).is;
        good = is == WEIRI_CLI_PROVED || (i != launch && was != WEIRI_CLI_PROVED);
    }
    return good;
}

/* Returns: whether the changed program is proved, and *@proof: (out): what of */
static bool is_proved(struct search *search, guint launch,
                      struct weiri_fix_candidate *part, struct judged *proof)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    g_ptr_array_add(parts, part);
    g_auto(GStrv) program
        = weiri_cli_rebuild_with(search->rebuild, parts, search->again->limit);
    double seconds = seconds_left(search);
    if (program == NULL || seconds <= 0) {
        search->late = search->late || seconds <= 0;
        return false;
    }
    g_autoptr(GPtrArray) records
        = search->again->explore_changed(search->again->self, program, seconds);
    g_autoptr(GArray) after = judge_all(records);
    if (repairs_all(search, after, launch)
        && (weiri_fix_only_orders(part->kind) || weiri_cli_has_one_state(records))) {
        *proof = g_array_index(after, struct judged, launch);
        return true;
    }
    search->late = search->late
        || (after->len > launch
            && g_array_index(after, struct judged, launch).is == WEIRI_CLI_UNKNOWN);
    return false;
}

/* The change with the weakest text that is enough. @candidates: owns what is made */
static struct weiri_fix_candidate *weakest(struct search *search, guint launch,
                                           struct weiri_fix_candidate *part,
                                           struct judged *proof, GPtrArray *candidates)
{
    for (char **less = part->weaker; less != NULL && *less != NULL; less++) {
        struct weiri_fix_candidate *tried = weiri_fix_candidate_weakened(part, *less);
        g_ptr_array_add(candidates, tried);
        if (is_proved(search, launch, tried, proof)) {
            return tried;
        }
    }
    return part;
}

static void try_candidate(struct search *search, guint launch, guint i,
                          GPtrArray *candidates, GPtrArray *fixes)
{
    struct weiri_fix_candidate *part = g_ptr_array_index(candidates, i);
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_change));
    struct judged proof;
    if (is_proved(search, launch, part, &proof)) {
        part = weakest(search, launch, part, &proof, candidates);
        add_proposal(fixes, none, &proof);
        struct weiri_cli_proposal *added = g_ptr_array_index(fixes, fixes->len - 1);
        added->part = part;
        added->weakest = part != g_ptr_array_index(candidates, i);
    }
}

/* The finding, as candidates are looked for: a wrong result has no parties of its own,
 * and any operation of the launch may be the one to change. @places: of the operations.
 * Returns: (transfer full) (nullable): one with @places, owned by the caller */
static struct weir_finding *with_places(const struct weir_finding *finding,
                                        const GArray *places)
{
    if (finding->n_parties > 0 || places->len == 0) {
        return NULL;
    }
    struct weir_finding *placed = g_memdup2(finding, sizeof(*finding));
    placed->parties = (const struct weir_party *)(void *)places->data;
    placed->n_parties = places->len;
    return placed;
}

/* The operations that an exploration has met. Returns: (transfer full): of struct
 * weir_party */
static GArray *places_of(const struct weir_exploration *found)
{
    GArray *places = g_array_new(FALSE, TRUE, sizeof(struct weir_party));
    for (size_t i = 0; found != NULL && i < found->n_sites; i++) {
        const struct weir_explored_site *site = &found->sites[i];
        const struct weir_party place = { .file = site->file, .line = site->line };
        if (site->file != NULL) {
            g_array_append_val(places, place);
        }
    }
    return places;
}

/* Returns: (transfer full): of struct weiri_fix_candidate *, alive as long as the
 *          proposals */
static GPtrArray *try_text(struct search *search, guint launch, GPtrArray *fixes)
{
    const struct weiri_launch_record *record
        = g_ptr_array_index((GPtrArray *)search->records, launch);
    g_autoptr(GArray) places = places_of(record->explorations);
    g_autoptr(GPtrArray) placed = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) findings = g_ptr_array_new();
    bool checked = false;
    for (size_t i = 0; i < record->n_findings; i++) {
        const struct weir_finding *finding = &record->findings[i];
        if (!finding->note) {
            struct weir_finding *own = with_places(finding, places);
            g_ptr_array_add(findings, own != NULL ? own : (void *)finding);
            if (own != NULL) {
                g_ptr_array_add(placed, own);
            }
            checked = checked || finding->kind == WEIR_FINDING_WRONG_RESULT
                || finding->kind == WEIR_FINDING_ASSERTION;
        }
    }
    GPtrArray *candidates = weiri_candidates_find(findings, search->rebuild->sources,
                                                  search->rebuild->files, checked);
    guint n = 0, n_found = candidates->len;
    for (guint i = 0; i < n_found && n < MOST_BUILT; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(candidates, i);
        if (is_built(part->kind)) {
            try_candidate(search, launch, i, candidates, fixes);
            n++;
        }
    }
    return candidates;
}

/* ---- One launch ------------------------------------------------------------------ */

/* Orders, scopes and flags of barriers. If no change helps, sets the reason. */
static void try_levers(struct search *search, guint launch,
                       struct weiri_cli_launch_proposals *proposals)
{
    const struct weiri_launch_record *record
        = g_ptr_array_index((GPtrArray *)search->records, launch);
    g_autoptr(GArray) choices = choices_of(record->explorations);
    g_autoptr(GArray) all = strongest(choices, NULL);
    if (all->len == 0) {
        proposals->none
            = "it has no order, scope or barrier flag that could be stronger";
        return;
    }
    if (try_changes(search, all, launch)->is == WEIRI_CLI_WRONG) {
        proposals->none = "not even all orders, scopes and barrier flags at their "
                          "strongest are enough";
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
    proposals->none = proposals->fixes->len > 0
        ? NULL
        : "no stronger orders, scopes and barrier flags were proved to be enough";
}

static void fix_launch(struct search *search, guint launch,
                       struct weiri_cli_proposals *all)
{
    struct weiri_cli_launch_proposals *proposals
        = &g_array_index(all->launches, struct weiri_cli_launch_proposals, launch);
    search->late = false;
    try_levers(search, launch, proposals);
    if (proposals->fixes->len == 0 && search->rebuild != NULL) {
        g_ptr_array_add(all->candidates, try_text(search, launch, proposals->fixes));
        proposals->unbuilt
            = weiri_cli_rebuild_failure(search->rebuild, search->again->limit);
        proposals->none = proposals->fixes->len > 0 ? NULL
            : proposals->unbuilt != NULL
            ? "no stronger orders, scopes and barrier flags were proved to be enough, "
              "and no change of the source was tried"
            : "neither stronger orders, scopes and barrier flags, alone or together, "
              "nor one change of the source that was tried is enough";
    }
    if (proposals->fixes->len == 0 && search->late) {
        proposals->none = "not every trial was explored completely";
        g_clear_pointer(&proposals->unbuilt, g_free);
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
        const struct weiri_cli_proposal *proposal
            = g_ptr_array_index((GPtrArray *)proposals, i);
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
                         struct weiri_cli_launch_proposals *proposals)
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
    proposals->n_needed += values->len > 0 && broken->len == values->len;
    for (guint i = broken->len; i > 0; i--) {
        struct weiri_cli_proposal *proposal = g_ptr_array_index(broken, i - 1);
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
                          struct weiri_cli_launch_proposals *proposals)
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
    proposals->launches
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_cli_launch_proposals));
    g_array_set_clear_func(proposals->launches, clear_launch);
    proposals->candidates
        = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < n_launches; i++) {
        const struct weiri_cli_launch_proposals launch
            = { .fixes = g_ptr_array_new_with_free_func(free_proposal),
                .weaker = g_ptr_array_new_with_free_func(free_proposal),
                .needed = g_ptr_array_new_with_free_func(free_proposal) };
        g_array_append_val(proposals->launches, launch);
    }
    return proposals;
}

/* Returns: (transfer container): of const struct weir_finding * */
static GPtrArray *findings_of(const GPtrArray *records)
{
    GPtrArray *findings = g_ptr_array_new();
    for (guint i = 0; i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        for (size_t k = 0; k < record->n_findings; k++) {
            g_ptr_array_add(findings, (void *)&record->findings[k]);
        }
    }
    return findings;
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
    struct weiri_cli_rebuild rebuild;
    g_autoptr(GError) error = NULL;
    bool builds = again->subject->kind != WEIRI_CLI_BUILT_IN && !proposals->weakens;
    g_autoptr(GPtrArray) findings = findings_of(records);
    if (builds && weiri_cli_rebuild_init(&rebuild, again->subject, findings, &error)) {
        search.rebuild = &rebuild;
    }
    bool correct = true;
    for (guint i = 0; i < records->len; i++) {
        correct = correct
            && g_array_index(search.before, struct judged, i).is == WEIRI_CLI_PROVED;
    }
    if (proposals->weakens && !correct) {
        proposals->refused
            = "nothing was weakened: --weaken needs launches that are all correct and "
              "were explored completely";
    }
    for (guint i = 0; i < records->len && proposals->refused == NULL; i++) {
        struct weiri_cli_launch_proposals *launch
            = &g_array_index(proposals->launches, struct weiri_cli_launch_proposals, i);
        if (proposals->weakens) {
            weaken_launch(&search, i, launch);
        } else if (g_array_index(search.before, struct judged, i).is
                   == WEIRI_CLI_WRONG) {
            fix_launch(&search, i, proposals);
        }
    }
    proposals->late = search.late;
    weiri_cli_proposals_make_diff(proposals, search.rebuild,
                                  error != NULL ? error->message
                                                : "a built-in kernel is not changed");
    if (builds) {
        weiri_cli_rebuild_clear(&rebuild);
    }
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
