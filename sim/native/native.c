/* SPDX-License-Identifier: MIT
 *
 * native.c: see native.h. The explorer visits executions, in this process or in several
 * (share.h). If an execution ends, its final state is counted (final.h). Races, wrong
 * results and executions that do not end are noted (findings.h), and so are the results
 * with fewer resident groups (fewer.h).
 *
 * The locations and loops of the program are learned on the way. The exploration begins
 * anew if an execution meets a location that was not known, or a loop that must be
 * unrolled. It also begins anew if executions are too many unless read-modify-writes
 * are blind. Earlier results are then forgotten: only the last round counts.
 *
 * The file is long because a round, its end and the next one share one state, which
 * processes that help have to see whole.
 *
 * Invariant: all that is kept refers to the program, and is forgotten before the
 *            program ends. */
#include "config.h"

#include "native/native.h"

#include "base/exchange.h"
#include "exec/finding.h"
#include "model/estimate.h"
#include "model/sample.h"
#include "native/fewer.h"
#include "native/final.h"
#include "native/findings.h"
#include "native/forward.h"
#include "native/holds.h"
#include "native/orbits.h"
#include "native/partial.h"
#include "native/play.h"
#include "native/program.h"
#include "native/ranks.h"
#include "native/share.h"
#include "native/sites.h"
#include "native/symmetry.h"
#include "native/unwritten.h"

/* Random probes, for an estimate of the number of executions; the greatest number; and
 * the seconds that are left for them at most. */
enum { PROBES = 1000, PROBE_SECONDS = 2 };
static const double MOST_ESTIMATED = 1e18;

struct exploration {
    const struct weiri_native_options *options;
    struct weir_exploration *result; /* owned until the report takes it */
    struct weiri_native native;
    struct weiri_finals finals;
    struct weiri_findings findings;
    struct weiri_fewer fewer;
    struct weiri_partial partial; /* of such a model */
    GArray *terminations;         /* see forward.h, or NULL; owned */
    bool limited;                 /* a limit has ended it */
    bool unlearned;   /* time was too short for all that other processes have found */
    bool late;        /* the time was over when the exploration ended, in some rank */
    uint64_t n_pairs; /* of events of one execution, in all executions */
    const struct weiri_exchange *exchange; /* with other ranks, or NULL */
};

static void mix(uint64_t *hash, uint64_t with)
{
    *hash = (*hash ^ with) * 0x9e3779b97f4a7c15;
    *hash ^= *hash >> 29;
}

/* Whether the time of this rank is over. */
static bool is_late(const struct weiri_native *native)
{
    return native->machine.interrupted
        || (native->ends_us != 0 && g_get_monotonic_time() >= native->ends_us);
}

/* ---- Executions ------------------------------------------------------------ */

static bool has_ended(const struct weiri_graph *graph)
{
    bool ended = true;
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        ended = ended && weiri_graph_next(graph, t)->kind == WEIRI_STEP_END;
    }
    return ended;
}

/* Events of an execution, and pairs of events of all executions, beyond which updates
 * become blind; see can_be_blind(). */
enum { MANY_EVENTS = 4096, MANY_PAIRS = 400000000 };

/* Whether updates may become blind, if there are too many executions to visit each.
 * Each execution must end at its first race, and all groups must be resident. */
static bool can_be_blind(const struct exploration *x)
{
    const struct weiri_native *native = &x->native;
    return native->blind == WEIRI_BLIND_NONE && native->may_be_blind
        && !x->options->plain_events && x->options->resident == 0
        && x->options->forwards == 0 && x->options->samples == 0
        && !x->options->bounded;
}

/* The exploration begins anew with blind updates. */
static void begin_blind(struct exploration *x)
{
    x->native.blind = WEIRI_BLIND_ALL;
    weiri_symmetry_drop(&x->native);
}

static void count_pairs(struct exploration *x, const struct weiri_graph *graph)
{
    x->n_pairs += (uint64_t)graph->n * graph->n;
    x->n_pairs += graph->n > MANY_EVENTS ? MANY_PAIRS : 0;
}

static void note_state(void *user, struct weiri_final *state, uint64_t executions)
{
    const struct exploration *x = user;
    state->shown.executions += executions;
    *(state->shown.holds ? &x->result->positive : &x->result->negative) += executions;
}

/* An execution that counts for others, too. Findings do not depend on that. */
static bool note_orbit(struct exploration *x, const struct weiri_graph *graph,
                       bool race)
{
    struct weir_exploration *result = x->result;
    uint64_t orbit = race ? 0 : weiri_orbits_size(&x->native, graph);
    if (orbit > 0) {
        weiri_orbits_states(&x->finals, graph, orbit, note_state, x);
        result->executions += orbit;
        result->orbits++;
    }
    if (race || result->negative > 0) {
        weiri_symmetry_drop(&x->native);
    }
    return !x->native.program.stopped;
}

static bool skips(void *user, const struct weiri_graph *graph)
{
    const struct exploration *x = user;
    return weiri_orbits_skips(&x->native, graph);
}

/* Whether what orders accesses of this launch is more than the model shares with sycl.
 * Where that is found, or a race, while it is explored as under sycl, the exploration
 * begins anew. */
static bool is_partial(const struct exploration *x)
{
    const struct weiri_model *model = x->options->partial;
    return model != NULL && (!model->has_sycl_part || x->native.machine.orders);
}

static bool note_execution(void *user, const struct weiri_graph *graph, bool race)
{
    struct exploration *x = user;
    count_pairs(x, graph);
    bool many = x->n_pairs > MANY_PAIRS && can_be_blind(x); /* see explore_once() */
    if (x->native.alike != NULL) {
        return note_orbit(x, graph, race) && !many;
    }
    if (race) {
        weiri_findings_race(&x->findings, graph);
    }
    if (has_ended(graph) && (!race || x->options->plain_events)) {
        weiri_fewer_count(&x->fewer, graph);
        struct weiri_final *state = weiri_finals_at(&x->finals, graph);
        state->shown.executions++;
        *(state->shown.holds ? &x->result->positive : &x->result->negative) += 1;
        if (!state->shown.holds) {
            weiri_findings_wrong(&x->findings, graph, state->shown.text);
        }
    }
    x->native.machine.orders |= race;
    return !many && !is_partial(x)
        && (!x->options->until_wrong || (!race && x->result->negative == 0));
}

static void note_stuck(void *user, const struct weiri_graph *graph,
                       enum weiri_execution_end why)
{
    struct exploration *x = user;
    if (x->native.alike != NULL) {
        weiri_symmetry_drop(&x->native);
        return;
    }
    *(why == WEIRI_END_BOUND ? &x->result->cut : &x->result->blocked) += 1;
    x->result->faulted += why == WEIRI_END_FAULT;
    x->native.program.stopped |= x->options->until_wrong;
    weiri_fewer_note(&x->fewer, graph, why);
    weiri_findings_stuck(&x->findings, graph, why);
}

/* ---- Rounds -------------------------------------------------------------- */

static void forget(struct exploration *x)
{
    weiri_finals_begin(&x->finals);
    weiri_findings_forget(&x->findings);
    weiri_fewer_forget(&x->fewer);
    weiri_native_forwards_free(g_steal_pointer(&x->terminations));
    *x->result = (struct weir_exploration){ .model = x->options->model };
    x->limited = x->unlearned = false;
    x->n_pairs = 0;
}

/* ---- Models that order only some writes ------------------------------------ */

static bool note_partial(void *user, const struct weiri_partial_execution *execution)
{
    struct exploration *x = user;
    struct weir_exploration *result = x->result;
    const struct weiri_partial *partial = &x->partial;
    uint64_t number
        = partial->executions + partial->blocked + partial->cut + partial->faulted;
    weiri_findings_partial(&x->findings, execution, number);
    if (execution->n_races > 0 && !x->options->racy_states) {
        return !x->options->until_wrong;
    }
    if (execution->end == WEIRI_END_BOUND) {
        result->cut++;
    } else if (execution->end != WEIRI_END_COMPLETE) {
        result->blocked++;
        result->faulted += execution->end == WEIRI_END_FAULT;
    } else {
        struct weiri_final *state = weiri_finals_of(&x->finals, execution->execution);
        note_state(x, state, 1);
        if (!state->shown.holds) {
            weiri_findings_partial_wrong(&x->findings, execution, state->shown.text);
        }
    }
    return !x->options->until_wrong
        || (execution->n_races == 0 && result->negative == 0 && result->blocked == 0);
}

static void explore_partially(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    struct weiri_partial *partial = &x->partial;
    partial->model = x->options->partial;
    partial->is_racy = false;
    partial->max_executions = x->options->max_executions;
    partial->visit = note_partial;
    partial->user = x;
    weiri_findings_forget(&x->findings); /* its executions belong to the last round */
    weiri_partial_explore(partial, native);
    if (partial->model->open_if_racy && partial->racy > 0 && x->options->racy_states
        && !native->program.stopped) {
        forget(x);
        partial->is_racy = true;
        weiri_partial_explore(partial, native);
    }
    x->result->executions = partial->executions;
    x->result->racy = partial->racy;
    x->result->complete = partial->complete;
    x->limited = partial->limited;
    if (partial->too_large && native->failure == NULL) {
        native->failure
            = g_strdup_printf("under %s it has too many histories, or too long ones: "
                              "make the launch smaller, or explore it under sycl",
                              partial->model->name);
    }
}

/* What items do in executions, and in these only, is found. */
static void find_partially(struct exploration *x)
{
    struct weiri_machine *machine = &x->native.machine;
    x->options->forget(x->options->observed_user);
    weiri_unwritten_begin(machine);
    weiri_partial_run_again(&x->partial);
    if (machine->unwritten->len > 0) {
        g_ptr_array_set_size(machine->unwritten, 0);
        weiri_report_cut_short(
            machine->hub.launch->report,
            g_strdup_printf("items read memory that was never written: whether that "
                            "matters is not decided under %s",
                            x->partial.model->name),
            NULL, NULL);
    }
}

/* ---- Several processes ----------------------------------------------------- */

static void collect(void *user, struct weiri_shared *shared)
{
    const struct exploration *x = user;
    const struct weir_exploration *result = x->result;
    shared->counts[WEIRI_SHARED_POSITIVE] = result->positive;
    shared->counts[WEIRI_SHARED_NEGATIVE] = result->negative;
    shared->counts[WEIRI_SHARED_BLOCKED] = result->blocked;
    shared->counts[WEIRI_SHARED_FAULTED] = result->faulted;
    shared->counts[WEIRI_SHARED_CUT] = result->cut;
    shared->counts[WEIRI_SHARED_PAIRS] = x->n_pairs;
    g_autoptr(GPtrArray) all = weiri_finals_all(&x->finals);
    for (guint i = 0; i < all->len; i++) {
        const struct weiri_final *state = g_ptr_array_index(all, i);
        const struct weiri_shared_state shown
            = { g_strdup(state->shown.text), state->shown.executions,
                state->shown.holds };
        g_array_append_val(shared->states, shown);
    }
    weiri_findings_share(&x->findings, shared);
}

static void note_again(void *user, const struct weiri_graph *graph, uint32_t kind,
                       uint64_t executions)
{
    struct exploration *x = user;
    x->findings.weight = executions;
    if (kind == WEIRI_FOUND_RACE) {
        weiri_findings_race(&x->findings, graph);
    } else if (kind == WEIRI_FOUND_WRONG) {
        weiri_findings_wrong(&x->findings, graph,
                             weiri_finals_at(&x->finals, graph)->shown.text);
    } else {
        note_stuck(x, graph, (enum weiri_execution_end)(kind - WEIRI_FOUND_STUCK));
    }
    x->findings.weight = 1;
}

static void add_shared(struct exploration *x, struct weiri_shared *one)
{
    struct weir_exploration *result = x->result;
    result->executions += one->counts[WEIRI_SHARED_EXECUTIONS];
    result->racy += one->counts[WEIRI_SHARED_RACY];
    result->positive += one->counts[WEIRI_SHARED_POSITIVE];
    result->negative += one->counts[WEIRI_SHARED_NEGATIVE];
    result->blocked += one->counts[WEIRI_SHARED_BLOCKED];
    result->faulted += one->counts[WEIRI_SHARED_FAULTED];
    result->cut += one->counts[WEIRI_SHARED_CUT];
    result->complete &= one->complete;
    x->limited |= one->counts[WEIRI_SHARED_LIMITED] > 0;
    x->n_pairs += one->counts[WEIRI_SHARED_PAIRS];
    for (guint i = 0; i < one->states->len; i++) {
        struct weiri_shared_state *state
            = &g_array_index(one->states, struct weiri_shared_state, i);
        const struct weir_explored_state shown
            = { g_steal_pointer(&state->text), state->executions, state->holds };
        weiri_finals_take(&x->finals, &shown);
    }
}

/* Returns: whether an execution was too large */
static bool explore_together(struct exploration *x,
                             const struct weiri_explore_options *how)
{
    const struct weiri_sharing sharing = { .native = &x->native,
                                           .how = how,
                                           .n_processes = MAX(x->options->jobs, 1),
                                           .only_first = x->options->until_wrong,
                                           .exchange = x->exchange,
                                           .cut = &x->unlearned,
                                           .collect = collect,
                                           .again = note_again };
    g_autoptr(GPtrArray) found = weiri_share(&sharing);
    if (found == NULL) {
        return false;
    }
    bool too_large = false;
    *x->result = (struct weir_exploration){ .model = x->options->model,
                                            .complete = !x->unlearned };
    x->limited = x->unlearned;
    for (guint i = 0; i < found->len; i++) {
        struct weiri_shared *one = g_ptr_array_index(found, i);
        add_shared(x, one);
        too_large |= one->too_large;
    }
    return too_large;
}

/* ---- The exploration ------------------------------------------------------- */

static struct weiri_exploration sample(struct exploration *x,
                                       const struct weiri_explore_options *how)
{
    struct weir_exploration *result = x->result;
    struct weiri_sampling sampling
        = weiri_sample(&x->native.program, how, x->options->samples, x->options->seed,
                       &x->findings.seed);
    result->samples = sampling.runs;
    result->once = sampling.once;
    result->late = sampling.late;
    return sampling.done;
}

/* Whether it is estimated how many executions are missing. Where one that is wrong is
 * looked for, the time is for that. */
static bool has_estimate(const struct exploration *x)
{
    return x->options->samples == 0 && !x->options->bounded && !x->options->until_wrong
        && x->options->partial == NULL;
}

/* Under sc nothing is a race. */
static bool ends_at_races(const struct weiri_native_options *options)
{
    return options->explored != WEIRI_EXPLORED_SC && !options->plain_events;
}

/* @seconds: of the time that is left, for something else */
static struct weiri_explore_options how_to_explore(struct exploration *x,
                                                   double seconds)
{
    double left = weiri_native_time_left(&x->native);
    return (struct weiri_explore_options){
        .model = x->options->explored,
        .max_executions = x->options->max_executions,
        .time_limit = left - MIN(seconds, left / 10),
        .races = x->options->explored != WEIRI_EXPLORED_SC,
        .stop_at_race = ends_at_races(x->options),
        .execution = note_execution,
        .stuck = note_stuck,
        .skips = x->native.alike != NULL ? skips : NULL,
        .user = x,
    };
}

/* Whether a limit of time, and not of executions, has ended the exploration. */
static bool is_cut_by_time(const struct exploration *x)
{
    const struct weir_exploration *result = x->result;
    uint64_t n = result->executions + result->blocked + result->cut;
    return x->limited
        && (x->options->max_executions == 0 || n < x->options->max_executions);
}

/* Asks what ends under models of forward progress. @partial: of such a model, or
 * NULL */
static void ask_forwards(struct exploration *x, const struct weiri_partial *partial)
{
    if (x->options->forwards != 0 && !x->options->until_wrong) {
        x->terminations
            = weiri_native_forwards(&x->native, x->options, partial, x->result);
    }
}

/* Explores from the beginning, in the time that is left. Returns: whether executions
 * are so numerous that updates should become blind */
static bool explore_once(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    struct weir_exploration *result = x->result;
    const struct weiri_explore_options how
        = how_to_explore(x, has_estimate(x) ? PROBE_SECONDS : 0);
    if (is_partial(x)) {
        explore_partially(x);
        ask_forwards(x, &x->partial);
        return false;
    }
    weiri_fewer_begin(&x->fewer);
    bool too_large;
    if ((x->options->jobs > 1 || x->exchange != NULL)
        && native->blind == WEIRI_BLIND_NONE) {
        too_large = explore_together(x, &how);
    } else {
        struct weiri_exploration done = x->options->samples > 0 ? sample(x, &how)
            : x->options->bounded
            ? weiri_explore_bounded(&native->program, &how, x->options->deviations)
            : weiri_explore(&native->program, &how);
        result->executions
            = native->alike != NULL ? result->executions : done.executions;
        result->racy = done.racy;
        result->complete = done.complete;
        x->limited = done.limited;
        result->bounded = x->options->bounded;
        result->deviations = x->options->deviations;
        too_large = done.too_large;
    }
    if ((too_large || x->n_pairs > MANY_PAIRS) && can_be_blind(x)
        && !is_cut_by_time(x)) {
        return true;
    }
    native->again |= is_partial(x) && native->failure == NULL;
    ask_forwards(x, NULL);
    result->complete = weiri_fewer_explore(&x->fewer, how, result->complete);
    if (too_large && native->failure == NULL) {
        native->failure = g_strdup("an execution has more than 60000 events or "
                                   "choices: make the launch smaller");
    }
    return false;
}

/* If a blind update would acquire, there may be fewer executions than were visited,
 * unless only one was. The exploration then begins anew without such blind updates; and
 * then without any, if a fence may acquire what they read. */
static void check_blind(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    const struct weir_exploration *result = x->result;
    bool only = result->complete && result->executions == 1 && result->racy == 0
        && result->blocked == 0;
    if (native->acquires && !only && !native->again && native->failure == NULL) {
        native->blind++;
        native->again = true;
    }
}

/* Items are interchangeable only where nothing is wrong. */
static void check_symmetry(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    const struct weir_report *report = native->machine.hub.launch->report;
    if (native->alike != NULL && !native->again && native->failure == NULL
        && (weir_report_n_findings(report) > 0 || native->machine.unwritten->len > 0)) {
        weiri_symmetry_drop(native);
    }
}

/* Whether a round that finds as much as the one before is likely to fit in the time. */
static bool has_time_for_another(const struct exploration *x)
{
    return x->native.ends_us == 0
        || weiri_native_time_left(&x->native) > x->options->time_limit / 2;
}

/* Explores until a round learns nothing, in the time that is left. After that there is
 * one more round, which explores nothing, so that nothing is reported of a round that
 * had to be repeated. */
static void explore(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    struct weir_exploration *result = x->result;
    bool anew, late = false;
    do {
        bool many = false;
        weiri_native_begin(native);
        forget(x);
        if (!native->program.stopped && !late) {
            many = explore_once(x);
            check_blind(x);
            check_symmetry(x);
        }
        bool ends
            = is_late(native) || x->unlearned || (many && !has_time_for_another(x));
        if (!late && x->exchange != NULL) {
            ends = weiri_ranks_agree(x->exchange, native, ends);
        }
        ends |= native->machine.reads == WEIRI_UNWRITTEN_REPLACED
            && native->machine.cells.renumbered;
        if (many && !ends) {
            begin_blind(x);
        } else if (many) {
            x->limited = true;
        }
        anew = weiri_native_must_begin_anew(native) && !late;
        late = ends;
    } while (anew);
    x->late = late;
    result->limited = x->limited || (late && !result->complete);
    if (native->machine.cells.refused != NULL && native->failure == NULL) {
        native->failure = g_strdup(native->machine.cells.refused);
    }
    result->locations = native->program.n_locations;
    result->interchangeable = weiri_symmetry_items(native);
    result->orbits = result->interchangeable > 0 ? result->orbits : 0;
    for (guint i = 0; i < native->machine.cells.all->len; i++) {
        result->unordered += weiri_cell_at(&native->machine.cells, i)->blind != 0;
    }
    result->histories = native->nodes->len;
}

/* At least @met. */
static uint64_t whole(double estimate, uint64_t met)
{
    return MAX((uint64_t)MIN(estimate + 0.5, MOST_ESTIMATED), met);
}

/* Estimates the number of executions. The items really take the steps of the probes, so
 * their findings are true. Nothing else is learned from the probes: the exploration is
 * over, and its result stands. */
static void estimate(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    struct weiri_explore_options how = how_to_explore(x, 0);
    how.skips = NULL;
    const struct weiri_estimate found
        = weiri_estimate(&x->native.program, &how, PROBES, 1);
    uint64_t met = result->executions;
    result->probes = found.probes;
    result->estimate = whole(found.mean, met);
    result->estimate_low = whole(found.low, met);
    result->estimate_high = whole(found.high, met);
}

static void report(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    if (x->options->judge != NULL && result->positive == 0) {
        /* The program fails with any result of the launch. */
        weiri_finals_forgive(&x->finals);
        result->positive = result->negative;
        result->negative = 0;
    }
    weiri_findings_report(&x->findings, result);
    weiri_fewer_report(&x->fewer, &x->findings);
    weiri_finals_give(&x->finals, result);
    weiri_fewer_give(&x->fewer, result);
    if (x->terminations != NULL) {
        result->n_terminations = x->terminations->len;
        result->terminations
            = (const struct weir_explored_termination *)(void *)g_array_steal(
                x->terminations, NULL);
    }
}

/* A launch without items has one execution, which does nothing. */
static void explore_nothing(struct exploration *x, struct weiri_launch *launch)
{
    const struct weiri_native_options *options = x->options;
    struct weir_explored_state only = { .text = g_strdup(""), .executions = 1 };
    only.holds = options->post_condition == NULL
        || options->post_condition(launch->args, options->post_condition_user);
    weiri_finals_take(&x->finals, &only);
    x->result->executions = 1;
    *(only.holds ? &x->result->positive : &x->result->negative) = 1;
    x->result->complete = true;
    x->findings.wrong_text = "memory as at the start";
    x->native.machine.hub.launch = launch;
    report(x);
}

static void show_sites(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    const struct weiri_launch *launch = x->native.machine.hub.launch;
    const struct weiri_shape *shape = &launch->shape;
    result->n_groups = launch->n_groups;
    result->n_sub_groups
        = (shape->items + shape->sub_group_size - 1) / shape->sub_group_size;
    result->sites = weiri_native_sites(&x->native, &result->n_sites);
}

/* The launch as a litmus test. */
static void write_litmus(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    char *why = NULL;
    if (result->complete) {
        result->litmus = weiri_finals_litmus(&x->finals, &why);
    } else {
        why = g_strdup("there may be more executions than were explored");
    }
    result->no_litmus = why;
}

/* ---- Reads of unwritten memory --------------------------------------------- */

/* The time after the end of the exploration at which an item that reaches no stop is
 * interrupted. */
enum { LATER_MS = 100 };

static void write_states(struct weiri_unwritten_states *into,
                         const struct weir_explored_state *states, size_t n)
{
    into->hash = 0;
    for (size_t i = 0; i < n; i++) {
        mix(&into->hash, states[i].executions);
        for (const char *at = states[i].text; *at != '\0'; at++) {
            mix(&into->hash, (unsigned char)*at);
        }
    }
    weiri_holds_write(states, n, into->holds, sizeof(into->holds));
}

/* Only for a process that ends afterwards. */
static bool explore_again(void *self, struct weiri_unwritten_outcome *outcome)
{
    struct exploration *x = self;
    struct weiri_native_options alone = *x->options;
    struct weiri_native *native = &x->native;
    int64_t left_ms = (native->ends_us - g_get_monotonic_time()) / 1000 + LATER_MS;
    alone.jobs = 1;
    alone.resident = alone.limited = alone.forwards = 0;
    x->options = &alone;
    x->exchange = NULL;
    if (!weiri_launch_go_on(native->machine.hub.launch,
                            native->ends_us == 0 ? 0 : (uint64_t)MAX(left_ms, 1))) {
        return false;
    }
    explore(x);
    const struct weir_exploration *result = x->result;
    *outcome = (struct weiri_unwritten_outcome){
        .counts = { result->executions, result->racy, result->positive,
                    result->negative, result->blocked, result->cut },
        .course = native->course,
        .renumbered = native->machine.cells.renumbered,
    };
    if (outcome->renumbered) {
        return native->failure == NULL;
    }
    g_autoptr(GArray) but_copies = weiri_finals_but_copies(&x->finals);
    write_states(&outcome->but_copies,
                 (const struct weir_explored_state *)(void *)but_copies->data,
                 but_copies->len);
    weiri_finals_give(&x->finals, x->result);
    write_states(&outcome->all, result->states, result->n_states);
    bool whole = result->complete || alone.max_executions > 0 || alone.samples > 0
        || alone.bounded;
    return native->failure == NULL && whole && !is_late(native);
}

/* Reports those that matter. Where there are races, or items that wait for ever, a read
 * may be of memory that another item writes too late; so these come first. */
static void judge_unwritten(struct exploration *x)
{
    const struct weir_exploration *result = x->result;
    struct weiri_machine *machine = &x->native.machine;
    if (machine->unwritten->len == 0 || result->racy > 0
        || x->findings.stuck[WEIRI_END_BARRIER].executions > 0
        || x->findings.stuck[WEIRI_END_SPIN].executions > 0) {
        return;
    }
    char *failure = x->late ? g_strdup("the limit of time was reached before")
                            : weiri_unwritten_judge(machine, explore_again, x);
    if (!x->late && x->exchange != NULL
        && weiri_ranks_agree(x->exchange, &x->native, failure != NULL)
        && failure == NULL) {
        failure = g_strdup("a limit was reached in another rank");
    }
    if (failure != NULL) {
        g_ptr_array_set_size(machine->unwritten, 0);
        weiri_report_cut_short(machine->hub.launch->report,
                               g_strdup_printf("the launch was to be explored again to "
                                               "see what reads of uninitialised memory "
                                               "change: %s",
                                               failure),
                               NULL, NULL);
        g_free(failure);
    }
    weiri_unwritten_report(machine);
}

/* ---- The launch ------------------------------------------------------------ */

/* Accesses without hooks were not explored. */
static void say_unhooked(const struct exploration *x)
{
    const struct weiri_launch *launch = x->native.machine.hub.launch;
    weiri_report_cut_short(
        launch->report,
        g_strdup_printf("kernel '%s': %s", launch->kernel->name, x->options->unhooked),
        NULL, NULL);
    x->result->complete = false;
}

/* After items have run for the last time. */
static void report_explored(struct exploration *x)
{
    show_sites(x);
    if (x->options->litmus) {
        write_litmus(x);
    }
    judge_unwritten(x);
    report(x);
    if (x->limited && !x->native.program.stopped && has_estimate(x)) {
        estimate(x);
    }
    weiri_cells_restore(&x->native.machine.cells);
    x->result->complete
        &= !weiri_unseen_report(&x->native.machine.unseen, x->native.machine.n_items);
    if (x->options->unhooked != NULL) {
        say_unhooked(x);
    }
}

static void drive(void *driver, struct weiri_worker *worker)
{
    struct exploration *x = driver;
    /* The steps of a play are seen: none may be taken for a copy (machine.c). */
    bool may_copy = ends_at_races(x->options) && x->options->play == NULL;
    if (weiri_native_init(&x->native, worker, x->options->plain_events, may_copy,
                          x->options->compared)) {
        if (x->options->time_limit > 0) {
            x->native.ends_us = g_get_monotonic_time()
                + (int64_t)(x->options->time_limit * G_USEC_PER_SEC);
        }
        x->native.form
            = x->options->partial != NULL ? x->options->partial->form : WEIRI_FORM_C;
        if (x->options->symmetry) {
            weiri_symmetry_allow(&x->native);
        }
        if (x->options->play != NULL) {
            weiri_native_play(&x->native, &x->finals, x->options);
        } else {
            explore(x);
        }
        if (x->partial.native != NULL && x->native.failure == NULL) {
            find_partially(x);
        }
    }
    if (x->options->observed != NULL) {
        x->options->observed(x->options->observed_user, worker->launch);
    }
    if (x->native.failure == NULL && x->options->play == NULL) {
        report_explored(x);
    } else {
        *x->result = (struct weir_exploration){ .model = x->options->model,
                                                .refused
                                                = g_steal_pointer(&x->native.failure) };
    }
    weiri_findings_forget(&x->findings);
    weiri_partial_clear(&x->partial);
    weiri_cells_restore(&x->native.machine.cells);
    weiri_native_clear(&x->native);
}

enum weiri_verdict weiri_native_compared(void *self, const struct weiri_event *event)
{
    uint64_t *hash = self;
    for (size_t i = 0; i < G_N_ELEMENTS(event->operands); i++) {
        mix(hash, event->operands[i]);
    }
    return WEIRI_GOES_ON;
}

bool weiri_native_explore(struct weiri_launch *launch,
                          const struct weiri_native_options *options, GError **error)
{
    struct exploration x = { .options = options };
    x.result = g_new0(struct weir_exploration, 1);
    x.result->model = options->model;
    weiri_finals_init(&x.finals, &x.native, options);
    weiri_findings_init(&x.findings, &x.native, options);
    weiri_fewer_init(&x.fewer, &x.native, options);
    struct weiri_exchange exchange;
    bool shared = options->play == NULL && options->resident == 0
        && options->samples == 0 && !options->bounded && !options->litmus
        && !options->symmetry && options->partial == NULL
        && weiri_exchange_begin(&exchange);
    x.exchange = shared ? &exchange : NULL;
    launch->drive = drive;
    launch->driver = &x;
    bool done = true;
    if (launch->n_groups == 0) {
        explore_nothing(&x, launch);
    } else {
        done = weiri_launch_run(launch, error);
    }
    if (shared) {
        weiri_exchange_end(&exchange);
    }
    weiri_report_take_exploration(launch->report, x.result);
    weiri_finals_clear(&x.finals);
    weiri_findings_clear(&x.findings);
    weiri_fewer_clear(&x.fewer);
    weiri_native_forwards_free(x.terminations);
    return done;
}
