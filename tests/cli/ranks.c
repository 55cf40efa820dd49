/* SPDX-License-Identifier: MIT
 *
 * ranks.c: a program that makes two launches, for explore-ranks.sh. It can do something
 * else, in all ranks of mpirun or in one:
 *
 *     ranks [WHAT [RANK]]
 *
 *     address   what an item publishes for the other is an address
 *     aborts    between the launches
 *     ends      with status 3 between the launches, having written nothing
 *     stops     with status 0 between the launches
 *     larger    the second launch has another item
 *     differs   the items write another value, as if they used the time
 *     waits     for ever between the launches
 *     kills     rank RANK of mpirun: the process that has started this one
 *     forks     the second launch is that of another process
 *     threads   both launches are made at the same time
 *     races     the items of the second launch use plain accesses */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    uint32_t *count, *seen;
    uint32_t step;
} add_args;

typedef struct {
    uint32_t *count;
} race_args;

/* An item adds without an atomic. */
WEIR_KERNEL(race, race_args)
{
    args->count[0] += (uint32_t)weir_global_id(item, 0);
}

/* The orders of the additions are the executions: 24 of four items. */
WEIR_KERNEL(add, add_args)
{
    size_t g = weir_global_id(item, 0);
    args->seen[g] = weir_atomic_fetch_add_explicit(
        args->count, args->step, memory_order_acq_rel, memory_scope_device);
}

typedef struct {
    uint64_t *link, value;
    uint32_t *box, *out;
} follow_args;

/* The first item publishes the box, by its address or as number 1; the other looks into
 * it if it is there. Both give the same result. */
WEIR_KERNEL(follow, follow_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->box[0] = 7;
        weir_atomic_store_explicit(args->link, args->value, memory_order_release,
                                   memory_scope_device);
        return;
    }
    uint64_t link = weir_atomic_load_explicit(args->link, memory_order_acquire,
                                              memory_scope_device);
    const uint32_t *box = link == 1 ? args->box : (const uint32_t *)(uintptr_t)link;
    args->out[0] = box != NULL ? *box : 7;
}

static struct weir_device *device;
static uint32_t step = 1;

static void launch_race(size_t n)
{
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    *count = 0;
    if (!weir_launch(device, &race, weir_nd_range_1d(n, 1), &(race_args){ count },
                     NULL)) {
        exit(1);
    }
}

static void *launch_add(void *items)
{
    size_t n = *(const size_t *)items;
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    uint32_t *seen = weir_new(device, uint32_t, n, "seen");
    *count = 0;
    memset(seen, 0, n * sizeof(*seen));
    if (!weir_launch(device, &add, weir_nd_range_1d(n, 1),
                     &(add_args){ count, seen, step }, NULL)) {
        exit(1);
    }
    return NULL;
}

static void launch_follow(bool address)
{
    uint64_t *link = weir_new(device, uint64_t, 1, "link");
    uint32_t *box = weir_new(device, uint32_t, 1, "box");
    uint32_t *out = weir_new(device, uint32_t, 1, "out");
    uint64_t value = address ? (uint64_t)(uintptr_t)box : 1;
    *link = 0;
    *box = *out = 0;
    if (!weir_launch(device, &follow, weir_nd_range_1d(2, 1),
                     &(follow_args){ link, value, box, out }, NULL)) {
        exit(1);
    }
}

static void launch_both(void)
{
    size_t n = 3, more = 4;
    pthread_t other;
    pthread_create(&other, NULL, launch_add, &n);
    launch_add(&more);
    pthread_join(other, NULL);
}

static void launch_in_child(void)
{
    size_t n = 3;
    pid_t child = fork();
    if (child == 0) {
        launch_add(&n);
        exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank != NULL ? rank : getenv("PMI_RANK");
    bool here = argc < 3 || (rank != NULL && strcmp(rank, argv[2]) == 0);
    const char *what = argc > 1 && here ? argv[1] : "";
    size_t n = strcmp(what, "larger") == 0 ? 4 : 3;
    device = weir_device_new("default", NULL);
    if (strcmp(what, "threads") == 0) {
        launch_both();
        return 0;
    }
    launch_follow(strcmp(what, "address") == 0);
    if (strcmp(what, "aborts") == 0) {
        abort();
    } else if (strcmp(what, "ends") == 0) {
        return 3;
    } else if (strcmp(what, "stops") == 0) {
        return 0;
    } else if (strcmp(what, "differs") == 0) {
        step = 2;
    } else if (strcmp(what, "waits") == 0) {
        pause();
    } else if (strcmp(what, "kills") == 0) {
        kill(getppid(), SIGKILL);
    } else if (strcmp(what, "races") == 0) {
        launch_race(n);
        return 0;
    } else if (strcmp(what, "forks") == 0) {
        launch_in_child();
        return 0;
    }
    launch_add(&n);
    return 0;
}
