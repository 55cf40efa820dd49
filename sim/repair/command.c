/* SPDX-License-Identifier: MIT
 *
 * command.c: see command.h. The command has a process group of its own, so that it ends
 * with all that it has started, and stays a zombie until then: its number names its
 * group so long. Signals that end the program are blocked by the caller; a pending one
 * ends the command. */
#include "config.h"

#include "repair/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The most bytes of a compiler's output that are kept; the first error is near the
 * beginning. */
enum { MOST_SAID_BYTES = 256 * 1024 };

/* How often the deadline and pending signals are looked at. */
enum { SLICE_MS = 50 };

/* The time that a compiler has to remove its temporary files, in ms. */
enum { GRACE_MS = 500 };

/* In the child: only what is safe after a fork. */
static void prepare(void *unused)
{
    (void)unused;
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The environment of the recorded command, and messages in English. */
static GStrv environment_of(const struct weiri_command *command)
{
    const struct weiri_build_record *record = command->record;
    static const char *const removed[]
        = { "LC_ALL", "LANGUAGE", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES" };
    GStrv environment = g_get_environ();
    for (size_t i = 0; i < WEIRI_BUILD_VARIABLES; i++) {
        const char *name = weiri_build_variables[i], *value = record->variables[i];
        environment = value != NULL ? g_environ_setenv(environment, name, value, TRUE)
                                    : g_environ_unsetenv(environment, name);
    }
    g_autofree char *all = g_strdup(g_environ_getenv(environment, "LC_ALL"));
    if (all != NULL) {
        environment = g_environ_setenv(environment, "LC_CTYPE", all, TRUE);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(removed); i++) {
        environment = g_environ_unsetenv(environment, removed[i]);
    }
    environment = g_environ_setenv(environment, "LC_MESSAGES", "C", TRUE);
    environment = g_environ_setenv(environment, "TMPDIR", command->temporary, TRUE);
    return g_environ_setenv(environment, "PWD", record->folder, TRUE);
}

/* The child stays a zombie, so that its number still names its group. */
static bool has_ended(GPid pid)
{
    siginfo_t info = { 0 };
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0
        || info.si_pid == pid;
}

/* Whether a signal that ends the command is blocked, and waits to be taken. */
static bool is_interrupted(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    sigset_t pending;
    bool found = false;
    sigemptyset(&pending);
    sigpending(&pending);
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        found = found || sigismember(&pending, ends[i]) == 1;
    }
    return found;
}

/* Takes what there is to read. Returns: %false at the end. */
static bool take_output(int fd, GString *said)
{
    char part[4096];
    ssize_t n;
    while ((n = read(fd, part, sizeof part)) > 0) {
        gsize room = MOST_SAID_BYTES - said->len;
        g_string_append_len(said, part, (gssize)MIN((gsize)n, room));
    }
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Returns: NULL once the child has ended, or why it is not waited for any longer. */
static const char *wait_for(const struct weiri_command *command, GPid pid, int fd,
                            GString *said)
{
    struct pollfd output = { fd, POLLIN, 0 };
    while (!has_ended(pid)) {
        if (is_interrupted()) {
            return "interrupted";
        }
        int64_t left_us = command->deadline_us - g_get_monotonic_time();
        if (left_us <= 0) {
            return "it takes too long";
        }
        /* A child that has closed its output ends at once. */
        int slice_ms = output.fd >= 0 ? SLICE_MS : 1;
        (void)poll(&output, 1, (int)MIN(left_us / 1000 + 1, slice_ms));
        if (output.fd >= 0 && !take_output(fd, said)) {
            output.fd = -1;
        }
    }
    (void)take_output(fd, said);
    return NULL;
}

/* Ends the child with all that it has started, and takes its status. */
static int reap(GPid pid)
{
    int status = -1;
    if (!has_ended(pid)) {
        kill(-pid, SIGTERM);
        for (int i = 0; i < GRACE_MS && !has_ended(pid); i++) {
            g_usleep(1000);
        }
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

/* The line that states what is wrong, or the first one. Returns: (transfer full) */
static char *first_error(const char *said)
{
    /* That the linker failed is stated by its driver, too, after the reason. */
    static const char *const marks[]
        = { "error:", "undefined reference", "multiple definition", "" };
    g_autofree char *valid = g_utf8_make_valid(said, -1);
    g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
    for (size_t mark = 0; mark < G_N_ELEMENTS(marks); mark++) {
        for (size_t i = 0; lines[i] != NULL; i++) {
            g_strstrip(lines[i]);
            if (lines[i][0] != '\0' && strstr(lines[i], marks[mark]) != NULL
                && !g_str_has_prefix(lines[i], "collect2: ")
                && strstr(lines[i], ": linker command failed") == NULL) {
                return g_strdup(lines[i]);
            }
        }
    }
    return g_strdup("the compiler failed and gave no reason");
}

/* Starts the command; @fd is what it writes its errors to. Returns: (transfer full):
 * why it cannot, or NULL */
static char *start(const struct weiri_command *command, int fd, GPid *pid)
{
    g_auto(GStrv) environment = environment_of(command);
    g_autoptr(GError) reason = NULL;
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = open("/dev/null", O_WRONLY | O_CLOEXEC);
    bool started = input >= 0 && output >= 0
        && g_spawn_async_with_fds(command->record->folder, command->words, environment,
                                  G_SPAWN_DO_NOT_REAP_CHILD
                                      | G_SPAWN_LEAVE_DESCRIPTORS_OPEN,
                                  prepare, NULL, pid, input, output, fd, &reason);
    char *why = NULL;
    if (started) {
        setpgid(*pid, *pid); /* in the child, too, which may come later */
    } else {
        why = g_strdup(reason != NULL ? reason->message : g_strerror(errno));
    }
    close(input);
    close(output);
    return why;
}

char *weiri_command_run(const struct weiri_command *command)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return g_strdup(g_strerror(errno));
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    GPid pid;
    char *why = start(command, ends[1], &pid);
    close(ends[1]);
    if (why == NULL) {
        GString *said = g_string_new(NULL);
        why = g_strdup(wait_for(command, pid, ends[0], said));
        int status = reap(pid);
        if (why == NULL && status != 0) {
            why = first_error(said->str);
        }
        g_string_free(said, TRUE);
    }
    close(ends[0]);
    return why;
}
