/* SPDX-License-Identifier: MIT
 *
 * own.h: where the command `weir` lies. Other files are looked for beside it. A program
 * that weir has started for a command lies elsewhere once it is installed.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_OWN_H
#define WEIRI_CLI_OWN_H

/** The path of weir. Returns: (transfer full) (nullable) */
char *weiri_cli_own(void);

/** States the path of weir in a program that is another one. @path: (transfer full) */
void weiri_cli_take_own(char *path);

#endif
