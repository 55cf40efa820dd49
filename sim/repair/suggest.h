/* SPDX-License-Identifier: MIT
 *
 * suggest.h: functions that the generators of candidates share (suggest.c), and the
 * generators: each looks at one finding and adds candidates. */
#ifndef WEIRI_SUGGEST_H
#define WEIRI_SUGGEST_H

#include "repair/candidate.h"
#include "repair/patch.h"

#include <inttypes.h>

/* One finding, and where its candidates go. */
struct weiri_search {
    struct weiri_sources *sources;
    const GPtrArray *files;
    bool checked; /* the program has found its own answer wrong */
    const struct weir_finding *finding;
    GPtrArray *found; /* of struct weiri_fix_candidate */
};

/* A place of a party: its own, or a call on the way to it. */
struct weiri_anchor {
    const struct weiri_source *source;
    const char *file;
    uint32_t line;
    uint32_t statement;
    uint32_t function; /* the statement of the function around it */
};

/* Calls on the way from a kernel that are looked at. */
enum { WEIRI_MOST_ANCHORS = 6 };

/** The places of a party in the program's sources, innermost first.
 *  Returns: how many */
size_t weiri_anchors_of(const struct weiri_search *search,
                        const struct weir_party *party,
                        struct weiri_anchor anchors[WEIRI_MOST_ANCHORS]);

/**
 * weiri_search_add:
 *
 * Adds a candidate that the finding suggests, unless another one has suggested it.
 * @edits, @from, @to, @title and @missing are the callee's from then on.
 */
void weiri_search_add(struct weiri_search *search,
                      const struct weiri_fix_candidate *draft);

/** Bytes @range of the source. Returns: (transfer full) */
char *weiri_text_of(const struct weiri_source *source, struct weiri_range range);

/** The bytes of a statement, without its labels. */
struct weiri_range weiri_statement_range(const struct weiri_source *source,
                                         uint32_t statement);

/** Whether the finding's reason names that line of the file. */
bool weiri_reason_names(const struct weir_finding *finding, const char *file,
                        uint32_t line);

/** Whether the finding's reason, or a party, is of these lines. */
bool weiri_finding_names(const struct weir_finding *finding, const char *file,
                         uint32_t first, uint32_t last);

/** Where the name of an order or scope begins in @text, "relaxed" in
 *  "sycl::memory_order::relaxed"; %NULL for another expression.
 *  @kind: "memory_order" or "memory_scope" */
const char *weiri_word_of(const char *text, const char *kind);

/**
 * weiri_word_meant:
 * @sole: (out): whether the program cannot mean another word: the file has one
 *        definition of the name, and does not ask whether there is one
 *
 * Returns: (transfer full): the same word, also where @text is a name that the file
 *          defines: a macro, an enumerator, a constant, a parameter with a default; or
 *          %NULL
 */
char *weiri_word_meant(const struct weiri_source *source, const char *text,
                       const char *kind, bool *sole);

/** Whether two parties are of different groups. */
bool weiri_is_between_groups(const struct weir_finding *finding);

/** The reason of a race of two bit-fields beside each other.
 *  Returns: (transfer full): or %NULL where it is of something else */
char *weiri_reason_of_fields(struct weiri_sources *sources,
                             const struct weir_finding *finding);

/* ---- Generators ------------------------------------------------------------------ */

/** Barriers between the accesses of a finding, or with flags that they lack. */
void weiri_suggest_barriers(struct weiri_search *search);

/** Barriers anywhere in the kernel, for findings that name no second access. */
void weiri_suggest_any_barrier(struct weiri_search *search);

/** Orders, scopes and fences. */
void weiri_suggest_orders(struct weiri_search *search);
void weiri_suggest_scopes(struct weiri_search *search);
void weiri_suggest_fences(struct weiri_search *search);

/** Barriers and collective calls moved out of a branch, for items that part. */
void weiri_suggest_moves(struct weiri_search *search);

/** A return before a barrier taken out, or what follows it guarded instead. */
void weiri_suggest_guarded(struct weiri_search *search);

/** A plain read-modify-write, or a plain load in a spinning loop, made atomic. */
void weiri_suggest_atomics(struct weiri_search *search);

/** An atomic load and a store that follows from it made one operation. */
void weiri_suggest_lost_updates(struct weiri_search *search);

/** Larger memory, stricter comparisons, memory that the host sets to zero. */
void weiri_suggest_bounds(struct weiri_search *search);
void weiri_suggest_zero(struct weiri_search *search);

#endif
