/* SPDX-License-Identifier: MIT
 *
 * host/launch.c: weir_launch() and its variants, which are macros over
 * weir_launch_sized_with().
 *
 *     weir_launch_sized_with()
 *         launch_and_report()     adds the options of WEIR_OPTIONS, and gives the
 *                                 report to `weir check`, which sets that variable;
 *                                 see check-client.h
 *             run_launch()        checks the arguments, and makes a struct weiri_launch
 *                                 of the options: which of the kernel's entries runs,
 *                                 on how many threads, with which observers
 *                 weiri_launch_run()      runs all groups; see exec/launch.c
 *                 weiri_report_close()    sorts findings and looks up their lines
 *
 * Which entry runs: in a fast launch the kernel's stackless one, if it has one and
 * set_split() accepts the launch, else its fast one; in a deterministic launch its
 * checked one if it has one, else its fast one (set_schedule()); and where a recorded
 * schedule is followed, the entry that was recorded (host/plan.c).
 *
 * Wrong arguments and options are errors (GError), and nothing of a launch that is
 * refused runs. */
#include "config.h"

#include "weir-kernel.h"
#include "weir.h"

#include "exec/cluster.h"
#include "exec/device.h"
#include "exec/finding.h"
#include "exec/launch.h"
#include "exec/loops.h"
#include "exec/stall.h"
#include "host/check-client.h"
#include "host/check.h"
#include "host/commands.h"
#include "host/explore.h"
#include "host/plan.h"
#include "report/symbol.h"
#include "report/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stacks of items: the default is ample for a kernel's own frames, and the least leaves
 * room for the machine's. */
enum { DEFAULT_STACK_BYTES = 64 * 1024 };
enum { LEAST_STACK_BYTES = 16 * 1024 };
enum { MOST_STACK_BYTES = 1024 * 1024 * 1024 };
/* Workers take groups in chunks. With this many for each worker, the others wait for
 * the last chunk no longer than about a hundredth of the launch. */
enum { CHUNKS_A_WORKER = 64 };

/* The schedule "pct:D" does not state the number of steps of the launch, as "pct:D:K"
 * does. It is estimated as this many for each item. */
enum { STEPS_AN_ITEM = 8 };

/* A launch that cannot be explored runs, as later ones may need what it writes. One of
 * more groups would run for minutes first. */
enum { MOST_EXPLORED_GROUPS = 1 << 20 };

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

/* Groups of several sizes in one launch are OpenCL's. */
static bool check_range(const struct weir_device *device,
                        const struct weir_nd_range *range, bool may_be_uneven,
                        GError **error)
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
        if (range->global[d] % range->local[d] != 0 && !may_be_uneven) {
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
        shape->nominal[d] = (uint32_t)shape->local[d];
        size_t rest = shape->global[d] % shape->local[d];
        shape->uneven |= rest != 0;
        shape->groups[d] = shape->global[d] / shape->local[d] + (rest != 0);
        shape->items *= shape->local[d];
        *n_groups *= shape->groups[d];
    }
}

/* ---- Launches that make no progress ----------------------------------------- */

/* Prints a line. Places in the code that have the same source line are one place. */
static void print_stalled(const struct weiri_launch *launch,
                          const struct weiri_stall_place *places, size_t n_places)
{
    struct weir_frame frames[WEIRI_STALL_MOST_PLACES];
    struct weiri_stall_place shown[WEIRI_STALL_MOST_PLACES];
    size_t n = 0;
    for (size_t i = 0; i < n_places; i++) {
        struct weir_frame frame = { 0 };
        if (weiri_symbol_frames(places[i].pc, &frame, 1) == 0) {
            frame = (struct weir_frame){ 0 };
        }
        size_t at = 0;
        while (at < n
               && (g_strcmp0(frames[at].file, frame.file) != 0
                   || frames[at].line != frame.line)) {
            at++;
        }
        if (at < n) {
            shown[at].n_groups += places[i].n_groups;
        } else if (n < WEIRI_STALL_MOST_PLACES) {
            frames[n] = frame;
            shown[n++] = places[i];
        }
    }
    g_autoptr(GString) line = g_string_new(NULL);
    g_string_printf(line, "weir: kernel '%s' makes no progress:", launch->kernel->name);
    for (size_t i = 0; i < n; i++) {
        g_string_append(line, i > 0 ? ", and " : " ");
        if (shown[i].item == WEIRI_STALL_SOME_ITEM) {
            g_string_append(line, "an item");
        } else {
            g_string_append_printf(line, "item %zu", shown[i].item);
        }
        g_string_append_printf(line, " of group %zu", shown[i].group);
        g_string_append(
            line, shown[i].n_groups > 1 ? " and items of other groups wait" : " waits");
        if (frames[i].file != NULL) {
            g_string_append_printf(line, " at %s:%u", frames[i].file, frames[i].line);
        }
    }
    fprintf(stderr, "%s; for more: weir check\n", line->str);
}

/* ---- Options ------------------------------------------------------------- */

static bool set_options(struct weiri_launch *launch,
                        const struct weir_launch_options *options, GError **error)
{
    const struct weir_device *device = launch->device;
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
    launch->all_resident = options->all_resident;
    launch->shape.sub_group_size
        = sub_group == 0 ? (uint32_t)device->sub_group_size : sub_group;
    return true;
}

/* How many groups the device holds at once. */
static uint64_t room_for_groups(const struct weiri_launch *launch)
{
    uint64_t most = MAX(1, WEIRI_MAX_RESIDENT_ITEMS / launch->shape.items);
    return MIN(launch->device->compute_units, most);
}

static bool set_clusters(struct weiri_launch *launch,
                         const struct weir_launch_options *options, GError **error)
{
    struct weiri_shape *shape = &launch->shape;
    const uint32_t *asked = options->cluster;
    if (asked[0] == 0 && asked[1] == 0 && asked[2] == 0) {
        return true;
    }
    for (uint32_t dim = 0; dim < 3; dim++) {
        if (asked[dim] == 0 || shape->groups[dim] % asked[dim] != 0) {
            return refuse(error, WEIR_ERROR_RANGE,
                          "clusters of %u x %u x %u groups do not divide a range of "
                          "%zu x %zu x %zu groups: give a size that does",
                          asked[0], asked[1], asked[2], shape->groups[0],
                          shape->groups[1], shape->groups[2]);
        }
        shape->cluster[dim] = asked[dim];
    }
    uint64_t room = room_for_groups(launch);
    if (shape->uneven != 0 || weiri_cluster_size(shape) > room) {
        return refuse(error, WEIR_ERROR_RANGE,
                      "clusters of %u groups: device '%s' holds %" G_GUINT64_FORMAT
                      " groups of %zu items, and all must have as many items: give "
                      "smaller clusters or groups, or another device",
                      weiri_cluster_size(shape), launch->device->name, room,
                      shape->items);
    }
    return options->explore == NULL
        || refuse(error, WEIR_ERROR_ARGUMENT,
                  "a launch with clusters cannot be explored: use weir check");
}

static bool fits_at_once(const struct weiri_launch *launch, GError **error)
{
    uint64_t room = room_for_groups(launch);
    return !launch->all_resident || launch->n_groups <= room
        || refuse(error, WEIR_ERROR_RANGE,
                  "all groups are to be resident at once: there are %zu, and device "
                  "'%s' holds %" G_GUINT64_FORMAT
                  " of %zu items: give fewer or smaller groups, or another device",
                  launch->n_groups, launch->device->name, room, launch->shape.items);
}

/* How many threads, and how the groups are shared out among them. */
static void share_out(struct weiri_launch *launch)
{
    uint64_t most = MAX(1, WEIRI_MAX_RESIDENT_ITEMS / launch->shape.items);
    bool one = launch->all_resident || launch->shape.cluster[0] != 0;
    launch->n_workers = one ? 1 : launch->n_workers;
    uint64_t workers = MIN(MIN(launch->n_workers, launch->n_groups), most);
    launch->n_workers = (uint32_t)workers;
    launch->chunk = workers <= 1
        ? launch->n_groups
        : CLAMP(launch->n_groups / (workers * CHUNKS_A_WORKER), 1, G_MAXUINT32);
    uint64_t units = room_for_groups(launch);
    launch->n_extra = units > workers ? (uint32_t)(units - workers) : 0;
    launch->extra_left = launch->n_extra;
}

/* ---- Schedules ----------------------------------------------------------- */

/* Finds the loops of the source: the items of a sub-group advance together by them. */
static bool set_lockstep(struct weiri_launch *launch, GError **error)
{
    const char *file = launch->kernel->file;
    size_t bytes;
    if (weiri_symbol_text(file, &bytes) == NULL) {
        return refuse(error, WEIR_ERROR_INPUT,
                      "lockstep follows the loops of the source, and the source of "
                      "kernel '%s', %s, is missing",
                      launch->kernel->name, file);
    }
    launch->loops = weiri_loops_new(weiri_symbol_frames, weiri_symbol_text);
    launch->in_step = launch->kernel->language == WEIR_LANGUAGE_CUDA;
    return true;
}

static bool set_schedule(struct weiri_launch *launch,
                         const struct weir_launch_options *options,
                         struct weiri_host_plan *plan, GError **error)
{
    bool asked = options->schedule != NULL || options->replay != NULL
        || options->explore != NULL;
    if (options->exited > WEIR_EXITED_ALIVE_ONLY
        || options->pairing > WEIR_PAIRING_COUNT
        || options->after > WEIR_AFTER_RELEASE) {
        return refuse(
            error, WEIR_ERROR_ARGUMENT,
            "exited %u, pairing %u, after %u: one of these options is not a value of "
            "its enumeration",
            (unsigned)options->exited, (unsigned)options->pairing,
            (unsigned)options->after);
    }
    if (!asked
        && (options->record != NULL || options->step_limit != 0
            || options->pairing != WEIR_PAIRING_SITE
            || options->after != WEIR_AFTER_STOP || options->order != NULL
            || options->lockstep)) {
        return refuse(
            error, WEIR_ERROR_ARGUMENT,
            "the options record, step_limit, pairing, after, order and "
            "lockstep are for deterministic launches: give a schedule, such as "
            "\"in-order\"");
    }
    launch->time_limit_ms = options->time_limit_ms;
    launch->exited = options->exited;
    if (!asked) {
        return true;
    }
    launch->deterministic = true;
    launch->n_workers = 1;
    launch->seed = options->seed;
    launch->step_limit = options->step_limit;
    launch->pairing = options->pairing;
    launch->after = options->after;
    launch->symbols = &weiri_symbols;
    if (launch->kernel->checked != NULL) {
        launch->entry = launch->kernel->checked;
    }
    plan->record = options->record;
    const char *schedule = options->schedule != NULL ? options->schedule : "in-order";
    return options->replay != NULL
        || weiri_schedule_parse(schedule, &launch->schedule, error);
}

/* Takes the kernel's stackless entry for a fast launch, if it has one. Groups of one
 * item wait for nothing; what a restricted device lacks is reported by a kernel's fast
 * and checked entries alone. Items that never wait gain only where they are run at
 * once, in one dimension. */
static void set_split(struct weiri_launch *launch,
                      const struct weir_launch_options *options)
{
    const struct weiri_split *split = launch->kernel->stackless;
    if (split != NULL && !launch->deterministic && !options->stackful
        && !launch->all_resident && launch->shape.cluster[0] == 0
        && launch->shape.items > 1 && weiri_device_unrestricted(launch->device)
        && (launch->shape.dim == 1 || split->waits())) {
        launch->split = split;
        launch->entry = split->entry;
    }
}

/* ---- Checking ------------------------------------------------------------ */

/* Whether the options of a checked launch agree. They take effect in host/check.c. */
static bool agree_on_check(const struct weiri_launch *launch,
                           const struct weir_launch_options *options, GError **error)
{
    if (options->scope_rule > WEIR_SCOPE_RULE_SAME
        || options->spaces > WEIR_SPACES_OPENCL
        || options->same_value > WEIR_SAME_VALUE_NOTE
        || options->race_model > WEIR_RACE_MODEL_PTX) {
        return refuse(
            error, WEIR_ERROR_ARGUMENT,
            "scope_rule %u, spaces %u, same_value %u, race_model %u: one of these "
            "options is not a value of its enumeration",
            (unsigned)options->scope_rule, (unsigned)options->spaces,
            (unsigned)options->same_value, (unsigned)options->race_model);
    }
    if (!options->check
        && (options->scope_rule != WEIR_SCOPE_RULE_MUTUAL
            || options->spaces != WEIR_SPACES_SYCL
            || options->same_value != WEIR_SAME_VALUE_RACE || options->trace != NULL
            || options->race_model != WEIR_RACE_MODEL_LANGUAGE)) {
        return refuse(
            error, WEIR_ERROR_ARGUMENT,
            "the options scope_rule, spaces, same_value, race_model and trace "
            "are for checked launches: set the option check");
    }
    if (options->check && !launch->deterministic) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "a launch is checked in a deterministic schedule only: give one, "
                      "such as \"in-order\"");
    }
    return true;
}

/* ---- Launching ----------------------------------------------------------- */

static const struct weir_launch_options defaults = WEIR_LAUNCH_OPTIONS;

/* The result of a launch. */
struct outcome {
    struct weir_report *report; /* owned */
    bool taken;                 /* `weir check` has the report, and prints it */
    bool exits;                 /* an item has called exit() */
    int status;                 /* its argument */
    char *unseen;               /* of struct weiri_host_check, owned; or NULL */
};

static bool write_timeline(const struct weiri_launch *launch,
                           const struct weiri_timeline *timeline,
                           const struct weir_launch_options *options, GError **error)
{
    const struct weiri_timeline_launch head
        = { .kernel = launch->kernel->name,
            .device = launch->device->name,
            .schedule = options->schedule != NULL ? options->schedule : "in-order",
            .seed = options->seed,
            .instrumented = launch->entry == launch->kernel->checked,
            .report = launch->report };
    return weiri_timeline_append(options->trace, timeline, &head, error);
}

/* Checks the arguments, and runs the launch. Sets @outcome on success. */
static bool run_launch(struct weir_device *device, const struct weir_kernel *kernel,
                       struct weir_nd_range range, const void *args, size_t args_bytes,
                       const struct weir_launch_options *options,
                       struct outcome *outcome, GError **error)
{
    struct weiri_launch launch = { .kernel = kernel,
                                   .device = device,
                                   .entry = kernel->fast,
                                   .stalled = print_stalled };
    struct weiri_host_plan plan = { 0 };
    struct weiri_host_check check; /* of a checked launch; it is large */
    g_autofree char *unseen = NULL;
    struct weiri_timeline *timeline = NULL;
    if (args_bytes == WEIRI_ARGS_UNTYPED) {
        args_bytes = kernel->args_bytes;
    }
    if (args == NULL || args_bytes != kernel->args_bytes) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "kernel '%s' takes arguments of %zu bytes, not %zu", kernel->name,
                      kernel->args_bytes, args == NULL ? 0 : args_bytes);
    }
    if (!check_range(device, &range, kernel->language == WEIR_LANGUAGE_OPENCL, error)
        || !set_options(&launch, options, error)) {
        return false;
    }
    set_shape(&launch.shape, &range, launch.shape.sub_group_size, &launch.n_groups);
    launch.shape.reversed = kernel->language == WEIR_LANGUAGE_OPENCL
        || kernel->language == WEIR_LANGUAGE_CUDA;
    if (options->check && launch.n_groups > UINT32_MAX) {
        return refuse(error, WEIR_ERROR_RANGE,
                      "a range of %zu groups is over the limit of %u of checked "
                      "launches: check a smaller one",
                      launch.n_groups, UINT32_MAX);
    }
    if (options->explore != NULL && launch.n_groups > MOST_EXPLORED_GROUPS) {
        g_autofree char *place = kernel->file != NULL
            ? g_strdup_printf(" at %s:%" PRIu32, kernel->file, kernel->line)
            : g_strdup("");
        return refuse(error, WEIR_ERROR_RANGE,
                      "kernel '%s'%s: a range of %zu groups is over the limit of %d of "
                      "explored launches: explore a smaller one",
                      kernel->name, place, launch.n_groups, MOST_EXPLORED_GROUPS);
    }
    if (!set_schedule(&launch, options, &plan, error)
        || !agree_on_check(&launch, options, error)
        || !weiri_host_explore_check(&launch, options, error)) {
        return false;
    }
    if (!set_clusters(&launch, options, error)) {
        return false;
    }
    set_split(&launch, options);
    if (!fits_at_once(&launch, error)) {
        return false;
    }
    if (launch.schedule.steps == 0
        && __builtin_mul_overflow(MAX(1, launch.n_groups * launch.shape.items),
                                  STEPS_AN_ITEM, &launch.schedule.steps)) {
        launch.schedule.steps = UINT64_MAX;
    }
    if (launch.deterministic
        && !weiri_host_plan_make(&launch, &range, options, &plan, error)) {
        weiri_host_plan_end(&launch, &plan, false);
        return false;
    }
    if (options->lockstep && !set_lockstep(&launch, error)) {
        weiri_host_plan_end(&launch, &plan, false);
        return false;
    }
    launch.report = weiri_report_new();
    g_autofree void *copy = g_memdup2(args, args_bytes);
    launch.args = copy;
    launch.outside = weiri_host_commands_outside_of(&launch.outside_data);
    share_out(&launch);
    bool done = options->explore == NULL || weiri_host_explore(&launch, options, error);
    if (launch.n_groups > 0) {
        bool checks = options->check || weiri_host_explore_refused(&launch);
        uint32_t command
            = options->check ? weiri_host_commands_launch(launch.device) : 0;
        if (checks) {
            weiri_host_check_begin(&check, &launch, options);
        }
        done = done && weiri_launch_run(&launch, error);
        bool is_whole = weir_report_incomplete(launch.report) == NULL;
        if (checks) {
            timeline = weiri_host_check_end(&check, &launch, done);
            unseen = check.unseen;
        }
        weiri_host_commands_launch_end(command, launch.report, is_whole);
    }
    if (done) {
        weiri_host_explore_judge(&launch, options);
    }
    weiri_host_plan_end(&launch, &plan, done);
    if (launch.loops != NULL && weiri_loops_are_lost(launch.loops)) {
        weiri_report_cut_short(launch.report,
                               g_strdup_printf("kernel '%s' has no line numbers, by "
                                               "which lockstep knows its loops: "
                                               "compile it with -g",
                                               kernel->name),
                               NULL, NULL);
    }
    weiri_loops_free(launch.loops);
    if (done) {
        weiri_report_close(launch.report, launch.n_steps, launch.shape.items,
                           launch.entry == kernel->checked, &weiri_symbols);
    }
    done = done
        && (timeline == NULL || write_timeline(&launch, timeline, options, error));
    weiri_timeline_free(timeline);
    if (!done) {
        weir_report_free(launch.report);
        return false;
    }
    *outcome = (struct outcome){ .report = launch.report,
                                 .exits = launch.exits,
                                 .status = launch.exit_status,
                                 .unseen = g_steal_pointer(&unseen) };
    return true;
}

/* An item has called exit(): prints the report, and calls it on the host's stack. */
static _Noreturn void exit_for_item(struct outcome *outcome)
{
    if (!outcome->taken) {
        g_autofree char *text = weir_report_to_text(outcome->report);
        fputs(text, stderr);
    }
    weir_report_free(outcome->report);
    exit(outcome->status);
}

/* The number of items of a range, which has not been checked yet. */
static uint64_t n_items_of(const struct weir_nd_range *range)
{
    uint64_t n = 1;
    for (uint32_t d = 0; d < MIN(range->dim, 3); d++) {
        n *= range->global[d];
    }
    return n;
}

/* run_launch() with the options of WEIR_OPTIONS, too; where that names a file for
 * reports, the report goes there. See check-client.h. */
static bool launch_and_report(struct weir_device *device,
                              const struct weir_kernel *kernel,
                              struct weir_nd_range range, const void *args,
                              size_t args_bytes, const struct weir_launch_options *own,
                              struct outcome *outcome, GError **error)
{
    if (weiri_self.worker != NULL) {
        return refuse(error, WEIR_ERROR_ARGUMENT,
                      "kernel '%s' launched from inside a kernel: launch from the host",
                      kernel->name);
    }
    struct weiri_check_client client;
    const struct weir_launch_options *options = weiri_check_client_begin(
        &client, kernel, device->name, n_items_of(&range), own, error);
    GError *failure = NULL;
    if (options == NULL) {
        return false;
    }
    if (client.idle) {
        range.global[0] = 0;
    }
    if (!run_launch(device, kernel, range, args, args_bytes, options, outcome,
                    &failure)) {
        weiri_check_client_fail(&client, kernel, failure);
        g_propagate_error(error, failure);
        return false;
    }
    client.unseen = outcome->unseen;
    outcome->taken = weiri_check_client_end(&client, kernel, outcome->report,
                                            outcome->exits, &failure);
    g_free(outcome->unseen);
    if (outcome->exits) {
        exit_for_item(outcome);
    }
    if (failure != NULL) {
        weir_report_free(outcome->report);
        g_propagate_error(error, failure);
        return false;
    }
    return true;
}

/* Prints the findings of a launch whose caller takes no report, and makes them an
 * error; not so where `weir check` has the report. Returns: false with @error set */
static bool print_report(const struct weir_kernel *kernel,
                         const struct outcome *outcome, GError **error)
{
    const struct weir_report *report = outcome->report;
    if (outcome->taken) {
        return true;
    }
    g_autofree char *text = weir_report_to_text(report);
    fputs(text, stderr);
    size_t n = weir_report_n_defects(report);
    const char *incomplete = weir_report_incomplete(report);
    return (n == 0 && incomplete == NULL)
        || refuse(error, WEIR_ERROR_FINDINGS, "%zu finding%s in kernel '%s'%s", n,
                  n == 1 ? "" : "s", kernel->name,
                  incomplete != NULL ? ", which did not end" : "");
}

bool weir_launch_sized_with(struct weir_device *device,
                            const struct weir_kernel *kernel,
                            struct weir_nd_range range, const void *args,
                            size_t args_bytes,
                            const struct weir_launch_options *options,
                            struct weir_report **report, GError **error)
{
    g_return_val_if_fail(device != NULL && kernel != NULL, false);
    g_return_val_if_fail(error == NULL || *error == NULL, false);
    struct outcome outcome = { .report = NULL };
    if (!launch_and_report(device, kernel, range, args, args_bytes,
                           options != NULL ? options : &defaults, &outcome, error)) {
        return false;
    }
    if (report != NULL) {
        *report = outcome.report;
        return true;
    }
    bool good = print_report(kernel, &outcome, error);
    weir_report_free(outcome.report);
    return good;
}

bool weir_launch_sized(struct weir_device *device, const struct weir_kernel *kernel,
                       struct weir_nd_range range, const void *args, size_t args_bytes,
                       GError **error)
{
    return weir_launch_sized_with(device, kernel, range, args, args_bytes, NULL, NULL,
                                  error);
}
