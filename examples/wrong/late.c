/* SPDX-License-Identifier: MIT: the second arm writes after its barrier; see
 * docs/tutorial/03-divergence.md, which has what a GPU made of it. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

enum { ITEMS = 64, CUT = 32 };

typedef struct {
    int32_t *out; /* one an item */
} late_args;

WEIR_KERNEL(late, late_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, ITEMS);
    shared[i] = -1;
    weir_barrier(item, WEIR_LOCAL);
    if (i < CUT) {
        shared[i] = (int32_t)i;
        weir_barrier(item, WEIR_LOCAL);
    } else {
        weir_barrier(item, WEIR_LOCAL);
        shared[i] = (int32_t)i;
    }
    args->out[i] = shared[ITEMS - 1 - i];
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    if (!weir_launch(device, &late, weir_nd_range_1d(ITEMS, ITEMS), &(late_args){ out },
                     &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    int wrong = 0;
    for (int i = 0; i < ITEMS; i++) {
        wrong += out[i] != ITEMS - 1 - i;
    }
    printf("%d of %d values are wrong\n", wrong, ITEMS);
    weir_device_free(device);
    return 0;
}
