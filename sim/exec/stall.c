/* SPDX-License-Identifier: MIT
 *
 * stall.c: see stall.h. The watcher is a thread of its own, which starts with the first
 * fast launch. It sleeps, and looks whether the same launch still runs, and has taken
 * no group since. After a second without that it samples the workers, by a signal, and
 * after another second once more.
 *
 * A sample holds numbers that a worker keeps anyway: how often its groups met and how
 * many of their items have returned, which is progress; the patience of the running
 * item, which fruitless atomics wear down; and how often an item gave way after that,
 * and where. Between two such items the worker is in the machine, or asleep in the
 * system: on an idle machine most samples find it there. A loop without atomics shows
 * in the registers: if it waits for memory to change, it returns to the same few
 * values; if it computes, these differ from sample to sample.
 *
 * A launch is reported once, if no worker has made progress between the two samplings
 * and all of them wait. An item that computes for seconds is not a reason for a report,
 * and others may wait for it: then the launch is looked at again later.
 *
 * Invariant: while the watcher has `state` at SAMPLED, the launch cannot end, so its
 * workers and the thread that launched still exist. */
#include "config.h"

#include "exec/stall.h"

#include "base/statics.h"
#include "exec/fault.h"
#include "exec/worker.h"

#include <signal.h>
#include <string.h>
#include <time.h>

/* How often the watcher looks, and after how many looks without news it takes the first
 * samples and the second ones. */
enum { LOOK_MS = 250, LOOKS_TO_FIRST = 4, LOOKS_TO_SECOND = 8 };

/* Samples of each worker: enough that a loop returns to the same registers, and that a
 * sample finds the kernel's code in a loop that is often in the machine or the
 * system. */
enum { ROUNDS = 50, ROUND_MS = 1 };

/* No sampling: more than any sampling has. */
#define CLOSED (UINT32_C(1) << 31)

/* A thread is not looked for beyond this many. */
enum { MOST_THREADS = 64 };

/* Registers repeat in a loop that waits: a quarter of the samples at most differ. */
enum { LOOP_SHARE = 4 };

enum state { IDLE, RUNS, SAMPLED };

struct sample {
    const struct weiri_worker *worker;
    const void *pc; /* NULL: not known */
    bool in_kernel; /* else in the machine, after an item gave way at @pc */
    uint64_t registers;
    uint64_t progress;
    size_t group;
    size_t item;
    long patience;
    uint64_t n_gave_way;
};

static struct {
    _Atomic int state;
    _Atomic uint64_t serial; /* of the launch */
    const struct weiri_launch *launch;
    pthread_t caller; /* of the launch */
    bool started;     /* the watcher */
    pthread_mutex_t lock;
    pthread_t threads[MOST_THREADS]; /* of the pool; guarded by @lock */
    uint32_t n_threads;
    struct sample *samples; /* of this sampling, */
    uint32_t most_samples;
    _Atomic uint32_t n_samples; /* samples begun, */
    _Atomic uint32_t n_taken;   /* samples complete */
} watch WEIRI_NO_STATIC = { .lock = PTHREAD_MUTEX_INITIALIZER, .n_samples = CLOSED };

/* ---- Samples --------------------------------------------------------------------- */

/* Meetings, and items that have returned, of the worker's groups. The signal may have
 * come while the ring of groups is changed: then the number is wrong, and no loop. */
static uint64_t progress_of(const struct weiri_worker *worker)
{
    uint64_t progress = 0;
    const struct weiri_group *group = worker->group;
    for (uint32_t i = 0; group != NULL && i <= worker->launch->n_extra; i++) {
        progress += group->gate.phase + group->n_meetings + group->next - group->live
            + group->serial;
        for (uint32_t k = 0; k < group->n_sub_gates; k++) {
            progress += group->sub_gates[k].phase;
        }
        group = group->next_group;
        if (group == worker->group) {
            break;
        }
    }
    return progress;
}

static void on_sample(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    const struct weiri_worker *worker = weiri_self.worker;
    const struct weiri_group *group = worker != NULL ? worker->group : NULL;
    uint32_t stack = WEIRI_NO_STACK;
    const void *pc = group != NULL ? weiri_fault_place(context, &stack) : NULL;
    bool in_kernel = stack != WEIRI_NO_STACK;
    if (group == NULL || (!in_kernel && worker->n_gave_way == 0)) {
        return;
    }
    uint32_t index = atomic_fetch_add(&watch.n_samples, 1);
    if (index < watch.most_samples) {
        watch.samples[index] = (struct sample){
            .worker = worker,
            .pc = in_kernel ? pc : worker->gave_way_at,
            .in_kernel = in_kernel,
            .registers = weiri_fault_registers(context),
            .progress = progress_of(worker),
            .group = group->public.shape.group_linear,
            .item = in_kernel ? (size_t)group->public.at : worker->gave_way_item,
            .patience = weiri_self.patience,
            .n_gave_way = worker->n_gave_way,
        };
        /* release: pairs with the acquire in take_samples() */
        atomic_fetch_add_explicit(&watch.n_taken, 1, memory_order_release);
    }
}

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* Called with the lock, while the launch cannot end. Returns: the samples, to be freed
 * by g_free() */
static struct sample *take_samples(uint32_t *n)
{
    struct sigaction before;
    struct sigaction ours = { .sa_sigaction = on_sample,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
    watch.most_samples = (watch.n_threads + 1) * ROUNDS;
    watch.samples = g_new0(struct sample, watch.most_samples);
    atomic_store(&watch.n_taken, 0);
    atomic_store(&watch.n_samples, 0);
    sigaction(WEIRI_LIMIT_SIGNAL, &ours, &before);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_kill(watch.caller, WEIRI_LIMIT_SIGNAL);
        for (uint32_t i = 0; i < watch.n_threads; i++) {
            pthread_kill(watch.threads[i], WEIRI_LIMIT_SIGNAL);
        }
        wait_ms(ROUND_MS);
    }
    sigaction(WEIRI_LIMIT_SIGNAL, &before, NULL);
    /* On a busy machine a handler may get as far as its number only now, or later. */
    uint32_t n_begun = atomic_exchange(&watch.n_samples, CLOSED);
    *n = MIN(n_begun, watch.most_samples);
    for (int i = 0; i < ROUNDS; i++) { /* a handler may still be at work */
        /* acquire: pairs with the release in on_sample() */
        if (atomic_load_explicit(&watch.n_taken, memory_order_acquire) >= *n) {
            return g_steal_pointer(&watch.samples);
        }
        wait_ms(ROUND_MS);
    }
    *n = 0;
    return NULL; /* leaks what a handler still writes to */
}

/* ---- What they mean -------------------------------------------------------------- */

/* Whether the samples of one worker, of which @sample is one, show that it waits. */
static bool waits(const struct sample *samples, uint32_t n, const struct sample *sample,
                  bool *by_atomics)
{
    uint32_t n_own = 0, n_different = 0;
    *by_atomics = false;
    for (uint32_t i = 0; i < n; i++) {
        if (samples[i].worker != sample->worker) {
            continue;
        }
        *by_atomics |= samples[i].n_gave_way != sample->n_gave_way
            || (samples[i].in_kernel && sample->in_kernel
                && samples[i].patience != sample->patience);
        bool different = samples[i].in_kernel && samples[i].registers != 0;
        for (uint32_t k = 0; k < i && different; k++) {
            different = samples[k].worker != sample->worker || !samples[k].in_kernel
                || samples[k].registers != samples[i].registers;
        }
        n_own += samples[i].in_kernel;
        n_different += different;
    }
    return *by_atomics || (n_different > 0 && n_different <= n_own / LOOP_SHARE);
}

/* Whether a worker of @samples has made progress since @earlier, or meanwhile. */
static bool have_progressed(const struct sample *earlier, uint32_t n_earlier,
                            const struct sample *samples, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n_earlier + n; k++) {
            const struct sample *other
                = k < n_earlier ? &earlier[k] : &samples[k - n_earlier];
            if (other->worker == samples[i].worker
                && other->progress != samples[i].progress) {
                return true;
            }
        }
    }
    return false;
}

/* Adds the place of a sample, or another group to a place that was added before. */
static void add_place(GArray *places, const struct sample *sample, bool by_atomics)
{
    size_t item = by_atomics ? sample->item : WEIRI_STALL_SOME_ITEM;
    for (guint i = 0; i < places->len; i++) {
        struct weiri_stall_place *place
            = &g_array_index(places, struct weiri_stall_place, i);
        if (place->group == sample->group && place->pc != NULL) {
            place->item = MIN(place->item, item);
            return;
        }
    }
    struct weiri_stall_place place = { sample->pc, sample->group, item, 1 };
    g_array_append_val(places, place);
}

/* Places in order of their groups, each group once. Returns: NULL where a worker does
 * not wait */
static GArray *find_places(const struct sample *samples, uint32_t n)
{
    g_autoptr(GArray) places
        = g_array_new(FALSE, TRUE, sizeof(struct weiri_stall_place));
    for (uint32_t i = 0; i < n; i++) {
        bool by_atomics;
        if (!waits(samples, n, &samples[i], &by_atomics)) {
            return NULL;
        }
        if (samples[i].pc != NULL && (samples[i].in_kernel || by_atomics)) {
            add_place(places, &samples[i], by_atomics);
        }
    }
    return g_steal_pointer(&places);
}

static gint compare_groups(gconstpointer a, gconstpointer b)
{
    const struct weiri_stall_place *one = a, *other = b;
    return one->group < other->group ? -1 : one->group > other->group;
}

/* Returns: whether the launch was reported */
static bool report(const struct sample *samples, uint32_t n)
{
    g_autoptr(GArray) places = n > 0 ? find_places(samples, n) : NULL;
    if (places == NULL || places->len == 0) {
        return false;
    }
    g_array_sort(places, compare_groups);
    watch.launch->stalled(watch.launch, (const struct weiri_stall_place *)places->data,
                          places->len);
    return true;
}

/* ---- The watcher ----------------------------------------------------------------- */

/* Samples the launch @serial, if it still runs. @first: of the samplings before, or
 * NULL. Returns: (transfer full): the samples; NULL where it was reported */
static struct sample *look(uint64_t serial, const struct sample *first,
                           uint32_t n_first, uint32_t *n, bool *done)
{
    struct sample *samples = NULL;
    int runs = RUNS;
    pthread_mutex_lock(&watch.lock);
    if (atomic_compare_exchange_strong(&watch.state, &runs, SAMPLED)) {
        if (atomic_load(&watch.serial) == serial) {
            samples = take_samples(n);
            *done = first != NULL && samples != NULL
                && !have_progressed(first, n_first, samples, *n) && report(samples, *n);
        }
        atomic_store(&watch.state, RUNS);
    }
    pthread_mutex_unlock(&watch.lock);
    return samples;
}

static void *watch_main(void *unused)
{
    (void)unused;
    pthread_setname_np(pthread_self(), WEIRI_THREAD_NAME "watcher");
    uint64_t serial = 0, reported = 0;
    size_t taken = 0;
    int looks = 0;
    g_autofree struct sample *samples = NULL;
    uint32_t n_samples = 0;
    for (;;) {
        wait_ms(LOOK_MS);
        uint64_t serial_before = serial;
        size_t taken_before = taken;
        serial = atomic_load(&watch.serial);
        if (serial == reported || atomic_load(&watch.state) != RUNS) {
            looks = 0;
            continue;
        }
        pthread_mutex_lock(&watch.lock);
        int runs = RUNS;
        bool here = atomic_compare_exchange_strong(&watch.state, &runs, SAMPLED);
        if (here) {
            taken = atomic_load(&watch.launch->next_group);
            atomic_store(&watch.state, RUNS);
        }
        pthread_mutex_unlock(&watch.lock);
        bool news = !here || serial != serial_before || taken != taken_before;
        looks = news ? 0 : looks + 1;
        if (looks == LOOKS_TO_FIRST || looks == LOOKS_TO_SECOND) {
            bool done = false, second = looks == LOOKS_TO_SECOND;
            uint32_t n = 0;
            struct sample *later
                = look(serial, second ? samples : NULL, n_samples, &n, &done);
            g_free(samples);
            samples = later;
            n_samples = n;
            reported = done ? serial : reported;
            looks = second ? LOOKS_TO_FIRST : looks;
        }
    }
    return NULL;
}

static void start_watcher(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all); /* signals of the process are for the program's threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, watch_main, NULL); /* else nothing watches */
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    watch.started = true;
}

/* ---- Launches -------------------------------------------------------------------- */

static bool is_watched(const struct weiri_launch *launch)
{
    return launch->stalled != NULL && !launch->deterministic
        && launch->time_limit_ms == 0;
}

void weiri_stall_begin(const struct weiri_launch *launch)
{
    if (is_watched(launch)) {
        if (!watch.started) {
            start_watcher();
        }
        watch.launch = launch;
        watch.caller = pthread_self();
        /* relaxed: the state publishes it */
        uint64_t serial = atomic_load_explicit(&watch.serial, memory_order_relaxed);
        atomic_store_explicit(&watch.serial, serial + 1, memory_order_relaxed);
        /* release: pairs with the watcher's exchange */
        atomic_store_explicit(&watch.state, RUNS, memory_order_release);
    }
}

void weiri_stall_end(const struct weiri_launch *launch)
{
    int runs = RUNS;
    if (is_watched(launch)
        && !atomic_compare_exchange_strong(&watch.state, &runs, IDLE)) {
        pthread_mutex_lock(&watch.lock); /* the watcher is done with it */
        atomic_store(&watch.state, IDLE);
        pthread_mutex_unlock(&watch.lock);
    }
}

void weiri_stall_add_thread(pthread_t thread)
{
    pthread_mutex_lock(&watch.lock);
    if (watch.n_threads < MOST_THREADS) {
        watch.threads[watch.n_threads++] = thread;
    }
    pthread_mutex_unlock(&watch.lock);
}

void weiri_stall_forget(void)
{
    pthread_mutex_init(&watch.lock, NULL);
    watch.started = false;
    watch.n_threads = 0;
    atomic_store(&watch.state, IDLE);
}
