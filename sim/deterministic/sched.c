/* SPDX-License-Identifier: MIT
 *
 * sched.c: sets of items, and the policies.
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

#include "deterministic/sched.h"

#include "base/assert.h"
#include "base/rng.h"
#include "weir.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sets ---------------------------------------------------------------- */

void weiri_set_init(struct weiri_set *set, uint32_t n_slots, uint32_t items)
{
    uint32_t shift = 0;
    while (1u << shift < items) {
        shift++;
    }
    *set = (struct weiri_set){ .shift = shift,
                               .words = (items + 63) / 64,
                               .n_slots = n_slots };
    set->count = g_new0(uint32_t, n_slots);
    set->bits = g_new0(uint64_t, (size_t)n_slots * set->words);
    set->low = g_new0(uint32_t, n_slots);
    set->order = g_new0(uint32_t, n_slots);
}

void weiri_set_clear(struct weiri_set *set)
{
    g_free(set->count);
    g_free(set->bits);
    g_free(set->low);
    g_free(set->order);
    *set = (struct weiri_set){ 0 };
}

void weiri_set_admit(struct weiri_set *set, uint32_t slot)
{
    weiri_assert(set->n_order < set->n_slots && set->count[slot] == 0);
    set->order[set->n_order++] = slot;
}

void weiri_set_dismiss(struct weiri_set *set, uint32_t slot)
{
    uint32_t at = 0;
    while (set->order[at] != slot) {
        at++;
    }
    set->n_order--;
    memmove(set->order + at, set->order + at + 1,
            (set->n_order - at) * sizeof(*set->order));
    set->n -= set->count[slot];
    set->count[slot] = 0;
    set->low[slot] = 0;
    memset(set->bits + (size_t)slot * set->words, 0, set->words * sizeof(*set->bits));
}

void weiri_set_add_all(struct weiri_set *set, uint32_t slot, uint32_t n)
{
    uint64_t *bits = set->bits + (size_t)slot * set->words;
    for (uint32_t at = 0; at < set->words; at++) {
        uint32_t left = n - MIN(n, at * 64);
        bits[at] = left >= 64 ? ~0ull : (1ull << left) - 1;
    }
    set->low[slot] = 0;
    set->n += n - set->count[slot];
    set->count[slot] = n;
}

/* Member number @k of a slot that has so many. */
static uint32_t nth_of_slot(const struct weiri_set *set, uint32_t slot, uint32_t k)
{
    const uint64_t *bits = set->bits + (size_t)slot * set->words;
    uint32_t at = 0;
    for (uint32_t here; k >= (here = (uint32_t)__builtin_popcountll(bits[at])); at++) {
        k -= here;
    }
    uint64_t word = bits[at];
    while (k-- > 0) {
        word &= word - 1;
    }
    return slot << set->shift | (at * 64 + (uint32_t)__builtin_ctzll(word));
}

static uint32_t first_of_slot(const struct weiri_set *set, uint32_t slot)
{
    const uint64_t *bits = set->bits + (size_t)slot * set->words;
    uint32_t at = set->low[slot];
    while (bits[at] == 0) {
        at++;
    }
    set->low[slot] = at;
    return slot << set->shift | (at * 64 + (uint32_t)__builtin_ctzll(bits[at]));
}

uint32_t weiri_set_first(const struct weiri_set *set)
{
    weiri_assert_slow(set->n > 0);
    uint32_t at = 0;
    while (set->count[set->order[at]] == 0) {
        at++;
    }
    return first_of_slot(set, set->order[at]);
}

uint32_t weiri_set_last(const struct weiri_set *set)
{
    weiri_assert_slow(set->n > 0);
    uint32_t at = set->n_order - 1;
    while (set->count[set->order[at]] == 0) {
        at--;
    }
    uint32_t slot = set->order[at];
    const uint64_t *bits = set->bits + (size_t)slot * set->words;
    uint32_t word = set->words - 1;
    while (bits[word] == 0) {
        word--;
    }
    return slot << set->shift
        | (word * 64 + 63 - (uint32_t)__builtin_clzll(bits[word]));
}

uint32_t weiri_set_nth(const struct weiri_set *set, uint32_t k)
{
    weiri_assert_slow(k < set->n);
    uint32_t at = 0;
    for (; k >= set->count[set->order[at]]; at++) {
        k -= set->count[set->order[at]];
    }
    return nth_of_slot(set, set->order[at], k);
}

uint32_t weiri_set_after(const struct weiri_set *set, uint32_t id)
{
    weiri_assert_slow(set->n > 0);
    uint32_t slot = id >> set->shift, item = weiri_set_item(set, id);
    uint32_t place = 0;
    while (place + 1 < set->n_order && set->order[place] != slot) {
        place++;
    }
    if (set->order[place] == slot && set->count[slot] > 0) {
        const uint64_t *bits = set->bits + (size_t)slot * set->words;
        uint64_t word
            = item % 64 == 63 ? 0 : bits[item / 64] & ~0ull << (item % 64 + 1);
        for (uint32_t at = item / 64;;) {
            if (word != 0) {
                return slot << set->shift | (at * 64 + (uint32_t)__builtin_ctzll(word));
            }
            if (++at == set->words) {
                break;
            }
            word = bits[at];
        }
    }
    for (uint32_t i = 1; i <= set->n_order; i++) {
        uint32_t next = set->order[(place + i) % set->n_order];
        if (set->count[next] > 0) {
            return first_of_slot(set, next);
        }
    }
    return weiri_set_first(set);
}

/* ---- Names --------------------------------------------------------------- */

/* More change points than any bug needs. */
enum { MOST_CHANGES = 1000 };

static const char *const names[] = {
#define X(name, text) text,
    WEIRI_SCHEDULES(X)
#undef X
};

/* Digits at *@at, from 1 to @most; goes past them. */
static bool parse_count(const char **at, uint64_t most, uint64_t *value)
{
    if (!g_ascii_isdigit(**at)) {
        return false;
    }
    char *end;
    *value = g_ascii_strtoull(*at, &end, 10);
    *at = end;
    return *value >= 1 && *value <= most;
}

static bool parse_pct(const char *text, struct weiri_schedule_spec *spec)
{
    uint64_t changes;
    spec->steps = 0;
    if (*text != ':' || (text++, !parse_count(&text, MOST_CHANGES, &changes))) {
        return false;
    }
    spec->changes = (uint32_t)changes;
    if (*text == ':' && (text++, !parse_count(&text, UINT64_MAX / 2, &spec->steps))) {
        return false;
    }
    return *text == '\0';
}

bool weiri_schedule_parse(const char *text, struct weiri_schedule_spec *spec,
                          GError **error)
{
    *spec = (struct weiri_schedule_spec){ 0 };
    for (unsigned kind = 0; kind < G_N_ELEMENTS(names); kind++) {
        spec->kind = (enum weiri_schedule_kind)kind;
        if (kind == WEIRI_SCHEDULE_PCT
                ? g_str_has_prefix(text, "pct") && parse_pct(text + 3, spec)
                : strcmp(text, names[kind]) == 0) {
            return true;
        }
    }
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                "unknown schedule '%s': give in-order, reverse, round-robin, random, "
                "pct:D or pct:D:K with 1 to %d changes D among K steps",
                text, MOST_CHANGES);
    return false;
}

/* ---- The simple policies ------------------------------------------------- */

static uint32_t pick_in_order(void *self, const struct weiri_set *ready,
                              uint32_t current)
{
    (void)self;
    return current != WEIRI_NOBODY ? current : weiri_set_first(ready);
}

static uint32_t pick_reverse(void *self, const struct weiri_set *ready,
                             uint32_t current)
{
    (void)self;
    return current != WEIRI_NOBODY ? current : weiri_set_last(ready);
}

static uint32_t pick_round_robin(void *self, const struct weiri_set *ready,
                                 uint32_t current)
{
    uint32_t *last = self; /* who was picked last */
    (void)current;
    *last = *last == WEIRI_NOBODY ? weiri_set_first(ready)
                                  : weiri_set_after(ready, *last);
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

static uint32_t random_pick(void *self, const struct weiri_set *ready, uint32_t current)
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

/* Ranks: those of fallen items lie below those of fresh ones. Fresh ranks are drawn
 * from twice as many as there are items: a free one is soon met. */
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
    uint32_t *id;        /* by rank, or WEIRI_NOBODY */
    uint64_t *levels[3]; /* which ranks can run; a bit a word of the level below */
    uint32_t n_ranks;
    unsigned n_levels;      /* the highest one that is used is one word */
    struct change *changes; /* by step */
    uint32_t n_changes;
    uint32_t n_changed; /* of @changes, those behind us */
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
        if (pct->rank[id] != WEIRI_NOBODY) {
            pct->id[pct->rank[id]] = WEIRI_NOBODY; /* of an item that is gone */
        }
    }
    for (uint32_t id = first; id < first + n; id++) {
        uint32_t rank;
        do {
            rank = pct->n_fallen + (uint32_t)weiri_rng_below(&pct->rng, pct->n_fresh);
        } while (pct->id[rank] != WEIRI_NOBODY);
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
    pct->id[pct->rank[id]] = WEIRI_NOBODY;
    pct->rank[id] = rank;
    pct->id[pct->rank[id]] = id;
    mark_rank(pct, pct->rank[id], true);
}

static uint32_t pct_pick(void *self, const struct weiri_set *ready, uint32_t current)
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
        *last = WEIRI_NOBODY;
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
