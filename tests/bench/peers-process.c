/* SPDX-License-Identifier: MIT
 *
 * peers-process.c: see peers-process.h. */
#define _GNU_SOURCE
#include "config.h"

#include "peers-process.h"

#include "times.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Returns: (transfer full): what it prints; ends the program where it fails */
static char *spawn(const char *const *argv)
{
    char *text = NULL;
    int status = 0;
    GError *error = NULL;
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text,
                      NULL, &status, &error)) {
        g_printerr("bench-peers: %s\n", error->message);
        exit(2);
    }
    if (status != 0) {
        g_printerr("bench-peers: %s fails\n", argv[0]);
        exit(2);
    }
    return text;
}

struct peers_times peers_process_run_one(bool ours, const char *row, size_t n_elements,
                                         size_t local_size, size_t n_barriers)
{
    static const char *const checkers[][6]
        = { { "oclgrind", "--data-races", "--uninitialized", "--check-api" },
            { PEERS_WEIR, "check", "--schedule", "in-order", "--" } };
    g_autofree char *n = g_strdup_printf("%zu", n_elements);
    g_autofree char *local = g_strdup_printf("%zu", local_size);
    g_autofree char *barriers = g_strdup_printf("%zu", n_barriers);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    const char *const one[] = { self,      "--one", row,          "--n",    n,
                                "--local", local,   "--barriers", barriers, NULL };
    const char *argv[6 + G_N_ELEMENTS(one)];
    size_t words = 0;
    while (checkers[ours][words] != NULL) {
        argv[words] = checkers[ours][words];
        words++;
    }
    memcpy(argv + words, one, sizeof(one));
    g_autofree char *text = spawn(argv);
    struct peers_times times = { 0, 0 };
    if (sscanf(text, "%lf %lf", &times.wall, &times.cpu) != 2) {
        g_printerr("bench-peers: %s does not run %s\n", argv[0], row);
        exit(2);
    }
    return times;
}

static double children_ms(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-3;
}

struct peers_times peers_process_first_result(bool ours, const char *folder)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *made = g_build_filename(folder, "made", NULL);
    g_autofree char *cache = g_strdup_printf("POCL_CACHE_DIR=%s/%" G_GINT64_FORMAT,
                                             folder, g_get_monotonic_time());
    const char *const compile[] = { PEERS_WEIR_CC, PEERS_FIRST, "-o", made, NULL };
    const char *const ran[] = { made, NULL };
    const char *const other[]
        = { "env", cache, self, "--one", "reduce_tree", "--n", "1024", NULL };
    struct peers_times start = { bench_ms(CLOCK_MONOTONIC), children_ms() };
    if (ours) {
        g_free(spawn(compile));
        g_free(spawn(ran));
    } else {
        g_free(spawn(other));
    }
    return (struct peers_times){ bench_ms(CLOCK_MONOTONIC) - start.wall,
                                 children_ms() - start.cpu };
}

void peers_process_remove_tree(const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        peers_process_remove_tree(inner);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    g_remove(path);
}
