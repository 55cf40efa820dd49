/* SPDX-License-Identifier: MIT
 *
 * step-table.c: see step-table.h. A model that orders writes in part is asked about
 * executions whose writes have positions: they are one of the orders that agree with
 * the model's. So a choice among the positions is a choice of the model's order, and of
 * the write that gives the final value.
 *
 * A step cannot be undone by a later one: what is added has no edge to an earlier event
 * but by the order of writes, of fences, and by ssw. Fences fence.sc are therefore in
 * the order in which they are taken, and a thread that comes after another one waits
 * until that one has ended. */
#include "config.h"

#include "model/step-table.h"

static bool is_stated(const struct weiri_step *step)
{
    return (step->traits.flags & WEIRI_TRAIT_STATED) != 0;
}

/* ---- Executions ------------------------------------------------------------------ */

/* How often the thread has been at the barrier's instruction before. */
static uint32_t count_before(const struct weiri_execution_event *events, uint32_t first,
                             uint32_t at)
{
    uint32_t n = 0;
    for (uint32_t e = first; e < at; e++) {
        n += events[e].kind == events[at].kind && events[e].place == events[at].place;
    }
    return n;
}

/* Whether so many entries as the barrier needs were there before the entry. */
static bool is_late(const struct weiri_graph *graph, uint32_t entry)
{
    const struct weiri_step *own = weiri_graph_step(graph, entry);
    const struct weiri_program_thread *threads = graph->frame->program->threads;
    const struct weiri_execution_event event = { .thread = graph->nodes[entry].thread,
                                                 .scope = own->scope,
                                                 .traits = own->traits };
    uint32_t n = 0;
    for (uint32_t e = 0; e < entry && own->quorum > 0; e++) {
        const struct weiri_step *step = weiri_graph_step(graph, e);
        n += graph->nodes[e].kind == WEIRI_ENTERS && step->label == own->label
            && step->value == own->value && step->quorum == own->quorum
            && weiri_event_gathers(threads, &event, graph->nodes[e].thread);
    }
    return own->quorum > 0 && n >= own->quorum;
}

struct weiri_execution *weiri_step_table_execution(const struct weiri_graph *graph)
{
    struct weiri_execution *execution = weiri_graph_execution(graph);
    struct weiri_execution_event *events
        = (struct weiri_execution_event *)execution->events;
    for (uint32_t e = 0; e < graph->n; e++) {
        uint32_t to = weiri_graph_event(graph, execution, e);
        struct weiri_execution_event *event = &events[to];
        const struct weiri_step *step = weiri_graph_step(graph, e);
        if (event->kind == WEIRI_FENCES) {
            event->position = e;
        } else if (!weiri_event_is_access(event) && is_stated(step)) {
            event->value = step->value;
            event->position = count_before(events, execution->first[event->thread], to);
            event->traits.flags |= is_late(graph, e) ? WEIRI_TRAIT_LATE : 0;
        }
    }
    return execution;
}

/* ---- Barriers -------------------------------------------------------------------- */

static bool is_inside(const struct weiri_graph *graph, uint32_t thread)
{
    uint16_t last = graph->last[thread];
    return last != WEIRI_NO_EVENT && graph->nodes[last].kind == WEIRI_ENTERS;
}

/* The entries that have been reached. Returns: false if they cannot be followed */
static bool find_meetings(const struct weiri_graph *graph,
                          const struct weiri_meeting_rules *rules,
                          struct weiri_meetings *meetings)
{
    uint32_t before = WEIRI_NO_EVENT;
    for (uint32_t e = 0; e < graph->n; e++) {
        const struct weiri_node *node = &graph->nodes[e];
        if (node->kind != WEIRI_ENTERS) {
            continue;
        }
        if (before != WEIRI_NO_EVENT) { /* all that could have left since then have */
            weiri_meeting_settle(rules, meetings, graph->nodes[before].thread,
                                 weiri_graph_step(graph, before));
        }
        if (!weiri_meeting_enter(rules, meetings, node->thread,
                                 weiri_graph_step(graph, e))) {
            return false;
        }
        before = e;
    }
    return true;
}

void weiri_step_table_leave(struct weiri_graph *graph,
                            const struct weiri_meeting_rules *rules)
{
    struct weiri_meetings meetings = { .rounds = { 0 } };
    bool follows = find_meetings(graph, rules, &meetings);
    for (uint32_t t = 0; t < graph->frame->n_threads && follows; t++) {
        const struct weiri_step step = *weiri_graph_next(graph, t);
        uint64_t missing = 0;
        if (!is_inside(graph, t)) {
            continue;
        }
        if ((step.traits.flags & WEIRI_TRAIT_ARRIVES) == 0) {
            weiri_meeting_find(rules, &meetings, t, &step, &missing);
        }
        if (missing == 0) {
            weiri_graph_exit(graph, t);
        }
    }
}

/* ---- What comes after something -------------------------------------------------- */

bool weiri_step_table_follows(const struct weiri_graph *graph, uint32_t thread)
{
    const struct weiri_program *program = graph->frame->program;
    for (uint32_t i = 0; i < program->n_thens; i++) {
        if (program->then_threads[i] == thread
            && weiri_graph_next(graph, program->first_threads[i])->kind
                != WEIRI_STEP_END) {
            return true;
        }
    }
    return false;
}

bool weiri_step_table_agrees(const struct weiri_facts *facts)
{
    const struct weiri_execution_event *events = facts->execution->events;
    uint32_t n = facts->execution->n_events;
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            if (weiri_relation_has(facts->algebra, facts->last, a, b)
                && events[a].kind == WEIRI_WRITES_MEMORY
                && events[b].kind == WEIRI_WRITES_MEMORY
                && events[a].location == events[b].location
                && events[a].position >= events[b].position) {
                return false;
            }
        }
    }
    return true;
}
