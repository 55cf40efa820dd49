/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "store-buffering.h"

/* At most one of each competing pair has entered; a group alone has, too. */
static bool excluded(const void *of_launch, void *user)
{
    const enter_args *args = of_launch;
    size_t groups = *(const size_t *)user;
    for (size_t g = 0; g < groups; g += 2) {
        const int32_t *wants = &args->wants[g], *entered = &args->entered[g];
        bool both = wants[0] && wants[1];
        if (both ? entered[0] + entered[1] > 1
                 : entered[0] != wants[0] || entered[1] != wants[1]) {
            return false;
        }
    }
    return true;
}

static void judged(struct judge *judge)
{
    int32_t *wants = judge_new(judge, int32_t, judge->groups, "wants");
    int32_t *flag = judge_new(judge, int32_t, judge->groups, "flag");
    int32_t *entered = judge_new(judge, int32_t, judge->groups, "entered");
    for (size_t g = 0; g < judge->groups; g++) {
        /* Both groups of every fourth pair want to enter; in other pairs one does. */
        wants[g] = g / 2 % 4 == 0 || g % 2 == g / 2 % 2;
        flag[g] = entered[g] = 0;
    }
    judge_claim(judge, excluded, &judge->groups,
                "at most one of two competitors enters, and each group that has none");
    judge_launch(judge, &enter, &(enter_args){ wants, flag, entered });
}
