/* SPDX-License-Identifier: MIT
 *
 * 01_ids.c: the place of a work-item in a launch.
 *
 * A launch runs one function, the kernel, once for every point of a range. Each
 * run is a work-item, and the items form work-groups of equal size. An item knows
 * only its place in the range, and finds its data by that: here every item writes
 * down its place, in ranges of one, two and three dimensions.
 *
 * The last number of each line is the linear id. It counts along the last
 * dimension first, as the elements of a C array do. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

struct place {
    size_t global[3], group[3], local[3];
    size_t linear;
};

typedef struct {
    struct place *places;
} where_args;

/* A kernel sees two names: `item`, its place, and `args`, the launch's arguments. */
WEIR_KERNEL(where, where_args)
{
    struct place *mine = &args->places[weir_global_linear_id(item)];
    for (uint32_t dim = 0; dim < 3; dim++) {
        mine->global[dim] = weir_global_id(item, dim);
        mine->group[dim] = weir_group_id(item, dim);
        mine->local[dim] = weir_local_id(item, dim);
    }
    mine->linear = weir_global_linear_id(item);
}

static void show(struct weir_device *device, const char *title,
                 struct weir_nd_range range)
{
    GError *error = NULL;
    size_t n = range.global[0] * range.global[1] * range.global[2];
    struct place *places = weir_new(device, struct place, n, "places");

    if (!weir_launch(device, &where, range, &(where_args){ places }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(EXIT_FAILURE);
    }
    printf("%s\n", title);
    for (size_t i = 0; i < n; i++) {
        const struct place *p = &places[i];
        printf("  global (%zu,%zu,%zu) = group (%zu,%zu,%zu), local (%zu,%zu,%zu): "
               "linear %zu\n",
               p->global[0], p->global[1], p->global[2], p->group[0], p->group[1],
               p->group[2], p->local[0], p->local[1], p->local[2], p->linear);
    }
    weir_free(device, places);
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    show(device, "6 items in groups of 3", weir_nd_range_1d(6, 3));
    show(device, "2 x 4 items in groups of 1 x 2", weir_nd_range_2d(2, 4, 1, 2));
    show(device, "2 x 2 x 2 items in groups of 1 x 2 x 2",
         weir_nd_range_3d(2, 2, 2, 1, 2, 2));
    weir_device_free(device);
    return EXIT_SUCCESS;
}
