/* SPDX-License-Identifier: MIT
 *
 * child.h: a program that is run with WEIR_OPTIONS, and ended in time.
 *
 * A program runs in a process group of its own, so that it can be ended with all that
 * it has started; and it has ended, with all of that, when a function here returns. A
 * signal that ends the command ends the program first and takes the temporary folder
 * away.
 *
 * Threads: main only, and no others, as programs are forked off. */
#ifndef WEIRI_CLI_CHILD_H
#define WEIRI_CLI_CHILD_H

#include "cli/cli.h"

/** Makes the folder for files that programs write to, unless it exists.
 *  Returns: its path, borrowed; or %NULL with @error set */
const char *weiri_cli_folder(GError **error);

/** In a fork of the command: the folder and the program that runs are the other
 *  process's. */
void weiri_cli_folder_forget(void);

/** Removes the folder with its files, if it exists; signals act as before. */
void weiri_cli_folder_remove(void);

/** From here on an interrupt (SIGINT) does not end the command: a program is ended, and
 *  weiri_cli_interrupted() is true. A second one ends the command. */
void weiri_cli_catch_interrupts(void);

/** Whether an interrupt has come. */
bool weiri_cli_interrupted(void);

/** Threads that are not the command's own, such as MPI's, may take signals that report
 *  the end of a program: from here on the end is also looked for. */
void weiri_cli_share_signals(void);

/** Whether a signal that ends the command has come, which may wait to be taken. */
bool weiri_cli_is_over(void);

/**
 * weiri_cli_child:
 * @argv: the program and its arguments; ends at %NULL
 * @options: the value of WEIR_OPTIONS, or %NULL for a plain run
 * @shown: its standard output is shown, not thrown away
 * @error_shown: its standard error is shown, not kept in @said
 * @output_to_error: its standard output goes to standard error
 * @output_file: its standard output goes to this file, which is made; or %NULL
 * @gently: it is a command that runs programs itself: to be ended, it gets SIGTERM and
 *          some time to end them. Not of weiri_cli_child_run_forked()
 * @same_addresses: it has its memory at the same addresses each time
 * @meanwhile: is called again and again while it runs; or %NULL. Not of
 *             weiri_cli_child_run_forked()
 * @deadline_us: when it is ended, on the clock of clock.h
 * @builds: the file in which it notes how long it builds kernels; or %NULL
 * @grace_us: how much longer than usual it is waited for then; not of
 *            weiri_cli_child_run_forked()
 * @pid: (out): the number of its process
 * @status: (out): as waitpid() gives it
 * @timed_out: (out): it was ended at the deadline
 * @said: (out) (transfer full): what it wrote to standard error, the first MiB of it;
 *        %NULL where that was shown
 */
struct weiri_cli_child {
    char *const *argv;
    const char *options;
    bool shown;
    bool error_shown;
    bool output_to_error;
    const char *output_file;
    const char *builds;
    bool gently;
    bool same_addresses;
    void (*meanwhile)(void);
    int64_t deadline_us, grace_us;
    GPid pid;
    int status;
    bool timed_out;
    char *said;
};

/**
 * weiri_cli_child_run:
 *
 * Standard input is the command's own where that is a file, from the same place each
 * time, and empty otherwise. After weiri_cli_folder().
 *
 * Returns: false with @error set where the program cannot be started
 */
bool weiri_cli_child_run(struct weiri_cli_child *child, GError **error);

/**
 * weiri_cli_child_start:
 *
 * Starts a program as weiri_cli_child_run() does and does not wait for it: it is ended
 * by weiri_cli_folder_remove(), or when a signal ends the command. There may be one.
 */
bool weiri_cli_child_start(struct weiri_cli_child *child, GError **error);

/** Whether that program has ended by itself. */
bool weiri_cli_child_has_ended(const struct weiri_cli_child *child);

/**
 * weiri_cli_child_run_here:
 *
 * The same in the command's own process group and on its terminal, with its standard
 * streams, as an interactive program needs it: an interrupt is for the program and does
 * not end the command, before or after. It has no deadline.
 */
bool weiri_cli_child_run_here(struct weiri_cli_child *child, GError **error);

/**
 * weiri_cli_child_run_forked:
 *
 * The same where the program need not start anew: a process that has reached its first
 * launch is kept, and copies of it are run. @pid, @status and @timed_out are the
 * copy's, and @said is %NULL. A program that cannot be copied runs as by
 * weiri_cli_child_run(). All calls are for one program, unless
 * weiri_cli_child_fork_anew() is called between two programs. @shown and @error_shown
 * are to be false.
 */
bool weiri_cli_child_run_forked(struct weiri_cli_child *child, GError **error);

/** The next call of weiri_cli_child_run_forked() is of another program. */
void weiri_cli_child_fork_anew(void);

/** From here on weiri_cli_child_run_forked() runs programs as the other one does. */
void weiri_cli_child_stop_forking(void);

/** In platform.c: the environment of a program: by its variables the usual loaders of
 *  OpenCL find Weir's platform and no other. Returns: @environment, which is taken */
char **weiri_cli_platform_set(char **environment);

/** Becomes the program, with that environment. Returns: the exit status, where it
 *  cannot be started */
int weiri_cli_platform_run(char **argv);

#endif
