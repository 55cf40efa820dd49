/* SPDX-License-Identifier: MIT
 *
 * host/explore.h: the launch options explore and post_condition. */
#ifndef WEIRI_HOST_EXPLORE_H
#define WEIRI_HOST_EXPLORE_H

#include "exec/launch.h"
#include "weir.h"

/** Whether the options agree, and the launch can be explored if they ask for it.
 *  Errors: %WEIR_ERROR_ARGUMENT */
bool weiri_host_explore_check(const struct weiri_launch *launch,
                              const struct weir_launch_options *options,
                              GError **error);

/** Explores a launch that is ready to run, and reports what it finds. The launch itself
 *  is to be run afterwards, in the time that is left. */
bool weiri_host_explore(struct weiri_launch *launch,
                        const struct weir_launch_options *options, GError **error);

/** Whether the launch was to be explored and cannot be. Then it is checked where it
 *  runs, so that what a checked launch reports is not silent. */
bool weiri_host_explore_refused(const struct weiri_launch *launch);

/** After the launch: reports a post-condition that does not hold. */
void weiri_host_explore_judge(const struct weiri_launch *launch,
                              const struct weir_launch_options *options);

#endif
