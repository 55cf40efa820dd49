/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "sort-edge.h"

static int by_value(const void *a, const void *b)
{
    int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        /* Falling, so that each number has to go a long way. */
        in[i] = expected[i]
            = (int32_t)(100 * (judge->n - i)) + judge_random(judge, 100);
        out[i] = 0;
    }
    for (size_t g = 0; g < judge->groups; g++) {
        qsort(&expected[g * judge->local], judge->local, sizeof(int32_t), by_value);
    }
    judge_launch(judge, &sort, &(sort_args){ in, out });
}
