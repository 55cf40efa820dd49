/* SPDX-License-Identifier: MIT
 *
 * paths.h: the paths through the code of a thread; see model/paths.h. */
#ifndef WEIRI_LITMUS_PATHS_H
#define WEIRI_LITMUS_PATHS_H

#include "litmus/path-step.h"

/** @domains: by location; or %NULL. @rounds: as for weiri_litmus_next(). @may_wait:
 *  other threads must reach the thread's barriers, too. Returns: (transfer full) */
struct weiri_paths weiri_litmus_paths_find(const struct weiri_litmus_code *code,
                                           const struct weiri_litmus_domain *domains,
                                           uint32_t rounds, bool may_wait);

/** As @follow of struct weiri_path_interface. @slots: code->n_slots; scratch.
 *  @notices_spins: the path was found with %WEIRI_LITMUS_STOP_SPINS */
bool weiri_litmus_paths_follow(const struct weiri_path *path,
                               const struct weiri_litmus_code *code, bool notices_spins,
                               struct weiri_symbolic *slots,
                               struct weiri_symbolic *values);

/** As @depend of struct weiri_path_interface. */
void weiri_litmus_paths_depend(struct weiri_path *path,
                               const struct weiri_litmus_code *code, uint32_t rounds,
                               const struct weiri_symbolic *values);

#endif
