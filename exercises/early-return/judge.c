/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "early-return.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        out[i] = 0;
        expected[i] = in[i] + (i % judge->local > 0 ? in[i - 1] : 0);
    }
    judge_launch(judge, &add_left, &(left_args){ in, out, judge->n });
}
