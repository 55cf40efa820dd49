/* SPDX-License-Identifier: MIT
 *
 * cli.h: shared by the commands: how they read options, complain, print and end.
 * Results go to standard output, and everything else to standard error.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_H
#define WEIRI_CLI_H

#include <inttypes.h>

#include <json-glib/json-glib.h>

#include "kernels/kernels.h"
#include "report/report.h"
#include "weir.h"

/**
 * weiri_cli_status:
 * @WEIRI_CLI_CLEAN: everything ran, and every answer is right
 * @WEIRI_CLI_FINDINGS: a wrong answer or another finding
 * @WEIRI_CLI_USAGE: wrong usage, input or environment
 * @WEIRI_CLI_INCOMPLETE: a limit ended the work early; never reported as clean
 */
enum weiri_cli_status {
    WEIRI_CLI_CLEAN = 0,
    WEIRI_CLI_FINDINGS = 1,
    WEIRI_CLI_USAGE = 2,
    WEIRI_CLI_INCOMPLETE = 3,
};

/* ---- Commands: a row of main.c's table calls one of them ------------------------- */

int weiri_cli_list(int argc, char **argv);
int weiri_cli_run(int argc, char **argv);
int weiri_cli_check(int argc, char **argv);
int weiri_cli_replay(int argc, char **argv);
int weiri_cli_shrink(int argc, char **argv);
int weiri_cli_trace(int argc, char **argv);
int weiri_cli_report(int argc, char **argv);
int weiri_cli_explore(int argc, char **argv);
int weiri_cli_litmus(int argc, char **argv);
int weiri_cli_device(int argc, char **argv);

/* ---- Reading the command line ---------------------------------------------------- */

/* How numbers are written; for the end of a command's help. */
#define WEIRI_CLI_NUMBERS                                                              \
    "Numbers: 16777216, powers (2^24), suffixes (k, M, G: powers of 1000; Ki, Mi,\n"   \
    "Gi: powers of 1024), and sums of these: 2^24+5 or 1Mi-1."

/**
 * weiri_cli_parse:
 * @entries: the options, of %G_OPTION_ARG_FILENAME or _NONE; --help is added
 * @synopsis: what follows the options on the command line
 * @epilogue: the end of the help, or %NULL
 * @status: (out): set where the command ends here
 *
 * Takes the options off the command line; argv[1] is then the first argument.
 *
 * Returns: whether to go on
 */
bool weiri_cli_parse(const GOptionEntry *entries, const char *synopsis,
                     const char *summary, const char *epilogue, int *argc, char ***argv,
                     int *status);

/**
 * weiri_cli_take_program:
 * @argc: (inout): ends before `--`
 * @program: (out) (nullable): what follows `--`; borrowed from @argv
 *
 * Parts a program from the command, whose own words weiri_cli_parse() may then reorder.
 *
 * Returns: (transfer container): the words before the program, which end at %NULL
 */
char **weiri_cli_take_program(int *argc, char **argv, char ***program);

/**
 * weiri_cli_number:
 * @option: its name with dashes, for the complaint
 * @what: the things counted, in the plural
 * @text: as given, or %NULL to leave @value alone
 * @value: (inout)
 *
 * Returns: false after a complaint, if @text is not a number within the limits
 */
bool weiri_cli_number(const char *option, const char *what, const char *text,
                      uint64_t least, uint64_t most, uint64_t *value);

/** Reads seconds; where @text is %NULL @seconds stays. Returns: false after a
 *  complaint of @option */
bool weiri_cli_seconds(const char *option, const char *text, double *seconds);

/**
 * weiri_cli_limit:
 *
 * A command's limit of time; all zero for none.
 * @seconds: as it was asked for
 * @deadline_us: when that time is over, on the clock of clock.h
 */
struct weiri_cli_limit {
    double seconds;
    int64_t deadline_us;
};

/** Rows of tables of options, of those that several commands have. @to: where the value
 *  goes, char ** or gboolean * */
#define WEIRI_CLI_VALUE(name, letter, to, help, value)                                 \
    {                                                                                  \
        name, letter, 0, G_OPTION_ARG_FILENAME, to, help, value                        \
    }
#define WEIRI_CLI_FLAG(name, to, help)                                                 \
    {                                                                                  \
        name, 0, 0, G_OPTION_ARG_NONE, to, help, NULL                                  \
    }
#define WEIRI_CLI_LOCAL(to)                                                            \
    WEIRI_CLI_VALUE("local", 'l', to, "Items of a group (default: the kernel's own)",  \
                    "L")
#define WEIRI_CLI_FEW_ITEMS(to)                                                        \
    WEIRI_CLI_VALUE("local", 'l', to, "Items of a group (default: 2)", "L")
#define WEIRI_CLI_INPUT(to)                                                            \
    WEIRI_CLI_VALUE("input", 'i', to, "Read the elements from a file", "FILE")
#define WEIRI_CLI_WORKERS(to)                                                          \
    WEIRI_CLI_VALUE("workers", 'w', to, "Threads (default: one a processor)", "W")
#define WEIRI_CLI_DEVICE(to)                                                           \
    WEIRI_CLI_VALUE("device", 'd', to, "Device profile (default: default)", "PROFILE")
#define WEIRI_CLI_SUB_GROUP(to)                                                        \
    WEIRI_CLI_VALUE("sub-group", 0, to,                                                \
                    "Items of a sub-group (default: the device's)", "S")
#define WEIRI_CLI_TIME_LIMIT(to)                                                       \
    WEIRI_CLI_VALUE("time-limit", 't', to, "End after SECONDS (default: 60)", "SECONDS")
#define WEIRI_CLI_STACKFUL(to) WEIRI_CLI_FLAG("stackful", to, "Give each item a stack")
#define WEIRI_CLI_JSON(to) WEIRI_CLI_FLAG("json", to, "Print JSON")
#define WEIRI_CLI_CSV(to) WEIRI_CLI_FLAG("csv", to, "Print CSV")

/**
 * weiri_cli_read_time_limit:
 * @text: of the option --time-limit: seconds; %NULL for 60
 * @limit: (out)
 *
 * Returns: false after a complaint
 */
bool weiri_cli_read_time_limit(const char *text, struct weiri_cli_limit *limit);

/** The time left of @limit for a launch, in milliseconds; 0 without a limit. */
uint64_t weiri_cli_left_ms(const struct weiri_cli_limit *limit);

/**
 * weiri_cli_why_ended:
 * @reason: of a launch that has just ended early
 *
 * A launch is given what is left of the command's time, and names that as its limit;
 * where it was ended for that, the command's own limit is said, too.
 *
 * Returns: (transfer full)
 */
char *weiri_cli_why_ended(const char *reason, const struct weiri_cli_limit *limit);

/** Levenshtein's distance: insertions, deletions and replacements of a byte. */
size_t weiri_cli_distance(const char *a, const char *b);

/**
 * weiri_cli_can_write:
 * @path: what @option names, or %NULL
 *
 * A command that takes long asks before it begins.
 *
 * Returns: false after a complaint
 */
bool weiri_cli_can_write(const char *option, const char *path);

/** Whether a program is an executable that is linked neither with Weir nor with OpenCL,
 *  which is why it has launched nothing. False for a script. */
bool weiri_cli_has_no_weir(const char *program);

/** Whether a name names a file in C or C++, and not a kernel. */
bool weiri_cli_is_source(const char *name);

/** States what to do with a source that is given in the place of a kernel. */
void weiri_cli_complain_of_source(const char *name);

/**
 * weiri_cli_find_kernels:
 * @names: ends at %NULL; borrowed
 *
 * Returns: (transfer full): struct kernel_row in the order of @names, or %NULL
 *          after a complaint that names the nearest ones
 */
GPtrArray *weiri_cli_find_kernels(char *const *names);

/* ---- Saying ---------------------------------------------------------------------- */

/** One line on standard error, "weir run: …". Returns: %WEIRI_CLI_USAGE */
int weiri_cli_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Writes a file, or complains: "OPTION: ...". Returns: whether it is written */
bool weiri_cli_write_file(const char *option, const char *path, const char *text);

/** One of several files: "last-2.litmus" of "last.litmus". @number: from 0, which is
 *  @file itself. Returns: (transfer full) */
char *weiri_cli_numbered_file(const char *file, guint number);

/** The word that starts a tool: its path in the folder of this command, or else its
 *  name, for the search path. Returns: (transfer full) */
char *weiri_cli_tool(const char *name);

/** Complains with @error's message and frees it. Returns: %WEIRI_CLI_USAGE */
int weiri_cli_take_error(GError *error);

/** Whether there is such a device profile, or @profile is %NULL. Complains if not. */
bool weiri_cli_has_device(const char *profile);

/**
 * weiri_cli_progress:
 * @text: what is being done, or %NULL to wipe the line
 *
 * Shows one line on standard error where that is a terminal, instead of the one
 * before. A complaint wipes it first.
 */
void weiri_cli_progress(const char *text);

/**
 * weiri_cli_finish:
 * @text: (transfer full): all that the command has to say on standard output
 *
 * Returns: @status, or %WEIRI_CLI_USAGE after a complaint where @text cannot be
 *          written: a lost result is never a success
 */
int weiri_cli_finish(char *text, int status);

/* ---- Tables ---------------------------------------------------------------------- */

struct weiri_cli_table;

/**
 * weiri_cli_table_new:
 * @columns: a character each: 'l' or 'r', the side that it is aligned to
 */
struct weiri_cli_table *weiri_cli_table_new(const char *columns);

/** Fills the next cells, row by row; the first row is the headings. A tab ends a cell,
 *  and a newline in a cell starts another line of its row. */
void weiri_cli_table_add(struct weiri_cli_table *table, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/** Appends the table in aligned columns, and frees it. */
void weiri_cli_table_take_text(struct weiri_cli_table *table, GString *out);

/** Appends the table as RFC 4180 has it, with CR LF, and frees it. */
void weiri_cli_table_take_csv(struct weiri_cli_table *table, GString *out);

#endif
