/* SPDX-License-Identifier: MIT
 *
 * step.c: see step.h. The steps that are taken grow a graph (graph.h), which keeps the
 * states of threads. Whether an option is allowed is not asked of the graph, but of the
 * axioms, for an execution that has the option's events and leaves the thread where it
 * is: a value that no execution can read is never given to a thread.
 *
 * The last place in modification order is always allowed: no edge leads from a new
 * event there. This saves most evaluations. It does not hold of plain accesses if the
 * model does not require them to be coherent; and models that order writes in part are
 * always asked. */
#include "config.h"

#include "model/step.h"

#include "model/rewind.h"
#include "model/step-table.h"
#include "model/waiting.h"

#include <string.h>

/* For models that the explorer does not know, the graph keeps only what all models have
 * in common. */
static enum weiri_explored explored_of(const struct weiri_model *model)
{
    return model == &weiri_model_sc        ? WEIRI_EXPLORED_SC
        : model == &weiri_model_rc11       ? WEIRI_EXPLORED_RC11
        : model == &weiri_model_sycl_split ? WEIRI_EXPLORED_SYCL_SPLIT
                                           : WEIRI_EXPLORED_SYCL;
}

void weiri_stepper_init(struct weiri_stepper *stepper,
                        const struct weiri_program *program,
                        const struct weiri_model *model, bool stop_at_race)
{
    *stepper = (struct weiri_stepper){ .program = program,
                                       .model = model,
                                       .stop_at_race = stop_at_race };
    weiri_frame_init(&stepper->frame, program, explored_of(model));
    weiri_graph_init(&stepper->graphs[0], &stepper->frame);
    weiri_graph_init(&stepper->graphs[1], &stepper->frame);
    stepper->graph = &stepper->graphs[0];
    stepper->currents = g_new0(uint32_t, MAX(program->n_locations, 1));
    stepper->meetings = model->n_choices > 0 ? weiri_meeting_rules_new(program) : NULL;
}

void weiri_stepper_clear(struct weiri_stepper *stepper)
{
    weiri_graph_clear(&stepper->graphs[0]);
    weiri_graph_clear(&stepper->graphs[1]);
    weiri_frame_clear(&stepper->frame);
    g_free(stepper->currents);
    weiri_meeting_rules_free(stepper->meetings);
}

/* ---- Where it is ----------------------------------------------------------------- */

static bool is_inside(const struct weiri_graph *graph, uint32_t thread)
{
    uint16_t last = graph->last[thread];
    return last != WEIRI_NO_EVENT && graph->nodes[last].kind == WEIRI_ENTERS;
}

enum weiri_standing weiri_stepper_standing(const struct weiri_stepper *stepper,
                                           uint32_t thread)
{
    if (is_inside(stepper->graph, thread)) {
        return WEIRI_STANDS_WAITING;
    }
    if (weiri_step_table_follows(stepper->graph, thread)) {
        return WEIRI_STANDS_LATER;
    }
    switch (weiri_graph_next(stepper->graph, thread)->kind) {
    case WEIRI_STEP_END:
        return WEIRI_STANDS_ENDED;
    case WEIRI_STEP_SPIN:
        return WEIRI_STANDS_SPINNING;
    case WEIRI_STEP_BOUND:
    case WEIRI_STEP_FAULT:
        return WEIRI_STANDS_STOPPED;
    default:
        return WEIRI_STANDS_READY;
    }
}

enum weiri_reached weiri_stepper_reached(struct weiri_stepper *stepper)
{
    uint32_t one, other, n_ended = 0, n_threads = stepper->frame.n_threads;
    if (stepper->stop_at_race && weiri_graph_race(stepper->graph, &one, &other)) {
        return WEIRI_REACHED_RACE;
    }
    for (uint32_t t = 0; t < n_threads; t++) {
        enum weiri_standing standing = weiri_stepper_standing(stepper, t);
        if (standing == WEIRI_STANDS_READY) {
            return WEIRI_REACHED_PART;
        }
        n_ended += standing == WEIRI_STANDS_ENDED;
    }
    return n_ended == n_threads                                ? WEIRI_REACHED_COMPLETE
        : weiri_graph_waits(stepper->graph, stepper->currents) ? WEIRI_REACHED_BLOCKED
                                                               : WEIRI_REACHED_PART;
}

/* ---- Options --------------------------------------------------------------------- */

/* The graph that the thread acts in; the caller may grow it. */
static struct weiri_graph *acting(struct weiri_stepper *stepper, uint32_t thread)
{
    if (weiri_graph_next(stepper->graph, thread)->kind != WEIRI_STEP_SPIN) {
        return stepper->graph;
    }
    struct weiri_graph *other = &stepper->graphs[stepper->graph == &stepper->graphs[0]];
    weiri_graph_rewind(other, stepper->graph, thread);
    return other;
}

const struct weiri_graph *weiri_stepper_graph(struct weiri_stepper *stepper,
                                              uint32_t thread)
{
    return acting(stepper, thread);
}

struct weiri_step weiri_stepper_next(struct weiri_stepper *stepper, uint32_t thread)
{
    return *weiri_graph_next(acting(stepper, thread), thread);
}

static bool is_access(const struct weiri_step *step)
{
    return step->kind == WEIRI_STEP_READ || step->kind == WEIRI_STEP_WRITE
        || step->kind == WEIRI_STEP_UPDATE;
}

static struct weiri_execution *execution_of(const struct weiri_stepper *stepper,
                                            const struct weiri_graph *graph)
{
    return stepper->meetings != NULL ? weiri_step_table_execution(graph)
                                     : weiri_graph_execution(graph);
}

struct weiri_execution *weiri_stepper_execution(const struct weiri_stepper *stepper)
{
    return execution_of(stepper, stepper->graph);
}

/* The execution with the option's events after the last event of the thread. */
static struct weiri_execution *with(const struct weiri_stepper *stepper,
                                    const struct weiri_graph *graph,
                                    const struct weiri_option *option)
{
    uint32_t thread = option->choice.thread, place = option->choice.place;
    const struct weiri_step *step = weiri_graph_next(graph, thread);
    struct weiri_execution *base = execution_of(stepper, graph);
    uint32_t n_threads = graph->frame->n_threads, at = base->first[thread + 1];
    uint32_t n_new = option->reads + option->writes;
    g_autofree uint32_t *first = g_new(uint32_t, n_threads + 1);
    g_autofree struct weiri_execution_event *events
        = g_new0(struct weiri_execution_event, base->n_events + n_new);
    for (uint32_t t = 0; t <= n_threads; t++) {
        first[t] = base->first[t] + (t > thread ? n_new : 0);
    }
    uint32_t source = WEIRI_INITIAL;
    for (uint32_t e = 0; e < base->n_events; e++) {
        uint32_t to = e < at ? e : e + n_new;
        struct weiri_execution_event *event = &events[to];
        *event = base->events[e];
        if (event->kind == WEIRI_READS_MEMORY && event->from != WEIRI_INITIAL
            && event->from >= at) {
            event->from += n_new;
        }
        if (event->kind == WEIRI_WRITES_MEMORY && event->location == step->location) {
            source = event->position + 1 == place ? to : source;
            event->position += option->writes && event->position >= place;
        }
    }
    struct weiri_execution_event added = {
        .kind = WEIRI_WRITES_MEMORY,
        .atomic = step->atomic,
        .update = option->reads && option->writes,
        .order = step->order,
        .scope = step->scope,
        .spaces = step->spaces,
        .thread = thread,
        .index = at - base->first[thread],
        .location = step->location,
        .value = option->written,
        .from = WEIRI_INITIAL,
        .position = place,
        .place = step->place,
        .traits = step->traits,
    };
    if (option->reads) {
        events[at] = added;
        events[at].kind = WEIRI_READS_MEMORY;
        events[at].value = option->read;
        events[at].from = source;
        events[at].position = 0;
        if (step->kind == WEIRI_STEP_UPDATE && !option->writes) {
            events[at].order = step->failure;
        }
        added.index++;
    }
    if (option->writes) {
        events[at + n_new - 1] = added;
    }
    const struct weiri_execution whole
        = { base->program, base->n_events + n_new, events,
            first,         base->states,           base->memory };
    struct weiri_execution *result = weiri_execution_copy(&whole);
    weiri_execution_free(base);
    return result;
}

struct weiri_execution *weiri_stepper_with(struct weiri_stepper *stepper,
                                           const struct weiri_option *option)
{
    return with(stepper, acting(stepper, option->choice.thread), option);
}

/* Sets whether the option is allowed. Returns: false if it is the same as another one:
 * the position of its write means nothing */
static bool judge(const struct weiri_stepper *stepper, const struct weiri_graph *graph,
                  struct weiri_option *option)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    struct weiri_execution *execution = with(stepper, graph, option);
    weiri_facts_begin(&facts, &algebra, execution);
    weiri_model_read(stepper->model, &facts);
    option->allowed = weiri_model_allows(stepper->model, &facts);
    bool means = stepper->meetings == NULL || !option->allowed
        || weiri_step_table_agrees(&facts);
    weiri_algebra_clear(&algebra);
    weiri_execution_free(execution);
    return means;
}

static void add_option(const struct weiri_stepper *stepper,
                       const struct weiri_graph *graph, struct weiri_option *option,
                       GArray *options)
{
    uint32_t location = weiri_graph_next(graph, option->choice.thread)->location;
    option->allowed = option->choice.place == graph->writes[location].n
        && !stepper->model->plain_incoherent && stepper->meetings == NULL;
    if (option->allowed || judge(stepper, graph, option)) {
        g_array_append_val(options, *option);
    }
}

/* Adds the option of the thread's access at the place; and if it is a weak one that
 * could write, the option that it does not. */
static void add_place(const struct weiri_stepper *stepper,
                      const struct weiri_graph *graph, uint32_t thread, uint32_t place,
                      GArray *options)
{
    const struct weiri_step *step = weiri_graph_next(graph, thread);
    const struct weiri_program *program = stepper->program;
    const struct weiri_order_of_writes *writes = &graph->writes[step->location];
    struct weiri_option option = {
        .choice = { .thread = thread, .place = place },
        .source = place == 0 ? WEIRI_NO_EVENT : writes->at[place - 1],
        .reads = step->kind != WEIRI_STEP_WRITE,
        .writes = step->kind == WEIRI_STEP_WRITE,
        .written = step->value,
    };
    option.read = weiri_graph_value(graph, step->location, option.source);
    option.writes |= step->kind == WEIRI_STEP_UPDATE
        && program->update(program->self, thread, weiri_graph_state(graph, thread),
                           option.read, &option.written);
    add_option(stepper, graph, &option, options);
    if (step->weak && option.writes) {
        option.choice.fails = true;
        option.writes = false;
        add_option(stepper, graph, &option, options);
    }
}

static GArray *options_of(const struct weiri_stepper *stepper,
                          const struct weiri_graph *graph, uint32_t thread)
{
    const struct weiri_step *step = weiri_graph_next(graph, thread);
    GArray *options = g_array_new(FALSE, TRUE, sizeof(struct weiri_option));
    bool acts = is_access(step) || step->kind == WEIRI_STEP_FENCE
        || (step->kind == WEIRI_STEP_ENTER && !is_inside(graph, thread));
    if (acts && !is_access(step)) {
        const struct weiri_option only = { .choice = { .thread = thread },
                                           .source = WEIRI_NO_EVENT,
                                           .allowed = true };
        g_array_append_val(options, only);
    }
    bool chooses = !stepper->stop_at_race || step->atomic;
    uint32_t end = is_access(step) ? graph->writes[step->location].n : 0;
    for (uint32_t place = end + 1; is_access(step) && place-- > 0;) {
        if (place == end || chooses) {
            add_place(stepper, graph, thread, place, options);
        }
    }
    return options;
}

GArray *weiri_stepper_options(struct weiri_stepper *stepper, uint32_t thread)
{
    if (weiri_stepper_reached(stepper) == WEIRI_REACHED_RACE
        || weiri_step_table_follows(stepper->graph, thread)) {
        return g_array_new(FALSE, TRUE, sizeof(struct weiri_option));
    }
    return options_of(stepper, acting(stepper, thread), thread);
}

/* ---- Steps ----------------------------------------------------------------------- */

/* Adds the events of an option that is allowed. */
static void perform(struct weiri_graph *graph, const struct weiri_option *option)
{
    uint32_t thread = option->choice.thread;
    if (option->reads) {
        weiri_graph_read(graph, thread, option->source, option->writes);
    }
    if (option->reads && option->writes) {
        weiri_graph_update(graph, thread, option->written);
    } else if (option->writes) {
        weiri_graph_write(graph, thread, option->choice.place);
    } else if (!option->reads
               && weiri_graph_next(graph, thread)->kind == WEIRI_STEP_FENCE) {
        weiri_graph_fence(graph, thread);
    } else if (!option->reads) {
        weiri_graph_enter(graph, thread);
    }
}

static void leave_barriers(const struct weiri_stepper *stepper,
                           struct weiri_graph *graph)
{
    if (stepper->meetings != NULL) {
        weiri_step_table_leave(graph, stepper->meetings);
        return;
    }
    for (uint32_t t = 0; t < graph->frame->n_threads; t++) {
        if (weiri_graph_may_exit(graph, t)) {
            weiri_graph_exit(graph, t);
        }
    }
}

bool weiri_stepper_take(struct weiri_stepper *stepper, struct weiri_choice choice)
{
    if (choice.thread >= stepper->frame.n_threads
        || weiri_stepper_reached(stepper) == WEIRI_REACHED_RACE
        || weiri_step_table_follows(stepper->graph, choice.thread)) {
        return false;
    }
    struct weiri_graph *graph = acting(stepper, choice.thread);
    g_autoptr(GArray) options = options_of(stepper, graph, choice.thread);
    for (guint i = 0; i < options->len; i++) {
        const struct weiri_option *option
            = &g_array_index(options, struct weiri_option, i);
        if (option->choice.place == choice.place && option->choice.fails == choice.fails
            && option->allowed) {
            stepper->graph = graph;
            perform(graph, option);
            leave_barriers(stepper, graph);
            return true;
        }
    }
    return false;
}
