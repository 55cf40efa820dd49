/* SPDX-License-Identifier: MIT
 *
 * check_bounds.c: accesses that an item may not make: around a buffer or a local array,
 * through pointers to what is no more, is another's, or never was, and at addresses
 * that do not fit the type. Each is found in a checked launch under every schedule,
 * with the object, the index, the item and the line; and each has a neighbour that is
 * right and draws nothing.
 *
 * This file is instrumented, so the kernels are. A kernel is wrong in the group only
 * that its arguments name. */
#include "schedules.h"

#include <glib/gstdio.h>

enum { NONE = -1, LOCAL = 24, GROUPS = 3, N = GROUPS * LOCAL };

typedef struct {
    int32_t *out;  /* one an item: 1 once it is through */
    int32_t *in;   /* N of them */
    void *pointer; /* what the test wants */
    void **slots;  /* one a group, for kernels that pass pointers on */
    int32_t *flag;
    long wrong; /* the group that is wrong, or NONE */
} bounds_args;

static _Atomic uint32_t line_a, line_b;

#define IS_WRONG(item, args) ((long)weir_group_id((item), 0) == (args)->wrong)
/* The compiler is not to know what it holds. */
#define OPAQUE(value)                                                                  \
    (__extension__({                                                                   \
        __auto_type value_ = (value);                                                  \
        __asm__("" : "+r"(value_));                                                    \
        value_;                                                                        \
    }))
/* Short, since what is marked stands on one line. */
#define ADD_1(to)                                                                      \
    weir_atomic_fetch_add_explicit((to), 1, memory_order_relaxed, memory_scope_device)
#define SHARED(object)                                                                 \
    weir_atomic_ref((object), memory_order_seq_cst, memory_scope_device)
#define OUT(item, args) ((args)->out[weir_global_id((item), 0)])
#define THROUGH(item, args) (OUT(item, args) = 1)

/* ---- Launching ------------------------------------------------------------------- */

#define CHECKED(order_, ...) UNDER(order_, .check = true, __VA_ARGS__)

struct setting {
    struct weir_device *device;
    bounds_args args;
};

static struct setting open_setting(const char *profile)
{
    struct setting setting = { device_open(profile), { 0 } };
    setting.args = (bounds_args){ weir_new(setting.device, int32_t, N, "out"),
                                  weir_new(setting.device, int32_t, N, "in"),
                                  NULL,
                                  weir_new(setting.device, void *, GROUPS, "slots"),
                                  weir_new(setting.device, int32_t, 1, "flag"),
                                  NONE };
    return setting;
}

static struct weir_report *launch_n(struct setting *setting,
                                    const struct weir_kernel *kernel,
                                    const struct order *order, size_t n)
{
    memset(setting->args.out, 0, N * sizeof(int32_t));
    memset(setting->args.in, 0, N * sizeof(int32_t));
    memset(setting->args.flag, 0, sizeof(int32_t));
    memset(setting->args.slots, 0, GROUPS * sizeof(void *));
    return LAUNCH(setting->device, kernel, weir_nd_range_1d(n, LOCAL), &setting->args,
                  CHECKED(order));
}

static struct weir_report *launch(struct setting *setting,
                                  const struct weir_kernel *kernel,
                                  const struct order *order)
{
    return launch_n(setting, kernel, order, N);
}

/* What a finding is expected to be. */
struct wrong {
    enum weir_finding_kind kind;
    const char *space;  /* or NULL */
    const char *object; /* or NULL; "local" for the local array of line_b */
    int64_t index;
    size_t item; /* of group 1 */
    const char *access;
    const char *says; /* in its message */
};

static void expect_wrong(const struct weir_report *report,
                         const struct weir_kernel *kernel, const struct wrong *wrong)
{
    const struct weir_finding *finding
        = only_finding(report, wrong->kind, kernel->name);
    ck_assert_pstr_eq(finding->space, wrong->space);
    if (g_strcmp0(wrong->object, "local") == 0) {
        expect_contains(finding->object, "local array of ");
        expect_names_line(finding->object, __FILE__, line_of(&line_b));
    } else {
        ck_assert_pstr_eq(finding->object, wrong->object);
    }
    ck_assert_msg(finding->index == wrong->index,
                  "index %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT ": %s",
                  finding->index, wrong->index, finding->message);
    ck_assert_uint_eq(finding->n_parties, 1);
    const struct weir_party *party = finding->parties;
    ck_assert_str_eq(party->access, wrong->access);
    ck_assert_str_eq(party->file, __FILE__);
    ck_assert_msg(party->line == line_of(&line_a), "line %u, not %u: %s", party->line,
                  line_of(&line_a), finding->message);
    EXPECT_COORDINATES(party->item, wrong->item, 0, 0);
    EXPECT_COORDINATES(party->group, 1, 0, 0);
    expect_contains(finding->message, weir_finding_kind_name(wrong->kind));
    if (wrong->says != NULL) {
        expect_contains(finding->message, wrong->says);
    }
}

/* Wrong in the middle group: found, and the other groups are through; right in all:
 * silent, and all are. */
static void expect_found(struct setting *setting, const struct weir_kernel *kernel,
                         const struct order *order, const struct wrong *wrong)
{
    bool goes_on = wrong->kind == WEIR_FINDING_MISALIGNED;
    setting->args.wrong = 1;
    struct weir_report *report = launch(setting, kernel, order);
    expect_wrong(report, kernel, wrong);
    ck_assert_ptr_null(weir_report_incomplete(report));
    for (size_t i = 0; i < N; i++) {
        if (goes_on || i / LOCAL != 1) {
            EXPECT_ELEMENT(setting->args.out, i, 1);
        }
    }
    EXPECT_ELEMENT(setting->args.out, LOCAL + wrong->item, goes_on);
    weir_report_free(report);
    setting->args.wrong = NONE;
    expect_quiet(launch(setting, kernel, order), kernel, order, LOCAL);
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(setting->args.out, i, 1);
    }
}

#define FOUND(kernel, ...)                                                             \
    do {                                                                               \
        struct setting setting_ = open_setting("default");                             \
        expect_found(&setting_, &(kernel), &orders[_i],                                \
                     &(struct wrong){ __VA_ARGS__ });                                  \
        weir_device_free(setting_.device);                                             \
    } while (0)

/* ---- Buffers --------------------------------------------------------------------- */

static bool is_last(const struct weir_item *item)
{
    return weir_local_id(item, 0) == weir_local_size(item, 0) - 1;
}

/* expect: out-of-bounds in[72]: the last item of group 1 writes behind the end */
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

START_TEST(the_elements_around_a_buffer_are_not_its_own)
{
    FOUND(one_byte_before_the_start, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", -1, 0,
          "read", "in[-1] of 72 elements");
    FOUND(one_past_the_end, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", N, LOCAL - 1,
          "write", "in[72] of 72 elements");
    FOUND(one_before_the_start, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", -1, 0,
          "read", "in[-1] of 72 elements");
}
END_TEST

typedef struct {
    int32_t *data;
    size_t index;
} page_args;

/* expect: out-of-bounds where the index is no element */
WEIR_KERNEL(whole_pages, page_args)
{
    args->data[args->index] = 1;
}

/* Buffers fill whole pages, so that the next byte is another mapping. */
START_TEST(buffers_of_whole_pages_do_not_touch)
{
    struct weir_device *device = device_open("default");
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
            struct weir_report *report
                = LAUNCH(device, &whole_pages, weir_nd_range_1d(1, 1), &args,
                         CHECKED(&orders[0]));
            const struct weir_finding *finding
                = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "whole_pages");
            ck_assert_int_eq(finding->object[0], (char)('a' + i));
            ck_assert_int_eq(finding->index, (int64_t)wrong[k]);
            weir_report_free(report);
        }
        page_args right = { data[i], n - 1 };
        LAUNCH_SILENT(device, &whole_pages, weir_nd_range_1d(1, 1), &right,
                      CHECKED(&orders[0]));
    }
    weir_device_free(device);
}
END_TEST

/* expect: out-of-bounds in[72]: eight bytes of which four are there */
WEIR_KERNEL(half_past_the_end, bounds_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *from = args->in + (IS_WRONG(item, args) && i == 3 ? N - 1 : 2 * i);
    MARK(line_a, OUT(item, args) = (int32_t)(*(int64_t *)OPAQUE((char *)from) + 1));
}

START_TEST(an_access_that_crosses_the_end_is_found)
{
    FOUND(half_past_the_end, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", N, 3, "read",
          "in[72] of 72 elements");
}
END_TEST

/* expect: out-of-bounds in[72]: an atomic behind the end */
WEIR_KERNEL(atomic_past_the_end, bounds_args)
{
    size_t i = IS_WRONG(item, args) && is_last(item) ? N : weir_global_id(item, 0);
    MARK(line_a, ADD_1(args->in + i));
    THROUGH(item, args);
}

START_TEST(an_atomic_is_an_access_too)
{
    FOUND(atomic_past_the_end, WEIR_FINDING_OUT_OF_BOUNDS, "global", "in", N, LOCAL - 1,
          "atomic fetch_add", "in[72] of 72 elements");
    struct setting setting = open_setting("default");
    setting.args.wrong = 1;
    struct weir_report *report = launch(&setting, &atomic_past_the_end, &orders[_i]);
    const struct weir_party *party = weir_report_finding(report, 0)->parties;
    ck_assert_str_eq(party->order, "relaxed");
    ck_assert_str_eq(party->scope, "device");
    weir_report_free(report);
    weir_device_free(setting.device);
}
END_TEST

/* ---- Local memory ---------------------------------------------------------------- */

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

START_TEST(the_elements_around_a_local_array_are_not_its_own)
{
    FOUND(left_of_a_local_array, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", -1, 0,
          "read", "[-1] of 24 elements");
    FOUND(into_the_next_local_array, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local",
          LOCAL, LOCAL - 1, "write", "[24] of 24 elements");
    FOUND(exact_local_arrays, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", -1, 5,
          "write", "[-1] of 128 elements");
}
END_TEST

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

START_TEST(what_lies_between_local_arrays_is_not_the_devices)
{
    struct setting setting = open_setting("default");
    expect_quiet(launch(&setting, &all_local_memory, &orders[0]), &all_local_memory,
                 &orders[0], LOCAL);
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(setting.args.out, i, 1);
    }
    expect_quiet(launch(&setting, &more_local_memory, &orders[0]), &more_local_memory,
                 &orders[0], LOCAL);
    setting.args.wrong = 1;
    struct weir_report *report = launch(&setting, &more_local_memory, &orders[0]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_LOCAL_MEMORY, "more_local_memory");
    expect_contains(finding->message, "65 elements");
    expect_contains(finding->message, "64 of the device's 65536 bytes");
    weir_report_free(report);
    weir_device_free(setting.device);
}
END_TEST

/* Groups see no more of each other's local memory than poison. */
WEIR_KERNEL(fresh_local_memory, bounds_args)
{
    uint32_t *scratch = weir_local_array(item, uint32_t, LOCAL);
    size_t lid = weir_local_id(item, 0);
    args->in[weir_global_id(item, 0)] = (int32_t)scratch[lid];
    scratch[lid] = 0;
    THROUGH(item, args);
}

START_TEST(local_memory_of_each_group_begins_with_the_same_poison)
{
    enum { MANY = 100 };
    struct weir_device *device = device_open("default");
    bounds_args args = { .out = weir_new(device, int32_t, MANY * LOCAL, "out"),
                         .in = weir_new(device, int32_t, MANY * LOCAL, "in") };
    struct weir_report *report
        = LAUNCH(device, &fresh_local_memory, weir_nd_range_1d(MANY * LOCAL, LOCAL),
                 &args, CHECKED(&orders[0]));
    for (size_t i = 0; i < LOCAL; i++) {
        EXPECT(i == 0 || args.in[i] != args.in[i - 1], "no pattern at %zu", i);
        for (size_t group = 1; group < MANY; group++) {
            EXPECT_ELEMENT(args.in, group * LOCAL + i, args.in[i]);
        }
    }
    weir_report_free(report);
    weir_device_free(device);
}
END_TEST

/* expect: use-after-free local[0] of group 0, or a later one that has ended */
WEIR_KERNEL(a_pointer_outlives_its_group, bounds_args)
{
    size_t group = weir_group_id(item, 0);
    int32_t *scratch = MARK(line_b, weir_local_array(item, int32_t, LOCAL));
    scratch[weir_local_id(item, 0)] = 1;
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_store(SHARED(&args->slots[group]), scratch);
        size_t other = group - (size_t)args->flag[0];
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

START_TEST(local_memory_ends_with_its_group)
{
    enum { MANY = 40 }; /* more than the blocks that are used in turn */
    char *profile = serial_profile();
    struct weir_device *device = device_open(profile);
    bounds_args args = { .out = weir_new(device, int32_t, MANY * LOCAL, "out"),
                         .slots = weir_new(device, void *, MANY, "slots"),
                         .flag = weir_new(device, int32_t, 1, "flag") };
    for (int32_t back = 0; back <= 1; back++) {
        args.flag[0] = back;
        memset(args.out, 0, MANY * LOCAL * sizeof(*args.out));
        struct weir_report *report = LAUNCH(device, &a_pointer_outlives_its_group,
                                            weir_nd_range_1d(MANY * LOCAL, LOCAL),
                                            &args, CHECKED(&orders[_i]));
        if (back == 0) { /* its own */
            expect_quiet(report, &a_pointer_outlives_its_group, &orders[_i], LOCAL);
            continue;
        }
        expect_wrong(report, &a_pointer_outlives_its_group,
                     &(struct wrong){
                         WEIR_FINDING_USE_AFTER_FREE, "local", "local", 0, 0, "read",
                         "local memory of group (0,0,0), which has ended" });
        ck_assert_uint_eq(weir_report_finding(report, 0)->count, MANY - 1);
        weir_report_free(report);
    }
    weir_device_free(device);
    g_remove(profile);
    g_free(profile);
}
END_TEST

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

START_TEST(local_memory_is_its_groups_alone)
{
    for (size_t i = 0; i < 2; i++) { /* nobody comes between the flag and the use */
        struct setting setting = open_setting("default");
        expect_found(
            &setting, &local_memory_of_a_neighbour, &orders[i],
            &(struct wrong){ WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", 3, 0, "read",
                             "local memory of group (0,0,0), which is another" });
        weir_device_free(setting.device);
    }
}
END_TEST

/* ---- What is no more, and what never was ----------------------------------------- */

/* expect: use-after-free: where the pointer's memory was freed */
WEIR_KERNEL(through_the_pointer, bounds_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *from = IS_WRONG(item, args) && i == 7 ? args->pointer : args->in;
    MARK(line_a, OUT(item, args) = from[i] + 1);
}

START_TEST(freed_memory_is_known_by_its_name)
{
    struct setting setting = open_setting("default");
    setting.args.pointer = weir_new(setting.device, int32_t, 100, "gone");
    setting.args.wrong = 1;
    expect_quiet(launch(&setting, &through_the_pointer, &orders[_i]),
                 &through_the_pointer, &orders[_i], LOCAL);
    weir_free(setting.device, setting.args.pointer);
    (void)weir_new(setting.device, int32_t, 100, "next");
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_USE_AFTER_FREE, "global", "gone", 7, 7,
                                  "read", "gone[7] of 100 elements" });
    setting.args.pointer = (int32_t *)setting.args.pointer + 93; /* behind its end */
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_USE_AFTER_FREE, "global", "gone", 100, 7,
                                  "read", "gone[100] of 100 elements" });
    weir_device_free(setting.device);
}
END_TEST

START_TEST(a_null_pointer_is_out_of_bounds)
{
    struct setting setting = open_setting("default");
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_OUT_OF_BOUNDS, NULL, NULL, 0, 7, "read",
                                  "null pointer and 28 bytes" });
    setting.args.pointer = (void *)-(7 * sizeof(int32_t));
    expect_found(&setting, &through_the_pointer, &orders[_i],
                 &(struct wrong){ WEIR_FINDING_OUT_OF_BOUNDS, NULL, NULL, 0, 7, "read",
                                  ": null pointer" });
    weir_device_free(setting.device);
}
END_TEST

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

START_TEST(private_memory_is_its_items_alone)
{
    FOUND(private_memory_of_a_neighbour, WEIR_FINDING_OUT_OF_BOUNDS, "private", NULL, 0,
          1, "read", "private memory of another item");
}
END_TEST

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

START_TEST(arguments_are_read_only)
{
    FOUND(writes_to_the_arguments, WEIR_FINDING_OUT_OF_BOUNDS, NULL, NULL, 0, 0,
          "write", "arguments of the launch, which are read-only");
}
END_TEST

/* ---- Memory of the host ---------------------------------------------------------- */

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

START_TEST(constants_and_statics_may_be_used)
{
    struct setting setting = open_setting("default");
    counter = 1;
    expect_quiet(launch(&setting, &constants_and_statics, &orders[_i]),
                 &constants_and_statics, &orders[_i], LOCAL);
    ck_assert_int_eq(counter, 4);
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(setting.args.out, i, 1);
    }
    weir_device_free(setting.device);
}
END_TEST

START_TEST(memory_of_the_host_draws_one_note)
{
    struct setting setting = open_setting("default");
    int32_t *heap = g_new0(int32_t, LOCAL);
    setting.args.pointer = heap;
    setting.args.wrong = 1;
    struct weir_report *report = launch(&setting, &through_the_pointer, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "through_the_pointer");
    ck_assert(finding->note);
    ck_assert_uint_eq(weir_report_n_defects(report), 0);
    expect_contains(finding->message, "memory of the host");
    ck_assert_ptr_nonnull(finding->remedy);
    ck_assert_uint_eq(finding->parties->line, line_of(&line_a));
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(setting.args.out, i, 1); /* it goes on */
    }
    weir_report_free(report);
    g_free(heap);
    weir_device_free(setting.device);
}
END_TEST

/* ---- Alignment ------------------------------------------------------------------- */

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
        MARK(line_a, ADD_1(counter_at));
    }
    THROUGH(item, args);
}

START_TEST(an_address_that_does_not_fit_its_type_is_told_and_used)
{
    FOUND(one_byte_off, WEIR_FINDING_MISALIGNED, "global", "in", 1, 5, "write",
          "no multiple of 4");
    FOUND(an_atomic_two_bytes_off, WEIR_FINDING_MISALIGNED, "global", "in", 0, 5,
          "atomic fetch_add", "no multiple of 4");
}
END_TEST

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

START_TEST(packed_types_and_copies_have_no_alignment)
{
    struct setting setting = open_setting("default");
    expect_quiet(launch(&setting, &packed_and_copied, &orders[_i]), &packed_and_copied,
                 &orders[_i], LOCAL);
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(setting.args.out, i, 1);
    }
    weir_device_free(setting.device);
}
END_TEST

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

START_TEST(statics_are_named_by_their_symbols)
{
    struct setting setting = open_setting("default");
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
        struct weir_report *report = launch(&setting, &at_the_pointer, &orders[0]);
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_MISALIGNED, "at_the_pointer");
        ck_assert_str_eq(finding->object, cases[i].name);
        ck_assert_int_eq(finding->index, cases[i].index);
        ck_assert_str_eq(finding->space, "global");
        ck_assert_uint_eq(finding->parties->line, line_of(&line_a));
        weir_report_free(report);
    }
    weir_device_free(setting.device);
}
END_TEST

/* ---- One finding a place --------------------------------------------------------- */

/* expect: misaligned, once for all items, with their number */
WEIR_KERNEL(all_are_off, bounds_args)
{
    char *at = (char *)&args->in[weir_global_id(item, 0)] - 2;
    if (weir_global_id(item, 0) > 0) {
        MARK(line_a, OUT(item, args) = *(int32_t *)OPAQUE(at));
    }
}

START_TEST(one_place_is_one_finding_with_a_count)
{
    struct setting setting = open_setting("default");
    struct weir_report *report = launch(&setting, &all_are_off, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_MISALIGNED, "all_are_off");
    ck_assert_uint_eq(finding->count, N - 1);
    EXPECT_COORDINATES(finding->parties->group, 0, 0, 0);
    EXPECT_COORDINATES(finding->parties->item, 1, 0, 0);
    weir_report_free(report);
    weir_device_free(setting.device);
}
END_TEST

/* expect: out-of-bounds, of whoever of group 1 comes first */
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

START_TEST(an_abandoned_group_says_no_more)
{
    struct setting setting = open_setting("default");
    setting.args.wrong = 1;
    struct weir_report *report = launch(&setting, &wrong_everywhere, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "wrong_everywhere");
    ck_assert_uint_eq(finding->count, 1);
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(setting.args.out, i, i / LOCAL != 1);
    }
    weir_report_free(report);
    weir_device_free(setting.device);
}
END_TEST

/* Behind a call: the way to it is told. */
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

START_TEST(the_calls_on_the_way_are_told)
{
    struct setting setting = open_setting("default");
    setting.args.wrong = 1;
    struct weir_report *report = launch(&setting, &in_a_function, &orders[_i]);
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "in_a_function");
    const struct weir_party *party = finding->parties;
    ck_assert_str_eq(party->function, "store");
    ck_assert_uint_eq(party->line, line_of(&line_a));
    ck_assert_uint_eq(party->n_path, 1);
    ck_assert_str_eq(party->path[0].function, "kernel in_a_function");
    ck_assert_uint_eq(party->path[0].line, line_of(&line_b));
    weir_report_free(report);
    weir_device_free(setting.device);
}
END_TEST

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

START_TEST(group_kernels_are_checked_too)
{
    FOUND(a_group_kernel, WEIR_FINDING_OUT_OF_BOUNDS, "local", "local", LOCAL, 9,
          "write", "[24] of 24 elements");
}
END_TEST

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

START_TEST(items_are_told_in_all_dimensions)
{
    struct weir_device *device = device_open("default");
    space_args args = { weir_new(device, int32_t, 192, "out"), 5 * 24 + 17 };
    struct weir_report *report
        = LAUNCH(device, &in_three_dimensions, weir_nd_range_3d(4, 6, 8, 2, 3, 4),
                 &args, CHECKED(&orders[_i]));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "in_three_dimensions");
    EXPECT_COORDINATES(finding->parties->group, 1, 0, 1);
    EXPECT_COORDINATES(finding->parties->item, 1, 1, 1);
    expect_contains(finding->message, "group (1,0,1), item (1,1,1): out[192] of 192");
    weir_report_free(report);
    weir_device_free(device);
}
END_TEST

START_TEST(options_of_a_check_are_looked_at)
{
    struct setting setting = open_setting("default");
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
    REFUSED("option check", .schedule = "in-order", .scope_rule = WEIR_SCOPE_RULE_SAME);
#undef REFUSED
    LAUNCH_SILENT(setting.device, &one_past_the_end, range, &setting.args,
                  UNDER(&orders[0], .check = true, .scope_rule = WEIR_SCOPE_RULE_SAME,
                        .spaces = WEIR_SPACES_OPENCL,
                        .same_value = WEIR_SAME_VALUE_NOTE));
    weir_device_free(setting.device);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bounds");
    TCase *buffers = add_case(suite, "buffers");
    tcase_add_loop_test(buffers, the_elements_around_a_buffer_are_not_its_own, 0,
                        N_ORDERS);
    tcase_add_test(buffers, buffers_of_whole_pages_do_not_touch);
    tcase_add_loop_test(buffers, an_access_that_crosses_the_end_is_found, 0, N_ORDERS);
    tcase_add_loop_test(buffers, an_atomic_is_an_access_too, 0, N_ORDERS);
    TCase *local = add_case(suite, "local");
    tcase_add_loop_test(local, the_elements_around_a_local_array_are_not_its_own, 0,
                        N_ORDERS);
    tcase_add_test(local, what_lies_between_local_arrays_is_not_the_devices);
    tcase_add_test(local, local_memory_of_each_group_begins_with_the_same_poison);
    tcase_add_loop_test(local, local_memory_ends_with_its_group, 0, N_ORDERS);
    tcase_add_test(local, local_memory_is_its_groups_alone);
    TCase *pointers = add_case(suite, "pointers");
    tcase_add_loop_test(pointers, freed_memory_is_known_by_its_name, 0, N_ORDERS);
    tcase_add_loop_test(pointers, a_null_pointer_is_out_of_bounds, 0, N_ORDERS);
    tcase_add_loop_test(pointers, private_memory_is_its_items_alone, 0, N_ORDERS);
    tcase_add_loop_test(pointers, arguments_are_read_only, 0, N_ORDERS);
    TCase *host = add_case(suite, "host");
    tcase_add_loop_test(host, constants_and_statics_may_be_used, 0, N_ORDERS);
    tcase_add_loop_test(host, memory_of_the_host_draws_one_note, 0, N_ORDERS);
    TCase *alignment = add_case(suite, "alignment");
    tcase_add_loop_test(
        alignment, an_address_that_does_not_fit_its_type_is_told_and_used, 0, N_ORDERS);
    tcase_add_loop_test(alignment, packed_types_and_copies_have_no_alignment, 0,
                        N_ORDERS);
    tcase_add_test(alignment, statics_are_named_by_their_symbols);
    TCase *findings = add_case(suite, "findings");
    tcase_add_loop_test(findings, one_place_is_one_finding_with_a_count, 0, N_ORDERS);
    tcase_add_loop_test(findings, an_abandoned_group_says_no_more, 0, N_ORDERS);
    tcase_add_loop_test(findings, the_calls_on_the_way_are_told, 0, N_ORDERS);
    tcase_add_loop_test(findings, group_kernels_are_checked_too, 0, N_ORDERS);
    tcase_add_loop_test(findings, items_are_told_in_all_dimensions, 0, N_ORDERS);
    tcase_add_test(findings, options_of_a_check_are_looked_at);
    return run_suite(suite);
}
