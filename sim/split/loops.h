/* SPDX-License-Identifier: MIT
 *
 * loops.h: where the body of a kernel gets soft stops, and whether it is split. */
#ifndef WEIR_SPLIT_LOOPS_H
#define WEIR_SPLIT_LOOPS_H

#include "split/ir.h"

struct weiri_loops {
    const struct weiri_ir *ir;
    bool *ends;       /* of each block: a soft stop before its last instruction */
    bool *starts;     /* of each block: one after its phis */
    uint32_t n_soft;  /* stops of both kinds */
    uint32_t n_loops; /* that items take turns in */
    uint32_t n_stops; /* in the source, the one before the body among them */
    const char *why;  /* the body cannot be split, since it has this; or NULL */
};

/** @ir: of K__split_item() */
struct weiri_loops *weiri_loops_find(const struct weiri_ir *ir,
                                     struct llvm_layout *layout);
void weiri_loops_free(struct weiri_loops *loops);

#endif
