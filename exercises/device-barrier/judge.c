/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "device-barrier.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *total = judge_new(judge, int32_t, 1, "total");
    int32_t *arrived = judge_new(judge, int32_t, 1, "arrived");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t sum = 0;
    *total = *arrived = 0;
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        out[i] = -1;
        sum += in[i];
    }
    judge_launch(judge, &shares, &(share_args){ in, total, arrived, out });
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    for (size_t i = 0; i < judge->n; i++) {
        expected[i] = in[i] * 100 / sum;
    }
    judge_launch(judge, &finish, &(share_args){ in, total, arrived, out });
}
