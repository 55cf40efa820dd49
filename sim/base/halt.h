/* SPDX-License-Identifier: MIT
 *
 * halt.h: a process that waits for a debugger. */
#ifndef WEIRI_HALT_H
#define WEIRI_HALT_H

/**
 * weiri_halt:
 * @path: a named pipe, to which the number of this process is written, a line
 *
 * Returns when a debugger has attached; without one, after half a minute.
 */
void weiri_halt(const char *path);

#endif
