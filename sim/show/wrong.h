/* SPDX-License-Identifier: MIT
 *
 * wrong.h: the finding that a program's answer is wrong under some schedules, and the
 * switches that make it so. */
#ifndef WEIRI_WRONG_H
#define WEIRI_WRONG_H

#include "report/report.h"

/**
 * weiri_wrong_finding:
 * @launches: of struct weiri_launch_record, with their steps
 * @schedule: that they followed, with few switches
 * @fails: the program fails under it; else it is right, and in order the program fails
 * @end: how the program ends where it fails: "ended with status 1"
 * @cut: fewer switches may be enough
 * @launch: (out): the number of the launch that the finding is of, from 1
 *
 * Returns: (transfer full): its message and its parties are owned, and their strings
 *          are interned
 */
struct weir_finding *weiri_wrong_finding(const GPtrArray *launches,
                                         struct weir_schedule *schedule,
                                         const char *program, bool fails,
                                         const char *end, bool cut, size_t *launch);

/** The member "switches": where the schedule parts from the in-order one. */
void weiri_wrong_switches_json(JsonBuilder *builder, struct weir_schedule *schedule);

#endif
