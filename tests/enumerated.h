/* SPDX-License-Identifier: MIT
 *
 * enumerated.h: what comes of a litmus test under a model, by the enumerator. */
#ifndef WEIR_TESTS_ENUMERATED_H
#define WEIR_TESTS_ENUMERATED_H

#include "litmus_support.h"

#include "litmus/program.h"

/* @states: text of each final state, as a set; owned. */
struct outcome {
    const struct weiri_litmus *test;
    const struct weiri_model *model;
    GHashTable *states;
    uint64_t positive, negative;
    bool races;
    struct weiri_enumeration counts;
};

TEST_HELPER void expect_sound(const struct weiri_candidate *candidate)
{
    const struct weiri_execution *execution = candidate->execution;
    ck_assert_uint_eq(execution->first[execution->program->n_threads],
                      execution->n_events);
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        if (event->kind == WEIRI_READS_MEMORY && event->from != WEIRI_INITIAL) {
            const struct weiri_execution_event *from = &execution->events[event->from];
            EXPECT(from->kind == WEIRI_WRITES_MEMORY
                       && from->location == event->location
                       && from->value == event->value,
                   "event %u reads what was not written", e);
        } else if (event->kind == WEIRI_READS_MEMORY) {
            EXPECT(event->value
                       == execution->program->locations[event->location].initial,
                   "event %u reads no initial value", e);
        }
        EXPECT(execution->first[event->thread] + event->index == e, "event %u", e);
    }
}

TEST_HELPER bool note(const struct weiri_candidate *candidate, void *user)
{
    struct outcome *outcome = user;
    const struct weiri_litmus *test = outcome->test;
    const struct weiri_execution *execution = candidate->execution;
    uint32_t one, other;
    expect_sound(candidate);
    if (candidate->end != WEIRI_END_COMPLETE
        || (test->filter != NULL
            && !weiri_litmus_holds(test->filter, weiri_litmus_program_value,
                                   execution))) {
        return true;
    }
    bool holds
        = weiri_litmus_holds(test->condition, weiri_litmus_program_value, execution);
    outcome->positive += holds;
    outcome->negative += !holds;
    outcome->races = outcome->races
        || (outcome->model != NULL && outcome->model->race != NULL
            && outcome->model->race(candidate->facts, &one, &other));
    g_hash_table_add(outcome->states,
                     weiri_litmus_state(test, weiri_litmus_program_value, execution));
    return true;
}

/* @model: NULL: all candidates. */
TEST_HELPER struct outcome enumerate(const struct weiri_litmus *test, const char *model,
                                     uint32_t rounds)
{
    struct outcome outcome
        = { .test = test,
            .model = model == NULL ? NULL : weiri_model_find(model),
            .states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };
    const struct weiri_enumerate_options options
        = { .model = outcome.model, .visit = note, .user = &outcome };
    outcome.counts = weiri_litmus_enumerate(test, rounds, &options);
    return outcome;
}

TEST_HELPER void outcome_clear(struct outcome *outcome)
{
    g_hash_table_unref(outcome->states);
}
typedef struct outcome enumerated;
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(enumerated, outcome_clear)

TEST_HELPER const char *observation_of(const struct outcome *outcome)
{
    return outcome->positive == 0 ? "Never"
        : outcome->negative == 0  ? "Always"
                                  : "Sometimes";
}

#endif
