/* SPDX-License-Identifier: MIT
 *
 * failure.h: how a worker ends a launch that cannot go on: a stack cannot be mapped, or
 * a schedule does not fit the kernel. The launch keeps the first error and returns it
 * to the host.
 *
 * Threads: any worker of the launch. */
#ifndef WEIRI_FAILURE_H
#define WEIRI_FAILURE_H

#include "weir.h"

struct weiri_launch;

/** Records the error and asks the launch's workers to stop. */
void weiri_failure_set(struct weiri_launch *launch, enum weir_error code,
                       const char *format, ...) G_GNUC_PRINTF(3, 4);

/** After the launch: moves its error to @error. Returns: whether there was one */
bool weiri_failure_propagate(struct weiri_launch *launch, GError **error);

#endif
