/* SPDX-License-Identifier: MIT
 *
 * Even groups reverse their elements; odd ones copy them. */
#include "program.h"

enum { LOCAL = 16, GROUPS = 3 };

typedef struct {
    const uint32_t *in;
    uint32_t *out;
} uniform_args;

WEIR_KERNEL(uniform, uniform_args)
{
    uint32_t *a = weir_local_array(item, uint32_t, LOCAL);
    size_t l = weir_local_id(item, 0), i = weir_global_id(item, 0);
    if (weir_group_id(item, 0) % 2 == 0) {
        a[l] = args->in[i];
        weir_barrier(item, WEIR_LOCAL); /* filled */
        args->out[i] = a[LOCAL - 1 - l];
    } else {
        args->out[i] = args->in[i];
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, GROUPS * LOCAL, "in");
    uint32_t *out = weir_new(device, uint32_t, GROUPS * LOCAL, "out");
    for (uint32_t i = 0; i < GROUPS * LOCAL; i++) {
        in[i] = i;
    }
    LAUNCH(device, uniform, weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
           &(uniform_args){ in, out });
    for (uint32_t i = 0; i < GROUPS * LOCAL; i++) {
        uint32_t first = i / LOCAL * LOCAL;
        if (out[i] != (i / LOCAL % 2 == 0 ? first + LOCAL - 1 - i % LOCAL : i)) {
            return 1;
        }
    }
    return 0;
}
