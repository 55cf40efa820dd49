/* SPDX-License-Identifier: MIT
 *
 * child.c: see child.h.
 *
 * From the making of the folder to its end the signals that end a command are blocked,
 * and taken where it waits: for a program, with sigtimedwait(). So no handler is
 * needed, and none of them can come between making something and noting it. */
#include "config.h"

#include "cli/child.h"
#include "cli/clock.h"
#include "cli/folder.h"

#include "base/fork-server.h"
#include "report/options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Launches end themselves at the deadline, and say where they are; a program that
 * takes longer to end than this is not waited for. */
static const int64_t GRACE_US = G_USEC_PER_SEC / 2;

/* How often something else is done while a program runs. */
static const int64_t MEANWHILE_US = 200;

/* How long is waited at least: a clock that stands is not asked all the time. */
static const int64_t LEAST_WAIT_US = 1000;

/* A child whose end is not told is looked at so often. */
static const int64_t LOOK_US = 20 * 1000;

/* The most bytes of a program's standard error that are kept. */
enum { MOST_SAID_BYTES = 1024 * 1024 };

static struct {
    char *path;         /* owned, or NULL */
    sigset_t blocked;   /* while there is a folder */
    sigset_t before;    /* the mask to go back to */
    off_t input_offset; /* where standard input began; -1: it is not a file */
} folder;

/* ---- The folder ------------------------------------------------------------------ */

static void block_signals(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    sigemptyset(&folder.blocked);
    sigaddset(&folder.blocked, SIGCHLD);
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        struct sigaction action;
        /* A signal that is ignored, as under nohup, stays ignored. */
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&folder.blocked, ends[i]);
        }
    }
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, children leave no status */
    sigprocmask(SIG_BLOCK, &folder.blocked, &folder.before);
}

const char *weiri_cli_folder(GError **error)
{
    if (folder.path != NULL) {
        return folder.path;
    }
    block_signals();
    folder.path = weiri_folder_make(error);
    if (folder.path == NULL) {
        sigprocmask(SIG_SETMASK, &folder.before, NULL);
        return NULL;
    }
    struct stat input;
    bool is_file = fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
    folder.input_offset = is_file ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
    return folder.path;
}

/* The process that is copied. */
static struct {
    bool refused;      /* no copy is kept, and none is to be made */
    GPid pid;          /* 0 before it was started */
    GPid copy;         /* that runs, or 0 */
    int asks, answers; /* of its pipes */
    int signals;       /* a descriptor for the signals that are blocked */
    int said;          /* what the server and the copies write to standard error */
} server;

static void end_server(void)
{
    if (server.copy > 0) {
        kill(-server.copy, SIGKILL);
    }
    if (server.pid > 0) {
        kill(-server.pid, SIGKILL);
        while (waitpid(server.pid, NULL, 0) < 0 && errno == EINTR) {}
        close(server.asks);
        close(server.answers);
        close(server.signals);
        close(server.said);
    }
    server.pid = server.copy = 0;
}

/* A command that is ended gently is waited for so long: it removes files and ends a
 * process. */
static const int64_t GENTLE_US = 2 * G_USEC_PER_SEC;

/* Whether the program's own process has ended; what it has started may go on. It
 * stays a zombie, so that its number still names its group. */
static bool has_ended(GPid pid)
{
    siginfo_t info = { 0 };
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0
        && info.si_pid == pid;
}

static void ask_to_end(GPid pid)
{
    int64_t deadline_us = g_get_monotonic_time() + GENTLE_US;
    if (!has_ended(pid)) {
        kill(pid, SIGTERM);
    }
    while (!has_ended(pid) && g_get_monotonic_time() < deadline_us) {
        g_usleep(2000);
    }
}

/* Ends the program with all that it has started, and takes its status. */
static int reap(GPid pid)
{
    int status = 0;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

/* The program that weiri_cli_child_start() has started, or 0. */
static GPid beside;

static void end_beside(void)
{
    if (beside > 0) {
        reap(beside);
    }
    beside = 0;
}

static void remove_files(void)
{
    end_server();
    end_beside();
    weiri_folder_remove(folder.path);
    g_clear_pointer(&folder.path, g_free);
}

void weiri_cli_folder_forget(void)
{
    if (folder.path != NULL) {
        g_clear_pointer(&folder.path, g_free);
        sigprocmask(SIG_SETMASK, &folder.before, NULL);
    }
    if (server.pid > 0) {
        close(server.asks);
        close(server.answers);
        close(server.signals);
        close(server.said);
    }
    server.pid = server.copy = beside = 0;
}

void weiri_cli_folder_remove(void)
{
    if (folder.path != NULL) {
        remove_files();
        sigprocmask(SIG_SETMASK, &folder.before, NULL);
    }
}

/* ---- Interrupts ------------------------------------------------------------------ */

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void weiri_cli_catch_interrupts(void)
{
    struct sigaction action
        = { .sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART };
    struct sigaction before;
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
        sigaction(SIGINT, &action, NULL);
    }
}

/* Whether this interrupt is the first of those that are caught. */
static bool catches_interrupts(void)
{
    struct sigaction action;
    return interrupted == 0 && sigaction(SIGINT, NULL, &action) == 0
        && action.sa_handler == note_interrupt;
}

bool weiri_cli_interrupted(void)
{
    return interrupted != 0;
}

bool weiri_cli_is_over(void)
{
    sigset_t pending;
    return weiri_cli_interrupted()
        || (sigpending(&pending) == 0
            && (sigismember(&pending, SIGTERM) || sigismember(&pending, SIGHUP)
                || sigismember(&pending, SIGQUIT)
                || (sigismember(&pending, SIGINT) && !catches_interrupts())));
}

/* ---- Starting -------------------------------------------------------------------- */

/* In the child, before the program: only what is safe after a fork. */
static void prepare_here(void *unused)
{
    (void)unused;
    sigprocmask(SIG_SETMASK, &folder.before, NULL);
}

static void prepare(void *user)
{
    const struct weiri_cli_child *child = user;
    setpgid(0, 0);
    if (child->same_addresses) {
        personality(ADDR_NO_RANDOMIZE); /* if that is refused, they differ */
    }
    prepare_here(NULL);
}

static int open_input(void)
{
    if (folder.input_offset >= 0
        && lseek(STDIN_FILENO, folder.input_offset, SEEK_SET) >= 0) {
        return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static int open_output(const struct weiri_cli_child *child)
{
    if (child->output_file != NULL) {
        return open(child->output_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    if (!child->shown) {
        return open("/dev/null", O_WRONLY | O_CLOEXEC);
    }
    int as = child->output_to_error ? STDERR_FILENO : STDOUT_FILENO;
    return fcntl(as, F_DUPFD_CLOEXEC, 3);
}

/* A file without a name for what is said, where that is not shown. */
static int open_error(const struct weiri_cli_child *child)
{
    if (child->error_shown) {
        return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    g_autofree char *path = g_build_filename(folder.path, "said", NULL);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    unlink(path);
    return fd;
}

/* @fds: of its standard streams; NULL: the command's own, and its process group */
static bool start(const struct weiri_cli_child *child, const int *fds, GPid *pid,
                  GError **error)
{
    static const int inherited[] = { -1, -1, -1 };
    bool here = fds == NULL;
    fds = here ? inherited : fds;
    g_auto(GStrv) environment
        = weiri_cli_platform_set(g_environ_unsetenv(g_get_environ(), "WEIR_OPTIONS"));
    if (child->options != NULL) {
        environment
            = g_environ_setenv(environment, "WEIR_OPTIONS", child->options, TRUE);
    }
    g_autoptr(GError) reason = NULL;
    if (!g_spawn_async_with_fds(NULL, (char **)child->argv, environment,
                                G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH
                                    | G_SPAWN_LEAVE_DESCRIPTORS_OPEN
                                    | (here ? G_SPAWN_CHILD_INHERITS_STDIN : 0),
                                here ? prepare_here : prepare, (void *)child, pid,
                                fds[0], fds[1], fds[2], &reason)) {
        bool missing = g_error_matches(reason, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_ARGUMENT, "cannot start '%s': %s",
                    child->argv[0],
                    missing ? "there is no such program" : reason->message);
        return false;
    }
    if (!here) {
        setpgid(*pid, *pid); /* in the child, too, which may come later */
    }
    return true;
}

/* ---- Waiting --------------------------------------------------------------------- */

/* A signal has come that ends the command. */
static void give_way(GPid pid, int signal_number)
{
    reap(pid);
    remove_files();
    weiri_cli_progress(NULL);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigprocmask(SIG_SETMASK, &folder.before, NULL);
    _exit(128 + signal_number); /* not reached: the signal was pending */
}

static void end_gently(const struct weiri_cli_child *child)
{
    if (child->gently) {
        ask_to_end(child->pid);
    }
}

/* How long the child is waited for. While it builds the clock stands, so that it may
 * have more time afterwards. */
static int64_t left_us_of(const struct weiri_cli_child *child)
{
    return child->deadline_us + GRACE_US + child->grace_us - weiri_cli_clock_us();
}

/* How long to wait for a signal at most. */
static int64_t longest_wait_us = INT64_MAX;

void weiri_cli_share_signals(void)
{
    longest_wait_us = LOOK_US;
}

static void wait_for(struct weiri_cli_child *child)
{
    GPid pid = child->pid;
    int64_t most_us = child->meanwhile != NULL ? MEANWHILE_US : longest_wait_us;
    while (!has_ended(pid) && !child->timed_out) {
        int64_t left_us = left_us_of(child);
        bool is_last = left_us <= most_us;
        left_us = MAX(is_last ? left_us : most_us, LEAST_WAIT_US);
        struct timespec left
            = { left_us / G_USEC_PER_SEC, left_us % G_USEC_PER_SEC * 1000 };
        int caught = sigtimedwait(&folder.blocked, NULL, &left);
        if (caught == SIGINT && catches_interrupts()) {
            interrupted = 1;
            break;
        }
        if (caught > 0 && caught != SIGCHLD) {
            end_gently(child);
            give_way(pid, caught);
        }
        child->timed_out = is_last && caught < 0 && errno == EAGAIN && !has_ended(pid)
            && left_us_of(child) <= 0;
        if (child->meanwhile != NULL) {
            child->meanwhile();
        }
    }
    end_gently(child);
    child->status = reap(pid);
}

static char *read_said(int fd)
{
    char *said = g_malloc(MOST_SAID_BYTES + 1);
    ssize_t n = pread(fd, said, MOST_SAID_BYTES, 0);
    said[MAX(n, 0)] = '\0';
    return said;
}

/* Starts the program, with its streams. @said: (out): what it writes standard error to,
 * where that is not shown; or -1 */
static bool start_whole(struct weiri_cli_child *child, int *said, GError **error)
{
    const int fds[] = { open_input(), open_output(child), open_error(child) };
    child->timed_out = false;
    child->said = NULL;
    bool started = fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0;
    if (!started) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot open the streams of '%s': %s", child->argv[0],
                    g_strerror(errno));
    }
    started = started && start(child, fds, &child->pid, error);
    *said = started && !child->error_shown ? fds[2] : -1;
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++) {
        if (fds[i] >= 0 && fds[i] != *said) {
            close(fds[i]);
        }
    }
    return started;
}

bool weiri_cli_child_run(struct weiri_cli_child *child, GError **error)
{
    int said;
    weiri_cli_clock_program(child->builds);
    bool started = start_whole(child, &said, error);
    if (started) {
        wait_for(child);
    }
    weiri_cli_clock_program_ended();
    if (said >= 0) {
        child->said = read_said(said);
        close(said);
    }
    return started;
}

bool weiri_cli_child_start(struct weiri_cli_child *child, GError **error)
{
    int said;
    bool started = start_whole(child, &said, error);
    beside = started ? child->pid : 0;
    if (said >= 0) {
        close(said);
    }
    return started;
}

bool weiri_cli_child_has_ended(const struct weiri_cli_child *child)
{
    return has_ended(child->pid);
}

bool weiri_cli_child_run_here(struct weiri_cli_child *child, GError **error)
{
    if (!start(child, NULL, &child->pid, error)) {
        return false;
    }
    /* One that is pending then is discarded. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    while (!has_ended(child->pid)) {
        int caught = sigwaitinfo(&folder.blocked, NULL);
        if (caught == SIGTERM || caught == SIGHUP) {
            kill(child->pid, caught);
            give_way(child->pid, caught);
        }
    }
    while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR) {}
    return true;
}

/* ---- Copies ---------------------------------------------------------------------- */

void weiri_cli_child_fork_anew(void)
{
    end_server();
}

void weiri_cli_child_stop_forking(void)
{
    end_server();
    server.refused = true;
}

static int open_pipe(const char *path, const char *which)
{
    g_autofree char *name = g_strconcat(path, which, NULL);
    unlink(name);
    /* With both ends here, no opening waits for another one. */
    return mkfifo(name, 0600) == 0 ? open(name, O_RDWR | O_CLOEXEC) : -1;
}

/* Waits for an answer of the server, or for the end of @pid, its process, or for the
 * deadline. Returns: whether there is an answer */
static bool await_answer(struct weiri_cli_child *child, GPid pid,
                         struct weiri_fork_answer *answer)
{
    struct pollfd files[] = { { .fd = server.answers, .events = POLLIN },
                              { .fd = server.signals, .events = POLLIN } };
    for (;;) {
        int64_t left_us = MAX(left_us_of(child) - child->grace_us, LEAST_WAIT_US);
        int64_t wait_us = MIN(left_us, longest_wait_us);
        int n = poll(files, G_N_ELEMENTS(files), (int)(wait_us / 1000));
        if (n > 0 && (files[0].revents & POLLIN) != 0) {
            return read(server.answers, answer, sizeof(*answer)) == sizeof(*answer);
        }
        struct signalfd_siginfo caught = { .ssi_signo = 0 };
        if (n > 0 && read(server.signals, &caught, sizeof(caught)) == sizeof(caught)
            && caught.ssi_signo != SIGCHLD) {
            if (caught.ssi_signo != SIGINT || !catches_interrupts()) {
                give_way(pid, (int)caught.ssi_signo);
            }
            interrupted = 1;
            return false;
        }
        if (has_ended(pid)) {
            return false;
        }
        if (n == 0 && left_us_of(child) <= child->grace_us) {
            child->timed_out = true;
            return false;
        }
    }
}

/* Starts the program with pipes. Returns: whether it has reached the point at which it
 * is copied. If not, it has run as a whole, or @error is set */
static bool start_server(struct weiri_cli_child *child, GError **error)
{
    g_autofree char *path = g_build_filename(folder.path, "fork", NULL);
    g_autoptr(GString) options = g_string_new(child->options);
    weiri_options_add(options, "fork", path);
    struct weiri_cli_child first = *child;
    first.options = options->str;
    server.asks = open_pipe(path, WEIRI_FORK_ASKS);
    server.answers = open_pipe(path, WEIRI_FORK_ANSWERS);
    server.signals = signalfd(-1, &folder.blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    const int fds[] = { open_input(), open_output(child), open_error(child) };
    server.said = fds[2];
    bool started = server.asks >= 0 && server.answers >= 0 && server.signals >= 0
        && fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0;
    if (!started) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_RESOURCE,
                    "cannot open the streams of '%s': %s", child->argv[0],
                    g_strerror(errno));
    }
    started = started && start(&first, fds, &server.pid, error);
    close(fds[0]);
    close(fds[1]);
    struct weiri_fork_answer answer;
    child->pid = server.pid;
    if (started && await_answer(child, server.pid, &answer)) {
        return true;
    }
    server.refused = true;
    if (started) {
        child->status = reap(server.pid);
        child->said = read_said(server.said);
        close(server.asks);
        close(server.answers);
        close(server.signals);
        close(server.said);
    }
    server.pid = 0;
    return false;
}

/* Returns: false if the copy could not be made */
static bool run_copy(struct weiri_cli_child *child)
{
    g_autofree char *line = g_strconcat(child->options, "\n", NULL);
    size_t bytes = strlen(line);
    struct weiri_fork_answer answer;
    if (bytes > WEIRI_FORK_MOST_BYTES || ftruncate(server.said, 0) != 0
        || write(server.asks, line, bytes) != (ssize_t)bytes
        || !await_answer(child, server.pid, &answer) || answer.what != WEIRI_FORK_COPY
        || answer.number <= 0) {
        return false;
    }
    child->pid = server.copy = answer.number;
    if (!await_answer(child, server.pid, &answer)) {
        kill(-server.copy, SIGKILL);
        if (has_ended(server.pid)
            || read(server.answers, &answer, sizeof(answer)) != sizeof(answer)) {
            return false;
        }
    }
    server.copy = 0;
    child->status = answer.number;
    return answer.what == WEIRI_FORK_STATUS;
}

bool weiri_cli_child_run_forked(struct weiri_cli_child *child, GError **error)
{
    child->timed_out = false;
    child->said = NULL;
    weiri_cli_clock_program(child->builds);
    bool whole = !server.refused && server.pid == 0 && !start_server(child, error);
    bool copied = !whole && !server.refused && run_copy(child);
    weiri_cli_clock_program_ended();
    if (whole) {
        return error == NULL || *error == NULL;
    }
    if (copied) {
        return true;
    }
    if (!server.refused) {
        weiri_cli_child_stop_forking();
    }
    return weiri_cli_child_run(child, error);
}
