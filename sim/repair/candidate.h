/* SPDX-License-Identifier: MIT
 *
 * candidate.h: changes of the source that could repair findings, not yet tried. Each
 * candidate is a guess from the places of a finding and the text around them; only a
 * trial (repair/fixes.c) shows whether it repairs anything, so a wrong guess costs time
 * and no more. */
#ifndef WEIRI_CANDIDATE_H
#define WEIRI_CANDIDATE_H

#include "base/source.h"
#include "weir.h"

/** Kinds of changes: constant, and the name that JSON and SARIF use. */
#define WEIRI_FIX_KINDS(X)                                                             \
    X(INSERT_BARRIER, "insert-barrier")                                                \
    X(WIDEN_BARRIER, "widen-barrier")                                                  \
    X(MOVE_BARRIER, "move-barrier")                                                    \
    X(STRENGTHEN_ORDER, "strengthen-order")                                            \
    X(WIDEN_SCOPE, "widen-scope")                                                      \
    X(MAKE_ATOMIC, "make-atomic")                                                      \
    X(ADD_FENCE, "add-fence")                                                          \
    X(ZERO_BEFORE_LAUNCH, "zero-before-launch")                                        \
    X(ENLARGE, "enlarge")                                                              \
    X(GUARD_INDEX, "guard-index")

enum weiri_fix_kind {
#define X(name, text) WEIRI_FIX_##name,
    WEIRI_FIX_KINDS(X)
#undef X
};

const char *weiri_fix_kind_name(enum weiri_fix_kind kind);

/** Whether a change of that kind only takes executions away: it orders more. Another
 *  one may give other answers. */
bool weiri_fix_only_orders(enum weiri_fix_kind kind);

/* Between two texts, the first of which is for the first edit. */
enum { WEIRI_WEAKER_EACH = '|' };

/**
 * weiri_fix_candidate:
 *
 * @file: as findings name it; interned
 * @line: that is changed, or after which something is inserted
 * @from: the text that is replaced, or %NULL where text is inserted, or where several
 *        places change
 * @to: the text in its place, or that is inserted
 * @title: the change in words, to be followed by " FILE:LINE": "insert
 *         weir_barrier(item, WEIR_LOCAL) after"
 * @missing: what the source lacks, a sentence for the finding's @why; or %NULL
 * @cost: cheaper changes are tried first
 * @edits: of struct weiri_edit, of the text of @file
 * @object, @elements, @room: %WEIRI_FIX_ENLARGE: what has @elements and gets @room for;
 *                            the name is interned
 * @strong: text of the edits in whose place less may be enough; or %NULL
 * @weaker: (nullable): that, the weakest first; ends with %NULL. With a
 *          %WEIRI_WEAKER_EACH in it, one for each of two edits
 * @suggested_by: of const struct weir_finding *
 */
struct weiri_fix_candidate {
    enum weiri_fix_kind kind;
    const char *file;
    uint32_t line;
    char *from;
    char *to;
    char *title;
    char *missing;
    unsigned cost;
    GArray *edits;
    const char *object;
    uint64_t elements;
    uint64_t room;
    char *strong;
    char **weaker;
    GPtrArray *suggested_by;
};

/** Gives a %WEIRI_FIX_ENLARGE another @room, in its edit and in its words. */
void weiri_fix_candidate_resize(struct weiri_fix_candidate *candidate, uint64_t room);

/** The candidate with less in place of its @strong. Returns: (transfer full) */
struct weiri_fix_candidate *weiri_fix_candidate_weakened(
    const struct weiri_fix_candidate *candidate, const char *weaker);

/** Sources by the names that findings use. */
struct weiri_sources;

/**
 * weiri_sources_new:
 * @read: the text of a file, (transfer full), or %NULL where it is not the program's
 */
struct weiri_sources *weiri_sources_new(char *(*read)(void *data, const char *file,
                                                      size_t *bytes),
                                        void *data);
void weiri_sources_free(struct weiri_sources *sources);

/** The version of OpenCL C that the sources are compiled as, 120 for 1.2; 0 where it is
 *  not known. */
void weiri_sources_set_opencl(struct weiri_sources *sources, unsigned version);
unsigned weiri_sources_opencl(const struct weiri_sources *sources);

/** Returns: (transfer none): the statements of @file, or %NULL */
const struct weiri_source *weiri_sources_get(struct weiri_sources *sources,
                                             const char *file);

/**
 * weiri_candidate_of_word:
 * @from: a word of the statements that have a part of @line, "memory_order_relaxed"
 * @second: the second one of two; else there must be one, or two with @pair
 *
 * Returns: (transfer full): the change of that word; %NULL where it is not clear which
 *          word is meant
 */
struct weiri_fix_candidate *weiri_candidate_of_word(struct weiri_sources *sources,
                                                    const char *file, uint32_t line,
                                                    const char *from, const char *to,
                                                    bool pair, bool second);

/**
 * weiri_reason_in_text:
 *
 * The reason of a race in a group, where the text says more than the run: a barrier
 * lies between the two lines, and none between two rounds of a loop around them; or
 * they access two bit-fields.
 *
 * Returns: (transfer full): for the finding's @why; or %NULL where that is right
 */
char *weiri_reason_in_text(struct weiri_sources *sources,
                           const struct weir_finding *finding);

/** An operation that the finding's reason names and that no candidate changes:
 *  "FILE:LINE is in the macro NAME". Returns: (transfer full): or %NULL */
char *weiri_unchanged_macro(struct weiri_sources *sources,
                            const struct weir_finding *finding);

/** An array of struct weiri_fix_candidate *. */
void weiri_fix_candidate_free(void *candidate);

/**
 * weiri_candidates_by_order:
 *
 * For a kernel whose source is not at hand: orders that the launch option @order can
 * give to the operations that a finding names. They have no edits.
 *
 * Returns: (transfer full): as of weiri_candidates_find()
 */
GPtrArray *weiri_candidates_by_order(const GPtrArray *findings);

/**
 * weiri_candidates_find:
 * @findings: of const struct weir_finding *, that are to be repaired together
 * @files: all sources of the program, to look for the host's part; of char *
 * @checked: whether the program has found its own answer wrong. Only then may a change
 *           do more or less than the kernel did: its trial shows more than silence
 *
 * Returns: (transfer full): of struct weiri_fix_candidate *, each change once, the
 *          cheapest first; of equal ones that first which more findings suggest
 */
GPtrArray *weiri_candidates_find(const GPtrArray *findings,
                                 struct weiri_sources *sources, const GPtrArray *files,
                                 bool checked);

#endif
