/* SPDX-License-Identifier: MIT
 *
 * nearest.c: see nearest.h. Coherent candidates are examined first, and others only if
 * no coherent one ends as required; of both kinds, first those in which loops have one
 * iteration. So the candidates that are likely to be near come early, if there are too
 * many for all. If candidates are equally near, the one with the fewest events is kept.
 *
 * Cheap comparisons come first: how coherent a candidate is, then which axioms it
 * violates. Cycles are searched for only if these do not decide. */
#include "config.h"

#include "answer/nearest.h"

#include "base/assert.h"
#include "litmus/program.h"

struct search {
    const struct weiri_litmus *test;
    const struct weiri_nearest_options *options;
    struct weiri_nearest best;
    uint64_t n_seen; /* candidates with the required end, in one enumeration */
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

/* Copies the execution, with a program that outlives the enumeration. */
static void keep(struct weiri_nearest *nearest, const struct weiri_execution *execution)
{
    nearest->kept = weiri_execution_copy(execution);
    nearest->kept->program = nearest->program;
    nearest->execution = *nearest->kept;
    nearest->is_found = true;
}

/* ---- Comparing ------------------------------------------------------------------- */

/* How coherent it is that a thread performs one access and later another one to the
 * same location. */
static enum weiri_coherent step_of(const struct weiri_execution *execution,
                                   uint32_t before, uint32_t after)
{
    const struct weiri_execution_event *one = &execution->events[before];
    const struct weiri_execution_event *other = &execution->events[after];
    uint32_t from = weiri_event_mo_place(execution->events, one),
             to = weiri_event_mo_place(execution->events, other);
    bool writes = other->kind == WEIRI_WRITES_MEMORY;
    bool update = writes && other->update && after == before + 1;
    if (update ? to == from + 1 : writes ? to > from : to >= from) {
        return WEIRI_COHERENT;
    }
    return update || (writes && one->kind == WEIRI_WRITES_MEMORY) ? WEIRI_INCOHERENT
                                                                  : WEIRI_WRITES_AGREE;
}

/* sb, rf, mo and rb agree on a location if and only if each step of each thread is
 * coherent. */
static enum weiri_coherent coherent_of(const struct weiri_execution *execution)
{
    enum weiri_coherent worst = WEIRI_COHERENT;
    for (uint32_t e = 0; e < execution->n_events; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        uint32_t first = execution->first[event->thread];
        for (uint32_t before = first; weiri_event_is_access(event) && before < e;
             before++) {
            const struct weiri_execution_event *one = &execution->events[before];
            if (weiri_event_is_access(one) && one->location == event->location) {
                worst = MAX(worst, step_of(execution, before, e));
            }
        }
    }
    return worst;
}

/* The number of stale reads: accesses to a location that happen after a write, by
 * program order, reads-from and barriers, but are before it in modification order. */
static uint32_t n_backward(const struct weiri_facts *facts)
{
    struct weiri_algebra *k = facts->algebra;
    struct weiri_relation later = weiri_relation_closure(
        k,
        weiri_relation_union(k, facts->sb,
                             weiri_relation_union(k, facts->rf, facts->bar)));
    const struct weiri_execution *x = facts->execution;
    uint32_t n = 0;
    for (uint32_t write = 0; write < k->n; write++) {
        for (uint32_t b = 0; b < k->n && weiri_event_set_has(facts->writes, write);
             b++) {
            n += weiri_relation_has(k, later, write, b)
                && weiri_relation_has(k, facts->loc, write, b)
                && weiri_event_mo_place(x->events, &x->events[b])
                    < weiri_event_mo_place(x->events, &x->events[write]);
        }
    }
    return n;
}

static uint32_t length_of(const struct weiri_nearest *nearest)
{
    return nearest->n_violated == 0 ? 0 : nearest->cycles[0].n;
}

/* Inserts a violated axiom, sorted by the length of its cycle. */
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

/* The set of violated axioms. */
static uint32_t violations_of(const struct weiri_model *model,
                              const struct weiri_facts *facts)
{
    uint32_t violated = 0;
    for (uint32_t i = 0; i < model->n_axioms; i++) {
        violated |= model->axioms[i]->holds(facts, NULL) ? 0 : UINT32_C(1) << i;
    }
    return violated;
}

/* Compares without cycles. Returns: 1 if @best is nearer than such a candidate, -1 if
 * it is not, 0 if cycles decide */
static int compare(const struct weiri_nearest *best, enum weiri_coherent how_coherent,
                   uint32_t n_violated)
{
    if (!best->is_found || n_violated == 0) {
        return -1;
    }
    if (how_coherent != best->how_coherent) {
        return how_coherent < best->how_coherent ? -1 : 1;
    }
    return (n_violated > best->n_violated) - (n_violated < best->n_violated);
}

/* Whether an incoherent candidate could be allowed. */
static bool may_allow(const struct search *search, enum weiri_coherent how_coherent)
{
    return how_coherent == WEIRI_COHERENT || search->options->model->plain_incoherent;
}

static void consider(struct search *search, const struct weiri_candidate *candidate)
{
    const struct weiri_model *model = search->options->model;
    struct weiri_nearest *best = &search->best;
    struct weiri_nearest other = { .program = best->program };
    other.how_coherent
        = model->n_choices > 0 ? WEIRI_COHERENT : coherent_of(candidate->execution);
    if (!may_allow(search, other.how_coherent)
        && compare(best, other.how_coherent, 1) > 0) {
        return;
    }
    weiri_model_read(model, candidate->facts);
    uint32_t violated = violations_of(model, candidate->facts);
    int order
        = compare(best, other.how_coherent, (uint32_t)__builtin_popcount(violated));
    if (order > 0) {
        return;
    }
    for (uint32_t i = 0; i < model->n_axioms; i++) {
        if ((violated >> i & 1) != 0) {
            struct weiri_cycle cycle = { 0 };
            (void)model->axioms[i]->holds(candidate->facts, &cycle);
            add_violated(&other, model->axioms[i], cycle);
        }
    }
    other.n_backward = n_backward(candidate->facts);
    if (order < 0 || length_of(&other) < length_of(best)
        || (length_of(&other) == length_of(best)
            && other.n_backward < best->n_backward)) {
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
    if (candidate->end == WEIRI_END_COMPLETE
        && (test->filter == NULL
            || weiri_litmus_holds(test->filter, weiri_litmus_program_value, execution))
        && weiri_litmus_holds(test->condition, weiri_litmus_program_value, execution)
            == search->options->holds) {
        consider(search, candidate);
        search->n_seen++;
    }
    /* An allowed candidate cannot be beaten. */
    return !search->best.is_found || search->best.n_violated > 0;
}

static bool go_on(void *user)
{
    struct search *search = user;
    const struct weiri_nearest_options *options = search->options;
    search->is_ended = options->go_on != NULL && !options->go_on(options->user);
    return !search->is_ended;
}

/* An enumeration visits each candidate once; different enumerations visit some of the
 * same. The largest number of any of them counts different candidates only, and is the
 * number of all if the last one was exhaustive. */
static struct weiri_enumeration see(struct search *search, uint32_t rounds,
                                    const struct weiri_enumerate_options *options)
{
    search->n_seen = 0;
    struct weiri_enumeration seen
        = weiri_litmus_enumerate(search->test, rounds, options);
    search->best.candidates = MAX(search->best.candidates, search->n_seen);
    return seen;
}

/* Whether the model names the pairs of events that it orders: candidates are then its
 * own, and none is called incoherent. */
static bool is_partial(const struct search *search)
{
    return search->options->model->n_choices > 0;
}

/* Examines candidates with one iteration per loop, and then, unless that was
 * exhaustive, with as many as allowed. Returns: whether that was exhaustive */
static bool look(struct search *search, bool coherent)
{
    struct weiri_enumerate_options enumerate
        = { .model = is_partial(search) ? search->options->model : NULL,
            .forbidden = is_partial(search),
            .coherent = coherent,
            .any_flags = search->options->model->any_flags,
            .most = (search->options->most + 3) / 4,
            .visit = visit,
            .go_on = go_on,
            .user = search };
    struct weiri_enumeration seen = see(search, 1, &enumerate);
    bool allowed = search->best.is_found && search->best.n_violated == 0;
    if (!allowed && !search->is_ended && (seen.bounded > 0 || !seen.exhaustive)) {
        seen = see(search, search->options->rounds, &enumerate);
    }
    return seen.exhaustive;
}

/* Whether the model could allow an incoherent candidate of the test. */
static bool needs_incoherent(const struct search *search)
{
    bool plain = false;
    for (uint32_t l = 0; l < search->best.program->n_locations; l++) {
        plain |= !search->best.program->locations[l].atomic;
    }
    return plain && search->options->model->plain_incoherent;
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
    bool all = look(&search, !is_partial(&search));
    bool allowed = best->is_found && best->n_violated == 0;
    best->coherent
        = best->is_found && !is_partial(&search) && !needs_incoherent(&search);
    if (!best->coherent && !allowed && !is_partial(&search)) {
        all = !search.is_ended && look(&search, false);
    }
    best->exhaustive = all || (best->is_found && best->n_violated == 0);
    return *best;
}

void weiri_nearest_clear(struct weiri_nearest *nearest)
{
    forget(nearest);
    weiri_litmus_program_free(nearest->program);
    nearest->program = NULL;
}
