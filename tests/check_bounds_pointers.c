/* SPDX-License-Identifier: MIT
 *
 * check_bounds_pointers.c: pointers to memory that was freed, that belongs to another
 * group or item, that never was or is the host's, and to places where their type does
 * not fit. Each is found in a checked launch under every schedule, by the name of the
 * memory that is, or was, there; and each has a correct neighbour without a finding.
 *
 * This file is instrumented, so the kernels are. */
#include "bounds.h"

#include <glib/gstdio.h>

#define SHARED(object)                                                                 \
    weir_atomic_ref((object), memory_order_seq_cst, memory_scope_device)

/* ---- Local memory of others ------------------------------------------------------ */

CASE("local");

/* Groups see no more of each other's local memory than poison. */
WEIR_KERNEL(fresh_local_memory, bounds_args)
{
    uint32_t *scratch = weir_local_array(item, uint32_t, LOCAL);
    size_t lid = weir_local_id(item, 0);
    args->in[weir_global_id(item, 0)] = (int32_t)scratch[lid];
    scratch[lid] = 0;
    THROUGH(item, args);
}

DEVICE_TEST(local_memory_of_each_group_begins_with_the_same_poison)
{
    enum { MANY = 100 };
    struct setting setting = open_setting(device, MANY);
    weir_report_free(launch(&setting, &fresh_local_memory, &orders[0]));
    const int32_t *seen = setting.args.in;
    for (size_t i = 0; i < LOCAL; i++) {
        EXPECT(i == 0 || seen[i] != seen[i - 1], "no pattern at %zu", i);
        for (size_t group = 1; group < MANY; group++) {
            EXPECT_ELEMENT(seen, group * LOCAL + i, seen[i]);
        }
    }
}

/* expect: use-after-free local[0] of the group before, which has ended */
WEIR_KERNEL(a_pointer_outlives_its_group, bounds_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    scratch[weir_local_id(item, 0)] = 1;
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_store(SHARED(&args->slots[group]), scratch);
        size_t other = group - (args->wrong >= 0);
        if (group > 0) {
            int32_t *pointer = weir_atomic_load(SHARED(&args->slots[other]));
            MARK(line_a, OUT(item, args) = *pointer);
        }
    }
}

/* A device that runs one group after another. */
static char *serial_profile(void)
{
    char *path = NULL;
    int fd = g_file_open_tmp("weir-XXXXXX.profile", &path, NULL);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert(g_file_set_contents(
        path,
        "[device]\nsummary = one group\nmax_work_group_size = 1024\n"
        "local_mem_size = 65536\ncompute_units = 1\nsub_group_sizes = 16\n"
        "sub_group_size = 16\natomic_orders = relaxed;acquire;release;acq_rel;seq_cst\n"
        "atomic_scopes = work_item;sub_group;work_group;device;system\n"
        "fence_orders = relaxed;acquire;release;acq_rel;seq_cst\n"
        "fence_scopes = work_item;sub_group;work_group;device;system\n"
        "atomic64 = true\n",
        -1, NULL));
    return path;
}

TEST_EACH(local_memory_ends_with_its_group, N_ORDERS)
{
    enum { MANY = 40 }; /* more than the blocks that are used in turn */
    g_autofree char *profile = serial_profile();
    g_autoptr(weir_device) device = device_open(profile);
    struct setting setting = open_setting(device, MANY);
    const struct weir_kernel *kernel = &a_pointer_outlives_its_group;
    expect_quiet(launch(&setting, kernel, &orders[_i]), kernel, &orders[_i], LOCAL);
    setting.args.wrong = 1;
    g_autoptr(weir_report) report = launch(&setting, kernel, &orders[_i]);
    expect_wrong(report, kernel,
                 &(struct wrong){ WEIR_FINDING_USE_AFTER_FREE, "local", "local", 0, 0,
                                  "read",
                                  "local memory of group (0,0,0), which has ended" });
    ck_assert_uint_eq(weir_report_finding(report, 0)->count, MANY - 1);
    g_remove(profile);
}

/* expect: out-of-bounds local[3] of group 0, which waits until it is used */
WEIR_KERNEL(local_memory_of_a_neighbour, bounds_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    scratch[weir_local_id(item, 0)] = 1;
    weir_barrier(item, WEIR_LOCAL);
    if (group < 2 && weir_local_id(item, 0) == 0) {
        if (group == 0) {
            weir_atomic_store(SHARED(&args->slots[0]), scratch + 3);
            while (weir_atomic_load(SHARED(args->flag)) == 0) {}
        } else {
            int32_t *theirs;
            while ((theirs = weir_atomic_load(SHARED(&args->slots[0]))) == NULL) {}
            weir_atomic_store(SHARED(args->flag), 1);
            int32_t *pointer = args->wrong >= 0 ? theirs : scratch;
            MARK(line_a, OUT(item, args) = *pointer);
        }
    }
    THROUGH(item, args);
}

DEVICE_TEST(local_memory_is_its_groups_alone)
{
    for (size_t i = 0; i < 2; i++) { /* no write comes between the flag and the use */
        struct setting setting = open_setting(device, GROUPS);
        expect_found(&setting, &local_memory_of_a_neighbour, &orders[i],
                     &(struct wrong){ WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", 3,
                                      0, "read",
                                      "local memory of another group, (0,0,0)" });
    }
}

/* ---- Memory that was freed, and memory that never was ---------------------------- */

CASE("pointers");

/* expect: use-after-free: where the pointer's memory was freed */
WEIR_KERNEL(through_the_pointer, bounds_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *from = IS_WRONG(item, args) && i == 7 ? args->pointer : args->in;
    MARK(line_a, OUT(item, args) = from[i] + 1);
}

DEVICE_TEST_EACH(freed_memory_is_known_by_its_name, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    setting.args.pointer = weir_new(setting.device, int32_t, 100, "gone");
    setting.args.wrong = 1;
    expect_quiet(launch(&setting, &through_the_pointer, &orders[_i]),
                 &through_the_pointer, &orders[_i], LOCAL);
    weir_free(setting.device, setting.args.pointer);
    (void)weir_new(setting.device, int32_t, 100, "next");
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_USE_AFTER_FREE, "global", "gone", 7, 7,
                                  "read", "gone[7] of 100 elements" });
    setting.args.pointer = (int32_t *)setting.args.pointer + 93; /* after its end */
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_USE_AFTER_FREE, "global", "gone", 100, 7,
                                  "read", "gone[100] of 100 elements" });
}

DEVICE_TEST_EACH(a_null_pointer_is_out_of_bounds, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_OUT_OF_BOUNDS, NULL, NULL, 0, 7, "read",
                                  "null pointer and 28 bytes" });
    setting.args.pointer = (void *)-(7 * sizeof(int32_t));
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_OUT_OF_BOUNDS, NULL, NULL, 0, 7, "read",
                                  ": null pointer" });
}

/* expect: out-of-bounds private memory: item 1 of group 1 reads item 0's stack */
WEIR_KERNEL(private_memory_of_a_neighbour, bounds_args)
{
    size_t lid = weir_local_id(item, 0), group = weir_group_id(item, 0);
    int32_t own[4] = { 1, 1, 1, 1 };
    int32_t *mine = OPAQUE(&own[0]);
    if (lid == 0) {
        args->slots[group] = mine;
    }
    weir_barrier(item, WEIR_GLOBAL);
    int32_t *other = IS_WRONG(item, args) && lid == 1 ? args->slots[group] : mine;
    MARK(line_a, OUT(item, args) = *other);
    weir_barrier(item, WEIR_GLOBAL);
    THROUGH(item, args);
}

DEVICE_TEST_EACH(private_memory_is_its_items_alone, N_ORDERS)
{
    FOUND(private_memory_of_a_neighbour, WEIR_FINDING_OUT_OF_BOUNDS, "private", NULL, 0,
          1, "read", "private memory of another item");
}

/* expect: out-of-bounds arguments: the first item of group 1 writes them */
WEIR_KERNEL(writes_to_the_arguments, bounds_args)
{
    bounds_args *ours = (bounds_args *)OPAQUE(item->group->args);
    OUT(item, args) = ours->wrong > N;
    if (IS_WRONG(item, args) && weir_local_id(item, 0) == 0) {
        MARK(line_a, ours->pointer = NULL);
    }
    THROUGH(item, args);
}

DEVICE_TEST_EACH(arguments_are_read_only, N_ORDERS)
{
    FOUND(writes_to_the_arguments, WEIR_FINDING_OUT_OF_BOUNDS, NULL, NULL, 0, 0,
          "write", "arguments of the launch, which are read-only");
}

/* ---- Memory of the host ---------------------------------------------------------- */

CASE("host");

static const int32_t constants[] = { 1, 2, 3, 4 };
static const char *const words[] = { "a", "b" };
static int32_t counter;

/* A static is memory of the device, and constants may be read. */
WEIR_KERNEL(constants_and_statics, bounds_args)
{
    size_t i = weir_global_id(item, 0);
    const int32_t *table = OPAQUE(&constants[0]);
    const char *const *texts = OPAQUE(&words[0]);
    int32_t *count = OPAQUE(&counter);
    if (i == 0) {
        *count += table[2];
    }
    args->out[i] = table[i % 4] > 0 && texts[i % 2][0] == "ab"[i % 2];
}

DEVICE_TEST_EACH(constants_and_statics_may_be_used, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    counter = 1;
    expect_quiet(launch(&setting, &constants_and_statics, &orders[_i]),
                 &constants_and_statics, &orders[_i], LOCAL);
    ck_assert_int_eq(counter, 4);
    expect_all_through(&setting);
}

static void expect_host_memory(struct weir_device *device, const struct order *order,
                               int32_t *memory)
{
    struct setting setting = open_setting(device, GROUPS);
    setting.args.pointer = memory;
    setting.args.wrong = 1;
    g_autoptr(weir_report) report = launch(&setting, &through_the_pointer, order);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "through_the_pointer");
    ck_assert(!finding->note);
    ck_assert_uint_eq(weir_report_n_defects(report), 1);
    expect_contains(finding->message, "memory of the host");
    ck_assert_uint_eq(finding->parties->line, line_of(&line_a));
    expect_all_through(&setting); /* it goes on */
    setting.args.pointer = setting.args.out;
    setting.args.wrong = NONE;
    expect_quiet(launch(&setting, &through_the_pointer, order), &through_the_pointer,
                 order, LOCAL);
}

DEVICE_TEST_EACH(memory_of_the_host_is_one_finding_a_launch, N_ORDERS)
{
    g_autofree int32_t *heap = g_new0(int32_t, LOCAL);
    int32_t stack[LOCAL] = { 0 };
    expect_host_memory(device, &orders[_i], heap);
    expect_host_memory(device, &orders[_i], stack);
}

/* ---- Alignment ------------------------------------------------------------------- */

CASE("alignment");

/* expect: misaligned in[1]: one byte off, and it happens all the same */
WEIR_KERNEL(one_byte_off, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    char *at = (char *)&args->in[lid == 5 ? 1 : 30 + lid];
    int32_t *to = (int32_t *)OPAQUE(at + (IS_WRONG(item, args) && lid == 5));
    if (weir_group_id(item, 0) == 1) {
        MARK(line_a, *to = 1);
    }
    THROUGH(item, args);
}

/* expect: misaligned flag[0]: an atomic that is two bytes off */
WEIR_KERNEL(an_atomic_two_bytes_off, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    char *at = (char *)args->in + 2 * (IS_WRONG(item, args) && lid == 5);
    int32_t *counter_at = (int32_t *)OPAQUE(at);
    if (weir_group_id(item, 0) == 1 && lid == 5) {
        MARK(line_a, ADD_1(counter_at, device));
    }
    THROUGH(item, args);
}

DEVICE_TEST_EACH(a_misaligned_access_is_reported_and_happens, N_ORDERS)
{
    FOUND(one_byte_off, WEIR_FINDING_MISALIGNED, "global", "in", 1, 5, "write",
          "not a multiple of 4");
    FOUND(an_atomic_two_bytes_off, WEIR_FINDING_MISALIGNED, "global", "in", 0, 5,
          "atomic fetch_add", "not a multiple of 4");
}

struct __attribute__((packed)) packed {
    char tag;
    int32_t number;
    int64_t wide;
};

/* Types without an alignment, and copies, may be anywhere. */
WEIR_KERNEL(packed_and_copied, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    struct packed *all = weir_local_array(item, struct packed, LOCAL);
    struct packed *mine = OPAQUE(&all[lid]);
    int32_t number = (int32_t)lid;
    mine->tag = 1;
    mine->wide = 1;
    memcpy((char *)mine + 1, &number, sizeof(number));
    mine->number += 1;
    weir_barrier(item, WEIR_LOCAL);
    struct packed copy = all[(lid + 1) % LOCAL];
    args->out[weir_global_id(item, 0)]
        = copy.number == (int32_t)((lid + 1) % LOCAL) + 1 && copy.wide == 1;
}

DEVICE_TEST_EACH(packed_types_and_copies_have_no_alignment, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    expect_quiet(launch(&setting, &packed_and_copied, &orders[_i]), &packed_and_copied,
                 &orders[_i], LOCAL);
    expect_all_through(&setting);
}

static int32_t squares[8][4];
static double initialised = 1;

/* expect: misaligned, in the static that the pointer leads to */
WEIR_KERNEL(at_the_pointer, bounds_args)
{
    if (weir_global_id(item, 0) == 0) {
        MARK(line_a, *(int16_t *)args->pointer = 1);
    }
}

static char *function_static(void)
{
    static char tally[6];
    return (char *)OPAQUE(&tally[0]);
}

DEVICE_TEST(statics_are_named_by_their_symbols)
{
    struct setting setting = open_setting(device, GROUPS);
    const struct {
        char *address;
        const char *name;
        int64_t index;
    } cases[] = {
        { (char *)&counter + 1, "counter", 0 },
        { (char *)&initialised + 3, "initialised", 0 },
        { (char *)&squares[3][1] + 1, "squares", 13 },
        { function_static() + ((uintptr_t)function_static() % 2 == 0), "tally",
          (uintptr_t)function_static() % 2 == 0 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        setting.args.pointer = cases[i].address;
        g_autoptr(weir_report) report = launch(&setting, &at_the_pointer, &orders[0]);
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_MISALIGNED, "at_the_pointer");
        ck_assert_str_eq(finding->object, cases[i].name);
        ck_assert_int_eq(finding->index, cases[i].index);
        ck_assert_str_eq(finding->space, "global");
        ck_assert_uint_eq(finding->parties->line, line_of(&line_a));
    }
}

/* expect: misaligned, once for all items, with their number */
WEIR_KERNEL(all_are_off, bounds_args)
{
    char *at = (char *)&args->in[weir_global_id(item, 0)] - 2;
    if (weir_global_id(item, 0) > 0) {
        MARK(line_a, OUT(item, args) = *(int32_t *)OPAQUE(at));
    }
}

DEVICE_TEST_EACH(one_place_is_one_finding_with_a_count, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    g_autoptr(weir_report) report = launch(&setting, &all_are_off, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_MISALIGNED, "all_are_off");
    ck_assert_uint_eq(finding->count, N - 1);
    EXPECT_COORDINATES(finding->parties->group, 0, 0, 0);
    EXPECT_COORDINATES(finding->parties->item, 1, 0, 0);
}

CASE("pointers");

/* An atomic of the item's own, as C11 has them. */
WEIR_KERNEL(private_atomic, bounds_args)
{
    _Atomic int32_t own = 0;
    _Atomic int32_t *mine = OPAQUE(&own);
    atomic_fetch_add_explicit(mine, 1, memory_order_relaxed);
    weir_barrier(item, WEIR_LOCAL);
    OUT(item, args) = atomic_load_explicit(mine, memory_order_relaxed);
}

DEVICE_TEST_EACH(a_private_atomic_is_the_items_own, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    expect_quiet(launch(&setting, &private_atomic, &orders[_i]), &private_atomic,
                 &orders[_i], LOCAL);
    expect_all_through(&setting);
}

CASE("alignment");

typedef int64_t pair_of_8 __attribute__((vector_size(16), aligned(8), may_alias));

/* A vector of 16 bytes whose type needs a multiple of 8 only. */
WEIR_KERNEL(vectors_at_odd_words, bounds_args)
{
    size_t lid = weir_local_id(item, 0);
    char *at = (char *)args->slots + (weir_group_id(item, 0) == 1 && lid == 5 ? 8 : 0);
    pair_of_8 *to = (pair_of_8 *)OPAQUE(at);
    if (weir_group_id(item, 0) == 1 && lid == 5) {
        *to = (pair_of_8){ 1, 1 };
    }
    THROUGH(item, args);
}

DEVICE_TEST_EACH(a_vector_aligned_to_8_may_be_at_any_multiple_of_8, N_ORDERS)
{
    struct setting setting = open_setting(device, GROUPS);
    expect_quiet(launch(&setting, &vectors_at_odd_words, &orders[_i]),
                 &vectors_at_odd_words, &orders[_i], LOCAL);
    expect_all_through(&setting);
}

MAIN("bounds: pointers")
