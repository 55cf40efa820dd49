/* SPDX-License-Identifier: MIT
 *
 * kernels.h: the registry of built-in kernels: every reduction and histogram
 * of the source documents, and those that people who know reductions expect.
 *
 * A row is a constant of the file that holds the kernel; kernels/registry.c lists the
 * rows in reading order. A row knows how to launch its kernel on n elements,
 * possibly in several launches; inputs and the sequential answer come from
 * here, so that every kernel is judged by the same oracle. */
#ifndef WEIR_KERNELS_H
#define WEIR_KERNELS_H

#include <weir-kernel.h>
#include <weir.h>

enum kernel_family { KERNEL_REDUCTION, KERNEL_HISTOGRAM };
enum kernel_element { KERNEL_INT32, KERNEL_FLOAT };

/* Bins of every histogram, as in the source documents. */
enum { KERNEL_BINS = 2048 };

/**
 * kernel_figure:
 *
 * A published time: @ms on @device for @n elements, in source document @source.
 */
struct kernel_figure {
    const char *device;
    size_t n;
    double ms;
};

/**
 * kernel_job:
 *
 * One run of one kernel, as its row's @run sees it.
 * @in: @n elements of int32_t or float; for histograms values 0 to KERNEL_BINS - 1
 * @out: the answer: one element for a reduction, KERNEL_BINS uint32_t for a
 *       histogram; zeroed before each run
 * @local: items of a group; 0 was replaced by the row's own default before
 * @options: launch options, borrowed
 * @report: the findings of all launches of the run, so far; see kernel_launch()
 */
struct kernel_job {
    struct weir_device *device;
    const void *in;
    void *out;
    size_t n;
    size_t local;
    const struct weir_launch_options *options;
    GPtrArray *reports; /* of struct weir_report, one a launch; owned by the job */
    size_t groups;      /* (out) of the first launch */
};

/**
 * kernel_row:
 * @name: as on the command line
 * @source: letters of the source documents that describe it, "" for none
 * @summary: what one item does, in a line
 * @local: default items of a group; 0 for the device's maximum
 * @broken: it holds a deliberate mistake, told in the summary
 * @power_of_two: it needs a local size that is a power of two
 * @even: it needs an even local size
 * @single_group: it always runs as one group
 * @run: runs it once; false with @error set where it cannot be launched
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
    const struct kernel_figure *figures; /* ends at a NULL device; may be NULL */
    bool (*run)(struct kernel_job *job, GError **error);
};

/** All rows in reading order; ends at %NULL. */
extern const struct kernel_row *const kernel_rows[];

/** The row of that name, or %NULL. */
const struct kernel_row *kernel_find(const char *name);

/** Launches @kernel for @job with its options, and keeps the report in it. */
#define kernel_launch(job, kernel, range, args, error)                                 \
    kernel_launch_sized((job), (kernel), (range), (args), sizeof(*(args)), (error))
bool kernel_launch_sized(struct kernel_job *job, const struct weir_kernel *kernel,
                         struct weir_nd_range range, const void *args,
                         size_t args_bytes, GError **error);

#endif
