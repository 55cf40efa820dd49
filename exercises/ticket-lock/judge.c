/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "ticket-lock.h"

struct sum_claim {
    int32_t groups, total;
};

/* Each group has added its number to what another one had left, or to 0. */
static bool adds_up(const void *of_launch, void *user)
{
    const sum_args *args = of_launch;
    const struct sum_claim *claim = user;
    int32_t sum = 0;
    for (int32_t n = 0; n < claim->groups; n++) {
        int32_t g = 0;
        while (g < claim->groups && args->so_far[g] != sum + args->in[g]) {
            g++;
        }
        if (g == claim->groups) {
            return false;
        }
        sum = args->so_far[g];
    }
    return sum == claim->total && *args->sum == sum;
}

static void judged(struct judge *judge)
{
    struct sum_claim claim = { .groups = (int32_t)judge->groups };
    int32_t *in = judge_new(judge, int32_t, judge->groups, "in");
    int32_t *next = judge_new(judge, int32_t, 1, "next");
    int32_t *serving = judge_new(judge, int32_t, 1, "serving");
    int32_t *sum = judge_new(judge, int32_t, 1, "sum");
    int32_t *so_far = judge_new(judge, int32_t, judge->groups, "so_far");
    *next = *serving = *sum = 0;
    for (size_t i = 0; i < judge->groups; i++) {
        in[i] = 1 + judge_random(judge, 1000);
        so_far[i] = 0;
        claim.total += in[i];
    }
    judge_claim(judge, adds_up, &claim,
                "each number is added to the sum of the others");
    judge_launch(judge, &running_sum, &(sum_args){ in, next, serving, sum, so_far });
}
