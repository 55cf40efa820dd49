/* SPDX-License-Identifier: MIT: items without a number leave before a barrier; see
 * docs/tutorial/03-divergence.md. */
#include <stdio.h>
#include <stdlib.h>
#include <weir-kernel.h>
#include <weir.h>

enum { GROUP = 8 };

typedef struct {
    const int32_t *in; /* n of them */
    int32_t *sums;     /* one a group */
    size_t n;
} sums_args;

WEIR_KERNEL(group_sums, sums_args)
{
    size_t i = weir_global_id(item, 0), lid = weir_local_id(item, 0);
    int32_t *part = weir_local_array(item, int32_t, GROUP);
    if (i >= args->n) {
        return; /* nothing to add */
    }
    part[lid] = args->in[i];
    for (size_t stride = GROUP / 2; stride > 0; stride /= 2) {
        weir_barrier(item, WEIR_LOCAL);
        if (lid < stride) {
            part[lid] += part[lid + stride];
        }
    }
    if (lid == 0) {
        args->sums[weir_group_id(item, 0)] = part[0];
    }
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 32;
    size_t groups = (n + GROUP - 1) / GROUP;
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *in = weir_new(device, int32_t, n, "in");
    int32_t *sums = weir_new(device, int32_t, groups, "sums");
    for (size_t i = 0; i < n; i++) {
        in[i] = 1;
    }
    if (!weir_launch(device, &group_sums, weir_nd_range_1d(groups * GROUP, GROUP),
                     &(sums_args){ in, sums, n }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    for (size_t g = 0; g < groups; g++) {
        printf("group %zu: %d\n", g, sums[g]);
    }
    weir_device_free(device);
    return EXIT_SUCCESS;
}
