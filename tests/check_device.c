/* SPDX-License-Identifier: MIT
 *
 * check_device.c: profiles say what a device offers, a launch holds a kernel to
 * it, and a profile file that is wrong is refused with file, key and value. */
#include "support.h"

#include <glib/gstdio.h>

static const struct {
    const char *name;
    uint64_t max_work_group_size, local_mem_size, compute_units;
    uint64_t sub_group_size, sub_group_sizes;
} profiles[] = {
    { "default", 1024, 65536, 16, 16, 1ull << 8 | 1ull << 16 | 1ull << 32 },
    /* Figures that the vendors publish: 24 and 96 execution units, 56 cores of 8. */
    { "hd630", 256, 65536, 24, 16, 1ull << 8 | 1ull << 16 | 1ull << 32 },
    { "irisxe", 512, 65536, 96, 16, 1ull << 8 | 1ull << 16 | 1ull << 32 },
    { "max1100", 1024, 131072, 448, 32, 1ull << 16 | 1ull << 32 },
    /* 227 KiB of shared memory; 16 multiprocessors with 32 blocks each. */
    { "h100", 1024, 232448, 512, 32, 1ull << 32 },
    { "opencl12", 0, 0, 0, 0, 0 }, /* whatever the standards leave open */
    { "opencl20", 0, 0, 0, 0, 0 },
};

/* Consume is not among them: it is acquire by another name. */
static const memory_order orders[]
    = { memory_order_relaxed, memory_order_acquire, memory_order_release,
        memory_order_acq_rel, memory_order_seq_cst };
static const char *const order_names[]
    = { "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
static const memory_scope scopes[]
    = { memory_scope_work_item, memory_scope_sub_group, memory_scope_work_group,
        memory_scope_device, memory_scope_system };
static const char *const scope_names[]
    = { "work_item", "sub_group", "work_group", "device", "system" };

enum {
    ALL_ORDERS = 1 << memory_order_relaxed | 1 << memory_order_acquire
        | 1 << memory_order_release | 1 << memory_order_acq_rel
        | 1 << memory_order_seq_cst,
    ALL_SCOPES = 1 << memory_scope_work_item | 1 << memory_scope_sub_group
        | 1 << memory_scope_work_group | 1 << memory_scope_device
        | 1 << memory_scope_system,
};

/* ---- Queries ------------------------------------------------------------- */

CASE("queries");

TEST_EACH(every_profile_opens_and_answers_sanely, G_N_ELEMENTS(profiles))
{
    g_autoptr(weir_device) device = device_open(profiles[_i].name);
    ck_assert_str_eq(weir_device_name(device), profiles[_i].name);
    ck_assert_uint_gt(strlen(weir_device_summary(device)), 0);
    ck_assert_ptr_null(strchr(weir_device_summary(device), '\n'));
    uint64_t max = weir_device_get(device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    uint64_t local = weir_device_get(device, WEIR_DEVICE_LOCAL_MEM_SIZE);
    uint64_t units = weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS);
    uint64_t sub_group = weir_device_get(device, WEIR_DEVICE_SUB_GROUP_SIZE);
    uint64_t sub_groups = weir_device_get(device, WEIR_DEVICE_SUB_GROUP_SIZES);
    if (profiles[_i].max_work_group_size != 0) {
        ck_assert_uint_eq(max, profiles[_i].max_work_group_size);
        ck_assert_uint_eq(local, profiles[_i].local_mem_size);
        ck_assert_uint_eq(units, profiles[_i].compute_units);
        ck_assert_uint_eq(sub_group, profiles[_i].sub_group_size);
        ck_assert_uint_eq(sub_groups, profiles[_i].sub_group_sizes);
    }
    ck_assert_uint_ge(max, 256); /* what every source document asks for */
    ck_assert_uint_ge(local, 32768);
    ck_assert_uint_ge(units, 1);
    ck_assert_uint_lt(sub_group, 64);
    ck_assert_uint_eq(sub_groups >> sub_group & 1, 1);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_MAX_RESIDENT_ITEMS), 16384);
    uint64_t workers = weir_device_get(device, WEIR_DEVICE_WORKERS);
    ck_assert_uint_ge(workers, 1);
    ck_assert_uint_le(workers, 256);
    ck_assert_uint_le(weir_device_get(device, WEIR_DEVICE_ATOMIC64), 1);
}

TEST(opencl12_has_relaxed_atomics_up_to_the_work_group_only)
{
    g_autoptr(weir_device) device = device_open("opencl12");
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_ORDERS),
                      1 << memory_order_relaxed);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_SCOPES),
                      1 << memory_scope_work_item | 1 << memory_scope_sub_group
                          | 1 << memory_scope_work_group);
}

TEST_EACH(the_other_profiles_have_all_orders_and_scopes, 6)
{
    static const char *const full[]
        = { "default", "opencl20", "hd630", "irisxe", "max1100", "h100" };
    g_autoptr(weir_device) device = device_open(full[_i]);
    /* A set may name consume beside acquire. */
    uint64_t consume = (uint64_t)1 << memory_order_consume;
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_ORDERS)
                          & ~consume,
                      ALL_ORDERS);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_FENCE_MEMORY_ORDERS)
                          & ~consume,
                      ALL_ORDERS);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_SCOPES),
                      ALL_SCOPES);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_FENCE_MEMORY_SCOPES),
                      ALL_SCOPES);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC64), 1);
}

TEST(the_built_in_profiles_are_listed_with_the_default_first)
{
    const char *const *names = weir_device_profiles();
    ck_assert_ptr_nonnull(names);
    ck_assert_str_eq(names[0], "default");
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        weir_device_free(device_open(names[n]));
        for (size_t i = 0; i < n; i++) {
            ck_assert_str_ne(names[i], names[n]);
        }
    }
    ck_assert_uint_eq(n, G_N_ELEMENTS(profiles));
    for (size_t i = 0; i < G_N_ELEMENTS(profiles); i++) {
        ck_assert(g_strv_contains(names, profiles[i].name));
    }
}

/* As free() does, weir_device_free() takes NULL, and other devices stay as they are. */
DEVICE_TEST(freeing_no_device_leaves_the_others)
{
    uint32_t *memory = weir_new(device, uint32_t, 1, "memory");
    *memory = 7;
    weir_device_free(NULL);
    ck_assert_uint_eq(*memory, 7);
    ck_assert_str_eq(weir_device_name(device), "default");
}

/* ---- Enforcement at the operation ---------------------------------------- */

CASE("limits");

typedef struct {
    uint32_t *word;
    uint64_t *wide;
    memory_order order;
    memory_scope scope;
} atomic_args;

static _Atomic uint32_t line_operation;

/* A name short enough for a line. */
#define ADD weir_atomic_fetch_add_explicit

WEIR_KERNEL(add_with, atomic_args)
{
    MARK(line_operation, ADD(args->word, 1u, args->order, args->scope));
}

WEIR_KERNEL(fence_with, atomic_args)
{
    MARK(line_operation, weir_atomic_fence(args->order, args->scope));
    ADD(args->word, 1u, memory_order_relaxed, memory_scope_work_group);
}

WEIR_KERNEL(add_wide, atomic_args)
{
    MARK(line_operation, ADD(args->wide, UINT64_C(1), args->order, args->scope));
    ADD(args->word, 1u, memory_order_relaxed, memory_scope_work_group);
}

/* Runs one group of 8 items and says whether the device objected. */
static void expect_verdict(struct weir_device *device, const struct weir_kernel *kernel,
                           size_t o, size_t s, bool offered, const char *lacking)
{
    uint64_t *memory = weir_new(device, uint64_t, 2, "memory");
    atomic_args args = { (uint32_t *)&memory[0], &memory[1], orders[o], scopes[s] };
    struct weir_report *report
        = LAUNCH(device, kernel, weir_nd_range_1d(8, 8), &args, NULL);
    ck_assert_uint_eq(*args.word, 8); /* the operation happens all the same */
    if (offered) {
        expect_silence(report, kernel->name);
    } else {
        const struct weir_finding *finding
            = only_finding(report, WEIR_FINDING_UNSUPPORTED, kernel->name);
        expect_contains(finding->message, lacking);
        expect_contains(finding->message, weir_device_name(device));
        ck_assert_uint_eq(finding->parties[0].line, line_of(&line_operation));
        ck_assert_str_eq(finding->parties[0].file, __FILE__);
        weir_report_free(report);
    }
    weir_free(device, memory);
}

TEST_EACH(an_atomic_or_fence_draws_a_finding_where_the_query_denies_it,
          G_N_ELEMENTS(profiles))
{
    g_autoptr(weir_device) device = device_open(profiles[_i].name);
    static const struct {
        const struct weir_kernel *kernel;
        enum weir_device_info orders, scopes;
    } cases[] = {
        { &add_with, WEIR_DEVICE_ATOMIC_MEMORY_ORDERS,
          WEIR_DEVICE_ATOMIC_MEMORY_SCOPES },
        { &fence_with, WEIR_DEVICE_FENCE_MEMORY_ORDERS,
          WEIR_DEVICE_FENCE_MEMORY_SCOPES },
    };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        for (size_t o = 0; o < G_N_ELEMENTS(orders); o++) {
            for (size_t s = 0; s < G_N_ELEMENTS(scopes); s++) {
                bool order = weir_device_get(device, cases[k].orders) >> orders[o] & 1;
                bool scope = weir_device_get(device, cases[k].scopes) >> scopes[s] & 1;
                expect_verdict(device, cases[k].kernel, o, s, order && scope,
                               !order ? order_names[o] : scope_names[s]);
            }
        }
    }
    bool wide = weir_device_get(device, WEIR_DEVICE_ATOMIC64) == 1;
    expect_verdict(device, &add_wide, 0, 2, wide, "64");
}

TEST(a_device_scope_atomic_on_opencl12_is_unsupported_and_its_twin_silent)
{
    g_autoptr(weir_device) device = device_open("opencl12");
    expect_verdict(device, &add_with, 0, 3, false, "device");
    expect_verdict(device, &add_with, 0, 2, true, NULL);
    expect_verdict(device, &add_with, 4, 2, false, "seq_cst");
}

typedef struct {
    uint32_t *word;
} cas_args;

WEIR_KERNEL(compare_with_strong_failure, cas_args)
{
    uint32_t expected = 0;
    weir_atomic_compare_exchange_strong_explicit(
        args->word, &expected, 1u, memory_order_relaxed, memory_order_acquire,
        memory_scope_work_group);
}

WEIR_KERNEL(compare_relaxed, cas_args)
{
    uint32_t expected = 0;
    weir_atomic_compare_exchange_strong_explicit(
        args->word, &expected, 1u, memory_order_relaxed, memory_order_relaxed,
        memory_scope_work_group);
}

TEST(the_failure_order_of_a_compare_exchange_is_held_to_the_device_too)
{
    g_autoptr(weir_device) device = device_open("opencl12");
    uint32_t *word = weir_new(device, uint32_t, 1, "word");
    *word = 0;
    const struct weir_finding *finding
        = LAUNCH_FINDING(WEIR_FINDING_UNSUPPORTED, device, &compare_with_strong_failure,
                         weir_nd_range_1d(1, 1), &(cas_args){ word }, NULL);
    expect_contains(finding->message, "acquire");
    LAUNCH_SILENT(device, &compare_relaxed, weir_nd_range_1d(1, 1), &(cas_args){ word },
                  NULL);
}

TEST(an_unsupported_atomic_of_many_groups_is_one_finding)
{
    g_autoptr(weir_device) device = device_open("opencl12");
    uint32_t *word = weir_new(device, uint32_t, 1, "word");
    FOR_EACH_WORKERS(workers)
    {
        *word = 0;
        atomic_args args = { word, NULL, memory_order_relaxed, memory_scope_device };
        const struct weir_finding *finding
            = LAUNCH_FINDING(WEIR_FINDING_UNSUPPORTED, device, &add_with,
                             weir_nd_range_1d(1600, 16), &args, WITH_WORKERS(workers));
        EXPECT_COORDINATES(finding->parties[0].group, 0, 0, 0);
        ck_assert_str_eq(finding->parties[0].items, "0");
        ck_assert_uint_eq(*word, 1600);
    }
}

WEIR_KERNEL(do_nothing, cas_args)
{
}

TEST_EACH(the_limit_on_groups_is_the_devices, G_N_ELEMENTS(profiles))
{
    g_autoptr(weir_device) device = device_open(profiles[_i].name);
    size_t max = weir_device_get(device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    cas_args args = { NULL };
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(max, max), &args, NULL);
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_2d(max / 2, 2, max / 2, 2), &args,
                  NULL);
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(2 * max, 2 * max), &args, NULL,
                   WEIR_ERROR_RANGE, profiles[_i].name);
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(max + 1, max + 1), &args, NULL,
                   WEIR_ERROR_RANGE, profiles[_i].name);
}

TEST_EACH(sub_group_sizes_are_those_that_the_device_offers, G_N_ELEMENTS(profiles))
{
    g_autoptr(weir_device) device = device_open(profiles[_i].name);
    uint64_t offered = weir_device_get(device, WEIR_DEVICE_SUB_GROUP_SIZES);
    cas_args args = { NULL };
    for (uint32_t size = 1; size <= 130; size++) {
        struct weir_launch_options options = { .sub_group_size = size };
        if (size < 64 && (offered >> size & 1) == 1) {
            LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(64, 64), &args,
                          &options);
        } else {
            EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(64, 64), &args,
                           &options, WEIR_ERROR_ARGUMENT, "sub-group size");
        }
    }
}

typedef struct {
    uint32_t *size;
} size_args;

WEIR_KERNEL(record_sub_group_size, size_args)
{
    if (weir_local_linear_id(item) == 0) {
        *args->size = weir_sub_group_size(item);
    }
}

TEST_EACH(without_an_option_the_sub_group_size_is_the_devices, G_N_ELEMENTS(profiles))
{
    g_autoptr(weir_device) device = device_open(profiles[_i].name);
    uint32_t *size = weir_new(device, uint32_t, 1, "size");
    LAUNCH_SILENT(device, &record_sub_group_size, weir_nd_range_1d(64, 64),
                  &(size_args){ size }, NULL);
    ck_assert_uint_eq(*size, weir_device_get(device, WEIR_DEVICE_SUB_GROUP_SIZE));
}

/* ---- Profile files ------------------------------------------------------- */

/* Every key of a profile, with values that no built-in profile has. */
static const char *const right_lines[] = { "[device]",
                                           "summary = a device of our own",
                                           "max_work_group_size = 96",
                                           "local_mem_size = 12345",
                                           "compute_units = 3",
                                           "sub_group_sizes = 4;8",
                                           "sub_group_size = 4",
                                           "atomic_orders = relaxed;acquire;release",
                                           "atomic_scopes = work_item;device",
                                           "fence_orders = acq_rel",
                                           "fence_scopes = system",
                                           "atomic64 = false" };
enum { N_LINES = G_N_ELEMENTS(right_lines) };

/* A directory that is gone when the test is. */
static char *directory;

static void make_directory(void)
{
    GError *error = NULL;
    directory = g_dir_make_tmp("weir-check-XXXXXX", &error);
    ck_assert_msg(directory != NULL, "%s", error != NULL ? error->message : "");
}

static void remove_directory(void)
{
    GDir *dir = g_dir_open(directory, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        g_unlink(path);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    g_rmdir(directory);
    g_free(directory);
}

CASE("files", .setup = make_directory, .teardown = remove_directory);

static char *write_profile(const char *text, gssize length)
{
    char *path = g_build_filename(directory, "mine.profile", NULL);
    GError *error = NULL;
    ck_assert_msg(g_file_set_contents(path, text, length, &error), "%s",
                  error != NULL ? error->message : "");
    return path;
}

/* The right profile with line @at replaced; NULL leaves it out. */
static char *profile_text(size_t at, const char *line)
{
    GString *text = g_string_new("# a comment\n");
    for (size_t i = 0; i < N_LINES; i++) {
        const char *chosen = i == at ? line : right_lines[i];
        if (chosen != NULL) {
            g_string_append_printf(text, "%s\n", chosen);
        }
    }
    return g_string_free(text, FALSE);
}

static void expect_profile_refused(const char *text, gssize length, const char *first,
                                   const char *second)
{
    g_autofree char *path = write_profile(text, length);
    GError *error = NULL;
    struct weir_device *device = weir_device_new(path, &error);
    ck_assert_msg(device == NULL, "taken, though '%s' is wrong", first);
    ck_assert_ptr_nonnull(error);
    expect_contains(error->message, path); /* the file is named */
    expect_contains(error->message, first);
    expect_error(error, WEIR_ERROR_PROFILE, second);
    ck_assert_ptr_null(weir_device_new(path, NULL));
}

TEST(a_profile_file_makes_a_device)
{
    g_autofree char *text = profile_text(SIZE_MAX, NULL);
    g_autofree char *path = write_profile(text, -1);
    g_autoptr(weir_device) device = device_open(path);
    ck_assert_str_eq(weir_device_summary(device), "a device of our own");
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE), 96);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_LOCAL_MEM_SIZE), 12345);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_COMPUTE_UNITS), 3);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_SUB_GROUP_SIZES),
                      1 << 4 | 1 << 8);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_SUB_GROUP_SIZE), 4);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_ORDERS),
                      1 << memory_order_relaxed | 1 << memory_order_acquire
                          | 1 << memory_order_release);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_SCOPES),
                      1 << memory_scope_work_item | 1 << memory_scope_device);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_FENCE_MEMORY_ORDERS),
                      1 << memory_order_acq_rel);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_FENCE_MEMORY_SCOPES),
                      1 << memory_scope_system);
    ck_assert_uint_eq(weir_device_get(device, WEIR_DEVICE_ATOMIC64), 0);
    cas_args args = { NULL };
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(192, 96), &args, NULL);
    EXPECT_REFUSED(device, &do_nothing, weir_nd_range_1d(97, 97), &args, NULL,
                   WEIR_ERROR_RANGE, "96");
    expect_verdict(device, &add_with, 0, 3, true, NULL); /* relaxed, device */
    expect_verdict(device, &add_with, 0, 2, false, "work_group");
    expect_verdict(device, &add_with, 3, 3, false, "acq_rel");
}

static const struct {
    size_t line;
    const char *text;
    const char *key, *value; /* what the message names */
} wrong_lines[] = {
    { 2, "max_work_group_size = 0", "max_work_group_size", "0" },
    { 2, "max_work_group_size = many", "max_work_group_size", "many" },
    { 2, "max_work_group_size = -5", "max_work_group_size", "-5" },
    { 2, "max_work_group_size = 64 items", "max_work_group_size", "64 items" },
    { 2, "max_work_group_size = 99999999999999999999", "max_work_group_size",
      "99999999999999999999" },
    { 2, "max_work_group_size =", "max_work_group_size", "max_work_group_size" },
    { 3, "local_mem_size = 1e5", "local_mem_size", "1e5" },
    { 4, "compute_units = 0", "compute_units", "0" },
    { 5, "sub_group_sizes = 8;;16", "sub_group_sizes", "8;;16" },
    { 5, "sub_group_sizes = 8;64", "sub_group_sizes", "8;64" },
    { 5, "sub_group_sizes = 0;4", "sub_group_sizes", "0;4" },
    { 5, "sub_group_sizes =", "sub_group_sizes", "sub_group_sizes" },
    { 5, "sub_group_sizes = 4;12", "sub_group_sizes", "12" }, /* no power of two */
    { 5, "sub_group_sizes = wide", "sub_group_sizes", "wide" },
    { 6, "sub_group_size = 16", "sub_group_size", "16" }, /* not among the sizes */
    { 7, "atomic_orders = relaxed;strong", "atomic_orders", "strong" },
    { 8, "atomic_scopes = work_group,device", "atomic_scopes", "work_group,device" },
    { 8, "atomic_scopes = group", "atomic_scopes", "group" },
    { 9, "fence_orders = Relaxed", "fence_orders", "Relaxed" },
    { 10, "fence_scopes = everywhere", "fence_scopes", "everywhere" },
    { 11, "atomic64 = yes", "atomic64", "yes" },
    { 11, "atomic64 = 2", "atomic64", "2" },
    { 11, "atomic64 = true\nwarp_size = 32", "warp_size", "32" },
    { 11, "atomic64 = true\nMax_work_group_size = 3", "Max_work_group_size", "3" },
    { 11, "atomic64 = true\n[extra]\nkey = 1", "extra", "extra" },
    { 0, "[gpu]", "gpu", "gpu" },
};

TEST_EACH(a_wrong_line_is_refused_with_file_key_and_value, G_N_ELEMENTS(wrong_lines))
{
    g_autofree char *text = profile_text(wrong_lines[_i].line, wrong_lines[_i].text);
    expect_profile_refused(text, -1, wrong_lines[_i].key, wrong_lines[_i].value);
}

TEST_EACH(a_missing_key_is_refused_by_name, N_LINES, .from = 1)
{
    g_autofree char *text = profile_text((size_t)_i, NULL);
    g_autofree char *key = g_strndup(right_lines[_i], strcspn(right_lines[_i], " "));
    expect_profile_refused(text, -1, key, "missing");
}

TEST(what_is_no_key_file_is_refused)
{
    expect_profile_refused("", 0, "mine.profile", "device");
    expect_profile_refused("max_work_group_size = 5\n", -1, "mine.profile",
                           "mine.profile");
    expect_profile_refused("[device\n", -1, "mine.profile", "mine.profile");
    expect_profile_refused("[device]\nno equals sign\n", -1, "mine.profile",
                           "no equals sign");
    static const char program[] = "\x7f"
                                  "ELF\0\0\1\2\xff\xfe";
    expect_profile_refused(program, sizeof(program), "mine.profile", "mine.profile");
}

static void expect_no_profile(const char *name, const char *part)
{
    GError *error = NULL;
    ck_assert_ptr_null(weir_device_new(name, &error));
    expect_error(error, WEIR_ERROR_PROFILE, part);
}

TEST(a_profile_that_is_not_there_is_refused_by_name)
{
    g_autofree char *path = g_build_filename(directory, "absent.profile", NULL);
    expect_no_profile(path, path);
    expect_no_profile("no/such/file", "no/such/file");
    expect_no_profile("absent.profile", "absent.profile");
    expect_no_profile(directory, directory);
    static const char *const unknown[] = { "cuda", "", "Default", "default " };
    for (size_t i = 0; i < G_N_ELEMENTS(unknown); i++) {
        g_autofree char *quoted = g_strdup_printf("'%s'", unknown[i]);
        expect_no_profile(unknown[i], quoted);
        expect_no_profile(unknown[i], "opencl12"); /* what there is */
    }
}

MAIN("device")
