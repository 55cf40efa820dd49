/* SPDX-License-Identifier: MIT
 *
 * kernels.h: the registry of built-in kernels: every reduction and histogram
 * of the source documents, and those that people who know reductions expect.
 *
 * A row is a constant of the file that holds the kernel; registry.c lists the
 * rows in reading order. A row knows how to launch its kernel on n elements,
 * possibly in several launches. Input, the sequential answer and the judgement
 * come from here too, so that every kernel is held against the same oracle. A
 * caller's whole story:
 *
 *     const struct kernel_row *row = kernel_find("reduce_tree");
 *     void *in = kernel_input_new(row, device, n, &error);
 *     void *out = kernel_output_new(row, device, &error);
 *     struct kernel_job job = { .device = device, .in = in, .out = out, .n = n };
 *     struct kernel_expected expected;
 *     kernel_expect(row, in, n, &expected);
 *     if (kernel_run(row, &job, &error)) {
 *         struct kernel_verdict verdict = kernel_judge(row, &expected, out);
 *         …
 *     }
 *     kernel_job_clear(&job);
 *
 * The letters of the source documents:
 *
 *     A  "Local Barriers vs global atomics", developer guide
 *     B  "Data Parallel C++ TAB Meeting: Atomics", July 2020
 *     C  "Memory and synchronization", tutorial
 *     D  "Atomics with SLM"
 *     E  "Analyzing the Performance of Reduction Operations in Data Parallel C++"
 *        and the code that it refers to */
#ifndef WEIR_KERNELS_H
#define WEIR_KERNELS_H

#include <weir-kernel.h>
#include <weir.h>

enum kernel_family { KERNEL_REDUCTION, KERNEL_HISTOGRAM };

/* The values that a reduction sums; the bins of histograms count KERNEL_INT32. */
enum kernel_element { KERNEL_INT32, KERNEL_FLOAT };

/* Bins of every histogram, as in source document D. */
enum { KERNEL_BINS = 2048 };

/* ---- Rows ------------------------------------------------------------------ */

/**
 * kernel_figure:
 *
 * A time on a GPU: @ms on @device for @n elements.
 */
struct kernel_figure {
    const char *device;
    size_t n;
    double ms;
};

/* Where the rows' twins ran: kernels in CUDA 13 with cuda::atomic_ref, each written
 * after the row's own and compared with the sequential answer, in November 2026. A
 * time is the median of up to 15 launches; [H200] in docs/sources.md. */
#define KERNEL_H200 "NVIDIA H200"

/**
 * kernel_job:
 *
 * One run of one kernel, as its row's @run sees it.
 * @in: @n elements of int32_t or float; for histograms values 0 to KERNEL_BINS - 1
 * @out: the answer: one element for a reduction, KERNEL_BINS uint32_t for a
 *       histogram; zeroed by kernel_run()
 * @local: items of a group; kernel_run() replaces 0 by the row's own default
 * @options: launch options, borrowed; %NULL for the defaults
 * @reports: (element-type weir_report): of the latest run, one a launch; %NULL
 *           before the first; owned by the job, freed by kernel_job_clear()
 * @groups: (out): of the first launch
 * @instrumented: (out): all kernels that were launched have checked entries
 */
struct kernel_job {
    struct weir_device *device;
    const void *in;
    void *out;
    size_t n;
    size_t local;
    const struct weir_launch_options *options;
    GPtrArray *reports;
    size_t groups;
    bool instrumented;
};

/**
 * kernel_row:
 * @name: as on the command line
 * @source: letters of the source documents that describe it, "" for none
 * @summary: what one item does, in a line
 * @local: default items of a group; 0 for the device's maximum
 * @broken: it has a deliberate mistake, which the summary names
 * @power_of_two: it needs a local size that is a power of two
 * @even: it needs an even local size
 * @single_group: it always runs as one group
 * @hierarchical: it is the WEIR_GROUP_KERNEL form of the row without the suffix
 * @figures: published; ends at a NULL device; may be NULL
 * @twin: measured for Weir with the row's twin in CUDA; no device where there is none
 * @chain: sums of floats only: the most rounded additions that any element goes
 *         through on its way into the sum of @n; see kernel_judge()
 * @run: runs it once on a job with a checked local size and a zeroed answer;
 *       false with @error set where it cannot be launched
 */
struct kernel_row {
    const char *name;
    enum kernel_family family;
    enum kernel_element element;
    const char *source;
    const char *summary;
    size_t local;
    bool broken;
    bool power_of_two;
    bool even;
    bool single_group;
    bool hierarchical;
    const struct kernel_figure *figures;
    struct kernel_figure twin;
    size_t (*chain)(size_t n);
    bool (*run)(struct kernel_job *job, GError **error);
};

/**
 * KERNEL_ROW:
 *
 * The type of a row where it is defined. A kernel's file is compiled twice, and all
 * that its second compilation adds to the first are checked entries.
 */
#if WEIRI_FAT == 2
#define KERNEL_ROW static const struct kernel_row __attribute__((unused))
#else
#define KERNEL_ROW const struct kernel_row
#endif

/** All rows in reading order; ends at %NULL. */
extern const struct kernel_row *const kernel_rows[];

/** The row of that name, or %NULL. */
const struct kernel_row *kernel_find(const char *name);

/* ---- Running ----------------------------------------------------------------- */

/**
 * kernel_run:
 * @row: the kernel
 * @job: everything but @reports and what is (out) set by the caller
 * @error: where to put an error
 *
 * One run: chooses the default local size where the job has none, checks it,
 * zeroes the answer and launches. Findings are in the job's reports and leave
 * the result %true.
 *
 * Errors: %WEIR_ERROR_RANGE where the local size is over the device's limit or
 *         none that the kernel can have; else those of weir_launch_with()
 */
bool kernel_run(const struct kernel_row *row, struct kernel_job *job, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Frees what runs have left in @job; the caller's own fields stay. */
void kernel_job_clear(struct kernel_job *job);

/* ---- For the rows ------------------------------------------------------------ */

/** Launches @kernel for @job with its options, and keeps the report in it. */
#define kernel_launch(job, kernel, range, args, error)                                 \
    kernel_launch_sized((job), (kernel), (range), (args), sizeof(*(args)), (error))
bool kernel_launch_sized(struct kernel_job *job, const struct weir_kernel *kernel,
                         struct weir_nd_range range, const void *args,
                         size_t args_bytes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** The quotient rounded up, without overflow. */
static inline size_t kernel_div_up(size_t n, size_t divisor)
{
    return n / divisor + (n % divisor != 0);
}

/** At least @items items in groups of the job's local size. */
static inline struct weir_nd_range kernel_range(const struct kernel_job *job,
                                                size_t items)
{
    return weir_nd_range_1d(kernel_div_up(items, job->local) * job->local, job->local);
}

/* ---- Input ------------------------------------------------------------------- */

/**
 * kernel_input_new:
 *
 * @n elements that depend on nothing but their index i: with h a hash of i,
 * int32 sums add all 32 bits of h, float sums (h >> 8) * 2^-24 (from 0 up to
 * 1, exact), and histograms count h % KERNEL_BINS.
 *
 * Returns: (transfer full): memory named "in"; free with weir_free()
 * Errors:  those of weir_try_new()
 */
void *kernel_input_new(const struct kernel_row *row, struct weir_device *device,
                       size_t n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kernel_input_read:
 * @path: a file of int32 values
 * @n: (out): how many it holds; an empty file holds none
 *
 * Reads a file whose content decides its form. If every byte is printable ASCII
 * or white space (tab, newline, carriage return, vertical tab, form feed) it is
 * text: one decimal integer a line, with an optional sign; blanks around it and
 * blank lines do not count. Any other file is raw: little-endian int32, nothing
 * else. A sum of floats takes each value as the nearest float.
 *
 * Returns: (transfer full): memory named "in"; free with weir_free()
 * Errors:  %WEIR_ERROR_INPUT for a file that cannot be read, a raw file with a
 *          part of a value at its end, a line of text that is not an int32 (with
 *          line and column), a value that is not a bin of a histogram (with its
 *          index); those of weir_try_new()
 */
void *kernel_input_read(const struct kernel_row *row, struct weir_device *device,
                        const char *path, size_t *n, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Elements of an answer: 1, or KERNEL_BINS for a histogram. */
size_t kernel_output_count(const struct kernel_row *row);

/** Memory named "out" for an answer, zeroed; free with weir_free(). */
void *kernel_output_new(const struct kernel_row *row, struct weir_device *device,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- The oracle ---------------------------------------------------------------- */

/**
 * kernel_expected:
 *
 * The sequential answer: what kernel_judge() holds an answer against. It
 * depends on the row's family and element only: rows that share these can
 * share one.
 * @sum: of int32 elements, wrapped to 32 bits
 * @float_sum: of float elements, added in double
 * @float_magnitude: the sum of their absolute values
 * @n: elements
 * @bins: of a histogram
 */
struct kernel_expected {
    int32_t sum;
    double float_sum;
    double float_magnitude;
    size_t n;
    uint32_t bins[KERNEL_BINS];
};

void kernel_expect(const struct kernel_row *row, const void *in, size_t n,
                   struct kernel_expected *expected);

/**
 * kernel_verdict:
 *
 * Numbers are doubles because every int32 and every count is one exactly.
 * @correct: the answer is the expected one
 * @result: what the kernel computed
 * @expected: what it should have
 * @tolerance: how far @result may be from @expected: 0 for integers
 * @bin: histograms: the first bin that is wrong, to which @result and @expected
 *       then belong; KERNEL_BINS where none is, and they are sums of all bins
 */
struct kernel_verdict {
    bool correct;
    double result;
    double expected;
    double tolerance;
    size_t bin;
};

/**
 * kernel_judge:
 * @expected: of the input that @out was computed from
 * @out: the answer
 *
 * Integers must be equal. A float sum in any order differs from the true one
 * by at most k u / (1 - k u) times the sum of absolute values, where u = 2^-24
 * and k is the length of the longest chain of additions that an element goes
 * through (Higham, "The accuracy of floating point summation", 1993): that is
 * the tolerance, with k from the row.
 */
struct kernel_verdict kernel_judge(const struct kernel_row *row,
                                   const struct kernel_expected *expected,
                                   const void *out);

/** A number of a verdict: all digits that distinguish it from its neighbours.
 *  Returns: (transfer full) */
char *kernel_number_to_text(const struct kernel_row *row, double number)
    G_GNUC_WARN_UNUSED_RESULT;

#endif
