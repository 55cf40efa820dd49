/* SPDX-License-Identifier: MIT
 *
 * explore-run.c: see explore-run.h. A built-in kernel is run in this process, with the
 * explorer as a launch option, and a program in a child that finds the options in its
 * environment. Both give the same records. Under mpirun rank 0 announces each run, and
 * the other ranks make it too and share its executions. */
#include "config.h"

#include "engine/explore-run.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "engine/explore-ranks.h"
#include "show/record-read.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- A built-in kernel ----------------------------------------------------------- */

/* The data that its post-condition compares. */
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

/* Turns the reports into records, the form in which a program's reports come. */
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
    weir_device_poison(device, true);
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

/* ---- A run ----------------------------------------------------------------------- */

/* Whether the run is not in this process alone, so that all ranks can have a part in
 * it. */
static bool is_shared(const struct weiri_cli_exploring *exploring)
{
    const struct weir_launch_options *options = &exploring->options;
    return options->resident == 0 && options->forwards == 0 && options->samples == 0
        && !options->bounded && !options->symmetry && !options->litmus
        && options->play == NULL;
}

/* Sends other ranks the facts of a run that are not in the command line. */
static bool begin(const struct weiri_cli_exploring *exploring)
{
    const char *order = exploring->options.order;
    g_autofree char *request
        = g_strdup_printf("%" PRIu64 " %d %s", weiri_cli_left_ms(&exploring->limit),
                          exploring->options.until_wrong, order != NULL ? order : "");
    return is_shared(exploring) && weiri_cli_explore_ranks_begin(request);
}

static GPtrArray *run_kernel(struct weiri_cli_exploring *exploring, GError **error)
{
    struct weiri_cli_explored_row explored = { .row = exploring->subject.row,
                                               .device = exploring->device,
                                               .input = exploring->input,
                                               .n = exploring->n,
                                               .local = exploring->local,
                                               .options = exploring->options };
    GPtrArray *records = weiri_cli_explore_row(&explored, error);
    exploring->n = explored.n;
    exploring->local = explored.local;
    return records;
}

/* @shared: with other ranks */
static struct weiri_cli_run_result *run_program(
    const struct weiri_cli_exploring *exploring, bool shared)
{
    const struct weir_launch_options *options = &exploring->options;
    struct weiri_cli_check check = { .options = { .launch = *options,
                                                  .order = (char *)options->order,
                                                  .explore = (char *)options->explore,
                                                  .play = (char *)options->play,
                                                  .device = (char *)exploring->device },
                                     .limit = exploring->limit,
                                     .json = exploring->json };
    struct weiri_cli_run_options how
        = { .schedule = "in-order", .seed = exploring->options.seed };
    const char *folder = shared ? weiri_cli_folder(NULL) : NULL;
    g_autofree char *ranks
        = folder != NULL ? weiri_cli_explore_ranks_listen(folder) : NULL;
    how.ranks = ranks;
    how.meanwhile = ranks != NULL ? weiri_cli_explore_ranks_relay : NULL;
    return weiri_cli_run_once(&check, &exploring->subject, &how);
}

GPtrArray *weiri_cli_explore_kernel(struct weiri_cli_exploring *exploring,
                                    GError **error)
{
    bool shared = begin(exploring);
    GPtrArray *records = run_kernel(exploring, error);
    if (shared) {
        weiri_cli_explore_ranks_end();
    }
    return records;
}

struct weiri_cli_run_result *weiri_cli_explore_program(
    const struct weiri_cli_exploring *exploring)
{
    bool shared = begin(exploring);
    struct weiri_cli_run_result *run = run_program(exploring, shared);
    if (shared) {
        weiri_cli_explore_ranks_end();
    }
    return run;
}

/* ---- Again ----------------------------------------------------------------------- */

static struct weiri_cli_exploring again_in(const struct weiri_cli_exploring *exploring,
                                           double seconds)
{
    struct weiri_cli_exploring again = *exploring;
    again.options.until_wrong = true;
    again.limit = (struct weiri_cli_limit){
        seconds, weiri_cli_clock_us() + (int64_t)(seconds * G_USEC_PER_SEC)
    };
    again.options.time_limit_ms = weiri_cli_left_ms(&again.limit);
    return again;
}

/* @strictly: nothing where the program fails by itself. Takes the run */
static GPtrArray *records_of_run(struct weiri_cli_run_result *run, bool strictly)
{
    bool good = run->error == NULL && (run->failure == NULL || !strictly);
    GPtrArray *records = good ? g_ptr_array_ref(run->launches) : NULL;
    weiri_cli_run_unref(run);
    return records;
}

GPtrArray *weiri_cli_explore_again(void *exploring, const char *order, double seconds)
{
    struct weiri_cli_exploring again = again_in(exploring, seconds);
    const char *own = again.options.order;
    g_autofree char *both
        = own != NULL ? g_strdup_printf("%s,%s", own, order) : g_strdup(order);
    again.options.order = both;
    return again.subject.program == NULL
        ? weiri_cli_explore_kernel(&again, NULL)
        : records_of_run(weiri_cli_explore_program(&again), false);
}

GPtrArray *weiri_cli_explore_changed(void *exploring, char *const *program,
                                     double seconds)
{
    struct weiri_cli_exploring again = again_in(exploring, seconds);
    again.subject = (struct weiri_cli_subject){ .program = program };
    return records_of_run(run_program(&again, false), true);
}

/* ---- Other ranks ----------------------------------------------------------------- */

/* Has a part in a run of rank 0. */
static void serve_run(const struct weiri_cli_exploring *exploring, const char *request)
{
    uint64_t left_ms = 0;
    int until_wrong = 0, order = 0;
    sscanf(request, "%" SCNu64 " %d %n", &left_ms, &until_wrong, &order);
    struct weiri_cli_exploring part = again_in(exploring, (double)left_ms / 1000);
    part.options.until_wrong = until_wrong != 0;
    part.options.order = request[order] != '\0' ? request + order : NULL;
    if (part.subject.program == NULL) {
        g_clear_pointer(&(GPtrArray *){ run_kernel(&part, NULL) }, g_ptr_array_unref);
    } else {
        weiri_cli_run_unref(run_program(&part, true));
    }
    weiri_cli_explore_ranks_end();
}

bool weiri_cli_explore_serve(const struct weiri_cli_exploring *exploring)
{
    char *request;
    while ((request = weiri_cli_explore_ranks_await()) != NULL) {
        serve_run(exploring, request);
        g_free(request);
    }
    return !weiri_cli_explore_ranks_is_first();
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
