/* SPDX-License-Identifier: MIT
 *
 * native_litmus_turns.c: the turns of an explored finding lead to it natively. A test
 * claims nothing, so each of its final states is declared wrong in turn; what does not
 * end and what races are findings anyway.
 *
 * Where a finding has turns, a deterministic launch that follows them must come to the
 * same final state, not end, or have a race. Under `sc` every finding must have turns:
 * there, an execution is an order of the items' steps. Only a compare-exchange that
 * fails without a reason has none. */
#include "config.h"

#include "native_litmus_turns.h"

#include "finding/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test with more is left out: each state is explored. */
enum { MOST_STATES = 24 };

/* The final state that is wrong. */
struct state {
    const struct weiri_litmus *test;
    int64_t *memory, *out;
};

/* A location may be smaller than the element that has it. */
static bool is_another(const void *of_launch, void *user)
{
    const native_litmus_args *args = of_launch;
    const struct state *wrong = user;
    bool same = true;
    for (uint32_t i = 0; i < wrong->test->n_locations; i++) {
        enum weiri_litmus_type type = wrong->test->locations[i].type;
        same = same
            && weiri_litmus_convert(type, args->memory[i])
                == weiri_litmus_convert(type, wrong->memory[i]);
    }
    for (uint32_t i = 0; i < wrong->test->n_observed; i++) {
        same = same && args->out[i] == wrong->out[i];
    }
    return !same;
}

/* Launches the kernel on memory with its initial values. Returns: (transfer full) */
static struct weir_report *run(const struct native_litmus_follow *follow,
                               struct weir_launch_options *options)
{
    const struct weiri_litmus *test = follow->test;
    native_litmus_args args
        = { weir_new(follow->device, int64_t, MAX(test->n_locations, 1), "memory"),
            weir_new(follow->device, int64_t, MAX(test->n_observed, 1), "out"), 1 };
    native_litmus_set_initial(test, args.memory, args.out);
    struct weir_report *report = NULL;
    GError *error = NULL;
    const struct native_litmus_test *entry = follow->entry;
    if (!weir_launch_sized_with(
            follow->device, entry->kernel,
            weir_nd_range_1d(entry->n_items * entry->n_groups, entry->n_items), &args,
            sizeof(args), options, &report, &error)) {
        printf("%s: %s\n", entry->path, error->message);
        g_clear_error(&error);
    }
    weir_free(follow->device, args.memory);
    weir_free(follow->device, args.out);
    return report;
}

static bool is_endless(const struct weir_finding *finding)
{
    return finding->kind == WEIR_FINDING_LIVELOCK
        || finding->kind == WEIR_FINDING_DEADLOCK
        || finding->kind == WEIR_FINDING_BARRIER_DIVERGENCE;
}

static bool is_like(const struct weir_finding *one, const struct weir_finding *other)
{
    return (weiri_finding_is_race(one) && weiri_finding_is_race(other))
        || (is_endless(one) && is_endless(other)) || one->kind == other->kind;
}

/* Runs the kernel by the finding's turns. Returns: whether it has the finding */
static bool leads_to(const struct native_litmus_follow *follow,
                     const struct weir_finding *finding, struct state *wrong)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    struct weir_schedule *schedule = weir_schedule_new();
    options.check = true;
    options.pairing = WEIR_PAIRING_COUNT; /* each thread has barriers of its own */
    options.spaces = strcmp(follow->model, "sycl-split") == 0 ? WEIR_SPACES_OPENCL
                                                              : WEIR_SPACES_SYCL;
    options.schedule = "in-order";
    options.record = schedule;
    weir_report_free(run(follow, &options));
    GError *error = NULL;
    bool leads = false;
    if (weir_schedule_set_turns(schedule, 0, finding->turns, &error)) {
        options.record = NULL;
        options.replay = schedule;
        options.loosely = true;
        options.post_condition = wrong != NULL ? is_another : NULL;
        options.post_condition_user = wrong;
        struct weir_report *report = run(follow, &options);
        for (size_t i = 0; report != NULL && i < weir_report_n_findings(report); i++) {
            leads = leads || is_like(finding, weir_report_finding(report, i));
        }
        weir_report_free(report);
    } else {
        printf("%s\n", error->message);
        g_clear_error(&error);
    }
    weir_schedule_free(schedule);
    return leads;
}

/* Explores, and follows the findings that @is_meant. */
static bool follow_findings(const struct native_litmus_follow *follow, bool plain,
                            bool (*is_meant)(const struct weir_finding *finding),
                            struct state *wrong,
                            struct native_litmus_followed *followed)
{
    struct weir_launch_options options = { .explore = follow->model,
                                           .plain_events = plain,
                                           .max_executions = follow->most_executions };
    options.post_condition = wrong != NULL ? is_another : NULL;
    options.post_condition_user = wrong;
    struct weir_report *report = run(follow, &options);
    bool fine = report != NULL, any = false;
    for (size_t i = 0; fine && i < weir_report_n_findings(report); i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        bool explored = finding->turns != NULL || finding->no_turns != NULL;
        if (!is_meant(finding) || !explored) {
            continue; /* or it is of the run that follows the exploration */
        }
        any = true;
        bool excused = strcmp(follow->model, "sc") != 0
            || (finding->no_turns != NULL
                && g_str_has_prefix(finding->no_turns, "the weak compare-exchange"));
        if (finding->turns == NULL) {
            followed->none++;
            fine = excused;
        } else {
            followed->led++;
            fine = leads_to(follow, finding, wrong);
        }
        if (!fine) {
            printf(
                "FAIL: %s: %s: turns %s (%s) do not lead to: %s\n", follow->entry->path,
                follow->model, finding->turns != NULL ? finding->turns : "none",
                finding->no_turns != NULL ? finding->no_turns : "-", finding->message);
        }
    }
    if (wrong != NULL && !any) {
        printf("FAIL: %s: %s: a state is not found again\n", follow->entry->path,
               follow->model);
    }
    weir_report_free(report);
    return fine && (any || wrong == NULL);
}

static bool is_wrong(const struct weir_finding *finding)
{
    return finding->kind == WEIR_FINDING_WRONG_RESULT;
}

bool native_litmus_turns(const struct native_litmus_follow *follow,
                         struct native_litmus_followed *followed)
{
    const struct weiri_litmus *test = follow->test;
    g_autofree int64_t *memory = g_new0(int64_t, test->n_locations + 1);
    g_autofree int64_t *out = g_new0(int64_t, test->n_observed + 1);
    struct state wrong = { test, memory, out };
    bool fine = follow_findings(follow, true, is_endless, NULL, followed)
        && follow_findings(follow, false, weiri_finding_is_race, NULL, followed);
    struct weir_launch_options options = { .explore = follow->model,
                                           .plain_events = true,
                                           .max_executions = follow->most_executions };
    struct weir_report *report = run(follow, &options);
    const struct weir_exploration *found
        = report != NULL ? weir_report_exploration(report) : NULL;
    for (size_t i = 0;
         fine && found != NULL && found->n_states <= MOST_STATES && i < found->n_states;
         i++) {
        native_litmus_read_state(test, found->states[i].text, memory, out);
        fine = follow_findings(follow, true, is_wrong, &wrong, followed);
    }
    weir_report_free(report);
    return fine;
}
