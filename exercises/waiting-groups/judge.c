/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "waiting-groups.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->groups, "in");
    int32_t *sum = judge_new(judge, int32_t, 1, "sum");
    int32_t *arrived = judge_new(judge, int32_t, 1, "arrived");
    int32_t *out = judge_new(judge, int32_t, judge->groups, "out");
    int32_t *expected = judge_expect(judge, out, judge->groups, "out");
    int32_t total = 0;
    *sum = *arrived = 0;
    for (size_t g = 0; g < judge->groups; g++) {
        in[g] = 1 + judge_random(judge, 1000);
        total += in[g];
        out[g] = 0;
    }
    for (size_t g = 0; g < judge->groups; g++) {
        expected[g] = total - in[g];
    }
    judge_launch(judge, &sum_of_others, &(others_args){ in, sum, arrived, out });
}
