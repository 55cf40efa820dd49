/* SPDX-License-Identifier: MIT: a barrier in each arm of a branch; see README.md. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    const int32_t *in;
    int32_t *out;
} reverse_args;

WEIR_KERNEL(reverse, reverse_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, 8);
    shared[i] = args->in[i];
    if (i < 5) {
        weir_barrier(item, WEIR_LOCAL);
    } else {
        weir_barrier(item, WEIR_LOCAL);
    }
    args->out[i] = shared[7 - i];
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *in = weir_new(device, int32_t, 8, "in");
    int32_t *out = weir_new(device, int32_t, 8, "out");
    for (int i = 0; i < 8; i++) {
        in[i] = i;
    }
    if (!weir_launch(device, &reverse, weir_nd_range_1d(8, 8),
                     &(reverse_args){ in, out }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    weir_device_free(device);
    return 0;
}
