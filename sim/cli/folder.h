/* SPDX-License-Identifier: MIT
 *
 * folder.h: a command's folder of temporary files, which goes with its process even
 * where that is killed: the next command that makes one removes it. */
#ifndef WEIRI_CLI_FOLDER_H
#define WEIRI_CLI_FOLDER_H

#include <glib.h>

/**
 * weiri_folder_make:
 *
 * Makes a folder in the system's folder of temporary files, and removes earlier ones
 * there whose process was killed. It belongs to the process and its forks until the
 * last of them ends.
 *
 * Returns: (transfer full): its path; or %NULL with @error set
 */
char *weiri_folder_make(GError **error);

/** Removes a folder with all that is in it. */
void weiri_folder_remove(const char *path);

#endif
