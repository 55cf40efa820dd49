/* SPDX-License-Identifier: MIT
 *
 * check_kernels.c: every row of the registry against an oracle that is written
 * here, over sizes, local sizes, workers and sub-group sizes; the registry's own
 * promises; and the reading of input files. */
#include "support.h"

#include <kernels/kernels.h>

#include <glib/gstdio.h>
#include <math.h>

/* The rows that the source documents describe, and whose letters they carry. */
static const struct {
    const char *name;
    const char *source;
    double ms[3]; /* published: HD Graphics 630, Iris Xe, Data Center GPU Max 1100 */
} described[] = {
    { "reduce_single_item", "A", { 0, 0, 0 } },
    { "reduce_atomics1", "AE", { 146, 49, 0 } },
    { "reduce_atomics2", "E", { 258, 141, 0 } },
    { "reduce_atomics3", "E", { 111, 38, 0 } },
    { "reduce_single_group", "A", { 0, 0, 0 } },
    { "reduce_tree", "E", { 288, 115, 0 } },
    { "reduce_multi_pass", "C", { 0, 0, 0 } },
    { "reduce_two_pass", "E", { 0, 0, 0 } },
    { "reduce_builtin", "E", { 429, 162, 0 } },
    { "reduce_multiblock_interleaved", "E", { 83, 37, 0 } },
    { "reduce_multiblock_interleaved_vector", "E", { 67, 34, 0 } },
    { "reduce_last_group_relaxed", "B", { 0, 0, 0 } },
    { "reduce_last_group", "B", { 0, 0, 0 } },
    { "histogram_critical", "D", { 0, 0, 3647.86 } },
    { "histogram_atomic_relaxed", "D", { 0, 0, 3.05 } },
    { "histogram_atomic_seq_cst", "D", { 0, 0, 3.04 } },
    { "histogram_local_relaxed", "D", { 0, 0, 0.11 } },
    { "histogram_local_seq_cst", "D", { 0, 0, 0.23 } },
};
static const char *const figure_devices[]
    = { "HD Graphics 630", "Iris Xe", "Data Center GPU Max 1100" };

static size_t count_rows(void)
{
    size_t n = 0;
    while (kernel_rows[n] != NULL) {
        n++;
    }
    return n;
}

/* ---- The registry -------------------------------------------------------- */

CASE("registry");

TEST_EACH(every_described_kernel_is_there_with_its_published_figures,
          G_N_ELEMENTS(described))
{
    const struct kernel_row *row = kernel_find(described[_i].name);
    ck_assert_msg(row != NULL, "no row '%s'", described[_i].name);
    ck_assert_str_eq(row->name, described[_i].name);
    for (const char *letter = described[_i].source; *letter != '\0'; letter++) {
        ck_assert_msg(strchr(row->source, *letter) != NULL, "'%s' lacks source %c",
                      row->name, *letter);
    }
    for (size_t d = 0; d < G_N_ELEMENTS(figure_devices); d++) {
        double ms = 0;
        for (const struct kernel_figure *figure = row->figures;
             figure != NULL && figure->device != NULL; figure++) {
            if (strcmp(figure->device, figure_devices[d]) == 0) {
                ms = figure->ms;
                /* 512 M elements, and 10 M */
                ck_assert_uint_eq(figure->n, d < 2 ? (size_t)512 << 20 : 10000000);
            }
        }
        ck_assert_double_eq(ms, described[_i].ms[d]);
    }
}

TEST(rows_have_names_of_their_own_and_say_what_they_do)
{
    for (size_t i = 0; kernel_rows[i] != NULL; i++) {
        const struct kernel_row *row = kernel_rows[i];
        ck_assert_ptr_eq(kernel_find(row->name), row);
        ck_assert_uint_gt(strlen(row->summary), 10);
        ck_assert_ptr_null(strchr(row->summary, '\n'));
        bool histogram = g_str_has_prefix(row->name, "histogram_");
        ck_assert_int_eq(row->family, histogram ? KERNEL_HISTOGRAM : KERNEL_REDUCTION);
        ck_assert(histogram || g_str_has_prefix(row->name, "reduce_"));
        ck_assert_int_eq(row->hierarchical,
                         g_str_has_suffix(row->name, "_hierarchical"));
        ck_assert_uint_eq(strspn(row->source, "ABCDE"), strlen(row->source));
        if (row->element == KERNEL_FLOAT) {
            ck_assert(row->chain != NULL);
        }
    }
    ck_assert_ptr_null(kernel_find("reduce_"));
    ck_assert_ptr_null(kernel_find(""));
    ck_assert_ptr_null(kernel_find("reduce_tree "));
}

TEST(only_the_relaxed_last_group_is_broken)
{
    for (size_t i = 0; kernel_rows[i] != NULL; i++) {
        const struct kernel_row *row = kernel_rows[i];
        ck_assert_int_eq(row->broken,
                         g_str_has_prefix(row->name, "reduce_last_group_relaxed"));
    }
}

TEST(barrier_kernels_have_hierarchical_forms)
{
    static const char *const with_barriers[] = { "reduce_single_group",
                                                 "reduce_tree",
                                                 "reduce_multi_pass",
                                                 "reduce_two_pass",
                                                 "reduce_multiblock_interleaved",
                                                 "reduce_multiblock_interleaved_vector",
                                                 "reduce_last_group",
                                                 "histogram_local_relaxed",
                                                 "histogram_local_seq_cst" };
    for (size_t i = 0; i < G_N_ELEMENTS(with_barriers); i++) {
        g_autofree char *name = g_strdup_printf("%s_hierarchical", with_barriers[i]);
        ck_assert_msg(kernel_find(name) != NULL, "no row '%s'", name);
    }
}

/* ---- Right answers ------------------------------------------------------- */

CASE("answers");

/* The oracle of this file: the sum of a float input is bounded by its own
 * rounding, of at most n additions in float. */
static void expect_right(const struct kernel_row *row, const void *in, const void *out,
                         size_t n, const char *what)
{
    if (row->family == KERNEL_HISTOGRAM) {
        static uint32_t bins[KERNEL_BINS];
        memset(bins, 0, sizeof(bins));
        for (size_t i = 0; i < n; i++) {
            bins[((const int32_t *)in)[i]]++;
        }
        for (size_t bin = 0; bin < KERNEL_BINS; bin++) {
            uint32_t got = ((const uint32_t *)out)[bin];
            EXPECT(got == bins[bin], "%s: bin %zu has %u, not %u", what, bin, got,
                   bins[bin]);
        }
    } else if (row->element == KERNEL_FLOAT) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += (double)((const float *)in)[i];
        }
        double got = (double)*(const float *)out;
        EXPECT(fabs(got - sum) <= (double)n * 0x1p-24 * 1.01 * sum,
               "%s: the sum is %.9g, not %.9g", what, got, sum);
    } else {
        uint32_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += ((const uint32_t *)in)[i];
        }
        int32_t got = *(const int32_t *)out;
        EXPECT(got == (int32_t)sum, "%s: the sum is %d, not %d", what, got,
               (int32_t)sum);
    }
}

/* One run, held against this file's oracle and against the project's. */
static void run_row(struct weir_device *device, const struct kernel_row *row, size_t n,
                    size_t local, const struct weir_launch_options *options)
{
    GError *error = NULL;
    void *in = kernel_input_new(row, device, n, &error);
    void *out = kernel_output_new(row, device, &error);
    ck_assert(in != NULL && out != NULL);
    struct kernel_job job = { .device = device,
                              .in = in,
                              .out = out,
                              .n = n,
                              .local = local,
                              .options = options };
    g_autofree char *what = g_strdup_printf(
        "weir run %s --n %zu --local %zu --workers %u --sub-group %u on '%s'",
        row->name, n, local, options->workers, options->sub_group_size,
        weir_device_name(device));
    bool done = kernel_run(row, &job, &error);
    EXPECT(done, "%s: %s", what, error != NULL ? error->message : "no error is set");
    EXPECT(n == 0 || (job.reports != NULL && job.groups > 0), "%s: no launch", what);
    for (guint i = 0; job.reports != NULL && i < job.reports->len; i++) {
        struct weir_report *report = g_ptr_array_index(job.reports, i);
        if (weir_report_n_findings(report) > 0) {
            ck_abort_msg("%s:\n%s", what, weir_report_to_text(report));
        }
    }
    if (!row->broken) {
        struct kernel_expected expected;
        kernel_expect(row, in, n, &expected);
        expect_right(row, in, out, n, what);
        EXPECT(kernel_judge(row, &expected, out).correct, "%s: judged wrong", what);
    }
    kernel_job_clear(&job);
    weir_free(device, in);
    weir_free(device, out);
}

static bool may_have_local(const struct kernel_row *row, size_t local)
{
    return !(row->power_of_two && (local & (local - 1)) != 0)
        && !(row->even && local % 2 != 0);
}

/* A lock an element is slow wherever several groups spin on it, and so are groups that
 * each read what all have written. */
static size_t bounded(const struct kernel_row *row, size_t n)
{
    static const struct {
        const char *name;
        size_t most;
    } slow[] = { { "histogram_critical", 3000 },
                 { "reduce_last_group_relaxed_read_before", 10000 } };
    for (size_t i = 0; i < G_N_ELEMENTS(slow); i++) {
        n = strcmp(row->name, slow[i].name) == 0 ? MIN(n, slow[i].most) : n;
    }
    return n;
}

DEVICE_TEST_EACH(every_kernel_is_right_at_every_size_and_local_size, count_rows())
{
    const struct kernel_row *row = kernel_rows[_i];
    const size_t ns[] = { 0, 1, 2, 3, 255, 256, 257, 1000, 65537 };
    const size_t locals[] = { 0, 1, 2, 7, 64, 256, 1024 };
    for (size_t k = 0; k < scaled(G_N_ELEMENTS(ns), 5); k++) {
        for (size_t l = 0; l < scaled(G_N_ELEMENTS(locals), 4); l++) {
            if (may_have_local(row, locals[l])) {
                FOR_EACH_WORKERS(workers)
                {
                    run_row(device, row, bounded(row, ns[k]), locals[l],
                            WITH_WORKERS(workers));
                }
            }
        }
    }
}

DEVICE_TEST_EACH(every_kernel_is_right_at_random_sizes, count_rows())
{
    const struct kernel_row *row = kernel_rows[_i];
    uint64_t state = 1000 + (uint64_t)_i;
    for (size_t round = 0; round < scaled(40, 3); round++) {
        /* Sizes of all magnitudes. */
        size_t n = random_between(
            &state, 0, (size_t)1 << random_between(&state, 0, scaled(17, 9)));
        size_t local = random_between(&state, 1, scaled(1024, 40));
        while (!may_have_local(row, local)) {
            local = random_between(&state, 1, scaled(1024, 40));
        }
        struct weir_launch_options options = {
            .workers = (uint32_t)random_between(&state, 1, 6),
            .sub_group_size = 8u << random_between(&state, 0, 2),
        };
        run_row(device, row, bounded(row, n), local, &options);
    }
}

TEST_EACH(every_kernel_has_a_default_that_each_device_can_run, count_rows())
{
    static const char *const profiles[] = { "hd630", "irisxe", "max1100", "opencl20" };
    const struct kernel_row *row = kernel_rows[_i];
    for (size_t k = 0; k < scaled(G_N_ELEMENTS(profiles), 1); k++) {
        g_autoptr(weir_device) device = device_open(profiles[k]);
        run_row(device, row, bounded(row, scaled(10007, 300)), 0, WITH_WORKERS(2));
    }
}

DEVICE_TEST_EACH(a_local_size_that_a_kernel_cannot_have_is_refused_with_one_it_can,
                 count_rows())
{
    const struct kernel_row *row = kernel_rows[_i];
    GError *error = NULL;
    void *in = kernel_input_new(row, device, 100, &error);
    void *out = kernel_output_new(row, device, &error);
    struct kernel_job job
        = { .device = device, .in = in, .out = out, .n = 100, .local = 1025 };
    ck_assert(!kernel_run(row, &job, &error));
    expect_error(error, WEIR_ERROR_RANGE, "1025");
    const size_t odd[] = { 1, 3, 7, 12, 100, 1023 };
    for (size_t k = 0; k < G_N_ELEMENTS(odd); k++) {
        job.local = odd[k];
        error = NULL;
        bool done = kernel_run(row, &job, &error);
        ck_assert_int_eq(done, may_have_local(row, odd[k]));
        if (!done) {
            ck_assert_ptr_nonnull(error);
            expect_contains(error->message, row->name);
            expect_contains(error->message, row->even ? "even" : "power of two");
            expect_error(error, WEIR_ERROR_RANGE, "--local");
        }
    }
    kernel_job_clear(&job);
}

/* A job may be run again, and its answer does not add up. */
DEVICE_TEST_EACH(a_second_run_starts_from_zero, count_rows())
{
    const struct kernel_row *row = kernel_rows[_i];
    enum { N = 777 };
    GError *error = NULL;
    void *in = kernel_input_new(row, device, N, &error);
    void *out = kernel_output_new(row, device, &error);
    struct kernel_job job = { .device = device, .in = in, .out = out, .n = N };
    for (int round = 0; round < 3 && !row->broken; round++) {
        ck_assert(kernel_run(row, &job, &error));
        expect_right(row, in, out, N, row->name);
    }
    kernel_job_clear(&job);
}

/* A row as a build has it whose compiler has no hooks: this file is compiled
 * without. */
typedef struct {
    int32_t *out;
} without_hooks_args;

WEIR_KERNEL(without_hooks, without_hooks_args)
{
    args->out[weir_global_id(item, 0)] = 1;
}

static bool run_without_hooks(struct kernel_job *job, GError **error)
{
    without_hooks_args args = { job->out };
    return kernel_launch(job, &without_hooks, kernel_range(job, 1), &args, error);
}

DEVICE_TEST(a_job_without_checked_entries_says_so)
{
    static const struct kernel_row row
        = { .name = "without_hooks", .local = 1, .run = run_without_hooks };
    GError *error = NULL;
    int32_t in = 1, out[KERNEL_BINS];
    struct weir_launch_options options = { .schedule = "in-order", .check = true };
    struct kernel_job job
        = { .device = device, .in = &in, .out = out, .n = 1, .options = &options };
    ck_assert(kernel_run(&row, &job, &error));
    ck_assert(!job.instrumented);
    ck_assert(!weir_report_saw_accesses(g_ptr_array_index(job.reports, 0)));
    kernel_job_clear(&job);
}

/* ---- Input and judgement ------------------------------------------------- */

CASE("input");

DEVICE_TEST(the_generated_input_is_the_documented_one)
{
    enum { N = 5000 };
    GError *error = NULL;
    const struct kernel_row *ints = kernel_find("reduce_tree");
    const struct kernel_row *floats = kernel_find("reduce_float_atomic");
    const struct kernel_row *bins = kernel_find("histogram_local_relaxed");
    const uint32_t *in = kernel_input_new(ints, device, N, &error);
    const float *in_float = kernel_input_new(floats, device, N, &error);
    const int32_t *in_bins = kernel_input_new(bins, device, N, &error);
    const uint32_t *shorter = kernel_input_new(ints, device, N / 2, &error);
    ck_assert(in != NULL && in_float != NULL && in_bins != NULL && shorter != NULL);
    uint32_t all = 0;
    for (size_t i = 0; i < N; i++) { /* one hash, seen in three ways */
        all |= in[i];
        EXPECT((double)in_float[i] == (double)(in[i] >> 8) * 0x1p-24, "float %zu", i);
        EXPECT_ELEMENT(in_bins, i, in[i] % KERNEL_BINS);
        EXPECT(i >= N / 2 || shorter[i] == in[i], "element %zu depends on n", i);
    }
    ck_assert_uint_eq(all, UINT32_MAX);
}

DEVICE_TEST_EACH(a_wrong_answer_is_judged_wrong, count_rows())
{
    const struct kernel_row *row = kernel_rows[_i];
    enum { N = 3000 };
    GError *error = NULL;
    void *in = kernel_input_new(row, device, N, &error);
    uint32_t *out = kernel_output_new(row, device, &error);
    struct kernel_expected expected;
    kernel_expect(row, in, N, &expected);
    if (row->family == KERNEL_HISTOGRAM) {
        memcpy(out, expected.bins, sizeof(expected.bins));
        struct kernel_verdict verdict = kernel_judge(row, &expected, out);
        ck_assert(verdict.correct);
        ck_assert_uint_eq(verdict.bin, KERNEL_BINS);
        ck_assert_double_eq(verdict.result, N);
        out[2047]++;
        out[1234]--;
        verdict = kernel_judge(row, &expected, out);
        ck_assert(!verdict.correct);
        ck_assert_uint_eq(verdict.bin, 1234);
        ck_assert_double_eq(verdict.expected, expected.bins[1234]);
        ck_assert_double_eq(verdict.result, (double)expected.bins[1234] - 1);
    } else if (row->element == KERNEL_FLOAT) {
        float *sum = (float *)out;
        *sum = (float)expected.float_sum;
        struct kernel_verdict verdict = kernel_judge(row, &expected, out);
        ck_assert(verdict.correct);
        ck_assert_double_gt(verdict.tolerance, 0);
        *sum = (float)(expected.float_sum + 4 * verdict.tolerance);
        ck_assert(!kernel_judge(row, &expected, out).correct);
        *sum = (float)(expected.float_sum - 4 * verdict.tolerance);
        ck_assert(!kernel_judge(row, &expected, out).correct);
        *sum = NAN;
        ck_assert(!kernel_judge(row, &expected, out).correct);
    } else {
        int32_t *sum = (int32_t *)out;
        *sum = expected.sum;
        struct kernel_verdict verdict = kernel_judge(row, &expected, out);
        ck_assert(verdict.correct);
        ck_assert_double_eq(verdict.tolerance, 0);
        *sum ^= 1;
        verdict = kernel_judge(row, &expected, out);
        ck_assert(!verdict.correct);
        ck_assert_double_eq(verdict.expected, expected.sum);
        ck_assert_double_eq(verdict.result, *sum);
    }
}

static char *write_input(const char *bytes, size_t length)
{
    char *path = NULL;
    GError *error = NULL;
    int fd = g_file_open_tmp("weir-check-XXXXXX", &path, &error);
    ck_assert_msg(fd >= 0, "%s", error != NULL ? error->message : "");
    close(fd);
    ck_assert(g_file_set_contents(path, bytes, (gssize)length, &error));
    return path;
}

static const struct {
    const char *bytes;
    size_t length;
    size_t n;
    int32_t values[6];
} right_inputs[] = {
    { "", 0, 0, { 0 } },
    { "5", 1, 1, { 5 } },
    { "1\n2\n3\n", 6, 3, { 1, 2, 3 } },
    { "1\r\n-2\r\n", 7, 2, { 1, -2 } },
    { "  7  \n\n\t+8\n \n", 13, 2, { 7, 8 } },
    { "-2147483648\n2147483647", 22, 2, { INT32_MIN, INT32_MAX } },
    { "007\n-0\n", 7, 2, { 7, 0 } },
    { "\n\n\n", 3, 0, { 0 } },
    { "\x01\x00\x00\x00\xff\xff\xff\xff", 8, 2, { 1, -1 } },
    { "\x00\x00\x00\x80", 4, 1, { INT32_MIN } },
    { "12\n\0", 4, 1, { 0x000a3231 } }, /* a zero byte makes it raw */
};

DEVICE_TEST_EACH(an_input_file_is_read_in_the_form_it_has, G_N_ELEMENTS(right_inputs))
{
    g_autofree char *path
        = write_input(right_inputs[_i].bytes, right_inputs[_i].length);
    static const char *const rows[] = { "reduce_tree", "reduce_float_atomic" };
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        GError *error = NULL;
        size_t n = 99;
        void *in = kernel_input_read(kernel_find(rows[k]), device, path, &n, &error);
        ck_assert_msg(in != NULL, "%s", error != NULL ? error->message : "");
        ck_assert_uint_eq(n, right_inputs[_i].n);
        for (size_t i = 0; i < n; i++) {
            int32_t value = right_inputs[_i].values[i];
            if (k == 0) {
                ck_assert_int_eq(((int32_t *)in)[i], value);
            } else {
                ck_assert_float_eq(((float *)in)[i], (float)value);
            }
        }
    }
    g_unlink(path);
}

static const struct {
    const char *bytes;
    size_t length;
    const char *place; /* ":line:column:" or another part of the message */
    const char *what;
} wrong_inputs[] = {
    { "1\n2\nx\n", 6, ":3:1:", "'x'" },
    { "1\n  2.5\n", 8, ":2:3:", "'2.5'" },
    { "1 2\n", 4, ":1:3:", "'2'" },
    { "1,2\n", 4, ":1:1:", "'1,2'" },
    { "2147483648\n", 11, ":1:1:", "2147483648" },
    { "1\n-2147483649", 13, ":2:1:", "-2147483649" },
    { "99999999999999999999999999\n", 27, ":1:1:", "int32" },
    { "1\n-\n", 4, ":2:1:", "'-'" },
    { "+-1\n", 4, ":1:1:", "'+-1'" },
    { "0x10\n", 5, ":1:1:", "'0x10'" },
    { "1e3\n", 4, ":1:1:", "'1e3'" },
    { "\x01\x02\x03", 3, "3 bytes", "4" },
    { "\x01\x00\x00\x00\x05", 5, "5 bytes", "4" },
};

DEVICE_TEST_EACH(a_wrong_input_file_is_refused_with_line_and_column,
                 G_N_ELEMENTS(wrong_inputs))
{
    g_autofree char *path
        = write_input(wrong_inputs[_i].bytes, wrong_inputs[_i].length);
    GError *error = NULL;
    size_t n = 99;
    ck_assert_ptr_null(
        kernel_input_read(kernel_find("reduce_tree"), device, path, &n, &error));
    ck_assert_ptr_nonnull(error);
    expect_contains(error->message, path);
    expect_contains(error->message, wrong_inputs[_i].what);
    expect_error(error, WEIR_ERROR_INPUT, wrong_inputs[_i].place);
    g_unlink(path);
}

DEVICE_TEST(a_value_that_is_no_bin_is_refused_for_histograms_only)
{
    static const struct {
        const char *text;
        const char *value, *index;
    } cases[]
        = { { "0\n2047\n2048\n", "2048", "index 2" }, { "-1\n5\n", "-1", "index 0" } };
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autofree char *path = write_input(cases[k].text, strlen(cases[k].text));
        GError *error = NULL;
        size_t n;
        ck_assert_ptr_null(kernel_input_read(kernel_find("histogram_atomic_relaxed"),
                                             device, path, &n, &error));
        ck_assert_ptr_nonnull(error);
        expect_contains(error->message, cases[k].value);
        expect_error(error, WEIR_ERROR_INPUT, cases[k].index);
        ck_assert_ptr_nonnull(
            kernel_input_read(kernel_find("reduce_tree"), device, path, &n, NULL));
        g_unlink(path);
    }
    g_autofree char *path = write_input("0\n2047\n", 7);
    size_t n;
    ck_assert_ptr_nonnull(kernel_input_read(kernel_find("histogram_atomic_relaxed"),
                                            device, path, &n, NULL));
    ck_assert_uint_eq(n, 2);
    g_unlink(path);
}

DEVICE_TEST(an_input_that_cannot_be_read_is_refused_by_name)
{
    static const char *const paths[] = { "/nowhere/at/all", "/" };
    for (size_t k = 0; k < G_N_ELEMENTS(paths); k++) {
        GError *error = NULL;
        size_t n;
        ck_assert_ptr_null(kernel_input_read(kernel_find("reduce_tree"), device,
                                             paths[k], &n, &error));
        expect_error(error, WEIR_ERROR_INPUT, paths[k]);
    }
}

/* A file longer than any buffer of the reader. */
DEVICE_TEST(a_long_input_file_is_read_whole)
{
    enum { N = 200000 };
    g_autoptr(GString) text = g_string_new(NULL);
    int32_t *raw = g_new(int32_t, N);
    for (int i = 0; i < N; i++) {
        g_string_append_printf(text, "%d\n", i * 1000 - 5);
        raw[i] = GINT32_TO_LE(i * 1000 - 5);
    }
    char *paths[] = { write_input(text->str, text->len),
                      write_input((const char *)raw, N * sizeof(*raw)) };
    for (size_t k = 0; k < 2; k++) {
        size_t n;
        int32_t *in
            = kernel_input_read(kernel_find("reduce_tree"), device, paths[k], &n, NULL);
        ck_assert_ptr_nonnull(in);
        ck_assert_uint_eq(n, N);
        for (int i = 0; i < N; i++) {
            EXPECT_ELEMENT(in, i, i * 1000 - 5);
        }
        g_unlink(paths[k]);
        g_free(paths[k]);
    }
    g_free(raw);
}

TEST(numbers_are_printed_with_all_their_digits)
{
    const struct kernel_row *ints = kernel_find("reduce_tree");
    const struct kernel_row *floats = kernel_find("reduce_float_atomic");
    const double whole[] = { 0, -1, 2147483647, -2147483648.0 };
    const char *const texts[] = { "0", "-1", "2147483647", "-2147483648" };
    for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
        g_autofree char *text = kernel_number_to_text(ints, whole[i]);
        ck_assert_str_eq(text, texts[i]);
    }
    const float near[] = { 0.1f, 16777216.0f, 1.0f / 3, 3.4e38f, 1e-40f };
    for (size_t i = 0; i < G_N_ELEMENTS(near); i++) {
        g_autofree char *text = kernel_number_to_text(floats, (double)near[i]);
        ck_assert_float_eq(strtof(text, NULL), near[i]);
    }
}

MAIN("kernels")
