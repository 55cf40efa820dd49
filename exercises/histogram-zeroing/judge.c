/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "histogram-zeroing.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *bins = judge_new(judge, int32_t, BINS, "bins");
    int32_t *expected = judge_expect(judge, bins, BINS, "bins");
    for (size_t b = 0; b < BINS; b++) {
        bins[b] = 0;
    }
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = judge_random(judge, BINS);
        expected[in[i]]++;
    }
    judge_launch(judge, &histogram, &(histogram_args){ in, bins });
}
