/* SPDX-License-Identifier: MIT
 *
 * campaign.h: random programs by seed, which must all be judged alike in two ways: some
 * as a test, in chunks, and any number of them by hand.
 *
 *   check-NAME                  a test
 *   check-NAME SEED COUNT       those from SEED on, until ten are judged differently */
#ifndef WEIR_TESTS_CAMPAIGN_H
#define WEIR_TESTS_CAMPAIGN_H

#include "support.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

struct statistics; /* of the file's own */

/* A file that includes this one defines CAMPAIGN, "check-NAME", before it, and these
 * two after it. Returns: (transfer full): what is wrong, or %NULL */
static char *judge_seed(uint64_t seed, struct statistics *statistics);
static void say(const struct statistics *statistics);

static volatile sig_atomic_t judged_seed;

/* Names the seed at hand where a crash ends the process. */
TEST_HELPER void say_seed(int signal_number)
{
    char text[64];
    int n = snprintf(text, sizeof(text), "again: %s %ld 1\n", CAMPAIGN,
                     (long)judged_seed);
    if (write(STDERR_FILENO, text, (size_t)n) == n) {
        signal(signal_number, SIG_DFL);
    }
    raise(signal_number);
}

/* How many programs are a chunk: what the environment's @variable divides among
 * @n_chunks, or @usual. */
TEST_HELPER uint64_t chunk_of(const char *variable, unsigned n_chunks, size_t usual,
                              size_t small)
{
    const char *all = getenv(variable);
    return all != NULL ? g_ascii_strtoull(all, NULL, 10) / n_chunks
                       : scaled(usual, small);
}

/* Judges @n seeds from @first on. Returns: how many are wrong, up to @most */
TEST_HELPER unsigned judge_seeds(uint64_t first, uint64_t n, unsigned most,
                                 struct statistics *statistics)
{
    unsigned failures = 0;
    for (uint64_t i = 0; i < n && failures < most; i++) {
        judged_seed = (sig_atomic_t)(first + i);
        g_autofree char *wrong = judge_seed(first + i, statistics);
        if (wrong != NULL) { /* which is more than a message can hold */
            printf("%s\nagain: %s %" PRIu64 " 1\n\n", wrong, CAMPAIGN, first + i);
            failures++;
        }
    }
    say(statistics);
    return failures;
}

/* Chunk @i of @n programs each, as a test. */
TEST_HELPER void expect_chunk(int i, uint64_t n, struct statistics *statistics)
{
    signal(SIGABRT, say_seed);
    signal(SIGSEGV, say_seed);
    unsigned failures = judge_seeds(1 + (uint64_t)i * n, n, 1, statistics);
    ck_assert_msg(failures == 0,
                  "two ways of judging differ: see above; again: %s %d 1", CAMPAIGN,
                  (int)judged_seed);
}

/* By hand. Returns: what main() should */
TEST_HELPER int run_campaign(char **argv, struct statistics *statistics)
{
    signal(SIGABRT, say_seed);
    signal(SIGSEGV, say_seed);
    return judge_seeds(g_ascii_strtoull(argv[1], NULL, 10),
                       g_ascii_strtoull(argv[2], NULL, 10), 10, statistics)
            == 0
        ? EXIT_SUCCESS
        : EXIT_FAILURE;
}

#endif
