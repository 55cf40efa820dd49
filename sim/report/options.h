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

/** The options that are one of a few words: member of struct weir_launch_options, key,
 *  and the words in the order of the constants. */
#define WEIRI_OPTIONS_CHOICES(X)                                                       \
    X(exited, "exited", "strict", "alive-only")                                        \
    X(pairing, "pairing", "site", "count")                                             \
    X(after, "after", "stop", "release")                                               \
    X(scope_rule, "scope-rule", "mutual", "same")                                      \
    X(spaces, "spaces", "sycl", "opencl")                                              \
    X(same_value, "same-value", "race", "note")                                        \
    X(race_model, "model", "language", "sycl", "ptx")

/** The words of each; the list ends at %NULL. */
#define X(name, key, ...) extern const char *const weiri_options_##name[];
WEIRI_OPTIONS_CHOICES(X)
#undef X

/** Returns: the index of @word in @words, or -1 */
int weiri_options_find(const char *const *words, const char *word);

/** "a, b or c". Returns: (transfer full) */
char *weiri_options_words(const char *const *words);

/**
 * weiri_options:
 * @launch: what was said of a launch; the rest is zero. Its @record and @replay are
 *          not set
 * @exited_given: @launch.exited was said, as zero says nothing; likewise the others
 * @schedule: %NULL where none was said; @launch.schedule is the same string
 * @order: and @trace, @explore, @play: of @launch, or %NULL
 * @ranks: the socket by which explored launches exchange with other ranks, as for
 *         weiri_exchange_set_socket(); or %NULL
 * @device: the profile of devices that are asked for as "default"; or %NULL
 * @reports: the file that reports are appended to, or %NULL
 * @traced: the reports hold the schedules of their launches
 * @record: the file that schedules are recorded in, or %NULL
 * @replay: the file of the schedule to follow, or %NULL
 * @fork: the pipes through which copies of the program are asked for; or %NULL. See
 *        base/fork-server.h
 * @halt: the pipe through which the process of launch @halt_at of @replay, from 1, asks
 *        for a debugger; or %NULL. See base/halt.h
 * @deadline_ms: when the last launch is to end, on the monotonic clock, or 0
 * @idle: launches run no item, and succeed: whether the program notices
 */
struct weiri_options {
    struct weir_launch_options launch;
    bool check_given;
#define X(name, key, ...) bool name##_given;
    WEIRI_OPTIONS_CHOICES(X)
#undef X
    char *schedule;
    char *order;
    char *trace;
    char *explore;
    char *play;
    char *ranks;
    char *device;
    char *reports;
    bool traced;
    char *record;
    char *replay;
    char *fork;
    char *halt;
    uint64_t halt_at;
    uint64_t deadline_ms;
    bool idle;
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

/** @launch with @schedule, @order, @trace, @explore and @play, which are borrowed. */
struct weir_launch_options weiri_options_launch(const struct weiri_options *options);

/**
 * weiri_options_write:
 *
 * The line from which weiri_options_read() makes the same options. Members that are
 * zero or %NULL are left out, as is an option of a few words that was not given.
 *
 * Returns: (transfer full)
 */
char *weiri_options_write(const struct weiri_options *options);

/** Appends a word; @value may be any text. %NULL appends nothing. */
void weiri_options_add(GString *line, const char *key, const char *value);
void weiri_options_add_number(GString *line, const char *key, uint64_t value);

#endif
