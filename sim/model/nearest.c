/* SPDX-License-Identifier: MIT
 *
 * nearest.c: see nearest.h. Candidates that are coherent are looked at first, and then
 * all, coherent or not; of either, first those without second rounds of loops. Where
 * there are too many, what is likely to be near has been seen; and of candidates that
 * are equally near, the one with fewer events is kept.
 *
 * Which axioms one violates is cheap to know; cycles are looked for only where no
 * better candidate is known by the number of axioms alone. */
#include "config.h"

#include "model/nearest.h"

#include "base/assert.h"
#include "model/litmus-program.h"

struct search {
    const struct weiri_litmus *test;
    const struct weiri_nearest_options *options;
    struct weiri_nearest best;
    uint64_t n_seen; /* candidates that end as asked, of one enumeration */
    bool is_ended;   /* by go_on */
};

/* ---- Keeping one ----------------------------------------------------------------- */

static void forget(struct weiri_nearest *nearest)
{
    for (uint32_t i = 0; i < nearest->n_violated; i++) {
        weiri_cycle_clear(&nearest->cycles[i]);
    }
    weiri_execution_free(nearest->kept);
    nearest->kept = NULL;
    nearest->n_violated = 0;
    nearest->is_found = false;
}

/* With a program that stays. */
static void keep(struct weiri_nearest *nearest, const struct weiri_execution *execution)
{
    nearest->kept = weiri_execution_copy(execution);
    nearest->kept->program = nearest->program;
    nearest->execution = *nearest->kept;
    nearest->is_found = true;
}

/* ---- Comparing ------------------------------------------------------------------- */

static uint32_t length_of(const struct weiri_nearest *nearest)
{
    return nearest->n_violated == 0 ? 0 : nearest->cycles[0].n;
}

/* Adds a violated axiom at its place. */
static void add_violated(struct weiri_nearest *nearest, const struct weiri_axiom *axiom,
                         struct weiri_cycle cycle)
{
    uint32_t at = nearest->n_violated++;
    for (; at > 0 && nearest->cycles[at - 1].n > cycle.n; at--) {
        nearest->violated[at] = nearest->violated[at - 1];
        nearest->cycles[at] = nearest->cycles[at - 1];
    }
    nearest->violated[at] = axiom;
    nearest->cycles[at] = cycle;
}

/* Which axioms are violated, as a set. */
static uint32_t violations_of(const struct weiri_model *model,
                              const struct weiri_facts *facts)
{
    uint32_t violated = 0;
    for (uint32_t i = 0; i < model->n_axioms; i++) {
        violated |= model->axioms[i]->holds(facts, NULL) ? 0 : UINT32_C(1) << i;
    }
    return violated;
}

static void consider(struct search *search, const struct weiri_candidate *candidate)
{
    const struct weiri_model *model = search->options->model;
    struct weiri_nearest *best = &search->best;
    struct weiri_nearest other = { .program = best->program };
    weiri_model_read(model, candidate->facts);
    uint32_t violated = violations_of(model, candidate->facts);
    uint32_t n = (uint32_t)__builtin_popcount(violated);
    if (best->is_found && n > best->n_violated) {
        return;
    }
    for (uint32_t i = 0; i < model->n_axioms; i++) {
        if ((violated >> i & 1) != 0) {
            struct weiri_cycle cycle = { 0 };
            (void)model->axioms[i]->holds(candidate->facts, &cycle);
            add_violated(&other, model->axioms[i], cycle);
        }
    }
    if (!best->is_found || n < best->n_violated
        || length_of(&other) < length_of(best)) {
        forget(best);
        keep(&other, candidate->execution);
        other.candidates = best->candidates;
        *best = other;
    } else {
        forget(&other);
    }
}

static bool visit(const struct weiri_candidate *candidate, void *user)
{
    struct search *search = user;
    const struct weiri_litmus *test = search->test;
    const struct weiri_execution *execution = candidate->execution;
    if (candidate->ending == WEIRI_COMPLETE
        && (test->filter == NULL
            || weiri_litmus_holds(test->filter, weiri_enumerate_value, execution))
        && weiri_litmus_holds(test->condition, weiri_enumerate_value, execution)
            == search->options->holds) {
        consider(search, candidate);
        search->n_seen++;
    }
    /* Nothing is nearer than what is allowed. */
    return !search->best.is_found || search->best.n_violated > 0;
}

static bool go_on(void *user)
{
    struct search *search = user;
    const struct weiri_nearest_options *options = search->options;
    search->is_ended = options->go_on != NULL && !options->go_on(options->user);
    return !search->is_ended;
}

/* One enumeration visits each candidate once, and another one some of the same again:
 * the most that one of them has seen are different ones, and, where it was the last one
 * and saw all, all that there are. */
static struct weiri_enumeration see(struct search *search,
                                    const struct weiri_enumerate_options *options)
{
    search->n_seen = 0;
    struct weiri_enumeration seen = weiri_enumerate(search->test, options);
    search->best.candidates = MAX(search->best.candidates, search->n_seen);
    return seen;
}

/* Looks at candidates with one round a loop, and then, where that was not all, with as
 * many as they may have. Returns: whether it has looked at all */
static bool look(struct search *search, bool coherent)
{
    struct weiri_enumerate_options enumerate
        = { .coherent = coherent,
            .any_flags = search->options->model->any_flags,
            .most = (search->options->most + 3) / 4,
            .rounds = 1,
            .visit = visit,
            .go_on = go_on,
            .user = search };
    struct weiri_enumeration seen = see(search, &enumerate);
    bool allowed = search->best.is_found && search->best.n_violated == 0;
    if (!allowed && !search->is_ended && (seen.bounded > 0 || !seen.exhaustive)) {
        enumerate.rounds = search->options->rounds;
        seen = see(search, &enumerate);
    }
    return seen.exhaustive;
}

struct weiri_nearest weiri_nearest_find(const struct weiri_litmus *test,
                                        const struct weiri_nearest_options *options)
{
    weiri_assert(options->model->n_axioms <= WEIRI_MOST_AXIOMS);
    struct search search
        = { .test = test,
            .options = options,
            .best.program = weiri_litmus_program(test, options->rounds) };
    struct weiri_nearest *best = &search.best;
    (void)look(&search, true);
    bool allowed = best->is_found && best->n_violated == 0;
    bool all = !allowed && !search.is_ended && look(&search, false);
    best->exhaustive = all || (best->is_found && best->n_violated == 0);
    return *best;
}

void weiri_nearest_clear(struct weiri_nearest *nearest)
{
    forget(nearest);
    weiri_litmus_program_free(nearest->program);
    nearest->program = NULL;
}
