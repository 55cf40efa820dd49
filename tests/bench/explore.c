/* SPDX-License-Identifier: MIT
 *
 * explore.c: how fast executions are explored: through the seam that all programs come
 * through, with scopes, races judged and final states counted; the best of some runs.
 *
 *   bench-explore [--reps R]
 *
 * With WEIR_LITMUS_DIR, a folder of tests and verdicts, the time of all of them under
 * rc11 or sycl, too. It judges, it does not fail. */
#include "model/explore.h"
#include "litmus/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int n_reps = 5;

/* ---- One exploration ----------------------------------------------------- */

/* Final states, by a hash of what is observed. */
enum { N_STATES = 4096 };

struct tally {
    const struct weiri_litmus *test;
    const struct weiri_program *program;
    uint64_t states[N_STATES];
};

static bool count(void *user, const struct weiri_graph *graph, bool race)
{
    struct tally *tally = user;
    uint64_t hash = race;
    for (uint32_t i = 0; i < tally->test->n_observed; i++) {
        struct weiri_litmus_term term = tally->test->observed[i];
        int64_t value = term.thread == WEIRI_LITMUS_MEMORY
            ? weiri_graph_memory(graph, term.index)
            : weiri_litmus_program_register(
                tally->program, weiri_graph_state(graph, term.thread), term.index);
        hash = (hash ^ (uint64_t)value) * 0x9e3779b97f4a7c15;
    }
    tally->states[hash / (UINT64_MAX / N_STATES + 1)]++;
    return true;
}

static struct weiri_litmus *parse(const char *text, const char *file)
{
    GError *error = NULL;
    struct weiri_litmus *test = weiri_litmus_parse(text, strlen(text), file, &error);
    if (test == NULL) {
        fprintf(stderr, "%s\n", error->message);
        exit(2);
    }
    return test;
}

static uint64_t explore(const struct weiri_litmus *test, enum weiri_explored model)
{
    struct tally *tally = g_new0(struct tally, 1);
    struct weiri_program *program = weiri_litmus_program(test, 8);
    tally->test = test;
    tally->program = program;
    const struct weiri_explore_options options
        = { .model = model, .races = true, .execution = count, .user = tally };
    uint64_t n = weiri_explore(program, &options).executions;
    weiri_litmus_program_free(program);
    g_free(tally);
    return n;
}

static long memory_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* ---- Cases --------------------------------------------------------------- */

static void measure(const char *name, const char *text, double bar)
{
    struct weiri_litmus *test = parse(text, name);
    double best = 0;
    uint64_t n = 0;
    for (int i = 0; i < n_reps; i++) {
        gint64 start = g_get_monotonic_time();
        n = explore(test, WEIRI_EXPLORED_SYCL);
        double rate = (double)n / (double)(g_get_monotonic_time() - start);
        best = rate > best ? rate : best;
    }
    printf("%-34s %9" G_GUINT64_FORMAT " executions %8.2f M/s  bar %.1f %s, %ld KiB\n",
           name, n, best, bar, best >= bar ? "met" : "MISSED", memory_kib());
    weiri_litmus_free(test);
}

static char *increments(int n)
{
    GString *text = g_string_new("OPENCL increments\n{ [x] = 0; }\n");
    for (int i = 0; i < n; i++) {
        g_string_append_printf(text,
                               "P%d@wg %d, dev 0 (global atomic_int* x) {\n"
                               "  int r0 = atomic_fetch_add_explicit(x, 1, "
                               "memory_order_relaxed, memory_scope_device);\n}\n",
                               i, i);
    }
    g_string_append(text, "exists (0:r0=0)\n");
    return g_string_free(text, FALSE);
}

/* Three threads that write x and y, and three that read them; @third: once more. */
static char *writers_and_readers(const char *release, const char *acquire, bool third)
{
    GString *text = g_string_new("OPENCL rw\n{ [x] = 0; [y] = 0; }\n");
    for (int i = 0; i < 6; i++) {
        g_string_append_printf(
            text, "P%d@wg %d, dev 0 (global atomic_int* x, global atomic_int* y) {\n",
            i, i);
        if (i < 3) {
            g_string_append_printf(
                text,
                "  atomic_store_explicit(x, %d, memory_order_relaxed, "
                "memory_scope_device);\n"
                "  atomic_store_explicit(y, %d, %s, memory_scope_device);\n}\n",
                i + 1, i + 1, release);
            continue;
        }
        g_string_append_printf(
            text,
            "  int r0 = atomic_load_explicit(y, %s, memory_scope_device);\n"
            "  int r1 = atomic_load_explicit(x, memory_order_relaxed, "
            "memory_scope_device);\n%s}\n",
            acquire,
            third ? "  int r2 = atomic_load_explicit(y, memory_order_relaxed, "
                    "memory_scope_device);\n"
                  : "");
    }
    g_string_append(text,
                    "exists (3:r0=0 /\\ 4:r0=1 /\\ 5:r0=2 /\\ 3:r1=0 /\\ 4:r1=1 "
                    "/\\ 5:r1=2 /\\ [x]=1)\n");
    return g_string_free(text, FALSE);
}

/* Every test of the folder, under sycl where it has scopes, else under rc11. */
static void measure_folder(const char *root)
{
    g_autofree char *path = g_build_filename(root, "verdicts.tsv", NULL), *rows = NULL;
    if (!g_file_get_contents(path, &rows, NULL, NULL)) {
        fprintf(stderr, "no %s\n", path);
        return;
    }
    g_auto(GStrv) lines = g_strsplit(rows, "\n", -1);
    double best = 1e30;
    unsigned n = 0;
    for (int i = 0; i < n_reps; i++) {
        gint64 start = g_get_monotonic_time();
        n = 0;
        for (char **line = lines + 1; *line != NULL && **line != '\0'; line++) {
            g_auto(GStrv) row = g_strsplit(*line, "\t", 4);
            bool scoped = strcmp(row[2], "sycl") == 0;
            if (!scoped && strcmp(row[2], "rc11") != 0) {
                continue;
            }
            g_autofree char *file = g_build_filename(root, row[1], NULL), *text = NULL;
            if (g_file_get_contents(file, &text, NULL, NULL)) {
                struct weiri_litmus *test = parse(text, file);
                explore(test, scoped ? WEIRI_EXPLORED_SYCL : WEIRI_EXPLORED_RC11);
                weiri_litmus_free(test);
                n++;
            }
        }
        double seconds = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
        best = seconds < best ? seconds : best;
    }
    printf("%u tests of the folder, read and explored %.3f s  bar 2 %s\n", n, best,
           best < 2 ? "met" : "MISSED");
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--reps") == 0) {
        n_reps = atoi(argv[2]);
    } else if (argc != 1) {
        fprintf(stderr, "usage: %s [--reps R]\n", argv[0]);
        return 2;
    }
    g_autofree char *one
        = writers_and_readers("memory_order_relaxed", "memory_order_relaxed", true);
    g_autofree char *two
        = writers_and_readers("memory_order_release", "memory_order_acquire", false);
    g_autofree char *eight = increments(8);
    measure("3 writers, 3 readers, relaxed", one, 2);
    measure("3 writers, 3 readers, acquire", two, 2);
    measure("8 increments", eight, 0.5);
    const char *root = g_getenv("WEIR_LITMUS_DIR");
    if (root != NULL) {
        measure_folder(root);
    }
    return 0;
}
