/* SPDX-License-Identifier: MIT
 *
 * cli.h: what the commands share: how they read options, complain, print and
 * end. Results go to standard output, and everything else to standard error.
 *
 * Threads: main only. */
#ifndef WEIRI_CLI_H
#define WEIRI_CLI_H

#include <inttypes.h>

#include <json-glib/json-glib.h>

#include "kernels/kernels.h"
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
int weiri_cli_bench(int argc, char **argv);
int weiri_cli_device(int argc, char **argv);

/* ---- Reading the command line ---------------------------------------------------- */

/* How numbers are written; for the end of a command's help. */
#define WEIRI_CLI_NUMBERS                                                              \
    "Numbers are written as 16777216, as powers (2^24), with a suffix (k, M, G:\n"     \
    "powers of 1000; Ki, Mi, Gi: powers of 1024), or as a sum of these: 2^24+5, "      \
    "1Mi-1."

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
 * weiri_cli_number:
 * @option: its name with dashes, for the complaint
 * @what: the things counted, in the plural
 * @text: as given, or %NULL to leave @value alone
 * @value: (inout)
 *
 * Returns: false after a complaint, where @text is no number within the limits
 */
bool weiri_cli_number(const char *option, const char *what, const char *text,
                      uint64_t least, uint64_t most, uint64_t *value);

/**
 * weiri_cli_find_kernels:
 * @names: ends at %NULL; borrowed
 *
 * Returns: (transfer full): struct kernel_row in the order of @names, or %NULL
 *          after a complaint that tells the nearest names
 */
GPtrArray *weiri_cli_find_kernels(char *const *names);

/* ---- Saying ---------------------------------------------------------------------- */

/** One line on standard error, "weir run: …". Returns: %WEIRI_CLI_USAGE */
int weiri_cli_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Complains with @error's message and frees it. Returns: %WEIRI_CLI_USAGE */
int weiri_cli_take_error(GError *error);

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

/** Fills the next cell, row by row; the first row is the headings. A newline starts another line of its row. */
void weiri_cli_table_add(struct weiri_cli_table *table, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/** Appends the table in aligned columns, and frees it. */
void weiri_cli_table_take_text(struct weiri_cli_table *table, GString *out);

/** Appends the table as RFC 4180 has it, with CR LF, and frees it. */
void weiri_cli_table_take_csv(struct weiri_cli_table *table, GString *out);

/* ---- JSON: a member of the object that is open ----------------------------------- */

/** %NULL gives null. */
void weiri_cli_json_text(JsonBuilder *builder, const char *name, const char *value);
void weiri_cli_json_int(JsonBuilder *builder, const char *name, uint64_t value);
/** A number that is not finite gives null. */
void weiri_cli_json_real(JsonBuilder *builder, const char *name, double value);
void weiri_cli_json_bool(JsonBuilder *builder, const char *name, bool value);

/** Returns: (transfer full): the document, indented; frees @builder */
char *weiri_cli_json_take(JsonBuilder *builder);

/* ---- Measuring: run.c ------------------------------------------------------------ */

/**
 * weiri_cli_settings:
 * @device: owned by the command
 * @n: elements for each family; not used where there is an @input
 * @input: a file of elements, or %NULL to generate them
 * @local: items of a group; 0 for each kernel's own default
 * @warm_ups: runs of each kernel that are judged but not timed
 * @reps: timed runs of each kernel, at least 1
 * @named: the kernels were named by the user, so that none may be left out
 */
struct weiri_cli_settings {
    struct weir_device *device;
    struct weir_launch_options options;
    uint64_t n[2];
    const char *input;
    uint64_t local;
    uint64_t warm_ups;
    uint64_t reps;
    bool named;
};

/**
 * weiri_cli_measured:
 * @row: the kernel
 * @ms: best of the timed runs
 * @ms_median: median of them
 * @gb_per_s: bytes of input (10^9) a second, in the best run
 * @verdict: of the first run with a wrong answer, else of the last
 * @reports: of the first run with findings, else of the last; owned
 * @n_findings: in @reports
 */
struct weiri_cli_measured {
    const struct kernel_row *row;
    size_t n;
    size_t local;
    size_t groups;
    double ms;
    double ms_median;
    double gb_per_s;
    struct kernel_verdict verdict;
    GPtrArray *reports;
    size_t n_findings;
};

/**
 * weiri_cli_measure:
 * @rows: of struct kernel_row
 *
 * Runs kernels on one input a family, shows progress, and judges every run. A
 * run with a finding is the kernel's last.
 *
 * A kernel that cannot have the sizes is left out with a line on standard error
 * if it was not named, as long as another one can.
 *
 * Returns: (transfer full): struct weiri_cli_measured, or %NULL after a complaint
 */
GPtrArray *weiri_cli_measure(GPtrArray *rows,
                             const struct weiri_cli_settings *settings);

/** %WEIRI_CLI_FINDINGS where an answer is wrong or there is a finding. Broken
 *  kernels count only where the user named them. */
int weiri_cli_judge(GPtrArray *measured, const struct weiri_cli_settings *settings);

/** Threads that launches with these settings use. */
uint32_t weiri_cli_workers(const struct weiri_cli_settings *settings);

/** Appends wrong answers and findings, for people; nothing where all is well. */
void weiri_cli_add_defects(GString *out, GPtrArray *measured);

/** The members that run and bench share: kernel, family, element, n, local, groups,
 *  workers, correct, broken, published, findings. */
void weiri_cli_json_measured(JsonBuilder *builder,
                             const struct weiri_cli_measured *measured,
                             const struct weiri_cli_settings *settings);

/* ---- Tables of variants: bench.c ------------------------------------------------- */

/**
 * weiri_cli_add_variants:
 * @read_gb_per_s: the machine's read bandwidth, for columns of the median and of
 *                 the share of it; or 0 for a shorter table
 *
 * Appends a table a family, for people, with the published figures beside.
 */
void weiri_cli_add_variants(GString *out, GPtrArray *measured,
                            const struct weiri_cli_settings *settings,
                            double read_gb_per_s);

/** "512 Mi", "10 M" or plain digits. Returns: (transfer full) */
char *weiri_cli_count_text(uint64_t n);

/* ---- The yardstick: bandwidth.c -------------------------------------------------- */

/** Reads memory with @workers threads. Returns: GB/s, or 0 with @error set */
double weiri_cli_read_bandwidth(uint32_t workers, GError **error);

/* ---- Rows of the registry in words: list.c --------------------------------------- */

const char *weiri_cli_family_name(enum kernel_family family);
const char *weiri_cli_element_name(enum kernel_element element);

/** The member "published": an array of {device, n, ms}. */
void weiri_cli_json_published(JsonBuilder *builder, const struct kernel_row *row);

#endif
