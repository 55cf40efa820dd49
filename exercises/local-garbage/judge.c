/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "local-garbage.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->groups, "out");
    int32_t *expected = judge_expect(judge, out, judge->groups, "out");
    for (size_t g = 0; g < judge->groups; g++) {
        /* The numbers of the first group are negative. */
        int32_t least = g == 0 ? -1000 : -500;
        out[g] = 0;
        for (size_t k = 0; k < judge->local; k++) {
            int32_t value = least + judge_random(judge, 900);
            in[g * judge->local + k] = value;
            expected[g] = k == 0 || value > expected[g] ? value : expected[g];
        }
    }
    judge_launch(judge, &greatest, &(greatest_args){ in, out });
}
