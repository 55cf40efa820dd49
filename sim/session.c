/* SPDX-License-Identifier: MIT
 *
 * session.c: the front door of the host API. Checks what it is given, turns
 * options into a launch, and gives the report to whoever can read it.
 *
 * Everything wrong here is the caller's and a GError; nothing of a launch that
 * fails has run. */
#include "config.h"

#include "weir-kernel.h"
#include "weir.h"

#include "exec/device.h"
#include "exec/finding.h"
#include "exec/launch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_STACK_BYTES = 64 * 1024 };
enum { LEAST_STACK_BYTES = 16 * 1024 };
enum { MOST_STACK_BYTES = 1024 * 1024 * 1024 };
/* Chunks a worker gets when they are shared out evenly: enough that the last
 * one to finish keeps the others waiting for a hundredth of the launch. */
enum { CHUNKS_A_WORKER = 64 };

static G_GNUC_PRINTF(3, 4) bool refuse(GError **error, enum weir_error code,
                                       const char *format, ...)
{
    va_list values;
    va_start(values, format);
    GError *made = g_error_new_valist(WEIR_ERROR, (gint)code, format, values);
    va_end(values);
    g_propagate_error(error, made);
    return false;
}

/* ---- Range --------------------------------------------------------------- */

static bool check_range(const struct weir_device *device,
                        const struct weir_nd_range *range, GError **error)
{
    if (range->dim < 1 || range->dim > 3) {
        return refuse(error, WEIR_ERROR_RANGE, "a range has 1 to 3 dimensions, not %u",
                      range->dim);
    }
    size_t local = 1, global = 1;
    bool empty = false;
    for (uint32_t d = 0; d < range->dim; d++) {
        empty |= range->global[d] == 0;
    }
    for (uint32_t d = 0; d < range->dim; d++) {
        if (range->local[d] == 0) {
            return refuse(error, WEIR_ERROR_RANGE, "local size 0 in dimension %u", d);
        }
        if (range->local[d] > device->max_work_group_size
            || (local *= range->local[d]) > device->max_work_group_size) {
            return refuse(error, WEIR_ERROR_RANGE,
                          "a work-group of %zu x %zu x %zu items is over the limit of "
                          "%" G_GUINT64_FORMAT " of device '%s'",
                          range->local[0], range->dim > 1 ? range->local[1] : 1,
                          range->dim > 2 ? range->local[2] : 1,
                          device->max_work_group_size, device->name);
        }
        if (range->global[d] % range->local[d] != 0) {
            return refuse(
                error, WEIR_ERROR_RANGE,
                "local size %zu does not divide global size %zu in dimension %u",
                range->local[d], range->global[d], d);
        }
        if (!empty && __builtin_mul_overflow(global, range->global[d], &global)) {
            return refuse(error, WEIR_ERROR_RANGE,
                          "a global size of %zu x %zu x %zu items overflows",
                          range->global[0], range->global[1],
                          range->dim > 2 ? range->global[2] : 1);
        }
    }
    return true;
}

static void set_shape(struct weiri_shape *shape, const struct weir_nd_range *range,
                      uint32_t sub_group_size, size_t *n_groups)
{
    *shape = (struct weiri_shape){ .dim = range->dim,
                                   .sub_group_size = sub_group_size,
                                   .sub_group_shift
                                   = (uint32_t)__builtin_ctz(sub_group_size),
                                   .items = 1 };
    *n_groups = 1;
    for (uint32_t d = 0; d < 3; d++) {
        bool used = d < range->dim;
        shape->global[d] = used ? range->global[d] : 1;
        shape->local[d] = used ? range->local[d] : 1;
        shape->groups[d] = shape->global[d] / shape->local[d];
        shape->items *= shape->local[d];
        *n_groups *= shape->groups[d];
    }
}

/* ---- Options ------------------------------------------------------------- */

static bool set_options(struct weiri_launch *launch,
                        const struct weir_launch_options *options, GError **error)
{
    static const struct weir_launch_options defaults = WEIR_LAUNCH_OPTIONS;
    const struct weir_device *device = launch->device;
    options = options == NULL ? &defaults : options;
    if (options->workers > WEIRI_MAX_WORKERS) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "%u workers: give 1 to %d, or 0 for %" G_GUINT64_FORMAT,
                      options->workers, WEIRI_MAX_WORKERS,
                      weir_device_get(device, WEIR_DEVICE_WORKERS));
    }
    uint32_t sub_group = options->sub_group_size;
    if (sub_group != 0
        && (sub_group > 63 || (device->sub_group_sizes >> sub_group & 1) == 0)) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "sub-group size %u is not offered by device '%s'", sub_group,
                      device->name);
    }
    size_t stack
        = options->stack_bytes == 0 ? DEFAULT_STACK_BYTES : options->stack_bytes;
    if (stack < LEAST_STACK_BYTES || stack > MOST_STACK_BYTES) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "a stack of %zu bytes an item: give %d to %d", stack,
                      LEAST_STACK_BYTES, MOST_STACK_BYTES);
    }
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    launch->stack_bytes = (stack + page - 1) / page * page;
    launch->n_workers = options->workers == 0
        ? (uint32_t)weir_device_get(device, WEIR_DEVICE_WORKERS)
        : options->workers;
    launch->shape.sub_group_size
        = sub_group == 0 ? (uint32_t)device->sub_group_size : sub_group;
    return true;
}

/* How many threads, and how the groups are shared out among them. */
static void share_out(struct weiri_launch *launch)
{
    uint64_t most = MAX(1, WEIRI_MAX_RESIDENT_ITEMS / launch->shape.items);
    uint64_t workers = MIN(MIN(launch->n_workers, launch->n_groups), most);
    launch->n_workers = (uint32_t)workers;
    launch->chunk = workers == 1
        ? launch->n_groups
        : CLAMP(launch->n_groups / (workers * CHUNKS_A_WORKER), 1, G_MAXUINT32);
    uint64_t units = MIN(launch->device->compute_units, most);
    launch->n_extra = units > workers ? (uint32_t)(units - workers) : 0;
    launch->extra_left = launch->n_extra;
}

/* ---- Launching ----------------------------------------------------------- */

bool weir_launch_sized_with(struct weir_device *device,
                            const struct weir_kernel *kernel,
                            struct weir_nd_range range, const void *args,
                            size_t args_bytes,
                            const struct weir_launch_options *options,
                            struct weir_report **report, GError **error)
{
    g_return_val_if_fail(device != NULL && kernel != NULL && report != NULL, false);
    g_return_val_if_fail(error == NULL || *error == NULL, false);
    struct weiri_launch launch
        = { .kernel = kernel, .device = device, .entry = kernel->fast };
    if (weiri_self.worker != NULL) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "kernel '%s' launched from inside a kernel: launch from the host",
                      kernel->name);
    }
    if (args == NULL || args_bytes != kernel->args_bytes) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "kernel '%s' takes arguments of %zu bytes, not %zu", kernel->name,
                      kernel->args_bytes, args == NULL ? 0 : args_bytes);
    }
    if (!check_range(device, &range, error) || !set_options(&launch, options, error)) {
        return false;
    }
    set_shape(&launch.shape, &range, launch.shape.sub_group_size, &launch.n_groups);
    launch.report = weiri_report_new();
    bool done = true;
    if (launch.n_groups > 0) {
        g_autofree void *copy = g_memdup2(args, args_bytes);
        launch.args = copy;
        share_out(&launch);
        done = weiri_launch_run(&launch, error);
    }
    if (!done) {
        weir_report_free(launch.report);
        return false;
    }
    weiri_report_close(launch.report);
    *report = launch.report;
    return true;
}

bool weir_launch_sized(struct weir_device *device, const struct weir_kernel *kernel,
                       struct weir_nd_range range, const void *args, size_t args_bytes,
                       GError **error)
{
    struct weir_report *report = NULL;
    if (!weir_launch_sized_with(device, kernel, range, args, args_bytes, NULL, &report,
                                error)) {
        return false;
    }
    size_t n = weir_report_n_findings(report);
    if (n > 0) {
        g_autofree char *text = weir_report_to_text(report);
        fputs(text, stderr);
        refuse(error, WEIR_ERROR_FINDINGS, "%zu finding%s in kernel '%s'", n,
               n == 1 ? "" : "s", kernel->name);
    }
    weir_report_free(report);
    return n == 0;
}
