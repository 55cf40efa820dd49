/* SPDX-License-Identifier: MIT
 *
 * process.h: runs commands, several at once, and keeps their output. */
#ifndef WEIRI_PROCESS_H
#define WEIRI_PROCESS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * weiri_process: a command that runs, or has run
 * @words: of it; owned
 * @log: the file that it prints to; owned
 * @pid: of its process; 0: none runs
 * @status: its exit status; or -1: it could not be run, or a signal ended it
 */
struct weiri_process {
    char **words;
    char *log;
    pid_t pid;
    int status;
};

/** Starts a command, whose @words are taken; what it prints goes to @log. */
void weiri_process_start(struct weiri_process *step, GPtrArray *words, const char *log);

/** Waits for the command. Returns: whether it has succeeded */
bool weiri_process_wait(struct weiri_process *step);

/** The text that it has printed, (transfer full). */
char *weiri_process_text(const struct weiri_process *step);

void weiri_process_clear(struct weiri_process *step);

/** Adds the words to a list of them, up to %NULL. The list ends in no %NULL. */
void weiri_process_add(GPtrArray *words, ...) G_GNUC_NULL_TERMINATED;

#endif
