/* SPDX-License-Identifier: MIT
 *
 * explored-graph.c: see explored-graph.h. The events that matter become an execution of
 * weir-model.h, which litmus-graph.c can draw, with names for its parts. */
#include "config.h"

#include "show/explored-graph.h"

#include "report/report.h"
#include "show/litmus-graph.h"

#include <inttypes.h>
#include <string.h>

/* Characters of a line of source in a box: two lines. */
enum { MOST_SOURCE = 60 };

#define NOT_DRAWN UINT32_MAX

struct drawing {
    const struct weir_explored_execution *from;
    uint32_t *events;    /* by event: its number in the drawing, or NOT_DRAWN; owned */
    uint32_t *threads;   /* the same by item */
    uint32_t *locations; /* and by location */
    struct weiri_drawing_names *names;
    GArray *drawn; /* of struct weir_litmus_event; texts are borrowed */
    GArray *edges; /* of struct weir_litmus_edge */
};

/* Barriers are drawn whole. */
static bool is_drawn(const struct weir_explored_execution *from, size_t e)
{
    const struct weir_explored_event *event = &from->events[e];
    return event->matters
        || (e > 0 && strcmp(event->kind, "after barrier") == 0
            && event[-1].item == event->item && event[-1].matters
            && strcmp(event[-1].kind, "barrier") == 0);
}

static enum weir_litmus_event_kind kind_of(const char *kind)
{
    static const char *const names[] = { [WEIR_LITMUS_READ] = "read",
                                         [WEIR_LITMUS_WRITE] = "write",
                                         [WEIR_LITMUS_FENCE] = "fence",
                                         [WEIR_LITMUS_BARRIER] = "barrier" };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i], kind) == 0) {
            return (enum weir_litmus_event_kind)i;
        }
    }
    return WEIR_LITMUS_EXIT;
}

static void add_thread(struct drawing *drawing, uint64_t item)
{
    const struct weir_explored_item *of = &drawing->from->items[item];
    struct weiri_drawing_thread thread
        = { .name = g_strdup_printf("item %" PRIu64, of->item),
            .frame_name = g_strdup_printf("group (%zu,%zu,%zu)", of->group[0],
                                          of->group[1], of->group[2]) };
    GArray *threads = drawing->names->threads;
    thread.frame = threads->len;
    for (guint t = 0; t < threads->len; t++) {
        const struct weiri_drawing_thread *other
            = &g_array_index(threads, struct weiri_drawing_thread, t);
        if (strcmp(other->frame_name, thread.frame_name) == 0) {
            thread.frame = other->frame;
        }
    }
    drawing->threads[item] = threads->len;
    g_array_append_val(threads, thread);
}

static void add_location(struct drawing *drawing, uint64_t location)
{
    const struct weir_explored_location *of = &drawing->from->locations[location];
    drawing->locations[location] = drawing->names->locations->len;
    g_ptr_array_add(
        drawing->names->locations,
        g_strdup_printf("%s%s = %s", of->local ? "local " : "", of->name, of->initial));
}

static char *place_of(const struct weir_explored_event *event)
{
    const char *slash = event->file != NULL ? strrchr(event->file, '/') : NULL;
    const char *base = slash != NULL ? slash + 1 : event->file;
    if (base == NULL) {
        return g_strdup("no line");
    }
    g_autofree char *source = event->source != NULL
        ? g_utf8_substring(event->source, 0,
                           MIN(g_utf8_strlen(event->source, -1), MOST_SOURCE))
        : g_strdup("");
    return g_strdup_printf("%s:%u %s", base, event->line, source);
}

static void add_event(struct drawing *drawing, size_t e)
{
    const struct weir_explored_event *event = &drawing->from->events[e];
    bool access = event->location < drawing->from->n_locations;
    if (drawing->threads[event->item] == NOT_DRAWN) {
        add_thread(drawing, event->item);
    }
    if (access && drawing->locations[event->location] == NOT_DRAWN) {
        add_location(drawing, event->location);
    }
    g_autofree char *place = place_of(event);
    g_ptr_array_add(drawing->names->places,
                    event->newest == NULL
                        ? g_strdup(place)
                        : g_strdup_printf("newest is %s, %s", event->newest, place));
    const struct weir_litmus_event drawn
        = { .kind = kind_of(event->kind),
            .thread = drawing->threads[event->item],
            .text = event->text,
            .location = access ? drawing->locations[event->location] : UINT32_MAX,
            .update = event->update,
            .line = event->line };
    drawing->events[e] = drawing->drawn->len;
    g_array_append_val(drawing->drawn, drawn);
}

static bool edge_named(const char *name, enum weir_litmus_edge_kind *kind)
{
    for (int k = 0; k <= WEIR_LITMUS_NOT_HB; k++) {
        if (strcmp(weir_litmus_edge_name((enum weir_litmus_edge_kind)k), name) == 0) {
            *kind = (enum weir_litmus_edge_kind)k;
            return true;
        }
    }
    return false;
}

static void add_edges(struct drawing *drawing)
{
    for (guint e = 1; e < drawing->drawn->len; e++) {
        const struct weir_litmus_event *event
            = &g_array_index(drawing->drawn, struct weir_litmus_event, e);
        struct weir_litmus_edge edge = { WEIR_LITMUS_PO, e - 1, e, NULL };
        if (event[-1].thread == event->thread) {
            g_array_append_val(drawing->edges, edge);
        }
    }
    for (size_t i = 0; i < drawing->from->n_edges; i++) {
        const struct weir_explored_edge *from = &drawing->from->edges[i];
        bool initial = from->from >= drawing->from->n_events;
        struct weir_litmus_edge edge
            = { .from = initial ? WEIR_LITMUS_INITIAL : drawing->events[from->from],
                .to = drawing->events[from->to] };
        bool drawn = (initial || edge.from != NOT_DRAWN) && edge.to != NOT_DRAWN;
        if (drawn && edge_named(from->kind, &edge.kind)
            && edge.kind != WEIR_LITMUS_PO) {
            g_array_append_val(drawing->edges, edge);
        }
    }
}

static uint32_t *unknown(size_t n)
{
    uint32_t *numbers = g_new(uint32_t, n + 1);
    memset(numbers, 0xff, (n + 1) * sizeof(*numbers));
    return numbers;
}

char *weiri_explored_graph(const struct weir_finding *finding, const char *prefix)
{
    const struct weir_explored_execution *from = finding->executions;
    g_autofree uint32_t *events = unknown(from->n_events);
    g_autofree uint32_t *threads = unknown(from->n_items);
    g_autofree uint32_t *locations = unknown(from->n_locations);
    g_autoptr(GArray) drawn
        = g_array_new(FALSE, FALSE, sizeof(struct weir_litmus_event));
    g_autoptr(GArray) edges
        = g_array_new(FALSE, FALSE, sizeof(struct weir_litmus_edge));
    struct drawing drawing
        = { from, events, threads, locations, weiri_drawing_names_new(), drawn, edges };
    drawing.names->places = g_ptr_array_new_with_free_func(g_free);
    for (size_t e = 0; e < from->n_events; e++) {
        if (is_drawn(from, e)) {
            add_event(&drawing, e);
        }
    }
    add_edges(&drawing);
    const struct weir_litmus_execution execution
        = { drawn->len, (const struct weir_litmus_event *)(void *)drawn->data,
            edges->len, (const struct weir_litmus_edge *)(void *)edges->data };
    const char *newline = strchr(finding->message, '\n');
    g_autofree char *title = newline != NULL
        ? g_strndup(finding->message, (gsize)(newline - finding->message))
        : g_strdup(finding->message);
    const char *notes[] = { finding->why };
    char *svg = weiri_litmus_graph(&(struct weiri_litmus_drawing){
        .title = title,
        .notes = notes,
        .n_notes = finding->why != NULL && prefix == NULL,
        .names = drawing.names,
        .execution = &execution,
        .prefix = prefix });
    weiri_drawing_names_free(drawing.names);
    return svg;
}
