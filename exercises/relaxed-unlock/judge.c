/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "relaxed-unlock.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->groups, "in");
    int32_t *lock = judge_new(judge, int32_t, 1, "lock");
    int32_t *total = judge_new(judge, int32_t, 2, "total");
    int32_t *expected = judge_expect(judge, total, 2, "total");
    *lock = total[0] = total[1] = 0;
    for (size_t g = 0; g < judge->groups; g++) {
        in[g] = 1 + judge_random(judge, 1000);
        expected[0] += in[g];
        expected[1] += in[g] * in[g];
    }
    judge_launch(judge, &add_both, &(lock_args){ in, lock, total });
}
