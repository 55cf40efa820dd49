/* SPDX-License-Identifier: MIT
 *
 * parts.c: assignments to elements of vectors, which are memory of their own. With an
 * even argument two items access one element, with an odd one neighbours. With the
 * argument "fast", the neighbours of elements that a kernel assigns to are memory that
 * cannot be written. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <weir-kernel.h>
#include <weir.h>

typedef int vector2 __attribute__((ext_vector_type(2)));
typedef int vector4 __attribute__((ext_vector_type(4)));
typedef int unaligned4 __attribute__((ext_vector_type(4), aligned(4)));

typedef struct {
    vector4 *memory;
    int which;
} parts_args;

/* @first, @second: what two items do */
#define BOTH(first, second)                                                            \
    do {                                                                               \
        if (me == 0) {                                                                 \
            first;                                                                     \
        } else {                                                                       \
            second;                                                                    \
        }                                                                              \
    } while (0)

WEIR_KERNEL(parts, parts_args)
{
    size_t me = weir_local_id(item, 0);
    size_t place = args->which % 2 == 1 ? me : 0;
    vector4 *all = args->memory;
    vector4 *local = weir_local_array(item, vector4, 1);
    switch (args->which) {
    case 0:
    case 1:
        all[0][place] = (int)me;
        break;
    case 2:
    case 3:
        BOTH(local->xy = ((vector2){ 1, 2 }), (*local)[2 * place + 1] = 3);
        break;
    case 4:
        BOTH(all->x += all->y, all->y = 4);
        break;
    case 5:
        BOTH(all->x += all->z, all->y += all->w);
        break;
    case 6:
        BOTH(all->xz = ((vector2){ 1, 2 }), all->zw = ((vector2){ 3, 4 }));
        break;
    default:
        BOTH(all->xz = ((vector2){ 1, 2 }), all->wy = ((vector2){ 3, 4 }));
        break;
    }
}

typedef struct {
    unaligned4 *memory;
} fast_args;

WEIR_KERNEL(fast, fast_args)
{
    args->memory->xy = (vector2){ 1, 2 };
}

WEIR_KERNEL(waits, fast_args)
{
    args->memory->yx = (vector2){ 1, 2 };
    weir_barrier(item, WEIR_GLOBAL);
    args->memory->xy = (vector2){ 1, 2 };
}

static bool run_fast(struct weir_device *device)
{
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + bytes, bytes, PROT_READ) != 0) {
        return false;
    }
    fast_args args = { (unaligned4 *)(pages + bytes - sizeof(unaligned4) / 2) };
    return weir_launch(device, &fast, weir_nd_range_1d(1, 1), &args, NULL)
        && weir_launch(device, &waits, weir_nd_range_1d(8, 8), &args, NULL);
}

int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    parts_args args
        = { weir_new(device, vector4, 1, "memory"), argc > 1 ? atoi(argv[1]) : 0 };
    memset(args.memory, 0, sizeof(*args.memory));
    bool done = argc > 1 && strcmp(argv[1], "fast") == 0
        ? run_fast(device)
        : weir_launch(device, &parts, weir_nd_range_1d(2, 2), &args, NULL);
    weir_device_free(device);
    return !done;
}
