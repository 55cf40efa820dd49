/* SPDX-License-Identifier: MIT
 *
 * lockstep.c: the program of lockstep.sh: kernels, by their names, in groups of 16
 * items. Lines that a report is to name are marked: the poll, and the write. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t *words; /* a lock, a counter, what is read only, what is done */
} lock_args;

#define LOAD(word)                                                                     \
    weir_atomic_load_explicit((word), memory_order_acquire, memory_scope_device)
#define STORE(word, value)                                                             \
    weir_atomic_store_explicit((word), (value), memory_order_release,                  \
                               memory_scope_device)
#define ADD(word, value)                                                               \
    weir_atomic_fetch_add_explicit((word), (value), memory_order_acq_rel,              \
                                   memory_scope_device)
#define TAKE(word)                                                                     \
    (weir_atomic_exchange_explicit((word), 1u, memory_order_acq_rel,                   \
                                   memory_scope_device)                                \
     == 0)

/* ---- What hangs ---------------------------------------------------------- */

static inline bool try_lock(uint32_t *word)
{
    return TAKE(word); /* poll inlined */
}

WEIR_KERNEL(inlined, lock_args)
{
    while (!try_lock(args->words)) {}
    args->words[3] += 1;
    STORE(args->words, 0u); /* write inlined */
    ADD(&args->words[1], 1u);
}

static __attribute__((noinline)) void lock(uint32_t *word)
{
    while (!TAKE(word)) { /* poll called */
    }
}

WEIR_KERNEL(called, lock_args)
{
    lock(args->words);
    args->words[3] += 1;
    STORE(args->words, 0u); /* write called */
}

static inline bool try_round(uint32_t *word)
{
    return TAKE(word); /* poll rounds */
}

WEIR_KERNEL(rounds, lock_args)
{
    for (uint32_t round = 0; round < 3; round++) {
        if (args->words[2] == round) {
            continue;
        }
        do {
        } while (!try_round(args->words));
        args->words[3] += 1;
        STORE(args->words, 0u); /* write rounds */
    }
}

WEIR_KERNEL(ticket, lock_args)
{
    uint32_t own = ADD(&args->words[1], 1u);
    while (LOAD(args->words) != own) { /* poll ticket */
    }
    args->words[3] += 1;
    STORE(args->words, own + 1); /* write ticket */
}

/* ---- What does not ------------------------------------------------------- */

WEIR_KERNEL(in_body, lock_args)
{
    bool done = false;
    while (!done) {
        if (try_lock(args->words)) {
            args->words[3] += 1;
            STORE(args->words, 0u);
            done = true;
        }
    }
}

WEIR_KERNEL(with_break, lock_args)
{
    for (;;) {
        if (try_lock(args->words)) {
            args->words[3] += 1;
            STORE(args->words, 0u);
            break;
        }
    }
}

/* Items reach the loop in iterations of their own, and to no stop before it. */
WEIR_KERNEL(turns, lock_args)
{
    for (size_t turn = 0; turn < weir_local_size(item, 0); turn++) {
        if (weir_local_id(item, 0) == turn) {
            while (!try_lock(args->words)) {}
            args->words[3] += 1;
            STORE(args->words, 0u);
        }
    }
}

/* The same for a compiler that unrolls the loop. */
WEIR_KERNEL(four_turns, lock_args)
{
#pragma GCC unroll 4
    for (size_t turn = 0; turn < 4; turn++) {
        if (weir_local_id(item, 0) % 4 == turn && weir_local_id(item, 0) < 4) {
            while (!try_lock(args->words)) {}
            args->words[3] += 1;
            STORE(args->words, 0u);
        }
    }
}

WEIR_KERNEL(counted, lock_args)
{
    if (weir_local_id(item, 0) == 0) {
        args->words[2 + 2 * weir_group_id(item, 0)] = 7;
    }
    ADD(&args->words[1], 1u);
    while (LOAD(&args->words[1]) < weir_global_size(item, 0)) {}
}

WEIR_KERNEL(one_each, lock_args)
{
    if (weir_sub_group_local_id(item) == 0) {
        while (!try_lock(args->words)) {}
        args->words[3] += 1;
        STORE(args->words, 0u);
    }
}

WEIR_KERNEL(trips, lock_args)
{
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < (weir_local_id(item, 0) + round) % 5; i++) {
            ADD(&args->words[1], 1u);
        }
        weir_barrier(item, WEIR_GLOBAL);
    }
}

int main(int argc, char **argv)
{
    static const struct weir_kernel *const kernels[]
        = { &inlined, &called,     &rounds,  &ticket,   &in_body, &with_break,
            &turns,   &four_turns, &counted, &one_each, &trips };
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    lock_args args = { weir_new(device, uint32_t, 8, "words") };
    for (int word = 1; word < argc; word++) {
        for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
            memset(args.words, 0, 8 * sizeof(*args.words));
            if (strcmp(kernels[i]->name, argv[word]) == 0
                && !weir_launch(device, kernels[i], weir_nd_range_1d(32, 16), &args,
                                &error)) {
                fprintf(stderr, "%s\n", error->message);
                return 2;
            }
        }
    }
    weir_device_free(device);
    return 0;
}
