/* SPDX-License-Identifier: MIT
 *
 * check_process.c: launches and the process they are in: threads that launch at
 * the same time or one after the other, children, memory that must not grow,
 * and what a launch must leave as it was. */
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

typedef struct {
    uint32_t *count; /* one an item */
} count_args;

WEIR_KERNEL(count_items, count_args)
{
    ADD_RELAXED(&args->count[weir_global_id(item, 0)], 1u);
}

typedef struct {
    char unused;
} no_args;

WEIR_KERNEL(do_nothing, no_args)
{
}

WEIR_KERNEL(only_wait, no_args)
{
    weir_barrier(item, WEIR_LOCAL);
}

WEIR_KERNEL(half_wait, no_args)
{
    if (weir_local_id(item, 0) < 4) {
        weir_barrier(item, WEIR_LOCAL);
    }
}

/* ---- Launches inside launches, beside launches, after launches ----------- */

CASE("threads");

typedef struct {
    struct weir_device *device;
    uint32_t *n_refused;
    int32_t *code;
} nested_args;

WEIR_KERNEL(launch_inside, nested_args)
{
    GError *error = NULL;
    if (!weir_launch(args->device, &do_nothing, weir_nd_range_1d(1, 1), &(no_args){ 0 },
                     &error)) {
        ADD_RELAXED(args->n_refused, 1u);
        STORE_RELAXED(args->code, error->code);
        g_error_free(error);
    }
}

DEVICE_TEST(a_launch_inside_a_kernel_is_refused)
{
    uint32_t *n_refused = weir_new(device, uint32_t, 1, "n_refused");
    int32_t *code = weir_new(device, int32_t, 1, "code");
    FOR_EACH_WORKERS(workers)
    {
        *n_refused = 0;
        *code = -1;
        LAUNCH_SILENT(device, &launch_inside, weir_nd_range_1d(32, 4),
                      (&(nested_args){ device, n_refused, code }),
                      WITH_WORKERS(workers));
        ck_assert_uint_eq(*n_refused, 32);
        ck_assert_int_eq(*code, WEIR_ERROR_ARGUMENT);
    }
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(8, 8), &(no_args){ 0 }, NULL);
}

typedef struct {
    uint32_t *owner;       /* the launch that wrote last */
    uint32_t *n_strangers; /* times that another launch was found to run */
    uint32_t self;
} own_args;

/* All items of a launch write the same number; another one is another launch. */
WEIR_KERNEL(own, own_args)
{
    for (uint32_t round = 0; round < 50; round++) {
        weir_atomic_store_explicit(args->owner, args->self, memory_order_relaxed,
                                   memory_scope_system);
        if (round % 10 == 0) {
            weir_barrier(item, WEIR_GLOBAL);
        }
        uint32_t seen = weir_atomic_load_explicit(args->owner, memory_order_relaxed,
                                                  memory_scope_system);
        if (seen != args->self) {
            weir_atomic_fetch_add_explicit(args->n_strangers, 1u, memory_order_relaxed,
                                           memory_scope_system);
        }
    }
}

struct launcher {
    struct weir_device *device;
    own_args args;
    size_t n_launches;
    size_t n_failed;
};

static void *launch_often(void *data)
{
    struct launcher *launcher = data;
    for (size_t i = 0; i < launcher->n_launches; i++) {
        struct weir_report *report = NULL;
        if (!weir_launch_with(launcher->device, &own, weir_nd_range_1d(64, 8),
                              &launcher->args, WITH_WORKERS(1 + i % 3), &report,
                              NULL)) {
            launcher->n_failed++;
        } else {
            launcher->n_failed += weir_report_n_findings(report) > 0;
            weir_report_free(report);
        }
    }
    return NULL;
}

DEVICE_TEST(launches_from_two_threads_run_one_after_the_other)
{
    g_autoptr(weir_device) other_device = device_open("opencl20");
    uint32_t *owner = weir_new(device, uint32_t, 1, "owner");
    uint32_t *n_strangers = weir_new(device, uint32_t, 1, "n_strangers");
    *n_strangers = 0;
    struct launcher launchers[2];
    pthread_t threads[2];
    for (uint32_t i = 0; i < 2; i++) {
        launchers[i] = (struct launcher){ .device = i == 0 ? device : other_device,
                                          .args = { owner, n_strangers, i + 1 },
                                          .n_launches = scaled(300, 10) };
        ck_assert_int_eq(pthread_create(&threads[i], NULL, launch_often, &launchers[i]),
                         0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(launchers[i].n_failed, 0);
    }
    ck_assert_uint_eq(*n_strangers, 0);
}

DEVICE_TEST(threads_that_come_and_go_may_launch)
{
    uint32_t *owner = weir_new(device, uint32_t, 1, "owner");
    uint32_t *n_strangers = weir_new(device, uint32_t, 1, "n_strangers");
    *n_strangers = 0;
    for (uint32_t i = 0; i < 20; i++) {
        struct launcher launcher
            = { .device = device, .args = { owner, n_strangers, i }, .n_launches = 2 };
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, launch_often, &launcher), 0);
        pthread_join(thread, NULL);
        ck_assert_uint_eq(launcher.n_failed, 0);
        ck_assert_uint_eq(*owner, i);
    }
    ck_assert_uint_eq(*n_strangers, 0);
}

/* The child has none of the parent's worker threads. */
DEVICE_TEST(a_child_process_launches_as_its_parent_does)
{
    enum { N = 512 };
    uint32_t *count = weir_new(device, uint32_t, N, "count");
    LAUNCH_SILENT(device, &count_items, weir_nd_range_1d(N, 8), &(count_args){ count },
                  WITH_WORKERS(3));
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(HANG_SECONDS);
        struct weir_report *report = NULL;
        bool right
            = weir_launch_with(device, &count_items, weir_nd_range_1d(N, 8),
                               &(count_args){ count }, WITH_WORKERS(3), &report, NULL)
            && weir_report_n_findings(report) == 0;
        for (size_t i = 0; right && i < N; i++) {
            right = count[i] == 2;
        }
        _exit(right ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  "the child ended with wait status %d", status);
    ck_assert_uint_eq(count[0], 1); /* private to each process */
    LAUNCH_SILENT(device, &count_items, weir_nd_range_1d(N, 8), &(count_args){ count },
                  WITH_WORKERS(3));
    ck_assert_uint_eq(count[N - 1], 2);
}

/* ---- Memory -------------------------------------------------------------- */

CASE("memory");

/* Resident kilobytes of this process, as the kernel counts them. */
static size_t resident_kib(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t pages = 0;
    if (file != NULL) {
        if (fscanf(file, "%*s %zu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return pages * ((size_t)sysconf(_SC_PAGESIZE) / 1024);
}

/* Sanitizers and valgrind keep memory of their own that grows. */
static bool resident_memory_is_ours(void)
{
    return !UNDER_ASAN && !under_valgrind() && resident_kib() > 0;
}

static void launch_some(struct weir_device *device, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct weir_launch_options options = { .workers = 1 + i % 3 };
        LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(64, 64), &(no_args){ 0 },
                      &options);
        LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(64, 16), &(no_args){ 0 },
                      &options);
        g_autoptr(weir_report) report = LAUNCH(
            device, &half_wait, weir_nd_range_1d(32, 8), &(no_args){ 0 }, &options);
        ck_assert_uint_eq(weir_report_n_findings(report), 1);
    }
}

DEVICE_TEST(ten_thousand_launches_do_not_grow_memory)
{
    launch_some(device, scaled(500, 10));
    /* A hundred bytes leaked by each launch would be a megabyte, every time. Stacks of
     * workers that had little to do before are some hundred KiB, and where the machine
     * is busy, more, but once. */
    enum { MOST_KIB = 768, MOST_ROUNDS = 3 };
    size_t before_kib, after_kib = resident_kib();
    int round = 0;
    do {
        before_kib = after_kib;
        launch_some(device, scaled(UNDER_ASAN ? 1000 : 3334, 10));
        after_kib = resident_kib();
    } while (after_kib >= before_kib + MOST_KIB && ++round < MOST_ROUNDS);
    if (resident_memory_is_ours()) {
        ck_assert_msg(after_kib < before_kib + MOST_KIB, "from %zu to %zu KiB",
                      before_kib, after_kib);
    }
}

DEVICE_TEST(an_empty_kernel_over_a_billion_items_needs_constant_memory)
{
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(1 << 16, 64), &(no_args){ 0 },
                  WITH_WORKERS(2));
    size_t before_kib = resident_kib();
    size_t n = scaled(OPTIMIZED ? (size_t)1 << 30 : (size_t)1 << 25, 1 << 12);
    LAUNCH_SILENT(device, &do_nothing, weir_nd_range_1d(n, 64), &(no_args){ 0 },
                  WITH_WORKERS(2));
    size_t after_kib = resident_kib();
    if (resident_memory_is_ours()) {
        ck_assert_msg(after_kib < before_kib + 4096, "from %zu to %zu KiB", before_kib,
                      after_kib);
    }
}

/* 2^18 groups of items that wait: what is resident is bounded, not the range. */
DEVICE_TEST(a_kernel_that_waits_needs_memory_for_resident_items_only)
{
    LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(1 << 10, 16), &(no_args){ 0 },
                  WITH_WORKERS(2));
    size_t before_kib = resident_kib();
    size_t n = scaled(OPTIMIZED ? (size_t)1 << 22 : (size_t)1 << 18, 1 << 12);
    LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(n, 16), &(no_args){ 0 },
                  WITH_WORKERS(2));
    size_t after_kib = resident_kib();
    if (resident_memory_is_ours()) {
        ck_assert_msg(after_kib < before_kib + 4096, "from %zu to %zu KiB", before_kib,
                      after_kib);
    }
}

/* Any thread of a large pool may take part in a later launch that wants few.
 * Stacks that it keeps afterwards count against the limit on mappings. */
DEVICE_TEST(threads_that_were_once_wanted_do_not_use_up_the_stacks)
{
    size_t threads = scaled(200, 4), launches = scaled(150, 4);
    LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(16 * threads, 1),
                  &(no_args){ 0 }, WITH_WORKERS(threads));
    for (size_t i = 0; i < launches; i++) {
        LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(8 * 1024, 1024),
                      &(no_args){ 0 }, WITH_WORKERS(5));
    }
}

/* ---- Traces of a launch -------------------------------------------------- */

DEVICE_TEST(a_launch_leaves_the_stack_of_handlers_as_it_was)
{
    stack_t alternate = { .ss_sp = malloc(65536), .ss_size = 65536 }, before, seen;
    sigaltstack(&alternate, &before);
    for (uint32_t n = 1; n <= 2; n++) {
        LAUNCH_SILENT(device, &only_wait, weir_nd_range_1d(64, 8), &(no_args){ 0 },
                      WITH_WORKERS(n));
        sigaltstack(NULL, &seen);
        ck_assert_ptr_eq(seen.ss_sp, alternate.ss_sp);
        ck_assert_uint_eq(seen.ss_size, alternate.ss_size);
    }
    sigaltstack(&before, NULL);
    free(alternate.ss_sp);
}

/* ---- Workers --------------------------------------------------------------------- */

CASE("threads");

typedef struct {
    atomic_int *n_threads;
} crowd_args;

_Thread_local bool counted;

/* Each thread counts itself once, and stays until there are two. */
WEIR_KERNEL(wait_for_another_thread, crowd_args)
{
    (void)item;
    if (!counted) {
        counted = true;
        atomic_fetch_add(args->n_threads, 1);
    }
    for (int ms = 0; ms < 10000 && atomic_load(args->n_threads) < 2; ms++) {
        g_usleep(1000);
    }
}

DEVICE_TEST(a_launch_of_two_workers_runs_on_two_threads)
{
    atomic_int n_threads = 0;
    counted = false;
    LAUNCH_SILENT(device, &wait_for_another_thread, weir_nd_range_1d(64, 1),
                  &(crowd_args){ &n_threads }, WITH_WORKERS(2));
    ck_assert_int_eq(atomic_load(&n_threads), 2);
}

MAIN("process")
