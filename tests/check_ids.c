/* SPDX-License-Identifier: MIT
 *
 * check_ids.c: an item's place as its calls return it, against formulas written
 * down here from SYCL 2020, 3.11.1: the last dimension is the fastest. */
#include "support.h"

/* Dimensions asked for: those that may exist, and some that cannot. */
static const uint32_t dims_asked[] = { 0, 1, 2, 3, 4, UINT32_MAX };
enum { DIMS_ASKED = G_N_ELEMENTS(dims_asked) };

/* All that an item can ask. */
struct place {
    size_t work_dim;
    size_t global_id[DIMS_ASKED], local_id[DIMS_ASKED], group_id[DIMS_ASKED];
    size_t global_size[DIMS_ASKED], local_size[DIMS_ASKED], num_groups[DIMS_ASKED];
    size_t global_linear_id, local_linear_id, group_linear_id;
    size_t sub_group_id, sub_group_local_id, sub_group_size, num_sub_groups;
    size_t n_visits;
};

typedef struct {
    struct place *places; /* by global linear id */
} place_args;

static void fill_place(const struct weir_item *item, struct place *place)
{
    place->work_dim = weir_work_dim(item);
    for (size_t i = 0; i < DIMS_ASKED; i++) {
        place->global_id[i] = weir_global_id(item, dims_asked[i]);
        place->local_id[i] = weir_local_id(item, dims_asked[i]);
        place->group_id[i] = weir_group_id(item, dims_asked[i]);
        place->global_size[i] = weir_global_size(item, dims_asked[i]);
        place->local_size[i] = weir_local_size(item, dims_asked[i]);
        place->num_groups[i] = weir_num_groups(item, dims_asked[i]);
    }
    place->global_linear_id = weir_global_linear_id(item);
    place->local_linear_id = weir_local_linear_id(item);
    place->group_linear_id = weir_group_linear_id(item);
    place->sub_group_id = weir_sub_group_id(item);
    place->sub_group_local_id = weir_sub_group_local_id(item);
    place->sub_group_size = weir_sub_group_size(item);
    place->num_sub_groups = weir_num_sub_groups(item);
    place->n_visits++;
}

WEIR_KERNEL(record_places, place_args)
{
    fill_place(item, &args->places[weir_global_linear_id(item)]);
}

/* After a switch and back an item must still know its place. */
WEIR_KERNEL(record_places_after_a_barrier, place_args)
{
    weir_barrier(item, WEIR_LOCAL);
    fill_place(item, &args->places[weir_global_linear_id(item)]);
    weir_barrier(item, WEIR_LOCAL);
    args->places[weir_global_linear_id(item)].n_visits += 10;
}

WEIR_GROUP_KERNEL(record_places_in_a_loop, place_args)
{
    weir_for_each_item(item, group) {
        fill_place(item, &args->places[weir_global_linear_id(item)]);
    }
}

static struct place expected_place(const struct weir_nd_range *range,
                                   const size_t at[3], size_t sub_group_size)
{
    struct place place = { .work_dim = range->dim };
    size_t local_items = 1;
    for (uint32_t dim = 0; dim < range->dim; dim++) {
        size_t local = range->local[dim], groups = range->global[dim] / local;
        place.global_linear_id = place.global_linear_id * range->global[dim] + at[dim];
        place.local_linear_id = place.local_linear_id * local + at[dim] % local;
        place.group_linear_id = place.group_linear_id * groups + at[dim] / local;
        local_items *= local;
    }
    for (size_t i = 0; i < DIMS_ASKED; i++) {
        uint32_t dim = dims_asked[i];
        bool there = dim < range->dim;
        place.global_size[i] = there ? range->global[dim] : 1;
        place.local_size[i] = there ? range->local[dim] : 1;
        place.num_groups[i] = there ? range->global[dim] / range->local[dim] : 1;
        place.global_id[i] = there ? at[dim] : 0;
        place.local_id[i] = there ? at[dim] % range->local[dim] : 0;
        place.group_id[i] = there ? at[dim] / range->local[dim] : 0;
    }
    place.sub_group_id = place.local_linear_id / sub_group_size;
    place.sub_group_local_id = place.local_linear_id % sub_group_size;
    place.sub_group_size
        = MIN(sub_group_size, local_items - place.sub_group_id * sub_group_size);
    place.num_sub_groups = (local_items + sub_group_size - 1) / sub_group_size;
    return place;
}

static void expect_place(const struct place *got, const struct place *expected,
                         size_t linear)
{
#define SAME(field)                                                                    \
    EXPECT(got->field == expected->field, "item %zu: " #field " is %zu, not %zu",      \
           linear, got->field, expected->field)
#define SAME_IN_ALL_DIMENSIONS(field)                                                  \
    EXPECT(got->field[i] == expected->field[i],                                        \
           "item %zu: " #field " in dimension %u is %zu, not %zu", linear,             \
           dims_asked[i], got->field[i], expected->field[i])
    SAME(n_visits);
    SAME(work_dim);
    for (size_t i = 0; i < DIMS_ASKED; i++) {
        SAME_IN_ALL_DIMENSIONS(global_id);
        SAME_IN_ALL_DIMENSIONS(local_id);
        SAME_IN_ALL_DIMENSIONS(group_id);
        SAME_IN_ALL_DIMENSIONS(global_size);
        SAME_IN_ALL_DIMENSIONS(local_size);
        SAME_IN_ALL_DIMENSIONS(num_groups);
    }
    SAME(global_linear_id);
    SAME(local_linear_id);
    SAME(group_linear_id);
    SAME(sub_group_id);
    SAME(sub_group_local_id);
    SAME(sub_group_size);
    SAME(num_sub_groups);
#undef SAME
#undef SAME_IN_ALL_DIMENSIONS
}

/* Holds every item of the range against the formulas. */
static void expect_places(struct weir_device *device, const struct weir_kernel *kernel,
                          struct weir_nd_range range, uint32_t sub_group_size,
                          size_t workers, size_t n_visits)
{
    size_t size[3] = { range.global[0], range.dim > 1 ? range.global[1] : 1,
                       range.dim > 2 ? range.global[2] : 1 };
    size_t n = size[0] * size[1] * size[2];
    struct place *places = weir_new(device, struct place, n, "places");
    struct weir_launch_options options
        = { .workers = (uint32_t)workers, .sub_group_size = sub_group_size };
    LAUNCH_SILENT(device, kernel, range, &(place_args){ places }, &options);
    size_t at[3], linear = 0;
    for (at[0] = 0; at[0] < size[0]; at[0]++) {
        for (at[1] = 0; at[1] < size[1]; at[1]++) {
            for (at[2] = 0; at[2] < size[2]; at[2]++, linear++) {
                struct place expected = expected_place(
                    &range, at, sub_group_size == 0 ? 16 : sub_group_size);
                expected.n_visits = n_visits;
                expect_place(&places[linear], &expected, linear);
            }
        }
    }
    weir_free(device, places);
}

static void expect_places_in_all_forms(struct weir_device *device,
                                       struct weir_nd_range range,
                                       uint32_t sub_group_size)
{
    FOR_EACH_WORKERS(workers)
    {
        expect_places(device, &record_places, range, sub_group_size, workers, 1);
        expect_places(device, &record_places_after_a_barrier, range, sub_group_size,
                      workers, 11);
        expect_places(device, &record_places_in_a_loop, range, sub_group_size, workers,
                      1);
    }
}

static const struct weir_nd_range ranges[] = {
    { 1, { 1, 1, 1 }, { 1, 1, 1 } },  { 1, { 12, 1, 1 }, { 4, 1, 1 } },
    { 1, { 35, 1, 1 }, { 7, 1, 1 } }, { 1, { 96, 1, 1 }, { 48, 1, 1 } },
    { 2, { 1, 1, 1 }, { 1, 1, 1 } },  { 2, { 6, 10, 1 }, { 3, 5, 1 } },
    { 2, { 10, 6, 1 }, { 5, 3, 1 } }, { 2, { 1, 24, 1 }, { 1, 4, 1 } },
    { 2, { 24, 1, 1 }, { 4, 1, 1 } }, { 2, { 8, 8, 1 }, { 8, 8, 1 } },
    { 3, { 1, 1, 1 }, { 1, 1, 1 } },  { 3, { 4, 6, 10 }, { 2, 3, 5 } },
    { 3, { 10, 6, 4 }, { 5, 3, 2 } }, { 3, { 2, 3, 4 }, { 1, 1, 1 } },
    { 3, { 2, 3, 4 }, { 2, 3, 4 } },  { 3, { 9, 1, 7 }, { 3, 1, 7 } },
    { 3, { 4, 4, 4 }, { 1, 4, 2 } },  { 3, { 1, 1, 30 }, { 1, 1, 10 } },
};

DEVICE_TEST_EACH(ids_and_sizes_follow_the_formulas_in_every_dimension,
                 G_N_ELEMENTS(ranges))
{
    expect_places_in_all_forms(device, ranges[_i], 0);
}

DEVICE_TEST_EACH(ids_follow_the_formulas_in_random_ranges, 4)
{
    uint64_t state = 100 + (uint64_t)_i;
    for (size_t round = 0; round < scaled(10, 1); round++) {
        struct weir_nd_range range = { .dim = (uint32_t)random_between(&state, 1, 3) };
        for (uint32_t dim = 0; dim < range.dim; dim++) {
            range.local[dim] = random_between(&state, 1, 9);
            range.global[dim] = range.local[dim] * random_between(&state, 1, 5);
        }
        expect_places_in_all_forms(device, range, 8u << random_between(&state, 0, 2));
    }
}

static const size_t local_sizes[]
    = { 1,  2,  3,  7,   8,   9,   15,  16,  17,   31,  32,
        33, 47, 63, 100, 128, 255, 256, 257, 1000, 1024 };

DEVICE_TEST_EACH(the_last_sub_group_has_what_is_left, G_N_ELEMENTS(local_sizes))
{
    size_t local = local_sizes[_i];
    const uint32_t sub_group_sizes[] = { 8, 16, 32 };
    for (size_t i = 0; i < G_N_ELEMENTS(sub_group_sizes); i++) {
        expect_places(device, &record_places, weir_nd_range_1d(2 * local, local),
                      sub_group_sizes[i], 1, 1);
        expect_places(device, &record_places_after_a_barrier,
                      weir_nd_range_1d(2 * local, local), sub_group_sizes[i], 2, 11);
    }
}

/* Sub-groups are cut from the local linear id, across dimensions. */
DEVICE_TEST(sub_groups_of_several_dimensions_are_consecutive_in_the_linear_id)
{
    const uint32_t sub_group_sizes[] = { 8, 16, 32 };
    for (size_t i = 0; i < G_N_ELEMENTS(sub_group_sizes); i++) {
        expect_places_in_all_forms(device, weir_nd_range_2d(14, 10, 7, 5),
                                   sub_group_sizes[i]);
        expect_places_in_all_forms(device, weir_nd_range_3d(6, 5, 14, 3, 5, 7),
                                   sub_group_sizes[i]);
    }
}

TEST(the_range_constructors_fill_every_dimension)
{
    struct weir_nd_range one = weir_nd_range_1d(12, 4);
    struct weir_nd_range two = weir_nd_range_2d(12, 10, 4, 5);
    struct weir_nd_range three = weir_nd_range_3d(12, 10, 9, 4, 5, 3);
    ck_assert_uint_eq(one.dim, 1);
    EXPECT_COORDINATES(one.global, 12, 1, 1);
    EXPECT_COORDINATES(one.local, 4, 1, 1);
    ck_assert_uint_eq(two.dim, 2);
    EXPECT_COORDINATES(two.global, 12, 10, 1);
    EXPECT_COORDINATES(two.local, 4, 5, 1);
    ck_assert_uint_eq(three.dim, 3);
    EXPECT_COORDINATES(three.global, 12, 10, 9);
    EXPECT_COORDINATES(three.local, 4, 5, 3);
}

typedef struct {
    size_t limit;
    size_t *n_beyond; /* items whose id is at least the limit */
    size_t *sum;      /* of how far they are beyond it */
} large_args;

WEIR_KERNEL(find_large_ids, large_args)
{
    size_t id = weir_global_id(item, 0);
    if (id >= args->limit) {
        ADD_RELAXED(args->n_beyond, (size_t)1);
        ADD_RELAXED(args->sum, weir_global_linear_id(item) - args->limit);
    }
}

DEVICE_TEST(ids_beyond_32_bits_are_whole)
{
    size_t *answer = weir_new(device, size_t, 2, "answer");
    /* Four billion turns of a loop need a compiler that optimises it. */
    size_t limit
        = scaled(OPTIMIZED && !UNDER_ASAN ? (size_t)1 << 32 : 1 << 20, 1 << 12);
    LAUNCH_SILENT(device, &find_large_ids, weir_nd_range_1d(limit + 1024, 1024),
                  (&(large_args){ limit, &answer[0], &answer[1] }), WITH_WORKERS(2));
    ck_assert_uint_eq(answer[0], 1024);
    ck_assert_uint_eq(answer[1], 1023 * 1024 / 2);
}

MAIN("ids")
