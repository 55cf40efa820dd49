/* SPDX-License-Identifier: MIT
 *
 * litmus-tests.h: the litmus tests that are included, as strings. */
#ifndef WEIRI_CLI_LITMUS_TESTS_H
#define WEIRI_CLI_LITMUS_TESTS_H

#include <stddef.h>

/**
 * weiri_cli_litmus_test:
 * @name: without folder and extension
 * @text: the whole file
 * @family: tests of one family are neighbours
 * @summary: what it teaches, a sentence
 * @expect: what models answer: "sc Never, rc11 Sometimes"
 * @race: the models under which it has a data race: "rc11, sycl"; or "none"
 */
struct weiri_cli_litmus_test {
    const char *name;
    const char *text;
    const char *family;
    const char *summary;
    const char *expect;
    const char *race;
};

/** Made from the files of tests/litmus; terminated by a test without a name. */
extern const struct weiri_cli_litmus_test weiri_cli_litmus_tests[];

#endif
