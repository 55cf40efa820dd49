/* SPDX-License-Identifier: MIT
 *
 * policy.c: the policies.
 *
 *   in-order     an item runs until it waits; then the first that can run
 *   reverse      the same with the last
 *   round-robin  at every step the next in a circle
 *   random       at every step any, all as likely
 *   pct:D:K      every item has a random priority and the greatest runs; at D steps,
 *                chosen at random from the first K, the running item's priority falls
 *                below all fresh ones: the i-th that was chosen to the i-th place
 *
 * PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with
 * probabilistic guarantees of finding bugs", ASPLOS 2010): of n items that take K
 * steps, a bug that needs D + 1 ordered events is found with probability at least
 * 1 / (n K^D) a run.
 *
 * Ranks of PCT lie in one array of bits with up to two more levels of bits above it, so
 * that the greatest is found by looking at three words. */
#include "config.h"

#include "deterministic/policy.h"

#include "base/assert.h"
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

/* ---- The simple policies ------------------------------------------------- */

static uint32_t pick_in_order(void *self, const struct weiri_id_set *ready,
                              uint32_t current)
{
    (void)self;
    return current != WEIRI_NO_ITEM ? current : weiri_id_set_first(ready);
}

static uint32_t pick_reverse(void *self, const struct weiri_id_set *ready,
                             uint32_t current)
{
    (void)self;
    return current != WEIRI_NO_ITEM ? current : weiri_id_set_last(ready);
}

static uint32_t pick_round_robin(void *self, const struct weiri_id_set *ready,
                                 uint32_t current)
{
    uint32_t *last = self; /* the item picked last */
    (void)current;
    *last = *last == WEIRI_NO_ITEM ? weiri_id_set_first(ready)
                                   : weiri_id_set_after(ready, *last);
    return *last;
}

/* ---- Random -------------------------------------------------------------- */

/* The members in no order, so that any of them is found at once. */
struct random {
    struct weiri_rng rng;
    uint32_t n;
    uint32_t *members;
    uint32_t *place; /* by id: where in @members */
};

static uint32_t random_pick(void *self, const struct weiri_id_set *ready,
                            uint32_t current)
{
    struct random *random = self;
    (void)ready;
    (void)current;
    return random->members[weiri_rng_below(&random->rng, random->n)];
}

static void random_added(void *self, uint32_t id)
{
    struct random *random = self;
    random->place[id] = random->n;
    random->members[random->n++] = id;
}

static void random_added_but(void *self, uint32_t first, uint32_t n, uint32_t but)
{
    for (uint32_t id = first; id < first + n; id++) {
        if (id != but) {
            random_added(self, id);
        }
    }
}

static void random_removed(void *self, uint32_t id)
{
    struct random *random = self;
    uint32_t last = random->members[--random->n];
    random->members[random->place[id]] = last;
    random->place[last] = random->place[id];
}

static void random_free(void *self)
{
    struct random *random = self;
    g_free(random->members);
    g_free(random->place);
    g_free(random);
}

static struct random *random_new(uint64_t seed, uint32_t n_ids)
{
    struct random *random = g_new(struct random, 1);
    *random = (struct random){ .rng = { seed },
                               .members = g_new(uint32_t, n_ids),
                               .place = g_new(uint32_t, n_ids) };
    return random;
}

/* ---- PCT ----------------------------------------------------------------- */

/* Ranks of fallen items lie below the ranks of fresh ones. Fresh ranks are drawn from
 * twice as many as there are items, so that a draw soon finds a free one. */
enum { SPARE_RANKS = 2 };

struct change {
    uint64_t step;
    uint32_t rank; /* that the running item falls to */
};

struct pct {
    struct weiri_rng rng;
    uint32_t n_fallen;   /* ranks for fallen items: 0 to n_fallen - 1 */
    uint32_t n_fresh;    /* ranks above them */
    uint32_t *rank;      /* by id */
    uint32_t *id;        /* by rank, or WEIRI_NO_ITEM */
    uint64_t *levels[3]; /* which ranks can run; a bit a word of the level below */
    uint32_t n_ranks;
    unsigned n_levels;      /* the highest one that is used is one word */
    struct change *changes; /* by step */
    uint32_t n_changes;
    uint32_t n_changed; /* of @changes, those that have been made */
    uint64_t step;
};

static void mark_rank(struct pct *pct, uint32_t rank, bool runs)
{
    for (unsigned level = 0; level < pct->n_levels; level++, rank /= 64) {
        uint64_t *word = &pct->levels[level][rank / 64];
        uint64_t bit = 1ull << (rank % 64), before = *word;
        *word = runs ? before | bit : before & ~bit;
        if ((runs ? before : *word) != 0) {
            break; /* the level above has it right */
        }
    }
}

static uint32_t greatest_rank(const struct pct *pct)
{
    uint32_t at = 0;
    for (unsigned level = pct->n_levels; level-- > 0;) {
        at = at * 64 + 63 - (uint32_t)__builtin_clzll(pct->levels[level][at]);
    }
    return at;
}

static void pct_entered(void *self, uint32_t first, uint32_t n)
{
    struct pct *pct = self;
    for (uint32_t id = first; id < first + n; id++) {
        if (pct->rank[id] != WEIRI_NO_ITEM) {
            pct->id[pct->rank[id]] = WEIRI_NO_ITEM; /* of an item that is gone */
        }
    }
    for (uint32_t id = first; id < first + n; id++) {
        uint32_t rank;
        do {
            rank = pct->n_fallen + (uint32_t)weiri_rng_below(&pct->rng, pct->n_fresh);
        } while (pct->id[rank] != WEIRI_NO_ITEM);
        pct->rank[id] = rank;
        pct->id[rank] = id;
    }
}

static void pct_added(void *self, uint32_t id)
{
    mark_rank(self, ((struct pct *)self)->rank[id], true);
}

/* The lowest level first, and then those above it once. */
static void pct_added_but(void *self, uint32_t first, uint32_t n, uint32_t but)
{
    struct pct *pct = self;
    for (uint32_t id = first; id < first + n; id++) {
        uint32_t rank = pct->rank[id];
        pct->levels[0][rank / 64] |= (uint64_t)(id != but) << (rank % 64);
    }
    uint32_t words = (pct->n_ranks + 63) / 64;
    for (unsigned level = 1; level < pct->n_levels;
         level++, words = (words + 63) / 64) {
        for (uint32_t i = 0; i < words; i++) {
            pct->levels[level][i / 64] |= (uint64_t)(pct->levels[level - 1][i] != 0)
                << (i % 64);
        }
    }
}

static void pct_removed(void *self, uint32_t id)
{
    mark_rank(self, ((struct pct *)self)->rank[id], false);
}

static void fall(struct pct *pct, uint32_t id, uint32_t rank)
{
    mark_rank(pct, pct->rank[id], false);
    pct->id[pct->rank[id]] = WEIRI_NO_ITEM;
    pct->rank[id] = rank;
    pct->id[pct->rank[id]] = id;
    mark_rank(pct, pct->rank[id], true);
}

static uint32_t pct_pick(void *self, const struct weiri_id_set *ready, uint32_t current)
{
    struct pct *pct = self;
    (void)ready;
    (void)current;
    pct->step++;
    uint32_t id = pct->id[greatest_rank(pct)];
    while (pct->n_changed < pct->n_changes
           && pct->changes[pct->n_changed].step <= pct->step) {
        fall(pct, id, pct->changes[pct->n_changed++].rank);
        id = pct->id[greatest_rank(pct)];
    }
    return id;
}

static void pct_free(void *self)
{
    struct pct *pct = self;
    for (unsigned level = 0; level < pct->n_levels; level++) {
        g_free(pct->levels[level]);
    }
    g_free(pct->rank);
    g_free(pct->id);
    g_free(pct->changes);
    g_free(pct);
}

static int compare_changes(const void *a, const void *b)
{
    const struct change *first = a, *second = b;
    if (first->step != second->step) {
        return first->step < second->step ? -1 : 1;
    }
    return first->rank < second->rank ? -1 : 1;
}

static struct pct *pct_new(const struct weiri_schedule_spec *spec, uint64_t seed,
                           uint32_t n_ids)
{
    struct pct *pct = g_new0(struct pct, 1);
    pct->rng.state = seed;
    pct->n_fallen = spec->changes;
    pct->n_fresh = SPARE_RANKS * n_ids;
    uint32_t n_ranks = pct->n_fallen + pct->n_fresh;
    pct->rank = g_new(uint32_t, n_ids);
    pct->id = g_new(uint32_t, n_ranks);
    memset(pct->rank, 0xff, n_ids * sizeof(*pct->rank));
    memset(pct->id, 0xff, n_ranks * sizeof(*pct->id));
    uint32_t words = pct->n_ranks = n_ranks;
    do {
        weiri_assert(pct->n_levels < G_N_ELEMENTS(pct->levels));
        words = (words + 63) / 64;
        pct->levels[pct->n_levels++] = g_new0(uint64_t, words);
    } while (words > 1);
    pct->changes = g_new(struct change, spec->changes);
    pct->n_changes = spec->changes;
    for (uint32_t i = 0; i < spec->changes; i++) {
        pct->changes[i].step = 1 + weiri_rng_below(&pct->rng, spec->steps);
        pct->changes[i].rank = i;
    }
    qsort(pct->changes, spec->changes, sizeof(*pct->changes), compare_changes);
    return pct;
}

/* ---- By name ------------------------------------------------------------- */

struct weiri_policy weiri_policy_new(const struct weiri_schedule_spec *spec,
                                     uint64_t seed, uint32_t n_ids)
{
    switch (spec->kind) {
    case WEIRI_SCHEDULE_PCT:
        return (struct weiri_policy){ .pick = pct_pick,
                                      .entered = pct_entered,
                                      .added = pct_added,
                                      .added_but = pct_added_but,
                                      .removed = pct_removed,
                                      .free = pct_free,
                                      .preemptive = true,
                                      .self = pct_new(spec, seed, n_ids) };
    case WEIRI_SCHEDULE_RANDOM:
        return (struct weiri_policy){ .pick = random_pick,
                                      .added = random_added,
                                      .added_but = random_added_but,
                                      .removed = random_removed,
                                      .free = random_free,
                                      .preemptive = true,
                                      .self = random_new(seed, n_ids) };
    case WEIRI_SCHEDULE_ROUND_ROBIN: {
        uint32_t *last = g_new(uint32_t, 1);
        *last = WEIRI_NO_ITEM;
        return (struct weiri_policy){
            .pick = pick_round_robin, .free = g_free, .preemptive = true, .self = last
        };
    }
    case WEIRI_SCHEDULE_REVERSE:
        return (struct weiri_policy){ .pick = pick_reverse, .free = g_free };
    case WEIRI_SCHEDULE_IN_ORDER:
        break;
    }
    return (struct weiri_policy){ .pick = pick_in_order, .free = g_free };
}
