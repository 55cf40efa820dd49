/* SPDX-License-Identifier: MIT
 *
 * jobs.c: see jobs.h.
 *
 * A fork is connected by a pair of sockets; one that is closed ends the worker. It
 * leads a process group of its own, so that a terminal's interrupt reaches the command
 * alone.
 *
 * A rank gets and gives messages as they are; an empty one ends it. If there are to be
 * several processes in a rank, it hands the requests on to forks of its own. The kind
 * of a message is the number of the worker in rank 0, times two; it is odd if the
 * message states how the fork ended and is not an answer. */
#include "config.h"

#include "base/channel.h"
#include "cli/child.h"
#include "cli/ranks.h"
#include "engine/jobs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker {
    pid_t pid;
    int socket;
    bool busy;
    uint64_t ticket;
};

struct weiri_cli_jobs {
    weiri_cli_jobs_work work;
    void *data;
    unsigned n;
    bool ranks;
    unsigned rank;    /* that gave the last answer */
    unsigned n_ranks; /* that work; worker i belongs to number i modulo this, plus 1 */
    struct worker *workers;
};

/* ---- Forks ----------------------------------------------------------------------- */

static _Noreturn void serve(const struct weiri_cli_jobs *jobs, int socket)
{
    GBytes *request;
    while ((request = weiri_channel_read(socket)) != NULL) {
        /* A message ends with a zero that is not counted. */
        g_autoptr(GString) answer
            = jobs->work(jobs->data, g_bytes_get_data(request, NULL));
        g_bytes_unref(request);
        if (!weiri_channel_send(socket, answer->str, answer->len)) {
            break;
        }
    }
    weiri_cli_folder_remove();
    _exit(0);
}

static bool start(struct weiri_cli_jobs *jobs, struct worker *worker)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return false;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* a rank can be killed by mpirun */
        /* Only the command holds the other ends: they close when it ends. */
        for (unsigned i = 0; i < jobs->n; i++) {
            if (jobs->workers[i].pid > 0) {
                close(jobs->workers[i].socket);
            }
        }
        close(pair[0]);
        weiri_cli_folder_forget();
        serve(jobs, pair[1]);
    }
    close(pair[1]);
    *worker = (struct worker){ .pid = MAX(pid, 0), .socket = pair[0] };
    if (pid < 0) {
        close(pair[0]);
    }
    return pid > 0;
}

/* Returns: (transfer full): how it ended */
static char *end(struct worker *worker)
{
    int status = 0;
    close(worker->socket);
    kill(worker->pid, SIGTERM);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {}
    worker->pid = 0;
    return WIFSIGNALED(status)
        ? g_strdup_printf("was ended by signal %d (%s)", WTERMSIG(status),
                          g_strsignal(WTERMSIG(status)))
        : g_strdup_printf("ended with status %d", WEXITSTATUS(status));
}

/* Returns: whether all have started; if not, errno */
static bool start_all(struct weiri_cli_jobs *jobs)
{
    jobs->workers = g_new0(struct worker, jobs->n);
    for (unsigned i = 0; i < jobs->n; i++) {
        if (!start(jobs, &jobs->workers[i])) {
            return false;
        }
    }
    return true;
}

/* At the same time: mpirun gives a rank a second to end what it has started. */
static void end_all(struct weiri_cli_jobs *jobs)
{
    for (unsigned i = 0; i < jobs->n; i++) {
        if (jobs->workers[i].pid > 0) {
            kill(jobs->workers[i].pid, SIGTERM);
        }
    }
    for (unsigned i = 0; i < jobs->n; i++) {
        if (jobs->workers[i].pid > 0) {
            g_free(end(&jobs->workers[i]));
        }
    }
}

/* Returns: a worker that has answered or ended; or NULL where none does in time */
static struct worker *look_at_forks(struct weiri_cli_jobs *jobs,
                                    const struct timespec *time)
{
    g_autofree struct pollfd *files = g_new(struct pollfd, jobs->n);
    for (unsigned i = 0; i < jobs->n; i++) {
        bool busy = jobs->workers[i].busy;
        files[i].fd = busy ? jobs->workers[i].socket : -1;
        files[i].events = POLLIN;
    }
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    sigdelset(&mask, SIGINT);
    if (ppoll(files, jobs->n, time, &mask) <= 0) {
        return NULL;
    }
    for (unsigned i = 0; i < jobs->n; i++) {
        if (files[i].fd >= 0 && files[i].revents != 0) {
            return &jobs->workers[i];
        }
    }
    return NULL;
}

static GBytes *answer_of(struct weiri_cli_jobs *jobs, struct worker *worker, char **why)
{
    GBytes *answer = weiri_channel_read(worker->socket);
    if (answer == NULL) {
        *why = end(worker);
        start(jobs, worker);
    }
    worker->busy = false;
    return answer;
}

/* Returns: NULL also where the command is over */
static GBytes *take_of_fork(struct weiri_cli_jobs *jobs, uint64_t *ticket, char **why)
{
    /* How long a signal that is blocked may wait. */
    static const struct timespec moment = { .tv_nsec = 200 * 1000 * 1000 };
    struct worker *worker = NULL;
    while (worker == NULL && !weiri_cli_is_over()) {
        worker = look_at_forks(jobs, &moment);
    }
    if (worker == NULL) {
        return NULL;
    }
    *ticket = worker->ticket;
    return answer_of(jobs, worker, why);
}

/* ---- Ranks ----------------------------------------------------------------------- */

/* Returns: (transfer full): or NULL where a signal has come */
static GBytes *receive(int *rank, uint64_t *kind)
{
    GBytes *message = NULL;
    while (message == NULL && !weiri_cli_is_over()) {
        message = weiri_cli_ranks_poll(rank, kind);
        if (message == NULL) {
            weiri_cli_ranks_pause();
        }
    }
    return message;
}

static void send_to(unsigned rank, uint64_t kind, const char *text, size_t bytes)
{
    (void)weiri_cli_ranks_send(rank, kind, text, bytes);
}

static void work_as_rank(const struct weiri_cli_jobs *jobs, GBytes *request,
                         uint64_t kind)
{
    g_autoptr(GString) answer = jobs->work(jobs->data, g_bytes_get_data(request, NULL));
    send_to(0, kind, answer->str, answer->len);
}

/* Sends what a fork has answered, or how it has ended. Returns: whether one has */
static bool pass_on(struct weiri_cli_jobs *jobs)
{
    static const struct timespec at_once = { 0 };
    struct worker *worker = look_at_forks(jobs, &at_once);
    if (worker == NULL) {
        return false;
    }
    uint64_t kind = worker->ticket;
    g_autofree char *why = NULL;
    GBytes *answer = answer_of(jobs, worker, &why);
    if (answer != NULL) {
        send_to(0, kind, g_bytes_get_data(answer, NULL), g_bytes_get_size(answer));
        g_bytes_unref(answer);
    } else {
        send_to(0, kind | 1, why, strlen(why));
    }
    return true;
}

static void serve_by_forks(struct weiri_cli_jobs *jobs)
{
    bool ended = false;
    while (!ended && !weiri_cli_is_over()) {
        int first = 0;
        uint64_t kind;
        GBytes *request = weiri_cli_ranks_poll(&first, &kind);
        if (request == NULL) {
            if (!pass_on(jobs)) {
                weiri_cli_ranks_pause();
            }
            continue;
        }
        ended = g_bytes_get_size(request) == 0;
        if (!ended && weiri_cli_jobs_n_idle(jobs) > 0) {
            weiri_cli_jobs_give(jobs, kind, g_bytes_get_data(request, NULL));
        } else if (!ended) { /* a fork could not be replaced */
            work_as_rank(jobs, request, kind);
        }
        g_bytes_unref(request);
    }
}

static void serve_alone(const struct weiri_cli_jobs *jobs)
{
    GBytes *request;
    int first = 0;
    uint64_t kind;
    while ((request = receive(&first, &kind)) != NULL
           && g_bytes_get_size(request) > 0) {
        work_as_rank(jobs, request, kind);
        g_bytes_unref(request);
    }
}

static _Noreturn void serve_as_rank(struct weiri_cli_jobs *jobs)
{
    bool forks = jobs->n > 1 && start_all(jobs);
    if (forks) {
        serve_by_forks(jobs);
    } else {
        serve_alone(jobs);
    }
    if (jobs->workers != NULL) {
        end_all(jobs);
    }
    weiri_cli_folder_remove();
    weiri_cli_ranks_leave();
    exit(0);
}

static void start_ranks(struct weiri_cli_jobs *jobs)
{
    unsigned rank;
    unsigned n = weiri_cli_ranks_join(&rank);
    if (rank > 0) {
        serve_as_rank(jobs);
    }
    jobs->ranks = true;
    jobs->n_ranks = n - 1;
    jobs->n *= n - 1;
    jobs->workers = g_new0(struct worker, jobs->n);
}

/* A rank that was still at work when the jobs ended. MPI can end it only together with
 * all ranks, which happens after this rank's report. */
static bool a_rank_is_left;

static void end_ranks(struct weiri_cli_jobs *jobs)
{
    for (unsigned i = 0; i < jobs->n; i++) {
        a_rank_is_left = a_rank_is_left || jobs->workers[i].busy;
    }
    if (a_rank_is_left) {
        return;
    }
    for (unsigned i = 1; i <= jobs->n_ranks; i++) {
        send_to(i, 0, "", 0);
    }
    weiri_cli_ranks_leave();
}

static GBytes *take_of_rank(struct weiri_cli_jobs *jobs, uint64_t *ticket, char **why)
{
    int rank = -1;
    uint64_t kind;
    GBytes *answer = receive(&rank, &kind);
    if (answer == NULL) {
        return NULL;
    }
    struct worker *worker = &jobs->workers[kind / 2];
    *ticket = worker->ticket;
    jobs->rank = (unsigned)rank;
    worker->busy = false;
    if (kind % 2 != 0) {
        *why = g_strdup(g_bytes_get_data(answer, NULL));
        g_clear_pointer(&answer, g_bytes_unref);
    }
    return answer;
}

/* ---- Either ---------------------------------------------------------------------- */

struct weiri_cli_jobs *weiri_cli_jobs_new(unsigned n, weiri_cli_jobs_work work,
                                          void *data, GError **error)
{
    struct weiri_cli_jobs *jobs = g_new0(struct weiri_cli_jobs, 1);
    *jobs = (struct weiri_cli_jobs){ .work = work, .data = data, .n = MAX(n, 1) };
    if (weiri_cli_ranks_are_there()) {
        start_ranks(jobs);
    } else if (!start_all(jobs)) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot start %u processes: %s", n, g_strerror(errno));
        g_clear_pointer(&jobs, weiri_cli_jobs_free);
    }
    return jobs;
}

void weiri_cli_jobs_free(struct weiri_cli_jobs *jobs)
{
    if (jobs->ranks) {
        end_ranks(jobs);
    }
    end_all(jobs);
    g_free(jobs->workers);
    g_free(jobs);
}

int weiri_cli_jobs_leave(int status)
{
    if (a_rank_is_left) {
        (void)fflush(NULL);
        weiri_cli_ranks_abort(status);
    }
    return status;
}

unsigned weiri_cli_jobs_n_idle(const struct weiri_cli_jobs *jobs)
{
    unsigned n = 0;
    for (unsigned i = 0; i < jobs->n; i++) {
        n += !jobs->workers[i].busy && (jobs->ranks || jobs->workers[i].pid > 0);
    }
    return n;
}

void weiri_cli_jobs_give(struct weiri_cli_jobs *jobs, uint64_t ticket,
                         const char *request)
{
    unsigned i = 0;
    while (jobs->workers[i].busy || (!jobs->ranks && jobs->workers[i].pid == 0)) {
        i++;
    }
    jobs->workers[i].busy = true;
    jobs->workers[i].ticket = ticket;
    if (jobs->ranks) {
        send_to(i % jobs->n_ranks + 1, 2 * (uint64_t)i, request, strlen(request));
        return;
    }
    /* Where this fails the worker has ended, which take() reports. */
    (void)weiri_channel_send(jobs->workers[i].socket, request, strlen(request));
}

GBytes *weiri_cli_jobs_take(struct weiri_cli_jobs *jobs, uint64_t *ticket, char **why)
{
    *why = NULL;
    if (jobs->ranks) {
        return take_of_rank(jobs, ticket, why);
    }
    return take_of_fork(jobs, ticket, why);
}

unsigned weiri_cli_jobs_rank(const struct weiri_cli_jobs *jobs)
{
    return jobs->rank;
}
