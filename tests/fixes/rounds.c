/* SPDX-License-Identifier: MIT
 *
 * In each round one item gives its number to all of its group. */
#include "program.h"

enum { LOCAL = 8 };

typedef struct {
    uint32_t *out;
} rounds_args;

WEIR_KERNEL(rounds, rounds_args)
{
    uint32_t *given = weir_local_array(item, uint32_t, 1);
    size_t l = weir_local_id(item, 0);
    uint32_t sum = 0;
    for (size_t k = 0; k < LOCAL; k++) {
        if (l == k) {
            *given = sum + 1;
        }
        weir_barrier(item, WEIR_LOCAL); /* given */
        sum += *given;
        weir_barrier(item, WEIR_LOCAL); /* taken */
    }
    args->out[l] = sum;
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *out = weir_new(device, uint32_t, LOCAL, "out");
    LAUNCH(device, rounds, weir_nd_range_1d(LOCAL, LOCAL), &(rounds_args){ out });
    for (uint32_t i = 0; i < LOCAL; i++) {
        if (out[i] != 255) {
            return 1;
        }
    }
    return 0;
}
