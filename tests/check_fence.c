/* SPDX-License-Identifier: MIT
 *
 * check_fence.c: plain data that one group writes is there for another that has
 * seen the flag, by orders of atomics, by fences on either side, and by barriers
 * of a wider scope. */
#include "support.h"

enum passing {
    RELEASE_ACQUIRE,
    FENCES,
    FENCE_THEN_ACQUIRE,
    RELEASE_THEN_FENCE,
    SEQ_CST_FENCES,
    ACQ_REL_FENCES,
    WORK_ITEM_FENCES,
    THROUGH_RMW,
    N_PASSINGS,
};

typedef struct {
    uint32_t *flag;
    uint64_t *data; /* [8], plain */
    uint64_t *wrong;
    enum passing passing;
    uint32_t rounds;
} passing_args;

/* @half: the order of a fence that has only what its side needs */
static inline void fence(enum passing passing, memory_order half)
{
    const memory_scope scope = memory_scope_device;
    switch (passing) {
    case SEQ_CST_FENCES:
        weir_atomic_fence(memory_order_seq_cst, scope);
        break;
    case ACQ_REL_FENCES:
        weir_atomic_fence(memory_order_acq_rel, scope);
        break;
    case WORK_ITEM_FENCES:
        weir_work_item_fence(WEIR_GLOBAL, half, scope);
        break;
    default:
        weir_atomic_fence(half, scope);
        break;
    }
}

static inline void publish(uint32_t *flag, uint32_t round, enum passing passing)
{
    if (passing == RELEASE_ACQUIRE || passing == RELEASE_THEN_FENCE) {
        STORE_RELEASE(flag, round);
    } else if (passing == THROUGH_RMW) {
        weir_atomic_exchange_explicit(flag, round, memory_order_acq_rel,
                                      memory_scope_device);
    } else {
        fence(passing, memory_order_release);
        STORE_RELAXED(flag, round);
    }
}

static inline void receive(uint32_t *flag, uint32_t round, enum passing passing)
{
    if (passing == RELEASE_ACQUIRE || passing == FENCE_THEN_ACQUIRE) {
        while (LOAD_ACQUIRE(flag) != round) {}
    } else if (passing == THROUGH_RMW) {
        while (weir_atomic_fetch_add_explicit(flag, 0u, memory_order_acq_rel,
                                              memory_scope_device)
               != round) {}
    } else {
        while (LOAD_RELAXED(flag) != round) {}
        fence(passing, memory_order_acquire);
    }
}

/* Group 0 writes and publishes; group 1 receives, reads and hands back. */
WEIR_KERNEL(pass_messages, passing_args)
{
    bool writer = weir_group_id(item, 0) == 0;
    for (uint32_t round = 1; round <= args->rounds; round++) {
        if (writer) {
            for (uint64_t k = 0; k < 8; k++) {
                args->data[k] = round * 10 + k;
            }
            publish(args->flag, 2 * round - 1, args->passing);
            receive(args->flag, 2 * round, args->passing);
        } else {
            receive(args->flag, 2 * round - 1, args->passing);
            for (uint64_t k = 0; k < 8; k++) {
                *args->wrong += args->data[k] != round * 10 + k;
            }
            publish(args->flag, 2 * round, args->passing);
        }
    }
}

DEVICE_TEST_EACH(plain_data_follows_a_flag_that_is_published_and_received, N_PASSINGS)
{
    passing_args args = { weir_new(device, uint32_t, 1, "flag"),
                          weir_new(device, uint64_t, 8, "data"),
                          weir_new(device, uint64_t, 1, "wrong"), (enum passing)_i,
                          (uint32_t)scaled(2000, 20) };
    for (size_t workers = 1; workers <= 2; workers++) {
        *args.flag = 0;
        *args.wrong = 0;
        LAUNCH_SILENT(device, &pass_messages, weir_nd_range_1d(2, 1), &args,
                      WITH_WORKERS(workers));
        ck_assert_uint_eq(*args.flag, 2 * args.rounds);
        ck_assert_uint_eq(*args.wrong, 0);
    }
}

typedef struct {
    int32_t *out;
} fence_args;

#define FENCES_AT(scope)                                                               \
    weir_atomic_fence(memory_order_relaxed, scope);                                    \
    weir_atomic_fence(memory_order_consume, scope);                                    \
    weir_atomic_fence(memory_order_acquire, scope);                                    \
    weir_atomic_fence(memory_order_release, scope);                                    \
    weir_atomic_fence(memory_order_acq_rel, scope);                                    \
    weir_atomic_fence(memory_order_seq_cst, scope);                                    \
    weir_work_item_fence(WEIR_LOCAL, memory_order_acq_rel, scope);                     \
    weir_work_item_fence(WEIR_GLOBAL, memory_order_seq_cst, scope);                    \
    weir_work_item_fence(WEIR_LOCAL | WEIR_GLOBAL, memory_order_release, scope);       \
    sum++

WEIR_KERNEL(fence_in_every_way, fence_args)
{
    int32_t sum = 0;
    FENCES_AT(memory_scope_work_item);
    FENCES_AT(memory_scope_sub_group);
    FENCES_AT(memory_scope_work_group);
    FENCES_AT(memory_scope_device);
    FENCES_AT(memory_scope_system);
    args->out[weir_global_id(item, 0)] = sum;
}

WORKERS_TEST(fences_of_all_orders_and_scopes_pass)
{
    int32_t *out = weir_new(device, int32_t, 32, "out");
    LAUNCH_SILENT(device, &fence_in_every_way, weir_nd_range_1d(32, 8),
                  &(fence_args){ out }, WITH_WORKERS(workers));
    EXPECT_ELEMENTS(out, i, 32, 5);
}

/* A barrier whose scope is the device publishes to another group what the
 * whole group wrote; the flag itself is relaxed. */
typedef struct {
    int32_t *data;
    uint32_t *flag;
    int32_t *out;
} wide_args;

WEIR_KERNEL(publish_by_wide_barrier, wide_args)
{
    size_t lid = weir_local_id(item, 0), local = weir_local_size(item, 0);
    if (weir_group_id(item, 0) == 0) {
        args->data[lid] = (int32_t)lid + 7;
        weir_group_barrier_scope(item, memory_scope_device);
        if (lid == 0) {
            STORE_RELAXED(args->flag, 1u);
        }
    } else {
        if (lid == 0) {
            while (LOAD_RELAXED(args->flag) == 0) {}
        }
        weir_group_barrier_scope(item, memory_scope_device);
        args->out[lid] = args->data[(lid + 1) % local];
    }
}

DEVICE_TEST(a_barrier_of_device_scope_publishes_to_other_groups)
{
    enum { LOCAL = 16 };
    wide_args args = { weir_new(device, int32_t, LOCAL, "data"),
                       weir_new(device, uint32_t, 1, "flag"),
                       weir_new(device, int32_t, LOCAL, "out") };
    for (size_t round = 0; round < scaled(200, 5); round++) {
        memset(args.data, 0, LOCAL * sizeof(*args.data));
        *args.flag = 0;
        LAUNCH_SILENT(device, &publish_by_wide_barrier,
                      weir_nd_range_1d(2 * LOCAL, LOCAL), &args,
                      WITH_WORKERS(1 + round % 2));
        EXPECT_ELEMENTS(args.out, i, LOCAL, (i + 1) % LOCAL + 7);
    }
}

MAIN("fence")
