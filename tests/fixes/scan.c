/* SPDX-License-Identifier: MIT
 *
 * Each group scans its elements, from one half of a local array into the other. */
#include "program.h"

enum { LOCAL = 32 };

typedef struct {
    const uint32_t *in;
    uint32_t *out;
} scan_args;

WEIR_KERNEL(scan, scan_args)
{
    uint32_t *a = weir_local_array(item, uint32_t, 2 * LOCAL);
    size_t l = weir_local_id(item, 0), from = 0, distance = 1;
    a[l] = args->in[l];
    do {
        weir_barrier(item, WEIR_LOCAL); /* round */
        uint32_t left = l >= distance ? a[from + l - distance] : 0;
        a[LOCAL - from + l] = a[from + l] + left;
        from = LOCAL - from;
        distance *= 2;
    } while (distance < LOCAL);
    args->out[l] = a[from + l];
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, LOCAL, "in");
    uint32_t *out = weir_new(device, uint32_t, LOCAL, "out");
    for (uint32_t i = 0; i < LOCAL; i++) {
        in[i] = i + 1;
    }
    LAUNCH(device, scan, weir_nd_range_1d(LOCAL, LOCAL), &(scan_args){ in, out });
    for (uint32_t i = 0, sum = 0; i < LOCAL; i++) {
        sum += i + 1;
        if (out[i] != sum) {
            return 1;
        }
    }
    return 0;
}
