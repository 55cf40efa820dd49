/* SPDX-License-Identifier: MIT
 *
 * poison-rerun.h: finds out whether uninitialised reads matter. The launch is run
 * again, in processes of its own that differ only in the poison that certain reads get.
 * A read matters if two such runs differ: in an access or another event, in the
 * operands of a comparison, or in the final contents of device memory.
 *
 * Nothing of such a run remains: its process ends. */
#ifndef WEIRI_POISON_RERUN_H
#define WEIRI_POISON_RERUN_H

#include "watch/uninit.h"

/* All steps of a run, in order. */
struct weiri_tape;

/** An observer function; @self is the tape. It must be the first observer. */
enum weiri_verdict weiri_tape_event(void *self, const struct weiri_event *event);

/** Runs the launch again, watched by @tape and by the struct weiri_uninit.
 *  Returns: false if it reached a limit: then two runs may differ without a reason */
typedef bool (*weiri_run_again)(void *data, struct weiri_tape *tape);

/**
 * weiri_poison_rerun_judge:
 * @uninit: of a run that has ended; sets @changed of its reads
 * @seconds: after which a run is killed
 *
 * Returns: (transfer full): why the reads could not be judged, or %NULL
 */
char *weiri_poison_rerun_judge(struct weiri_uninit *uninit, weiri_run_again run,
                               void *data, unsigned seconds);

/** Adds a finding for each read that changes something. @objects: of the run that noted
 *  them. @symbols: name places in the source */
void weiri_poison_rerun_report(struct weiri_uninit *uninit,
                               const struct weiri_shape *shape,
                               const struct weir_kernel *kernel,
                               const struct weiri_call_tree *call_tree,
                               struct weiri_objects *objects,
                               const struct weiri_symbols *symbols,
                               struct weir_report *report);

#endif
