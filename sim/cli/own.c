/* SPDX-License-Identifier: MIT
 *
 * own.c: the path of weir is that of this process, unless another one is stated. */
#include "config.h"

#include "cli/own.h"

#include <glib.h>

static char *stated;

void weiri_cli_take_own(char *path)
{
    g_free(stated);
    stated = path;
}

char *weiri_cli_own(void)
{
    return stated != NULL ? g_strdup(stated) : g_file_read_link("/proc/self/exe", NULL);
}
