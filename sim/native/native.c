/* SPDX-License-Identifier: MIT
 *
 * native.c: see native.h. The explorer visits executions; this file collects their
 * final states, races and ends. */
#include "config.h"

#include "native/native.h"

#include "base/values.h"
#include "exec/finding.h"
#include "exec/group.h"
#include "exec/names.h"
#include "model/sample.h"
#include "native/program.h"
#include "native/residency.h"
#include "native/share.h"
#include "native/sites.h"
#include "native/slice.h"
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

/* How an execution that is kept is found again. */
struct way {
    GArray *place; /* its place, where several processes explore; owned, or NULL */
    uint64_t seed; /* of the run, where runs are random */
};

struct race {
    struct party parties[2];
    bool scope; /* both are atomic */
    uint64_t executions;
    struct weiri_kept kept; /* of which the parties are, too */
    struct way way;
};

/* Executions that do not end, for one reason. */
struct stuck {
    uint64_t executions;
    struct weiri_kept kept;
    struct way way;
};
enum { N_STUCK = WEIRI_END_FAULT + 1 };

struct exploration {
    const struct weiri_native_options *options;
    struct weir_exploration *result; /* owned until the report takes it */
    GArray *states;                  /* of struct weir_explored_state: its states */
    struct stuck stuck[N_STUCK];     /* by enum weiri_execution_end */
    GArray *races;                   /* of struct race: each pair of places once */
    GArray *residencies;             /* of struct weir_residency: see residency.h */
    struct stuck starved;            /* of the last of these that blocks, and */
    enum weiri_execution_end starved_why;
    uint32_t starved_groups;  /* its number of groups, or 0, */
    uint32_t starved_threads; /* and the number of items that have started */
    struct weiri_native native;
    GHashTable *by_values;   /* final states: values to struct final_state; owned */
    GArray *values;          /* of int64_t: those of the current execution */
    GArray *observed;        /* of uint32_t: locations in global memory */
    struct weiri_kept wrong; /* the execution that is shown for a wrong result, */
    const char *wrong_text;  /* and its final state */
    struct way wrong_way;
    uint64_t seed;    /* of the run that is made */
    uint64_t weight;  /* the executions that the current one stands for */
    uint64_t n_pairs; /* of events, of all executions */
};

/* For an exploration whose time is over: the explorer takes 0 for no limit. */
static const double LEAST_SECONDS = 1e-3;

struct final_state {
    struct weir_explored_state shown;
    int64_t *values; /* the number of them first */
};

/* ---- Final states ---------------------------------------------------------------- */

/* What memory holds at the end: the locations, and what each item alone has written. */
static void set_values(struct exploration *x, const struct weiri_graph *graph)
{
    g_array_set_size(x->values, 1);
    for (guint i = 0; i < x->observed->len; i++) {
        int64_t value
            = weiri_graph_memory(graph, g_array_index(x->observed, uint32_t, i));
        g_array_append_val(x->values, value);
    }
    for (uint32_t t = 0; t < x->native.program.n_threads; t++) {
        int64_t ending = (int64_t)(uintptr_t)weiri_native_ending(
            &x->native, weiri_graph_state(graph, t));
        g_array_append_val(x->values, ending);
    }
    g_array_index(x->values, int64_t, 0) = x->values->len - 1;
}

/* The same in memory itself. */
static void set_memory(struct exploration *x, const struct weiri_graph *graph)
{
    const struct weiri_cells *cells = &x->native.machine.cells;
    weiri_cells_restore(cells);
    for (guint i = 0; i < cells->locations->len; i++) {
        weiri_cell_write(
            weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, i)),
            weiri_graph_memory(graph, i));
    }
    for (uint32_t t = 0; t < x->native.program.n_threads; t++) {
        const struct weiri_native_ending *ending
            = weiri_native_ending(&x->native, weiri_graph_state(graph, t));
        for (uint32_t i = 0; ending != NULL && i < ending->n; i++) {
            weiri_cell_write(weiri_cell_at(cells, ending->values[i].cell),
                             ending->values[i].value);
        }
    }
}

/* A cell that has changed, by its name. */
struct named {
    const struct weiri_native_cell *cell;
    char *object; /* owned */
    int64_t index;
};

static void clear_named(void *data)
{
    g_free(((struct named *)data)->object);
}

static int by_name(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    int order = strcmp(one->object, other->object);
    return order != 0 ? order
                      : (one->index > other->index) - (one->index < other->index);
}

/* What memory holds now and did not at the start. */
static char *text_of_memory(const struct weiri_cells *cells)
{
    g_autoptr(GArray) changed = g_array_new(FALSE, FALSE, sizeof(struct named));
    g_array_set_clear_func(changed, clear_named);
    for (guint i = 0; i < cells->all->len; i++) {
        const struct weiri_native_cell *cell = weiri_cell_at(cells, i);
        if (cell->object->kind != WEIRI_OBJECT_LOCAL
            && weiri_cell_read(cell) != cell->initial) {
            struct named one = { cell, weiri_object_name(cell->object, cell->address),
                                 weiri_object_index(cell->object, cell->address) };
            g_array_append_val(changed, one);
        }
    }
    g_array_sort(changed, by_name);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < changed->len; i++) {
        const struct named *one = &g_array_index(changed, struct named, i);
        g_string_append_printf(
            text, "%s%s[%" PRId64 "]=%" PRId64, i > 0 ? "," : "", one->object,
            one->index, weiri_cell_signed(one->cell, weiri_cell_read(one->cell)));
    }
    return g_string_free(text, FALSE);
}

/* Memory as the items have it that only they write. */
static int64_t *save_memory(const struct weiri_cells *cells)
{
    int64_t *saved = g_new(int64_t, MAX(cells->all->len, 1));
    for (guint i = 0; i < cells->all->len; i++) {
        saved[i] = weiri_cell_read(weiri_cell_at(cells, i));
    }
    return saved;
}

static struct final_state *add_state(struct exploration *x,
                                     const struct weiri_graph *graph)
{
    const struct weiri_native_options *options = x->options;
    struct weiri_worker *worker = x->native.machine.hub.worker;
    const struct weiri_cells *cells = &x->native.machine.cells;
    struct final_state *state = g_new0(struct final_state, 1);
    state->values = g_memdup2(x->values->data, x->values->len * sizeof(int64_t));
    g_hash_table_insert(x->by_values, state->values, state);
    g_autofree int64_t *saved = save_memory(cells);
    set_memory(x, graph);
    worker->inside++; /* what the claim accesses, no item does */
    state->shown.text = text_of_memory(cells);
    state->shown.holds = options->post_condition == NULL
        || options->post_condition(worker->launch->args, options->post_condition_user);
    worker->inside--;
    for (guint i = 0; i < cells->all->len; i++) {
        weiri_cell_write(weiri_cell_at(cells, i), saved[i]);
    }
    return state;
}

/* ---- Races ----------------------------------------------------------------------- */

static struct party party_of(const struct exploration *x,
                             const struct weiri_graph *graph, uint32_t event)
{
    const struct weiri_node *node = &graph->nodes[event];
    const void *state = node->before == WEIRI_NO_EVENT
        ? graph->frame->states + node->thread * graph->frame->program->state_bytes
        : graph->states + node->before * graph->frame->program->state_bytes;
    const struct weiri_cells *cells = &x->native.machine.cells;
    return (struct party){
        .thread = node->thread,
        .request = *weiri_native_request(&x->native, state),
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
static void take_way(const struct exploration *x, struct way *way)
{
    g_clear_pointer(&way->place, g_array_unref);
    way->place = weiri_share_place();
    way->seed = x->seed;
}

static void note_race(struct exploration *x, const struct weiri_graph *graph)
{
    uint32_t one, other;
    /* It changes nothing but what is known of pairs that do not race. */
    if (!weiri_graph_race((struct weiri_graph *)graph, &one, &other)) {
        return;
    }
    struct race race = { { party_of(x, graph, one), party_of(x, graph, other) },
                         graph->nodes[one].atomic && graph->nodes[other].atomic,
                         x->weight,
                         { .execution = NULL },
                         { NULL, 0 } };
    for (guint i = 0; i < x->races->len; i++) {
        struct race *known = &g_array_index(x->races, struct race, i);
        bool same = same_place(&known->parties[0], &race.parties[0])
            && same_place(&known->parties[1], &race.parties[1]);
        bool turned = same_place(&known->parties[0], &race.parties[1])
            && same_place(&known->parties[1], &race.parties[0]);
        if (same || turned) {
            known->executions += x->weight;
            if (weiri_kept_note(&known->kept, graph, one, other)) {
                memcpy(known->parties, race.parties, sizeof(race.parties));
                take_way(x, &known->way);
            }
            return;
        }
    }
    weiri_kept_note(&race.kept, graph, one, other);
    take_way(x, &race.way);
    g_array_append_val(x->races, race);
}

static void add_party(const struct exploration *x, struct weiri_draft *draft,
                      const struct party *party)
{
    const struct weiri_machine *machine = &x->native.machine;
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

/* Adds the execution that is shown for a finding, and what is said of it. */
static void show(const struct exploration *x, struct weiri_draft *draft,
                 const struct weiri_kept *kept, enum weiri_shows shows)
{
    static const struct weiri_symbols none = { NULL, NULL };
    draft->execution = weiri_why_show(
        &x->native, x->options->symbols != NULL ? x->options->symbols : &none,
        weiri_model_find(x->options->model), kept, shows, &draft->why);
}

/* The run in which the execution is met again. */
static void add_seed(const struct exploration *x, struct weiri_draft *draft,
                     const struct way *way)
{
    if (x->options->samples > 0) {
        g_autofree char *message = draft->message;
        draft->message = g_strdup_printf(
            "%s; --sample 1 --seed %" PRIu64 " repeats one", message, way->seed);
    }
}

static void report_race(const struct exploration *x, const struct race *race)
{
    const struct weiri_launch *launch = x->native.machine.hub.launch;
    const struct weiri_native_cell *cell
        = weiri_cell_at(&x->native.machine.cells, race->parties[0].cell);
    bool mixed = (race->parties[0].request.kind == WEIRI_REQUEST_ATOMIC)
        != (race->parties[1].request.kind == WEIRI_REQUEST_ATOMIC);
    uint32_t n_items = x->native.machine.n_items;
    uint32_t groups[2]
        = { race->parties[0].thread / n_items, race->parties[1].thread / n_items };
    struct weiri_draft draft = {
        .kind = race->scope ? WEIR_FINDING_SCOPE_RACE
            : mixed         ? WEIR_FINDING_MIXED_ATOMIC
                            : WEIR_FINDING_DATA_RACE,
        .kernel = launch->kernel,
        .group_linear = MIN(groups[0], groups[1]),
        .space = weiri_object_space(cell->object),
        .object = weiri_object_name(cell->object, cell->address),
        .index = weiri_object_index(cell->object, cell->address),
        .count = race->executions,
    };
    draft.message = g_strdup_printf("%s in kernel '%s': %s[%" PRId64 "], in %" PRIu64
                                    " of %" PRIu64 " executions",
                                    race->scope ? "scope race"
                                        : mixed ? "race of an atomic and a plain access"
                                                : "data race",
                                    launch->kernel->name, draft.object, draft.index,
                                    race->executions, x->result->executions);
    weiri_draft_init(&draft);
    add_party(x, &draft, &race->parties[0]);
    add_party(x, &draft, &race->parties[1]);
    add_seed(x, &draft, &race->way);
    show(x, &draft, &race->kept, WEIRI_SHOWS_RACE);
    weiri_report_add(launch->report, &draft);
}

static enum weir_state state_of(const struct weiri_request *request)
{
    return request->kind == WEIRI_REQUEST_MEET ? WEIR_STATE_WAITING
        : request->kind == WEIRI_REQUEST_END   ? WEIR_STATE_RETURNED
                                               : WEIR_STATE_SPINNING;
}

/* A fault is a finding of its own, which the machine has made. @resident: groups at a
 * time; 0: all */
static void report_stuck(const struct exploration *x, const struct stuck *stuck,
                         enum weiri_execution_end why, uint32_t resident)
{
    const struct weiri_machine *machine = &x->native.machine;
    const struct weiri_launch *launch = machine->hub.launch;
    bool spins = why == WEIRI_END_SPIN;
    struct weiri_draft draft = {
        .kind = spins ? WEIR_FINDING_LIVELOCK : WEIR_FINDING_BARRIER_DIVERGENCE,
        .kernel = launch->kernel,
    };
    draft.message
        = g_strdup_printf("%s in kernel '%s': in %" PRIu64 " executions that never end",
                          spins ? "livelock" : "barrier divergence",
                          launch->kernel->name, stuck->executions);
    if (resident != 0) {
        char *all = draft.message;
        draft.message = g_strdup_printf("%s, with %u group%s resident at a time", all,
                                        resident, resident == 1 ? "" : "s");
        g_free(all);
    }
    weiri_draft_init(&draft);
    for (uint32_t t = 0; t < x->native.program.n_threads; t++) {
        const struct weiri_request *request
            = weiri_native_request(&x->native, stuck->kept.execution->states[t]);
        struct weiri_shape shape = launch->shape;
        weiri_group_place(&shape, t / machine->n_items);
        uint32_t item = t % machine->n_items;
        struct weir_party shown = weiri_party_new(
            state_of(request), &shape, request->site,
            request->kind == WEIRI_REQUEST_MEET ? weiri_operation_name(request->op)
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
    add_seed(x, &draft, &stuck->way);
    show(x, &draft, &stuck->kept, spins ? WEIRI_SHOWS_LOOP : WEIRI_SHOWS_BARRIER);
    weiri_report_add(launch->report, &draft);
}

static void report_wrong_result(const struct exploration *x)
{
    const struct weiri_launch *launch = x->native.machine.hub.launch;
    struct weiri_draft draft = {
        .kind = WEIR_FINDING_WRONG_RESULT,
        .kernel = launch->kernel,
        .message = g_strdup_printf("wrong result of kernel '%s' in %" PRIu64
                                   " of %" PRIu64 " executions, such as %s",
                                   launch->kernel->name, x->result->negative,
                                   x->result->executions, x->wrong_text),
    };
    weiri_draft_init(&draft);
    add_seed(x, &draft, &x->wrong_way);
    show(x, &draft, &x->wrong, WEIRI_SHOWS_RESULT);
    weiri_report_add(launch->report, &draft);
}

/* ---- Fewer resident groups ------------------------------------------------------- */

/* What is kept of an execution of the first groups alone counts their items. */
static void clear_starved(struct exploration *x)
{
    struct weiri_program *program = &x->native.program;
    uint32_t n_threads = program->n_threads;
    program->n_threads = x->starved_threads;
    weiri_kept_clear(&x->starved.kept);
    program->n_threads = n_threads;
    x->starved.executions = 0;
    x->starved_groups = x->starved_threads = 0;
}

static void report_starved(struct exploration *x)
{
    struct weiri_program *program = &x->native.program;
    uint32_t n_threads = program->n_threads;
    program->n_threads = x->starved_threads;
    report_stuck(x, &x->starved, x->starved_why, x->starved_groups);
    program->n_threads = n_threads;
}

static void clear_residencies(struct exploration *x)
{
    for (guint i = 0; x->residencies != NULL && i < x->residencies->len; i++) {
        g_free((char *)g_array_index(x->residencies, struct weir_residency, i).waits);
    }
    if (x->residencies != NULL) {
        g_array_set_size(x->residencies, 0);
    }
    clear_starved(x);
}

/* Those that are asked for, of which nothing is known. */
static void begin_residencies(struct exploration *x)
{
    uint32_t asked = x->options->resident, n_groups = x->native.machine.hub.n_resident;
    for (uint32_t groups = 1; groups < n_groups && asked != 0; groups++) {
        const struct weir_residency one = { .groups = groups, .complete = true };
        if (asked == groups || asked == WEIR_RESIDENT_EACH) {
            g_array_append_val(x->residencies, one);
        }
    }
}

static bool permits(const struct exploration *x, const struct weiri_graph *graph,
                    const struct weir_residency *residency)
{
    return weiri_residency_permits(graph, x->native.machine.n_items,
                                   (uint32_t)residency->groups);
}

/* An execution that ends, with all groups. */
static void count_residencies(struct exploration *x, const struct weiri_graph *graph)
{
    for (guint i = 0; i < x->residencies->len; i++) {
        struct weir_residency *one
            = &g_array_index(x->residencies, struct weir_residency, i);
        one->executions += permits(x, graph, one);
    }
}

/* Returns: (transfer full): where the group's first item is that waits */
static char *text_of_wait(const struct exploration *x, const struct weiri_graph *graph,
                          uint32_t group)
{
    uint32_t t = group * x->native.machine.n_items;
    while (weiri_graph_next(graph, t)->kind == WEIRI_STEP_END) {
        t++;
    }
    const struct weir_site *site
        = weiri_native_request(&x->native, weiri_graph_state(graph, t))->site;
    return site == NULL ? g_strdup_printf("group %u waits for ever", group)
                        : g_strdup_printf("group %u waits for ever at %s:%u", group,
                                          site->file, site->line);
}

/* An execution that does not end, of the launch's first groups alone. */
static void note_residencies(struct exploration *x, const struct weiri_graph *graph,
                             enum weiri_execution_end why)
{
    uint32_t n_items = x->native.machine.n_items, group = 0;
    uint32_t n_unended = weiri_residency_unended(graph, n_items, &group);
    bool all = graph->frame->n_threads == x->native.machine.n_threads;
    for (guint i = 0; i < x->residencies->len && why != WEIRI_END_FAULT; i++) {
        struct weir_residency *one
            = &g_array_index(x->residencies, struct weir_residency, i);
        /* With less than that, it could not have come so far; with more, another group
         * would have started. */
        if (one->groups < n_unended || (one->groups > n_unended && !all)) {
            continue;
        }
        if (why == WEIRI_END_BOUND) {
            one->complete = false;
        } else if (permits(x, graph, one)) {
            one->waits
                = one->blocked++ > 0 ? one->waits : text_of_wait(x, graph, group);
            if (!all && one->groups > x->starved_groups) {
                clear_starved(x);
                x->starved_groups = (uint32_t)one->groups;
                x->starved_threads = graph->frame->n_threads;
                x->starved_why = why;
            }
            if (!all && one->groups == x->starved_groups) {
                x->starved.executions++;
                if (x->starved_threads == graph->frame->n_threads) {
                    weiri_kept_note(&x->starved.kept, graph, 0, 0);
                }
            }
        }
    }
}

static bool go_on(void *user, const struct weiri_graph *graph, bool race)
{
    (void)user;
    (void)graph;
    (void)race;
    return true;
}

static void note_starved(void *user, const struct weiri_graph *graph,
                         enum weiri_execution_end why)
{
    note_residencies(user, graph, why);
}

/* In seconds; 0: any */
static double time_left(const struct exploration *x)
{
    int64_t ends = x->native.ends_us;
    double left = (double)(ends - g_get_monotonic_time()) / G_USEC_PER_SEC;
    return ends == 0 ? 0 : MAX(left, LEAST_SECONDS);
}

/* Explores the launch's first group alone, its first two, and so on: @how all of them
 * have been explored. */
static void explore_residencies(struct exploration *x, struct weiri_explore_options how)
{
    struct weiri_native *native = &x->native;
    uint32_t n_threads = native->program.n_threads;
    bool complete = x->result->complete;
    how.execution = go_on;
    how.stuck = note_starved;
    for (uint32_t n = native->machine.n_items; n < n_threads && x->residencies->len > 0;
         n += native->machine.n_items) {
        native->program.n_threads = n;
        how.time_limit = time_left(x);
        if (!native->program.stopped) {
            complete &= weiri_explore(&native->program, &how).complete;
        }
    }
    native->program.n_threads = n_threads;
    for (guint i = 0; i < x->residencies->len; i++) {
        g_array_index(x->residencies, struct weir_residency, i).complete &= complete;
    }
    x->result->complete = complete;
}

/* ---- Executions ------------------------------------------------------------------ */

static bool has_ended(const struct weiri_graph *graph)
{
    bool ended = true;
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        ended = ended && weiri_graph_next(graph, t)->kind == WEIRI_STEP_END;
    }
    return ended;
}

static struct final_state *state_of_memory(struct exploration *x,
                                           const struct weiri_graph *graph)
{
    set_values(x, graph);
    struct final_state *state = g_hash_table_lookup(x->by_values, x->values->data);
    return state != NULL ? state : add_state(x, graph);
}

static void note_wrong(struct exploration *x, const struct weiri_graph *graph,
                       const struct final_state *state)
{
    if (weiri_kept_note(&x->wrong, graph, 0, 0)) {
        x->wrong_text = state->shown.text;
        take_way(x, &x->wrong_way);
    }
}

/* Events of an execution, and pairs of events of all executions, after which updates
 * become blind: where there are fewer, each execution counts. */
enum { MANY_EVENTS = 4096, MANY_PAIRS = 400000000 };

/* Whether updates are to become blind: there are too many executions for each to count.
 * They end at their first race, and all groups are resident. */
static bool is_too_large(const struct exploration *x)
{
    const struct weiri_native *native = &x->native;
    return native->blind == WEIRI_BLIND_NONE && native->may_be_blind
        && !x->options->plain_events && x->options->resident == 0
        && x->options->samples == 0;
}

/* The exploration begins anew with blind updates. */
static void begin_blind(struct exploration *x)
{
    x->native.blind = WEIRI_BLIND_ALL;
    x->native.again = x->native.program.stopped = true;
}

static void count_pairs(struct exploration *x, const struct weiri_graph *graph)
{
    x->n_pairs += (uint64_t)graph->n * graph->n;
    x->n_pairs += graph->n > MANY_EVENTS ? MANY_PAIRS : 0;
}

static bool note_execution(void *user, const struct weiri_graph *graph, bool race)
{
    struct exploration *x = user;
    count_pairs(x, graph);
    if (x->n_pairs > MANY_PAIRS && is_too_large(x)) {
        return false; /* see explore_once() */
    }
    if (race) {
        note_race(x, graph);
    }
    if (has_ended(graph) && (!race || x->options->plain_events)) {
        count_residencies(x, graph);
        struct final_state *state = state_of_memory(x, graph);
        state->shown.executions++;
        *(state->shown.holds ? &x->result->positive : &x->result->negative) += 1;
        if (!state->shown.holds) {
            note_wrong(x, graph, state);
        }
    }
    return !x->options->until_wrong || (!race && x->result->negative == 0);
}

static void note_stuck(void *user, const struct weiri_graph *graph,
                       enum weiri_execution_end why)
{
    struct exploration *x = user;
    struct stuck *stuck = &x->stuck[why];
    *(why == WEIRI_END_BOUND ? &x->result->cut : &x->result->blocked) += 1;
    note_residencies(x, graph, why);
    x->native.program.stopped |= x->options->until_wrong;
    stuck->executions += x->weight;
    if (why == WEIRI_END_BOUND) {
        return;
    }
    if (weiri_kept_note(&stuck->kept, graph, 0, 0)) {
        take_way(x, &stuck->way);
    }
}

/* ---- The exploration ------------------------------------------------------------- */

static void free_final_state(void *data)
{
    struct final_state *state = data;
    g_free((char *)state->shown.text);
    g_free(state->values);
    g_free(state);
}

static void clear_race(void *data)
{
    struct race *race = data;
    weiri_kept_clear(&race->kept);
    g_clear_pointer(&race->way.place, g_array_unref);
}

/* Before the program is gone, to which they refer. */
static void clear_kept(struct exploration *x)
{
    g_array_set_size(x->races, 0);
    for (unsigned why = 0; why < N_STUCK; why++) {
        weiri_kept_clear(&x->stuck[why].kept);
        g_clear_pointer(&x->stuck[why].way.place, g_array_unref);
        x->stuck[why].executions = 0;
    }
    weiri_kept_clear(&x->wrong);
    g_clear_pointer(&x->wrong_way.place, g_array_unref);
}

static void clear_findings(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    g_hash_table_remove_all(x->by_values);
    clear_kept(x);
    clear_residencies(x);
    *result = (struct weir_exploration){ .model = x->options->model };
    x->n_pairs = 0;
}

static void observe(struct exploration *x)
{
    const struct weiri_cells *cells = &x->native.machine.cells;
    g_array_set_size(x->observed, 0);
    for (uint32_t i = 0; i < cells->cell_of->len; i++) {
        uint32_t cell = g_array_index(cells->cell_of, uint32_t, i);
        if (weiri_cell_at(cells, cell)->object->kind != WEIRI_OBJECT_LOCAL) {
            g_array_append_val(x->observed, i);
        }
    }
}

static int by_text(const void *a, const void *b)
{
    const struct weir_explored_state *one = a, *other = b;
    return strcmp(one->text, other->text);
}

/* Items may leave equal memory in several ways: states of one text are one. */
static void show_states(struct exploration *x)
{
    GHashTableIter all;
    gpointer entry;
    g_hash_table_iter_init(&all, x->by_values);
    while (g_hash_table_iter_next(&all, NULL, &entry)) {
        struct weir_explored_state shown = ((struct final_state *)entry)->shown;
        shown.text = g_strdup(shown.text);
        g_array_append_val(x->states, shown);
    }
    g_array_sort(x->states, by_text);
    for (guint i = 1; i < x->states->len;) {
        struct weir_explored_state *at
            = &g_array_index(x->states, struct weir_explored_state, i);
        if (strcmp(at[-1].text, at->text) == 0) {
            at[-1].executions += at->executions;
            g_free((char *)at->text);
            g_array_remove_index(x->states, i);
        } else {
            i++;
        }
    }
}

static struct weiri_exploration sample(struct exploration *x,
                                       const struct weiri_explore_options *how)
{
    struct weir_exploration *result = x->result;
    struct weiri_sampling sampling = weiri_sample(
        &x->native.program, how, x->options->samples, x->options->seed, &x->seed);
    result->samples = sampling.runs;
    result->once = sampling.once;
    result->late = sampling.late;
    return sampling.done;
}

/* ---- Several processes ----------------------------------------------------------- */

/* What an execution is kept for: a race, a wrong result, or an enum
 * weiri_execution_end. */
enum { KEPT_RACE, KEPT_WRONG, KEPT_STUCK };

static void keep(struct weiri_shared *shared, uint32_t kind, uint64_t executions,
                 const GArray *place)
{
    const struct weiri_shared_kept kept
        = { kind, executions, g_array_copy((GArray *)place) };
    g_array_append_val(shared->kept, kept);
}

static void collect(void *user, struct weiri_shared *shared)
{
    const struct exploration *x = user;
    const struct weir_exploration *result = x->result;
    shared->counts[WEIRI_SHARED_POSITIVE] = result->positive;
    shared->counts[WEIRI_SHARED_NEGATIVE] = result->negative;
    shared->counts[WEIRI_SHARED_BLOCKED] = result->blocked;
    shared->counts[WEIRI_SHARED_CUT] = result->cut;
    shared->counts[WEIRI_SHARED_PAIRS] = x->n_pairs;
    GHashTableIter all;
    gpointer entry;
    g_hash_table_iter_init(&all, x->by_values);
    while (g_hash_table_iter_next(&all, NULL, &entry)) {
        const struct weir_explored_state *shown = &((struct final_state *)entry)->shown;
        const struct weiri_shared_state state
            = { g_strdup(shown->text), shown->executions, shown->holds };
        g_array_append_val(shared->states, state);
    }
    for (guint i = 0; i < x->races->len; i++) {
        const struct race *race = &g_array_index(x->races, struct race, i);
        keep(shared, KEPT_RACE, race->executions, race->way.place);
    }
    if (result->negative > 0) {
        keep(shared, KEPT_WRONG, result->negative, x->wrong_way.place);
    }
    for (unsigned why = 0; why < N_STUCK; why++) {
        const struct stuck *stuck = &x->stuck[why];
        if (stuck->way.place != NULL) {
            keep(shared, KEPT_STUCK + why, stuck->executions, stuck->way.place);
        }
    }
}

static void note_again(void *user, const struct weiri_graph *graph, uint32_t kind,
                       uint64_t executions)
{
    struct exploration *x = user;
    x->weight = executions;
    if (kind == KEPT_RACE) {
        note_race(x, graph);
    } else if (kind == KEPT_WRONG) {
        note_wrong(x, graph, state_of_memory(x, graph));
    } else {
        note_stuck(x, graph, (enum weiri_execution_end)(kind - KEPT_STUCK));
    }
    x->weight = 1;
}

static void add_shared(struct exploration *x, struct weiri_shared *one)
{
    struct weir_exploration *result = x->result;
    result->executions += one->counts[WEIRI_SHARED_EXECUTIONS];
    result->racy += one->counts[WEIRI_SHARED_RACY];
    result->positive += one->counts[WEIRI_SHARED_POSITIVE];
    result->negative += one->counts[WEIRI_SHARED_NEGATIVE];
    result->blocked += one->counts[WEIRI_SHARED_BLOCKED];
    result->cut += one->counts[WEIRI_SHARED_CUT];
    result->complete &= one->complete;
    x->n_pairs += one->counts[WEIRI_SHARED_PAIRS];
    for (guint i = 0; i < one->states->len; i++) {
        struct weiri_shared_state *state
            = &g_array_index(one->states, struct weiri_shared_state, i);
        const struct weir_explored_state shown
            = { g_steal_pointer(&state->text), state->executions, state->holds };
        g_array_append_val(x->states, shown);
    }
}

/* Returns: whether an execution was too large */
static bool explore_together(struct exploration *x,
                             const struct weiri_explore_options *how)
{
    const struct weiri_sharing sharing = { .native = &x->native,
                                           .how = how,
                                           .n_processes = x->options->jobs,
                                           .collect = collect,
                                           .again = note_again };
    g_autoptr(GPtrArray) found = weiri_share(&sharing);
    if (found == NULL) {
        return false;
    }
    bool too_large = false;
    *x->result = (struct weir_exploration){ .model = x->options->model,
                                            .complete = !x->native.program.stopped };
    for (guint i = 0; i < found->len; i++) {
        struct weiri_shared *one = g_ptr_array_index(found, i);
        add_shared(x, one);
        too_large |= one->too_large;
    }
    return too_large;
}

/* Explores from the beginning, in the time that is left. */
static void explore_once(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    struct weir_exploration *result = x->result;
    bool races = x->options->explored != WEIRI_EXPLORED_SC;
    const struct weiri_explore_options how = {
        .model = x->options->explored,
        .max_executions = x->options->max_executions,
        .time_limit = time_left(x),
        .races = races,
        .stop_at_race = races && !x->options->plain_events,
        .execution = note_execution,
        .stuck = note_stuck,
        .user = x,
    };
    observe(x);
    begin_residencies(x);
    bool too_large;
    if (x->options->jobs > 1 && native->blind == WEIRI_BLIND_NONE) {
        too_large = explore_together(x, &how);
    } else {
        struct weiri_exploration done = x->options->samples > 0
            ? sample(x, &how)
            : weiri_explore(&native->program, &how);
        result->executions = done.executions;
        result->racy = done.racy;
        result->complete = done.complete;
        too_large = done.too_large;
    }
    explore_residencies(x, how);
    if ((too_large || x->n_pairs > MANY_PAIRS) && is_too_large(x)) {
        begin_blind(x);
    } else if (too_large && native->failure == NULL) {
        native->failure = g_strdup("its executions have more than 60000 events, or "
                                   "choices: make the launch smaller");
    }
}

/* Blind updates that would acquire have more executions than there are, unless there
 * is but one: then it begins anew without those. A fence may acquire what any of them
 * reads: then there are none. */
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

/* Explores until no location is met that was not known. What was found before that
 * counts for nothing, and without more time there is no answer. */
static void explore(struct exploration *x)
{
    struct weiri_native *native = &x->native;
    struct weir_exploration *result = x->result;
    bool anew, late = false;
    if (x->options->time_limit > 0) {
        native->ends_us = g_get_monotonic_time()
            + (int64_t)(x->options->time_limit * G_USEC_PER_SEC);
    }
    do {
        weiri_native_begin(native);
        clear_findings(x);
        if (!native->program.stopped && !late) {
            explore_once(x);
            check_blind(x);
        }
        anew = weiri_native_must_begin_anew(native) && !late;
        late = native->ends_us != 0 && g_get_monotonic_time() >= native->ends_us;
    } while (anew);
    if (native->machine.cells.refused != NULL && native->failure == NULL) {
        native->failure = g_strdup(native->machine.cells.refused);
    }
    result->locations = native->program.n_locations;
    for (guint i = 0; i < native->machine.cells.all->len; i++) {
        result->unordered += weiri_cell_at(&native->machine.cells, i)->blind != 0;
    }
    result->histories = native->nodes->len;
}

/* Not by which was found first: that depends on the number of processes. */
static int by_kept(const void *a, const void *b)
{
    const struct weiri_kept *one = &((const struct race *)a)->kept;
    const struct weiri_kept *other = &((const struct race *)b)->kept;
    int order = weiri_execution_compare(one->execution, other->execution);
    order = order != 0 ? order : (one->one > other->one) - (one->one < other->one);
    return order != 0 ? order
                      : (one->other > other->other) - (one->other < other->other);
}

/* The machine has made a finding when the item failed. */
static void explain_fault(const struct exploration *x)
{
    const struct weiri_kept *kept = &x->stuck[WEIRI_END_FAULT].kept;
    const struct weiri_machine *machine = &x->native.machine;
    for (uint32_t t = 0; kept->execution != NULL && t < machine->n_threads; t++) {
        if (weiri_native_request(&x->native, kept->execution->states[t])->kind
            == WEIRI_REQUEST_FAULT) {
            struct weiri_shape shape = machine->hub.launch->shape;
            struct weiri_draft shown = { .why = NULL };
            weiri_group_place(&shape, t / machine->n_items);
            show(x, &shown, kept, WEIRI_SHOWS_FAULT);
            weiri_report_explain(machine->hub.launch->report, shape.group,
                                 t % machine->n_items, shown.why, shown.execution);
            return;
        }
    }
}

static void report(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    show_states(x);
    explain_fault(x);
    g_array_sort(x->races, by_kept);
    for (guint i = 0; i < x->races->len; i++) {
        report_race(x, &g_array_index(x->races, struct race, i));
    }
    if (result->negative > 0) {
        report_wrong_result(x);
    }
    for (unsigned why = WEIRI_END_BARRIER; why <= WEIRI_END_SPIN; why++) {
        if (x->stuck[why].executions > 0) {
            report_stuck(x, &x->stuck[why], why, 0);
        }
    }
    if (x->starved.executions > 0) {
        report_starved(x);
    }
    result->n_states = x->states->len;
    result->states
        = (const struct weir_explored_state *)(void *)g_array_free(x->states, FALSE);
    x->states = NULL;
    result->n_residencies = x->residencies->len;
    result->residencies
        = (const struct weir_residency *)(void *)g_array_free(x->residencies, FALSE);
    x->residencies = NULL;
}

static int by_state(const void *a, const void *b)
{
    return strcmp((*(struct final_state *const *)a)->shown.text,
                  (*(struct final_state *const *)b)->shown.text);
}

/* The launch as a litmus test. */
static void write_litmus(struct exploration *x)
{
    struct weir_exploration *result = x->result;
    if (!result->complete) {
        result->no_litmus = g_strdup("there may be more executions than were explored");
        return;
    }
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GHashTableIter each;
    gpointer state;
    g_hash_table_iter_init(&each, x->by_values);
    while (g_hash_table_iter_next(&each, NULL, &state)) {
        g_ptr_array_add(all, state);
    }
    g_ptr_array_sort(all, by_state);
    g_autofree struct weiri_slice_state *states
        = g_new(struct weiri_slice_state, all->len + 1);
    for (guint i = 0; i < all->len; i++) {
        const struct final_state *one = g_ptr_array_index(all, i);
        int64_t *values = g_new0(int64_t, x->native.program.n_locations + 1);
        for (guint k = 0; k < x->observed->len; k++) {
            values[g_array_index(x->observed, uint32_t, k)] = one->values[k + 1];
        }
        states[i] = (struct weiri_slice_state){ values, one->shown.holds };
    }
    char *why = NULL;
    result->litmus
        = weiri_slice_litmus(&x->native, x->options->model, states, all->len, &why);
    result->no_litmus = why;
    for (guint i = 0; i < all->len; i++) {
        g_free((int64_t *)states[i].values);
    }
}

/* A launch without items has one execution, which does nothing. */
static void explore_nothing(struct exploration *x, struct weiri_launch *launch)
{
    const struct weiri_native_options *options = x->options;
    struct weir_explored_state only = { .text = g_strdup(""), .executions = 1 };
    only.holds = options->post_condition == NULL
        || options->post_condition(launch->args, options->post_condition_user);
    g_array_append_val(x->states, only);
    x->result->executions = 1;
    *(only.holds ? &x->result->positive : &x->result->negative) = 1;
    x->result->complete = true;
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

static void drive(void *driver, struct weiri_worker *worker)
{
    struct exploration *x = driver;
    if (weiri_native_init(&x->native, worker, x->options->plain_events,
                          x->options->compared)) {
        explore(x);
    }
    if (x->native.failure == NULL) {
        show_sites(x);
        if (x->options->litmus) {
            write_litmus(x);
        }
        report(x);
    } else {
        *x->result = (struct weir_exploration){ .model = x->options->model,
                                                .refused
                                                = g_steal_pointer(&x->native.failure) };
    }
    clear_kept(x);
    weiri_cells_restore(&x->native.machine.cells);
    weiri_native_clear(&x->native);
}

enum weiri_verdict weiri_native_compared(void *self, const struct weiri_event *event)
{
    uint64_t *hash = self;
    for (size_t i = 0; i < G_N_ELEMENTS(event->operands); i++) {
        *hash = (*hash ^ event->operands[i]) * 0x9e3779b97f4a7c15;
        *hash ^= *hash >> 29;
    }
    return WEIRI_GOES_ON;
}

bool weiri_native_explore(struct weiri_launch *launch,
                          const struct weiri_native_options *options, GError **error)
{
    struct exploration x = { .options = options, .weight = 1 };
    x.result = g_new0(struct weir_exploration, 1);
    x.result->model = options->model;
    x.states = g_array_new(FALSE, FALSE, sizeof(struct weir_explored_state));
    x.races = g_array_new(FALSE, FALSE, sizeof(struct race));
    g_array_set_clear_func(x.races, clear_race);
    x.residencies = g_array_new(FALSE, FALSE, sizeof(struct weir_residency));
    x.by_values = g_hash_table_new_full(weiri_values_hash, weiri_values_equal, NULL,
                                        free_final_state);
    x.values = g_array_new(FALSE, FALSE, sizeof(int64_t));
    x.observed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    launch->drive = drive;
    launch->driver = &x;
    bool done = true;
    if (launch->n_groups == 0) {
        explore_nothing(&x, launch);
    } else {
        done = weiri_launch_run(launch, error);
    }
    weiri_report_take_exploration(launch->report, x.result);
    g_hash_table_unref(x.by_values);
    g_array_unref(x.values);
    g_array_unref(x.observed);
    g_array_unref(x.races);
    clear_residencies(&x);
    g_clear_pointer(&x.residencies, g_array_unref);
    g_clear_pointer(&x.states, g_array_unref);
    return done;
}
