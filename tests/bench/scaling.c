/* SPDX-License-Identifier: MIT
 *
 * scaling.c: what one item costs in launches of 2^10 to 2^32 items.
 *
 * A launch has a fixed cost, each group has one, and each item has one. Where the cost
 * of an item is flat, nothing in a launch grows with its size. Three kernels:
 *
 *     search      compares its id with an argument: no memory, no barrier
 *     increment   adds to its own word: no barrier
 *     neighbours  two barriers; local memory, and one word a group
 *
 * neighbours runs a second time with a stack for each item. Each figure is a median of
 * processor time, of all threads, and of wall time, in ns an item. Small launches are
 * repeated until they have 2^20 items together.
 *
 *   bench-items [--reps R] [--from EXPONENT] [--to EXPONENT] [--workers W] */
#define _GNU_SOURCE
#include "times.h"

#include <weir-kernel.h>
#include <weir.h>

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL = 256, MOST_REPS = 31 };

/* Items of a sample at least: some 100 us, where clocks are exact enough. */
enum { SAMPLE_EXPONENT = 20 };

/* The largest launches. increment needs 4 bytes an item; neighbours takes seconds at
 * its limit. */
enum { MOST_SEARCH = 32, MOST_INCREMENT = 28, MOST_NEIGHBOURS = 28, MOST_STACKS = 26 };

typedef struct {
    size_t wanted;
    uint32_t *words;
} scaling_args;

WEIR_KERNEL(search, scaling_args)
{
    if (weir_global_id(item, 0) == args->wanted) {
        args->words[0]++;
    }
}

WEIR_KERNEL(increment, scaling_args)
{
    args->words[weir_global_id(item, 0)]++;
}

WEIR_KERNEL(neighbours, scaling_args)
{
    uint32_t *local = weir_local_array(item, uint32_t, LOCAL);
    size_t me = weir_local_id(item, 0);
    local[me] = (uint32_t)me;
    weir_barrier(item, WEIR_LOCAL);
    uint32_t sum = local[me] + local[(me + 1) % LOCAL];
    weir_barrier(item, WEIR_LOCAL);
    local[me] = sum;
    if (me == 0) {
        args->words[weir_group_id(item, 0)] = sum;
    }
}

/* A column of the table. */
struct column {
    const char *name;
    const struct weir_kernel *kernel;
    int most; /* exponent of its largest launch */
    bool stackful;
};

static struct weir_device *device;
static uint32_t *words; /* as many as increment or neighbours needs at most */
static int n_reps = 5;

static void launch(const struct column *column, size_t items, uint32_t workers)
{
    scaling_args args = { items - 1, words };
    struct weir_launch_options options
        = { .workers = workers, .stackful = column->stackful };
    GError *error = NULL;
    struct weir_report *report;
    if (!weir_launch_sized_with(device, column->kernel, weir_nd_range_1d(items, LOCAL),
                                &args, sizeof(args), &options, &report, &error)) {
        g_error("%s", error->message);
    }
    if (weir_report_n_findings(report) > 0) {
        g_error("%s", weir_report_finding(report, 0)->message);
    }
    weir_report_free(report);
}

/* The words tell whether every launch ran to its last item. */
static void verify(const struct column *column, size_t items, uint32_t launches)
{
    uint32_t got = column->kernel == &increment ? words[items - 1] : words[0];
    if (column->kernel == &neighbours) {
        got = words[items / LOCAL - 1];
        launches = 1; /* the sum of items 0 and 1 */
    }
    if (got != launches) {
        g_error("%s: %u in place of %u", column->name, got, launches);
    }
}

static void measure(const struct column *column, int exponent, uint32_t workers)
{
    double processor[MOST_REPS], wall[MOST_REPS];
    size_t items = (size_t)1 << exponent;
    uint32_t repeats
        = exponent < SAMPLE_EXPONENT ? 1U << (SAMPLE_EXPONENT - exponent) : 1;
    size_t used = column->kernel == &increment ? items
        : column->kernel == &neighbours        ? items / LOCAL
                                               : 1;
    memset(words, 0, used * sizeof(*words));
    launch(column, items, workers); /* pages, and threads */
    for (int i = 0; i < n_reps; i++) {
        double cpu = bench_ms(CLOCK_PROCESS_CPUTIME_ID),
               start = bench_ms(CLOCK_MONOTONIC);
        for (uint32_t k = 0; k < repeats; k++) {
            launch(column, items, workers);
        }
        double n = (double)items * repeats * 1e-6;
        processor[i] = (bench_ms(CLOCK_PROCESS_CPUTIME_ID) - cpu) / n;
        wall[i] = (bench_ms(CLOCK_MONOTONIC) - start) / n;
    }
    verify(column, items, 1 + (uint32_t)n_reps * repeats);
    printf("%10.3f %9.3f", bench_median(processor, n_reps), bench_median(wall, n_reps));
    fflush(stdout);
}

static void table(uint32_t workers, int from, int to)
{
    const struct column columns[] = {
        { "search", &search, MOST_SEARCH, false },
        { "increment", &increment, MOST_INCREMENT, false },
        { "neighbours", &neighbours, MOST_NEIGHBOURS, false },
        { "neighbours, stacks", &neighbours, MOST_STACKS, true },
    };
    printf("%u worker%s; ns an item: processor, wall\nitems", workers,
           workers == 1 ? "" : "s");
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
        printf("%20s", columns[i].name);
    }
    putchar('\n');
    for (int exponent = from; exponent <= to; exponent += 2) {
        printf("2^%-3d", exponent);
        for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
            if (exponent <= columns[i].most) {
                measure(&columns[i], exponent, workers);
            } else {
                printf("%20s", "");
            }
        }
        putchar('\n');
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    int from = 10, to = MOST_SEARCH;
    uint32_t workers = 0;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--reps") == 0) {
            n_reps = CLAMP(atoi(argv[i + 1]), 1, MOST_REPS);
        } else if (i + 1 < argc && strcmp(argv[i], "--from") == 0) {
            from = CLAMP(atoi(argv[i + 1]), 8, MOST_SEARCH);
        } else if (i + 1 < argc && strcmp(argv[i], "--to") == 0) {
            to = CLAMP(atoi(argv[i + 1]), 8, MOST_SEARCH);
        } else if (i + 1 < argc && strcmp(argv[i], "--workers") == 0) {
            workers = (uint32_t)CLAMP(atoi(argv[i + 1]), 1, 1024);
        } else {
            fprintf(stderr,
                    "usage: %s [--reps R] [--from EXPONENT] [--to EXPONENT] "
                    "[--workers W]\n",
                    argv[0]);
            return 2;
        }
    }
    GError *error = NULL;
    device = weir_device_new("default", &error);
    if (device == NULL) {
        g_error("%s", error->message);
    }
    words = g_new0(uint32_t, (size_t)1 << MIN(to, MOST_INCREMENT));
    if (neighbours.stackless == NULL) {
        puts("(no stackless entries here: both columns of neighbours have stacks)");
    }
    if (workers > 0) {
        table(workers, from, to);
    } else {
        table(1, from, to);
        table(2, from, to);
    }
    g_free(words);
    weir_device_free(device);
    return 0;
}
