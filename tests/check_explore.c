/* SPDX-License-Identifier: MIT
 *
 * check_explore.c: the explorer: every execution that a model allows, each once. How
 * many there are is known by arithmetic, and by verdicts where a folder of them is at
 * hand; that none comes twice is seen by their numbers. */
#include "litmus_support.h"
#include "support.h"

#include "litmus/program.h"
#include "model/explore.h"
#include "model/sample.h"

#include <inttypes.h>
#include <stdio.h>

/* By their numbers, enum weiri_explored. */
static const char *const models[] = { "sc", "rc11", "sycl", "sycl-split" };

/* The executions that an exploration has visited. */
struct visited {
    const struct weiri_litmus *test;
    const struct weiri_program *program;
    const struct weiri_graph *graph; /* now */
    GHashTable *seen;                /* numbers of executions; owned */
    GHashTable *states;              /* texts; owned */
    uint64_t positive, negative, twice;
    uint64_t stop_after; /* 0: never */
    uint64_t n_visited;
};

static int64_t value_of(struct weiri_litmus_term term, const void *user)
{
    const struct visited *visited = user;
    return term.thread == WEIRI_LITMUS_MEMORY
        ? weiri_graph_memory(visited->graph, term.index)
        : weiri_litmus_program_register(visited->program,
                                        weiri_graph_state(visited->graph, term.thread),
                                        term.index);
}

static bool hear(void *user, const struct weiri_graph *graph, bool race)
{
    struct visited *visited = user;
    (void)race;
    visited->graph = graph;
    visited->n_visited++;
    gint64 number = (gint64)weiri_graph_hash(graph);
    visited->twice
        += !g_hash_table_add(visited->seen, g_memdup2(&number, sizeof(number)));
    const struct weiri_litmus *test = visited->test;
    if (test->filter == NULL || weiri_litmus_holds(test->filter, value_of, visited)) {
        bool holds = weiri_litmus_holds(test->condition, value_of, visited);
        *(holds ? &visited->positive : &visited->negative) += 1;
        g_hash_table_add(visited->states, weiri_litmus_state(test, value_of, visited));
    }
    return visited->stop_after == 0 || visited->n_visited < visited->stop_after;
}

static void visited_clear(struct visited *visited)
{
    g_hash_table_unref(visited->seen);
    g_hash_table_unref(visited->states);
}

/* Executions of loops; waits are not distinguished by their number of rounds. */
enum { ROUNDS = 8 | WEIRI_LITMUS_STOP_SPINS };

static struct weiri_exploration explore_with(const struct weiri_litmus *test,
                                             struct weiri_explore_options options,
                                             struct visited *visited)
{
    struct weiri_program *program = weiri_litmus_program(test, ROUNDS);
    visited->test = test;
    visited->program = program;
    visited->seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    visited->states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    options.execution = hear;
    options.user = visited;
    struct weiri_exploration done = weiri_explore(program, &options);
    ck_assert_msg(visited->twice == 0,
                  "%s: %" G_GUINT64_FORMAT " executions came twice", test->name,
                  visited->twice);
    weiri_litmus_program_free(program);
    visited->program = NULL;
    return done;
}

static struct weiri_exploration explore_text(const char *text,
                                             enum weiri_explored model)
{
    g_autoptr(weiri_litmus) test = litmus_read(text, "text");
    struct visited visited = { 0 };
    struct weiri_exploration done = explore_with(
        test, (struct weiri_explore_options){ .model = model, .races = true },
        &visited);
    visited_clear(&visited);
    return done;
}

/* ---- Counts that arithmetic gives ---------------------------------------- */

CASE("counts");

TEST_EACH(increments_come_in_every_order, G_N_ELEMENTS(models))
{
    uint64_t factorial = 1;
    for (unsigned n = 1; n <= 8; n++) {
        factorial *= n;
        g_autofree char *text
            = litmus_threads(n, "[x] = 0;", "atomic_int* x",
                             "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);");
        struct weiri_exploration done = explore_text(text, (enum weiri_explored)_i);
        ck_assert_uint_eq(done.executions, factorial);
        ck_assert(done.complete && done.blocked == 0 && done.racy == 0);
    }
}

TEST_EACH(threads_that_share_nothing_have_one_execution, G_N_ELEMENTS(models))
{
    for (unsigned n = 1; n <= 12; n++) {
        g_autofree char *text = litmus_threads(
            n, "", "atomic_int* x#",
            "atomic_store_explicit(x#, 1, memory_order_relaxed);\n"
            "  int r0 = atomic_load_explicit(x#, memory_order_relaxed);");
        struct weiri_exploration done = explore_text(text, (enum weiri_explored)_i);
        ck_assert_uint_eq(done.executions, 1);
        ck_assert(done.complete);
    }
}

/* However often threads wait for a lock, executions differ in the order in which
 * threads get it. A thread that looks before it takes it can have seen it free whenever
 * it has been, too. */
TEST_EACH(a_lock_is_taken_in_every_order, G_N_ELEMENTS(models))
{
    static const struct {
        const char *text;
        bool looks;
    } locks[] = {
        { "while (atomic_exchange_explicit(x, 1, memory_order_acquire) == 1) {}\n"
          "  *c += 1;\n  atomic_store_explicit(x, 0, memory_order_release);",
          false },
        { "int e = 0;\n  while (!atomic_compare_exchange_strong_explicit(x, &e, 1, "
          "memory_order_acquire, memory_order_relaxed)) e = 0;\n"
          "  *c += 1;\n  atomic_store_explicit(x, 0, memory_order_release);",
          false },
        { "do {\n  while (atomic_load_explicit(x, memory_order_relaxed) != 0) {} }\n"
          "  while (atomic_exchange_explicit(x, 1, memory_order_acquire) != 0);\n"
          "  *c += 1;\n  atomic_store_explicit(x, 0, memory_order_release);",
          true },
        { "int t = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);\n"
          "  while (atomic_load_explicit(x, memory_order_acquire) != t) {}\n"
          "  *c += 1;\n  atomic_store_explicit(x, t + 1, memory_order_release);",
          false },
    };
    for (size_t lock = 0; lock < G_N_ELEMENTS(locks); lock++) {
        uint64_t ways = 1;
        for (unsigned n = 1; n <= 4; n++) {
            ways *= locks[lock].looks ? n * n : n;
            g_autofree char *text = litmus_threads(
                n, "", "atomic_int* x, atomic_int* y, int* c", locks[lock].text);
            struct weiri_exploration done = explore_text(text, (enum weiri_explored)_i);
            EXPECT(done.executions == ways && done.complete && done.blocked == 0
                       && done.racy == 0,
                   "%" PRIu64 " executions, %" PRIu64 " blocked, of\n%s",
                   done.executions, done.blocked, text);
        }
    }
}

/* A lock that is never given back: one thread gets it, and all others wait. */
TEST_EACH(a_lock_that_is_kept_blocks_all_others, G_N_ELEMENTS(models))
{
    for (unsigned n = 2; n <= 4; n++) {
        g_autofree char *text = litmus_threads(
            n, "", "atomic_int* x",
            "while (atomic_exchange_explicit(x, 1, memory_order_acquire) "
            "== 1) {}");
        struct weiri_exploration done = explore_text(text, (enum weiri_explored)_i);
        EXPECT(done.executions == 0 && done.complete && done.blocked == n,
               "%" PRIu64 " executions, %" PRIu64 " blocked, of\n%s", done.executions,
               done.blocked, text);
    }
}

/* Writes of N threads to one location: their orders. One more thread that reads once
 * reads any of N + 1 values in each. */
TEST_EACH(writes_are_ordered_in_every_way, G_N_ELEMENTS(models))
{
    uint64_t factorial = 1;
    for (unsigned n = 1; n <= 6; n++) {
        factorial *= n;
        g_autofree char *text
            = litmus_threads(n, "[x] = 0;", "atomic_int* x",
                             "atomic_store_explicit(x, # + 1, memory_order_relaxed);");
        ck_assert_uint_eq(explore_text(text, (enum weiri_explored)_i).executions,
                          factorial);
    }
}

/* ---- Barriers ------------------------------------------------------------ */

static const char meeting[]
    = "OPENCL meeting\n{ [x] = 0; }\n"
      "P0@wg 0, dev 0 (global int* x) { *x = 1; B: barrier(%s); }\n"
      "P1@wg 0, dev 0 (global int* x) { B: barrier(%s); int r0 = *x; }\n"
      "exists (1:r0=0)\n";

CASE("barriers");

TEST(a_barrier_orders_the_memory_that_it_names)
{
    g_autofree char *both
        = g_strdup_printf(meeting, "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE",
                          "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE");
    struct weiri_exploration done = explore_text(both, WEIRI_EXPLORED_SYCL);
    ck_assert_uint_eq(done.executions, 1);
    ck_assert_uint_eq(done.racy, 0);
    g_autofree char *local
        = g_strdup_printf(meeting, "CLK_LOCAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE");
    done = explore_text(local, WEIRI_EXPLORED_SYCL);
    ck_assert_uint_eq(done.executions, 2);
    ck_assert_uint_eq(done.racy, 2);
    done = explore_text(local, WEIRI_EXPLORED_RC11); /* all barriers are of both */
    ck_assert_uint_eq(done.executions, 1);
    ck_assert_uint_eq(done.racy, 0);
}

TEST(a_thread_that_waits_for_ever_is_blocked)
{
    g_autofree char *other
        = g_strdup_printf(meeting, "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE");
    struct weiri_exploration done = explore_text(other, WEIRI_EXPLORED_SYCL);
    ck_assert_uint_eq(done.executions, 0);
    ck_assert_uint_eq(done.blocked, 1);
    ck_assert(done.complete);
    done = explore_text("OPENCL left\n{ [x] = 0; }\n"
                        "P0@wg 0, dev 0 (global atomic_int* x) {\n"
                        "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
                        "  if (r0 == 0) { B: barrier(CLK_GLOBAL_MEM_FENCE); }\n}\n"
                        "P1@wg 0, dev 0 (global atomic_int* x) {\n"
                        "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
                        "  B: barrier(CLK_GLOBAL_MEM_FENCE);\n}\n"
                        "exists (0:r0=1)\n",
                        WEIRI_EXPLORED_SYCL);
    ck_assert_uint_eq(done.executions, 1);
    ck_assert_uint_eq(done.blocked, 1);
}

/* ---- Limits -------------------------------------------------------------- */

static char *increments(unsigned n)
{
    return litmus_threads(
        n, "[x] = 0;", "atomic_int* x",
        "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);");
}

CASE("limits");

TEST(limits_end_it_incomplete)
{
    g_autofree char *text = increments(7);
    g_autoptr(weiri_litmus) test = litmus_read(text, "text");
    struct visited visited = { 0 };
    struct weiri_exploration done = explore_with(
        test, (struct weiri_explore_options){ .max_executions = 100 }, &visited);
    ck_assert_uint_eq(done.executions, 100);
    ck_assert(!done.complete);
    visited_clear(&visited);
    visited = (struct visited){ .stop_after = 7 };
    done = explore_with(test, (struct weiri_explore_options){ 0 }, &visited);
    ck_assert_uint_eq(done.executions, 7);
    ck_assert(!done.complete);
    visited_clear(&visited);
}

TEST(a_loop_that_needs_more_rounds_is_reported)
{
    struct weiri_exploration done = explore_text(
        "C spin\n{ [x] = 0; }\n"
        "P0 (atomic_int* x) {\n  int r0 = 0, n = 0;\n"
        "  while (r0 == 0) {\n    n++;\n"
        "    r0 = atomic_load_explicit(x, memory_order_relaxed);\n  }\n}\n"
        "P1 (atomic_int* x) {\n"
        "  atomic_store_explicit(x, 1, memory_order_relaxed);\n}\n"
        "exists (0:r0=1 /\\ 0:n=3)\n",
        WEIRI_EXPLORED_RC11);
    ck_assert_uint_eq(done.executions, 8); /* it fails 0 to 7 times */
    ck_assert_uint_eq(done.cut, 1);
    ck_assert(!done.complete);
}

static bool keep_parts(void *user, const struct weiri_explore_progress *so_far)
{
    double *last = user;
    ck_assert(so_far->part >= *last && so_far->part <= 1.000001);
    *last = so_far->part;
    return true;
}

static bool go_on(void *user, const struct weiri_graph *graph, bool race)
{
    (void)user;
    (void)graph;
    (void)race;
    return true;
}

TEST(the_rest_is_estimated)
{
    g_autofree char *text = increments(9);
    g_autoptr(weiri_litmus) test = litmus_read(text, "text");
    struct weiri_program *program = weiri_litmus_program(test, 8);
    double last = 0;
    const struct weiri_explore_options options = { .model = WEIRI_EXPLORED_RC11,
                                                   .execution = go_on,
                                                   .progress = keep_parts,
                                                   .user = &last };
    ck_assert_uint_eq(weiri_explore(program, &options).executions, 362880);
    weiri_litmus_program_free(program);
}

/* Executions by their numbers, those that do not end included. */
static bool add_hash(void *user, const struct weiri_graph *graph, bool race)
{
    (void)race;
    g_hash_table_add(user, GSIZE_TO_POINTER((gsize)weiri_graph_hash(graph)));
    return true;
}

static void add_stuck(void *user, const struct weiri_graph *graph,
                      enum weiri_execution_end why)
{
    (void)why;
    add_hash(user, graph, false);
}

/* Random runs meet only executions that are explored, and in the end all of them. */
/* The numbers of executions, sorted, of those with at most so many deviations. */
struct bounded {
    GHashTable *seen; /* owned */
    uint64_t executions, blocked;
};

static struct bounded explore_bounded(const char *text, enum weiri_explored model,
                                      uint32_t deviations)
{
    g_autoptr(weiri_litmus) test = litmus_read(text, "text");
    struct weiri_program *program = weiri_litmus_program(test, ROUNDS);
    struct bounded bounded = { .seen = g_hash_table_new(NULL, NULL) };
    const struct weiri_explore_options how = {
        .model = model, .execution = add_hash, .stuck = add_stuck, .user = bounded.seen
    };
    struct weiri_exploration done = deviations == UINT32_MAX
        ? weiri_explore(program, &how)
        : weiri_explore_bounded(program, &how, deviations);
    ck_assert(deviations == UINT32_MAX || !done.complete);
    ck_assert_uint_eq(done.executions + done.blocked, g_hash_table_size(bounded.seen));
    bounded.executions = done.executions;
    bounded.blocked = done.blocked;
    weiri_litmus_program_free(program);
    return bounded;
}

static gboolean is_missing(void *key, void *value, void *other)
{
    (void)value;
    return !g_hash_table_contains(other, key);
}

/* Three increments: in the order 012 none deviates. In 021, 102 and 201 one does, since
 * the smallest of the others goes on; in 120 and 210 two do. Two threads a and b with
 * two each: aabb; after one deviation abba and bbaa, after two abab and baab, after
 * three baba. Store buffering: without a deviation one thread reads the other's write;
 * after one both do, or the other one, or by a read of the initial value neither. */
TEST(deviations_are_counted)
{
    static const char add[] = "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);";
    static const struct {
        unsigned n_threads;
        bool twice, buffering;
        uint64_t executions[4];
    } table[] = {
        { 3, false, false, { 1, 4, 6, 6 } },
        { 2, true, false, { 1, 3, 5, 6 } },
        { 2, false, true, { 1, 4, 4, 4 } },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *body = table[i].buffering
            ? g_strdup("if (# == 0) { atomic_store_explicit(x, 1, "
                       "memory_order_relaxed); int r0 = atomic_load_explicit(y, "
                       "memory_order_relaxed); } else { atomic_store_explicit(y, 1, "
                       "memory_order_relaxed); int r1 = atomic_load_explicit(x, "
                       "memory_order_relaxed); }")
            : g_strconcat(add, table[i].twice ? add : NULL, NULL);
        g_autofree char *text = litmus_threads(table[i].n_threads, "",
                                               "atomic_int* x, atomic_int* y", body);
        for (uint32_t k = 0; k < 4; k++) {
            struct bounded some = explore_bounded(text, WEIRI_EXPLORED_RC11, k);
            EXPECT(some.executions == table[i].executions[k],
                   "%u deviations: %" PRIu64 " executions of\n%s", k, some.executions,
                   text);
            g_hash_table_unref(some.seen);
        }
    }
}

/* More deviations lead to more executions, and at last to all of them. Each that is met
 * is an execution that the explorer visits. */
TEST_EACH(more_deviations_meet_more_executions, G_N_ELEMENTS(models))
{
    static const struct {
        const char *parameters, *body;
        bool waits;
    } programs[] = {
        { "atomic_int* x, atomic_int* y",
          "atomic_store_explicit(x, # + 1, memory_order_relaxed);\n"
          "  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
          "  atomic_store_explicit(y, # + 1, memory_order_seq_cst);",
          false },
        { "atomic_int* x, atomic_int* y",
          "int e = 0;\n  atomic_compare_exchange_weak_explicit(x, &e, # + 1, "
          "memory_order_seq_cst, memory_order_relaxed);\n"
          "  int r0 = atomic_load_explicit(x, memory_order_relaxed);",
          false },
        { "atomic_int* x, int* c",
          "while (atomic_exchange_explicit(x, 1, memory_order_acquire) == 1) {}\n"
          "  atomic_store_explicit(x, 0, memory_order_release);",
          true },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
        g_autofree char *text
            = litmus_threads(3, "", programs[i].parameters, programs[i].body);
        struct bounded all = explore_bounded(text, (enum weiri_explored)_i, UINT32_MAX);
        struct bounded last = explore_bounded(text, (enum weiri_explored)_i, 0);
        ck_assert_uint_eq(last.executions, 1);
        for (uint32_t k = 1; k <= 9; k++) {
            struct bounded some = explore_bounded(text, (enum weiri_explored)_i, k);
            ck_assert_ptr_null(g_hash_table_find(last.seen, is_missing, some.seen));
            ck_assert_ptr_null(g_hash_table_find(some.seen, is_missing, all.seen));
            EXPECT(some.executions > last.executions
                       || some.executions == all.executions,
                   "%u deviations: %" PRIu64 " of %" PRIu64 " of\n%s", k,
                   some.executions, all.executions, text);
            g_hash_table_unref(last.seen);
            last = some;
            if (some.executions == all.executions) {
                break;
            }
        }
        EXPECT(last.executions == all.executions, "%" PRIu64 " of %" PRIu64 " of\n%s",
               last.executions, all.executions, text);
        g_hash_table_unref(last.seen);
        g_hash_table_unref(all.seen);
    }
}

/* Nothing waits for ever but what does without a bound. */
TEST(a_bounded_execution_may_never_end)
{
    g_autofree char *text = litmus_threads(
        2, "", "atomic_int* x",
        "while (atomic_exchange_explicit(x, 1, memory_order_acquire) == 1) {}");
    struct bounded some = explore_bounded(text, WEIRI_EXPLORED_SYCL, 0);
    ck_assert_uint_eq(some.executions, 0);
    ck_assert_uint_eq(some.blocked, 1);
    g_hash_table_unref(some.seen);
    some = explore_bounded(text, WEIRI_EXPLORED_SYCL, 1);
    ck_assert_uint_eq(some.blocked, 2);
    g_hash_table_unref(some.seen);
}

TEST_EACH(samples_are_executions, G_N_ELEMENTS(models))
{
    enum { RUNS = 4000 };
    static const struct {
        unsigned n;
        const char *initials, *parameters, *body;
    } table[] = {
        { 4, "", "atomic_int* x",
          "atomic_fetch_add_explicit(x, 1, memory_order_relaxed);" },
        { 3, "", "atomic_int* x",
          "int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
          "  atomic_store_explicit(x, #, memory_order_release);" },
        { 2, "", "atomic_int* x, atomic_int* y",
          "atomic_store_explicit(x, #, memory_order_relaxed);\n"
          "  atomic_store_explicit(y, #, memory_order_relaxed);\n"
          "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
          "  int r1 = atomic_load_explicit(y, memory_order_relaxed);" },
        { 2, "", "atomic_int* x, atomic_int* y",
          "atomic_store_explicit(x, #, memory_order_seq_cst);\n"
          "  int r0 = atomic_load_explicit(y, memory_order_seq_cst);\n"
          "  atomic_store_explicit(y, #, memory_order_seq_cst);\n"
          "  int r1 = atomic_load_explicit(x, memory_order_seq_cst);" },
        { 3, "", "atomic_int* x, int* c",
          "int e = 0;\n  while (!atomic_compare_exchange_strong_explicit(x, &e, 1, "
          "memory_order_acquire, memory_order_relaxed)) e = 0;\n"
          "  *c += 1;\n  atomic_store_explicit(x, 0, memory_order_release);" },
        { 3, "", "atomic_int* x, atomic_int* y",
          "int t = atomic_fetch_add_explicit(y, 1, memory_order_relaxed);\n"
          "  while (atomic_load_explicit(x, memory_order_acquire) != t) {}\n"
          "  atomic_store_explicit(x, t + 1, memory_order_release);" },
        { 2, "", "atomic_int* x",
          "int e = 0;\n  int r0 = atomic_compare_exchange_weak_explicit(x, &e, 1, "
          "memory_order_relaxed, memory_order_relaxed);" },
        /* Two of them wait for ever. */
        { 3, "", "atomic_int* x",
          "while (atomic_exchange_explicit(x, 1, memory_order_acquire) == 1) {}" },
        /* P0 waits for what P1 writes, which may go on at once. */
        { 2, "", "atomic_int* x, atomic_int* y",
          "while (atomic_load_explicit(x, memory_order_relaxed) != 1 - #) {}\n"
          "  atomic_store_explicit(x, #, memory_order_relaxed);" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *text = litmus_threads(table[i].n, table[i].initials,
                                               table[i].parameters, table[i].body);
        g_autoptr(weiri_litmus) test = litmus_read(text, "text");
        struct weiri_program *program = weiri_litmus_program(test, ROUNDS);
        g_autoptr(GHashTable) all = g_hash_table_new(NULL, NULL);
        g_autoptr(GHashTable) met = g_hash_table_new(NULL, NULL);
        struct weiri_explore_options options = { .model = (enum weiri_explored)_i,
                                                 .execution = add_hash,
                                                 .stuck = add_stuck,
                                                 .user = all };
        weiri_explore(program, &options);
        options.user = met;
        uint64_t now;
        struct weiri_sampling sampling = weiri_sample(program, &options, RUNS, 1, &now);
        ck_assert_uint_eq(sampling.runs, RUNS);
        ck_assert_uint_eq(now, RUNS);
        ck_assert_uint_eq(sampling.done.executions + sampling.done.blocked,
                          g_hash_table_size(met));
        GHashTableIter each;
        void *hash;
        g_hash_table_iter_init(&each, met);
        while (g_hash_table_iter_next(&each, &hash, NULL)) {
            EXPECT(g_hash_table_contains(all, hash), "%s under %s: %zu: not explored",
                   text, models[_i], i);
        }
        EXPECT(g_hash_table_size(met) == g_hash_table_size(all),
               "%s under %s: %u of %u", text, models[_i], g_hash_table_size(met),
               g_hash_table_size(all));
        weiri_litmus_program_free(program);
    }
}

/* A share of an exploration: every execution by its number, and its place. */
struct share {
    uint64_t index, n;
    GArray *hashes;    /* of uint64_t */
    GPtrArray *places; /* of GArray of uint32_t */
};

static void note_place(void *user, const struct weiri_explore_place *place)
{
    struct share *share = user;
    GArray *copy = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_vals(copy, place->at, place->n);
    g_ptr_array_add(share->places, copy);
}

static bool note_hash(void *user, const struct weiri_graph *graph, bool race)
{
    struct share *share = user;
    uint64_t hash = weiri_graph_hash(graph);
    (void)race;
    g_array_append_val(share->hashes, hash);
    return true;
}

static bool takes(void *user, uint64_t piece)
{
    const struct share *share = user;
    return piece % share->n == share->index;
}

/* However coarse the pieces are, down to single executions, each execution is in one
 * share, and its place leads to it alone. */
TEST(each_execution_is_in_one_piece_and_at_one_place)
{
    static const double pieces[] = { 1, 0.1, 1e-9 };
    g_autofree char *text = increments(5);
    g_autoptr(weiri_litmus) test = litmus_read(text, "text");
    struct weiri_program *program = weiri_litmus_program(test, 8);
    for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
        struct share share = { .n = 3,
                               .hashes = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                               .places = g_ptr_array_new_with_free_func(
                                   (GDestroyNotify)g_array_unref) };
        struct weiri_explore_options options = { .model = WEIRI_EXPLORED_RC11,
                                                 .execution = note_hash,
                                                 .piece = pieces[i],
                                                 .takes = takes,
                                                 .place = note_place,
                                                 .user = &share };
        for (share.index = 0; share.index < share.n; share.index++) {
            ck_assert(weiri_explore(program, &options).complete);
        }
        ck_assert_uint_eq(share.hashes->len, 120);
        ck_assert_uint_eq(share.places->len, 120);
        g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
        options.piece = 0;
        options.place = NULL;
        g_autoptr(GArray) all = g_steal_pointer(&share.hashes);
        for (guint k = 0; k < all->len; k++) {
            ck_assert(g_hash_table_add(seen, &g_array_index(all, uint64_t, k)));
            const GArray *at = g_ptr_array_index(share.places, k);
            const struct weiri_explore_place only
                = { at->len, (const uint32_t *)(const void *)at->data };
            options.only = &only;
            share.hashes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
            ck_assert_uint_eq(weiri_explore(program, &options).executions, 1);
            ck_assert_uint_eq(g_array_index(share.hashes, uint64_t, 0),
                              g_array_index(all, uint64_t, k));
            g_array_unref(share.hashes);
        }
        g_ptr_array_unref(share.places);
    }
    weiri_litmus_program_free(program);
}

TEST(a_test_that_is_too_large_is_reported)
{
    GString *body = g_string_new(NULL);
    for (unsigned i = 0; i < 61000; i++) {
        g_string_append(body, "atomic_store_explicit(x, 1, memory_order_relaxed);\n");
    }
    g_autofree char *code = g_string_free(body, FALSE);
    g_autofree char *text = litmus_threads(1, "[x] = 0;", "atomic_int* x", code);
    struct weiri_exploration done = explore_text(text, WEIRI_EXPLORED_RC11);
    ck_assert(done.too_large && !done.complete);
}

/* ---- Verdicts ------------------------------------------------------------ */

static void check_verdict(const struct weiri_litmus *test,
                          const struct litmus_verdict *verdict, void *user)
{
    enum weiri_explored model = *(const enum weiri_explored *)user;
    struct visited visited = { 0 };
    bool judged = model != WEIRI_EXPLORED_SC;
    struct weiri_exploration done = explore_with(
        test, (struct weiri_explore_options){ .model = model, .races = judged },
        &visited);
    ck_assert(done.complete);
    const char *observation = visited.positive == 0 ? "Never"
        : visited.negative == 0                     ? "Always"
                                                    : "Sometimes";
    const char *race = !judged ? "-" : done.racy > 0 ? "race" : "none";
    g_autofree char *counts
        = g_strdup_printf("%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s",
                          observation, visited.positive, visited.negative, race);
    EXPECT(strcmp(counts, verdict->counts) == 0, "%s under %s: %s, and not %s",
           verdict->file, verdict->model, counts, verdict->counts);
    if (!verdict->races) { /* of races, families of models say different things */
        litmus_expect_states(verdict, visited.states);
    }
    visited_clear(&visited);
}

CASE("verdicts");

TEST_EACH(verdicts_are_those_of_the_folder, G_N_ELEMENTS(models))
{
    enum weiri_explored model = (enum weiri_explored)_i;
    size_t n = litmus_each_verdict(models[_i], 1, check_verdict, &model);
    if (n > 0) {
        printf("%s: %zu rows\n", models[_i], n);
    }
}

MAIN("explore")
