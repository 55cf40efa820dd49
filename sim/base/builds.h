/* SPDX-License-Identifier: MIT
 *
 * builds.h: how long the processes of a program have been building kernels, which a
 * time limit of its run leaves out. They note it in a file, which other processes
 * read. */
#ifndef WEIRI_BUILDS_H
#define WEIRI_BUILDS_H

#include <stdbool.h>
#include <stdint.h>

/** The end of that file's name, which begins as the name of the file of reports. */
#define WEIRI_BUILDS ".builds"

/** Notes in the file at @path, which need not be there, that a build begins or ends.
 *  If a build cannot be noted, it counts as time of the run. Any thread, any
 *  process. */
void weiri_builds_note(const char *path, bool begins);

/** The time in microseconds at which a build was going on, by the file at @path, up to
 *  now. A single build counts for ten minutes at most, since its process may have been
 *  killed. 0 if the file does not exist. */
int64_t weiri_builds_us(const char *path);

#endif
