/* SPDX-License-Identifier: MIT
 *
 * finding/identity.h: when two findings are the same defect. The table in
 * finding/identity.c states, field by field, which parts count at each of three levels:
 *
 *   CALLS    within the report of one launch: a defect that is reached on two ways is
 *            two findings
 *   PLACES   among the runs of one program: the same lines, whatever schedule and
 *            items have shown them
 *   TEXT     across edits of the source: the same text of lines, in files of the same
 *            name; line numbers and folders may differ
 *
 * Findings that are the same at one level are the same at the next one. The report of a
 * launch joins by CALLS; `weir check` and `weir shrink` join runs by PLACES; the
 * baseline, the member "key" of JSON and the fingerprint of SARIF are of TEXT.
 *
 * Before return addresses are looked up, the machine joins by the data that determine
 * all of CALLS: a draft by its trails, besides the fields it has, and the race checker
 * by a pair of places (site or address, way of calls, access). */
#ifndef WEIRI_FINDING_IDENTITY_H
#define WEIRI_FINDING_IDENTITY_H

#include "weir.h"

enum weiri_identity {
    WEIRI_IDENTITY_CALLS,
    WEIRI_IDENTITY_PLACES,
    WEIRI_IDENTITY_TEXT,
};

/** An order of findings, by kind, kernel and parties first. Parties of races are in the
 *  order of weiri_finding_order_parties(). Returns: 0 where both are the same */
int weiri_finding_compare(const struct weir_finding *a, const struct weir_finding *b,
                          enum weiri_identity level);

/** The parts that count at the level TEXT, as text. Two findings that are the same have
 *  equal texts, in either order of their parties. Returns: (transfer full): valid
 *  UTF-8 */
char *weiri_finding_key(const struct weir_finding *finding);

/** A checksum of that key, by which JSON, SARIF and a baseline know a finding.
 *  Returns: (transfer full) */
char *weiri_finding_fingerprint(const struct weir_finding *finding);

/** Puts the two parties of a race in the order of the source, and those at one place in
 *  the order of their items: which access came first is chance. */
void weiri_finding_order_parties(const struct weir_finding *finding,
                                 struct weir_party *parties);

/** Whether it is of two accesses that nothing orders. */
bool weiri_finding_is_race(const struct weir_finding *finding);

/** The function that a party is in. The body of kernel K, which a site calls K__body
 *  and debug information "kernel K", is K. */
const char *weiri_finding_function(const struct weir_finding *finding,
                                   const struct weir_party *party);

/** The first party that spins, or %NULL. */
const struct weir_party *weiri_finding_spinning(const struct weir_finding *finding);

/** The memory that a finding is of, or else what its first spinning party waits for; or
 *  %NULL. */
const char *weiri_finding_object(const struct weir_finding *finding);

#endif
