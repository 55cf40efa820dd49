/* SPDX-License-Identifier: MIT
 *
 * weir-model.h: what a memory model allows. A litmus test, a few threads and a claim
 * about how they end, is read from text, and answered: every final state that a model
 * allows, with a witness; whether accesses race; and, of what is forbidden, why.
 *
 *     struct weir_litmus *test = weir_litmus_parse(text, bytes, "mp.litmus", &error);
 *     struct weir_litmus_options options = { .model = WEIR_MODEL_SYCL };
 *     struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, &error);
 *     weir_litmus_answer_verdict(answer)->observation;
 *
 * Ownership: what a function returns without "(transfer full)" belongs to the answer or
 * the test, and is there until that is freed; either may be freed first.
 * Threads: a test is read-only once it is made, and many threads may ask of it at once.
 * An answer is read-only, too, but for weir_litmus_answer_explain(), during whose first
 * call nobody else may use it. */
#ifndef WEIR_MODEL_H
#define WEIR_MODEL_H

#include "weir.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * weir_model:
 *
 * Memory models; docs/memory-model.md states each. @WEIR_MODEL_SYCL, 0, is the default.
 */
#define WEIR_MODELS(X)                                                                 \
    X(SYCL, "sycl")                                                                    \
    X(SYCL_SPLIT, "sycl-split")                                                        \
    X(RC11, "rc11")                                                                    \
    X(SC, "sc")                                                                        \
    X(OPENCL, "opencl")                                                                \
    X(GPU, "gpu")

enum weir_model {
#define X(name, text) WEIR_MODEL_##name,
    WEIR_MODELS(X)
#undef X
};
enum { WEIR_N_MODELS = WEIR_MODEL_GPU + 1 };

/** "sycl-split"; static. %NULL where it is none. */
const char *weir_model_name(enum weir_model model);

/** The model of that name. Errors: %WEIR_ERROR_ARGUMENT, with the names there are */
bool weir_model_find(const char *name, enum weir_model *model, GError **error);

/* ---- Tests ----------------------------------------------------------------------- */

/** weir_litmus: a litmus test. */
struct weir_litmus;

/**
 * weir_litmus_parse:
 * @text: herd's C format, or its scoped form; see man weir-litmus
 * @file: what errors call it
 *
 * Returns: (transfer full): or %NULL
 * Errors:  %WEIR_ERROR_INPUT, "FILE:LINE:COLUMN: what is wrong"
 */
struct weir_litmus *weir_litmus_parse(const char *text, size_t bytes, const char *file,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** %NULL is allowed. */
void weir_litmus_free(struct weir_litmus *test);

/** As the first line of the test has it. */
const char *weir_litmus_name(const struct weir_litmus *test);

/**
 * weir_litmus_thread:
 * @placed: the test says where its threads run. In one that does not, each is a group
 *          of its own, numbered as the threads are, and all are on device 0
 * @group: of @device; threads of one group have both in common
 */
struct weir_litmus_thread {
    bool placed;
    uint32_t group, device;
};

/** Threads are numbered from 0: P0, P1. */
size_t weir_litmus_n_threads(const struct weir_litmus *test);
const struct weir_litmus_thread *weir_litmus_nth_thread(const struct weir_litmus *test,
                                                        size_t index);

/**
 * weir_litmus_location:
 * @local: in the local memory of a group; else in global memory
 * @atomic: somewhere declared so
 * @initial: its value
 */
struct weir_litmus_location {
    const char *name;
    bool local;
    bool atomic;
    int64_t initial;
};

/** Memory, in the order in which the test names it. */
size_t weir_litmus_n_locations(const struct weir_litmus *test);
const struct weir_litmus_location *weir_litmus_nth_location(
    const struct weir_litmus *test, size_t index);

/** The test as text. Returns: (transfer full) */
char *weir_litmus_print(const struct weir_litmus *test);

/** The claim as text: "exists (1:r0=1 /\ 1:r1=0)". Returns: (transfer full) */
char *weir_litmus_claim(const struct weir_litmus *test);

/* ---- Answers --------------------------------------------------------------------- */

/**
 * weir_litmus_progress: how far an answer has come, or an explanation of it
 * @executions: that have been found
 * @part: of all, as an estimate: 0 to 1; below 0 where there is none
 * @explains: it is weir_litmus_answer_explain() that tells
 */
struct weir_litmus_progress {
    uint64_t executions;
    double part;
    bool explains;
};

/**
 * weir_litmus_options:
 * @max_executions: complete and blocked ones; 0: no limit
 * @time_limit_ms: of answer and explanation together; 0: none
 * @rounds: that a loop may have each time that it is entered; 0: 8
 * @every_round: rounds of a loop that change nothing make executions of their own, up
 *               to @rounds of them. Without it, who waits in a loop has waited when the
 *               loop ends, and how often it has looked is not told apart
 * @progress: told some times a second by the thread that asks, or asks why; false ends
 *            it; or %NULL
 */
struct weir_litmus_options {
    enum weir_model model;
    uint64_t max_executions;
    uint64_t time_limit_ms;
    uint32_t rounds;
    bool every_round;
    bool (*progress)(void *user, const struct weir_litmus_progress *progress);
    void *user;
};

/** weir_observation: in how many of the executions that count the proposition holds;
 *  where none counts, never. */
enum weir_observation {
    WEIR_OBSERVED_NEVER,
    WEIR_OBSERVED_SOMETIMES,
    WEIR_OBSERVED_ALWAYS,
};

/** "Never", "Sometimes", "Always"; static. */
const char *weir_observation_name(enum weir_observation observation);

/** weir_litmus_quantifier: what a test claims of the proposition. */
enum weir_litmus_quantifier {
    WEIR_LITMUS_EXISTS,
    WEIR_LITMUS_NOT_EXISTS,
    WEIR_LITMUS_FORALL,
};

/**
 * weir_litmus_limit: what ended a search before it had looked at all that there is
 * @WEIR_LITMUS_NO_LIMIT: nothing
 * @WEIR_LITMUS_LIMIT_SIZE: there is more of it than is looked at, or it is too large
 * @WEIR_LITMUS_LIMIT_TIME: the option time_limit_ms
 * @WEIR_LITMUS_LIMIT_STOPPED: the option progress
 * @WEIR_LITMUS_LIMIT_EXECUTIONS: the option max_executions; of answers alone
 */
enum weir_litmus_limit {
    WEIR_LITMUS_NO_LIMIT,
    WEIR_LITMUS_LIMIT_SIZE,
    WEIR_LITMUS_LIMIT_TIME,
    WEIR_LITMUS_LIMIT_STOPPED,
    WEIR_LITMUS_LIMIT_EXECUTIONS,
};

/**
 * weir_litmus_verdict:
 * @observation: of the proposition, whatever is claimed of it
 * @positive: executions for which it holds, and @negative: does not
 * @holds: whether the test's claim does: `exists` needs one, the others all
 * @judges_races: whether the model does
 * @executions: complete ones, those included that the filter leaves out
 * @filtered: how many the filter leaves out
 * @blocked: those that never end: somebody waits at a barrier or in a loop for ever, or
 *           does what has no meaning. Nothing is claimed of them
 * @cut: those that the bound on loops ended
 * @lacking: there may be executions that only a round which changes nothing makes
 *           possible, and that @every_round finds: so it can be where accesses race,
 *           under `opencl`, and under `gpu` where a round reads a value again
 * @limit: what ended the search
 * @complete: no limit was hit, nothing is cut, and nothing lacking
 * @n_states: final states, of executions that the filter lets pass
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
    size_t n_states;
};

/** weir_litmus_answer: what a model says of a test. */
struct weir_litmus_answer;

/**
 * weir_litmus_ask:
 *
 * Every execution of the test that the model allows. The answer depends on test, model
 * and limits alone, but for a limit of time.
 *
 * Returns: (transfer full): or %NULL
 * Errors:  %WEIR_ERROR_ARGUMENT where an option is none;
 *          %WEIR_ERROR_RESOURCE where the test is too large
 */
struct weir_litmus_answer *weir_litmus_ask(const struct weir_litmus *test,
                                           const struct weir_litmus_options *options,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** %NULL is allowed. */
void weir_litmus_answer_free(struct weir_litmus_answer *answer);

/** The answer in short. */
const struct weir_litmus_verdict *weir_litmus_answer_verdict(
    const struct weir_litmus_answer *answer);

/* ---- Executions ------------------------------------------------------------------ */

/** weir_litmus_event_kind: a read-modify-write that writes is a read and a write. */
enum weir_litmus_event_kind {
    WEIR_LITMUS_READ,
    WEIR_LITMUS_WRITE,
    WEIR_LITMUS_FENCE,
    WEIR_LITMUS_BARRIER, /* its entry; its exit is the next event of the thread */
    WEIR_LITMUS_EXIT,
};

/**
 * weir_litmus_event:
 * @text: "W x=1 release device", as it is drawn
 * @location: of reads and writes, see weir_litmus_nth_location(); else %UINT32_MAX
 * @update: half of a read-modify-write
 * @line: in the test's text, @column likewise
 */
struct weir_litmus_event {
    enum weir_litmus_event_kind kind;
    uint32_t thread;
    const char *text;
    uint32_t location;
    bool update;
    uint32_t line, column;
};

/** weir_litmus_edge_kind: what leads from an event to another. */
#define WEIR_LITMUS_EDGES(X)                                                           \
    X(PO, "po", "program order, from each event to the next")                          \
    X(RF, "rf", "reads-from")                                                          \
    X(MO, "mo", "modification order, from each write to the next")                     \
    X(RB, "rb", "reads-before: the write is later than what is read")                  \
    X(SW, "sw", "synchronises-with")                                                   \
    X(BAR, "bar", "meets at a barrier")                                                \
    X(HB, "hb", "happens-before")                                                      \
    X(PSC, "psc", "must come before, of sequentially consistent events")               \
    X(RMW, "rmw", "the two halves of a read-modify-write")                             \
    X(ADDR, "addr", "address dependency")                                              \
    X(DATA, "data", "data dependency")                                                 \
    X(CTRL, "ctrl", "control dependency")                                              \
    X(RACE, "race", "a data race")                                                     \
    X(RF_BACK, "rf^-1", "reads from")                                                  \
    X(RMW_BACK, "rmw^-1", "the write of the same read-modify-write as the read")       \
    X(NOT_HB, "not hb^-1", "reads what does not happen before it")

enum weir_litmus_edge_kind {
#define X(name, text, meaning) WEIR_LITMUS_##name,
    WEIR_LITMUS_EDGES(X)
#undef X
};

/** "po"; and "program order, ..."; static. */
const char *weir_litmus_edge_name(enum weir_litmus_edge_kind kind);
const char *weir_litmus_edge_meaning(enum weir_litmus_edge_kind kind);

/**
 * weir_litmus_edge:
 * @from, @to: events; the former is %WEIR_LITMUS_INITIAL for reads of initial values
 * @how: of %WEIR_LITMUS_SW, what carries it: "P1 (line 9) reads what P0 writes (line
 *       6)"; else %NULL
 */
struct weir_litmus_edge {
    enum weir_litmus_edge_kind kind;
    uint32_t from, to;
    const char *how;
};
#define WEIR_LITMUS_INITIAL UINT32_MAX

/** weir_litmus_execution: events in the order of threads, and of each in program
 *  order. */
struct weir_litmus_execution {
    size_t n_events;
    const struct weir_litmus_event *events;
    size_t n_edges;
    const struct weir_litmus_edge *edges;
};

/**
 * weir_litmus_state:
 * @text: "0:r0=1,[x]=2"
 * @executions: that end so
 * @positive: whether the proposition holds for it
 * @race: whether one of its executions has a race
 * @witness: one of them, the first that was found; with a race where there is one.
 *           Empty where it has more than 512 events
 */
struct weir_litmus_state {
    const char *text;
    uint64_t executions;
    bool positive;
    bool race;
    const struct weir_litmus_execution *witness;
};

/** A final state, @index below n_states of the verdict. They are in the order of their
 *  texts, numbers in that of their values. */
const struct weir_litmus_state *weir_litmus_answer_state(
    const struct weir_litmus_answer *answer, size_t index);

/**
 * weir_litmus_race:
 * @first, @second: events of @execution
 * @why: why nothing orders them, a sentence
 */
struct weir_litmus_race {
    const struct weir_litmus_execution *execution;
    uint32_t first, second;
    const char *why;
};

/** A race where the verdict has one, of an execution that has a witness; else %NULL. */
const struct weir_litmus_race *weir_litmus_answer_race(
    const struct weir_litmus_answer *answer);

/* ---- Executions that never end --------------------------------------------------- */

/** weir_litmus_end: where a thread of an execution is in the end. */
enum weir_litmus_end {
    WEIR_LITMUS_ENDED,
    WEIR_LITMUS_AT_BARRIER, /* that others of its group never come to */
    WEIR_LITMUS_IN_LOOP,    /* for a value that nobody writes, or out of rounds */
    WEIR_LITMUS_FAULTED,    /* it did what has no meaning */
};

/**
 * weir_litmus_thread_end:
 * @line: of the barrier, the loop, or what has no meaning, @column likewise; of a
 *        thread that has ended 0
 * @text: "waits at barrier B1 (line 10) for P1", to be read behind the thread's name
 */
struct weir_litmus_thread_end {
    enum weir_litmus_end end;
    uint32_t line, column;
    const char *text;
};

/**
 * weir_litmus_blocked: executions that are blocked for one reason
 * @why: somebody has faulted; or else is in a loop; or else all who have not ended are
 *       at barriers
 * @executions: so many
 * @threads: of one of them, that with the fewest events: where each thread is
 * @execution: the same one, as far as it goes; races are not judged of it
 */
struct weir_litmus_blocked {
    enum weir_litmus_end why;
    uint64_t executions;
    const struct weir_litmus_thread_end *threads;
    const struct weir_litmus_execution *execution;
};

/** The blocked executions, reason by reason in the order of enum weir_litmus_end.
 *  Returns: or %NULL, where @index is behind the last one */
const struct weir_litmus_blocked *weir_litmus_answer_blocked(
    const struct weir_litmus_answer *answer, size_t index);

/* ---- Why not --------------------------------------------------------------------- */

/** weir_litmus_violation: an axiom that an execution breaks, and a cycle that shows it:
 *  edges one after the other. */
struct weir_litmus_violation {
    const char *axiom;    /* "COH" */
    const char *sentence; /* what it demands */
    size_t n_edges;
    const struct weir_litmus_edge *edges;
};

/**
 * weir_litmus_explanation:
 * @execution: of the candidates that were looked at the one that comes nearest. It is
 *             coherent at each location, if one is; else the order of writes is that of
 *             each thread, if it can be. Of such it breaks the fewest axioms, by the
 *             shortest cycle. %NULL where there was no candidate
 * @state: that it ends in; or %NULL
 * @violations: the shortest cycle first; none where the model allows the candidate,
 *              which can only be if the answer is not complete
 * @candidates: that were looked at, each once. A candidate is a way through each
 *              thread, a write that each read reads, and an order of the writes of each
 *              location, whether the model allows that or not; those count that end as
 *              the claim asks
 * @coherent: those that are not coherent were not looked at, as there are such that
 *            are: at each location each thread sees the writes in their order, and
 *            read-modify-writes are atomic
 * @limit: why there may be more, and a nearer one among them
 *
 * With no candidate and no limit no values that reads could return lead to such an end.
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
 * Why the answer has no execution for which the proposition holds; or, of a test that
 * claims it `forall` executions, none for which it does not. The first call searches,
 * and later ones return what it has found.
 *
 * Returns: of the answer; or %NULL where there is one
 */
const struct weir_litmus_explanation *weir_litmus_answer_explain(
    struct weir_litmus_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
