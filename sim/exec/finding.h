/* SPDX-License-Identifier: MIT
 *
 * finding.h: how the machine makes findings, and the report that keeps them.
 *
 * A draft is a finding of one group. The report joins drafts that differ in their group
 * only: same kind, same kernel, same sites and states. It shows the one of the group
 * with the least linear index, so that a report does not depend on which worker was
 * first.
 *
 * Threads: a report may be added to from any thread. */
#ifndef WEIRI_FINDING_H
#define WEIRI_FINDING_H

#include "base/backtrace.h"
#include "base/call-tree.h"
#include "exec/object.h"
#include "finding/symbols.h"
#include "weir-kernel.h"
#include "weir.h"

/* Return addresses that a party is looked up by. */
enum { WEIRI_MOST_PLACES = 8 };

/* The addresses of a party until symbols are looked up: of the calls that led to its
 * site, and of its place if it has no site. */
struct weiri_trail {
    struct weiri_backtrace calls;
    const void *at[WEIRI_MOST_PLACES]; /* return addresses up to the first NULL, of
                                          which the first in a kernel is the place */
    const struct weir_site *site;      /* the place if none of @at has one; or NULL */
};

/** The trail of an operation at @site, or at @pc if that is %NULL, on the path
 *  @calls. */
struct weiri_trail weiri_trail_of(const struct weiri_call_tree *call_tree,
                                  const struct weir_site *site, const void *pc,
                                  uint32_t calls);

/* Members without a comment are as in struct weir_finding (weir.h). */
struct weiri_draft {
    enum weir_finding_kind kind;
    const struct weir_kernel *kernel;
    size_t group_linear; /* the group that it is about */
    char *message;       /* owned */
    const char *form;    /* static, or NULL */
    bool note;
    GArray *parties; /* of struct weir_party, whose strings are owned */
    GArray *trails;  /* of struct weiri_trail, one a party */
    const struct weir_site *parted_site; /* where the parties were last together, */
    const void *parted_pc;               /* or there; or both NULL */
    const char *space;                   /* static, or NULL */
    char *object;                        /* owned, or NULL, as what follows */
    int64_t index;
    char *why, *cause;
    char *turns, *no_turns;
    struct weir_explored_execution *execution;
    uint64_t count; /* how often it happened, added up when findings are joined; 0:
                       their groups are counted */
};

/** Makes room for parties in a draft whose other members are set. */
void weiri_draft_init(struct weiri_draft *draft);

/** Adds a party and becomes the owner of its strings. @trail may be %NULL. */
void weiri_draft_take(struct weiri_draft *draft, const struct weir_party *party,
                      const struct weiri_trail *trail);

/** Frees an execution and all that it points to, but for what is interned. */
void weiri_explored_free(struct weir_explored_execution *execution);

/** Frees the parts of a draft that is not reported. */
void weiri_draft_clear(struct weiri_draft *draft);

/* An item that has a part in a finding. */
struct weiri_maker {
    size_t group; /* its linear index */
    uint32_t item;
    enum weir_access access; /* WEIR_ACCESS_NONE where it made none */
};

/**
 * weiri_finding_made:
 * @first: the running item, or one of those that wait
 * @second: the item that it races with, or %NULL
 *
 * For a breakpoint: does nothing. Called where a finding is made, before an item that
 * it ends has left its stack. A report may join findings, leave some out and come
 * much later.
 */
void weiri_finding_made(enum weir_finding_kind kind, const struct weiri_maker *first,
                        const struct weiri_maker *second);

struct weir_report *weiri_report_new(void);

/** While it is muted, findings that are added are dropped: the code that runs is not a
 *  part of the launch. */
void weiri_report_mute(struct weir_report *report, bool muted);

/** Frees the draft's parts. */
void weiri_report_add(struct weir_report *report, struct weiri_draft *draft);

/** Adds why, an execution and its turns to a finding of one item that has none: the
 *  item's, or the only finding that there is. Takes them from @shown. @item: its linear
 *  local id */
void weiri_report_explain(struct weir_report *report, const size_t group[3],
                          uint32_t item, struct weiri_draft *shown);

/** An item went on from a spin after a write by another item of its sub-group. */
void weiri_report_sub_group_wait(struct weir_report *report);

/**
 * weiri_report_again:
 *
 * Adds one to the count of a finding of that kind, if the report has one whose only
 * party is at @site (or at @pc, if @site is %NULL), in a group with an index that is
 * not greater.
 *
 * Returns: whether it has, so that the caller need not make a draft
 */
bool weiri_report_again(struct weir_report *report, enum weir_finding_kind kind,
                        const struct weir_site *site, const void *pc,
                        size_t group_linear);

/** The steps of the run. Takes @steps, of struct weir_step; @n_more were left out. */
void weiri_report_take_steps(struct weir_report *report, GArray *steps,
                             uint64_t n_more);

/** The result of an exploration. Takes @exploration and all that it points to. */
void weiri_report_take_exploration(struct weir_report *report,
                                   struct weir_exploration *exploration);

/** The execution that was played. Takes @play, which is freed by @free_play. */
void weiri_report_take_play(struct weir_report *report, struct weir_play *play,
                            void (*free_play)(struct weir_play *play));

/** The launch ended early, for the reason @why, while an item was at @party. Takes
 *  both; @party and @trail may be %NULL. */
void weiri_report_cut_short(struct weir_report *report, char *why,
                            struct weir_party *party, const struct weiri_trail *trail);

/**
 * weiri_report_close:
 * @items: of a group
 * @accesses: plain accesses of the kernel were seen
 *
 * Looks up the places in the source and sorts the findings; called before the report is
 * read.
 */
void weiri_report_close(struct weir_report *report, uint64_t n_steps, size_t items,
                        bool accesses, const struct weiri_symbols *symbols);

/**
 * weiri_party_new:
 * @site: %NULL if it is not known
 * @items: linear local ids, ascending
 */
struct weir_party weiri_party_new(enum weir_state state,
                                  const struct weiri_shape *shape,
                                  const struct weir_site *site, const char *operation,
                                  uint64_t phase, const uint32_t *items, size_t n);

/** The effect of an access or an atomic on memory. */
enum weir_access weiri_access_of(bool reads, bool writes);
enum weir_access weiri_access_of_atomic(enum weiri_atomic kind);

/** Sets what a party does to memory: "read", "write" or "read-write". */
void weiri_party_set_access(struct weir_party *party, bool reads, bool writes);

/** The same for an atomic: "atomic fetch_add", its order and its scope. */
void weiri_party_set_atomic(struct weir_party *party, enum weiri_atomic kind,
                            memory_order order, memory_scope scope);

/** Follows the decision that such a read makes, if only such a value makes it. */
#define WEIRI_UNINITIALIZED_NAN                                                        \
    ", if it is infinite or no number: 0 times that is not 0"

/** Returns: (transfer full): the message of a read of memory that was never written.
 *  @party: has a place and its access. @address: in @object */
char *weiri_uninitialized_message(const struct weir_kernel *kernel,
                                  const struct weir_party *party,
                                  const struct weiri_object *object,
                                  const volatile void *address);

/** Numbers in ascending order as "0-4,7". */
char *weiri_ranges(const uint32_t *numbers, size_t n);

/** "(3,0,0)" */
char *weiri_coordinates(const size_t at[3]);

/* The name of a group of the launch, or of an item of a group, in reports: in the order
 * of dimensions of the kernel's language. Also the inverse. */
void weiri_shown_place(uint32_t dim, bool reversed, const size_t at[3],
                       size_t shown[3]);

/** weiri_coordinates() of that; @at: the group's or the item's indices. */
char *weiri_place_text(const struct weiri_shape *shape, const size_t at[3]);

#endif
