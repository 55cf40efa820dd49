/* SPDX-License-Identifier: MIT
 *
 * why.c: see why.h. The public form of an execution consists of the part that is shown
 * (shown.h), with the events that matter marked (matters.h). The sentence that explains
 * it (reason.h) goes into the finding. */
#include "config.h"

#include "native/why.h"

#include "finding/names.h"
#include "native/matters.h"
#include "native/reason.h"
#include "native/turns.h"

#include <inttypes.h>

static const char *kind_text(uint8_t kind)
{
    static const char *const texts[] = { [WEIRI_READS_MEMORY] = "read",
                                         [WEIRI_WRITES_MEMORY] = "write",
                                         [WEIRI_FENCES] = "fence",
                                         [WEIRI_ENTERS] = "barrier",
                                         [WEIRI_EXITS] = "after barrier" };
    return texts[kind];
}

static struct weir_explored_event event_of(const struct weiri_shown *shown,
                                           uint32_t index, uint32_t item)
{
    const struct weiri_execution_event *event = &shown->events[index];
    const struct weiri_request *request
        = weiri_history_request(shown->native, event->place);
    struct weir_frame frame = weiri_shown_frame(shown, event->place);
    bool access = weiri_event_is_access(event);
    bool atomic = event->atomic && request->kind == WEIRI_REQUEST_ATOMIC;
    bool ordered = atomic || request->kind == WEIRI_REQUEST_FENCE;
    uint32_t newest = shown->sequence.newest[index];
    return (struct weir_explored_event){
        .item = item,
        .step = shown->sequence.step[index],
        .kind = kind_text(event->kind),
        .text = g_strdup(shown->drawn.events[index].text),
        .access = !access ? WEIR_ACCESS_NONE
            : atomic      ? weiri_access_of_atomic(request->atomic.kind)
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

static void add_events(const struct weiri_shown *shown, enum weiri_shows shows,
                       struct weir_explored_execution *to)
{
    uint32_t n = shown->execution.n_events, n_items = 0;
    g_autofree bool *matters = g_new0(bool, n + 1);
    weiri_matters_mark(shown, shows, matters);
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
            weiri_shown_item(shown, t, &items[n_items++]);
        }
    }
    to->n_events = n;
    to->events = events;
    to->n_items = n_items;
    to->items = items;
}

static void add_edges(const struct weiri_shown *shown,
                      struct weir_explored_execution *to)
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

static void add_locations(const struct weiri_shown *shown,
                          struct weir_explored_execution *to)
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

static struct weir_explored_execution *to_public(const struct weiri_shown *shown,
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

/* The accesses of a race come last, even if they read stale values: other accesses of
 * the same memory might hide them. */
static void add_turns(const struct weiri_shown *shown, const struct weiri_kept *kept,
                      enum weiri_shows shows, struct weiri_draft *draft)
{
    struct weiri_shown bare;
    if (shows != WEIRI_SHOWS_RACE) {
        draft->turns = weiri_turns_text(shown, NULL, &draft->no_turns);
    } else if (weiri_shown_init(&bare, shown->native, shown->symbols, shown->model,
                                kept, WEIRI_SHOWS_ACCESSES)) {
        draft->turns = weiri_turns_text(&bare, kept, &draft->no_turns);
        weiri_shown_clear(&bare);
    }
}

void weiri_why_show(const struct weiri_native *native,
                    const struct weiri_symbols *symbols,
                    const struct weiri_model *model, const struct weiri_kept *kept,
                    enum weiri_shows shows, struct weiri_draft *draft)
{
    struct weiri_shown shown;
    if (!weiri_shown_init(&shown, native, symbols, model, kept, shows)) {
        draft->no_turns = g_strdup("it has too many events");
        return;
    }
    if (shown.small) {
        draft->why = weiri_reason(&shown, shows);
        draft->execution = to_public(
            &shown, shows, kept->execution->n_events - shown.execution.n_events);
    }
    add_turns(&shown, kept, shows, draft);
    weiri_shown_clear(&shown);
}
