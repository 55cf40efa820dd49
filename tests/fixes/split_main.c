/* SPDX-License-Identifier: MIT
 *
 * Launches the kernel of split_kernel.c. */
#include "split.h"

#include <weir.h>

extern const struct weir_kernel split;

int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    uint32_t *in = weir_new(device, uint32_t, LOCAL, "in");
    uint32_t *out = weir_new(device, uint32_t, LOCAL, "out");
    uint32_t *n = weir_new(device, uint32_t, 1, "n");
    *n = 0; /* none */
    for (uint32_t i = 0; i < LOCAL; i++) {
        in[i] = i;
    }
    split_args args = { in, out, n };
    if (!weir_launch(device, &split, weir_nd_range_1d(LOCAL, LOCAL), &args, NULL)) {
        return 1;
    }
    for (uint32_t i = 0; i < LOCAL; i++) {
        if (out[i] != LOCAL - 1 - i) {
            return 1;
        }
    }
    return *n != LOCAL;
}
