/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "trip-count.h"

static void judged(struct judge *judge)
{
    size_t items = judge->local * judge->groups;
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, items, "out");
    int32_t *expected = judge_expect(judge, out, items, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
    }
    for (size_t i = 0; i < items; i++) {
        out[i] = 0;
        for (size_t k = (i + 1) % judge->local; k < judge->n; k += judge->local) {
            expected[i] += in[k];
        }
    }
    judge_launch(judge, &sum_next, &(next_args){ in, out, judge->n });
}
