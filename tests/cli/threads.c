/* SPDX-License-Identifier: MIT
 *
 * threads.c: launches and accesses by two threads of the host, for threads.sh. The
 * argument names a case: what the first thread does, what the second does, and what
 * orders the two. */
#include <weir.h>

#include <weir-kernel.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { ITEMS = 8 };

typedef struct {
    int32_t *sum;
    uint32_t *lock;
} sum_args;

WEIR_KERNEL(add_one, sum_args)
{
    args->sum[weir_global_id(item, 0)] += 1; /* one */
}

WEIR_KERNEL(add_two, sum_args)
{
    args->sum[weir_global_id(item, 0)] += 2; /* two */
}

/* One item of each launch holds a lock of the device meanwhile. */
WEIR_KERNEL(add_locked, sum_args)
{
    if (weir_global_id(item, 0) == 0) {
        while (weir_atomic_exchange_explicit(args->lock, 1u, memory_order_acquire,
                                             memory_scope_device)
               != 0) {}
        args->sum[0] += 1;
        weir_atomic_store_explicit(args->lock, 0u, memory_order_release,
                                   memory_scope_device);
    }
}

/* Each item changes a word by atomics that the host may see. */
WEIR_KERNEL(add_for_host, sum_args)
{
    args->sum[weir_global_id(item, 0)] += 1;
    weir_atomic_store_explicit(args->lock, 1u, memory_order_release,
                               memory_scope_system);
}

static struct weir_device *device;
static sum_args words;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int n_done;
static volatile int32_t seen;

static void launch(const struct weir_kernel *kernel, size_t offset)
{
    sum_args args = words;
    args.sum += offset;
    GError *error = NULL;
    if (!weir_launch_sized(device, kernel, weir_nd_range_1d(ITEMS, 4), &args,
                           sizeof(args), &error)) {
        fprintf(stderr, "%s\n", error->message);
        g_error_free(error);
    }
}

static void act(const char *what)
{
    if (strcmp(what, "one") == 0) {
        launch(&add_one, 0);
    } else if (strcmp(what, "two") == 0) {
        launch(&add_two, 0);
    } else if (strcmp(what, "apart") == 0) {
        launch(&add_two, ITEMS);
    } else if (strcmp(what, "locked") == 0) {
        launch(&add_locked, 0);
    } else if (strcmp(what, "told") == 0) {
        launch(&add_for_host, 0);
    } else if (strcmp(what, "write") == 0) {
        words.sum[3] = 7; /* write */
    } else if (strcmp(what, "read") == 0) {
        seen = words.sum[3]; /* read */
    } else if (strcmp(what, "read_apart") == 0) {
        seen = words.sum[ITEMS + 3];
    }
}

static const char *order;

static void act_in_turn(const char *what, int turn)
{
    if (strcmp(order, "mutex") == 0) {
        pthread_mutex_lock(&lock);
        act(what);
        pthread_mutex_unlock(&lock);
    } else if (strcmp(order, "condition") == 0) {
        pthread_mutex_lock(&lock);
        while (n_done != turn) {
            pthread_cond_wait(&done, &lock);
        }
        pthread_mutex_unlock(&lock);
        act(what);
        pthread_mutex_lock(&lock);
        n_done++;
        pthread_cond_broadcast(&done);
        pthread_mutex_unlock(&lock);
    } else {
        act(what);
    }
}

static void *first_main(void *what)
{
    act_in_turn(what, 0);
    return NULL;
}

/* FIRST SECOND ORDER */
int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    device = weir_device_new("default", NULL);
    words.sum = weir_new(device, int32_t, 2 * ITEMS, "sum");
    words.lock = weir_new(device, uint32_t, 1, "lock");
    memset(words.sum, 0, 2 * ITEMS * sizeof(*words.sum));
    memset(words.lock, 0, sizeof(*words.lock));
    order = argv[3];
    pthread_t first;
    if (strcmp(order, "create") == 0) {
        act(argv[2]);
    }
    pthread_create(&first, NULL, first_main, argv[1]);
    if (strcmp(order, "join") == 0) {
        pthread_join(first, NULL);
    }
    if (strcmp(order, "create") != 0) {
        act_in_turn(argv[2], 1);
    }
    if (strcmp(order, "join") != 0) {
        pthread_join(first, NULL);
    }
    weir_device_free(device);
    return 0;
}
