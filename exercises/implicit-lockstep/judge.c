/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "implicit-lockstep.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->groups, "out");
    int32_t *expected = judge_expect(judge, out, judge->groups, "out");
    for (size_t g = 0; g < judge->groups; g++) {
        out[g] = 0;
    }
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        expected[i / judge->local] += in[i];
    }
    judge_launch(judge, &add_up, &(sum_args){ in, out });
}
