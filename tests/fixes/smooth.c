/* SPDX-License-Identifier: MIT
 *
 * Each element added to the one before it, by groups that share a tile; the last group
 * has items beyond the end. Then sums of sub-groups. */
#include "program.h"

enum { LOCAL = 32, N = 100, GROUPS = 4 };

typedef struct {
    const uint32_t *in;
    uint32_t *out;
    size_t n;
} smooth_args;

WEIR_KERNEL(smooth, smooth_args)
{
    uint32_t *tile = weir_local_array(item, uint32_t, LOCAL);
    size_t i = weir_global_id(item, 0), l = weir_local_id(item, 0);

    if (i < args->n) {
        tile[l] = args->in[i];
    }
    weir_barrier(item, WEIR_LOCAL); /* filled */
    if (i < args->n) {
        uint32_t here = tile[l];
        uint32_t left = l > 0 ? tile[l - 1] : i > 0 ? args->in[i - 1] : 0;
        args->out[i] = left + here;
    }
}

WEIR_KERNEL(sums, smooth_args)
{
    uint32_t lane = weir_sub_group_local_id(item);
    uint32_t sum = args->in[weir_global_id(item, 0)];
    for (uint32_t k = weir_sub_group_size(item) / 2; k > 0; k /= 2) {
        sum += weir_sub_group_shuffle_xor(item, sum, k); /* lanes */
    }
    uint32_t all = weir_group_reduce_add(item, lane == 0 ? sum : 0); /* groups */
    if (weir_local_id(item, 0) == 0) {
        args->out[weir_group_id(item, 0)] = all;
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, N, "in");
    uint32_t *out = weir_new(device, uint32_t, N, "out");
    uint32_t *total = weir_new(device, uint32_t, GROUPS, "total");
    for (uint32_t i = 0; i < N; i++) {
        in[i] = i;
    }
    LAUNCH(device, smooth, weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
           &(smooth_args){ in, out, N });
    bool right = true;
    for (uint32_t i = 0; i < N; i++) {
        right = right && out[i] == (i > 0 ? 2 * i - 1 : 0);
    }
    LAUNCH(device, sums, weir_nd_range_1d((GROUPS - 1) * LOCAL, LOCAL),
           &(smooth_args){ in, total, N });
    for (uint32_t g = 0; g + 1 < GROUPS; g++) {
        right = right && total[g] == g * LOCAL * LOCAL + LOCAL * (LOCAL - 1) / 2;
    }
    return right ? 0 : 1;
}
