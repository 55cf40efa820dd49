/* SPDX-License-Identifier: MIT
 *
 * enumerator.c: what all parts of an enumeration do: they count what they try, stop at
 * a limit, compute the facts that candidates share, and visit those that are allowed;
 * see enumerator.h. */
#include "config.h"

#include "model/enumerator.h"

/* Choices between two calls of go_on(): less than a millisecond, but more than the call
 * costs. */
enum { ASK_EVERY = 256 };

void weiri_enumerator_stop(struct weiri_enumerator *x)
{
    x->stopped = true;
    x->result.exhaustive = false;
}

void weiri_enumerator_try(struct weiri_enumerator *x)
{
    const struct weiri_enumerate_options *options = x->options;
    x->n_tried++;
    if ((options->most != 0 && x->n_tried > options->most)
        || (options->go_on != NULL && x->n_tried % ASK_EVERY == 0
            && !options->go_on(options->user))) {
        weiri_enumerator_stop(x);
    }
}

/* ---- What the model says --------------------------------------------------------- */

static void count(struct weiri_enumerator *x)
{
    uint64_t *const counts[] = { [WEIRI_END_COMPLETE] = &x->result.executions,
                                 [WEIRI_END_BARRIER] = &x->result.blocked,
                                 [WEIRI_END_SPIN] = &x->result.blocked,
                                 [WEIRI_END_BOUND] = &x->result.bounded,
                                 [WEIRI_END_FAULT] = &x->result.faulted };
    ++*counts[x->end];
}

void weiri_enumerator_visit(struct weiri_enumerator *x, struct weiri_facts *facts)
{
    const struct weiri_candidate candidate = { &x->execution, x->end, facts };
    count(x);
    if (x->options->visit != NULL && !x->options->visit(&candidate, x->options->user)) {
        weiri_enumerator_stop(x);
    }
}

/* Computes the pairs of the model's choices. */
static void begin_choices(struct weiri_enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    weiri_model_prepare(model, &x->facts);
    for (uint32_t c = 0; c < model->n_choices; c++) {
        x->pairs[c] = model->pairs(&x->facts, c);
    }
}

void weiri_enumerator_begin(struct weiri_enumerator *x)
{
    if (!x->has_begun) {
        weiri_facts_begin(&x->facts, &x->algebra, &x->execution);
        if (x->is_partial) {
            begin_choices(x);
        }
        x->begun = weiri_algebra_mark(&x->algebra);
        x->has_begun = true;
    }
}
