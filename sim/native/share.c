/* SPDX-License-Identifier: MIT
 *
 * share.c: see share.h. The processes are forks of this one, made inside the launch:
 * they have its memory, its items and all that was learned from them. Each sends its
 * results back as one message. A process that ends without a message has failed, and
 * the exploration with it.
 *
 * The actions of an item follow from its history. So a process need not send the
 * actions: the histories are enough, and the receiver runs each once. It finds all that
 * the sender has found: findings of its items, accesses that contradict earlier ones,
 * loops that must be unrolled. The same holds for executions that are to be shown:
 * their places are enough.
 *
 * To run all histories again may take as long as the exploration has taken. So where
 * there is a limit of time, the processes end earlier than that. Then the histories
 * that lead to findings, and the executions to be shown, come first. Others are run as
 * long as time is left, and without them the exploration is not complete.
 *
 * Ranks (ranks.h) share the pieces by their numbers, and each has such processes; the
 * messages of all go to all. */
#include "config.h"

#include "native/share.h"

#include "base/channel.h"
#include "exec/launch.h"
#include "native/history.h"
#include "native/ranks.h"

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
/* Pieces of a rank that its first idle process takes; others are dealt out by their
 * numbers, and so are all with a limit on executions. Shared memory, a byte each. */
enum { MOST_CLAIMS = 1 << 20 };

/* For the histories, of the time of an exploration: this part, and no more than that.
 * And of what is left then, the part after which the executions that are shown come. */
static const double PART_TO_LEARN = 0.2, MOST_SECONDS_TO_LEARN = 3;
static const double PART_BEFORE_SHOWN = 0.6;

/* After the exploration should have ended, an item that reaches no stop is
 * interrupted. */
enum { LATER_MS = 100 };

/* The state of this process. */
static struct {
    unsigned index, n; /* among the processes of all ranks */
    unsigned rank, n_ranks;
    int64_t ends_us; /* when the processes are to end; 0: no limit */
    unsigned n_here; /* processes of this rank, from number @first on */
    unsigned first;
    atomic_uchar *claims; /* of this rank's processes; or NULL: all are dealt out */
    GArray *place;        /* of the current execution; or NULL: all is explored here */
    /* The program's own function, and the node of its latest call: the history that
     * stops the program may be missing from its tree. */
    void (*resume)(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next);
    uint32_t node;
    int64_t answer;
    uint8_t wrote;
    size_t n_findings; /* of the report, when a history was run last */
    GArray *marks;     /* of uint32_t: nodes */
} own = { .n = 1, .n_ranks = 1 };

static bool takes(void *user, uint64_t piece)
{
    (void)user;
    if (own.claims == NULL) {
        return piece % own.n == own.index;
    }
    uint64_t here = piece / own.n_ranks;
    if (piece % own.n_ranks != own.rank || here >= MOST_CLAIMS) {
        return piece % own.n_ranks == own.rank
            && here % own.n_here == own.index - own.first;
    }
    /* relaxed: nothing else is passed on with it */
    return atomic_exchange_explicit(&own.claims[here], 1, memory_order_relaxed) == 0;
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

/* ---- Histories ------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

/* A hash of what the item does at a node, the same in all processes: without addresses
 * in code, and without numbers of cells. */
static uint64_t print_of(const struct weiri_native *native, uint32_t at)
{
    const struct weiri_request *request = weiri_history_request(native, at);
    const struct weiri_atomic_op *op = &request->atomic;
    uint32_t ending = weiri_history_node(native, at)->ending;
    uint64_t hash = mix(request->kind, request->op);
    hash = mix(mix(hash, request->argument), request->source);
    if (request->kind == WEIRI_REQUEST_READ || request->kind == WEIRI_REQUEST_WRITE
        || request->kind == WEIRI_REQUEST_ATOMIC) {
        hash
            = mix(hash, weiri_cell_at(&native->machine.cells, request->cell)->location);
    }
    if (request->kind == WEIRI_REQUEST_WRITE) {
        hash = mix(hash, (uint64_t)request->value);
    }
    if (request->kind == WEIRI_REQUEST_ATOMIC || request->kind == WEIRI_REQUEST_FENCE) {
        hash = mix(mix(mix(hash, op->kind), op->operand), op->expected);
        hash = mix(mix(mix(hash, op->order), op->failure), op->scope);
    }
    if (ending != 0) {
        const struct weiri_native_ending *left
            = g_ptr_array_index(native->endings, ending - 1);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < left->n; i++) {
            sum += mix(0, (uint64_t)left->values[i].value);
        }
        hash = mix(hash, sum);
    }
    return hash | 1; /* 0: it is not known */
}

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
        uint64_t print = print_of(native, i);
        g_array_append_val(shared->answers, node->answer);
        g_array_append_val(shared->prints, print);
        g_array_append_val(shared->wrote, wrote);
    }
    if (shared->anew) {
        g_array_append_val(shared->histories, own.node);
        uint64_t none = 0;
        g_array_append_val(shared->answers, own.answer);
        g_array_append_val(shared->prints, none);
        g_array_append_val(shared->wrote, own.wrote);
    }
}

/* Whether an item that fails in the same place is marked. */
static bool is_known_fault(const struct weiri_native *native, uint32_t node)
{
    const struct weiri_request *request = weiri_history_request(native, node);
    for (guint i = 0; i < own.marks->len; i++) {
        const struct weiri_request *known
            = weiri_history_request(native, g_array_index(own.marks, uint32_t, i));
        if (known->kind == request->kind && known->site == request->site
            && known->pc == request->pc) {
            return true;
        }
    }
    return false;
}

/* The item has run to the node, which is new. */
static void mark(const struct weiri_native *native, uint32_t node)
{
    size_t n = weir_report_n_findings(native->machine.hub.launch->report);
    bool fails = weiri_history_node(native, node)->step.kind == WEIRI_STEP_FAULT;
    if (n > own.n_findings || (fails && !is_known_fault(native, node))) {
        g_array_append_val(own.marks, node);
    }
    own.n_findings = n;
}

static void resume(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next)
{
    const struct weiri_native *native = self;
    guint n = native->nodes->len;
    if (!native->program.stopped) {
        memcpy(&own.node, state, sizeof(own.node));
        own.answer = read;
        own.wrote = wrote;
    }
    own.resume(self, thread, state, read, wrote, next);
    if (native->nodes->len > n && !native->program.stopped) {
        uint32_t node;
        memcpy(&node, state, sizeof(node));
        mark(native, node);
    }
}

/* A history that the explorer goes on with: histories after a twin only serve to
 * compare loops, and the program makes them itself. */
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

static const char DIFFERS[]
    = "its items behave differently in another process: they use the time, random "
      "numbers, or memory that is not the launch's";

/* Where the other process had to stop, it does not matter what its items do at last. */
static void compare(const struct weiri_shared *shared, guint i,
                    struct weiri_native *native, uint32_t node)
{
    uint64_t print = g_array_index(shared->prints, uint64_t, i);
    if (print != 0 && !shared->anew && !native->program.stopped
        && native->failure == NULL && print != print_of(native, node)) {
        native->failure = g_strdup(DIFFERS);
    }
}

/* Whether the time of the exploration is over, and nothing else has stopped it. */
static bool is_out_of_time(const struct weiri_native *native)
{
    return native->program.stopped && native->failure == NULL
        && native->machine.cells.refused == NULL && !native->machine.interrupted
        && !weiri_native_must_begin_anew(native);
}

/* By history, whether it is part of one that is marked. Returns: (transfer full) */
static bool *marked_of(const struct weiri_shared *shared)
{
    bool *marked = g_new0(bool, shared->histories->len);
    for (guint i = 0; i < shared->marks->len; i++) {
        for (uint32_t at = g_array_index(shared->marks, uint32_t, i);
             at != WEIRI_NO_HISTORY && !marked[at];
             at = g_array_index(shared->histories, uint32_t, at)) {
            marked[at] = true;
        }
    }
    return marked;
}

/* Brings the program's items through the histories of another process. @wanted: by
 * history, whether it is run; NULL: all are */
static void learn(const struct weiri_shared *shared, struct weiri_native *native,
                  const bool *wanted)
{
    const struct weiri_program *program = &native->program;
    guint n = shared->histories->len;
    g_autofree uint32_t *threads = g_new(uint32_t, n), *nodes = g_new(uint32_t, n);
    uint32_t n_roots = 0;
    for (guint i = 0; i < n && !program->stopped && native->failure == NULL; i++) {
        uint32_t parent = g_array_index(shared->histories, uint32_t, i);
        if (parent == WEIRI_NO_HISTORY) {
            threads[i] = n_roots;
            nodes[i] = native->roots[n_roots++];
            compare(shared, i, native, nodes[i]);
            continue;
        }
        threads[i] = threads[parent];
        nodes[i] = WEIRI_NO_HISTORY;
        if ((wanted == NULL || wanted[i]) && nodes[parent] != WEIRI_NO_HISTORY
            && goes_on(native, nodes[parent])) {
            struct weiri_step next;
            nodes[i] = nodes[parent];
            program->resume(program->self, threads[i], &nodes[i],
                            g_array_index(shared->answers, int64_t, i),
                            g_array_index(shared->wrote, uint8_t, i) != 0, &next);
            compare(shared, i, native, nodes[i]);
        }
    }
}

/* ---- Processes ------------------------------------------------------------- */

static struct weiri_shared *explore(const struct weiri_sharing *sharing)
{
    struct weiri_explore_options how = *sharing->how;
    uint64_t most = how.max_executions;
    how.time_limit = weiri_native_time_left(sharing->native);
    own.place = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    own.marks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    own.n_findings
        = weir_report_n_findings(sharing->native->machine.hub.launch->report);
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
    shared->counts[WEIRI_SHARED_LIMITED] = done.limited;
    g_array_append_vals(shared->stopped, own.place->data, own.place->len);
    g_array_append_vals(shared->marks, own.marks->data, own.marks->len);
    add_histories(shared, sharing->native);
    sharing->collect(how.user, shared);
    return shared;
}

static _Noreturn void work(const struct weiri_sharing *sharing, int socket)
{
    int64_t ends_us = sharing->native->ends_us = own.ends_us;
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
    unsigned n = 0;
    for (; n < own.n_here; n++) {
        own.index = own.first + n;
        if (!start(&workers[n], sharing)) {
            sharing->native->failure = g_strdup_printf("cannot start %u processes: %s",
                                                       own.n_here, g_strerror(errno));
            break;
        }
    }
    return n;
}

/* Waits for all of them. Returns: (transfer full) (element-type GBytes) */
static GPtrArray *gather(const struct weiri_sharing *sharing,
                         const struct worker *workers, unsigned n)
{
    char **why = &sharing->native->failure;
    GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (unsigned i = 0; i < n; i++) {
        GBytes *one = *why == NULL ? weiri_channel_read(workers[i].socket) : NULL;
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

/* ---- Together -------------------------------------------------------------- */

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

/* A reason that has stopped another process stops this one. */
static void stop_like(const struct weiri_shared *first, struct weiri_native *native)
{
    learn(first, native, NULL);
    if (native->failure != NULL || native->machine.cells.refused != NULL) {
        return;
    }
    native->failure = g_strdup(first->failure);
    native->machine.cells.refused = g_strdup(first->refused);
    if (first->failure == NULL && first->refused == NULL && !native->program.stopped) {
        native->failure = g_strdup(DIFFERS);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct weiri_shared_kept *one = a, *other = b;
    return weiri_shared_compare(one->place, other->place);
}

/* The treatment of one execution. */
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
        /* Each process has ended at its first; one process would have at the first of
         * all. */
        if (sharing->only_first
            && by_place(&g_array_index(all, struct weiri_shared_kept, i),
                        &g_array_index(all, struct weiri_shared_kept, 0))
                != 0) {
            break;
        }
        struct revisit revisit
            = { sharing, &g_array_index(all, struct weiri_shared_kept, i) };
        const GArray *place = revisit.kept->place;
        const struct weiri_explore_place only
            = { place->len, (const uint32_t *)(const void *)place->data };
        struct weiri_explore_options how = *sharing->how;
        how.max_executions = 0;
        how.time_limit = weiri_native_time_left(sharing->native);
        how.execution = revisit_execution;
        how.stuck = revisit_stuck;
        how.only = &only;
        how.user = &revisit;
        weiri_explore(&sharing->native->program, &how);
    }
}

/* Takes the results in the order of the processes, not of their ends, and histories
 * that lead to findings before all others. @ends_us: see struct weiri_native; if time
 * is too short for all, sharing->cut is set. */
static void learn_until(const struct weiri_sharing *sharing, const GPtrArray *found,
                        int64_t ends_us)
{
    struct weiri_native *native = sharing->native;
    int64_t own_ends_us = native->ends_us;
    native->ends_us = ends_us;
    for (guint i = 0; i < found->len; i++) {
        const struct weiri_shared *one = g_ptr_array_index((GPtrArray *)found, i);
        g_autofree bool *marked = marked_of(one);
        learn(one, native, marked);
    }
    for (guint i = 0; i < found->len; i++) {
        learn(g_ptr_array_index((GPtrArray *)found, i), native, NULL);
    }
    native->ends_us = own_ends_us;
    if (is_out_of_time(native)) {
        native->program.stopped = false;
        *sharing->cut = true;
    }
}

/* Returns: whether the exploration has a meaning */
static bool learn_all(const struct weiri_sharing *sharing, const GPtrArray *found)
{
    struct weiri_native *native = sharing->native;
    const struct weiri_shared *first = first_anew(found);
    if (first != NULL) {
        stop_like(first, native);
        return false;
    }
    int64_t now = g_get_monotonic_time(), ends_us = native->ends_us;
    if (ends_us != 0) {
        ends_us = now + (int64_t)((double)(ends_us - now) * PART_BEFORE_SHOWN);
    }
    learn_until(sharing, found, ends_us);
    return native->failure == NULL && !weiri_native_must_begin_anew(native);
}

/* When the processes are to end. */
static int64_t end_of(const struct weiri_explore_options *how)
{
    double seconds
        = how->time_limit - MIN(how->time_limit * PART_TO_LEARN, MOST_SECONDS_TO_LEARN);
    return how->time_limit == 0
        ? 0
        : g_get_monotonic_time() + (int64_t)(seconds * G_USEC_PER_SEC);
}

/* Divides the exploration among the processes of all ranks. */
static void divide(const struct weiri_sharing *sharing)
{
    const struct weiri_exchange *exchange = sharing->exchange;
    uint64_t most = sharing->how->max_executions;
    own.rank = exchange != NULL ? exchange->rank : 0;
    own.n_ranks = exchange != NULL ? exchange->n_ranks : 1;
    own.first = own.rank * sharing->n_processes;
    own.n = own.n_ranks * sharing->n_processes;
    own.n = most == 0 ? own.n : (unsigned)MIN(most, own.n);
    own.n_here = own.first < own.n ? MIN(own.n - own.first, sharing->n_processes) : 0;
}

/* The results of all processes, of all ranks. Returns: (transfer full) (element-type
 * struct weiri_shared): or NULL with a failure */
static GPtrArray *gather_all(const struct weiri_sharing *sharing,
                             const struct worker *workers, unsigned n)
{
    GPtrArray *messages = gather(sharing, workers, n);
    if (sharing->exchange != NULL) {
        messages = weiri_ranks_gather(sharing->exchange, sharing->native, messages);
    }
    GPtrArray *found
        = g_ptr_array_new_with_free_func((GDestroyNotify)weiri_shared_free);
    for (guint i = 0; messages != NULL && i < messages->len; i++) {
        g_ptr_array_add(found, weiri_shared_of_bytes(g_ptr_array_index(messages, i)));
    }
    g_clear_pointer(&messages, g_ptr_array_unref);
    if (sharing->native->failure != NULL) {
        g_clear_pointer(&found, g_ptr_array_unref);
    }
    return found;
}

GPtrArray *weiri_share(const struct weiri_sharing *sharing)
{
    void *claims = MAP_FAILED;
    *sharing->cut = false;
    own.ends_us = end_of(sharing->how);
    divide(sharing);
    if (sharing->how->max_executions == 0) {
        claims = mmap(NULL, MOST_CLAIMS, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    own.claims = claims == MAP_FAILED ? NULL : claims;
    g_autofree struct worker *workers = g_new0(struct worker, own.n_here);
    unsigned n_started = start_all(sharing, workers);
    GPtrArray *found = gather_all(sharing, workers, n_started);
    if (own.claims != NULL) {
        munmap(claims, MOST_CLAIMS);
        own.claims = NULL;
    }
    if (found == NULL || !learn_all(sharing, found)) {
        g_clear_pointer(&found, g_ptr_array_unref);
        return NULL;
    }
    revisit_kept(sharing, found);
    if (is_out_of_time(sharing->native)) {
        *sharing->cut = true;
    }
    return found;
}
