/* SPDX-License-Identifier: MIT
 *
 * measure.h: shared by `weir run` and `weir bench`: measuring kernels, printing the
 * results, and texts for rows of the registry.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_MEASURE_H
#define WEIRI_CLI_MEASURE_H

#include "cli/cli.h"

/* ---- Measuring: measure.c -------------------------------------------------------- */

/**
 * weiri_cli_settings:
 * @device: owned by the command
 * @n: elements for each family; not used where there is an @input
 * @input: a file of elements, or %NULL to generate them
 * @local: items of a group; 0 for each kernel's own default
 * @warm_ups: runs of each kernel that are judged but not timed
 * @reps: timed runs of each kernel, at least 1
 * @named: the kernels were named by the user, so that none may be left out
 * @limit: of time, for all runs
 */
struct weiri_cli_settings {
    struct weir_device *device;
    struct weir_launch_options options;
    uint64_t n[2];
    const char *input;
    uint64_t local;
    uint64_t warm_ups;
    uint64_t reps;
    bool named;
    struct weiri_cli_limit limit;
};

/**
 * weiri_cli_read_settings:
 *
 * Sets @n, @local, @options.workers and @reps from the texts of these options;
 * %NULL leaves one alone.
 *
 * Returns: false after a complaint
 */
bool weiri_cli_read_settings(const char *n, const char *local, const char *workers,
                             const char *reps, struct weiri_cli_settings *settings);

/**
 * weiri_cli_measured:
 * @row: the kernel
 * @ms: best of the timed runs
 * @ms_median: median of them
 * @gb_per_s: bytes of input (10^9) a second, in the best run
 * @verdict: of the first run with a wrong answer, else of the last
 * @reports: of the first run with findings, else of the last; owned
 * @n_findings: in @reports
 * @incomplete: why the last run was ended early, so that its answer says nothing; or
 *              %NULL; owned
 */
struct weiri_cli_measured {
    const struct kernel_row *row;
    size_t n;
    size_t local;
    size_t groups;
    double ms;
    double ms_median;
    double gb_per_s;
    struct kernel_verdict verdict;
    GPtrArray *reports;
    size_t n_findings;
    char *incomplete;
};

/**
 * weiri_cli_measure:
 * @rows: of struct kernel_row
 *
 * Runs kernels on one input a family, shows progress, and judges every run. A
 * run with a finding, or one that was ended early, is the kernel's last.
 *
 * A kernel that cannot have the sizes is left out with a line on standard error
 * if it was not named, as long as another one can.
 *
 * Returns: (transfer full): struct weiri_cli_measured, or %NULL after a complaint
 */
GPtrArray *weiri_cli_measure(GPtrArray *rows,
                             const struct weiri_cli_settings *settings);

/** %WEIRI_CLI_FINDINGS where an answer is wrong or there is a finding, else
 *  %WEIRI_CLI_INCOMPLETE where a run was ended early. Broken kernels count only where
 *  the user named them. */
int weiri_cli_judge(GPtrArray *measured, const struct weiri_cli_settings *settings);

/** Whether memory has room for @n elements; false with @error set, which names --n. */
bool weiri_cli_fits_memory(uint64_t n, GError **error);

/** Threads that launches with these settings use. */
uint32_t weiri_cli_workers(const struct weiri_cli_settings *settings);

/** The members that run and bench share: kernel, family, element, n, local, groups,
 *  workers, correct, broken, published, findings. */
void weiri_cli_json_measured(JsonBuilder *builder,
                             const struct weiri_cli_measured *measured,
                             const struct weiri_cli_settings *settings);

/* ---- Tables of variants: variants.c ---------------------------------------------- */

/**
 * weiri_cli_add_variants:
 * @read_gb_per_s: the machine's read bandwidth, for columns of the median and of
 *                 the share of it; or 0 for a shorter table
 *
 * Appends a table a family, for people, with the published figures beside, and a
 * blank line after each.
 */
void weiri_cli_add_variants(GString *out, GPtrArray *measured,
                            const struct weiri_cli_settings *settings,
                            double read_gb_per_s);

/** Appends wrong answers and findings, for people; nothing where all is well. */
void weiri_cli_add_defects(GString *out, GPtrArray *measured);

/** "512 Mi", "10 M" or plain digits. Returns: (transfer full) */
char *weiri_cli_count_text(uint64_t n);

/** A rate in gigabytes (10^9 bytes) a second as text with three digits.
 *  Returns: (transfer full) */
char *weiri_cli_rate_text(double rate);

/** Gigabytes of @n elements a second; 0 where no time has passed. */
double weiri_cli_gb_per_s(size_t n, double ms);

/** The row's figure for that device, or %NULL. */
const struct kernel_figure *weiri_cli_find_figure(const struct kernel_row *row,
                                                  const char *device);

/** Those of @measured that are of that family. Returns: (transfer container) */
GPtrArray *weiri_cli_of_family(GPtrArray *measured, enum kernel_family family);

/**
 * weiri_cli_list_devices:
 *
 * @twins: the devices of the twins, too; they come last
 *
 * The devices with figures, by appearance.
 *
 * Returns: (transfer container): const struct kernel_figure, each device's first
 */
GPtrArray *weiri_cli_list_devices(GPtrArray *measured, bool twins);

/** Whether a figure of weiri_cli_list_devices() is a twin's, not a published one. */
bool weiri_cli_is_twin(GPtrArray *measured, const struct kernel_figure *device);

/* ---- The yardstick: bandwidth.c -------------------------------------------------- */

/** Reads memory with @workers threads. Returns: GB/s, or 0 with @error set */
double weiri_cli_read_bandwidth(uint32_t workers, GError **error);

/* ---- Rows of the registry in words: registry.c ----------------------------------- */

const char *weiri_cli_family_name(enum kernel_family family);
const char *weiri_cli_element_name(enum kernel_element element);

/** The members device, n and ms. */
void weiri_cli_json_figure(JsonBuilder *builder, const struct kernel_figure *figure);

/** The member "published": an array of {device, n, ms}. */
void weiri_cli_json_published(JsonBuilder *builder, const struct kernel_row *row);

#endif
