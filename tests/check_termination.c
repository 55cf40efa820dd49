/* SPDX-License-Identifier: MIT
 *
 * check_termination.c: whether fair executions end, by hand and at random.
 *
 * Tests by hand come in pairs: a program that ends under a model of forward progress,
 * and its nearest neighbour that does not. Random programs are decided in two ways. The
 * library looks for strongly connected parts. The test computes the greatest set of
 * states from which a fair execution can go on for ever (Emerson and Lei, 1986): a
 * state stays in the set as long as, for each thread, a path inside the set leads to a
 * step of the thread or to a state in which the thread need not run. Its states are
 * made in another way, too: leaving a barrier is a step of its own there.
 *
 * The file is long because a third of it is texts of litmus tests, which are read
 * beside what is expected of them, and a third is the other way of deciding.
 *
 *   check-termination                 some programs, as a test; or, by the environment,
 *                                     WEIR_TERMINATION_PROGRAMS of them
 *   check-termination SEED COUNT      those from SEED on */
#define CAMPAIGN "check-termination"
#include "campaign.h"

#include "litmus_ask.h"

#include "model/progress.h"

/* ---- Programs -------------------------------------------------------------------- */

enum { THREADS = 3, LINES = 4, PLACES = 2, VALUES = 3 };

enum operation { LOAD, STORE, EXCHANGE, ADD, COMPARE, WEAK_COMPARE, BARRIER, FINISH };

/* An operation, after which the thread goes to @target if the value that it has read is
 * (or, with @unless, is not) @is; otherwise to the next line. A line is a step. */
struct line {
    enum operation operation;
    unsigned place, value, expected;
    bool branches, unless;
    bool plain, narrow;
    unsigned is, target;
};

struct code {
    unsigned n_threads;
    unsigned group[THREADS];
    struct line lines[THREADS][LINES + 1]; /* the last one of each is FINISH */
};

static const char *const names[] = { "load",    "store",        "exchange", "add",
                                     "compare", "weak compare", "barrier",  "finish" };

/* Returns: (transfer full) */
static char *text_of(const struct code *code)
{
    GString *text = g_string_new(NULL);
    for (unsigned t = 0; t < code->n_threads; t++) {
        g_string_append_printf(text, "P%u of group %u\n", t, code->group[t]);
        for (unsigned i = 0; code->lines[t][i].operation != FINISH; i++) {
            const struct line *line = &code->lines[t][i];
            g_string_append_printf(text, "  %u: %s x%u, %u (expected %u)", i,
                                   names[line->operation], line->place, line->value,
                                   line->expected);
            if (line->branches) {
                g_string_append_printf(text, "; to %u if %s %u", line->target,
                                       line->unless ? "not" : "it is", line->is);
            }
            g_string_append_c(text, '\n');
        }
    }
    return g_string_free(text, FALSE);
}

/* What a read-modify-write writes. Returns: whether it does */
static bool written_by(const struct line *line, unsigned read, unsigned *written)
{
    switch (line->operation) {
    case EXCHANGE:
        *written = line->value;
        return true;
    case ADD:
        *written = (read + line->value) % VALUES;
        return true;
    case COMPARE:
    case WEAK_COMPARE:
        *written = line->value;
        return read == line->expected;
    default:
        return false;
    }
}

static unsigned next_line(const struct line *line, unsigned at, unsigned read)
{
    return line->branches && (read == line->is) != line->unless ? line->target : at + 1;
}

static void draw_line(uint64_t *random, struct line *line, unsigned n_lines,
                      bool barriers)
{
    static const enum operation operations[]
        = { LOAD, LOAD, LOAD, STORE, STORE, EXCHANGE, ADD, COMPARE, WEAK_COMPARE };
    bool barrier = barriers && random_between(random, 0, 3) == 0;
    line->operation = barrier
        ? BARRIER
        : operations[random_between(random, 0, G_N_ELEMENTS(operations) - 1)];
    line->place = (unsigned)random_between(random, 0, PLACES - 1);
    line->value = (unsigned)random_between(random, 0, VALUES - 1);
    line->expected = (unsigned)random_between(random, 0, VALUES - 1);
    line->branches
        = !barrier && line->operation != STORE && random_between(random, 0, 3) != 0;
    line->unless = random_between(random, 0, 1) != 0;
    line->is = (unsigned)random_between(random, 0, VALUES - 1);
    line->target = (unsigned)random_between(random, 0, n_lines);
}

/* In some programs accesses are weak. */
static void weaken(uint64_t *random, struct code *code)
{
    bool weakens = random_between(random, 0, 2) != 0;
    for (unsigned t = 0; t < code->n_threads && weakens; t++) {
        for (unsigned i = 0; i < LINES; i++) {
            struct line *line = &code->lines[t][i];
            line->plain = line->operation <= STORE && random_between(random, 0, 2) == 0;
            line->narrow = random_between(random, 0, 2) == 0;
        }
    }
}

static struct code draw(uint64_t seed)
{
    uint64_t random = seed;
    struct code code = { .n_threads = (unsigned)random_between(&random, 2, THREADS) };
    bool barriers = random_between(&random, 0, 2) == 0;
    for (unsigned t = 0; t < code.n_threads; t++) {
        unsigned n = (unsigned)random_between(&random, 1, LINES);
        code.group[t] = (unsigned)random_between(&random, 0, 1);
        for (unsigned i = 0; i < n; i++) {
            draw_line(&random, &code.lines[t][i], n, barriers);
        }
        code.lines[t][n].operation = FINISH;
    }
    weaken(&random, &code);
    return code;
}

/* ---- As a program of the library ------------------------------------------------- */

struct of_code {
    struct weiri_program program;
    const struct code *code;
    struct weiri_program_thread threads[THREADS];
    struct weiri_program_location locations[PLACES];
};

static void describe(const struct of_code *of, uint32_t thread, uint32_t at,
                     struct weiri_step *next)
{
    static const uint8_t kinds[] = {
        [LOAD] = WEIRI_STEP_READ,       [STORE] = WEIRI_STEP_WRITE,
        [EXCHANGE] = WEIRI_STEP_UPDATE, [ADD] = WEIRI_STEP_UPDATE,
        [COMPARE] = WEIRI_STEP_UPDATE,  [WEAK_COMPARE] = WEIRI_STEP_UPDATE,
        [BARRIER] = WEIRI_STEP_ENTER,   [FINISH] = WEIRI_STEP_END,
    };
    const struct line *line = &of->code->lines[thread][at];
    *next = (struct weiri_step){ .kind = kinds[line->operation],
                                 .atomic = !line->plain,
                                 .weak = line->operation == WEAK_COMPARE,
                                 .scope = line->operation == BARRIER || line->narrow
                                     ? memory_scope_work_group
                                     : memory_scope_device,
                                 .location = line->place,
                                 .value = line->value,
                                 .place = at };
}

static void start_code(void *self, uint32_t thread, void *state,
                       struct weiri_step *next)
{
    *(uint32_t *)state = 0;
    describe(self, thread, 0, next);
}

static void resume_code(void *self, uint32_t thread, void *state, int64_t read,
                        bool wrote, struct weiri_step *next)
{
    const struct of_code *of = self;
    uint32_t *at = state;
    (void)wrote;
    *at = next_line(&of->code->lines[thread][*at], *at, (unsigned)read);
    describe(of, thread, *at, next);
}

static bool update_code(void *self, uint32_t thread, const void *state, int64_t read,
                        int64_t *written)
{
    const struct of_code *of = self;
    unsigned value = 0;
    bool writes = written_by(&of->code->lines[thread][*(const uint32_t *)state],
                             (unsigned)read, &value);
    *written = value;
    return writes;
}

static void make_program(struct of_code *of, const struct code *code)
{
    *of = (struct of_code){ .code = code };
    for (unsigned t = 0; t < code->n_threads; t++) {
        of->threads[t]
            = (struct weiri_program_thread){ .sub_group = t, .group = code->group[t] };
    }
    for (unsigned i = 0; i < PLACES; i++) {
        of->locations[i]
            = (struct weiri_program_location){ .name = i == 0 ? "x0" : "x1",
                                               .atomic = true };
    }
    of->program = (struct weiri_program){ .self = of,
                                          .n_threads = code->n_threads,
                                          .n_locations = PLACES,
                                          .threads = of->threads,
                                          .locations = of->locations,
                                          .state_bytes = sizeof(uint32_t),
                                          .start = start_code,
                                          .resume = resume_code,
                                          .update = update_code };
}

/* ---- By sets of states ----------------------------------------------------------- */

enum stand { RUNS, WAITS, LEAVES };

struct brute_state {
    uint8_t at[THREADS], stand[THREADS], stepped[THREADS], memory[PLACES];
};

/* @from and @to: states by number; a step of @thread. */
struct brute_edge {
    uint32_t from, to;
    uint8_t thread;
    bool spurious;
};

struct brute {
    const struct code *code;
    GArray *states;    /* of struct brute_state */
    GArray *edges;     /* of struct brute_edge */
    GHashTable *known; /* of GBytes of a state: its number */
};

static struct brute_state *state_at(const struct brute *brute, uint32_t i)
{
    return &g_array_index(brute->states, struct brute_state, i);
}

static uint32_t number_of(struct brute *brute, const struct brute_state *state)
{
    GBytes *key = g_bytes_new(state, sizeof(*state));
    gpointer known = g_hash_table_lookup(brute->known, key);
    if (known == NULL) {
        g_array_append_val(brute->states, *state);
        known = GUINT_TO_POINTER(brute->states->len);
        g_hash_table_insert(brute->known, key, known);
    } else {
        g_bytes_unref(key);
    }
    return GPOINTER_TO_UINT(known) - 1;
}

static const struct line *its_line(const struct brute *brute,
                                   const struct brute_state *state, unsigned t)
{
    return &brute->code->lines[t][state->at[t]];
}

static bool is_finished(const struct brute *brute, const struct brute_state *state,
                        unsigned t)
{
    return its_line(brute, state, t)->operation == FINISH;
}

static bool is_able(const struct brute *brute, const struct brute_state *state,
                    unsigned t)
{
    return !is_finished(brute, state, t) && state->stand[t] != WAITS;
}

static void arrive(const struct brute *brute, struct brute_state *state, unsigned t)
{
    const struct code *code = brute->code;
    bool all = true;
    state->stand[t] = WAITS;
    for (unsigned u = 0; u < code->n_threads; u++) {
        all = all && (code->group[u] != code->group[t] || state->stand[u] == WAITS);
    }
    for (unsigned u = 0; u < code->n_threads && all; u++) {
        if (code->group[u] == code->group[t]) {
            state->stand[u] = LEAVES;
        }
    }
}

/* Takes the thread's step. Returns: false if it cannot fail without a reason */
static bool step(const struct brute *brute, struct brute_state *state, unsigned t,
                 bool spuriously)
{
    const struct line *line = its_line(brute, state, t);
    uint8_t *place = &state->memory[line->place];
    unsigned read = 0, written = 0;
    state->stepped[t] = 1;
    if (line->operation == BARRIER) {
        if (state->stand[t] == LEAVES) {
            state->stand[t] = RUNS;
            state->at[t]++;
        } else {
            arrive(brute, state, t);
        }
        return !spuriously;
    }
    if (line->operation == STORE) {
        *place = (uint8_t)line->value;
        state->at[t]++;
        return !spuriously;
    }
    read = *place;
    bool writes = written_by(line, read, &written);
    if (spuriously && !(line->operation == WEAK_COMPARE && writes)) {
        return false;
    }
    if (writes && !spuriously) {
        *place = (uint8_t)written;
    }
    state->at[t] = (uint8_t)next_line(line, state->at[t], read);
    return true;
}

static void add_edges(struct brute *brute, uint32_t from, unsigned t)
{
    for (int spurious = 0; spurious < 2; spurious++) {
        struct brute_state state = *state_at(brute, from);
        if (is_able(brute, &state, t) && step(brute, &state, t, spurious != 0)) {
            struct brute_edge edge
                = { .from = from, .thread = (uint8_t)t, .spurious = spurious != 0 };
            edge.to = number_of(brute, &state);
            g_array_append_val(brute->edges, edge);
        }
    }
}

static bool is_obliged(const struct brute *brute, const struct brute_state *state,
                       unsigned t, enum weir_forward forward)
{
    bool lowest = true, below = false;
    for (unsigned u = 0; u < brute->code->n_threads; u++) {
        lowest = lowest && (u >= t || is_finished(brute, state, u));
        below = below || (u > t && state->stepped[u]);
    }
    bool hsa = lowest, obe = state->stepped[t];
    return forward == WEIR_FORWARD_FAIR
        || (hsa && (forward == WEIR_FORWARD_HSA || forward == WEIR_FORWARD_HSA_OBE))
        || (obe && forward != WEIR_FORWARD_HSA)
        || (below && forward == WEIR_FORWARD_LOBE);
}

/* Removes from the set the states from which no path inside leads to a step of the
 * thread, or to a state in which it need not run. Returns: whether there are some */
static bool remove_for(const struct brute *brute, bool *set, unsigned t,
                       enum weir_forward forward)
{
    guint n = brute->states->len;
    g_autofree bool *good = g_new0(bool, n);
    bool removed = false;
    for (bool grows = true; grows;) {
        grows = false;
        for (guint i = 0; i < brute->edges->len; i++) {
            const struct brute_edge *edge
                = &g_array_index(brute->edges, struct brute_edge, i);
            const struct brute_state *from = state_at(brute, edge->from);
            if (edge->spurious || !set[edge->from] || !set[edge->to]
                || good[edge->from]) {
                continue;
            }
            if (edge->thread == t || !is_able(brute, from, t)
                || !is_obliged(brute, from, t, forward) || good[edge->to]) {
                good[edge->from] = grows = true;
            }
        }
    }
    for (guint i = 0; i < n; i++) {
        removed = removed || (set[i] && !good[i]);
        set[i] = set[i] && good[i];
    }
    return removed;
}

static bool hangs_somewhere(const struct brute *brute)
{
    for (guint i = 0; i < brute->states->len; i++) {
        const struct brute_state *state = state_at(brute, i);
        bool able = false, live = false;
        for (unsigned t = 0; t < brute->code->n_threads; t++) {
            able = able || is_able(brute, state, t);
            live = live || !is_finished(brute, state, t);
        }
        if (live && !able) {
            return true;
        }
    }
    return false;
}

static void find_states(struct brute *brute, const struct code *code)
{
    const struct brute_state first = { 0 };
    *brute
        = (struct brute){ code, g_array_new(FALSE, FALSE, sizeof(struct brute_state)),
                          g_array_new(FALSE, FALSE, sizeof(struct brute_edge)),
                          g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                                (GDestroyNotify)g_bytes_unref, NULL) };
    number_of(brute, &first);
    for (guint i = 0; i < brute->states->len; i++) {
        for (unsigned t = 0; t < code->n_threads; t++) {
            add_edges(brute, i, t);
        }
    }
}

static void clear_brute(struct brute *brute)
{
    g_array_unref(brute->states);
    g_array_unref(brute->edges);
    g_hash_table_unref(brute->known);
}

static bool ends_by_sets(const struct brute *brute, enum weir_forward forward)
{
    guint n = brute->states->len;
    g_autofree bool *set = g_new(bool, n);
    memset(set, true, n);
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (unsigned t = 0; t < brute->code->n_threads; t++) {
            shrinks |= remove_for(brute, set, t, forward);
        }
    }
    for (guint i = 0; i < n; i++) {
        if (set[i]) {
            return false;
        }
    }
    return !hangs_somewhere(brute);
}

/* ---- Both ways ------------------------------------------------------------------- */

struct statistics {
    uint64_t ends[WEIR_N_FORWARDS], programs;
    uint64_t partly, unknown; /* answers that the order of writes changes */
};
static struct statistics statistics;

static void say(const struct statistics *it)
{
    printf("%" PRIu64 " programs", it->programs);
    for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
        printf(", %" PRIu64 " end under %s", it->ends[f],
               weir_forward_name((enum weir_forward)f));
    }
    printf("; last writes change %" PRIu64 " answers, and leave %" PRIu64 " open\n",
           it->partly, it->unknown);
}

/* Takes the steps, those of the loop twice. Each must be possible and do what the
 * library says, and the second round must end where the first one did. Returns: whether
 * the execution is fair and does not end */
static bool is_witnessed(const struct brute *brute,
                         const struct weiri_progress *progress,
                         enum weir_forward forward)
{
    struct brute_state state = { 0 }, home = { 0 };
    uint64_t spins = 0;
    guint n = progress->turns->len, n_loop = n - progress->n_before;
    for (guint i = 0; i < n + n_loop; i++) {
        const struct weiri_taken *taken = &g_array_index(
            progress->turns, struct weiri_taken, i < n ? i : i - n_loop);
        unsigned t = taken->thread;
        home = i == n ? state : home;
        if (!is_able(brute, &state, t) || state.at[t] != taken->step.place
            || (taken->reads
                && state.memory[its_line(brute, &state, t)->place] != taken->read)
            || (i >= progress->n_before && taken->spurious)
            || !step(brute, &state, t, taken->spurious)) {
            return false;
        }
        spins |= i >= progress->n_before ? UINT64_C(1) << t : 0;
        for (unsigned u = 0; u < brute->code->n_threads; u++) {
            if (state.stand[u] == LEAVES) {
                step(brute, &state, u, false);
            }
        }
    }
    for (unsigned t = 0; t < brute->code->n_threads; t++) {
        if ((spins >> t & 1) == 0 && is_able(brute, &state, t)
            && (spins == 0 || is_obliged(brute, &state, t, forward))) {
            return false;
        }
    }
    return spins == 0 || memcmp(&state, &home, sizeof(state)) == 0;
}

/* Whether an access is weak, or may not have all others in its scope. */
static bool is_weak(const struct code *code)
{
    bool weak = false;
    for (unsigned t = 0; t < code->n_threads; t++) {
        for (unsigned i = 0; i < LINES; i++) {
            weak = weak || code->lines[t][i].plain || code->lines[t][i].narrow;
        }
    }
    return weak;
}

/* Asks where writes are ordered in total, by all that may order them, and by all that
 * surely does: fewer orders have more executions. Returns: what is wrong, or NULL */
static const char *judge_orders(const struct code *code, struct of_code *program,
                                struct statistics *of)
{
    bool ends[3][WEIR_N_FORWARDS];
    for (unsigned writes = 0; writes < 3; writes++) {
        const struct weiri_progress_options options
            = { .writes = (enum weiri_write_order)writes, .most_states = 1000000 };
        struct weiri_progress_graph *graph
            = weiri_progress_graph_new(&program->program, &options);
        for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
            struct weiri_progress progress
                = weiri_progress_ask(graph, (enum weir_forward)f);
            ends[writes][f] = progress.ends;
            weiri_progress_clear(&progress);
        }
        weiri_progress_graph_free(graph);
    }
    for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
        of->partly += ends[0][f] && !ends[1][f];
        of->unknown += ends[1][f] && !ends[2][f];
        if ((!ends[0][f] && ends[1][f]) || (!ends[1][f] && ends[2][f])
            || (ends[0][f] && !ends[2][f] && !is_weak(code))) {
            return "order of writes";
        }
    }
    return NULL;
}

static char *judge_seed(uint64_t seed, struct statistics *of)
{
    const struct code code = draw(seed);
    struct of_code program;
    struct brute brute;
    make_program(&program, &code);
    find_states(&brute, &code);
    const struct weiri_progress_options options = { .most_states = 1000000 };
    struct weiri_progress_graph *graph
        = weiri_progress_graph_new(&program.program, &options);
    char *wrong = NULL;
    of->programs++;
    for (unsigned f = 0; f < WEIR_N_FORWARDS && wrong == NULL; f++) {
        enum weir_forward forward = (enum weir_forward)f;
        struct weiri_progress progress = weiri_progress_ask(graph, forward);
        bool ends = ends_by_sets(&brute, forward);
        of->ends[f] += ends;
        const char *what = progress.ends != ends || progress.fails == ends ? "answer"
            : !ends && !is_witnessed(&brute, &progress, forward)           ? "execution"
                                                                           : NULL;
        if (what != NULL) {
            g_autofree char *text = text_of(&code);
            wrong
                = g_strdup_printf("wrong %s under %s: it should %send\n%s", what,
                                  weir_forward_name(forward), ends ? "" : "not ", text);
        }
        weiri_progress_clear(&progress);
    }
    const char *what = judge_orders(&code, &program, of);
    if (wrong == NULL && what != NULL) {
        g_autofree char *text = text_of(&code);
        wrong = g_strdup_printf("wrong %s\n%s", what, text);
    }
    weiri_progress_graph_free(graph);
    clear_brute(&brute);
    return wrong;
}

enum { CHUNKS = 4 };

CASE("random");

TEST_EACH(two_ways_of_deciding_agree, CHUNKS)
{
    expect_chunk(_i, chunk_of("WEIR_TERMINATION_PROGRAMS", CHUNKS, 1000, 20),
                 &statistics);
}

/* ---- By hand --------------------------------------------------------------------- */

CASE("by hand");

/* @ends: by model of forward progress, in their order, 1 or 0. @text: abbreviated as in
 * litmus_ask.h. */
static const struct {
    const char *ends, *text;
} tests[] = {
    /* The writer need not run, except under fair, and if it has the lower number under
     * the models that oblige such threads. */
    { "10000",
      "C consumer-first\n{ }\n"
      "P0 { while (load(x, $acq) == 0) {} }\n"
      "P1 { store(x, 1, $rel); }\nexists (true)\n" },
    { "11011",
      "C producer-first\n{ }\n"
      "P0 { store(x, 1, $rel); }\n"
      "P1 { while (load(x, $acq) == 0) {} }\nexists (true)\n" },
    /* Nothing is waited for. */
    { "11111",
      "C no-wait\n{ }\n"
      "P0 { store(x, 1, $rel); }\n"
      "P1 { int r0 = load(x, $acq); }\nexists (true)\n" },
    { "00000",
      "C nobody-writes\n{ }\n"
      "P0 { while (load(x, $acq) == 0) {} }\n"
      "P1 { store(y, 1, $rel); }\nexists (true)\n" },
    /* A loop without an access. */
    { "00000",
      "C for-ever\n{ }\nP0 { while (1) {} }\n"
      "P1 { store(y, 1, $rel); }\nexists (true)\n" },
    { "11111",
      "C counted\n{ }\n"
      "P0 { int i = 0; while (i < 100) { i = i + 1; } }\n"
      "P1 { store(y, 1, $rel); }\nexists (true)\n" },
    /* Who holds the lock has made a step, so it runs on under obe, not under hsa. */
    { "10111",
      "C lock\n{ }\n"
      "P0 { while (exchange(x, 1, $acq) == 1) {} store(x, 0, $rel); }\n"
      "P1 { while (exchange(x, 1, $acq) == 1) {} store(x, 0, $rel); }\n"
      "exists (true)\n" },
    { "00000",
      "C lock-kept\n{ }\n"
      "P0 { while (exchange(x, 1, $acq) == 1) {} }\n"
      "P1 { while (exchange(x, 1, $acq) == 1) {} }\n"
      "exists (true)\n" },
    /* A barrier between groups: each waits for the other one to come. Only fair obliges
     * P1 to make its first step. */
    { "10000",
      "C rendezvous\n{ }\n"
      "P0 { store(x, 1, $rel); while (load(y, $acq) == 0) {} }\n"
      "P1 { store(y, 1, $rel); while (load(x, $acq) == 0) {} }\n"
      "exists (true)\n" },
    /* P0 waits only for a thread that has made a step: obe is enough. */
    { "10111",
      "C discovered\n{ }\n"
      "P0 { if (fetch_add(y, 1, $acq_rel) == 1) { while (load(x, $acq) == 0) {}"
      " } }\n"
      "P1 { fetch_add(y, 1, $acq_rel); store(x, 1, $rel); }\n"
      "exists (true)\n" },
    /* It ends only if P1 reads at the right time, which no fairness promises. */
    { "00000",
      "C flicker\n{ }\n"
      "P0 { while (load(y, $rlx) == 0) { store(x, 1, $rlx); store(x, 0, $rlx);"
      " } }\n"
      "P1 { while (load(x, $rlx) == 0) {} store(y, 1, $rlx); }\n"
      "exists (true)\n" },
    /* A compare-exchange that fails without a reason does so finitely often. */
    { "11111",
      "C weak\n{ }\n"
      "P0 { int e = 0; while (compare_exchange_weak(x, &e, 1, $rlx, $rlx) == 0)"
      " { e = 0; } }\n"
      "exists (true)\n" },
    { "00000",
      "C weak-wrong\n{ }\n"
      "P0 { int e = 2; while (compare_exchange_weak(x, &e, 1, $rlx, $rlx) == 0)"
      " { e = 2; } }\n"
      "exists (true)\n" },
    /* hsa and obe differ: a chain of three. P1 waits for P0, P2 waits for P1. */
    { "11011",
      "C chain-up\n{ }\n"
      "P0 { store(x, 1, $rel); }\n"
      "P1 { while (load(x, $acq) == 0) {} store(y, 1, $rel); }\n"
      "P2 { while (load(y, $acq) == 0) {} }\nexists (true)\n" },
    { "10000",
      "C chain-down\n{ }\n"
      "P0 { while (load(y, $acq) == 0) {} }\n"
      "P1 { while (load(x, $acq) == 0) {} store(y, 1, $rel); }\n"
      "P2 { store(x, 1, $rel); }\nexists (true)\n" },
    /* hsa_obe and lobe differ: P0 waits for P1 only if P2 has made a step. */
    { "10001",
      "C linear\n{ }\n"
      "P0 { if (load(x, $acq) == 1) { while (load(y, $acq) == 0) {} } }\n"
      "P1 { store(y, 1, $rel); }\n"
      "P2 { store(x, 1, $rel); }\nexists (true)\n" },
};

/* "1", "0" or, where it is not known, "?", for each model of forward progress. Returns:
 * (transfer full) */
static char *answers_to(const char *text, enum weir_model model)
{
    enum weir_forward all[WEIR_N_FORWARDS];
    GString *found = g_string_new(NULL);
    for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
        all[f] = (enum weir_forward)f;
    }
    g_autoptr(weir_litmus) test = litmus_test_of(text);
    const struct weir_litmus_options options
        = { .model = model, .max_executions = 20000 };
    GError *error = NULL;
    struct weir_litmus_termination *answers
        = weir_litmus_ask_termination(test, all, WEIR_N_FORWARDS, &options, &error);
    EXPECT(answers != NULL, "%s", error->message);
    for (unsigned f = 0; f < WEIR_N_FORWARDS; f++) {
        ck_assert(answers[f].forward == all[f]);
        ck_assert((answers[f].undecided == NULL) == answers[f].decided);
        g_string_append_c(found,
                          !answers[f].decided         ? '?'
                              : answers[f].terminates ? '1'
                                                      : '0');
    }
    weir_litmus_termination_free(answers, WEIR_N_FORWARDS);
    return g_string_free(found, FALSE);
}

static void expect_ends(const char *text, enum weir_model model, const char *ends)
{
    g_autofree char *found = answers_to(text, model);
    EXPECT(strcmp(found, ends) == 0, "%s, not %s, under %s:\n%s", found, ends,
           weir_model_name(model), text);
}

TEST_EACH(it_ends_under_these_models, G_N_ELEMENTS(tests))
{
    expect_ends(tests[_i].text, WEIR_MODEL_SYCL, tests[_i].ends);
    expect_ends(tests[_i].text, WEIR_MODEL_SC, tests[_i].ends);
}

/* ---- Barriers -------------------------------------------------------------------- */

CASE("barriers");

#define CL(name) "OPENCL " name "\n{ }\n"
#define THREAD(n, body)                                                                \
    "P" #n "@wg 0, dev 0 (global atomic_int* x, global atomic_int* y) { " body " }\n"
#define BARRIER "barrier(CLK_GLOBAL_MEM_FENCE);"

static const struct {
    const char *ends, *text;
} barriers[] = {
    { "11111", CL("met") THREAD(0, BARRIER) THREAD(1, BARRIER) "exists (true)\n" },
    { "00000", CL("left") THREAD(0, BARRIER) THREAD(1, "") "exists (true)\n" },
    { "11111",
      CL("met-in-loops") THREAD(0, "int i; for (i = 0; i < 3; i++) { " BARRIER " }")
          THREAD(1, BARRIER BARRIER BARRIER) "exists (true)\n" },
    { "00000",
      CL("one-too-many") THREAD(0, "int i; for (i = 0; i < 3; i++) { " BARRIER " }")
          THREAD(1, BARRIER BARRIER) "exists (true)\n" },
    /* P0 waits at a barrier, so hsa obliges no thread, and P1 spins; under fair P2
     * ends that. */
    { "10000",
      CL("spins-elsewhere") THREAD(0, BARRIER)
          THREAD(1, "while (load(x, $acq, $dev) == 0) {} " BARRIER)
              THREAD(2, "store(x, 1, $rel, $dev); " BARRIER) "exists (true)\n" },
    /* All have made a step before the spin: obe is enough. */
    { "10111",
      CL("after-a-barrier") THREAD(0, BARRIER "while (load(x, $acq, $dev) == 0) {}")
          THREAD(1, BARRIER "store(x, 1, $rel, $dev);") "exists (true)\n" },
};

TEST_EACH(barriers_hang_if_some_do_not_come, G_N_ELEMENTS(barriers))
{
    expect_ends(barriers[_i].text, WEIR_MODEL_SYCL, barriers[_i].ends);
}

/* ---- Weak memory ----------------------------------------------------------------- */

CASE("weak memory");

/* P2 spins if P0 and P1 read 0 both, which only weak memory allows. */
static const char buffering[]
    = "C buffering\n{ }\n"
      "P0 (atomic_int* x, atomic_int* y, atomic_int* a) {\n"
      "  store(x, 1, $ORDER);\n"
      "  if (load(y, $ORDER) == 0) { fetch_add(a, 1, $rlx); }\n}\n"
      "P1 (atomic_int* x, atomic_int* y, atomic_int* a) {\n"
      "  store(y, 1, $ORDER);\n"
      "  if (load(x, $ORDER) == 0) { fetch_add(a, 1, $rlx); }\n}\n"
      "P2 (atomic_int* a) { while (load(a, $rlx) == 2) {} }\nexists (true)\n";

static void expect_buffering(const char *order, enum weir_model model, const char *ends)
{
    GString *text = g_string_new(buffering);
    g_string_replace(text, "$ORDER", order, 0);
    expect_ends(text->str, model, ends);
    g_string_free(text, TRUE);
}

TEST(an_execution_of_weak_memory_counts)
{
    expect_buffering("$rlx", WEIR_MODEL_SC, "11111");
    expect_buffering("$rlx", WEIR_MODEL_SYCL, "00000");
    expect_buffering("$sc", WEIR_MODEL_SYCL, "11111");
    expect_buffering("$rlx", WEIR_MODEL_GPU, "00000");
}

/* In PTX a thread may read one of several last writes for ever. P1 writes 1, and P0
 * writes 0 after it has seen that; P1 waits for the 0. */
#define HANDOVER(name, write, read)                                                    \
    "PTX " name "\n{ f=0; }\n"                                                         \
    " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"                                             \
    " LC00: | " write " f, 1 ;\n"                                                      \
    " " read " r0, f | LC10: ;\n"                                                      \
    " bne r0, 0, LC01 | " read " r1, f ;\n"                                            \
    " goto LC00 | bne r1, 1, LC11 ;\n"                                                 \
    " LC01: | goto LC10 ;\n"                                                           \
    " " write " f, 0 | LC11: ;\n"                                                      \
    "exists (P0:r0 == 1)\n"

/* P1 writes 1, and then P2 writes 2, and the message says so. */
#define MESSAGE(name, write, read)                                                     \
    "PTX " name "\n{ f=0; g=0; }\n"                                                    \
    " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"                            \
    " LC00: | st.weak f, 1 | LC20: ;\n"                                                \
    " ld.weak r0, f | " write " g, 1 | " read " r2, g ;\n"                             \
    " bne r0, 2, LC00 | | beq r2, 0, LC20 ;\n"                                         \
    " | | st.weak f, 2 ;\n"                                                            \
    "exists (P0:r0 == 1)\n"

/* The same with a row between the two operations of each thread. */
#define FENCED(name, before, write, read, after)                                       \
    "PTX " name "\n{ f=0; g=0; }\n"                                                    \
    " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"                            \
    " LC00: | st.weak f, 1 | LC20: ;\n"                                                \
    " ld.weak r0, f | " before " | " read " r2, g ;\n"                                 \
    " bne r0, 2, LC00 | " write " g, 1 | beq r2, 0, LC20 ;\n"                          \
    " | | " after " ;\n"                                                               \
    " | | st.weak f, 2 ;\n"                                                            \
    "exists (P0:r0 == 1)\n"
#define RELAXED_BETWEEN(before, after)                                                 \
    FENCED("fences", before, "st.relaxed.gpu", "ld.relaxed.gpu", after)
#define ACQ_REL "fence.acq_rel.gpu"

/* The write that is waited for, of P0, comes after it has read the other one. */
#define SCOPES(one, other)                                                             \
    "PTX " one "-" other "\n{ f=0; }\n"                                                \
    " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"                                             \
    " LC00: | st.relaxed." other " f, 1 ;\n"                                           \
    " ld.weak r0, f | LC10: ;\n"                                                       \
    " bne r0, 1, LC00 | ld.weak r1, f ;\n"                                             \
    " st.relaxed." one " f, 2 | bne r1, 2, LC10 ;\n"                                   \
    "exists (P0:r0 == 1)\n"

static const struct {
    char ends;
    const char *text;
} last_writes[] = {
    { '1', HANDOVER("relaxed", "st.relaxed.gpu", "ld.relaxed.gpu") },
    { '0', HANDOVER("weak", "st.weak", "ld.weak") },
    /* The threads are in different CTAs. */
    { '0', HANDOVER("narrow", "st.relaxed.cta", "ld.relaxed.cta") },
    { '0', HANDOVER("weak-writes", "st.weak", "ld.relaxed.gpu") },
    /* The writes are ordered, whatever reads them. */
    { '1', HANDOVER("weak-reads", "st.relaxed.gpu", "ld.weak") },
    /* The initial value comes before every write: it is not read for ever. */
    { '1',
      "PTX initial\n{ f=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " LC00: | st.weak f, 1 ;\n"
      " ld.weak r0, f | ;\n"
      " beq r0, 0, LC00 | ;\n"
      "exists (P0:r0 == 1)\n" },
    /* Two writes of one thread are ordered. */
    { '1',
      "PTX twice\n{ f=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      " LC00: | st.weak f, 1 ;\n"
      " ld.weak r0, f | st.weak f, 2 ;\n"
      " bne r0, 2, LC00 | ;\n"
      "exists (P0:r0 == 1)\n" },
    /* Two writes of two threads are not, */
    { '0',
      "PTX two-writers\n{ f=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
      " LC00: | st.weak f, 1 | st.weak f, 2 ;\n"
      " ld.weak r0, f | | ;\n"
      " bne r0, 2, LC00 | | ;\n"
      "exists (P0:r0 == 1)\n" },
    /* except by a message from one to the other, by a release and an acquire, */
    { '1', MESSAGE("message", "st.release.gpu", "ld.acquire.gpu") },
    /* not by one whose scope is too small, */
    { '0', MESSAGE("narrow-message", "st.release.cta", "ld.acquire.cta") },
    /* or by no release. The library has two bounds for the order of writes, and is
     * between them. */
    { '?', MESSAGE("relaxed-message", "st.relaxed.gpu", "ld.relaxed.gpu") },
    /* A fence on each side makes a relaxed message order them; fence.sc is one, too. */
    { '1', RELAXED_BETWEEN(ACQ_REL, ACQ_REL) },
    { '1', RELAXED_BETWEEN("fence.sc.gpu", "fence.sc.gpu") },
    { '1', RELAXED_BETWEEN("fence.acq_rel.sys", ACQ_REL) },
    /* On one side it is not enough, unless the other side has an order of its own. */
    { '?', RELAXED_BETWEEN(ACQ_REL, "add r1, r1, 1") },
    { '?', RELAXED_BETWEEN("add r1, r1, 1", ACQ_REL) },
    { '1', FENCED("to-acquire", ACQ_REL, "st.relaxed.gpu", "ld.acquire.gpu", "") },
    { '1', FENCED("from-release", "", "st.release.gpu", "ld.relaxed.gpu", ACQ_REL) },
    /* Each fence must have the other thread in its scope, */
    { '?', RELAXED_BETWEEN("fence.acq_rel.cta", ACQ_REL) },
    { '?', RELAXED_BETWEEN(ACQ_REL, "fence.acq_rel.cta") },
    { '?',
      FENCED("narrow", "fence.acq_rel.cta", "st.relaxed.gpu", "ld.acquire.gpu", "") },
    /* and so must the message. */
    { '0', FENCED("cta", ACQ_REL, "st.relaxed.cta", "ld.relaxed.cta", ACQ_REL) },
    /* A fence of a proxy is another one. */
    { '?', RELAXED_BETWEEN("fence.proxy.alias", ACQ_REL) },
    /* The fence tells of what is before it. */
    { '?',
      "PTX late\n{ f=0; g=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
      " LC00: | fence.acq_rel.gpu | LC20: ;\n"
      " ld.weak r0, f | st.weak f, 1 | ld.relaxed.gpu r2, g ;\n"
      " bne r0, 2, LC00 | st.relaxed.gpu g, 1 | beq r2, 0, LC20 ;\n"
      " | | fence.acq_rel.gpu ;\n"
      " | | st.weak f, 2 ;\n"
      "exists (P0:r0 == 1)\n" },
    /* So does the other one: it does not know what is read after it. */
    { '?',
      "PTX early\n{ f=0; g=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
      " LC00: | st.weak f, 1 | fence.acq_rel.gpu ;\n"
      " ld.weak r0, f | fence.acq_rel.gpu | LC20: ;\n"
      " bne r0, 2, LC00 | st.relaxed.gpu g, 1 | ld.relaxed.gpu r2, g ;\n"
      " | | beq r2, 0, LC20 ;\n"
      " | | st.weak f, 2 ;\n"
      "exists (P0:r0 == 1)\n" },
    /* A barrier orders them, too. */
    { '1',
      "PTX barrier\n{ f=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 1,gpu 0 ;\n"
      " LC00: | st.weak f, 1 | bar.cta.sync 1 ;\n"
      " ld.weak r0, f | bar.cta.sync 1 | st.weak f, 2 ;\n"
      " bne r0, 2, LC00 | | ;\n"
      "exists (P0:r0 == 1)\n" },
    /* An arrival tells of what is before it. After it P1 writes 1, and sends a message
     * that orders nothing. */
    { '?',
      "PTX arrival\n{ f=0; g=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 1,gpu 0 ;\n"
      " LC00: | bar.cta.arrive 1 | LC20: ;\n"
      " ld.weak r0, f | st.weak f, 1 | ld.relaxed.gpu r2, g ;\n"
      " bne r0, 2, LC00 | st.relaxed.gpu g, 1 | beq r2, 0, LC20 ;\n"
      " | | bar.cta.sync 1 ;\n"
      " | | st.weak f, 2 ;\n"
      "exists (P0:r0 == 1)\n" },
    /* Each access must have the other's thread in its scope. */
    { '0', SCOPES("cta", "gpu") },
    { '0', SCOPES("gpu", "cta") },
    { '1', SCOPES("gpu", "gpu") },
    { '1', SCOPES("gpu", "sys") },
};

TEST_EACH(the_last_write_need_not_be_read, G_N_ELEMENTS(last_writes))
{
    g_autofree char *found = answers_to(last_writes[_i].text, WEIR_MODEL_SC);
    EXPECT(found[0] == last_writes[_i].ends, "%c, not %c:\n%s", found[0],
           last_writes[_i].ends, last_writes[_i].text);
}

/* The formulas of the older versions have fence.sc in no pattern. */
TEST(a_seq_cst_fence_orders_as_the_version_says)
{
    static const struct {
        enum weir_model model;
        char ends[2];
    } rows[] = { { WEIR_MODEL_PTX_6_0, "?1" }, { WEIR_MODEL_PTX_7_5, "?1" } };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *sc = answers_to(
            RELAXED_BETWEEN("fence.sc.gpu", "fence.sc.gpu"), rows[i].model);
        g_autofree char *acq_rel
            = answers_to(RELAXED_BETWEEN(ACQ_REL, ACQ_REL), rows[i].model);
        EXPECT(sc[0] == rows[i].ends[0] && acq_rel[0] == rows[i].ends[1],
               "%s: %c and %c", weir_model_name(rows[i].model), sc[0], acq_rel[0]);
    }
}

/* ---- Barriers of tables ---------------------------------------------------------- */

CASE("tables");

#define QUORUM(one, other)                                                             \
    "PTX quorum-of-" one "-and-" other "\n{ x=0; }\n"                                  \
    " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"                                             \
    " ld r0, " one " | ld r0, " other " ;\n"                                           \
    " bar.cta.sync 1, r0, 2 | bar.cta.sync 1, r0, 2 ;\n"                               \
    "exists (x == 0)\n"

#define ROUNDS(name, barrier, one, other)                                              \
    "PTX " name "\n{ x=0; }\n"                                                         \
    " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"                                             \
    " LC00: | LC10: ;\n"                                                               \
    " bar.cta.sync " barrier " | bar.cta.sync " barrier " ;\n"                         \
    " add r0, r0, 1 | add r0, r0, 1 ;\n"                                               \
    " bne r0, " one ", LC00 | bne r0, " other ", LC10 ;\n"                             \
    "exists (x == 0)\n"

static const struct {
    char ends;
    const char *text;
} tables[] = {
    /* Those that name the instance meet, in one CTA. */
    { '1',
      "PTX met\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 1,gpu 0 ;\n"
      " bar.cta.sync 1 | bar.cta.sync 1 | ld.weak r0, x | bar.cta.sync 1 ;\n"
      "exists (x == 0)\n" },
    { '0',
      "PTX skipped\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.cta.sync 1 | ld.weak r0, x ;\n"
      " | beq r0, 0, LC10 ;\n"
      " | bar.cta.sync 1 ;\n"
      " | LC10: ;\n"
      "exists (x == 0)\n" },
    /* An arrival does not wait. */
    { '1',
      "PTX arrives\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.cta.arrive 1 | ld.weak r0, x ;\n"
      " st.weak x, 1 | beq r0, 7, LC10 ;\n"
      " | bar.cta.sync 1 ;\n"
      " | LC10: ;\n"
      "exists (x == 0)\n" },
    { '0',
      "PTX syncs\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.cta.sync 1 | ld.weak r0, x ;\n"
      " st.weak x, 1 | beq r0, 0, LC10 ;\n"
      " | bar.cta.sync 1 ;\n"
      " | LC10: ;\n"
      "exists (x == 0)\n" },
    /* A quorum of two, and of three, of two. */
    { '1',
      "PTX quorum\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
      " bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 ;\n"
      "exists (x == 0)\n" },
    { '0',
      "PTX no-quorum\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.cta.sync 1, 1, 3 | bar.cta.sync 1, 1, 3 ;\n"
      "exists (x == 0)\n" },
    /* Numbers in registers: equal ones meet. */
    { '1',
      "PTX numbers\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
      " ld r0, 1 | ld r0, 1 | ld r0, 2 ;\n"
      " bar.cta.sync 1, r0 | bar.cta.sync 1, r0 | bar.cta.sync 1, r0 ;\n"
      "exists (x == 0)\n" },
    { '0',
      "PTX crossed\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.cta.sync 1 | bar.cta.sync 2 ;\n"
      " bar.cta.sync 2 | bar.cta.sync 1 ;\n"
      "exists (x == 0)\n" },
    { '1',
      "PTX in-order\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " bar.cta.sync 1 | bar.cta.sync 1 ;\n"
      " bar.cta.sync 2 | bar.cta.sync 2 ;\n"
      "exists (x == 0)\n" },
    /* An instance on two ways: one of its entries is not reached. */
    { '0',
      "PTX two-ways\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " ld.weak r0, x | bar.cta.sync 1 ;\n"
      " beq r0, 0, LC00 | ;\n"
      " bar.cta.sync 1 | ;\n"
      " goto LC01 | ;\n"
      " LC00: | ;\n"
      " bar.cta.sync 1 | ;\n"
      " LC01: | ;\n"
      "exists (x == 0)\n" },
    /* Two numbers of one instance on two ways are two barriers. */
    { '1',
      "PTX two-numbers\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " ld.weak r0, x | bar.cta.sync 1, 2 ;\n"
      " beq r0, 0, LC00 | ;\n"
      " bar.cta.sync 1, 1 | ;\n"
      " goto LC01 | ;\n"
      " LC00: | ;\n"
      " bar.cta.sync 1, 2 | ;\n"
      " LC01: | ;\n"
      "exists (x == 0)\n" },
    /* A barrier in a loop that ends, and one of which a thread has a round too many. */
    { '1', ROUNDS("rounds", "1", "3", "3") },
    { '0', ROUNDS("round-too-many", "1", "3", "2") },
    { '1', ROUNDS("quorum-rounds", "1, 1, 2", "3", "3") },
    { '0', ROUNDS("quorum-round-too-many", "1, 1, 2", "3", "2") },
    /* A quorum is of equal numbers. */
    { '1', QUORUM("1", "1") },
    { '0', QUORUM("1", "2") },
    /* A barrier in a loop that has no bound: its instance is met each time. */
    { '0',
      "PTX for-ever\n{ x=0; }\n"
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " LC00: | LC10: ;\n"
      " bar.cta.sync 1, 1 | bar.cta.sync 1, 1 ;\n"
      " goto LC00 | goto LC10 ;\n"
      "exists (x == 0)\n" },
};

TEST_EACH(barriers_of_tables_meet_by_instance, G_N_ELEMENTS(tables))
{
    g_autofree char *found = answers_to(tables[_i].text, WEIR_MODEL_SC);
    EXPECT(found[0] == tables[_i].ends, "%c, not %c:\n%s", found[0], tables[_i].ends,
           tables[_i].text);
}

/* ---- Limits ---------------------------------------------------------------------- */

CASE("limits");

/* A counter without a bound: more states than are visited. That it ends is not claimed.
 */
TEST(a_limit_of_states_is_not_an_end)
{
    expect_ends("C counts\n{ }\n"
                "P0 { int i = 1; while (i != 0) { i = i + 2;\n"
                "  store(x, i, $rlx); } }\n"
                "exists (true)\n",
                WEIR_MODEL_SC, "?????");
}

/* But a failure that was found is certain. */
TEST(a_failure_before_a_limit_is_certain)
{
    expect_ends("C counts-and-spins\n{ }\n"
                "P0 { int i = 1; while (i != 0) { i = i + 2;\n"
                "  store(y, i, $rlx); } }\n"
                "P1 { while (load(x, $rlx) == 0) {} }\n"
                "exists (true)\n",
                WEIR_MODEL_SC, "??0??");
}

TEST(a_fault_is_not_an_end)
{
    expect_ends("C divides\n{ }\n"
                "P0 { int r0 = 1 / load(x, $rlx); }\n"
                "P1 { store(x, 1, $rlx); }\n"
                "exists (true)\n",
                WEIR_MODEL_SC, "?????");
}

int main(int argc, char **argv)
{
    return argc == 3 ? run_campaign(argv, &statistics) : run_tests("termination");
}
