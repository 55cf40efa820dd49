/* SPDX-License-Identifier: MIT
 *
 * check_answer.c: weir-model.h as a program uses it: what a test reports of itself;
 * that explanations count, and keep and report limits; and that no order of calls, and
 * no two threads, do harm. Other tests check the answers of models. */
#include "litmus_ask.h"

#include <pthread.h>
#include <stdio.h>

/* Each thread writes one location and reads the other. */
#define SB(order, claim)                                                               \
    "C SB\n{}\n"                                                                       \
    "P0 ($ints) { store(x, 1, " order "); int r0 = load(y, " order "); }\n"            \
    "P1 ($ints) { store(y, 1, " order "); int r0 = load(x, " order "); }\n" claim
#define BOTH_0 "exists (0:r0=0 /\\ 1:r0=0)"

static const struct weir_litmus_verdict *verdict_of(struct weir_litmus_answer *answer)
{
    return weir_litmus_answer_verdict(answer);
}

/* One thread that writes 1 to @n, and reads. Returns: (transfer full) */
static char *writes(unsigned n, const char *claim)
{
    GString *text = g_string_new("C writes\n{}\nP0 (atomic_int* x) {\n");
    for (unsigned i = 1; i <= n; i++) {
        g_string_append_printf(text, "  store(x, %u, $rlx);\n", i);
    }
    g_string_append(text, "  int r = load(x, $rlx);\n}\n");
    g_string_append(text, claim);
    return g_string_free(text, FALSE);
}

/* More ways than there is time for to read too early: orders of many writes; and reads
 * of another location, which make each way long. Returns: (transfer full) */
static char *long_search(unsigned n)
{
    enum { READS = 150 };
    GString *text = g_string_new("C long\n{}\nP0 (atomic_int* x, atomic_int* y) {\n");
    for (unsigned i = 0; i < READS; i++) {
        g_string_append_printf(text, "  int y%u = atomic_load(y);\n", i);
    }
    for (unsigned i = 1; i <= n; i++) {
        g_string_append_printf(text, "  store(x, %u, $rlx);\n", i);
    }
    g_string_append(text,
                    "  int r = load(x, $rlx);\n}\n"
                    "exists (0:r=0)");
    return g_string_free(text, FALSE);
}

/* @n threads that each add twice. Returns: (transfer full) */
static char *updates(unsigned n)
{
    GString *text = g_string_new("C updates\n{}\n");
    for (unsigned i = 0; i < n; i++) {
        g_string_append_printf(text,
                               "P%u (atomic_int* x) {\n  atomic_fetch_add(x, 1);\n"
                               "  atomic_fetch_add(x, 1);\n}\n",
                               i);
    }
    g_string_append_printf(text, "exists (x=%u)", 2 * n);
    return g_string_free(text, FALSE);
}

/* ---- What a test says of itself -------------------------------------------------- */

CASE("tests");

TEST(a_test_names_its_threads_and_locations)
{
    struct weir_litmus *test = litmus_test_of(
        "OPENCL placed\n{ [z] = -7; }\n"
        "P0@wg 3, dev 1 (global atomic_int* x, local int* y) { *y = 1; }\n"
        "P1@wg 3, dev 1 (global atomic_int* x, local int* y) { *y = 2; }\n"
        "P2@wg 3, dev 0 (global int* z) { *z = 1; }\n"
        "exists (x=0)");
    static const uint32_t devices[] = { 1, 1, 0 };
    ck_assert_uint_eq(weir_litmus_n_threads(test), 3);
    for (size_t t = 0; t < 3; t++) {
        const struct weir_litmus_thread *thread = weir_litmus_nth_thread(test, t);
        ck_assert(thread->placed);
        ck_assert_uint_eq(thread->group, 3);
        ck_assert_uint_eq(thread->device, devices[t]);
    }
    static const struct weir_litmus_location locations[] = { { "z", false, false, -7 },
                                                             { "x", false, true, 0 },
                                                             { "y", true, false, 0 } };
    ck_assert_uint_eq(weir_litmus_n_locations(test), 3);
    for (size_t l = 0; l < 3; l++) {
        const struct weir_litmus_location *location = weir_litmus_nth_location(test, l);
        ck_assert_str_eq(location->name, locations[l].name);
        ck_assert(location->local == locations[l].local);
        ck_assert(location->atomic == locations[l].atomic);
        ck_assert_int_eq(location->initial, locations[l].initial);
    }
    weir_litmus_free(test);
    test = litmus_test_of(SB("$rlx", ""));
    ck_assert_uint_eq(weir_litmus_n_threads(test), 2);
    for (uint32_t t = 0; t < 2; t++) {
        const struct weir_litmus_thread *thread = weir_litmus_nth_thread(test, t);
        ck_assert(!thread->placed);
        ck_assert_uint_eq(thread->group, t);
        ck_assert_uint_eq(thread->device, 0);
    }
    weir_litmus_free(test);
}

TEST(events_name_their_locations)
{
    g_autoptr(weir_litmus) test
        = litmus_test_of("OPENCL all\n{ [a] = 0; [b] = 0; }\n"
                         "P0@wg 0, dev 0 (global int* b, global atomic_int* a) {\n"
                         "  *b = 1;\n"
                         "  FENCE($GLOBAL, $rel, $dev);\n"
                         "  B: barrier($GLOBAL);\n"
                         "  int r = load(a, $rlx);\n}\n");
    g_autoptr(weir_litmus_answer) answer = ASK(test, .model = WEIR_MODEL_SYCL);
    ck_assert_uint_eq(verdict_of(answer)->n_states, 1);
    const struct weir_litmus_execution *witness
        = weir_litmus_answer_state(answer, 0)->witness;
    static const struct {
        enum weir_litmus_event_kind kind;
        uint32_t location;
    } events[] = { { WEIR_LITMUS_WRITE, 1 },
                   { WEIR_LITMUS_FENCE, UINT32_MAX },
                   { WEIR_LITMUS_BARRIER, UINT32_MAX },
                   { WEIR_LITMUS_EXIT, UINT32_MAX },
                   { WEIR_LITMUS_READ, 0 } };
    ck_assert_uint_eq(witness->n_events, G_N_ELEMENTS(events));
    for (size_t e = 0; e < witness->n_events; e++) {
        ck_assert_int_eq(witness->events[e].kind, events[e].kind);
        ck_assert_uint_eq(witness->events[e].location, events[e].location);
    }
}

/* ---- Explanations ---------------------------------------------------------------- */

CASE("explanations");

/* In a candidate the writes of one thread may have any order, and a read may read any
 * of them. */
TEST(an_explanation_counts_each_candidate_once)
{
    static const struct {
        unsigned writes;
        const char *claim;
        uint64_t candidates;
    } cases[] = {
        { 1, "exists (0:r=0)", 1 },
        { 2, "exists (0:r=0)", 2 },                /* orders of writes */
        { 3, "exists (0:r=0)", 6 },                /* the same */
        { 3, "exists (0:r=1 /\\ [x]=3)", 2 },      /* orders with the last one last */
        { 3, "exists (0:r=1 \\/ 0:r=2)", 12 },     /* two of the four there are */
        { 3, "forall (0:r=3)", 18 },               /* not of one */
        { 4, "filter ([x]=4) exists (0:r=0)", 6 }, /* three of them at will */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = writes(cases[i].writes, cases[i].claim);
        g_autoptr(weir_litmus) test = litmus_test_of(text);
        for (unsigned model = 0; model < N_C_MODELS; model++) {
            g_autoptr(weir_litmus_answer) answer
                = ASK(test, .model = (enum weir_model)model);
            const struct weir_litmus_explanation *why
                = weir_litmus_answer_explain(answer);
            ck_assert_ptr_nonnull(why);
            ck_assert_uint_eq(why->candidates, cases[i].candidates);
            ck_assert_int_eq(why->limit, WEIR_LITMUS_NO_LIMIT);
            ck_assert_ptr_nonnull(why->execution);
            ck_assert_uint_gt(why->n_violations, 0);
        }
    }
    /* This one is coherent, and so comes up in the search for such, too. */
    g_autoptr(weir_litmus) test = litmus_test_of(SB("$sc", BOTH_0));
    g_autoptr(weir_litmus_answer) answer = ASK(test, .model = WEIR_MODEL_RC11);
    ck_assert_uint_eq(weir_litmus_answer_explain(answer)->candidates, 1);
}

TEST(an_explanation_is_made_once)
{
    g_autofree char *text = writes(2, "exists (0:r=0)");
    g_autoptr(weir_litmus_answer) answer = ASK_TEXT(text, .model = WEIR_MODEL_SYCL);
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    const struct weir_litmus_execution *execution = why->execution;
    ck_assert_ptr_eq(weir_litmus_answer_explain(answer), why);
    ck_assert_ptr_eq(why->execution, execution);
    ck_assert_str_eq(why->violations[0].axiom, "COH");
}

TEST(a_possible_claim_needs_no_explanation)
{
    g_autoptr(weir_litmus_answer) answer
        = ASK_TEXT(SB("$rlx", BOTH_0), .model = WEIR_MODEL_RC11);
    ck_assert_ptr_null(weir_litmus_answer_explain(answer));
}

/* Where a limit hides what is allowed, the nearest candidate is that. */
TEST(a_candidate_that_is_allowed_violates_nothing)
{
    static const char *const claims[] = { BOTH_0, "exists (0:r0=1 /\\ 1:r0=1)" };
    int hidden = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(claims); i++) {
        g_autofree char *text = g_strconcat(SB("$rlx", ""), claims[i], NULL);
        g_autoptr(weir_litmus_answer) answer
            = ASK_TEXT(text, .model = WEIR_MODEL_RC11, .max_executions = 1);
        ck_assert(!verdict_of(answer)->complete);
        const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
        if (why != NULL) {
            hidden++;
            ck_assert_ptr_nonnull(why->execution);
            ck_assert_uint_eq(why->n_violations, 0);
            ck_assert_int_eq(why->limit, WEIR_LITMUS_NO_LIMIT);
        }
    }
    ck_assert_int_ge(hidden, 1); /* one execution is not both */
}

/* ---- Limits ---------------------------------------------------------------------- */

/* 9! orders, and of two steps a thread more: minutes under valgrind, and half a minute
 * elsewhere. */
enum { MANY = 9 };

static bool stop_answer(void *user, const struct weir_litmus_progress *progress)
{
    (void)user;
    ck_assert(!progress->explains);
    return false;
}

/* Both for models that are explored and for models that are enumerated. */
static const enum weir_model deciders[] = { WEIR_MODEL_RC11, WEIR_MODEL_GPU };

CASE("limits");

TEST_EACH(an_answer_says_which_limit_ended_it, G_N_ELEMENTS(deciders))
{
    enum { MOST = 5, LIMIT_MS = 100 };
    g_autofree char *text = writes(2, "exists (0:r=0)");
    g_autofree char *many = updates(MANY);
    struct weir_litmus *test = litmus_test_of(text), *long_test = litmus_test_of(many);
    const struct weir_litmus_options options[]
        = { [WEIR_LITMUS_LIMIT_TIME] = { .time_limit_ms = LIMIT_MS },
            [WEIR_LITMUS_LIMIT_EXECUTIONS] = { .max_executions = MOST },
            [WEIR_LITMUS_LIMIT_STOPPED] = { .progress = stop_answer } };
    for (size_t limit = 0; limit < G_N_ELEMENTS(options); limit++) {
        struct weir_litmus_options how = options[limit];
        how.model = deciders[_i];
        if (limit != WEIR_LITMUS_LIMIT_SIZE) {
            bool ends = limit != WEIR_LITMUS_NO_LIMIT;
            g_autoptr(weir_litmus_answer) answer
                = ask_with(ends ? long_test : test, &how);
            ck_assert_uint_eq(verdict_of(answer)->limit, limit);
            ck_assert(verdict_of(answer)->complete == !ends);
            ck_assert_uint_eq(verdict_of(answer)->cut, 0);
        }
    }
    weir_litmus_free(test);
    weir_litmus_free(long_test);
}

TEST(an_explanation_keeps_the_limit_of_time)
{
    /* Enough for the answer, which is found at once, and not for the explanation. */
    int limit_ms = under_valgrind() ? 5000 : 300;
    g_autofree char *text = long_search(MANY);
    g_autoptr(weir_litmus_answer) answer
        = ASK_TEXT(text, .model = WEIR_MODEL_RC11, .time_limit_ms = limit_ms);
    ck_assert(verdict_of(answer)->complete);
    gint64 began = g_get_monotonic_time();
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    ck_assert_int_lt((g_get_monotonic_time() - began) / 1000, 30 * limit_ms);
    ck_assert_int_eq(why->limit, WEIR_LITMUS_LIMIT_TIME);
    ck_assert_uint_gt(why->candidates, 0);
    ck_assert_uint_lt(why->candidates, 362880);
    ck_assert_uint_gt(why->n_violations, 0);
}

/* How often each of the two has reported its progress. */
struct reports {
    int answers, explanations;
};

static bool stop_explanation(void *user, const struct weir_litmus_progress *progress)
{
    struct reports *reports = user;
    *(progress->explains ? &reports->explanations : &reports->answers) += 1;
    /* The only one: an answer that takes long reports before it is complete, too. */
    ck_assert_uint_le(progress->executions, 1);
    ck_assert(!progress->explains || progress->executions == 1);
    return !progress->explains;
}

TEST(progress_of_an_explanation_is_reported_and_may_end_it)
{
    struct reports reports = { 0 };
    g_autofree char *text = long_search(MANY);
    g_autoptr(weir_litmus_answer) answer = ASK_TEXT(
        text, .model = WEIR_MODEL_RC11, .progress = stop_explanation, .user = &reports);
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    ck_assert_int_eq(why->limit, WEIR_LITMUS_LIMIT_STOPPED);
    ck_assert_int_eq(reports.explanations, 1);
}

TEST(an_explanation_reports_a_test_that_is_too_large)
{
    enum { TOO_MANY = 65 }; /* writes of a location that candidates may have, and one */
    g_autofree char *text = writes(TOO_MANY, "exists (0:r=0)");
    g_autoptr(weir_litmus_answer) answer = ASK_TEXT(text, .model = WEIR_MODEL_RC11);
    ck_assert(verdict_of(answer)->complete);
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    ck_assert_int_eq(why->limit, WEIR_LITMUS_LIMIT_SIZE);
    ck_assert_ptr_null(why->execution);
    ck_assert_ptr_null(why->state);
    ck_assert_uint_eq(why->candidates, 0);
}

TEST(the_largest_time_limit_is_none)
{
    for (unsigned model = 0; model < N_C_MODELS; model++) {
        g_autoptr(weir_litmus_answer) answer
            = ASK_TEXT(SB("$sc", BOTH_0), .model = (enum weir_model)model,
                       .time_limit_ms = UINT64_MAX);
        ck_assert(verdict_of(answer)->complete);
        ck_assert_int_eq(weir_litmus_answer_explain(answer)->limit,
                         WEIR_LITMUS_NO_LIMIT);
    }
}

/* ---- Use and misuse -------------------------------------------------------------- */

CASE("use");

TEST(a_test_may_be_freed_before_its_answers)
{
    struct weir_litmus *test = litmus_test_of(SB("$sc", BOTH_0));
    const struct weir_litmus_options options = { .model = WEIR_MODEL_SC };
    struct weir_litmus_answer *one = ask_with(test, &options),
                              *other = ask_with(test, &options);
    weir_litmus_free(test);
    weir_litmus_answer_free(one);
    ck_assert_str_eq(weir_litmus_answer_state(other, 0)->text, "0:r0=0,1:r0=1");
    ck_assert_str_eq(weir_litmus_answer_explain(other)->state, "0:r0=0,1:r0=0");
    weir_litmus_answer_free(other);
    weir_litmus_free(NULL);
    weir_litmus_answer_free(NULL);
}

/* All of an answer, as text. */
static char *all_of(const struct weir_litmus *test, enum weir_model model)
{
    struct weir_litmus_answer *answer = ASK(test, .model = model);
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < verdict_of(answer)->n_states; i++) {
        const struct weir_litmus_state *state = weir_litmus_answer_state(answer, i);
        g_string_append_printf(text, "%s %d\n", state->text, (int)state->executions);
        for (size_t e = 0; e < state->witness->n_events; e++) {
            g_string_append_printf(text, "  %s\n", state->witness->events[e].text);
        }
    }
    const struct weir_litmus_explanation *why = weir_litmus_answer_explain(answer);
    for (size_t i = 0; why != NULL && i < why->n_violations; i++) {
        g_string_append_printf(text, "%s %zu\n", why->violations[i].axiom,
                               why->violations[i].n_edges);
    }
    weir_litmus_answer_free(answer);
    return g_string_free(text, FALSE);
}

struct asker {
    const struct weir_litmus *test;
    const char *const *expected;
    int n_wrong;
};

static void *ask_often(void *user)
{
    struct asker *asker = user;
    for (size_t round = 0; round < scaled(50, 2); round++) {
        for (unsigned model = 0; model < N_C_MODELS; model++) {
            g_autofree char *text = all_of(asker->test, (enum weir_model)model);
            asker->n_wrong += strcmp(text, asker->expected[model]) != 0;
        }
    }
    return NULL;
}

TEST(threads_may_ask_of_one_test_at_once)
{
    enum { THREADS = 4 };
    g_autoptr(weir_litmus) test = litmus_test_of(SB("$sc", BOTH_0));
    char *expected[N_C_MODELS];
    for (unsigned model = 0; model < N_C_MODELS; model++) {
        expected[model] = all_of(test, (enum weir_model)model);
    }
    pthread_t threads[THREADS];
    struct asker askers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        askers[i] = (struct asker){ test, (const char *const *)expected, 0 };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_often, &askers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_int_eq(askers[i].n_wrong, 0);
    }
    for (unsigned model = 0; model < N_C_MODELS; model++) {
        g_free(expected[model]);
    }
}

static void count_critical(const char *domain, GLogLevelFlags level,
                           const char *message, void *user)
{
    (void)domain;
    (void)message;
    *(int *)user += (level & G_LOG_LEVEL_CRITICAL) != 0;
}

/* Each is a warning, and returns nothing. */
TEST(missing_arguments_and_indices_beyond_the_end_are_refused)
{
    const struct weir_litmus_options options = { .model = WEIR_MODEL_SYCL };
    g_autoptr(weir_litmus) test = litmus_test_of(SB("$rlx", ""));
    g_autoptr(weir_litmus_answer) answer = ask_with(test, &options);
    size_t n_states = verdict_of(answer)->n_states;
    enum weir_model model = WEIR_MODEL_GPU;
    int n = 0, n_calls = 0;
    GLogFunc before = g_log_set_default_handler(count_critical, &n);
#define REFUSED(call)                                                                  \
    do {                                                                               \
        n_calls++;                                                                     \
        ck_assert_msg(!(call), "%s returns something", #call);                         \
        ck_assert_msg(n == n_calls, "%s says nothing", #call);                         \
    } while (0)
    REFUSED(weir_litmus_parse(NULL, 0, "test", NULL));
    REFUSED(weir_litmus_parse("", 0, NULL, NULL));
    REFUSED(weir_litmus_name(NULL));
    REFUSED(weir_litmus_print(NULL));
    REFUSED(weir_litmus_claim(NULL));
    REFUSED(weir_litmus_n_threads(NULL));
    REFUSED(weir_litmus_nth_thread(NULL, 0));
    REFUSED(weir_litmus_nth_thread(test, 2));
    REFUSED(weir_litmus_nth_thread(test, SIZE_MAX));
    REFUSED(weir_litmus_n_locations(NULL));
    REFUSED(weir_litmus_nth_location(NULL, 0));
    REFUSED(weir_litmus_nth_location(test, 2));
    REFUSED(weir_litmus_ask(NULL, &options, NULL));
    REFUSED(weir_litmus_ask(test, NULL, NULL));
    REFUSED(weir_litmus_answer_verdict(NULL));
    REFUSED(weir_litmus_answer_state(NULL, 0));
    REFUSED(weir_litmus_answer_state(answer, n_states));
    REFUSED(weir_litmus_answer_race(NULL));
    REFUSED(weir_litmus_answer_explain(NULL));
    REFUSED(weir_model_find(NULL, &model, NULL));
    REFUSED(weir_model_find("sc", NULL, NULL));
#undef REFUSED
    g_log_set_default_handler(before, NULL);
    ck_assert_int_eq(model, WEIR_MODEL_GPU);
}

TEST(numbers_that_are_no_constants_have_no_name)
{
    ck_assert_ptr_null(weir_model_name((enum weir_model)WEIR_N_MODELS));
    ck_assert_str_eq(weir_observation_name((enum weir_observation)3), "?");
    enum weir_litmus_edge_kind kind
        = (enum weir_litmus_edge_kind)(WEIR_LITMUS_NOT_HB + 1);
    ck_assert_str_eq(weir_litmus_edge_name(kind), "?");
    ck_assert_str_eq(weir_litmus_edge_meaning(kind), "?");
}

TEST(wrong_arguments_are_errors)
{
    GError *error = NULL;
    g_autoptr(weir_litmus) test = litmus_test_of(SB("$rlx", ""));
    ck_assert_ptr_null(weir_litmus_ask(
        test, &(struct weir_litmus_options){ .model = (enum weir_model)99 }, &error));
    expect_error(error, WEIR_ERROR_ARGUMENT, "model is 99");
    error = NULL;
    enum weir_model model = WEIR_MODEL_GPU;
    ck_assert(!weir_model_find("tso", &model, &error));
    expect_error(error, WEIR_ERROR_ARGUMENT, "sycl-split");
    error = NULL;
    ck_assert_ptr_null(weir_litmus_parse("C", 1, "a.litmus", &error));
    expect_error(error, WEIR_ERROR_INPUT, "a.litmus:1:");
    /* No error is set where the caller passes no place for it. */
    ck_assert_ptr_null(weir_litmus_parse("C", 1, "a.litmus", NULL));
}

MAIN("answer")
