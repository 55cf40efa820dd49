/* SPDX-License-Identifier: MIT
 *
 * check-client-record.c: the file of a recorded schedule, which WEIR_OPTIONS names.
 *
 * Invariants: the file is whole at any time, since it is replaced as a whole. If it has
 * many launches, it is replaced only after a share of them was added, or when the
 * process ends or forks: so the bytes written in all are a small multiple of the
 * file's. A process that finds the schedule of another process in the file adds to that
 * one. */
#include "config.h"

#include "host/check-client-state.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Launches that may wait to be written: one for 16 that the file has. */
enum { WAITING_SHARE = 16 };

static struct weiri_check_client_state *const state = &weiri_check_client_state;

static struct weiri_file_version version_of(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        return (struct weiri_file_version){ 0 };
    }
    return (struct weiri_file_version){ found.st_dev, found.st_ino, found.st_size,
                                        found.st_mtim };
}

static bool same_version(const struct weiri_file_version *a,
                         const struct weiri_file_version *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes
        && a->changed.tv_sec == b->changed.tv_sec
        && a->changed.tv_nsec == b->changed.tv_nsec;
}

bool weiri_check_client_open_record(GError **error)
{
    struct weiri_file_version found = version_of(state->options.record);
    if (state->recorded != NULL && same_version(&found, &state->saved)) {
        return true;
    }
    if (state->recorded != NULL
        && weir_schedule_n_launches(state->recorded) > state->n_saved) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_SCHEDULE,
                    "%s: another process has written this file in the meantime: the "
                    "schedules of both cannot be joined",
                    state->options.record);
        return false;
    }
    weir_schedule_free(state->recorded);
    state->saved = found;
    state->recorded = found.bytes > 0 ? weir_schedule_load(state->options.record, error)
                                      : weir_schedule_new();
    state->n_saved
        = state->recorded != NULL ? weir_schedule_n_launches(state->recorded) : 0;
    return state->recorded != NULL;
}

static bool save_record(GError **error)
{
    bool saved = weir_schedule_save(state->recorded, state->options.record, error);
    state->saved = version_of(state->options.record);
    state->n_saved = weir_schedule_n_launches(state->recorded);
    return saved;
}

/* Writes launches that have waited. An error cannot be returned, as nothing has
 * called. */
static void save_rest(void)
{
    if (state->recorded != NULL
        && weir_schedule_n_launches(state->recorded) > state->n_saved) {
        (void)save_record(NULL);
    }
}

static void on_process_end(void)
{
    pthread_mutex_lock(&state->lock);
    save_rest();
    pthread_mutex_unlock(&state->lock);
}

static void before_fork(void)
{
    pthread_mutex_lock(&state->lock);
    save_rest();
}

static void after_fork(void)
{
    pthread_mutex_unlock(&state->lock);
}

static void watch_process(void)
{
    atexit(on_process_end);
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* An item that has called exit() has run on_process_end() and does not run it
 * again: so nothing may wait */
bool weiri_check_client_save_record(bool exits, GError **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (state->recorded == NULL) {
        return true;
    }
    pthread_once(&once, watch_process);
    size_t waiting = weir_schedule_n_launches(state->recorded) - state->n_saved;
    bool may_wait = !exits && waiting <= state->n_saved / WAITING_SHARE;
    return may_wait || save_record(error);
}
