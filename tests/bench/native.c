/* SPDX-License-Identifier: MIT
 *
 * native.c: how fast the executions of native kernels are explored, what memory that
 * takes, and how long `weir explore` takes to start: one line a case, the best of some
 * runs. Each run is a process of its own, whose highest memory is its own, too.
 *
 *   bench-native [--reps R]
 *
 * It judges, it does not fail. The bars are ten times what was published of GenMC on
 * the same programs, 16 to 27 thousand executions per second on increments and 150 to
 * 230 thousand on reads and writes, and 5 ms to start. */
#include "../native_kernels.h"

#include <weir.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_reps = 5;

/* In thousands of executions per second. */
static const double BAR_INCREMENTS = 270, BAR_READS_AND_WRITES = 2300;
static const double BAR_START_MS = 5;

/* The result of a run; shared with the process that makes it. */
struct run {
    uint64_t executions, histories;
    double seconds;
};

struct cost {
    double seconds;
    double processor_seconds;
    long kib; /* the highest memory */
};

static double now(void)
{
    return (double)g_get_monotonic_time() / G_USEC_PER_SEC;
}

/* Waits for the process. */
static struct cost cost_of(pid_t pid, double began)
{
    struct rusage usage;
    int status;
    if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status)
        || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "a run failed\n");
        exit(2);
    }
    return (struct cost){
        .seconds = now() - began,
        .processor_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
        .kib = usage.ru_maxrss,
    };
}

/* ---- Kernels --------------------------------------------------------------------- */

static bool explore(const struct weir_kernel *kernel, size_t n_items, struct run *run)
{
    enum { N_WORDS = 64 };
    struct weir_device *device = weir_device_new("default", NULL);
    words_args args = { weir_new(device, uint32_t, N_WORDS, "x"),
                        weir_new(device, uint32_t, N_WORDS, "y"),
                        weir_new(device, uint32_t, N_WORDS, "out") };
    memset(args.x, 0, N_WORDS * sizeof(*args.x));
    memset(args.y, 0, N_WORDS * sizeof(*args.y));
    memset(args.out, 0, N_WORDS * sizeof(*args.out));
    const struct weir_launch_options options = { .explore = "rc11" };
    struct weir_report *report = NULL;
    double began = now();
    bool done = weir_launch_sized_with(device, kernel, weir_nd_range_1d(n_items, 1),
                                       &args, sizeof(args), &options, &report, NULL);
    run->seconds = now() - began;
    const struct weir_exploration *found
        = done ? weir_report_exploration(report) : NULL;
    if (found == NULL || found->refused != NULL || !found->complete) {
        return false;
    }
    run->executions = found->executions;
    run->histories = found->histories;
    return true;
}

static void measure(const char *name, const struct weir_kernel *kernel, size_t n_items,
                    double bar)
{
    struct run *run = mmap(NULL, sizeof(*run), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double best = 0;
    long kib = 0;
    for (int i = 0; i < n_reps; i++) {
        double began = now();
        pid_t pid = fork();
        if (pid == 0) {
            _exit(explore(kernel, n_items, run) ? 0 : 1);
        }
        kib = cost_of(pid, began).kib;
        best = MAX(best, (double)run->executions / run->seconds / 1000);
    }
    printf("%-24s %2zu items %9" PRIu64 " executions %6" PRIu64
           " histories %8.0f k/s %6ld KiB",
           name, n_items, run->executions, run->histories, best, kib);
    if (bar > 0) {
        printf("  bar %.0f %s", bar, best >= bar ? "met" : "MISSED");
    }
    printf("\n");
    munmap(run, sizeof(*run));
}

/* ---- The command ----------------------------------------------------------------- */

static struct cost run_weir(const char *const *words)
{
    fflush(stdout);
    double began = now();
    pid_t pid = fork();
    if (pid == 0) {
        if (freopen("/dev/null", "w", stdout) != NULL) {
            execv("./weir", (char *const *)words);
        }
        _exit(2);
    }
    return cost_of(pid, began);
}

static void measure_command(const char *name, const char *const *words, double bar_ms)
{
    struct cost best = { 1e9, 1e9, 0 };
    for (int i = 0; i < 4 * n_reps; i++) {
        struct cost cost = run_weir(words);
        best.seconds = MIN(best.seconds, cost.seconds);
        best.processor_seconds = MIN(best.processor_seconds, cost.processor_seconds);
        best.kib = cost.kib;
    }
    printf("%-34s %8.1f ms, %.1f ms of a processor, %ld KiB", name, best.seconds * 1000,
           best.processor_seconds * 1000, best.kib);
    if (bar_ms > 0) {
        printf("  bar %.0f %s", bar_ms,
               best.seconds * 1000 < bar_ms ? "met" : "MISSED");
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--reps") == 0) {
        n_reps = atoi(argv[2]);
    } else if (argc != 1) {
        fprintf(stderr, "usage: %s [--reps R]\n", argv[0]);
        return 2;
    }
    for (size_t n = 5; n <= 9; n++) {
        measure("increments", &increments, n, n == 8 ? BAR_INCREMENTS : 0);
    }
    for (size_t n = 2; n <= 6; n += 2) {
        measure("writers and readers", &writers_and_readers, n,
                n == 6 ? BAR_READS_AND_WRITES : 0);
    }
    const char *const help[] = { "weir", "--version", NULL };
    const char *const start[]
        = { "weir", "explore", "reduce_tree", "--n", "2", "--local", "2", NULL };
    const char *const last_group[]
        = { "weir", "explore", "reduce_last_group", "--n", "7", "--local", "1", NULL };
    measure_command("weir --version", help, 0);
    measure_command("weir explore, 1 execution", start, BAR_START_MS);
    measure_command("the last group of 7", last_group, 0);
    return 0;
}
