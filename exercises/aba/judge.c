/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "aba.h"

/* Each place is in the list or kept by one item. */
static bool has_each_place_once(const void *of_launch, void *user)
{
    const list_args *args = of_launch;
    int32_t items = *(const int32_t *)user, n = 0;
    bool seen[END] = { false };
    int32_t place = *args->head & 255;
    for (; place < 4 * items && !seen[place]; place = args->next[place] & 255) {
        seen[place] = true;
        n++;
    }
    for (int32_t i = 0; i < items; i++) {
        place = args->second[i];
        if (place < 0 || place >= 4 * items || seen[place] || place == args->first[i]) {
            return false;
        }
        seen[place] = true;
    }
    return n == 3 * items;
}

static void judged(struct judge *judge)
{
    int32_t items = (int32_t)(judge->local * judge->groups);
    int32_t *head = judge_new(judge, int32_t, 1, "head");
    int32_t *next = judge_new(judge, int32_t, 4 * items, "next");
    int32_t *spare = judge_new(judge, int32_t, 1, "spare");
    int32_t *first = judge_new(judge, int32_t, items, "first");
    int32_t *second = judge_new(judge, int32_t, items, "second");
    *head = *spare = 0;
    for (int32_t i = 0; i < 4 * items; i++) {
        next[i] = i + 1 < 4 * items ? i + 1 : END;
    }
    for (int32_t i = 0; i < items; i++) {
        first[i] = second[i] = -1;
    }
    judge_claim(judge, has_each_place_once, &items,
                "each place is either kept by one item or in the list");
    judge_launch(judge, &take_two, &(list_args){ head, next, spare, first, second });
}
