/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "last-group.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *partials = judge_new(judge, int32_t, judge->groups, "partials");
    int32_t *arrived = judge_new(judge, int32_t, 1, "arrived");
    int32_t *total = judge_new(judge, int32_t, 1, "total");
    int32_t *expected = judge_expect(judge, total, 1, "total");
    memset(partials, 0, judge->groups * sizeof(*partials));
    *arrived = *total = 0;
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        *expected += in[i];
    }
    judge_launch(judge, &add_up, &(sum_args){ in, partials, arrived, total });
}
