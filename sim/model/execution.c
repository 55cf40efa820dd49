/* SPDX-License-Identifier: MIT
 *
 * execution.c: copies of executions. */
#include "config.h"

#include "model/execution.h"

#include <glib.h>
#include <string.h>

struct weiri_execution *weiri_execution_copy(const struct weiri_execution *execution)
{
    const struct weiri_program *program = execution->program;
    struct weiri_execution *copy = g_new(struct weiri_execution, 1);
    uint32_t n_threads = program->n_threads;
    const void **states = g_new(const void *, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        states[t] = g_memdup2(execution->states[t], program->state_bytes);
    }
    *copy = (struct weiri_execution){
        .program = program,
        .n_events = execution->n_events,
        .events = g_memdup2(execution->events,
                            execution->n_events * sizeof(*execution->events)),
        .first
        = g_memdup2(execution->first, (n_threads + 1) * sizeof(*execution->first)),
        .states = states,
        .memory = g_memdup2(execution->memory,
                            program->n_locations * sizeof(*execution->memory)),
    };
    return copy;
}

void weiri_execution_free(struct weiri_execution *execution)
{
    if (execution == NULL) {
        return;
    }
    for (uint32_t t = 0; t < execution->program->n_threads; t++) {
        g_free((void *)execution->states[t]);
    }
    g_free((void *)execution->states);
    g_free((void *)execution->events);
    g_free((void *)execution->first);
    g_free((void *)execution->memory);
    g_free(execution);
}
