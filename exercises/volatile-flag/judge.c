/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "volatile-flag.h"

static void judged(struct judge *judge)
{
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *stop = judge_new(judge, int32_t, 1, "stop");
    int32_t *place = judge_new(judge, int32_t, 1, "place");
    int32_t *expected = judge_expect(judge, place, 1, "place");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = (int32_t)(10 * i) + judge_random(judge, 10);
    }
    *expected = judge_random(judge, (int32_t)judge->n);
    *place = -1;
    *stop = 0;
    judge_launch(judge, &stop_early,
                 &(search_args){ judge->n, in, in[*expected], stop, place });
}
