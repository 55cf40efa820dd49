/* SPDX-License-Identifier: MIT
 *
 * lockstep.c: see lockstep.h. A wait inside a sub-group is not a defect, since it is
 * correct wherever items make progress by themselves. Many such waits are correct in
 * lockstep, too; so a note is made only if a run has hung. */
#include "config.h"

#include "engine/lockstep.h"

#include "cli/child.h"
#include "report/record.h"

#include <string.h>

/* A kernel that hangs in lockstep mostly does so in any order: when the first item
 * leaves the loop, others are still in it. */
static const char *const schedules[] = { "in-order", "reverse" };

/* The hang that a run has shown, or NULL. */
static const struct weir_finding *find_hang(const struct weiri_cli_run_result *run)
{
    const struct weir_finding *finding;
    size_t launch;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, &launch)) != NULL;
         i++) {
        if (g_strcmp0(finding->form, "lockstep") == 0) {
            return finding;
        }
    }
    return NULL;
}

static const struct weir_party *party_in(const struct weir_finding *finding,
                                         enum weir_state state)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        if (finding->parties[i].state == state) {
            return &finding->parties[i];
        }
    }
    return NULL;
}

/* ", FILE:LINE"; nothing where that is not known. */
static char *place_text(const char *before, const struct weir_party *party)
{
    return party != NULL && party->file != NULL
        ? g_strdup_printf("%s%s:%u", before, party->file, party->line)
        : g_strdup("");
}

static char *note_of(const struct weir_finding *hang, const char *again)
{
    g_autofree char *poll = place_text(" at ", party_in(hang, WEIR_STATE_SPINNING));
    g_autofree char *write = place_text(" at ", party_in(hang, WEIR_STATE_MASKED));
    return g_strdup_printf(
        "items of one sub-group of kernel '%s' wait for each other, which hangs where "
        "a sub-group runs in lockstep: the loop%s waits for the write%s, and no item "
        "reaches that write before all items have left the loop; again: %s",
        hang->kernel, poll, write, again);
}

/* Why a launch of the run could not be made, or NULL. */
static const char *find_failure(const struct weiri_cli_run_result *run)
{
    const char *failure = run->error != NULL ? run->error->message : NULL;
    for (guint i = 0; failure == NULL && i < run->launches->len; i++) {
        const struct weiri_launch_record *record = g_ptr_array_index(run->launches, i);
        failure = record->error;
    }
    return failure;
}

/* Returns: (transfer full): what a run in lockstep shows, or NULL */
static char *try_under(const struct weiri_cli_verdict *verdict,
                       const struct weiri_cli_check *check, const char *schedule)
{
    struct weiri_cli_run_options run_options = { .schedule = schedule };
    struct weiri_cli_run_result *run
        = weiri_cli_run_once(check, &verdict->subject, &run_options);
    const struct weir_finding *hang = find_hang(run);
    const char *failure = find_failure(run);
    char *note = NULL;
    if (hang != NULL) {
        g_autofree char *again
            = weiri_cli_shown_again(check, &verdict->subject, schedule, 1);
        note = note_of(hang, again);
    } else if (failure != NULL) {
        note = g_strdup_printf("items of one sub-group wait for each other; whether "
                               "that hangs where a sub-group runs in lockstep was not "
                               "tried: %s",
                               failure);
    }
    weiri_cli_run_unref(run);
    return note;
}

void weiri_cli_lockstep_try(struct weiri_cli_verdict *verdict)
{
    struct weiri_cli_check check = *verdict->check;
    if (!verdict->sub_group_wait || check.options.launch.lockstep) {
        return;
    }
    check.options.launch.lockstep = true;
    char *note = NULL;
    for (size_t i = 0;
         i < G_N_ELEMENTS(schedules) && note == NULL && !weiri_cli_interrupted(); i++) {
        note = try_under(verdict, &check, schedules[i]);
    }
    if (note != NULL) {
        g_ptr_array_add(verdict->notes, note);
    }
}
