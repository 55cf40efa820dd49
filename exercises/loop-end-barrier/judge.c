/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "loop-end-barrier.h"

static void judged(struct judge *judge)
{
    size_t items = judge->local * judge->groups;
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, items, "out");
    int32_t *expected = judge_expect(judge, out, items, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = judge_random(judge, 1000);
    }
    for (size_t i = 0; i < items; i++) {
        out[i] = 0;
        for (size_t first = 0; first < judge->n; first += judge->local) {
            expected[i] += in[first + judge->local - 1 - i % judge->local];
        }
    }
    judge_launch(judge, &fold_tiles, &(fold_args){ in, out, judge->n });
}
