/* SPDX-License-Identifier: MIT
 *
 * litmus_ask.h: litmus tests as short texts, and what models answer about them. */
#ifndef WEIR_TESTS_LITMUS_ASK_H
#define WEIR_TESTS_LITMUS_ASK_H

#include "support.h"

#include <weir-model.h>

/* For g_autoptr(). */
typedef struct weir_litmus weir_litmus;
typedef struct weir_litmus_answer weir_litmus_answer;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weir_litmus, weir_litmus_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weir_litmus_answer, weir_litmus_answer_free)

/* Orders, scopes, flags and operations are abbreviated, so that a thread fits a line:
 * P0 { store(x, 1, $rel); }, where x and y are atomic. Returns: (transfer full) */
TEST_HELPER char *litmus_expand(const char *text)
{
    static const char *const abbreviations[][2] = {
        { "\\$rlx\\b", "memory_order_relaxed" },
        { "\\$acq\\b", "memory_order_acquire" },
        { "\\$rel\\b", "memory_order_release" },
        { "\\$acq_rel\\b", "memory_order_acq_rel" },
        { "\\$sc\\b", "memory_order_seq_cst" },
        { "\\$wg\\b", "memory_scope_work_group" },
        { "\\$dev\\b", "memory_scope_device" },
        { "\\$GLOBAL\\b", "CLK_GLOBAL_MEM_FENCE" },
        { "\\$LOCAL\\b", "CLK_LOCAL_MEM_FENCE" },
        { "\\bP(\\d+) \\{", "\nP\\1 ($ints) {" },
        { "\\$ints\\b", "atomic_int* x, atomic_int* y" },
        { "\\b(store|load|exchange|fetch_\\w+|compare_exchange_\\w+)\\(",
          "atomic_\\1_explicit(" },
        { "\\bFENCE\\(", "atomic_work_item_fence(" },
    };
    char *expanded = g_strdup(text);
    for (size_t i = 0; i < G_N_ELEMENTS(abbreviations); i++) {
        g_autoptr(GRegex) regex = g_regex_new(abbreviations[i][0], 0, 0, NULL);
        char *next
            = g_regex_replace(regex, expanded, -1, 0, abbreviations[i][1], 0, NULL);
        g_free(expanded);
        expanded = next;
    }
    return expanded;
}

/* The models that take tests in C and OpenCL C are the first ones. */
enum { N_C_MODELS = WEIR_MODEL_GPU + 1 };

TEST_HELPER struct weir_litmus *litmus_test_of(const char *abbreviated)
{
    g_autofree char *text = litmus_expand(abbreviated);
    GError *error = NULL;
    struct weir_litmus *test = weir_litmus_parse(text, strlen(text), "test", &error);
    EXPECT(test != NULL, "%s\n%s", error->message, text);
    return test;
}

TEST_HELPER struct weir_litmus_answer *ask_with(
    const struct weir_litmus *test, const struct weir_litmus_options *options)
{
    GError *error = NULL;
    struct weir_litmus_answer *answer = weir_litmus_ask(test, options, &error);
    EXPECT(answer != NULL, "%s", error->message);
    return answer;
}

/* The options are fields of struct weir_litmus_options. */
#define ASK(test, ...)                                                                 \
    ask_with((test), &(const struct weir_litmus_options){ __VA_ARGS__ })

TEST_HELPER struct weir_litmus_answer *ask_text(
    const char *abbreviated, const struct weir_litmus_options *options)
{
    struct weir_litmus *test = litmus_test_of(abbreviated);
    struct weir_litmus_answer *answer = ask_with(test, options);
    weir_litmus_free(test); /* the answer needs it no longer */
    return answer;
}
#define ASK_TEXT(text, ...)                                                            \
    ask_text((text), &(const struct weir_litmus_options){ __VA_ARGS__ })

#endif
