/* SPDX-License-Identifier: MIT
 *
 * check_bounds_edges.c: where objects end. Accesses beside a buffer or a local array,
 * be it by one byte, are found in a checked launch under every schedule, with the
 * object, the index, the item and the line; the last element that is there draws
 * nothing. And how such a finding is reported: of the group's first item that does it,
 * with the calls on the way, and in kernels and ranges of every form.
 *
 * This file is instrumented, so the kernels are. */
#include "bounds.h"

/* ---- Buffers --------------------------------------------------------------------- */

CASE("buffers");

static bool is_last(const struct weir_item *item)
{
    return weir_local_id(item, 0) == weir_local_size(item, 0) - 1;
}

/* expect: out-of-bounds in[72]: the last item of group 1 writes after the end */
WEIR_KERNEL(one_past_the_end, bounds_args)
{
    size_t i = weir_global_id(item, 0);
    if (IS_WRONG(item, args) && is_last(item)) {
        i = N;
    }
    MARK(line_a, args->in[i] = 1);
    THROUGH(item, args);
}

/* expect: out-of-bounds in[-1]: the first item of group 1 reads before the start */
WEIR_KERNEL(one_before_the_start, bounds_args)
{
    ptrdiff_t i = (ptrdiff_t)weir_local_id(item, 0) - IS_WRONG(item, args);
    MARK(line_a, OUT(item, args) = args->in[i] + 1);
}

/* expect: out-of-bounds in[-1]: the last byte before in[0] */
WEIR_KERNEL(one_byte_before_the_start, bounds_args)
{
    ptrdiff_t i = (ptrdiff_t)weir_local_id(item, 0) - IS_WRONG(item, args);
    MARK(line_a, OUT(item, args) = ((char *)args->in)[i] + 1);
}

DEVICE_TEST_EACH(the_elements_around_a_buffer_are_not_its_own, N_ORDERS)
{
    FOUND(one_byte_before_the_start, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", -1, 0,
          "read", "in[-1] of 72 elements");
    FOUND(one_past_the_end, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", N, LOCAL - 1,
          "write", "in[72] of 72 elements");
    FOUND(one_before_the_start, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", -1, 0,
          "read", "in[-1] of 72 elements");
}

typedef struct {
    int32_t *data;
    size_t index;
} page_args;

/* expect: out-of-bounds where the index is not an element */
WEIR_KERNEL(whole_pages, page_args)
{
    args->data[args->index] = 1;
}

/* Buffers fill whole pages, so that the next byte is another mapping. */
DEVICE_TEST(buffers_of_whole_pages_do_not_touch)
{
    int32_t *data[5];
    enum { WORDS = 1024 };
    for (size_t i = 0; i < G_N_ELEMENTS(data); i++) {
        char name[] = { (char)('a' + i), '\0' };
        data[i] = weir_new(device, int32_t, WORDS << (i == 4 ? 10 : 0), name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(data); i++) {
        size_t n = WORDS << (i == 4 ? 10 : 0);
        const size_t wrong[] = { n, n + 1, n + 16383, (size_t)-1, (size_t)-16384 };
        for (size_t k = 0; k < G_N_ELEMENTS(wrong); k++) {
            page_args args = { data[i], wrong[k] };
            g_autoptr(weir_report) report
                = LAUNCH(device, &whole_pages, weir_nd_range_1d(1, 1), &args,
                         CHECKED(&orders[0]));
            const struct weir_finding *finding
                = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "whole_pages");
            ck_assert_int_eq(finding->object[0], (char)('a' + i));
            ck_assert_int_eq(finding->index, (int64_t)wrong[k]);
        }
        page_args right = { data[i], n - 1 };
        LAUNCH_SILENT(device, &whole_pages, weir_nd_range_1d(1, 1), &right,
                      CHECKED(&orders[0]));
    }
}

/* expect: out-of-bounds in[72]: eight bytes of which four are there */
WEIR_KERNEL(half_past_the_end, bounds_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *from = args->in + (IS_WRONG(item, args) && i == 3 ? N - 1 : 2 * i);
    MARK(line_a, OUT(item, args) = (int32_t)(*(int64_t *)OPAQUE((char *)from) + 1));
}

DEVICE_TEST_EACH(an_access_that_crosses_the_end_is_found, N_ORDERS)
{
    FOUND(half_past_the_end, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", N, 3, "read",
          "in[72] of 72 elements");
}

/* expect: out-of-bounds in[72]: an atomic after the end */
WEIR_KERNEL(atomic_past_the_end, bounds_args)
{
    size_t i = IS_WRONG(item, args) && is_last(item) ? N : weir_global_id(item, 0);
    MARK(line_a, ADD_1(args->in + i, device));
    THROUGH(item, args);
}

DEVICE_TEST_EACH(an_atomic_is_an_access_too, N_ORDERS)
{
    FOUND(atomic_past_the_end, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", N, LOCAL - 1,
          "atomic fetch_add", "in[72] of 72 elements");
    struct setting setting = open_setting(device, GROUPS);
    setting.args.wrong = 1;
    g_autoptr(weir_report) report = launch(&setting, &atomic_past_the_end, &orders[_i]);
    const struct weir_party *party = weir_report_finding(report, 0)->parties;
    ck_assert_str_eq(party->order, "relaxed");
    ck_assert_str_eq(party->scope, "device");
}

/* ---- Local memory ---------------------------------------------------------------- */

CASE("local");

/* expect: out-of-bounds local[-1]: the first item of group 1 looks to its left */
WEIR_KERNEL(left_of_a_local_array, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    scratch[lid] = 1;
    weir_barrier(item, WEIR_LOCAL);
    ptrdiff_t left = lid > 0 ? (ptrdiff_t)lid - 1 : 0;
    if (IS_WRONG(item, args)) {
        left = (ptrdiff_t)lid - 1;
    }
    MARK(line_a, OUT(item, args) = scratch[left]);
}

/* expect: out-of-bounds local[24]: the last item of group 1 writes into the next one */
WEIR_KERNEL(into_the_next_local_array, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    int32_t *before = weir_local_array(item, int32_t, LOCAL);
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    int32_t *after = weir_local_array(item, int32_t, LOCAL);
    before[lid] = after[lid] = 0;
    lid += IS_WRONG(item, args);
    MARK(line_a, scratch[lid] = 1);
    THROUGH(item, args);
}

/* expect: out-of-bounds local[-1] of bytes: the array is as long as its alignment */
WEIR_KERNEL(exact_local_arrays, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    char *before = weir_local_array(item, char, 64);
    char *scratch = MARK(line_b, weir_local_array(item, char, 128));
    before[lid] = 0;
    long i = IS_WRONG(item, args) && lid == 5 ? -1 : (long)lid;
    MARK(line_a, scratch[i] = 1);
    THROUGH(item, args);
}

DEVICE_TEST_EACH(the_elements_around_a_local_array_are_not_its_own, N_ORDERS)
{
    FOUND(left_of_a_local_array, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", -1, 0,
          "read", "[-1] of 24 elements");
    FOUND(into_the_next_local_array, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local",
          LOCAL, LOCAL - 1, "write", "[24] of 24 elements");
    FOUND(exact_local_arrays, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", -1, 5,
          "write", "[-1] of 128 elements");
}

/* All of the device's local memory, in pieces, and all of them are there. */
WEIR_KERNEL(all_local_memory, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    char *pieces[16];
    for (size_t i = 0; i < 16; i++) {
        pieces[i] = weir_local_array(item, char, 4096);
    }
    (void)weir_local_array(item, char, 0);
    for (size_t i = lid; i < 16 * 4096; i += LOCAL) {
        pieces[i / 4096][i % 4096] = (char)i;
    }
    weir_barrier(item, WEIR_LOCAL);
    bool right = true;
    for (size_t i = lid; i < 16 * 4096; i += LOCAL) {
        right = right && pieces[i / 4096][i % 4096] == (char)i;
    }
    args->out[weir_global_id(item, 0)] = right;
}

/* expect: local-memory: one byte more than there is */
WEIR_KERNEL(more_local_memory, bounds_args)
{
    (void)weir_local_array(item, char, 65536 - 64);
    (void)weir_local_array(item, char, 64 + (size_t)(args->wrong >= 0));
    THROUGH(item, args);
}

DEVICE_TEST(what_lies_between_local_arrays_is_not_the_devices)
{
    struct setting setting = open_setting(device, GROUPS);
    expect_quiet(launch(&setting, &all_local_memory, &orders[0]), &all_local_memory,
                 &orders[0], LOCAL);
    expect_all_through(&setting);
    expect_quiet(launch(&setting, &more_local_memory, &orders[0]), &more_local_memory,
                 &orders[0], LOCAL);
    setting.args.wrong = 1;
    g_autoptr(weir_report) report = launch(&setting, &more_local_memory, &orders[0]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_LOCAL_MEMORY, "more_local_memory");
    expect_contains(finding->message, "65 elements");
    expect_contains(finding->message, "64 of the device's 65536 bytes");
}

/* ---- How it is reported ---------------------------------------------------------- */

CASE("findings");

/* expect: out-of-bounds, of the item of group 1 that comes first */
WEIR_KERNEL(wrong_everywhere, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    if (IS_WRONG(item, args)) {
        if (lid % 2 == 0) {
            args->in[N + lid] = 1;
        } else {
            args->out[N + lid] = 1;
        }
        weir_barrier(item, WEIR_LOCAL);
        *(int32_t *)args->pointer = 1;
    }
    THROUGH(item, args);
}

DEVICE_TEST_EACH(an_abandoned_group_says_no_more, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    setting.args.wrong = 1;
    g_autoptr(weir_report) report = launch(&setting, &wrong_everywhere, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "wrong_everywhere");
    ck_assert_uint_eq(finding->count, 1);
    EXPECT_ELEMENTS(setting.args.out, i, N, i / LOCAL != 1);
}

/* Behind a call: the finding has the way to it. */
static __attribute__((noinline)) void store(int32_t *to, size_t i)
{
    MARK(line_a, to[i] = 1);
    __asm__ volatile("");
}

/* expect: out-of-bounds in store(), which the kernel calls at line_b */
WEIR_KERNEL(in_a_function, bounds_args)
{
    size_t i = IS_WRONG(item, args) && is_last(item) ? N : weir_global_id(item, 0);
    MARK(line_b, store(args->in, i));
    THROUGH(item, args);
}

DEVICE_TEST_EACH(the_calls_on_the_way_are_reported, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    setting.args.wrong = 1;
    g_autoptr(weir_report) report = launch(&setting, &in_a_function, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "in_a_function");
    const struct weir_party *party = finding->parties;
    ck_assert_str_eq(party->function, "store");
    ck_assert_uint_eq(party->line, line_of(&line_a));
    ck_assert_uint_eq(party->n_path, 1);
    ck_assert_str_eq(party->path[0].function, "kernel in_a_function");
    ck_assert_uint_eq(party->path[0].line, line_of(&line_b));
}

/* ---- Ranges, forms, options ------------------------------------------------------ */

/* expect: out-of-bounds: the loop of group 1 goes one too far */
WEIR_GROUP_KERNEL(a_group_kernel, bounds_args)
{
    bool wrong = (long)weir_group_index(group, 0) == args->wrong;
    int32_t *scratch = MARK(line_b, weir_group_local_array(group, int32_t, LOCAL));
    weir_for_each_item(item, group) {
        size_t lid = weir_local_id(item, 0);
        size_t i = wrong && lid == 9 ? LOCAL : lid;
        MARK(line_a, scratch[i] = 1);
        THROUGH(item, args);
    }
}

DEVICE_TEST_EACH(group_kernels_are_checked_too, N_ORDERS)
{
    FOUND(a_group_kernel, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", LOCAL, 9,
          "write", "[24] of 24 elements");
}

typedef struct {
    int32_t *out;
    size_t wrong; /* item, by global linear id */
} space_args;

/* expect: out-of-bounds out[192] */
WEIR_KERNEL(in_three_dimensions, space_args)
{
    size_t i = weir_global_linear_id(item);
    bool wrong
        = weir_group_linear_id(item) * 24 + weir_local_linear_id(item) == args->wrong;
    args->out[wrong ? 192 : i] = 1;
}

DEVICE_TEST_EACH(items_are_named_in_all_dimensions, N_ORDERS)
{
    space_args args = { weir_new(device, int32_t, 192, "out"), 5 * 24 + 17 };
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_OUT_OF_BOUNDS, device, &in_three_dimensions,
        weir_nd_range_3d(4, 6, 8, 2, 3, 4), &args, CHECKED(&orders[_i]));
    EXPECT_COORDINATES(finding->parties->group, 1, 0, 1);
    EXPECT_COORDINATES(finding->parties->item, 1, 1, 1);
    expect_contains(finding->message, "group (1,0,1), item (1,1,1): out[192] of 192");
}

DEVICE_TEST(options_of_a_check_are_looked_at)
{
    struct setting setting = open_setting(device, GROUPS);
    struct weir_nd_range range = weir_nd_range_1d(N, LOCAL);
#define REFUSED(part, ...)                                                             \
    EXPECT_REFUSED(setting.device, &one_past_the_end, range, &setting.args,            \
                   (&(struct weir_launch_options){ __VA_ARGS__ }),                     \
                   WEIR_ERROR_ARGUMENT, part)
    REFUSED("deterministic", .check = true);
    REFUSED("scope_rule 2", .schedule = "in-order", .check = true,
            .scope_rule = (enum weir_scope_rule)2);
    REFUSED("spaces 2", .schedule = "in-order", .check = true,
            .spaces = (enum weir_spaces)2);
    REFUSED("same_value 2", .schedule = "in-order", .check = true,
            .same_value = (enum weir_same_value)2);
    REFUSED("race_model 3", .schedule = "in-order", .check = true,
            .race_model = (enum weir_race_model)3);
    REFUSED("option check", .schedule = "in-order", .scope_rule = WEIR_SCOPE_RULE_SAME);
#undef REFUSED
    LAUNCH_SILENT(setting.device, &one_past_the_end, range, &setting.args,
                  UNDER(&orders[0], .check = true, .scope_rule = WEIR_SCOPE_RULE_SAME,
                        .spaces = WEIR_SPACES_OPENCL,
                        .same_value = WEIR_SAME_VALUE_NOTE,
                        .race_model = WEIR_RACE_MODEL_PTX));
}

MAIN("bounds: edges")
