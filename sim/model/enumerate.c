/* SPDX-License-Identifier: MIT
 *
 * enumerate.c: see enumerate.h. Nested choices:
 *
 *     a path for each thread                   choose_path()
 *       who completes which barrier            meet(), for barriers with a quorum
 *         the write that each read reads       choose_source()
 *           the order of writes                enumerate-total.c, enumerate-partial.c
 *             does the model allow it?
 *
 * After each choice of a source, the threads are followed along their paths with all
 * values that are known so far, until no more values become known. If a thread does not
 * take its path, the remaining choices are skipped. Values that are still unknown at
 * the end form cycles that determine no value; under a model with values out of thin
 * air, they are guessed among the values that the program names.
 *
 * Reads of atomic accesses choose first: they decide about control and synchronisation,
 * which leaves the others fewer choices.
 *
 * litmus/paths.c lists the paths of threads, and coherence.c the orders that a location
 * can have. */
#include "config.h"

#include "model/enumerator.h"

#include "base/assert.h"

#include <glib.h>
#include <string.h>

/* The most events of a candidate. A relation between this many takes 32 KiB, and a
 * model makes about a hundred. */
enum { MOST_EVENTS = 512 };

/* ---- Values ---------------------------------------------------------------------- */

/* The value of a read, as far as it is known. */
static struct weiri_symbolic value_read(const struct weiri_enumerator *x,
                                        uint32_t event)
{
    const struct weiri_execution_event *read = &x->events[event];
    if (read->from == WEIRI_INITIAL) {
        return weiri_symbolic_known(x->program->locations[read->location].initial);
    }
    if (x->guesses[event].unknown == 0) {
        return x->guesses[event];
    }
    if (read->from != WEIRI_UNREAD && x->values[read->from].unknown == 0) {
        return x->values[read->from];
    }
    return (struct weiri_symbolic){ .unknown = event + 1,
                                    .type
                                    = x->program->locations[read->location].type };
}

/* Follows all threads until no more values become known. Returns: false if a thread
 * does not take its path */
static bool follow(struct weiri_enumerator *x)
{
    for (uint32_t e = 0; e < x->n_events; e++) {
        x->values[e].unknown = e + 1;
    }
    for (uint32_t n_known = 0, n_before = UINT32_MAX; n_known != n_before;) {
        n_before = n_known;
        for (uint32_t r = 0; r < x->n_reads; r++) {
            x->values[x->reads[r]] = value_read(x, x->reads[r]);
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
static void run_threads(struct weiri_enumerator *x)
{
    const struct weiri_program *program = x->program;
    for (uint32_t t = 0; t < program->n_threads; t++) {
        struct weiri_step step;
        program->start(program->self, t, x->states[t], &step);
        for (uint32_t e = x->first[t]; e < x->first[t + 1]; e++) {
            struct weiri_execution_event *event = &x->events[e];
            bool reads = event->kind == WEIRI_READS_MEMORY;
            bool stated = (event->traits.flags & WEIRI_TRAIT_STATED) != 0;
            bool waits = event->kind == WEIRI_ENTERS
                && (event->traits.flags & WEIRI_TRAIT_ARRIVES) == 0;
            if (weiri_event_is_access(event)) {
                event->value = x->values[e].value;
            } else if (stated) {
                event->value = step.value; /* the number of the barrier */
            }
            if (!waits && (reads || !event->update)) {
                weiri_assert(step.place == event->place);
                program->resume(program->self, t, x->states[t], event->value,
                                event->update, &step);
            }
        }
    }
}

/* Dependencies do not depend on values: they are computed for the first values that
 * lead along a path. */
static void add_dependencies(struct weiri_enumerator *x)
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
static bool are_known(struct weiri_enumerator *x)
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

/* No entry completes a barrier, as far as that is known. */
static void forget_meetings(struct weiri_enumerator *x)
{
    for (uint32_t e = 0; e < x->n_events; e++) {
        x->events[e].traits.flags |= WEIRI_TRAIT_LATE;
    }
    x->has_begun = false;
}

/* Continues with the barriers that are completed, for each choice of who completes
 * them. */
static void meet_by_choices(struct weiri_enumerator *x,
                            void (*next)(struct weiri_enumerator *x))
{
    const struct weiri_program *program = x->program;
    for (uint64_t choice = 0; !x->stopped; choice++) {
        enum weiri_rendezvous meeting = program->rendezvous(
            program->self, &x->execution, x->ends, choice, x->late);
        if (meeting == WEIRI_NO_MEETING) {
            return;
        }
        if (meeting == WEIRI_OTHER_MEETING) {
            continue;
        }
        for (uint32_t e = 0; e < x->n_events; e++) {
            x->events[e].traits.flags &= (uint16_t)~WEIRI_TRAIT_LATE;
            x->events[e].traits.flags |= x->late[e] ? WEIRI_TRAIT_LATE : 0;
        }
        x->has_begun = false;
        next(x);
    }
}

static void choose_order(struct weiri_enumerator *x)
{
    if (x->is_partial) {
        weiri_enumerator_orient(x);
    } else {
        weiri_enumerator_order(x);
    }
}

/* All values are known. */
static void end_values(struct weiri_enumerator *x)
{
    if (!x->has_dependencies) {
        add_dependencies(x);
        x->has_dependencies = true;
        x->has_begun = false;
    }
    run_threads(x);
    if (x->has_met) {
        choose_order(x);
    } else {
        meet_by_choices(x, choose_order);
        forget_meetings(x);
    }
}

/* Whether each value that was guessed is the one that the thread has read. */
static bool are_right(const struct weiri_enumerator *x)
{
    for (uint32_t r = 0; r < x->n_reads; r++) {
        uint32_t read = x->reads[r];
        if (x->guesses[read].unknown == 0
            && x->values[x->events[read].from].value != x->guesses[read].value) {
            return false;
        }
    }
    return true;
}

/* Tries all values for the first read whose value justifies itself. */
static void guess(struct weiri_enumerator *x)
{
    uint32_t r = 0;
    while (x->values[x->reads[r]].unknown == 0) {
        r++;
    }
    struct weiri_symbolic *value = &x->guesses[x->reads[r]];
    for (uint32_t c = 0; c < x->program->n_constants && !x->stopped; c++) {
        *value = weiri_symbolic_known(x->program->constants[c]);
        weiri_enumerator_try(x);
        if (!follow(x)) {
            continue;
        }
        if (!are_known(x)) {
            guess(x);
        } else if (are_right(x)) {
            end_values(x);
        }
    }
    value->unknown = 1;
}

static void end_sources(struct weiri_enumerator *x)
{
    if (are_known(x)) {
        end_values(x);
    } else if (x->options->forbidden
               || (x->options->model != NULL && x->options->model->thin_air)) {
        guess(x);
    }
}

static void choose_source(struct weiri_enumerator *x, uint32_t r);

/* Whether there can be an execution with the sources chosen so far, the last one of
 * them at that location. */
static bool may_go_on(struct weiri_enumerator *x, uint32_t location)
{
    return weiri_enumerator_is_coherent(x, location) && follow(x)
        && (!x->is_partial
            || ((x->options->may == NULL || x->options->may(x->options->user))
                && (x->is_one || weiri_enumerator_may_hold(x))));
}

static void try_source(struct weiri_enumerator *x, uint32_t r, uint32_t from)
{
    struct weiri_execution_event *read = &x->events[x->reads[r]];
    read->from = from;
    weiri_enumerator_try(x);
    if (!x->stopped && may_go_on(x, read->location)) {
        choose_source(x, r + 1);
    }
    read->from = WEIRI_UNREAD;
}

/* How many sources of a read of a coherent location are left; or @most, if there are at
 * least as many. */
static uint32_t count_sources(struct weiri_enumerator *x, uint32_t event, uint32_t most)
{
    struct weiri_execution_event *read = &x->events[event];
    const struct weiri_enumerated_location *location = &x->locations[read->location];
    uint32_t n = 0;
    for (uint32_t w = 0; w <= location->n && n < most; w++) {
        read->from = w == 0 ? WEIRI_INITIAL : location->writes[w - 1];
        n += weiri_enumerator_is_coherent(x, read->location);
    }
    read->from = WEIRI_UNREAD;
    return n;
}

/* Whether the read is the first one of its thread and location without a source. */
static bool is_next(const struct weiri_enumerator *x, uint32_t r, uint32_t event)
{
    const struct weiri_execution_event *read = &x->events[event];
    for (uint32_t i = r; i < x->n_reads; i++) {
        const struct weiri_execution_event *other = &x->events[x->reads[i]];
        if (x->reads[i] < event && other->thread == read->thread
            && other->location == read->location) {
            return false;
        }
    }
    return true;
}

/* The read that chooses next, by its place: of those of coherent locations the one with
 * the fewest sources left, which mostly is a single one where read-modify-writes follow
 * each other; otherwise the first one. */
static uint32_t find_next(struct weiri_enumerator *x, uint32_t r)
{
    uint32_t best = r, least = UINT32_MAX;
    for (uint32_t i = r; i < x->n_reads && least > 1; i++) {
        uint32_t event = x->reads[i];
        if (x->locations[x->events[event].location].is_kept && is_next(x, r, event)) {
            uint32_t n = count_sources(x, event, least);
            best = n < least ? i : best;
            least = MIN(least, n);
        }
    }
    return best;
}

/* Moves a read from one place to another one in the order of choices. */
static void move(struct weiri_enumerator *x, uint32_t from, uint32_t to)
{
    uint32_t read = x->reads[from];
    size_t n = from < to ? to - from : from - to;
    if (from < to) {
        memmove(&x->reads[from], &x->reads[from + 1], n * sizeof(*x->reads));
    } else {
        memmove(&x->reads[to + 1], &x->reads[to], n * sizeof(*x->reads));
    }
    x->reads[to] = read;
}

static void choose_source(struct weiri_enumerator *x, uint32_t r)
{
    if (r == x->n_reads) {
        end_sources(x);
        return;
    }
    uint32_t next = x->is_partial ? find_next(x, r) : r;
    move(x, next, r);
    uint32_t event = x->reads[r];
    const struct weiri_enumerated_location *location
        = &x->locations[x->events[event].location];
    try_source(x, r, WEIRI_INITIAL);
    for (uint32_t w = 0; w < location->n && !x->stopped; w++) {
        uint32_t write = location->writes[w];
        if (!(x->events[event].update && write == event + 1)) {
            try_source(x, r, write);
        }
    }
    move(x, r, next);
}

static void choose_sources(struct weiri_enumerator *x)
{
    if (follow(x)) {
        choose_source(x, 0);
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

static bool same_group(const struct weiri_enumerator *x, uint32_t t, uint32_t other)
{
    return x->program->threads[t].group == x->program->threads[other].group;
}

/* Whether all threads in the group of @t enter the same barrier as their @k-th one. */
static bool meet(const struct weiri_enumerator *x, uint32_t t, uint32_t k)
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
static bool are_met(const struct weiri_enumerator *x)
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

static void find_end(struct weiri_enumerator *x)
{
    x->end = WEIRI_END_COMPLETE;
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        x->ends[t] = (uint8_t)x->chosen[t]->end;
        x->end = MAX(x->end, x->chosen[t]->end);
    }
}

/* Returns: false if a location has too many writes */
static bool add_access(struct weiri_enumerator *x, uint32_t e)
{
    const struct weiri_execution_event *event = &x->events[e];
    if (event->kind == WEIRI_READS_MEMORY) {
        x->reads[x->n_reads++] = e;
        x->events[e].from = WEIRI_UNREAD;
        x->guesses[e].unknown = 1;
    } else if (event->kind == WEIRI_WRITES_MEMORY) {
        struct weiri_enumerated_location *location = &x->locations[event->location];
        if (location->n == WEIRI_COHERENCE_WRITES) {
            return false;
        }
        x->number[e] = location->n;
        location->writes[location->n++] = e;
    }
    return true;
}

/* Reads of atomic accesses come first, if sources can be abandoned early. */
static void sort_reads(struct weiri_enumerator *x)
{
    uint32_t n = 0;
    for (uint32_t e = 0; x->is_partial && e < x->n_events; e++) {
        if (x->events[e].kind == WEIRI_READS_MEMORY && x->events[e].atomic) {
            x->reads[n++] = e;
        }
    }
    for (uint32_t e = 0; x->is_partial && e < x->n_events; e++) {
        if (x->events[e].kind == WEIRI_READS_MEMORY && !x->events[e].atomic) {
            x->reads[n++] = e;
        }
    }
}

/* Visits all candidates with the chosen paths. */
static void end_paths(struct weiri_enumerator *x)
{
    uint32_t n_events = 0;
    for (uint32_t t = 0; t < x->program->n_threads; t++) {
        n_events += x->chosen[t]->n_events;
    }
    bool states_meetings = x->program->rendezvous != NULL;
    if ((!states_meetings && !are_met(x)) || n_events > MOST_EVENTS) {
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
    x->has_begun = x->has_dependencies = false;
    x->has_met = !states_meetings || x->program->fixed_barriers;
    sort_reads(x);
    bool coherent = true;
    for (uint32_t l = 0; l < x->program->n_locations; l++) {
        coherent = coherent && weiri_enumerator_is_coherent(x, l);
    }
    if (!coherent) {
        return;
    }
    if (states_meetings && x->has_met) {
        meet_by_choices(x, choose_sources);
    } else {
        if (states_meetings) {
            forget_meetings(x);
        }
        choose_sources(x);
    }
}

static void choose_path(struct weiri_enumerator *x, uint32_t t)
{
    if (t == x->program->n_threads) {
        weiri_enumerator_try(x);
        if (!x->stopped) {
            end_paths(x);
        }
        return;
    }
    for (uint32_t p = 0; p < x->paths[t].n && !x->stopped; p++) {
        x->chosen[t] = &x->paths[t].paths[p];
        if (x->program->paths->fits == NULL
            || x->program->paths->fits(x->program->self, x->chosen, t + 1)) {
            choose_path(x, t + 1);
        }
    }
}

/* ---- All of it ------------------------------------------------------------------- */

static bool is_alone(const struct weiri_enumerator *x, uint32_t t)
{
    for (uint32_t other = 0; other < x->program->n_threads; other++) {
        if (other != t && same_group(x, t, other)) {
            return false;
        }
    }
    return true;
}

static void find_paths(struct weiri_enumerator *x)
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
static void make_room(struct weiri_enumerator *x)
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
    x->guesses = g_new0(struct weiri_symbolic, n_events);
    x->late = g_new0(bool, n_events);
    x->reads = g_new(uint32_t, n_events);
    x->number = g_new(uint32_t, n_events);
}

static void start(struct weiri_enumerator *x)
{
    const struct weiri_model *model = x->options->model;
    const struct weiri_program *program = x->program;
    x->paths = g_new0(struct weiri_paths, program->n_threads);
    x->chosen = g_new0(struct weiri_path *, program->n_threads);
    x->first = g_new0(uint32_t, program->n_threads + 1);
    x->states = g_new0(void *, program->n_threads);
    x->ends = g_new0(uint8_t, program->n_threads);
    x->memory = g_new0(int64_t, MAX(program->n_locations, 1));
    x->locations
        = g_new0(struct weiri_enumerated_location, MAX(program->n_locations, 1));
    x->current = g_new(uint32_t, MAX(program->n_locations, 1));
    for (uint32_t l = 0; l < program->n_locations; l++) {
        x->locations[l].is_kept = model == NULL ? x->options->coherent
                                                : !x->is_partial
                && (program->locations[l].atomic || !model->plain_incoherent);
    }
    find_paths(x);
    if (x->is_partial) {
        weiri_enumerator_keep(x);
    }
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

static void clear(struct weiri_enumerator *x)
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
    g_free(x->guesses);
    g_free(x->late);
    g_free(x->ends);
    g_free(x->reads);
    g_free(x->number);
    weiri_algebra_clear(&x->algebra);
}

struct weiri_enumeration weiri_enumerate(const struct weiri_program *program,
                                         const struct weiri_enumerate_options *options)
{
    struct weiri_enumerator x
        = { .program = program,
            .options = options,
            .is_partial = options->model != NULL && options->model->n_choices > 0,
            .any_flags
            = options->model == NULL ? options->any_flags : options->model->any_flags,
            .result.exhaustive = true };
    start(&x);
    choose_path(&x, 0);
    clear(&x);
    return x.result;
}
