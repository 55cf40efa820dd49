/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "narrow-scope.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, 1, "out");
    int32_t *expected = judge_expect(judge, out, 1, "out");
    *out = 0;
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        *expected = in[i] > *expected ? in[i] : *expected;
    }
    judge_launch(judge, &find_largest, &(largest_args){ in, out });
}
