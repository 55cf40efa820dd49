/* SPDX-License-Identifier: MIT
 *
 * launch.c: a launch of OpenCL as one of Weir. Sizes are turned round, since dimension
 * 0 is the fastest in OpenCL and the last in Weir; data that Weir's launches lack, the
 * offset of ids and the sizes that the program gave, go into the head of the arguments,
 * where the builtins find them. */
#include "config.h"

#include "opencl/opencl.h"

#include "opencl/device/print.h"

#include <string.h>

#include <glib.h>

/* The most items of a group that are chosen for a program that leaves it open: enough
 * that items meet, and as many as the smallest devices have. */
enum { CHOSEN_ITEMS = 64 };

/* Chooses sizes that divide the range: in each dimension the largest one that leaves
 * the group no larger than @most. */
static void choose(struct weiri_cl_launch *launch, size_t most)
{
    for (uint32_t dim = 0; dim < launch->work_dim; dim++) {
        size_t size = MAX(MIN(launch->global[dim], most), 1);
        while (launch->global[dim] % size != 0) {
            size--;
        }
        launch->local[dim] = size;
        most /= size;
    }
}

static bool refuse(GError **error, const struct weiri_cl_kernel *kernel,
                   const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool refuse(GError **error, const struct weiri_cl_kernel *kernel,
                   const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *why = g_strdup_vprintf(format, values);
    va_end(values);
    g_set_error(error, WEIR_ERROR, WEIR_ERROR_RANGE, "kernel '%s': %s", kernel->name,
                why);
    g_free(why);
    return false;
}

/* Sets the sizes that are open. */
static bool complete(const struct weir_device *device,
                     const struct weiri_cl_kernel *kernel,
                     struct weiri_cl_launch *launch, GError **error)
{
    uint32_t dims = launch->work_dim;
    if (dims < 1 || dims > 3) {
        return refuse(error, kernel, "%u dimensions: there are 1 to 3", dims);
    }
    for (uint32_t dim = dims; dim < 3; dim++) {
        launch->global[dim] = 1;
        launch->local[dim] = 1;
        launch->offset[dim] = 0;
    }
    if (launch->local[0] == 0 && kernel->required_local[0] != 0) {
        memcpy(launch->local, kernel->required_local, sizeof(launch->local));
    } else if (launch->local[0] == 0) {
        size_t most = weir_device_get(device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
        choose(launch, MIN(most, CHOSEN_ITEMS));
    }
    for (uint32_t dim = 0; dim < 3; dim++) {
        size_t required = kernel->required_local[dim];
        if (required != 0 && launch->local[dim] != required) {
            return refuse(error, kernel,
                          "local size %zu in dimension %u: its attribute "
                          "reqd_work_group_size says %zu",
                          launch->local[dim], dim, required);
        }
        if (launch->local[dim] == 0) {
            return refuse(error, kernel, "local size 0 in dimension %u", dim);
        }
        if (launch->global[dim] % launch->local[dim] != 0 && !kernel->uneven) {
            return refuse(error, kernel,
                          "local size %zu does not divide global size %zu in "
                          "dimension %u, as it must before OpenCL C 2.0 "
                          "(--cl-options -cl-std=CL2.0) and with "
                          "-cl-uniform-work-group-size",
                          launch->local[dim], launch->global[dim], dim);
        }
    }
    return true;
}

bool weiri_cl_range(const struct weir_device *device,
                    const struct weiri_cl_kernel *kernel,
                    struct weiri_cl_launch *launch, struct weir_nd_range *range,
                    GError **error)
{
    if (!complete(device, kernel, launch, error)) {
        return false;
    }
    *range = (struct weir_nd_range){ .dim = launch->work_dim };
    for (uint32_t dim = 0; dim < 3; dim++) {
        range->global[dim] = 1;
        range->local[dim] = 1;
    }
    for (uint32_t dim = 0; dim < launch->work_dim; dim++) {
        range->global[launch->work_dim - 1 - dim] = launch->global[dim];
        range->local[launch->work_dim - 1 - dim] = launch->local[dim];
    }
    return true;
}

bool weiri_cl_launch(struct weir_device *device, const struct weiri_cl_kernel *kernel,
                     const struct weiri_cl_launch *launch, void *args,
                     const struct weir_launch_options *options,
                     struct weir_report **report, GError **error)
{
    struct weiri_cl_launch head = *launch;
    struct weir_nd_range range;
    if (!weiri_cl_range(device, kernel, &head, &range, error)) {
        return false;
    }
    memcpy(args, &head, sizeof(head));
    bool launched = weir_launch_sized_with(device, kernel->kernel, range, args,
                                           kernel->args_bytes, options, report, error);
    weiri_print_flush();
    return launched;
}
