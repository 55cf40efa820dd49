/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "plain-look.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *most = judge_new(judge, int32_t, 1, "most");
    int32_t *expected = judge_expect(judge, most, 1, "most");
    *most = 0;
    for (size_t i = 0; i < judge->n; i++) {
        /* Falling in each group: its first item has the greatest number. */
        in[i] = (int32_t)(100 * (judge->local - i % judge->local))
            + judge_random(judge, 100);
        *expected = in[i] > *expected ? in[i] : *expected;
    }
    judge_launch(judge, &greatest, &(greatest_args){ in, most });
}
