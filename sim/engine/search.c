/* SPDX-License-Identifier: MIT
 *
 * search.c: see search.h.
 *
 * PCT with D changes of priority finds a bug that shows when D + 1 events come in one
 * order, a bug of depth D + 1, with a probability of at least 1 / (n K^D) in each run
 * of n items and at most K steps. Depths of 2 to 4 take turns, since the bound for a
 * greater depth is much worse. It is a bound: where many orders show a bug, as they do
 * in lock-free structures, a run with many changes finds it more often than one with
 * few. The schedule random changes at every step, and finds bugs whose steps lie close
 * together. So both take part.
 *
 * Each run has a seed of its own. Under one seed the runs of pct:2 and pct:3 would
 * share the places of two changes.
 *
 * Follows: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with
 * probabilistic guarantees of finding bugs", ASPLOS 2010. */
#include "config.h"

#include "engine/search.h"

#include "report/report.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Changes of priority of the runs that take turns. Many of them stand for an order of
 * many events. Of 600 runs on a lock-free stack whose tag has one bit, 24 changes
 * found the reuse of a node in 7, 3 changes in none. */
static const unsigned turns[] = { 1, 24, 2, 24, 3, 0 };

enum { RANDOM = 0 };

/* The seeds of random that begin a search come first: 1 and 2. */
enum { FIRST_SEED = 3 };

/* Beyond this depth the bound says nothing: a billionth is not reached in a year. */
enum { MOST_CHANGES_OF_A_BOUND = 3 };

struct weiri_cli_schedule weiri_cli_search_order(uint64_t index, uint64_t steps)
{
    unsigned changes = turns[index % G_N_ELEMENTS(turns)];
    return (struct weiri_cli_schedule){
        .schedule = changes == RANDOM
            ? g_strdup("random")
            : g_strdup_printf("pct:%u:%" PRIu64, changes, MAX(steps, 1)),
        .seed = FIRST_SEED + index,
    };
}

/* A run of pct finds a bug of depth 1 with a probability of at least 1 / n. So 4 n runs
 * miss it in one search of fifty; the most suffice for that up to 100 items. All steps
 * of a search take a second or two. */
enum { RUNS_OF_AN_ITEM = 4, FEWEST_RUNS = 160, MOST_RUNS = 400 };
static const uint64_t MOST_STEPS = UINT64_C(1) << 24;

/* Runs without news after which a search that has found something ends, if it has made
 * no more than that many before. */
enum { PATIENCE = 32 };

bool weiri_cli_search_helps(const struct weiri_cli_verdict *verdict)
{
    return verdict->n_launches > 0;
}

uint64_t weiri_cli_search_runs(const struct weiri_cli_verdict *verdict,
                               size_t n_subjects)
{
    uint64_t items = MIN(verdict->n_items, MOST_RUNS);
    uint64_t runs = CLAMP(items * RUNS_OF_AN_ITEM, FEWEST_RUNS, MOST_RUNS);
    return MIN(runs, MOST_STEPS / MAX(verdict->n_steps, 1)) / n_subjects;
}

bool weiri_cli_search_is_over(const struct weiri_cli_verdict *verdict)
{
    const struct weiri_cli_check *check = verdict->check;
    /* With --baseline or --suppress the search goes on: a known finding must not keep
     * it from reaching a new one. */
    bool known = check->suppressions != NULL || check->known != NULL;
    return verdict->defective && !known
        && verdict->runs->len - verdict->news >= MAX(PATIENCE, verdict->news);
}

/* ---- What was tried -------------------------------------------------------------- */

/* Runs of one kind. */
struct kind {
    char *schedule; /* owned; of several kernels without pct's K */
    uint64_t n_runs;
    uint64_t n_bound; /* of these, of no more than pct's K steps */
    uint64_t changes; /* pct's D, or 0 */
    uint64_t steps;   /* its K */
};

static void clear_kind(void *data)
{
    struct kind *kind = data;
    g_free(kind->schedule);
}

/* @alike: schedules that differ in pct's K alone are of one kind */
static void add_run(GArray *kinds, const struct weiri_cli_summary *run, bool alike)
{
    uint64_t changes = 0, steps = 0;
    if (g_str_has_prefix(run->schedule, "pct:")) {
        char *end;
        changes = g_ascii_strtoull(run->schedule + strlen("pct:"), &end, 10);
        steps = *end == ':' ? g_ascii_strtoull(end + 1, NULL, 10) : 0;
    }
    g_autofree char *name = changes > 0 && alike
        ? g_strdup_printf("pct:%" PRIu64, changes)
        : g_strdup(run->schedule);
    guint i = 0;
    while (i < kinds->len
           && strcmp(g_array_index(kinds, struct kind, i).schedule, name) != 0) {
        i++;
    }
    if (i == kinds->len) {
        struct kind kind = { .schedule = g_steal_pointer(&name),
                             .changes = changes,
                             .steps = steps };
        g_array_append_val(kinds, kind);
    }
    struct kind *kind = &g_array_index(kinds, struct kind, i);
    kind->n_runs++;
    kind->n_bound += run->most_steps <= steps && run->incomplete == NULL;
}

static GArray *new_kinds(void)
{
    GArray *kinds = g_array_new(FALSE, FALSE, sizeof(struct kind));
    g_array_set_clear_func(kinds, clear_kind);
    return kinds;
}

static void add_runs(GArray *kinds, const struct weiri_cli_verdict *verdict, bool alike)
{
    for (guint i = 0; i < verdict->runs->len; i++) {
        add_run(kinds, weiri_cli_verdict_run(verdict, i), alike);
    }
}

/* The least probability that one of the runs finds a bug of depth @changes + 1. */
static double bound(const struct kind *kind, uint64_t n_items)
{
    double once
        = 1 / ((double)n_items * pow((double)kind->steps, (double)kind->changes));
    return -expm1((double)kind->n_bound * log1p(-MIN(once, 1 - DBL_EPSILON)));
}

static bool has_bound(const struct kind *kind, const struct weiri_cli_verdict *verdict)
{
    return kind->changes > 0 && kind->changes <= MOST_CHANGES_OF_A_BOUND
        && kind->steps > 0 && verdict->n_items > 0;
}

/* ---- In words -------------------------------------------------------------------- */

static void add_guarantee(GString *out, GArray *kinds,
                          const struct weiri_cli_verdict *verdict)
{
    g_autoptr(GString) bounds = g_string_new(NULL);
    uint64_t steps = 0;
    for (guint i = 0; i < kinds->len; i++) {
        const struct kind *kind = &g_array_index(kinds, struct kind, i);
        if (has_bound(kind, verdict) && kind->n_bound > 0) {
            g_string_append_printf(
                bounds, "%s %.2g %% for depth %" PRIu64, bounds->len > 0 ? "," : "",
                100 * bound(kind, verdict->n_items), kind->changes + 1);
            steps = kind->steps;
        }
    }
    if (bounds->len > 0) {
        g_string_append_printf(
            out,
            "guarantee: a bug of depth d shows whenever d events happen in a certain "
            "order; these runs find one with a probability of at least%s: each run of "
            "pct:D finds one of depth D + 1 with at least 1 / (n k^D), where "
            "n = %" PRIu64 " items and k = %" PRIu64
            " steps (Burckhardt et al., ASPLOS 2010)\n",
            bounds->str, verdict->n_items, steps);
    }
}

/* A line, where time has ended the search. */
static void add_cut(GString *out, const struct weiri_cli_verdict *verdict)
{
    if (verdict->cut) {
        g_string_append_printf(out,
                               "the search was cut short: %u of %" PRIu64
                               " runs of %s in %g seconds; --for or --runs asks for "
                               "more\n",
                               verdict->runs->len, verdict->n_wanted,
                               weiri_cli_subject_name(&verdict->subject),
                               verdict->check->search_seconds);
    }
}

char *weiri_cli_searched_text(GPtrArray *verdicts)
{
    GString *out = g_string_new("searched:");
    g_autoptr(GArray) kinds = new_kinds();
    for (guint i = 0; i < verdicts->len; i++) {
        add_runs(kinds, g_ptr_array_index(verdicts, i), verdicts->len > 1);
    }
    for (guint i = 0; i < kinds->len; i++) {
        const struct kind *kind = &g_array_index(kinds, struct kind, i);
        g_string_append_printf(out, "%s %" PRIu64 " %s", i > 0 ? "," : "", kind->n_runs,
                               kind->schedule);
    }
    g_string_append_c(out, '\n');
    for (guint i = 0; i < verdicts->len; i++) {
        add_cut(out, g_ptr_array_index(verdicts, i));
    }
    if (verdicts->len == 1) {
        add_guarantee(out, kinds, g_ptr_array_index(verdicts, 0));
    }
    return g_string_free(out, FALSE);
}

/* ---- For programs ---------------------------------------------------------------- */

void weiri_cli_searched_json(JsonBuilder *builder,
                             const struct weiri_cli_verdict *verdict)
{
    g_autoptr(GArray) kinds = new_kinds();
    add_runs(kinds, verdict, false);
    json_builder_set_member_name(builder, "searched");
    json_builder_begin_object(builder);
    weiri_json_int(builder, "runs", verdict->runs->len);
    if (verdict->n_wanted > 0) {
        weiri_json_int(builder, "wanted", verdict->n_wanted);
    }
    weiri_json_bool(builder, "cut", verdict->cut);
    weiri_json_int(builder, "items", verdict->n_items);
    weiri_json_array(builder, "kinds");
    for (guint i = 0; i < kinds->len; i++) {
        const struct kind *kind = &g_array_index(kinds, struct kind, i);
        json_builder_begin_object(builder);
        weiri_json_text(builder, "schedule", kind->schedule);
        weiri_json_int(builder, "runs", kind->n_runs);
        if (has_bound(kind, verdict)) {
            weiri_json_int(builder, "depth", kind->changes + 1);
            weiri_json_real(builder, "bound", bound(kind, verdict->n_items));
        }
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}
