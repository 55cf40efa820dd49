/* SPDX-License-Identifier: MIT
 *
 * host/explore.c: see host/explore.h. An exploration works on a copy of the launch with
 * the checked entry, all groups resident, and observers of its own: bounds are checked
 * while items run. The launch itself runs afterwards as it was asked for, in the time
 * that is left.
 *
 * A final state is judged by the post-condition. Without one, and under `weir explore
 * -- PROGRAM`, the program judges: a copy of the process goes on with that state in
 * memory, and its exit status is the verdict (base/state-server.h). */
#include "config.h"

#include "host/explore.h"

#include "base/state-server.h"
#include "exec/device.h"
#include "exec/finding.h"
#include "host/check-client.h"
#include "native/native.h"
#include "report/symbol.h"
#include "report/unhooked.h"
#include "watch/bounds.h"
#include "weir-model.h"

#include <string.h>

/* Parts of the limit of time, in percent: after the first an exploration ends, and
 * after the second an item that reaches no stop is interrupted. The rest is for the
 * launch itself. The judgement of final states may take the third part, and at most a
 * number of seconds. */
enum { ENDS = 75, INTERRUPTS = 80, JUDGES = 25, JUDGE_SECONDS = 15 };

static const struct {
    const char *name;
    enum weiri_explored model;
    bool partial; /* it orders only some writes */
} models[] = { { "sycl", WEIRI_EXPLORED_SYCL, false },
               { "sycl-split", WEIRI_EXPLORED_SYCL_SPLIT, false },
               { "rc11", WEIRI_EXPLORED_RC11, false },
               { "sc", WEIRI_EXPLORED_SC, false },
               { "ptx", WEIRI_EXPLORED_SYCL, true },
               { "vulkan", WEIRI_EXPLORED_SYCL, true } };

/* The place in @models, or their number. */
static size_t model_of(const struct weir_launch_options *options,
                       const struct weir_kernel *kernel)
{
    const char *name = options->explore;
    if (strcmp(name, "language") == 0) {
        name = kernel->language == WEIR_LANGUAGE_CUDA ? "ptx" : "sycl";
    }
    size_t i = 0;
    while (i < G_N_ELEMENTS(models) && strcmp(models[i].name, name) != 0) {
        i++;
    }
    return i;
}

bool weiri_host_explore_check(const struct weiri_launch *launch,
                              const struct weir_launch_options *options, GError **error)
{
    if (options->explore == NULL) {
        if (!options->plain_events && options->max_executions == 0
            && options->resident == 0 && options->forwards == 0 && options->jobs == 0
            && options->samples == 0 && !options->bounded && !options->symmetry
            && !options->until_wrong && !options->litmus && options->play == NULL) {
            return true;
        }
        g_set_error(
            error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
            "the options plain_events, max_executions, resident, forwards, jobs, "
            "samples, bounded, symmetry, until_wrong, litmus and play are for explored "
            "launches: set the option explore");
        return false;
    }
    if (options->forwards != 0
        && (options->jobs > 1 || options->samples > 0 || options->bounded
            || options->symmetry || options->play != NULL)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option forwards excludes jobs, samples, bounded, symmetry and "
                    "play");
        return false;
    }
    if (options->forwards >> WEIR_N_FORWARDS != 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option forwards is %#x, which is not a set of models of "
                    "forward progress",
                    options->forwards);
        return false;
    }
    if (options->jobs > 1 && (options->resident != 0 || options->litmus)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the options %s and jobs exclude each other: one process must see "
                    "everything",
                    options->litmus ? "litmus" : "resident");
        return false;
    }
    if (options->samples > 0
        && (options->jobs > 1 || options->resident != 0 || options->max_executions != 0
            || options->litmus)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option samples excludes jobs, resident, max_executions and "
                    "litmus");
        return false;
    }
    if (options->bounded
        && (options->jobs > 1 || options->resident != 0 || options->samples > 0
            || options->litmus)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option bounded excludes jobs, resident, samples and litmus");
        return false;
    }
    if (options->symmetry
        && (options->jobs > 1 || options->resident != 0 || options->samples > 0
            || options->bounded || options->litmus || options->plain_events)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option symmetry excludes plain_events, jobs, resident, "
                    "samples, bounded and litmus");
        return false;
    }
    if (options->play != NULL
        && (options->jobs > 1 || options->resident != 0 || options->samples > 0
            || options->bounded || options->litmus || options->symmetry
            || options->max_executions != 0)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "the option play excludes max_executions, jobs, resident, samples, "
                    "bounded, symmetry and litmus");
        return false;
    }
    if (options->play != NULL && !weiri_native_play_check(options->play, error)) {
        return false;
    }
    size_t model = model_of(options, launch->kernel);
    if (model == G_N_ELEMENTS(models)) {
        g_set_error(
            error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
            "a launch cannot be explored under '%s': give language, sycl, sycl-split, "
            "rc11, sc, ptx or vulkan",
            options->explore);
        return false;
    }
    if (models[model].partial
        && (options->jobs > 1 || options->resident != 0 || options->samples > 0
            || options->bounded || options->litmus || options->symmetry
            || options->play != NULL)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "under '%s'%s the options jobs, resident, samples, bounded, "
                    "symmetry, litmus and play have no meaning yet: leave them out%s",
                    models[model].name,
                    strcmp(models[model].name, options->explore) == 0
                        ? ""
                        : ", the model of CUDA's kernels,",
                    strcmp(models[model].name, options->explore) == 0
                        ? ""
                        : ", or name another model");
        return false;
    }
    if (launch->shape.uneven != 0) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
                    "kernel '%s' cannot be explored in groups of several sizes: give "
                    "a local size that divides the global size",
                    launch->kernel->name);
        return false;
    }
    if (launch->kernel->checked == NULL) {
        g_set_error(
            error, WEIR_ERROR, WEIR_ERROR_ARGUMENT,
            "kernel '%s' cannot be explored: it has no memory hooks: compile it "
            "with %s",
            launch->kernel->name,
            launch->kernel->language == WEIR_LANGUAGE_CUDA ? "weir-nvcc, and without "
                                                             "--no-instrument"
                                                           : "weir-cc or weir-c++");
        return false;
    }
    return true;
}

/* An exploration lets all groups take steps. Returns: how many the device runs at once
 * if these are fewer; 0: all */
static uint32_t make_all_resident(struct weiri_launch *explored,
                                  const struct weir_launch_options *options)
{
    uint32_t before = explored->n_extra;
    uint64_t most = MAX(1, WEIRI_MAX_RESIDENT_ITEMS / explored->shape.items);
    uint64_t groups = MIN(explored->n_groups, most);
    if (groups <= 1 + (uint64_t)before || options->jobs > 1 || options->samples > 0
        || options->bounded) {
        return 0;
    }
    explored->n_extra = (uint32_t)groups - 1;
    explored->extra_left = explored->n_extra;
    return options->symmetry ? 0 : 1 + before;
}

/* Adds the findings of struct weiri_bounds, @user. */
static void report_bounds(void *user, const struct weiri_launch *explored)
{
    weiri_bounds_report(user, explored->kernel, explored->call_tree, explored->report);
}

static void forget_bounds(void *user)
{
    weiri_bounds_forget(user);
}

/* Rounded up, as 0 means "without a limit". */
static uint64_t percent_of(uint64_t ms, uint64_t percent)
{
    return ms / 100 * percent + (ms % 100 * percent + 99) / 100;
}

/* The program's own judgement of final states. */
struct judge {
    struct weiri_state_server *states;
    int64_t left_us; /* for further states */
    uint64_t n_unknown;
};

/* A state that could not be judged is not known to be wrong. */
static bool judge_state(void *user, const struct weiri_state_change *changes, size_t n)
{
    struct judge *judge = user;
    int64_t began_us = g_get_monotonic_time();
    enum weiri_state_end end = judge->left_us > 0
        ? weiri_state_server_ask(judge->states, changes, n)
        : WEIRI_STATE_UNKNOWN;
    judge->left_us -= g_get_monotonic_time() - began_us;
    judge->n_unknown += end == WEIRI_STATE_UNKNOWN;
    return end != WEIRI_STATE_WRONG;
}

static void end_judge(const struct judge *judge, const struct weiri_launch *launch)
{
    weiri_state_server_free(judge->states);
    if (judge->n_unknown > 0) {
        weiri_report_cut_short(
            launch->report,
            g_strdup(
                "the program did not judge all final states: there are too many, or "
                "it takes too long to end"),
            NULL, NULL);
    }
}

/* Explores the launch. @judge: or without @states */
static bool explore(struct weiri_launch *launch,
                    const struct weir_launch_options *options, struct judge *judge,
                    GError **error)
{
    struct weiri_launch explored = *launch;
    explored.entry = launch->kernel->checked;
    explored.time_limit_ms = percent_of(options->time_limit_ms, INTERRUPTS);
    explored.objects = weiri_objects_new(launch->device, weiri_symbol_object);
    explored.call_tree = weiri_call_tree_new();
    uint32_t resident = make_all_resident(&explored, options);
    struct weiri_bounds *bounds = weiri_bounds_new(
        explored.objects, &explored.shape, explored.args, explored.kernel->args_bytes);
    uint64_t compared = 0;
    const struct weiri_observer observers[]
        = { WEIRI_BOUNDS_OBSERVERS(bounds),
            { weiri_native_compared, &compared, WEIRI_EVENT_BIT(COMPARE) },
            { NULL, NULL, 0 } };
    explored.observers = observers;
    size_t model = model_of(options, launch->kernel);
    const struct weiri_model *partial
        = models[model].partial ? weiri_model_find(models[model].name) : NULL;
    const struct weiri_native_options how
        = { .explored = models[model].model,
            .model = models[model].name,
            .partial = partial,
            .plain_events = options->plain_events || options->litmus || partial != NULL,
            .racy_states
            = options->plain_events || (partial != NULL && partial->race == NULL),
            .max_executions = options->max_executions,
            .resident = options->resident,
            .forwards = options->forwards,
            .forwards_by_group = options->forwards_by_group,
            .limited = partial != NULL ? 0 : resident,
            .jobs = options->jobs,
            .until_wrong = options->until_wrong,
            .litmus = options->litmus,
            .samples = options->samples,
            .bounded = options->bounded,
            .deviations = options->deviations,
            .symmetry = options->symmetry,
            .play = options->play,
            .order = options->order,
            .seed = options->seed,
            .time_limit = (double)options->time_limit_ms / 1000 * ENDS / 100,
            .post_condition = options->post_condition,
            .post_condition_user = options->post_condition_user,
            .judge = judge->states != NULL ? judge_state : NULL,
            .judge_user = judge,
            .symbols = &weiri_symbols,
            .text = weiri_symbol_text,
            .unhooked = weiri_unhooked(launch->kernel),
            .compared = &compared,
            .observed = report_bounds,
            .forget = forget_bounds,
            .observed_user = bounds };
    int64_t began = g_get_monotonic_time();
    bool done = weiri_native_explore(&explored, &how, error);
    if (launch->time_limit_ms != 0) {
        uint64_t took = (uint64_t)(g_get_monotonic_time() - began) / 1000;
        launch->time_limit_ms -= MIN(took, launch->time_limit_ms - 1);
    }
    weiri_bounds_free(bounds);
    weiri_call_tree_free(explored.call_tree);
    weiri_objects_free(explored.objects);
    return done;
}

bool weiri_host_explore(struct weiri_launch *launch,
                        const struct weir_launch_options *options, GError **error)
{
    struct judge judge = { .left_us = JUDGE_SECONDS * (int64_t)G_USEC_PER_SEC };
    if (options->time_limit_ms > 0) {
        judge.left_us = MIN(judge.left_us,
                            (int64_t)percent_of(options->time_limit_ms, JUDGES) * 1000);
    }
    bool is_copy = false;
    if (options->post_condition == NULL && options->play == NULL
        && launch->n_groups > 0) {
        judge.states = weiri_check_client_states(&is_copy);
    }
    if (is_copy) { /* memory is as the launch leaves it */
        launch->n_groups = 0;
        return true;
    }
    bool done = explore(launch, options, &judge, error);
    end_judge(&judge, launch);
    return done;
}

bool weiri_host_explore_refused(const struct weiri_launch *launch)
{
    const struct weir_exploration *found = weir_report_exploration(launch->report);
    return found != NULL && found->refused != NULL && launch->n_groups <= UINT32_MAX;
}

void weiri_host_explore_judge(const struct weiri_launch *launch,
                              const struct weir_launch_options *options)
{
    /* A launch that was ended at its limit has no result. */
    if (options->explore != NULL || options->post_condition == NULL
        || weir_report_incomplete(launch->report) != NULL
        || options->post_condition(launch->args, options->post_condition_user)) {
        return;
    }
    struct weiri_draft draft
        = { .kind = WEIR_FINDING_WRONG_RESULT,
            .kernel = launch->kernel,
            .message = g_strdup_printf("wrong result of kernel '%s': the launch's "
                                       "post-condition does not hold",
                                       launch->kernel->name) };
    weiri_draft_init(&draft);
    weiri_report_add(launch->report, &draft);
}
