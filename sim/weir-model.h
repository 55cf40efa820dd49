/* SPDX-License-Identifier: MIT
 *
 * weir-model.h: which outcomes a memory model allows. A litmus test is a program of a
 * few threads with a claim about their final state. This interface reads a test from
 * text, and reports under a memory model every final state with an execution that leads
 * to it, data races, executions that block, and why a forbidden state is forbidden.
 *
 * A complete program; docs/tutorial/more-litmus.md explains tests and models:
 *
 *     #include <weir-model.h>
 *     #include <stdio.h>
 *     #include <string.h>
 *
 *     static const char text[] =
 *         "C SB\n"
 *         "{ x = 0; y = 0; }\n"
 *         "P0 (atomic_int* x, atomic_int* y) {\n"
 *         "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
 *         "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n"
 *         "}\n"
 *         "P1 (atomic_int* x, atomic_int* y) {\n"
 *         "  atomic_store_explicit(y, 1, memory_order_relaxed);\n"
 *         "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
 *         "}\n"
 *         "exists (0:r0=0 /\\ 1:r0=0)\n";
 *
 *     int main(void)
 *     {
 *         struct weir_litmus_options options = { .model = WEIR_MODEL_SYCL };
 *         GError *error = NULL;
 *         struct weir_litmus *test
 *             = weir_litmus_parse(text, strlen(text), "sb.litmus", &error);
 *         if (test == NULL) {
 *             fprintf(stderr, "%s\n", error->message);
 *             return 1;
 *         }
 *         struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, &error);
 *         if (answer == NULL) {
 *             fprintf(stderr, "%s\n", error->message);
 *             return 1;
 *         }
 *         const struct weir_litmus_verdict *verdict
 *             = weir_litmus_answer_verdict(answer);
 *         printf("%s\n", weir_observation_name(verdict->observation));
 *         for (size_t i = 0; i < verdict->n_states; i++) {
 *             const struct weir_litmus_state *state
 *                 = weir_litmus_answer_state(answer, i);
 *             printf("%s%s\n", state->text, state->positive ? "  *" : "");
 *         }
 *         weir_litmus_answer_free(answer);
 *         weir_litmus_free(test);
 *         return 0;
 *     }
 *
 * It prints Sometimes and the four final states, the first of which, 0:r0=0,1:r0=0, is
 * marked. examples/09_litmus.c is longer: it compares models and explains.
 *
 * Ownership: a pointer that a function returns without "(transfer full)" belongs to the
 * test or the answer and is valid until that is freed. Tests and answers may be freed
 * in any order.
 *
 * Threads: a test never changes, and several threads may ask about it at the same time.
 * An answer never changes either, except in the first call of
 * weir_litmus_answer_explain(), during which no other thread may use it. */
#ifndef WEIR_MODEL_H
#define WEIR_MODEL_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading a test -------------------------------------------------------------- */

/** weir_litmus: a litmus test. */
struct weir_litmus;

/**
 * weir_litmus_parse:
 * @text: the test, in herd's C format, in its scoped form or as a table of instructions
 *        of PTX or Vulkan; see man weir-litmus
 * @bytes: the length of @text
 * @file: the name of the text in errors
 *
 * Returns: (transfer full): the test, or %NULL on failure
 * Errors:  %WEIR_ERROR_INPUT, with the message "FILE:LINE:COLUMN: what is wrong"
 */
struct weir_litmus *weir_litmus_parse(const char *text, size_t bytes, const char *file,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Frees the test. %NULL is allowed. */
void weir_litmus_free(struct weir_litmus *test);

/**
 * weir_litmus_reread: a thread reads a location by a plain read, then acquires by
 * another read, and reads the location again. A compiler may drop the last read and go
 * on with the first value: CUDA 13.0 does. No model of PTX allows what follows
 * @first_line, @acquire_line, @again_line: the lines of the three reads
 */
struct weir_litmus_reread {
    uint32_t thread;
    const char *location;
    uint32_t first_line, acquire_line, again_line;
};

/** Returns: whether the test has such reads; the first ones in @found (out), whose name
 *  belongs to the test */
bool weir_litmus_find_reread(const struct weir_litmus *test,
                             struct weir_litmus_reread *found);

/* ---- Asking a model -------------------------------------------------------------- */

/* The memory models, each with its name; docs/memory-model.md defines them. */
#define WEIR_MODELS(X)                                                                 \
    X(SYCL, "sycl")                                                                    \
    X(SYCL_SPLIT, "sycl-split")                                                        \
    X(RC11, "rc11")                                                                    \
    X(SC, "sc")                                                                        \
    X(OPENCL, "opencl")                                                                \
    X(GPU, "gpu")                                                                      \
    X(PTX, "ptx")                                                                      \
    X(PTX_6_0, "ptx-6.0")                                                              \
    X(PTX_7_5, "ptx-7.5")                                                              \
    X(VULKAN, "vulkan")                                                                \
    X(VULKAN_NOCHAINS, "vulkan-nochains")                                              \
    X(VULKAN_PROSE, "vulkan-prose")

/** weir_model: a memory model: %WEIR_MODEL_SYCL, which is 0, and others of the list
 *  above. Those of PTX and of Vulkan answer tests in their form, the others tests in C
 *  and OpenCL C; see weir_model_takes(). */
enum weir_model {
#define X(name, text) WEIR_MODEL_##name,
    WEIR_MODELS(X)
#undef X
};
enum { WEIR_N_MODELS = WEIR_MODEL_VULKAN_PROSE + 1 };

/** Returns: whether the model defines the operations of the test, by its form */
bool weir_model_takes(enum weir_model model, const struct weir_litmus *test);

/** Returns: the model of a test for which none is named: %WEIR_MODEL_SYCL,
 *  %WEIR_MODEL_PTX or %WEIR_MODEL_VULKAN, by its form */
enum weir_model weir_model_default(const struct weir_litmus *test);

struct weir_litmus_progress;

/**
 * weir_litmus_options: how to ask; with zeros in all members it is the default
 * @model: the memory model to evaluate the test under
 * @max_executions: end the search after this many executions, blocked ones included; 0:
 *                  no limit, but %WEIR_LITMUS_MOST_EXECUTIONS under the models of PTX
 *                  and Vulkan, which leave many more reads open
 * @time_limit_ms: end the search after this time, including the time of an explanation;
 *                 0: no limit
 * @rounds: how many iterations a loop may have each time it is entered; 0: 8
 * @every_round: also count executions that differ only in how often a waiting loop
 *               iterates without effect, up to @rounds times. Otherwise such
 *               iterations are left out: a thread that waits in a loop reads, at its
 *               first attempt, the value that ends the loop
 * @progress: called a few times per second from the thread that called
 *            weir_litmus_ask() or weir_litmus_answer_explain(); ends the search by
 *            returning false. May be %NULL
 * @user: passed to @progress
 */
enum { WEIR_LITMUS_MOST_EXECUTIONS = 2000 };
struct weir_litmus_options {
    enum weir_model model;
    uint64_t max_executions;
    uint64_t time_limit_ms;
    uint32_t rounds;
    bool every_round;
    bool (*progress)(void *user, const struct weir_litmus_progress *progress);
    void *user;
};

/** weir_litmus_answer: the answer of one memory model about one test. */
struct weir_litmus_answer;

/**
 * weir_litmus_ask:
 *
 * Finds every execution of the test that the model allows. The result depends on
 * nothing but the test and the options, unless a time limit or @progress ends the
 * search.
 *
 * Returns: (transfer full): the answer, or %NULL on failure
 * Errors:  %WEIR_ERROR_ARGUMENT if an option is invalid, or the model does not define
 *          the operations of the test;
 *          %WEIR_ERROR_RESOURCE if the test is too large
 */
struct weir_litmus_answer *weir_litmus_ask(const struct weir_litmus *test,
                                           const struct weir_litmus_options *options,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Frees the answer. %NULL is allowed. */
void weir_litmus_answer_free(struct weir_litmus_answer *answer);

/* ---- The verdict ----------------------------------------------------------------- */

/** weir_observation: for which of the counted executions the proposition of the test
 *  holds: for none, some or all of them. Without any executions it is never. */
enum weir_observation {
    WEIR_OBSERVED_NEVER,
    WEIR_OBSERVED_SOMETIMES,
    WEIR_OBSERVED_ALWAYS,
};

/** weir_litmus_quantifier: what the test claims about its proposition: some execution
 *  satisfies it, no execution does, or all executions do. */
enum weir_litmus_quantifier {
    WEIR_LITMUS_EXISTS,
    WEIR_LITMUS_NOT_EXISTS,
    WEIR_LITMUS_FORALL,
};

/**
 * weir_litmus_limit: what ended a search early
 * @WEIR_LITMUS_NO_LIMIT: nothing: the search was exhaustive
 * @WEIR_LITMUS_LIMIT_SIZE: the test has too many candidates, or one is too large
 * @WEIR_LITMUS_LIMIT_TIME: the option @time_limit_ms
 * @WEIR_LITMUS_LIMIT_STOPPED: the option @progress
 * @WEIR_LITMUS_LIMIT_EXECUTIONS: the option @max_executions; never of an explanation
 */
enum weir_litmus_limit {
    WEIR_LITMUS_NO_LIMIT,
    WEIR_LITMUS_LIMIT_SIZE,
    WEIR_LITMUS_LIMIT_TIME,
    WEIR_LITMUS_LIMIT_STOPPED,
    WEIR_LITMUS_LIMIT_EXECUTIONS,
};

/**
 * weir_litmus_verdict: the answer in short
 * @observation: for which of the counted executions the proposition holds. Counted are
 *               complete executions that the test's filter does not exclude
 * @positive: the number of counted executions for which the proposition holds
 * @negative: the number of counted executions for which it does not hold
 * @holds: whether the claim of the test is true
 * @judges_races: whether the model defines data races
 * @race: whether a complete execution has a data race
 * @executions: the number of complete executions, including those that the filter
 *              excludes
 * @filtered: the number of those that the filter excludes
 * @blocked: the number of executions that never end, because a thread waits for ever at
 *           a barrier or in a loop, or faults. The claim does not apply to them
 * @cut: the number of executions that ended because a loop reached the option @rounds
 * @lacking: there may be executions that only iterations without effect make possible,
 *           which the option @every_round would find. It can be true if accesses race,
 *           under `opencl`, or if an iteration reads a value again, under `gpu`
 * @limit: what ended the search
 * @complete: no limit was reached, @cut is 0, and @lacking is false
 * @decided: the observation is certain, also if the answer is not complete: both sides
 *           occur, or a search for the other side alone found that there is none
 * @n_states: the number of final states of counted executions
 */
struct weir_litmus_verdict {
    enum weir_model model;
    enum weir_litmus_quantifier quantifier;
    enum weir_observation observation;
    uint64_t positive, negative;
    bool holds;
    bool judges_races;
    bool race;
    uint64_t executions, filtered, blocked, cut;
    bool lacking;
    enum weir_litmus_limit limit;
    bool complete;
    bool decided;
    size_t n_states;
};

/** Returns: the verdict */
const struct weir_litmus_verdict *weir_litmus_answer_verdict(
    const struct weir_litmus_answer *answer);

/* ---- Final states ---------------------------------------------------------------- */

struct weir_litmus_execution;

/**
 * weir_litmus_state: a final state
 * @text: the values of the observed registers and locations, "0:r0=1,[x]=2"
 * @executions: the number of counted executions that end in it
 * @positive: whether the proposition holds for it
 * @race: whether one of these executions has a data race
 * @witness: the first of these executions that was found, if possible one with a race.
 *           Without events if it has more than 512
 */
struct weir_litmus_state {
    const char *text;
    uint64_t executions;
    bool positive;
    bool race;
    const struct weir_litmus_execution *witness;
};

/** Returns: the final state at @index, which is below the verdict's n_states. States
 *  are sorted by their texts, where numbers compare by value. */
const struct weir_litmus_state *weir_litmus_answer_state(
    const struct weir_litmus_answer *answer, size_t index);

/* ---- Data races ------------------------------------------------------------------ */

/**
 * weir_litmus_race: a data race
 * @execution: an execution that has it
 * @first: the index of one of the racing events in @execution
 * @second: the index of the other one
 * @why: why the model does not order them, a sentence
 */
struct weir_litmus_race {
    const struct weir_litmus_execution *execution;
    uint32_t first, second;
    const char *why;
};

/** Returns: a data race of one of the witnesses, or %NULL if none of them has a race */
const struct weir_litmus_race *weir_litmus_answer_race(
    const struct weir_litmus_answer *answer);

/** Returns: under a model that does not judge races, as those of PTX: two accesses of a
 *  witness that the claim asks about, which the model does not order although one is a
 *  write; %NULL if there are none. Such accesses have defined results */
const struct weir_litmus_race *weir_litmus_answer_unordered(
    const struct weir_litmus_answer *answer);

/* ---- Blocked executions ---------------------------------------------------------- */

/** weir_litmus_end: where a thread is at the end of an execution. */
enum weir_litmus_end {
    WEIR_LITMUS_ENDED,
    WEIR_LITMUS_AT_BARRIER, /* to which other threads of its group never come */
    WEIR_LITMUS_IN_LOOP, /* waiting for a value that is never written, or at the limit
                               of iterations */
    WEIR_LITMUS_FAULTED, /* it did something that has no meaning */
};

/**
 * weir_litmus_thread_end: the end of a thread
 * @line: of the barrier, loop or fault in the text of the test, and @column: 0 for a
 *        thread that has ended
 * @text: what the thread does, "waits at barrier B1 (line 10) for P1"; the subject, the
 *        thread's name, is left out
 */
struct weir_litmus_thread_end {
    enum weir_litmus_end end;
    uint32_t line, column;
    const char *text;
};

/**
 * weir_litmus_blocked: the executions that block for one reason
 * @why: %WEIR_LITMUS_FAULTED if a thread has faulted; otherwise %WEIR_LITMUS_IN_LOOP if
 *       a thread is in a loop; otherwise %WEIR_LITMUS_AT_BARRIER
 * @executions: the number of these executions
 * @threads: by thread: how it ends, in the shortest of these executions
 * @execution: the same execution. Its races are not judged
 */
struct weir_litmus_blocked {
    enum weir_litmus_end why;
    uint64_t executions;
    const struct weir_litmus_thread_end *threads;
    const struct weir_litmus_execution *execution;
};

/** Returns: the blocked executions of the reason at @index, counted from 0 in the order
 *  of enum weir_litmus_end without reasons that do not occur; %NULL after the last */
const struct weir_litmus_blocked *weir_litmus_answer_blocked(
    const struct weir_litmus_answer *answer, size_t index);

/* ---- Why a state is forbidden ---------------------------------------------------- */

struct weir_litmus_edge;

/**
 * weir_litmus_violation: an axiom that an execution violates
 * @axiom: its name, "COH"
 * @sentence: what it requires
 * @edges: a cycle that violates it: each edge begins where the one before it ends
 */
struct weir_litmus_violation {
    const char *axiom;
    const char *sentence;
    size_t n_edges;
    const struct weir_litmus_edge *edges;
};

/**
 * weir_litmus_explanation: why the model forbids what the claim asks for
 * @execution: the candidate execution that comes closest to being allowed; %NULL if no
 *             candidate was found. Coherent candidates come first, then those in which
 *             each thread's own writes are in order, then those that violate fewer
 *             axioms, then those with a shorter cycle
 * @state: its final state, or %NULL
 * @violations: the axioms that it violates, the shortest cycle first. Empty if the
 *              model allows it, which is possible only if the answer is not complete
 * @candidates: the number of different candidates that were examined. A candidate is a
 *              path of control for each thread, a write for each read to read from, and
 *              an order of the writes of each location, with a final state that the
 *              claim asks for, whether the model allows it or not
 * @coherent: only coherent candidates were examined, because there are some: every
 *            thread sees the writes of a location in their order, and
 *            read-modify-writes are atomic
 * @limit: what ended the search early, so that a closer candidate may exist
 *
 * If @candidates is 0 and no limit was reached, no values that the reads could return
 * lead to such a final state.
 */
struct weir_litmus_explanation {
    const struct weir_litmus_execution *execution;
    const char *state;
    size_t n_violations;
    const struct weir_litmus_violation *violations;
    uint64_t candidates;
    bool coherent;
    enum weir_litmus_limit limit;
};

/**
 * weir_litmus_answer_explain:
 *
 * Explains why the answer has no execution that satisfies the proposition or, if the
 * test claims it `forall` executions, none that violates it. The first call searches
 * for the explanation; later calls return the same one.
 *
 * Returns: the explanation, or %NULL if the answer has such an execution
 */
const struct weir_litmus_explanation *weir_litmus_answer_explain(
    struct weir_litmus_answer *answer);

/* ---- How it can be forbidden ----------------------------------------------------- */

/**
 * weir_litmus_change: a change of one cell of a table
 * @line: of the cell, and @at: its text
 * @before: the same text, which @after replaces; or %NULL: @after is an instruction
 *          more, before the cell
 * @from_line: the line from which that one is moved, of @from_thread; 0: it is new
 */
struct weir_litmus_change {
    uint32_t thread, line;
    const char *at;
    const char *before;
    const char *after;
    uint32_t from_thread, from_line;
};

/** weir_litmus_fix: changes that, made together, forbid what the claim asks for. */
struct weir_litmus_fix {
    size_t n_changes;
    struct weir_litmus_change changes[2];
};

/**
 * weir_litmus_answer_fixes:
 * @n: (out): how many; at most 3
 *
 * For a table of PTX or Vulkan, if what the claim asks for is possible: changes of one
 * instruction or two with which it is not, and, in Vulkan, there is no race. Each was
 * tried under the model. All that are returned are equally small, and no smaller ones
 * were found. The first call computes them, as with weir_litmus_answer_explain().
 *
 * Returns: the fixes, or %NULL if none was found or looked for
 */
const struct weir_litmus_fix *weir_litmus_answer_fixes(
    struct weir_litmus_answer *answer, size_t *n);

/* ---- Executions ------------------------------------------------------------------ */

/** weir_litmus_event_kind: a read-modify-write that writes is a read and a write. */
enum weir_litmus_event_kind {
    WEIR_LITMUS_READ,
    WEIR_LITMUS_WRITE,
    WEIR_LITMUS_FENCE,
    WEIR_LITMUS_BARRIER, /* the entry; the exit is the thread's next event */
    WEIR_LITMUS_EXIT,
};

/**
 * weir_litmus_event: an event of an execution
 * @text: the event as it is printed, "W x=1 release device"
 * @location: of a read or write, for weir_litmus_nth_location(); otherwise %UINT32_MAX
 * @update: it is one half of a read-modify-write
 * @line: in the text of the test, and @column
 */
struct weir_litmus_event {
    enum weir_litmus_event_kind kind;
    uint32_t thread;
    const char *text;
    uint32_t location;
    bool update;
    uint32_t line, column;
};

/* The kinds of edges, each with its name and its meaning. The last three occur in
 * violations only. */
#define WEIR_LITMUS_EDGES(X)                                                           \
    X(PO, "po", "program order, from each event to the next")                          \
    X(RF, "rf", "reads-from")                                                          \
    X(MO, "mo", "modification order, from each write to the next")                     \
    X(RB, "rb", "reads-before: the write is later than what is read")                  \
    X(SW, "sw", "synchronises-with")                                                   \
    X(BAR, "bar", "meets at a barrier")                                                \
    X(HB, "hb", "happens-before")                                                      \
    X(PSC, "psc", "must come before, of sequentially consistent events")               \
    X(FSC, "fsc", "the order of fence.sc operations of PTX")                           \
    X(LOCORD, "locord", "location order of Vulkan")                                    \
    X(RMW, "rmw", "the two halves of a read-modify-write")                             \
    X(ADDR, "addr", "address dependency")                                              \
    X(DATA, "data", "data dependency")                                                 \
    X(CTRL, "ctrl", "control dependency")                                              \
    X(RACE, "race", "a data race")                                                     \
    X(RF_BACK, "rf^-1", "reads from")                                                  \
    X(RMW_BACK, "rmw^-1", "the write of the same read-modify-write as the read")       \
    X(NOT_HB, "not hb^-1", "reads what does not happen before it")

/** weir_litmus_edge_kind: %WEIR_LITMUS_PO and so on, in the order of the table. */
enum weir_litmus_edge_kind {
#define X(name, text, meaning) WEIR_LITMUS_##name,
    WEIR_LITMUS_EDGES(X)
#undef X
};

/* The place of an event in an edge from the initial value of a location. */
#define WEIR_LITMUS_INITIAL UINT32_MAX

/**
 * weir_litmus_edge: an edge between two events
 * @from: the index of the event at which it begins, or %WEIR_LITMUS_INITIAL
 * @to: the index of the event at which it ends
 * @how: of %WEIR_LITMUS_SW, the read that synchronises: "P1 (line 9) reads what P0
 *       writes (line 6)"; otherwise %NULL
 */
struct weir_litmus_edge {
    enum weir_litmus_edge_kind kind;
    uint32_t from, to;
    const char *how;
};

/** weir_litmus_execution: events, first P0's, each thread's in program order; and the
 *  edges between them. */
struct weir_litmus_execution {
    size_t n_events;
    const struct weir_litmus_event *events;
    size_t n_edges;
    const struct weir_litmus_edge *edges;
};

/* ---- The parts of a test --------------------------------------------------------- */

/** Returns: the name of the test, from its first line */
const char *weir_litmus_name(const struct weir_litmus *test);

/** Returns: (transfer full): the claim as text, "exists (1:r0=1 /\ 1:r1=0)" */
char *weir_litmus_claim(const struct weir_litmus *test);

/** Returns: (transfer full): the whole test as text that weir_litmus_parse() accepts,
 *  with all orders and scopes written out */
char *weir_litmus_print(const struct weir_litmus *test);

/**
 * weir_litmus_thread: where a thread runs
 * @placed: whether the test states this. If not, each thread is a group of its own,
 *          with the thread's number, and all are on device 0
 * @group: the work-group; threads of one group have the same @group and @device
 * @device: the device
 */
struct weir_litmus_thread {
    bool placed;
    uint32_t group, device;
};

/** Returns: the number of threads; they are called P0, P1 and so on */
size_t weir_litmus_n_threads(const struct weir_litmus *test);

/** Returns: the thread at @index */
const struct weir_litmus_thread *weir_litmus_nth_thread(const struct weir_litmus *test,
                                                        size_t index);

/**
 * weir_litmus_location: a location in memory
 * @name: as the test calls it
 * @local: in the local memory of a group; otherwise in global memory
 * @atomic: declared atomic, in at least one place
 * @initial: the initial value
 */
struct weir_litmus_location {
    const char *name;
    bool local;
    bool atomic;
    int64_t initial;
};

/** Returns: the number of locations */
size_t weir_litmus_n_locations(const struct weir_litmus *test);

/** Returns: the location at @index, in the order in which the test first names them */
const struct weir_litmus_location *weir_litmus_nth_location(
    const struct weir_litmus *test, size_t index);

/* ---- Whether a test ends --------------------------------------------------------- */

/* Models of forward progress: which threads are scheduled again and again as long as
 * they can run. Some thread always runs. docs/progress.md defines them. */
#define WEIR_FORWARDS(X)                                                               \
    X(FAIR, "fair")                                                                    \
    X(HSA, "hsa")                                                                      \
    X(OBE, "obe")                                                                      \
    X(HSA_OBE, "hsa_obe")                                                              \
    X(LOBE, "lobe")

/**
 * weir_forward: a model of forward progress
 * @WEIR_FORWARD_FAIR: all threads
 * @WEIR_FORWARD_HSA: of the threads that have not ended the one with the lowest number
 * @WEIR_FORWARD_OBE: those that have made a step: "occupancy-bound execution"
 * @WEIR_FORWARD_HSA_OBE: those of both
 * @WEIR_FORWARD_LOBE: those that have made a step, and all with a lower number than one
 *                     of them: "linear" occupancy-bound execution
 */
enum weir_forward {
#define X(name, text) WEIR_FORWARD_##name,
    WEIR_FORWARDS(X)
#undef X
};
enum { WEIR_N_FORWARDS = WEIR_FORWARD_LOBE + 1 };

/**
 * weir_litmus_standing: what a thread does in an execution that does not end
 * @WEIR_LITMUS_FINISHED: it has ended
 * @WEIR_LITMUS_SPINS: it goes round a loop for ever
 * @WEIR_LITMUS_HANGS: it waits at a barrier for ever
 * @WEIR_LITMUS_RESTS: it could go on, but it need not be scheduled
 */
enum weir_litmus_standing {
    WEIR_LITMUS_FINISHED,
    WEIR_LITMUS_SPINS,
    WEIR_LITMUS_HANGS,
    WEIR_LITMUS_RESTS,
};

/**
 * weir_litmus_stand: a thread in such an execution
 * @text: the words after its name: "spins at line 12: it reads x = 0 again and again"
 * @line, @column: of its next operation, in the text of the test, from 1; 0 if it has
 *                 ended
 */
struct weir_litmus_stand {
    enum weir_litmus_standing standing;
    const char *text;
    uint32_t line, column;
};

/**
 * weir_litmus_turn: a step of a thread
 * @text: "reads x = 0"
 */
struct weir_litmus_turn {
    uint32_t thread;
    const char *text;
    uint32_t line, column;
};

/**
 * weir_litmus_termination: whether every execution ends that is fair
 * @decided: whether that is known
 * @terminates: whether every such execution ends; false if that is not known
 * @undecided: why it is not known, a clause; otherwise %NULL
 * @states: the number of states of the test that were visited
 * @n_threads, @threads: by thread, of an execution that does not end; without one 0
 * @n_turns, @turns: the schedule of that execution: the steps after the first @n_before
 *                   are repeated for ever. Without any, threads hang after the last
 *                   step. No schedule into such an end is shorter
 * @weak: that execution is not sequentially consistent, and has no schedule
 */
struct weir_litmus_termination {
    enum weir_forward forward;
    bool decided;
    bool terminates;
    const char *undecided;
    uint64_t states;
    size_t n_threads;
    const struct weir_litmus_stand *threads;
    size_t n_before, n_turns;
    const struct weir_litmus_turn *turns;
    bool weak;
};

/**
 * weir_litmus_ask_termination:
 * @forwards: @n models of forward progress
 * @options: @max_executions limits the number of states, 0: a million, and that of
 *           executions
 *
 * Decides for each of the models whether every execution that is fair under it ends.
 * It looks at all executions in which threads take turns, with one memory operation a
 * turn. Unless the memory model is %WEIR_MODEL_SC or the test is a table, it also looks
 * at the executions that weir_litmus_ask() finds. docs/progress.md states the limits.
 *
 * Returns: (transfer full): an array of @n answers, or %NULL on failure
 * Errors:  %WEIR_ERROR_ARGUMENT if an argument is invalid;
 *          %WEIR_ERROR_RESOURCE if the test has more than 64 threads
 */
struct weir_litmus_termination *weir_litmus_ask_termination(
    const struct weir_litmus *test, const enum weir_forward *forwards, size_t n,
    const struct weir_litmus_options *options, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Frees an array of @n answers. %NULL is allowed. */
void weir_litmus_termination_free(struct weir_litmus_termination *answers, size_t n);

/* ---- Names, and progress --------------------------------------------------------- */

/** Returns: (static): the name, "sycl-split"; %NULL if @model is not a model */
const char *weir_model_name(enum weir_model model);

/**
 * weir_model_find:
 * @model: (out): the model called @name
 *
 * Returns: whether there is one
 * Errors:  %WEIR_ERROR_ARGUMENT, with a message that lists the names
 */
bool weir_model_find(const char *name, enum weir_model *model, GError **error);

/** Returns: (static): the name, "hsa_obe"; %NULL if @forward is not a model */
const char *weir_forward_name(enum weir_forward forward);

/**
 * weir_forward_find:
 * @forward: (out): the model of forward progress called @name
 *
 * Returns: whether there is one
 * Errors:  %WEIR_ERROR_ARGUMENT, with a message that lists the names
 */
bool weir_forward_find(const char *name, enum weir_forward *forward, GError **error);

/** Returns: (static): "Never", "Sometimes" or "Always"; "?" for any other number */
const char *weir_observation_name(enum weir_observation observation);

/** Returns: (static): the name of a kind of edge, "po"; "?" for any other number */
const char *weir_litmus_edge_name(enum weir_litmus_edge_kind kind);

/** Returns: (static): its meaning, "program order, from each event to the next", or
 *  "?" */
const char *weir_litmus_edge_meaning(enum weir_litmus_edge_kind kind);

/**
 * weir_litmus_progress: how far a search has come
 * @executions: the number of executions found so far
 * @part: an estimate of the part of the search that is done, 0 to 1; negative without
 *        an estimate
 * @explains: the search is part of weir_litmus_answer_explain()
 */
struct weir_litmus_progress {
    uint64_t executions;
    double part;
    bool explains;
};

#ifdef __cplusplus
}
#endif

#endif
