/* SPDX-License-Identifier: MIT
 *
 * shown.c: see shown.h. An execution is made smaller first. For a race, the events of
 * its two items and the events that these need are enough; for a failed item, the
 * events that lead to its failure. These events are copied and numbered anew. Their
 * locations get the names of the kernel's objects. The copy is an execution of a
 * program of its own: the code that draws litmus tests (answer/drawn.h) draws it, with
 * words for the parts of a launch. An order of its events is chosen in which stale
 * reads are seen (sequence.h). */
#include "config.h"

#include "native/shown.h"

#include "answer/drawn.h"
#include "finding/names.h"

#include <inttypes.h>
#include <string.h>

/* An order of more events would take long. */
enum { MOST_EVENTS = 1 << 14 };

/* ---- Words ----------------------------------------------------------------- */

struct weir_frame weiri_shown_frame(const struct weiri_shown *shown, uint32_t node)
{
    const struct weiri_request *request = weiri_history_request(shown->native, node);
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
    const struct weiri_shown *shown = self;
    uint64_t op = weiri_native_operation(shown->native, label);
    const struct weir_kernel *kernel = shown->native->machine.hub.launch->kernel;
    return WEIRI_OP_KIND(op) == WEIRI_BARRIER
        ? ""
        : weiri_operation_name(kernel->language, op);
}

void weiri_shown_item(const struct weiri_shown *shown, uint32_t thread,
                      struct weir_explored_item *item)
{
    const struct weiri_machine *machine = &shown->native->machine;
    struct weiri_shape shape = machine->hub.launch->shape;
    weiri_group_place(&shape, thread / machine->n_items);
    item->item = thread % machine->n_items;
    weiri_shown_place(shape.dim, shape.reversed != 0, shape.group, item->group);
}

char *weiri_shown_name(const struct weiri_shown *shown, uint32_t thread)
{
    struct weir_explored_item item;
    weiri_shown_item(shown, thread, &item);
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
    const struct weiri_shown *shown = self;
    struct weir_frame frame = weiri_shown_frame(shown, place);
    (void)thread;
    return (struct weiri_source_place){ shown->one_file || frame.file == NULL
                                            ? NULL
                                            : base_name(frame.file),
                                        frame.line, 0 };
}

char *weiri_shown_line(const struct weiri_shown *shown, uint32_t event)
{
    const struct weiri_execution_event *of = &shown->events[event];
    struct weiri_source_place place = place_of(shown, of->thread, of->place);
    return place.line == 0   ? g_strdup("code without a known line")
        : place.file == NULL ? g_strdup_printf("line %u", place.line)
                             : g_strdup_printf("line %u of %s", place.line, place.file);
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

char *weiri_shown_object(const struct weiri_symbols *symbols,
                         const struct weiri_native_cell *cell)
{
    const struct weir_site *site = cell->object->site;
    char *name = cell->object->kind == WEIRI_OBJECT_LOCAL && site != NULL
            && symbols->source != NULL
        ? declared_in(symbols->source(site->file, site->line))
        : NULL;
    return name != NULL ? name : weiri_object_name(cell->object, cell->address);
}

/* "partial sums[2]" */
static char *name_of_cell(const struct weiri_shown *shown,
                          const struct weiri_native_cell *cell)
{
    g_autofree char *name = weiri_shown_object(shown->symbols, cell);
    return g_strdup_printf("%s[%" PRId64 "]", name,
                           weiri_object_index(cell->object, cell->address));
}

static char *name_of_thread(const void *self, uint32_t thread)
{
    return weiri_shown_name(self, thread);
}

static const struct weiri_words words = {
    .scoped = true, .label = label_of, .thread = name_of_thread, .place = place_of
};

/* ---- The part that is shown ------------------------------------------------ */

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

/* For a race: all events of the two threads, and the events that these need. */
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

/* For a race: the earlier events of the two threads, and the events that these need. */
static void mark_before(const struct weiri_execution *all,
                        const struct weiri_kept *kept, bool *needed)
{
    const uint32_t ends[] = { kept->one, kept->other };
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        const struct weiri_execution_event *end = &all->events[ends[i]];
        uint32_t first = all->first[end->thread], event = ends[i];
        while (event > first && all->events[event - 1].place == end->place) {
            event--; /* the other half of a read-modify-write */
        }
        if (event > first) {
            mark_causes(all, event - 1, needed);
        }
    }
}

/* For a failed item: the events that lead to its failure. If several items have failed,
 * the one that needs the fewest events is shown. */
static void mark_fault(const struct weiri_shown *shown,
                       const struct weiri_execution *all, bool *needed)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t t = 0; t < all->program->n_threads; t++) {
        uint32_t node, n = 0;
        memcpy(&node, all->states[t], sizeof(node));
        if (weiri_history_request(shown->native, node)->kind != WEIRI_REQUEST_FAULT
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

static void name_locations(struct weiri_shown *shown)
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
static void copy_part(struct weiri_shown *shown, const struct weiri_kept *kept,
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

static void find_files(struct weiri_shown *shown)
{
    const char *file = NULL;
    shown->one_file = true;
    for (uint32_t e = 0; e < shown->execution.n_events; e++) {
        struct weir_frame frame = weiri_shown_frame(shown, shown->events[e].place);
        shown->one_file = shown->one_file
            && (file == NULL || frame.file == NULL || strcmp(file, frame.file) == 0);
        file = file != NULL ? file : frame.file;
    }
}

/* ---- The whole ------------------------------------------------------------- */

/* Marks the events that are shown. Returns: their number */
static uint32_t mark_needed(const struct weiri_shown *shown,
                            const struct weiri_kept *kept, enum weiri_shows shows,
                            bool *needed)
{
    const struct weiri_execution *all = kept->execution;
    if (shows == WEIRI_SHOWS_RACE) {
        mark_race(all, kept, needed);
    } else if (shows == WEIRI_SHOWS_ACCESSES) {
        mark_before(all, kept, needed);
    } else if (shows == WEIRI_SHOWS_FAULT) {
        mark_fault(shown, all, needed);
    } else {
        memset(needed, true, all->n_events * sizeof(*needed));
    }
    uint32_t n = 0;
    for (uint32_t e = 0; e < all->n_events; e++) {
        n += needed[e];
    }
    return n;
}

bool weiri_shown_init(struct weiri_shown *shown, const struct weiri_native *native,
                      const struct weiri_symbols *symbols,
                      const struct weiri_model *model, const struct weiri_kept *kept,
                      enum weiri_shows shows)
{
    *shown = (struct weiri_shown){
        .native = native, .symbols = symbols, .model = model, .program = native->program
    };
    g_autofree bool *needed = g_new0(bool, kept->execution->n_events + 1);
    uint32_t n = mark_needed(shown, kept, shows, needed);
    if (n > MOST_EVENTS) {
        return false;
    }
    shown->small = n <= WEIRI_DRAWN_MOST && shows != WEIRI_SHOWS_ACCESSES;
    shown->program.self = shown;
    shown->program.words = &words;
    copy_part(shown, kept, needed);
    name_locations(shown);
    find_files(shown);
    if (shown->small) {
        weiri_drawn_fill(&shown->drawn, &shown->execution, model);
        weiri_drawn_drop_race(&shown->drawn);
    }
    weiri_sequence_init(&shown->sequence, &shown->execution);
    if (shown->small && shows == WEIRI_SHOWS_RACE) {
        weiri_drawn_add_race(&shown->drawn, shown->one, shown->other);
    }
    return true;
}

void weiri_shown_name_all(struct weiri_shown *shown, const struct weiri_native *native,
                          const struct weiri_symbols *symbols)
{
    const struct weiri_cells *cells = &native->machine.cells;
    *shown = (struct weiri_shown){ .native = native,
                                   .symbols = symbols,
                                   .program = native->program };
    shown->program.self = shown;
    shown->program.words = &words;
    shown->locations
        = g_new0(struct weiri_program_location, native->program.n_locations + 1);
    for (uint32_t l = 0; l < native->program.n_locations; l++) {
        const struct weiri_native_cell *cell
            = weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, l));
        shown->locations[l] = native->program.locations[l];
        shown->locations[l].name = name_of_cell(shown, cell);
        shown->locations[l].initial = weiri_cell_signed(cell, cell->initial);
    }
    shown->program.locations = shown->locations;
}

void weiri_shown_clear(struct weiri_shown *shown)
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
