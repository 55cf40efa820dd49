/* SPDX-License-Identifier: MIT
 *
 * check_relation.c: sets and relations, against the same laws that they have on paper
 * and against tables of bools; shortest cycles, and ways through stages. Sizes are
 * about those at which a row becomes a word more. */
#include "support.h"

#include "model/cycle.h"
#include "model/relation.h"

enum { MOST_EVENTS = 130, N_SEEDS = 30 };

static const uint32_t sizes[] = { 1, 2, 7, 63, 64, 65, 128, MOST_EVENTS };

typedef struct weiri_algebra algebra;
typedef struct weiri_relation relation;

/* About one pair in @sparse. */
static relation random_relation(algebra *k, uint64_t *seed, size_t sparse)
{
    relation made = weiri_relation_new(k);
    for (uint32_t a = 0; a < k->n; a++) {
        for (uint32_t b = 0; b < k->n; b++) {
            if (random_between(seed, 1, sparse) == 1) {
                weiri_relation_add(k, made, a, b);
            }
        }
    }
    return made;
}

static struct weiri_event_set random_set(algebra *k, uint64_t *seed)
{
    struct weiri_event_set made = weiri_event_set_new(k);
    for (uint32_t a = 0; a < k->n; a++) {
        if (random_between(seed, 0, 1) == 1) {
            weiri_event_set_add(made, a);
        }
    }
    return made;
}

static bool is_same(const algebra *k, relation a, relation b)
{
    return memcmp(a.rows, b.rows, (size_t)k->n * k->words * sizeof(uint64_t)) == 0;
}

#define EXPECT_SAME(a, b) EXPECT(is_same(k, a, b), #a " is not " #b ", n = %u", k->n)

/* Runs @body for relations a, b, c and sets s, t of each size and seed. */
static void for_each(void (*body)(algebra *k, relation a, relation b, relation c,
                                  struct weiri_event_set s, struct weiri_event_set t))
{
    algebra k = { 0 };
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        for (uint64_t seed = 1; seed <= scaled(N_SEEDS, 2); seed++) {
            uint64_t state = seed;
            weiri_algebra_begin(&k, sizes[i]);
            size_t sparse = 1 + random_between(&state, 1, 2 * sizes[i]);
            relation a = random_relation(&k, &state, sparse);
            relation b = random_relation(&k, &state, sparse);
            relation c = random_relation(&k, &state, sparse);
            struct weiri_event_set s = random_set(&k, &state),
                                   t = random_set(&k, &state);
            body(&k, a, b, c, s, t);
        }
    }
    weiri_algebra_clear(&k);
}

/* ---- Pair by pair ---------------------------------------------------------------- */

static void expect_pairs(algebra *k, relation a, relation b, relation c,
                         struct weiri_event_set s, struct weiri_event_set t)
{
    (void)c;
    relation all = weiri_relation_union(k, a, b);
    relation meet = weiri_relation_intersection(k, a, b);
    relation left = weiri_relation_difference(k, a, b);
    relation inverse = weiri_relation_inverse(k, a);
    relation maybe = weiri_relation_optional(k, a);
    relation product = weiri_relation_product(k, s, t);
    relation from = weiri_relation_from(k, s, a), to = weiri_relation_to(k, a, t);
    struct weiri_event_set either = weiri_event_set_union(k, s, t);
    struct weiri_event_set common = weiri_event_set_intersection(k, s, t);
    for (uint32_t i = 0; i < k->n; i++) {
        bool in_s = weiri_event_set_has(s, i), in_t = weiri_event_set_has(t, i);
        EXPECT(weiri_event_set_has(either, i) == (in_s || in_t), "union of sets: %u",
               i);
        EXPECT(weiri_event_set_has(common, i) == (in_s && in_t), "both sets: %u", i);
        for (uint32_t j = 0; j < k->n; j++) {
            bool in_a = weiri_relation_has(k, a, i, j);
            bool in_b = weiri_relation_has(k, b, i, j);
            bool ends = weiri_event_set_has(t, j);
            EXPECT(weiri_relation_has(k, all, i, j) == (in_a || in_b)
                       && weiri_relation_has(k, meet, i, j) == (in_a && in_b)
                       && weiri_relation_has(k, left, i, j) == (in_a && !in_b)
                       && weiri_relation_has(k, inverse, j, i) == in_a
                       && weiri_relation_has(k, maybe, i, j) == (in_a || i == j)
                       && weiri_relation_has(k, product, i, j) == (in_s && ends)
                       && weiri_relation_has(k, from, i, j) == (in_s && in_a)
                       && weiri_relation_has(k, to, i, j) == (in_a && ends),
                   "n = %u: %u, %u", k->n, i, j);
        }
    }
}

CASE("operators");

TEST(operators_are_what_they_are_pair_by_pair)
{
    for_each(expect_pairs);
}

/* ---- Laws ------------------------------------------------------------------------ */

static void expect_laws(algebra *k, relation a, relation b, relation c,
                        struct weiri_event_set s, struct weiri_event_set t)
{
    relation ab = weiri_relation_compose(k, a, b), bc = weiri_relation_compose(k, b, c);
    relation steps = weiri_relation_closure(k, a);
    (void)s;
    (void)t;
    EXPECT_SAME(weiri_relation_compose(k, ab, c), weiri_relation_compose(k, a, bc));
    EXPECT_SAME(weiri_relation_inverse(k, ab),
                weiri_relation_compose(k, weiri_relation_inverse(k, b),
                                       weiri_relation_inverse(k, a)));
    EXPECT_SAME(weiri_relation_compose(k, a, weiri_relation_union(k, b, c)),
                weiri_relation_union(k, ab, weiri_relation_compose(k, a, c)));
    EXPECT_SAME(steps, weiri_relation_closure(k, steps));
    EXPECT_SAME(steps, weiri_relation_compose(k, a, weiri_relation_optional(k, steps)));
    EXPECT_SAME(weiri_relation_inverse(k, steps),
                weiri_relation_closure(k, weiri_relation_inverse(k, a)));
    ck_assert(weiri_relation_is_empty(k, weiri_relation_difference(k, a, steps)));
    ck_assert(weiri_relation_is_empty(k, weiri_relation_new(k)));
    ck_assert(weiri_event_set_is_empty(k, weiri_event_set_new(k)));
}

TEST(operators_obey_their_laws)
{
    for_each(expect_laws);
}

/* ---- Cycles ---------------------------------------------------------------------- */

/* How many steps the shortest cycle has, by composing: 0 where there is none. */
static uint32_t girth(algebra *k, relation a)
{
    relation way = a;
    for (uint32_t n = 1; n <= k->n; n++) {
        if (!weiri_relation_is_irreflexive(k, way)) {
            return n;
        }
        way = weiri_relation_compose(k, way, a);
    }
    return 0;
}

static void expect_cycles(algebra *k, relation a, relation b, relation c,
                          struct weiri_event_set s, struct weiri_event_set t)
{
    uint32_t events[MOST_EVENTS];
    uint32_t length = weiri_relation_cycle(k, a, events), shortest = girth(k, a);
    EXPECT(length == shortest, "n = %u: %u steps, not %u", k->n, length, shortest);
    ck_assert(weiri_relation_is_acyclic(k, a) == (length == 0));
    for (uint32_t i = 0; i < length; i++) {
        EXPECT(weiri_relation_has(k, a, events[i], events[(i + 1) % length]),
               "n = %u: no step from %u", k->n, events[i]);
        EXPECT(i == 0 || events[0] < events[i], "n = %u: not from the first", k->n);
    }

    const struct weiri_named named[] = { { "a", a }, { "b", b } };
    struct weiri_cycle cycle = { 0 };
    relation both = weiri_relation_union(k, a, b);
    bool found = weiri_cycle_find(&cycle, k, named, 2);
    ck_assert(found == !weiri_relation_is_acyclic(k, both));
    ck_assert_uint_eq(cycle.n, girth(k, both));
    for (uint32_t i = 0; i < cycle.n; i++) {
        const struct weiri_edge *edge = &cycle.edges[i];
        bool in_a = weiri_relation_has(k, a, edge->from, edge->to);
        EXPECT(edge->to == cycle.edges[(i + 1) % cycle.n].from, "it does not close");
        EXPECT(strcmp(edge->name, in_a ? "a" : "b") == 0, "a step by another name");
        EXPECT(weiri_relation_has(k, in_a ? a : b, edge->from, edge->to), "no step");
    }
    weiri_cycle_clear(&cycle);
    (void)c;
    (void)s;
    (void)t;
}

CASE("cycles");

TEST(cycles_are_the_shortest)
{
    for_each(expect_cycles);
}

/* a, then maybe b, then c once or more often. */
static void expect_ways(algebra *k, relation a, relation b, relation c,
                        struct weiri_event_set s, struct weiri_event_set t)
{
    const struct weiri_named first = { "a", a }, second = { "b", b },
                             third = { "c", c };
    const struct weiri_stage stages[] = { { &first, 1, WEIRI_ONCE },
                                          { &second, 1, WEIRI_MAYBE },
                                          { &third, 1, WEIRI_REPEATED } };
    relation all = weiri_relation_compose(
        k, a,
        weiri_relation_compose(k, weiri_relation_optional(k, b),
                               weiri_relation_closure(k, c)));
    for (uint32_t from = 0; from < MIN(k->n, 7); from++) {
        for (uint32_t to = 0; to < MIN(k->n, 7); to++) {
            struct weiri_cycle way = { 0 };
            bool found = weiri_cycle_add_way(&way, k, stages, 3, from, to);
            EXPECT(found == weiri_relation_has(k, all, from, to), "%u to %u", from, to);
            EXPECT(found == (way.n >= 2), "%u steps", way.n);
            for (uint32_t i = 0, at = from; i < way.n; at = way.edges[i++].to) {
                const struct weiri_edge *edge = &way.edges[i];
                relation by = i == 0                         ? a
                    : strcmp(edge->name, "b") == 0 && i == 1 ? b
                                                             : c;
                EXPECT(edge->from == at && weiri_relation_has(k, by, at, edge->to),
                       "a wrong step");
            }
            ck_assert(way.n == 0 || way.edges[way.n - 1].to == to);
            weiri_cycle_clear(&way);
        }
    }
    (void)s;
    (void)t;
}

TEST(ways_lead_through_their_stages)
{
    for_each(expect_ways);
}

TEST(a_way_is_the_shortest)
{
    /* 0 -a-> 1 -c-> 2 -c-> 3, and 1 -b-> 4 -c-> 3. */
    algebra k = { 0 };
    weiri_algebra_begin(&k, 5);
    const struct weiri_named named[] = { { "a", weiri_relation_new(&k) },
                                         { "b", weiri_relation_new(&k) },
                                         { "c", weiri_relation_new(&k) } };
    const struct weiri_stage stages[] = { { &named[0], 1, WEIRI_ONCE },
                                          { &named[1], 1, WEIRI_MAYBE },
                                          { &named[2], 1, WEIRI_REPEATED } };
    weiri_relation_add(&k, named[0].relation, 0, 1);
    weiri_relation_add(&k, named[1].relation, 1, 4);
    weiri_relation_add(&k, named[2].relation, 1, 2);
    weiri_relation_add(&k, named[2].relation, 2, 3);
    struct weiri_cycle way = { 0 };
    ck_assert(weiri_cycle_add_way(&way, &k, stages, 3, 0, 3));
    ck_assert_uint_eq(way.n, 3);
    ck_assert_str_eq(way.edges[1].name, "c");
    weiri_cycle_clear(&way);

    weiri_relation_add(&k, named[2].relation, 4, 3);
    weiri_relation_add(&k, named[2].relation, 1, 3); /* a shorter one */
    ck_assert(weiri_cycle_add_way(&way, &k, stages, 3, 0, 3));
    ck_assert_uint_eq(way.n, 2);
    struct weiri_cycle copy = { 0 }, longer = { 0 };
    for (uint32_t i = 0; i < way.n; i++) {
        const struct weiri_edge *edge = &way.edges[i];
        weiri_cycle_add(&copy, edge->from, edge->to, edge->name);
        weiri_cycle_add(&longer, edge->from, edge->to, edge->name);
    }
    weiri_cycle_add(&longer, 3, 0, "x");
    weiri_cycle_take_shorter(&copy, &longer);
    ck_assert_uint_eq(copy.n, 2);
    weiri_cycle_add(&copy, 3, 0, "x");
    weiri_cycle_take_shorter(&copy, &way);
    ck_assert_uint_eq(copy.n, 2);
    ck_assert_uint_eq(way.n, 0);
    weiri_cycle_take_shorter(&copy, &way); /* an empty one is none */
    ck_assert_uint_eq(copy.n, 2);
    weiri_cycle_clear(&copy);
    weiri_algebra_clear(&k);
}

/* ---- Memory ---------------------------------------------------------------------- */

/* Some hundred relations, more than a block holds. Returns: the last one's rows */
static const uint64_t *fill(algebra *k)
{
    relation last = weiri_relation_new(k);
    for (int i = 0; i < 300; i++) {
        last = weiri_relation_optional(k, last);
    }
    return last.rows;
}

CASE("operators");

TEST(memory_is_used_again)
{
    algebra k = { 0 };
    struct weiri_algebra_mark nothing = weiri_algebra_mark(&k);
    weiri_algebra_begin(&k, MOST_EVENTS);
    relation kept = weiri_relation_optional(&k, weiri_relation_new(&k));
    struct weiri_algebra_mark mark = weiri_algebra_mark(&k);
    const uint64_t *rows = fill(&k);
    for (int i = 0; i < 3; i++) {
        weiri_algebra_return(&k, mark);
        ck_assert_ptr_eq(fill(&k), rows);
    }
    for (uint32_t event = 0; event < k.n; event++) {
        ck_assert(weiri_relation_has(&k, kept, event, event));
    }
    weiri_algebra_begin(&k, 3);
    (void)fill(&k);
    weiri_algebra_begin(&k, MOST_EVENTS);
    (void)weiri_relation_new(&k);
    (void)weiri_relation_new(&k);
    ck_assert_ptr_eq(fill(&k), rows);
    weiri_algebra_return(&k, nothing);
    (void)fill(&k);
    weiri_algebra_clear(&k);
}

MAIN("relation")
