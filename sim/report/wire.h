/* SPDX-License-Identifier: MIT
 *
 * wire.h: what a launch came to, as bytes and back, for a process that starts a
 * program and wants to know what the program's launches found.
 *
 * A file of reports is one record after another, each with its length before it, so
 * that processes can append without knowing of each other. The bytes are of one
 * machine and one version of Weir: they live as long as the command that reads them.
 *
 * Reading trusts nothing: any bytes give records or an error. */
#ifndef WEIRI_WIRE_H
#define WEIRI_WIRE_H

#include "weir.h"

struct weiri_traced;

/**
 * weiri_wire_record:
 *
 * One launch. Strings and findings belong to the record.
 * @begins: the launch begins; of its end there is another record, unless its process
 *          ended inside it. Besides, only @kernel, @process and @serial are set
 * @process: that launched: its number in the system
 * @serial: of the launch in that process
 * @exits: an item has called exit(): the process ends with the launch
 * @kernel: its name
 * @instrumented: the kernel has a checked entry: its memory accesses can be seen
 * @accesses: they were, as weir_report_saw_accesses()
 * @schedule: that the launch was told to follow, or %NULL
 * @seed: of @schedule
 * @n_steps: as weir_report_n_steps()
 * @group_items: as weir_report_group_items(), or 0 where that is not known
 * @incomplete: as weir_report_incomplete()
 * @error: why it could not be launched, or %NULL; then there are no findings
 * @error_code: of domain %WEIR_ERROR where @error is, or -1 for another domain
 * @findings: @n_findings of them, in the report's order
 * @traced: the schedule that it followed, of one launch, or %NULL
 */
struct weiri_wire_record {
    bool begins;
    uint64_t process;
    uint64_t serial;
    bool exits;
    const char *kernel;
    bool instrumented;
    bool accesses;
    const char *schedule;
    uint64_t seed;
    uint64_t n_steps;
    uint64_t group_items;
    const char *incomplete;
    const char *error;
    int32_t error_code;
    const struct weir_finding *findings;
    size_t n_findings;
    const struct weiri_traced *traced;
};

/**
 * weiri_wire_pack:
 * @head: what the report does not know; the other members are not looked at
 * @report: of the launch, or %NULL where it could not be launched
 *
 * Returns: (transfer full): the record with its length, to be written at once
 */
GBytes *weiri_wire_pack(const struct weiri_wire_record *head,
                        const struct weir_report *report);

/** The same of a record that has all of it. Returns: (transfer full) */
GBytes *weiri_wire_pack_record(const struct weiri_wire_record *record);

/** No records yet; one that is taken out may leave %NULL. Returns: (transfer full)
 *  (element-type weiri_wire_record) */
GPtrArray *weiri_wire_records_new(void);

/**
 * weiri_wire_unpack:
 * @bytes: any number of records, one after another
 * @records: of weiri_wire_records_new(), where they are added
 *
 * Returns: false where the bytes are no records from some point on; those before it
 *          are added
 * Errors:  %WEIR_ERROR_INPUT, with the offset
 */
bool weiri_wire_unpack(GBytes *bytes, GPtrArray *records, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

/** Adds the schedule of that launch to others, and takes it from the record. */
void weiri_wire_take_schedule(struct weiri_wire_record *record,
                              struct weir_schedule *schedule);

#endif
