/* SPDX-License-Identifier: MIT
 *
 * file.c: see file.h. A rename would put a regular file in the place of a device or of
 * a link, and would cut the standard output off from the file that a shell has opened
 * for it. So only a regular file that is not open as a standard stream is renamed over.
 */
#include "config.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns: the standard output or error if @file is open as that, or -1 */
static int stream_of(const struct stat *file)
{
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        struct stat open;
        if (fstat(stream, &open) == 0 && open.st_dev == file->st_dev
            && open.st_ino == file->st_ino) {
            return stream;
        }
    }
    return -1;
}

static bool write_all(int to, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t n = write(to, text, left);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        text += MAX(n, 0);
        left -= (size_t)MAX(n, 0);
    }
    return true;
}

/* Writes to the existing file, or to the target of a link that leads to no file so
 * far. */
static bool write_through(const char *path, int stream, const char *text,
                          GError **error)
{
    int to = stream >= 0
        ? dup(stream)
        : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
    bool written = to >= 0 && (stream < 0 || fflush(NULL) == 0) && write_all(to, text);
    int reason = errno;
    if (to >= 0 && close(to) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (!written) {
        g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(reason),
                    "%s: %s", path, g_strerror(reason));
    }
    return written;
}

bool weiri_file_write(const char *path, const char *text, GError **error)
{
    struct stat file;
    bool there = stat(path, &file) == 0;
    bool link = g_file_test(path, G_FILE_TEST_IS_SYMLINK);
    int stream = there ? stream_of(&file) : -1;
    if (stream >= 0 || (there ? !S_ISREG(file.st_mode) : link)) {
        return write_through(path, stream, text, error);
    }
    g_autofree char *target = link ? realpath(path, NULL) : NULL;
    return g_file_set_contents(target != NULL ? target : path, text, -1, error);
}
