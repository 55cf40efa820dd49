/* SPDX-License-Identifier: MIT
 *
 * check_hierarchical.c: WEIR_GROUP_KERNEL: code outside the loops runs once a
 * group, a loop's body once an item, in any dimension, and a loop's end is a
 * barrier. */
#include "support.h"

typedef struct {
    int32_t *out;
    uint32_t *n_outside; /* one a group: runs of the code outside the loops */
    uint32_t *n_inside;  /* one an item: runs of the loops' bodies */
} loop_args;

/* A tree over local memory: each level is a loop of its own. */
WEIR_GROUP_KERNEL(tree, loop_args)
{
    size_t local = weir_group_size_linear(group);
    int32_t *scratch = weir_group_local_array(group, int32_t, local);
    weir_atomic_fetch_add_explicit(&args->n_outside[weir_group_index_linear(group)], 1u,
                                   memory_order_relaxed, memory_scope_work_group);
    weir_for_each_item(item, group) {
        scratch[weir_local_linear_id(item)] = (int32_t)weir_global_linear_id(item) + 1;
    }
    size_t left = local;
    while (left > 1) {
        size_t half = (left + 1) / 2;
        weir_for_each_item(item, group) {
            size_t lid = weir_local_linear_id(item);
            args->n_inside[weir_global_linear_id(item)]++;
            if (lid + half < left) {
                scratch[lid] += scratch[lid + half];
            }
        }
        left = half;
    }
    args->out[weir_group_index_linear(group)] = scratch[0];
}

static const size_t local_sizes[] = { 1, 2, 3, 7, 8, 33, 64, 100, 255, 256, 1024 };

WORKERS_TEST_EACH(loops_run_once_an_item_and_the_rest_once_a_group,
                  G_N_ELEMENTS(local_sizes))
{
    size_t local = local_sizes[_i], groups = 9, n = local * groups;
    loop_args args = { weir_new(device, int32_t, groups, "out"),
                       weir_new(device, uint32_t, groups, "n_outside"),
                       weir_new(device, uint32_t, n, "n_inside") };
    uint32_t levels = 0;
    for (size_t left = local; left > 1; left = (left + 1) / 2) {
        levels++;
    }
    memset(args.n_outside, 0, groups * sizeof(*args.n_outside));
    memset(args.n_inside, 0, n * sizeof(*args.n_inside));
    LAUNCH_SILENT(device, &tree, weir_nd_range_1d(n, local), &args,
                  WITH_WORKERS(workers));
    for (size_t g = 0; g < groups; g++) {
        size_t sum = local * (local * g + 1) + local * (local - 1) / 2;
        EXPECT_ELEMENT(args.out, g, sum);
        EXPECT_ELEMENT(args.n_outside, g, 1);
    }
    EXPECT_ELEMENTS(args.n_inside, i, n, levels);
}

/* ---- What a group knows of itself ---------------------------------------- */

struct facts {
    size_t index[5], size[5], range[5], index_linear, size_linear;
};

typedef struct {
    struct facts *facts; /* by linear group id */
    size_t *visits;      /* by global linear id */
} facts_args;

static const uint32_t dims_asked[5] = { 0, 1, 2, 3, UINT32_MAX };

WEIR_GROUP_KERNEL(tell_facts, facts_args)
{
    struct facts facts = { .index_linear = weir_group_index_linear(group),
                           .size_linear = weir_group_size_linear(group) };
    for (size_t i = 0; i < 5; i++) {
        facts.index[i] = weir_group_index(group, dims_asked[i]);
        facts.size[i] = weir_group_size(group, dims_asked[i]);
        facts.range[i] = weir_group_range(group, dims_asked[i]);
    }
    args->facts[facts.index_linear] = facts;
    /* Inside and outside must agree. */
    weir_for_each_item(item, group) {
        size_t wrong = weir_group_linear_id(item) != facts.index_linear;
        for (uint32_t dim = 0; dim < 4; dim++) {
            wrong += weir_group_id(item, dim) != weir_group_index(group, dim);
            wrong += weir_local_size(item, dim) != weir_group_size(group, dim);
            wrong += weir_num_groups(item, dim) != weir_group_range(group, dim);
            wrong += weir_global_id(item, dim)
                != weir_group_index(group, dim) * weir_group_size(group, dim)
                    + weir_local_id(item, dim);
        }
        args->visits[weir_global_linear_id(item)] += 1 + 100 * wrong;
    }
}

static const struct weir_nd_range ranges[] = {
    { 1, { 12, 1, 1 }, { 4, 1, 1 } }, { 1, { 7, 1, 1 }, { 1, 1, 1 } },
    { 2, { 6, 10, 1 }, { 3, 5, 1 } }, { 2, { 4, 4, 1 }, { 4, 1, 1 } },
    { 3, { 4, 6, 10 }, { 2, 3, 5 } }, { 3, { 2, 3, 4 }, { 1, 1, 2 } },
    { 3, { 8, 8, 8 }, { 8, 8, 8 } },
};

WORKERS_TEST_EACH(a_group_knows_its_place_in_every_dimension, G_N_ELEMENTS(ranges))
{
    const struct weir_nd_range *range = &ranges[_i];
    size_t n = range->global[0] * range->global[1] * range->global[2];
    size_t local = range->local[0] * range->local[1] * range->local[2];
    facts_args args = { weir_new(device, struct facts, n / local, "facts"),
                        weir_new(device, size_t, n, "visits") };
    memset(args.facts, 0xff, n / local * sizeof(*args.facts));
    LAUNCH_SILENT(device, &tell_facts, *range, &args, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(args.visits, i, n, 1);
    for (size_t g = 0; g < n / local; g++) {
        const struct facts *facts = &args.facts[g];
        size_t rest = g;
        EXPECT(facts->index_linear == g, "group %zu is %zu", g, facts->index_linear);
        EXPECT(facts->size_linear == local, "group %zu has %zu items", g,
               facts->size_linear);
        for (size_t dim = 3; dim-- > 0;) {
            size_t groups = range->global[dim] / range->local[dim];
            EXPECT(facts->index[dim] == rest % groups
                       && facts->size[dim] == range->local[dim]
                       && facts->range[dim] == groups,
                   "group %zu in dimension %zu: index %zu, size %zu, range %zu", g, dim,
                   facts->index[dim], facts->size[dim], facts->range[dim]);
            rest /= groups;
        }
        for (size_t i = 3; i < 5; i++) { /* no such dimension */
            EXPECT(facts->index[i] == 0 && facts->size[i] == 1 && facts->range[i] == 1,
                   "group %zu in dimension %u", g, dims_asked[i]);
        }
    }
}

/* ---- Data between loops -------------------------------------------------- */

typedef struct {
    int64_t *out;
} private_args;

/* Values that an item keeps from loop to loop are an array of the group. */
WEIR_GROUP_KERNEL(keep_private, private_args)
{
    int64_t value[64], other[64];
    size_t turns = 0;
    weir_for_each_item(item, group) {
        size_t lid = weir_local_linear_id(item);
        value[lid] = (int64_t)weir_global_linear_id(item);
        other[lid] = 1;
    }
    for (int round = 0; round < 5; round++) {
        weir_for_each_item(item, group) {
            size_t lid = weir_local_linear_id(item);
            if (lid % 2 == 0) {
                continue; /* goes to the next item */
            }
            value[lid] += other[lid];
            other[lid] += value[lid] % 3;
        }
        turns++;
    }
    weir_for_each_item(item, group) {
        size_t lid = weir_local_linear_id(item);
        args->out[weir_global_linear_id(item)]
            = value[lid] * 100 + other[lid] + (int64_t)turns * 1000000;
    }
}

static int64_t kept(size_t gid, size_t lid)
{
    int64_t value = (int64_t)gid, other = 1;
    for (int round = 0; round < 5 && lid % 2 == 1; round++) {
        value += other;
        other += value % 3;
    }
    return value * 100 + other + 5000000;
}

WORKERS_TEST(private_values_are_kept_from_loop_to_loop)
{
    enum { N = 64 * 11 };
    int64_t *out = weir_new(device, int64_t, N, "out");
    LAUNCH_SILENT(device, &keep_private, weir_nd_range_1d(N, 64),
                  &(private_args){ out }, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, N, kept(i, i % 64));
    LAUNCH_SILENT(device, &keep_private, weir_nd_range_2d(16, 44, 4, 11),
                  &(private_args){ out }, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, N, kept(i, i / 44 % 4 * 11 + i % 44 % 11));
}

typedef struct {
    uint32_t *count;
} atomic_args;

WEIR_GROUP_KERNEL(count_in_loops, atomic_args)
{
    uint32_t *in_group = weir_group_local_array(group, uint32_t, 1);
    *in_group = 0;
    weir_for_each_item(item, group) {
        weir_atomic_fetch_add_explicit(in_group, 1u, memory_order_relaxed,
                                       memory_scope_work_group);
    }
    ADD_RELAXED(args->count, *in_group);
}

DEVICE_TEST(atomics_work_inside_and_outside_the_loops)
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    FOR_EACH_WORKERS(workers)
    {
        *count = 0;
        LAUNCH_SILENT(device, &count_in_loops, weir_nd_range_1d(12000, 60),
                      &(atomic_args){ count }, WITH_WORKERS(workers));
        ck_assert_uint_eq(*count, 12000);
    }
    *count = 0;
    LAUNCH_SILENT(
        device, &count_in_loops, weir_nd_range_1d(12000, 60), &(atomic_args){ count },
        (&(struct weir_launch_options){ .schedule = "in-order", .check = true }));
    ck_assert_uint_eq(*count, 12000);
}

WEIR_GROUP_KERNEL(asks_in_the_loop, atomic_args)
{
    weir_for_each_item(item, group) {
        uint32_t *mine = weir_local_array(item, uint32_t, 4);
        mine[0] = 1;
    }
}

DEVICE_TEST(a_local_array_inside_the_loop_is_a_finding)
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    LAUNCH_FINDING(WEIR_FINDING_LOCAL_MEMORY, device, &asks_in_the_loop,
                   weir_nd_range_1d(8, 8), &(atomic_args){ count }, NULL);
}

typedef struct {
    uint32_t *flag;
} waiting_args;

/* Item 5 of group 0 waits for group 1, and then fails. */
WEIR_GROUP_KERNEL(fail_after_waiting_in_the_loop, waiting_args)
{
    weir_for_each_item(item, group) {
        if (weir_global_linear_id(item) == 5) {
            while (weir_atomic_load_explicit(args->flag, memory_order_acquire,
                                             memory_scope_device)
                   == 0) {}
            weir_assert(item, *args->flag == 2);
        } else if (weir_global_linear_id(item) == 8) {
            weir_atomic_store_explicit(args->flag, 1u, memory_order_release,
                                       memory_scope_device);
        }
    }
}

WORKERS_TEST(an_item_that_gave_way_in_the_loop_is_still_that_item)
{
    uint32_t *flag = weir_new(device, uint32_t, 1, "flag");
    *flag = 0;
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_ASSERTION, device, &fail_after_waiting_in_the_loop,
        weir_nd_range_1d(16, 8), &(waiting_args){ flag }, WITH_WORKERS(workers));
    ck_assert_str_eq(finding->parties[0].items, "5");
    EXPECT_COORDINATES(finding->parties[0].item, 5, 0, 0);
}

MAIN("hierarchical")
