/* SPDX-License-Identifier: MIT
 *
 * check_memory.c: memory that host and kernels share: whole, aligned, separate,
 * freed alone or with its device; and what becomes of sizes that cannot be.
 *
 * Not instrumented: of its kernels a checked launch sees the atomics. */
#include "schedules.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

DEVICE_TEST(memory_is_whole_aligned_and_separate)
{
    const size_t counts[] = { 1, 2, 7, 511, 512, 513, 4096, 100000, (size_t)1 << 20 };
    enum { N = G_N_ELEMENTS(counts) };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t *memory[N];
    for (size_t k = 0; k < N; k++) {
        memory[k] = weir_new(device, uint64_t, counts[k], "numbers");
        ck_assert_ptr_nonnull(memory[k]);
        ck_assert_uint_eq((uintptr_t)memory[k] % page, 0);
        for (size_t i = 0; i < counts[k]; i++) {
            memory[k][i] = i * 7 + k;
        }
    }
    for (size_t k = 0; k < N; k++) {
        EXPECT_ELEMENTS(memory[k], i, counts[k], i * 7 + k);
        weir_free(device, memory[k]);
    }
}

DEVICE_TEST(no_elements_are_allowed)
{
    GError *error = NULL;
    char *none = weir_try_new(device, char, 0, "none", &error);
    ck_assert_ptr_null(error);
    ck_assert_ptr_nonnull(none); /* NULL means that it failed */
    char *another = weir_new(device, char, 0, "another");
    ck_assert_ptr_nonnull(another);
    ck_assert_ptr_ne(none, another);
    weir_free(device, none);
    weir_free(device, another);
}

typedef struct {
    char bytes[24];
} odd_size;

static const size_t overflowing[]
    = { SIZE_MAX, SIZE_MAX / 24 + 1, SIZE_MAX / 24, SIZE_MAX / 23 };

DEVICE_TEST_EACH(a_size_that_overflows_is_an_error, G_N_ELEMENTS(overflowing))
{
    GError *error = NULL;
    odd_size *memory
        = weir_try_new(device, odd_size, overflowing[_i], "a large one", &error);
    ck_assert_ptr_null(memory);
    expect_error(error, WEIR_ERROR_ARGUMENT, "a large one");
    ck_assert_ptr_null(weir_try_new(device, odd_size, overflowing[_i], "x", NULL));
}

/* The name as the message about a size prints it. */
static void expect_printed(struct weir_device *device, const char *name,
                           const char *printed)
{
    GError *error = NULL;
    g_autofree char *quoted = g_strdup_printf("memory '%s' of", printed);
    ck_assert_ptr_null(weir_try_new(device, odd_size, SIZE_MAX, name, &error));
    expect_error(error, WEIR_ERROR_ARGUMENT, quoted);
}

DEVICE_TEST(any_name_is_printed_as_text)
{
    expect_printed(device, "h\xc3\xb6he [m] 'a\"", "h\xc3\xb6he [m] 'a\"");
    expect_printed(device, "a\nb\t\x1b[31m\x7f", "a\\x0ab\\x09\\x1b[31m\\x7f");
    expect_printed(device, "caf\xe9 \xc3", "caf\\xe9 \\xc3");
    /* A control character beyond ASCII, and one that turns text round. */
    expect_printed(device,
                   "\xc2\x9b"
                   "31m \xe2\x80\xae",
                   "\\u009b31m \\u202e");
    expect_printed(device, NULL, "unnamed");
    expect_printed(device, "", "unnamed");
    char *memory = weir_new(device, char, 1, NULL);
    ck_assert_ptr_nonnull(memory);
}

DEVICE_TEST(memory_that_the_system_refuses_is_an_error)
{
    GError *error = NULL;
    /* 2^60 bytes: no size overflows, and no processor addresses as much. */
    uint64_t *memory
        = weir_try_new(device, uint64_t, (size_t)1 << 57, "an ocean", &error);
    ck_assert_ptr_null(memory);
    expect_error(error, WEIR_ERROR_RESOURCE, "an ocean");
}

DEVICE_TEST(freeing_nothing_leaves_other_memory)
{
    uint32_t *kept = weir_new(device, uint32_t, 1, "kept");
    *kept = 7;
    weir_free(device, NULL);
    ck_assert_uint_eq(*kept, 7);
    weir_free(device, kept); /* aborts where it is not the device's any more */
}

TEST(a_device_frees_what_is_left)
{
    for (size_t round = 0; round < scaled(200, 5); round++) {
        struct weir_device *device = device_open("default");
        char *freed = weir_new(device, char, 1 << 20, "freed");
        for (int i = 0; i < 10; i++) {
            char *kept = weir_new(device, char, 1 << 20, "kept");
            kept[0] = kept[(1 << 20) - 1] = 1;
        }
        weir_free(device, freed);
        weir_device_free(device);
    }
}

TEST(devices_do_not_share_memory)
{
    g_autoptr(weir_device) first = device_open("default");
    struct weir_device *second = device_open("opencl20");
    int32_t *of_first = weir_new(first, int32_t, 1000, "same name");
    int32_t *of_second = weir_new(second, int32_t, 1000, "same name");
    ck_assert_ptr_ne(of_first, of_second);
    of_first[0] = 1;
    weir_device_free(second);
    ck_assert_int_eq(of_first[0], 1);
}

/* The name is copied: the caller's may go. */
DEVICE_TEST(the_name_is_copied)
{
    g_autofree char *name = g_strdup("short-lived");
    int32_t *memory = weir_new(device, int32_t, 1, name);
    memset(name, 'x', strlen(name));
    *memory = 1;
    weir_free(device, memory);
}

/* ---- Freed memory -------------------------------------------------------- */

DEVICE_TEST(addresses_of_freed_memory_are_not_given_out_soon)
{
    enum { N = 1000 };
    uintptr_t freed[N];
    for (size_t i = 0; i < N; i++) {
        char *memory = weir_new(device, char, 4096 + i, "short-lived");
        freed[i] = (uintptr_t)memory;
        for (size_t k = 0; k < i; k++) {
            EXPECT(freed[k] != freed[i], "allocations %zu and %zu are at one address",
                   k, i);
        }
        memory[0] = 1;
        weir_free(device, memory);
    }
}

static size_t address_space_bytes(void)
{
    char *text = NULL;
    size_t pages = 0;
    if (g_file_get_contents("/proc/self/statm", &text, NULL, NULL)) {
        pages = strtoul(text, NULL, 10);
        g_free(text);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

DEVICE_TEST(freed_memory_is_not_kept_for_ever)
{
    const size_t sizes[] = { 1, (size_t)1 << 20, (size_t)1 << 24, (size_t)1 << 30 };
    for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
        size_t before = address_space_bytes();
        for (size_t i = 0; i < scaled(s == 0 ? 10000 : 500, 100); i++) {
            char *memory = weir_new(device, char, sizes[s], "short-lived");
            memory[0] = 1;
            weir_free(device, memory);
        }
        /* 4096 small ones with their guards, or 256 MiB, or one that is larger. */
        ck_assert_uint_le(address_space_bytes(), before + ((size_t)3 << 30));
    }
}

static volatile char *freed_memory;

TEST(freed_memory_is_no_memory, .signal = SIGSEGV, .skip = UNDER_ASAN)
{
    struct weir_device *device = device_open("default");
    freed_memory = weir_new(device, char, 100, "gone");
    freed_memory[0] = 1;
    weir_free(device, (void *)freed_memory);
    freed_memory[0] = 1;
}

/* ---- Poison -------------------------------------------------------------- */

DEVICE_TEST(a_device_gives_zeros_unless_it_poisons)
{
    enum { N = 5000 };
    uint32_t *zeros = weir_new(device, uint32_t, N, "zeros");
    weir_device_poison(device, true);
    uint32_t *poison = weir_new(device, uint32_t, N, "poison");
    uint32_t *same = weir_new(device, uint32_t, N, "same");
    char *odd = weir_new(device, char, 4 * N - 1, "odd");
    ck_assert_mem_eq(poison, same, N * sizeof(*same));
    ck_assert_mem_eq(poison, odd, 4 * N - 1);
    for (size_t i = 0; i < N; i++) {
        EXPECT_ELEMENT(zeros, i, 0);
        EXPECT(poison[i] != 0 && poison[i] != UINT32_MAX, "no pattern at %zu", i);
        for (size_t k = 0; k < i; k++) {
            EXPECT(poison[k] != poison[i], "words %zu and %zu are the same", k, i);
        }
    }
    weir_device_poison(device, false);
    uint32_t *after = weir_new(device, uint32_t, N, "after");
    EXPECT_ELEMENTS(after, i, N, 0);
}

TEST(a_process_that_is_checked_poisons_from_the_start)
{
    const char *const lines[]
        = { "check=1 schedule=in-order", "check=0 schedule=in-order", "check=maybe" };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_setenv("WEIR_OPTIONS", lines[i], TRUE);
        g_autoptr(weir_device) device = device_open("default");
        uint32_t *memory = weir_new(device, uint32_t, 100, "memory");
        ck_assert_msg((memory[99] != 0) == (i == 0), "under WEIR_OPTIONS='%s'",
                      lines[i]);
    }
    g_unsetenv("WEIR_OPTIONS");
}

/* ---- Atomics of a kernel without instrumentation -------------------------- */

typedef struct {
    int32_t *count;
    size_t n; /* elements */
} count_args;

static _Atomic uint32_t line_a;

#define SHARED(object)                                                                 \
    weir_atomic_ref((object), memory_order_relaxed, memory_scope_device)

/* expect: out-of-bounds count[16] where @n is 17 */
WEIR_KERNEL(count_up, count_args)
{
    int32_t *to = args->count + weir_global_id(item, 0) % args->n;
    MARK(line_a, weir_atomic_fetch_add(SHARED(to), 1));
}

DEVICE_TEST_EACH(a_checked_launch_sees_the_atomics_of_any_kernel, N_ORDERS)
{
    const struct order *order = &orders[_i];
    count_args args = { weir_new(device, int32_t, 16, "count"), 16 };
    struct weir_nd_range range = weir_nd_range_1d(64, 8);
    LAUNCH_SILENT(device, &count_up, range, &args, UNDER(order, .check = true));
    EXPECT_ELEMENT(args.count, 15, 4);

    args.n = 17;
    struct weir_report *report
        = LAUNCH(device, &count_up, range, &args, UNDER(order, .check = true));
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_OUT_OF_BOUNDS, "count_up");
    ck_assert_str_eq(finding->object, "count");
    ck_assert_int_eq(finding->index, 16);
    ck_assert_uint_eq(finding->count, 3);
    ck_assert_int_eq(finding->parties->access, WEIR_ACCESS_ATOMIC_FETCH_ADD);
    ck_assert_uint_eq(finding->parties->line, line_of(&line_a));
    EXPECT_COORDINATES(finding->parties->group, 2, 0, 0);
    EXPECT_COORDINATES(finding->parties->item, 0, 0, 0);
    weir_report_free(report);

    args.n = 16;
    weir_free(device, args.count);
    report = LAUNCH(device, &count_up, range, &args, UNDER(order, .check = true));
    finding = only_finding(report, WEIR_FINDING_USE_AFTER_FREE, "count_up");
    ck_assert_str_eq(finding->object, "count");
    weir_report_free(report);
}

/* ---- Where the only answer is to abort ----------------------------------- */

/* Whether a child that calls @function ends by a signal, with a message that
 * holds @part. */
static void expect_abort(void (*function)(void), const char *part)
{
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const struct rlimit no_core = { 0, 0 };
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        dup2(pipes[1], STDERR_FILENO);
        close(pipes[0]);
        alarm(HANG_SECONDS);
        function();
        _exit(0);
    }
    close(pipes[1]);
    char text[8192];
    size_t length = 0;
    ssize_t got;
    while (length < sizeof(text) - 1
           && (got = read(pipes[0], text + length, sizeof(text) - 1 - length)) > 0) {
        length += (size_t)got;
    }
    text[length] = '\0';
    close(pipes[0]);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) || (UNDER_ASAN && WEXITSTATUS(status) != 0),
                  "it goes on: wait status %d, %s", status, text);
    expect_contains(text, part);
}

static void free_a_stranger(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    static int stranger;
    weir_free(device, &stranger);
}

static void free_twice(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int *memory = weir_new(device, int, 10, "once");
    weir_free(device, memory);
    weir_free(device, memory);
}

static void free_from_another_device(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    struct weir_device *other = weir_device_new("default", NULL);
    weir_free(other, weir_new(device, int, 10, "mine"));
}

static void new_without_memory(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    uint64_t *memory = weir_new(device, uint64_t, (size_t)1 << 57, "an ocean");
    memory[0] = 1;
}

TEST(freeing_what_is_not_the_devices_aborts)
{
    expect_abort(free_a_stranger, "weir_free");
    expect_abort(free_twice, "weir_free");
    expect_abort(free_from_another_device, "weir_free");
}

TEST(weir_new_aborts_with_a_message_where_there_is_no_memory)
{
    expect_abort(new_without_memory, "an ocean");
}

/* The tail of a size that is not a multiple of the poison's words is poison, too. */
DEVICE_TEST(poison_reaches_the_last_byte)
{
    weir_device_poison(device, true);
    const uint8_t *whole = weir_new(device, uint8_t, 16, "whole");
    const uint8_t *odd = weir_new(device, uint8_t, 15, "odd");
    ck_assert_mem_eq(whole, odd, 15);
}

MAIN("memory")
