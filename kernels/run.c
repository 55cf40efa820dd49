/* SPDX-License-Identifier: MIT
 *
 * run.c: one run of one row. The common work of all rows is done here once:
 * choosing and checking the local size, zeroing the answer, launching, keeping
 * reports.
 *
 * Invariants: a row's run() sees a local size from 1 to the device's limit that
 * satisfies the row's needs. */
#include "kernels.h"

#include <string.h>

static size_t power_of_two_up_to(size_t n)
{
    size_t power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

/* The nearest local size, from @wanted up if the limit allows, that the row can
 * have; 0 where there is none. */
static size_t suitable_local(const struct kernel_row *row, size_t wanted, size_t limit)
{
    size_t local = MIN(wanted, limit);
    if (row->power_of_two) {
        size_t below = power_of_two_up_to(local);
        return below < local && below <= limit / 2 ? below * 2 : below;
    }
    if (row->even && local % 2 != 0) {
        return local < limit ? local + 1 : local - 1;
    }
    return local;
}

static bool check_local(const struct kernel_row *row, struct kernel_job *job,
                        GError **error)
{
    size_t limit = weir_device_get(job->device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    size_t largest = suitable_local(row, limit, limit);
    if (largest == 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RANGE,
                    "kernel %s needs an even local size and the device's limit is %zu: "
                    "choose another device",
                    row->name, limit);
        return false;
    }
    if (job->local == 0) {
        job->local = suitable_local(row, row->local != 0 ? row->local : limit, limit);
    }
    if (job->local > limit) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RANGE,
                    "local size %zu of kernel %s is over the device's limit of %zu: "
                    "give --local %zu",
                    job->local, row->name, limit, largest);
        return false;
    }
    size_t suitable = suitable_local(row, job->local, limit);
    if (suitable != job->local) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RANGE,
                    "kernel %s needs %s; %zu is not: give --local %zu", row->name,
                    row->even ? "an even local size"
                              : "a local size that is a power of two",
                    job->local, suitable);
        return false;
    }
    return true;
}

static void free_report(void *report)
{
    weir_report_free(report);
}

bool kernel_launch_sized(struct kernel_job *job, const struct weir_kernel *kernel,
                         struct weir_nd_range range, const void *args,
                         size_t args_bytes, GError **error)
{
    struct weir_report *report = NULL;
    if (!weir_launch_sized_with(job->device, kernel, range, args, args_bytes,
                                job->options, &report, error)) {
        return false;
    }
    if (job->reports->len == 0) {
        job->groups = range.global[0] / range.local[0];
    }
    job->instrumented = job->instrumented && kernel->checked != NULL;
    g_ptr_array_add(job->reports, report);
    return true;
}

void kernel_job_clear(struct kernel_job *job)
{
    g_clear_pointer(&job->reports, g_ptr_array_unref);
}

bool kernel_run(const struct kernel_row *row, struct kernel_job *job, GError **error)
{
    g_return_val_if_fail(row != NULL && job != NULL && job->device != NULL, false);
    g_return_val_if_fail(job->in != NULL && job->out != NULL, false);
    if (!check_local(row, job, error)) {
        return false;
    }
    kernel_job_clear(job);
    job->reports = g_ptr_array_new_with_free_func(free_report);
    job->groups = 0;
    job->instrumented = true;
    memset(job->out, 0, kernel_output_count(row) * sizeof(uint32_t));
    return row->run(job, error);
}
