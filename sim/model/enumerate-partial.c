/* SPDX-License-Identifier: MIT
 *
 * enumerate-partial.c: the last choice of an enumeration for models that order only
 * some pairs of events, such as writes that are morally strong; see enumerator.h.
 *
 *     weiri_enumerator_orient()
 *       orient()                   a direction for the next pair that has none
 *         end()                    does the model allow it? Which writes are the last?
 *           choose_last()          a greatest write for each location
 *
 * Axioms of such models only forbid: with more sources and more directions, the derived
 * relations grow. So a candidate that is forbidden already is abandoned, at each source
 * and each direction. A pair that has a direction by others is not chosen: the other
 * direction would be a cycle, which no model allows.
 *
 * Writes that nothing orders stay so. Each of them that no other write follows can give
 * the final value of its location, and locations do not depend on each other in that.
 * Drawings need positions: they are one of the orders that agree with the model's. */
#include "config.h"

#include "model/enumerator.h"

#include <glib.h>
#include <string.h>

/* The most accesses that are looked at, when those of all paths are compared. */
enum { MOST_KINDS = 512 };

/* ---- Axioms along the way -------------------------------------------------------- */

static bool is_allowed(struct weiri_enumerator *x, bool settled,
                       struct weiri_facts *facts)
{
    *facts = x->facts;
    facts->settled = settled;
    facts->racy = x->options->racy;
    weiri_model_read(x->options->model, facts);
    return x->options->forbidden || weiri_model_allows(x->options->model, facts);
}

/* Whether a model cannot tell the two accesses apart. */
static bool are_alike(const struct weiri_execution_event *one,
                      const struct weiri_execution_event *other)
{
    const struct weiri_traits *a = &one->traits, *b = &other->traits;
    return one->kind == other->kind && one->location == other->location
        && one->atomic == other->atomic && one->update == other->update
        && one->order == other->order && one->scope == other->scope
        && a->reference == b->reference && a->proxy == b->proxy && a->flags == b->flags
        && a->storage == b->storage && a->semantics == b->semantics;
}

/* Appends the accesses of all paths of a thread, but at most two that are alike: pairs
 * of them, and with others, are what matters. */
static void add_kinds(const struct weiri_paths *paths, uint32_t thread, GArray *events)
{
    guint first = events->len;
    for (uint32_t p = 0; p < paths->n; p++) {
        for (uint32_t e = 0; e < paths->paths[p].n_events; e++) {
            struct weiri_execution_event event = paths->paths[p].events[e];
            unsigned n_alike = 0;
            for (guint i = first; i < events->len; i++) {
                n_alike += are_alike(
                    &g_array_index(events, struct weiri_execution_event, i), &event);
            }
            if (weiri_event_is_access(&event) && n_alike < 2) {
                event.thread = thread;
                event.from = WEIRI_UNREAD;
                g_array_append_val(events, event);
            }
        }
    }
}

/* Keeps a location coherent unless two accesses of it need not be coherent. */
static void look_at_pairs(struct weiri_enumerator *x, const struct weiri_facts *facts)
{
    struct weiri_relation coherent = x->options->model->coherent(facts);
    const struct weiri_execution *execution = facts->execution;
    uint32_t n_accessed = 0;
    for (uint32_t a = 0; a < execution->n_events; a++) {
        const struct weiri_execution_event *event = &execution->events[a];
        bool is_first = weiri_event_is_access(event);
        for (uint32_t b = 0; b < a && weiri_event_is_access(event); b++) {
            bool same = weiri_relation_has(&x->algebra, facts->loc, a, b);
            is_first = is_first && !same;
            if (same && !weiri_relation_has(&x->algebra, coherent, a, b)) {
                x->locations[event->location].is_kept = false;
            }
        }
        n_accessed += is_first;
    }
    x->is_one = n_accessed == 1;
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        x->is_one = x->is_one && x->locations[l].is_kept;
    }
}

void weiri_enumerator_keep(struct weiri_enumerator *x)
{
    g_autoptr(GArray) events
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_execution_event));
    uint32_t n_threads = x->program->n_threads;
    g_autofree uint32_t *first = g_new0(uint32_t, n_threads + 1);
    for (uint32_t t = 0; t < n_threads; t++) {
        add_kinds(&x->paths[t], t, events);
        first[t + 1] = events->len;
    }
    if (events->len > MOST_KINDS || x->options->forbidden) {
        return;
    }
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        x->locations[l].is_kept = true;
    }
    const struct weiri_execution execution
        = { .program = x->program,
            .events = (const struct weiri_execution_event *)(const void *)events->data,
            .first = first,
            .n_events = events->len };
    struct weiri_facts facts = { 0 };
    weiri_facts_begin(&facts, &x->algebra, &execution);
    weiri_model_prepare(x->options->model, &facts);
    look_at_pairs(x, &facts);
}

/* Directs a pair in the choices that have it. */
static void direct(struct weiri_enumerator *x, uint32_t one, uint32_t other)
{
    for (uint32_t c = 0; c < x->options->model->n_choices; c++) {
        if (weiri_relation_has(&x->algebra, x->pairs[c], one, other)) {
            weiri_relation_add(&x->algebra, x->facts.chosen[c], one, other);
        }
    }
}

/* Computes what all candidates with the chosen paths share, and then directs the writes
 * of coherent locations, as far as their sources leave one direction. */
static void begin(struct weiri_enumerator *x)
{
    weiri_enumerator_begin(x);
    for (uint32_t c = 0; c < x->options->model->n_choices; c++) {
        x->facts.chosen[c]
            = weiri_relation_intersection(&x->algebra, x->pairs[c], x->facts.sb);
    }
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        const struct weiri_enumerated_location *location = &x->locations[l];
        if (!location->is_kept || !weiri_enumerator_is_coherent(x, l)) {
            continue;
        }
        for (uint32_t w = 0; w < location->n; w++) {
            for (uint64_t left = location->coherence.before[w]; left != 0;
                 left &= left - 1) {
                direct(x, location->writes[__builtin_ctzll(left)], location->writes[w]);
            }
        }
    }
}

bool weiri_enumerator_may_hold(struct weiri_enumerator *x)
{
    struct weiri_facts facts;
    if (x->options->forbidden) {
        return true;
    }
    begin(x);
    bool may = is_allowed(x, false, &facts);
    weiri_algebra_return(&x->algebra, x->begun);
    return may;
}

/* ---- The last writes ------------------------------------------------------------- */

/* Whether the write is followed by another one, in the order that the model derived. */
static bool is_followed(const struct weiri_enumerator *x,
                        const struct weiri_facts *facts, uint32_t l, uint32_t write)
{
    const struct weiri_enumerated_location *location = &x->locations[l];
    for (uint32_t w = 0; w < location->n; w++) {
        uint32_t other = location->writes[w];
        if (weiri_relation_has(&x->algebra, facts->last, write, other)
            && !weiri_relation_has(&x->algebra, facts->last, other, write)) {
            return true;
        }
    }
    return false;
}

/* Sets the positions of some events: each time the first one, in their order here, that
 * follows none of those which are left. */
static void place(struct weiri_enumerator *x, struct weiri_relation order,
                  const uint32_t *events, uint32_t n)
{
    uint64_t left = n == 0 ? 0 : UINT64_MAX >> (WEIRI_COHERENCE_WRITES - n);
    for (uint32_t position = 0; left != 0; position++) {
        uint32_t next = (uint32_t)__builtin_ctzll(left);
        for (uint32_t e = n; e-- > 0;) {
            bool is_free = (left >> e & 1) != 0;
            for (uint32_t o = 0; o < n && is_free; o++) {
                is_free = (left >> o & 1) == 0
                    || !weiri_relation_has(&x->algebra, order, events[o], events[e]);
            }
            next = is_free ? e : next;
        }
        x->events[events[next]].position = position;
        left &= ~(UINT64_C(1) << next);
    }
}

/* Places the writes of a location, @last as the last one. */
static void place_writes(struct weiri_enumerator *x, const struct weiri_facts *facts,
                         uint32_t l, uint32_t last)
{
    const struct weiri_enumerated_location *location = &x->locations[l];
    uint32_t writes[WEIRI_COHERENCE_WRITES], n = 0;
    for (uint32_t w = 0; w < location->n; w++) {
        if (location->writes[w] != last) {
            writes[n++] = location->writes[w];
        }
    }
    place(x, facts->last, writes, n);
    x->events[last].position = n;
}

/* Places the fences, in the order that was chosen for them. */
static void place_fences(struct weiri_enumerator *x, const struct weiri_facts *facts)
{
    uint32_t fences[WEIRI_COHERENCE_WRITES], n = 0;
    for (uint32_t e = 0; e < x->n_events && n < WEIRI_COHERENCE_WRITES; e++) {
        if (x->events[e].kind == WEIRI_FENCES) {
            fences[n++] = e;
        }
    }
    place(x, weiri_relation_closure(&x->algebra, facts->chosen[0]), fences, n);
}

/* Whether a greatest write before @w, by number, has the same value. */
static bool is_known_value(const struct weiri_enumerator *x,
                           const struct weiri_facts *facts, uint32_t l, uint32_t w)
{
    const struct weiri_enumerated_location *location = &x->locations[l];
    for (uint32_t o = 0; o < w; o++) {
        if (x->events[location->writes[o]].value == x->events[location->writes[w]].value
            && !is_followed(x, facts, l, location->writes[o])) {
            return true;
        }
    }
    return false;
}

static void choose_last(struct weiri_enumerator *x, struct weiri_facts *facts,
                        uint32_t l)
{
    if (l == x->program->n_locations) {
        weiri_enumerator_visit(x, facts);
        return;
    }
    const struct weiri_enumerated_location *location = &x->locations[l];
    x->memory[l] = x->program->locations[l].initial;
    if (location->n == 0) {
        choose_last(x, facts, l + 1);
        return;
    }
    for (uint32_t w = 0; w < location->n && !x->stopped; w++) {
        uint32_t write = location->writes[w];
        if (!is_followed(x, facts, l, write) && !is_known_value(x, facts, l, w)) {
            x->memory[l] = x->events[write].value;
            place_writes(x, facts, l, write);
            choose_last(x, facts, l + 1);
        }
    }
}

/* ---- Directions ------------------------------------------------------------------ */

/* Whether the threads that have stopped in a loop wait for ever: what they read in the
 * last iteration has no later write. Iterations that write are not counted as waiting:
 * there is no order that all models would agree on. */
static bool wait_for_ever(const struct weiri_enumerator *x,
                          const struct weiri_facts *facts)
{
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        for (uint32_t i = 0; i < x->chosen[t]->n_round; i++) {
            const struct weiri_execution_event *event
                = &x->events[x->first[t + 1] - 1 - i];
            if (event->kind == WEIRI_WRITES_MEMORY) {
                return false;
            }
            bool reads = event->kind == WEIRI_READS_MEMORY;
            if (reads
                && (event->from == WEIRI_INITIAL
                        ? x->locations[event->location].n > 0
                        : is_followed(x, facts, event->location, event->from))) {
                return false;
            }
        }
    }
    return true;
}

static void end(struct weiri_enumerator *x)
{
    struct weiri_facts facts;
    weiri_enumerator_try(x);
    if (x->stopped) {
        return;
    }
    x->result.candidates++;
    if (is_allowed(x, true, &facts) && wait_for_ever(x, &facts)) {
        place_fences(x, &facts);
        choose_last(x, &facts, 0);
    }
}

/* Finds a pair of the choice that has no direction, not even by others. */
static bool find_pair(const struct weiri_enumerator *x, uint32_t choice, uint32_t *one,
                      uint32_t *other)
{
    struct weiri_algebra *k = (struct weiri_algebra *)&x->algebra;
    struct weiri_relation order = weiri_relation_closure(k, x->facts.chosen[choice]);
    for (uint32_t a = 0; a < k->n; a++) {
        for (uint32_t b = a + 1; b < k->n; b++) {
            if (weiri_relation_has(k, x->pairs[choice], a, b)
                && !weiri_relation_has(k, order, a, b)
                && !weiri_relation_has(k, order, b, a)) {
                *one = a;
                *other = b;
                return true;
            }
        }
    }
    return false;
}

/* Chooses directions from that choice on. What is made on the way is forgotten at the
 * end: choices above it keep theirs. */
static void orient(struct weiri_enumerator *x, uint32_t choice)
{
    uint32_t one, other;
    if (x->stopped) {
        return;
    }
    struct weiri_algebra_mark mark = weiri_algebra_mark(&x->algebra);
    if (choice == x->options->model->n_choices) {
        end(x);
    } else if (!find_pair(x, choice, &one, &other)) {
        orient(x, choice + 1);
    } else {
        struct weiri_relation before = x->facts.chosen[choice];
        for (int way = 0; way < 2; way++) {
            struct weiri_relation more
                = weiri_relation_union(&x->algebra, before, before);
            weiri_relation_add(&x->algebra, more, way == 0 ? one : other,
                               way == 0 ? other : one);
            x->facts.chosen[choice] = more;
            struct weiri_algebra_mark made = weiri_algebra_mark(&x->algebra);
            struct weiri_facts facts;
            bool may = is_allowed(x, false, &facts);
            weiri_algebra_return(&x->algebra, made);
            if (may) {
                orient(x, choice);
            }
        }
        x->facts.chosen[choice] = before;
    }
    weiri_algebra_return(&x->algebra, mark);
}

void weiri_enumerator_orient(struct weiri_enumerator *x)
{
    begin(x);
    orient(x, 0);
    weiri_algebra_return(&x->algebra, x->begun);
}
