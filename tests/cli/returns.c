/* SPDX-License-Identifier: MIT
 *
 * returns.c: items that return before a barrier, in an `if` of two conditions and in a
 * loop. compilers.sh reads at which lines a check must report that. With "right" as the
 * second argument no item does. */
#include <string.h>

#include <weir-kernel.h>
#include <weir.h>

enum { BY = 4, BX = 8, NY = 11, NX = 21, TASKS = 10 };

typedef struct {
    int32_t *out;
    uint32_t *next;
    size_t ny, nx;
    bool right;
} return_args;

WEIR_KERNEL(in_an_if, return_args)
{
    int32_t *tile = weir_local_array(item, int32_t, BX * BY);
    size_t ly = weir_local_id(item, 0), lx = weir_local_id(item, 1);
    size_t y = weir_global_id(item, 0), x = weir_global_id(item, 1);
    if (y >= args->ny || x >= args->nx) /* leaves the if */
        return;                         /* leaves the if */
    tile[ly * BX + lx] = (int32_t)x;
    weir_barrier(item, WEIR_LOCAL);
    if (y < NY && x < NX) {
        args->out[y * NX + x] = tile[ly * BX + (lx > 0 ? lx - 1 : 0)];
    }
}

WEIR_KERNEL(in_a_loop, return_args)
{
    uint32_t *task = weir_local_array(item, uint32_t, 1);
    size_t first = weir_local_id(item, 1) + BX * weir_local_id(item, 0);
    for (;;) {
        if (first == 0) {
            uint32_t taken = weir_atomic_fetch_add_explicit(
                args->next, 1, memory_order_relaxed, memory_scope_device);
            if (taken >= TASKS && !args->right) /* leaves the loop */
                return;                         /* leaves the loop */
            *task = taken;
        }
        weir_barrier(item, WEIR_LOCAL);
        uint32_t mine = *task;
        weir_barrier(item, WEIR_LOCAL);
        if (mine >= TASKS) {
            break;
        }
        if (first == 0) {
            args->out[mine] = (int32_t)mine;
        }
    }
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int32_t *out = weir_new(device, int32_t, NY * NX, "out");
    uint32_t *next = weir_new(device, uint32_t, 1, "next");
    bool right = argc > 2, loop = argc > 1 && strcmp(argv[1], "loop") == 0;
    return_args args
        = { out, next, right ? SIZE_MAX : NY, right ? SIZE_MAX : NX, right };
    *next = 0;
    bool launched = weir_launch(device, loop ? &in_a_loop : &in_an_if,
                                weir_nd_range_2d(12, 24, BY, BX), &args, NULL);
    weir_device_free(device);
    return launched ? 0 : 1;
}
