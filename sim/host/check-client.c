/* SPDX-License-Identifier: MIT
 *
 * check-client.c: see check-client.h.
 *
 * Invariants: a report is written with one call to a file opened for appending, so
 * that records of several processes never mix. The file of a recorded schedule is whole
 * at any time, since it is replaced as a whole. If it has many launches, it is replaced
 * only after a share of them was added, or when the process ends or forks: so the bytes
 * written in all are a small multiple of the file's. A process that finds the schedule
 * of another process in the file adds to that one. */
#include "config.h"

#include "host/check-client.h"

#include "weir-kernel.h"

#include "base/builds.h"
#include "base/exchange.h"
#include "base/fork-server.h"
#include "base/halt.h"
#include "base/state-server.h"
#include "deterministic/trace.h"
#include "report/options.h"
#include "report/record.h"
#include "report/unhooked.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Launches that may wait to be written: one for 16 that the file has. */
enum { WAITING_SHARE = 16 };

/* The version of a file that was found; all zero for a missing file. */
struct version {
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* WEIR_OPTIONS as this process has read it, and the files that it names. */
static struct {
    pthread_mutex_t lock; /* guards all of this */
    char *line;           /* the variable's value that was read last, or NULL */
    struct weiri_options options;
    uint64_t n_begun;               /* launches of this process */
    struct weir_schedule *recorded; /* or NULL; owned */
    struct version saved;           /* of @options.record, as it was last written */
    size_t n_saved;                 /* launches of @recorded that it has */
    struct weir_schedule *replayed; /* or NULL; owned */
    size_t n_followed;              /* launches of @replayed that it has gone past */
    size_t n_made;                  /* launches of all processes with a report */
    off_t seen_bytes;               /* of the file of reports: counted in @n_made */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- The options ----------------------------------------------------------------- */

static struct version version_of(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        return (struct version){ 0 };
    }
    return (struct version){ found.st_dev, found.st_ino, found.st_size, found.st_mtim };
}

static bool same_version(const struct version *a, const struct version *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes
        && a->changed.tv_sec == b->changed.tv_sec
        && a->changed.tv_nsec == b->changed.tv_nsec;
}

static void forget(void)
{
    weir_schedule_free(state.recorded);
    weir_schedule_free(state.replayed);
    weiri_options_clear(&state.options);
    state.recorded = state.replayed = NULL;
    state.saved = (struct version){ 0 };
    state.n_saved = 0;
    state.n_followed = state.n_made = 0;
    state.seen_bytes = 0;
    g_clear_pointer(&state.line, g_free);
}

/* Reads the variable, unless it has been read and is the same. */
static bool read_line(const char *line, GError **error)
{
    if (g_strcmp0(line, state.line) == 0) {
        return true;
    }
    forget();
    if (!weiri_options_read(line, &state.options, error)) {
        forget();
        return false;
    }
    if (state.options.replay != NULL) {
        state.replayed = weir_schedule_load(state.options.replay, error);
        if (state.replayed == NULL) {
            forget();
            return false;
        }
    }
    state.line = g_strdup(line);
    return true;
}

/* Prepares @recorded for one more launch: it is this process's own schedule, or another
 * process's if the file has changed. */
static bool open_record(GError **error)
{
    struct version found = version_of(state.options.record);
    if (state.recorded != NULL && same_version(&found, &state.saved)) {
        return true;
    }
    if (state.recorded != NULL
        && weir_schedule_n_launches(state.recorded) > state.n_saved) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "%s: another process has written this file in the meantime: the "
                    "schedules of both cannot be joined",
                    state.options.record);
        return false;
    }
    weir_schedule_free(state.recorded);
    state.saved = found;
    state.recorded = found.bytes > 0 ? weir_schedule_load(state.options.record, error)
                                     : weir_schedule_new();
    state.n_saved
        = state.recorded != NULL ? weir_schedule_n_launches(state.recorded) : 0;
    return state.recorded != NULL;
}

/* Reads what was appended to a file since @from. */
static GBytes *read_on(const char *path, off_t from, GError **error)
{
    off_t bytes = version_of(path).bytes - from;
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
    g_autoptr(GBytes) more = read_on(state.options.reports, state.seen_bytes, error);
    if (more == NULL) {
        return false;
    }
    size_t bytes, read;
    const char *text = g_bytes_get_data(more, &bytes);
    state.n_made += weiri_record_count_made(text, bytes, &read);
    state.seen_bytes += (off_t)read;
    return true;
}

/* Goes past the launches of @state.replayed that other processes have made. */
static bool catch_up(GError **error)
{
    if (state.replayed == NULL || state.options.reports == NULL) {
        return true;
    }
    if (!count_made(error)) {
        return false;
    }
    for (; state.n_followed < state.n_made; state.n_followed++) {
        weiri_trace_next(state.replayed);
    }
    return true;
}

/* The shorter of two limits, where 0 means "without a limit". */
static uint64_t shorter(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? MAX(a, b) : MIN(a, b);
}

/* Where builds of this process, and of its fellows, are noted. Called with the lock
 * held. Returns: (transfer full): or NULL */
static char *builds_path(void)
{
    const char *reports = state.options.reports;
    return reports != NULL ? g_strconcat(reports, WEIRI_BUILDS, NULL) : NULL;
}

static uint64_t left_until(uint64_t deadline_ms)
{
    g_autofree char *builds = builds_path();
    int64_t built_us = builds != NULL ? weiri_builds_us(builds) : 0;
    uint64_t now_ms = (uint64_t)((g_get_monotonic_time() - built_us) / 1000);
    return now_ms < deadline_ms ? deadline_ms - now_ms : 1;
}

static void merge(const struct weiri_options *given, struct weiri_check_client *launch)
{
    struct weir_launch_options *merged = &launch->merged;
    if (given->schedule != NULL || state.replayed != NULL) {
        merged->schedule = given->schedule;
        merged->seed = given->launch.seed;
        merged->replay = state.replayed;
        merged->loosely = given->launch.loosely;
    }
    if (given->record != NULL) {
        merged->record = state.recorded;
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

/* Where WEIR_OPTIONS is malformed, the launch reports it. */
static bool wants(bool or_explore)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    if (line == NULL) {
        return false;
    }
    pthread_mutex_lock(&state.lock);
    bool wanted = read_line(line, NULL)
        && (state.options.launch.check
            || (or_explore && state.options.explore != NULL));
    pthread_mutex_unlock(&state.lock);
    return wanted;
}

bool weiri_check_client_checks(void)
{
    return wants(true);
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
        pthread_mutex_lock(&state.lock);
        found = read_line(line, NULL) ? g_strdup(state.options.device) : NULL;
        pthread_mutex_unlock(&state.lock);
    }
    return found;
}

/* ---- The reports ----------------------------------------------------------------- */

/* Notes that a report is lost, so that the program's end is not taken for its own. */
static void note_lost(const char *message)
{
    g_autofree char *path
        = g_strconcat(state.options.reports, WEIRI_REPORTS_LOST, NULL);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        size_t bytes = MIN(strlen(message), WEIRI_REPORTS_LOST_BYTES);
        ssize_t written = pwrite(fd, message, bytes, 0);
        (void)written; /* the error of the launch remains */
        close(fd);
    }
}

/* Appends a record to @state.options.reports. Called with the lock held. */
static bool append(const GString *line, GError **error)
{
    const char *path = state.options.reports;
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

/* Appends the record of a launch that has ended or, with a @failure, was not made.
 * Called with the lock held. */
static bool hand_over(const struct weiri_check_client *launch,
                      const struct weir_kernel *kernel,
                      const struct weir_report *report, bool exits,
                      const GError *failure, GError **error)
{
    g_autofree char *recorded
        = launch->traced != NULL ? weiri_trace_to_text(launch->traced) : NULL;
    const char *unhooked
        = kernel->checked != NULL && kernel->language != WEIR_LANGUAGE_OPENCL
        ? weiri_unhooked((const void *)(uintptr_t)kernel->checked)
        : NULL;
    const struct weiri_launch_record head = {
        .process = (uint64_t)getpid(),
        .serial = launch->serial,
        .exits = exits,
        .kernel = kernel->name,
        .instrumented = kernel->checked != NULL,
        .unhooked = unhooked != NULL ? unhooked : launch->unseen,
        .schedule = state.options.schedule,
        .seed = state.options.launch.seed,
        .n_items = launch->n_items,
        .device = launch->device,
        .error = failure != NULL ? failure->message : NULL,
        .error_code
        = failure == NULL || failure->domain != WEIR_ERROR ? -1 : failure->code,
        .recorded = recorded,
    };
    g_autoptr(GString) line = report != NULL ? weiri_record_of_report(&head, report)
                                             : weiri_record_to_line(&head);
    return append(line, error);
}

/* With the option `fork`, this process becomes a server, if it can be copied: it forks
 * a copy for each run that the command asks for. Returns in the copies, with the run's
 * own WEIR_OPTIONS; or, without copies, with this process's; or NULL after an error */
static const char *serve_copies(const char *line, GError **error)
{
    pthread_mutex_lock(&state.lock);
    bool ready = read_line(line, error);
    g_autofree char *path = ready ? g_strdup(state.options.fork) : NULL;
    pthread_mutex_unlock(&state.lock);
    g_autofree char *asked = path != NULL ? weiri_fork_server_serve(path) : NULL;
    if (asked != NULL) {
        g_setenv("WEIR_OPTIONS", asked, TRUE);
    }
    return ready ? g_getenv("WEIR_OPTIONS") : NULL;
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
    line = serve_copies(line, error);
    if (line == NULL) {
        return NULL;
    }
    pthread_mutex_lock(&state.lock);
    bool ready = read_line(line, error)
        && (state.options.record == NULL || open_record(error)) && catch_up(error);
    launch->serial = ++state.n_begun;
    if (ready && state.options.reports != NULL) {
        g_autoptr(GString) begins = weiri_record_to_line(
            &(struct weiri_launch_record){ .begins = true,
                                           .process = (uint64_t)getpid(),
                                           .serial = launch->serial,
                                           .kernel = kernel->name });
        ready = append(begins, error);
    }
    if (ready) {
        merge(&state.options, launch);
    }
    if (ready && state.options.halt != NULL
        && state.options.halt_at == state.n_followed + 1) {
        weiri_halt(state.options.halt);
    }
    pthread_mutex_unlock(&state.lock);
    return ready ? &launch->merged : NULL;
}

/* ---- Recording in a file --------------------------------------------------------- */

static bool save_record(GError **error)
{
    bool saved = weir_schedule_save(state.recorded, state.options.record, error);
    state.saved = version_of(state.options.record);
    state.n_saved = weir_schedule_n_launches(state.recorded);
    return saved;
}

/* Writes launches that have waited. An error cannot be returned, as nothing has
 * called. */
static void save_rest(void)
{
    if (state.recorded != NULL
        && weir_schedule_n_launches(state.recorded) > state.n_saved) {
        (void)save_record(NULL);
    }
}

static void on_process_end(void)
{
    pthread_mutex_lock(&state.lock);
    save_rest();
    pthread_mutex_unlock(&state.lock);
}

static void before_fork(void)
{
    pthread_mutex_lock(&state.lock);
    save_rest();
}

static void after_fork(void)
{
    pthread_mutex_unlock(&state.lock);
}

static void watch_process(void)
{
    atexit(on_process_end);
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* @exits: an item has called exit(), which has run on_process_end() and does not run it
 * again: so nothing may wait */
static bool save_in_time(bool exits, GError **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (state.recorded == NULL) {
        return true;
    }
    pthread_once(&once, watch_process);
    size_t waiting = weir_schedule_n_launches(state.recorded) - state.n_saved;
    bool may_wait = !exits && waiting <= state.n_saved / WAITING_SHARE;
    return may_wait || save_record(error);
}

/* ---- States of an explored launch ------------------------------------------------ */

/* Options that later launches of a copy keep. */
static const char *const kept[] = { "device=", "order=",   "sub-group=", "stack-bytes=",
                                    "exited=", "pairing=", "after=",     NULL };

/* A copy judges one state of the launch: it does not explore what comes after. */
static void become_copy(const char *line)
{
    pthread_mutex_lock(&state.lock);
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
    (void)read_line(text, NULL);
    pthread_mutex_unlock(&state.lock);
}

struct weiri_state_server *weiri_check_client_states(bool *is_copy)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    *is_copy = false;
    pthread_mutex_lock(&state.lock);
    bool asked = line != NULL && g_strcmp0(line, state.line) == 0
        && state.options.explore != NULL && state.options.reports != NULL;
    pthread_mutex_unlock(&state.lock);
    g_autofree char *text = g_strdup(line);
    struct weiri_state_server *server = asked ? weiri_state_server_new(is_copy) : NULL;
    if (*is_copy) {
        become_copy(text);
    }
    return server;
}

/* ---- The end of a launch --------------------------------------------------------- */

bool weiri_check_client_end(struct weiri_check_client *launch,
                            const struct weir_kernel *kernel,
                            const struct weir_report *report, bool exits,
                            GError **error)
{
    pthread_mutex_lock(&state.lock);
    bool taken = false;
    if (state.line != NULL && g_getenv("WEIR_OPTIONS") != NULL) {
        state.n_followed += state.replayed != NULL;
        taken = save_in_time(exits, error) && state.options.reports != NULL
            && hand_over(launch, kernel, report, exits, NULL, error);
    }
    pthread_mutex_unlock(&state.lock);
    g_clear_pointer(&launch->traced, weir_schedule_free);
    return taken;
}

bool weiri_check_client_aside(const struct weir_report *report, GError **error)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    line = line != NULL ? serve_copies(line, error) : NULL;
    if (line == NULL) {
        return false;
    }
    pthread_mutex_lock(&state.lock);
    bool taken = false;
    if (read_line(line, error) && state.options.reports != NULL) {
        const struct weiri_launch_record head
            = { .aside = true,
                .process = (uint64_t)getpid(),
                .kernel = weir_report_finding(report, 0)->kernel,
                .instrumented = true,
                .schedule = state.options.schedule,
                .seed = state.options.launch.seed };
        g_autoptr(GString) record = weiri_record_of_report(&head, report);
        taken = append(record, error);
    }
    pthread_mutex_unlock(&state.lock);
    return taken;
}

void weiri_check_client_build(bool begins)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    pthread_mutex_lock(&state.lock);
    if (line != NULL && read_line(line, NULL)) {
        g_autofree char *builds = builds_path();
        if (builds != NULL) {
            weiri_builds_note(builds, begins);
        }
    }
    pthread_mutex_unlock(&state.lock);
}

void weiri_check_client_fail(struct weiri_check_client *launch,
                             const struct weir_kernel *kernel, const GError *failure)
{
    pthread_mutex_lock(&state.lock);
    if (state.line != NULL && state.options.reports != NULL
        && g_getenv("WEIR_OPTIONS") != NULL) {
        /* The caller of the launch gets @failure; this error would only hide it. */
        (void)hand_over(launch, kernel, NULL, false, failure, NULL);
    }
    pthread_mutex_unlock(&state.lock);
    g_clear_pointer(&launch->traced, weir_schedule_free);
}
