/* SPDX-License-Identifier: MIT
 *
 * played.c: see played.h. An option is shown by the execution that has its events: the
 * texts of these events, the write that it reads, and, if the model refuses it, the
 * shortest cycle of an axiom that does not hold. Events of that execution get the
 * numbers that they have without the option; the option's events follow. */
#include "config.h"

#include "answer/played.h"

#include "answer/message.h"

#include <inttypes.h>
#include <string.h>

/* ---- Texts and lists ------------------------------------------------------------- */

struct weiri_played *weiri_played_new(void)
{
    struct weiri_played *played = g_new0(struct weiri_played, 1);
    played->blocks = g_ptr_array_new_with_free_func(g_free);
    return played;
}

void weir_play_free(struct weir_play *play)
{
    struct weiri_played *played = (struct weiri_played *)play; /* its first member */
    if (played != NULL) {
        g_ptr_array_unref(played->blocks);
        g_free(played);
    }
}

const char *weiri_played_take(struct weiri_played *played, char *text)
{
    if (text != NULL) {
        g_ptr_array_add(played->blocks, text);
    }
    return text;
}

const char *weiri_played_text(struct weiri_played *played, const char *text)
{
    return weiri_played_take(played, g_strdup(text));
}

void *weiri_played_list(struct weiri_played *played, GArray *list, size_t *n)
{
    *n = list->len;
    char *elements = g_array_free(list, FALSE);
    g_ptr_array_add(played->blocks, elements);
    return elements;
}

/* ---- Choices --------------------------------------------------------------------- */

/* Reads the first of them. Returns: what follows it, or NULL if it is malformed */
static const char *read_choice(const char *text, struct weiri_choice *choice)
{
    char *end;
    *choice = (struct weiri_choice){ .thread = 0 };
    for (int part = 0; part < 2; part++) {
        if (!g_ascii_isdigit(*text)) {
            return NULL;
        }
        guint64 number = g_ascii_strtoull(text, &end, 10);
        *(part == 0 ? &choice->thread : &choice->place)
            = (uint32_t)MIN(number, UINT32_MAX);
        text = end;
        if (part == 0 && *text++ != ':') {
            text--;
            break;
        }
    }
    choice->fails = *text == '!';
    text += choice->fails;
    if (*text == ',' && text[1] != '\0') {
        return text + 1;
    }
    return *text == '\0' ? text : NULL;
}

bool weiri_played_check(const char *choices, GError **error)
{
    const char *text = choices;
    struct weiri_choice choice;
    while (text != NULL && *text != '\0') {
        text = read_choice(text, &choice);
    }
    if (choices != NULL && text == NULL) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "choices '%s' are not of the form THREAD:WRITES,..., such as "
                    "0,1:2,1:0!",
                    choices);
    }
    return choices == NULL || text != NULL;
}

static bool is_access(const struct weiri_option *option)
{
    return option->reads || option->writes;
}

static char *text_of_choice(const struct weiri_option *option)
{
    const struct weiri_choice *choice = &option->choice;
    return is_access(option) ? g_strdup_printf("%u:%u%s", choice->thread, choice->place,
                                               choice->fails ? "!" : "")
                             : g_strdup_printf("%u", choice->thread);
}

/* ---- The execution with an option ------------------------------------------------ */

/**
 * optional: an execution in which an option has been taken
 * @execution: the execution with the option's events, as it is shown; owned
 * @at: the first of the option's events; @n: their number
 * @n_without: the number of events without the option
 * @n_removed: the number of events of the thread's last iteration that are left out,
 *             since the thread repeats that iteration
 */
struct optional {
    const struct weiri_option *option;
    struct weiri_execution *execution;
    uint32_t at, n;
    uint32_t n_without, n_removed;
};

static void show(const struct weiri_played *played, struct weiri_execution *execution)
{
    if (played->show != NULL) {
        played->show(played->self, execution);
    }
}

static struct optional begin_option(const struct weiri_played *played,
                                    struct weiri_stepper *stepper,
                                    const struct weiri_option *option)
{
    struct optional with = { .option = option, .n = option->reads + option->writes };
    uint32_t thread = option->choice.thread;
    with.execution = weiri_stepper_with(stepper, option);
    with.n_without = weiri_graph_n_events(stepper->graph);
    with.at = with.execution->first[thread + 1] - with.n;
    with.n_removed = with.n_without + with.n - with.execution->n_events;
    show(played, with.execution);
    return with;
}

/* The number of an event in the play. */
static int64_t number_of(const struct optional *with, uint32_t event)
{
    return event == WEIRI_INITIAL    ? -1
        : event < with->at           ? (int64_t)event
        : event < with->at + with->n ? (int64_t)with->n_without + event - with->at
                                     : (int64_t)event - with->n + with->n_removed;
}

/* "P0 (line 4)" */
static char *author_of(const struct weiri_execution *execution, uint32_t event)
{
    const struct weiri_program *program = execution->program;
    const struct weiri_execution_event *of = &execution->events[event];
    const struct weiri_source_place place
        = program->words->place(program->self, of->thread, of->place);
    g_autofree char *name = program->words->thread(program->self, of->thread);
    return g_strdup_printf("%s (line %u)", name, place.line);
}

/* The write of the location that is next after @write in modification order; or
 * WEIRI_INITIAL. */
static uint32_t next_write(const struct weiri_execution *execution, uint32_t write)
{
    const struct weiri_execution_event *of = &execution->events[write];
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        if (event->kind == WEIRI_WRITES_MEMORY && event->location == of->location
            && event->position == of->position + 1) {
            return e;
        }
    }
    return WEIRI_INITIAL;
}

static void add_read(GString *text, const struct optional *with)
{
    const struct weiri_execution *execution = with->execution;
    const struct weiri_execution_event *read = &execution->events[with->at];
    g_string_append_printf(text, "reads %s=%" PRId64,
                           execution->program->locations[read->location].name,
                           read->value);
    if (read->from == WEIRI_INITIAL) {
        g_string_append(text, ", the initial value");
    } else {
        g_autofree char *author = author_of(execution, read->from);
        g_string_append_printf(text, " of %s", author);
    }
}

static void add_write(GString *text, const struct optional *with)
{
    const struct weiri_execution *execution = with->execution;
    uint32_t write = with->at + with->n - 1;
    const struct weiri_execution_event *event = &execution->events[write];
    uint32_t next = next_write(execution, write);
    g_string_append_printf(text, "writes %s=%" PRId64,
                           execution->program->locations[event->location].name,
                           event->value);
    if (next != WEIRI_INITIAL) {
        g_autofree char *author = author_of(execution, next);
        g_string_append_printf(text, ", before the write of %s", author);
    } else if (event->position > 0 && !event->update) {
        g_string_append(text, ", after all other writes");
    }
}

/* "reads x=0, the initial value". @next: the thread's step */
static char *text_of_option(const struct optional *with, const struct weiri_step *next)
{
    GString *text = g_string_new(NULL);
    const struct weiri_option *option = with->option;
    if (option->reads) {
        add_read(text, with);
    }
    if (option->reads && option->writes) {
        g_string_append(text, "; ");
    }
    if (option->writes) {
        add_write(text, with);
    }
    if (next->kind == WEIRI_STEP_UPDATE && !option->writes) {
        g_string_append(text,
                        option->choice.fails ? "; fails although it could succeed"
                                             : "; writes nothing");
    }
    if (!is_access(option)) {
        bool arrives = (next->traits.flags & WEIRI_TRAIT_ARRIVES) != 0;
        g_string_append(text,
                        next->kind == WEIRI_STEP_FENCE ? "takes the fence"
                            : arrives                  ? "arrives at the barrier"
                                                       : "enters the barrier");
    }
    return g_string_free(text, FALSE);
}

/* ---- Events and edges ------------------------------------------------------------ */

static const char *kind_of(enum weir_litmus_event_kind kind)
{
    static const char *const texts[] = { [WEIR_LITMUS_READ] = "read",
                                         [WEIR_LITMUS_WRITE] = "write",
                                         [WEIR_LITMUS_FENCE] = "fence",
                                         [WEIR_LITMUS_BARRIER] = "barrier",
                                         [WEIR_LITMUS_EXIT] = "after barrier" };
    return texts[kind];
}

static struct weir_play_event event_of(struct weiri_played *played,
                                       const struct weiri_execution *execution,
                                       const struct weir_litmus_execution *drawn,
                                       uint32_t index)
{
    const struct weir_litmus_event *event = &drawn->events[index];
    const struct weiri_program *program = execution->program;
    const struct weiri_source_place place = program->words->place(
        program->self, event->thread, execution->events[index].place);
    return (struct weir_play_event){ .thread = event->thread,
                                     .kind = kind_of(event->kind),
                                     .text = weiri_played_text(played, event->text),
                                     .update = event->update,
                                     .before = "",
                                     .file = weiri_played_text(played, place.file),
                                     .line = event->line,
                                     .column = event->column };
}

static struct weir_play_edge edge_of(struct weiri_played *played,
                                     const struct weir_litmus_edge *edge, int64_t from,
                                     int64_t to)
{
    return (struct weir_play_edge){ weir_litmus_edge_name(edge->kind), from, to,
                                    weiri_played_text(played, edge->how) };
}

/* Why the model refuses an option: the axiom with the shortest cycle. */
static void explain(struct weiri_played *played, const struct optional *with,
                    const struct weir_litmus_execution *drawn,
                    struct weir_play_option *to)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    struct weiri_cycle shortest = { 0 };
    weiri_facts_begin(&facts, &algebra, with->execution);
    weiri_model_read(played->model, &facts);
    for (uint32_t i = 0; i < played->model->n_axioms; i++) {
        const struct weiri_axiom *axiom = played->model->axioms[i];
        struct weiri_cycle cycle = { 0 };
        if (!axiom->holds(&facts, &cycle)
            && (to->axiom == NULL || cycle.n < shortest.n)) {
            to->axiom = axiom->name;
            to->sentence = axiom->sentence;
            weiri_cycle_clear(&shortest);
            shortest = cycle;
        } else {
            weiri_cycle_clear(&cycle);
        }
    }
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(struct weir_play_edge));
    for (uint32_t i = 0; i < shortest.n; i++) {
        const struct weir_litmus_edge edge
            = weiri_drawn_edge(drawn, &shortest.edges[i]);
        const struct weir_play_edge one = edge_of(
            played, &edge, number_of(with, edge.from), number_of(with, edge.to));
        g_array_append_val(edges, one);
    }
    to->cycle = weiri_played_list(played, edges, &to->n_cycle);
    weiri_cycle_clear(&shortest);
    weiri_algebra_clear(&algebra);
}

/* The last write of the location that the option reads, if it reads an older value. */
static uint32_t newer_write(const struct optional *with)
{
    const struct weiri_execution *execution = with->execution;
    const struct weiri_execution_event *read = &execution->events[with->at];
    uint32_t newest = WEIRI_INITIAL;
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        bool own = e >= with->at && e < with->at + with->n;
        if (event->kind == WEIRI_WRITES_MEMORY && event->location == read->location
            && !own
            && (newest == WEIRI_INITIAL
                || event->position > execution->events[newest].position)) {
            newest = e;
        }
    }
    return newest == read->from ? WEIRI_INITIAL : newest;
}

/* What a model of PTX or Vulkan says of the write that the option reads, and why it may
 * be an old one. */
static char *note_of(const struct weiri_played *played, const struct optional *with)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    if (!with->option->reads || played->model->form == WEIRI_FORM_C) {
        return NULL;
    }
    uint32_t from = with->execution->events[with->at].from, newer = newer_write(with);
    weiri_facts_begin(&facts, &algebra, with->execution);
    weiri_model_read(played->model, &facts);
    g_autoptr(GStringChunk) strings = g_string_chunk_new(256);
    const struct weiri_messages in = { played->model, &facts, strings };
    g_autofree char *link
        = from == WEIRI_INITIAL ? NULL : weiri_message_link(&in, from, with->at);
    g_autofree char *why = newer == WEIRI_INITIAL || !with->option->allowed
        ? NULL
        : weiri_message_race(&in, newer, with->at);
    weiri_algebra_clear(&algebra);
    return why == NULL
        ? g_steal_pointer(&link)
        : g_strdup_printf("%s%san old value: %s", link != NULL ? link : "",
                          link != NULL ? "; " : "", why);
}

static struct weir_play_option describe_option(struct weiri_played *played,
                                               struct weiri_stepper *stepper,
                                               const struct weiri_option *option,
                                               const struct weiri_step *next)
{
    struct optional with = begin_option(played, stepper, option);
    struct weir_play_option to = {
        .choice = weiri_played_take(played, text_of_choice(option)),
        .text = weiri_played_take(played, text_of_option(&with, next)),
        .note = weiri_played_take(played, note_of(played, &with)),
        .allowed = option->allowed,
    };
    struct weir_litmus_execution drawn;
    weiri_drawn_fill(&drawn, with.execution, played->model);
    GArray *events = g_array_new(FALSE, FALSE, sizeof(struct weir_play_event));
    for (uint32_t i = 0; i < with.n; i++) {
        const struct weir_play_event event
            = event_of(played, with.execution, &drawn, with.at + i);
        g_array_append_val(events, event);
    }
    to.events = weiri_played_list(played, events, &to.n_events);
    if (!option->allowed) {
        explain(played, &with, &drawn, &to);
    }
    weiri_drawn_clear(&drawn);
    weiri_execution_free(with.execution);
    return to;
}

/* The numbers of the events that happen before each. */
static void add_before(struct weiri_played *played, const struct weiri_facts *facts,
                       struct weir_play_event *events)
{
    uint32_t n = facts->execution->n_events;
    for (uint32_t to = 0; to < n; to++) {
        GString *before = g_string_new(NULL);
        for (uint32_t from = 0; from < n; from++) {
            if (weiri_relation_has(facts->algebra, facts->hb, from, to)) {
                g_string_append_printf(before, "%s%u", before->len > 0 ? "," : "",
                                       from);
            }
        }
        events[to].before = weiri_played_take(played, g_string_free(before, FALSE));
    }
}

/* Adds the events and the edges, and the race if there is one. */
static void add_execution(struct weiri_played *played, const struct weiri_graph *graph,
                          const struct weiri_execution *execution)
{
    struct weir_play *play = &played->play;
    struct weir_litmus_execution drawn;
    weiri_drawn_fill(&drawn, execution, played->model);
    GArray *events = g_array_new(FALSE, FALSE, sizeof(struct weir_play_event));
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(struct weir_play_edge));
    for (uint32_t e = 0; e < drawn.n_events; e++) {
        const struct weir_play_event event = event_of(played, execution, &drawn, e);
        g_array_append_val(events, event);
    }
    for (size_t i = 0; i < drawn.n_edges; i++) {
        const struct weir_litmus_edge *edge = &drawn.edges[i];
        int64_t from = edge->from == WEIR_LITMUS_INITIAL ? -1 : (int64_t)edge->from;
        const struct weir_play_edge one = edge_of(played, edge, from, edge->to);
        g_array_append_val(edges, one);
        if (edge->kind == WEIR_LITMUS_RACE) {
            play->race = weiri_played_take(
                played,
                weiri_drawn_why(execution, played->model, edge->from, edge->to, true));
        }
    }
    for (uint32_t g = 0; g < graph->n; g++) {
        g_array_index(events, struct weir_play_event,
                      weiri_graph_event(graph, execution, g))
            .step
            = g;
    }
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    weiri_facts_begin(&facts, &algebra, execution);
    weiri_model_read(played->model, &facts);
    add_before(played, &facts, (struct weir_play_event *)(void *)events->data);
    weiri_algebra_clear(&algebra);
    weiri_drawn_clear(&drawn);
    play->events = weiri_played_list(played, events, &play->n_events);
    play->edges = weiri_played_list(played, edges, &play->n_edges);
}

/* ---- Threads --------------------------------------------------------------------- */

static const char *standing_name(enum weiri_standing standing)
{
    static const char *const names[]
        = { [WEIRI_STANDS_READY] = "ready",     [WEIRI_STANDS_SPINNING] = "spinning",
            [WEIRI_STANDS_WAITING] = "waiting", [WEIRI_STANDS_LATER] = "later",
            [WEIRI_STANDS_ENDED] = "ended",     [WEIRI_STANDS_STOPPED] = "stopped" };
    return names[standing];
}

static const char *standing_text(enum weiri_standing standing,
                                 enum weiri_step_kind kind)
{
    static const char *const texts[]
        = { [WEIRI_STANDS_READY] = "can take a step",
            [WEIRI_STANDS_SPINNING]
            = "waits in a loop; its next step repeats the last iteration",
            [WEIRI_STANDS_WAITING] = "waits at the barrier",
            [WEIRI_STANDS_LATER] = "comes after another thread, by ssw",
            [WEIRI_STANDS_ENDED] = "has ended",
            [WEIRI_STANDS_STOPPED] = "has stopped at a fault" };
    return kind == WEIRI_STEP_BOUND ? "has stopped at the limit of a loop's iterations"
                                    : texts[standing];
}

static struct weir_play_thread describe_thread(struct weiri_played *played,
                                               struct weiri_stepper *stepper,
                                               const struct weiri_program *shown,
                                               uint32_t thread)
{
    enum weiri_standing standing = weiri_stepper_standing(stepper, thread);
    const struct weiri_step next = weiri_stepper_next(stepper, thread);
    char *group = played->group != NULL ? played->group(played->self, thread) : NULL;
    struct weir_play_thread to = {
        .name = weiri_played_take(played, shown->words->thread(shown->self, thread)),
        .group = weiri_played_take(played, group),
        .standing = standing_name(standing),
        .text = standing_text(standing, (enum weiri_step_kind)next.kind),
    };
    if (standing != WEIRI_STANDS_WAITING && standing != WEIRI_STANDS_ENDED) {
        const struct weiri_source_place place
            = shown->words->place(shown->self, thread, next.place);
        to.next = weiri_played_take(played, weiri_drawn_step(shown, &next));
        to.file = weiri_played_text(played, place.file);
        to.line = place.line;
        to.column = place.column;
    }
    g_autoptr(GArray) options = weiri_stepper_options(stepper, thread);
    GArray *described = g_array_new(FALSE, FALSE, sizeof(struct weir_play_option));
    bool full = weiri_graph_n_events(stepper->graph) >= WEIRI_PLAYED_MOST;
    for (guint i = 0; i < options->len && !full; i++) {
        const struct weir_play_option option = describe_option(
            played, stepper, &g_array_index(options, struct weiri_option, i), &next);
        g_array_append_val(described, option);
    }
    to.options = weiri_played_list(played, described, &to.n_options);
    return to;
}

/* ---- The whole ------------------------------------------------------------------- */

/* Takes an option. Returns: (transfer full): NULL, or why it cannot be taken */
static char *take_option(struct weiri_played *played, struct weiri_stepper *stepper,
                         const struct weiri_option *option, GArray *steps)
{
    const struct weiri_choice choice = option->choice;
    const struct weiri_step next = weiri_stepper_next(stepper, choice.thread);
    struct optional with = begin_option(played, stepper, option);
    const struct weiri_program *shown = with.execution->program;
    g_autofree char *name = shown->words->thread(shown->self, choice.thread);
    g_autofree char *text = text_of_option(&with, &next);
    weiri_execution_free(with.execution);
    if (!option->allowed) {
        return g_strdup_printf("model %s refuses that %s %s", played->model->name, name,
                               text);
    }
    const struct weir_play_step step
        = { weiri_played_take(played, text_of_choice(option)), choice.thread,
            weiri_played_text(played, text) };
    g_array_append_val(steps, step);
    (void)weiri_stepper_take(stepper, choice);
    return NULL;
}

/* The same of a choice. */
static char *take(struct weiri_played *played, struct weiri_stepper *stepper,
                  struct weiri_choice choice, GArray *steps)
{
    uint32_t n_threads = played->program->n_threads;
    uint32_t n_events = weiri_graph_n_events(stepper->graph);
    if (choice.thread >= n_threads) {
        return g_strdup_printf("thread %u does not exist, only 0 to %u", choice.thread,
                               n_threads - 1);
    }
    if (n_events >= WEIRI_PLAYED_MOST) {
        return g_strdup_printf("the execution has %u events, the most that can be "
                               "played",
                               n_events);
    }
    g_autoptr(GArray) options = weiri_stepper_options(stepper, choice.thread);
    for (guint i = 0; i < options->len; i++) {
        const struct weiri_option *option
            = &g_array_index(options, struct weiri_option, i);
        if (option->choice.place == choice.place
            && option->choice.fails == choice.fails) {
            return take_option(played, stepper, option, steps);
        }
    }
    return g_strdup_printf(options->len > 0 ? "thread %u has no such option"
                                            : "thread %u cannot take a step",
                           choice.thread);
}

struct weiri_execution *weiri_played_follow(struct weiri_played *played,
                                            const char *choices,
                                            struct weiri_stepper *stepper)
{
    struct weir_play *play = &played->play;
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct weir_play_step));
    g_autofree char *refused = NULL;
    weiri_stepper_init(stepper, played->program, played->model, played->stop_at_race);
    while (choices != NULL && *choices != '\0' && refused == NULL) {
        struct weiri_choice choice;
        choices = read_choice(choices, &choice);
        refused = take(played, stepper, choice, steps);
    }
    play->refused = refused == NULL
        ? NULL
        : weiri_played_take(played,
                            g_strdup_printf("choice %u: %s", steps->len + 1, refused));
    play->steps = weiri_played_list(played, steps, &play->n_steps);
    return weiri_stepper_execution(stepper);
}

static void add_reached(struct weiri_played *played, enum weiri_reached reached)
{
    static const char *const names[] = { [WEIRI_REACHED_PART] = "part",
                                         [WEIRI_REACHED_COMPLETE] = "complete",
                                         [WEIRI_REACHED_RACE] = "race",
                                         [WEIRI_REACHED_BLOCKED] = "blocked" };
    static const char *const texts[]
        = { [WEIRI_REACHED_PART] = "The execution can go on.",
            [WEIRI_REACHED_COMPLETE] = "All threads have ended.",
            [WEIRI_REACHED_RACE] = "The execution ends at a data race.",
            [WEIRI_REACHED_BLOCKED]
            = "No thread can go on: the execution is blocked." };
    played->play.reached = names[reached];
    played->play.text = texts[reached];
}

/* Which executions cannot be stepped; or NULL. */
static const char *missing_of(const struct weiri_model *model)
{
    static const char *const texts[]
        = { [WEIRI_FORM_C]
            = "This model also allows a read from a write that comes later. A step "
              "cannot do that, so such executions are missing here.",
            [WEIRI_FORM_PTX]
            = "Missing here: executions in which a read reads from a write that comes "
              "later, and those in which the order of fence.sc operations is not that "
              "in which they are taken.",
            [WEIRI_FORM_VULKAN]
            = "Missing here: executions in which a read reads from a write that comes "
              "later, values out of thin air, and final values that only a race leaves "
              "open." };
    return model->buffers || model->form != WEIRI_FORM_C ? texts[model->form] : NULL;
}

void weiri_played_describe(struct weiri_played *played, struct weiri_stepper *stepper,
                           struct weiri_execution *execution)
{
    struct weir_play *play = &played->play;
    show(played, execution);
    play->model = played->model->name;
    play->order = played->model->form == WEIRI_FORM_PTX ? "base causality order"
                                                        : "happens-before";
    play->missing = missing_of(played->model);
    add_reached(played, weiri_stepper_reached(stepper));
    add_execution(played, stepper->graph, execution);
    GArray *threads = g_array_new(FALSE, FALSE, sizeof(struct weir_play_thread));
    for (uint32_t t = 0; t < played->program->n_threads; t++) {
        const struct weir_play_thread thread
            = describe_thread(played, stepper, execution->program, t);
        g_array_append_val(threads, thread);
    }
    play->threads = weiri_played_list(played, threads, &play->n_threads);
}
