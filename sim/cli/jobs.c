/* SPDX-License-Identifier: MIT
 *
 * jobs.c: see jobs.h.
 *
 * A fork is connected by a pair of sockets; one that is closed ends the worker. It
 * leads a process group of its own, so that a terminal's interrupt comes to the command
 * alone.
 *
 * A rank gets and gives messages as they are; an empty one ends it. */
#include "config.h"

#include "base/channel.h"
#include "cli/child.h"
#include "cli/jobs.h"
#include "cli/ranks.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* Waits until a worker answers or ends. Returns: NULL where the command is over */
static struct worker *await_fork(struct weiri_cli_jobs *jobs)
{
    /* How long a signal that is blocked may wait. */
    static const struct timespec moment = { .tv_nsec = 200 * 1000 * 1000 };
    g_autofree struct pollfd *files = g_new(struct pollfd, jobs->n);
    for (unsigned i = 0; i < jobs->n; i++) {
        bool busy = jobs->workers[i].busy;
        files[i].fd = busy ? jobs->workers[i].socket : -1;
        files[i].events = POLLIN;
    }
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    sigdelset(&mask, SIGINT);
    while (!weiri_cli_is_over()) {
        if (ppoll(files, jobs->n, &moment, &mask) <= 0) {
            continue;
        }
        for (unsigned i = 0; i < jobs->n; i++) {
            if (files[i].fd >= 0 && files[i].revents != 0) {
                return &jobs->workers[i];
            }
        }
    }
    return NULL;
}

static GBytes *take_of_fork(struct weiri_cli_jobs *jobs, uint64_t *ticket, char **why)
{
    struct worker *worker = await_fork(jobs);
    if (worker == NULL) {
        return NULL;
    }
    *ticket = worker->ticket;
    GBytes *answer = weiri_channel_read(worker->socket);
    if (answer == NULL) {
        *why = end(worker);
        start(jobs, worker);
    }
    worker->busy = false;
    return answer;
}

/* ---- Ranks ----------------------------------------------------------------------- */

/* Returns: (transfer full): or NULL where a signal has come */
static GBytes *receive(int *rank)
{
    GBytes *message = NULL;
    uint64_t kind;
    while (message == NULL && !weiri_cli_is_over()) {
        message = weiri_cli_ranks_poll(rank, &kind);
        if (message == NULL) {
            weiri_cli_ranks_pause();
        }
    }
    return message;
}

static void send_to(int rank, const char *text, size_t bytes)
{
    (void)weiri_cli_ranks_send((unsigned)rank, 0, text, bytes);
}

static _Noreturn void serve_as_rank(weiri_cli_jobs_work work, void *data)
{
    GBytes *request;
    int first = 0;
    while ((request = receive(&first)) != NULL && g_bytes_get_size(request) > 0) {
        g_autoptr(GString) answer = work(data, g_bytes_get_data(request, NULL));
        g_bytes_unref(request);
        send_to(0, answer->str, answer->len);
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
        serve_as_rank(jobs->work, jobs->data);
    }
    jobs->ranks = true;
    jobs->n = n - 1;
}

/* A rank is waited for: MPI knows no other end than that of all. */
static void end_ranks(struct weiri_cli_jobs *jobs)
{
    for (unsigned i = 0; i < jobs->n; i++) {
        if (jobs->workers[i].busy) {
            weiri_cli_ranks_abort(WEIRI_CLI_INCOMPLETE);
        }
        send_to((int)i + 1, "", 0);
    }
    weiri_cli_ranks_leave();
}

static GBytes *take_of_rank(struct weiri_cli_jobs *jobs, uint64_t *ticket)
{
    int rank = -1;
    GBytes *answer = receive(&rank);
    if (answer != NULL) {
        struct worker *worker = &jobs->workers[rank - 1];
        *ticket = worker->ticket;
        worker->busy = false;
    }
    return answer;
}

/* ---- Either ---------------------------------------------------------------------- */

struct weiri_cli_jobs *weiri_cli_jobs_new(unsigned n, weiri_cli_jobs_work work,
                                          void *data, GError **error)
{
    struct weiri_cli_jobs *jobs = g_new0(struct weiri_cli_jobs, 1);
    *jobs = (struct weiri_cli_jobs){ .work = work, .data = data, .n = n };
    if (weiri_cli_ranks_are_there()) {
        start_ranks(jobs);
    }
    jobs->workers = g_new0(struct worker, jobs->n);
    bool started = true;
    for (unsigned i = 0; !jobs->ranks && started && i < n; i++) {
        started = start(jobs, &jobs->workers[i]);
    }
    if (!started) {
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
    for (unsigned i = 0; i < jobs->n; i++) {
        if (jobs->workers[i].pid > 0) {
            g_free(end(&jobs->workers[i]));
        }
    }
    g_free(jobs->workers);
    g_free(jobs);
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
        send_to((int)i + 1, request, strlen(request));
        return;
    }
    /* Where this fails the worker has ended, which take() reports. */
    (void)weiri_channel_send(jobs->workers[i].socket, request, strlen(request));
}

GBytes *weiri_cli_jobs_take(struct weiri_cli_jobs *jobs, uint64_t *ticket, char **why)
{
    *why = NULL;
    if (jobs->ranks) {
        return take_of_rank(jobs, ticket);
    }
    return take_of_fork(jobs, ticket, why);
}
