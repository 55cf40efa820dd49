/* SPDX-License-Identifier: MIT
 *
 * bench.h: shared by the files of `weir bench`.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_BENCH_H
#define WEIRI_CLI_BENCH_H

#include "cli/cli.h"
#include "engine/measure.h"

/** The text of kernels/sycl/twins.cpp. */
extern const char weiri_bench_twins[];

/**
 * weiri_bench_sycl:
 * @rows: of struct kernel_row; those without a form in SYCL are left out unless they
 *        were named
 *
 * Measures kernels beside their forms in SYCL, and prints the result.
 *
 * Returns: the exit status
 */
int weiri_bench_sycl(GPtrArray *rows, const struct weiri_cli_settings *settings,
                     bool json, bool csv);

#endif
