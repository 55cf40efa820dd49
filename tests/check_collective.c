/* SPDX-License-Identifier: MIT
 *
 * check_collective.c: group and sub-group algorithms against a sequential
 * model that is written here, for every type, many group sizes and all
 * sub-group sizes.
 *
 * Both levels share one model: a group is one run of items with consecutive
 * linear ids, a sub-group is a shorter one. */
#include "support.h"

#include <math.h>

static const size_t local_sizes[]
    = { 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 64, 100, 128, 255, 256, 1024 };
static const uint32_t sub_group_sizes[] = { 8, 16, 32 };

/* Suffix, C type, type of its sums. */
#define VALUE_TYPES(X)                                                                 \
    X(i32, int32_t, uint32_t)                                                          \
    X(u32, uint32_t, uint32_t)                                                         \
    X(i64, int64_t, uint64_t)                                                          \
    X(u64, uint64_t, uint64_t)                                                         \
    X(f32, float, float)                                                               \
    X(f64, double, double)

/* ---- Reductions and scans ------------------------------------------------ */

CASE("algorithms");

/* The results of one item, at both levels. */
#define DEFINE_ANSWERS(s, T, U)                                                        \
    struct answer_##s {                                                                \
        T sum, least, greatest, inclusive, exclusive, first, last;                     \
    };                                                                                 \
    typedef struct {                                                                   \
        const T *in;                                                                   \
        struct answer_##s *group, *sub_group;                                          \
    } args_##s;                                                                        \
    WEIR_KERNEL(reduce_and_scan_##s, args_##s)                                         \
    {                                                                                  \
        size_t i = weir_global_linear_id(item);                                        \
        T value = args->in[i];                                                         \
        size_t last = weir_local_size(item, 0) * weir_local_size(item, 1)              \
                * weir_local_size(item, 2)                                             \
            - 1;                                                                       \
        args->group[i] = (struct answer_##s){                                          \
            .sum = weir_group_reduce_add(item, value),                                 \
            .least = weir_group_reduce_min(item, value),                               \
            .greatest = weir_group_reduce_max(item, value),                            \
            .inclusive = weir_group_inclusive_scan_add(item, value),                   \
            .exclusive = weir_group_exclusive_scan_add(item, value),                   \
            .first = weir_group_broadcast(item, value, 0),                             \
            .last = weir_group_broadcast(item, value, last),                           \
        };                                                                             \
        args->sub_group[i] = (struct answer_##s){                                      \
            .sum = weir_sub_group_reduce_add(item, value),                             \
            .least = weir_sub_group_reduce_min(item, value),                           \
            .greatest = weir_sub_group_reduce_max(item, value),                        \
            .inclusive = weir_sub_group_inclusive_scan_add(item, value),               \
            .exclusive = weir_sub_group_exclusive_scan_add(item, value),               \
            .first = weir_sub_group_broadcast(item, value, 0),                         \
            .last                                                                      \
            = weir_sub_group_broadcast(item, value, weir_sub_group_size(item) - 1),    \
        };                                                                             \
    }                                                                                  \
    /* Items in[0] to in[n - 1] are one group or sub-group. */                         \
    static void model_##s(const T *in, struct answer_##s *out, size_t n)               \
    {                                                                                  \
        U sum = 0;                                                                     \
        T least = in[0], greatest = in[0];                                             \
        for (size_t i = 0; i < n; i++) {                                               \
            out[i].exclusive = (T)sum;                                                 \
            sum = (U)(sum + (U)in[i]);                                                 \
            out[i].inclusive = (T)sum;                                                 \
            least = in[i] < least ? in[i] : least;                                     \
            greatest = in[i] > greatest ? in[i] : greatest;                            \
        }                                                                              \
        for (size_t i = 0; i < n; i++) {                                               \
            out[i].sum = (T)sum;                                                       \
            out[i].least = least;                                                      \
            out[i].greatest = greatest;                                                \
            out[i].first = in[0];                                                      \
            out[i].last = in[n - 1];                                                   \
        }                                                                              \
    }                                                                                  \
    static void compare_##s(const char *level, const struct answer_##s *got,           \
                            const struct answer_##s *expected, size_t n, size_t local, \
                            uint32_t sub_group_size)                                   \
    {                                                                                  \
        for (size_t i = 0; i < n; i++) {                                               \
            COMPARE(sum);                                                              \
            COMPARE(least);                                                            \
            COMPARE(greatest);                                                         \
            COMPARE(inclusive);                                                        \
            COMPARE(exclusive);                                                        \
            COMPARE(first);                                                            \
            COMPARE(last);                                                             \
        }                                                                              \
    }                                                                                  \
    static void check_##s(struct weir_device *device, struct weir_nd_range range,      \
                          size_t n, size_t local, uint32_t sub_group_size,             \
                          uint64_t seed)                                               \
    {                                                                                  \
        T *in = weir_new(device, T, n, "in");                                          \
        struct answer_##s *got = weir_new(device, struct answer_##s, 2 * n, "got");    \
        struct answer_##s *expected = g_new0(struct answer_##s, 2 * n);                \
        for (size_t i = 0; i < n; i++) {                                               \
            in[i] = value_##s(&seed);                                                  \
        }                                                                              \
        struct weir_launch_options options                                             \
            = { .workers = 1 + seed % 2, .sub_group_size = sub_group_size };           \
        LAUNCH_SILENT(device, &reduce_and_scan_##s, range,                             \
                      (&(args_##s){ in, got, got + n }), &options);                    \
        for (size_t g = 0; g < n; g += local) {                                        \
            model_##s(in + g, expected + g, local);                                    \
            for (size_t i = 0; i < local; i += sub_group_size) {                       \
                model_##s(in + g + i, expected + n + g + i,                            \
                          MIN(sub_group_size, local - i));                             \
            }                                                                          \
        }                                                                              \
        compare_##s("group", got, expected, n, local, sub_group_size);                 \
        compare_##s("sub-group", got + n, expected + n, n, local, sub_group_size);     \
        g_free(expected);                                                              \
        weir_free(device, got);                                                        \
        weir_free(device, in);                                                         \
    }
#define COMPARE(field)                                                                 \
    EXPECT(got[i].field == expected[i].field,                                          \
           "%s " #field ", local size %zu, sub-group size %u, item %zu: %.17g, not "   \
           "%.17g",                                                                    \
           level, local, sub_group_size, i, (double)got[i].field,                      \
           (double)expected[i].field)

/* All bits, so that sums wrap. */
static int32_t value_i32(uint64_t *state)
{
    return (int32_t)random_next(state);
}

static uint32_t value_u32(uint64_t *state)
{
    return (uint32_t)random_next(state);
}

static int64_t value_i64(uint64_t *state)
{
    return (int64_t)random_next(state);
}

static uint64_t value_u64(uint64_t *state)
{
    return random_next(state);
}

/* Numbers of very different sizes, so that the order of additions shows in the sum. */
static float value_f32(uint64_t *state)
{
    return ldexpf((float)(int32_t)random_next(state),
                  (int)(random_next(state) % 40) - 20);
}

static double value_f64(uint64_t *state)
{
    return ldexp((double)(int64_t)random_next(state),
                 (int)(random_next(state) % 80) - 40);
}

VALUE_TYPES(DEFINE_ANSWERS)

DEVICE_TEST_EACH(reductions_scans_and_broadcasts_follow_the_model,
                 G_N_ELEMENTS(local_sizes))
{
    size_t local = local_sizes[_i], n = 3 * local;
    for (size_t k = 0; k < G_N_ELEMENTS(sub_group_sizes); k++) {
        struct weir_nd_range range = weir_nd_range_1d(n, local);
#define X(s, T, U) check_##s(device, range, n, local, sub_group_sizes[k], (uint64_t)_i);
        VALUE_TYPES(X)
#undef X
    }
}

/* Groups that are contiguous in the global linear id: the whole of the other
 * dimensions is one group. */
DEVICE_TEST(the_model_holds_in_two_and_three_dimensions)
{
    for (size_t k = 0; k < G_N_ELEMENTS(sub_group_sizes); k++) {
#define X(s, T, U)                                                                     \
    check_##s(device, weir_nd_range_2d(6, 11, 2, 11), 66, 22, sub_group_sizes[k], 1);  \
    check_##s(device, weir_nd_range_3d(3, 5, 7, 1, 5, 7), 105, 35, sub_group_sizes[k], \
              2);
        VALUE_TYPES(X)
#undef X
    }
}

/* ---- Votes --------------------------------------------------------------- */

typedef struct {
    const uint64_t *condition;
    uint8_t *votes; /* one an item: bits of the six answers */
} vote_args;

WEIR_KERNEL(vote, vote_args)
{
    size_t i = weir_global_id(item, 0);
    uint64_t condition = args->condition[i];
    unsigned votes = weir_group_any(item, condition) ? 1 : 0;
    votes |= weir_group_all(item, condition) ? 2 : 0;
    votes |= weir_group_none(item, condition) ? 4 : 0;
    votes |= weir_sub_group_any(item, condition) ? 8 : 0;
    votes |= weir_sub_group_all(item, condition) ? 16 : 0;
    votes |= weir_sub_group_none(item, condition) ? 32 : 0;
    args->votes[i] = (uint8_t)votes;
}

static unsigned model_votes(const uint64_t *condition, size_t n)
{
    size_t n_true = 0;
    for (size_t i = 0; i < n; i++) {
        n_true += condition[i] != 0;
    }
    return (n_true > 0 ? 1u : 0) | (n_true == n ? 2u : 0) | (n_true == 0 ? 4u : 0);
}

static void expect_votes(struct weir_device *device, const uint64_t *condition,
                         uint8_t *votes, size_t local, uint32_t sub_group_size)
{
    LAUNCH_SILENT(device, &vote, weir_nd_range_1d(local, local),
                  (&(vote_args){ condition, votes }),
                  (&(struct weir_launch_options){ .workers = 1,
                                                  .sub_group_size = sub_group_size }));
    unsigned of_group = model_votes(condition, local);
    for (size_t i = 0; i < local; i++) {
        size_t first = i / sub_group_size * sub_group_size;
        unsigned of_sub_group
            = model_votes(condition + first, MIN(sub_group_size, local - first));
        EXPECT_ELEMENT(votes, i, of_group | of_sub_group << 3);
    }
}

DEVICE_TEST_EACH(any_all_and_none_count_whatever_is_not_zero, G_N_ELEMENTS(local_sizes))
{
    size_t local = local_sizes[_i];
    uint64_t *condition = weir_new(device, uint64_t, local, "condition");
    uint8_t *votes = weir_new(device, uint8_t, local, "votes");
    /* Values that a careless conversion to a narrower type takes for 0. */
    const uint64_t trues[] = { 1, 2, 0x100, (uint64_t)1 << 32, UINT64_MAX };
    for (size_t k = 0; k < G_N_ELEMENTS(sub_group_sizes); k++) {
        for (size_t i = 0; i < local; i++) {
            condition[i] = 0;
        }
        expect_votes(device, condition, votes, local, sub_group_sizes[k]);
        for (size_t one = 0; one < local; one += 1 + local / 20) {
            condition[one] = trues[one % G_N_ELEMENTS(trues)];
            expect_votes(device, condition, votes, local, sub_group_sizes[k]);
            condition[one] = 0;
        }
        for (size_t i = 0; i < local; i++) {
            condition[i] = trues[i % G_N_ELEMENTS(trues)];
        }
        expect_votes(device, condition, votes, local, sub_group_sizes[k]);
        for (size_t one = 0; one < local; one += 1 + local / 20) {
            condition[one] = 0;
            expect_votes(device, condition, votes, local, sub_group_sizes[k]);
            condition[one] = 1;
        }
    }
}

/* ---- Broadcasts from everywhere ------------------------------------------ */

typedef struct {
    int64_t *group;     /* [source][item] */
    int64_t *sub_group; /* the same, by a lane that every sub-group has */
    size_t n_lanes;
} broadcast_args;

WEIR_KERNEL(broadcast_from_each, broadcast_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int64_t value = (int64_t)lid * 1000000007;
    for (size_t source = 0; source < local; source++) {
        args->group[source * local + lid] = weir_group_broadcast(item, value, source);
    }
    for (size_t lane = 0; lane < args->n_lanes; lane++) {
        args->sub_group[lane * local + lid]
            = weir_sub_group_broadcast(item, value, lane);
    }
}

DEVICE_TEST(a_broadcast_comes_from_the_item_that_is_named)
{
    const size_t locals[] = { 1, 5, 16, 33, 40 };
    for (size_t k = 0; k < G_N_ELEMENTS(locals); k++) {
        size_t local = locals[k];
        for (size_t s = 0; s < G_N_ELEMENTS(sub_group_sizes); s++) {
            size_t size = sub_group_sizes[s];
            size_t n_lanes = local % size != 0 ? local % size : size;
            int64_t *group = weir_new(device, int64_t, local * local, "group");
            int64_t *sub_group
                = weir_new(device, int64_t, n_lanes * local, "sub_group");
            LAUNCH_SILENT(
                device, &broadcast_from_each, weir_nd_range_1d(local, local),
                (&(broadcast_args){ group, sub_group, n_lanes }),
                (&(struct weir_launch_options){ .sub_group_size = (uint32_t)size }));
            EXPECT_ELEMENTS(group, i, local * local, (int64_t)(i / local) * 1000000007);
            for (size_t i = 0; i < n_lanes * local; i++) {
                size_t lane = i / local, lid = i % local;
                EXPECT_ELEMENT(sub_group, i,
                               (int64_t)(lid / size * size + lane) * 1000000007);
            }
            weir_free(device, group);
            weir_free(device, sub_group);
        }
    }
}

/* ---- Promotion ----------------------------------------------------------- */

#define TYPE_NAME(x)                                                                   \
    _Generic((x), int                                                                  \
             : "int", unsigned                                                         \
             : "unsigned", long                                                        \
             : "long", unsigned long                                                   \
             : "unsigned long", float                                                  \
             : "float", double                                                         \
             : "double", default                                                       \
             : "another")

typedef struct {
    int64_t *sums;
    const char **names;
} promotion_args;

WEIR_KERNEL(promote, promotion_args)
{
    int8_t i8 = 100;
    uint8_t u8 = 200;
    int16_t i16 = -30000;
    uint16_t u16 = 60000;
    bool truth = true;
    char letter = 'x';
    int64_t sums[] = {
        weir_group_reduce_add(item, i8),
        weir_group_reduce_add(item, u8),
        weir_group_reduce_add(item, i16),
        weir_group_reduce_add(item, u16),
        weir_group_reduce_add(item, truth),
        weir_sub_group_reduce_max(item, letter),
        weir_sub_group_reduce_add(item, u16),
        weir_group_reduce_min(item, i8),
        weir_group_inclusive_scan_add(item, i16),
    };
    if (weir_local_id(item, 0) == weir_local_size(item, 0) - 1) {
        for (size_t i = 0; i < G_N_ELEMENTS(sums); i++) {
            args->sums[i] = sums[i];
        }
        args->names[0] = TYPE_NAME(weir_group_reduce_add(item, i8));
        args->names[1] = TYPE_NAME(weir_group_reduce_add(item, u16));
        args->names[2] = TYPE_NAME(weir_group_reduce_add(item, truth));
        args->names[3] = TYPE_NAME(weir_group_reduce_add(item, 1u));
        args->names[4] = TYPE_NAME(weir_group_reduce_add(item, (int64_t)1));
        args->names[5] = TYPE_NAME(weir_group_reduce_add(item, (uint64_t)1));
        args->names[6] = TYPE_NAME(weir_group_reduce_add(item, 1.0f));
        args->names[7] = TYPE_NAME(weir_group_reduce_add(item, 1.0));
        args->names[8] = TYPE_NAME(weir_sub_group_shuffle_xor(item, i16, 0));
    }
}

DEVICE_TEST(narrower_integers_are_promoted_to_int)
{
    int64_t *sums = weir_new(device, int64_t, 9, "sums");
    const char **names = weir_new(device, const char *, 9, "names");
    /* 10 items: sums leave the narrow types. */
    LAUNCH_SILENT(device, &promote, weir_nd_range_1d(10, 10),
                  (&(promotion_args){ sums, names }), NULL);
    const int64_t expected[]
        = { 1000, 2000, -300000, 600000, 10, 'x', 600000, 100, -300000 };
    EXPECT_ELEMENTS(sums, i, 9, expected[i]);
    const char *const types[]
        = { "int",           "int",   "int",    "unsigned", "long",
            "unsigned long", "float", "double", "int" };
    for (size_t i = 0; i < 9; i++) {
        ck_assert_str_eq(names[i], types[i]);
    }
}

/* ---- Sequences ----------------------------------------------------------- */

CASE("sequences");

typedef struct {
    int64_t *out;
} sequence_args;

/* Each one's result is the next one's input, and arguments may be collectives. */
WEIR_KERNEL(back_to_back, sequence_args)
{
    int64_t lid = (int64_t)weir_local_id(item, 0);
    int64_t value = lid + 1;
    for (int round = 0; round < 3; round++) {
        value = weir_group_inclusive_scan_add(item, value);
        value = weir_group_reduce_max(item, value) - value;
        value += weir_group_reduce_add(item, weir_group_broadcast(item, lid, 1) + 1);
        value %= 1000003;
    }
    args->out[weir_global_id(item, 0)] = value;
}

static void model_back_to_back(int64_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        value[i] = (int64_t)i + 1;
    }
    for (int round = 0; round < 3; round++) {
        int64_t greatest = INT64_MIN;
        for (size_t i = 0; i < n; i++) {
            value[i] += i > 0 ? value[i - 1] : 0;
        }
        for (size_t i = 0; i < n; i++) {
            greatest = MAX(greatest, value[i]);
        }
        for (size_t i = 0; i < n; i++) {
            value[i] = (greatest - value[i] + 2 * (int64_t)n) % 1000003;
        }
    }
}

DEVICE_TEST(collectives_may_follow_each_other_at_once)
{
    int64_t expected[257];
    const size_t locals[] = { 2, 3, 8, 33, 100, 256, 257 };
    for (size_t k = 0; k < G_N_ELEMENTS(locals); k++) {
        size_t local = locals[k], n = 4 * local;
        int64_t *out = weir_new(device, int64_t, n, "out");
        model_back_to_back(expected, local);
        FOR_EACH_WORKERS(workers)
        {
            LAUNCH_SILENT(device, &back_to_back, weir_nd_range_1d(n, local),
                          (&(sequence_args){ out }), WITH_WORKERS(workers));
            EXPECT_ELEMENTS(out, i, n, expected[i % local]);
        }
        weir_free(device, out);
    }
}

/* A collective is a barrier for memory too. */
WEIR_KERNEL(collectives_order_memory, sequence_args)
{
    size_t local = weir_local_size(item, 0), lid = weir_local_id(item, 0);
    int64_t *scratch = weir_local_array(item, int64_t, local);
    int64_t sum = 0;
    scratch[lid] = (int64_t)lid;
    sum += weir_group_reduce_add(item, 1);
    sum += scratch[(lid + 1) % local];
    sum += weir_group_any(item, lid == 0);
    scratch[lid] = (int64_t)lid * 2;
    sum += weir_group_broadcast(item, 5, 0);
    sum += scratch[(lid + 2) % local];
    args->out[weir_global_id(item, 0)] = sum;
}

WORKERS_TEST(a_collective_is_a_barrier_for_memory)
{
    enum { LOCAL = 37, N = LOCAL * 3 };
    int64_t *out = weir_new(device, int64_t, N, "out");
    LAUNCH_SILENT(device, &collectives_order_memory, weir_nd_range_1d(N, LOCAL),
                  (&(sequence_args){ out }), WITH_WORKERS(workers));
    for (size_t i = 0; i < N; i++) {
        size_t lid = i % LOCAL;
        EXPECT_ELEMENT(out, i,
                       LOCAL + (lid + 1) % LOCAL + 1 + 5 + (lid + 2) % LOCAL * 2);
    }
}

/* Sub-groups meet as often as they like between two meetings of the group. */
WEIR_KERNEL(sub_groups_at_their_own_pace, sequence_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    uint32_t lane = weir_sub_group_local_id(item), size = weir_sub_group_size(item);
    size_t first = lid - lane;
    int64_t *scratch = weir_local_array(item, int64_t, local);
    int64_t value = (int64_t)lid;
    for (int phase = 0; phase < 3; phase++) {
        for (uint32_t round = 0; round <= weir_sub_group_id(item); round++) {
            scratch[lid] = value;
            weir_sub_group_barrier(item);
            value = scratch[first + (lane + 1) % size];
            weir_sub_group_barrier(item);
        }
        scratch[lid] = value;
        weir_barrier(item, WEIR_LOCAL);
        value = scratch[local - 1 - lid];
        weir_barrier(item, WEIR_LOCAL);
        value += weir_sub_group_reduce_max(item, (int32_t)lane);
    }
    args->out[weir_global_id(item, 0)] = value;
}

static void model_own_pace(int64_t *value, size_t local, size_t sub_group_size)
{
    int64_t next[512];
    for (size_t i = 0; i < local; i++) {
        value[i] = (int64_t)i;
    }
    for (int phase = 0; phase < 3; phase++) {
        for (size_t first = 0; first < local; first += sub_group_size) {
            size_t size = MIN(sub_group_size, local - first);
            size_t rounds = first / sub_group_size + 1;
            for (size_t lane = 0; lane < size; lane++) {
                next[first + lane] = value[first + (lane + rounds) % size];
            }
        }
        for (size_t i = 0; i < local; i++) {
            size_t first = i / sub_group_size * sub_group_size;
            value[i]
                = next[local - 1 - i] + (int64_t)MIN(sub_group_size, local - first) - 1;
        }
    }
}

DEVICE_TEST(sub_group_barriers_and_group_barriers_interleave)
{
    int64_t expected[512];
    const size_t locals[] = { 1, 8, 9, 20, 33, 64, 100, 300 };
    for (size_t k = 0; k < G_N_ELEMENTS(locals); k++) {
        size_t local = locals[k], n = 3 * local;
        int64_t *out = weir_new(device, int64_t, n, "out");
        for (size_t s = 0; s < G_N_ELEMENTS(sub_group_sizes); s++) {
            model_own_pace(expected, local, sub_group_sizes[s]);
            FOR_EACH_WORKERS(workers)
            {
                struct weir_launch_options options
                    = { .workers = (uint32_t)workers,
                        .sub_group_size = sub_group_sizes[s] };
                LAUNCH_SILENT(device, &sub_groups_at_their_own_pace,
                              weir_nd_range_1d(n, local), (&(sequence_args){ out }),
                              &options);
                EXPECT_ELEMENTS(out, i, n, expected[i % local]);
            }
        }
        weir_free(device, out);
    }
}

MAIN("collective")
