/* SPDX-License-Identifier: MIT
 *
 * meeting.h: who meets at the barriers of tables (PTX, Vulkan), while threads take
 * turns. See meeting.c. */
#ifndef WEIRI_MEETING_H
#define WEIRI_MEETING_H

#include "model/program.h"

#include <glib.h>

enum { WEIRI_MEETING_ENTRIES = 128 };

/**
 * weiri_meetings: which entries have been reached
 * @rounds: by entry of the program: how often, less what all that meet have in common
 * @number: by entry: with which number, if that is in a register and @rounds is not 0
 */
struct weiri_meetings {
    uint8_t rounds[WEIRI_MEETING_ENTRIES];
    int64_t number[WEIRI_MEETING_ENTRIES];
};

struct weiri_meeting_rules;

/** Returns: (transfer full): about the entries of the program, which is borrowed */
struct weiri_meeting_rules *weiri_meeting_rules_new(
    const struct weiri_program *program);
void weiri_meeting_rules_free(struct weiri_meeting_rules *rules);

/** The thread reaches an entry. Returns: false if that cannot be followed: there are
 *  too many entries, or the thread is too far ahead of others */
bool weiri_meeting_enter(const struct weiri_meeting_rules *rules,
                         struct weiri_meetings *meetings, uint32_t thread,
                         const struct weiri_step *step);

/**
 * weiri_meeting_find:
 * @missing: (out): the threads for which the thread still waits; with a quorum that is
 *           not reached all that could come. Empty: it passes
 *
 * Returns: the threads that have come
 */
uint64_t weiri_meeting_find(const struct weiri_meeting_rules *rules,
                            const struct weiri_meetings *meetings, uint32_t thread,
                            const struct weiri_step *step, uint64_t *missing);

/** Makes rounds as small as they can be, after all that can pass have passed. */
void weiri_meeting_settle(const struct weiri_meeting_rules *rules,
                          struct weiri_meetings *meetings, uint32_t thread,
                          const struct weiri_step *step);

/** Appends bytes, equal ones for equal rounds, and reads them. */
void weiri_meeting_pack(const struct weiri_meeting_rules *rules,
                        const struct weiri_meetings *meetings, GByteArray *bytes);
void weiri_meeting_unpack(const struct weiri_meeting_rules *rules,
                          struct weiri_meetings *meetings, const uint8_t *bytes);

#endif
