/* SPDX-License-Identifier: MIT
 *
 * gdb.c: kernels for the tests of `weir replay --gdb` and `--steps`. The first argument
 * names a kernel, the second who launches it: this process, or a child after its parent
 * has launched another one. A mark is the line at which gdb is to stop. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int32_t *cells;
} cell_args;

WEIR_KERNEL(good, cell_args)
{
    args->cells[weir_global_id(item, 0)] = 1;
}

/* Two races of the same items: the second is at another line, and in the second
 * round. */
WEIR_KERNEL(races, cell_args)
{
    int32_t *cells = args->cells;
    size_t id = weir_local_id(item, 0);
    for (int round = 0; round < 2; round++) {
        weir_barrier(item, WEIR_GLOBAL);
        if (id == 2) {
            cells[round] = round; /* mark: race writes */
        }
        if (id == 3 && round == 1) {
            cells[3] = cells[1]; /* mark: race reads */
        }
    }
}

WEIR_KERNEL(diverges, cell_args)
{
    size_t id = weir_local_id(item, 0);
    if (id == 1) {
        return;
    }
    args->cells[id] = 1;
    weir_barrier(item, WEIR_GLOBAL); /* mark: divergence */
}

WEIR_KERNEL(spins, cell_args)
{
    int32_t seen = 0;
    while (seen != 7) {
        seen = weir_atomic_load_explicit(/* mark: spin */ args->cells,
                                         memory_order_acquire, memory_scope_device);
    }
}

/* An item that has the lock waits for those that wait for the lock. */
WEIR_KERNEL(locks, cell_args)
{
    int32_t taken = 1;
    while (taken != 0) {
        taken = weir_atomic_exchange_explicit(args->cells, 1, memory_order_acq_rel,
                                              memory_scope_device);
    }
    weir_barrier(item, WEIR_GLOBAL);
    weir_atomic_store_explicit(args->cells, 0, memory_order_release,
                               memory_scope_device);
}

static void beyond(int32_t *cells, size_t i)
{
    cells[i + 100] = 1; /* mark: bounds */
}

WEIR_KERNEL(out_of_bounds, cell_args)
{
    size_t id = weir_local_id(item, 0);
    args->cells[id] = 5;
    if (id == 3) {
        beyond(args->cells, id);
    }
}

WEIR_KERNEL(faults, cell_args)
{
    size_t id = weir_local_id(item, 0);
    if (id == 2) {
        abort(); /* mark: fault */
    }
}

WEIR_KERNEL(unwritten, cell_args)
{
    size_t id = weir_local_id(item, 0);
    int32_t *scratch = weir_local_array(item, int32_t, 4);
    if (scratch[id] > 3) { /* mark: unwritten */
        args->cells[id] = 1;
    }
}

/* Every second item adds 2; the others change the cell if it is 2. */
WEIR_KERNEL(counts, cell_args)
{
    int32_t two = 2;
    if (weir_local_id(item, 0) % 2 == 0) {
        weir_atomic_fetch_add_explicit(args->cells, 2, memory_order_relaxed,
                                       memory_scope_device);
    } else {
        weir_atomic_compare_exchange_strong_explicit(
            args->cells, &two, -5, memory_order_acq_rel, memory_order_relaxed,
            memory_scope_device);
    }
    weir_atomic_fence(memory_order_seq_cst, memory_scope_device);
}

WEIR_KERNEL(two, cell_args)
{
    size_t id = weir_local_id(item, 0);
    args->cells[id / 2] = (int32_t)id;     /* mark: first of two */
    args->cells[4 + id / 2] = (int32_t)id; /* mark: second of two */
}

static struct weir_device *device;
static int32_t *cells;

static int launch(const struct weir_kernel *kernel)
{
    cell_args values = { cells };
    GError *error = NULL;
    for (int i = 0; i < 8; i++) {
        cells[i] = 0;
    }
    return weir_launch_sized(device, kernel, weir_nd_range_1d(4, 4), &values,
                             sizeof(values), &error)
        ? 0
        : 3;
}

static const struct weir_kernel *const kernels[]
    = { &good,   &races,     &diverges, &spins,  &out_of_bounds,
        &faults, &unwritten, &two,      &counts, &locks };

int main(int argc, char **argv)
{
    device = weir_device_new("default", NULL);
    cells = weir_new(device, int32_t, 8, "cells");
    if (argc == 2 && strcmp(argv[1], "status") == 0) {
        return launch(&good) + 4;
    }
    const struct weir_kernel *kernel = &good;
    for (size_t i = 0; i < G_N_ELEMENTS(kernels) && argc > 1; i++) {
        if (strcmp(kernels[i]->name, argv[1]) == 0) {
            kernel = kernels[i];
        }
    }
    if (argc > 2 && strcmp(argv[2], "in a child's") == 0) {
        int failed = launch(&good), status = 0;
        pid_t pid = fork();
        if (pid == 0) {
            exit(launch(kernel));
        }
        waitpid(pid, &status, 0);
        return failed + status + launch(&good);
    }
    return launch(kernel);
}
