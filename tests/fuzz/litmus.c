/* SPDX-License-Identifier: MIT
 *
 * litmus.c: any bytes as a litmus test. One that is made of them is printed, to what is
 * parsed to the same again, and its threads run, with dependencies, on memory that says
 * whatever the bytes say. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "litmus/code.h"

#include <string.h>

/* Events of a thread: rounds of loops in each other are many. */
enum { MOST_EVENTS = 1000 };

static int64_t some_value(struct weiri_litmus_term term, const void *user)
{
    (void)user;
    return term.index % 3;
}

/* Whether printing it and parsing that is where it began. */
static void expect_round_trip(const struct weiri_litmus *test)
{
    g_autofree char *text = weiri_litmus_print(test);
    struct weiri_litmus *again = weiri_litmus_parse(text, strlen(text), "again", NULL);
    if (again == NULL) {
        abort();
    }
    g_autofree char *twice = weiri_litmus_print(again);
    if (strcmp(text, twice) != 0) {
        abort();
    }
    weiri_litmus_free(again);
}

static void run_thread(const struct weiri_litmus *test,
                       const struct weiri_litmus_code *code, const uint8_t *data,
                       size_t bytes)
{
    g_autofree int64_t *slots = g_new(int64_t, code->n_slots + 1);
    g_autofree uint64_t *slot_reads = g_new(uint64_t, code->n_slots + 1);
    g_autofree uint64_t *depths = g_new(uint64_t, code->n_depths);
    struct weiri_litmus_run run = { .slots = slots };
    struct weiri_litmus_flow flow = { .slots = slot_reads, .depths = depths };
    weiri_litmus_start(code, &run, &flow);
    for (size_t i = 0; i < MOST_EVENTS
         && weiri_litmus_next(code, &run, 3, &flow) == WEIRI_LITMUS_EVENT;
         i++) {
        const struct weiri_litmus_instruction *event = &code->instructions[run.at];
        if (event->depth >= code->n_depths || event->op >= WEIRI_LITMUS_OP_COMPUTE
            || (event->op < WEIRI_LITMUS_OP_FENCE
                && event->location >= test->n_locations)) {
            abort();
        }
        int64_t value = weiri_litmus_convert(event->type, (int8_t)data[i % bytes]);
        if (event->op == WEIRI_LITMUS_OP_COMPARE) {
            weiri_litmus_resume_compare(code, &run, value, (value & 1) != 0, &flow);
        } else {
            weiri_litmus_resume(code, &run, value, &flow);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    GError *error = NULL;
    struct weiri_litmus *test
        = weiri_litmus_parse((const char *)data, bytes, "a.litmus", &error);
    if (error != NULL
        && (strchr(error->message, '\n') != NULL
            || !g_utf8_validate(error->message, -1, NULL))) {
        abort();
    }
    fuzz_expect(test != NULL, error);
    if (test == NULL) {
        return 0;
    }
    expect_round_trip(test);
    for (uint32_t i = 0; i < test->n_threads; i++) {
        run_thread(test, test->threads[i].code, data, bytes);
    }
    weiri_litmus_holds(test->condition, some_value, NULL);
    g_free(weiri_litmus_state(test, some_value, NULL));
    weiri_litmus_free(test);
    return 0;
}
