/* SPDX-License-Identifier: MIT
 *
 * process.c: see process.h. A command gets the environment of the process, but for the
 * variable which makes a program one that `weir check` checks: the compiler is not. Its
 * temporary files are beside the log, in the folder of the build, so that they go with
 * it even if the command is killed. The process may have a handler for ended children
 * that waits for all of them; then the status is lost, and only the command's output
 * files show how it ended. */
#include "config.h"

#include "opencl/compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

void weiri_process_add(GPtrArray *words, ...)
{
    va_list list;
    va_start(list, words);
    for (const char *word; (word = va_arg(list, const char *)) != NULL;) {
        g_ptr_array_add(words, g_strdup(word));
    }
    va_end(list);
}

void weiri_process_start(struct weiri_process *step, GPtrArray *words, const char *log)
{
    g_ptr_array_add(words, NULL);
    *step = (struct weiri_process){ .log = g_strdup(log), .status = -1 };
    step->words = (char **)g_ptr_array_free(words, FALSE);
    char **environment = g_get_environ();
    environment = g_environ_unsetenv(environment, "WEIR_OPTIONS");
    environment = g_environ_unsetenv(environment, "LD_PRELOAD");
    environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
    char *folder = g_path_get_dirname(log);
    environment = g_environ_setenv(environment, "TMPDIR", folder, TRUE);
    g_free(folder);
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    GPid pid = 0;
    if (out >= 0 && in >= 0
        && g_spawn_async_with_fds(NULL, step->words, environment,
                                  G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, NULL,
                                  NULL, &pid, in, out, out, NULL)) {
        step->pid = pid;
    }
    if (out >= 0) {
        close(out);
    }
    if (in >= 0) {
        close(in);
    }
    g_strfreev(environment);
}

bool weiri_process_wait(struct weiri_process *step)
{
    int status = 0;
    pid_t ended = -1;
    if (step->pid != 0) {
        do {
            ended = waitpid(step->pid, &status, 0);
        } while (ended < 0 && errno == EINTR);
        bool lost = ended < 0 && errno == ECHILD;
        step->status = lost ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        step->pid = 0;
    }
    return step->status == 0;
}

char *weiri_process_text(const struct weiri_process *step)
{
    char *text = NULL;
    if (!g_file_get_contents(step->log, &text, NULL, NULL)) {
        text = g_strdup("");
    }
    return text;
}

void weiri_process_clear(struct weiri_process *step)
{
    (void)weiri_process_wait(step);
    g_strfreev(step->words);
    g_free(step->log);
    *step = (struct weiri_process){ 0 };
}
