/* SPDX-License-Identifier: MIT */
#include "judge.h"
#include "bounded-counter.h"

/* The places 0 to taken - 1 have one item each. */
static bool has_own_places(const void *of_launch, void *user)
{
    const place_args *args = of_launch;
    int32_t items = *(const int32_t *)user;
    int32_t taken = items < args->places ? items : args->places;
    g_autofree bool *seen = g_new0(bool, items);
    int32_t late = 0;
    for (int32_t i = 0; i < items; i++) {
        int32_t place = args->place[i];
        if (place < -1 || place >= taken || (place >= 0 && seen[place])) {
            return false;
        }
        late += place < 0;
        if (place >= 0) {
            seen[place] = true;
        }
    }
    return *args->taken == taken && late == items - taken;
}

static void judged(struct judge *judge)
{
    int32_t items = (int32_t)(judge->local * judge->groups);
    /* As many places as the size says it has elements, or a few less than items. */
    bool stated = judge->n != judge->local * judge->groups;
    int32_t places
        = stated ? (int32_t)judge->n : (items + 1) / 2 + judge_random(judge, 2);
    int32_t *taken = judge_new(judge, int32_t, 1, "taken");
    int32_t *place = judge_new(judge, int32_t, items, "place");
    *taken = 0;
    for (int32_t i = 0; i < items; i++) {
        place[i] = -2;
    }
    judge_claim(judge, has_own_places, &items,
                "each place has one item, and taken is the number of these places");
    judge_launch(judge, &take_place, &(place_args){ taken, places, place });
}
