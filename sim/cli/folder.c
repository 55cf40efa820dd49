/* SPDX-License-Identifier: MIT
 *
 * folder.c: see folder.h. A process that is killed removes nothing. So each folder has
 * a file `owner`, which its process holds a lock on for as long as it lives: the system
 * takes it back. A folder whose lock can be had has no owner.
 *
 * Invariant: a file of this name was locked before it got the name. So a folder that is
 * being made is never taken for one that was left. */
#include "config.h"

#include "cli/folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "weir-";
enum { RANDOM_CHARACTERS = 6, /* of mkdtemp() */ OPEN_FOLDERS = 8 };

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    (void)remove(path); /* what cannot be removed stays, and the others go */
    return 0;
}

void weiri_folder_remove(const char *path)
{
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* Whether a folder of this user's has an owner that has ended. */
static bool is_left(const char *path)
{
    g_autofree char *owner = g_build_filename(path, "owner", NULL);
    struct stat status;
    if (g_lstat(path, &status) != 0 || !S_ISDIR(status.st_mode)
        || status.st_uid != geteuid()) {
        return false;
    }
    int file = open(owner, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool left = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0) {
        close(file);
    }
    return left;
}

static void remove_left(void)
{
    GDir *all = g_dir_open(g_get_tmp_dir(), 0, NULL);
    const char *name;
    while (all != NULL && (name = g_dir_read_name(all)) != NULL) {
        if (g_str_has_prefix(name, prefix)
            && strlen(name) == strlen(prefix) + RANDOM_CHARACTERS) {
            g_autofree char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
            if (is_left(path)) {
                weiri_folder_remove(path);
            }
        }
    }
    g_clear_pointer(&all, g_dir_close);
}

/* The lock is not given back: it ends with the process. Without one, such as on a file
 * system that has none, the folder stays if the process is killed. */
static void own(const char *path)
{
    g_autofree char *owner = g_build_filename(path, "owner", NULL),
                    *early = g_strconcat(owner, ".early", NULL);
    int file = open(early, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) {
        (void)g_rename(early, owner);
    } else if (file >= 0) {
        close(file);
    }
}

char *weiri_folder_make(GError **error)
{
    remove_left();
    char *path = g_dir_make_tmp("weir-XXXXXX", error);
    if (path != NULL) {
        own(path);
    }
    return path;
}
