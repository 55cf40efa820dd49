/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "scan-in-place.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->n, "out");
    int32_t *expected = judge_expect(judge, out, judge->n, "out");
    int32_t sum = 0;
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        out[i] = 0;
        sum = i % judge->local == 0 ? in[i] : sum + in[i];
        expected[i] = sum;
    }
    judge_launch(judge, &scan, &(scan_args){ in, out });
}
