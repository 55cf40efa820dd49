/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "plain-counter.h"

static void judged(struct judge *judge)
{
    enum { LIMIT = 20 };
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *count = judge_new(judge, int32_t, 1, "count");
    int32_t *expected = judge_expect(judge, count, 1, "count");
    *count = 0;
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = i < 2 ? LIMIT + 1 : judge_random(judge, 3 * LIMIT);
        *expected += in[i] > LIMIT;
    }
    judge_launch(judge, &count_large, &(count_args){ in, count, LIMIT });
}
