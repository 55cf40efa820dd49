/* SPDX-License-Identifier: MIT
 *
 * machine.c: what the machine costs, as ratios of alternating runs.
 *
 * Each case has two sides that are run in turn, so that anything else the
 * computer does disturbs both; the figures are medians and the ratio of the
 * medians. Absolute figures belong to one machine on one day; the ratios are
 * what docs/performance.md quotes and what a bar is set on. A case that misses
 * its bar says so; the benchmark judges, it does not fail.
 *
 *   bench-machine [--reps R] [--n N] [--only checked]
 */
#define _GNU_SOURCE
#include "kernels/kernels.h"
#include "ring.h"
#include "times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { MOST_REPS = 101 };

static struct weir_device *device;
static int n_reps = 15;
static size_t n_elements = (size_t)1 << 24;

static double now_ns(void)
{
    return bench_ms(CLOCK_MONOTONIC) * 1e6;
}

/* One side of a case: does the work once, returns ns a unit. */
typedef double side(size_t parameter);

/* Runs both sides in turn and prints a line. @most: the bar on the ratio of
 * ours to theirs, or 0 for none. */
static void compare(const char *name, const char *unit, side *ours, side *theirs,
                    size_t parameter, double most)
{
    double our_times[MOST_REPS], their_times[MOST_REPS];
    ours(parameter);
    theirs(parameter);
    for (int i = 0; i < n_reps; i++) {
        our_times[i] = ours(parameter);
        their_times[i] = theirs(parameter);
    }
    double our = bench_median(our_times, n_reps),
           their = bench_median(their_times, n_reps);
    printf("%-70s %10.3f %10.3f %s %8.3f", name, our, their, unit, our / their);
    if (most > 0) {
        printf("  bar %.2f %s", most, our / their <= most ? "met" : "MISSED");
    }
    putchar('\n');
    fflush(stdout);
}

static void limit(const char *name, const char *unit, side *ours, size_t parameter,
                  double most)
{
    double times[MOST_REPS];
    ours(parameter);
    for (int i = 0; i < n_reps; i++) {
        times[i] = ours(parameter);
    }
    double our = bench_median(times, n_reps);
    printf("%-70s %10.3f %10s %s %8s  bar %.2f %s\n", name, our, "", unit, "", most,
           our <= most ? "met" : "MISSED");
    fflush(stdout);
}

static void launch_with(const struct weir_kernel *kernel, struct weir_nd_range range,
                        const void *args, size_t args_bytes,
                        const struct weir_launch_options *options)
{
    GError *error = NULL;
    struct weir_report *report;
    if (!weir_launch_sized_with(device, kernel, range, args, args_bytes, options,
                                &report, &error)) {
        g_error("%s", error->message);
    }
    if (weir_report_n_findings(report) > 0) {
        g_error("%s", weir_report_finding(report, 0)->message);
    }
    weir_report_free(report);
}

static void launch(const struct weir_kernel *kernel, struct weir_nd_range range,
                   const void *args, size_t args_bytes, uint32_t workers)
{
    launch_with(kernel, range, args, args_bytes,
                &(struct weir_launch_options){ .workers = workers });
}

/* ---- Barriers ------------------------------------------------------------ */

typedef struct {
    int32_t *values;
    int rounds;
} turn_args;

/* As much between two switches as ring.h has: one addition in memory. */
WEIR_KERNEL(take_turns, turn_args)
{
    int32_t *value = &args->values[weir_local_id(item, 0)];
    for (int k = 0; k < args->rounds; k++) {
        *value += k;
        weir_barrier(item, WEIR_LOCAL);
    }
}

/* The same with barriers at four places, so that a switch returns to four addresses. */
WEIR_KERNEL(take_turns_at_four_sites, turn_args)
{
    int32_t *value = &args->values[weir_local_id(item, 0)];
    for (int k = 0; k < args->rounds; k += 4) {
        *value += k;
        weir_barrier(item, WEIR_LOCAL);
        *value += k + 1;
        weir_barrier(item, WEIR_LOCAL);
        *value += k + 2;
        weir_barrier(item, WEIR_LOCAL);
        *value += k + 3;
        weir_barrier(item, WEIR_LOCAL);
    }
}

enum { ROUNDS = 2000 };

static double turns_ns(const struct weir_kernel *kernel, size_t items)
{
    int32_t *values = g_new0(int32_t, items);
    turn_args args = { values, ROUNDS };
    double start = now_ns();
    launch(kernel, weir_nd_range_1d(items, items), &args, sizeof(args), 1);
    double ns = (now_ns() - start) / (double)items / ROUNDS;
    g_free(values);
    return ns;
}

static double barrier_side(size_t items)
{
    return turns_ns(&take_turns, items);
}

static double four_sites_side(size_t items)
{
    return turns_ns(&take_turns_at_four_sites, items);
}

/* The same in a deterministic launch. */
static const char *schedule;

static double scheduled_side(size_t items)
{
    int32_t *values = g_new0(int32_t, items);
    turn_args args = { values, ROUNDS / 10 };
    struct weir_launch_options options = { .schedule = schedule, .seed = 1 };
    double start = now_ns();
    launch_with(&take_turns, weir_nd_range_1d(items, items), &args, sizeof(args),
                &options);
    double ns = (now_ns() - start) / (double)items / (ROUNDS / 10);
    g_free(values);
    return ns;
}

static void scheduled(const char *name, size_t items)
{
    schedule = name;
    g_autofree char *text
        = g_strdup_printf("barrier, %s / fast, %zu items", name, items);
    compare(text, "ns   ", scheduled_side, barrier_side, items, 5);
}

static double ring_side(size_t items)
{
    return ring_ns_a_switch(items, ROUNDS);
}

/* The same ring by swapcontext(). */
static ucontext_t *contexts, host;
static size_t ring_size;

static void ucontext_body(int me)
{
    for (int k = 0; k < ROUNDS / 10; k++) {
        size_t next = (size_t)me + 1 == ring_size ? 0 : (size_t)me + 1;
        swapcontext(&contexts[me], &contexts[next]);
    }
    if ((size_t)me + 1 < ring_size) {
        swapcontext(&contexts[me], &contexts[me + 1]);
    }
    swapcontext(&contexts[me], &host);
}

static double swapcontext_side(size_t items)
{
    enum { STACK_BYTES = 32 * 1024 };
    ring_size = items;
    contexts = g_new0(ucontext_t, items);
    char *stacks = g_malloc(items * STACK_BYTES);
    for (size_t i = 0; i < items; i++) {
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stacks + i * STACK_BYTES;
        contexts[i].uc_stack.ss_size = STACK_BYTES;
        makecontext(&contexts[i], (void (*)(void))ucontext_body, 1, (int)i);
    }
    double start = now_ns();
    swapcontext(&host, &contexts[0]);
    double ns = (now_ns() - start) / (double)items / (ROUNDS / 10);
    g_free(contexts);
    g_free(stacks);
    return ns;
}

/* ---- Launches ------------------------------------------------------------ */

WEIR_KERNEL(do_nothing, turn_args)
{
}

static double empty_side(size_t items)
{
    turn_args args = { NULL, 0 };
    double start = now_ns();
    launch(&do_nothing, weir_nd_range_1d(items, 256), &args, sizeof(args), 1);
    return (now_ns() - start) / (double)items;
}

static double one_group_side(size_t launches)
{
    turn_args args = { NULL, 0 };
    double start = now_ns();
    for (size_t i = 0; i < launches; i++) {
        launch(&do_nothing, weir_nd_range_1d(256, 256), &args, sizeof(args), 0);
    }
    return (now_ns() - start) / (double)launches / 1e3;
}

/* A launch that wants every worker, against one that cannot use them. */
static double few_groups_side(size_t launches)
{
    turn_args args = { NULL, 0 };
    double start = now_ns();
    for (size_t i = 0; i < launches; i++) {
        launch(&do_nothing, weir_nd_range_1d(16 * 256, 256), &args, sizeof(args), 0);
    }
    return (now_ns() - start) / (double)launches / 1e3;
}

/* ---- Kernels against plain C --------------------------------------------- */

static int32_t *numbers; /* n_elements, for sums */
static int32_t *bins;    /* n_elements, from 0 to KERNEL_BINS - 1 */
static uint32_t *answer; /* KERNEL_BINS of them */
static const struct kernel_row *row;
static uint32_t n_workers;

static double run_kernel(const struct weir_launch_options *options)
{
    GError *error = NULL;
    struct kernel_job job = { .device = device,
                              .in = row->family == KERNEL_HISTOGRAM ? bins : numbers,
                              .out = answer,
                              .n = n_elements,
                              .options = options };
    double start = now_ns();
    if (!kernel_run(row, &job, &error)) {
        g_error("%s", error->message);
    }
    double ns = (now_ns() - start) / (double)n_elements;
    kernel_job_clear(&job);
    return ns;
}

static double kernel_side(size_t unused)
{
    (void)unused;
    return run_kernel(&(struct weir_launch_options){ .workers = n_workers });
}

/* The same under the checker, one schedule. */
static double checked_side(size_t unused)
{
    (void)unused;
    return run_kernel(
        &(struct weir_launch_options){ .schedule = "in-order", .check = true });
}

/* The same instrumented, and not watched. */
static double in_order_side(size_t unused)
{
    (void)unused;
    return run_kernel(&(struct weir_launch_options){ .schedule = "in-order" });
}

static volatile uint32_t sink;

#ifdef _OPENMP
static double omp_sum_side(size_t unused)
{
    (void)unused;
    uint32_t sum = 0;
    double start = now_ns();
#pragma omp parallel for reduction(+ : sum) num_threads(n_workers)
    for (size_t i = 0; i < n_elements; i++) {
        sum += (uint32_t)numbers[i];
    }
    sink = sum;
    return (now_ns() - start) / (double)n_elements;
}

static double omp_atomic_sum_side(size_t unused)
{
    (void)unused;
    static _Alignas(64) uint32_t sum;
    double start = now_ns();
#pragma omp parallel for num_threads(n_workers)
    for (size_t i = 0; i < n_elements; i++) {
        __atomic_fetch_add(&sum, (uint32_t)numbers[i], __ATOMIC_RELAXED);
    }
    sink = sum;
    return (now_ns() - start) / (double)n_elements;
}

static double omp_atomic_histogram_side(size_t unused)
{
    (void)unused;
    double start = now_ns();
#pragma omp parallel for num_threads(n_workers)
    for (size_t i = 0; i < n_elements; i++) {
        __atomic_fetch_add(&answer[bins[i]], 1, __ATOMIC_RELAXED);
    }
    return (now_ns() - start) / (double)n_elements;
}
#endif

static double serial_histogram_side(size_t unused)
{
    (void)unused;
    double start = now_ns();
    memset(answer, 0, KERNEL_BINS * sizeof(*answer));
    for (size_t i = 0; i < n_elements; i++) {
        answer[bins[i]]++;
    }
    sink = answer[0];
    return (now_ns() - start) / (double)n_elements;
}

static void against(const char *kernel, uint32_t workers, side *theirs,
                    const char *what, double most)
{
    row = kernel_find(kernel);
    n_workers = workers;
    g_autofree char *name = g_strdup_printf("%s / %s, %u thread%s", kernel, what,
                                            workers, workers == 1 ? "" : "s");
    compare(name, "ns/el", kernel_side, theirs, 0, most);
}

/* The cost of checking a kernel; fewer elements, since checking is slow. */
static void checked(const char *kernel)
{
    size_t all = n_elements;
    n_elements = MIN(n_elements, (size_t)1 << 20);
    row = kernel_find(kernel);
    n_workers = 1;
    g_autofree char *name = g_strdup_printf("%s, checked / fast", kernel);
    compare(name, "ns/el", checked_side, kernel_side, 0, 40);
    g_autofree char *in_order = g_strdup_printf("%s, checked / in-order", kernel);
    compare(in_order, "ns/el", checked_side, in_order_side, 0, 0);
    n_elements = all;
}

static void fill(void)
{
    GError *error = NULL;
    numbers = kernel_input_new(kernel_find("reduce_tree"), device, n_elements, &error);
    bins = numbers == NULL ? NULL
                           : kernel_input_new(kernel_find("histogram_local_relaxed"),
                                              device, n_elements, &error);
    answer = weir_new(device, uint32_t, KERNEL_BINS, "answer");
    if (bins == NULL) {
        g_error("%s", error->message);
    }
}

static void all_but_checked(void)
{
    compare("barrier / bare ring, 64 items", "ns   ", barrier_side, ring_side, 64, 1.6);
    compare("barrier / bare ring, 256 items", "ns   ", barrier_side, ring_side, 256,
            1.6);
    compare("barrier / bare ring, 1024 items", "ns   ", barrier_side, ring_side, 1024,
            1.6);
    compare("barrier at 4 sites / bare ring, 256 items", "ns   ", four_sites_side,
            ring_side, 256, 1.6);
    compare("barrier / swapcontext ring, 256 items", "ns   ", barrier_side,
            swapcontext_side, 256, 1 / 30.0);
    static const char *const schedules[]
        = { "in-order", "reverse", "round-robin", "random", "pct:3" };
    for (size_t i = 0; i < G_N_ELEMENTS(schedules); i++) {
        scheduled(schedules[i], 256);
    }
    scheduled("random", 64);
    scheduled("random", 1024);
    limit("empty kernel, 2^26 items of 256", "ns/it", empty_side, (size_t)1 << 26, 1);
    limit("launch of one group", "us   ", one_group_side, 2000, 2);
    compare("launch of 16 groups / of one", "us   ", few_groups_side, one_group_side,
            2000, 0);
#ifdef _OPENMP
    against("reduce_atomics2", 2, omp_sum_side, "omp sum", 1 / 0.9);
    against("reduce_multiblock_interleaved", 2, omp_sum_side, "omp sum", 1 / 0.9);
    static const char *const sums[] = {
        "reduce_single_item",
        "reduce_atomics3",
        "reduce_single_group",
        "reduce_single_group_hierarchical",
        "reduce_tree",
        "reduce_tree_hierarchical",
        "reduce_multi_pass",
        "reduce_multi_pass_hierarchical",
        "reduce_multiblock_interleaved_hierarchical",
        "reduce_multiblock_interleaved_vector",
        "reduce_multiblock_interleaved_vector_hierarchical",
        "reduce_last_group",
        "reduce_last_group_hierarchical",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(sums); i++) {
        against(sums[i], 2, omp_sum_side, "omp sum", 0);
    }
    against("reduce_atomics1", 2, omp_atomic_sum_side, "loop of atomics", 1.1);
    against("histogram_atomic_relaxed", 2, omp_atomic_histogram_side, "loop of atomics",
            1.1);
    against("reduce_atomics1", 1, omp_atomic_sum_side, "loop of atomics", 1.1);
    against("histogram_atomic_relaxed", 1, omp_atomic_histogram_side, "loop of atomics",
            1.1);
#else
    puts("(compiled without OpenMP: no comparison of sums and atomics)");
#endif
    against("histogram_local_relaxed", 1, serial_histogram_side, "serial C", 2);
}

int main(int argc, char **argv)
{
    bool only_checked = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--reps") == 0) {
            n_reps = CLAMP(atoi(argv[i + 1]), 1, MOST_REPS);
        } else if (strcmp(argv[i], "--n") == 0) {
            n_elements = strtoull(argv[i + 1], NULL, 0);
        } else if (strcmp(argv[i], "--only") == 0
                   && strcmp(argv[i + 1], "checked") == 0) {
            only_checked = true;
        } else {
            fprintf(stderr, "usage: %s [--reps R] [--n N] [--only checked]\n", argv[0]);
            return 2;
        }
    }
    GError *error = NULL;
    device = weir_device_new("default", &error);
    if (device == NULL) {
        g_error("%s", error->message);
    }
    printf("%-70s %10s %10s %5s %8s\n", "ours / theirs", "ours", "theirs", "", "ratio");
    fill();
    if (!only_checked) {
        all_but_checked();
    }
    checked("reduce_tree");
    checked("histogram_local_relaxed");
    checked("histogram_atomic_relaxed");
    weir_device_free(device);
    return 0;
}
