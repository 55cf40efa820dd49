/* SPDX-License-Identifier: MIT
 *
 * odd.c: a kernel with structures of other sizes than 1, 2, 4, 8 and 16 bytes, which
 * calls take and return in registers, and bit-fields of three bytes. With an even
 * argument item 1 reads what item 0 writes, with an odd one what it has written
 * itself. */
#include <stdlib.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    unsigned char rgb[3];
} three;
typedef struct {
    int16_t at[3];
} six;
typedef struct {
    int8_t at[11];
} eleven;
typedef struct {
    unsigned low : 20, high : 4;
} bits;

typedef struct {
    void *memory;
    int32_t *out;
    int which;
} odd_args;

/* gcc passes a structure without a hook. */
#ifdef __clang__
#define TAKE(type, one) take_##type(*(one))
#else
#define TAKE(type, one) take_##type##_at(one)
#endif

#define FUNCTIONS(type, member)                                                        \
    static __attribute__((noinline)) type make_##type(int value)                       \
    {                                                                                  \
        type made = { 0 };                                                             \
        made.member = (unsigned char)value;                                            \
        return made;                                                                   \
    }                                                                                  \
    __attribute__((noinline, unused)) static int32_t take_##type(type taken)           \
    {                                                                                  \
        return taken.member;                                                           \
    }                                                                                  \
    __attribute__((noinline, unused)) static int32_t take_##type##_at(type *taken)     \
    {                                                                                  \
        return taken->member;                                                          \
    }
FUNCTIONS(three, rgb[1])
FUNCTIONS(six, at[1])
FUNCTIONS(eleven, at[9])
FUNCTIONS(bits, low)

#define TOUCH(type)                                                                    \
    do {                                                                               \
        type *one = (type *)args->memory + (own ? me : 0);                             \
        if (me == 0 || own) {                                                          \
            type made = make_##type(args->which);                                      \
            *one = made;                                                               \
        }                                                                              \
        if (me == 1) {                                                                 \
            args->out[0] = TAKE(type, one);                                            \
        }                                                                              \
    } while (0)

WEIR_KERNEL(odd, odd_args)
{
    size_t me = weir_local_id(item, 0);
    bool own = args->which % 2 == 1;
    switch (args->which / 2) {
    case 0:
        TOUCH(three);
        break;
    case 1:
        TOUCH(six);
        break;
    case 2:
        TOUCH(eleven);
        break;
    default: {
        bits *one = (bits *)args->memory + (own ? me : 0);
        if (me == 0 || own) {
            one->low = (unsigned)args->which;
        }
        if (me == 1) {
            args->out[0] = TAKE(bits, one) + (int32_t)make_bits(1).low;
        }
        break;
    }
    }
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    odd_args args
        = { weir_new(device, eleven, 4, "memory"), weir_new(device, int32_t, 1, "out"),
            argc > 1 ? atoi(argv[1]) : 0 };
    for (size_t i = 0; i < 4 * sizeof(eleven); i++) {
        ((char *)args.memory)[i] = 0;
    }
    bool done = weir_launch(device, &odd, weir_nd_range_1d(2, 2), &args, NULL);
    int32_t wanted = args.which < 6 ? args.which : args.which + 1;
    done = done && (args.which % 2 == 0 || args.out[0] == wanted);
    weir_device_free(device);
    return !done;
}
