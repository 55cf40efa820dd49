/* SPDX-License-Identifier: MIT
 *
 * sample.c: see sample.h: random runs, and those with few deviations.
 *
 * A run grows one graph, event by event, and never goes back: a scheduler chooses the
 * thread, a read chooses among the writes that it could read, and a write its place. So
 * a run has weak values as well as a schedule. Each execution that the explorer visits
 * can be met: its events can be added in an order in which each comes after those that
 * it needs, and a write is added at any place of its modification order.
 *
 * Random runs differ in how they choose, by their seeds: threads take turns at random,
 * or by priorities that change now and then, which keeps a thread back for long; reads
 * read any write alike, or mostly the last one, so that long runs do not see old values
 * only.
 *
 * A thread that spins has read values that lead nowhere. Its last iteration is taken
 * out of the graph, and the thread goes on when there is another write. When all others
 * have stopped, it reads the latest values; if it still spins it waits for ever.
 *
 * Plain accesses that involve no choice are made at once, and take nothing from the
 * generator: a run is the same however many locations are known.
 *
 * A bounded run makes the same choices, but not at random: each choice has a usual
 * option, and any other one is a deviation. The runs with few deviations are made in
 * the lexicographic order of their choices: a run repeats the choices of the run before
 * it, but for the last one that has another option. This is delay bounding (Emmi,
 * Qadeer, Rakamaric: "Delay-bounded scheduling", POPL 2011), with reads of old values
 * and early places of writes as further deviations. */
#include "config.h"

#include "model/sample.h"

#include "base/rng.h"
#include "model/rewind.h"

#include <glib.h>

/* Events of a graph. */
enum { MOST_EVENTS = 20000 };
/* Steps of a thread that reads the latest values, until it is back in its loop. */
enum { MOST_STEPS_OF_A_ROUND = 64 };
/* One of this many, in some runs: reads that do not read the last write; writes that
 * are not last; weak operations that fail. */
enum { ONE_STALE = 8, ONE_EARLY = 4, ONE_FAILS = 4 };

/* A choice of a bounded run: the option that was taken, and how many there are; 0 is
 * the usual one. */
struct choice {
    uint32_t taken, n;
};

struct sampler {
    struct weiri_frame frame;
    const struct weiri_explore_options *options;
    struct weiri_graph graphs[2];
    struct weiri_graph *graph; /* one of them; the other one is for a copy */
    struct weiri_rng rng;
    uint32_t *waits; /* by thread: the number of writes at which it began to wait in a
                         loop, plus 1; or 0 */
    bool *spins;     /* by thread: its last iteration, with the latest values, is in the
                    graph */
    uint32_t *rank;  /* by thread: its priority */
    uint32_t lowest; /* priority, so far */
    uint32_t change; /* one step of this many changes a priority; 0: none does */
    bool mostly_last; /* how reads choose */
    GArray *choices;  /* of struct choice, of a bounded run, owned; NULL: random */
    uint32_t n_made;  /* of them */
    uint32_t most;    /* deviations, and */
    uint32_t n_deviations;
    uint32_t current; /* thread of a bounded run */
    bool impossible;  /* the run has taken an option that does not exist */
    uint32_t *room;   /* for choices */
    uint32_t capacity;
};

static bool one_of(struct sampler *s, uint64_t n)
{
    return weiri_rng_below(&s->rng, n) == 0;
}

/* An option of a bounded run. */
static uint32_t decide(struct sampler *s, uint32_t n)
{
    if (s->n_made == s->choices->len) {
        struct choice next = { 0, s->n_deviations < s->most ? n : 1 };
        g_array_append_val(s->choices, next);
    }
    uint32_t taken = g_array_index(s->choices, struct choice, s->n_made++).taken;
    s->n_deviations += taken > 0;
    return taken;
}

static uint32_t n_writes(const struct sampler *s)
{
    uint32_t n = 1;
    for (uint32_t l = 0; l < s->frame.program->n_locations; l++) {
        n += s->graph->writes[l].n;
    }
    return n;
}

static bool has_choice(const struct sampler *s, const struct weiri_step *step)
{
    return !s->options->stop_at_race || step->atomic;
}

static bool is_access(const struct weiri_step *step)
{
    return step->kind == WEIRI_STEP_READ || step->kind == WEIRI_STEP_UPDATE
        || step->kind == WEIRI_STEP_WRITE;
}

/* ---- Choices --------------------------------------------------------------------- */

static void *room_for(struct sampler *s, uint32_t n)
{
    if (n > s->capacity) {
        s->capacity = 2 * n;
        s->room = g_renew(uint32_t, s->room, s->capacity);
    }
    return s->room;
}

/* Whether another read-modify-write reads the write before @place, from 0. */
static bool is_taken(const struct weiri_order_of_writes *writes,
                     const struct weiri_graph *graph, uint32_t place)
{
    return place < writes->n && graph->nodes[writes->at[place]].update;
}

/* The thread's READ or UPDATE reads what is before @place of the modification order.
 * Returns: whether that is possible */
static bool try_read(struct sampler *s, uint32_t thread, uint32_t place, bool fails)
{
    struct weiri_graph *graph = s->graph;
    const struct weiri_program *program = s->frame.program;
    struct weiri_step step = *weiri_graph_next(graph, thread);
    const struct weiri_order_of_writes *writes = &graph->writes[step.location];
    uint16_t from = place == 0 ? WEIRI_NO_EVENT : writes->at[place - 1];
    bool last = place == writes->n;
    int64_t value = 0;
    bool could = step.kind == WEIRI_STEP_UPDATE
        && program->update(program->self, thread, weiri_graph_state(graph, thread),
                           weiri_graph_value(graph, step.location, from), &value);
    bool updates = could && !(fails && step.weak);
    if (updates && is_taken(writes, graph, place)) {
        return false;
    }
    uint32_t n = graph->n;
    weiri_graph_read(graph, thread, from, updates);
    if (updates) {
        weiri_graph_update(graph, thread, value);
    }
    if ((!last || updates != could) && !weiri_graph_is_consistent(graph)) {
        weiri_graph_cut(graph, n);
        return false;
    }
    return true;
}

static bool try_write(struct sampler *s, uint32_t thread, uint32_t place)
{
    struct weiri_graph *graph = s->graph;
    const struct weiri_order_of_writes *writes
        = &graph->writes[weiri_graph_next(graph, thread)->location];
    bool last = place == writes->n;
    if (is_taken(writes, graph, place)) {
        return false;
    }
    uint32_t n = graph->n;
    weiri_graph_write(graph, thread, place);
    if (!last && !weiri_graph_is_consistent(graph)) {
        weiri_graph_cut(graph, n);
        return false;
    }
    return true;
}

/* The options of an access: the last place, and then the others, the latest first. A
 * weak operation that could succeed may then fail at each. */
static void perform_bounded(struct sampler *s, uint32_t thread)
{
    const struct weiri_graph *graph = s->graph;
    const struct weiri_step step = *weiri_graph_next(graph, thread);
    uint32_t end = graph->writes[step.location].n;
    uint32_t n = end - weiri_graph_floor(graph, thread, step.location) + 1;
    uint32_t option = decide(s, step.weak ? 2 * n : n), place = end - option % n;
    s->impossible |= step.kind == WEIRI_STEP_WRITE
        ? !try_write(s, thread, place)
        : !try_read(s, thread, place, option >= n);
}

/* Performs the thread's access. @latest: at the last place, without a choice */
static void perform(struct sampler *s, uint32_t thread, bool latest)
{
    const struct weiri_graph *graph = s->graph;
    const struct weiri_step step = *weiri_graph_next(graph, thread);
    bool writes = step.kind == WEIRI_STEP_WRITE;
    if (s->choices != NULL && !latest && has_choice(s, &step)) {
        perform_bounded(s, thread);
        return;
    }
    uint32_t end = graph->writes[step.location].n, n = 0;
    uint32_t floor = weiri_graph_floor(graph, thread, step.location);
    bool fails = false;
    if (!latest && has_choice(s, &step)) {
        fails = step.weak && one_of(s, ONE_FAILS);
        bool last = (writes && !one_of(s, ONE_EARLY))
            || (!writes && s->mostly_last && !one_of(s, ONE_STALE));
        n = last ? 0 : end - floor + 1;
    }
    uint32_t *places = room_for(s, n);
    for (uint32_t i = 0; i < n; i++) {
        places[i] = floor + i;
    }
    while (n > 0) {
        uint32_t i = (uint32_t)weiri_rng_below(&s->rng, n), place = places[i];
        places[i] = places[--n];
        if (writes ? try_write(s, thread, place) : try_read(s, thread, place, fails)) {
            return;
        }
    }
    /* The last place is always possible. */
    if (writes) {
        (void)try_write(s, thread, end);
    } else if (!fails || !try_read(s, thread, end, true)) {
        (void)try_read(s, thread, end, false);
    }
}

/* ---- Loops that wait ------------------------------------------------------------- */

/* Takes the last iteration of the thread, which spins, out of the graph. */
static void take_out(struct sampler *s, uint32_t thread)
{
    struct weiri_graph *copy = &s->graphs[s->graph == &s->graphs[0]];
    weiri_graph_rewind(copy, s->graph, thread);
    s->graph = copy;
    s->waits[thread] = n_writes(s);
}

/* The thread has taken a step. */
static void look_for_spin(struct sampler *s, uint32_t thread)
{
    s->waits[thread] = 0;
    if (weiri_graph_next(s->graph, thread)->kind == WEIRI_STEP_SPIN) {
        take_out(s, thread);
    }
}

/* Lets threads that wait read the latest values, one after the other. Returns: whether
 * one of them goes on */
static bool last_rounds(struct sampler *s)
{
    bool on = false;
    for (uint32_t t = 0; t < s->frame.n_threads && !on; t++) {
        if (s->waits[t] == 0) {
            continue;
        }
        uint32_t steps = 0;
        while (is_access(weiri_graph_next(s->graph, t))
               && steps++ < MOST_STEPS_OF_A_ROUND) {
            perform(s, t, true);
            weiri_graph_add_free(s->graph, MOST_EVENTS);
        }
        s->spins[t] = weiri_graph_next(s->graph, t)->kind == WEIRI_STEP_SPIN;
        s->waits[t] = 0;
        on = !s->spins[t];
    }
    for (uint32_t t = 0; t < s->frame.n_threads && on; t++) {
        if (s->spins[t]) {
            take_out(s, t);
            s->spins[t] = false;
        }
    }
    return on;
}

/* ---- A run ----------------------------------------------------------------------- */

static void begin(struct sampler *s, uint64_t seed)
{
    s->rng.state = seed;
    s->graph = &s->graphs[0];
    weiri_graph_cut(s->graph, 0);
    s->mostly_last = one_of(s, 2);
    s->change = one_of(s, 2) ? 0 : 2u << weiri_rng_below(&s->rng, 5);
    s->lowest = UINT32_MAX / 2;
    s->n_made = s->n_deviations = s->current = 0;
    s->impossible = false;
    for (uint32_t t = 0; t < s->frame.n_threads; t++) {
        s->waits[t] = 0;
        s->spins[t] = false;
        s->rank[t] = s->lowest + (uint32_t)weiri_rng_below(&s->rng, s->lowest);
    }
}

/* Whether the thread can take a step. */
static bool is_ready(const struct sampler *s, uint32_t thread, uint32_t writes)
{
    return is_access(weiri_graph_next(s->graph, thread))
        && (s->waits[thread] == 0 || s->waits[thread] < writes);
}

/* The options are the thread that took the last step, if it can take another one, and
 * then all others that can. */
static uint32_t choose_bounded(struct sampler *s, const uint32_t *ready, uint32_t n)
{
    uint32_t usual = 0;
    while (usual < n && ready[usual] != s->current) {
        usual++;
    }
    usual = usual == n ? 0 : usual;
    uint32_t option = decide(s, n);
    s->current = ready[option == 0 ? usual : option <= usual ? option - 1 : option];
    return s->current;
}

/* Returns: a thread, or UINT32_MAX where none can take a step */
static uint32_t choose_thread(struct sampler *s)
{
    uint32_t n = 0, chosen = UINT32_MAX, writes = n_writes(s);
    uint32_t *ready = room_for(s, s->frame.n_threads);
    for (uint32_t t = 0; t < s->frame.n_threads; t++) {
        if (is_ready(s, t, writes)) {
            ready[n++] = t;
            if (chosen == UINT32_MAX || s->rank[t] > s->rank[chosen]) {
                chosen = t;
            }
        }
    }
    if (n == 0) {
        return UINT32_MAX;
    }
    if (s->choices != NULL) {
        return choose_bounded(s, ready, n);
    }
    if (s->change == 0) {
        return ready[weiri_rng_below(&s->rng, n)];
    }
    if (one_of(s, s->change)) {
        s->rank[chosen] = --s->lowest;
    }
    return chosen;
}

/* Whether a race ends the run. */
static bool is_over(struct sampler *s)
{
    uint32_t one, other;
    return s->options->stop_at_race && weiri_graph_race(s->graph, &one, &other);
}

/* Adds all events without a choice. Returns: false if the run ends at a race */
static bool add_free(struct sampler *s)
{
    for (bool on = true; on;) {
        on = false;
        weiri_graph_add_free(s->graph, MOST_EVENTS);
        for (uint32_t t = 0; t < s->frame.n_threads; t++) {
            const struct weiri_step *next = weiri_graph_next(s->graph, t);
            if (next->kind == WEIRI_STEP_SPIN) { /* after a fence */
                take_out(s, t);
                on = true;
            } else if (is_access(next) && !has_choice(s, next) && s->waits[t] == 0
                       && s->graph->n < MOST_EVENTS && !s->frame.program->stopped) {
                perform(s, t, true);
                look_for_spin(s, t);
                on = true;
                if (is_over(s)) {
                    return false;
                }
            }
        }
    }
    return !is_over(s);
}

/* Returns: whether the run ended at a race */
static bool run(struct sampler *s)
{
    while (add_free(s)) {
        if (s->frame.program->stopped || s->graph->n >= MOST_EVENTS) {
            return false;
        }
        uint32_t thread = choose_thread(s);
        if (thread != UINT32_MAX) {
            perform(s, thread, false);
            if (s->impossible) {
                return false;
            }
            look_for_spin(s, thread);
        } else if (!last_rounds(s)) {
            return is_over(s);
        }
    }
    return true;
}

/* ---- All runs -------------------------------------------------------------------- */

/* The execution is met for the first time. Returns: whether to continue */
static bool note(struct sampler *s, struct weiri_exploration *done, bool race)
{
    const struct weiri_explore_options *options = s->options;
    bool complete = true;
    for (uint32_t t = 0; t < s->frame.n_threads && complete && !race; t++) {
        complete = weiri_graph_next(s->graph, t)->kind == WEIRI_STEP_END;
    }
    if (!complete) {
        enum weiri_execution_end why = weiri_graph_end(s->graph);
        *(why == WEIRI_END_BOUND ? &done->cut : &done->blocked) += 1;
        options->stuck(options->user, s->graph, why);
        return true;
    }
    uint32_t one, other;
    race |= options->races && weiri_graph_race(s->graph, &one, &other);
    done->executions++;
    done->racy += race;
    return options->execution(options->user, s->graph, race);
}

static void count_once(void *key, void *value, void *data)
{
    (void)key;
    *(uint64_t *)data += GPOINTER_TO_SIZE(value) == 1;
}

static void init(struct sampler *s, const struct weiri_program *program)
{
    weiri_frame_init(&s->frame, program, s->options->model);
    weiri_graph_init(&s->graphs[0], &s->frame);
    weiri_graph_init(&s->graphs[1], &s->frame);
    s->waits = g_new(uint32_t, s->frame.n_threads);
    s->spins = g_new(bool, s->frame.n_threads);
    s->rank = g_new(uint32_t, s->frame.n_threads);
}

static void clear(struct sampler *s)
{
    weiri_graph_clear(&s->graphs[0]);
    weiri_graph_clear(&s->graphs[1]);
    weiri_frame_clear(&s->frame);
    g_free(s->waits);
    g_free(s->spins);
    g_free(s->rank);
    g_free(s->room);
}

/* When the time limit is over. */
static gint64 end_of(const struct weiri_explore_options *options)
{
    return options->time_limit > 0
        ? g_get_monotonic_time() + (gint64)(options->time_limit * G_USEC_PER_SEC)
        : G_MAXINT64;
}

struct weiri_sampling weiri_sample(const struct weiri_program *program,
                                   const struct weiri_explore_options *options,
                                   uint64_t n, uint64_t seed, uint64_t *now)
{
    struct weiri_sampling sampling = { .runs = 0 };
    struct sampler s = { .options = options };
    gint64 ends = end_of(options);
    init(&s, program);
    g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL); /* to how often */
    for (bool on = true; on && sampling.runs < n && g_get_monotonic_time() < ends;) {
        *now = seed + sampling.runs;
        begin(&s, *now);
        bool race = run(&s);
        if (program->stopped || s.graph->n >= MOST_EVENTS) {
            sampling.done.too_large = !program->stopped;
            break;
        }
        void *hash = GSIZE_TO_POINTER((gsize)weiri_graph_hash(s.graph));
        gsize times = GPOINTER_TO_SIZE(g_hash_table_lookup(met, hash));
        g_hash_table_insert(met, hash, GSIZE_TO_POINTER(times + 1));
        if (times == 0) {
            on = note(&s, &sampling.done, race) && !program->stopped;
            sampling.late += sampling.runs >= n - n / 10;
        }
        sampling.runs++;
    }
    sampling.done.limited = sampling.runs < n && g_get_monotonic_time() >= ends;
    g_hash_table_foreach(met, count_once, &sampling.once);
    clear(&s);
    return sampling;
}

/* ---- Bounded runs ---------------------------------------------------------------- */

/* Moves the choices on to the next run. Returns: whether there is one */
static bool go_back(GArray *choices)
{
    while (choices->len > 0) {
        struct choice *last = &g_array_index(choices, struct choice, choices->len - 1);
        if (++last->taken < last->n) {
            return true;
        }
        g_array_set_size(choices, choices->len - 1);
    }
    return false;
}

struct weiri_exploration weiri_explore_bounded(
    const struct weiri_program *program, const struct weiri_explore_options *options,
    uint32_t deviations)
{
    struct weiri_exploration done = { .complete = false };
    struct sampler s = { .options = options,
                         .choices = g_array_new(FALSE, FALSE, sizeof(struct choice)),
                         .most = deviations };
    gint64 ends = end_of(options);
    g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL);
    init(&s, program);
    for (bool on = true; on && !done.limited; on = on && go_back(s.choices)) {
        begin(&s, 0);
        bool race = run(&s);
        if (program->stopped || s.graph->n >= MOST_EVENTS) {
            done.too_large = !program->stopped;
            break;
        }
        void *hash = GSIZE_TO_POINTER((gsize)weiri_graph_hash(s.graph));
        if (!s.impossible && g_hash_table_add(met, hash)) {
            on = note(&s, &done, race) && !program->stopped;
            uint64_t n = done.executions + done.blocked + done.cut;
            done.limited = n == options->max_executions;
        }
        done.limited |= g_get_monotonic_time() >= ends;
    }
    clear(&s);
    g_array_unref(s.choices);
    return done;
}
