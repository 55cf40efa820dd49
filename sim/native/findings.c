/* SPDX-License-Identifier: MIT
 *
 * findings.c: see findings.h. Executions lead to one finding if they have a race
 * between the same two places of the source, if they have a wrong result, or if they do
 * not end for the same reason. One of these executions is kept (kept.h), which the
 * report shows. Races are reported in the order of the kept executions, because the
 * order in which they are found depends on the number of processes.
 *
 * A failed item is a finding of the machine, which makes it when the item fails. Here
 * it gets the execution that is shown, one in which that item fails. */
#include "config.h"

#include "native/findings.h"

#include "exec/group.h"
#include "finding/names.h"
#include "native/history.h"
#include "native/share.h"
#include "native/why.h"

#include <inttypes.h>
#include <string.h>

/* Where an item is at an event. */
struct party {
    uint32_t thread;
    struct weiri_request request; /* without its values */
    bool reads, writes;
    uint32_t cell;
};

struct race {
    struct party parties[2]; /* from the execution that is kept */
    bool scope;              /* both are atomic */
    struct weiri_noted noted;
    uint64_t latest; /* the number of the latest execution, of partial ones */
};

/* Executions in which an item fails. */
struct fault {
    uint32_t thread;
    struct weiri_noted noted;
};

/* ---- Executions ------------------------------------------------------------ */

static struct party party_of(const struct weiri_findings *findings,
                             const struct weiri_graph *graph, uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    const void *state = node->before == WEIRI_NO_EVENT
        ? graph->frame->states + node->thread * graph->frame->program->state_bytes
        : graph->states + node->before * graph->frame->program->state_bytes;
    const struct weiri_cells *cells = &findings->native->machine.cells;
    return (struct party){
        .thread = node->thread,
        .request = *weiri_native_request(findings->native, state),
        .reads = node->kind == WEIRI_READS_MEMORY,
        .writes = node->kind == WEIRI_WRITES_MEMORY,
        .cell = g_array_index(cells->cell_of, uint32_t, node->location),
    };
}

static bool same_place(const struct party *a, const struct party *b)
{
    return a->request.site == b->request.site && a->request.pc == b->request.pc;
}

/* The current execution is kept. */
static void take_way(const struct weiri_findings *findings, struct weiri_way *way)
{
    g_clear_pointer(&way->place, g_array_unref);
    way->place = weiri_share_place();
    way->seed = findings->seed;
}

/* Returns: whether it is kept */
static bool note(const struct weiri_findings *findings, struct weiri_noted *noted,
                 const struct weiri_graph *graph, uint32_t one, uint32_t other)
{
    noted->executions += findings->weight;
    if (!weiri_kept_note(&noted->kept, graph, one, other)) {
        return false;
    }
    take_way(findings, &noted->way);
    return true;
}

void weiri_findings_race(struct weiri_findings *findings,
                         const struct weiri_graph *graph)
{
    uint32_t one, other;
    /* It changes nothing but what is known of pairs that do not race. */
    if (!weiri_graph_race((struct weiri_graph *)graph, &one, &other)) {
        return;
    }
    struct race race
        = { { party_of(findings, graph, one), party_of(findings, graph, other) },
            graph->nodes[one].atomic && graph->nodes[other].atomic,
            { .executions = 0 },
            0 };
    for (guint i = 0; i < findings->races->len; i++) {
        struct race *known = &g_array_index(findings->races, struct race, i);
        bool same = same_place(&known->parties[0], &race.parties[0])
            && same_place(&known->parties[1], &race.parties[1]);
        bool turned = same_place(&known->parties[0], &race.parties[1])
            && same_place(&known->parties[1], &race.parties[0]);
        if (same || turned) {
            if (note(findings, &known->noted, graph, one, other)) {
                memcpy(known->parties, race.parties, sizeof(race.parties));
            }
            return;
        }
    }
    note(findings, &race.noted, graph, one, other);
    g_array_append_val(findings->races, race);
}

void weiri_findings_wrong(struct weiri_findings *findings,
                          const struct weiri_graph *graph, const char *text)
{
    if (note(findings, &findings->wrong, graph, 0, 0)) {
        findings->wrong_text = text;
    }
}

static struct weiri_noted *fault_of(struct weiri_findings *findings, uint32_t thread)
{
    for (guint i = 0; i < findings->faults->len; i++) {
        struct fault *fault = &g_array_index(findings->faults, struct fault, i);
        if (fault->thread == thread) {
            return &fault->noted;
        }
    }
    const struct fault fault = { .thread = thread };
    g_array_append_val(findings->faults, fault);
    return &g_array_index(findings->faults, struct fault, findings->faults->len - 1)
                .noted;
}

static void note_faults(struct weiri_findings *findings,
                        const struct weiri_graph *graph)
{
    for (uint32_t t = 0; t < findings->native->program.n_threads; t++) {
        const void *state = weiri_graph_state(graph, t);
        if (weiri_native_request(findings->native, state)->kind
            == WEIRI_REQUEST_FAULT) {
            note(findings, fault_of(findings, t), graph, 0, 0);
        }
    }
}

void weiri_findings_stuck(struct weiri_findings *findings,
                          const struct weiri_graph *graph, enum weiri_execution_end why)
{
    if (why == WEIRI_END_FAULT) {
        note_faults(findings, graph);
    } else if (why != WEIRI_END_BOUND) {
        note(findings, &findings->stuck[why], graph, 0, 0);
    }
}

/* ---- Partial executions ---------------------------------------------------- */

static struct party party_at(const struct weiri_findings *findings,
                             const struct weiri_execution_event *event)
{
    const struct weiri_native *native = findings->native;
    uint32_t cell
        = g_array_index(native->machine.cells.cell_of, uint32_t, event->location);
    return (struct party){ .thread = event->thread,
                           .request = *weiri_history_request(native, event->place),
                           .reads = event->kind == WEIRI_READS_MEMORY,
                           .writes = event->kind == WEIRI_WRITES_MEMORY,
                           .cell = cell };
}

/* Returns: whether it is kept */
static bool note_partial(struct weiri_noted *noted,
                         const struct weiri_execution *execution, uint32_t one,
                         uint32_t other)
{
    struct weiri_kept *kept = &noted->kept;
    if (kept->execution != NULL
        && weiri_execution_compare(execution, kept->execution) >= 0) {
        return false;
    }
    weiri_execution_free(kept->execution);
    kept->execution = weiri_execution_copy(execution);
    kept->one = one;
    kept->other = other;
    return true;
}

/* The race of these two places, which is new if none is known. */
static struct race *race_at(struct weiri_findings *findings, const struct race *like)
{
    for (guint i = 0; i < findings->races->len; i++) {
        struct race *known = &g_array_index(findings->races, struct race, i);
        bool same = same_place(&known->parties[0], &like->parties[0])
            && same_place(&known->parties[1], &like->parties[1]);
        bool turned = same_place(&known->parties[0], &like->parties[1])
            && same_place(&known->parties[1], &like->parties[0]);
        if (same || turned) {
            return known;
        }
    }
    g_array_append_vals(findings->races, like, 1);
    return &g_array_index(findings->races, struct race, findings->races->len - 1);
}

static void note_race(struct weiri_findings *findings,
                      const struct weiri_partial_execution *partial, uint32_t one,
                      uint32_t other, uint64_t number)
{
    const struct weiri_execution_event *events = partial->execution->events;
    const struct race like = { .parties = { party_at(findings, &events[one]),
                                            party_at(findings, &events[other]) },
                               .scope = events[one].atomic && events[other].atomic };
    struct race *race = race_at(findings, &like);
    if (note_partial(&race->noted, partial->execution, one, other)) {
        memcpy(race->parties, like.parties, sizeof(race->parties));
    }
    race->noted.executions
        += race->latest != number && partial->end == WEIRI_END_COMPLETE;
    race->latest = number;
}

void weiri_findings_partial(struct weiri_findings *findings,
                            const struct weiri_partial_execution *execution,
                            uint64_t number)
{
    for (uint32_t i = 0; i < execution->n_races; i++) {
        note_race(findings, execution, execution->races[2 * i],
                  execution->races[2 * i + 1], number);
    }
    if (execution->end == WEIRI_END_BARRIER || execution->end == WEIRI_END_SPIN) {
        struct weiri_noted *stuck = &findings->stuck[execution->end];
        stuck->executions++;
        note_partial(stuck, execution->execution, 0, 0);
    }
}

void weiri_findings_partial_wrong(struct weiri_findings *findings,
                                  const struct weiri_partial_execution *execution,
                                  const char *text)
{
    findings->wrong.executions++;
    if (note_partial(&findings->wrong, execution->execution, 0, 0)) {
        findings->wrong_text = text;
    }
}

/* ---- Reports --------------------------------------------------------------- */

static void add_party(const struct weiri_findings *findings, struct weiri_draft *draft,
                      const struct party *party)
{
    const struct weiri_machine *machine = &findings->native->machine;
    const struct weiri_request *request = &party->request;
    struct weiri_shape shape = machine->hub.launch->shape;
    weiri_group_place(&shape, party->thread / machine->n_items);
    uint32_t item = party->thread % machine->n_items;
    struct weir_party shown
        = weiri_party_new(WEIR_STATE_RUNNING, &shape, request->site, NULL, 0, &item, 1);
    if (request->kind == WEIRI_REQUEST_ATOMIC) {
        weiri_party_set_atomic(&shown, request->atomic.kind, request->atomic.order,
                               request->atomic.scope);
    } else {
        weiri_party_set_access(&shown, party->reads, party->writes);
    }
    struct weiri_trail trail
        = weiri_trail_of(machine->hub.launch->call_tree, request->site, request->pc, 0);
    weiri_draft_take(draft, &shown, &trail);
}

static const struct weiri_symbols *symbols_of(const struct weiri_findings *findings)
{
    static const struct weiri_symbols none = { .frames = NULL };
    return findings->options->symbols != NULL ? findings->options->symbols : &none;
}

/* Adds the execution that is shown for a finding, and what is said of it. */
static void show(const struct weiri_findings *findings, struct weiri_draft *draft,
                 const struct weiri_kept *kept, enum weiri_shows shows)
{
    if (kept->execution == NULL) { /* a launch without items */
        return;
    }
    weiri_why_show(findings->native, symbols_of(findings),
                   weiri_model_find(findings->options->model), kept, shows, draft);
}

/* The run in which the execution is met again. */
static void add_seed(const struct weiri_findings *findings, struct weiri_draft *draft,
                     const struct weiri_way *way)
{
    if (findings->options->samples > 0) {
        g_autofree char *message = draft->message;
        draft->message
            = g_strdup_printf("%s; --sample 1 --seed %" PRIu64 " repeats one of them",
                              message, way->seed);
    }
}

/* Returns: (transfer full): "3 of 24 executions" */
static char *share_of(uint64_t executions, const struct weir_exploration *result)
{
    if (executions == 0) {
        return g_strdup("an execution that does not end");
    }
    return result->executions == 1
        ? g_strdup("the only execution")
        : g_strdup_printf("%" PRIu64 " of %" PRIu64 " executions", executions,
                          result->executions);
}

static void report_race(const struct weiri_findings *findings, const struct race *race,
                        const struct weir_exploration *result)
{
    const struct weiri_launch *launch = findings->native->machine.hub.launch;
    const struct weiri_native_cell *cell
        = weiri_cell_at(&findings->native->machine.cells, race->parties[0].cell);
    bool mixed = findings->options->partial == NULL
        && (race->parties[0].request.kind == WEIRI_REQUEST_ATOMIC)
            != (race->parties[1].request.kind == WEIRI_REQUEST_ATOMIC);
    uint32_t n_items = findings->native->machine.n_items;
    uint32_t groups[2]
        = { race->parties[0].thread / n_items, race->parties[1].thread / n_items };
    struct weiri_draft draft = {
        .kind = race->scope ? WEIR_FINDING_SCOPE_RACE
            : mixed         ? WEIR_FINDING_MIXED_ATOMIC
                            : WEIR_FINDING_DATA_RACE,
        .kernel = launch->kernel,
        .group_linear = MIN(groups[0], groups[1]),
        .space = weiri_object_space(cell->object),
        .object = weiri_shown_object(symbols_of(findings), cell),
        .index = weiri_object_index(cell->object, cell->address),
        .count = race->noted.executions,
    };
    g_autofree char *share = share_of(race->noted.executions, result);
    draft.message
        = g_strdup_printf("%s in kernel '%s': %s[%" PRId64 "], in %s",
                          race->scope ? "scope race"
                              : mixed ? "race of an atomic and a plain access"
                                      : "data race",
                          launch->kernel->name, draft.object, draft.index, share);
    weiri_draft_init(&draft);
    add_party(findings, &draft, &race->parties[0]);
    add_party(findings, &draft, &race->parties[1]);
    add_seed(findings, &draft, &race->noted.way);
    show(findings, &draft, &race->noted.kept, WEIRI_SHOWS_RACE);
    weiri_report_add(launch->report, &draft);
}

static enum weir_state state_of(const struct weiri_request *request)
{
    return request->kind == WEIRI_REQUEST_MEET ? WEIR_STATE_WAITING
        : request->kind == WEIRI_REQUEST_END   ? WEIR_STATE_RETURNED
                                               : WEIR_STATE_SPINNING;
}

void weiri_findings_report_stuck(const struct weiri_findings *findings,
                                 const struct weiri_noted *stuck,
                                 enum weiri_execution_end why, uint32_t resident)
{
    const struct weiri_machine *machine = &findings->native->machine;
    const struct weiri_launch *launch = machine->hub.launch;
    bool spins = why == WEIRI_END_SPIN;
    struct weiri_draft draft = {
        .kind = spins ? WEIR_FINDING_LIVELOCK : WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = launch->kernel,
    };
    draft.message = g_strdup_printf(
        "%s in kernel '%s': %" PRIu64 " execution%s",
        spins ? "livelock" : "barrier divergence", launch->kernel->name,
        stuck->executions, stuck->executions == 1 ? " never ends" : "s never end");
    if (resident != 0) {
        char *all = draft.message;
        draft.message = g_strdup_printf("%s, with %u group%s resident at a time", all,
                                        resident, resident == 1 ? "" : "s");
        g_free(all);
    }
    weiri_draft_init(&draft);
    for (uint32_t t = 0; t < findings->native->program.n_threads; t++) {
        const struct weiri_request *request
            = weiri_native_request(findings->native, stuck->kept.execution->states[t]);
        struct weiri_shape shape = launch->shape;
        weiri_group_place(&shape, t / machine->n_items);
        uint32_t item = t % machine->n_items;
        struct weir_party shown = weiri_party_new(
            state_of(request), &shape, request->site,
            request->kind == WEIRI_REQUEST_MEET ? weiri_named(
                request->site,
                weiri_operation_name(launch->kernel->language, request->op))
                                                : NULL,
            0, &item, 1);
        struct weiri_trail trail
            = weiri_trail_of(launch->call_tree, request->site, request->pc, 0);
        if (request->kind != WEIRI_REQUEST_END) {
            weiri_draft_take(&draft, &shown, &trail);
        } else {
            weiri_draft_take(&draft, &shown, NULL);
        }
    }
    add_seed(findings, &draft, &stuck->way);
    show(findings, &draft, &stuck->kept,
         spins ? WEIRI_SHOWS_LOOP : WEIRI_SHOWS_BARRIER);
    if (resident != 0) { /* of all groups, each would start */
        g_clear_pointer(&draft.turns, g_free);
        g_free(draft.no_turns);
        draft.no_turns = g_strdup_printf("it needs a device on which no more than %u "
                                         "group%s resident",
                                         resident, resident == 1 ? " is" : "s are");
    }
    weiri_report_add(launch->report, &draft);
}

static void report_wrong_result(const struct weiri_findings *findings,
                                const struct weir_exploration *result)
{
    const struct weiri_launch *launch = findings->native->machine.hub.launch;
    g_autofree char *share = share_of(result->negative, result);
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_WRONG_RESULT,
        .kernel = launch->kernel,
        .message = g_strdup_printf(
            "wrong result of kernel '%s' in %s%s: %s", launch->kernel->name, share,
            result->negative == 1 ? "" : ", for example", findings->wrong_text),
    };
    weiri_draft_init(&draft);
    add_seed(findings, &draft, &findings->wrong.way);
    show(findings, &draft, &findings->wrong.kept, WEIRI_SHOWS_RESULT);
    weiri_report_add(launch->report, &draft);
}

static int by_kept(const void *a, const void *b)
{
    const struct weiri_kept *one = &((const struct race *)a)->noted.kept;
    const struct weiri_kept *other = &((const struct race *)b)->noted.kept;
    int order = weiri_execution_compare(one->execution, other->execution);
    order = order != 0 ? order : (one->one > other->one) - (one->one < other->one);
    return order != 0 ? order
                      : (one->other > other->other) - (one->other < other->other);
}

static int by_thread(const void *a, const void *b)
{
    uint32_t one = ((const struct fault *)a)->thread;
    uint32_t other = ((const struct fault *)b)->thread;
    return (one > other) - (one < other);
}

static void explain_faults(const struct weiri_findings *findings)
{
    const struct weiri_machine *machine = &findings->native->machine;
    g_array_sort(findings->faults, by_thread);
    for (guint i = 0; i < findings->faults->len; i++) {
        const struct fault *fault = &g_array_index(findings->faults, struct fault, i);
        struct weiri_shape shape = machine->hub.launch->shape;
        struct weiri_draft shown = { 0 };
        size_t group[3];
        weiri_group_place(&shape, fault->thread / machine->n_items);
        weiri_shown_place(shape.dim, shape.reversed != 0, shape.group, group);
        show(findings, &shown, &fault->noted.kept, WEIRI_SHOWS_FAULT);
        weiri_report_explain(machine->hub.launch->report, group,
                             fault->thread % machine->n_items, &shown);
    }
}

void weiri_findings_report(struct weiri_findings *findings,
                           const struct weir_exploration *result)
{
    explain_faults(findings);
    g_array_sort(findings->races, by_kept);
    for (guint i = 0; i < findings->races->len; i++) {
        report_race(findings, &g_array_index(findings->races, struct race, i), result);
    }
    if (result->negative > 0) {
        report_wrong_result(findings, result);
    }
    for (unsigned why = WEIRI_END_BARRIER; why <= WEIRI_END_SPIN; why++) {
        if (findings->stuck[why].executions > 0) {
            weiri_findings_report_stuck(findings, &findings->stuck[why], why, 0);
        }
    }
}

/* ---- Several processes ----------------------------------------------------- */

static void share(struct weiri_shared *shared, uint32_t kind,
                  const struct weiri_noted *noted)
{
    const struct weiri_shared_kept kept
        = { kind, noted->executions, g_array_copy(noted->way.place) };
    g_array_append_val(shared->kept, kept);
}

void weiri_findings_share(const struct weiri_findings *findings,
                          struct weiri_shared *shared)
{
    for (guint i = 0; i < findings->races->len; i++) {
        share(shared, WEIRI_FOUND_RACE,
              &g_array_index(findings->races, struct race, i).noted);
    }
    if (findings->wrong.executions > 0) {
        share(shared, WEIRI_FOUND_WRONG, &findings->wrong);
    }
    for (guint i = 0; i < findings->faults->len; i++) {
        share(shared, WEIRI_FOUND_STUCK + WEIRI_END_FAULT,
              &g_array_index(findings->faults, struct fault, i).noted);
    }
    for (uint32_t why = 0; why < G_N_ELEMENTS(findings->stuck); why++) {
        if (findings->stuck[why].executions > 0) {
            share(shared, WEIRI_FOUND_STUCK + why, &findings->stuck[why]);
        }
    }
}

/* ---- All of them ----------------------------------------------------------- */

static void clear_noted(struct weiri_noted *noted)
{
    weiri_kept_clear(&noted->kept);
    g_clear_pointer(&noted->way.place, g_array_unref);
    noted->executions = 0;
}

static void clear_race(void *data)
{
    clear_noted(&((struct race *)data)->noted);
}

static void clear_fault(void *data)
{
    clear_noted(&((struct fault *)data)->noted);
}

void weiri_findings_init(struct weiri_findings *findings,
                         const struct weiri_native *native,
                         const struct weiri_native_options *options)
{
    *findings = (struct weiri_findings){
        .native = native,
        .options = options,
        .races = g_array_new(FALSE, FALSE, sizeof(struct race)),
        .faults = g_array_new(FALSE, FALSE, sizeof(struct fault)),
        .weight = 1,
    };
    g_array_set_clear_func(findings->races, clear_race);
    g_array_set_clear_func(findings->faults, clear_fault);
}

void weiri_findings_forget(struct weiri_findings *findings)
{
    g_array_set_size(findings->races, 0);
    g_array_set_size(findings->faults, 0);
    for (size_t why = 0; why < G_N_ELEMENTS(findings->stuck); why++) {
        clear_noted(&findings->stuck[why]);
    }
    clear_noted(&findings->wrong);
}

void weiri_findings_clear(struct weiri_findings *findings)
{
    g_array_unref(findings->races);
    g_array_unref(findings->faults);
}
