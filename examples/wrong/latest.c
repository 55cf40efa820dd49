/* SPDX-License-Identifier: MIT: all items write one element, for a progress bar; see
 * docs/tutorial/more-tests.md. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

enum { ITEMS = 32, GROUP = 8 };

typedef struct {
    int32_t *values; /* one an item */
    int32_t *latest; /* an item that was here */
} scale_args;

WEIR_KERNEL(scale, scale_args)
{
    size_t i = weir_global_id(item, 0);
    *args->latest = (int32_t)i;
    args->values[i] *= 3;
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *values = weir_new(device, int32_t, ITEMS, "values");
    int32_t *latest = weir_new(device, int32_t, 1, "latest");
    for (int i = 0; i < ITEMS; i++) {
        values[i] = i;
    }
    *latest = 0;
    if (!weir_launch(device, &scale, weir_nd_range_1d(ITEMS, GROUP),
                     &(scale_args){ values, latest }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    weir_device_free(device);
    return 0;
}
