/* SPDX-License-Identifier: MIT
 *
 * check-client-begin.c: see check-client.h. A launch begins: the options of
 * WEIR_OPTIONS are joined with its own, and the command gets a record of its beginning.
 * */
#include "config.h"

#include "host/check-client.h"

#include "weir-kernel.h"

#include "base/builds.h"
#include "base/exchange.h"
#include "base/halt.h"
#include "base/state-server.h"
#include "deterministic/trace.h"
#include "host/check-client-state.h"
#include "report/record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct weiri_check_client_state *const state = &weiri_check_client_state;

/* ---- The options ----------------------------------------------------------------- */

/* Reads what was appended to a file since @from. */
static GBytes *read_on(const char *path, off_t from, GError **error)
{
    struct stat found;
    off_t bytes = (stat(path, &found) == 0 ? found.st_size : 0) - from;
    char *data = g_malloc((gsize)MAX(bytes, 0));
    int fd = bytes > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd >= 0 ? pread(fd, data, (size_t)bytes, from) : 0;
    if (fd >= 0) {
        close(fd);
    }
    if (bytes > 0 && n != bytes) {
        g_free(data);
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "%s: cannot read reports of launches", path);
        return NULL;
    }
    return g_bytes_new_take(data, (gsize)MAX(bytes, 0));
}

/* Counts the launches of all processes that there are reports of. */
static bool count_made(GError **error)
{
    g_autoptr(GBytes) more = read_on(state->options.reports, state->seen_bytes, error);
    if (more == NULL) {
        return false;
    }
    size_t bytes, read;
    const char *text = g_bytes_get_data(more, &bytes);
    state->n_made += weiri_record_count_made(text, bytes, &read);
    state->seen_bytes += (off_t)read;
    return true;
}

/* Goes past the launches of @state->replayed that other processes have made. */
static bool catch_up(GError **error)
{
    if (state->replayed == NULL || state->options.reports == NULL) {
        return true;
    }
    if (!count_made(error)) {
        return false;
    }
    for (; state->n_followed < state->n_made; state->n_followed++) {
        weiri_trace_next(state->replayed);
    }
    return true;
}

/* The shorter of two limits, where 0 means "without a limit". */
static uint64_t shorter(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? MAX(a, b) : MIN(a, b);
}

static uint64_t left_until(uint64_t deadline_ms)
{
    g_autofree char *builds = weiri_check_client_builds();
    int64_t built_us = builds != NULL ? weiri_builds_us(builds) : 0;
    uint64_t now_ms = (uint64_t)((g_get_monotonic_time() - built_us) / 1000);
    return now_ms < deadline_ms ? deadline_ms - now_ms : 1;
}

static void merge(const struct weiri_options *given, struct weiri_check_client *launch)
{
    struct weir_launch_options *merged = &launch->merged;
    if (given->schedule != NULL || state->replayed != NULL) {
        merged->schedule = given->schedule;
        merged->seed = given->launch.seed;
        merged->replay = state->replayed;
        merged->loosely = given->launch.loosely;
    }
    if (given->record != NULL) {
        merged->record = state->recorded;
    } else if (given->traced) {
        merged->record = launch->traced = weir_schedule_new();
    }
    if (given->launch.sub_group_size != 0) {
        merged->sub_group_size = given->launch.sub_group_size;
    }
    if (given->launch.stack_bytes != 0) {
        merged->stack_bytes = given->launch.stack_bytes;
    }
    if (given->launch.list_steps != 0) {
        merged->list_steps = given->launch.list_steps;
    }
    if (given->trace != NULL) {
        merged->trace = given->trace;
        merged->trace_events = given->launch.trace_events;
    }
    if (given->order != NULL) {
        merged->order = given->order;
    }
    if (given->explore != NULL) {
        merged->explore = given->explore;
        merged->plain_events = given->launch.plain_events;
        merged->max_executions = given->launch.max_executions;
        merged->resident = given->launch.resident;
        merged->forwards = given->launch.forwards;
        merged->forwards_by_group = given->launch.forwards_by_group;
        merged->jobs = given->launch.jobs;
        merged->until_wrong = given->launch.until_wrong;
        merged->litmus = given->launch.litmus;
        merged->samples = given->launch.samples;
        merged->bounded = given->launch.bounded;
        merged->deviations = given->launch.deviations;
        merged->symmetry = given->launch.symmetry;
        merged->play = given->play;
        if (given->ranks != NULL) {
            weiri_exchange_set_socket(given->ranks);
        }
    }
    launch->idle = given->idle;
    merged->lockstep |= given->launch.lockstep;
    if (given->launch.step_limit != 0) {
        merged->step_limit = given->launch.step_limit;
    }
    merged->time_limit_ms = shorter(merged->time_limit_ms, given->launch.time_limit_ms);
    if (given->deadline_ms != 0) {
        merged->time_limit_ms
            = shorter(merged->time_limit_ms, left_until(given->deadline_ms));
    }
    merged->check = given->check_given ? given->launch.check : merged->check;
#define X(name, key, ...)                                                              \
    merged->name = given->name##_given ? given->launch.name : merged->name;
    WEIRI_OPTIONS_CHOICES(X)
#undef X
}

const struct weir_launch_options *weiri_check_client_begin(
    struct weiri_check_client *launch, const struct weir_kernel *kernel,
    const char *device, uint64_t n_items, const struct weir_launch_options *own,
    GError **error)
{
    static const struct weir_launch_options defaults = WEIR_LAUNCH_OPTIONS;
    own = own != NULL ? own : &defaults;
    *launch = (struct weiri_check_client){ .merged = *own,
                                           .n_items = n_items,
                                           .device = device };
    const char *line = g_getenv("WEIR_OPTIONS");
    if (line == NULL) {
        return own;
    }
    line = weiri_check_client_line(line, error);
    if (line == NULL) {
        return NULL;
    }
    pthread_mutex_lock(&state->lock);
    bool ready = weiri_check_client_read(line, error)
        && (state->options.record == NULL || weiri_check_client_open_record(error))
        && catch_up(error);
    launch->serial = ++state->n_begun;
    if (ready && state->options.reports != NULL) {
        g_autoptr(GString) begins = weiri_record_to_line(
            &(struct weiri_launch_record){ .begins = true,
                                           .process = (uint64_t)getpid(),
                                           .serial = launch->serial,
                                           .kernel = kernel->name });
        ready = weiri_check_client_append(begins, error);
    }
    if (ready) {
        merge(&state->options, launch);
    }
    if (ready && state->options.halt != NULL
        && state->options.halt_at == state->n_followed + 1) {
        weiri_halt(state->options.halt);
    }
    pthread_mutex_unlock(&state->lock);
    return ready ? &launch->merged : NULL;
}

/* ---- States of an explored launch ------------------------------------------------ */

/* Options that later launches of a copy keep. */
static const char *const kept[] = { "device=", "order=",   "sub-group=", "stack-bytes=",
                                    "exited=", "pairing=", "after=",     NULL };

/* A copy judges one state of the launch: it does not explore what comes after. */
static void become_copy(const char *line)
{
    pthread_mutex_lock(&state->lock);
    GString *own = g_string_new("schedule=in-order");
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    for (size_t w = 0; words[w] != NULL; w++) {
        for (size_t k = 0; kept[k] != NULL; k++) {
            if (g_str_has_prefix(words[w], kept[k])) {
                g_string_append_printf(own, " %s", words[w]);
            }
        }
        if (g_str_has_prefix(words[w], "reports=")) { /* beside the real ones */
            g_string_append_printf(own, " %s-judged", words[w]);
        }
    }
    g_autofree char *text = g_string_free(own, FALSE);
    g_setenv("WEIR_OPTIONS", text, TRUE);
    (void)weiri_check_client_read(text, NULL);
    pthread_mutex_unlock(&state->lock);
}

struct weiri_state_server *weiri_check_client_states(bool *is_copy)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    *is_copy = false;
    pthread_mutex_lock(&state->lock);
    bool asked = line != NULL && g_strcmp0(line, state->line) == 0
        && state->options.explore != NULL && state->options.reports != NULL;
    pthread_mutex_unlock(&state->lock);
    g_autofree char *text = g_strdup(line);
    struct weiri_state_server *server = asked ? weiri_state_server_new(is_copy) : NULL;
    if (*is_copy) {
        become_copy(text);
    }
    return server;
}
