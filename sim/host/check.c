/* SPDX-License-Identifier: MIT
 *
 * host/check.c: see host/check.h. Reads of memory that was never written are judged
 * after the launch: it is run again in another process, with other values there. */
#include "config.h"

#include "host/check.h"

#include "exec/device.h"
#include "host/commands.h"
#include "report/symbol.h"
#include "watch/bounds.h"
#include "watch/fan-out.h"
#include "watch/hookless.h"
#include "watch/listing.h"
#include "watch/plain.h"
#include "watch/poison-rerun.h"
#include "watch/race-report.h"
#include "watch/race.h"
#include "watch/recorder.h"

#include <string.h>

/* Accesses have a shortcut where all that observe them know it, which those that look
 * for writes without hooks do not. */
static void set_shortcut(struct weiri_host_check *watch, struct weiri_launch *launch)
{
    bool short_ways
        = watch->listing == NULL && watch->recorder == NULL && !launch->in_step;
    const struct weiri_shortcut none = { NULL, NULL, NULL };
    const struct weiri_shortcut shortcut
        = { weiri_plain_takes, weiri_plain_takes_atomic, &watch->plain };
    bool in_order
        = launch->schedule.kind == WEIRI_SCHEDULE_IN_ORDER && launch->script == NULL;
    watch->hookless = launch->entry == launch->kernel->checked
        ? weiri_hookless_new(launch->objects, &launch->audience,
                             short_ways ? &shortcut : &none, in_order)
        : NULL;
    launch->shortcut = short_ways && watch->hookless == NULL ? shortcut : none;
}

/* The rules of each language that are not those of SYCL and OpenCL. */
static enum weir_race_model model_of(enum weir_language language)
{
    switch (language) {
    case WEIR_LANGUAGE_C:
    case WEIR_LANGUAGE_SYCL:
    case WEIR_LANGUAGE_OPENCL:
        break;
    case WEIR_LANGUAGE_CUDA:
        return WEIR_RACE_MODEL_PTX;
    }
    return WEIR_RACE_MODEL_SYCL;
}

bool weiri_host_check_is_ptx(const struct weir_launch_options *options,
                             enum weir_language language)
{
    enum weir_race_model model = options->race_model != WEIR_RACE_MODEL_LANGUAGE
        ? options->race_model
        : model_of(language);
    return model == WEIR_RACE_MODEL_PTX;
}

void weiri_host_check_begin(struct weiri_host_check *watch, struct weiri_launch *launch,
                            const struct weir_launch_options *options)
{
    const struct weiri_race_rules rules
        = { options->scope_rule, options->spaces, options->same_value,
            weiri_host_check_is_ptx(options, launch->kernel->language),
            launch->kernel->language == WEIR_LANGUAGE_CUDA };
    *watch = (struct weiri_host_check){ 0 };
    launch->objects = weiri_objects_new(launch->device, weiri_symbol_object);
    launch->call_tree = weiri_call_tree_new();
    watch->bounds = weiri_bounds_new(launch->objects, &launch->shape, launch->args,
                                     launch->kernel->args_bytes);
    watch->race = weiri_race_new(&rules, &launch->shape, launch->n_groups);
    watch->uninit = weiri_uninit_new(launch->device->poisons);
    if (options->list_steps > 0) {
        watch->listing
            = weiri_listing_new(launch->kernel, &launch->now, options->list_steps);
    }
    if (options->trace != NULL) {
        watch->recorder = weiri_recorder_new(launch->kernel, &launch->shape,
                                             launch->n_groups, options->scope_rule,
                                             &launch->now, options->trace_events);
    }
    weiri_plain_init(&watch->plain, watch->bounds, watch->race, watch->uninit);
    set_shortcut(watch, launch);
    const struct weiri_observer observers[]
        = { WEIRI_RECORDER_OBSERVER(watch->recorder),
            WEIRI_FAN_OUT_OBSERVERS(&watch->plain),
            WEIRI_BOUNDS_OTHERS(watch->bounds),
            WEIRI_RACE_OTHERS(watch->race),
            WEIRI_UNINIT_OTHERS(watch->uninit),
            WEIRI_LISTING_OBSERVER(watch->listing),
            WEIRI_HOOKLESS_OBSERVER(watch->hookless),
            { NULL, NULL, 0 } };
    _Static_assert(sizeof(observers) <= sizeof(watch->observers), "too many observers");
    size_t n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(observers); i++) {
        if (observers[i].self != NULL || observers[i].event == NULL) {
            watch->observers[n++] = observers[i];
        }
    }
    launch->observers = watch->observers;
    watch->before = *launch;
    watch->began = g_get_monotonic_time();
}

/* Runs a launch that has ended once more, in a process of its own, with other values in
 * the memory that it did not write. Nothing that it makes need be freed, and its
 * findings are not used. */
static bool run_again(void *data, struct weiri_tape *tape)
{
    const struct weiri_host_check *watch = data;
    struct weiri_launch launch = watch->before;
    launch.objects = weiri_objects_new(launch.device, weiri_symbol_object);
    launch.report = weiri_report_new();
    launch.outside = NULL; /* the host is not there */
    launch.record = launch.record == NULL
        ? NULL
        : g_array_new(FALSE, FALSE, sizeof(struct weiri_switch));
    struct weiri_bounds *bounds = weiri_bounds_new(
        launch.objects, &launch.shape, launch.args, launch.kernel->args_bytes);
    const struct weiri_observer observers[] = { { weiri_tape_event, tape, 0 },
                                                WEIRI_BOUNDS_OBSERVERS(bounds),
                                                WEIRI_UNINIT_OBSERVERS(watch->uninit),
                                                { NULL, NULL, 0 } };
    launch.observers = observers;
    launch.shortcut = (struct weiri_shortcut){ NULL };
    return weiri_launch_run(&launch, NULL) && launch.stopped != WEIRI_STOPPED_BY_TIME;
}

/* A read that raced is reported as a race, and not as uninitialised. */
static void mark_raced_reads(const struct weiri_host_check *watch)
{
    for (size_t i = 0; i < weiri_race_n_pairs(watch->race); i++) {
        const struct weiri_race_pair *pair = weiri_race_pair(watch->race, i);
        const struct weiri_race_access *sides[] = { &pair->first, &pair->second };
        for (size_t k = 0; k < G_N_ELEMENTS(sides); k++) {
            weiri_uninit_mark_raced(watch->uninit, sides[k]->site, sides[k]->pc,
                                    sides[k]->calls, pair->object);
        }
    }
}

/* How long a process may take to run a launch again: LEAST_SECONDS and the launch's
 * limit of time or, if it has none, MOST_TIMES what it took. One that takes longer does
 * not end. */
enum { MOST_TIMES = 20 };
enum { LEAST_SECONDS = 60 };

/* Reports the reads of memory that was never written, if they matter. The race detector
 * has been freed before: a forked process need not copy its memory. */
static void judge_reads(struct weiri_launch *launch, struct weiri_host_check *watch)
{
    int64_t took = (g_get_monotonic_time() - watch->began) / G_USEC_PER_SEC;
    uint64_t seconds = LEAST_SECONDS
        + (launch->time_limit_ms != 0 ? launch->time_limit_ms / 1000
                                      : (uint64_t)took * MOST_TIMES);
    char *failure = weiri_poison_rerun_judge(watch->uninit, run_again, watch,
                                             (unsigned)MIN(seconds, G_MAXINT32));
    if (failure != NULL) {
        weiri_report_cut_short(
            launch->report,
            g_strdup_printf("the launch was to be run again to see what reads of "
                            "uninitialised memory change: %s",
                            failure),
            NULL, NULL);
        g_free(failure);
    }
    weiri_poison_rerun_report(watch->uninit, &launch->shape, launch->kernel,
                              launch->call_tree, launch->objects, &weiri_symbols,
                              launch->report);
}

struct weiri_timeline *weiri_host_check_end(struct weiri_host_check *watch,
                                            struct weiri_launch *launch, bool done)
{
    weiri_bounds_report(watch->bounds, launch->kernel, launch->call_tree,
                        launch->report);
    weiri_race_report_findings(weiri_race_found(watch->race), launch->kernel,
                               launch->call_tree, &weiri_symbols, launch->report);
    weiri_host_commands_launched(launch, watch->race);
    if (watch->listing != NULL) {
        weiri_listing_report(watch->listing, &weiri_symbols, launch->report);
    }
    weiri_listing_free(watch->listing);
    struct weiri_timeline *timeline = watch->recorder != NULL
        ? weiri_recorder_end(watch->recorder, &weiri_symbols)
        : NULL;
    watch->unseen = weiri_hookless_report(watch->hookless, launch->objects);
    if (launch->was_outside) { /* the host may have written it */
        g_clear_pointer(&watch->unseen, g_free);
    }
    weiri_hookless_free(watch->hookless);
    mark_raced_reads(watch);
    weiri_bounds_free(watch->bounds);
    weiri_race_free(watch->race);
    if (done && launch->stopped == WEIRI_RUNS_ON) {
        judge_reads(launch, watch);
    }
    weiri_uninit_free(watch->uninit);
    weiri_call_tree_free(launch->call_tree);
    weiri_objects_free(launch->objects);
    launch->observers = NULL;
    launch->shortcut = (struct weiri_shortcut){ NULL };
    launch->call_tree = NULL;
    launch->objects = NULL;
    return timeline;
}
