/* SPDX-License-Identifier: MIT
 *
 * Each item adds up three neighbours, from a tile with an element more on each side. */
#include "program.h"

enum { LOCAL = 16, GROUPS = 2, N = GROUPS * LOCAL };

typedef struct {
    const uint32_t *in;
    uint32_t *out;
} stencil_args;

WEIR_KERNEL(stencil, stencil_args)
{
    uint32_t *tile = weir_local_array(item, uint32_t, LOCAL + 2);
    size_t l = weir_local_id(item, 0), first = weir_group_id(item, 0) * LOCAL;
    for (size_t k = l; k < LOCAL + 2; k += LOCAL) {
        tile[k] = args->in[first + k];
    }
    weir_barrier(item, WEIR_LOCAL); /* filled */
    args->out[first + l] = tile[l] + tile[l + 1] + tile[l + 2];
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, N + 2, "in");
    uint32_t *out = weir_new(device, uint32_t, N, "out");
    for (uint32_t i = 0; i < N + 2; i++) {
        in[i] = i * i;
    }
    LAUNCH(device, stencil, weir_nd_range_1d(N, LOCAL), &(stencil_args){ in, out });
    for (uint32_t i = 0; i < N; i++) {
        if (out[i] != in[i] + in[i + 1] + in[i + 2]) {
            return 1;
        }
    }
    return 0;
}
