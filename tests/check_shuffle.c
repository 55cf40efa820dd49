/* SPDX-License-Identifier: MIT
 *
 * check_shuffle.c: values that move between the items of a sub-group: shuffles,
 * shifts and block loads, for every type and also where the last sub-group is
 * smaller; sources that lie outside, and arguments that must be uniform. */
#include "support.h"

static const uint32_t sub_group_sizes[] = { 8, 16, 32 };

#define VALUE_TYPES(X)                                                                 \
    X(i32, int32_t)                                                                    \
    X(u32, uint32_t)                                                                   \
    X(i64, int64_t)                                                                    \
    X(u64, uint64_t)                                                                   \
    X(f32, float)                                                                      \
    X(f64, double)

/* ---- Shuffles and shifts ------------------------------------------------- */

#define DEFINE_SHUFFLES(s, T)                                                          \
    typedef struct {                                                                   \
        const T *in;                                                                   \
        T *shuffled, *crossed, *from_left, *from_right;                                \
        uint32_t mask, delta;                                                          \
    } move_args_##s;                                                                   \
    WEIR_KERNEL(move_##s, move_args_##s)                                               \
    {                                                                                  \
        size_t i = weir_global_id(item, 0);                                            \
        uint32_t lane = weir_sub_group_local_id(item);                                 \
        uint32_t size = weir_sub_group_size(item);                                     \
        T value = args->in[i];                                                         \
        args->shuffled[i]                                                              \
            = weir_sub_group_shuffle(item, value, (lane * 7 + 3) % size);              \
        args->crossed[i] = weir_sub_group_shuffle_xor(item, value, args->mask);        \
        args->from_right[i] = weir_sub_group_shift_left(item, value, args->delta);     \
        args->from_left[i] = weir_sub_group_shift_right(item, value, args->delta);     \
    }                                                                                  \
    static void check_moves_##s(struct weir_device *device, size_t local,              \
                                uint32_t size, uint32_t mask, uint32_t delta)          \
    {                                                                                  \
        size_t n = 2 * local;                                                          \
        uint64_t seed = local + size + mask + delta;                                   \
        T *memory = weir_new(device, T, 5 * n, "memory");                              \
        T *in = memory, *shuffled = memory + n, *crossed = memory + 2 * n;             \
        T *from_left = memory + 3 * n, *from_right = memory + 4 * n;                   \
        for (size_t i = 0; i < n; i++) {                                               \
            in[i] = (T)(int64_t)random_next(&seed);                                    \
        }                                                                              \
        LAUNCH_SILENT(device, &move_##s, weir_nd_range_1d(n, local),                   \
                      (&(move_args_##s){ in, shuffled, crossed, from_left, from_right, \
                                         mask, delta }),                               \
                      (&(struct weir_launch_options){ .sub_group_size = size }));      \
        for (size_t i = 0; i < n; i++) {                                               \
            size_t lane = i % local % size, first = i - lane;                          \
            size_t here = MIN(size, local - (first % local));                          \
            EXPECT(shuffled[i] == in[first + (lane * 7 + 3) % here],                   \
                   #s " shuffle, item %zu of %zu, size %u", i, local, size);           \
            EXPECT(crossed[i] == in[first + (lane ^ mask)],                            \
                   #s " xor %u, item %zu of %zu, size %u", mask, i, local, size);      \
            EXPECT(lane + delta >= here || from_right[i] == in[i + delta],             \
                   #s " left by %u, item %zu of %zu, size %u", delta, i, local, size); \
            EXPECT(lane < delta || from_left[i] == in[i - delta],                      \
                   #s " right by %u, item %zu of %zu, size %u", delta, i, local,       \
                   size);                                                              \
        }                                                                              \
        weir_free(device, memory);                                                     \
    }

VALUE_TYPES(DEFINE_SHUFFLES)

DEVICE_TEST(values_move_between_the_items_of_a_sub_group)
{
    for (size_t k = 0; k < G_N_ELEMENTS(sub_group_sizes); k++) {
        uint32_t size = sub_group_sizes[k];
        for (uint32_t delta = 0; delta < size; delta += 1 + size / 8) {
#define X(s, T)                                                                        \
    check_moves_##s(device, size, size, delta, delta);                                 \
    check_moves_##s(device, 3 * size, size, size - 1 - delta, delta);
            VALUE_TYPES(X)
#undef X
        }
        /* A smaller last sub-group: of 1 and of 5 items; nothing may cross. */
#define X(s, T)                                                                        \
    check_moves_##s(device, size + 1, size, 0, 1);                                     \
    check_moves_##s(device, 2 * size + 5, size, 0, 3);                                 \
    check_moves_##s(device, 2 * size + 4, size, 3, 2);
        VALUE_TYPES(X)
#undef X
    }
}

typedef struct {
    int32_t *out;
    uint32_t source;
} outside_args;

_Atomic uint32_t line_shuffle;

/* Items with an odd id ask for `source`, the others for themselves. */
WEIR_KERNEL(shuffle_from, outside_args)
{
    uint32_t lane = weir_sub_group_local_id(item);
    uint32_t source = lane % 2 == 1 ? args->source : lane;
    args->out[weir_global_id(item, 0)]
        = MARK(line_shuffle, weir_sub_group_shuffle(item, (int32_t)lane + 50, source));
}

DEVICE_TEST(a_shuffle_from_outside_the_sub_group_is_unsupported)
{
    int32_t *out = weir_new(device, int32_t, 36, "out");
    /* Groups of 12 in sub-groups of 8: the second has items 0 to 3 only. */
    struct weir_launch_options options = { .workers = 1, .sub_group_size = 8 };
    struct weir_report *report = LAUNCH(device, &shuffle_from, weir_nd_range_1d(36, 12),
                                        (&(outside_args){ out, 4 }), &options);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_UNSUPPORTED, "shuffle_from");
    const struct weir_party *party = &finding->parties[0];
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_uint_eq(party->line, line_of(&line_shuffle));
    ck_assert_str_eq(party->operation, "weir_sub_group_shuffle");
    ck_assert_str_eq(party->items, "9");
    EXPECT_COORDINATES(party->group, 0, 0, 0);
    weir_report_free(report);
    for (size_t i = 0; i < 36; i++) {
        size_t lane = i % 12 % 8;
        bool outside = i % 12 >= 8 && lane % 2 == 1;
        if (!outside) {
            EXPECT_ELEMENT(out, i, 50 + (lane % 2 == 1 ? 4 : (int)lane));
        }
    }
    LAUNCH_SILENT(device, &shuffle_from, weir_nd_range_1d(36, 12),
                  (&(outside_args){ out, 3 }), &options);
    for (size_t i = 0; i < 36; i++) {
        size_t lane = i % 12 % 8;
        EXPECT_ELEMENT(out, i, 50 + (lane % 2 == 1 ? 3 : (int)lane));
    }
    const uint32_t far[] = { 8, 1000000, UINT32_MAX };
    for (size_t i = 0; i < G_N_ELEMENTS(far); i++) {
        report = LAUNCH(device, &shuffle_from, weir_nd_range_1d(36, 12),
                        (&(outside_args){ out, far[i] }), &options);
        only_finding(report, WEIR_FINDING_UNSUPPORTED, "shuffle_from");
        weir_report_free(report);
    }
}

WEIR_KERNEL(cross_by, outside_args)
{
    int32_t value = (int32_t)weir_local_id(item, 0);
    args->out[weir_global_id(item, 0)]
        = weir_sub_group_shuffle_xor(item, value, args->source);
}

DEVICE_TEST(a_xor_shuffle_out_of_the_sub_group_is_unsupported)
{
    int32_t *out = weir_new(device, int32_t, 12, "out");
    struct weir_launch_options options = { .workers = 1, .sub_group_size = 8 };
    LAUNCH_FINDING(WEIR_FINDING_UNSUPPORTED, device, &cross_by,
                   weir_nd_range_1d(12, 12), (&(outside_args){ out, 4 }), &options);
    EXPECT_ELEMENTS(out, i, 8, i ^ 4);
    LAUNCH_SILENT(device, &cross_by, weir_nd_range_1d(12, 12),
                  (&(outside_args){ out, 3 }), &options);
    EXPECT_ELEMENTS(out, i, 12, i ^ 3);
}

WEIR_KERNEL(shift_by, outside_args)
{
    int32_t value = (int32_t)weir_local_id(item, 0);
    int32_t next = weir_sub_group_shift_left(item, value, args->source);
    int32_t last = weir_sub_group_shift_right(item, value, args->source);
    args->out[weir_global_id(item, 0)] = value == 0 ? next : value == 7 ? last : 0;
}

DEVICE_TEST(a_shift_that_leaves_no_item_a_source_is_unsupported)
{
    int32_t *out = weir_new(device, int32_t, 12, "out");
    struct weir_launch_options options = { .workers = 1, .sub_group_size = 8 };
    const uint32_t far[] = { 8, 9, 1000000 };
    for (size_t i = 0; i < G_N_ELEMENTS(far); i++) {
        struct weir_report *report = LAUNCH(device, &shift_by, weir_nd_range_1d(12, 12),
                                            (&(outside_args){ out, far[i] }), &options);
        ck_assert_uint_eq(weir_report_n_findings(report), 2);
        const struct weir_finding *left = weir_report_finding(report, 0);
        ck_assert_int_eq(left->kind, WEIR_FINDING_UNSUPPORTED);
        ck_assert_str_eq(left->parties[0].operation, "weir_sub_group_shift_left");
        ck_assert_ptr_nonnull(strstr(left->message, "of the sub-group of 8 items"));
        weir_report_free(report);
    }
    /* The second sub-group has 4 items, and none of them a source. */
    LAUNCH_SILENT(device, &shift_by, weir_nd_range_1d(12, 12),
                  (&(outside_args){ out, 7 }), &options);
    ck_assert_int_eq(out[0], 7);
    ck_assert_int_eq(out[7], 0);
    /* No shift of a group of one item can ask for less than 1. */
    LAUNCH_SILENT(device, &shift_by, weir_nd_range_1d(2, 1),
                  (&(outside_args){ out, 1 }), &options);
    /* A group of 4 has no sub-group of 8. */
    struct weir_report *report = LAUNCH(device, &shift_by, weir_nd_range_1d(4, 4),
                                        (&(outside_args){ out, 4 }), &options);
    ck_assert_uint_eq(weir_report_n_findings(report), 2);
    weir_report_free(report);
}

typedef struct {
    int32_t *out;
    uint32_t step; /* 0: the argument below is the same for all items */
} uniform_args;

WEIR_KERNEL(broadcast_source_by_item, uniform_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    args->out[lid] = weir_group_broadcast(item, (int32_t)lid, lid / 8 * args->step);
}

WEIR_KERNEL(shift_delta_by_item, uniform_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    args->out[lid]
        = weir_sub_group_shift_left(item, (int32_t)lid, lid / 8 * args->step);
}

WEIR_KERNEL(xor_mask_by_item, uniform_args)
{
    uint32_t lid = (uint32_t)weir_local_id(item, 0);
    args->out[lid]
        = weir_sub_group_shuffle_xor(item, (int32_t)lid, lid / 8 * args->step);
}

DEVICE_TEST(an_argument_that_must_be_uniform_and_is_not_is_found)
{
    int32_t *out = weir_new(device, int32_t, 16, "out");
    static const struct weir_kernel *const kernels[]
        = { &broadcast_source_by_item, &shift_delta_by_item, &xor_mask_by_item };
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        struct weir_report *report
            = LAUNCH(device, kernels[k], weir_nd_range_1d(16, 16),
                     (&(uniform_args){ out, 1 }), NULL);
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_BARRIER_DIVERGENCE, kernels[k]->name);
        ck_assert_int_eq(party_of(finding, "0-7")->state, WEIR_STATE_WAITING);
        ck_assert_int_eq(party_of(finding, "8-15")->state, WEIR_STATE_WAITING);
        ck_assert_uint_eq(party_of(finding, "0-7")->line,
                          party_of(finding, "8-15")->line);
        weir_report_free(report);
        LAUNCH_SILENT(device, kernels[k], weir_nd_range_1d(16, 16),
                      (&(uniform_args){ out, 0 }), NULL);
    }
}

typedef struct {
    int64_t *out;
} shuffle_args;

/* The inner shuffle's source must not be taken for the outer one's. That the
 * nesting draws no warning either is for tests/quiet.sh to see. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
WEIR_KERNEL(shuffle_a_shuffle, shuffle_args)
{
    uint32_t lane = weir_sub_group_local_id(item);
    int64_t value = lane * 100;
    args->out[weir_global_id(item, 0)] = weir_sub_group_shuffle(
        item, weir_sub_group_shuffle(item, value, (lane + 1) % 8) + lane,
        (lane * 3) % 8);
}
#pragma GCC diagnostic pop

DEVICE_TEST(a_shuffle_of_a_shuffle_uses_each_ones_own_source)
{
    int64_t *out = weir_new(device, int64_t, 32, "out");
    LAUNCH_SILENT(device, &shuffle_a_shuffle, weir_nd_range_1d(32, 16),
                  (&(shuffle_args){ out }),
                  (&(struct weir_launch_options){ .sub_group_size = 8 }));
    for (size_t i = 0; i < 32; i++) {
        size_t source = i % 8 * 3 % 8;
        EXPECT_ELEMENT(out, i, (source + 1) % 8 * 100 + source);
    }
}

/* ---- Block loads --------------------------------------------------------- */

typedef struct {
    double x;
    int32_t y;
} pair;

typedef struct {
    const int32_t *numbers;
    const pair *pairs;
    int32_t *out_numbers; /* [item][4] */
    double *out_pairs;    /* [item][2] */
} load_args;

WEIR_KERNEL(load_blocks, load_args)
{
    size_t local = weir_local_size(item, 0);
    size_t sub_group = weir_sub_group_id(item), full = 16;
    size_t first = weir_group_id(item, 0) * local + sub_group * full;
    int32_t numbers[4];
    pair pairs[2];
    weir_sub_group_load(item, args->numbers + 4 * first, 4, numbers);
    weir_sub_group_load(item, args->pairs + 2 * first, 2, pairs);
    size_t gid = weir_global_id(item, 0);
    for (size_t k = 0; k < 4; k++) {
        args->out_numbers[4 * gid + k] = numbers[k];
    }
    for (size_t k = 0; k < 2; k++) {
        args->out_pairs[2 * gid + k] = pairs[k].x + pairs[k].y;
    }
}

static void expect_loads(const char *profile, size_t local)
{
    g_autoptr(weir_device) device = device_open(profile);
    size_t n = 3 * local;
    int32_t *numbers = weir_new(device, int32_t, 4 * n, "numbers");
    pair *pairs = weir_new(device, pair, 2 * n, "pairs");
    int32_t *out_numbers = weir_new(device, int32_t, 4 * n, "out_numbers");
    double *out_pairs = weir_new(device, double, 2 * n, "out_pairs");
    for (size_t i = 0; i < 4 * n; i++) {
        numbers[i] = (int32_t)(i * 13);
    }
    for (size_t i = 0; i < 2 * n; i++) {
        pairs[i] = (pair){ (double)i, (int32_t)i * 1000 };
    }
    LAUNCH_SILENT(device, &load_blocks, weir_nd_range_1d(n, local),
                  (&(load_args){ numbers, pairs, out_numbers, out_pairs }),
                  (&(struct weir_launch_options){ .sub_group_size = 16 }));
    for (size_t i = 0; i < n; i++) {
        size_t lane = i % local % 16, first = i - lane;
        size_t size = MIN(16, local - first % local);
        for (size_t k = 0; k < 4; k++) {
            EXPECT_ELEMENT(out_numbers, 4 * i + k, (4 * first + k * size + lane) * 13);
        }
        for (size_t k = 0; k < 2; k++) {
            EXPECT_ELEMENT(out_pairs, 2 * i + k, (2 * first + k * size + lane) * 1001);
        }
    }
}

TEST(a_block_load_interleaves_the_items_of_a_sub_group)
{
    const size_t locals[] = { 1, 5, 16, 17, 32, 45, 128 };
    for (size_t i = 0; i < G_N_ELEMENTS(locals); i++) {
        expect_loads("default", locals[i]);
        expect_loads("opencl12", locals[i]); /* a device whose launches are watched */
    }
}

MAIN("shuffle")
