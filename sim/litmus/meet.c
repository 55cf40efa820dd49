/* SPDX-License-Identifier: MIT
 *
 * meet.c: see meet.h. Threads walk from entry to entry: they pass an arrival at once,
 * and another barrier when those have been reached that make it complete. So threads
 * that wait for each other do not meet. In the end all entries must have been reached,
 * and those that hang must be those whose barrier is not complete.
 *
 * Follows: Dat3M, for instances, numbers and quorums of barriers. */
#include "config.h"

#include "litmus/meet.h"

typedef const struct weiri_litmus_instruction instruction;
typedef const struct weiri_litmus_entry entry;

/* @rounds: by entry: how often the thread has come to that instruction before;
 * @reached, @passed: by entry, so far; @gives: the caller's */
struct meeting {
    const struct weiri_litmus *test;
    entry *entries;
    uint32_t n;
    uint32_t *rounds;
    bool *reached, *passed, *gives;
};

/* ---- Barriers that belong together ----------------------------------------------- */

static bool has(instruction *at, enum weiri_trait trait)
{
    return (at->traits.flags & trait) != 0;
}

/* Whether both are barriers of one instance in the text, in the scope of @thread. The
 * label has the instance, and the scope whose threads meet. */
static bool is_alike(const struct meeting *meeting, entry *one, instruction *at,
                     uint32_t thread)
{
    return at->op == WEIRI_LITMUS_OP_BARRIER && at->label == one->at->label
        && weiri_litmus_in_scope(meeting->test, (memory_scope)at->traits.meets,
                                 one->thread, thread);
}

/* The entry to the instruction in that round, or -1. */
static int64_t find(const struct meeting *meeting, instruction *at, uint32_t round)
{
    for (uint32_t i = 0; i < meeting->n; i++) {
        if (meeting->entries[i].at == at && meeting->rounds[i] == round) {
            return i;
        }
    }
    return -1;
}

/* Whether entry @i waits for the barrier @at, which is alike. */
static bool is_awaited(const struct meeting *meeting, uint32_t i, instruction *at)
{
    entry *one = &meeting->entries[i];
    int64_t other = find(meeting, at, meeting->rounds[i]);
    if (has(at, WEIRI_TRAIT_AWAITS)) {
        return false;
    }
    if (!has(one->at, WEIRI_TRAIT_NUMBERED)) {
        return true;
    }
    if (!has(at, WEIRI_TRAIT_NUMBERED)) {
        return false;
    }
    if (other >= 0) {
        return meeting->entries[other].number == one->number;
    }
    return at->a.slot != WEIRI_LITMUS_NO_SLOT || at->a.value == one->number;
}

/* ---- Quorums --------------------------------------------------------------------- */

static uint32_t quorum_of(entry *one)
{
    return has(one->at, WEIRI_TRAIT_NUMBERED) ? (uint32_t)one->at->b.value : 0;
}

/* Whether both entries are to one barrier with a quorum. */
static bool share_quorum(const struct meeting *meeting, uint32_t i, uint32_t k)
{
    entry *one = &meeting->entries[i], *other = &meeting->entries[k];
    return quorum_of(one) > 0 && quorum_of(one) == quorum_of(other)
        && meeting->rounds[i] == meeting->rounds[k] && one->number == other->number
        && is_alike(meeting, one, other->at, other->thread);
}

/* How many entries share the quorum of entry @i, itself included. */
static uint32_t count_sharing(const struct meeting *meeting, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < meeting->n; k++) {
        n += share_quorum(meeting, i, k);
    }
    return n;
}

/* How many sets of @k there are among @n; UINT64_MAX for more than that. */
static uint64_t count_sets(uint64_t n, uint64_t k)
{
    uint64_t count = 1;
    for (uint64_t i = 1; i <= k; i++) {
        if (count > UINT64_MAX / (n - k + i)) {
            return UINT64_MAX;
        }
        count = count * (n - k + i) / i;
    }
    return count;
}

/* Among the entries that share the quorum of @first, lets those give that are in the
 * set with the number @set. */
static void choose(struct meeting *meeting, uint32_t first, uint32_t n, uint64_t set)
{
    uint64_t left = quorum_of(&meeting->entries[first]), others = n;
    for (uint32_t i = first; i < meeting->n && left > 0; i++) {
        if (share_quorum(meeting, first, i)) {
            others--;
            uint64_t with = count_sets(others, left - 1);
            meeting->gives[i] = set < with;
            set -= meeting->gives[i] ? 0 : with;
            left -= meeting->gives[i];
        }
    }
}

/* Sets @gives of all entries. Returns: whether there is such a choice */
static bool choose_all(struct meeting *meeting, uint64_t choice)
{
    for (uint32_t i = 0; i < meeting->n; i++) {
        entry *one = &meeting->entries[i];
        uint32_t first = 0;
        if (quorum_of(one) == 0) {
            meeting->gives[i] = !one->hangs && !has(one->at, WEIRI_TRAIT_AWAITS);
            continue;
        }
        while (!share_quorum(meeting, i, first)) {
            first++;
        }
        uint32_t n = count_sharing(meeting, i);
        if (first == i && n >= quorum_of(one)) {
            uint64_t sets = count_sets(n, quorum_of(one));
            choose(meeting, i, n, choice % sets);
            choice /= sets;
        }
    }
    return choice == 0;
}

/* ---- Walking --------------------------------------------------------------------- */

/* Whether the entries that make a quorum have been reached. */
static bool has_quorum(const struct meeting *meeting, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < meeting->n; k++) {
        n += meeting->gives[k] && meeting->reached[k] && share_quorum(meeting, i, k);
    }
    return n == quorum_of(&meeting->entries[i]);
}

/* Whether all barriers that entry @i waits for have been reached. */
static bool is_complete(const struct meeting *meeting, uint32_t i)
{
    entry *one = &meeting->entries[i];
    if (quorum_of(one) > 0) {
        return has_quorum(meeting, i);
    }
    for (uint32_t t = 0; t < meeting->test->n_threads; t++) {
        const struct weiri_litmus_code *code = meeting->test->threads[t].code;
        for (uint32_t k = 0; k < code->n_instructions; k++) {
            instruction *at = &code->instructions[k];
            if (is_alike(meeting, one, at, t) && is_awaited(meeting, i, at)) {
                int64_t other = find(meeting, at, meeting->rounds[i]);
                if (other < 0 || !meeting->reached[other]) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Whether the thread has passed all entries before @i. */
static bool is_reached(const struct meeting *meeting, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (meeting->entries[k].thread == meeting->entries[i].thread
            && !meeting->passed[k]) {
            return false;
        }
    }
    return true;
}

static void walk(struct meeting *meeting)
{
    for (bool moves = true; moves;) {
        moves = false;
        for (uint32_t i = 0; i < meeting->n; i++) {
            if (!meeting->reached[i] && is_reached(meeting, i)) {
                meeting->reached[i] = moves = true;
            }
            if (meeting->reached[i] && !meeting->passed[i]
                && (has(meeting->entries[i].at, WEIRI_TRAIT_ARRIVES)
                    || is_complete(meeting, i))) {
                meeting->passed[i] = moves = true;
            }
        }
    }
}

static void count_rounds(struct meeting *meeting)
{
    for (uint32_t i = 0; i < meeting->n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            meeting->rounds[i] += meeting->entries[k].at == meeting->entries[i].at;
        }
    }
}

enum weiri_litmus_meeting weiri_litmus_meet(const struct weiri_litmus *test,
                                            entry *entries, uint32_t n, uint64_t choice,
                                            bool *gives)
{
    g_autofree uint32_t *rounds = g_new0(uint32_t, n + 1);
    g_autofree bool *reached = g_new0(bool, n + 1);
    g_autofree bool *passed = g_new0(bool, n + 1);
    struct meeting meeting = { .test = test,
                               .entries = entries,
                               .n = n,
                               .rounds = rounds,
                               .reached = reached,
                               .passed = passed,
                               .gives = gives };
    for (uint32_t i = 0; i < n; i++) {
        gives[i] = false;
    }
    count_rounds(&meeting);
    if (!choose_all(&meeting, choice)) {
        return WEIRI_LITMUS_NO_CHOICE;
    }
    walk(&meeting);
    for (uint32_t i = 0; i < n; i++) {
        if (!reached[i] || is_complete(&meeting, i) == entries[i].hangs) {
            return WEIRI_LITMUS_MEETS_NOT;
        }
    }
    return WEIRI_LITMUS_MEETS;
}
