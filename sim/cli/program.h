/* SPDX-License-Identifier: MIT
 *
 * program.h: weir and the programs that it starts for some of its commands: `weir
 * play` is weir-play, and so on. They lie beside weir where it was built, and in a
 * folder of their own where it is installed.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_PROGRAM_H
#define WEIRI_CLI_PROGRAM_H

#include <stdbool.h>

/* The option that completions of a shell are asked for with. */
#define WEIRI_CLI_COMPLETE "--complete"

typedef int weiri_cli_run_command(int argc, char **argv);

/**
 * weiri_cli_guard_streams:
 *
 * Opens the standard streams that are closed, on /dev/null: a closed one would lend its
 * number to the next file that is opened, and our text would go into that.
 *
 * Returns: whether standard output was open
 */
bool weiri_cli_guard_streams(void);

/** Runs a command of this program; its messages begin with "weir NAME:".
 *  Returns: its status */
int weiri_cli_call(const char *name, weiri_cli_run_command *run, int argc, char **argv);

/**
 * weiri_cli_start:
 * @name: of the command
 * @arguments: what follows its name; ends at %NULL
 *
 * Puts the program of a command in the place of this process.
 *
 * Returns: a status after a complaint: the program is missing
 */
int weiri_cli_start(const char *name, char *const *arguments);

/** All that main() of such a program does. */
int weiri_cli_program(const char *name, weiri_cli_run_command *run, int argc,
                      char **argv);

#endif
