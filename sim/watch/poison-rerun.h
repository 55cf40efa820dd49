/* SPDX-License-Identifier: MIT
 *
 * poison-rerun.h: whether what nobody has written matters: the launch is run again, in
 * processes of its own that differ in nothing but the garbage that certain reads get. A
 * read matters where these two part: in an access or another event, in the operands of
 * a comparison, or in what device memory holds at the end.
 *
 * Nothing of such a run is left: its process ends. */
#ifndef WEIRI_POISON_RERUN_H
#define WEIRI_POISON_RERUN_H

#include "watch/uninit.h"

/* What a run does, one thing after another; for the observer of a run again. */
struct weiri_tape;

/** The observer's function; @self is the tape. It comes first among observers. */
enum weiri_verdict weiri_tape_event(void *self, const struct weiri_event *event);

/** Told of comparisons; see struct weiri_launch. @self is the tape. */
void weiri_tape_compared(void *self, uint64_t a, uint64_t b, const void *pc);

/** Runs the launch again, watched by @tape and by the struct weiri_uninit.
 *  Returns: whether it came to an end that is the same every time */
typedef bool (*weiri_run_again)(void *data, struct weiri_tape *tape);

/**
 * weiri_poison_rerun_judge:
 * @init: of a run that is over: its reads' @changed are set
 * @seconds: that one run may take before it is killed
 *
 * Returns: (transfer full): why nothing is known of the reads; %NULL where it is
 */
char *weiri_poison_rerun_judge(struct weiri_uninit *init, weiri_run_again run,
                               void *data, unsigned seconds);

/** Adds a finding for each read that changes something. @objects: of the run that noted
 *  them. @symbols: name places in the source */
void weiri_poison_rerun_report(struct weiri_uninit *init,
                               const struct weiri_shape *shape,
                               const struct weir_kernel *kernel,
                               const struct weiri_call_tree *callers,
                               struct weiri_objects *objects,
                               const struct weiri_symbols *symbols,
                               struct weir_report *report);

#endif
