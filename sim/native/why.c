/* SPDX-License-Identifier: MIT
 *
 * why.c: see why.h. A kept execution is made smaller first: of a race, the events that
 * the racing accesses need are enough. What is left is put in an order (sequence.c), in
 * which stale reads are seen, and drawn and explained by the code that does so for
 * litmus tests (answer/drawn.h), with words for the parts of a launch. */
#include "config.h"

#include "native/why.h"

#include "answer/drawn.h"
#include "exec/names.h"
#include "native/sequence.h"

#include <inttypes.h>
#include <string.h>

/* More lines of text than a screen has are shown of no execution. */
enum { MOST_LINES = 18 };
/* With so many lines, what is further away from the failure is left out. */
enum { ENOUGH_LINES = 6 };

/* ---- Keeping one ----------------------------------------------------------------- */

bool weiri_kept_note(struct weiri_kept *kept, const struct weiri_graph *graph,
                     uint32_t one, uint32_t other)
{
    const struct weiri_execution *best = kept->execution;
    uint32_t n_events = weiri_graph_n_events(graph);
    bool smaller = best == NULL || n_events < best->n_events;
    /* Without stale reads only the order of executions is left to be less by. */
    if (!smaller
        && (n_events > best->n_events
            || (kept->stale == 0 && weiri_graph_compare(graph, best) >= 0))) {
        return false;
    }
    uint32_t stale = weiri_graph_stale(graph, smaller ? UINT32_MAX - 1 : kept->stale);
    if (!smaller && stale > kept->stale) {
        return false;
    }
    if (smaller || stale < kept->stale) {
        g_clear_pointer(&kept->execution, weiri_execution_free);
        kept->stale = stale;
    }
    if (!weiri_graph_keep(graph, &kept->execution)) {
        return false;
    }
    if (graph->n > 0) {
        kept->one = weiri_graph_event(graph, kept->execution, one);
        kept->other = weiri_graph_event(graph, kept->execution, other);
    }
    return true;
}

void weiri_kept_clear(struct weiri_kept *kept)
{
    weiri_execution_free(kept->execution);
    *kept = (struct weiri_kept){ .execution = NULL };
}

/* ---- Words ----------------------------------------------------------------------- */

struct shown {
    const struct weiri_native *native;
    const struct weiri_symbols *symbols;
    const struct weiri_model *model;
    struct weiri_program program;
    struct weiri_program_location *locations; /* of it, owned with their names */
    const struct weiri_object **objects;      /* by location; owned array */
    struct weiri_execution_event *events;     /* that are shown, by thread */
    uint32_t *first;
    struct weiri_execution execution;
    uint32_t one, other; /* of a race */
    bool one_file;       /* all events are in */
    struct weir_litmus_execution drawn;
    struct weiri_sequence sequence;
};

static const struct weiri_native_node *node_at(const struct shown *shown, uint32_t node)
{
    return &g_array_index(shown->native->nodes, struct weiri_native_node, node);
}

static const struct weiri_request *request_at(const struct shown *shown, uint32_t node)
{
    return &g_array_index(shown->native->requests, struct weiri_request,
                          node_at(shown, node)->request);
}

/* Where the request of a node is in the source. */
static struct weir_frame frame_of(const struct shown *shown, uint32_t node)
{
    const struct weiri_request *request = request_at(shown, node);
    struct weir_frame frame = { NULL, NULL, 0 };
    if (request->site != NULL) {
        return (struct weir_frame){ request->site->function, request->site->file,
                                    request->site->line };
    }
    if (request->pc != NULL && shown->symbols->frames != NULL) {
        (void)shown->symbols->frames(request->pc, &frame, 1);
    }
    return frame;
}

static const char *label_of(const void *self, uint32_t label)
{
    const struct shown *shown = self;
    uint64_t op = weiri_native_operation(shown->native, label);
    return WEIRI_OP_KIND(op) == WEIRI_BARRIER ? "" : weiri_operation_name(op);
}

static void place_item(const struct shown *shown, uint32_t thread,
                       struct weir_explored_item *item)
{
    const struct weiri_machine *machine = &shown->native->machine;
    struct weiri_shape shape = machine->hub.launch->shape;
    weiri_group_place(&shape, thread / machine->n_items);
    item->item = thread % machine->n_items;
    memcpy(item->group, shape.group, sizeof(item->group));
}

static char *thread_name(const void *self, uint32_t thread)
{
    struct weir_explored_item item;
    place_item(self, thread, &item);
    g_autofree char *group = weiri_coordinates(item.group);
    return g_strdup_printf("item %" PRIu64 " of group %s", item.item, group);
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL ? slash + 1 : file;
}

static struct weiri_source_place place_of(const void *self, uint32_t thread,
                                          uint32_t place)
{
    const struct shown *shown = self;
    struct weir_frame frame = frame_of(shown, place);
    (void)thread;
    return (struct weiri_source_place){ shown->one_file || frame.file == NULL
                                            ? NULL
                                            : base_name(frame.file),
                                        frame.line, 0 };
}

/* The variable that the line of a local array declares, "scratch" of
 * "uint32_t *scratch = weir_local_array(…". Returns: (transfer full): or NULL */
static char *declared_in(const char *source)
{
    const char *call = source != NULL ? strstr(source, "weir_local_array") : NULL;
    call = call == NULL && source != NULL ? strstr(source, "weir_group_local_array")
                                          : call;
    const char *end = call;
    while (end != NULL && end > source && strchr(" =", end[-1]) != NULL) {
        end--;
    }
    const char *name = end;
    while (name != NULL && name > source
           && (g_ascii_isalnum(name[-1]) || name[-1] == '_')) {
        name--;
    }
    return name != NULL && name < end && end < call
        ? g_strndup(name, (gsize)(end - name))
        : NULL;
}

/* "partial sums[2]" */
static char *name_of_cell(const struct shown *shown,
                          const struct weiri_native_cell *cell)
{
    const struct weir_site *site = cell->object->site;
    g_autofree char *name = cell->object->kind == WEIRI_OBJECT_LOCAL && site != NULL
            && shown->symbols->source != NULL
        ? declared_in(shown->symbols->source(site->file, site->line))
        : NULL;
    if (name == NULL) {
        name = weiri_object_name(cell->object, cell->address);
    }
    return g_strdup_printf("%s[%" PRId64 "]", name,
                           weiri_object_index(cell->object, cell->address));
}

static const struct weiri_words words = { true, label_of, thread_name, place_of };

/* ---- The part that is shown ------------------------------------------------------ */

static void mark(uint32_t event, bool *needed, GArray *stack)
{
    if (!needed[event]) {
        needed[event] = true;
        g_array_append_val(stack, event);
    }
}

/* Marks what the event needs in order to happen. */
static void mark_causes(const struct weiri_execution *all, uint32_t event, bool *needed)
{
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    mark(event, needed, stack);
    while (stack->len > 0) {
        uint32_t e = g_array_index(stack, uint32_t, stack->len - 1);
        const struct weiri_execution_event *of = &all->events[e];
        g_array_set_size(stack, stack->len - 1);
        if (of->index > 0) {
            mark(e - 1, needed, stack);
        }
        if (of->kind == WEIRI_READS_MEMORY && of->from != WEIRI_INITIAL) {
            mark(of->from, needed, stack);
        }
        for (uint32_t b = 0; b < all->n_events && of->kind == WEIRI_EXITS; b++) {
            if (weiri_event_meets(all->program->threads, &all->events[b], of)) {
                mark(b, needed, stack);
            }
        }
    }
}

/* Of a race: what its accesses need, and all of their threads. */
static void mark_race(const struct weiri_execution *all, const struct weiri_kept *kept,
                      bool *needed)
{
    const uint32_t ends[] = { kept->one, kept->other };
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        uint32_t thread = all->events[ends[i]].thread;
        uint32_t last = all->first[thread + 1];
        mark_causes(all, last - 1, needed);
    }
}

/* Of a failed item: what it needs; of several, of the one that needs the least. */
static void mark_fault(const struct shown *shown, const struct weiri_execution *all,
                       bool *needed)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t t = 0; t < all->program->n_threads; t++) {
        uint32_t node, n = 0;
        memcpy(&node, all->states[t], sizeof(node));
        if (request_at(shown, node)->kind != WEIRI_REQUEST_FAULT
            || all->first[t + 1] == all->first[t]) {
            continue;
        }
        g_autofree bool *own = g_new0(bool, all->n_events + 1);
        mark_causes(all, all->first[t + 1] - 1, own);
        for (uint32_t e = 0; e < all->n_events; e++) {
            n += own[e];
        }
        if (n < least) {
            least = n;
            memcpy(needed, own, all->n_events * sizeof(*needed));
        }
    }
}

static void name_locations(struct shown *shown)
{
    const struct weiri_program *program = &shown->native->program;
    const struct weiri_cells *cells = &shown->native->machine.cells;
    uint32_t n = 0;
    g_autofree uint32_t *numbers = g_new0(uint32_t, program->n_locations + 1);
    shown->objects = g_new0(const struct weiri_object *, program->n_locations + 1);
    shown->locations = g_new0(struct weiri_program_location, program->n_locations + 1);
    for (uint32_t e = 0; e < shown->execution.n_events; e++) {
        struct weiri_execution_event *event = &shown->events[e];
        if (!weiri_event_is_access(event)) {
            continue;
        }
        uint32_t from = event->location;
        const struct weiri_native_cell *cell
            = weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, from));
        if (numbers[from] == 0) {
            shown->locations[n] = program->locations[from];
            shown->locations[n].name = name_of_cell(shown, cell);
            shown->locations[n].atomic = cell->atomic;
            shown->objects[n] = cell->object;
            shown->locations[n].initial = weiri_cell_signed(cell, cell->initial);
            numbers[from] = ++n;
        }
        event->location = numbers[from] - 1;
        event->value = weiri_cell_signed(cell, event->value);
    }
    shown->program.n_locations = n;
    shown->program.locations = shown->locations;
}

/* Copies the events that are needed. */
static void copy_part(struct shown *shown, const struct weiri_kept *kept,
                      const bool *needed)
{
    const struct weiri_execution *all = kept->execution;
    uint32_t n_threads = all->program->n_threads, n = 0;
    g_autofree uint32_t *number = g_new(uint32_t, all->n_events + 1);
    shown->events = g_new0(struct weiri_execution_event, all->n_events + 1);
    shown->first = g_new0(uint32_t, n_threads + 1);
    for (uint32_t e = 0; e < all->n_events; e++) {
        number[e] = n;
        if (needed[e]) {
            shown->events[n] = all->events[e];
            shown->events[n++].index
                = number[e] - number[all->first[all->events[e].thread]];
        }
    }
    for (uint32_t t = 0; t <= n_threads; t++) {
        shown->first[t] = all->first[t] < all->n_events ? number[all->first[t]] : n;
    }
    for (uint32_t e = 0; e < n; e++) {
        struct weiri_execution_event *event = &shown->events[e];
        if (event->kind == WEIRI_READS_MEMORY && event->from != WEIRI_INITIAL) {
            event->from = number[event->from];
        }
    }
    /* Positions count the writes that are left. */
    g_autofree uint32_t *positions = g_new0(uint32_t, n + 1);
    for (uint32_t e = 0; e < n; e++) {
        for (uint32_t b = 0; b < n && shown->events[e].kind == WEIRI_WRITES_MEMORY;
             b++) {
            positions[e] += shown->events[b].kind == WEIRI_WRITES_MEMORY
                && shown->events[b].location == shown->events[e].location
                && shown->events[b].position < shown->events[e].position;
        }
    }
    for (uint32_t e = 0; e < n; e++) {
        shown->events[e].position = positions[e];
    }
    shown->one = number[kept->one];
    shown->other = number[kept->other];
    shown->execution = (struct weiri_execution){ .program = &shown->program,
                                                 .n_events = n,
                                                 .events = shown->events,
                                                 .first = shown->first,
                                                 .states = all->states };
}

static void find_files(struct shown *shown)
{
    const char *file = NULL;
    shown->one_file = true;
    for (uint32_t e = 0; e < shown->execution.n_events; e++) {
        struct weir_frame frame = frame_of(shown, shown->events[e].place);
        shown->one_file = shown->one_file
            && (file == NULL || frame.file == NULL || strcmp(file, frame.file) == 0);
        file = file != NULL ? file : frame.file;
    }
}

/* ---- What matters ---------------------------------------------------------------- */

/* How close an event is to the failure; 0 is closest. */
enum rank { ENDS, MESSAGES, ATOMICS, ALIKE, BARRIERS, SHARED, REST, NEVER };

static bool crosses(const struct shown *shown, uint32_t read)
{
    const struct weiri_execution_event *event = &shown->events[read];
    return event->kind == WEIRI_READS_MEMORY && event->from != WEIRI_INITIAL
        && shown->events[event->from].thread != event->thread;
}

static void set_rank(enum rank *ranks, uint32_t event, enum rank rank)
{
    ranks[event] = MIN(ranks[event], rank);
}

static void rank_end(const struct shown *shown, enum rank *ranks, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    set_rank(ranks, event, ENDS);
    if (of->kind == WEIRI_READS_MEMORY && of->from != WEIRI_INITIAL) {
        set_rank(ranks, of->from, MESSAGES);
    }
}

/* The last event of each item that has not returned; or that has failed. */
static void rank_stuck(const struct shown *shown, enum rank *ranks, bool failed)
{
    const struct weiri_execution *execution = &shown->execution;
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        uint32_t node;
        memcpy(&node, execution->states[t], sizeof(node));
        if (execution->first[t + 1] > execution->first[t]
            && (failed ? request_at(shown, node)->kind == WEIRI_REQUEST_FAULT
                       : request_at(shown, node)->kind != WEIRI_REQUEST_END)) {
            rank_end(shown, ranks, execution->first[t + 1] - 1);
        }
    }
}

/* Accesses to the same objects as those at the end. */
static void rank_alike(const struct shown *shown, enum rank *ranks)
{
    uint32_t n = shown->execution.n_events;
    for (uint32_t e = 0; e < n; e++) {
        const struct weiri_execution_event *end = &shown->events[e];
        for (uint32_t o = 0; o < n && ranks[e] == ENDS && weiri_event_is_access(end);
             o++) {
            const struct weiri_execution_event *other = &shown->events[o];
            if (weiri_event_is_access(other)
                && shown->objects[other->location] == shown->objects[end->location]) {
                set_rank(ranks, o, ALIKE);
            }
        }
    }
}

/* Barriers between two accesses that race do not order them. */
static void rank_barriers(const struct shown *shown, enum rank *ranks, uint32_t one,
                          uint32_t other)
{
    const struct weiri_program_thread *threads = shown->program.threads;
    uint32_t end = shown->first[shown->events[one].thread + 1];
    for (uint32_t e = one + 1; e < end; e++) {
        for (uint32_t x = shown->first[shown->events[other].thread]; x < other; x++) {
            if (weiri_event_meets(threads, &shown->events[e], &shown->events[x])) {
                set_rank(ranks, e, MESSAGES);
                set_rank(ranks, x - 1, MESSAGES); /* its entry */
            }
        }
    }
}

static enum rank *rank_all(const struct shown *shown, enum weiri_shows shows)
{
    uint32_t n = shown->execution.n_events;
    enum rank *ranks = g_new(enum rank, n + 1);
    for (uint32_t e = 0; e < n; e++) {
        const struct weiri_execution_event *event = &shown->events[e];
        ranks[e] = event->kind == WEIRI_EXITS    ? NEVER
            : event->kind == WEIRI_ENTERS        ? BARRIERS
            : event->kind == WEIRI_FENCES        ? ATOMICS
            : event->atomic && crosses(shown, e) ? MESSAGES
            : event->atomic                      ? ATOMICS
            : crosses(shown, e)                  ? SHARED
                                                 : REST;
    }
    for (uint32_t e = 0; e < n; e++) {
        if (crosses(shown, e)) {
            set_rank(ranks, shown->events[e].from,
                     shown->events[e].atomic ? MESSAGES : SHARED);
        }
        if (shown->sequence.newest[e] != WEIRI_INITIAL) {
            rank_end(shown, ranks, e);
            set_rank(ranks, shown->sequence.newest[e], ENDS);
        }
    }
    if (shows == WEIRI_SHOWS_RACE) {
        rank_end(shown, ranks, shown->one);
        rank_end(shown, ranks, shown->other);
        rank_barriers(shown, ranks, shown->one, shown->other);
        rank_barriers(shown, ranks, shown->other, shown->one);
    } else if (shows != WEIRI_SHOWS_RESULT) {
        rank_stuck(shown, ranks, shows == WEIRI_SHOWS_FAULT);
    }
    rank_alike(shown, ranks);
    for (uint32_t e = 0; e + 1 < n; e++) { /* both halves are one line */
        if (shown->events[e].update && shown->events[e].kind == WEIRI_READS_MEMORY
            && shown->events[e + 1].update) {
            ranks[e] = ranks[e + 1] = MIN(ranks[e], ranks[e + 1]);
        }
    }
    return ranks;
}

static bool is_line(const struct shown *shown, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    return !(of->update && of->kind == WEIRI_WRITES_MEMORY);
}

/* Marks the events that matter: the closest to the failure, as many kinds of them as
 * there is room for. If one kind is too many already, the latest ones. */
static void mark_matters(const struct shown *shown, enum weiri_shows shows,
                         bool *matters)
{
    g_autofree enum rank *ranks = rank_all(shown, shows);
    uint32_t n = shown->execution.n_events, n_lines = 0;
    for (int rank = ENDS; rank < NEVER && (rank <= ALIKE || n_lines < ENOUGH_LINES);
         rank++) {
        uint32_t more = 0;
        for (uint32_t e = 0; e < n; e++) {
            more += (int)ranks[e] == rank && is_line(shown, e);
        }
        if (n_lines + more > MOST_LINES && n_lines > 0) {
            break;
        }
        for (uint32_t i = n; i-- > 0;) { /* from the latest step */
            uint32_t e = shown->sequence.at[i];
            if ((int)ranks[e] == rank && (n_lines < MOST_LINES || !is_line(shown, e))) {
                matters[e] = true;
                n_lines += is_line(shown, e);
            }
        }
    }
}

/* ---- In words -------------------------------------------------------------------- */

/* "line 12", or "line 12 of FILE" */
static char *line_text(const struct shown *shown, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    struct weiri_source_place place = place_of(shown, of->thread, of->place);
    return place.file == NULL
        ? g_strdup_printf("line %u", place.line)
        : g_strdup_printf("line %u of %s", place.line, place.file);
}

static char *race_text(const struct shown *shown)
{
    uint32_t one = shown->one, other = shown->other;
    bool reads = shown->events[one].kind == WEIRI_READS_MEMORY
        || shown->events[other].kind == WEIRI_READS_MEMORY;
    uint32_t read = shown->events[one].kind == WEIRI_READS_MEMORY ? one : other;
    uint32_t write = read == one ? other : one;
    g_autofree char *why
        = weiri_drawn_why(&shown->execution, shown->model, one, other, true);
    g_autofree char *first = line_text(shown, reads ? read : one);
    g_autofree char *second = line_text(shown, reads ? write : other);
    bool early = reads && shown->sequence.step[read] < shown->sequence.step[write];
    return !reads
        ? g_strdup_printf("%s. So what %s or %s writes may stay", why, first, second)
        : early ? g_strdup_printf("%s. So %s may already read what %s writes", why,
                                  first, second)
                : g_strdup_printf("%s. So %s may read a value from before %s", why,
                                  first, second);
}

/* The first stale read, in the order of steps, is the explanation of a wrong result. */
static char *result_text(const struct shown *shown)
{
    const struct weiri_execution *execution = &shown->execution;
    for (uint32_t i = 0; i < execution->n_events; i++) {
        uint32_t read = shown->sequence.at[i], write = shown->sequence.newest[read];
        if (write == WEIRI_INITIAL) {
            continue;
        }
        const struct weiri_execution_event *event = &shown->events[read];
        g_autofree char *why
            = weiri_drawn_why(execution, shown->model, write, read, false);
        g_autofree char *reader = thread_name(shown, event->thread);
        g_autofree char *writer = thread_name(shown, shown->events[write].thread);
        g_autofree char *at = line_text(shown, read);
        g_autofree char *from = line_text(shown, write);
        return g_strdup_printf(
            "%s reads %s=%" PRId64 " (%s), and not the newest value, "
            "%" PRId64 ", which %s has written (%s): %s",
            reader, shown->locations[event->location].name, event->value, at,
            shown->events[write].value, writer, from, why);
    }
    return g_strdup("every read gets the newest value: the order of the items' steps "
                    "alone leads to it");
}

/* What the item keeps reading: its latest @n events. */
static char *reads_text(const struct shown *shown, uint32_t thread, uint32_t n)
{
    uint32_t end = shown->execution.first[thread + 1];
    g_autoptr(GPtrArray) reads = g_ptr_array_new_with_free_func(g_free);
    n = MIN(n, end - shown->execution.first[thread]);
    for (uint32_t e = end - n; e < end; e++) {
        const struct weiri_execution_event *event = &shown->events[e];
        if (event->kind != WEIRI_READS_MEMORY) {
            continue;
        }
        g_autofree char *at = line_text(shown, e);
        char *read
            = g_strdup_printf("%s=%" PRId64 " (%s)",
                              shown->locations[event->location].name, event->value, at);
        if (g_ptr_array_find_with_equal_func(reads, read, g_str_equal, NULL)) {
            g_free(read);
        } else {
            g_ptr_array_add(reads, read);
        }
    }
    g_ptr_array_add(reads, NULL);
    return g_strjoinv(" and ", (char **)reads->pdata);
}

static const struct weiri_native_node *end_of(const struct shown *shown,
                                              uint32_t thread)
{
    uint32_t node;
    memcpy(&node, shown->execution.states[thread], sizeof(node));
    return node_at(shown, node);
}

static char *loop_text(const struct shown *shown)
{
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        const struct weiri_step *step = &end_of(shown, t)->step;
        if (step->kind == WEIRI_STEP_SPIN) {
            g_autofree char *name = thread_name(shown, t);
            g_autofree char *reads = reads_text(shown, t, (uint32_t)step->value);
            return reads[0] == '\0'
                ? g_strdup_printf("%s repeats a loop in which it reads nothing", name)
                : g_strdup_printf("%s keeps reading %s, and no item writes what would "
                                  "end its loop",
                                  name, reads);
        }
    }
    return NULL;
}

/* The first item that waits, and the first one that never comes to it. */
static char *barrier_text(const struct shown *shown)
{
    const struct weiri_program_thread *threads = shown->program.threads;
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        const struct weiri_step *step = &end_of(shown, t)->step;
        for (uint32_t u = 0;
             u < shown->program.n_threads && step->kind == WEIRI_STEP_ENTER; u++) {
            const struct weiri_step *other = &end_of(shown, u)->step;
            bool member = step->scope == memory_scope_sub_group
                ? threads[u].sub_group == threads[t].sub_group
                : threads[u].group == threads[t].group;
            if (!member || u == t
                || (other->kind == WEIRI_STEP_ENTER && other->label == step->label)) {
                continue;
            }
            g_autofree char *name = thread_name(shown, t);
            g_autofree char *who = thread_name(shown, u);
            g_autofree char *at = line_text(shown, shown->execution.first[t + 1] - 1);
            return g_strdup_printf("%s waits (%s) for %s, which %s", name, at, who,
                                   other->kind == WEIRI_STEP_END ? "has returned"
                                       : other->kind == WEIRI_STEP_ENTER
                                       ? "waits elsewhere"
                                       : "never comes");
        }
    }
    return NULL;
}

static char *why_of(const struct shown *shown, enum weiri_shows shows)
{
    switch (shows) {
    case WEIRI_SHOWS_RACE:
        return race_text(shown);
    case WEIRI_SHOWS_RESULT:
    case WEIRI_SHOWS_FAULT:
        return result_text(shown);
    case WEIRI_SHOWS_LOOP:
        return loop_text(shown);
    case WEIRI_SHOWS_BARRIER:
        return barrier_text(shown);
    }
    return NULL;
}

/* ---- The public form ------------------------------------------------------------- */

static const char *kind_text(uint8_t kind)
{
    static const char *const texts[] = { [WEIRI_READS_MEMORY] = "read",
                                         [WEIRI_WRITES_MEMORY] = "write",
                                         [WEIRI_FENCES] = "fence",
                                         [WEIRI_ENTERS] = "barrier",
                                         [WEIRI_EXITS] = "after barrier" };
    return texts[kind];
}

static struct weir_explored_event event_of(const struct shown *shown, uint32_t index,
                                           uint32_t item)
{
    const struct weiri_execution_event *event = &shown->events[index];
    const struct weiri_request *request = request_at(shown, event->place);
    struct weir_frame frame = frame_of(shown, event->place);
    bool access = weiri_event_is_access(event);
    bool ordered = event->atomic || event->kind == WEIRI_FENCES;
    uint32_t newest = shown->sequence.newest[index];
    return (struct weir_explored_event){
        .item = item,
        .step = shown->sequence.step[index],
        .kind = kind_text(event->kind),
        .text = g_strdup(shown->drawn.events[index].text),
        .access = !access   ? WEIR_ACCESS_NONE
            : event->atomic ? weiri_access_of_atomic(request->atomic.kind)
            : event->kind == WEIRI_READS_MEMORY ? WEIR_ACCESS_READ
                                                : WEIR_ACCESS_WRITE,
        .order = ordered ? weiri_order_name(request->atomic.order) : NULL,
        .scope = ordered ? weiri_scope_name(request->atomic.scope) : NULL,
        .location = access ? event->location : shown->program.n_locations,
        .update = event->update,
        .value = access ? g_strdup_printf("%" PRId64, event->value) : NULL,
        .newest = newest == WEIRI_INITIAL
            ? NULL
            : g_strdup_printf("%" PRId64, shown->events[newest].value),
        .newest_by = newest == WEIRI_INITIAL ? 0 : newest,
        .file = frame.file,
        .line = frame.line,
        .source = frame.file != NULL && frame.line > 0 && shown->symbols->source != NULL
            ? shown->symbols->source(frame.file, frame.line)
            : NULL,
    };
}

static void add_events(const struct shown *shown, enum weiri_shows shows,
                       struct weir_explored_execution *to)
{
    uint32_t n = shown->execution.n_events, n_items = 0;
    g_autofree bool *matters = g_new0(bool, n + 1);
    mark_matters(shown, shows, matters);
    struct weir_explored_event *events = g_new0(struct weir_explored_event, n + 1);
    struct weir_explored_item *items
        = g_new0(struct weir_explored_item, shown->program.n_threads);
    for (uint32_t t = 0; t < shown->program.n_threads; t++) {
        uint32_t end = shown->first[t + 1];
        for (uint32_t e = shown->first[t]; e < end; e++) {
            events[e] = event_of(shown, e, n_items);
            events[e].matters = matters[e];
        }
        if (end > shown->first[t]) {
            place_item(shown, t, &items[n_items++]);
        }
    }
    to->n_events = n;
    to->events = events;
    to->n_items = n_items;
    to->items = items;
}

static void add_edges(const struct shown *shown, struct weir_explored_execution *to)
{
    struct weir_explored_edge *edges
        = g_new(struct weir_explored_edge, shown->drawn.n_edges + 1);
    for (size_t i = 0; i < shown->drawn.n_edges; i++) {
        const struct weir_litmus_edge *edge = &shown->drawn.edges[i];
        edges[i] = (struct weir_explored_edge){ weir_litmus_edge_name(edge->kind),
                                                edge->from == WEIR_LITMUS_INITIAL
                                                    ? shown->execution.n_events
                                                    : edge->from,
                                                edge->to };
    }
    to->n_edges = shown->drawn.n_edges;
    to->edges = edges;
}

static void add_locations(const struct shown *shown, struct weir_explored_execution *to)
{
    uint32_t n = shown->program.n_locations;
    struct weir_explored_location *locations
        = g_new(struct weir_explored_location, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct weiri_program_location *from = &shown->locations[i];
        locations[i] = (struct weir_explored_location){
            g_strdup(from->name), g_strdup_printf("%" PRId64, from->initial),
            from->space == WEIR_LOCAL
        };
    }
    to->n_locations = n;
    to->locations = locations;
}

static struct weir_explored_execution *to_public(const struct shown *shown,
                                                 enum weiri_shows shows,
                                                 uint32_t n_left_out)
{
    struct weir_explored_execution *to = g_new0(struct weir_explored_execution, 1);
    to->n_left_out = n_left_out;
    to->interleaved = shown->sequence.interleaved;
    add_events(shown, shows, to);
    add_edges(shown, to);
    add_locations(shown, to);
    return to;
}

static void clear(struct shown *shown)
{
    for (uint32_t i = 0; i < shown->program.n_locations; i++) {
        g_free((char *)shown->locations[i].name);
    }
    g_free(shown->locations);
    g_free(shown->objects);
    g_free(shown->events);
    g_free(shown->first);
    weiri_drawn_clear(&shown->drawn);
    weiri_sequence_clear(&shown->sequence);
}

struct weir_explored_execution *weiri_why_show(const struct weiri_native *native,
                                               const struct weiri_symbols *symbols,
                                               const struct weiri_model *model,
                                               const struct weiri_kept *kept,
                                               enum weiri_shows shows, char **why)
{
    const struct weiri_execution *all = kept->execution;
    struct shown shown = {
        .native = native, .symbols = symbols, .model = model, .program = native->program
    };
    g_autofree bool *needed = g_new0(bool, all->n_events + 1);
    *why = NULL;
    if (shows == WEIRI_SHOWS_RACE) {
        mark_race(all, kept, needed);
    } else if (shows == WEIRI_SHOWS_FAULT) {
        mark_fault(&shown, all, needed);
    } else {
        memset(needed, true, all->n_events * sizeof(*needed));
    }
    uint32_t n = 0;
    for (uint32_t e = 0; e < all->n_events; e++) {
        n += needed[e];
    }
    if (n > WEIRI_DRAWN_MOST) {
        return NULL;
    }
    shown.program.self = &shown;
    shown.program.words = &words;
    copy_part(&shown, kept, needed);
    name_locations(&shown);
    find_files(&shown);
    weiri_drawn_fill(&shown.drawn, &shown.execution, model);
    weiri_drawn_drop_race(&shown.drawn);
    weiri_sequence_init(&shown.sequence, &shown.execution);
    if (shows == WEIRI_SHOWS_RACE) {
        weiri_drawn_add_race(&shown.drawn, shown.one, shown.other);
    }
    *why = why_of(&shown, shows);
    struct weir_explored_execution *to
        = to_public(&shown, shows, all->n_events - shown.execution.n_events);
    clear(&shown);
    return to;
}
