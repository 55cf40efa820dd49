/* SPDX-License-Identifier: MIT
 *
 * complete.h: the words that a shell offers after those that were typed. Every command
 * reads its options through weiri_cli_parse(), which asks here first: so a new option,
 * and a new command, complete without a line anywhere else.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_COMPLETE_H
#define WEIRI_CLI_COMPLETE_H

#include <glib.h>
#include <stdbool.h>

/**
 * weiri_complete_ask:
 * @command: its name
 * @words: after the command's name; the last one is to be completed. Ends at %NULL;
 *         borrowed for the rest of the process
 *
 * The next command that reads its options answers, and ends.
 */
void weiri_complete_ask(const char *command, char **words);

/** Whether something is asked, so that the next command that reads its options ends. */
bool weiri_complete_is_asked(void);

/**
 * weiri_complete_take_action:
 *
 * For a command with actions that have options of their own, before it chooses one.
 *
 * Returns: the action, if words after it are asked for; borrowed. %NULL if nothing is
 *          asked, or the action itself
 */
char *weiri_complete_take_action(void);

/**
 * weiri_complete_add:
 * @kind: as the synopsis or the help of an option has it, such as "FEATURE"; borrowed,
 *        as are the others
 *
 * A word that stands for @kind. For a command, before it reads its options.
 */
void weiri_complete_add(const char *kind, const char *word, const char *meaning);

/**
 * weiri_complete_answer:
 * @synopsis: what follows the options on the command line, or %NULL
 *
 * A line is a word, and after a tab what it means; or one of
 *
 *   :files [PATTERN]   names of files, such as *.schedule
 *   :folders           names of folders
 *   :program           what follows "--" is a command line of its own
 *
 * Words that end in = or : are not complete.
 *
 * Returns: (transfer full): the lines, or %NULL if nothing was asked
 */
char *weiri_complete_answer(const GOptionEntry *entries, const char *synopsis);

#endif
