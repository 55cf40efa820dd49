/* SPDX-License-Identifier: MIT
 *
 * host/check.h: the observers of a checked launch: which there are, and their reports
 * when it is over. */
#ifndef WEIRI_HOST_CHECK_H
#define WEIRI_HOST_CHECK_H

#include "weir.h"

#include "exec/finding.h"
#include "exec/launch.h"
#include "watch/plain.h"
#include "watch/uninit.h"

struct weiri_bounds;
struct weiri_hookless;
struct weiri_race;
struct weiri_recorder;
struct weiri_timeline;

/* The observers of a checked launch, in the order in which they get events. */
struct weiri_host_check {
    struct weiri_bounds *bounds;
    struct weiri_race *race;
    struct weiri_uninit *uninit;
    struct weiri_plain plain;        /* the shortcut of these three */
    struct weiri_listing *listing;   /* or NULL */
    struct weiri_recorder *recorder; /* or NULL */
    struct weiri_hookless *hookless; /* or NULL */
    char *unseen; /* (out): a write without a hook, in words; owned by the caller. Or
                     NULL */
    struct weiri_observer observers[WEIRI_MOST_OBSERVERS + 1];
    struct weiri_launch before; /* the launch as it begins, to be run again */
    int64_t began;              /* in microseconds */
};

/** Whether the races of a launch are those of PTX: by the option, or else by the
 *  language of the kernel. */
bool weiri_host_check_is_ptx(const struct weir_launch_options *options,
                             enum weir_language language);

/** Gives a launch that is ready to run its observers. */
void weiri_host_check_begin(struct weiri_host_check *watch, struct weiri_launch *launch,
                            const struct weir_launch_options *options);

/** Adds what they have found to the launch's report, and frees them. @done: the launch
 *  has run. Returns: (transfer full): its timeline where it was traced, or %NULL */
struct weiri_timeline *weiri_host_check_end(struct weiri_host_check *watch,
                                            struct weiri_launch *launch, bool done);

#endif
