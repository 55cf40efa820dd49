/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "missing-barrier.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = judge_random(judge, 1000);
        out[i] = 0;
    }
    for (size_t i = 0; i < judge->n; i++) {
        size_t first = i / judge->local * judge->local;
        expected[i] = in[first + judge->local - 1 - (i - first)];
    }
    judge_launch(judge, &reverse, &(reverse_args){ in, out });
}
