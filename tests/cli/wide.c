/* SPDX-License-Identifier: MIT
 *
 * wide.c: a kernel with plain accesses of types that are wider than 16 bytes, or whose
 * size is not a power of two. With an even argument item 1 reads what item 0 writes,
 * with an odd one what it has written itself. */
#include <stdlib.h>

#include <weir-kernel.h>
#include <weir.h>

typedef float vector8 __attribute__((vector_size(32)));
typedef double vector16 __attribute__((vector_size(128)));
typedef struct __attribute__((packed)) {
    unsigned low : 20, high : 4;
} bits;

typedef struct {
    void *memory;
    int32_t *out;
    int which;
} wide_args;

/* @member: what is written and read of an element, or nothing: all of it */
#define TOUCH(type, member, value, result)                                             \
    do {                                                                               \
        type *one = (type *)args->memory + (own ? me : 0);                             \
        if (me == 0 || own) {                                                          \
            (*one) member = value;                                                     \
        }                                                                              \
        if (me == 1) {                                                                 \
            args->out[0] = (int32_t)(result);                                          \
        }                                                                              \
    } while (0)

WEIR_KERNEL(wide, wide_args)
{
    size_t me = weir_local_id(item, 0);
    bool own = args->which % 2 == 1;
    switch (args->which / 2) {
    case 0:
        TOUCH(vector8, , (vector8){ 1 }, (*one)[0]);
        break;
    case 1:
        TOUCH(vector16, , (vector16){ 1 }, (*one)[0]);
        break;
    case 2:
        TOUCH(long double, , 1, *one);
        break;
    default:
        TOUCH(bits, .low, 1, one->low);
        break;
    }
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    wide_args args
        = { weir_new(device, vector16, 4, "memory"),
            weir_new(device, int32_t, 1, "out"), argc > 1 ? atoi(argv[1]) : 0 };
    for (size_t i = 0; i < 4 * sizeof(vector16); i++) {
        ((char *)args.memory)[i] = 0;
    }
    bool done = weir_launch(device, &wide, weir_nd_range_1d(2, 2), &args, NULL);
    weir_device_free(device);
    return !done;
}
