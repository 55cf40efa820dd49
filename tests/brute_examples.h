/* SPDX-License-Identifier: MIT
 *
 * brute_examples.h: words for small programs, and those that brute force is tested on:
 *
 *     { "what it shows", "sc rc11 0/2, gpu 1/2 race",
 *       { LOCATIONS(PLAIN(X), ATOMIC(Y)),
 *         THREADS(2, THREAD(WRITE(X, 1), STORE(Y, 1, release)),
 *                 THREAD(LOAD(0, Y, acquire), READ_IF(0, 1, 1, X))),
 *         ALL(REG(1, 0, 1), REG(1, 1, 0)) } }
 *
 * is a program with, by model, how many executions satisfy what ALL() says and how many
 * do not, and what else a verdict states: `race`, `blocked N`, `cut N`. Registers and
 * values come in the order of the text: LOAD(0, Y, acquire) is r0 = y. */
#ifndef WEIR_TESTS_BRUTE_EXAMPLES_H
#define WEIR_TESTS_BRUTE_EXAMPLES_H

#include "brute_program.h"

struct brute_example {
    const char *claim;
    const char *says;
    struct brute_program program;
};

/* Examples in herd's C form, in the scoped form, and in both; each list ends with one
 * without a claim. */
extern const struct brute_example brute_examples_c11[];
extern const struct brute_example brute_examples_scoped[];
extern const struct brute_example brute_examples_counted[];

/* clang-format off */

/* ---- Programs -------------------------------------------------------------------- */

enum { X, Y, Z, W, E, F };
enum { BOTH = WEIR_LOCAL | WEIR_GLOBAL };

#define LOCATIONS(...) .locations = { __VA_ARGS__ }
#define PLAIN(x) [x] = { .used = true }
#define ATOMIC(x) [x] = { .used = true, .atomic = true }
#define LOCAL_PLAIN(x) [x] = { .used = true, .local = true }
#define LOCAL_ATOMIC(x) [x] = { .used = true, .atomic = true, .local = true }
#define FROM(x, v) [x] = { .used = true, .initial = v }
#define THREADS(n, ...) .n_threads = n, .threads = { __VA_ARGS__ }
#define THREAD(...) { .statements = { __VA_ARGS__ } }
/* The scoped form: threads that are PLACED() */
#define ITEMS(n, ...) .placed = true, THREADS(n, __VA_ARGS__)
#define PLACED(g, d, ...) { .group = g, .device = d, .statements = { __VA_ARGS__ } }
#define REG(t, r, v) { .thread = t, .index = r, .value = v }
#define MEM(x, v) { .thread = BRUTE_MEMORY, .index = x, .value = v }
#define ALL(...)                                                                       \
    .clauses = { __VA_ARGS__ },                                                        \
    .n_clauses = sizeof((struct brute_clause[]){ __VA_ARGS__ })                        \
        / sizeof(struct brute_clause)
#define ANY(...) .any = true, ALL(__VA_ARGS__)

/* ---- Statements ------------------------------------------------------------------ */

#define ACCESS(k, x, o, s)                                                             \
    .kind = BRUTE_##k, .atomic = true, .location = x, .order = memory_order_##o,       \
    .scope = memory_scope_##s
#define READ(r, x) { .kind = BRUTE_LOAD, .result = r, .location = x }
#define READ_BY(r, x, by)                                                              \
    { .kind = BRUTE_LOAD, .result = r, .location = x, .offset = { BRUTE_MASK, by, 0 } }
#define WRITE(x, v) { .kind = BRUTE_STORE, .location = x, .operand.value = v }
#define WRITE_FROM(x, r, v)                                                            \
    { .kind = BRUTE_STORE, .location = x, .operand = { BRUTE_REGISTER, r, v } }
#define LOAD_AT(r, x, o, s) { ACCESS(LOAD, x, o, s), .result = r }
#define LOAD(r, x, o) LOAD_AT(r, x, o, device)
#define STORE_AT(x, v, o, s) { ACCESS(STORE, x, o, s), .operand.value = v }
#define STORE(x, v, o) STORE_AT(x, v, o, device)
#define STORE_AS(form, x, r, v, o)                                                     \
    { ACCESS(STORE, x, o, device), .operand = { BRUTE_##form, r, v } }
#define STORE_FROM(x, r, v, o) STORE_AS(REGISTER, x, r, v, o)
#define STORE_BY(x, by, v, o)                                                          \
    { ACCESS(STORE, x, o, device), .operand.value = v, .offset = { BRUTE_XOR, by, 0 } }
#define UPDATE_AT(k, r, x, v, o, s)                                                    \
    { ACCESS(k, x, o, s), .result = r, .operand.value = v }
#define UPDATE(k, r, x, v, o) UPDATE_AT(k, r, x, v, o, device)
/* r = compare_exchange(x, e, v): of the location e, or of the register */
#define COMPARE(r, x, e, v, o, f)                                                      \
    { ACCESS(COMPARE, x, o, device), .failure = memory_order_##f, .result = r,         \
      .expected = e, .expects_location = true, .operand.value = v }
#define COMPARE_WEAK(r, x, e, v, o, f)                                                 \
    { ACCESS(COMPARE, x, o, device), .failure = memory_order_##f, .result = r,         \
      .expected = e, .expects_location = true, .operand.value = v, .weak = true }
#define COMPARE_REG(r, x, e, v, is_weak)                                               \
    { ACCESS(COMPARE, x, relaxed, device), .result = r, .expected = e,                 \
      .operand.value = v, .weak = is_weak }
#define FENCE_OF(flags, o, s)                                                          \
    { .kind = BRUTE_FENCE, .spaces = flags, .order = memory_order_##o,                 \
      .scope = memory_scope_##s }
#define FENCE(o) FENCE_OF(BOTH, o, device)
#define BARRIER_TO(s, l, flags)                                                        \
    { .kind = BRUTE_BARRIER, .label = l, .spaces = flags, .scope = memory_scope_##s }
#define BARRIER(l, flags) BARRIER_TO(work_group, l, flags)
#define SET(r, v) { .kind = BRUTE_SET, .result = r, .operand.value = v }
#define COPY(r, q)                                                                     \
    { .kind = BRUTE_SET, .result = r, .operand = { BRUTE_REGISTER, q, 0 } }
#define IF(r, v) { .kind = BRUTE_IF, .reg = r, .operand.value = v }
#define IF_SAME(r, q)                                                                  \
    { .kind = BRUTE_IF, .reg = r, .operand = { BRUTE_REGISTER, q, 0 } }
#define WHILE(how, r, v)                                                               \
    { .kind = BRUTE_WHILE, .reg = r, .comparison = BRUTE_##how, .operand.value = v }
/* r = x, plain, if the register q is v */
#define READ_IF(q, v, r, x) IF(q, v), READ(r, x), CLOSE
#define ELSE { .kind = BRUTE_ELSE }
#define CLOSE { .kind = BRUTE_CLOSE }
/* clang-format on */

#endif
