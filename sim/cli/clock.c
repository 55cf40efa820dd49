/* SPDX-License-Identifier: MIT
 *
 * clock.c: see clock.h. The time that programs have spent in builds is subtracted from
 * GLib's clock: the sum of programs that have ended, and the notes in the file of the
 * one that runs, which are read at each call. */
#include "config.h"

#include "cli/clock.h"

#include "base/builds.h"

#include <glib.h>
#include <unistd.h>

static struct {
    int64_t built_us;   /* by programs that have ended */
    const char *builds; /* of the one that runs, or NULL */
} state;

int64_t weiri_cli_clock_us(void)
{
    int64_t now_us = state.builds != NULL ? weiri_builds_us(state.builds) : 0;
    return g_get_monotonic_time() - state.built_us - now_us;
}

int64_t weiri_cli_clock_as_real_us(int64_t time_us)
{
    return time_us - weiri_cli_clock_us() + g_get_monotonic_time();
}

void weiri_cli_clock_program(const char *builds)
{
    if (builds != NULL) {
        (void)unlink(builds);
    }
    state.builds = builds;
}

void weiri_cli_clock_program_ended(void)
{
    if (state.builds != NULL) {
        state.built_us += weiri_builds_us(state.builds);
        state.builds = NULL;
    }
}
