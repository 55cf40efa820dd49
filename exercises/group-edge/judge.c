/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "group-edge.h"

static void judged(struct judge *judge)
{
    int32_t *data = judge_new(judge, int32_t, judge->n, "data");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        data[i] = 1 + judge_random(judge, 1000);
        out[i] = 0;
    }
    for (size_t i = 0; i < judge->n; i++) {
        expected[i] = 2 * (data[i] + (i + 1 < judge->n ? data[i + 1] : 0));
    }
    judge_launch(judge, &smooth, &(smooth_args){ data, out, judge->n });
}
