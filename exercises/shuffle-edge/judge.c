/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "shuffle-edge.h"

static void judged(struct judge *judge)
{
    int32_t *data = judge_new(judge, int32_t, judge->n, "data");
    int32_t *expected = judge_expect(judge, data, judge->n, "data");
    for (size_t i = 0; i < judge->n; i++) {
        data[i] = judge_random(judge, 1000);
    }
    for (size_t i = 0; i < judge->n; i++) {
        bool last = i % judge->local == judge->local - 1;
        expected[i] = last ? data[i] : data[i + 1] - data[i];
    }
    judge_launch(judge, &differences, &(difference_args){ data });
}
