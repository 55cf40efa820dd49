/* SPDX-License-Identifier: MIT
 *
 * check-client.c: see check-client.h. What WEIR_OPTIONS says, and the file of reports
 * that it names. Launches: check-client-begin.c and check-client-end.c.
 *
 * Invariant: a report is written with one call to a file opened for appending, so that
 * records of several processes never mix. */
#include "config.h"

#include "host/check-client.h"

#include "base/builds.h"
#include "base/fork-server.h"
#include "host/check-client-state.h"
#include "report/record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct weiri_check_client_state weiri_check_client_state
    = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct weiri_check_client_state *const state = &weiri_check_client_state;

static void forget(void)
{
    weir_schedule_free(state->recorded);
    weir_schedule_free(state->replayed);
    weiri_options_clear(&state->options);
    state->recorded = state->replayed = NULL;
    state->saved = (struct weiri_file_version){ 0 };
    state->n_saved = 0;
    state->n_followed = state->n_made = 0;
    state->seen_bytes = 0;
    g_clear_pointer(&state->line, g_free);
}

bool weiri_check_client_read(const char *line, GError **error)
{
    if (g_strcmp0(line, state->line) == 0) {
        return true;
    }
    forget();
    if (!weiri_options_read(line, &state->options, error)) {
        forget();
        return false;
    }
    if (state->options.replay != NULL) {
        state->replayed = weir_schedule_load(state->options.replay, error);
        if (state->replayed == NULL) {
            forget();
            return false;
        }
    }
    state->line = g_strdup(line);
    return true;
}

char *weiri_check_client_builds(void)
{
    const char *reports = state->options.reports;
    return reports != NULL ? g_strconcat(reports, WEIRI_BUILDS, NULL) : NULL;
}

/* Notes that a report is lost, so that the program's end is not taken for its own. */
static void note_lost(const char *message)
{
    g_autofree char *path
        = g_strconcat(state->options.reports, WEIRI_REPORTS_LOST, NULL);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        size_t bytes = MIN(strlen(message), WEIRI_REPORTS_LOST_BYTES);
        ssize_t written = pwrite(fd, message, bytes, 0);
        (void)written; /* the error of the launch remains */
        close(fd);
    }
}

bool weiri_check_client_append(const GString *line, GError **error)
{
    const char *path = state->options.reports;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    ssize_t written = -1;
    if (fd >= 0) {
        do {
            errno = 0;
            written = write(fd, line->str, line->len);
        } while (written < 0 && errno == EINTR);
    }
    int reason = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (written == (ssize_t)line->len) {
        return true;
    }
    g_autofree char *message
        = g_strdup_printf("%s: cannot append the report of a launch: %s", path,
                          reason != 0 ? g_strerror(reason) : "no space left");
    note_lost(message);
    g_set_error_literal(error, WEIR_ERROR, WEIR_ERROR_RESOURCE, message);
    return false;
}

const char *weiri_check_client_line(const char *line, GError **error)
{
    pthread_mutex_lock(&state->lock);
    bool ready = weiri_check_client_read(line, error);
    g_autofree char *path = ready ? g_strdup(state->options.fork) : NULL;
    pthread_mutex_unlock(&state->lock);
    g_autofree char *asked = path != NULL ? weiri_fork_server_serve(path) : NULL;
    if (asked != NULL) {
        g_setenv("WEIR_OPTIONS", asked, TRUE);
    }
    return ready ? g_getenv("WEIR_OPTIONS") : NULL;
}

/* ---- Questions ------------------------------------------------------------------- */

/* Where WEIR_OPTIONS is malformed, the launch reports it. */
static bool wants(bool or_explore)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    if (line == NULL) {
        return false;
    }
    pthread_mutex_lock(&state->lock);
    bool wanted = weiri_check_client_read(line, NULL)
        && (state->options.launch.check
            || (or_explore && state->options.explore != NULL));
    pthread_mutex_unlock(&state->lock);
    return wanted;
}

bool weiri_check_client_checks(void)
{
    return wants(true);
}

bool weiri_check_client_orders(void)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    if (line == NULL) {
        return false;
    }
    pthread_mutex_lock(&state->lock);
    bool orders = weiri_check_client_read(line, NULL)
        && (state->options.launch.check || state->options.explore != NULL
            || state->options.schedule != NULL || state->replayed != NULL);
    pthread_mutex_unlock(&state->lock);
    return orders;
}

bool weiri_check_client_judges(void)
{
    return wants(false);
}

char *weiri_check_client_profile(const char *profile)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    char *found = NULL;
    if (line != NULL && strcmp(profile, "default") == 0) {
        pthread_mutex_lock(&state->lock);
        found = weiri_check_client_read(line, NULL) ? g_strdup(state->options.device)
                                                    : NULL;
        pthread_mutex_unlock(&state->lock);
    }
    return found;
}

void weiri_check_client_build(bool begins)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    pthread_mutex_lock(&state->lock);
    if (line != NULL && weiri_check_client_read(line, NULL)) {
        g_autofree char *builds = weiri_check_client_builds();
        if (builds != NULL) {
            weiri_builds_note(builds, begins);
        }
    }
    pthread_mutex_unlock(&state->lock);
}
