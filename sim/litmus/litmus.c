/* SPDX-License-Identifier: MIT
 *
 * litmus.c: from text to a test that can run; see litmus.h. The parser makes the trees
 * of the threads, compile.c their code, and spin.c marks the loops in it whose
 * iterations can change nothing. */
#include "config.h"

#include "litmus/parser.h"

struct weiri_litmus *weiri_litmus_parse(const char *text, size_t bytes,
                                        const char *file, GError **error)
{
    struct weiri_litmus *test = weiri_litmus_parse_text(text, bytes, file, error);
    if (test != NULL) {
        weiri_litmus_compile(test);
        weiri_litmus_find_spins(test);
    }
    return test;
}
