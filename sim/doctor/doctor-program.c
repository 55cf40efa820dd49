/* SPDX-License-Identifier: MIT
 *
 * doctor-program.c: the program that `weir doctor` compiles, runs and checks: a kernel
 * that reverses a group's elements, and with an argument the same without its
 * barrier. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int32_t *values;
} reverse_args;

WEIR_KERNEL(reverse, reverse_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *part = weir_local_array(item, int32_t, 8);
    part[i] = args->values[i];
    weir_barrier(item, WEIR_LOCAL);
    args->values[i] = part[7 - i];
}

WEIR_KERNEL(broken, reverse_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *part = weir_local_array(item, int32_t, 8);
    part[i] = args->values[i];
    args->values[i] = part[7 - i];
}

int main(int argc, char **argv)
{
    (void)argv;
    struct weir_device *device = weir_device_new("default", NULL);
    int32_t *values = weir_new(device, int32_t, 8, "values");
    for (int32_t i = 0; i < 8; i++) {
        values[i] = i;
    }
    bool launched
        = weir_launch(device, argc > 1 ? &broken : &reverse, weir_nd_range_1d(8, 8),
                      &(reverse_args){ values }, NULL);
    for (int i = 0; i < 8; i++) {
        printf("%d%s", values[i], i < 7 ? " " : "\n");
    }
    bool right = launched && values[0] == 7 && values[7] == 0;
    weir_device_free(device);
    return right ? 0 : 1;
}
