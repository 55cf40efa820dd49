/* SPDX-License-Identifier: MIT
 *
 * drawn.c: see drawn.h. An execution has facts that every model shares: the events with
 * their texts, program order, reads-from and the order of writes. These are drawn
 * first. The model then adds its own edges: synchronisation, and a race in an execution
 * that it allows. So one execution can be drawn for several models. */
#include "config.h"

#include "answer/drawn.h"

#include "answer/message.h"

#include <string.h>

static const char *const order_texts[]
    = { [memory_order_relaxed] = "relaxed", [memory_order_consume] = "consume",
        [memory_order_acquire] = "acquire", [memory_order_release] = "release",
        [memory_order_acq_rel] = "acq_rel", [memory_order_seq_cst] = "seq_cst" };

static const char *const scope_texts[] = { [memory_scope_work_item] = "work-item",
                                           [memory_scope_sub_group] = "sub-group",
                                           [memory_scope_work_group] = "work-group",
                                           [memory_scope_device] = "device",
                                           [memory_scope_system] = "system" };

static const struct {
    const char *name, *meaning;
} edge_kinds[] = {
#define X(name, text, meaning) { text, meaning },
    WEIR_LITMUS_EDGES(X)
#undef X
};

const char *weir_litmus_edge_name(enum weir_litmus_edge_kind kind)
{
    return (unsigned)kind < G_N_ELEMENTS(edge_kinds) ? edge_kinds[kind].name : "?";
}

const char *weir_litmus_edge_meaning(enum weir_litmus_edge_kind kind)
{
    return (unsigned)kind < G_N_ELEMENTS(edge_kinds) ? edge_kinds[kind].meaning : "?";
}

static const char *spaces_text(unsigned spaces)
{
    static const char *const texts[] = { "no memory", "local", "global", "both" };
    return texts[spaces & (WEIR_LOCAL | WEIR_GLOBAL)];
}

/* The order of the event. In a read-modify-write the read has the acquire part, and the
 * write has the release part. */
static memory_order order_of(const struct weiri_execution_event *event)
{
    bool reads = event->kind == WEIRI_READS_MEMORY;
    if (!event->update || event->order == memory_order_seq_cst) {
        return event->order;
    }
    if (event->order == memory_order_acq_rel) {
        return reads ? memory_order_acquire : memory_order_release;
    }
    bool own = reads == (event->order != memory_order_release);
    return own ? event->order : memory_order_relaxed;
}

static const char *scope_text(const struct weiri_program *program, unsigned scope)
{
    const char *const *scopes = program->words->scopes;
    return (scopes != NULL ? scopes : scope_texts)[scope];
}

/* " release device", or nothing for a plain access. */
static char *how_text(const struct weiri_program *program, bool atomic,
                      memory_order order, unsigned scope)
{
    bool scoped = atomic && program->words->scoped;
    return g_strdup_printf("%s%s%s%s", atomic ? " " : "",
                           atomic ? order_texts[order] : "", scoped ? " " : "",
                           scoped ? scope_text(program, scope) : "");
}

/* Appends the storage classes of a set: " sc0 sc2". */
static void add_classes(GString *text, const char *prefix, unsigned classes)
{
    for (unsigned c = 0; classes >> c != 0; c++) {
        if ((classes >> c & 1) != 0) {
            g_string_append_printf(text, " %s%u", prefix, c);
        }
    }
}

/* Appends what PTX or Vulkan say of the operation beyond order and scope. */
static void add_traits(GString *text, const struct weiri_program *program,
                       const struct weiri_traits *traits, bool atomic, unsigned scope)
{
    static const char *const proxies[]
        = { [WEIRI_PROXY_GENERIC] = "",         [WEIRI_PROXY_SURFACE] = " surface",
            [WEIRI_PROXY_TEXTURE] = " texture", [WEIRI_PROXY_CONSTANT] = " constant",
            [WEIRI_PROXY_ASYNC] = " async",     [WEIRI_PROXY_ALIAS] = " alias" };
    static const struct {
        enum weiri_trait trait;
        const char *text;
    } words[] = { { WEIRI_TRAIT_NONPRIVATE, " nonpriv" },
                  { WEIRI_TRAIT_SEM_AVAILABLE, " semav" },
                  { WEIRI_TRAIT_SEM_VISIBLE, " semvis" },
                  { WEIRI_TRAIT_AV_DEVICE, " avdevice" },
                  { WEIRI_TRAIT_VIS_DEVICE, " visdevice" } };
    unsigned own = WEIRI_TRAIT_AVAILABLE | WEIRI_TRAIT_VISIBLE;
    if (!atomic && (traits->flags & own) != 0) {
        g_string_append_printf(
            text, " %s %s", (traits->flags & WEIRI_TRAIT_AVAILABLE) != 0 ? "av" : "vis",
            scope_text(program, scope));
    }
    g_string_append(text, proxies[traits->proxy]);
    add_classes(text, "sc", traits->storage);
    add_classes(text, "semsc", traits->semantics);
    for (size_t w = 0; w < G_N_ELEMENTS(words); w++) {
        bool is_known
            = words[w].trait == WEIRI_TRAIT_NONPRIVATE && (traits->flags & own) != 0;
        if ((traits->flags & words[w].trait) != 0 && !is_known) {
            g_string_append(text, words[w].text);
        }
    }
}

/* The text of a fence or barrier of PTX or Vulkan. */
static char *text_of_stated(const struct weiri_program *program,
                            const struct weiri_execution_event *event)
{
    const struct weiri_traits *traits = &event->traits;
    GString *text = g_string_new(NULL);
    bool ordered = event->order != memory_order_relaxed;
    if (event->kind == WEIRI_FENCES) {
        bool of_device
            = (traits->flags & (WEIRI_TRAIT_AV_DEVICE | WEIRI_TRAIT_VIS_DEVICE)) != 0;
        g_string_append(text,
                        of_device                                            ? "F"
                            : (traits->flags & WEIRI_TRAIT_PROXY_FENCE) != 0 ? "F proxy"
                                                                             : "F");
    } else {
        const char *label = program->words->label(program->self, event->label);
        bool arrives = (traits->flags & WEIRI_TRAIT_ARRIVES) != 0;
        g_string_append_printf(text, "%s %s",
                               event->kind == WEIRI_EXITS ? "after barrier"
                                   : arrives              ? "arrives at barrier"
                                                          : "barrier",
                               label);
    }
    if (ordered) {
        g_string_append_printf(
            text, " %s %s",
            event->order == memory_order_seq_cst ? "sc" : order_texts[event->order],
            scope_text(program, event->scope));
    }
    add_traits(text, program, traits, true, event->scope);
    return g_string_free(text, FALSE);
}

/* "W x=1 release device", "R y=0", "F seq_cst", "barrier B1 local". */
static char *text_of(const struct weiri_program *program,
                     const struct weiri_execution_event *event)
{
    bool scoped = program->words->scoped;
    const char *label;
    if (!weiri_event_is_access(event)
        && (event->traits.flags & WEIRI_TRAIT_STATED) != 0) {
        return text_of_stated(program, event);
    }
    switch (event->kind) {
    case WEIRI_READS_MEMORY:
    case WEIRI_WRITES_MEMORY:
        break;
    case WEIRI_FENCES:
        return g_strdup_printf(
            "F %s%s%s%s%s", order_texts[event->order], scoped ? " " : "",
            scoped ? scope_text(program, event->scope) : "", scoped ? " " : "",
            scoped ? spaces_text(event->spaces) : "");
    default:
        label = program->words->label(program->self, event->label);
        return g_strdup_printf(
            "%s %s%s%s", event->kind == WEIRI_ENTERS ? "barrier" : "after barrier",
            label, label[0] != '\0' ? " " : "", spaces_text(event->spaces));
    }
    g_autofree char *how
        = how_text(program, event->atomic, order_of(event), event->scope);
    g_autoptr(GString) traits = g_string_new(NULL);
    add_traits(traits, program, &event->traits, event->atomic, event->scope);
    return g_strdup_printf(
        "%s %s=%" G_GINT64_FORMAT "%s%s", event->kind == WEIRI_READS_MEMORY ? "R" : "W",
        program->locations[event->location].name, event->value, how, traits->str);
}

char *weiri_drawn_step(const struct weiri_program *program,
                       const struct weiri_step *step)
{
    static const char *const kinds[] = {
        [WEIRI_STEP_READ] = "R", [WEIRI_STEP_WRITE] = "W", [WEIRI_STEP_UPDATE] = "RMW"
    };
    if (step->kind == WEIRI_STEP_FENCE || step->kind == WEIRI_STEP_ENTER) {
        const struct weiri_execution_event event
            = { .kind = step->kind == WEIRI_STEP_FENCE ? WEIRI_FENCES : WEIRI_ENTERS,
                .order = step->order,
                .scope = step->scope,
                .spaces = step->spaces,
                .label = step->label,
                .traits = step->traits };
        return text_of(program, &event);
    }
    if (step->kind > WEIRI_STEP_UPDATE) {
        return NULL;
    }
    g_autofree char *how
        = how_text(program, step->atomic, (memory_order)step->order, step->scope);
    g_autoptr(GString) traits = g_string_new(NULL);
    add_traits(traits, program, &step->traits, step->atomic, step->scope);
    return g_strdup_printf("%s %s%s%s", kinds[step->kind],
                           program->locations[step->location].name, how, traits->str);
}

static enum weir_litmus_event_kind kind_of(const struct weiri_execution_event *event)
{
    switch (event->kind) {
    case WEIRI_READS_MEMORY:
        return WEIR_LITMUS_READ;
    case WEIRI_WRITES_MEMORY:
        return WEIR_LITMUS_WRITE;
    case WEIRI_FENCES:
        return WEIR_LITMUS_FENCE;
    case WEIRI_ENTERS:
        return WEIR_LITMUS_BARRIER;
    default:
        return WEIR_LITMUS_EXIT;
    }
}

static void add_edge(struct weir_litmus_execution *drawn,
                     enum weir_litmus_edge_kind kind, uint32_t from, uint32_t to)
{
    size_t n = drawn->n_edges++;
    struct weir_litmus_edge *edges = (struct weir_litmus_edge *)drawn->edges;
    if ((n & (n - 1)) == 0) { /* room is a power of two */
        edges = g_renew(struct weir_litmus_edge, edges, n == 0 ? 1 : 2 * n);
        drawn->edges = edges;
    }
    edges[n] = (struct weir_litmus_edge){ kind, from, to, NULL };
}

/* The write of the location at that position, or WEIRI_INITIAL. */
static uint32_t write_at(const struct weiri_execution *execution, uint32_t location,
                         uint32_t position)
{
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        if (event->kind == WEIRI_WRITES_MEMORY && event->location == location
            && event->position == position) {
            return e;
        }
    }
    return WEIRI_INITIAL;
}

static void add_edges_of(struct weir_litmus_execution *drawn,
                         const struct weiri_execution *execution, uint32_t index)
{
    const struct weiri_execution_event *event = &execution->events[index];
    if (event->index > 0) {
        add_edge(drawn, WEIR_LITMUS_PO, index - 1, index);
        if (event->kind == WEIRI_WRITES_MEMORY && event->update) {
            add_edge(drawn, WEIR_LITMUS_RMW, index - 1, index);
        }
    }
    uint32_t next = WEIRI_INITIAL;
    if (event->kind == WEIRI_READS_MEMORY) {
        add_edge(drawn, WEIR_LITMUS_RF,
                 event->from == WEIRI_INITIAL ? WEIR_LITMUS_INITIAL : event->from,
                 index);
        next = write_at(execution, event->location,
                        event->from == WEIRI_INITIAL
                            ? 0
                            : execution->events[event->from].position + 1);
    } else if (event->kind == WEIRI_WRITES_MEMORY) {
        next = write_at(execution, event->location, event->position + 1);
    }
    if (next != WEIRI_INITIAL && !(event->update && next == index + 1)) {
        add_edge(drawn,
                 event->kind == WEIRI_READS_MEMORY ? WEIR_LITMUS_RB : WEIR_LITMUS_MO,
                 index, next);
    }
}

/* Adds edges from each entry of a barrier to the other threads' exits. */
static void add_meetings(struct weir_litmus_execution *drawn,
                         const struct weiri_execution *execution, uint32_t entry)
{
    const struct weiri_program_thread *threads = execution->program->threads;
    const struct weiri_execution_event *in = &execution->events[entry];
    for (uint32_t e = 0; e < execution->n_events; e++) {
        if (weiri_event_meets(threads, in, &execution->events[e])) {
            add_edge(drawn, WEIR_LITMUS_BAR, entry, e);
        }
    }
}

/* Draws what does not depend on the model. */
static void draw(struct weir_litmus_execution *drawn,
                 const struct weiri_execution *execution)
{
    const struct weiri_program *program = execution->program;
    struct weir_litmus_event *events
        = g_new0(struct weir_litmus_event, execution->n_events);
    *drawn = (struct weir_litmus_execution){ .n_events = execution->n_events,
                                             .events = events };
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        struct weiri_source_place place
            = program->words->place(program->self, event->thread, event->place);
        events[e] = (struct weir_litmus_event){ .kind = kind_of(event),
                                                .thread = event->thread,
                                                .text = text_of(program, event),
                                                .location = weiri_event_is_access(event)
                                                    ? event->location
                                                    : UINT32_MAX,
                                                .update = event->update,
                                                .line = place.line,
                                                .column = place.column };
        add_edges_of(drawn, execution, e);
        if (event->kind == WEIRI_ENTERS) {
            add_meetings(drawn, execution, e);
        }
    }
}

void weiri_drawn_clear(struct weir_litmus_execution *drawn)
{
    for (size_t e = 0; e < drawn->n_events; e++) {
        g_free((char *)drawn->events[e].text);
    }
    for (size_t e = 0; e < drawn->n_edges; e++) {
        g_free((char *)drawn->edges[e].how);
    }
    g_free((void *)drawn->events);
    g_free((void *)drawn->edges);
    *drawn = (struct weir_litmus_execution){ 0 };
}

/* ---- What the model says --------------------------------------------------------- */

static void add_synchronisation(struct weir_litmus_execution *drawn,
                                const struct weiri_messages *in)
{
    const struct weiri_facts *facts = in->facts;
    uint32_t n = facts->execution->n_events;
    for (uint32_t from = 0; from < n; from++) {
        for (uint32_t to = 0; to < n; to++) {
            bool sw = false;
            for (uint32_t o = 0; o < facts->n_orders; o++) {
                sw |= weiri_relation_has(facts->algebra, facts->orders[o].sw, from, to);
            }
            if (sw) {
                add_edge(drawn, WEIR_LITMUS_SW, from, to);
                struct weir_litmus_edge *edges
                    = (struct weir_litmus_edge *)drawn->edges;
                edges[drawn->n_edges - 1].how = weiri_message_carrier(in, from, to);
            }
        }
    }
}

/* Takes out edges between writes that the model does not order, and from reads to
 * writes that do not follow the write which they read. */
static void drop_unordered(struct weir_litmus_execution *drawn,
                           const struct weiri_facts *facts)
{
    struct weir_litmus_edge *edges = (struct weir_litmus_edge *)drawn->edges;
    size_t n = 0;
    for (size_t e = 0; e < drawn->n_edges; e++) {
        const struct weir_litmus_edge *edge = &edges[e];
        bool is_mo = edge->kind == WEIR_LITMUS_MO, is_rb = edge->kind == WEIR_LITMUS_RB;
        struct weiri_relation order = is_mo ? facts->mo : facts->rb;
        if ((!is_mo && !is_rb)
            || weiri_relation_has(facts->algebra, order, edge->from, edge->to)) {
            edges[n++] = *edge;
        }
    }
    drawn->n_edges = n;
}

void weiri_drawn_fill(struct weir_litmus_execution *drawn,
                      const struct weiri_execution *execution,
                      const struct weiri_model *model)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    if (execution->n_events > WEIRI_DRAWN_MOST) {
        *drawn = (struct weir_litmus_execution){ 0 };
        return;
    }
    draw(drawn, execution);
    weiri_facts_begin(&facts, &algebra, execution);
    weiri_model_read(model, &facts);
    g_autoptr(GStringChunk) strings = g_string_chunk_new(256);
    const struct weiri_messages in = { model, &facts, strings };
    if (model->n_choices > 0) {
        drop_unordered(drawn, &facts);
    }
    add_synchronisation(drawn, &in);
    uint32_t one, other;
    /* An execution that the model forbids has no races. */
    if (model->race != NULL && weiri_model_allows(model, &facts)
        && model->race(&facts, &one, &other)) {
        add_edge(drawn, WEIR_LITMUS_RACE, one, other);
    }
    weiri_algebra_clear(&algebra);
}

void weiri_drawn_add_race(struct weir_litmus_execution *drawn, uint32_t one,
                          uint32_t other)
{
    add_edge(drawn, WEIR_LITMUS_RACE, one, other);
}

void weiri_drawn_drop_race(struct weir_litmus_execution *drawn)
{
    while (drawn->n_edges > 0
           && drawn->edges[drawn->n_edges - 1].kind == WEIR_LITMUS_RACE) {
        drawn->n_edges--;
    }
}

/* The kind of edge that a model calls @name. */
static enum weir_litmus_edge_kind kind_named(const char *name)
{
    static const struct {
        const char *name;
        enum weir_litmus_edge_kind kind;
    } others[] = { { "sb", WEIR_LITMUS_PO },   { "S", WEIR_LITMUS_PSC },
                   { "sync", WEIR_LITMUS_SW }, { "co", WEIR_LITMUS_MO },
                   { "asmo", WEIR_LITMUS_MO }, { "fr", WEIR_LITMUS_RB } };
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        if (strcmp(others[i].name, name) == 0) {
            return others[i].kind;
        }
    }
    for (unsigned kind = 0; kind <= WEIR_LITMUS_NOT_HB; kind++) {
        if (strcmp(weir_litmus_edge_name((enum weir_litmus_edge_kind)kind), name)
            == 0) {
            return (enum weir_litmus_edge_kind)kind;
        }
    }
    return WEIR_LITMUS_HB;
}

struct weir_litmus_edge weiri_drawn_edge(const struct weir_litmus_execution *drawn,
                                         const struct weiri_edge *edge)
{
    enum weir_litmus_edge_kind kind = kind_named(edge->name);
    for (size_t e = 0; e < drawn->n_edges; e++) {
        const struct weir_litmus_edge *own = &drawn->edges[e];
        if (own->kind == kind && own->from == edge->from && own->to == edge->to) {
            return *own;
        }
    }
    return (struct weir_litmus_edge){ kind, edge->from, edge->to, NULL };
}

bool weiri_drawn_unordered(const struct weiri_execution *execution,
                           const struct weiri_model *model, uint32_t *one,
                           uint32_t *other)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    weiri_facts_begin(&facts, &algebra, execution);
    weiri_model_read(model, &facts);
    bool found = model->unordered != NULL && model->unordered(&facts, one, other);
    weiri_algebra_clear(&algebra);
    return found;
}

/* ---- In words -------------------------------------------------------------------- */

char *weiri_drawn_why(const struct weiri_execution *execution,
                      const struct weiri_model *model, uint32_t one, uint32_t other,
                      bool race)
{
    struct weiri_algebra algebra = { 0 };
    struct weiri_facts facts;
    weiri_facts_begin(&facts, &algebra, execution);
    weiri_model_read(model, &facts);
    g_autoptr(GStringChunk) strings = g_string_chunk_new(256);
    const struct weiri_messages in = { model, &facts, strings };
    char *why = race ? weiri_message_race(&in, one, other)
                     : weiri_message_unordered(&in, one, other);
    weiri_algebra_clear(&algebra);
    return why;
}
