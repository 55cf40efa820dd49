/* SPDX-License-Identifier: MIT
 *
 * timeline.h: a timeline as one line of JSON, which a launch appends to a file.
 * `weir trace` makes a document of the lines; docs/traces.md describes it.
 *
 * Lies in the library: a user's program writes such lines under `weir trace`. */
#ifndef WEIRI_REPORT_TIMELINE_H
#define WEIRI_REPORT_TIMELINE_H

#include "watch/timeline.h"
#include "weir.h"

/**
 * weiri_timeline_launch:
 *
 * Facts of a launch that its timeline lacks. All of it is borrowed.
 */
struct weiri_timeline_launch {
    const char *kernel;
    const char *device;
    const char *schedule;
    uint64_t seed;
    bool instrumented;
    const struct weir_report *report; /* closed */
};

/**
 * weiri_timeline_append:
 *
 * Appends a line to the file at @path with one write(), so that lines of several
 * processes do not mix.
 *
 * Errors: %WEIR_ERROR_RESOURCE
 */
bool weiri_timeline_append(const char *path, const struct weiri_timeline *timeline,
                           const struct weiri_timeline_launch *launch, GError **error);

#endif
