/* SPDX-License-Identifier: MIT
 *
 * enumerate-total.c: the last choice of an enumeration for models that order all writes
 * of a location; see enumerator.h.
 *
 *     weiri_enumerator_order()
 *       choose_order(), choose_next()    a permutation of the writes of each location
 *         judge()                        does the model allow it?
 *
 * If the model requires it, locations are kept coherent and read-modify-writes atomic
 * during the search: some writes must then come before others, and a choice after which
 * a write must come before itself is abandoned. This only saves time: all that it skips
 * would violate the model's axioms, and all that it visits is still judged by them. */
#include "config.h"

#include "model/enumerator.h"

/* ---- What the model says --------------------------------------------------------- */

/* Whether the threads that have stopped in a loop wait for ever: they would read the
 * same values again and again. Read-modify-writes of their last iterations write the
 * values that they read, and so could be ordered in many ways. Counted is the execution
 * in which the last iterations of the threads come last, one thread after the other.
 * So, going backwards, each event must be at the latest write. */
static bool wait_for_ever(struct weiri_enumerator *x)
{
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        x->current[l] = x->locations[l].n;
    }
    for (uint32_t t = x->program->n_threads; t-- > 0;) {
        uint32_t end = x->first[t + 1];
        for (uint32_t i = 0; i < x->chosen[t]->n_round; i++) {
            const struct weiri_execution_event *event = &x->events[end - 1 - i];
            if (!weiri_event_is_access(event)) {
                continue;
            }
            if (weiri_event_mo_place(x->events, event) != x->current[event->location]) {
                return false;
            }
            x->current[event->location] -= event->kind == WEIRI_WRITES_MEMORY;
        }
    }
    return true;
}

static void judge(struct weiri_enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    weiri_enumerator_try(x);
    if (x->stopped || !wait_for_ever(x)) {
        return;
    }
    x->result.candidates++;
    weiri_enumerator_begin(x);
    struct weiri_facts facts = x->facts;
    if (model != NULL) {
        weiri_model_read(model, &facts);
    }
    if (model == NULL || weiri_model_allows(model, &facts)) {
        weiri_enumerator_visit(x, &facts);
    } else if ((x->lacks_order != NULL && x->lacks_order(model, &facts))
               || (x->lacks_dependency != NULL && x->lacks_dependency(model, &facts))) {
        x->result.lacking = true;
    }
    weiri_algebra_return(&x->algebra, x->begun);
}

/* ---- The order of writes --------------------------------------------------------- */

static void choose_order(struct weiri_enumerator *x, uint32_t l);

/* Puts one of the writes in @left at @position, directly after @place; then
 * continues with the others. */
static void choose_next(struct weiri_enumerator *x, uint32_t l, uint32_t position,
                        uint32_t place, uint64_t left)
{
    const struct weiri_enumerated_location *location = &x->locations[l];
    if (left == 0) {
        choose_order(x, l + 1);
        return;
    }
    for (uint32_t w = 0; w < location->n && !x->stopped; w++) {
        uint64_t bit = UINT64_C(1) << w;
        if ((left & bit) != 0
            && weiri_coherence_may_follow(&location->coherence, place, w, left)) {
            uint32_t event = location->writes[w];
            x->events[event].position = position;
            x->memory[l] = x->events[event].value;
            choose_next(x, l, position + 1, w + 1, left & ~bit);
        }
    }
}

static void choose_order(struct weiri_enumerator *x, uint32_t l)
{
    if (l == x->program->n_locations) {
        judge(x);
        return;
    }
    uint32_t n = x->locations[l].n;
    x->memory[l] = x->program->locations[l].initial;
    choose_next(x, l, 0, WEIRI_AT_INITIAL,
                n == 0 ? 0 : UINT64_MAX >> (WEIRI_COHERENCE_WRITES - n));
}

void weiri_enumerator_order(struct weiri_enumerator *x)
{
    choose_order(x, 0);
}

/* ---- Coherence ------------------------------------------------------------------- */

/* The place of a read that has no source yet. */
#define NOWHERE UINT32_MAX

/* The place of an access. */
static uint32_t stand(const struct weiri_enumerator *x, uint32_t event)
{
    const struct weiri_execution_event *access = &x->events[event];
    if (access->kind == WEIRI_WRITES_MEMORY) {
        return x->number[event] + 1;
    }
    if (access->from == WEIRI_UNREAD) {
        return NOWHERE;
    }
    return access->from == WEIRI_INITIAL ? WEIRI_AT_INITIAL
                                         : x->number[access->from] + 1;
}

/* A thread at the place @at performs an event. Returns: false if that cannot be
 * coherent */
static bool go(struct weiri_enumerator *x, uint32_t l, uint32_t event, uint32_t *at)
{
    const struct weiri_execution_event *access = &x->events[event];
    struct weiri_coherence *coherence = &x->locations[l].coherence;
    if (!weiri_event_is_access(access) || access->location != l) {
        return true;
    }
    if (x->options->model != NULL && x->options->model->keeps_reads
        && weiri_execution_kept(&x->execution, event) != WEIRI_INITIAL) {
        return true;
    }
    uint32_t from = *at, to = stand(x, event);
    bool writes = access->kind == WEIRI_WRITES_MEMORY;
    if (to == NOWHERE) {
        return true;
    }
    *at = to;
    if (!weiri_coherence_go(coherence, from, to, writes)) {
        return false;
    }
    uint32_t read = writes && access->update ? stand(x, event - 1) : NOWHERE;
    return read == NOWHERE || weiri_coherence_attach(coherence, read, to);
}

bool weiri_enumerator_is_coherent(struct weiri_enumerator *x, uint32_t l)
{
    struct weiri_enumerated_location *location = &x->locations[l];
    weiri_coherence_begin(&location->coherence, location->n);
    for (uint32_t t = 0; location->is_kept && t < x->program->n_threads; t++) {
        uint32_t at = WEIRI_AT_INITIAL;
        for (uint32_t event = x->first[t]; event < x->first[t + 1]; event++) {
            if (!go(x, l, event, &at)) {
                return false;
            }
        }
    }
    return weiri_coherence_end(&location->coherence);
}
