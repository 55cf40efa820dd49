/* SPDX-License-Identifier: MIT: launches the kernel over ones. */
#include "shares.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int32_t *in = weir_new(device, int32_t, N, "in");
    int32_t *out = weir_new(device, int32_t, N, "out");
    for (int i = 0; i < N; i++) {
        in[i] = 1;
    }
    if (!weir_launch(device, &shares, weir_nd_range_1d(N, GROUP),
                     &(shares_args){ in, out }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += out[i] != 1000 / GROUP;
    }
    printf("%d of %d shares are wrong\n", wrong, N);
    weir_device_free(device);
    return EXIT_SUCCESS;
}
