/* SPDX-License-Identifier: MIT
 *
 * check-client-state.h: what the parts of check-client.h share. Functions are called
 * with the lock held. */
#ifndef WEIRI_CHECK_CLIENT_STATE_H
#define WEIRI_CHECK_CLIENT_STATE_H

#include "weir.h"

#include "report/options.h"

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

/* The version of a file that was found; all zero for a missing file. */
struct weiri_file_version {
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* WEIR_OPTIONS as this process has read it, and the files that it names. */
struct weiri_check_client_state {
    pthread_mutex_t lock; /* guards all of this */
    char *line;           /* the variable's value that was read last, or NULL */
    struct weiri_options options;
    uint64_t n_begun;                /* launches of this process */
    struct weir_schedule *recorded;  /* or NULL; owned */
    struct weiri_file_version saved; /* of @options.record, as it was last written */
    size_t n_saved;                  /* launches of @recorded that it has */
    struct weir_schedule *replayed;  /* or NULL; owned */
    size_t n_followed;               /* launches of @replayed that it has gone past */
    size_t n_made;                   /* launches of all processes with a report */
    off_t seen_bytes;                /* of the file of reports: counted in @n_made */
};
extern struct weiri_check_client_state weiri_check_client_state;

/* ---- check-client.c -------------------------------------------------------------- */

/** Reads the variable, unless it has been read and is the same. */
bool weiri_check_client_read(const char *line, GError **error);

/** Where builds of this process, and of its fellows, are noted. Returns: (transfer
 *  full): or %NULL */
char *weiri_check_client_builds(void);

/** Appends a record to the file of reports. */
bool weiri_check_client_append(const GString *line, GError **error);

/* ---- check-client-record.c ------------------------------------------------------- */

/** Prepares the schedule that is recorded in a file for one more launch: it is this
 *  process's own schedule, or another process's if the file has changed. */
bool weiri_check_client_open_record(GError **error);

/** A launch has ended: writes the schedule that is recorded, where one is and not too
 *  little would be written. @exits: an item has called exit() */
bool weiri_check_client_save_record(bool exits, GError **error);

#endif
