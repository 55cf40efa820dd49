/* SPDX-License-Identifier: MIT
 *
 * check_kernels_checked.c: the checked entry of every built-in kernel, under every kind
 * of schedule, on a device that poisons: its answer is right, its accesses to memory
 * are seen, and nothing is found. In the rows that are broken on purpose the race is
 * found, and no more. */
#include "schedules.h"

#include <kernels/kernels.h>

#include <glib/gstdio.h>

/* Sizes below, at and beyond a group's, and of several groups; local sizes from 1 on,
 * odd and even ones, and 0 for the row's own. */
static const struct shape {
    size_t n;
    size_t local;
} shapes[] = {
    { 1, 1 }, { 2, 0 }, { 5, 2 }, { 37, 6 }, { 64, 16 }, { 100, 7 }, { 300, 64 },
};

static bool may_have_local(const struct kernel_row *row, size_t local)
{
    return !(row->power_of_two && (local & (local - 1)) != 0)
        && !(row->even && local % 2 != 0);
}

/* Whether the schedule stops at plain accesses in all of its launches: they are the
 * checked entries'. */
static bool sees_accesses(const struct weir_schedule *schedule)
{
    GError *error = NULL;
    char *path = NULL, *text = NULL;
    int fd = g_file_open_tmp("weir-check-XXXXXX", &path, &error);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert(weir_schedule_save(schedule, path, &error));
    ck_assert(g_file_get_contents(path, &text, NULL, &error));
    bool sees = strstr(text, "\n  stops: accesses\n") != NULL
        && strstr(text, "\n  stops: operations\n") == NULL;
    g_unlink(path);
    g_free(path);
    g_free(text);
    return sees;
}

/* One run. Returns: findings of races */
static size_t run_checked(struct weir_device *device, const struct kernel_row *row,
                          const struct shape *shape, const struct order *order,
                          struct weir_schedule *record)
{
    GError *error = NULL;
    void *in = kernel_input_new(row, device, shape->n, &error);
    void *out = kernel_output_new(row, device, &error);
    ck_assert(in != NULL && out != NULL);
    struct kernel_job job
        = { .device = device,
            .in = in,
            .out = out,
            .n = shape->n,
            .local = shape->local,
            .options = UNDER(order, .check = true, .record = record) };
    ck_assert_msg(kernel_run(row, &job, &error), "%s: %s", row->name,
                  error != NULL ? error->message : "no error is set");
    size_t races = 0;
    EXPECT(job.instrumented, "%s: a launch of its fast entry", row->name);
    for (guint i = 0; i < job.reports->len; i++) {
        struct weir_report *report = g_ptr_array_index(job.reports, i);
        bool clean = weir_report_incomplete(report) == NULL
            && weir_report_saw_accesses(report)
            && weir_report_group_items(report) == job.local;
        for (size_t k = 0; k < weir_report_n_findings(report); k++) {
            bool race = weir_report_finding(report, k)->kind == WEIR_FINDING_DATA_RACE;
            races += race;
            clean = clean && race && row->broken;
        }
        EXPECT(clean, "weir check %s --n %zu --local %zu, %s:\n%s", row->name, shape->n,
               job.local, order_name(order), weir_report_to_text(report));
    }
    struct kernel_expected expected;
    kernel_expect(row, in, shape->n, &expected);
    EXPECT(row->broken || kernel_judge(row, &expected, out).correct,
           "weir check %s --n %zu --local %zu, %s: the answer is wrong", row->name,
           shape->n, job.local, order_name(order));
    kernel_job_clear(&job);
    weir_free(device, in);
    weir_free(device, out);
    return races;
}

static int count_rows(void)
{
    int n = 0;
    while (kernel_rows[n] != NULL) {
        n++;
    }
    return n;
}

DEVICE_TEST_EACH(every_checked_kernel_is_right_and_clean_under_every_schedule,
                 count_rows())
{
    weir_device_poison(device, true);
    const struct kernel_row *row = kernel_rows[_i];
    size_t races = 0;
    for (size_t s = 0; s < scaled(G_N_ELEMENTS(shapes), 3); s++) {
        for (size_t o = 0; may_have_local(row, shapes[s].local) && o < N_ORDERS; o++) {
            races += run_checked(device, row, &shapes[s], &orders[o], NULL);
        }
    }
    EXPECT(!row->broken || races > 0 || under_valgrind(), "%s: no race is found",
           row->name);
}

DEVICE_TEST_EACH(a_schedule_runs_checked_entries, count_rows())
{
    weir_device_poison(device, true);
    const struct kernel_row *row = kernel_rows[_i];
    g_autoptr(weir_schedule) record = weir_schedule_new();
    run_checked(device, row, &(struct shape){ 40, 8 }, &orders[0], record);
    ck_assert_uint_gt(weir_schedule_n_launches(record), 0);
    ck_assert_msg(sees_accesses(record), "%s: a launch of its fast entry", row->name);
}

MAIN("checked kernels")
