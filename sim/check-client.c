/* SPDX-License-Identifier: MIT
 *
 * check-client.c: see check-client.h.
 *
 * Invariants: a report is written with one call to a file opened for appending, so
 * that records of several processes never mix. The file of a recorded schedule is
 * whole at any time: it is written anew. Where it has many launches this is put off
 * until some more were made, or the process ends or forks, so that all this writing is
 * no more than a few times the file. A process that finds another schedule there than
 * it left there itself goes on from that one. */
#include "config.h"

#include "check-client.h"

#include "weir-kernel.h"

#include "base/fork-server.h"
#include "base/halt.h"
#include "report/options.h"
#include "report/record.h"
#include "watch/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Launches that may wait to be written, as a share of those that are: 1 in 16. */
enum { WAITING_SHARE = 16 };

/* Which version of a file was there; all zero where there is none. */
struct version {
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

static struct {
    pthread_mutex_t lock; /* guards all of this */
    char *line;           /* what was read, or NULL before */
    struct weiri_options options;
    uint64_t n_begun;               /* launches of this process */
    struct weir_schedule *recorded; /* or NULL; owned */
    struct version saved;           /* of @options.record, as it was last written */
    size_t n_saved;                 /* launches of @recorded that it has */
    struct weir_schedule *replayed; /* or NULL; owned */
    size_t n_followed;              /* launches of @replayed that it has gone past */
    size_t n_made;                  /* launches that there are reports of, and */
    off_t seen_bytes;               /* up to where these were counted */
} remote = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- What is asked --------------------------------------------------------------- */

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
    weir_schedule_free(remote.recorded);
    weir_schedule_free(remote.replayed);
    weiri_options_clear(&remote.options);
    remote.recorded = remote.replayed = NULL;
    remote.saved = (struct version){ 0 };
    remote.n_saved = 0;
    remote.n_followed = remote.n_made = 0;
    remote.seen_bytes = 0;
    g_clear_pointer(&remote.line, g_free);
}

/* Reads the variable if it is another one than before. */
static bool read_line(const char *line, GError **error)
{
    if (g_strcmp0(line, remote.line) == 0) {
        return true;
    }
    forget();
    if (!weiri_options_read(line, &remote.options, error)) {
        forget();
        return false;
    }
    if (remote.options.replay != NULL) {
        remote.replayed = weir_schedule_load(remote.options.replay, error);
        if (remote.replayed == NULL) {
            forget();
            return false;
        }
    }
    remote.line = g_strdup(line);
    return true;
}

/* The schedule to go on recording: ours, or what another process has left. */
static bool open_record(GError **error)
{
    struct version found = version_of(remote.options.record);
    if (remote.recorded != NULL && same_version(&found, &remote.saved)) {
        return true;
    }
    if (remote.recorded != NULL
        && weir_schedule_n_launches(remote.recorded) > remote.n_saved) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "%s: another process has written it since this one did: the "
                    "schedules of both cannot be joined",
                    remote.options.record);
        return false;
    }
    weir_schedule_free(remote.recorded);
    remote.saved = found;
    remote.recorded = found.bytes > 0 ? weir_schedule_load(remote.options.record, error)
                                      : weir_schedule_new();
    remote.n_saved
        = remote.recorded != NULL ? weir_schedule_n_launches(remote.recorded) : 0;
    return remote.recorded != NULL;
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
    g_autoptr(GBytes) more = read_on(remote.options.reports, remote.seen_bytes, error);
    if (more == NULL) {
        return false;
    }
    size_t bytes, read;
    const char *text = g_bytes_get_data(more, &bytes);
    remote.n_made += weiri_record_count_made(text, bytes, &read);
    remote.seen_bytes += (off_t)read;
    return true;
}

/* Goes past the launches of @remote.replayed that other processes have made. */
static bool catch_up(GError **error)
{
    if (remote.replayed == NULL || remote.options.reports == NULL) {
        return true;
    }
    if (!count_made(error)) {
        return false;
    }
    for (; remote.n_followed < remote.n_made; remote.n_followed++) {
        weiri_trace_next(remote.replayed);
    }
    return true;
}

/* The shorter of two limits, of which 0 is none. */
static uint64_t shorter(uint64_t a, uint64_t b)
{
    return a == 0 || b == 0 ? MAX(a, b) : MIN(a, b);
}

static uint64_t left_until(uint64_t deadline_ms)
{
    uint64_t now_ms = (uint64_t)(g_get_monotonic_time() / 1000);
    return now_ms < deadline_ms ? deadline_ms - now_ms : 1;
}

static void merge(const struct weiri_options *said, struct weiri_check_client *launch)
{
    struct weir_launch_options *merged = &launch->merged;
    if (said->schedule != NULL || remote.replayed != NULL) {
        merged->schedule = said->schedule;
        merged->seed = said->launch.seed;
        merged->replay = remote.replayed;
        merged->loosely = said->launch.loosely;
    }
    if (said->record != NULL) {
        merged->record = remote.recorded;
    } else if (said->traced) {
        merged->record = launch->traced = weir_schedule_new();
    }
    if (said->launch.sub_group_size != 0) {
        merged->sub_group_size = said->launch.sub_group_size;
    }
    if (said->launch.stack_bytes != 0) {
        merged->stack_bytes = said->launch.stack_bytes;
    }
    if (said->launch.list_steps != 0) {
        merged->list_steps = said->launch.list_steps;
    }
    if (said->order != NULL) {
        merged->order = said->order;
    }
    if (said->explore != NULL) {
        merged->explore = said->explore;
        merged->plain_events = said->launch.plain_events;
        merged->max_executions = said->launch.max_executions;
    }
    merged->lockstep |= said->launch.lockstep;
    if (said->launch.step_limit != 0) {
        merged->step_limit = said->launch.step_limit;
    }
    merged->time_limit_ms = shorter(merged->time_limit_ms, said->launch.time_limit_ms);
    if (said->deadline_ms != 0) {
        merged->time_limit_ms
            = shorter(merged->time_limit_ms, left_until(said->deadline_ms));
    }
    merged->check = said->check_given ? said->launch.check : merged->check;
#define X(name, key, ...)                                                              \
    merged->name = said->name##_given ? said->launch.name : merged->name;
    WEIRI_OPTIONS_CHOICES(X)
#undef X
}

/* Where WEIR_OPTIONS is malformed, the launch reports it. */
bool weiri_check_client_checks(void)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    if (line == NULL) {
        return false;
    }
    pthread_mutex_lock(&remote.lock);
    bool checks = read_line(line, NULL) && remote.options.launch.check;
    pthread_mutex_unlock(&remote.lock);
    return checks;
}

char *weiri_check_client_profile(const char *profile)
{
    const char *line = g_getenv("WEIR_OPTIONS");
    char *found = NULL;
    if (line != NULL && strcmp(profile, "default") == 0) {
        pthread_mutex_lock(&remote.lock);
        found = read_line(line, NULL) ? g_strdup(remote.options.device) : NULL;
        pthread_mutex_unlock(&remote.lock);
    }
    return found;
}

/* ---- What is handed over --------------------------------------------------------- */

/* Called with the lock held, and @remote.options.reports set, as what follows. */
static bool append(const GString *line, GError **error)
{
    const char *path = remote.options.reports;
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
    if (written < 0 || (size_t)written != line->len) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "%s: cannot append the report of a launch: %s", path,
                    reason != 0 ? g_strerror(reason) : "there is no space left");
        return false;
    }
    return true;
}

static bool hand_over(const struct weiri_check_client *launch,
                      const struct weir_kernel *kernel,
                      const struct weir_report *report, bool exits,
                      const GError *failure, GError **error)
{
    g_autofree char *recorded
        = launch->traced != NULL ? weiri_trace_to_text(launch->traced) : NULL;
    const struct weiri_launch_record head = {
        .process = (uint64_t)getpid(),
        .serial = launch->serial,
        .exits = exits,
        .kernel = kernel->name,
        .instrumented = kernel->checked != NULL,
        .schedule = remote.options.schedule,
        .seed = remote.options.launch.seed,
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

/* Where copies of the process are wanted and can be had, goes on in a copy, with the
 * options that were asked for it. Returns: WEIR_OPTIONS, or NULL after an error */
static const char *split(const char *line, GError **error)
{
    pthread_mutex_lock(&remote.lock);
    bool ready = read_line(line, error);
    g_autofree char *path = ready ? g_strdup(remote.options.fork) : NULL;
    pthread_mutex_unlock(&remote.lock);
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
    line = split(line, error);
    if (line == NULL) {
        return NULL;
    }
    pthread_mutex_lock(&remote.lock);
    bool ready = read_line(line, error)
        && (remote.options.record == NULL || open_record(error)) && catch_up(error);
    launch->serial = ++remote.n_begun;
    if (ready && remote.options.reports != NULL) {
        g_autoptr(GString) begins = weiri_record_to_line(
            &(struct weiri_launch_record){ .begins = true,
                                           .process = (uint64_t)getpid(),
                                           .serial = launch->serial,
                                           .kernel = kernel->name });
        ready = append(begins, error);
    }
    if (ready) {
        merge(&remote.options, launch);
    }
    if (ready && remote.options.halt != NULL
        && remote.options.halt_at == remote.n_followed + 1) {
        weiri_halt(remote.options.halt);
    }
    pthread_mutex_unlock(&remote.lock);
    return ready ? &launch->merged : NULL;
}

/* ---- Recording in a file ----------------------------------------------------------
 * */

static bool save_record(GError **error)
{
    bool saved = weir_schedule_save(remote.recorded, remote.options.record, error);
    remote.saved = version_of(remote.options.record);
    remote.n_saved = weir_schedule_n_launches(remote.recorded);
    return saved;
}

/* What is still to be written. The process ends: an error has no caller to go to. */
static void save_rest(void)
{
    if (remote.recorded != NULL
        && weir_schedule_n_launches(remote.recorded) > remote.n_saved) {
        (void)save_record(NULL);
    }
}

static void on_process_end(void)
{
    pthread_mutex_lock(&remote.lock);
    save_rest();
    pthread_mutex_unlock(&remote.lock);
}

static void before_fork(void)
{
    pthread_mutex_lock(&remote.lock);
    save_rest();
}

static void after_fork(void)
{
    pthread_mutex_unlock(&remote.lock);
}

static void watch_process(void)
{
    atexit(on_process_end);
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* @exits: what is to be done when the process ends was done */
static bool save_in_time(bool exits, GError **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (remote.recorded == NULL) {
        return true;
    }
    pthread_once(&once, watch_process);
    size_t waiting = weir_schedule_n_launches(remote.recorded) - remote.n_saved;
    bool may_wait = !exits && waiting <= remote.n_saved / WAITING_SHARE;
    return may_wait || save_record(error);
}

/* ---- The end of a launch -----------------------------------------------------------
 * */

bool weiri_check_client_end(struct weiri_check_client *launch,
                            const struct weir_kernel *kernel,
                            const struct weir_report *report, bool exits,
                            GError **error)
{
    pthread_mutex_lock(&remote.lock);
    bool taken = false;
    if (remote.line != NULL && g_getenv("WEIR_OPTIONS") != NULL) {
        remote.n_followed += remote.replayed != NULL;
        taken = save_in_time(exits, error) && remote.options.reports != NULL
            && hand_over(launch, kernel, report, exits, NULL, error);
    }
    pthread_mutex_unlock(&remote.lock);
    g_clear_pointer(&launch->traced, weir_schedule_free);
    return taken;
}

void weiri_check_client_fail(struct weiri_check_client *launch,
                             const struct weir_kernel *kernel, const GError *failure)
{
    pthread_mutex_lock(&remote.lock);
    if (remote.line != NULL && remote.options.reports != NULL
        && g_getenv("WEIR_OPTIONS") != NULL) {
        /* The caller of the launch gets @failure; this error would only hide it. */
        (void)hand_over(launch, kernel, NULL, false, failure, NULL);
    }
    pthread_mutex_unlock(&remote.lock);
    g_clear_pointer(&launch->traced, weir_schedule_free);
}
