/* SPDX-License-Identifier: MIT
 *
 * run-one.c: one run of one thing under one schedule. Built-in kernels run in this
 * process and programs as children, and both give the same kind of result: a report
 * of this process goes through the form in which others arrive, so that all findings
 * live as long as the run.
 *
 * Invariant: a run begins from nothing, so that the same options give the same
 * result. */
#include "config.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "cli/processes.h"
#include "engine/check.h"
#include "engine/measure.h"

#include "base/builds.h"
#include "finding/identity.h"
#include "report/options.h"
#include "report/record.h"
#include "show/record-read.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Results --------------------------------------------------------------------- */

static void free_wrong(struct weir_finding *wrong)
{
    if (wrong != NULL) {
        g_free((char *)wrong->message);
        g_free((struct weir_party *)wrong->parties); /* their strings are interned */
        g_free(wrong);
    }
}

static void clear_run(void *data)
{
    struct weiri_cli_run_result *run = data;
    g_free(run->schedule);
    g_ptr_array_unref(run->launches);
    free_wrong(run->wrong);
    g_free(run->incomplete);
    g_free(run->failure);
    g_free(run->said);
    g_clear_error(&run->error);
    weir_schedule_free(run->recorded);
    g_free(run->lost);
}

struct weiri_cli_run_result *weiri_cli_run_new(const char *schedule, uint64_t seed)
{
    struct weiri_cli_run_result *run = g_rc_box_new0(struct weiri_cli_run_result);
    run->schedule = g_strdup(schedule);
    run->seed = seed;
    run->launches = weiri_records_new();
    return run;
}

struct weiri_cli_run_result *weiri_cli_run_ref(struct weiri_cli_run_result *run)
{
    return g_rc_box_acquire(run);
}

void weiri_cli_run_unref(struct weiri_cli_run_result *run)
{
    if (run != NULL) {
        g_rc_box_release_full(run, clear_run);
    }
}

const struct weir_finding *weiri_cli_run_finding(const struct weiri_cli_run_result *run,
                                                 size_t index, size_t *launch)
{
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        *launch = i + 1;
        if (index < record->n_findings) {
            return &record->findings[index];
        }
        index -= record->n_findings;
    }
    return index == 0 ? run->wrong : NULL;
}

size_t weiri_cli_run_n_defects(const struct weiri_cli_run_result *run)
{
    size_t n = run->failure != NULL, launch;
    const struct weir_finding *finding;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        n += !finding->note;
    }
    return n;
}

size_t weiri_cli_run_n_launches(const struct weiri_cli_run_result *run)
{
    size_t n = 0;
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        n += record->error == NULL && !record->aside;
    }
    return n;
}

size_t weiri_cli_run_launch_number(const struct weiri_cli_run_result *run, size_t index,
                                   size_t *n)
{
    *n = run->launches->len;
    while (*n > 0
           && ((const struct weiri_launch_record *)g_ptr_array_index(run->launches,
                                                                     *n - 1))
                  ->aside) {
        --*n;
    }
    return index <= *n ? index : 0;
}

uint64_t weiri_cli_run_most_steps(const struct weiri_cli_run_result *run)
{
    uint64_t most = 0;
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        most = MAX(most, record->n_steps);
    }
    return most;
}

uint64_t weiri_cli_run_n_steps(const struct weiri_cli_run_result *run)
{
    uint64_t n = 0;
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        n += record->n_steps;
    }
    return n;
}

/* Takes over the records of launches. @processes: or NULL */
static void take_records(struct weiri_cli_run_result *run, const char *text,
                         size_t bytes, struct weiri_cli_processes *processes)
{
    g_autoptr(GPtrArray) records = weiri_records_new();
    g_autoptr(GPtrArray) asides = g_ptr_array_new();
    GError *error = NULL;
    if (!weiri_records_read(text, bytes, records, &error)) {
        g_clear_error(&run->error);
        run->error = error;
    }
    for (guint i = 0; i < records->len; i++) {
        struct weiri_launch_record *record = g_ptr_array_index(records, i);
        if (processes != NULL && !record->aside) {
            weiri_cli_processes_add(processes, record);
        }
        if (!record->begins) {
            for (size_t k = 0; k < record->n_findings; k++) {
                /* Records own their parties. */
                const struct weir_finding *finding = &record->findings[k];
                weiri_finding_order_parties(finding,
                                            (struct weir_party *)finding->parties);
            }
            g_ptr_array_add(record->aside ? asides : run->launches, record);
            records->pdata[i] = NULL;
        }
    }
    for (guint i = 0; i < asides->len; i++) {
        g_ptr_array_add(run->launches, g_ptr_array_index(asides, i));
    }
}

bool weiri_cli_run_take_records(struct weiri_cli_run_result *run, const char *text,
                                size_t bytes)
{
    take_records(run, text, bytes, NULL);
    return run->error == NULL;
}

/* Why any launch of the run ended early, or NULL. */
static const char *first_incomplete(const struct weiri_cli_run_result *run)
{
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        if (record->incomplete != NULL) {
            return record->incomplete;
        }
    }
    return NULL;
}

/* ---- A built-in kernel ----------------------------------------------------------- */

/* Whether groups go on after a finding of that kind, so that the answer still means
 * something. */
static bool goes_on(enum weir_finding_kind kind)
{
    switch (kind) {
    case WEIR_FINDING_DATA_RACE:
    case WEIR_FINDING_SCOPE_RACE:
    case WEIR_FINDING_MIXED_ATOMIC:
    case WEIR_FINDING_UNINITIALIZED_READ:
    case WEIR_FINDING_UNSUPPORTED:
    case WEIR_FINDING_API_ERROR:
        return true;
    default:
        return false;
    }
}

/* Whether all of the run took place, so that its answer can be judged. */
static bool ran_whole(const struct weiri_cli_run_result *run)
{
    const struct weir_finding *finding;
    size_t launch;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        if (!finding->note && !goes_on(finding->kind)) {
            return false;
        }
    }
    return first_incomplete(run) == NULL;
}

static struct weir_finding *wrong_result(const struct kernel_row *row,
                                         const struct kernel_verdict *verdict)
{
    g_autofree char *result = kernel_number_to_text(row, verdict->result);
    g_autofree char *expected = kernel_number_to_text(row, verdict->expected);
    g_autofree char *bin = verdict->bin < KERNEL_BINS
        ? g_strdup_printf(" in bin %zu", verdict->bin)
        : g_strdup("");
    g_autofree char *tolerance = verdict->tolerance > 0
        ? g_strdup_printf(", give or take %.3g", verdict->tolerance)
        : g_strdup("");
    struct weir_finding *finding = g_new0(struct weir_finding, 1);
    finding->kind = WEIR_FINDING_WRONG_RESULT;
    finding->kernel = row->name;
    finding->count = 1;
    finding->message = g_strdup_printf(
        "wrong result of kernel '%s'%s: it computed %s, and a plain loop gets %s%s",
        row->name, bin, result, expected, tolerance);
    return finding;
}

static void *new_input(const struct weiri_cli_check *check,
                       const struct kernel_row *row, struct weir_device *device,
                       size_t *n, GError **error)
{
    if (check->input != NULL) {
        return kernel_input_read(row, device, check->input, n, error);
    }
    *n = check->n_elements;
    return weiri_cli_fits_memory(*n, error) ? kernel_input_new(row, device, *n, error)
                                            : NULL;
}

static void take_reports(struct weiri_cli_run_result *run, const struct kernel_row *row,
                         const struct kernel_job *job)
{
    for (guint i = 0; i < job->reports->len; i++) {
        struct weiri_launch_record head = { .kernel = row->name,
                                            .instrumented = job->instrumented,
                                            .schedule = run->schedule,
                                            .seed = run->seed,
                                            .device = weir_device_name(job->device),
                                            .n_items = job->local * job->groups };
        g_autoptr(GString) line
            = weiri_record_of_report(&head, g_ptr_array_index(job->reports, i));
        take_records(run, line->str, line->len, NULL);
    }
}

static void run_job(struct weiri_cli_run_result *run, const struct kernel_row *row,
                    struct kernel_job *job)
{
    if (kernel_run(row, job, &run->error)) {
        run->elements = job->n;
        run->local = job->local;
        run->groups = job->groups;
        take_reports(run, row, job);
        if (ran_whole(run)) {
            g_autofree struct kernel_expected *expected
                = g_new0(struct kernel_expected, 1);
            kernel_expect(row, job->in, job->n, expected);
            struct kernel_verdict verdict = kernel_judge(row, expected, job->out);
            run->wrong = verdict.correct ? NULL : wrong_result(row, &verdict);
        }
    }
    kernel_job_clear(job);
}

static void try_kernel(const struct weiri_cli_check *check,
                       const struct kernel_row *row,
                       const struct weiri_cli_run_options *run_options,
                       struct weiri_cli_run_result *run)
{
    struct weir_launch_options options = weiri_options_launch(&check->options);
    options.schedule = run_options->schedule;
    options.seed = run_options->seed;
    options.replay = run_options->replay;
    options.loosely = run_options->loosely;
    options.record = run->recorded;
    options.list_steps = run_options->list_steps;
    options.trace = run_options->trace;
    options.trace_events = run_options->trace_events;
    options.time_limit_ms = weiri_cli_left_ms(&check->limit);
    options.step_limit
        = run_options->step_limit > 0 ? run_options->step_limit : options.step_limit;
    const char *profile
        = check->options.device != NULL ? check->options.device : "default";
    struct weir_device *device = weir_device_new(profile, &run->error);
    if (device == NULL) {
        return;
    }
    weir_device_poison(device, options.check);
    struct kernel_job job
        = { .device = device, .local = check->local_items, .options = &options };
    void *in = new_input(check, row, device, &job.n, &run->error);
    void *out = in != NULL ? kernel_output_new(row, device, &run->error) : NULL;
    if (out != NULL) {
        job.in = in;
        job.out = out;
        run_job(run, row, &job);
    }
    weir_device_free(device);
}

/* The entry at the head of a schedule that says which process made which launch. */
static const char PROCESSES[] = "processes";

/* ---- A program ------------------------------------------------------------------- */

char *weiri_cli_program_options(const struct weiri_cli_check *check,
                                const struct weiri_cli_run_options *run_options,
                                const char *reports, const char *replay)
{
    bool explores = check->options.explore != NULL;
    struct weiri_options options = check->options;
    options.check_given = options.launch.check = !explores;
    options.schedule = (char *)run_options->schedule;
    options.trace = (char *)run_options->trace;
    options.ranks = explores ? (char *)run_options->ranks : NULL;
    options.reports = (char *)reports;
    options.traced = run_options->record;
    options.replay = run_options->replay != NULL ? (char *)replay : NULL;
    options.deadline_ms = check->limit.deadline_us > 0
        ? (uint64_t)weiri_cli_clock_as_real_us(check->limit.deadline_us) / 1000
        : 0;
    options.idle = run_options->idle;
    options.launch.seed = run_options->seed;
    options.launch.loosely = run_options->replay != NULL && run_options->loosely;
    if (run_options->step_limit > 0) {
        options.launch.step_limit = run_options->step_limit;
    }
    options.launch.list_steps = run_options->list_steps;
    options.launch.trace_events
        = run_options->trace != NULL ? run_options->trace_events : 0;
    options.launch.time_limit_ms = 0; /* the deadline counts */
    return weiri_options_write(&options);
}

/* The last launch that failed: what a program ends for, mostly. */
static const struct weiri_launch_record *last_error(
    const struct weiri_cli_run_result *run)
{
    for (guint i = run->launches->len; i > 0; i--) {
        const struct weiri_launch_record *record
            = g_ptr_array_index(run->launches, i - 1);
        if (record->error != NULL) {
            return record;
        }
    }
    return NULL;
}

/* Where an item has ended its process, by exit(): " inside launch 2, of kernel 'sum'";
 * or, without a report of it, where one ended. NULL where none did. */
static char *inside_text(const struct weiri_cli_run_result *run,
                         const struct weiri_cli_open *open)
{
    if (open != NULL) {
        return g_strdup_printf(" inside launch %zu, of kernel '%s', and the findings "
                               "of that launch are lost",
                               open->number, open->kernel);
    }
    for (guint i = 0; i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        if (record->exits) {
            return g_strdup_printf(" inside launch %u, of kernel '%s'", i + 1,
                                   record->kernel);
        }
    }
    return NULL;
}

/* @inside: where it ended; or NULL */
static char *failure_text(const struct weiri_cli_run_result *run, int status,
                          const char *inside)
{
    g_autofree char *end = WIFSIGNALED(status)
        ? g_strdup_printf("was ended by signal %d (%s)", WTERMSIG(status),
                          g_strsignal(WTERMSIG(status)))
        : g_strdup_printf("ended with status %d", WEXITSTATUS(status));
    const struct weiri_launch_record *record = last_error(run);
    return inside != NULL ? g_strconcat(end, inside, NULL)
        : record != NULL
        ? g_strdup_printf("%s (a launch failed: %s)", end, record->error)
        : g_steal_pointer(&end);
}

/* A launch that parted from its schedule is the command's failure, even if the program
 * ended well. */
static void take_parting(struct weiri_cli_run_result *run)
{
    for (guint i = 0; run->error == NULL && i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        if (record->error != NULL && record->error_code == WEIR_ERROR_SCHEDULE) {
            run->error
                = g_error_new(WEIR_ERROR, WEIR_ERROR_SCHEDULE, "%s", record->error);
        }
    }
}

static void take_end(struct weiri_cli_run_result *run, struct weiri_cli_child *child,
                     const struct weiri_cli_limit *limit,
                     const struct weiri_cli_processes *processes)
{
    const char *incomplete = first_incomplete(run);
    uint64_t own = (uint64_t)child->pid;
    const struct weiri_cli_open *open = weiri_cli_processes_inside(processes, own);
    g_autofree char *inside = inside_text(run, open);
    bool others = child->status == 0 && open != NULL && open->process != own;
    run->n_open = processes->open->len;
    run->overlap = processes->overlap;
    for (guint i = 0; i < processes->made->len; i++) {
        run->elsewhere |= g_array_index(processes->made, uint64_t, i) != own;
    }
    run->said = g_steal_pointer(&child->said);
    if (incomplete != NULL) {
        return;
    }
    if (weiri_cli_interrupted()) {
        run->incomplete = g_strdup("it was interrupted");
    } else if (child->timed_out) {
        run->incomplete = g_strdup_printf(
            "it took longer than the command's own limit of %g second%s",
            limit->seconds, limit->seconds == 1 ? "" : "s");
    } else if (others) {
        run->incomplete
            = g_strdup_printf("a process that it had started ended%s", inside);
    } else if (child->status != 0 || inside != NULL) {
        run->failure = failure_text(run, child->status, inside);
        run->status = child->status;
        run->answers = inside == NULL && last_error(run) == NULL && run->n_open == 0
            && !run->overlap && weiri_cli_run_n_launches(run) > 0;
    }
}

/* Joins the schedules of all launches. */
static void take_schedules(struct weiri_cli_run_result *run,
                           const struct weiri_cli_processes *processes)
{
    for (guint i = 0; i < run->launches->len; i++) {
        weiri_record_take_schedule(g_ptr_array_index(run->launches, i), run->recorded);
    }
    g_autofree char *order = weiri_cli_processes_order(processes);
    weir_schedule_set(run->recorded, PROCESSES, order);
    const struct weiri_cli_open *open = weiri_cli_processes_inside(processes, 0);
    if (processes->overlap) {
        run->lost
            = g_strdup("launches were made at the same time, by several processes "
                       "or threads, and cannot be followed one after another");
    } else if (open != NULL) {
        run->lost = g_strdup_printf("a process ended inside launch %zu, of kernel '%s'",
                                    open->number, open->kernel);
    }
}

/* Whether the launches came in the order in which those did that are followed: launch
 * by launch they fit, but another process's may fit as well. */
static void check_order(struct weiri_cli_run_result *run,
                        const struct weir_schedule *followed,
                        const struct weiri_cli_processes *processes)
{
    g_autofree char *order = weiri_cli_processes_order(processes);
    const char *wanted = weir_schedule_get(followed, PROCESSES);
    if (processes->overlap) {
        g_clear_error(&run->error); /* of which this is the reason */
        run->error = g_error_new(WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                                 "launches were made at the same time, by several "
                                 "processes or threads, and not one after another");
    } else if (run->error == NULL && run->incomplete == NULL
               && g_strcmp0(order, wanted) != 0) {
        run->error
            = g_error_new(WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                          "the launches were made by the processes %s, and by %s when "
                          "they were recorded",
                          order != NULL ? order : "1", wanted != NULL ? wanted : "1");
    }
}

/* An exploration that is late because the machine is busy would lose all that it has
 * found, and it ends long before its limit else. */
static int64_t grace_of(const struct weiri_cli_check *check)
{
    static const double MOST_SECONDS = 2;
    double seconds = MIN(check->limit.seconds / 2, MOST_SECONDS);
    return check->options.explore == NULL ? 0 : (int64_t)(seconds * G_USEC_PER_SEC);
}

/* Makes the file in which a program notes that a report is lost, unless it exists. */
static bool make_lost(const char *path, GError **error)
{
    char blanks[WEIRI_REPORTS_LOST_BYTES];
    memset(blanks, ' ', sizeof blanks);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) {
        return true;
    }
    bool made = fd >= 0 && write(fd, blanks, sizeof blanks) == sizeof blanks;
    if (!made) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE, "cannot write '%s': %s",
                    path, g_strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    return made;
}

/* A report that is lost is the command's failure, even if the program ended well. */
static void take_lost(struct weiri_cli_run_result *run, const char *path)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL) || *g_strstrip(text) == '\0') {
        return;
    }
    g_remove(path); /* the next run makes a new one */
    g_clear_error(&run->error);
    run->error = g_error_new_literal(WEIR_ERROR, WEIR_ERROR_RESOURCE, text);
}

static void try_program(const struct weiri_cli_check *check, char *const *argv,
                        const struct weiri_cli_run_options *run_options,
                        struct weiri_cli_run_result *run)
{
    const char *folder = weiri_cli_folder(&run->error);
    if (folder == NULL) {
        return;
    }
    g_autofree char *reports = g_build_filename(folder, "reports", NULL);
    g_autofree char *builds = g_strconcat(reports, WEIRI_BUILDS, NULL);
    g_autofree char *replay = g_build_filename(folder, "replay", NULL);
    g_autofree char *lost = g_strconcat(reports, WEIRI_REPORTS_LOST, NULL);
    g_autofree char *options
        = weiri_cli_program_options(check, run_options, reports, replay);
    g_remove(reports);
    struct weiri_cli_child child = { .argv = argv,
                                     .options = options,
                                     .shown = run_options->shown,
                                     .error_shown = run_options->error_shown,
                                     .output_to_error = check->json,
                                     .output_file = run_options->output_file,
                                     .same_addresses = run_options->ranks != NULL,
                                     .meanwhile = run_options->meanwhile,
                                     .grace_us = grace_of(check),
                                     .builds = builds,
                                     .deadline_us = check->limit.deadline_us };
    if (!make_lost(lost, &run->error)
        || (run_options->replay != NULL
            && !weir_schedule_save(run_options->replay, replay, &run->error))
        || !(run_options->forked ? weiri_cli_child_run_forked(&child, &run->error)
                                 : weiri_cli_child_run(&child, &run->error))) {
        return;
    }
    bool cut = false;
    struct weiri_cli_processes processes;
    weiri_cli_processes_init(&processes);
    g_autofree char *data = NULL;
    size_t bytes;
    if (g_file_get_contents(reports, &data, &bytes, NULL)) {
        take_records(run, data, bytes, &processes);
    }
    if (child.status != 0 && run->error != NULL) {
        g_clear_error(&run->error); /* a killed process may leave half a record */
        cut = true;
    }
    take_end(run, &child, &check->limit, &processes);
    if (cut && run->incomplete == NULL) {
        run->incomplete
            = g_strdup("the report of a launch was cut short, and later launches are "
                       "not known");
    }
    take_parting(run);
    take_lost(run, lost);
    if (run->recorded != NULL) {
        take_schedules(run, &processes);
    }
    if (run_options->replay != NULL && !run_options->loosely) {
        check_order(run, run_options->replay, &processes);
    }
    weiri_cli_processes_clear(&processes);
}

/* ---- Either ---------------------------------------------------------------------- */

struct weiri_cli_run_result *weiri_cli_run_once(
    const struct weiri_cli_check *check, const struct weiri_cli_subject *subject,
    const struct weiri_cli_run_options *run_options)
{
    struct weiri_cli_run_result *run
        = weiri_cli_run_new(run_options->schedule, run_options->seed);
    run->recorded = run_options->record ? weir_schedule_new() : NULL;
    if (subject->row != NULL) {
        try_kernel(check, subject->row, run_options, run);
    } else {
        try_program(check, subject->program, run_options, run);
    }
    const char *incomplete = first_incomplete(run);
    if (run->incomplete == NULL && incomplete != NULL) {
        run->incomplete = weiri_cli_why_ended(incomplete, &check->limit);
    }
    return run;
}
