/* SPDX-License-Identifier: MIT
 *
 * coherence.c: see coherence.h. A set of writes is a word of 64 bits. A write and those
 * that must come directly after it, one after the other, are a block: what must come
 * before or after one of them must come before or after all. Which blocks must come
 * before each one is closed under transitivity once, at the end. So an order is left
 * exactly if no block must come before itself.
 *
 * A place in an order is then tested by one mask: all writes that must come before are
 * placed already. */
#include "config.h"

#include "model/coherence.h"

#include <string.h>

void weiri_coherence_begin(struct weiri_coherence *coherence, uint32_t n)
{
    coherence->n = n;
    memset(coherence->before, 0, n * sizeof(coherence->before[0]));
    memset(coherence->next, 0, (n + 1) * sizeof(coherence->next[0]));
}

bool weiri_coherence_go(struct weiri_coherence *coherence, uint32_t from, uint32_t to,
                        bool writes)
{
    if (from == to) {
        return !writes; /* the thread cannot have read a value before it writes it */
    }
    if (to == WEIRI_AT_INITIAL) {
        return false;
    }
    if (from != WEIRI_AT_INITIAL) {
        coherence->before[to - 1] |= UINT64_C(1) << (from - 1);
    }
    return true;
}

bool weiri_coherence_attach(struct weiri_coherence *coherence, uint32_t read,
                            uint32_t write)
{
    if (coherence->next[read] != 0) {
        return false; /* two read-modify-writes have read the same value */
    }
    coherence->next[read] = write;
    return true;
}

/* Writes that come directly one after the other: @head is the first one. By write,
 * @earlier has those before it in its block; by head, @members all of them, and @before
 * the writes of the blocks that must come before. */
struct blocks {
    uint32_t head[WEIRI_COHERENCE_WRITES];
    uint64_t earlier[WEIRI_COHERENCE_WRITES];
    uint64_t members[WEIRI_COHERENCE_WRITES];
    uint64_t before[WEIRI_COHERENCE_WRITES];
    uint64_t heads, known;
};

static uint64_t bit(uint32_t write)
{
    return UINT64_C(1) << write;
}

/* Returns: false if writes are in no block, since each must come directly after another
 * one of them; or if a write must come before an earlier one of its block */
static bool find_blocks(const struct weiri_coherence *coherence, struct blocks *blocks)
{
    uint64_t follow = 0;
    for (uint32_t place = 1; place <= coherence->n; place++) {
        follow |= coherence->next[place] != 0 ? bit(coherence->next[place] - 1) : 0;
    }
    blocks->heads = blocks->known = 0;
    for (uint32_t head = 0; head < coherence->n; head++) {
        if ((follow & bit(head)) != 0) {
            continue;
        }
        uint64_t members = 0, before = 0;
        for (uint32_t next = head + 1; next != 0; next = coherence->next[next]) {
            blocks->head[next - 1] = head;
            blocks->earlier[next - 1] = members;
            members |= bit(next - 1);
            before |= coherence->before[next - 1] & ~members;
        }
        if ((before & members) != 0) {
            return false;
        }
        blocks->members[head] = members;
        blocks->before[head] = before;
        blocks->heads |= bit(head);
        blocks->known |= members;
    }
    return blocks->known == (coherence->n == 0 ? 0 : UINT64_MAX >> (64 - coherence->n));
}

/* Extends the sets before each block to whole blocks. The block that must come directly
 * after the initial value is before all others. */
static void widen(const struct weiri_coherence *coherence, struct blocks *blocks)
{
    uint32_t first = coherence->next[WEIRI_AT_INITIAL];
    for (uint32_t head = 0; head < coherence->n; head++) {
        if ((blocks->heads & bit(head)) == 0) {
            continue;
        }
        uint64_t whole
            = first == 0 || first - 1 == head ? 0 : blocks->members[first - 1];
        for (uint64_t left = blocks->before[head]; left != 0; left &= left - 1) {
            whole |= blocks->members[blocks->head[__builtin_ctzll(left)]];
        }
        blocks->before[head] = whole;
    }
}

/* Warshall's algorithm. Returns: false if a block must come before itself */
static bool close_blocks(struct blocks *blocks)
{
    for (uint64_t middles = blocks->heads; middles != 0; middles &= middles - 1) {
        uint32_t middle = (uint32_t)__builtin_ctzll(middles);
        for (uint64_t left = blocks->heads; left != 0; left &= left - 1) {
            uint32_t head = (uint32_t)__builtin_ctzll(left);
            if ((blocks->before[head] & bit(middle)) != 0) {
                blocks->before[head] |= blocks->before[middle];
            }
        }
    }
    for (uint64_t left = blocks->heads; left != 0; left &= left - 1) {
        if ((blocks->before[__builtin_ctzll(left)] & left & -left) != 0) {
            return false;
        }
    }
    return true;
}

bool weiri_coherence_end(struct weiri_coherence *coherence)
{
    struct blocks blocks;
    if (!find_blocks(coherence, &blocks)) {
        return false;
    }
    widen(coherence, &blocks);
    if (!close_blocks(&blocks)) {
        return false;
    }
    for (uint32_t w = 0; w < coherence->n; w++) {
        coherence->before[w] = blocks.before[blocks.head[w]] | blocks.earlier[w];
    }
    return true;
}

bool weiri_coherence_may_follow(const struct weiri_coherence *coherence, uint32_t place,
                                uint32_t write, uint64_t left)
{
    uint32_t next = coherence->next[place];
    return (coherence->before[write] & left) == 0 && (next == 0 || next == write + 1);
}
