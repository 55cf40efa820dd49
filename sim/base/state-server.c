/* SPDX-License-Identifier: MIT
 *
 * state-server.c: see state-server.h. A question and its answer are messages of a pair
 * of sockets. The asking process holds a lock of a file meanwhile, which the system
 * takes from a process that ends. An answer has the number of its question, so that the
 * answer to such a process is not taken for another one. */
#include "config.h"

#include "base/state-server.h"

#include "base/fork-server.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The number of changes that fit into a message; a state with more is not judged. */
enum { MOST_CHANGES = 4096 };
/* How long a copy may take. */
enum { COPY_SECONDS = 5 };

struct question {
    uint64_t number;
    struct weiri_state_change changes[MOST_CHANGES];
};

struct answer {
    uint64_t number;
    uint64_t end;
};

struct weiri_state_server {
    int socket, lock;
    pid_t pid;
    uint64_t n_asked;
    GHashTable *known; /* GBytes of changes -> end + 1 */
    struct question question;
};

/* ---- The server ------------------------------------------------------------------ */

static void become_silent(void)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        close(nothing);
    }
}

static void write_changes(const struct question *question, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct weiri_state_change *change = &question->changes[i];
        memcpy((void *)(uintptr_t)change->address, &change->value, change->bytes);
    }
}

/* Ends the copy with all that it has started. */
static enum weiri_state_end await(pid_t copy)
{
    siginfo_t info;
    int status = 0;
    while (waitid(P_PID, (id_t)copy, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    kill(-copy, SIGKILL);
    while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {}
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? WEIRI_STATE_UNKNOWN
        : status != 0                                         ? WEIRI_STATE_WRONG
                                                              : WEIRI_STATE_RIGHT;
}

/* Returns in copies alone. */
static void serve(struct weiri_state_server *server)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    for (;;) {
        ssize_t got
            = recv(server->socket, &server->question, sizeof(server->question), 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < (ssize_t)sizeof(uint64_t)) {
            _exit(0);
        }
        pid_t copy = fork();
        if (copy == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            setpgid(0, 0);
            write_changes(&server->question,
                          ((size_t)got - sizeof(uint64_t))
                              / sizeof(struct weiri_state_change));
            become_silent();
            alarm(COPY_SECONDS);
            return;
        }
        const struct answer answer
            = { server->question.number, copy > 0 ? await(copy) : WEIRI_STATE_UNKNOWN };
        if (input >= 0) {
            lseek(STDIN_FILENO, input, SEEK_SET);
        }
        if (send(server->socket, &answer, sizeof(answer), MSG_NOSIGNAL) < 0) {
            _exit(0);
        }
    }
}

static void close_and_free(struct weiri_state_server *server)
{
    if (server->socket >= 0) {
        close(server->socket);
    }
    if (server->lock >= 0) {
        close(server->lock);
    }
    g_hash_table_unref(server->known);
    g_free(server);
}

struct weiri_state_server *weiri_state_server_new(bool *is_copy)
{
    *is_copy = false;
    if (!weiri_fork_server_can()) {
        return NULL;
    }
    int pair[2] = { -1, -1 };
    struct weiri_state_server *server = g_new0(struct weiri_state_server, 1);
    server->known = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
                                          (GDestroyNotify)g_bytes_unref, NULL);
    server->socket = -1;
    server->lock = memfd_create("weir-states", MFD_CLOEXEC);
    if (server->lock < 0
        || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        close_and_free(server);
        return NULL;
    }
    fflush(NULL); /* else each copy would write what is in the buffers */
    server->pid = fork();
    server->socket = pair[server->pid == 0 ? 1 : 0];
    close(pair[server->pid == 0 ? 0 : 1]);
    if (server->pid == 0) {
        serve(server);
        *is_copy = true;
    }
    if (server->pid <= 0) {
        close_and_free(server);
        return NULL;
    }
    return server;
}

/* ---- Questions ------------------------------------------------------------------- */

static bool set_lock(const struct weiri_state_server *server, short type)
{
    struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
    int done;
    do {
        done = fcntl(server->lock, F_SETLKW, &lock);
    } while (done != 0 && errno == EINTR);
    return done == 0;
}

static enum weiri_state_end exchange(struct weiri_state_server *server, size_t bytes)
{
    struct answer answer = { .number = ~server->question.number };
    ssize_t done;
    do {
        done = send(server->socket, &server->question, bytes, MSG_NOSIGNAL);
    } while (done < 0 && errno == EINTR);
    while (done > 0 && answer.number != server->question.number) {
        done = recv(server->socket, &answer, sizeof(answer), 0);
        done = done < 0 && errno == EINTR ? 1 : done;
    }
    return done == sizeof(answer) ? (enum weiri_state_end)answer.end
                                  : WEIRI_STATE_UNKNOWN;
}

enum weiri_state_end weiri_state_server_ask(struct weiri_state_server *server,
                                            const struct weiri_state_change *changes,
                                            size_t n)
{
    g_autoptr(GBytes) key = g_bytes_new(changes, n * sizeof(*changes));
    void *known = g_hash_table_lookup(server->known, key);
    if (known != NULL) {
        return (enum weiri_state_end)(GPOINTER_TO_INT(known) - 1);
    }
    enum weiri_state_end end = WEIRI_STATE_UNKNOWN;
    if (n <= MOST_CHANGES && set_lock(server, F_WRLCK)) {
        server->question.number = (uint64_t)getpid() << 32 | ++server->n_asked;
        if (n > 0) {
            memcpy(server->question.changes, changes, n * sizeof(*changes));
        }
        end = exchange(server, sizeof(uint64_t) + n * sizeof(*changes));
        set_lock(server, F_UNLCK);
    }
    g_hash_table_insert(server->known, g_steal_pointer(&key),
                        GINT_TO_POINTER((int)end + 1));
    return end;
}

void weiri_state_server_free(struct weiri_state_server *server)
{
    if (server != NULL) {
        pid_t pid = server->pid;
        close_and_free(server);
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    }
}
