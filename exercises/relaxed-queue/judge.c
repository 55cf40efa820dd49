/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "relaxed-queue.h"

static void judged(struct judge *judge)
{
    size_t pairs = judge->groups / 2, count = pairs * judge->n;
    int32_t *in = judge_new(judge, int32_t, count, "in");
    int32_t *queue = judge_new(judge, int32_t, PLACES * pairs, "queue");
    int32_t *written = judge_new(judge, int32_t, pairs, "written");
    int32_t *read = judge_new(judge, int32_t, pairs, "read");
    int32_t *out = judge_new(judge, int32_t, count, "out");
    int32_t *expected = judge_expect(judge, out, count, "out");
    memset(queue, 0, PLACES * pairs * sizeof(*queue));
    for (size_t i = 0; i < pairs; i++) {
        written[i] = read[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        in[i] = expected[i] = 1 + judge_random(judge, 1000);
        out[i] = 0;
    }
    judge_launch(judge, &pass_through,
                 &(queue_args){ (int32_t)judge->n, in, queue, written, read, out });
}
