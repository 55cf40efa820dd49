/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "ignored-exchange.h"

/* The list has each item once. */
static bool has_all_items(const void *of_launch, void *user)
{
    const list_args *args = of_launch;
    int32_t items = *(const int32_t *)user, n = 0, i = *args->head;
    while (i >= 0 && i < items && n <= items) {
        n++;
        i = args->next[i];
    }
    return n == items && i == END;
}

static void judged(struct judge *judge)
{
    int32_t items = (int32_t)(judge->local * judge->groups);
    int32_t *head = judge_new(judge, int32_t, 1, "head");
    int32_t *next = judge_new(judge, int32_t, items, "next");
    *head = END;
    for (int32_t i = 0; i < items; i++) {
        next[i] = END;
    }
    judge_claim(judge, has_all_items, &items, "the list has each item once");
    judge_launch(judge, &push, &(list_args){ head, next });
}
