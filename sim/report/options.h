/* SPDX-License-Identifier: MIT
 *
 * options.h: launch options as one line of text, for a process that starts a program
 * and wants its launches to follow. The line is the environment variable WEIR_OPTIONS:
 *
 *     WEIR_OPTIONS='schedule=random seed=7 reports=/tmp/weir-1x/reports'
 *
 * Words of the form KEY=VALUE with blanks between them; weir-check(1) has the keys. A
 * blank, a control character or a '%' in a value is written as %XX in hexadecimal.
 *
 * Reading is strict: a key that is unknown or comes twice and a value that is
 * malformed are errors, as a program must never be checked otherwise than asked. */
#ifndef WEIRI_OPTIONS_H
#define WEIRI_OPTIONS_H

#include "weir.h"

/** The words for the values of weir_exited, weir_pairing, weir_after, weir_scope_rule,
 *  weir_spaces and weir_same_value, in the order of their constants; each ends at
 *  %NULL. */
extern const char *const weiri_options_exited[];
extern const char *const weiri_options_pairing[];
extern const char *const weiri_options_after[];
extern const char *const weiri_options_scope_rule[];
extern const char *const weiri_options_spaces[];
extern const char *const weiri_options_same_value[];

/** Returns: the index of @word in @words, or -1 */
int weiri_options_find(const char *const *words, const char *word);

/**
 * weiri_options:
 * @launch: what was said of a launch; the rest is zero. Its @record and @replay are
 *          not set
 * @exited_given: @launch.exited was said, as zero says nothing; likewise the others
 * @schedule: %NULL where none was said; @launch.schedule is the same string
 * @reports: the file that reports are appended to, or %NULL
 * @traced: the reports hold the schedules of their launches
 * @record: the file that schedules are recorded in, or %NULL
 * @replay: the file of the schedule to follow, or %NULL
 * @deadline_ms: when the last launch is to end, on the monotonic clock, or 0
 */
struct weiri_options {
    struct weir_launch_options launch;
    bool exited_given;
    bool pairing_given;
    bool after_given;
    bool check_given;
    bool scope_rule_given;
    bool spaces_given;
    bool same_value_given;
    char *schedule;
    char *reports;
    bool traced;
    char *record;
    char *replay;
    uint64_t deadline_ms;
};

/**
 * weiri_options_read:
 * @options: (out): to be cleared by weiri_options_clear(), after an error, too
 *
 * Errors: %WEIR_ERROR_ARGUMENT, with the key
 */
bool weiri_options_read(const char *line, struct weiri_options *options, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

void weiri_options_clear(struct weiri_options *options);

/** Appends a word; @value may be any text. */
void weiri_options_add(GString *line, const char *key, const char *value);
void weiri_options_add_number(GString *line, const char *key, uint64_t value);

#endif
