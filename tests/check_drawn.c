/* SPDX-License-Identifier: MIT
 *
 * check_drawn.c: executions as weir-model.h hands them out: which events there are,
 * what leads from which to which, and why two of them race. Each test is small enough
 * for all that to be written down here, by what the relations mean. */
#include "litmus_ask.h"

/* ---- Executions as texts --------------------------------------------------------- */

/* "P0 W x=1 relaxed; P1 R x=1 relaxed". Returns: (transfer full) */
static char *events_of(const struct weir_litmus_execution *execution)
{
    GString *text = g_string_new(NULL);
    for (size_t e = 0; e < execution->n_events; e++) {
        g_string_append_printf(text, "%sP%u %s", e > 0 ? "; " : "",
                               execution->events[e].thread, execution->events[e].text);
    }
    return g_string_free(text, FALSE);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "mo 0-2, rf i-1", in order of the alphabet; i is the initial value.
 * Returns: (transfer full) */
static char *edges_of(const struct weir_litmus_execution *execution)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    for (size_t e = 0; e < execution->n_edges; e++) {
        const struct weir_litmus_edge *edge = &execution->edges[e];
        const char *kind = weir_litmus_edge_name(edge->kind);
        g_ptr_array_add(all,
                        edge->from == WEIR_LITMUS_INITIAL
                            ? g_strdup_printf("%s i-%u", kind, edge->to)
                            : g_strdup_printf("%s %u-%u", kind, edge->from, edge->to));
    }
    g_ptr_array_sort(all, by_text);
    g_ptr_array_add(all, NULL);
    return g_strjoinv(", ", (char **)all->pdata);
}

static const struct weir_litmus_execution *witness_of(
    const struct weir_litmus_answer *answer, const char *state)
{
    size_t n = weir_litmus_answer_verdict(answer)->n_states;
    for (size_t i = 0; i < n; i++) {
        const struct weir_litmus_state *one = weir_litmus_answer_state(answer, i);
        if (strcmp(one->text, state) == 0) {
            return one->witness;
        }
    }
    ck_abort_msg("no execution ends in %s", state);
    return NULL;
}

/* ---- Events and edges ------------------------------------------------------------ */

#define MP                                                                             \
    "C t\n{}\n"                                                                        \
    "P0 ($ints) { store(x, 1, $rlx); store(y, 2, $rel); }\n"                           \
    "P1 ($ints) {\n"                                                                   \
    "  int a = load(y, $acq);\n"                                                       \
    "  int b = load(x, $rlx);\n"                                                       \
    "}\n"                                                                              \
    "locations [1:a; 1:b;]"

static const struct {
    const char *what, *text;
    enum weir_model model;
    const char *state, *events, *edges;
} drawings[] = {
    { "a message that came", MP, WEIR_MODEL_SYCL, "1:a=2,1:b=1",
      "P0 W x=1 relaxed; P0 W y=2 release; P1 R y=2 acquire; P1 R x=1 relaxed",
      "po 0-1, po 2-3, rf 0-3, rf 1-2, sw 1-2" },
    { "a message that did not", MP, WEIR_MODEL_SYCL, "1:a=0,1:b=0",
      "P0 W x=1 relaxed; P0 W y=2 release; P1 R y=0 acquire; P1 R x=0 relaxed",
      "po 0-1, po 2-3, rb 2-1, rb 3-0, rf i-2, rf i-3" },
    { "writes in one order, and a read between two of them",
      "C t\n{}\n"
      "P0 (atomic_int* x) {\n"
      "  store(x, 1, $rlx); store(x, 2, $rlx); store(x, 3, $rlx);\n"
      "}\n"
      "P1 (atomic_int* x) { int a = load(x, $rlx); }\n"
      "locations [1:a;]",
      WEIR_MODEL_SYCL, "1:a=2",
      "P0 W x=1 relaxed; P0 W x=2 relaxed; P0 W x=3 relaxed; P1 R x=2 relaxed",
      "mo 0-1, mo 1-2, po 0-1, po 1-2, rb 3-2, rf 1-3" },
    { "a read-modify-write, whose write comes next to what it reads",
      "C t\n{}\n"
      "P0 (atomic_int* x) { store(x, 1, $rlx); }\n"
      "P1 (atomic_int* x) { int a = atomic_fetch_add(x, 5); }\n"
      "P2 (atomic_int* x) { int b = load(x, $rlx); }\n"
      "locations [1:a; 2:b; x;]",
      WEIR_MODEL_RC11, "1:a=1,2:b=1,[x]=6",
      "P0 W x=1 relaxed; P1 R x=1 seq_cst; P1 W x=6 seq_cst; P2 R x=1 relaxed",
      "mo 0-2, po 1-2, rb 3-2, rf 0-1, rf 0-3, rmw 1-2" },
    { "halves of read-modify-writes, each with its part of the order",
      "C t\n{}\n"
      "P0 (atomic_int* x, atomic_int* y, atomic_int* z, atomic_int* v,\n"
      "    atomic_int* w) {\n"
      "  exchange(x, 1, $acq); exchange(y, 1, $rel);\n"
      "  exchange(z, 1, $acq_rel);\n"
      "  exchange(v, 1, $sc);\n"
      "  exchange(w, 1, $rlx);\n"
      "}",
      WEIR_MODEL_RC11, "",
      "P0 R x=0 acquire; P0 W x=1 relaxed; P0 R y=0 relaxed; P0 W y=1 release; "
      "P0 R z=0 acquire; P0 W z=1 release; P0 R v=0 seq_cst; P0 W v=1 seq_cst; "
      "P0 R w=0 relaxed; P0 W w=1 relaxed",
      "po 0-1, po 1-2, po 2-3, po 3-4, po 4-5, po 5-6, po 6-7, po 7-8, po 8-9, rf i-0, "
      "rf i-2, rf i-4, rf i-6, rf i-8, rmw 0-1, rmw 2-3, rmw 4-5, rmw 6-7, rmw 8-9" },
    { "fences, and what they synchronise",
      "C t\n{}\n"
      "P0 ($ints) {\n"
      "  store(x, 1, $rlx); atomic_thread_fence($rel); store(y, 1, $rlx);\n"
      "}\n"
      "P1 ($ints) {\n"
      "  int a = load(y, $rlx); atomic_thread_fence($acq); int b = load(x, $rlx);\n"
      "}\n"
      "locations [1:a;]",
      WEIR_MODEL_GPU, "1:a=1",
      "P0 W x=1 relaxed; P0 F release; P0 W y=1 relaxed; P1 R y=1 relaxed; "
      "P1 F acquire; P1 R x=1 relaxed",
      "po 0-1, po 1-2, po 3-4, po 4-5, rf 0-5, rf 2-3, sw 1-4" },
    { "barriers of one group, and none of another",
      "OPENCL t\n{}\n"
      "P0@wg 0, dev 0 () { B1: barrier($LOCAL); }\n"
      "P1@wg 0, dev 0 () { B1: barrier($LOCAL); }\n"
      "P2@wg 1, dev 0 () { B1: barrier($LOCAL); }",
      WEIR_MODEL_SYCL, "",
      "P0 barrier B1 local; P0 after barrier B1 local; P1 barrier B1 local; "
      "P1 after barrier B1 local; P2 barrier B1 local; P2 after barrier B1 local",
      "bar 0-3, bar 2-1, po 0-1, po 2-3, po 4-5" },
    { "a barrier twice: each time is a meeting of its own",
      "OPENCL t\n{}\n"
      "P0@wg 0, dev 0 () { for (int i = 0; i < 2; i++) B1: barrier($GLOBAL); }\n"
      "P1@wg 0, dev 0 () { for (int i = 0; i < 2; i++) B1: barrier($GLOBAL); }",
      WEIR_MODEL_SYCL, "",
      "P0 barrier B1 global; P0 after barrier B1 global; P0 barrier B1 global; "
      "P0 after barrier B1 global; P1 barrier B1 global; P1 after barrier B1 global; "
      "P1 barrier B1 global; P1 after barrier B1 global",
      "bar 0-5, bar 2-7, bar 4-1, bar 6-3, po 0-1, po 1-2, po 2-3, po 4-5, po 5-6, "
      "po 6-7" },
    { "scopes and spaces, in the form that has them",
      "OPENCL t\n{}\n"
      "P0@wg 0, dev 0 (local atomic_int* x) {\n"
      "  store(x, 1, $rel, $wg); FENCE($LOCAL, $sc, $dev);\n"
      "}",
      WEIR_MODEL_SYCL, "", "P0 W x=1 release work-group; P0 F seq_cst device local",
      "po 0-1" },
    { "a race",
      "C t\n{}\n"
      "P0 (int* x) { *x = 1; }\n"
      "P1 (int* x) { int a = *x; }\n"
      "locations [1:a;]",
      WEIR_MODEL_RC11, "1:a=0", "P0 W x=1; P1 R x=0", "race 0-1, rb 1-0, rf i-1" },
};

CASE("edges");

TEST_EACH(an_execution_has_the_edges_of_its_relations, G_N_ELEMENTS(drawings))
{
    g_autoptr(weir_litmus_answer) answer
        = ASK_TEXT(drawings[_i].text, .model = drawings[_i].model);
    const struct weir_litmus_execution *witness
        = witness_of(answer, drawings[_i].state);
    g_autofree char *events = events_of(witness);
    g_autofree char *edges = edges_of(witness);
    EXPECT(strcmp(events, drawings[_i].events) == 0, "%s:\nthere is %s\nnot      %s",
           drawings[_i].what, events, drawings[_i].events);
    EXPECT(strcmp(edges, drawings[_i].edges) == 0, "%s:\nthere is %s\nnot      %s",
           drawings[_i].what, edges, drawings[_i].edges);
}

/* ---- What carries a synchronisation ---------------------------------------------- */

static const struct {
    const char *text;
    enum weir_model model;
    const char *state;
    uint32_t from, to;
    const char *how;
} carried[] = {
    { "C t\n{}\nP0 (atomic_int* y) {\nstore(y, 1, $rel);\n}\n"
      "P1 (atomic_int* y) {\nint a = load(y, $acq);\n}\nlocations [1:a;]",
      WEIR_MODEL_RC11, "1:a=1", 0, 1, "P1 (line 7) reads what P0 writes (line 4)" },
    /* A later write of the same thread. */
    { "C t\n{}\nP0 (atomic_int* y) {\nstore(y, 1, $rel);\nstore(y, 2, $rlx);\n}\n"
      "P1 (atomic_int* y) {\nint a = load(y, $acq);\n}\nlocations [1:a;]",
      WEIR_MODEL_RC11, "1:a=2", 0, 2,
      "P1 (line 8) reads what P0 writes later (line 5)" },
    /* Behind fences a plain access carries nothing, whichever comes first. */
    { "C t\n{}\nP0 (int* x, atomic_int* y) {\natomic_thread_fence($rel);\n*x = 1;\n"
      "store(y, 1, $rlx);\n}\n"
      "P1 (int* x, atomic_int* y) {\nint b = *x;\nint a = load(y, $rlx);\n"
      "atomic_thread_fence($acq);\n}\nlocations [1:a; 1:b;]",
      WEIR_MODEL_RC11, "1:a=1,1:b=1", 0, 5,
      "P1 (line 10) reads what P0 writes (line 6)" },
    /* Nor does one of too narrow a scope. */
    { "OPENCL t\n{}\nP0@wg 0, dev 0 (global atomic_int* y, global atomic_int* z) {\n"
      "FENCE($GLOBAL, $rel, $dev);\nstore(z, 1, $rlx, $wg);\nstore(y, 1, $rlx, $dev);\n"
      "}\nP1@wg 1, dev 0 (global atomic_int* y, global atomic_int* z) {\n"
      "int b = load(z, $rlx, $wg);\nint a = load(y, $rlx, $dev);\n"
      "FENCE($GLOBAL, $acq, $dev);\n}\nlocations [1:a; 1:b;]",
      WEIR_MODEL_SYCL, "1:a=1,1:b=1", 0, 5,
      "P1 (line 10) reads what P0 writes (line 6)" },
    /* Nor, where spaces are apart, one in memory that a fence is not of. */
    { "OPENCL t\n{}\nP0@wg 0, dev 0 (global atomic_int* y, local atomic_int* z) {\n"
      "FENCE($GLOBAL, $rel, $wg);\nstore(z, 1, $rlx, $wg);\nstore(y, 1, $rlx, $wg);\n"
      "}\nP1@wg 0, dev 0 (global atomic_int* y, local atomic_int* z) {\n"
      "int b = load(z, $rlx, $wg);\nint a = load(y, $rlx, $wg);\n"
      "FENCE($GLOBAL, $acq, $wg);\n}\nlocations [1:a; 1:b;]",
      WEIR_MODEL_OPENCL, "1:a=1,1:b=1", 0, 5,
      "P1 (line 10) reads what P0 writes (line 6)" },
    /* There scopes are asked of the fences alone. */
    { "OPENCL t\n{}\nP0@wg 0, dev 0 (global atomic_int* y, local atomic_int* z) {\n"
      "FENCE($GLOBAL, $rel, $wg);\nstore(z, 1, $rlx, $wg);\nstore(y, 1, $rlx, $dev);\n"
      "}\nP1@wg 0, dev 0 (global atomic_int* y, local atomic_int* z) {\n"
      "int b = load(z, $rlx, $wg);\nint a = load(y, $rlx, $wg);\n"
      "FENCE($GLOBAL, $acq, $wg);\n}\nlocations [1:a; 1:b;]",
      WEIR_MODEL_OPENCL, "1:a=1,1:b=1", 0, 5,
      "P1 (line 10) reads what P0 writes (line 6)" },
    /* Read-modify-writes, in the order in which they come. */
    { "C t\n{}\nP0 (atomic_int* y) {\nstore(y, 1, $rel);\n}\n"
      "P1 (atomic_int* y) {\nint b = fetch_add(y, 1, $rlx);\n}\n"
      "P2 (atomic_int* y) {\nint a = load(y, $acq);\n}\n"
      "locations [2:a;]",
      WEIR_MODEL_RC11, "2:a=2", 0, 3,
      "P2 (line 10) reads what P0 writes (line 4), by way of the read-modify-write in "
      "line 7" },
    { "C t\n{}\nP0 (atomic_int* y) {\nstore(y, 1, $rel);\n}\n"
      "P1 (atomic_int* y) {\nint b = fetch_add(y, 1, $rlx);\n}\n"
      "P2 (atomic_int* y) {\nint c = fetch_add(y, 10, $rlx);\n}\n"
      "P3 (atomic_int* y) {\nint a = load(y, $acq);\n}\n"
      "locations [3:a;]\nfilter (1:b=11)",
      WEIR_MODEL_OPENCL, "3:a=12", 0, 5,
      "P3 (line 13) reads what P0 writes (line 4), by way of the read-modify-writes in "
      "lines 10 and 7" },
};

TEST_EACH(a_synchronisation_says_what_carries_it, G_N_ELEMENTS(carried))
{
    g_autoptr(weir_litmus_answer) answer
        = ASK_TEXT(carried[_i].text, .model = carried[_i].model);
    const struct weir_litmus_execution *witness = witness_of(answer, carried[_i].state);
    bool found = false;
    for (size_t e = 0; e < witness->n_edges; e++) {
        const struct weir_litmus_edge *edge = &witness->edges[e];
        if (edge->kind != WEIR_LITMUS_SW) {
            ck_assert_ptr_null(edge->how);
        } else if (edge->from == carried[_i].from && edge->to == carried[_i].to) {
            EXPECT(edge->how != NULL && strcmp(edge->how, carried[_i].how) == 0,
                   "%s,\nnot %s", edge->how, carried[_i].how);
            found = true;
        }
    }
    EXPECT(found, "nothing synchronises in\n%s", carried[_i].text);
}

/* ---- What is forbidden ----------------------------------------------------------- */

/* Two threads that were both let in would race. */
TEST(a_forbidden_execution_has_no_race)
{
    g_autoptr(weir_litmus_answer) answer
        = ASK_TEXT("C t\n{}\n"
                   "P0 (atomic_int* x, atomic_int* y, int* n) {\n"
                   "  store(x, 1, $sc); int a = load(y, $sc); if (a == 0) *n = 1;\n}\n"
                   "P1 (atomic_int* x, atomic_int* y, int* n) {\n"
                   "  store(y, 1, $sc); int b = load(x, $sc); if (b == 0) *n = 2;\n}\n"
                   "exists (0:a=0 /\\ 1:b=0)",
                   .model = WEIR_MODEL_RC11);
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    ck_assert_ptr_nonnull(why);
    ck_assert_uint_eq(why->n_violations, 1);
    ck_assert_str_eq(why->violations[0].axiom, "SC");
    for (size_t e = 0; e < why->execution->n_edges; e++) {
        ck_assert_int_ne(why->execution->edges[e].kind, WEIR_LITMUS_RACE);
    }
}

/* ---- Why two events race --------------------------------------------------------- */

/* A message of one group to another; its flag is written in line 5 and read in 8. */
#define MESSAGE(before, write, read, behind)                                           \
    SENDER "*x = 1; " before "\nstore(y, 1, " write ");\n}\n" RECEIVER                 \
           "if (load(y, " read ") == 1) {" behind "int r = *x; }\n}"
#define SENDER "OPENCL t\n{}\nP0@wg 0, dev 0 (global int* x, global atomic_int* y) {\n"
#define RECEIVER "P1@wg 1, dev 0 (global int* x, global atomic_int* y) {\n"
#define MAKES_NONE                                                                     \
    "P1 (line 8) reads what P0 writes (line 5), but that does not synchronise: "
#define NO_RELEASE                                                                     \
    MAKES_NONE "the write is not a release, and no release fence is before it"
#define NO_ACQUIRE                                                                     \
    MAKES_NONE "the read is not an acquire, and no acquire fence is after it"
#define NOTHING "no barrier and no release/acquire pair orders the two accesses"

/* The same in one group, by a flag in local memory. */
#define LOCAL_FLAG(before, write, read, behind)                                        \
    "OPENCL t\n{}\n"                                                                   \
    "P0@wg 0, dev 0 (global int* x, local atomic_int* y) {\n"                          \
    "*x = 1; " before "\nstore(y, 1, " write ", $wg);\n}\n"                            \
    "P1@wg 0, dev 0 (global int* x, local atomic_int* y) {\n"                          \
    "if (load(y, " read ", $wg) == 1) {" behind "int r = *x; }\n}"
#define ORDERS_LOCAL "the flag 'y' is in local memory, which orders local memory only"

#define TWO_GROUPS(flags)                                                              \
    "OPENCL t\n{}\n"                                                                   \
    "P0@wg 0, dev 0 (global int* x) { *x = 1; B1: barrier(" flags "); }\n"             \
    "P1@wg 1, dev 0 (global int* x) { B1: barrier(" flags "); int a = *x; }"
#define APART                                                                          \
    "P0 and P1 are in different groups, and a barrier synchronises one group only"

#define ATOMICS(write, read)                                                           \
    "OPENCL t\n{}\nP0@wg 0, dev 0 (global atomic_int* x) {\nstore(x, 1, $rlx, " write  \
    ");\n}\nP1@wg 1, dev 0 (global atomic_int* x) {\nint a = load(x, $rlx, " read      \
    "); }"

/* P1 writes (line 9) what it has read (line 8). */
#define HANDED_ON(first, middle, second)                                               \
    "C t\n{}\nP0 (int* x, atomic_int* y) {\n*x = 1;\nstore(y, 1, " first ");\n}\n"     \
    "P1 (atomic_int* y, atomic_int* z) {\nint a = load(y, " middle                     \
    ");\nstore(z, a, " second ");\n}\n"                                                \
    "P2 (int* x, atomic_int* z) {\nif (load(z, $acq) == 1) { int b = *x; } }"

static const struct {
    const char *text;
    enum weir_model model;
    const char *why;
} races[] = {
    { "C t\n{}\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int a = *x; }", WEIR_MODEL_SYCL,
      NOTHING },
    /* A write that comes before, or is read only afterwards, gives no order. */
    { "C t\n{}\n"
      "P0 (int* x, atomic_int* y) { store(y, 1, $rel); *x = 1; }\n"
      "P1 (int* x, atomic_int* y) { int a = load(y, $acq); int b = *x; }\n"
      "filter (1:a=1)",
      WEIR_MODEL_SYCL, NOTHING },
    { "C t\n{}\n"
      "P0 (int* x, atomic_int* y) { *x = 1; store(y, 1, $rel); }\n"
      "P1 (int* x, atomic_int* y) { int b = *x; int a = load(y, $acq); }\n"
      "filter (1:a=1)",
      WEIR_MODEL_SYCL, NOTHING },
    { "C t\n{}\n"
      "P0 (int* x, int* y) {\n*x = 1;\n*y = 1;\n}\n"
      "P1 (int* x, int* y) {\nint a = *y;\nint b = a == 1 ? *x : 0; }\n"
      "filter (1:a=1)",
      WEIR_MODEL_RC11, MAKES_NONE "they are not both atomic" },
    { MESSAGE("", "$rlx", "$acq", ""), WEIR_MODEL_SYCL, NO_RELEASE },
    { MESSAGE("", "$rel", "$rlx", ""), WEIR_MODEL_SYCL, NO_ACQUIRE },
    /* A fence of another order is none. */
    { MESSAGE("FENCE($GLOBAL, $acq, $dev);", "$rlx", "$acq", ""), WEIR_MODEL_SYCL,
      NO_RELEASE },
    { MESSAGE("FENCE($GLOBAL, $rlx, $dev);", "$rlx", "$acq", ""), WEIR_MODEL_SYCL,
      NO_RELEASE },
    { MESSAGE("", "$rel", "$rlx", "FENCE($GLOBAL, $rel, $dev);"), WEIR_MODEL_SYCL,
      NO_ACQUIRE },
    /* The right ones, of too narrow a scope, or, where spaces are apart, of another. */
    { MESSAGE("FENCE($GLOBAL, $rel, $wg);", "$rlx", "$acq", ""), WEIR_MODEL_SYCL,
      MAKES_NONE "the scope of the fence in line 4 excludes P1" },
    { MESSAGE("", "$sc", "$rlx", "FENCE($GLOBAL, $acq_rel, $wg);"), WEIR_MODEL_SYCL,
      MAKES_NONE "the scope of the fence in line 8 excludes P0" },
    { MESSAGE("FENCE($GLOBAL, $rel, $wg);", "$rlx", "$rlx",
              "FENCE($GLOBAL, $acq, $wg);"),
      WEIR_MODEL_SYCL,
      MAKES_NONE "the scopes of the fence in line 4 and of the fence in line 8 exclude "
                 "each other's threads" },
    { MESSAGE("FENCE($LOCAL, $rel, $dev);", "$rlx", "$acq", ""), WEIR_MODEL_SYCL_SPLIT,
      MAKES_NONE
      "the fence in line 4 orders local memory, but 'y' is in global memory" },
    /* If there are two fences, the one that nearly synchronises is named. */
    { MESSAGE("FENCE($GLOBAL, $rel, $wg); FENCE($LOCAL, $rel, $dev);", "$rlx", "$acq",
              ""),
      WEIR_MODEL_SYCL_SPLIT,
      MAKES_NONE
      "the fence in line 4 orders local memory, but 'y' is in global memory" },
    /* A flag in local memory, and data in global; with fences that are of one, too. */
    { LOCAL_FLAG("", "$rel", "$acq", ""), WEIR_MODEL_SYCL_SPLIT,
      MAKES_NONE ORDERS_LOCAL },
    { LOCAL_FLAG("", "$sc", "$sc", ""), WEIR_MODEL_OPENCL, MAKES_NONE ORDERS_LOCAL },
    { LOCAL_FLAG("FENCE($LOCAL | $GLOBAL, $rel, $wg);", "$rlx", "$rlx",
                 "FENCE($LOCAL, $acq, $wg);"),
      WEIR_MODEL_OPENCL,
      MAKES_NONE
      "the fence in line 8 orders local memory, but 'x' is in global memory" },
    { LOCAL_FLAG("FENCE($GLOBAL, $rel, $wg);", "$rlx", "$acq", ""),
      WEIR_MODEL_SYCL_SPLIT,
      MAKES_NONE
      "the fence in line 4 orders global memory, but 'y' is in local memory" },
    { "OPENCL t\n{}\n"
      "P0@wg 0, dev 0 (local int* x) { *x = 1; B1: barrier($GLOBAL); }\n"
      "P1@wg 0, dev 0 (local int* x) { B1: barrier($GLOBAL); int a = *x; }",
      WEIR_MODEL_SYCL, "the barrier between them does not order the memory of 'x'" },
    /* Barriers of two groups, for any memory that they order, and with flags that
     * matter or not. */
    { TWO_GROUPS("$GLOBAL"), WEIR_MODEL_SYCL, APART },
    { TWO_GROUPS("$LOCAL"), WEIR_MODEL_SYCL, APART },
    { TWO_GROUPS("$LOCAL"), WEIR_MODEL_RC11, APART },
    /* Scopes. */
    { ATOMICS("$wg", "$dev"), WEIR_MODEL_SYCL,
      "both are atomic, but the scope of the write in line 4 excludes P1" },
    { ATOMICS("$dev", "$wg"), WEIR_MODEL_SYCL,
      "both are atomic, but the scope of the read in line 7 excludes P0" },
    { ATOMICS("$wg", "$wg"), WEIR_MODEL_SYCL,
      "both are atomic, but the scopes of the write in line 4 and of the read in line "
      "7 exclude each other's threads" },
    { ATOMICS("$dev", "memory_scope_all_svm_devices"), WEIR_MODEL_OPENCL,
      "both are atomic, but the scopes of the write in line 4 and of the read in line "
      "7 are not equal, as this model requires" },
    /* A plain access where others are atomic. */
    { "C t\n{}\nP0 (atomic_int* x) {\n*x = 1;\n}\n"
      "P1 (atomic_int* x) { int a = load(x, $rlx); }",
      WEIR_MODEL_RC11, "line 4 is a plain access to 'x', which is atomic; " NOTHING },
    { "C t\n{}\nP0 (atomic_int* x) {\n*x = 1;\n}\n"
      "P1 (atomic_int* x) {\nint a = *x; }",
      WEIR_MODEL_RC11,
      "lines 4 and 7 are plain accesses to 'x', which is atomic; " NOTHING },
    /* Handed on by a third thread: the step that fails is named, the first or the
     * second. */
    { HANDED_ON("$rlx", "$acq", "$rel"), WEIR_MODEL_RC11,
      "P1 (line 8) reads what P0 writes (line 5), but that does not synchronise: the "
      "write is not a release, and no release fence is before it" },
    { HANDED_ON("$rel", "$acq", "$rlx"), WEIR_MODEL_RC11,
      "P2 (line 12) reads what P1 writes (line 9), but that does not synchronise: the "
      "write is not a release, and no release fence is before it" },
    /* By a read-modify-write in between, which need not acquire; the reader must. */
    { "C t\n{}\n"
      "P0 (int* x, atomic_int* y) {\n*x = 1;\nstore(y, 1, $rel);\n}\n"
      "P1 (atomic_int* y) {\nfetch_add(y, 1, $rlx);\n}\n"
      "P2 (int* x, atomic_int* y) {\nint a = load(y, $rlx);\n"
      "if (a == 2) { int b = *x; } }\n"
      "filter (2:a=2 /\\ [y]=2)",
      WEIR_MODEL_RC11,
      "P2 (line 11) reads what P0 writes (line 5), by way of the read-modify-write in "
      "line 8, but that does not synchronise: the read is not an acquire, and no "
      "acquire fence is after it" },
    /* A third thread's write ends opencl's release sequence. */
    { "C t\n{}\n"
      "P0 (int* x, atomic_int* y) {\n*x = 1;\nstore(y, 1, $rel);\n"
      "store(y, 3, $rlx);\n}\n"
      "P1 (atomic_int* y) {\nstore(y, 2, $rlx);\n}\n"
      "P2 (int* x, atomic_int* y) {\nint a = load(y, $acq);\n"
      "if (a == 3) { int b = *x; } }\n"
      "filter (2:a=3 /\\ [y]=3)",
      WEIR_MODEL_OPENCL,
      "P2 (line 12) reads what P0 writes (line 6), but that does not synchronise: the "
      "write is not a release, and P1's write (line 9) ends the release sequence of "
      "the one before it" },
};

CASE("reasons");

TEST_EACH(a_race_has_its_reason, G_N_ELEMENTS(races))
{
    g_autoptr(weir_litmus_answer) answer
        = ASK_TEXT(races[_i].text, .model = races[_i].model);
    const struct weir_litmus_race *race = weir_litmus_answer_race(answer);
    EXPECT(race != NULL, "no race in\n%s", races[_i].text);
    EXPECT(strcmp(race->why, races[_i].why) == 0, "the reason is %s,\nnot %s, in\n%s",
           race->why, races[_i].why, races[_i].text);
}

/* With the right order, or the right fence, the same message is not a race. */
TEST(an_ordered_message_is_no_race)
{
    static const char *const texts[] = {
        MESSAGE("", "$rel", "$acq", ""),
        MESSAGE("FENCE($GLOBAL, $rel, $dev);", "$rlx", "$acq", ""),
        MESSAGE("", "$rel", "$rlx", "FENCE($GLOBAL, $acq, $dev);"),
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(weir_litmus_answer) answer
            = ASK_TEXT(texts[i], .model = WEIR_MODEL_SYCL);
        EXPECT(weir_litmus_answer_race(answer) == NULL, "a race in\n%s", texts[i]);
    }
}

MAIN("drawn")
