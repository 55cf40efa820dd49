/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "sub-group-size.h"

static void judged(struct judge *judge)
{
    static const uint32_t sizes[] = { 16, 8, 32 };
    int32_t *in = judge_new(judge, int32_t, judge->n, "in");
    int32_t *out = judge_new(judge, int32_t, judge->groups, "out");
    for (size_t i = 0; i < judge->n; i++) {
        in[i] = judge_random(judge, 1000);
    }
    for (size_t k = 0; k < 3; k++) {
        int32_t *expected = judge_expect(judge, out, judge->groups, "out");
        memset(out, 0, judge->groups * sizeof(*out));
        for (size_t i = 0; i < judge->n; i++) {
            expected[i / judge->local] += in[i];
        }
        judge->sub_group_size = sizes[k];
        judge_launch(judge, &add_up, &(sum_args){ in, out });
    }
}
