/* SPDX-License-Identifier: MIT
 *
 * plain.c: plain accesses that look atomic and are not, and their neighbours.
 * compilers.sh reads in each comment what the reason of a race there must say. */
#include <stdlib.h>

#include <weir-kernel.h>
#include <weir.h>

enum { N = 8 };

typedef struct {
    int32_t *a;
    int which;
} plain_args;

#define DEVICE memory_scope_device
#define RELAXED memory_order_relaxed

/* The lock is the last element. */
static void lock(const plain_args *args, memory_order order)
{
    int32_t free = N;
    while (!weir_atomic_compare_exchange_strong_explicit(&args->a[N], &free, 0, order,
                                                         RELAXED, DEVICE)) {
        free = N;
    }
}

static void unlock(const plain_args *args, memory_order order)
{
    weir_atomic_store_explicit(&args->a[N], N, order, DEVICE);
}

WEIR_KERNEL(plain, plain_args)
{
    size_t i = weir_local_id(item, 0);
    volatile int32_t *flag = args->a;
    switch (args->which) {
    case 1:
        *args->a += 2; /* 1: two items read the old value */
        break;
    case 2:
        args->a[i] += args->a[i + 1]; /* 2: no barrier of the group lies */
        break;
    case 3:
        if (i == 0) {
            *flag = 1; /* 3: volatile does not make it atomic: no barrier */
        } else {
            args->a[i] = *flag; /* 3: volatile does not make it atomic: no barrier */
        }
        break;
    case 4:
        *flag += 1; /* 4: volatile does not make it atomic: two items read */
        break;
    case 6: /* The element that is read is not the one that all write. */
        args->a[N] = args->a[(i + 1) % N], args->a[i] = 1; /* 6: no */
        break;
    case 7:
        lock(args, memory_order_acquire);
        args->a[0]++; /* 7: item 1's .* wrote, but the write releases nothing */
        unlock(args, RELAXED);
        break;
    case 8:
        lock(args, RELAXED);
        weir_atomic_fence(memory_order_acquire, DEVICE);
        args->a[0]++; /* 8: item 1's .* wrote, but the write releases nothing */
        unlock(args, RELAXED);
        break;
    case 9:
        lock(args, RELAXED);
        args->a[0]++; /* 9: item 1's .* wrote, but the read acquires nothing */
        weir_atomic_fence(memory_order_release, DEVICE);
        unlock(args, RELAXED);
        break;
    case 10:
        lock(args, RELAXED);
        weir_atomic_fence(memory_order_acquire, DEVICE);
        args->a[0]++;
        weir_atomic_fence(memory_order_release, DEVICE);
        unlock(args, RELAXED);
        break;
    case 11: /* 11: item 1's .* but no release lies between the first access and that */
        lock(args, RELAXED);
        weir_atomic_fence(memory_order_acq_rel, DEVICE);
        args->a[0]++;
        unlock(args, RELAXED);
        break;
    case 12: /* A counter is not a lock. */
        weir_atomic_fetch_add(weir_atomic_ref(&args->a[N], RELAXED, DEVICE), 2);
        args->a[0]++; /* 12: two items read the old value */
        break;
    case 5:
        weir_atomic_fetch_add(
            weir_atomic_ref(args->a, memory_order_relaxed, memory_scope_device), 2);
        break;
    }
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int32_t *a = weir_new(device, int32_t, N + 1, "a");
    plain_args args = { a, argc > 1 ? atoi(argv[1]) : 0 };
    for (int i = 0; i <= N; i++) {
        a[i] = i;
    }
    bool launched = weir_launch(device, &plain, weir_nd_range_1d(N, N), &args, NULL);
    weir_device_free(device);
    return launched ? 0 : 1;
}
