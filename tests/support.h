/* SPDX-License-Identifier: MIT
 *
 * support.h: what the unit tests share: launching and expecting, numbers from
 * a fixed seed, and what a slow environment asks for.
 *
 * Kernels of tests record and never assert: an assertion leaves by a jump, and
 * an item's stack is not a place to jump from. The test looks at the records when
 * the launch is over.
 *
 * Every program also runs in one process (CK_FORK=no), under valgrind and with
 * address and undefined behaviour sanitizers. */
#ifndef WEIR_TESTS_SUPPORT_H
#define WEIR_TESTS_SUPPORT_H

#include <weir-kernel.h>
#include <weir.h>

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEST_HELPER static inline __attribute__((unused))

#if defined(__SANITIZE_ADDRESS__)
enum { UNDER_ASAN = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { UNDER_ASAN = 1 };
#else
enum { UNDER_ASAN = 0 };
#endif
#else
enum { UNDER_ASAN = 0 };
#endif

#ifdef __OPTIMIZE__
enum { OPTIMIZED = 1 };
#else
enum { OPTIMIZED = 0 };
#endif

/* A test that is not over by then hangs: a minute is thousands of times what
 * the longest takes on an idle machine. */
enum { HANG_SECONDS = 60, HANG_SECONDS_IN_ALL = 1200 };

/* ---- Slow environments ------------------------------------------------------ */

TEST_HELPER bool under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return getenv("WEIR_VALGRIND") != NULL
        || (preloaded != NULL && strstr(preloaded, "vgpreload") != NULL);
}

/* @n, or @small under valgrind, where everything takes 50 times as long. */
TEST_HELPER size_t scaled(size_t n, size_t small)
{
    return under_valgrind() ? small : n;
}

/* ---- Numbers ----------------------------------------------------------------- */

/* Splitmix64 (Steele, Lea, Flood 2014): every seed gives a good sequence. */
TEST_HELPER uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* From @least to @most. */
TEST_HELPER size_t random_between(uint64_t *state, size_t least, size_t most)
{
    return least + random_next(state) % (most - least + 1);
}

/* ---- Devices ------------------------------------------------------------------ */

TEST_HELPER struct weir_device *device_open(const char *profile)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new(profile, &error);
    ck_assert_msg(device != NULL, "device '%s': %s", profile,
                  error != NULL ? error->message : "no error is set");
    ck_assert_ptr_null(error);
    return device;
}

/* For kernels whose orders are not what is tested. */
#define ADD_RELAXED(word, value)                                                       \
    weir_atomic_fetch_add_explicit((word), (value), memory_order_relaxed,              \
                                   memory_scope_device)
#define LOAD_RELAXED(word)                                                             \
    weir_atomic_load_explicit((word), memory_order_relaxed, memory_scope_device)
#define STORE_RELAXED(word, value)                                                     \
    weir_atomic_store_explicit((word), (value), memory_order_relaxed,                  \
                               memory_scope_device)
#define LOAD_ACQUIRE(word)                                                             \
    weir_atomic_load_explicit((word), memory_order_acquire, memory_scope_device)
#define STORE_RELEASE(word, value)                                                     \
    weir_atomic_store_explicit((word), (value), memory_order_release,                  \
                               memory_scope_device)

/* For g_autoptr(). */
typedef struct weir_device weir_device;
typedef struct weir_report weir_report;
typedef struct weir_schedule weir_schedule;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weir_device, weir_device_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weir_report, weir_report_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(weir_schedule, weir_schedule_free)

/* ---- Launching ----------------------------------------------------------------- */

/* Worker counts that take different paths: alone, a pair, more than most
 * machines here have processors. */
static const uint32_t worker_counts[] __attribute__((unused)) = { 1, 2, 5 };
#define FOR_EACH_WORKERS(name)                                                         \
    for (size_t name##_at = 0, name = worker_counts[0];                                \
         name##_at < G_N_ELEMENTS(worker_counts)                                       \
         && (name = worker_counts[name##_at], true);                                   \
         name##_at++)

#define WITH_WORKERS(n) (&(struct weir_launch_options){ .workers = (uint32_t)(n) })

TEST_HELPER struct weir_report *launch_report(struct weir_device *device,
                                              const struct weir_kernel *kernel,
                                              struct weir_nd_range range,
                                              const void *args, size_t args_bytes,
                                              const struct weir_launch_options *options)
{
    GError *error = NULL;
    struct weir_report *report = NULL;
    bool done = weir_launch_sized_with(device, kernel, range, args, args_bytes, options,
                                       &report, &error);
    ck_assert_msg(done, "kernel '%s': %s", kernel->name,
                  error != NULL ? error->message : "no error is set");
    ck_assert_ptr_null(error);
    ck_assert_ptr_nonnull(report);
    return report;
}

/* Runs a kernel; the report is the caller's. */
#define LAUNCH(device, kernel, range, args, options)                                   \
    launch_report((device), (kernel), (range), (args), sizeof(*(args)), (options))

TEST_HELPER void expect_silence(struct weir_report *report, const char *kernel)
{
    if (weir_report_n_findings(report) != 0) {
        char *text = weir_report_to_text(report);
        ck_abort_msg("kernel '%s' should draw no finding, but:\n%s", kernel, text);
    }
    weir_report_free(report);
}

/* Runs a kernel that is right. */
#define LAUNCH_SILENT(device, kernel, range, args, options)                            \
    expect_silence(LAUNCH((device), (kernel), (range), (args), (options)),             \
                   (kernel)->name)

/* For loops over elements: ck_assert() writes to a pipe each time that it holds. */
#define EXPECT(condition, ...)                                                         \
    do {                                                                               \
        if (!(condition)) {                                                            \
            ck_abort_msg(__VA_ARGS__);                                                 \
        }                                                                              \
    } while (0)
/* Element @i of @array, an array of integers. */
#define EXPECT_ELEMENT(array, i, expected)                                             \
    do {                                                                               \
        long long element_ = (long long)(array)[i], expected_ = (long long)(expected); \
        if (element_ != expected_) {                                                   \
            ck_abort_msg(#array "[%zu] is %lld, not %lld", (size_t)(i), element_,      \
                         expected_);                                                   \
        }                                                                              \
    } while (0)

/* Elements 0 to @n - 1 of @array; @expected is in terms of the index @i. */
#define EXPECT_ELEMENTS(array, i, n, expected)                                         \
    do {                                                                               \
        for (size_t i = 0; i < (size_t)(n); i++) {                                     \
            EXPECT_ELEMENT(array, i, expected);                                        \
        }                                                                              \
    } while (0)

/* ---- Findings -------------------------------------------------------------------- */

/* The one finding of @report, which is of that kind and about that kernel. */
TEST_HELPER const struct weir_finding *only_finding(const struct weir_report *report,
                                                    enum weir_finding_kind kind,
                                                    const char *kernel)
{
    size_t n = weir_report_n_findings(report);
    if (n != 1) {
        char *text = weir_report_to_text(report);
        ck_abort_msg("kernel '%s' should draw one finding, not %zu:\n%s", kernel, n,
                     text);
    }
    const struct weir_finding *finding = weir_report_finding(report, 0);
    ck_assert_str_eq(weir_finding_kind_name(finding->kind),
                     weir_finding_kind_name(kind));
    ck_assert_str_eq(finding->kernel, kernel);
    ck_assert_msg(finding->message != NULL && strlen(finding->message) > 0,
                  "a finding of '%s' has no message", kernel);
    ck_assert_msg(strstr(finding->message, kernel) != NULL,
                  "the message does not name the kernel '%s': %s", kernel,
                  finding->message);
    ck_assert_int_ge((int)finding->n_parties, 1);
    return finding;
}

/* Takes @report, which is of one finding of that kind.
 * Returns: the finding, which lives until the next call */
TEST_HELPER const struct weir_finding *take_finding(struct weir_report *report,
                                                    enum weir_finding_kind kind,
                                                    const char *kernel)
{
    static struct weir_report *taken;
    weir_report_free(taken);
    taken = report;
    return only_finding(report, kind, kernel);
}

/* The finding of a launch of a wrong kernel; it lives until the next such launch. */
#define LAUNCH_FINDING(kind, device, kernel, range, args, options)                     \
    take_finding(LAUNCH((device), (kernel), (range), (args), (options)), (kind),       \
                 (kernel)->name)

/* The party of exactly these items. */
TEST_HELPER const struct weir_party *party_of(const struct weir_finding *finding,
                                              const char *items)
{
    for (size_t i = 0; i < finding->n_parties; i++) {
        if (strcmp(finding->parties[i].items, items) == 0) {
            return &finding->parties[i];
        }
    }
    ck_abort_msg("no party of items %s in: %s (first party: %s)", items,
                 finding->message, finding->parties[0].items);
    return NULL;
}

TEST_HELPER void expect_contains(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in: %s", part, text);
}

#define EXPECT_COORDINATES(at, x, y, z)                                                \
    ck_assert_msg((at)[0] == (x) && (at)[1] == (y) && (at)[2] == (z),                  \
                  #at " is (%zu,%zu,%zu), not (%zu,%zu,%zu)", (at)[0], (at)[1],        \
                  (at)[2], (size_t)(x), (size_t)(y), (size_t)(z))

/* An error as the house has it: of the domain, in lower case, one line. */
TEST_HELPER void expect_error(GError *error, enum weir_error code, const char *part)
{
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(error->domain == WEIR_ERROR, "an error of another domain: %s",
                  error->message);
    ck_assert_msg(error->code == (int)code, "code %d, not %d: %s", error->code,
                  (int)code, error->message);
    ck_assert_msg(!g_ascii_isupper(error->message[0]), "begins in upper case: %s",
                  error->message);
    ck_assert_msg(strchr(error->message, '\n') == NULL, "more than a line: %s",
                  error->message);
    expect_contains(error->message, part);
    g_error_free(error);
}

/* Expects a launch to be refused. */
#define EXPECT_REFUSED(device, kernel, range, args, options, code, part)               \
    do {                                                                               \
        GError *refused_error_ = NULL;                                                 \
        struct weir_report *refused_report_ = NULL;                                    \
        bool refused_done_ = weir_launch_sized_with(                                   \
            (device), (kernel), (range), (args), sizeof(*(args)), (options),           \
            &refused_report_, &refused_error_);                                        \
        ck_assert_msg(!refused_done_, "not refused, though it should be: %s", (part)); \
        expect_error(refused_error_, (code), (part));                                  \
    } while (0)

/* Keeps the line of a call for the test, in a variable of the file. The whole
 * must stand on one line: compilers disagree about the lines of arguments. */
#define MARK(line, call)                                                               \
    (atomic_store_explicit(&(line), __LINE__, memory_order_relaxed), (call))

TEST_HELPER uint32_t line_of(_Atomic uint32_t *line)
{
    return atomic_load_explicit(line, memory_order_relaxed);
}

/* ---- The program ---------------------------------------------------------- */

TEST_HELPER TCase *add_case(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, HANG_SECONDS);
    suite_add_tcase(suite, tcase);
    return tcase;
}

/* Runs the suite and takes it; returns what main() should. */
TEST_HELPER int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    if (srunner_fork_status(runner) == CK_NOFORK) {
        alarm(HANG_SECONDS_IN_ALL); /* nothing else would end a test that hangs */
    }
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A program's tests register themselves:
 *
 *     CASE("locks");                      the case of the tests below it: CK_RUN_CASE
 *
 *     TEST(a_lock_excludes) { ... }
 *
 *     TEST_EACH(a_row_holds, G_N_ELEMENTS(rows)) { ... rows[_i] ... }
 *
 *     DEVICE_TEST(a_launch_is_silent) { ... device ... }
 *
 *     WORKERS_TEST(every_worker_agrees) { ... device ... workers ... }
 *
 *     MAIN("the suite")
 *
 * A DEVICE_TEST has the default device, and a WORKERS_TEST runs on it with each of the
 * worker counts in turn; DEVICE_TEST_EACH and WORKERS_TEST_EACH have rows as well.
 * Fields of struct registered may follow: TEST(name, .signal = SIGABRT),
 * CASE("name", .seconds = 120). A program with a main() of its own returns
 * run_tests(). */
struct registered {
    uint32_t line; /* constructors run in any order: lines give their order */
    const char *name;
    const TTest *test; /* NULL: a case begins */
    int from, end;     /* of _i */
    int signal;        /* that ends the test, or 0 */
    int exit_status;   /* with which the test ends, or 0 */
    bool skip;         /* a test, or all of a case */
    int seconds;       /* of a case: 0 is HANG_SECONDS, NO_LIMIT none */
    void (*setup)(void);
    void (*teardown)(void);
};

enum { MOST_REGISTERED = 100, NO_LIMIT = -1 };
static struct registered registered[MOST_REGISTERED] __attribute__((unused));
static size_t n_registered __attribute__((unused));

TEST_HELPER void add_registered(struct registered entry)
{
    if (n_registered == MOST_REGISTERED) {
        abort();
    }
    size_t i = n_registered++;
    for (; i > 0 && registered[i - 1].line > entry.line; i--) {
        registered[i] = registered[i - 1];
    }
    registered[i] = entry;
}

#define REGISTER_(function, ...)                                                       \
    static __attribute__((constructor)) void function(void)                            \
    {                                                                                  \
        add_registered((struct registered){ .line = __LINE__, __VA_ARGS__ });          \
    }
#define CASE_ON_(line, ...) REGISTER_(case_of_line_##line, .name = __VA_ARGS__)
#define CASE_ON(line, ...) CASE_ON_(line, __VA_ARGS__) struct registered
#define CASE(...) CASE_ON(__LINE__, __VA_ARGS__)
#define TEST_EACH(name_, n, ...)                                                       \
    static const TTest *name_;                                                         \
    REGISTER_(name_##_registers, .test = name_, .end = (int)(n), __VA_ARGS__)          \
    START_TEST(name_)
#define TEST(name_, ...) TEST_EACH(name_, 1, __VA_ARGS__)
/* The names of a body's parameters; the test itself opens and frees the device. */
#define DEVICE_TEST_EACH(name_, n, ...)                                                \
    static void name_##_on(struct weir_device *device, int _i);                        \
    TEST_EACH(name_, n, __VA_ARGS__)                                                   \
    {                                                                                  \
        struct weir_device *opened = device_open("default");                           \
        name_##_on(opened, _i);                                                        \
        weir_device_free(opened);                                                      \
    }                                                                                  \
    static void name_##_on(struct weir_device *device __attribute__((unused)),         \
                           int _i __attribute__((unused)))
#define DEVICE_TEST(name_, ...) DEVICE_TEST_EACH(name_, 1, __VA_ARGS__)
#define WORKERS_TEST_EACH(name_, n, ...)                                               \
    static void name_##_with(struct weir_device *device, size_t workers, int _i);      \
    DEVICE_TEST_EACH(name_, n, __VA_ARGS__)                                            \
    {                                                                                  \
        FOR_EACH_WORKERS(count)                                                        \
        {                                                                              \
            name_##_with(device, count, _i);                                           \
        }                                                                              \
    }                                                                                  \
    static void name_##_with(struct weir_device *device __attribute__((unused)),       \
                             size_t workers, int _i __attribute__((unused)))
#define WORKERS_TEST(name_, ...) WORKERS_TEST_EACH(name_, 1, __VA_ARGS__)
#define MAIN(name)                                                                     \
    int main(void)                                                                     \
    {                                                                                  \
        return run_tests(name);                                                        \
    }

TEST_HELPER int run_tests(const char *name)
{
    Suite *suite = suite_create(name);
    TCase *tcase = NULL;
    const char *fork_mode = getenv("CK_FORK");
    bool forks = fork_mode == NULL || strcmp(fork_mode, "no") != 0, skip = false;
    for (size_t i = 0; i < n_registered; i++) {
        const struct registered *entry = &registered[i];
        if (tcase == NULL || entry->test == NULL) {
            tcase = add_case(suite, entry->name != NULL ? entry->name : name);
            if (entry->seconds != 0) {
                tcase_set_timeout(tcase, MAX(entry->seconds, 0));
            }
            if (entry->setup != NULL || entry->teardown != NULL) {
                tcase_add_checked_fixture(tcase, entry->setup, entry->teardown);
            }
        }
        if (entry->test == NULL) {
            skip = entry->skip;
            continue;
        }
        bool ends = entry->signal != 0 || entry->exit_status != 0;
        if (!skip && !entry->skip && (forks || !ends)) {
            _tcase_add_test(tcase, entry->test, entry->signal, entry->exit_status,
                            entry->from, entry->end);
        }
    }
    return run_suite(suite);
}

#endif
