/* SPDX-License-Identifier: MIT
 *
 * launch.c: the pool of worker threads. Threads are started when a launch first
 * wants them and then sleep between launches.
 *
 * A launch is open while groups may be left to take. A sleeping thread that
 * wakes in time joins; the caller closes the launch when it finds no more
 * groups, and waits for those that joined and for no other. So a small launch
 * is over as soon as the caller has done it alone.
 *
 * Lock order: launching, then pool.lock. */
#include "config.h"

#include "exec/launch.h"

#include "exec/fault.h"
#include "exec/worker.h"

#include <pthread.h>
#include <stdarg.h>
#include <string.h>

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER; /* held for a launch */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t opened;       /* a launch was opened */
    pthread_cond_t left;         /* a thread has left a launch */
    struct weiri_launch *launch; /* the open one, or NULL */
    uint64_t serial;             /* of the open launch: each thread joins it once */
    uint32_t n_joined;           /* threads that are in the launch */
    uint32_t n_wanted;           /* threads that may still join */
    uint32_t n_threads;          /* in the pool, the callers of launches aside */
    GPtrArray *workers;          /* that no thread has, the last one used last */
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER,
           .opened = PTHREAD_COND_INITIALIZER,
           .left = PTHREAD_COND_INITIALIZER };

/* Worker 0 is whoever launches; guarded by `launching`. */
static struct weiri_worker caller_worker;
static struct weiri_fault_state caller_fault_state;

/* Which thread wakes is chance; the worker that it becomes is the one used last,
 * whose stacks are mapped. So a process maps stacks for as many workers as its
 * launches want, not for every thread that it ever started. */
static struct weiri_worker *take_worker(void)
{
    if (pool.workers == NULL) {
        pool.workers = g_ptr_array_new();
    }
    return pool.workers->len > 0
        ? g_ptr_array_steal_index(pool.workers, pool.workers->len - 1)
        : weiri_worker_new();
}

static void *thread_main(void *unused)
{
    (void)unused;
    struct weiri_fault_state fault_state = { 0 };
    uint64_t last_serial = 0;
    weiri_fault_enter(&fault_state);
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
        pthread_mutex_unlock(&pool.lock);
        weiri_worker_run(worker, launch);
        pthread_mutex_lock(&pool.lock);
        g_ptr_array_add(pool.workers, worker);
        pool.n_joined--;
        pthread_cond_signal(&pool.left);
    }
    return NULL;
}

/* A child process has only the thread that forked: it starts with no pool. */
static void forget_threads(void)
{
    pthread_mutex_init(&launching, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.opened, NULL);
    pthread_cond_init(&pool.left, NULL);
    pool.launch = NULL;
    pool.n_threads = pool.n_joined = pool.n_wanted = 0;
}

static void once_a_process(void)
{
    pthread_atfork(NULL, NULL, forget_threads);
}

/* Fewer threads than wanted are enough, but not none where one was asked for:
 * the system's refusal is told. Called with pool.lock held. */
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

void weiri_launch_fail(struct weiri_launch *launch, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    pthread_mutex_lock(&pool.lock);
    if (launch->error == NULL) {
        launch->error
            = g_error_new_valist(WEIR_ERROR, WEIR_ERROR_RESOURCE, format, values);
    }
    pthread_mutex_unlock(&pool.lock);
    va_end(values);
    atomic_store_explicit(&launch->stopped, 1, memory_order_relaxed); /* a hint */
}

bool weiri_launch_run(struct weiri_launch *launch, GError **error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, once_a_process);
    pthread_mutex_lock(&launching);
    bool alone = launch->n_workers == 1;
    struct weiri_fault_state before; /* faults are ours before anybody can run */
    weiri_fault_enter_caller(&caller_fault_state, &before);
    bool ready = alone || open_launch(launch, error);
    if (ready) {
        weiri_worker_run(&caller_worker, launch);
        if (!alone) {
            close_launch();
        }
    }
    weiri_fault_leave_caller(&before);
    pthread_mutex_unlock(&launching);
    if (launch->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&launch->error));
        return false;
    }
    return ready;
}
