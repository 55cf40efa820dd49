/* SPDX-License-Identifier: MIT
 *
 * native_litmus_turns.h: whether turns lead to what an exploration finds; and what that
 * needs of native_litmus.c. */
#ifndef WEIR_TESTS_NATIVE_LITMUS_TURNS_H
#define WEIR_TESTS_NATIVE_LITMUS_TURNS_H

#include "litmus/program.h"
#include "native_litmus.h"
#include "weir.h"

struct native_litmus_follow {
    struct weir_device *device;
    const struct native_litmus_test *entry;
    const struct weiri_litmus *test;
    const char *model;
    uint64_t most_executions;
};

/* Findings whose turns were followed, and those that have none. */
struct native_litmus_followed {
    unsigned led, none;
};

/* Returns: false where turns do not lead to a finding: it has printed that */
bool native_litmus_turns(const struct native_litmus_follow *follow,
                         struct native_litmus_followed *followed);

/* native_litmus.c: the memory of a test before the launch. */
void native_litmus_set_initial(const struct weiri_litmus *test, int64_t *memory,
                               int64_t *out);

/* native_litmus.c: the memory that differs from it by @text, "memory[1]=5,out[0]=2". */
void native_litmus_read_state(const struct weiri_litmus *test, const char *text,
                              int64_t *memory, int64_t *out);

#endif
