/* SPDX-License-Identifier: MIT
 *
 * meeting.c: see meeting.h. An entry is a place in the code of a thread. Entries of one
 * instance are alike: they have one label, and their threads are in one group. A thread
 * that has reached an entry for the n-th time passes when all entries that it waits for
 * have been reached n times:
 *
 *     an entry without a number   all that are alike
 *     with a number               those with the same number. A number in a register is
 *                                 known when the entry is reached; until then it may be
 *                                 any
 *     with a number and a quorum  so many of those with the same number and quorum
 *
 * It does not wait for entries that wait without an arrival. So an instance that a
 * thread names on two ways, of which it takes one, is never complete. Only differences
 * of rounds matter, unless there is a quorum: the smallest number among entries that
 * wait for each other is subtracted from all.
 *
 * Follows: Dat3M, as litmus/meet.c does for whole executions. */
#include "config.h"

#include "model/meeting.h"

#include "base/assert.h"

#include <string.h>

/* Rounds by which a thread may be ahead. */
enum { MOST_ROUNDS = 200, NOWHERE = UINT32_MAX };

typedef const struct weiri_program_entry entry;

/* @kind: by entry: equal for entries that wait for each other, directly or through
 * others */
struct weiri_meeting_rules {
    const struct weiri_program *program;
    uint32_t kind[WEIRI_MEETING_ENTRIES];
};

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

static bool has(entry *at, enum weiri_trait trait)
{
    return (at->step.traits.flags & trait) != 0;
}

static bool fits(const struct weiri_program *program)
{
    return program->n_entries <= WEIRI_MEETING_ENTRIES;
}

/* The group whose threads meet at the entry: its numbers are unique. */
static uint32_t group_of(const struct weiri_program *program, entry *at)
{
    const struct weiri_program_thread *it = &program->threads[at->thread];
    switch (at->step.traits.meets) {
    case memory_scope_sub_group:
        return it->sub_group;
    case WEIRI_SCOPE_CLUSTER:
        return it->cluster;
    case memory_scope_device:
        return it->device;
    case memory_scope_system:
        return 0;
    default:
        return it->group;
    }
}

static bool are_alike(const struct weiri_program *program, entry *one, entry *other)
{
    return one->step.label == other->step.label
        && one->step.traits.meets == other->step.traits.meets
        && group_of(program, one) == group_of(program, other);
}

/* Whether @one may wait for @other, before their numbers are known. */
static bool may_wait(const struct weiri_program *program, entry *one, entry *other)
{
    if (!are_alike(program, one, other) || has(other, WEIRI_TRAIT_AWAITS)) {
        return false;
    }
    if (!has(one, WEIRI_TRAIT_NUMBERED)) {
        return true;
    }
    return has(other, WEIRI_TRAIT_NUMBERED)
        && (one->step.quorum == 0 || one->step.quorum == other->step.quorum)
        && (one->any_number || other->any_number
            || one->step.value == other->step.value);
}

/* ---- Rules ----------------------------------------------------------------------- */

struct weiri_meeting_rules *weiri_meeting_rules_new(const struct weiri_program *program)
{
    struct weiri_meeting_rules *rules = g_new0(struct weiri_meeting_rules, 1);
    uint32_t n = fits(program) ? program->n_entries : 0;
    rules->program = program;
    for (uint32_t i = 0; i < n; i++) {
        rules->kind[i] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            uint32_t from = rules->kind[k], to = rules->kind[i];
            if (!may_wait(program, &program->entries[i], &program->entries[k])) {
                continue;
            }
            for (uint32_t m = 0; m < n; m++) {
                rules->kind[m] = rules->kind[m] == from ? to : rules->kind[m];
            }
        }
    }
    return rules;
}

void weiri_meeting_rules_free(struct weiri_meeting_rules *rules)
{
    g_free(rules);
}

/* The entry at which a thread is; %NOWHERE if there are too many. */
static uint32_t entry_of(const struct weiri_meeting_rules *rules, uint32_t thread,
                         const struct weiri_step *step)
{
    const struct weiri_program *program = rules->program;
    uint32_t i = 0;
    if (!fits(program)) {
        return NOWHERE;
    }
    while (i < program->n_entries
           && (program->entries[i].thread != thread
               || program->entries[i].step.place != step->place)) {
        i++;
    }
    weiri_assert(i < program->n_entries);
    return i;
}

/* ---- Meeting --------------------------------------------------------------------- */

/* An entry with a number in a register is followed for one round: the numbers of others
 * are not kept. */
bool weiri_meeting_enter(const struct weiri_meeting_rules *rules,
                         struct weiri_meetings *meetings, uint32_t thread,
                         const struct weiri_step *step)
{
    uint32_t i = entry_of(rules, thread, step);
    if (i == NOWHERE) {
        return false;
    }
    bool any_number = rules->program->entries[i].any_number;
    meetings->number[i] = any_number ? step->value : 0;
    return ++meetings->rounds[i] <= (any_number ? 1 : MOST_ROUNDS);
}

/* Whether @one, which has been reached, waits for @other. */
static bool awaits(const struct weiri_meeting_rules *rules,
                   const struct weiri_meetings *meetings, uint32_t one, uint32_t other,
                   int64_t number)
{
    entry *entries = rules->program->entries, *to = &entries[other];
    bool known = !to->any_number || meetings->rounds[other] > 0;
    return may_wait(rules->program, &entries[one], to)
        && (!has(&entries[one], WEIRI_TRAIT_NUMBERED) || !known
            || (to->any_number ? meetings->number[other] : to->step.value) == number);
}

uint64_t weiri_meeting_find(const struct weiri_meeting_rules *rules,
                            const struct weiri_meetings *meetings, uint32_t thread,
                            const struct weiri_step *step, uint64_t *missing)
{
    const struct weiri_program *program = rules->program;
    uint32_t own = entry_of(rules, thread, step), n_met = 0;
    uint64_t met = 0;
    *missing = 0;
    for (uint32_t i = 0; i < program->n_entries; i++) {
        if (awaits(rules, meetings, own, i, step->value)) {
            bool reached = meetings->rounds[i] >= meetings->rounds[own];
            *(reached ? &met : missing) |= bit(program->entries[i].thread);
            n_met += reached;
        }
    }
    if (step->quorum > 0) { /* the thread itself stands for those that could come */
        *missing = n_met < step->quorum ? *missing | bit(thread) : 0;
    }
    return met;
}

void weiri_meeting_settle(const struct weiri_meeting_rules *rules,
                          struct weiri_meetings *meetings, uint32_t thread,
                          const struct weiri_step *step)
{
    const struct weiri_program *program = rules->program;
    uint32_t own = entry_of(rules, thread, step);
    uint8_t least = UINT8_MAX;
    for (uint32_t i = 0; i < program->n_entries; i++) {
        if (rules->kind[i] == rules->kind[own]) {
            least = MIN(least, meetings->rounds[i]);
            least = program->entries[i].step.quorum > 0 ? 0 : least;
        }
    }
    for (uint32_t i = 0; i < program->n_entries; i++) {
        if (rules->kind[i] == rules->kind[own]) {
            meetings->rounds[i] -= least;
            meetings->number[i] = meetings->rounds[i] > 0 ? meetings->number[i] : 0;
        }
    }
}

/* ---- As bytes -------------------------------------------------------------------- */

void weiri_meeting_pack(const struct weiri_meeting_rules *rules,
                        const struct weiri_meetings *meetings, GByteArray *bytes)
{
    const struct weiri_program *program = rules->program;
    for (uint32_t i = 0; i < program->n_entries && fits(program); i++) {
        g_byte_array_append(bytes, &meetings->rounds[i], 1);
        if (program->entries[i].any_number) {
            g_byte_array_append(bytes, (const uint8_t *)&meetings->number[i],
                                sizeof(meetings->number[i]));
        }
    }
}

void weiri_meeting_unpack(const struct weiri_meeting_rules *rules,
                          struct weiri_meetings *meetings, const uint8_t *bytes)
{
    const struct weiri_program *program = rules->program;
    for (uint32_t i = 0; i < program->n_entries && fits(program); i++) {
        meetings->rounds[i] = *bytes++;
        meetings->number[i] = 0;
        if (program->entries[i].any_number) {
            memcpy(&meetings->number[i], bytes, sizeof(meetings->number[i]));
            bytes += sizeof(meetings->number[i]);
        }
    }
}
