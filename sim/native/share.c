/* SPDX-License-Identifier: MIT
 *
 * share.c: see share.h. The processes are forks of this one, made inside the launch:
 * they have its memory, its items and what was learned from them. What each finds comes
 * back as one message. A process that ends without them has failed, and the
 * exploration with it.
 *
 * What an item does follows from its history. So a process need not send what the items
 * have done: the histories are enough, and the receiver runs each once. It finds what
 * the sender has found: findings of its items, accesses that contradict what was
 * learned, loops that must be unrolled. The same holds for executions that are
 * to be shown: their places are enough. */
#include "config.h"

#include "native/share.h"

#include "base/channel.h"
#include "exec/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pieces of each process, if all were equal: enough that the last ones end at about the
 * same time. Visits above the pieces are made in every process. */
enum { PIECES = 256 };
/* Pieces that the first idle process takes; others are dealt out by their numbers, and
 * so are all with a limit on executions. Shared memory, a byte each. */
enum { MOST_CLAIMS = 1 << 20 };

/* After the exploration should have ended, an item that comes to no stop is
 * interrupted. */
enum { LATER_MS = 100 };

/* Of this process. */
static struct {
    unsigned index, n;
    atomic_uchar *claims; /* of all processes; or NULL: all are dealt out */
    GArray *place;        /* of the current execution; or NULL: all is explored here */
    /* The program's own, and what it was called with last: the history that stops the
     * program may be no part of its tree. */
    void (*resume)(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next);
    uint32_t node;
    int64_t answer;
    uint8_t wrote;
} own = { .n = 1 };

static bool takes(void *user, uint64_t piece)
{
    (void)user;
    if (own.claims == NULL || piece >= MOST_CLAIMS) {
        return piece % own.n == own.index;
    }
    /* relaxed: nothing else is passed on with it */
    return atomic_exchange_explicit(&own.claims[piece], 1, memory_order_relaxed) == 0;
}

static void set_place(void *user, const struct weiri_explore_place *place)
{
    (void)user;
    g_array_set_size(own.place, 0);
    g_array_append_vals(own.place, place->at, place->n);
}

GArray *weiri_share_place(void)
{
    return own.place == NULL ? NULL : g_array_copy(own.place);
}

/* ---- Histories ------------------------------------------------------------------- */

static void add_histories(struct weiri_shared *shared,
                          const struct weiri_native *native)
{
    shared->anew = weiri_native_must_begin_anew(native) || native->failure != NULL
        || native->machine.cells.refused != NULL;
    shared->failure = g_strdup(native->failure);
    shared->refused = g_strdup(native->machine.cells.refused);
    for (guint i = 0; i < native->nodes->len; i++) {
        const struct weiri_native_node *node
            = &g_array_index(native->nodes, struct weiri_native_node, i);
        g_array_append_val(shared->histories, node->parent);
        uint8_t wrote = !node->fails;
        g_array_append_val(shared->answers, node->answer);
        g_array_append_val(shared->wrote, wrote);
    }
    if (native->program.stopped) {
        g_array_append_val(shared->histories, own.node);
        g_array_append_val(shared->answers, own.answer);
        g_array_append_val(shared->wrote, own.wrote);
    }
}

static void resume(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next)
{
    if (!((const struct weiri_native *)self)->program.stopped) {
        memcpy(&own.node, state, sizeof(own.node));
        own.answer = read;
        own.wrote = wrote;
    }
    own.resume(self, thread, state, read, wrote, next);
}

/* A history that the explorer goes on with: those behind others only serve to compare
 * loops, and the program makes them itself. */
static bool goes_on(const struct weiri_native *native, uint32_t node)
{
    switch (g_array_index(native->nodes, struct weiri_native_node, node).step.kind) {
    case WEIRI_STEP_END:
    case WEIRI_STEP_SPIN:
    case WEIRI_STEP_BOUND:
    case WEIRI_STEP_FAULT:
        return false;
    default:
        return true;
    }
}

/* Brings the program's items through the histories of another process. */
static void learn(const struct weiri_shared *shared, struct weiri_native *native)
{
    const struct weiri_program *program = &native->program;
    guint n = shared->histories->len;
    g_autofree uint32_t *threads = g_new(uint32_t, n), *nodes = g_new(uint32_t, n);
    uint32_t n_roots = 0;
    for (guint i = 0; i < n && !program->stopped; i++) {
        uint32_t parent = g_array_index(shared->histories, uint32_t, i);
        if (parent == WEIRI_NO_HISTORY) {
            threads[i] = n_roots;
            nodes[i] = native->roots[n_roots++];
            continue;
        }
        threads[i] = threads[parent];
        nodes[i] = WEIRI_NO_HISTORY;
        if (nodes[parent] != WEIRI_NO_HISTORY && goes_on(native, nodes[parent])) {
            struct weiri_step next;
            nodes[i] = nodes[parent];
            program->resume(program->self, threads[i], &nodes[i],
                            g_array_index(shared->answers, int64_t, i),
                            g_array_index(shared->wrote, uint8_t, i) != 0, &next);
        }
    }
}

/* ---- Processes ------------------------------------------------------------------- */

static struct weiri_shared *explore(const struct weiri_sharing *sharing)
{
    struct weiri_explore_options how = *sharing->how;
    uint64_t most = how.max_executions;
    own.place = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    how.piece = 1.0 / ((double)own.n * PIECES);
    how.takes = takes;
    how.place = set_place;
    how.max_executions = most / own.n + (own.index < most % own.n);
    own.resume = sharing->native->program.resume;
    sharing->native->program.resume = resume;
    struct weiri_exploration done = weiri_explore(&sharing->native->program, &how);
    struct weiri_shared *shared = weiri_shared_new();
    shared->complete = done.complete;
    shared->too_large = done.too_large;
    shared->counts[WEIRI_SHARED_EXECUTIONS] = done.executions;
    shared->counts[WEIRI_SHARED_RACY] = done.racy;
    g_array_append_vals(shared->stopped, own.place->data, own.place->len);
    add_histories(shared, sharing->native);
    sharing->collect(how.user, shared);
    return shared;
}

static _Noreturn void work(const struct weiri_sharing *sharing, int socket)
{
    int64_t ends_us = sharing->native->ends_us;
    int64_t left_ms = (ends_us - g_get_monotonic_time()) / 1000 + LATER_MS;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!weiri_launch_go_on(sharing->native->machine.hub.launch,
                            ends_us == 0 ? 0 : (uint64_t)MAX(left_ms, 1))) {
        _exit(1);
    }
    struct weiri_shared *shared = explore(sharing);
    GBytes *bytes = weiri_shared_to_bytes(shared);
    bool sent = weiri_channel_send(socket, g_bytes_get_data(bytes, NULL),
                                   g_bytes_get_size(bytes));
    _exit(sent ? 0 : 1);
}

/* Returns: (transfer full): or NULL where the process ended without it */
static struct weiri_shared *receive(int socket)
{
    GBytes *bytes = weiri_channel_read(socket);
    if (bytes == NULL) {
        return NULL;
    }
    struct weiri_shared *shared = weiri_shared_of_bytes(bytes);
    g_bytes_unref(bytes);
    return shared;
}

/* Returns: (transfer full): how the process ended */
static char *reap(pid_t pid)
{
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {}
    return ended == pid && WIFSIGNALED(status)
        ? g_strdup_printf("was ended by signal %d (%s)", WTERMSIG(status),
                          g_strsignal(WTERMSIG(status)))
        : g_strdup("ended without a result");
}

struct worker {
    pid_t pid;
    int socket;
};

static bool start(struct worker *worker, const struct weiri_sharing *sharing)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return false;
    }
    worker->pid = fork();
    if (worker->pid == 0) {
        close(pair[0]);
        work(sharing, pair[1]);
    }
    int reason = errno;
    close(pair[1]);
    if (worker->pid < 0) {
        close(pair[0]);
        errno = reason;
        return false;
    }
    worker->socket = pair[0];
    return true;
}

/* Starts the processes. Returns: how many were started */
static unsigned start_all(const struct weiri_sharing *sharing, struct worker *workers)
{
    fflush(NULL); /* or each process might write what waits to be written */
    for (own.index = 0; own.index < own.n; own.index++) {
        if (!start(&workers[own.index], sharing)) {
            sharing->native->failure = g_strdup_printf("cannot start %u processes: %s",
                                                       own.n, g_strerror(errno));
            break;
        }
    }
    return own.index;
}

/* Waits for all of them. */
static GPtrArray *gather(const struct weiri_sharing *sharing,
                         const struct worker *workers, unsigned n)
{
    char **why = &sharing->native->failure;
    GPtrArray *found
        = g_ptr_array_new_with_free_func((GDestroyNotify)weiri_shared_free);
    for (unsigned i = 0; i < n; i++) {
        struct weiri_shared *one = *why == NULL ? receive(workers[i].socket) : NULL;
        if (one != NULL) {
            g_ptr_array_add(found, one);
        } else if (*why != NULL) {
            kill(workers[i].pid, SIGKILL);
        }
        close(workers[i].socket);
        g_autofree char *end = reap(workers[i].pid);
        if (one == NULL && *why == NULL) {
            *why = g_strdup_printf("a process of the exploration %s", end);
        }
    }
    return found;
}

/* ---- Together -------------------------------------------------------------------- */

/* The process whose program has stopped first, in the order of places, or NULL. */
static const struct weiri_shared *first_anew(const GPtrArray *found)
{
    const struct weiri_shared *first = NULL;
    for (guint i = 0; i < found->len; i++) {
        const struct weiri_shared *one = g_ptr_array_index((GPtrArray *)found, i);
        if (one->anew
            && (first == NULL
                || weiri_shared_compare(one->stopped, first->stopped) < 0)) {
            first = one;
        }
    }
    return first;
}

/* What has stopped a process stops this one. */
static void stop_like(const struct weiri_shared *first, struct weiri_native *native)
{
    learn(first, native);
    if (native->failure != NULL || native->machine.cells.refused != NULL) {
        return;
    }
    native->failure = g_strdup(first->failure);
    native->machine.cells.refused = g_strdup(first->refused);
    if (first->failure == NULL && first->refused == NULL && !native->program.stopped) {
        native->failure = g_strdup("its items do other things in another process: they "
                                   "use the time, random numbers, or memory that is "
                                   "not the launch's");
    }
}

static int by_place(const void *a, const void *b)
{
    const struct weiri_shared_kept *one = a, *other = b;
    return weiri_shared_compare(one->place, other->place);
}

/* What is to be done with one execution. */
struct revisit {
    const struct weiri_sharing *sharing;
    const struct weiri_shared_kept *kept;
};

static bool revisit_execution(void *user, const struct weiri_graph *graph, bool race)
{
    const struct revisit *revisit = user;
    (void)race;
    revisit->sharing->again(revisit->sharing->how->user, graph, revisit->kept->kind,
                            revisit->kept->executions);
    return true;
}

static void revisit_stuck(void *user, const struct weiri_graph *graph,
                          enum weiri_execution_end why)
{
    (void)why;
    (void)revisit_execution(user, graph, false);
}

static void revisit_kept(const struct weiri_sharing *sharing, const GPtrArray *found)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct weiri_shared_kept));
    for (guint i = 0; i < found->len; i++) {
        const struct weiri_shared *one = g_ptr_array_index((GPtrArray *)found, i);
        g_array_append_vals(all, one->kept->data, one->kept->len);
    }
    g_array_sort(all, by_place);
    for (guint i = 0; i < all->len; i++) {
        struct revisit revisit
            = { sharing, &g_array_index(all, struct weiri_shared_kept, i) };
        const GArray *place = revisit.kept->place;
        const struct weiri_explore_place only
            = { place->len, (const uint32_t *)(const void *)place->data };
        struct weiri_explore_options how = *sharing->how;
        how.max_executions = 0;
        how.execution = revisit_execution;
        how.stuck = revisit_stuck;
        how.only = &only;
        how.user = &revisit;
        weiri_explore(&sharing->native->program, &how);
    }
}

/* In the order of the processes, whichever was first. Returns: whether the exploration
 * has a meaning */
static bool learn_all(const struct weiri_sharing *sharing, const GPtrArray *found)
{
    struct weiri_native *native = sharing->native;
    const struct weiri_shared *first = first_anew(found);
    if (first != NULL) {
        stop_like(first, native);
        return false;
    }
    for (guint i = 0; i < found->len; i++) {
        learn(g_ptr_array_index((GPtrArray *)found, i), native);
    }
    return native->failure == NULL && !weiri_native_must_begin_anew(native);
}

GPtrArray *weiri_share(const struct weiri_sharing *sharing)
{
    uint64_t most = sharing->how->max_executions;
    own.n
        = most == 0 ? sharing->n_processes : (unsigned)MIN(most, sharing->n_processes);
    void *claims = MAP_FAILED;
    if (most == 0) {
        claims = mmap(NULL, MOST_CLAIMS, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    own.claims = claims == MAP_FAILED ? NULL : claims;
    g_autofree struct worker *workers = g_new0(struct worker, own.n);
    unsigned n_started = start_all(sharing, workers);
    GPtrArray *found = gather(sharing, workers, n_started);
    if (own.claims != NULL) {
        munmap(claims, MOST_CLAIMS);
        own.claims = NULL;
    }
    if (sharing->native->failure != NULL || !learn_all(sharing, found)) {
        g_clear_pointer(&found, g_ptr_array_unref);
        return NULL;
    }
    revisit_kept(sharing, found);
    return found;
}
