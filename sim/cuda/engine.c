/* SPDX-License-Identifier: MIT
 *
 * engine.c: checked launches. CUDA's launches return before their kernels end, and a
 * kernel may wait for memory that the host writes after the launch. A checked launch is
 * deterministic: it runs on a thread of its own while the host waits for it, until it
 * has ended or all of its items wait for memory to change. Then the host goes on, and
 * the launch stands still until the host waits for it, or has changed memory that both
 * see. So one of the two runs at a time, and their order is that of the program.
 *
 * Only a host that waits for the launch makes such a wait final: the launch looks once
 * more, and if nothing has changed, no memory will, which is a finding. */
#include "config.h"

#include "cuda/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

/* How often a launch that is stuck looks whether the host has changed memory: a host
 * that polls memory makes no call that could let the launch go on. */
enum { LOOK_MS = 2, MOST_LOOK_MS = 50 };

static struct {
    pthread_mutex_t lock; /* guards all of this */
    pthread_cond_t changed;
    bool started;
    enum weiri_cuda_state state;
    void (*run)(void *data); /* NULL: nothing to do */
    void *data;
    bool last; /* the launch looks for the last time */
} engine = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* ---- Memory that the host may change --------------------------------------- */

static void hash(const struct weiri_cuda_memory *memory, void *data)
{
    uint64_t *sum = data;
    const unsigned char *at = (const unsigned char *)memory->start;
    uint64_t value = (uintptr_t)at;
    for (size_t i = 0; i < memory->bytes; i++) {
        value = (value ^ ((const volatile unsigned char *)at)[i]) * 0x9e3779b97f4a7c15;
        value ^= value >> 32;
    }
    *sum += value;
}

static uint64_t shared_now(void)
{
    uint64_t sum = 0;
    weiri_cuda_each_shared(hash, &sum);
    return sum;
}

/* ---- The thread ------------------------------------------------------------ */

/* Waits until the engine's state is another one, or for some time. Called with the
 * lock. */
static void wait_ms(long ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&engine.changed, &engine.lock, &until);
}

/* On the thread of the launch, which is stuck. Returns: whether it is to look again */
static bool outside(void *data)
{
    (void)data;
    uint64_t before = shared_now();
    long ms = LOOK_MS;
    pthread_mutex_lock(&engine.lock);
    if (engine.last) {
        engine.last = false;
        pthread_mutex_unlock(&engine.lock);
        return false;
    }
    engine.state = WEIRI_CUDA_STUCK;
    pthread_cond_broadcast(&engine.changed);
    while (engine.state == WEIRI_CUDA_STUCK) {
        wait_ms(ms);
        ms = MIN(2 * ms, MOST_LOOK_MS);
        if (engine.state == WEIRI_CUDA_STUCK && shared_now() != before) {
            engine.state = WEIRI_CUDA_RUNS;
        }
    }
    pthread_mutex_unlock(&engine.lock);
    return true;
}

static void *engine_main(void *unused)
{
    (void)unused;
    pthread_setname_np(pthread_self(), "weir:launches");
    weiri_host_commands_outside(outside, NULL);
    pthread_mutex_lock(&engine.lock);
    for (;;) {
        while (engine.run == NULL) {
            pthread_cond_wait(&engine.changed, &engine.lock);
        }
        pthread_mutex_unlock(&engine.lock);
        engine.run(engine.data);
        pthread_mutex_lock(&engine.lock);
        engine.run = NULL;
        engine.last = false;
        engine.state = WEIRI_CUDA_IDLE;
        pthread_cond_broadcast(&engine.changed);
    }
    return NULL;
}

/* In a child process, which has only the thread that forked. */
static void forget(void)
{
    pthread_mutex_init(&engine.lock, NULL);
    pthread_cond_init(&engine.changed, NULL);
    engine.started = false;
    engine.run = NULL;
    engine.state = WEIRI_CUDA_IDLE;
}

/* The program may be copied where it has reached its first launch: that is done before
 * there is a thread. */
static bool start(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    if (engine.started) {
        return true;
    }
    weiri_host_commands_ready();
    pthread_atfork(NULL, NULL, forget);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    engine.started = pthread_create(&thread, &attributes, engine_main, NULL) == 0;
    pthread_attr_destroy(&attributes);
    return engine.started;
}

/* Called with the lock. */
static enum weiri_cuda_state wait_for_launch(void)
{
    while (engine.state == WEIRI_CUDA_RUNS) {
        pthread_cond_wait(&engine.changed, &engine.lock);
    }
    return engine.state;
}

enum weiri_cuda_state weiri_cuda_engine_run(void (*run)(void *data), void *data)
{
    if (!start()) {
        run(data);
        return WEIRI_CUDA_IDLE;
    }
    pthread_mutex_lock(&engine.lock);
    engine.run = run;
    engine.data = data;
    engine.state = WEIRI_CUDA_RUNS;
    pthread_cond_broadcast(&engine.changed);
    enum weiri_cuda_state state = wait_for_launch();
    pthread_mutex_unlock(&engine.lock);
    return state;
}

enum weiri_cuda_state weiri_cuda_engine_go_on(bool last)
{
    pthread_mutex_lock(&engine.lock);
    if (engine.state == WEIRI_CUDA_STUCK) {
        engine.last = last;
        engine.state = WEIRI_CUDA_RUNS;
        pthread_cond_broadcast(&engine.changed);
    }
    enum weiri_cuda_state state = wait_for_launch();
    pthread_mutex_unlock(&engine.lock);
    return state;
}
