/* SPDX-License-Identifier: MIT
 *
 * explore.c: `weir explore`: all executions of a kernel that a memory model allows.
 *
 * `--json` prints an object a launch, in an array:
 *
 *   test, model
 *   refused       why the launch cannot be explored, or null
 *   states        [{state, executions, holds}]: state: the memory that differs from the
 *                 start; holds: whether the state is correct
 *   observation   whether the result is correct in the complete executions: "Always",
 *                 "Sometimes" or "Never"
 *   positive, negative, race, executions, racy, blocked, faulted, cut, complete
 *   limited       whether a limit of time or of executions has ended it
 *   estimate      {executions, low, high, spread, probes}: an estimate of the number of
 *                 executions, where a limit was reached: the mean of random probes; the
 *                 least and the greatest mean of a tenth of them; and the largest
 *                 factor between one of these two and the estimate. All but probes are
 *                 null if these are fewer than 100, or if the estimate is below the
 *                 number of executions. Null without probes
 *   deviations    of --deviations: the most that an execution may have; or null
 *   symmetry      {items, orbits}: of --symmetry: how many items are interchangeable,
 *                 and the number of executions if those that differ by an exchange of
 *                 them count once; or null
 *   sampled       {runs, late, once}: of --sample: runs; new executions in their last
 *                 tenth; executions that were met once. Or null
 *   histories     sequences of values that items have read: each was run once
 *   locations     memory that executions can differ in
 *   unordered     of these, locations of atomic operations whose order does not count
 *   residencies   [{groups, executions, blocked, waits, complete}], of --resident
 *   progress      [{progress, terminates, undecided, weak, waits}], of --progress: a
 *                 model of forward progress; whether every execution ends that is fair
 *                 under it, or null; and why that is not known; whether one that does
 *                 not end is not sequentially consistent; and if it is, where its items
 *                 are: [{item, end, text, file, line}]
 *   incomplete    what ended the launch before its end, or null
 *   findings      as of weir check; the object of a race in a local array is its
 *                 variable, if the source can be read. Each has execution: the smallest
 *                 one with the finding: items, locations, events, edges, and whether
 *                 each read gets the newest value (interleaved). An event has its item,
 *                 step, kind, text, value, file, line and source; a read that gets an
 *                 older value also newest and newest_by; edges are named as by weir
 *                 litmus. turns: turns of items that lead to the finding, or no_turns:
 *                 why none do. With --record, replay: the command that runs it, or
 *                 no_replay
 *   fixes         [{number, what, file, line, from, to, title, proved: {executions},
 *                 verified, alone}]: changes that repair the launch, the cheapest
 *                 first; those of one number are needed together. Not with --no-fixes
 *                 and --weaken
 *   unfixed       why no fix was found
 *   weaker        of --weaken: the same: changes with which it stays correct
 *   needed        of --weaken: changes with which it is wrong; breaks, what is wrong,
 *                 stands in place of proved
 *   unweakened    of --weaken: why some were not tried; or null
 *
 * The file is long because it has the options and what --json prints in one place. */
#include "config.h"

#include "cli/child.h"
#include "cli/cli.h"
#include "cmd/explore-all.h"
#include "cmd/explore-litmus.h"
#include "cmd/explore-progress.h"
#include "cmd/explore-residency.h"
#include "cmd/explore-sample.h"
#include "cmd/explore.h"
#include "engine/check.h"
#include "engine/explore-ranks.h"
#include "engine/explore-record.h"
#include "engine/explore-run.h"
#include "repair/explore-fixes.h"

#include "report/report.h"
#include "show/record-read.h"

#include <string.h>

static const char SUMMARY[]
    = "Explores every execution of a kernel, or of the launches of a program, that a\n"
      "memory model allows, at a small size. Prints final states of memory, races,\n"
      "wrong results, and executions that never end.";

static const char EPILOGUE[]
    = "Models: sycl, the default; sycl-split; rc11; sc; ptx; vulkan; all: a table of\n"
      "these.\n"
      "'man weir-litmus' describes them.\n"
      "Forward progress: fair, hsa, obe, hsa_obe, lobe; or all of them.\n"
      "\n"
      "Exit status: 0 every execution is correct; 1 one has a race or a wrong result,\n"
      "fails an assertion, faults, or does not end, or with --progress need not;\n"
      "2 an error; 3 a limit was reached, so that there may be more executions, or\n"
      "with --progress it is not known whether all end.\n"
      "\n" WEIRI_CLI_NUMBERS;

/* The sizes of the default: two groups of two items. */
enum { DEFAULT_LOCAL = 2, DEFAULT_GROUPS = 2 };
enum { MOST_JOBS = 256 };
static const uint64_t MOST_DEVIATIONS = 1000000, MOST_SAMPLES = 1000000000;

/* The values of the options, as text; all owned. */
struct texts {
    char *n, *input, *local, *model, *executions, *time_limit, *device, *sub_group,
        *resident, *jobs, *order, *litmus, *samples, *seed, *deviations, *progress,
        *progress_by;
    char *graphs, *report, *patch, *record;
    char *again; /* the command line */
};

struct exploring {
    struct weiri_cli_exploring run;
    const struct texts *texts;
    bool no_fixes, weaken;
};

/* The result of the exploration, and of the work on it. */
struct found {
    const GPtrArray *records;
    struct weiri_cli_proposals *proposals; /* or NULL, as what follows */
    struct weiri_cli_replays *replays;
    const struct weiri_cli_limit *limit; /* of the command */
};

static const struct weiri_launch_record *launch_of(const struct found *found, guint i)
{
    return g_ptr_array_index((GPtrArray *)found->records, i);
}

/* ---- For people ------------------------------------------------------------------ */

static const char *observation_of(const struct weir_exploration *found)
{
    return found->positive == 0 ? "Never"
        : found->negative == 0  ? "Always"
                                : "Sometimes";
}

/* A state in at most that many bytes, and how many cells are left out. Returns:
 * (transfer full) */
static char *short_state(const char *text)
{
    enum { MOST_BYTES = 160 };
    if (text[0] == '\0') {
        return g_strdup("as at the start");
    }
    const char *end = text;
    size_t n_more = 0;
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, ",");
        const char *next = at + length + (at[length] == ',');
        if ((size_t)(at + length - text) <= MOST_BYTES || at == text) {
            end = at + length;
        } else {
            n_more++;
        }
        at = next;
    }
    return n_more == 0
        ? g_strdup(text)
        : g_strdup_printf("%.*s and %zu more", (int)(end - text), text, n_more);
}

static void add_states(GString *out, const struct weir_exploration *found)
{
    struct weiri_cli_table *table = weiri_cli_table_new("rl");
    weiri_cli_table_add(table, "executions\tfinal state");
    for (size_t i = 0; i < found->n_states; i++) {
        const struct weir_explored_state *state = &found->states[i];
        g_autofree char *text = short_state(state->text);
        weiri_cli_table_add(table, "%" PRIu64 "\t%s%s", state->executions, text,
                            state->holds ? "" : "  !");
    }
    weiri_cli_table_take_text(table, out);
}

/* "17 executions, 2 of them with a race; 1 more that took too many steps" */
static void add_counts(GString *out, const struct weir_exploration *found)
{
    weiri_cli_add_completeness(out, found);
    if (found->racy > 0 && found->executions == 1) {
        g_string_append(out, ", with a race");
    } else if (found->racy > 0) {
        g_string_append_printf(out, ", %" PRIu64 " of them with a race", found->racy);
    }
    if (found->negative > 0) {
        g_string_append_printf(out, ", %" PRIu64 " with a wrong result (!)",
                               found->negative);
    }
    uint64_t endless = found->blocked - found->faulted;
    if (endless > 0) {
        g_string_append_printf(out, "; %" PRIu64 " more that %s", endless,
                               endless == 1 ? "never ends" : "never end");
    }
    if (found->faulted > 0) {
        g_string_append_printf(
            out, "; %" PRIu64 " more that a fault or a failed assertion ends",
            found->faulted);
    }
    if (found->cut > 0) {
        g_string_append_printf(out, "; %" PRIu64 " more that took too many steps",
                               found->cut);
    }
    g_string_append_printf(out,
                           "; %" PRIu64 " histor%s of items, %" PRIu64 " location%s\n",
                           found->histories, found->histories == 1 ? "y" : "ies",
                           found->locations, found->locations == 1 ? "" : "s");
    if (found->unordered > 0) {
        g_string_append_printf(
            out,
            "Executions that differ only in the order of atomic operations whose "
            "results no item uses count as one (%" PRIu64 " location%s).\n",
            found->unordered, found->unordered == 1 ? "" : "s");
    }
    weiri_cli_add_missing(out, found);
    if (found->racy > 0 && found->positive + found->negative == 0) {
        g_string_append(out,
                        "An execution ends at its first race; --plain-events shows "
                        "what the race leads to.\n");
    }
}

static void add_launch(GString *out, const struct found *all, guint launch)
{
    const struct weiri_launch_record *record = launch_of(all, launch);
    if (all->records->len > 1) {
        g_string_append_printf(out, "%slaunch %u of %u, of kernel '%s'\n\n",
                               launch > 0 ? "\n" : "", launch + 1, all->records->len,
                               record->kernel);
    }
    if (record->n_explorations == 0) {
        g_string_append_printf(out, "%s\n", record->error);
        return;
    }
    const struct weir_exploration *found = record->explorations;
    if (found->refused != NULL) {
        g_string_append_printf(
            out, "cannot be explored: %s\n%s", found->refused,
            record->n_findings > 0 ? "checked in one run instead:\n\n" : "");
    }
    if (found->n_states > 0) {
        add_states(out, found);
        g_string_append_c(out, '\n');
    }
    for (size_t i = 0; i < record->n_findings; i++) {
        struct weir_finding finding = record->findings[i];
        if (!weiri_report_is_of_accesses(&finding)) {
            finding.count = 0; /* of executions, and not of groups */
        }
        weiri_report_add_finding_text(out, &finding, NULL);
        weiri_cli_replays_add_text(all->replays, &record->findings[i], out);
        g_string_append(out, i + 1 == record->n_findings ? "\n" : "");
    }
    if (record->incomplete != NULL) {
        g_autofree char *why = weiri_cli_why_ended(record->incomplete, all->limit);
        g_string_append_printf(out, "incomplete: %s\n", why);
    }
    if (found->refused != NULL) {
        return;
    }
    add_counts(out, found);
    weiri_cli_add_residencies(out, found);
    weiri_cli_add_terminations(out, found);
    weiri_cli_proposals_add_text(all->proposals, launch, out);
}

/* ---- For programs ---------------------------------------------------------------- */

static void json_launch(JsonBuilder *builder, const struct found *all, guint launch)
{
    static const struct weir_exploration none = { .model = NULL };
    const struct weiri_launch_record *record = launch_of(all, launch);
    const struct weir_exploration *found
        = record->n_explorations > 0 ? record->explorations : &none;
    json_builder_begin_object(builder);
    weiri_json_text(builder, "test", record->kernel);
    weiri_json_text(builder, "model", found->model);
    weiri_json_text(builder, "refused",
                    record->n_explorations > 0 ? found->refused : record->error);
    weiri_json_array(builder, "states");
    for (size_t i = 0; i < found->n_states; i++) {
        weiri_json_object(builder, NULL);
        weiri_json_text(builder, "state", found->states[i].text);
        weiri_json_int(builder, "executions", found->states[i].executions);
        weiri_json_bool(builder, "holds", found->states[i].holds);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    weiri_cli_json_residencies(builder, found);
    weiri_cli_json_terminations(builder, found);
    weiri_json_text(builder, "observation", observation_of(found));
    weiri_json_int(builder, "positive", found->positive);
    weiri_json_int(builder, "negative", found->negative);
    weiri_json_bool(builder, "race", found->racy > 0);
    weiri_json_int(builder, "executions", found->executions);
    weiri_json_int(builder, "racy", found->racy);
    weiri_json_int(builder, "blocked", found->blocked);
    weiri_json_int(builder, "faulted", found->faulted);
    weiri_json_int(builder, "cut", found->cut);
    weiri_cli_json_completeness(builder, found);
    weiri_json_int(builder, "histories", found->histories);
    weiri_json_int(builder, "unordered", found->unordered);
    weiri_json_int(builder, "locations", found->locations);
    weiri_json_text(builder, "incomplete", record->incomplete);
    weiri_json_array(builder, "findings");
    for (size_t i = 0; i < record->n_findings; i++) {
        weiri_json_object(builder, NULL);
        weiri_report_add_finding_members(builder, &record->findings[i]);
        weiri_cli_replays_add_json(all->replays, &record->findings[i], builder);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    weiri_cli_proposals_add_json(all->proposals, launch, builder);
    json_builder_end_object(builder);
}

/* Returns: (transfer full) */
static char *to_json(const struct found *found)
{
    JsonBuilder *builder = json_builder_new();
    weiri_json_array(builder, NULL);
    for (guint i = 0; i < found->records->len; i++) {
        json_launch(builder, found, i);
    }
    json_builder_end_array(builder);
    return weiri_json_take(builder);
}

/* @what: the first line */
static char *to_text(const struct found *found, const char *what)
{
    GString *out = g_string_new(what);
    g_string_append(out, "\n\n");
    for (guint i = 0; i < found->records->len; i++) {
        add_launch(out, found, i);
    }
    return g_string_free(out, FALSE);
}

/* ---- The command ----------------------------------------------------------------- */

static int status_of_launch(const struct weiri_launch_record *record)
{
    const struct weir_exploration *found = record->explorations;
    if (record->n_explorations == 0) {
        return WEIRI_CLI_USAGE;
    }
    bool wrong = found->racy > 0 || found->blocked > 0 || found->negative > 0;
    for (size_t i = 0; i < record->n_findings; i++) {
        wrong |= !record->findings[i].note;
    }
    int ends = weiri_cli_status_of_terminations(found);
    return wrong || ends == WEIRI_CLI_FINDINGS           ? WEIRI_CLI_FINDINGS
        : found->refused != NULL                         ? WEIRI_CLI_USAGE
        : !found->complete || record->incomplete != NULL ? WEIRI_CLI_INCOMPLETE
                                                         : ends;
}

/* Findings count most, and then errors. */
static int status_of(const GPtrArray *records)
{
    static const int order[]
        = { WEIRI_CLI_FINDINGS, WEIRI_CLI_USAGE, WEIRI_CLI_INCOMPLETE };
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
        for (guint k = 0; k < records->len; k++) {
            if (status_of_launch(g_ptr_array_index((GPtrArray *)records, k))
                == order[i]) {
                return order[i];
            }
        }
    }
    return WEIRI_CLI_CLEAN;
}

/* Returns: false after a complaint */
static bool record_schedules(const struct exploring *exploring, struct found *found)
{
    const struct texts *texts = exploring->texts;
    const struct weiri_cli_native native
        = { .kernel = exploring->run.subject.row != NULL
                ? exploring->run.subject.row->name
                : NULL,
            .input = texts->input,
            .n = exploring->run.n,
            .local = exploring->run.local,
            .program = exploring->run.subject.program,
            .device = texts->device,
            .sub_group = texts->sub_group,
            .order = texts->order,
            .model = texts->model,
            .limit = &exploring->run.limit };
    if (texts->record != NULL) {
        found->replays
            = weiri_cli_record_explored(&native, found->records, texts->record);
    }
    return texts->record == NULL || found->replays != NULL;
}

/* Prints and writes what was found, with what is proposed. Returns: the status */
static int finish(struct exploring *exploring, const GPtrArray *records,
                  const char *what)
{
    if (!weiri_cli_explore_ordered(exploring->texts->order, records)) {
        return WEIRI_CLI_USAGE;
    }
    const struct weiri_cli_again again = { .explore = weiri_cli_explore_again,
                                           .explore_changed = weiri_cli_explore_changed,
                                           .subject = &exploring->run.subject,
                                           .self = &exploring->run,
                                           .limit = &exploring->run.limit };
    struct found found = { .records = records, .limit = &exploring->run.limit };
    found.proposals = exploring->weaken ? weiri_cli_explore_weaker(&again, records)
        : exploring->no_fixes || exploring->run.options.samples > 0
            || exploring->run.options.bounded
        ? NULL
        : weiri_cli_explore_fixes(&again, records);
    g_autoptr(GString) totals = g_string_new(NULL);
    for (guint i = 0; i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        if (record->n_explorations > 0 && record->explorations->refused == NULL) {
            add_counts(totals, record->explorations);
            weiri_cli_proposals_add_text(found.proposals, i, totals);
        }
    }
    bool recorded = record_schedules(exploring, &found);
    const struct weiri_cli_explored explored = { .records = records,
                                                 .what = what,
                                                 .totals = totals->str,
                                                 .again = exploring->texts->again,
                                                 .replays = found.replays,
                                                 .graphs = exploring->texts->graphs,
                                                 .report = exploring->texts->report };
    bool written = weiri_cli_explore_write(&explored)
        && weiri_cli_explore_patch(exploring->texts->patch, found.proposals);
    int status = written && recorded ? status_of(records) : WEIRI_CLI_USAGE;
    if (!weiri_cli_write_litmus(records, exploring->texts->litmus)) {
        status = status == WEIRI_CLI_FINDINGS ? status : WEIRI_CLI_USAGE;
    }
    status = weiri_cli_finish(
        exploring->run.json ? to_json(&found) : to_text(&found, what), status);
    weiri_cli_proposals_free(found.proposals);
    weiri_cli_replays_free(found.replays);
    return status;
}

/* The model that was asked for, or those of the launches' languages: "ptx, sycl". */
static char *model_text(const struct exploring *exploring, const GPtrArray *records)
{
    const char *asked = exploring->run.options.explore;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < records->len && strcmp(asked, "language") == 0; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        const char *name
            = record->n_explorations > 0 ? record->explorations->model : NULL;
        if (name != NULL
            && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
            g_ptr_array_add(names, (char *)name);
        }
    }
    g_ptr_array_add(names, names->len == 0 ? (char *)asked : NULL);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

static int explore_kernel(struct exploring *exploring)
{
    GError *error = NULL;
    g_autoptr(GPtrArray) records = weiri_cli_explore_kernel(&exploring->run, &error);
    if (records == NULL) {
        return weiri_cli_take_error(error);
    }
    g_autofree char *model = model_text(exploring, records);
    g_autofree char *what = g_strdup_printf(
        "%s, %zu elements, groups of %zu, model %s", exploring->run.subject.row->name,
        exploring->run.n, exploring->run.local, model);
    return finish(exploring, records, what);
}

/* A program claims what is right itself: by its exit status, by weir_assert(), or by
 * the launch option post_condition. */
static int explore_program(struct exploring *exploring)
{
    const char *name = weiri_cli_subject_name(&exploring->run.subject);
    struct weiri_cli_run_result *run = weiri_cli_explore_program(&exploring->run);
    int status = WEIRI_CLI_USAGE;
    if (run->error != NULL) {
        weiri_cli_complain("%s", run->error->message);
    } else if (run->launches->len == 0 && run->incomplete != NULL) {
        weiri_cli_complain("%s is incomplete: %s", name, run->incomplete);
        status = WEIRI_CLI_INCOMPLETE;
    } else if (run->launches->len == 0 && run->n_open > 0) {
        weiri_cli_complain("%s failed by itself: it %s", name, run->failure);
    } else if (run->launches->len == 0) {
        weiri_cli_complain(
            "%s made no launch%s%s", name, run->failure != NULL ? ": it " : "",
            run->failure != NULL ? run->failure
                : weiri_cli_has_no_weir(exploring->run.subject.program[0])
                ? ": it is not linked with Weir: build it with weir-cc"
                : "");
    } else {
        g_autofree char *model = model_text(exploring, run->launches);
        g_autofree char *what = g_strdup_printf("%s, model %s", name, model);
        status = finish(exploring, run->launches, what);
        if (run->failure != NULL) {
            weiri_cli_complain("%s failed by itself: it %s", name, run->failure);
            status = status == WEIRI_CLI_FINDINGS ? status : WEIRI_CLI_USAGE;
        } else if (run->incomplete != NULL && status == WEIRI_CLI_CLEAN) {
            weiri_cli_complain("%s is incomplete: %s", name, run->incomplete);
            status = WEIRI_CLI_INCOMPLETE;
        }
    }
    weiri_cli_run_unref(run);
    return status;
}

static bool read_options(struct exploring *exploring)
{
    const struct texts *texts = exploring->texts;
    uint64_t sub_group = 0, jobs = 0, deviations = 0, local = DEFAULT_LOCAL;
    exploring->run.options.seed = 1;
    if (!weiri_cli_number("--local", "items", texts->local, 1, UINT32_MAX, &local)) {
        return false;
    }
    uint64_t n = local * DEFAULT_GROUPS;
    if (!weiri_cli_number("--n", "elements", texts->n, 0, UINT32_MAX, &n)
        || !weiri_cli_number("--max-executions", "executions", texts->executions, 1,
                             UINT64_MAX, &exploring->run.options.max_executions)
        || !weiri_cli_number("--jobs", "processes", texts->jobs, 1, MOST_JOBS, &jobs)
        || !weiri_cli_number("--sample", "runs", texts->samples, 1, MOST_SAMPLES,
                             &exploring->run.options.samples)
        || !weiri_cli_number("--deviations", "deviations", texts->deviations, 0,
                             MOST_DEVIATIONS, &deviations)
        || !weiri_cli_number("--seed", "a seed", texts->seed, 0, UINT64_MAX,
                             &exploring->run.options.seed)
        || !weiri_cli_number("--sub-group", "items", texts->sub_group, 1, 63,
                             &sub_group)
        || !weiri_cli_can_write("--litmus", texts->litmus)
        || !weiri_cli_can_write("--patch", texts->patch)
        || !weiri_cli_can_write("--record", texts->record)
        || !weiri_cli_can_write("--report", texts->report)
        || !weiri_cli_read_resident(texts->resident, &exploring->run.options.resident)
        || !weiri_cli_read_forwards(texts->progress, texts->progress_by,
                                    &exploring->run.options)
        || !weiri_cli_read_time_limit(texts->time_limit, &exploring->run.limit)) {
        return false;
    }
    exploring->run.options.sub_group_size = (uint32_t)sub_group;
    exploring->run.options.jobs = (uint32_t)jobs;
    exploring->run.options.bounded = texts->deviations != NULL;
    exploring->run.options.deviations = (uint32_t)deviations;
    exploring->run.options.explore = texts->model != NULL ? texts->model : "language";
    exploring->run.options.litmus = texts->litmus != NULL;
    exploring->run.options.time_limit_ms = weiri_cli_left_ms(&exploring->run.limit);
    exploring->run.options.order = texts->order;
    exploring->run.n = n;
    exploring->run.local = local;
    return true;
}

/* The options that only built-in kernels have. */
static const char *alien_to_programs(const struct texts *texts)
{
    return texts->n != NULL    ? "--n"
        : texts->input != NULL ? "--input"
        : texts->local != NULL ? "--local"
                               : NULL;
}

/* Whether the other options go with --model ptx, vulkan and all. */
static bool allows_model(const struct exploring *exploring, bool all)
{
    const struct texts *t = exploring->texts;
    bool partial
        = all || g_strcmp0(t->model, "ptx") == 0 || g_strcmp0(t->model, "vulkan") == 0;
    if (partial
        && (t->jobs != NULL || t->resident != NULL || t->litmus != NULL
            || t->samples != NULL || t->deviations != NULL
            || exploring->run.options.symmetry)) {
        weiri_cli_complain("--model %s excludes --jobs, --resident, --litmus, "
                           "--sample, --deviations and --symmetry",
                           t->model);
        return false;
    }
    if (all
        && (exploring->run.json || exploring->weaken || t->progress != NULL
            || t->graphs != NULL || t->report != NULL || t->patch != NULL
            || t->record != NULL)) {
        weiri_cli_complain("--model all prints a table only: for --json, --weaken, "
                           "--progress, --graphs, --report, --patch and --record give "
                           "one model");
        return false;
    }
    return true;
}

/* @exploring: what was asked for; its @program is what follows "--", or NULL */
static int explore(char *const *names, struct exploring *exploring)
{
    const struct texts *texts = exploring->texts;
    char *const *program = exploring->run.subject.program;
    const char *alien = program != NULL ? alien_to_programs(texts) : NULL;
    if (alien != NULL) {
        return weiri_cli_complain(
            "%s is for built-in kernels: a program chooses its own", alien);
    }
    if (program != NULL ? names[0] != NULL || program[0] == NULL
                        : names[0] == NULL || names[1] != NULL) {
        return weiri_cli_complain("give one kernel, or a program after --; 'weir list' "
                                  "shows the kernels");
    }
    bool all = g_strcmp0(texts->model, "all") == 0;
    if (texts->model != NULL && !all && !weiri_cli_check_explored(texts->model)) {
        return WEIRI_CLI_USAGE;
    }
    if (!allows_model(exploring, all)) {
        return WEIRI_CLI_USAGE;
    }
    if (texts->n != NULL && texts->input != NULL) {
        return weiri_cli_complain("--n and --input exclude each other");
    }
    if (texts->seed != NULL && texts->samples == NULL) {
        return weiri_cli_complain("--seed needs --sample N, which is missing");
    }
    if (texts->progress != NULL
        && (texts->jobs != NULL || texts->samples != NULL || texts->deviations != NULL
            || exploring->run.options.symmetry)) {
        return weiri_cli_complain("--progress needs all executions in one process: it "
                                  "excludes --jobs, --sample, --deviations and "
                                  "--symmetry");
    }
    if (texts->samples != NULL
        && (texts->jobs != NULL || texts->resident != NULL || texts->litmus != NULL
            || texts->executions != NULL)) {
        return weiri_cli_complain("--sample excludes --jobs, --resident, --litmus and "
                                  "--max-executions");
    }
    if (texts->deviations != NULL
        && (texts->jobs != NULL || texts->resident != NULL || texts->litmus != NULL
            || texts->samples != NULL || texts->patch != NULL || exploring->weaken)) {
        return weiri_cli_complain("--deviations excludes --jobs, --resident, --litmus, "
                                  "--sample, --patch and --weaken");
    }
    if (exploring->run.options.symmetry
        && (texts->jobs != NULL || texts->resident != NULL || texts->litmus != NULL
            || texts->samples != NULL || texts->deviations != NULL
            || exploring->run.options.plain_events)) {
        return weiri_cli_complain("--symmetry excludes --plain-events, --jobs, "
                                  "--resident, --litmus, --sample and --deviations");
    }
    if (texts->patch != NULL && (exploring->no_fixes || exploring->weaken)) {
        return weiri_cli_complain("--patch needs fixes: leave --no-fixes and --weaken "
                                  "out");
    }
    if (exploring->weaken && exploring->no_fixes) {
        return weiri_cli_complain("--weaken and --no-fixes exclude each other");
    }
    if (!read_options(exploring)) {
        return WEIRI_CLI_USAGE;
    }
    if (exploring->weaken && strcmp(exploring->run.options.explore, "sc") == 0) {
        return weiri_cli_complain("--weaken: under sc every order is as good as "
                                  "seq_cst: give another --model");
    }
    if (program != NULL && !weiri_cli_has_device(texts->device)) {
        return WEIRI_CLI_USAGE;
    }
    g_autoptr(GPtrArray) rows = program == NULL ? weiri_cli_find_kernels(names) : NULL;
    if (program == NULL && rows == NULL) {
        return WEIRI_CLI_USAGE;
    }
    if (program == NULL) {
        exploring->run.subject
            = (struct weiri_cli_subject){ WEIRI_CLI_BUILT_IN,
                                          g_ptr_array_index(rows, 0), NULL };
    }
    if (all) {
        return weiri_cli_explore_all(&exploring->run);
    }
    if (weiri_cli_explore_serve(&exploring->run)) {
        return WEIRI_CLI_CLEAN;
    }
    return program == NULL ? explore_kernel(exploring) : explore_program(exploring);
}

int weiri_cli_explore(int argc, char **argv)
{
    struct texts texts = { 0 };
    gboolean json = FALSE, plain_events = FALSE, no_fixes = FALSE, weaken = FALSE,
             symmetry = FALSE;
    const GOptionEntry entries[] = {
        { "model", 'm', 0, G_OPTION_ARG_FILENAME, &texts.model,
          "The memory model (default: language)", "MODEL" },
        { "n", 'n', 0, G_OPTION_ARG_FILENAME, &texts.n,
          "Elements (default: two groups of items)", "N" },
        WEIRI_CLI_INPUT(&texts.input),
        WEIRI_CLI_FEW_ITEMS(&texts.local),
        WEIRI_CLI_DEVICE(&texts.device),
        WEIRI_CLI_SUB_GROUP(&texts.sub_group),
        { "plain-events", 0, 0, G_OPTION_ARG_NONE, &plain_events, "Go on after a race",
          NULL },
        { "max-executions", 0, 0, G_OPTION_ARG_FILENAME, &texts.executions,
          "End after N executions", "N" },
        { "resident", 0, 0, G_OPTION_ARG_FILENAME, &texts.resident,
          "Try also R resident groups, or each number: 'all'", "R" },
        { "progress", 'p', 0, G_OPTION_ARG_FILENAME, &texts.progress,
          "Does it end if that scheduler is fair? Or 'all'", "PROGRESS" },
        { "progress-by", 0, 0, G_OPTION_ARG_FILENAME, &texts.progress_by,
          "It schedules items, the default, or groups", "item|group" },
        { "order", 0, 0, G_OPTION_ARG_FILENAME, &texts.order,
          "Change the order of the operations in one line", "FILE:LINE=ORDER" },
        { "no-fixes", 0, 0, G_OPTION_ARG_NONE, &no_fixes, "Do not look for fixes",
          NULL },
        { "weaken", 0, 0, G_OPTION_ARG_NONE, &weaken,
          "List orders, scopes, flags that could be weaker", NULL },
        { "litmus", 0, 0, G_OPTION_ARG_FILENAME, &texts.litmus,
          "Write a litmus test; implies --plain-events", "FILE" },
        WEIRI_CLI_TIME_LIMIT(&texts.time_limit),
        { "patch", 0, 0, G_OPTION_ARG_FILENAME, &texts.patch,
          "Write fixes as a unified diff", "FILE" },
        { "graphs", 'g', 0, G_OPTION_ARG_FILENAME, &texts.graphs,
          "Draw the executions shown into files of DIR", "DIR" },
        { "report", 0, 0, G_OPTION_ARG_FILENAME, &texts.report, "Write an HTML page",
          "FILE" },
        { "record", 0, 0, G_OPTION_ARG_FILENAME, &texts.record,
          "Write a schedule of each finding, for replay", "FILE" },
        { "jobs", 'j', 0, G_OPTION_ARG_FILENAME, &texts.jobs,
          "Processes that share the exploration (default: 1)", "N" },
        { "sample", 0, 0, G_OPTION_ARG_FILENAME, &texts.samples,
          "Run N random executions instead of exploring all", "N" },
        { "deviations", 0, 0, G_OPTION_ARG_FILENAME, &texts.deviations,
          "Only executions with at most K steps out of turn", "K" },
        { "symmetry", 0, 0, G_OPTION_ARG_NONE, &symmetry,
          "Only one of the executions that swap equal items", NULL },
        { "seed", 0, 0, G_OPTION_ARG_FILENAME, &texts.seed,
          "Seed of the first random execution (default: 1)", "S" },
        WEIRI_CLI_JSON(&json),
        { 0 },
    };
    texts.again = weiri_cli_explore_line(argc, argv);
    char **program;
    g_autofree char **words = weiri_cli_take_program(&argc, argv, &program);
    char **left = words;
    int status;
    weiri_cli_explore_ranks_join();
    if (weiri_cli_parse(entries, "KERNEL | -- PROGRAM [ARGUMENT…]", SUMMARY, EPILOGUE,
                        &argc, &left, &status)) {
        struct exploring exploring
            = { .run
                = { .options = { .plain_events = plain_events, .symmetry = symmetry },
                    .device = texts.device,
                    .input = texts.input,
                    .sub_group = texts.sub_group,
                    .json = json,
                    .subject = weiri_cli_subject_of_program(program) },
                .no_fixes = no_fixes,
                .weaken = weaken,
                .texts = &texts };
        status = explore(left + 1, &exploring);
    }
    weiri_cli_folder_remove();
    status = weiri_cli_explore_ranks_leave(status);
    g_free(texts.n);
    g_free(texts.input);
    g_free(texts.local);
    g_free(texts.model);
    g_free(texts.executions);
    g_free(texts.order);
    g_free(texts.time_limit);
    g_free(texts.device);
    g_free(texts.sub_group);
    g_free(texts.resident);
    g_free(texts.progress);
    g_free(texts.progress_by);
    g_free(texts.graphs);
    g_free(texts.patch);
    g_free(texts.record);
    g_free(texts.report);
    g_free(texts.again);
    g_free(texts.jobs);
    g_free(texts.litmus);
    g_free(texts.samples);
    g_free(texts.deviations);
    g_free(texts.seed);
    return status;
}
