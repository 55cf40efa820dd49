/* SPDX-License-Identifier: MIT
 *
 * explore-run.c: see explore-run.h. */
#include "config.h"

#include "cli/explore-run.h"

#include "report/record-read.h"

/* ---- A built-in kernel ----------------------------------------------------------- */

/* What its post-condition compares. */
struct claim {
    const struct kernel_row *row;
    const struct kernel_job *job;
    struct kernel_expected expected;
    guint n_launches; /* of the row */
};

/* After the last launch the answer in memory is right. */
static bool is_right(const void *args, void *user)
{
    const struct claim *claim = user;
    const struct kernel_job *job = claim->job;
    (void)args;
    return job->reports->len + 1 < claim->n_launches
        || kernel_judge(claim->row, &claim->expected, job->out).correct;
}

/* Runs the row once and counts its launches, in the claim. */
static bool count_launches(struct claim *claim, struct kernel_job job, GError **error)
{
    struct weir_launch_options options
        = { .schedule = "in-order", .sub_group_size = job.options->sub_group_size };
    job.options = &options;
    bool done = kernel_run(claim->row, &job, error);
    claim->n_launches = done ? job.reports->len : 0;
    kernel_job_clear(&job);
    return done;
}

/* The reports in the form in which those of a program come. */
static bool take_reports(const struct kernel_row *row, const GPtrArray *reports,
                         GPtrArray *records, GError **error)
{
    const struct weiri_launch_record head = { .made = true, .kernel = row->name };
    for (guint i = 0; i < reports->len; i++) {
        g_autoptr(GString) line
            = weiri_record_of_report(&head, g_ptr_array_index((GPtrArray *)reports, i));
        if (!weiri_records_read(line->str, line->len, records, error)) {
            return false;
        }
    }
    return true;
}

GPtrArray *weiri_cli_explore_row(struct weiri_cli_explored_row *explored,
                                 GError **error)
{
    const struct kernel_row *row = explored->row;
    struct weir_device *device = weir_device_new(
        explored->device != NULL ? explored->device : "default", error);
    if (device == NULL) {
        return NULL;
    }
    struct claim claim = { .row = row };
    struct weir_launch_options options = explored->options;
    options.post_condition = is_right;
    options.post_condition_user = &claim;
    struct kernel_job job
        = { .device = device, .local = explored->local, .options = &options };
    job.in = explored->input != NULL
        ? kernel_input_read(row, device, explored->input, &explored->n, error)
        : kernel_input_new(row, device, explored->n, error);
    job.n = explored->n;
    job.out = job.in != NULL ? kernel_output_new(row, device, error) : NULL;
    claim.job = &job;
    bool done = job.out != NULL;
    if (done) {
        kernel_expect(row, job.in, job.n, &claim.expected);
        done = count_launches(&claim, job, error) && kernel_run(row, &job, error);
    }
    g_autoptr(GPtrArray) records = weiri_records_new();
    done = done && take_reports(row, job.reports, records, error);
    explored->local = job.local;
    explored->groups = job.groups;
    kernel_job_clear(&job);
    weir_device_free(device);
    return done ? g_steal_pointer(&records) : NULL;
}

/* ---- What explorations come to --------------------------------------------------- */

enum weiri_cli_judgement weiri_cli_judge_explored(
    const struct weiri_launch_record *record)
{
    for (size_t i = 0; i < record->n_findings; i++) {
        if (!record->findings[i].note) {
            return WEIRI_CLI_WRONG;
        }
    }
    const struct weir_exploration *found = record->explorations;
    if (record->n_explorations == 0 || found->refused != NULL) {
        return WEIRI_CLI_UNKNOWN;
    }
    return found->racy + found->negative + found->blocked > 0 ? WEIRI_CLI_WRONG
        : found->complete && found->cut == 0 && record->incomplete == NULL
        ? WEIRI_CLI_PROVED
        : WEIRI_CLI_UNKNOWN;
}

enum weiri_cli_judgement weiri_cli_judge_explored_all(const GPtrArray *records,
                                                      uint64_t *executions)
{
    enum weiri_cli_judgement all
        = records != NULL && records->len > 0 ? WEIRI_CLI_PROVED : WEIRI_CLI_UNKNOWN;
    *executions = 0;
    for (guint i = 0; records != NULL && i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        enum weiri_cli_judgement one = weiri_cli_judge_explored(record);
        all = all == WEIRI_CLI_PROVED || one == WEIRI_CLI_WRONG ? one : all;
        *executions
            += record->n_explorations > 0 ? record->explorations->executions : 0;
    }
    return all;
}

bool weiri_cli_has_one_state(const GPtrArray *records)
{
    bool one = true;
    for (guint i = 0; i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        one = one
            && (record->n_explorations == 0 || record->explorations->n_states < 2);
    }
    return one;
}
