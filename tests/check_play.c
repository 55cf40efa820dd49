/* SPDX-License-Identifier: MIT
 *
 * check_play.c: executions that are played, as their words. All walks over allowed
 * options lead to exactly the final states of the explorer; a refused option has its
 * axiom and a cycle; and changes of orders and scopes change what is allowed. */
#include "support.h"

#include <weir-model.h>
#include <weir-play.h>

static const char MESSAGE[]
    = "C MP\n{ x = 0; y = 0; }\n"
      "P0 (atomic_int* x, atomic_int* y) {\n"
      "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
      "  atomic_store_explicit(y, 1, memory_order_release);\n"
      "}\n"
      "P1 (atomic_int* x, atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
      "  int r1 = atomic_load_explicit(x, memory_order_relaxed);\n"
      "}\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n";

/* The release store and the acquire load of MESSAGE. */
#define STORE "5:3"
#define LOAD "8:12"

static struct weir_play *play_as(const char *text, const char *model,
                                 const char *choices, const char *changes)
{
    const struct weir_play_options options = { model, choices, changes };
    GError *error = NULL;
    struct weir_play *play
        = weir_litmus_play(text, strlen(text), "test.litmus", &options, &error);
    ck_assert_msg(play != NULL, "%s", error != NULL ? error->message : "no error");
    return play;
}

static const struct weir_play_option *option_of(const struct weir_play *play,
                                                size_t thread, const char *choice)
{
    for (size_t i = 0; i < play->threads[thread].n_options; i++) {
        const struct weir_play_option *option = &play->threads[thread].options[i];
        if (strcmp(option->choice, choice) == 0) {
            return option;
        }
    }
    ck_abort_msg("no option %s", choice);
    return NULL;
}

/* ---- Walks ----------------------------------------------------------------------- */

struct walk {
    const char *text, *model, *changes;
    GHashTable *parts, *states; /* texts */
    size_t n_blocked;
};

/* The events and edges of a play: which execution it is. */
static char *identity(const struct weir_play *play)
{
    GString *text = g_string_new(NULL);
    for (size_t e = 0; e < play->n_events; e++) {
        g_string_append_printf(text, "%d %s;", (int)play->events[e].thread,
                               play->events[e].text);
    }
    for (size_t i = 0; i < play->n_edges; i++) {
        const struct weir_play_edge *edge = &play->edges[i];
        g_string_append_printf(text, "%s %d %d;", edge->kind, (int)edge->from,
                               (int)edge->to);
    }
    return g_string_free(text, FALSE);
}

static void visit(struct walk *walk, const char *choices)
{
    struct weir_play *play = play_as(walk->text, walk->model, choices, walk->changes);
    ck_assert_msg(play->refused == NULL, "%s: %s", choices, play->refused);
    if (g_hash_table_add(walk->parts, identity(play))) {
        if (play->state != NULL) {
            ck_assert_str_eq(play->reached, "complete");
            g_hash_table_add(walk->states, g_strdup(play->state));
        }
        walk->n_blocked += strcmp(play->reached, "blocked") == 0;
        for (size_t t = 0; t < play->n_threads; t++) {
            const struct weir_play_thread *thread = &play->threads[t];
            for (size_t i = 0; i < thread->n_options; i++) {
                const struct weir_play_option *option = &thread->options[i];
                ck_assert_int_eq(option->allowed, option->axiom == NULL);
                ck_assert_int_eq(option->allowed, option->n_cycle == 0);
                g_autofree char *more = g_strjoin(choices[0] == '\0' ? "" : ",",
                                                  choices, option->choice, NULL);
                if (option->allowed) {
                    visit(walk, more);
                }
            }
        }
    }
    weir_play_free(play);
}

static void walk_all(struct walk *walk)
{
    walk->parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    walk->states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    visit(walk, "");
}

static void walk_clear(struct walk *walk)
{
    g_hash_table_unref(walk->parts);
    g_hash_table_unref(walk->states);
}

/* The states are those of the explorer for @text, which may differ from the walk's. */
static void expect_states(const struct walk *walk, const char *text)
{
    GError *error = NULL;
    struct weir_litmus_options options = { .rounds = 0 };
    struct weir_litmus *test = weir_litmus_parse(text, strlen(text), "test", &error);
    ck_assert(test != NULL && weir_model_find(walk->model, &options.model, &error));
    struct weir_litmus_answer *answer = weir_litmus_ask(test, &options, &error);
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    ck_assert(verdict->complete && verdict->filtered == 0);
    ck_assert_msg(g_hash_table_size(walk->states) == verdict->n_states,
                  "%s under %s: walks lead to %u states of %zu", weir_litmus_name(test),
                  walk->model, g_hash_table_size(walk->states), verdict->n_states);
    for (size_t i = 0; i < verdict->n_states; i++) {
        ck_assert(g_hash_table_contains(walk->states,
                                        weir_litmus_answer_state(answer, i)->text));
    }
    ck_assert_int_eq(walk->n_blocked > 0, verdict->blocked > 0);
    weir_litmus_answer_free(answer);
    weir_litmus_free(test);
}

static const struct {
    const char *file, *model;
} walks[] = {
    { "mp", "rc11" },
    { "mp-relaxed", "sycl" },
    { "mp-scope-narrow", "sycl" },
    { "sb-relaxed", "sycl-split" },
    { "sb-relaxed", "sc" },
    { "cas", "sycl" },
    { "increment-split", "rc11" },
    { "barrier", "sycl" },
    { "barrier-missing", "sycl-split" },
    { "barrier-diverged", "sycl" },
    { "lock-try", "sycl" },
    { "release-sequence", "rc11" },
    { "mp-fences", "sycl" },
    { "coherence", "sycl" },
};

CASE("walks");

TEST_EACH(walks_lead_to_the_states_of_the_explorer, G_N_ELEMENTS(walks))
{
    g_autofree char *path = g_strdup_printf(SAMPLES "/%s.litmus", walks[_i].file);
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    struct walk walk = { .text = text, .model = walks[_i].model };
    walk_all(&walk);
    expect_states(&walk, text);
    walk_clear(&walk);
}

/* A test with changes is the test that has these words in its text. */
TEST(changes_are_changes_of_the_text)
{
    static const char *const changes[]
        = { NULL, STORE "=relaxed", LOAD "=relaxed", "4:3=seq_cst," LOAD "=seq_cst" };
    static const char *const texts[][2] = {
        { "@", "@" },
        { "y, 1, memory_order_release", "y, 1, memory_order_relaxed" },
        { "y, memory_order_acquire", "y, memory_order_relaxed" },
        { "y, memory_order_acquire", "y, memory_order_seq_cst" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_auto(GStrv) parts = g_strsplit(MESSAGE, texts[i][0], 2);
        g_autofree char *changed = g_strjoinv(texts[i][1], parts);
        ck_assert(i == 0 || strcmp(changed, MESSAGE) != 0);
        struct walk walk = { .text = MESSAGE, .model = "rc11", .changes = changes[i] };
        walk_all(&walk);
        expect_states(&walk, changed);
        ck_assert_uint_eq(g_hash_table_size(walk.states), i % 3 == 0 ? 3 : 4);
        walk_clear(&walk);
    }
}

/* A change of a scope can introduce a race, and a loop in which there may be one is not
 * left out of an execution. */
TEST(a_changed_scope_is_that_of_a_changed_text)
{
    static const char text[]
        = "OPENCL WAIT\n{ [x] = 0; }\n"
          "P0@wg 0, dev 0 (global atomic_int* x) {\n"
          "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
          "}\n"
          "P1@wg 1, dev 0 (global atomic_int* x) {\n"
          "  while (atomic_load_explicit(x, memory_order_relaxed, memory_scope_device)"
          " == 0) {}\n"
          "}\n"
          "exists (x=1)\n";
    g_auto(GStrv) parts = g_strsplit(text, "memory_scope_device", 2);
    g_autofree char *changed = g_strjoinv("memory_scope_work_group", parts);
    for (int narrow = 0; narrow < 2; narrow++) {
        struct weir_play *one
            = play_as(text, "sycl", "1:0", narrow ? "4:3=work_group" : NULL);
        struct weir_play *other = play_as(narrow ? changed : text, "sycl", "1:0", NULL);
        ck_assert_str_eq(one->threads[1].standing, narrow ? "ready" : "spinning");
        ck_assert_str_eq(one->threads[1].standing, other->threads[1].standing);
        weir_play_free(one);
        weir_play_free(other);
    }
}

/* ---- Words ----------------------------------------------------------------------- */

CASE("words");

TEST(a_refused_option_has_its_axiom_and_cycle)
{
    struct weir_play *play = play_as(MESSAGE, "sycl", "0:0,0:0,1:1", NULL);
    ck_assert_uint_eq(play->n_steps, 3);
    ck_assert_str_eq(play->steps[2].text, "reads y=1 of P0 (line 5)");
    const struct weir_play_option *old = option_of(play, 1, "1:0");
    ck_assert(!old->allowed && option_of(play, 1, "1:1")->allowed);
    ck_assert_str_eq(old->text, "reads x=0, the initial value");
    ck_assert_str_eq(old->axiom, "COH");
    ck_assert_uint_eq(old->n_events, 1);
    ck_assert_str_eq(old->events[0].text, "R x=0 relaxed");
    /* The option's own event is the one after all others; each edge begins where the
     * one before it ends. */
    bool own = false;
    for (size_t i = 0; i < old->n_cycle; i++) {
        const struct weir_play_edge *next = &old->cycle[(i + 1) % old->n_cycle];
        ck_assert_int_eq(old->cycle[i].to, next->from);
        own |= old->cycle[i].to == (int64_t)play->n_events;
    }
    ck_assert(own);
    weir_play_free(play);
}

TEST(what_happens_before_an_event_grows_by_synchronisation)
{
    struct weir_play *with = play_as(MESSAGE, "sycl", "0:0,0:0,1:1", NULL);
    struct weir_play *without
        = play_as(MESSAGE, "sycl", "0:0,0:0,1:1", LOAD "=relaxed");
    ck_assert_str_eq(with->events[2].before, "0,1");
    ck_assert_str_eq(without->events[2].before, "");
    bool sw = false;
    for (size_t i = 0; i < with->n_edges; i++) {
        sw |= strcmp(with->edges[i].kind, "sw") == 0 && with->edges[i].from == 1
            && with->edges[i].to == 2 && with->edges[i].how != NULL;
    }
    ck_assert(sw);
    weir_play_free(with);
    weir_play_free(without);
}

/* The stale read of message passing is allowed once the store releases nothing. */
TEST(a_weaker_order_allows_what_was_refused)
{
    struct weir_play *play
        = play_as(MESSAGE, "sycl", "0:0,0:0,1:1,1:0", STORE "=relaxed");
    ck_assert(play->refused == NULL);
    ck_assert_str_eq(play->state, "1:r0=1,1:r1=0");
    ck_assert_str_eq(play->holds, "yes");
    ck_assert_str_eq(play->changes, STORE "=relaxed");
    ck_assert_str_eq(play->sites[1].place, STORE);
    ck_assert_str_eq(play->sites[1].order, "relaxed");
    ck_assert_str_eq(play->sites[1].orders, "relaxed release seq_cst");
    weir_play_free(play);
    play = play_as(MESSAGE, "sycl", "0:0,0:0,1:1,1:0", NULL);
    ck_assert_str_eq(play->refused,
                     "choice 4: model sycl refuses that P1 reads x=0, the "
                     "initial value");
    ck_assert_uint_eq(play->n_steps, 3);
    ck_assert_ptr_null(play->state);
    weir_play_free(play);
}

TEST(events_keep_the_order_of_their_steps)
{
    struct weir_play *play = play_as(MESSAGE, "sycl", "1:0,0:0", NULL);
    ck_assert_str_eq(play->events[0].text, "W x=1 relaxed");
    ck_assert_uint_eq(play->events[0].step, 1);
    ck_assert_uint_eq(play->events[1].step, 0);
    ck_assert_uint_eq(play->events[1].line, 8);
    weir_play_free(play);
}

/* The last iteration is taken out, and events after it in the order of threads keep
 * their numbers in the cycle. */
TEST(a_loop_that_waits_is_repeated)
{
    static const char text[]
        = "C WAIT\n{ x = 0; y = 0; }\n"
          "P0 (atomic_int* x, atomic_int* y) {\n"
          "  while (atomic_load_explicit(x, memory_order_relaxed) == 0) {}\n"
          "  atomic_store_explicit(y, 1, memory_order_relaxed);\n"
          "}\n"
          "P1 (atomic_int* x) {\n"
          "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
          "}\n"
          "exists (y=1)\n";
    struct weir_play *play = play_as(text, "sycl", "0:0,1:0", NULL);
    ck_assert_str_eq(play->threads[0].standing, "spinning");
    ck_assert_str_eq(play->threads[0].next, "R x relaxed");
    ck_assert_str_eq(play->reached, "part");
    ck_assert_str_eq(option_of(play, 0, "0:1")->text, "reads x=1 of P1 (line 8)");
    weir_play_free(play);
    play = play_as(text, "sycl", "0:0,1:0,0:0,0:1,0:0", NULL);
    ck_assert_ptr_null(play->refused);
    ck_assert_str_eq(play->reached, "complete");
    ck_assert_uint_eq(play->n_events, 3);
    weir_play_free(play);
}

TEST(accesses_that_race_are_explained)
{
    static const char text[] = "C RACE\n{ x = 0; }\n"
                               "P0 (int* x) { *x = 1; }\n"
                               "P1 (int* x) { int r0 = *x; }\n"
                               "exists (1:r0=1)\n";
    struct weir_play *play = play_as(text, "rc11", "0:0,1:1", NULL);
    ck_assert(play->race != NULL);
    weir_play_free(play);
    play = play_as(text, "sc", "0:0,1:1", NULL);
    ck_assert(play->race == NULL);
    weir_play_free(play);
}

TEST(a_model_with_load_buffering_says_what_is_missing)
{
    static const char *const models[] = { "gpu", "opencl", "sycl", "rc11" };
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        struct weir_play *play = play_as(MESSAGE, models[i], NULL, NULL);
        ck_assert_int_eq(play->missing != NULL, i < 2);
        ck_assert_str_eq(play->model, models[i]);
        weir_play_free(play);
    }
}

/* ---- What is wrong --------------------------------------------------------------- */

static void expect_wrong(const struct weir_play_options *options, const char *part)
{
    GError *error = NULL;
    struct weir_play *play
        = weir_litmus_play(MESSAGE, strlen(MESSAGE), "test.litmus", options, &error);
    ck_assert(play == NULL);
    expect_error(error, WEIR_ERROR_ARGUMENT, part);
}

CASE("errors");

TEST(malformed_options_are_errors)
{
    static const char *const choices[]
        = { "x", "0:", "0:0,", ",", "0:0;1", "0:0!!", "-1", "0 ", "0:0:0" };
    for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
        expect_wrong(&(struct weir_play_options){ .choices = choices[i] },
                     "are not of the form");
    }
    expect_wrong(&(struct weir_play_options){ .model = "x86" }, "x86");
    static const char *const changes[][2] = {
        { "relaxed", "not of the form" },
        { STORE "=", "not of the form" },
        { "1:1=relaxed", "has no atomic" },
        { STORE "=acquire", "cannot have" },
        { STORE "=strong", "not an order" },
        { STORE "=device", "no scopes" },
        { STORE "=local", "no memories" },
        { LOAD "=acquire/relaxed", "cannot fail" },
        { STORE "=relaxed,", "not of the form" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        expect_wrong(&(struct weir_play_options){ .changes = changes[i][0] },
                     changes[i][1]);
    }
    GError *error = NULL;
    ck_assert(
        weir_litmus_play("C", 1, "a.litmus", &(struct weir_play_options){ 0 }, &error)
        == NULL);
    expect_error(error, WEIR_ERROR_INPUT, "a.litmus:1:");
}

/* A choice that is well-formed and does not exist is refused; the play stays as before
 * it. */
TEST(choices_that_do_not_exist_are_refused)
{
    static const char *const choices[][2]
        = { { "0:0,7:0", "choice 2: thread 7 does not exist, only 0 to 1" },
            { "0:0,0:5", "choice 2: thread 0 has no such option" },
            { "0:0,0:0!", "choice 2: thread 0 has no such option" },
            { "0:0,99999999999:0",
              "choice 2: thread 4294967295 does not exist, only 0 to 1" },
            { "0:0,0:0,0:0", "choice 3: thread 0 cannot take a step" } };
    for (size_t i = 0; i < G_N_ELEMENTS(choices); i++) {
        struct weir_play *play = play_as(MESSAGE, "sycl", choices[i][0], NULL);
        ck_assert_str_eq(play->refused, choices[i][1]);
        ck_assert_uint_eq(play->n_steps, i == 4 ? 2 : 1);
        weir_play_free(play);
    }
}

/* ---- Tables ---------------------------------------------------------------------- */

/* A message in PTX: @FENCE is in the writer, @SCOPE that of the reader. */
#define PTX_MESSAGE(FENCE, SCOPE)                                                      \
    "PTX MP\n{ x = 0; y = 0; }\n"                                                      \
    " P0@cta 0,gpu 0      | P1@cta 1,gpu 0           ;\n"                              \
    " st.weak x, 1        | ld.acquire." SCOPE " r0, y ;\n"                            \
    " " FENCE "           | ld.weak r1, x            ;\n"                              \
    " st.relaxed.gpu y, 1 |                          ;\n"                              \
    "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n"

/* A message in Vulkan: @FLAGS of the release. */
#define VULKAN_MESSAGE(FLAGS)                                                          \
    "Vulkan MP\n{ x = 0; y = 0; }\n"                                                   \
    " P0@sg 0,wg 0,qf 0                     | P1@sg 0,wg 1,qf 0 ;\n"                   \
    " st.nonpriv.sc0 x, 1                   |"                                         \
    " ld.atom.acq.qf.sc0.semsc0.semvis r0, y ;\n"                                      \
    " st.atom.rel.qf.sc0.semsc0" FLAGS " y, 1 | ld.nonpriv.sc0 r1, x ;\n"              \
    "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n"

static void expect_note(const char *text, const char *choices, size_t thread,
                        const char *choice, bool allowed, const char *part)
{
    struct weir_play *play = play_as(text, NULL, choices, NULL);
    const struct weir_play_option *option = option_of(play, thread, choice);
    ck_assert_ptr_eq(play->refused, NULL);
    ck_assert_int_eq(option->allowed, allowed);
    if (part == NULL) {
        ck_assert_ptr_eq(option->note, NULL);
    } else {
        ck_assert_msg(option->note != NULL && strstr(option->note, part) != NULL,
                      "%s: %s", part, option->note);
    }
    weir_play_free(play);
}

CASE("tables");

/* The acquire and a fence.sc before the flag forbid the old value; with a scope that
 * excludes the writer, or without the fence, the note says why it is allowed. */
TEST(an_old_value_in_ptx_has_its_reason)
{
    const char *flag = "0:0,0,0:0,1:1", *data = "0:0,0,0:0";
    expect_note(PTX_MESSAGE("fence.sc.gpu", "gpu"), flag, 1, "1:0", false, NULL);
    expect_note(PTX_MESSAGE("fence.sc.gpu", "gpu"), flag, 1, "1:1", true,
                "the write is before the read in causality order");
    expect_note(PTX_MESSAGE("fence.sc.gpu", "gpu"), data, 1, "1:1", true,
                "the write and the read are morally strong");
    expect_note(PTX_MESSAGE("fence.sc.gpu", "cta"), data, 1, "1:1", true,
                "not morally strong: the scope of the read in line 4 excludes P0");
    expect_note(PTX_MESSAGE("fence.sc.gpu", "cta"), flag, 1, "1:0", true,
                "an old value: P1 (line 4) reads what P0 writes (line 6), but that "
                "does not synchronise");
    expect_note(PTX_MESSAGE("", "gpu"), "0:0,0:0,1:1", 1, "1:0", true,
                "the write is not a release, and no release fence is before it");
}

TEST(a_write_in_vulkan_is_available_and_visible_or_why_not)
{
    const char *flag = "0:0,0:0,1:1";
    expect_note(VULKAN_MESSAGE(".semav"), flag, 1, "1:0", false, NULL);
    expect_note(VULKAN_MESSAGE(".semav"), flag, 1, "1:1", true,
                "the write is available, and visible to the read");
    expect_note(VULKAN_MESSAGE(".semav"), "0:0,0:0", 1, "1:1", true,
                "mutually ordered");
    expect_note(VULKAN_MESSAGE(""), flag, 1, "1:1", true,
                "the write is not available at scope qf");
    expect_note(VULKAN_MESSAGE(""), flag, 1, "1:0", true, "an old value: ");
}

/* Atomics of two blocks at block scope: both orders of the writes are offered, and at
 * device scope the read decides. */
TEST(writes_without_an_order_have_any_place)
{
    static const char text[] = "PTX ADD\n{ x = 0; }\n"
                               " P0@cta 0,gpu 0             | P1@cta 1,gpu 0 ;\n"
                               " st.weak x, 1 | st.weak x, 2 ;\n"
                               "exists (x == 1)\n";
    struct weir_play *play = play_as(text, "ptx", "0:0,1:0", NULL);
    ck_assert_str_eq(play->state, "[x]=1");
    ck_assert_str_eq(play->holds, "yes");
    ck_assert_str_eq(play->models, "ptx ptx-6.0 ptx-7.5");
    weir_play_free(play);
    play = play_as(text, "ptx", "0:0,1:1", NULL);
    ck_assert_str_eq(play->state, "[x]=2");
    weir_play_free(play);
}

/* bar.arrive does not wait; bar.sync waits for it. */
TEST(an_arrival_lets_a_waiting_thread_go_on)
{
    static const char text[] = "PTX BAR\n{ x = 0; }\n"
                               " P0@cta 0,gpu 0   | P1@cta 0,gpu 0   ;\n"
                               " st.weak x, 1     | bar.cta.sync 0   ;\n"
                               " bar.cta.arrive 0 | ld.weak r0, x    ;\n"
                               "exists (P1:r0 == 0)\n";
    struct weir_play *play = play_as(text, NULL, "1", NULL);
    ck_assert_str_eq(play->threads[1].standing, "waiting");
    weir_play_free(play);
    play = play_as(text, NULL, "1,0:0,0", NULL);
    ck_assert_str_eq(play->threads[0].standing, "ended");
    ck_assert_str_eq(play->threads[1].standing, "ready");
    ck_assert(!option_of(play, 1, "1:0")->allowed);
    ck_assert(option_of(play, 1, "1:1")->allowed);
    weir_play_free(play);
}

/* By ssw a thread comes after all of another one. */
TEST(a_thread_after_another_one_waits_for_its_end)
{
    static const char text[] = "Vulkan SSW\n{ x = 0; }\n{ ssw 0 1; }\n"
                               " P0@sg 0,wg 0,qf 0 | P1@sg 0,wg 1,qf 0 ;\n"
                               " st.sc0 x, 1       | ld.sc0 r0, x      ;\n"
                               "exists (P1:r0 == 0)\n";
    struct weir_play *play = play_as(text, NULL, "", NULL);
    ck_assert_str_eq(play->threads[1].standing, "later");
    ck_assert_uint_eq(play->threads[1].n_options, 0);
    weir_play_free(play);
    play = play_as(text, NULL, "0:0", NULL);
    ck_assert_str_eq(play->threads[1].standing, "ready");
    weir_play_free(play);
    play = play_as(text, NULL, "1:0", NULL);
    ck_assert_ptr_ne(play->refused, NULL);
    weir_play_free(play);
}

MAIN("play")
