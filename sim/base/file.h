/* SPDX-License-Identifier: MIT
 *
 * file.h: writes a file as a whole. */
#ifndef WEIRI_FILE_H
#define WEIRI_FILE_H

#include <glib.h>
#include <stdbool.h>

/**
 * weiri_file_write:
 *
 * Makes @text the contents of the file at @path. A regular file is replaced by renaming
 * a temporary one, so that it is never half written; a symbolic link stays, and the
 * file that it leads to is written. A device, a pipe, or what is open as the standard
 * output or error is written to as it is.
 *
 * Errors: of %G_FILE_ERROR, one line that names the file
 */
bool weiri_file_write(const char *path, const char *text, GError **error);

#endif
