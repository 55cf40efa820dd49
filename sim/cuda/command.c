/* SPDX-License-Identifier: MIT
 *
 * command.c: streams as lists of commands, and what runs them.
 *
 * A command runs when all that it waits for has ended: the command before it in its
 * stream, and a command that it names. The legacy default stream waits for the other
 * streams, and they for it, but for non-blocking ones.
 *
 * In a plain run each stream that has something to wait for has a thread, and launches
 * are asynchronous: a kernel may wait for the host. Copies whose turn it is are made at
 * once, by the caller.
 *
 * Where launches are deterministic, as under `weir check`, the thread that submits
 * commands runs all that may run, in the order in which they were submitted, so that
 * each run is the same. Only a launch that waits for memory to change (engine.c) leaves
 * commands that have not run. Then commands that do not wait for it go on, but for
 * launches, and the launch may go on after each; the others run when it has ended. */
#include "config.h"

#include "cuda/runtime.h"

#include <pthread.h>
#include <time.h>

struct weiri_cuda_command {
    int refs; /* atomic */
    struct weiri_cuda_request request;
    struct CUstream_st *stream;
    GPtrArray *after; /* of commands, each a reference; NULL when it has ended */
    uint64_t serial;  /* in the order of submission */
    uint32_t number;  /* in host/commands.h, or 0 */
    bool runs, done;
    cudaError_t error;
    int64_t time; /* when it ended */
};

struct CUstream_st {
    unsigned flags;
    int priority;
    unsigned long long id;
    uint32_t queue;                  /* in host/commands.h, or 0 */
    GQueue pending;                  /* of commands that have not ended, references */
    struct weiri_cuda_command *last; /* a reference, or NULL */
    bool has_thread;
    bool ended;                        /* the program has destroyed it */
    struct weiri_cuda_group *captured; /* see graph.c; NULL: it is not */
};

static struct {
    pthread_mutex_t lock;   /* guards all of this, and streams and commands */
    pthread_cond_t changed; /* a command was submitted, or has ended */
    GPtrArray *streams;     /* all; the legacy one is the first. Never freed */
    uint64_t n_submitted;
    bool pumps;                       /* a thread runs commands in order */
    struct weiri_cuda_command *stuck; /* the launch that is, or NULL */
    bool per_thread;                  /* the default stream is */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static _Thread_local struct CUstream_st *of_thread; /* its default stream, or NULL */
static _Thread_local bool pumping;                  /* this thread runs commands */

/* Whether commands run in the order of the program, one at a time. */
static bool is_orderly(void)
{
    return weiri_host_commands_orderly();
}

static bool end(void);

/* ---- Streams --------------------------------------------------------------- */

static struct CUstream_st *add_stream(unsigned flags, int priority)
{
    struct CUstream_st *stream = g_new0(struct CUstream_st, 1);
    stream->flags = flags;
    stream->priority = priority;
    stream->queue = weiri_host_commands_queue(true, 0);
    if (state.streams == NULL) {
        state.streams = g_ptr_array_new();
        weiri_cuda_at_end(end);
    }
    stream->id = state.streams->len + 1;
    g_ptr_array_add(state.streams, stream);
    return stream;
}

/* Called with the lock. */
static struct CUstream_st *legacy(void)
{
    return state.streams != NULL ? g_ptr_array_index(state.streams, 0)
                                 : add_stream(cudaStreamDefault, 0);
}

static bool is_legacy(const struct CUstream_st *stream)
{
    return stream == g_ptr_array_index(state.streams, 0);
}

static bool is_blocking(const struct CUstream_st *stream)
{
    return (stream->flags & cudaStreamNonBlocking) == 0;
}

struct CUstream_st *weiri_cuda_stream_new(unsigned flags, int priority)
{
    pthread_mutex_lock(&state.lock);
    (void)legacy();
    struct CUstream_st *stream = add_stream(flags, priority);
    pthread_mutex_unlock(&state.lock);
    return stream;
}

struct CUstream_st *weiri_cuda_stream(cudaStream_t handle)
{
    pthread_mutex_lock(&state.lock);
    struct CUstream_st *found = legacy();
    bool own = handle == cudaStreamPerThread || (handle == NULL && state.per_thread);
    if (own) {
        found = of_thread = of_thread != NULL ? of_thread : add_stream(0, 0);
    } else if (handle != NULL && handle != cudaStreamLegacy) {
        found = NULL;
        for (guint i = 1; i < state.streams->len && found == NULL; i++) {
            struct CUstream_st *stream = g_ptr_array_index(state.streams, i);
            found = stream == handle && !stream->ended ? stream : NULL;
        }
    }
    pthread_mutex_unlock(&state.lock);
    return found;
}

void weiri_cuda_stream_end(struct CUstream_st *stream)
{
    pthread_mutex_lock(&state.lock);
    stream->ended = true;
    pthread_cond_broadcast(&state.changed);
    pthread_mutex_unlock(&state.lock);
}

unsigned weiri_cuda_stream_flags(const struct CUstream_st *stream)
{
    return stream->flags;
}

int weiri_cuda_stream_priority(const struct CUstream_st *stream)
{
    return stream->priority;
}

unsigned long long weiri_cuda_stream_id(const struct CUstream_st *stream)
{
    return stream->id;
}

struct weiri_cuda_group *weiri_cuda_captured(const struct CUstream_st *stream)
{
    return stream->captured;
}

void weiri_cuda_set_captured(struct CUstream_st *stream, struct weiri_cuda_group *group)
{
    stream->captured = group;
}

void weiri_cuda_release_captured(const struct weiri_cuda_group *group)
{
    pthread_mutex_lock(&state.lock);
    for (guint i = 0; i < state.streams->len; i++) {
        struct CUstream_st *stream = g_ptr_array_index(state.streams, i);
        stream->captured = stream->captured == group ? NULL : stream->captured;
    }
    pthread_mutex_unlock(&state.lock);
}

void weiri_cuda_default_per_thread(void)
{
    state.per_thread = true;
}

/* ---- Commands -------------------------------------------------------------- */

struct weiri_cuda_command *weiri_cuda_command_ref(struct weiri_cuda_command *command)
{
    if (command != NULL) {
        __atomic_fetch_add(&command->refs, 1, __ATOMIC_RELAXED);
    }
    return command;
}

void weiri_cuda_command_unref(struct weiri_cuda_command *command)
{
    /* acq_rel: the last holder sees what the others did with it */
    if (command != NULL
        && __atomic_fetch_sub(&command->refs, 1, __ATOMIC_ACQ_REL) == 1) {
        g_clear_pointer(&command->after, g_ptr_array_unref);
        g_free(command);
    }
}

static void unref(void *command)
{
    weiri_cuda_command_unref(command);
}

static void add_after(struct weiri_cuda_command *command,
                      struct weiri_cuda_command *earlier)
{
    if (earlier != NULL && (!earlier->done || earlier->number != 0)) {
        g_ptr_array_add(command->after, weiri_cuda_command_ref(earlier));
    }
}

/* Called with the lock. Returns: a reference */
static struct weiri_cuda_command *add_command(const struct weiri_cuda_request *request,
                                              struct CUstream_st *stream)
{
    struct weiri_cuda_command *command = g_new0(struct weiri_cuda_command, 1);
    command->refs = 3; /* the caller's, the list's, and that of @last */
    command->request = *request;
    command->request.call = NULL;
    command->stream = stream;
    command->after = g_ptr_array_new_with_free_func(unref);
    command->serial = ++state.n_submitted;
    add_after(command, stream->last);
    add_after(command, request->after);
    if (is_legacy(stream)) {
        for (guint i = 1; i < state.streams->len; i++) {
            struct CUstream_st *other = g_ptr_array_index(state.streams, i);
            if (is_blocking(other)) {
                add_after(command, other->last);
            }
        }
    } else if (is_blocking(stream)) {
        add_after(command, legacy()->last);
    }
    g_queue_push_tail(&stream->pending, command);
    weiri_cuda_command_unref(stream->last);
    stream->last = command;
    pthread_cond_broadcast(&state.changed);
    return command;
}

/* Called with the lock. */
static bool may_run(const struct weiri_cuda_command *command)
{
    if (command->runs || command->done
        || g_queue_peek_head(&command->stream->pending) != command) {
        return false;
    }
    for (guint i = 0; i < command->after->len; i++) {
        const struct weiri_cuda_command *earlier = g_ptr_array_index(command->after, i);
        if (!earlier->done) {
            return false;
        }
    }
    return true;
}

/* Runs it, without the lock, on a thread that is its own for that time. */
static void perform(void *data)
{
    struct weiri_cuda_command *command = data;
    const struct weiri_cuda_request *request = &command->request;
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < command->after->len; i++) {
        const struct weiri_cuda_command *earlier = g_ptr_array_index(command->after, i);
        if (earlier->number != 0) {
            g_array_append_val(numbers, earlier->number);
        }
    }
    const struct weiri_command_start start
        = { .queue = command->stream->queue,
            .after = (const uint32_t *)(const void *)numbers->data,
            .n_after = numbers->len };
    command->number = weiri_host_commands_begin(&start, request->kind,
                                                weiri_cuda_words(request->what),
                                                weiri_cuda_command_words());
    weiri_cuda_set_callback(request->is_call);
    command->error = request->run != NULL ? request->run(request->data) : cudaSuccess;
    weiri_cuda_set_callback(false);
    weiri_host_commands_end(command->number);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Called with the lock, which it leaves for a while. */
static void finish(struct weiri_cuda_command *command)
{
    pthread_mutex_unlock(&state.lock);
    if (command->request.free_data != NULL) {
        command->request.free_data(command->request.data);
    }
    pthread_mutex_lock(&state.lock);
    command->time = now_ns();
    command->runs = false;
    command->done = true;
    g_queue_remove(&command->stream->pending, command);
    g_clear_pointer(&command->after, g_ptr_array_unref);
    pthread_cond_broadcast(&state.changed);
    weiri_cuda_command_unref(command);
}

/* Called with the lock, which it leaves for a while. */
static void run(struct weiri_cuda_command *command)
{
    command->runs = true;
    pthread_mutex_unlock(&state.lock);
    perform(command);
    pthread_mutex_lock(&state.lock);
    finish(command);
}

/* ---- Plain runs ------------------------------------------------------------ */

static void *stream_main(void *data)
{
    struct CUstream_st *stream = data;
    pthread_setname_np(pthread_self(), "weir:stream");
    pthread_mutex_lock(&state.lock);
    for (;;) {
        struct weiri_cuda_command *head = g_queue_peek_head(&stream->pending);
        if (head != NULL && may_run(head)) {
            run(head);
        } else if (head == NULL && stream->ended) {
            break;
        } else {
            pthread_cond_wait(&state.changed, &state.lock);
        }
    }
    stream->has_thread = false;
    pthread_mutex_unlock(&state.lock);
    return NULL;
}

/* In a child process, which has only the thread that forked. */
static void forget_threads(void)
{
    pthread_mutex_init(&state.lock, NULL);
    pthread_cond_init(&state.changed, NULL);
    for (guint i = 0; state.streams != NULL && i < state.streams->len; i++) {
        ((struct CUstream_st *)g_ptr_array_index(state.streams, i))->has_thread = false;
    }
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_threads);
}

/* Called with the lock. Without a thread the caller runs what it waits for. */
static void need_thread(struct CUstream_st *stream)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_t thread;
    pthread_attr_t attributes;
    if (stream->has_thread) {
        return;
    }
    pthread_once(&once, watch_forks);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    stream->has_thread = pthread_create(&thread, &attributes, stream_main, stream) == 0;
    pthread_attr_destroy(&attributes);
}

/* ---- Runs in order --------------------------------------------------------- */

/* The command that was submitted first among those that may run. Called with the
 * lock. */
static struct weiri_cuda_command *first_ready(void)
{
    struct weiri_cuda_command *first = NULL;
    for (guint i = 0; i < state.streams->len; i++) {
        struct CUstream_st *stream = g_ptr_array_index(state.streams, i);
        struct weiri_cuda_command *head = g_queue_peek_head(&stream->pending);
        bool waits = head != NULL && state.stuck != NULL
            && head->request.kind == WEIRI_COMMAND_KERNEL;
        if (head != NULL && !waits && may_run(head)
            && (first == NULL || head->serial < first->serial)) {
            first = head;
        }
    }
    return first;
}

/* Called with the lock, which it leaves for a while, as the next. */
static void go_on(bool last)
{
    struct weiri_cuda_command *stuck = state.stuck;
    pthread_mutex_unlock(&state.lock);
    enum weiri_cuda_state now = weiri_cuda_engine_go_on(last);
    pthread_mutex_lock(&state.lock);
    if (now == WEIRI_CUDA_IDLE) {
        state.stuck = NULL;
        finish(stuck);
    }
}

static void run_in_order(struct weiri_cuda_command *command)
{
    if (command->request.kind != WEIRI_COMMAND_KERNEL
        || !weiri_host_commands_wanted()) {
        run(command);
        if (state.stuck != NULL) {
            go_on(false);
        }
        return;
    }
    command->runs = true;
    pthread_mutex_unlock(&state.lock);
    enum weiri_cuda_state now = weiri_cuda_engine_run(perform, command);
    pthread_mutex_lock(&state.lock);
    if (now == WEIRI_CUDA_STUCK) {
        state.stuck = command;
    } else {
        finish(command);
    }
}

/* Called with the lock. One thread at a time runs commands. */
static void begin_pump(void)
{
    while (state.pumps) {
        pthread_cond_wait(&state.changed, &state.lock);
    }
    state.pumps = pumping = true;
}

static void end_pump(void)
{
    state.pumps = pumping = false;
    pthread_cond_broadcast(&state.changed);
}

static void run_all_ready(void)
{
    struct weiri_cuda_command *command;
    while ((command = first_ready()) != NULL) {
        run_in_order(command);
    }
}

/* ---- Waiting --------------------------------------------------------------- */

/* What a thread waits for: one of the first two, or all streams. */
struct wait {
    struct weiri_cuda_command *command;
    struct CUstream_st *stream;
    bool all;
};

/* Called with the lock. */
static bool has_ended(const struct wait *wait)
{
    if (wait->command != NULL) {
        return wait->command->done;
    }
    bool legacy_too = wait->stream != NULL && is_legacy(wait->stream);
    for (guint i = 0; state.streams != NULL && i < state.streams->len; i++) {
        struct CUstream_st *stream = g_ptr_array_index(state.streams, i);
        bool meant = wait->all || stream == wait->stream
            || (legacy_too && is_blocking(stream));
        if (meant && !g_queue_is_empty(&stream->pending)) {
            return false;
        }
    }
    return true;
}

/* Called with the lock. */
static void wait_plainly(const struct wait *wait)
{
    while (!has_ended(wait)) {
        struct weiri_cuda_command *own = wait->command;
        if (own != NULL && own->request.kind == WEIRI_COMMAND_COPY && may_run(own)) {
            run(own);
        } else {
            pthread_cond_wait(&state.changed, &state.lock);
        }
    }
}

/* Called with the lock. Other threads of the host may change memory that a launch waits
 * for, before its wait is final. */
static void wait_in_order(const struct wait *wait)
{
    if (pumping || has_ended(wait)) {
        return;
    }
    begin_pump();
    run_all_ready();
    while (!has_ended(wait)) {
        if (state.stuck == NULL) {
            break; /* another thread has the rest */
        }
        go_on(false);
        if (state.stuck != NULL) {
            pthread_mutex_unlock(&state.lock);
            weiri_host_commands_linger();
            pthread_mutex_lock(&state.lock);
            go_on(true);
        }
        run_all_ready();
    }
    end_pump();
}

/* The order of commands knows that the host has waited. Not called with the lock. */
static void note(const struct wait *wait, const void *pc)
{
    if (wait->command != NULL) {
        weiri_host_commands_wait(wait->command->number, pc);
        return;
    }
    pthread_mutex_lock(&state.lock);
    bool legacy_too = wait->stream != NULL && is_legacy(wait->stream);
    g_autoptr(GArray) queues = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; state.streams != NULL && i < state.streams->len; i++) {
        const struct CUstream_st *stream = g_ptr_array_index(state.streams, i);
        if (wait->all || stream == wait->stream
            || (legacy_too && is_blocking(stream))) {
            g_array_append_val(queues, stream->queue);
        }
    }
    pthread_mutex_unlock(&state.lock);
    for (guint i = 0; i < queues->len; i++) {
        weiri_host_commands_wait_queue(g_array_index(queues, uint32_t, i), pc);
    }
}

static void wait_for(const struct wait *wait, const void *pc)
{
    pthread_mutex_lock(&state.lock);
    if (is_orderly()) {
        wait_in_order(wait);
    } else {
        wait_plainly(wait);
    }
    pthread_mutex_unlock(&state.lock);
    note(wait, pc);
    weiri_cuda_flush();
}

void weiri_cuda_wait(struct weiri_cuda_command *command, const void *pc)
{
    wait_for(&(struct wait){ .command = command }, pc);
}

void weiri_cuda_wait_stream(struct CUstream_st *stream, const void *pc)
{
    wait_for(&(struct wait){ .stream = stream }, pc);
}

void weiri_cuda_wait_all(const void *pc)
{
    wait_for(&(struct wait){ .all = true }, pc);
}

static bool poll(const struct wait *wait, const void *pc)
{
    pthread_mutex_lock(&state.lock);
    if (is_orderly() && !pumping && !has_ended(wait)) {
        begin_pump();
        run_all_ready();
        if (state.stuck != NULL) {
            go_on(false);
            run_all_ready();
        }
        end_pump();
    }
    bool ended = has_ended(wait);
    pthread_mutex_unlock(&state.lock);
    if (ended) {
        note(wait, pc);
        weiri_cuda_flush();
    }
    return ended;
}

bool weiri_cuda_poll_stream(struct CUstream_st *stream, const void *pc)
{
    return poll(&(struct wait){ .stream = stream }, pc);
}

bool weiri_cuda_poll(struct weiri_cuda_command *command, const void *pc)
{
    return poll(&(struct wait){ .command = command }, pc);
}

bool weiri_cuda_command_is_done(struct weiri_cuda_command *command)
{
    pthread_mutex_lock(&state.lock);
    bool done = command->done;
    pthread_mutex_unlock(&state.lock);
    return done;
}

int64_t weiri_cuda_command_time(const struct weiri_cuda_command *command)
{
    return command->time;
}

/* ---- Submitting ------------------------------------------------------------ */

/* Called with the lock. */
static void start(struct weiri_cuda_command *command)
{
    if (is_orderly()) {
        if (!pumping) {
            begin_pump();
            run_all_ready();
            end_pump();
        }
    } else if (command->request.kind == WEIRI_COMMAND_COPY && may_run(command)) {
        run(command);
    } else {
        need_thread(command->stream);
    }
}

static void free_data(const struct weiri_cuda_request *request)
{
    if (request->free_data != NULL) {
        request->free_data(request->data);
    }
}

cudaError_t weiri_cuda_submit(const struct weiri_cuda_request *request,
                              struct weiri_cuda_command **made)
{
    if (made != NULL) {
        *made = NULL;
    }
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        free_data(request);
        return error;
    }
    struct CUstream_st *stream = weiri_cuda_stream(request->stream);
    if (stream == NULL) {
        free_data(request);
        return weiri_cuda_misuse(request->call, cudaErrorInvalidResourceHandle,
                                 "the stream does not exist, or was destroyed");
    }
    if (stream->captured != NULL) {
        weiri_cuda_group_add(stream->captured, stream, request, WEIRI_CUDA_NO_NODE);
        return request->waits ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
    }
    pthread_mutex_lock(&state.lock);
    struct weiri_cuda_command *command = add_command(request, stream);
    start(command);
    pthread_mutex_unlock(&state.lock);
    if (request->waits) {
        weiri_cuda_wait(command, request->call->pc);
        error = command->error;
    } else if (weiri_cuda_command_is_done(command)) {
        error = request->kind == WEIRI_COMMAND_COPY ? command->error : cudaSuccess;
    }
    if (made != NULL) {
        *made = command;
    } else {
        weiri_cuda_command_unref(command);
    }
    return error;
}

/* How long a process that ends waits for commands in a plain run. CUDA ends them. */
enum { MOST_END_MS = 2000 };

static bool end(void)
{
    const struct wait wait = { .all = true };
    if (is_orderly()) {
        wait_for(&wait, NULL);
        return true;
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += MOST_END_MS / 1000;
    pthread_mutex_lock(&state.lock);
    bool ended = has_ended(&wait);
    for (int late = 0; !ended && late == 0; ended = has_ended(&wait)) {
        late = pthread_cond_timedwait(&state.changed, &state.lock, &until);
    }
    pthread_mutex_unlock(&state.lock);
    return ended;
}
