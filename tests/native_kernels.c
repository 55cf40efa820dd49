/* SPDX-License-Identifier: MIT
 *
 * native_kernels.c: see native_kernels.h. */
#include "native_kernels.h"

#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(word, order)                                                              \
    weir_atomic_load_explicit((word), memory_order_##order, memory_scope_device)
#define STORE(word, value, order)                                                      \
    weir_atomic_store_explicit((word), (value), memory_order_##order,                  \
                               memory_scope_device)
#define ADD(word, value, order)                                                        \
    weir_atomic_fetch_add_explicit((word), (value), memory_order_##order,              \
                                   memory_scope_device)

/* A read and a write: clang reports those of one statement as one access. */
#define INCREASE(word, by)                                                             \
    do {                                                                               \
        uint32_t before_ = *(word);                                                    \
        __asm__ volatile("" ::: "memory");                                             \
        *(word) = before_ + (by);                                                      \
    } while (0)

WEIR_KERNEL(increments, words_args)
{
    ADD(args->x, 1, relaxed);
}

WEIR_KERNEL(late_tickets, words_args)
{
    size_t i = weir_global_id(item, 0);
    if (i >= 6) {
        args->out[i] = ADD(args->x, 1, relaxed);
    }
}

WEIR_KERNEL(store_buffering, words_args)
{
    size_t i = weir_global_id(item, 0);
    uint32_t *own = i == 0 ? args->x : args->y, *other = i == 0 ? args->y : args->x;
    STORE(own, 1, relaxed);
    args->out[i] = LOAD(other, relaxed);
}

/* The first half of the items writes x and y, the others read them. */
WEIR_KERNEL(writers_and_readers, words_args)
{
    uint32_t i = (uint32_t)weir_global_id(item, 0);
    if (i < weir_global_size(item, 0) / 2) {
        STORE(args->x, i + 1, relaxed);
        STORE(args->y, i + 1, relaxed);
    } else {
        (void)LOAD(args->y, relaxed);
        (void)LOAD(args->x, relaxed);
        (void)LOAD(args->y, relaxed);
    }
}

WEIR_KERNEL(message, words_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        STORE(args->y, 1, release);
    } else if (LOAD(args->y, acquire) == 1) {
        args->out[0] = args->x[0];
    }
}

WEIR_KERNEL(message_relaxed, words_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        STORE(args->y, 1, relaxed);
    } else if (LOAD(args->y, acquire) == 1) {
        args->out[0] = args->x[0];
    }
}

/* In order, the first item does not see the message. */
WEIR_KERNEL(message_to_first, words_args)
{
    if (weir_global_id(item, 0) == 1) {
        args->x[0] = 42;
        STORE(args->y, 1, release);
    } else if (LOAD(args->y, acquire) == 1) {
        args->out[0] = args->x[0];
    }
}

WEIR_KERNEL(write_then_read, words_args)
{
    size_t l = weir_local_id(item, 0), n = weir_local_size(item, 0);
    uint32_t *s = weir_local_array(item, uint32_t, n);
    s[l] = (uint32_t)l;
    args->out[l] = s[(l + 1) % n];
}

WEIR_KERNEL(message_spin, words_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->x[0] = 42;
        STORE(args->y, 1, release);
    } else {
        while (LOAD(args->y, acquire) == 0) {}
        args->out[0] = args->x[0];
    }
}

WEIR_KERNEL(cas_lock, words_args)
{
    uint32_t expected = 0;
    while (!weir_atomic_compare_exchange_strong_explicit(
        args->x, &expected, 1u, memory_order_acquire, memory_order_relaxed,
        memory_scope_device)) {
        expected = 0;
    }
    INCREASE(&args->y[0], 1);
    STORE(args->x, 0u, release);
}

/* ---- Groups that wait for groups ------------------------------------------------- */

WEIR_KERNEL(global_barrier, words_args)
{
    uint32_t n = (uint32_t)weir_num_groups(item, 0);
    ADD(args->x, 1, acq_rel);
    while (LOAD(args->x, acquire) < n) {}
}

WEIR_KERNEL(last_of_groups, words_args)
{
    size_t n = weir_num_groups(item, 0), g = weir_group_id(item, 0);
    args->y[g] = 1;
    if (ADD(args->x, 1, acq_rel) + 1 == n) {
        uint32_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += args->y[i];
        }
        args->out[0] = sum;
    }
}

WEIR_KERNEL(wait_for_group_before, words_args)
{
    size_t g = weir_group_id(item, 0);
    while (g > 0 && LOAD(&args->x[g - 1], acquire) == 0) {}
    STORE(&args->x[g], 1, release);
}

WEIR_KERNEL(wait_for_group_after, words_args)
{
    size_t n = weir_num_groups(item, 0), g = weir_group_id(item, 0);
    while (g + 1 < n && LOAD(&args->x[g + 1], acquire) == 0) {}
    STORE(&args->x[g], 1, release);
}

WEIR_KERNEL(first_waits_for_last, words_args)
{
    size_t n = weir_num_groups(item, 0), g = weir_group_id(item, 0);
    while (g == 0 && LOAD(&args->x[n - 1], acquire) == 0) {}
    STORE(&args->x[g], 1, release);
}

WEIR_KERNEL(first_writes, words_args)
{
    size_t g = weir_group_id(item, 0);
    if (g == 0) {
        STORE(args->x, 1, relaxed);
    } else {
        args->out[g] = LOAD(args->x, relaxed);
    }
}

/* ---- Weak compare-exchange ------------------------------------------------------- */

WEIR_KERNEL(weak_lock, words_args)
{
    uint32_t expected = 0;
    while (!weir_atomic_compare_exchange_weak_explicit(
        args->x, &expected, 1u, memory_order_acquire, memory_order_relaxed,
        memory_scope_device)) {
        expected = 0;
    }
    INCREASE(&args->y[0], 1);
    STORE(args->x, 0u, release);
}

WEIR_KERNEL(weak_c11_lock, words_args)
{
    _Atomic uint32_t *lock = (_Atomic uint32_t *)args->x;
    uint32_t expected = 0;
    while (!atomic_compare_exchange_weak_explicit(
        lock, &expected, 1u, memory_order_acquire, memory_order_relaxed)) {
        expected = 0;
    }
    INCREASE(&args->y[0], 1);
    atomic_store_explicit(lock, 0u, memory_order_release);
}

/* One attempt: 1 for a success, or else 2 more than what was read. */
WEIR_KERNEL(weak_once, words_args)
{
    uint32_t expected = 0;
    bool done = weir_atomic_compare_exchange_weak(
        weir_atomic_ref(args->x, memory_order_acq_rel, memory_scope_device), &expected,
        1u);
    args->out[weir_global_id(item, 0)] = done ? 1 : 2 + expected;
}

WEIR_KERNEL(weak_increments, words_args)
{
    uint32_t seen = LOAD(args->x, relaxed);
    while (!weir_atomic_compare_exchange_weak_explicit(
        args->x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed,
        memory_scope_device)) {}
}

WEIR_KERNEL(tree, words_args)
{
    uint32_t *s = weir_local_array(item, uint32_t, weir_local_size(item, 0));
    size_t l = weir_local_id(item, 0);
    s[l] = (uint32_t)l + 1;
    for (size_t stride = weir_local_size(item, 0) / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (l < stride) {
            INCREASE(&s[l], s[l + stride]);
        }
    }
    if (l == 0) {
        ADD(args->x, s[0], relaxed);
    }
}

WEIR_KERNEL(collective, words_args)
{
    uint32_t sum = weir_group_reduce_add(item, (uint32_t)weir_global_id(item, 0));
    args->out[weir_global_id(item, 0)] = sum;
}

/* Each takes a number, and waits until it is served. */
WEIR_KERNEL(ticket_lock, words_args)
{
    uint32_t ticket = ADD(&args->x[0], 1, relaxed);
    while (LOAD(&args->x[1], acquire) != ticket) {}
    INCREASE(&args->y[0], 1);
    STORE(&args->x[1], ticket + 1, release);
}

/* Two items; flags x[0] and x[1], whose turn x[2]. */
#define PETERSON(name, before, after)                                                  \
    WEIR_KERNEL(name, words_args)                                                      \
    {                                                                                  \
        uint32_t i = (uint32_t)weir_global_id(item, 0);                                \
        STORE(&args->x[i], 1, before);                                                 \
        STORE(&args->x[2], 1 - i, before);                                             \
        while (LOAD(&args->x[1 - i], after) == 1                                       \
               && LOAD(&args->x[2], after) == 1 - i) {}                                \
        INCREASE(&args->y[0], 1);                                                      \
        STORE(&args->x[i], 0, before);                                                 \
    }
PETERSON(peterson, seq_cst, seq_cst)
PETERSON(peterson_weak, release, acquire)

/* Item 0 writes once; item 1 reads until then, three times at most. */
WEIR_KERNEL(three_tries, words_args)
{
    if (weir_global_id(item, 0) == 0) {
        STORE(args->x, 1, relaxed);
    } else {
        uint32_t n = 0;
        while (n < 3 && LOAD(args->x, relaxed) == 0) {
            n++;
        }
        args->out[0] = n;
    }
}

/* Each waits for the other one. */
WEIR_KERNEL(wait_for_each_other, words_args)
{
    uint32_t i = (uint32_t)weir_global_id(item, 0);
    while (LOAD(&args->x[1 - i], acquire) == 0) {}
    STORE(&args->x[i], 1, release);
}

WEIR_KERNEL(skip_a_barrier, words_args)
{
    if (weir_local_id(item, 0) > 0) {
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[weir_global_id(item, 0)] = 1;
}

/* Pairs are copied whole, and read by halves. */
WEIR_KERNEL(copy_pairs, words_args)
{
    typedef struct {
        uint32_t a, b;
    } pair;
    pair *pairs = weir_local_array(item, pair, weir_local_size(item, 0));
    size_t l = weir_local_id(item, 0), n = weir_local_size(item, 0);
    pairs[l] = (pair){ (uint32_t)l + 1, (uint32_t)l + 2 };
    weir_barrier(item, WEIR_LOCAL);
    pair next = pairs[(l + 1) % n];
    args->out[l] = next.a + pairs[(l + 2) % n].b;
}

/* The flag says that the copy is there. gcc's hooks report a range where a pair may be
 * less aligned than its size, and else an access of 8 bytes like that of a number. */
#define HAND_OVER(pair)                                                                \
    pair *from = (pair *)(void *)args->x, *to = (pair *)(void *)args->y;               \
    if (weir_global_id(item, 0) == 0) {                                                \
        from->a = from->b = 7;                                                         \
        __asm__ volatile("" : : : "memory"); /* or a constant would be copied */       \
        *to = *from;                                                                   \
        STORE(args->out, 1, release);                                                  \
    } else if (LOAD(args->out, acquire)) {                                             \
        args->out[1] = to->b;                                                          \
    }

WEIR_KERNEL(hand_over_a_pair, words_args)
{
    typedef struct {
        uint32_t a, b;
    } pair;
    HAND_OVER(pair)
}

WEIR_KERNEL(hand_over_an_aligned_pair, words_args)
{
    typedef struct {
        _Alignas(8) uint32_t a;
        uint32_t b;
    } pair;
    HAND_OVER(pair)
}

WEIR_KERNEL(halves_of_a_word, words_args)
{
    weir_atomic_fetch_add_explicit((uint64_t *)(void *)args->x, (uint64_t)1,
                                   memory_order_relaxed, memory_scope_device);
    args->out[weir_global_id(item, 0)] = args->x[1];
}

/* A barrier orders the two if y is set. */
WEIR_KERNEL(atomics_of_two_sizes, words_args)
{
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_add_explicit((uint64_t *)(void *)args->x, (uint64_t)1,
                                       memory_order_relaxed, memory_scope_device);
    }
    if (args->y[0] != 0) {
        weir_barrier(item, WEIR_GLOBAL);
    }
    if (weir_local_id(item, 0) == 1) {
        STORE(&args->x[1], 5, relaxed);
    }
}

/* Only where the first group takes the second ticket, the argument of a move by kind
 * y[0] is y[1]. */
WEIR_KERNEL(moves_of_the_second, words_args)
{
    uint32_t ticket = 0;
    if (weir_local_id(item, 0) == 0) {
        ticket = ADD(args->x, 1, relaxed);
    }
    ticket = weir_sub_group_broadcast(item, ticket, 0);
    uint32_t by = weir_group_id(item, 0) < ticket ? args->y[1] : 1;
    args->out[weir_global_id(item, 0)] = args->y[0] == 0
        ? weir_sub_group_shift_right(item, ticket, by)
        : args->y[0] == 1 ? weir_sub_group_shuffle(item, ticket, by)
                          : weir_sub_group_broadcast(item, ticket, by);
}

static uint32_t counter;

WEIR_KERNEL(count_in_a_static, words_args)
{
    args->out[ADD(&counter, 1, relaxed)] = 1;
}

WEIR_KERNEL(draw_lots, words_args)
{
    STORE(&args->x[weir_global_id(item, 0)], (uint32_t)random(), relaxed);
    args->out[0] = LOAD(&args->x[1 - weir_global_id(item, 0)], relaxed);
}

uint32_t native_n_begun, native_may_begin;

/* The static memory of kernels gets its first contents again. What hooks do not see
 * keeps what it has. */
__attribute__((noinline, no_sanitize("thread"))) static bool is_one_too_many(void)
{
    return ++native_n_begun > native_may_begin;
}

WEIR_KERNEL(increment_twice_or_stay, words_args)
{
    if (is_one_too_many()) {
        for (;;) {
            __asm__("");
        }
    }
    ADD(args->x, 1, relaxed);
    ADD(args->x, 1, relaxed);
}

WEIR_KERNEL(increment_or_return, words_args)
{
    for (int i = 0; i < 2 && !is_one_too_many(); i++) {
        ADD(args->x, 1, relaxed);
    }
}

WEIR_KERNEL(shuffle, words_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = weir_sub_group_shuffle_xor(item, (uint32_t)i + 1, 1);
    args->out[8 + i] = weir_group_exclusive_scan_add(item, (uint32_t)i + 1);
}

WEIR_KERNEL(assert_nothing_came, words_args)
{
    if (weir_global_id(item, 0) == 0) {
        STORE(args->x, 1, relaxed);
    } else {
        weir_assert(item, LOAD(args->x, relaxed) == 0);
    }
}

/* Messages: item 0 writes x, and item 1 reads it when @acquires has read that @releases
 * was done. Items are of different groups where a group has one. */
#define MESSAGE(name_, releases, acquires)                                             \
    WEIR_KERNEL(name_, words_args)                                                     \
    {                                                                                  \
        if (weir_global_id(item, 0) == 0) {                                            \
            args->x[0] = 42;                                                           \
            releases;                                                                  \
        } else {                                                                       \
            acquires;                                                                  \
        }                                                                              \
    }
#define IF_THERE(load, then)                                                           \
    if ((load) == 1) {                                                                 \
        then;                                                                          \
        args->out[0] = args->x[0];                                                     \
    }
#define NARROW(operation, ...)                                                         \
    weir_atomic_##operation##_explicit(args->y, __VA_ARGS__, memory_scope_work_group)
#define FENCE(flags, order)                                                            \
    weir_work_item_fence(flags, memory_order_##order, memory_scope_device)

MESSAGE(message_read_relaxed, STORE(args->y, 1, release),
        IF_THERE(LOAD(args->y, relaxed), ))
MESSAGE(message_narrow, NARROW(store, 1, memory_order_release),
        IF_THERE(NARROW(load, memory_order_acquire), ))
MESSAGE(message_fences, FENCE(WEIR_GLOBAL, release);
        STORE(args->y, 1, relaxed),
        IF_THERE(LOAD(args->y, relaxed), FENCE(WEIR_GLOBAL, acquire)))
MESSAGE(message_fence_local, FENCE(WEIR_LOCAL, release);
        STORE(args->y, 1, relaxed),
        IF_THERE(LOAD(args->y, relaxed), FENCE(WEIR_GLOBAL, acquire)))
MESSAGE(message_none, (void)0, args->out[0] = args->x[0])

/* All is atomic, so that nothing races; y may be newer than x. */
MESSAGE(message_all_relaxed, STORE(args->x, 43, relaxed);
        STORE(args->y, 1, relaxed),
        if (LOAD(args->y, relaxed) == 1) args->out[0] = LOAD(args->x, relaxed))

#define MEET(name_, meets)                                                             \
    WEIR_KERNEL(name_, words_args)                                                     \
    {                                                                                  \
        size_t i = weir_global_id(item, 0);                                            \
        args->x[i] = (uint32_t)i + 1;                                                  \
        meets;                                                                         \
        args->out[i] = args->x[1 - i];                                                 \
    }
MEET(meet, weir_barrier(item, WEIR_GLOBAL))
MEET(meet_local, weir_barrier(item, WEIR_LOCAL))
MEET(meet_never, (void)0)

/* Both read x before one of them writes it: no read is stale. */
WEIR_KERNEL(lose_an_increment, words_args)
{
    uint32_t before = LOAD(args->x, relaxed);
    STORE(args->x, before + 1, relaxed);
}

/* The last group does nothing but take many steps. */
WEIR_KERNEL(interpreted, interpreted_args)
{
    size_t i = weir_global_id(item, 0);
    if (weir_group_id(item, 0) + 1 == weir_num_groups(item, 0)) {
        for (uint32_t n = 0; i % weir_local_size(item, 0) == 0 && n < args->ballast;
             n++) {
            weir_atomic_fence(memory_order_release, memory_scope_device);
        }
        return;
    }
    uint32_t *out = args->out + i * (STEPS + 1), kept = 0;
    for (uint32_t s = 0; s < STEPS; s++) {
        const uint8_t *step = args->steps + (i * STEPS + s) * 2;
        uint32_t *w = args->x + step[1];
        switch (step[0]) {
        case STEP_ADD:
            ADD(w, 1, relaxed);
            break;
        case STEP_ADD_RELEASE:
            ADD(w, 1, release);
            break;
        case STEP_ADD_ACQ_REL:
            ADD(w, 1, acq_rel);
            break;
        case STEP_OR:
            weir_atomic_fetch_or_explicit(w, 4u << i, memory_order_relaxed,
                                          memory_scope_device);
            break;
        case STEP_MAX:
            weir_atomic_fetch_max_explicit(w, (uint32_t)i, memory_order_relaxed,
                                           memory_scope_work_group);
            break;
        case STEP_TAKE:
            out[s] = ADD(w, 1, relaxed);
            break;
        case STEP_KEEP:
            kept = ADD(w, 1, relaxed);
            break;
        case STEP_LOAD_ACQUIRE:
            out[s] = LOAD(w, acquire);
            break;
        case STEP_STORE_RELEASE:
            STORE(w, 1, release);
            break;
        case STEP_READ:
            out[s] = *w;
            break;
        case STEP_WRITE:
            *w = 1;
            break;
        case STEP_FENCE_ACQUIRE:
            weir_atomic_fence(memory_order_acquire, memory_scope_device);
            break;
        case STEP_ADD_IF:
            if (LOAD(w, relaxed) == 1) {
                ADD(args->x + (step[1] + 1) % STEP_WORDS, 1, relaxed);
            }
            break;
        case STEP_COUNT:
            ADD(args->y, 1, relaxed);
            break;
        case STEP_WRITE_TAKEN:
            *w = ADD(args->y, 1, relaxed);
            break;
        case STEP_TAKE_ONE:
            out[s] = ADD(w, 1, relaxed) == 1 ? 7 : 0;
            break;
        case STEP_TAKE_IF:
        case STEP_TAKE_UNLESS:
            if ((args->x[(step[1] + 1) % STEP_WORDS] == 1)
                == (step[0] == STEP_TAKE_IF)) {
                out[s] = ADD(w, 1, relaxed);
            } else {
                ADD(w, 1, relaxed);
            }
            break;
        default:
            weir_barrier(item, WEIR_GLOBAL);
            break;
        }
    }
    out[STEPS] = kept;
}

static uint32_t take_script_step(uint8_t code, uint32_t *w, uint32_t *y, uint32_t last)
{
    uint32_t expected = code == SCRIPT_SECOND;
    switch (code) {
    case SCRIPT_TAKE:
        return ADD(w, 1, acq_rel);
    case SCRIPT_ADD_LAST:
        ADD(w, last + 1, relaxed);
        return last;
    case SCRIPT_FIRST:
    case SCRIPT_SECOND:
        return weir_atomic_compare_exchange_strong_explicit(
            w, &expected, expected + 1, memory_order_acq_rel, memory_order_relaxed,
            memory_scope_device);
    case SCRIPT_FIRST_WEAK:
        return weir_atomic_compare_exchange_weak_explicit(
            w, &expected, expected + 1, memory_order_acq_rel, memory_order_relaxed,
            memory_scope_device);
    case SCRIPT_EXCHANGE:
        return weir_atomic_exchange_explicit(w, 2u, memory_order_relaxed,
                                             memory_scope_device);
    case SCRIPT_LOAD:
        return LOAD(w, acquire);
    case SCRIPT_STORE:
        STORE(w, 1, release);
        return last;
    case SCRIPT_STORE_LAST:
        STORE(w, last, relaxed);
        return last;
    case SCRIPT_LOCK:
        while (!weir_atomic_compare_exchange_strong_explicit(
            w, &expected, 1u, memory_order_acquire, memory_order_relaxed,
            memory_scope_device)) {
            expected = 0;
        }
        INCREASE(y, 1);
        STORE(w, 0u, release);
        return last;
    case SCRIPT_LOCK_BY_EXCHANGE:
        while (weir_atomic_exchange_explicit(w, 1u, memory_order_acquire,
                                             memory_scope_device)
               == 1) {}
        INCREASE(y, 1);
        STORE(w, 0u, release);
        return last;
    case SCRIPT_READ:
        return *w;
    case SCRIPT_WRITE:
        *w = 1;
        return last;
    case SCRIPT_WAIT:
        while (LOAD(w, relaxed) == 0) {}
        return last;
    default:
        weir_atomic_fence(memory_order_acq_rel, memory_scope_device);
        return last;
    }
}

WEIR_KERNEL(scripted, interpreted_args)
{
    size_t i = weir_global_id(item, 0);
    uint32_t last = 0;
    for (uint32_t s = 0; s < STEPS; s++) {
        const uint8_t *step = args->steps + (i * STEPS + s) * 2;
        switch (step[0]) {
        case SCRIPT_UNLESS:
            s += last == 0;
            break;
        case SCRIPT_MINE:
            last = (uint32_t)i;
            break;
        case SCRIPT_ASSERT:
            weir_assert(item, last != 2);
            break;
        case SCRIPT_ORDER:
            last = weir_atomic_fetch_add_explicit(args->x + step[1], 1u,
                                                  i % 2 == 0 ? memory_order_relaxed
                                                             : memory_order_acq_rel,
                                                  memory_scope_device);
            break;
        case SCRIPT_SCAN:
            last = weir_group_exclusive_scan_add(item, 1u);
            break;
        case SCRIPT_BARRIER:
            weir_barrier(item, WEIR_GLOBAL);
            break;
        case N_SCRIPT_CODES:
            break;
        default:
            last = take_script_step(step[0], args->x + step[1], args->y, last);
            break;
        }
    }
    args->out[i] = last;
}
