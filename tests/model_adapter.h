/* SPDX-License-Identifier: MIT
 *
 * model_adapter.h: what the library says of a litmus test, in the words in which brute
 * force says it. */
#ifndef WEIR_TESTS_MODEL_ADAPTER_H
#define WEIR_TESTS_MODEL_ADAPTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * decided:
 * @states: a line each, `0:r0=1,[x]=1  3 times`, in the order of their bytes; owned
 * @positive: complete executions of which the condition holds, @negative: does not
 * @race: there is a race in one of these
 * @blocked: executions in which a thread waits at a barrier for ever
 * @cut: executions that a bound on loops has ended
 */
struct decided {
    char *states;
    uint64_t positive, negative, blocked, cut;
    bool race;
};

/* Appends all of it, for the text of a failure. */
void decided_describe(GString *text, const char *decider,
                      const struct decided *decided);

/* Decides the test of that text under the model of that name, where each loop may have
 * @rounds rounds. Returns: an error's text, (transfer full), or %NULL */
typedef char *decide_fn(const char *text, const char *model, unsigned rounds,
                        struct decided *decided);

/**
 * model_decider: one way by which the library decides
 * @models: names, up to a %NULL
 */
struct model_decider {
    const char *name;
    const char *const *models;
    decide_fn *decide;
};

/* Up to one without a name. */
extern const struct model_decider model_deciders[];

#endif
