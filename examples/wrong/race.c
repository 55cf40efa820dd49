/* SPDX-License-Identifier: MIT: a sum that lacks its barrier; see README.md. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    const int32_t *in;
    int32_t *sums; /* one a group */
} sums_args;

WEIR_KERNEL(group_sums, sums_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *part = weir_local_array(item, int32_t, 8);
    part[i] = args->in[weir_global_id(item, 0)];
    weir_barrier(item, WEIR_LOCAL);
    for (size_t stride = 4; stride > 0; stride /= 2) {
        if (i < stride) {
            part[i] += part[i + stride];
        }
    }
    if (i == 0) {
        args->sums[weir_group_id(item, 0)] = part[0];
    }
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *in = weir_new(device, int32_t, 32, "in");
    int32_t *sums = weir_new(device, int32_t, 4, "sums");
    for (int i = 0; i < 32; i++) {
        in[i] = 1;
    }
    if (!weir_launch(device, &group_sums, weir_nd_range_1d(32, 8),
                     &(sums_args){ in, sums }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
    weir_device_free(device);
    return 0;
}
