/* SPDX-License-Identifier: MIT
 *
 * command.h: a recorded command is run again, with other words. */
#ifndef WEIRI_COMMAND_H
#define WEIRI_COMMAND_H

#include "repair/build-record.h"

#include <glib.h>

struct weiri_command {
    const struct weiri_build_record *record; /* its folder and environment */
    char **words;                            /* ends with NULL */
    const char *temporary;                   /* a folder for temporary files */
    int64_t deadline_us;                     /* of g_get_monotonic_time() */
};

/** Runs the command until it ends, the deadline has come, or a signal that is blocked
 * and ends the program is pending.
 *
 * Returns: (transfer full): why it failed, in one line, which is the compiler's first
 *          error if it printed one; %NULL where it ended with status 0 */
char *weiri_command_run(const struct weiri_command *command);

#endif
