/* SPDX-License-Identifier: MIT
 *
 * clock.h: the clock of the command's limits of time. It is GLib's monotonic clock, but
 * it stands while a program that the command runs builds kernels in OpenCL C: how long
 * compilers take on this machine decides no verdict. */
#ifndef WEIRI_CLI_CLOCK_H
#define WEIRI_CLI_CLOCK_H

#include <stdint.h>

/** Microseconds. */
int64_t weiri_cli_clock_us(void);

/** The time of GLib's clock at @time_us of this one, if nothing is built until then. */
int64_t weiri_cli_clock_as_real_us(int64_t time_us);

/** A program begins to run that notes its builds in the file at @builds, which is
 *  removed; and it has ended. @builds: or %NULL; borrowed until then */
void weiri_cli_clock_program(const char *builds);
void weiri_cli_clock_program_ended(void);

#endif
