/* SPDX-License-Identifier: MIT
 *
 * check-client-end.c: see check-client.h. A launch ends: the command gets its report.
 * */
#include "config.h"

#include "host/check-client.h"

#include "weir-kernel.h"

#include "deterministic/trace.h"
#include "host/check-client-state.h"
#include "report/record.h"
#include "report/unhooked.h"

#include <unistd.h>

static struct weiri_check_client_state *const state = &weiri_check_client_state;

/* Appends the record of a launch that has ended or, with a @failure, was not made.
 * Called with the lock held. */
static bool hand_over(const struct weiri_check_client *launch,
                      const struct weir_kernel *kernel,
                      const struct weir_report *report, bool exits,
                      const GError *failure, GError **error)
{
    g_autofree char *recorded
        = launch->traced != NULL ? weiri_trace_to_text(launch->traced) : NULL;
    const char *unhooked = weiri_unhooked(kernel);
    const struct weiri_launch_record head = {
        .process = (uint64_t)getpid(),
        .serial = launch->serial,
        .exits = exits,
        .kernel = kernel->name,
        .instrumented = kernel->checked != NULL,
        .unhooked = unhooked != NULL ? unhooked : launch->unseen,
        .schedule = state->options.schedule,
        .seed = state->options.launch.seed,
        .n_items = launch->n_items,
        .device = launch->device,
        .error = failure != NULL ? failure->message : NULL,
        .error_code
        = failure == NULL || failure->domain != WEIR_ERROR ? -1 : failure->code,
        .recorded = recorded,
    };
    g_autoptr(GString) line = report != NULL ? weiri_record_of_report(&head, report)
                                             : weiri_record_to_line(&head);
    return weiri_check_client_append(line, error);
}

bool weiri_check_client_end(struct weiri_check_client *launch,
                            const struct weir_kernel *kernel,
                            const struct weir_report *report, bool exits,
                            GError **error)
{
    pthread_mutex_lock(&state->lock);
    bool taken = false;
    if (state->line != NULL && g_getenv("WEIR_OPTIONS") != NULL) {
        state->n_followed += state->replayed != NULL;
        taken = weiri_check_client_save_record(exits, error)
            && state->options.reports != NULL
            && hand_over(launch, kernel, report, exits, NULL, error);
    }
    pthread_mutex_unlock(&state->lock);
    g_clear_pointer(&launch->traced, weir_schedule_free);
    return taken;
}

bool weiri_check_client_aside(const struct weir_report *report, GError **error)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    line = line != NULL ? weiri_check_client_line(line, error) : NULL;
    if (line == NULL) {
        return false;
    }
    pthread_mutex_lock(&state->lock);
    bool taken = false;
    if (weiri_check_client_read(line, error) && state->options.reports != NULL) {
        const struct weiri_launch_record head
            = { .aside = true,
                .process = (uint64_t)getpid(),
                .kernel = weir_report_finding(report, 0)->kernel,
                .instrumented = true,
                .schedule = state->options.schedule,
                .seed = state->options.launch.seed };
        g_autoptr(GString) record = weiri_record_of_report(&head, report);
        taken = weiri_check_client_append(record, error);
    }
    pthread_mutex_unlock(&state->lock);
    return taken;
}

void weiri_check_client_fail(struct weiri_check_client *launch,
                             const struct weir_kernel *kernel, const GError *failure)
{
    pthread_mutex_lock(&state->lock);
    if (state->line != NULL && state->options.reports != NULL
        && g_getenv("WEIR_OPTIONS") != NULL) {
        /* The caller of the launch gets @failure; this error would only hide it. */
        (void)hand_over(launch, kernel, NULL, false, failure, NULL);
    }
    pthread_mutex_unlock(&state->lock);
    g_clear_pointer(&launch->traced, weir_schedule_free);
}
