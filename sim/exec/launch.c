/* SPDX-License-Identifier: MIT
 *
 * launch.c: the pool of worker threads. Threads are started when a launch first needs
 * them, and sleep between launches.
 *
 * A launch is open while groups may be left to take. A sleeping thread that wakes in
 * time joins. When the caller finds no more groups, it closes the launch, and waits
 * only for the threads that joined. So a small launch ends as soon as the caller alone
 * has run it.
 *
 * A launch with a limit of time has one more thread, which waits for the limit. Then it
 * sets the launch's flag to stop. Items that do not call the machine within a moment
 * are interrupted by a signal.
 *
 * Lock order: launching, then pool.lock. */
#include "config.h"

#include "exec/launch.h"

#include "base/assert.h"
#include "base/statics.h"
#include "exec/failure.h"
#include "exec/fault.h"
#include "exec/stall.h"
#include "exec/worker.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER; /* held for a launch */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t opened;       /* a launch was opened */
    pthread_cond_t left;         /* a thread has left a launch */
    struct weiri_launch *launch; /* the open one, or NULL */
    uint64_t serial;             /* of the open launch, which a thread joins once */
    uint32_t n_joined;           /* threads that are in the launch */
    uint32_t n_wanted;           /* threads that may still join */
    uint32_t n_threads;          /* in the pool, without the callers of launches */
    GPtrArray *workers;          /* without a thread, the latest used last */
} pool WEIRI_NO_STATIC = { .lock = PTHREAD_MUTEX_INITIALIZER,
                           .opened = PTHREAD_COND_INITIALIZER,
                           .left = PTHREAD_COND_INITIALIZER };

/* The worker of the thread that launches; guarded by `launching`. */
static struct weiri_worker *caller_worker; /* made for the first launch */

/* A thread that wakes takes the worker used last, whose stacks are mapped. So a process
 * maps stacks for as many workers as its launches need, and not for every thread. */
static struct weiri_worker *take_worker(void)
{
    if (pool.workers == NULL) {
        pool.workers = g_ptr_array_new();
    }
    return pool.workers->len > 0
        ? g_ptr_array_steal_index(pool.workers, pool.workers->len - 1)
        : weiri_worker_new();
}

/* Runs one thread's part, in a thread that the timer can signal. pool.lock is held when
 * it is called and when it returns. */
static void take_part(struct weiri_worker *worker, struct weiri_launch *launch)
{
    pthread_t self = pthread_self();
    bool timed = launch->time_limit_ms != 0;
    if (timed) {
        g_array_append_val(launch->threads, self);
    }
    pthread_mutex_unlock(&pool.lock);
    weiri_worker_run(worker, launch);
    pthread_mutex_lock(&pool.lock);
    for (guint i = 0; timed && i < launch->threads->len; i++) {
        if (pthread_equal(g_array_index(launch->threads, pthread_t, i), self)) {
            g_array_remove_index_fast(launch->threads, i);
            break;
        }
    }
}

static void *thread_main(void *unused)
{
    (void)unused;
    uint64_t last_serial = 0;
    pthread_setname_np(pthread_self(), WEIRI_THREAD_NAME "worker");
    weiri_fault_enter();
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.launch == NULL || pool.n_wanted == 0
               || pool.serial == last_serial) {
            pthread_cond_wait(&pool.opened, &pool.lock);
        }
        struct weiri_launch *launch = pool.launch;
        struct weiri_worker *worker = take_worker();
        last_serial = pool.serial;
        pool.n_wanted--;
        pool.n_joined++;
        take_part(worker, launch);
        g_ptr_array_add(pool.workers, worker);
        pool.n_joined--;
        pthread_cond_signal(&pool.left);
    }
    return NULL;
}

/* In a child process, which has only the thread that forked: starts without a pool. */
static void forget_threads(void)
{
    pthread_mutex_init(&launching, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.opened, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.launch = NULL;
    pool.n_threads = pool.n_joined = pool.n_wanted = 0;
    weiri_fault_forget();
    weiri_stall_forget();
}

static void once_a_process(void)
{
    pthread_atfork(NULL, NULL, forget_threads);
}

/* Starts missing threads; an error if the system refuses. Called with pool.lock
 * held. */
static bool start_threads(uint32_t n_wanted, GError **error)
{
    while (pool.n_threads < n_wanted) {
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        int failed = pthread_create(&thread, &attributes, thread_main, NULL);
        pthread_attr_destroy(&attributes);
        if (failed) {
            g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                        "cannot start worker thread %u of %u: %s: give fewer workers",
                        pool.n_threads + 2, n_wanted + 1, g_strerror(failed));
            return false;
        }
        weiri_stall_add_thread(thread);
        pool.n_threads++;
    }
    return true;
}

static bool open_launch(struct weiri_launch *launch, GError **error)
{
    pthread_mutex_lock(&pool.lock);
    bool started = start_threads(launch->n_workers - 1, error);
    if (started) {
        pool.launch = launch;
        pool.serial++;
        pool.n_wanted = launch->n_workers - 1;
        for (uint32_t i = 0; i < pool.n_wanted; i++) {
            pthread_cond_signal(&pool.opened);
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return started;
}

static void close_launch(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.launch = NULL;
    while (pool.n_joined > 0) {
        pthread_cond_wait(&pool.left, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
}

/* ---- The limit of time --------------------------------------------------- */

/* How long an item may take to call the machine, which ends it in order, before it is
 * interrupted. */
enum { GRACE_MS = 100 };
/* Time to the next try, for an item that was where it must not be interrupted. */
enum { RETRY_MS = 2 };

/* Called with pool.lock held. Returns: whether the launch is over */
static bool wait_for_end(struct weiri_launch *launch, uint64_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    while (!launch->over) {
        if (pthread_cond_timedwait(&launch->ended, &pool.lock, &until) == ETIMEDOUT) {
            break;
        }
    }
    return launch->over;
}

static void *timer_main(void *data)
{
    struct weiri_launch *launch = data;
    pthread_mutex_lock(&pool.lock);
    launch->timer_waits = true;
    if (!wait_for_end(launch, launch->time_limit_ms)) {
        int runs_on = WEIRI_RUNS_ON;
        atomic_compare_exchange_strong(&launch->stopped, &runs_on,
                                       WEIRI_STOPPED_BY_TIME);
        for (uint64_t ms = GRACE_MS; !wait_for_end(launch, ms); ms = RETRY_MS) {
            for (guint i = 0; i < launch->threads->len; i++) {
                pthread_kill(g_array_index(launch->threads, pthread_t, i),
                             WEIRI_LIMIT_SIGNAL);
            }
        }
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

static bool start_timer(struct weiri_launch *launch, GError **error)
{
    launch->threads = g_array_new(FALSE, FALSE, sizeof(pthread_t));
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&launch->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    int failed = pthread_create(&launch->timer, NULL, timer_main, launch);
    if (failed) {
        pthread_cond_destroy(&launch->ended);
        g_array_unref(launch->threads);
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot start the thread that watches the time limit: %s",
                    g_strerror(failed));
        return false;
    }
    /* It waits before anything runs: binding its symbols would change statics. */
    for (bool waits = false; !waits; sched_yield()) {
        pthread_mutex_lock(&pool.lock);
        waits = launch->timer_waits;
        pthread_mutex_unlock(&pool.lock);
    }
    return true;
}

static void end_timer(struct weiri_launch *launch)
{
    pthread_mutex_lock(&pool.lock);
    launch->over = true;
    pthread_cond_signal(&launch->ended);
    pthread_mutex_unlock(&pool.lock);
    pthread_join(launch->timer, NULL);
    pthread_cond_destroy(&launch->ended);
    g_array_unref(launch->threads);
}

bool weiri_launch_go_on(struct weiri_launch *launch, uint64_t time_limit_ms)
{
    pthread_t self = pthread_self();
    launch->time_limit_ms = time_limit_ms;
    launch->timer_waits = false;
    weiri_fault_begin(launch);
    if (time_limit_ms == 0) {
        return true;
    }
    if (!start_timer(launch, NULL)) {
        return false;
    }
    pthread_mutex_lock(&pool.lock);
    g_array_append_val(launch->threads, self);
    pthread_mutex_unlock(&pool.lock);
    return true;
}

/* ---- Launching ----------------------------------------------------------- */

static void run_own_part(struct weiri_launch *launch)
{
    if (caller_worker == NULL) {
        caller_worker = weiri_worker_new();
    }
    if (launch->time_limit_ms == 0) {
        weiri_worker_run(caller_worker, launch);
        return;
    }
    pthread_mutex_lock(&pool.lock);
    take_part(caller_worker, launch);
    pthread_mutex_unlock(&pool.lock);
}

/* Sorts the observers by kind of event. */
static void sort_observers(struct weiri_audience *audience,
                           const struct weiri_observer *observers)
{
    audience->kinds = 0;
    for (unsigned kind = 0; kind < WEIRI_N_EVENTS; kind++) {
        unsigned n = 0;
        for (const struct weiri_observer *one = observers;
             one != NULL && one->event != NULL; one++) {
            if (one->kinds == 0 || (one->kinds >> kind & 1) != 0) {
                weiri_assert(n < WEIRI_MOST_OBSERVERS);
                audience->of[kind][n++] = *one;
                audience->kinds |= 1u << kind;
            }
        }
        audience->of[kind][n].event = NULL;
    }
}

bool weiri_launch_run(struct weiri_launch *launch, GError **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, once_a_process);
    pthread_mutex_lock(&launching);
    bool alone = launch->n_workers == 1;
    sort_observers(&launch->audience, launch->observers);
    launch->audience.shortcut = launch->shortcut;
    bool limited = launch->time_limit_ms != 0;
    weiri_fault_begin(launch); /* before any item can fault */
    bool ready = !limited || start_timer(launch, error);
    if (ready) {
        ready = alone || open_launch(launch, error);
        if (ready) {
            weiri_stall_begin(launch);
            run_own_part(launch);
        }
        if (ready && !alone) {
            close_launch();
        }
        if (ready) {
            weiri_stall_end(launch);
        }
        if (limited) {
            end_timer(launch);
        }
    }
    weiri_fault_end(launch);
    pthread_mutex_unlock(&launching);
    return !weiri_failure_propagate(launch, error) && ready;
}
