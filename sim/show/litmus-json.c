/* SPDX-License-Identifier: MIT
 *
 * litmus-json.c: the answer to a litmus test as JSON. The names of members are a
 * contract with programs that read it; litmus.h lists them. */
#include "config.h"

#include "show/litmus.h"

#include <json-glib/json-glib.h>

static void add_event(JsonBuilder *builder, const char *name,
                      const struct weir_litmus_event *event)
{
    static const char *const kinds[] = { [WEIR_LITMUS_READ] = "read",
                                         [WEIR_LITMUS_WRITE] = "write",
                                         [WEIR_LITMUS_FENCE] = "fence",
                                         [WEIR_LITMUS_BARRIER] = "barrier",
                                         [WEIR_LITMUS_EXIT] = "exit" };
    weiri_json_object(builder, name);
    weiri_json_int(builder, "thread", event->thread);
    weiri_json_text(builder, "kind", kinds[event->kind]);
    weiri_json_text(builder, "event", event->text);
    weiri_json_int(builder, "line", event->line);
    weiri_json_int(builder, "column", event->column);
    json_builder_end_object(builder);
}

static void add_event_of(JsonBuilder *builder, const char *name,
                         const struct weir_litmus_execution *execution, uint32_t index)
{
    if (index == WEIR_LITMUS_INITIAL) {
        weiri_json_null(builder, name);
    } else {
        add_event(builder, name, &execution->events[index]);
    }
}

/* UINT32_MAX, and so WEIR_LITMUS_INITIAL, is null. */
static void add_index(JsonBuilder *builder, const char *name, uint32_t index)
{
    if (index == UINT32_MAX) {
        weiri_json_null(builder, name);
    } else {
        weiri_json_int(builder, name, index);
    }
}

static void add_execution(JsonBuilder *builder, const char *name,
                          const struct weir_litmus_execution *execution)
{
    if (execution == NULL) {
        weiri_json_null(builder, name);
        return;
    }
    weiri_json_object(builder, name);
    weiri_json_array(builder, "events");
    for (size_t i = 0; i < execution->n_events; i++) {
        add_event(builder, NULL, &execution->events[i]);
    }
    json_builder_end_array(builder);
    weiri_json_array(builder, "edges");
    for (size_t i = 0; i < execution->n_edges; i++) {
        const struct weir_litmus_edge *edge = &execution->edges[i];
        json_builder_begin_object(builder);
        weiri_json_text(builder, "edge", weir_litmus_edge_name(edge->kind));
        add_index(builder, "from", edge->from);
        add_index(builder, "to", edge->to);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

static void add_states(JsonBuilder *builder, const struct weiri_litmus_result *result)
{
    size_t n = weiri_litmus_verdict(result)->n_states;
    weiri_json_array(builder, "states");
    for (size_t i = 0; i < n; i++) {
        const struct weir_litmus_state *state
            = weir_litmus_answer_state(result->answer, i);
        json_builder_begin_object(builder);
        weiri_json_text(builder, "state", state->text);
        weiri_json_int(builder, "executions", state->executions);
        weiri_json_bool(builder, "positive", state->positive);
        weiri_json_bool(builder, "race", state->race);
        weiri_json_text(builder, "graph",
                        result->graphs != NULL && i < result->graphs->len
                            ? g_ptr_array_index(result->graphs, i)
                            : NULL);
        add_execution(builder, "witness", result->executions ? state->witness : NULL);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_end(JsonBuilder *builder, uint32_t thread,
                    const struct weir_litmus_thread_end *end)
{
    static const char *const ends[] = { [WEIR_LITMUS_ENDED] = "ended",
                                        [WEIR_LITMUS_AT_BARRIER] = "barrier",
                                        [WEIR_LITMUS_IN_LOOP] = "loop",
                                        [WEIR_LITMUS_FAULTED] = "fault" };
    bool ended = end->end == WEIR_LITMUS_ENDED;
    json_builder_begin_object(builder);
    weiri_json_int(builder, "thread", thread);
    weiri_json_text(builder, "end", ends[end->end]);
    weiri_json_text(builder, "text", end->text);
    add_index(builder, "line", ended ? UINT32_MAX : end->line);
    add_index(builder, "column", ended ? UINT32_MAX : end->column);
    json_builder_end_object(builder);
}

static void add_blocked(JsonBuilder *builder, const struct weiri_litmus_result *result)
{
    static const char *const reasons[] = { [WEIR_LITMUS_AT_BARRIER] = "barrier",
                                           [WEIR_LITMUS_IN_LOOP] = "loop",
                                           [WEIR_LITMUS_FAULTED] = "fault" };
    const struct weir_litmus_blocked *blocked;
    weiri_json_array(builder, "blocked_executions");
    for (guint i = 0; (blocked = weir_litmus_answer_blocked(result->answer, i)) != NULL;
         i++) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "why", reasons[blocked->why]);
        weiri_json_int(builder, "executions", blocked->executions);
        weiri_json_array(builder, "threads");
        for (uint32_t t = 0; t < weir_litmus_n_threads(result->test); t++) {
            add_end(builder, t, &blocked->threads[t]);
        }
        json_builder_end_array(builder);
        weiri_json_text(builder, "graph",
                        result->blocked_graphs != NULL
                                && i < result->blocked_graphs->len
                            ? g_ptr_array_index(result->blocked_graphs, i)
                            : NULL);
        add_execution(builder, "execution",
                      result->executions ? blocked->execution : NULL);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* An array of one pair of accesses, or of none. */
static void add_pairs(JsonBuilder *builder, const char *name,
                      const struct weir_litmus_race *race)
{
    weiri_json_array(builder, name);
    if (race != NULL) {
        json_builder_begin_object(builder);
        weiri_json_text(builder, "why", race->why);
        add_event_of(builder, "first", race->execution, race->first);
        add_event_of(builder, "second", race->execution, race->second);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

/* Where the instruction is now, if it is moved; else null. */
static void add_origin(JsonBuilder *builder, const struct weir_litmus_change *change)
{
    if (change->from_line == 0) {
        weiri_json_null(builder, "from");
        return;
    }
    weiri_json_object(builder, "from");
    weiri_json_int(builder, "thread", change->from_thread);
    weiri_json_int(builder, "line", change->from_line);
    json_builder_end_object(builder);
}

/* An array of fixes, each an array of changes. */
static void add_fixes(JsonBuilder *builder, const struct weiri_litmus_result *result)
{
    weiri_json_array(builder, "fixes");
    for (size_t f = 0; f < result->n_fixes; f++) {
        json_builder_begin_array(builder);
        for (size_t c = 0; c < result->fixes[f].n_changes; c++) {
            const struct weir_litmus_change *change = &result->fixes[f].changes[c];
            json_builder_begin_object(builder);
            weiri_json_int(builder, "thread", change->thread);
            weiri_json_int(builder, "line", change->line);
            weiri_json_text(builder, "at", change->at);
            weiri_json_text(builder, "before", change->before);
            weiri_json_text(builder, "after", change->after);
            add_origin(builder, change);
            json_builder_end_object(builder);
        }
        json_builder_end_array(builder);
    }
    json_builder_end_array(builder);
}

static void add_violation(JsonBuilder *builder,
                          const struct weir_litmus_execution *execution,
                          const struct weir_litmus_violation *violation)
{
    json_builder_begin_object(builder);
    weiri_json_text(builder, "axiom", violation->axiom);
    weiri_json_text(builder, "sentence", violation->sentence);
    weiri_json_array(builder, "cycle");
    for (size_t i = 0; i < violation->n_edges; i++) {
        const struct weir_litmus_edge *edge = &violation->edges[i];
        json_builder_begin_object(builder);
        weiri_json_text(builder, "edge", weir_litmus_edge_name(edge->kind));
        add_event_of(builder, "from", execution, edge->from);
        add_event_of(builder, "to", execution, edge->to);
        weiri_json_text(builder, "how", edge->how);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

static void add_explanation(JsonBuilder *builder,
                            const struct weiri_litmus_result *result)
{
    static const char *const limits[] = { [WEIR_LITMUS_NO_LIMIT] = NULL,
                                          [WEIR_LITMUS_LIMIT_SIZE] = "size",
                                          [WEIR_LITMUS_LIMIT_TIME] = "time",
                                          [WEIR_LITMUS_LIMIT_STOPPED] = "stopped" };
    const struct weir_litmus_explanation *why = result->explanation;
    if (why == NULL) {
        weiri_json_null(builder, "explanation");
        return;
    }
    weiri_json_object(builder, "explanation");
    weiri_json_int(builder, "candidates", why->candidates);
    weiri_json_bool(builder, "coherent", why->coherent);
    weiri_json_bool(builder, "capped", why->limit != WEIR_LITMUS_NO_LIMIT);
    weiri_json_text(builder, "limit", limits[why->limit]);
    weiri_json_text(builder, "state", why->state);
    weiri_json_text(builder, "graph", result->explanation_graph);
    add_execution(builder, "execution", why->execution);
    weiri_json_array(builder, "violations");
    for (size_t i = 0; i < why->n_violations; i++) {
        add_violation(builder, why->execution, &why->violations[i]);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
}

void weiri_litmus_add_members(JsonBuilder *builder,
                              const struct weiri_litmus_result *result)
{
    static const char *const quantifiers[] = { [WEIR_LITMUS_EXISTS] = "exists",
                                               [WEIR_LITMUS_NOT_EXISTS] = "~exists",
                                               [WEIR_LITMUS_FORALL] = "forall" };
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    g_autofree char *claim = weir_litmus_claim(result->test);
    weiri_json_text(builder, "test", weir_litmus_name(result->test));
    weiri_json_text(builder, "file", result->file);
    weiri_json_text(builder, "model", weir_model_name(verdict->model));
    weiri_json_text(builder, "claim", claim);
    weiri_json_text(builder, "quantifier", quantifiers[verdict->quantifier]);
    add_states(builder, result);
    weiri_json_text(builder, "observation",
                    weir_observation_name(verdict->observation));
    weiri_json_int(builder, "positive", verdict->positive);
    weiri_json_int(builder, "negative", verdict->negative);
    weiri_json_bool(builder, "holds", verdict->holds);
    weiri_json_bool(builder, "race", verdict->judges_races && verdict->race);
    weiri_json_bool(builder, "races_judged", verdict->judges_races);
    add_pairs(builder, "races", weir_litmus_answer_race(result->answer));
    add_pairs(builder, "unordered", weir_litmus_answer_unordered(result->answer));
    weiri_json_int(builder, "executions", verdict->executions);
    weiri_json_int(builder, "filtered", verdict->filtered);
    weiri_json_int(builder, "blocked", verdict->blocked);
    add_blocked(builder, result);
    weiri_json_int(builder, "cut", verdict->cut);
    weiri_json_bool(builder, "complete", verdict->complete);
    weiri_json_bool(builder, "decided", verdict->decided);
    weiri_json_text(builder, "incomplete",
                    verdict->complete ? NULL : result->incomplete);
    add_fixes(builder, result);
    struct weir_litmus_reread reread;
    bool keeps = weir_model_takes(WEIR_MODEL_PTX, result->test)
        && weir_litmus_find_reread(result->test, &reread);
    weiri_json_text(builder, "hardware",
                    result->buffering ? "load-buffering"
                        : keeps       ? "kept-read"
                                      : NULL);
    add_explanation(builder, result);
}
