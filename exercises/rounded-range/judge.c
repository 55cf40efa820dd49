/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "rounded-range.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = judge_random(judge, 1000) * (i % 3 == 1 ? -1 : 1) + 1;
        out[i] = -1;
        expected[i] = in[i] > 0 ? in[i] : 0;
    }
    judge_launch(judge, &clip, &(clip_args){ judge->n, in, out });
}
