/* SPDX-License-Identifier: MIT
 *
 * record.h: a launch and its findings as one line of JSON, for a process that starts a
 * program and reads the findings of its launches. Processes append lines to one file,
 * each with one write(), and need not know of each other.
 *
 * The tables of fields here are the one description of a finding in JSON. By them
 * record.c writes lines, json.c documents for users, and record-read.c reads both.
 *
 * Writing lies in the library and needs no json-glib: a user's program that launches
 * kernels is not linked with it. Only the command reads. */
#ifndef WEIRI_RECORD_H
#define WEIRI_RECORD_H

#include "weir-play.h"
#include "weir.h"

/** A file beside the file of reports, filled with blanks: a process that cannot append
 *  its report writes the reason over the blanks, for which a full disk has room. The
 *  end of its name, and its size. */
#define WEIRI_REPORTS_LOST ".lost"
enum { WEIRI_REPORTS_LOST_BYTES = 512 };

/**
 * weiri_launch_record:
 *
 * One launch. Strings and findings belong to the record.
 * @made: the launch has ended. Otherwise it @begins, or failed with an @error
 * @begins: the launch begins. Its end is another record, unless its process ended
 * inside
 *          it. Only @kernel, @process and @serial are set, too
 * @aside: not a launch, but findings between launches: of commands, or of the host. It
 *         is neither made, nor has it an error
 * @process: the id of the process that launched
 * @serial: of the launch in that process
 * @exits: an item has called exit(): the process ends with the launch
 * @kernel: its name
 * @instrumented: the kernel has a checked entry: its memory accesses can be seen
 * @accesses: they were, as weir_report_saw_accesses()
 * @unhooked: where they were not seen: see weiri_unhooked(). Or NULL
 * @sub_group_wait: as weir_report_saw_sub_group_wait()
 * @schedule: that the launch was to follow, or %NULL
 * @seed: of @schedule
 * @n_steps: as weir_report_n_steps()
 * @group_items: as weir_report_group_items(), or 0 where that is not known
 * @n_items: of the launch's range, or 0 where that is not known
 * @device: the name of its profile, or %NULL where that is not known
 * @incomplete: as weir_report_incomplete()
 * @error: why it could not be launched, without findings; or %NULL
 * @error_code: of domain %WEIR_ERROR where @error is, or -1 for another domain
 * @recorded: the schedule that it followed, as the text of a schedule's file; or %NULL
 * @n_findings: number of @findings
 * @findings: in the report's order
 * @n_listed: number of @steps
 * @steps: as weir_report_steps() has them
 * @n_unlisted: how many more there were
 * @n_explorations: number of @explorations: 1 if the launch was explored, or 0
 * @explorations: as weir_report_exploration()
 * @n_plays: number of @plays: 1 if the launch was played, or 0
 * @plays: as weir_report_play()
 */
struct weiri_launch_record {
    bool made;
    bool begins;
    bool aside;
    uint64_t process;
    uint64_t serial;
    bool exits;
    const char *kernel;
    bool instrumented;
    bool accesses;
    const char *unhooked;
    bool sub_group_wait;
    const char *schedule;
    uint64_t seed;
    uint64_t n_steps;
    uint64_t group_items;
    uint64_t n_items;
    const char *device;
    const char *incomplete;
    const char *error;
    int64_t error_code;
    const char *recorded;
    size_t n_findings;
    const struct weir_finding *findings;
    size_t n_listed;
    const struct weir_step *steps;
    uint64_t n_unlisted;
    size_t n_explorations;
    const struct weir_exploration *explorations;
    size_t n_plays;
    const struct weir_play *plays;
};

/* ---- The fields ------------------------------------------------------------------ */

enum weiri_field_type {
    WEIRI_FIELD_TEXT,     /* const char *; NULL is null */
    WEIRI_FIELD_FUNCTION, /* the same: the function of a party, by its public name */
    WEIRI_FIELD_TRUTH,    /* bool */
    WEIRI_FIELD_NUMBER,   /* 64 bits, as a signed number */
    WEIRI_FIELD_LINE,     /* uint32_t, at most 2^31 - 1, as in C; 0 is null */
    WEIRI_FIELD_PLACE,    /* size_t[3]; an array */
    WEIRI_FIELD_KIND,     /* enumerations; their names */
    WEIRI_FIELD_STATE,
    WEIRI_FIELD_ACCESS,
    WEIRI_FIELD_LIST, /* const struct *: an array of objects */
};

/**
 * weiri_field:
 * @name: of the member; %NULL ends a table
 * @offset: in the struct
 * @depends: @beside is the offset of a text: where that is %NULL the number is null
 * @beside: of a list, the offset of its length, a size_t
 * @bytes: of an element of a list
 * @fields: of an element of a list
 */
struct weiri_field {
    const char *name;
    enum weiri_field_type type;
    size_t offset;
    bool depends;
    size_t beside;
    size_t bytes;
    const struct weiri_field *fields;
};

/** The fields of struct weir_finding, without members that the count of runs or a
 *  document adds. */
extern const struct weiri_field weiri_finding_fields[];

/** The fields of struct weir_explored_execution. */
extern const struct weiri_field weiri_execution_fields[];

/** The fields of struct weir_step. */
extern const struct weiri_field weiri_step_fields[];

/** The fields of struct weir_play; in play-fields.c. */
extern const struct weiri_field weiri_play_fields[];

/** The fields of struct weiri_launch_record. */
extern const struct weiri_field weiri_record_fields[];

/* ---- Writing --------------------------------------------------------------------- */

/** Appends a string of JSON, or null for %NULL. Text that is not UTF-8 is made so. */
void weiri_record_add_text(GString *line, const char *text);

/** Appends a finding as an object, without a newline. Text that is not UTF-8 is made
 *  so. If a finding has no memory of its own, the memory that a spinning party waits
 *  for takes its place. */
void weiri_record_add_finding(GString *line, const struct weir_finding *finding);

/** An object of @fields, with its newline. Returns: (transfer full) */
GString *weiri_fields_to_line(const struct weiri_field *fields, const void *from);

/** @made is set by the line. Returns: (transfer full): a line with its newline */
GString *weiri_record_to_line(const struct weiri_launch_record *record);

/** The same of a launch that ended. @head: what @report does not know.
 *  Returns: (transfer full) */
GString *weiri_record_of_report(const struct weiri_launch_record *head,
                                const struct weir_report *report);

/** Launches that were made, of the whole lines in @bytes of @text; (out) @read is the
 *  number of bytes up to the end of the last whole line. */
size_t weiri_record_count_made(const char *text, size_t bytes, size_t *read);

#endif
