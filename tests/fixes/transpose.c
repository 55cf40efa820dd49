/* SPDX-License-Identifier: MIT
 *
 * Groups of two dimensions transpose a matrix, a tile each. */
#include "program.h"

enum { TILE = 4, SIDE = 8 };

typedef struct {
    const uint32_t *in;
    uint32_t *out;
} transpose_args;

WEIR_KERNEL(transpose, transpose_args)
{
    uint32_t *tile = weir_local_array(item, uint32_t, TILE * TILE);
    size_t x = weir_local_id(item, 0), y = weir_local_id(item, 1);
    size_t left = weir_group_id(item, 0) * TILE, top = weir_group_id(item, 1) * TILE;
    tile[y * TILE + x] = args->in[(top + y) * SIDE + left + x];
    weir_barrier(item, WEIR_LOCAL); /* filled */
    args->out[(left + y) * SIDE + top + x] = tile[x * TILE + y];
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, SIDE * SIDE, "in");
    uint32_t *out = weir_new(device, uint32_t, SIDE * SIDE, "out");
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        in[i] = i;
    }
    LAUNCH(device, transpose, weir_nd_range_2d(SIDE, SIDE, TILE, TILE),
           &(transpose_args){ in, out });
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        if (out[i] != i % SIDE * SIDE + i / SIDE) {
            return 1;
        }
    }
    return 0;
}
