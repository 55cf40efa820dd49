/* SPDX-License-Identifier: MIT
 *
 * check_local.c: local memory: one array for all items of a group, another for
 * every call, within the device's limit, and a finding where items differ. What
 * a fresh array holds is garbage, which no test looks at. */
#include "support.h"

typedef struct {
    uint64_t *out;
    size_t parameter;
} local_args;

_Atomic uint32_t line_first, line_second;

static const struct weir_finding *only_local(const struct weir_report *report,
                                             const struct weir_kernel *kernel)
{
    return only_finding(report, WEIR_FINDING_LOCAL_MEMORY, kernel->name);
}

static void expect_line(const struct weir_finding *finding, uint32_t line)
{
    const struct weir_party *party = &finding->parties[0];
    ck_assert_ptr_nonnull(party->file);
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_uint_eq(party->line, line);
}

/* ---- Arrays are shared, distinct and aligned ----------------------------- */

CASE("arrays");

struct triple {
    double a, b, c;
};
typedef float vector __attribute__((vector_size(32)));

/* Records the address of each array, from each item. */
WEIR_KERNEL(tell_addresses, local_args)
{
    size_t local = weir_local_size(item, 0);
    void *arrays[] = {
        weir_local_array(item, char, 1),
        weir_local_array(item, int16_t, 3),
        weir_local_array(item, int32_t, local),
        weir_local_array(item, double, 5),
        weir_local_array(item, struct triple, local),
        weir_local_array(item, vector, 2),
        weir_local_array(item, void *, 0),
        weir_local_array(item, char, 100),
    };
    for (size_t k = 0; k < G_N_ELEMENTS(arrays); k++) {
        args->out[weir_global_id(item, 0) * 8 + k] = (uintptr_t)arrays[k];
    }
    weir_barrier(item, WEIR_LOCAL);
    (void)weir_local_array(item, int32_t, 4); /* after a wait too */
}

DEVICE_TEST(arrays_are_the_same_for_all_items_distinct_and_aligned)
{
    const size_t locals[] = { 1, 7, 64, 256 };
    for (size_t l = 0; l < G_N_ELEMENTS(locals); l++) {
        size_t local = locals[l], n = 3 * local;
        const size_t bytes[]
            = { 1, 6, 4 * local, 40, sizeof(struct triple) * local, 64, 0, 100 };
        uint64_t *out = weir_new(device, uint64_t, n * 8, "out");
        FOR_EACH_WORKERS(workers)
        {
            LAUNCH_SILENT(device, &tell_addresses, weir_nd_range_1d(n, local),
                          (&(local_args){ out, 0 }), WITH_WORKERS(workers));
            for (size_t i = 0; i < n; i++) {
                const uint64_t *first = out + i / local * local * 8;
                for (size_t k = 0; k < 8; k++) {
                    EXPECT(out[i * 8 + k] == first[k], "item %zu has another array %zu",
                           i, k);
                    EXPECT(first[k] != 0 && first[k] % 64 == 0,
                           "array %zu is not aligned", k);
                    for (size_t j = 0; j < k; j++) {
                        EXPECT(first[j] + bytes[j] <= first[k]
                                   || first[k] + bytes[k] <= first[j],
                               "arrays %zu and %zu overlap", j, k);
                    }
                }
            }
        }
        weir_free(device, out);
    }
}

/* Each call is an array of its own, in a loop as well. */
WEIR_KERNEL(arrays_in_a_loop, local_args)
{
    int32_t *arrays[10];
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    for (int32_t k = 0; k < 10; k++) {
        arrays[k] = weir_local_array(item, int32_t, local);
        arrays[k][lid] = (int32_t)lid * 10 + k;
    }
    weir_barrier(item, WEIR_LOCAL);
    int32_t sum = 0;
    for (int32_t k = 0; k < 10; k++) {
        sum += arrays[k][(lid + (size_t)k) % local];
    }
    args->out[weir_global_id(item, 0)] = (uint64_t)sum;
}

WORKERS_TEST(every_call_in_a_loop_is_another_array)
{
    enum { LOCAL = 12, N = 5 * LOCAL };
    uint64_t *out = weir_new(device, uint64_t, N, "out");
    LAUNCH_SILENT(device, &arrays_in_a_loop, weir_nd_range_1d(N, LOCAL),
                  (&(local_args){ out, 0 }), WITH_WORKERS(workers));
    for (size_t i = 0; i < N; i++) {
        uint64_t sum = 45;
        for (size_t k = 0; k < 10; k++) {
            sum += (i % LOCAL + k) % LOCAL * 10;
        }
        EXPECT_ELEMENT(out, i, sum);
    }
}

/* Groups that run at the same time on several workers, one after the other on
 * one of them: what a group has written it finds again, whole. */
WEIR_KERNEL(fill_and_read, local_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    size_t count = args->parameter;
    uint64_t *array = weir_local_array(item, uint64_t, count);
    uint64_t wrong = 0;
    for (int round = 0; round < 3; round++) {
        uint64_t pattern = weir_group_linear_id(item) * 16 + (uint64_t)round;
        for (size_t k = lid; k < count; k += local) {
            array[k] = pattern ^ k << 40;
        }
        weir_barrier(item, WEIR_LOCAL);
        for (size_t k = 0; k < count; k += 1 + count / 64) {
            wrong += array[k] != (pattern ^ k << 40);
        }
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = wrong;
}

WORKERS_TEST(groups_do_not_share_local_memory)
{
    enum { LOCAL = 16 };
    size_t n = scaled(60, 4) * LOCAL;
    uint64_t *out = weir_new(device, uint64_t, n, "out");
    LAUNCH_SILENT(device, &fill_and_read, weir_nd_range_1d(n, LOCAL),
                  (&(local_args){ out, 8192 }), WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, n, 0);
}

/* ---- The limit ----------------------------------------------------------- */

CASE("limit");

/* One array of `parameter` bytes; its last byte is used. */
WEIR_KERNEL(one_array, local_args)
{
    char *bytes = MARK(line_first, weir_local_array(item, char, args->parameter));
    if (weir_local_id(item, 0) == 0) {
        bytes[args->parameter - 1] = 1;
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* Two arrays whose sum may be too large. */
WEIR_KERNEL(two_arrays, local_args)
{
    char *first = MARK(line_first, weir_local_array(item, char, 32768));
    char *second = MARK(line_second, weir_local_array(item, char, args->parameter));
    if (weir_local_id(item, 0) == 0) {
        first[32767] = 1;
        second[args->parameter - 1] = 1;
    }
    args->out[weir_global_id(item, 0)] = 1;
}

static void expect_fits(struct weir_device *device, const struct weir_kernel *kernel,
                        size_t bytes)
{
    uint64_t *out = weir_new(device, uint64_t, 32, "out");
    FOR_EACH_WORKERS(workers)
    {
        LAUNCH_SILENT(device, kernel, weir_nd_range_1d(32, 8),
                      (&(local_args){ out, bytes }), WITH_WORKERS(workers));
    }
    EXPECT_ELEMENTS(out, i, 32, 1);
    weir_free(device, out);
}

static void expect_does_not_fit(struct weir_device *device,
                                const struct weir_kernel *kernel, size_t bytes,
                                _Atomic uint32_t *line)
{
    uint64_t *out = weir_new(device, uint64_t, 32, "out");
    FOR_EACH_WORKERS(workers)
    {
        g_autoptr(weir_report) report
            = LAUNCH(device, kernel, weir_nd_range_1d(32, 8),
                     (&(local_args){ out, bytes }), WITH_WORKERS(workers));
        const struct weir_finding *finding = only_local(report, kernel);
        expect_line(finding, line_of(line));
        ck_assert_str_eq(finding->parties[0].operation, "weir_local_array");
        EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        ck_assert_uint_eq(finding->count, 4); /* in each group */
        char limit[32];
        g_snprintf(limit, sizeof(limit), "%" G_GUINT64_FORMAT,
                   weir_device_get(device, WEIR_DEVICE_LOCAL_MEM_SIZE));
        expect_contains(finding->message, limit);
    }
    for (size_t i = 0; i < 32; i++) {
        EXPECT_ELEMENT(out, i, 0); /* no item got past the call */
    }
    weir_free(device, out);
}

DEVICE_TEST(an_array_over_the_devices_limit_is_found)
{
    expect_does_not_fit(device, &one_array, 65537, &line_first);
    expect_does_not_fit(device, &one_array, (size_t)1 << 40, &line_first);
    expect_does_not_fit(device, &one_array, SIZE_MAX, &line_first);
    g_autoptr(weir_device) opencl12 = device_open("opencl12");
    expect_does_not_fit(opencl12, &one_array, 32769, &line_first);
}

DEVICE_TEST(an_array_of_exactly_the_limit_fits)
{
    expect_fits(device, &one_array, 65536);
    expect_fits(device, &one_array, 65535);
    expect_fits(device, &one_array, 1);
    g_autoptr(weir_device) opencl12 = device_open("opencl12");
    g_autoptr(weir_device) max1100 = device_open("max1100");
    expect_fits(opencl12, &one_array, 32768);
    expect_fits(max1100, &one_array, 131072);
}

DEVICE_TEST(arrays_that_fit_alone_but_not_together_are_found)
{
    expect_does_not_fit(device, &two_arrays, 32769, &line_second);
    expect_does_not_fit(device, &two_arrays, 65536, &line_second);
    expect_fits(device, &two_arrays, 32768);
}

/* A product that overflows is not a small array. */
WEIR_KERNEL(overflowing_array, local_args)
{
    uint64_t *array = weir_local_array(item, uint64_t, args->parameter);
    args->out[weir_global_id(item, 0)] = array != NULL;
}

DEVICE_TEST(a_size_that_overflows_is_found)
{
    uint64_t *out = weir_new(device, uint64_t, 8, "out");
    const size_t counts[] = { SIZE_MAX / 8 + 1, SIZE_MAX / 8 + 2, SIZE_MAX, 8193 };
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autoptr(weir_report) report
            = LAUNCH(device, &overflowing_array, weir_nd_range_1d(8, 8),
                     (&(local_args){ out, counts[i] }), NULL);
        only_local(report, &overflowing_array);
    }
    LAUNCH_SILENT(device, &overflowing_array, weir_nd_range_1d(8, 8),
                  (&(local_args){ out, 8192 }), NULL);
}

/* Only the second group asks for too much: the others are right. */
WEIR_KERNEL(greedy_second_group, local_args)
{
    size_t count = weir_group_id(item, 0) == args->parameter ? 100000 : 64;
    char *bytes = weir_local_array(item, char, count);
    bytes[weir_local_id(item, 0)] = 1;
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = 1;
}

WORKERS_TEST(one_group_over_the_limit_leaves_the_others_alone)
{
    uint64_t *out = weir_new(device, uint64_t, 80, "out");
    g_autoptr(weir_report) report
        = LAUNCH(device, &greedy_second_group, weir_nd_range_1d(80, 8),
                 (&(local_args){ out, 1 }), WITH_WORKERS(workers));
    const struct weir_finding *finding = only_local(report, &greedy_second_group);
    ck_assert_uint_eq(finding->count, 1);
    EXPECT_COORDINATES(finding->parties[0].group, 1, 0, 0);
    EXPECT_ELEMENTS(out, i, 80, i / 8 != 1);
    LAUNCH_SILENT(device, &greedy_second_group, weir_nd_range_1d(80, 8),
                  (&(local_args){ out, SIZE_MAX }), WITH_WORKERS(workers));
}

/* ---- Items that differ in their calls ------------------------------------ */

CASE("calls");

WEIR_KERNEL(count_by_item, local_args)
{
    size_t count = 16 + (weir_local_id(item, 0) == 5 ? args->parameter : 0);
    int32_t *array = MARK(line_first, weir_local_array(item, int32_t, count));
    args->out[weir_global_id(item, 0)] = array != NULL;
}

WEIR_KERNEL(type_by_item, local_args)
{
    void *array;
    if (weir_local_id(item, 0) >= 6 && args->parameter != 0) {
        array = MARK(line_second, weir_local_array(item, double, 16));
    } else {
        array = MARK(line_first, weir_local_array(item, int32_t, 16));
    }
    args->out[weir_global_id(item, 0)] = array != NULL;
}

/* The same type and count, but another call. */
WEIR_KERNEL(site_by_item, local_args)
{
    void *array;
    if (weir_local_id(item, 0) >= 6 && args->parameter != 0) {
        array = MARK(line_second, weir_local_array(item, int32_t, 16));
    } else {
        array = MARK(line_first, weir_local_array(item, int32_t, 16));
    }
    args->out[weir_global_id(item, 0)] = array != NULL;
}

WEIR_KERNEL(order_by_item, local_args)
{
    void *array = NULL;
    bool other = args->parameter != 0 && weir_local_id(item, 0) == 7;
    for (int k = 0; k < 2; k++) {
        if ((k == 0) != other) {
            array = MARK(line_first, weir_local_array(item, int32_t, 16));
        } else {
            array = MARK(line_second, weir_local_array(item, int64_t, 16));
        }
    }
    args->out[weir_global_id(item, 0)] = array != NULL;
}

static const struct {
    const struct weir_kernel *kernel;
    const char *item;       /* the first that differs */
    _Atomic uint32_t *line; /* of its call */
} differing[] = {
    { &count_by_item, "5", &line_first },
    { &type_by_item, "6", &line_second },
    { &site_by_item, "6", &line_second },
    { &order_by_item, "7", &line_second },
};

WORKERS_TEST_EACH(items_that_differ_in_a_call_are_found, G_N_ELEMENTS(differing))
{
    uint64_t *out = weir_new(device, uint64_t, 32, "out");
    const struct weir_kernel *kernel = differing[_i].kernel;
    g_autoptr(weir_report) report
        = LAUNCH(device, kernel, weir_nd_range_1d(32, 8), (&(local_args){ out, 4 }),
                 WITH_WORKERS(workers));
    const struct weir_finding *finding = only_local(report, kernel);
    expect_line(finding, line_of(differing[_i].line));
    ck_assert_str_eq(finding->parties[0].items, differing[_i].item);
    EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
    LAUNCH_SILENT(device, kernel, weir_nd_range_1d(32, 8), (&(local_args){ out, 0 }),
                  WITH_WORKERS(workers));
}

/* Items from `parameter` on skip the call. */
WEIR_KERNEL(some_skip, local_args)
{
    if (weir_local_id(item, 0) < args->parameter) {
        int32_t *array = MARK(line_first, weir_local_array(item, int32_t, 16));
        array[weir_local_id(item, 0)] = 1;
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* The same with a barrier that all reach afterwards. */
WEIR_KERNEL(some_skip_and_all_meet, local_args)
{
    if (weir_local_id(item, 0) < args->parameter) {
        int32_t *array = MARK(line_first, weir_local_array(item, int32_t, 16));
        array[weir_local_id(item, 0)] = 1;
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_id(item, 0)] = 1;
}

DEVICE_TEST(items_that_skip_a_call_are_found_at_the_end_of_the_group)
{
    uint64_t *out = weir_new(device, uint64_t, 24, "out");
    static const struct weir_kernel *const kernels[]
        = { &some_skip, &some_skip_and_all_meet };
    for (size_t k = 0; k < G_N_ELEMENTS(kernels); k++) {
        FOR_EACH_WORKERS(workers)
        {
            memset(out, 0, 24 * sizeof(*out));
            struct weir_report *report
                = LAUNCH(device, kernels[k], weir_nd_range_1d(24, 8),
                         (&(local_args){ out, 7 }), WITH_WORKERS(workers));
            const struct weir_finding *finding = only_local(report, kernels[k]);
            expect_line(finding, line_of(&line_first));
            expect_contains(finding->message, "7 of 8 items");
            ck_assert_uint_eq(finding->count, 3);
            weir_report_free(report);
            for (size_t i = 0; i < 24; i++) { /* the group went on to its end */
                EXPECT_ELEMENT(out, i, 1);
            }
            LAUNCH_SILENT(device, kernels[k], weir_nd_range_1d(24, 8),
                          (&(local_args){ out, 8 }), WITH_WORKERS(workers));
            LAUNCH_SILENT(device, kernels[k], weir_nd_range_1d(24, 8),
                          (&(local_args){ out, 0 }), WITH_WORKERS(workers));
        }
    }
}

/* ---- Hierarchical kernels ------------------------------------------------ */

CASE("hierarchical");

WEIR_GROUP_KERNEL(group_arrays, local_args)
{
    size_t local = weir_group_size(group, 0);
    uint32_t *first = weir_group_local_array(group, uint32_t, local);
    uint64_t *second = weir_group_local_array(group, uint64_t, local);
    uint64_t bad = (uintptr_t)first % 64 + (uintptr_t)second % 64
        + ((void *)(first + local) > (void *)second);
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        first[lid] = (uint32_t)weir_global_id(item, 0);
        second[lid] = weir_global_id(item, 0) * 2;
    }
    weir_for_each_item(item, group) {
        size_t next = (weir_local_id(item, 0) + 1) % local;
        args->out[weir_global_id(item, 0)] = first[next] + second[next] + bad * 1000000;
    }
}

WORKERS_TEST(a_hierarchical_kernel_has_local_arrays_too)
{
    enum { LOCAL = 10, N = 7 * LOCAL };
    uint64_t *out = weir_new(device, uint64_t, N, "out");
    LAUNCH_SILENT(device, &group_arrays, weir_nd_range_1d(N, LOCAL),
                  (&(local_args){ out, 0 }), WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, N, (i / LOCAL * LOCAL + (i + 1) % LOCAL) * 3);
}

WEIR_GROUP_KERNEL(group_array_of, local_args)
{
    char *bytes
        = MARK(line_first, weir_group_local_array(group, char, args->parameter));
    bytes[args->parameter - 1] = 1;
    weir_for_each_item(item, group) {
        args->out[weir_global_id(item, 0)] = 1;
    }
}

DEVICE_TEST(a_hierarchical_kernel_has_the_same_limit)
{
    expect_does_not_fit(device, &group_array_of, 65537, &line_first);
    expect_fits(device, &group_array_of, 65536);
}

/* Group objects serve one group after the other; the limit stays the device's. */
DEVICE_TEST(the_limit_of_a_checked_launch_is_the_same_for_late_groups)
{
    enum { MANY = 40 };
    uint64_t *out = weir_new(device, uint64_t, MANY * 8, "out");
    const struct weir_launch_options options
        = { .schedule = "in-order", .check = true };
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_LOCAL_MEMORY, device, &greedy_second_group,
        weir_nd_range_1d(MANY * 8, 8), (&(local_args){ out, MANY - 1 }), &options);
    EXPECT_COORDINATES(finding->parties[0].group, MANY - 1, 0, 0);
    LAUNCH_SILENT(device, &greedy_second_group, weir_nd_range_1d(MANY * 8, 8),
                  (&(local_args){ out, SIZE_MAX }), &options);
}

MAIN("local")
