/* SPDX-License-Identifier: MIT
 *
 * fork-server.c: see fork-server.h. Whether the process can be forked is read from
 * /proc (threads, shared mappings, and files that the parent process has not open) and
 * asked of the system (children, timers). The server reads one line after another from
 * the pipe, forks a copy for each, and writes the copy's number and exit status to the
 * other pipe. */
#include "config.h"

#include "base/fork-server.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Whether the process can be forked ------------------------------------------- */

static bool has_one_thread(void)
{
    GDir *tasks = g_dir_open("/proc/self/task", 0, NULL);
    unsigned n = 0;
    while (tasks != NULL && g_dir_read_name(tasks) != NULL) {
        n++;
    }
    g_clear_pointer(&tasks, g_dir_close);
    return n == 1;
}

static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) == 0
        || errno != ECHILD;
}

/* A timer is not inherited by a copy. */
static bool has_timer(void)
{
    static const int timers[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
    for (size_t i = 0; i < G_N_ELEMENTS(timers); i++) {
        struct itimerval timer;
        if (getitimer((__itimer_which_t)timers[i], &timer) != 0
            || timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) {
            return true;
        }
    }
    return false;
}

/* Whether the file is one that the process executes code of: Weir has opened it to find
 * lines, and reads it by no position. A line of @maps is "start-end rwxp ... path". */
static bool is_code(const char *file, const char *maps)
{
    for (const char *line = maps; line != NULL && *line != '\0';) {
        const char *rights = strchr(line, ' ');
        const char *end = line + strcspn(line, "\n");
        const char *path = memchr(line, '/', (size_t)(end - line));
        if (rights != NULL && rights < end && rights[3] == 'x' && path != NULL
            && strlen(file) == (size_t)(end - path)
            && strncmp(path, file, strlen(file)) == 0) {
            return true;
        }
        line = *end != '\0' ? end + 1 : NULL;
    }
    return false;
}

/* Whether the process has opened the file at @name of /proc/self/fd itself: its
 * position would be one for all copies. A file that its parent has open under the same
 * number was handed down, as it is to any process that the parent starts. */
static bool is_own_file(const char *name, const char *maps)
{
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%s", name);
    g_autofree char *above = g_strdup_printf("/proc/%d/fd/%s", (int)getppid(), name);
    g_autofree char *own = g_file_read_link(path, NULL);
    g_autofree char *of_parent = g_file_read_link(above, NULL);
    return atoi(name) > STDERR_FILENO && own != NULL && g_strcmp0(own, of_parent) != 0
        && !is_code(own, maps);
}

static bool has_files(void)
{
    GDir *files = g_dir_open("/proc/self/fd", 0, NULL);
    bool found = files == NULL;
    const char *name;
    g_autofree char *self = g_strdup_printf("/proc/%d/fd", (int)getpid());
    g_autofree char *maps = NULL;
    (void)g_file_get_contents("/proc/self/maps", &maps, NULL, NULL);
    while (!found && (name = g_dir_read_name(files)) != NULL) {
        g_autofree char *path = g_strdup_printf("/proc/self/fd/%s", name);
        g_autofree char *target = g_file_read_link(path, NULL);
        /* The directory that is being read is open, too. */
        found = g_strcmp0(target, self) != 0 && is_own_file(name, maps);
    }
    g_clear_pointer(&files, g_dir_close);
    return found;
}

/* A line of /proc/self/maps is "start-end rwxs ...". */
static bool has_shared_memory(void)
{
    g_autofree char *maps = NULL;
    if (!g_file_get_contents("/proc/self/maps", &maps, NULL, NULL)) {
        return true;
    }
    for (const char *line = maps; line != NULL && *line != '\0';) {
        const char *rights = strchr(line, ' ');
        if (rights == NULL || (rights[2] == 'w' && rights[4] == 's')) {
            return true;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return false;
}

/* The parent process has made the one that it started the leader of a group: one that
 * this has started does not answer for it. */
bool weiri_fork_server_can(void)
{
    return getpid() == getpgrp() && has_one_thread() && !has_children() && !has_timer()
        && !has_files() && !has_shared_memory();
}

/* ---- Serving --------------------------------------------------------------------- */

struct pipes {
    int asks, answers;
};

static bool open_pipes(const char *path, struct pipes *pipes)
{
    g_autofree char *asks = g_strconcat(path, WEIRI_FORK_ASKS, NULL);
    g_autofree char *answers = g_strconcat(path, WEIRI_FORK_ANSWERS, NULL);
    pipes->answers = open(answers, O_WRONLY | O_CLOEXEC);
    pipes->asks = open(asks, O_RDONLY | O_CLOEXEC);
    return pipes->answers >= 0 && pipes->asks >= 0;
}

static void close_pipes(const struct pipes *pipes)
{
    if (pipes->asks >= 0) {
        close(pipes->asks);
    }
    if (pipes->answers >= 0) {
        close(pipes->answers);
    }
}

/* An answer is smaller than what a pipe takes at once. */
static void answer(const struct pipes *pipes, int what, int32_t number)
{
    struct weiri_fork_answer answer;
    memset(&answer, 0, sizeof(answer));
    answer.what = what;
    answer.number = number;
    if (write(pipes->answers, &answer, sizeof(answer)) != sizeof(answer)) {
        _exit(0);
    }
}

/* The next line, without its end. The server ends with the last one. */
static void read_request(const struct pipes *pipes, char line[WEIRI_FORK_MOST_BYTES])
{
    size_t n = 0;
    while (n == 0 || line[n - 1] != '\n') {
        ssize_t got = read(pipes->asks, line + n, WEIRI_FORK_MOST_BYTES - n);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            _exit(0);
        }
        n += (size_t)got;
    }
    line[n - 1] = '\0';
}

/* Ends a copy with all that it has started. It stays a zombie until then, so that its
 * number still names its group. */
static int await(pid_t copy)
{
    siginfo_t info;
    int status = 0;
    while (waitid(P_PID, (id_t)copy, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    kill(-copy, SIGKILL);
    while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

char *weiri_fork_server_serve(const char *path)
{
    static bool tried;
    if (tried || !weiri_fork_server_can()) {
        tried = true;
        return NULL;
    }
    tried = true;
    struct pipes pipes;
    if (!open_pipes(path, &pipes)) {
        close_pipes(&pipes);
        return NULL;
    }
    fflush(NULL); /* else each copy would write what is in the buffers */
    off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    answer(&pipes, WEIRI_FORK_READY, 0);
    for (;;) {
        char line[WEIRI_FORK_MOST_BYTES];
        read_request(&pipes, line);
        if (input >= 0) {
            lseek(STDIN_FILENO, input, SEEK_SET);
        }
        pid_t copy = fork();
        if (copy == 0) {
            setpgid(0, 0);
            close_pipes(&pipes);
            return g_strdup(line);
        }
        if (copy > 0) {
            setpgid(copy, copy); /* in the copy, too, which may come later */
        }
        answer(&pipes, WEIRI_FORK_COPY, copy);
        if (copy > 0) {
            answer(&pipes, WEIRI_FORK_STATUS, await(copy));
        }
    }
}
