/* SPDX-License-Identifier: MIT: a host in C. Its exit status judges the answer, which
 * weir check asks of a fix. */
#include "sums.h"

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
    int32_t *out = weir_new(device, int32_t, N / GROUP, "sums");
    for (int i = 0; i < N; i++) {
        in[i] = i;
    }
    if (!weir_launch(device, &sums, weir_nd_range_1d(N, GROUP), &(sums_args){ in, out },
                     &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int wrong = 0;
    for (int g = 0; g < N / GROUP; g++) {
        wrong += out[g] != GROUP * GROUP * g + GROUP * (GROUP - 1) / 2;
    }
    printf("%d of %d sums are wrong\n", wrong, N / GROUP);
    weir_device_free(device);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
