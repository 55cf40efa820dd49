/* SPDX-License-Identifier: MIT
 *
 * platform.c: the platform of OpenCL that programs see which a command starts: Weir's,
 * and no other. The usual loaders look for platforms in the folder that a variable
 * names. */
#include "config.h"

#include "cli/child.h"
#include "cli/cli.h"
#include "cli/own.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A folder with weir.icd alone: beside the command where it was built, or installed. */
static char *vendors(void)
{
    g_autofree char *own = weiri_cli_own();
    g_autofree char *beside = own != NULL ? g_path_get_dirname(own) : NULL;
    g_autofree char *built
        = beside != NULL ? g_build_filename(beside, "vendors", NULL) : NULL;
    const char *folders[] = { built, WEIRI_VENDORS };
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *file = folders[i] != NULL
            ? g_build_filename(folders[i], "weir.icd", NULL)
            : NULL;
        if (file != NULL && g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
            return g_strdup(folders[i]);
        }
    }
    return NULL;
}

char **weiri_cli_platform_set(char **environment)
{
    g_autofree char *folder = vendors();
    if (folder != NULL) {
        environment = g_environ_setenv(environment, "OCL_ICD_VENDORS", folder, TRUE);
        environment = g_environ_setenv(environment, "OPENCL_VENDOR_PATH", folder, TRUE);
        environment = g_environ_unsetenv(environment, "OCL_ICD_FILENAMES");
    }
    return environment;
}

int weiri_cli_platform_run(char **argv)
{
    g_auto(GStrv) environment = weiri_cli_platform_set(g_get_environ());
    execvpe(argv[0], argv, environment);
    return weiri_cli_complain("cannot start '%s': %s", argv[0],
                              errno == ENOENT ? "there is no such program"
                                              : g_strerror(errno));
}
