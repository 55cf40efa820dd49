/* SPDX-License-Identifier: MIT
 *
 * program.c: see program.h. weir gives a program its own path as argv[0], since the
 * program looks for other files beside weir, and starts it. */
#include "config.h"

#include "cli/program.h"

#include "cli/cli.h"
#include "cli/complete.h"
#include "cli/opencl-kernel.h"
#include "cli/own.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool weiri_cli_guard_streams(void)
{
    bool output_open = fcntl(STDOUT_FILENO, F_GETFD) != -1;
    int fd;
    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO) {
        close(fd);
    }
    return output_open;
}

int weiri_cli_call(const char *name, weiri_cli_run_command *run, int argc, char **argv)
{
    g_autofree char *called = g_strdup_printf("weir %s", name);
    g_set_prgname(called);
    int status;
    return weiri_cli_opencl_kernel(name, &argc, &argv, &status) ? run(argc, argv)
                                                                : status;
}

/* Beside weir, where that was built; where it is installed; or, if the installation was
 * moved, where it is now. Returns: (transfer full): a path that may not exist */
static char *find_program(const char *own, const char *name)
{
    g_autofree char *file = g_strdup_printf("weir-%s", name);
    g_autofree char *folder = g_path_get_dirname(own);
    g_autofree char *moved = g_build_filename(folder, "..", "libexec", "weir", NULL);
    const char *const folders[] = { folder, WEIRI_PROGRAMS, moved };
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = g_build_filename(folders[i], file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE)) {
            return g_steal_pointer(&path);
        }
    }
    return g_build_filename(WEIRI_PROGRAMS, file, NULL);
}

int weiri_cli_start(const char *name, char *const *arguments)
{
    g_autofree char *own = weiri_cli_own();
    if (own == NULL) {
        own = g_strdup("weir");
    }
    g_autofree char *path = find_program(own, name);
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_ptr_array_add(words, own);
    for (; *arguments != NULL; arguments++) {
        g_ptr_array_add(words, *arguments);
    }
    g_ptr_array_add(words, NULL);
    execv(path, (char **)words->pdata);
    return weiri_cli_complain("cannot start '%s', which runs 'weir %s': %s", path, name,
                              errno == ENOENT ? "it is missing: install Weir again"
                                              : g_strerror(errno));
}

/* By hand such a program is not started by weir, which is then one beside it or on the
 * path. */
static char *find_weir(const char *called)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    if (self == NULL || (g_path_is_absolute(called) && strcmp(called, self) != 0)) {
        return g_strdup(called);
    }
    g_autofree char *folder = g_path_get_dirname(self);
    g_autofree char *beside = g_build_filename(folder, "weir", NULL);
    if (g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE)) {
        return g_steal_pointer(&beside);
    }
    char *found = g_find_program_in_path("weir");
    return found != NULL ? found : g_strdup("weir");
}

int weiri_cli_program(const char *name, weiri_cli_run_command *run, int argc,
                      char **argv)
{
    g_set_prgname("weir");
    if (!weiri_cli_guard_streams()) {
        return weiri_cli_complain("standard output is closed");
    }
    weiri_cli_take_own(find_weir(argc > 0 ? argv[0] : ""));
    if (argc > 1 && strcmp(argv[1], WEIRI_CLI_COMPLETE) == 0) {
        char *arguments[] = { (char *)name, NULL };
        weiri_complete_ask(name, argv + 2);
        return weiri_cli_call(name, run, 1, arguments);
    }
    return weiri_cli_call(name, run, argc, argv);
}
