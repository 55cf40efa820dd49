/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "double-check.h"

static void judged(struct judge *judge)
{
    int32_t seed = 1 + judge_random(judge, 1000);
    int32_t *ready = judge_new(judge, int32_t, 1, "ready");
    int32_t *lock = judge_new(judge, int32_t, 1, "lock");
    int32_t *table = judge_new(judge, int32_t, 2, "table");
    int32_t *made = judge_new(judge, int32_t, 1, "made");
    int32_t *out = judge_new(judge, int32_t, judge->groups, "out");
    int32_t *expected = judge_expect(judge, out, judge->groups, "out");
    *judge_expect(judge, made, 1, "made") = 1;
    *ready = *lock = table[0] = table[1] = *made = 0;
    for (size_t g = 0; g < judge->groups; g++) {
        expected[g] = g % 2 == 0 ? seed * 3 : seed + 7;
        out[g] = 0;
    }
    judge_launch(judge, &use_table,
                 &(table_args){ seed, ready, lock, table, made, out });
}
