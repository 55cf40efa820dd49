/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "relaxed-flag.h"

static void judged(struct judge *judge)
{
    size_t pairs = judge->groups / 2;
    int32_t *in = judge_new(judge, int32_t, pairs, "in");
    int32_t *data = judge_new(judge, int32_t, pairs, "data");
    int32_t *flag = judge_new(judge, int32_t, pairs, "flag");
    int32_t *out = judge_new(judge, int32_t, pairs, "out");
    int32_t *expected = judge_expect(judge, out, pairs, "out");
    for (size_t i = 0; i < pairs; i++) {
        in[i] = expected[i] = 1 + judge_random(judge, 1000);
        data[i] = flag[i] = out[i] = 0;
    }
    judge_launch(judge, &pass_on, &(message_args){ in, data, flag, out });
}
