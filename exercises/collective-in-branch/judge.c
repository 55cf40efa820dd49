/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "collective-in-branch.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->groups, "out");
    int32_t *expected = judge_expect(judge, out, judge->groups, "out");
    memset(out, 0, judge->groups * sizeof(*out));
    for (size_t i = 0; i < judge->n; i++) {
        /* Item 0 of a group has an odd number, item 1 an even one. */
        size_t lid = i % judge->local;
        int32_t number = 1 + judge_random(judge, 1000);
        in[i] = lid < 2 ? number / 2 * 2 + (lid == 0) : number;
        expected[i / judge->local] += in[i] % 2 == 0 ? in[i] : 0;
    }
    judge_launch(judge, &add_even, &(sum_args){ in, out });
}
