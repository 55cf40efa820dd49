/* SPDX-License-Identifier: MIT
 *
 * stand.h: where the threads of an execution are that does not end, in words: of a
 * litmus test, or of a kernel. The words of the program name threads and places. */
#ifndef WEIRI_STAND_H
#define WEIRI_STAND_H

#include "model/progress.h"
#include "weir-model.h"

/** Returns: (transfer full): what a step has done: "reads x = 0" */
char *weiri_stand_turn(const struct weiri_program *program,
                       const struct weiri_taken *taken);

/** Returns: where the thread is, whose text is owned by the caller. @progress: of an
 *  execution that does not end */
struct weir_litmus_stand weiri_stand_of(const struct weiri_program *program,
                                        const struct weiri_progress *progress,
                                        uint32_t thread);

#endif
