/* SPDX-License-Identifier: MIT
 *
 * logged.h: launches whose order can be read off what they wrote, what they show and
 * what they record. */
#ifndef WEIR_TESTS_LOGGED_H
#define WEIR_TESTS_LOGGED_H

#include "schedules.h"

#include <glib/gstdio.h>

typedef struct {
    uint32_t *next; /* entries of the log */
    uint32_t *log;  /* global ids, in the order in which they came */
    uint32_t *sum;  /* what was lost, if there was a race */
    uint32_t rounds;
    uint32_t skip; /* item 0 leaves out one atomic */
} log_args;

/* Logs between barriers: no atomic but that of the log. */
WEIR_KERNEL(log_phases, log_args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        args->log[ADD_RELAXED(args->next, 1u)] = (uint32_t)weir_global_id(item, 0);
        weir_barrier(item, WEIR_GLOBAL);
    }
}

/* Logs at every atomic. */
WEIR_KERNEL(log_atomics, log_args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        if (args->skip != 0 && round == 1 && weir_global_id(item, 0) == 0) {
            continue;
        }
        args->log[ADD_RELAXED(args->next, 1u)] = (uint32_t)weir_global_id(item, 0);
    }
}

/* Reads, adds and writes: atomics, but two of them. */
WEIR_KERNEL(lose_updates, log_args)
{
    for (uint32_t round = 0; round < args->rounds; round++) {
        uint32_t before = LOAD_RELAXED(args->sum);
        STORE_RELAXED(args->sum, before + 1);
        args->log[ADD_RELAXED(args->next, 1u)] = (uint32_t)weir_global_id(item, 0);
    }
}

/* The same with a barrier in between, and a finding in every launch. */
WEIR_KERNEL(lose_and_diverge, log_args)
{
    uint32_t before = LOAD_RELAXED(args->sum);
    STORE_RELAXED(args->sum, before + 1);
    args->log[ADD_RELAXED(args->next, 1u)] = (uint32_t)weir_global_id(item, 0);
    weir_barrier(item, WEIR_GLOBAL);
    before = LOAD_RELAXED(args->sum);
    STORE_RELAXED(args->sum, before + 1);
    args->log[ADD_RELAXED(args->next, 1u)] = (uint32_t)weir_global_id(item, 0);
    if (weir_local_id(item, 0) % 2 == weir_group_id(item, 0) % 2) {
        weir_barrier(item, WEIR_GLOBAL);
    }
}

struct logged {
    struct weir_device *device;
    log_args args;
    size_t n_log;
};

TEST_HELPER struct logged logged_new(struct weir_device *device, size_t n_log,
                                     uint32_t rounds)
{
    struct logged logged = { device,
                             { weir_new(device, uint32_t, 1, "next"),
                               weir_new(device, uint32_t, n_log, "log"),
                               weir_new(device, uint32_t, 1, "sum"), rounds, 0 },
                             n_log };
    return logged;
}

TEST_HELPER void logged_reset(struct logged *logged)
{
    *logged->args.next = *logged->args.sum = 0;
    memset(logged->args.log, 0xff, logged->n_log * sizeof(*logged->args.log));
}

/* Runs from a clean start; the report is the caller's. */
TEST_HELPER struct weir_report *logged_run(struct logged *logged,
                                           const struct weir_kernel *kernel,
                                           size_t groups, size_t local,
                                           const struct weir_launch_options *options)
{
    logged_reset(logged);
    return LAUNCH(logged->device, kernel, weir_nd_range_1d(groups * local, local),
                  &logged->args, options);
}

/* All that a launch shows: what it wrote, what it reported, and in how many steps. */
TEST_HELPER char *shown(const struct logged *logged, const struct weir_report *report)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < logged->n_log; i++) {
        g_string_append_printf(text, "%d ", (int)logged->args.log[i]);
    }
    char *findings = weir_report_to_text(report);
    g_string_append_printf(text, "sum %u steps %" G_GUINT64_FORMAT "\n%s",
                           (unsigned)*logged->args.sum, weir_report_n_steps(report),
                           findings);
    g_free(findings);
    return g_string_free(text, FALSE);
}

static const struct weir_kernel *const logging[] __attribute__((unused))
= { &log_phases, &log_atomics, &lose_updates, &lose_and_diverge };

/* ---- Files --------------------------------------------------------------- */

/* The file of this process, while a test uses it. */
static char *scratch_folder __attribute__((unused));

TEST_HELPER char *scratch_path(const char *name)
{
    if (scratch_folder == NULL) {
        scratch_folder = g_dir_make_tmp("weir-schedule-XXXXXX", NULL);
        ck_assert_ptr_nonnull(scratch_folder);
    }
    return g_build_filename(scratch_folder, name, NULL);
}

TEST_HELPER void scratch_remove(void)
{
    if (scratch_folder == NULL) {
        return;
    }
    GDir *dir = g_dir_open(scratch_folder, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(scratch_folder, name, NULL);
        g_unlink(path);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    g_rmdir(scratch_folder);
    g_free(scratch_folder);
    scratch_folder = NULL;
}

TEST_HELPER void save(const struct weir_schedule *schedule, const char *path)
{
    GError *error = NULL;
    g_unlink(path); /* to replace a file safely takes the disk's time */
    bool done = weir_schedule_save(schedule, path, &error);
    ck_assert_msg(done, "cannot save: %s", error != NULL ? error->message : "?");
    ck_assert_ptr_null(error);
}

TEST_HELPER struct weir_schedule *load(const char *path)
{
    GError *error = NULL;
    struct weir_schedule *schedule = weir_schedule_load(path, &error);
    ck_assert_msg(schedule != NULL, "cannot load: %s",
                  error != NULL ? error->message : "?");
    ck_assert_ptr_null(error);
    return schedule;
}

TEST_HELPER char *contents(const char *path)
{
    char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

TEST_HELPER char *saved_text(const struct weir_schedule *schedule)
{
    g_autofree char *path = scratch_path("saved");
    save(schedule, path);
    char *text = contents(path);
    return text;
}

TEST_HELPER struct weir_schedule *recorded_new(struct logged *logged,
                                               const struct weir_kernel *kernel,
                                               size_t groups, size_t local,
                                               uint64_t seed)
{
    struct order order = { "random", seed };
    struct weir_schedule *record = weir_schedule_new();
    weir_report_free(
        logged_run(logged, kernel, groups, local, UNDER(&order, .record = record)));
    return record;
}

#endif
