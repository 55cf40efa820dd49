/* SPDX-License-Identifier: MIT
 *
 * 11_lock.c: the weakest orders with which a lock works.
 *
 * Three groups add to one plain number, each while it holds a lock. The loop that takes
 * the lock has no bound. It is explored all the same: a round that changes nothing is
 * not repeated, the group waits until it can read another value. So there are as many
 * executions as orders of three groups: 6.
 *
 * An order that is too strong costs time, and one that is too weak is a race. To find
 * the weakest, the lock is explored with every pair of orders. It needs an acquire
 * where it is taken and a release where it is given back, and no more: what a group
 * wrote is then visible to the next one.
 *
 * A group that keeps the lock is found, too: the others wait for ever, so no execution
 * ends. `weir explore --weaken` tries orders and scopes of a kernel in this way. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 3 };

typedef struct {
    int32_t *taken;          /* 0: the lock is free */
    int32_t *number;         /* what it guards */
    memory_order take, give; /* orders of the two operations on the lock */
    bool keep;               /* the lock is never given back */
} lock_args;

WEIR_KERNEL(add_one, lock_args)
{
    (void)item;
    while (
        weir_atomic_exchange_explicit(args->taken, 1, args->take, memory_scope_device)
        == 1) {}
    *args->number += 1;
    if (!args->keep) {
        weir_atomic_store_explicit(args->taken, 0, args->give, memory_scope_device);
    }
}

static bool all_have_added(const void *of_launch, void *user)
{
    const lock_args *args = of_launch;
    (void)user;
    return *args->number == GROUPS;
}

static void explore(struct weir_device *device, const lock_args *args)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.explore = "sycl";
    options.post_condition = all_have_added;
    options.time_limit_ms = 10000; /* a launch that never ends is ended */
    GError *error = NULL;
    struct weir_report *report = NULL;
    *args->taken = 0;
    *args->number = 0;
    if (!weir_launch_with(device, &add_one, weir_nd_range_1d(GROUPS, 1), args, &options,
                          &report, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
    const struct weir_exploration *found = weir_report_exploration(report);
    const char *so_far = found->complete ? "" : " so far";
    if (found->racy > 0) {
        printf("a race%s\n", so_far);
    } else {
        printf("%llu executions%s, %llu never end, %llu with a wrong number\n",
               (unsigned long long)(found->executions + found->blocked), so_far,
               (unsigned long long)found->blocked, (unsigned long long)found->negative);
    }
    weir_report_free(report);
}

int main(void)
{
    static const struct {
        const char *name;
        memory_order order;
    } takes[] = { { "relaxed", memory_order_relaxed },
                  { "acquire", memory_order_acquire },
                  { "seq_cst", memory_order_seq_cst } },
      gives[] = { { "relaxed", memory_order_relaxed },
                  { "release", memory_order_release },
                  { "seq_cst", memory_order_seq_cst } };
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    lock_args args = { .taken = weir_new(device, int32_t, 1, "taken"),
                       .number = weir_new(device, int32_t, 1, "number") };
    for (size_t t = 0; t < G_N_ELEMENTS(takes); t++) {
        for (size_t g = 0; g < G_N_ELEMENTS(gives); g++) {
            args.take = takes[t].order;
            args.give = gives[g].order;
            printf("take %s, give %s: ", takes[t].name, gives[g].name);
            explore(device, &args);
        }
    }
    printf("keep: ");
    args.keep = true;
    explore(device, &args);
    weir_device_free(device);
    return EXIT_SUCCESS;
}
