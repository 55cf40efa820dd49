/* SPDX-License-Identifier: MIT
 *
 * native_kernels.h: kernels with memory hooks, which are explored. */
#ifndef WEIR_TESTS_NATIVE_KERNELS_H
#define WEIR_TESTS_NATIVE_KERNELS_H

#include <weir-kernel.h>

typedef struct {
    uint32_t *x, *y, *out;
} words_args;

/* What an item of the kernel interpreted does, step by step; w is a word of x. */
enum step_code {
    STEP_ADD, /* to w; relaxed, as all without another order; its result is not used */
    STEP_ADD_RELEASE,
    STEP_ADD_ACQ_REL,
    STEP_OR,
    STEP_MAX,
    STEP_TAKE,         /* out = fetch_add(w) */
    STEP_KEEP,         /* the same for the item's last step */
    STEP_LOAD_ACQUIRE, /* out = w */
    STEP_STORE_RELEASE,
    STEP_READ, /* plain */
    STEP_WRITE,
    STEP_FENCE_ACQUIRE,
    STEP_ADD_IF,      /* to the next word if w is 1 */
    STEP_COUNT,       /* add to y */
    STEP_WRITE_TAKEN, /* w = fetch_add(y), plain */
    STEP_TAKE_ONE,    /* out = fetch_add(w) == 1 ? 7 : 0 */
    STEP_TAKE_IF,     /* out = fetch_add(w), or no out if the next word is not 1 */
    STEP_TAKE_UNLESS, /* the same if it is 1 */
    STEP_BARRIER,
    N_STEP_CODES
};
enum { STEPS = 4, STEP_WORDS = 3, STEP_ITEMS = 4 };

typedef struct {
    uint32_t *x, *y,
        *out; /* STEP_WORDS of them, and one that is not written; one; STEPS + 1 for
                               each item */
    const uint8_t *steps; /* two numbers each: a code and a word; STEPS of an item */
    uint32_t ballast;     /* fences of the last group's first item */
} interpreted_args;

/* What an item of the kernel scripted does, step by step; w is a word of x. */
enum script_code {
    SCRIPT_TAKE,     /* last = fetch_add(w) */
    SCRIPT_ADD_LAST, /* add last + 1 to w */
    SCRIPT_FIRST,    /* last = compare_exchange(w, 0, 1) */
    SCRIPT_FIRST_WEAK,
    SCRIPT_SECOND, /* the same from 1 to 2 */
    SCRIPT_EXCHANGE,
    SCRIPT_LOAD,
    SCRIPT_STORE,
    SCRIPT_STORE_LAST,
    SCRIPT_UNLESS, /* the next step is not for items whose last is 0 */
    SCRIPT_LOCK,   /* by compare_exchange; one plain increment of y in it */
    SCRIPT_LOCK_BY_EXCHANGE,
    SCRIPT_FENCE,
    SCRIPT_SIMPLE,               /* the number of the above */
    SCRIPT_READ = SCRIPT_SIMPLE, /* plain */
    SCRIPT_WRITE,
    SCRIPT_WAIT,   /* while w is 0 */
    SCRIPT_MINE,   /* last = its number */
    SCRIPT_ASSERT, /* that last is not 2 */
    SCRIPT_ORDER,  /* last = fetch_add(w), in an order of their number */
    SCRIPT_SCAN,   /* last = how many items of the group are before it */
    SCRIPT_BARRIER,
    N_SCRIPT_CODES
};

WEIR_DECLARE_KERNEL(interpreted);
WEIR_DECLARE_KERNEL(scripted);
WEIR_DECLARE_KERNEL(increments);
WEIR_DECLARE_KERNEL(late_tickets);
WEIR_DECLARE_KERNEL(store_buffering);
WEIR_DECLARE_KERNEL(writers_and_readers);
WEIR_DECLARE_KERNEL(message);
WEIR_DECLARE_KERNEL(message_relaxed);
WEIR_DECLARE_KERNEL(message_to_first);
WEIR_DECLARE_KERNEL(write_then_read);
WEIR_DECLARE_KERNEL(message_spin);
WEIR_DECLARE_KERNEL(cas_lock);
WEIR_DECLARE_KERNEL(global_barrier);
WEIR_DECLARE_KERNEL(last_of_groups);
WEIR_DECLARE_KERNEL(wait_for_group_before);
WEIR_DECLARE_KERNEL(wait_for_group_after);
WEIR_DECLARE_KERNEL(first_waits_for_last);
WEIR_DECLARE_KERNEL(first_writes);
WEIR_DECLARE_KERNEL(weak_lock);
WEIR_DECLARE_KERNEL(weak_c11_lock);
WEIR_DECLARE_KERNEL(weak_once);
WEIR_DECLARE_KERNEL(weak_increments);
WEIR_DECLARE_KERNEL(tree);
WEIR_DECLARE_KERNEL(collective);
WEIR_DECLARE_KERNEL(ticket_lock);
WEIR_DECLARE_KERNEL(peterson);
WEIR_DECLARE_KERNEL(peterson_weak);
WEIR_DECLARE_KERNEL(three_tries);
WEIR_DECLARE_KERNEL(wait_for_each_other);
WEIR_DECLARE_KERNEL(skip_a_barrier);
WEIR_DECLARE_KERNEL(copy_pairs);
WEIR_DECLARE_KERNEL(hand_over_a_pair);
WEIR_DECLARE_KERNEL(hand_over_an_aligned_pair);
WEIR_DECLARE_KERNEL(halves_of_a_word);
WEIR_DECLARE_KERNEL(atomics_of_two_sizes);
WEIR_DECLARE_KERNEL(moves_of_the_second);
WEIR_DECLARE_KERNEL(count_in_a_static);
WEIR_DECLARE_KERNEL(draw_lots);
WEIR_DECLARE_KERNEL(increment_or_return);

/* Items of increment_twice_or_stay that have begun, and how many may before the next
 * one reaches no stop. */
extern uint32_t native_n_begun, native_may_begin;
WEIR_DECLARE_KERNEL(increment_twice_or_stay);

WEIR_DECLARE_KERNEL(shuffle);
WEIR_DECLARE_KERNEL(assert_nothing_came);
WEIR_DECLARE_KERNEL(message_read_relaxed);
WEIR_DECLARE_KERNEL(message_narrow);
WEIR_DECLARE_KERNEL(message_fences);
WEIR_DECLARE_KERNEL(message_fence_local);
WEIR_DECLARE_KERNEL(message_none);
WEIR_DECLARE_KERNEL(message_all_relaxed);
WEIR_DECLARE_KERNEL(meet);
WEIR_DECLARE_KERNEL(meet_local);
WEIR_DECLARE_KERNEL(meet_never);
WEIR_DECLARE_KERNEL(lose_an_increment);

#endif
