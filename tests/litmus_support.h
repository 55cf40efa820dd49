/* SPDX-License-Identifier: MIT
 *
 * litmus_support.h: what the tests of litmus tests share: reading them, comparing them
 * as values, and running them under sequential consistency. */
#ifndef WEIR_TESTS_LITMUS_SUPPORT_H
#define WEIR_TESTS_LITMUS_SUPPORT_H

#include "support.h"

#include "litmus/code.h"

/* For g_autoptr(). */
typedef struct weiri_litmus weiri_litmus;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weiri_litmus, weiri_litmus_free)

/* A sound test with some of everything in its frame. */
static __attribute__((unused)) const char litmus_message[]
    = "OPENCL MP@wg+example\n"
      "\"a text\"\n"
      "Com=Rf Fr\n"
      "(* a comment (* in a comment *) *)\n"
      "{ [x] = 0; y = 2; long z = -3; 1:r9 = 4; }\n"
      "P0@wg 1, dev 2 (global int* x, local volatile atomic_int* y) {\n"
      "  *x = 1;\n"
      "  atomic_store_explicit(y, 1, memory_order_release, memory_scope_work_group);\n"
      "}\n"
      "P1@wg 1, dev 2 (__global int *x, __local atomic_int *y) {\n"
      "  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
      "  int r1 = *x;\n"
      "}\n"
      "locations [x; 1:r9; x;]\n"
      "filter (1:r0=1)\n"
      "~exists (1:r1=0 /\\ P1:r0=1)\n";

/** Parses what must be sound. Returns: (transfer full) */
struct weiri_litmus *litmus_read(const char *text, const char *file);

/** Parses a file that must be sound. Returns: (transfer full) */
struct weiri_litmus *litmus_read_file(const char *path);

/** A test with @n threads of one body, which may name its own number as #.
 *  Returns: (transfer full): its text */
char *litmus_threads(unsigned n, const char *initials, const char *parameters,
                     const char *body);

/** The *.litmus of a folder, with their paths, sorted. Returns: (transfer full) */
GPtrArray *litmus_list(const char *folder);

/** What a file of the library says of itself: its comment `(* KEY: ... *)`, in parts
 *  that commas separate. Returns: (transfer full) */
GStrv litmus_file_says(const char *path, const char *key);

/** Whether two tests are equal, places aside. */
bool litmus_same(const struct weiri_litmus *a, const struct weiri_litmus *b);

/** Fails unless @test, printed, is parsed to an equal one. */
void litmus_expect_round_trip(const struct weiri_litmus *test, const char *file);

/* ---- Verdicts of another program ------------------------------------------------- */

/**
 * litmus_verdict: a row of verdicts.tsv
 * @file: path of the test in the folder
 * @model: under which this is so
 * @observation: "Never", "Sometimes" or "Always"
 * @counts: the same, how many executions satisfy the condition, how many do not, and
 *          "race", "none", or "-" where that is not judged: "Sometimes 1 3 none"
 * @races: whether it is "race"
 * @states: text of each final state
 */
struct litmus_verdict {
    const char *file, *model, *observation, *counts;
    bool races;
    const char *const *states;
};

/**
 * litmus_each_verdict:
 * @model: whose rows; NULL: all
 * @step: one row in so many
 * @check: called with each, and its test
 *
 * Does nothing without WEIR_LITMUS_DIR, the folder that has verdicts.tsv; fails if no
 * row is checked with it.
 *
 * Returns: how many rows were
 */
size_t litmus_each_verdict(const char *model, size_t step,
                           void (*check)(const struct weiri_litmus *test,
                                         const struct litmus_verdict *verdict,
                                         void *user),
                           void *user);

/** Fails unless @states, texts as a set, are those of the verdict. */
void litmus_expect_states(const struct litmus_verdict *verdict, GHashTable *states);

/* ---- Sequential consistency ------------------------------------------------------ */

/**
 * litmus_sc:
 * @states: text of each final state that passes the filter, as a set; owned
 * @n_holding: states in which the condition holds
 * @n_bounded: runs that a loop's bound has ended
 * @n_faults: and those that a fault has
 * @n_visited: all states, those on the way too
 */
struct litmus_sc {
    GHashTable *states;
    size_t n_holding, n_bounded, n_faults, n_visited;
};

/** Runs every interleaving, each state once. Returns: (transfer full) */
struct litmus_sc litmus_sc_run(const struct weiri_litmus *test, uint32_t rounds);
void litmus_sc_clear(struct litmus_sc *sc);
typedef struct litmus_sc litmus_sc;
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(litmus_sc, litmus_sc_clear)

/** "Never", "Sometimes" or "Always", by the states. */
const char *litmus_sc_observation(const struct litmus_sc *sc);

#endif
