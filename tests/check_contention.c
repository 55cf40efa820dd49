/* SPDX-License-Identifier: MIT
 *
 * check_contention.c: many items at one word, on one worker and on several: no
 * update is lost, torn or done twice. */
#include "support.h"

#include <math.h>

typedef struct {
    uint32_t *u32;
    int64_t *i64;
    float *f32;
    double *f64;
    uint32_t *of_group;
} contended_args;

enum { COUNTED = 100 };

WEIR_KERNEL(add_to_one_word, contended_args)
{
    for (int round = 0; round < COUNTED; round++) {
        weir_atomic_fetch_add_explicit(args->u32, 3u, memory_order_relaxed,
                                       memory_scope_device);
        weir_atomic_fetch_sub_explicit(args->i64, (int64_t)1 << 33,
                                       memory_order_acq_rel, memory_scope_device);
        weir_atomic_fetch_add_explicit(args->f32, 1.0f, memory_order_relaxed,
                                       memory_scope_device);
        weir_atomic_fetch_sub_explicit(args->f64, 0.5, memory_order_seq_cst,
                                       memory_scope_system);
        weir_atomic_fetch_add(weir_atomic_ref(&args->of_group[weir_group_id(item, 0)],
                                              memory_order_relaxed,
                                              memory_scope_work_group),
                              1u);
    }
}

WORKERS_TEST(no_addition_is_lost_under_contention)
{
    enum { LOCAL = 32 };
    size_t groups = scaled(40, 3);
    contended_args args
        = { weir_new(device, uint32_t, 1, "u32"), weir_new(device, int64_t, 1, "i64"),
            weir_new(device, float, 1, "f32"), weir_new(device, double, 1, "f64"),
            weir_new(device, uint32_t, groups, "of_group") };
    *args.u32 = 0;
    *args.i64 = 0;
    *args.f32 = 0;
    *args.f64 = 0;
    memset(args.of_group, 0, groups * sizeof(*args.of_group));
    LAUNCH_SILENT(device, &add_to_one_word, weir_nd_range_1d(groups * LOCAL, LOCAL),
                  &args, WITH_WORKERS(workers));
    size_t n = groups * LOCAL * COUNTED; /* below 2^24, so that floats are exact */
    ck_assert_uint_eq(*args.u32, 3 * n);
    ck_assert_int_eq(*args.i64, -(int64_t)(n << 33));
    ck_assert_double_eq(*args.f32, (double)n);
    ck_assert_double_eq(*args.f64, -0.5 * (double)n);
    EXPECT_ELEMENTS(args.of_group, g, groups, LOCAL * COUNTED);
}

typedef struct {
    uint64_t *bits;    /* one bit a group of 64 is set, another toggled, one cleared */
    int32_t *extremes; /* the least, the greatest */
    float *f_extremes;
    uint32_t *chain;   /* an exchange passes on who came before */
    uint32_t *seen;    /* [id]: how often it was passed on */
    uint64_t *counter; /* by compare-exchange */
} mixed_args;

WEIR_KERNEL(mix, mixed_args)
{
    uint32_t id = (uint32_t)weir_global_id(item, 0);
    uint64_t bit = (uint64_t)1 << (id % 64);
    weir_atomic_fetch_or_explicit(&args->bits[0], bit, memory_order_relaxed,
                                  memory_scope_device);
    weir_atomic_fetch_xor_explicit(&args->bits[1], bit, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_and_explicit(&args->bits[2], ~bit, memory_order_relaxed,
                                   memory_scope_device);
    int32_t value = (int32_t)(id * 2654435761u) >> 1;
    weir_atomic_fetch_min_explicit(&args->extremes[0], value, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_max_explicit(&args->extremes[1], value, memory_order_relaxed,
                                   memory_scope_device);
    weir_atomic_fetch_min_explicit(&args->f_extremes[0], (float)value,
                                   memory_order_relaxed, memory_scope_device);
    weir_atomic_fetch_max_explicit(&args->f_extremes[1], (float)value,
                                   memory_order_relaxed, memory_scope_device);
    uint32_t before = weir_atomic_exchange_explicit(
        args->chain, id + 1, memory_order_acq_rel, memory_scope_device);
    weir_atomic_fetch_add_explicit(&args->seen[before], 1u, memory_order_relaxed,
                                   memory_scope_device);
    uint64_t count = weir_atomic_load_explicit(args->counter, memory_order_relaxed,
                                               memory_scope_device);
    while (!weir_atomic_compare_exchange_strong_explicit(
        args->counter, &count, count + 3, memory_order_acq_rel, memory_order_relaxed,
        memory_scope_device)) {}
}

WORKERS_TEST(every_kind_of_update_is_whole_under_contention)
{
    uint32_t n = (uint32_t)scaled(20000, 320) / 64 * 64;
    mixed_args args = { weir_new(device, uint64_t, 3, "bits"),
                        weir_new(device, int32_t, 2, "extremes"),
                        weir_new(device, float, 2, "f_extremes"),
                        weir_new(device, uint32_t, 1, "chain"),
                        weir_new(device, uint32_t, n + 1, "seen"),
                        weir_new(device, uint64_t, 1, "counter") };
    int32_t least = INT32_MAX, greatest = INT32_MIN;
    for (uint32_t id = 0; id < n; id++) {
        int32_t value = (int32_t)(id * 2654435761u) >> 1;
        least = MIN(least, value);
        greatest = MAX(greatest, value);
    }
    args.bits[0] = args.bits[1] = 0;
    args.bits[2] = UINT64_MAX;
    args.extremes[0] = INT32_MAX;
    args.extremes[1] = INT32_MIN;
    args.f_extremes[0] = INFINITY;
    args.f_extremes[1] = -INFINITY;
    *args.chain = 0;
    *args.counter = 0;
    memset(args.seen, 0, (n + 1) * sizeof(*args.seen));
    LAUNCH_SILENT(device, &mix, weir_nd_range_1d(n, 32), &args, WITH_WORKERS(workers));
    ck_assert(args.bits[0] == UINT64_MAX);
    ck_assert(args.bits[1] == (n / 64 % 2 == 1 ? UINT64_MAX : 0));
    ck_assert(args.bits[2] == 0);
    ck_assert_int_eq(args.extremes[0], least);
    ck_assert_int_eq(args.extremes[1], greatest);
    ck_assert_double_eq(args.f_extremes[0], (float)least);
    ck_assert_double_eq(args.f_extremes[1], (float)greatest);
    ck_assert_uint_eq(*args.counter, 3 * (uint64_t)n);
    for (uint32_t id = 0; id <= n; id++) {
        EXPECT_ELEMENT(args.seen, id, id != *args.chain);
    }
}

struct node {
    struct node *next;
    int32_t value;
};

typedef struct {
    struct node **head;
    struct node *nodes;
} stack_args;

WEIR_KERNEL(push_nodes, stack_args)
{
    struct node *mine = &args->nodes[weir_global_id(item, 0)];
    struct node *head = weir_atomic_load_explicit(args->head, memory_order_relaxed,
                                                  memory_scope_device);
    do {
        mine->next = head;
    } while (!weir_atomic_compare_exchange_weak_explicit(
        args->head, &head, mine, memory_order_release, memory_order_relaxed,
        memory_scope_device));
}

WORKERS_TEST(a_lock_free_stack_loses_no_node)
{
    size_t n = scaled(20000, 200) / 20 * 20;
    stack_args args = { .head = weir_new(device, struct node *, 1, "head"),
                        .nodes = weir_new(device, struct node, n, "nodes") };
    *args.head = NULL;
    for (size_t i = 0; i < n; i++) {
        args.nodes[i].value = 0;
    }
    LAUNCH_SILENT(device, &push_nodes, weir_nd_range_1d(n, 20), &args,
                  WITH_WORKERS(workers));
    size_t length = 0;
    for (struct node *node = *args.head; node != NULL && length <= n;
         node = node->next) {
        node->value++;
        length++;
    }
    ck_assert_uint_eq(length, n);
    for (size_t i = 0; i < n; i++) {
        EXPECT(args.nodes[i].value == 1, "node %zu is there %d times", i,
               args.nodes[i].value);
    }
}

typedef struct {
    int32_t *semaphore;
} semaphore_args;

#define SEMAPHORE                                                                      \
    weir_atomic_ref(args->semaphore, memory_order_acq_rel, memory_scope_device)

/* No turn of the wait leaves memory as it was: it takes and puts back. */
WEIR_KERNEL(waits_by_taking, semaphore_args)
{
    if (weir_local_id(item, 0) == 0) {
        while (weir_atomic_fetch_sub(SEMAPHORE, 1) <= 0) {
            weir_atomic_fetch_add(SEMAPHORE, 1);
        }
    } else if (weir_local_id(item, 0) == 1) {
        weir_atomic_fetch_add(SEMAPHORE, 1);
    }
}

WORKERS_TEST(a_wait_that_takes_and_puts_back_gives_way)
{
    int32_t *semaphore = weir_new(device, int32_t, 1, "semaphore");
    *semaphore = 0;
    LAUNCH_SILENT(device, &waits_by_taking, weir_nd_range_1d(4, 4),
                  &(semaphore_args){ semaphore }, WITH_WORKERS(workers));
    ck_assert_int_eq(*semaphore, 0);
}

MAIN("contention")
