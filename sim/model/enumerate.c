/* SPDX-License-Identifier: MIT
 *
 * enumerate.c: see enumerate.h. Four nested choices:
 *
 *     a path for each thread                        choose_path()
 *       the write that each read reads              choose_source()
 *         the order of each location's writes       choose_order()
 *           does the model allow it?                judge()
 *
 * After each choice of a source, the threads are followed along their paths with all
 * values that are known so far, until no more values become known. If a thread does not
 * take its path, the remaining choices are skipped. Values that are still unknown at
 * the end form cycles that determine no value.
 *
 * If the model requires it, locations are kept coherent and read-modify-writes atomic
 * during the search: some writes must then come before others, and a choice after which
 * a write must come before itself is abandoned. This only saves time: all that it skips
 * would violate the model's axioms, and all that it visits is still judged by them.
 *
 * The file is long because all four choices write into one candidate, and each is cut
 * short by the parts that earlier choices have fixed there. litmus/paths.c lists the
 * paths of threads, and coherence.c the orders that a location can have. */
#include "config.h"

#include "model/enumerate.h"

#include "base/assert.h"
#include "model/coherence.h"
#include "model/paths.h"

#include <glib.h>

/* The most events of a candidate. A relation between this many takes 32 KiB, and a
 * model makes about a hundred. */
enum { MOST_EVENTS = 512 };

/* Choices between two calls of go_on(): less than a millisecond, but more than the call
 * costs. */
enum { ASK_EVERY = 256 };

/* The writes of a location, numbered. */
struct location {
    uint32_t n;
    uint32_t writes[WEIRI_COHERENCE_WRITES]; /* events */
    bool is_kept;                            /* coherent during the search */
    struct weiri_coherence coherence;        /* if @is_kept; otherwise any order is
                                                tried */
};

struct enumerator {
    const struct weiri_enumerate_options *options;
    const struct weiri_program *program;
    bool any_flags; /* barriers meet with any flags */
    struct weiri_enumeration result;
    uint64_t n_tried;
    bool stopped;

    /* By thread: */
    struct weiri_paths *paths;
    struct weiri_path **chosen;
    uint32_t *first; /* the thread's first event; n_threads + 1 of them */
    void **states;

    /* By event of the chosen paths: */
    struct weiri_execution_event *events;
    struct weiri_symbolic *values;
    uint32_t n_events;
    uint32_t *reads; /* the events that are reads */
    uint32_t n_reads;
    uint32_t *number; /* of a write: its number among the writes of its location */

    struct location *locations;
    int64_t *memory;

    enum weiri_execution_end end;
    struct weiri_execution execution;
    struct weiri_algebra algebra;
    struct weiri_facts facts;
    struct weiri_algebra_mark begun; /* after the facts that all candidates with these
                                        paths share */
    bool has_begun;                  /* those facts have been computed */

    /* About iterations that change nothing, see struct weiri_model: */
    weiri_lacking_fn *lacks_order, *lacks_dependency; /* to be called for forbidden
                                                         candidates; or NULL */
    bool lacks_values; /* values that a cycle leaves undetermined may be determined
                          by such an iteration */
    uint32_t *current; /* by location: the place of the latest write, from 1 */
};

static void stop(struct enumerator *x)
{
    x->stopped = true;
    x->result.exhaustive = false;
}

static void try_one(struct enumerator *x)
{
    const struct weiri_enumerate_options *options = x->options;
    x->n_tried++;
    if ((options->most != 0 && x->n_tried > options->most)
        || (options->go_on != NULL && x->n_tried % ASK_EVERY == 0
            && !options->go_on(options->user))) {
        stop(x);
    }
}

/* ---- What the model says --------------------------------------------------------- */

static void count(struct enumerator *x)
{
    uint64_t *const counts[] = { [WEIRI_END_COMPLETE] = &x->result.executions,
                                 [WEIRI_END_BARRIER] = &x->result.blocked,
                                 [WEIRI_END_SPIN] = &x->result.blocked,
                                 [WEIRI_END_BOUND] = &x->result.bounded,
                                 [WEIRI_END_FAULT] = &x->result.faulted };
    ++*counts[x->end];
}

/* Whether the threads that have stopped in a loop wait for ever: they would read the
 * same values again and again. Read-modify-writes of their last iterations write the
 * values that they read, and so could be ordered in many ways. Counted is the execution
 * in which the last iterations of the threads come last, one thread after the other.
 * So, going backwards, each event must be at the latest write. */
static bool wait_for_ever(struct enumerator *x)
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

static void judge(struct enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    try_one(x);
    if (x->stopped || !wait_for_ever(x)) {
        return;
    }
    x->result.candidates++;
    if (!x->has_begun) {
        weiri_facts_begin(&x->facts, &x->algebra, &x->execution);
        x->begun = weiri_algebra_mark(&x->algebra);
        x->has_begun = true;
    }
    struct weiri_facts facts = x->facts;
    if (model != NULL) {
        weiri_model_read(model, &facts);
    }
    if (model == NULL || weiri_model_allows(model, &facts)) {
        const struct weiri_candidate candidate = { &x->execution, x->end, &facts };
        count(x);
        if (x->options->visit != NULL
            && !x->options->visit(&candidate, x->options->user)) {
            stop(x);
        }
    } else if ((x->lacks_order != NULL && x->lacks_order(model, &facts))
               || (x->lacks_dependency != NULL && x->lacks_dependency(model, &facts))) {
        x->result.lacking = true;
    }
    weiri_algebra_return(&x->algebra, x->begun);
}

/* ---- The order of writes --------------------------------------------------------- */

static void choose_order(struct enumerator *x, uint32_t l);

/* Puts one of the writes in @left at @position, directly after the place @behind; then
 * continues with the others. */
static void choose_next(struct enumerator *x, uint32_t l, uint32_t position,
                        uint32_t behind, uint64_t left)
{
    const struct location *location = &x->locations[l];
    if (left == 0) {
        choose_order(x, l + 1);
        return;
    }
    for (uint32_t w = 0; w < location->n && !x->stopped; w++) {
        uint64_t bit = UINT64_C(1) << w;
        if ((left & bit) != 0
            && weiri_coherence_may_follow(&location->coherence, behind, w, left)) {
            uint32_t event = location->writes[w];
            x->events[event].position = position;
            x->memory[l] = x->events[event].value;
            choose_next(x, l, position + 1, w + 1, left & ~bit);
        }
    }
}

static void choose_order(struct enumerator *x, uint32_t l)
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

/* ---- Coherence ------------------------------------------------------------------- */

/* The place of a read that has no source yet. */
#define NOWHERE UINT32_MAX

/* The place of an access; reads before the event @n_chosen have their sources. */
static uint32_t stand(const struct enumerator *x, uint32_t event, uint32_t n_chosen)
{
    const struct weiri_execution_event *access = &x->events[event];
    if (access->kind == WEIRI_WRITES_MEMORY) {
        return x->number[event] + 1;
    }
    if (event >= n_chosen) {
        return NOWHERE;
    }
    return access->from == WEIRI_INITIAL ? WEIRI_AT_INITIAL
                                         : x->number[access->from] + 1;
}

/* A thread at the place @at performs an event. Returns: false if that cannot be
 * coherent */
static bool go(struct enumerator *x, uint32_t l, uint32_t event, uint32_t n_chosen,
               uint32_t *at)
{
    const struct weiri_execution_event *access = &x->events[event];
    struct weiri_coherence *coherence = &x->locations[l].coherence;
    if (!weiri_event_is_access(access) || access->location != l) {
        return true;
    }
    uint32_t from = *at, to = stand(x, event, n_chosen);
    bool writes = access->kind == WEIRI_WRITES_MEMORY;
    if (to == NOWHERE) {
        return true;
    }
    *at = to;
    if (!weiri_coherence_go(coherence, from, to, writes)) {
        return false;
    }
    uint32_t read = writes && access->update ? stand(x, event - 1, n_chosen) : NOWHERE;
    return read == NOWHERE || weiri_coherence_attach(coherence, read, to);
}

/* Whether the location can still be coherent. */
static bool is_coherent(struct enumerator *x, uint32_t l, uint32_t n_chosen)
{
    struct location *location = &x->locations[l];
    weiri_coherence_begin(&location->coherence, location->n);
    for (uint32_t t = 0; location->is_kept && t < x->program->n_threads; t++) {
        uint32_t at = WEIRI_AT_INITIAL;
        for (uint32_t event = x->first[t]; event < x->first[t + 1]; event++) {
            if (!go(x, l, event, n_chosen, &at)) {
                return false;
            }
        }
    }
    return weiri_coherence_end(&location->coherence);
}

/* ---- Values ---------------------------------------------------------------------- */

/* The value of a read, as far as it is known. */
static struct weiri_symbolic value_read(const struct enumerator *x, uint32_t event,
                                        uint32_t n_chosen)
{
    const struct weiri_execution_event *read = &x->events[event];
    if (event < n_chosen) {
        if (read->from == WEIRI_INITIAL) {
            return weiri_symbolic_known(x->program->locations[read->location].initial);
        }
        if (x->values[read->from].unknown == 0) {
            return x->values[read->from];
        }
    }
    return (struct weiri_symbolic){ .unknown = event + 1,
                                    .type
                                    = x->program->locations[read->location].type };
}

/* Follows all threads until no more values become known. Returns: false if a thread
 * does not take its path */
static bool follow(struct enumerator *x, uint32_t n_chosen)
{
    for (uint32_t e = 0; e < x->n_events; e++) {
        x->values[e].unknown = e + 1;
    }
    for (uint32_t n_known = 0, n_before = UINT32_MAX; n_known != n_before;) {
        n_before = n_known;
        for (uint32_t r = 0; r < x->n_reads; r++) {
            x->values[x->reads[r]] = value_read(x, x->reads[r], n_chosen);
        }
        for (uint32_t t = 0; t < x->program->n_threads; t++) {
            if (!x->program->paths->follow(x->program->self, t, x->chosen[t],
                                           x->values + x->first[t])) {
                return false;
            }
        }
        n_known = 0;
        for (uint32_t e = 0; e < x->n_events; e++) {
            n_known
                += weiri_event_is_access(&x->events[e]) && x->values[e].unknown == 0;
        }
    }
    return true;
}

/* ---- What each read reads -------------------------------------------------------- */

/* Sets the values of events and the final states of threads. */
static void run_threads(struct enumerator *x)
{
    const struct weiri_program *program = x->program;
    for (uint32_t t = 0; t < program->n_threads; t++) {
        struct weiri_step step;
        program->start(program->self, t, x->states[t], &step);
        for (uint32_t e = x->first[t]; e < x->first[t + 1]; e++) {
            struct weiri_execution_event *event = &x->events[e];
            bool reads = event->kind == WEIRI_READS_MEMORY;
            event->value
                = weiri_event_is_access(event) ? x->values[e].value : event->value;
            if (event->kind != WEIRI_ENTERS && (reads || !event->update)) {
                weiri_assert(step.place == event->place);
                program->resume(program->self, t, x->states[t], event->value,
                                event->update, &step);
            }
        }
    }
}

/* Dependencies do not depend on values: they are computed for the first values that
 * lead along a path. */
static void add_dependencies(struct enumerator *x)
{
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        struct weiri_path *path = x->chosen[t];
        if (!path->has_dependencies) {
            x->program->paths->depend(x->program->self, t, path,
                                      x->values + x->first[t]);
        }
        for (uint32_t e = 0; e < path->n_events; e++) {
            struct weiri_execution_event *event = &x->events[x->first[t] + e];
            event->address = path->events[e].address;
            event->data = path->events[e].data;
            event->control = path->events[e].control;
        }
    }
}

/* Whether all values are known. An iteration that changes nothing could have begun a
 * cycle of undetermined values; except a cycle of plain reads alone, if all that the
 * model requires of a plain location is that a write happens before its read. */
static bool are_known(struct enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    bool known = true;
    for (uint32_t r = 0; r < x->n_reads; r++) {
        const struct weiri_execution_event *read = &x->events[x->reads[r]];
        if (x->values[x->reads[r]].unknown != 0) {
            known = false;
            x->result.lacking |= x->lacks_values
                && (!model->plain_incoherent
                    || x->program->locations[read->location].atomic);
        }
    }
    return known;
}

static void end_sources(struct enumerator *x)
{
    if (!are_known(x)) {
        return;
    }
    if (!x->has_begun) {
        add_dependencies(x);
    }
    run_threads(x);
    choose_order(x, 0);
}

static void choose_source(struct enumerator *x, uint32_t r);

static void try_source(struct enumerator *x, uint32_t r, uint32_t from)
{
    struct weiri_execution_event *read = &x->events[x->reads[r]];
    read->from = from;
    try_one(x);
    if (!x->stopped && is_coherent(x, read->location, x->reads[r] + 1)
        && follow(x, x->reads[r] + 1)) {
        choose_source(x, r + 1);
    }
}

static void choose_source(struct enumerator *x, uint32_t r)
{
    if (r == x->n_reads) {
        end_sources(x);
        return;
    }
    uint32_t event = x->reads[r];
    const struct location *location = &x->locations[x->events[event].location];
    try_source(x, r, WEIRI_INITIAL);
    for (uint32_t w = 0; w < location->n && !x->stopped; w++) {
        uint32_t write = location->writes[w];
        if (!(x->events[event].update && write == event + 1)) {
            try_source(x, r, write);
        }
    }
}

/* ---- The paths ------------------------------------------------------------------- */

/* The @k-th entry of a thread to a barrier, or NULL. */
static const struct weiri_execution_event *entry_of(const struct weiri_path *path,
                                                    uint32_t k)
{
    for (uint32_t e = 0; e < path->n_events; e++) {
        if (path->events[e].kind == WEIRI_ENTERS && k-- == 0) {
            return &path->events[e];
        }
    }
    return NULL;
}

static bool same_group(const struct enumerator *x, uint32_t t, uint32_t other)
{
    return x->program->threads[t].group == x->program->threads[other].group;
}

/* Whether all threads in the group of @t enter the same barrier as their @k-th one. */
static bool meet(const struct enumerator *x, uint32_t t, uint32_t k)
{
    const struct weiri_execution_event *own = entry_of(x->chosen[t], k);
    for (uint32_t other = 0; own != NULL && other < x->program->n_threads; other++) {
        if (same_group(x, t, other)) {
            const struct weiri_execution_event *entry = entry_of(x->chosen[other], k);
            if (entry == NULL || entry->label != own->label
                || (entry->spaces != own->spaces && !x->any_flags)) {
                return false;
            }
        }
    }
    return own != NULL;
}

/* Whether exactly those threads wait for ever whose next barrier others of their group
 * never enter. */
static bool are_met(const struct enumerator *x)
{
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        uint32_t k = 0;
        while (meet(x, t, k)) {
            k++;
        }
        bool waits = entry_of(x->chosen[t], k) != NULL;
        if (waits != (x->chosen[t]->end == WEIRI_END_BARRIER)
            || (waits && entry_of(x->chosen[t], k + 1) != NULL)) {
            return false;
        }
    }
    return true;
}

static void find_end(struct enumerator *x)
{
    x->end = WEIRI_END_COMPLETE;
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        x->end = MAX(x->end, x->chosen[t]->end);
    }
}

/* Returns: false if a location has too many writes */
static bool add_access(struct enumerator *x, uint32_t e)
{
    const struct weiri_execution_event *event = &x->events[e];
    if (event->kind == WEIRI_READS_MEMORY) {
        x->reads[x->n_reads++] = e;
    } else if (event->kind == WEIRI_WRITES_MEMORY) {
        struct location *location = &x->locations[event->location];
        if (location->n == WEIRI_COHERENCE_WRITES) {
            return false;
        }
        x->number[e] = location->n;
        location->writes[location->n++] = e;
    }
    return true;
}

/* Visits all candidates with the chosen paths. */
static void end_paths(struct enumerator *x)
{
    uint32_t n_events = 0;
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        n_events += x->chosen[t]->n_events;
    }
    if (!are_met(x) || n_events > MOST_EVENTS) {
        x->result.exhaustive = x->result.exhaustive && n_events <= MOST_EVENTS;
        return;
    }
    x->n_events = x->n_reads = 0;
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        x->locations[l].n = 0;
    }
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        const struct weiri_path *path = x->chosen[t];
        x->first[t] = x->n_events;
        for (uint32_t e = 0; e < path->n_events; e++) {
            x->events[x->n_events] = path->events[e];
            x->events[x->n_events].thread = t;
            if (!add_access(x, x->n_events++)) {
                x->result.exhaustive = false;
                return;
            }
        }
    }
    x->first[x->program->n_threads] = x->n_events;
    x->execution.n_events = x->n_events;
    find_end(x);
    x->has_begun = false;
    bool coherent = true;
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        coherent = coherent && is_coherent(x, l, 0);
    }
    if (coherent && follow(x, 0)) {
        choose_source(x, 0);
    }
}

static void choose_path(struct enumerator *x, uint32_t t)
{
    if (t == x->program->n_threads) {
        try_one(x);
        if (!x->stopped) {
            end_paths(x);
        }
        return;
    }
    for (uint32_t p = 0; p < x->paths[t].n && !x->stopped; p++) {
        x->chosen[t] = &x->paths[t].paths[p];
        choose_path(x, t + 1);
    }
}

/* ---- All of it ------------------------------------------------------------------- */

static bool is_alone(const struct enumerator *x, uint32_t t)
{
    for (uint32_t other = 0; other < x->program->n_threads; other++) {
        if (other != t && same_group(x, t, other)) {
            return false;
        }
    }
    return true;
}

static void find_paths(struct enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    bool synchronises = false, reassigns = false, releases = false;
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        x->paths[t] = x->program->paths->find(x->program->self, t, !is_alone(x, t));
        x->result.exhaustive = x->result.exhaustive && x->paths[t].complete;
        synchronises |= x->paths[t].synchronises;
        reassigns |= x->paths[t].reassigns;
        releases |= x->paths[t].releases;
    }
    x->lacks_order
        = model != NULL && synchronises && releases ? model->lacks_order : NULL;
    x->lacks_dependency = model != NULL && reassigns ? model->lacks_dependency : NULL;
    x->lacks_values = model != NULL && reassigns && model->buffers;
}

/* Allocates for the candidate with the most events. */
static void make_room(struct enumerator *x)
{
    uint32_t n_threads = x->program->n_threads;
    size_t n_events = 1;
    for (uint32_t t = 0; t < n_threads; t++) {
        uint32_t most = 0;
        for (uint32_t p = 0; p < x->paths[t].n; p++) {
            most = MAX(most, x->paths[t].paths[p].n_events);
        }
        n_events += most;
        x->states[t] = g_malloc0(x->program->state_bytes);
    }
    x->events = g_new0(struct weiri_execution_event, n_events);
    x->values = g_new0(struct weiri_symbolic, n_events);
    x->reads = g_new(uint32_t, n_events);
    x->number = g_new(uint32_t, n_events);
}

static void start(struct enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    const struct weiri_program *program = x->program;
    x->paths = g_new0(struct weiri_paths, program->n_threads);
    x->chosen = g_new0(struct weiri_path *, program->n_threads);
    x->first = g_new0(uint32_t, program->n_threads + 1);
    x->states = g_new0(void *, program->n_threads);
    x->memory = g_new0(int64_t, MAX(program->n_locations, 1));
    x->locations = g_new0(struct location, MAX(program->n_locations, 1));
    x->current = g_new(uint32_t, MAX(program->n_locations, 1));
    for (uint32_t l = 0; l < program->n_locations; l++) {
        x->locations[l].is_kept = model == NULL
            ? x->options->coherent
            : program->locations[l].atomic || !model->plain_incoherent;
    }
    find_paths(x);
    make_room(x);
    x->execution = (struct weiri_execution){ .program = program,
                                             .events = x->events,
                                             .first = x->first,
                                             .states = (const void *const *)x->states,
                                             .memory = x->memory };
}

static void clear_paths(struct weiri_paths *paths)
{
    for (uint32_t i = 0; i < paths->n; i++) {
        g_free(paths->paths[i].steps);
        g_free(paths->paths[i].events);
    }
    g_free(paths->paths);
}

static void clear(struct enumerator *x)
{
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        clear_paths(&x->paths[t]);
        g_free(x->states[t]);
    }
    g_free(x->paths);
    g_free(x->chosen);
    g_free(x->first);
    g_free(x->states);
    g_free(x->memory);
    g_free(x->locations);
    g_free(x->current);
    g_free(x->events);
    g_free(x->values);
    g_free(x->reads);
    g_free(x->number);
    weiri_algebra_clear(&x->algebra);
}

struct weiri_enumeration weiri_enumerate(const struct weiri_program *program,
                                         const struct weiri_enumerate_options *options)
{
    struct enumerator x
        = { .program = program,
            .options = options,
            .any_flags
            = options->model == NULL ? options->any_flags : options->model->any_flags,
            .result.exhaustive = true };
    start(&x);
    choose_path(&x, 0);
    clear(&x);
    return x.result;
}
