/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "wrong-flag.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *spare = judge_new(judge, int32_t, judge->n, "spare");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        spare[i] = out[i] = 0;
        expected[i ^ 1] = 2 * in[i];
    }
    judge_launch(judge, &swap_pairs, &(swap_args){ in, spare, out });
}
