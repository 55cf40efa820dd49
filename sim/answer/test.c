/* SPDX-License-Identifier: MIT
 *
 * test.c: the functions of weir-model.h about tests; names.c and answer.c have the
 * others. A test is read once, and its texts are borrowed from the parsed test. */
#include "config.h"

#include "answer/answer.h"
#include "litmus/reread.h"

#include <string.h>

/* Sets the public descriptions of threads and locations. */
static void describe(struct weir_litmus *test)
{
    const struct weiri_litmus *parsed = test->test;
    test->threads = g_new0(struct weir_litmus_thread, parsed->n_threads);
    for (uint32_t t = 0; t < parsed->n_threads; t++) {
        test->threads[t] = (struct weir_litmus_thread){
            .placed = parsed->placed,
            .group = parsed->placed ? parsed->threads[t].group : t,
            .device = parsed->threads[t].device
        };
    }
    test->locations = g_new0(struct weir_litmus_location, parsed->n_locations);
    for (uint32_t l = 0; l < parsed->n_locations; l++) {
        const struct weiri_litmus_location *location = &parsed->locations[l];
        test->locations[l]
            = (struct weir_litmus_location){ .name = location->name,
                                             .local = location->space == WEIR_LOCAL,
                                             .atomic = location->atomic,
                                             .initial = location->initial };
    }
}

struct weir_litmus *weir_litmus_parse(const char *text, size_t bytes, const char *file,
                                      GError **error)
{
    g_return_val_if_fail(text != NULL && file != NULL, NULL);
    g_autoptr(GError) wrong = NULL;
    struct weiri_litmus *parsed = weiri_litmus_parse(text, bytes, file, &wrong);
    if (parsed == NULL) {
        g_set_error_literal(error, WEIR_ERROR, WEIR_ERROR_INPUT, wrong->message);
        return NULL;
    }
    struct weir_litmus *test = g_new0(struct weir_litmus, 1);
    g_atomic_ref_count_init(&test->references);
    test->test = parsed;
    describe(test);
    return test;
}

void weir_litmus_free(struct weir_litmus *test)
{
    if (test != NULL && g_atomic_ref_count_dec(&test->references)) {
        weiri_litmus_free(test->test);
        g_free(test->threads);
        g_free(test->locations);
        g_free(test);
    }
}

const char *weir_litmus_name(const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL, NULL);
    return test->test->name;
}

char *weir_litmus_print(const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL, NULL);
    return weiri_litmus_print(test->test);
}

char *weir_litmus_claim(const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL, NULL);
    return weiri_litmus_print_claim(test->test);
}

size_t weir_litmus_n_threads(const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL, 0);
    return test->test->n_threads;
}

const struct weir_litmus_thread *weir_litmus_nth_thread(const struct weir_litmus *test,
                                                        size_t index)
{
    g_return_val_if_fail(test != NULL && index < test->test->n_threads, NULL);
    return &test->threads[index];
}

size_t weir_litmus_n_locations(const struct weir_litmus *test)
{
    g_return_val_if_fail(test != NULL, 0);
    return test->test->n_locations;
}

const struct weir_litmus_location *weir_litmus_nth_location(
    const struct weir_litmus *test, size_t index)
{
    g_return_val_if_fail(test != NULL && index < test->test->n_locations, NULL);
    return &test->locations[index];
}

bool weir_litmus_find_reread(const struct weir_litmus *test,
                             struct weir_litmus_reread *found)
{
    struct weiri_litmus_reread reread;
    g_return_val_if_fail(test != NULL && found != NULL, false);
    if (!weiri_litmus_find_reread(test->test, &reread)) {
        return false;
    }
    *found = (struct weir_litmus_reread){ reread.thread,
                                          test->test->locations[reread.location].name,
                                          reread.first, reread.acquire, reread.again };
    return true;
}
