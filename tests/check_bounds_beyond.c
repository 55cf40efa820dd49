/* SPDX-License-Identifier: MIT
 *
 * check_bounds_beyond.c: pointers that lead far from where they were meant to: an index
 * that is very wrong, local memory that was kept from one launch to the next. Each is
 * found in a checked launch with the object that was meant, and says what would fix
 * it; and has a neighbour that is right and draws nothing.
 *
 * This file is instrumented, so the kernels are. */
#include "accesses.h"

#include <sys/mman.h>

enum { LOCAL = 8, GROUPS = 3, N = GROUPS * LOCAL };

typedef struct {
    int32_t *out;
    int32_t *in;
    int64_t index; /* of the second item of the second group, who alone is wrong */
    int32_t **slot;
} beyond_args;

static bool is_wrong(const struct weir_item *item)
{
    return weir_group_id(item, 0) == 1 && weir_local_id(item, 0) == 1;
}

/* expect: out-of-bounds in[index] */
WEIR_KERNEL(write_at, beyond_args)
{
    int64_t i = is_wrong(item) ? args->index : (int64_t)weir_global_id(item, 0);
    MARK(line_a, args->in[i] = 1);
    OUT(item, args) = 1;
}

/* expect: out-of-bounds local[index] */
WEIR_KERNEL(write_locally_at, beyond_args)
{
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    int64_t i = is_wrong(item) ? args->index : (int64_t)weir_local_id(item, 0);
    MARK(line_a, scratch[i] = 1);
    OUT(item, args) = 1;
}

static beyond_args new_args(struct weir_device *device)
{
    beyond_args args
        = { weir_new(device, int32_t, N, "out"), weir_new(device, int32_t, N, "in"), 0,
            weir_new(device, int32_t *, 1, "slot") };
    args.slot[0] = NULL;
    return args;
}

struct wrong {
    const struct weir_kernel *kernel;
    int64_t index;
    const char *says; /* in the message */
    const char *why;  /* in the reason, or NULL where there is none */
};

#define MIB ((int64_t)1024 * 1024)

static const struct wrong wrongs[] = {
    { &write_at, N, "in[24] of 24 elements", NULL },
    { &write_at, -1, "in[-1] of 24 elements", NULL },
    { &write_at, 10 * N, "in[240] of 24 elements", NULL },
    { &write_at, UINT32_MAX, "in[4294967295] of 24 elements",
      "a 32-bit index went below 0: as a signed number it is -1" },
    { &write_at, UINT32_MAX - 9, "in[4294967286] of 24 elements", "it is -10" },
    { &write_locally_at, LOCAL, "[8] of 8 elements", NULL },
    { &write_locally_at, -1, "[-1] of 8 elements", NULL },
    { &write_locally_at, UINT32_MAX, "[4294967295] of 8 elements",
      "a 32-bit index went below 0" },
    { &write_locally_at, MIB, "[1048576] of 8 elements", NULL },
};

CASE("index");

DEVICE_TEST_EACH(a_wrong_index_is_reported_with_what_made_it, G_N_ELEMENTS(wrongs))
{
    const struct wrong *wrong = &wrongs[_i];
    beyond_args args = new_args(device);
    for (size_t o = 0; o < N_ORDERS; o++) {
        args.index = wrong->index;
        struct weir_report *report
            = LAUNCH(device, wrong->kernel, weir_nd_range_1d(N, LOCAL), &args,
                     CHECKED(&orders[o]));
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, wrong->kernel->name);
        expect_contains(finding->message, wrong->says);
        expect_access(finding, "write", wrong->index);
        ck_assert_ptr_null(finding->fix); /* of a launch: no change was tried */
        if (wrong->why != NULL) {
            ck_assert_ptr_nonnull(finding->why);
            expect_contains(finding->why, wrong->why);
        } else {
            ck_assert_ptr_null(finding->why);
        }
        weir_report_free(report);
        args.index = wrong->kernel == &write_at ? LOCAL + 1 : 1; /* its own element */
        LAUNCH_SILENT(device, wrong->kernel, weir_nd_range_1d(N, LOCAL), &args,
                      CHECKED(&orders[o]));
    }
}

/* This file is without the sanitizer that the library may have. */
extern void __asan_init(void) __attribute__((weak));

/* A checker of addresses has memory everywhere. */
DEVICE_TEST_EACH(an_index_that_is_far_out_is_reported_with_its_distance, N_ORDERS,
                 .skip = __asan_init != NULL || under_valgrind())
{
    size_t bytes = (size_t)(256 * MIB); /* room in which nothing is */
    char *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(room, bytes);
    beyond_args args = new_args(device);
    args.index = -10 * MIB;
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_OUT_OF_BOUNDS, device, &write_at,
                         weir_nd_range_1d(N, LOCAL), &args, CHECKED(&orders[_i]));
    expect_contains(finding->message, "if the nearest is meant: unmapped memory");
    expect_contains(finding->message, " bytes before its start");
    ck_assert_ptr_nonnull(finding->object);
    ck_assert_str_eq(finding->space, "global");
    ck_assert_uint_eq(finding->parties->line, line_of(&line_a));
}

/* ---- From one launch to the next ------------------------------------------------ */

CASE("launches");

WEIR_KERNEL(keep_local_memory, beyond_args)
{
    int32_t *other = weir_local_array(item, int32_t, 2 * LOCAL);
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    scratch[weir_local_id(item, 0)] = 1;
    other[weir_local_id(item, 0)] = 1;
    if (weir_global_id(item, 0) == 0) {
        args->slot[0] = scratch;
    }
}

/* expect: use-after-free: where the slot is of the launch before */
WEIR_KERNEL(use_what_was_kept, beyond_args)
{
    int32_t *own = weir_local_array(item, int32_t, LOCAL);
    size_t lid = weir_local_id(item, 0);
    own[lid] = 1;
    int32_t *from = args->index != 0 && is_wrong(item) ? args->slot[0] : own;
    MARK(line_a, OUT(item, args) = from[lid]);
}

DEVICE_TEST_EACH(local_memory_ends_with_its_launch, N_ORDERS)
{
    beyond_args args = new_args(device);
    struct weir_nd_range range = weir_nd_range_1d(N, LOCAL);
    for (size_t others = 0; others < 4; others++) {
        LAUNCH_SILENT(device, &keep_local_memory, range, &args, CHECKED(&orders[_i]));
        args.index = 0;
        for (size_t i = 0; i < others; i++) { /* which may get its addresses */
            LAUNCH_SILENT(device, &use_what_was_kept, range, &args,
                          CHECKED(&orders[_i]));
        }
        args.index = 1;
        g_autoptr(weir_report) report
            = LAUNCH(device, &use_what_was_kept, range, &args, CHECKED(&orders[_i]));
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_USE_AFTER_FREE, "use_what_was_kept");
        expect_contains(finding->message, "[1] of 8 elements");
        expect_contains(finding->message, "local memory of an earlier launch");
        ck_assert_str_eq(finding->space, "local");
        expect_local_array(finding);
        expect_access(finding, "read", 1);
    }
}

/* Address space is kept of a few launches only. */
DEVICE_TEST(a_thousand_launches_leave_no_more_than_a_few)
{
    beyond_args args = new_args(device);
    struct weir_nd_range range = weir_nd_range_1d(N, LOCAL);
    size_t n_maps[2] = { 0 };
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < scaled(500, 20); i++) {
            LAUNCH_SILENT(device, &keep_local_memory, range, &args,
                          CHECKED(&orders[0]));
        }
        g_autofree char *text = NULL;
        ck_assert(g_file_get_contents("/proc/self/maps", &text, NULL, NULL));
        for (const char *at = text; *at != '\0'; at++) {
            n_maps[round] += *at == '\n';
        }
    }
    ck_assert_msg(n_maps[1] < n_maps[0] + 20, "from %zu to %zu mappings", n_maps[0],
                  n_maps[1]);
}

/* Without the check it is the processor that finds the access. */
DEVICE_TEST(a_fault_names_local_memory_of_an_earlier_launch,
            .skip = __asan_init != NULL || under_valgrind())
{
    beyond_args args = new_args(device);
    struct weir_nd_range range = weir_nd_range_1d(N, LOCAL);
    LAUNCH_SILENT(device, &keep_local_memory, range, &args, CHECKED(&orders[0]));
    args.index = 1;
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_FAULT, device, &use_what_was_kept, range, &args,
                         (&(struct weir_launch_options){ .schedule = "in-order" }));
    expect_contains(finding->message, "[1], local memory of an earlier launch");
}

MAIN("bounds beyond")
