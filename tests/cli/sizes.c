/* SPDX-License-Identifier: MIT
 *
 * sizes.c: a kernel that counts up in a local array and in a buffer. Their sizes, and
 * how far it counts, come from the command that compiles it. sizes.sh reads what a
 * check of it must propose. */
#include <stdio.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int32_t *out;
} size_args;

enum { ITEMS = 4 };

WEIR_KERNEL(counts, size_args)
{
    int32_t *t = weir_local_array(item, int32_t, IN_LOCAL);
    size_t l = weir_local_id(item, 0);
    if (l == 0) {
        for (size_t i = 0; i < N_LOCAL; i++) {
            t[i * STRIDE % MODULUS] = (int32_t)i;
        }
    }
    if (l == ITEMS - 1) {
        for (size_t i = 0; i < N_OUT; i++) {
            args->out[i] = (int32_t)i;
        }
    }
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *out = weir_new(device, int32_t, IN_OUT, "out");
    if (!weir_launch(device, &counts, weir_nd_range_1d(ITEMS, ITEMS),
                     (&(size_args){ out }), &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    return 0;
}
