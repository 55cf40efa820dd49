/* SPDX-License-Identifier: MIT
 *
 * builds.c: see builds.h. A note is appended by one write, so that the notes of several
 * processes never mix. Builds may overlap: a time counts if at least one build is going
 * on. The sum is found by one pass over the notes, which counts the builds that are
 * open. */
#include "config.h"

#include "base/builds.h"

#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

/* The file is a list of these. */
struct note {
    int64_t at_us; /* on GLib's monotonic clock, which is one for all processes */
    int64_t begins;
};

static const int64_t MOST_US = 600 * (int64_t)G_USEC_PER_SEC;

void weiri_builds_note(const char *path, bool begins)
{
    const struct note note = { g_get_monotonic_time(), begins };
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) {
        (void)!write(fd, &note, sizeof(note));
        close(fd);
    }
}

int64_t weiri_builds_us(const char *path)
{
    int64_t total_us = 0, since_us = 0, n = 0;
    struct note note;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && read(fd, &note, sizeof(note)) == sizeof(note)) {
        if (note.begins != 0 && n++ == 0) {
            since_us = note.at_us;
        } else if (note.begins == 0 && n > 0 && --n == 0) {
            total_us += MIN(note.at_us - since_us, MOST_US);
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return total_us + (n > 0 ? MIN(g_get_monotonic_time() - since_us, MOST_US) : 0);
}
