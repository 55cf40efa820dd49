/* SPDX-License-Identifier: MIT
 *
 * remote.h: launches that another process gives options to and takes the reports of:
 * those of a program under `weir check -- PROGRAM`. The environment variable
 * WEIR_OPTIONS says both; report/options.h has its form, report/wire.h that of the
 * reports.
 *
 * The front door calls weiri_remote_begin() before a launch, and after it
 * weiri_remote_end() or weiri_remote_fail().
 *
 * Processes: a program may fork and start further programs; all of them append to one
 * file of reports. Where they launch one after another they continue one recorded
 * schedule, too; of launches at the same time the schedule of one is kept.
 *
 * Threads: any. */
#ifndef WEIRI_REMOTE_H
#define WEIRI_REMOTE_H

#include "weir.h"

/** Whether WEIR_OPTIONS wants launches to be checked. */
bool weiri_remote_checks(void);

/**
 * weiri_remote_begin:
 * @own: the launch's own options, or %NULL
 * @merged: (out): where the result may point to
 *
 * What WEIR_OPTIONS says replaces @own's, member by member; what it does not say stays.
 * A time limit of both is the shorter one.
 *
 * Returns: the options to launch with: @own itself where WEIR_OPTIONS is not set (the
 *          defaults for %NULL); valid until the launch ends. Or %NULL
 * Errors:  %WEIR_ERROR_ARGUMENT where WEIR_OPTIONS is malformed;
 *          %WEIR_ERROR_SCHEDULE where a schedule that it names cannot be read
 */
const struct weir_launch_options *weiri_remote_begin(
    const struct weir_launch_options *own, struct weir_launch_options *merged,
    GError **error);

/**
 * weiri_remote_end:
 * @kernel: of a launch that ended
 * @report: its report
 *
 * Hands over the report and the schedule so far.
 *
 * Returns: whether somebody takes the report, so that nobody else need print it.
 *          %false without an error where WEIR_OPTIONS names no file for reports
 * Errors:  %WEIR_ERROR_RESOURCE where the report cannot be handed over;
 *          %WEIR_ERROR_SCHEDULE where the schedule cannot be written
 */
bool weiri_remote_end(const struct weir_kernel *kernel,
                      const struct weir_report *report, GError **error);

/** Hands over why a launch failed, if somebody takes reports. */
void weiri_remote_fail(const struct weir_kernel *kernel, const GError *failure);

#endif
