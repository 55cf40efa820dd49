/* SPDX-License-Identifier: MIT
 *
 * check_fault.c: what the processor refuses is a finding with item, line and calls; its
 * group ends, and everything else goes on. The twin of each wrong launch is the same
 * kernel without an item that does it. A signal that is not an item's is left alone. */
#include "schedules.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum { GROUPS = 4, ITEMS = 8, NONE = 999 };

typedef struct {
    int32_t *out;
    size_t group, item; /* the one that does it, or NONE */
    int32_t *wrong;     /* where to */
    int32_t zero;
    struct weir_device *device;
} fault_args;

static inline bool chosen(const struct weir_item *item, const fault_args *args)
{
    return weir_group_linear_id(item) == args->group
        && weir_local_linear_id(item) == args->item;
}

_Atomic uint32_t line;

#define HERE() atomic_store_explicit(&line, __LINE__, memory_order_relaxed)

WEIR_KERNEL(read_wrongly, fault_args)
{
    int32_t value = 1;
    if (chosen(item, args)) {
        HERE(), value = *(volatile int32_t *)args->wrong;
    }
    args->out[weir_global_linear_id(item)] = value;
}

WEIR_KERNEL(write_wrongly_between_barriers, fault_args)
{
    weir_barrier(item, WEIR_LOCAL);
    if (chosen(item, args)) {
        HERE(), *(volatile int32_t *)args->wrong = 1;
    }
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_GROUP_KERNEL(read_wrongly_in_a_loop, fault_args)
{
    weir_for_each_item(item, group) {
        int32_t value = 1;
        if (chosen(item, args)) {
            HERE(), value = *(volatile int32_t *)args->wrong;
        }
        args->out[weir_global_linear_id(item)] = value;
    }
}

WEIR_KERNEL(divide, fault_args)
{
    volatile int32_t one = 1, by = chosen(item, args) ? args->zero : 1;
    HERE(), one = one / by;
    args->out[weir_global_linear_id(item)] = one;
}

WEIR_KERNEL(trap, fault_args)
{
    if (chosen(item, args)) {
        HERE(), __builtin_trap();
    }
    args->out[weir_global_linear_id(item)] = 1;
}

static void (*volatile nothing)(void);

WEIR_KERNEL(call_nothing, fault_args)
{
    if (chosen(item, args)) {
        HERE(), nothing();
        __asm__ volatile("" ::: "memory"); /* no jump in the call's place */
    }
    args->out[weir_global_linear_id(item)] = 1;
}

/* The library's function faults, and the line is the kernel's that called it. */
WEIR_KERNEL(copy_wrongly, fault_args)
{
    static void *(*volatile copy)(void *, const void *, size_t) = memmove;
    int32_t values[64] = { 1 };
    if (chosen(item, args)) {
        HERE(), copy(values, args->wrong, sizeof(values));
        __asm__ volatile("" ::: "memory");
    }
    args->out[weir_global_linear_id(item)] = values[0];
}

_Atomic uint32_t call_line;

static __attribute__((noinline)) int32_t helper(const int32_t *p)
{
    return HERE(), *(const volatile int32_t *)p;
}

WEIR_KERNEL(call_abort, fault_args)
{
    if (chosen(item, args)) {
        HERE(), abort();
    }
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(fail_an_assert, fault_args)
{
    HERE(), assert(!chosen(item, args));
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(allocate, fault_args)
{
    if (chosen(item, args)) {
        HERE(), args->wrong[0] = *weir_new(args->device, int32_t, 1, "mine");
    }
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(try_to_allocate, fault_args)
{
    if (chosen(item, args)) {
        HERE(), args->wrong[0] = *weir_try_new(args->device, int32_t, 1, "mine", NULL);
    }
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(free_its_output, fault_args)
{
    if (chosen(item, args)) {
        HERE(), weir_free(args->device, args->out);
        __asm__ volatile("" ::: "memory");
    }
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(free_its_device, fault_args)
{
    if (chosen(item, args)) {
        HERE(), weir_device_free(args->device);
        __asm__ volatile("" ::: "memory");
    }
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(read_wrongly_in_a_helper, fault_args)
{
    int32_t value = 1;
    if (chosen(item, args)) {
        value = MARK(call_line, helper(args->wrong));
    }
    args->out[weir_global_linear_id(item)] = value;
}

struct form {
    const struct weir_kernel *kernel;
    const char *what;
};

static const struct form forms[] = {
    { &read_wrongly, "read or wrote memory that is not mapped (a null pointer)" },
    { &write_wrongly_between_barriers,
      "read or wrote memory that is not mapped (a null pointer)" },
    { &read_wrongly_in_a_loop,
      "read or wrote memory that is not mapped (a null pointer)" },
#if defined(__x86_64__) /* elsewhere the quotient is 0 */
    { &divide, "divided an integer by zero" },
#endif
    { &trap, NULL }, /* processors differ in what they say */
    { &call_abort, "called abort()" },
    { &fail_an_assert, "failed an assert()" },
    { &allocate, "called weir_new(), which is for the host" },
    { &try_to_allocate, "called weir_try_new(), which is for the host" },
    { &free_its_device, "called weir_device_free(), which is for the host" },
    { &free_its_output, "called weir_free(), which is for the host" },
    { &call_nothing, "called a function by a null pointer" },
    { &copy_wrongly, "read or wrote memory that is not mapped (a null pointer)" },
    { &read_wrongly_in_a_helper,
      "read or wrote memory that is not mapped (a null pointer)" },
};

/* A body has two copies, one for the loop over items. clang joins their calls of what
 * does not return where nothing else is done in that branch, and gives the one call
 * that is left no line. The assert() itself prints its own. */
static bool may_lack_line(const struct form *form)
{
#ifdef __clang__
    return OPTIMIZED
        && (form->kernel == &trap || form->kernel == &call_abort
            || form->kernel == &fail_an_assert);
#else
    (void)form;
    return false;
#endif
}

/* The expected report on group 2, item 5. @exact: on that item alone */
static void expect_fault(struct weir_report *report, const struct form *form,
                         const int32_t *out, bool exact)
{
    const struct weir_finding *finding
        = only_finding(report, WEIR_FINDING_FAULT, form->kernel->name);
    if (form->what != NULL) {
        expect_contains(finding->message, form->what);
    }
    expect_contains(finding->message, "group (2,0,0)");
    ck_assert_msg(strstr(finding->message, "0x") == NULL, "an address: %s",
                  finding->message);
    ck_assert_uint_eq(finding->n_parties, 1);
    const struct weir_party *party = &finding->parties[0];
    if (strcmp(party->items, "5") == 0) {
        /* The loop of a group kernel may keep the item's number to itself. */
        ck_assert_int_eq(form->kernel->hierarchical, 0);
        expect_contains(finding->message, "item (5,0,0): the item");
    } else { /* the loop may know better than the machine */
        ck_assert(!exact);
        ck_assert_msg(g_ascii_isdigit(party->items[0]) && party->items[0] <= '5'
                          && g_str_equal(party->items + 1, "-7"),
                      "items %s", party->items);
        expect_contains(finding->message, "one of the items from (");
    }
    if (party->file != NULL || !may_lack_line(form)) {
        ck_assert_ptr_nonnull(party->file);
        ck_assert_msg(party->line == line_of(&line), "line %u, not %u: %s", party->line,
                      line_of(&line), finding->message);
    }
    for (size_t g = 0; g < GROUPS; g++) {
        for (size_t i = 0; g != 2 && i < ITEMS; i++) {
            EXPECT_ELEMENT(out, g * ITEMS + i, 1);
        }
    }
    ck_assert_int_eq(out[2 * ITEMS + 5], 0);
    weir_report_free(report);
}

#define IS_CHECKED (UNDER_ASAN || under_valgrind())
/* A checker of addresses would act before the processor does. */
CASE("items", .skip = IS_CHECKED);

DEVICE_TEST_EACH(a_fault_in_fast_mode_names_the_item_and_the_line, G_N_ELEMENTS(forms))
{
    const struct form *form = &forms[_i];
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    FOR_EACH_WORKERS(n)
    {
        fault_args args = { out, NONE, NONE, NULL, 0, device };
        LAUNCH_SILENT(device, form->kernel, weir_nd_range_1d(GROUPS * ITEMS, ITEMS),
                      &args, WITH_WORKERS(n));
        memset(out, 0, GROUPS * ITEMS * sizeof(*out));
        args.group = 2, args.item = 5;
        expect_fault(LAUNCH(device, form->kernel,
                            weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args,
                            WITH_WORKERS(n)),
                     form, out, form->kernel == &write_wrongly_between_barriers);
    }
}

DEVICE_TEST_EACH(a_fault_under_a_schedule_names_the_item_and_the_line,
                 G_N_ELEMENTS(forms))
{
    const struct form *form = &forms[_i];
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    for (size_t o = 0; o < N_ORDERS; o++) {
        fault_args args = { out, NONE, NONE, NULL, 0, device };
        LAUNCH_SILENT(device, form->kernel, weir_nd_range_1d(GROUPS * ITEMS, ITEMS),
                      &args, UNDER(&orders[o]));
        memset(out, 0, GROUPS * ITEMS * sizeof(*out));
        args.group = 2, args.item = 5;
        expect_fault(LAUNCH(device, form->kernel,
                            weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args,
                            UNDER(&orders[o])),
                     form, out, form->kernel->hierarchical == 0);
    }
}

DEVICE_TEST(a_fault_in_a_helper_names_the_call)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    fault_args args = { out, 0, 0, NULL, 0, NULL };
    const struct weir_finding *finding = LAUNCH_FINDING(
        WEIR_FINDING_FAULT, device, &read_wrongly_in_a_helper,
        weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args, WITH_WORKERS(1));
    const struct weir_party *party = &finding->parties[0];
    ck_assert_str_eq(party->function, "helper");
    ck_assert_uint_eq(party->n_path, 1);
    ck_assert_uint_eq(party->path[0].line, line_of(&call_line));
}

/* Returns to @to, where its caller has a wrong frame; to its caller if that is 0. */
static __attribute__((noinline)) void return_to(uintptr_t to)
{
    volatile uintptr_t *frame = __builtin_frame_address(0);
    frame[0] = to != 0 ? to : frame[0];
    frame[1] = to != 0 ? to : frame[1];
}

WEIR_KERNEL(overwrite_its_frames, fault_args)
{
    return_to(chosen(item, args) ? (uintptr_t)args->wrong : 0);
    weir_barrier(item, WEIR_LOCAL);
    args->out[weir_global_linear_id(item)] = 1;
}

/* The calls that led there cannot be found: the walk faults, or finds no code. */
DEVICE_TEST_EACH(an_item_that_overwrites_its_frames_has_faulted, 3)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    int32_t *const to[] = { (void *)(uintptr_t)0x10000,      /* not mapped */
                            (void *)(UINTPTR_MAX / 16 * 13), /* no address */
                            out };
    struct weir_nd_range range = weir_nd_range_1d(GROUPS * ITEMS, ITEMS);
    fault_args args = { out, NONE, NONE, to[_i], 0, NULL };
    static const char *const schedules[] = { NULL, "in-order" };
    for (size_t i = 0; i < G_N_ELEMENTS(schedules); i++) {
        struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
        options.workers = 1;
        options.schedule = schedules[i];
        args.item = NONE;
        LAUNCH_SILENT(device, &overwrite_its_frames, range, &args, &options);
        args.group = 2, args.item = 5;
        const struct weir_finding *finding = LAUNCH_FINDING(
            WEIR_FINDING_FAULT, device, &overwrite_its_frames, range, &args, &options);
        ck_assert_uint_eq(finding->parties[0].item[0], 5);
    }
}

DEVICE_TEST(memory_that_is_not_mapped_is_no_null_pointer)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int32_t *constant = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fault_args args = { out, 2, 5, constant, 0, NULL };
    struct weir_nd_range range = weir_nd_range_1d(GROUPS * ITEMS, ITEMS);
    struct weir_report *report
        = LAUNCH(device, &write_wrongly_between_barriers, range, &args, NULL);
    expect_contains(
        only_finding(report, WEIR_FINDING_FAULT, "write_wrongly_between_barriers")
            ->message,
        "memory that does not allow it");
    weir_report_free(report);
    LAUNCH_SILENT(device, &read_wrongly, range, &args, NULL);
    munmap(constant, page);
    report = LAUNCH(device, &read_wrongly, range, &args, NULL);
    const char *message
        = only_finding(report, WEIR_FINDING_FAULT, "read_wrongly")->message;
    expect_contains(message, "memory that is not mapped");
    ck_assert_ptr_null(strstr(message, "null pointer"));
    weir_report_free(report);
}

/* In fast mode the processor is the first to see the access. */
DEVICE_TEST(memory_that_is_near_is_named)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    int32_t *freed = weir_new(device, int32_t, 100, "freed");
    enum { PAGE = 4096 };
    weir_free(device, freed);
    const struct {
        int32_t *at;
        const char *what;
    } wrong[] = {
        { out + PAGE, "read or wrote out[4096] of 32 elements" },
        { out - 1, "read or wrote out[-1] of 32 elements" },
        { out + UINT32_MAX, "read or wrote out[4294967295] of 32 elements" },
        { freed + 7, "freed[7] of 100 elements, which weir_free() has freed" },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        fault_args args = { out, 2, 5, wrong[i].at, 0, device };
        g_autoptr(weir_report) report
            = LAUNCH(device, &read_wrongly, weir_nd_range_1d(GROUPS * ITEMS, ITEMS),
                     &args, WITH_WORKERS(1));
        expect_contains(
            only_finding(report, WEIR_FINDING_FAULT, "read_wrongly")->message,
            wrong[i].what);
    }
}

/* How far below @at there is no memory: so many times 10 MiB. */
static size_t distance_to_nothing(const void *at)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), step = (size_t)10 * 1024 * 1024;
    uintptr_t start = (uintptr_t)at / page * page;
    unsigned char resident;
    size_t distance = step;
    while (distance < start
           && !(mincore((void *)(start - distance), page, &resident) != 0
                && errno == ENOMEM)) {
        distance += step;
    }
    ck_assert_uint_lt(distance, start);
    return distance;
}

DEVICE_TEST(memory_that_is_far_is_reported_with_its_distance)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    fault_args harmless = { out, NONE, NONE, NULL, 0, device };
    LAUNCH_SILENT(device, &read_wrongly, weir_nd_range_1d(GROUPS * ITEMS, ITEMS),
                  &harmless, WITH_WORKERS(1)); /* its threads take their memory */
    const size_t distance = distance_to_nothing(out);
    fault_args args = { out, 2, 5, out - distance / sizeof(*out), 0, device };
    g_autofree char *expected
        = g_strdup_printf("%zu bytes before the start of 'out', the nearest", distance);
    expect_contains(LAUNCH_FINDING(WEIR_FINDING_FAULT, device, &read_wrongly,
                                   weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args,
                                   WITH_WORKERS(1))
                        ->message,
                    expected);
}

DEVICE_TEST(groups_that_fault_alike_are_one_finding)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    (void)out;
    fault_args args = { NULL, NONE, NONE, NULL, 0, NULL };
    FOR_EACH_WORKERS(n)
    { /* every item writes to out, which is null */
        const struct weir_finding *finding = LAUNCH_FINDING(
            WEIR_FINDING_FAULT, device, &trap, weir_nd_range_1d(GROUPS * ITEMS, ITEMS),
            &args, WITH_WORKERS(n));
        ck_assert_uint_eq(finding->count, GROUPS);
        expect_contains(finding->message, "group (0,0,0)");
    }
}

/* ---- What is not an item's ------------------------------------------------ */

CASE("others");

volatile sig_atomic_t n_taken;

static void take(int signal)
{
    n_taken++;
    if (signal == SIGSEGV) {
        _exit(7);
    }
}

WEIR_KERNEL(be_sent_a_signal, fault_args)
{
    if (chosen(item, args)) {
        raise(SIGFPE);
    }
    args->out[weir_global_linear_id(item)] = 1;
}

WEIR_KERNEL(be_killed, fault_args)
{
    if (chosen(item, args)) {
        kill(getpid(), args->zero);
    }
    args->out[weir_global_linear_id(item)] = 1;
}

DEVICE_TEST(a_signal_that_was_sent_goes_to_its_handler)
{
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    fault_args args = { out, 2, 5, NULL, 0, NULL };
    signal(SIGFPE, take);
    LAUNCH_SILENT(device, &be_sent_a_signal, weir_nd_range_1d(GROUPS * ITEMS, ITEMS),
                  &args, WITH_WORKERS(1));
    ck_assert_int_eq(n_taken, 1);
    raise(SIGFPE); /* the handler is the program's again */
    ck_assert_int_eq(n_taken, 2);
    signal(SIGFPE, SIG_DFL);
}

TEST(a_fault_of_the_host_goes_to_its_handler, .exit_status = 7, .skip = IS_CHECKED)
{
    struct weir_device *device = device_open("default");
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    fault_args args = { out, NONE, NONE, NULL, 0, device };
    signal(SIGSEGV, take);
    LAUNCH_SILENT(device, &read_wrongly, weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args,
                  NULL);
    *(volatile int32_t *)args.wrong = 1;
}

WEIR_KERNEL(free_twice, fault_args)
{
    if (chosen(item, args)) {
        void *volatile memory = malloc(100);
        free(memory);
        free(memory);
    }
}

/* The allocator may hold its lock, and its heap is broken. */
TEST(a_library_that_aborts_ends_the_program, .signal = SIGABRT, .skip = IS_CHECKED)
{
    struct weir_device *device = device_open("default");
    fault_args args = { NULL, 2, 5, NULL, 0, device };
    LAUNCH_SILENT(device, &free_twice, weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args,
                  WITH_WORKERS(1));
}

TEST(an_abort_that_was_sent_ends_the_program, .signal = SIGABRT, .skip = IS_CHECKED)
{
    struct weir_device *device = device_open("default");
    int32_t *out = weir_new(device, int32_t, GROUPS * ITEMS, "out");
    fault_args args = { out, 2, 5, NULL, SIGABRT, device };
    LAUNCH_SILENT(device, &be_killed, weir_nd_range_1d(GROUPS * ITEMS, ITEMS), &args,
                  WITH_WORKERS(1));
}

/* ---- The limit of time in a library ----------------------------------------- */

WEIR_KERNEL(allocate_for_ever, fault_args)
{
    for (size_t i = 0; args->zero == 0; i++) {
        void *kept = malloc(1000 + i % 7 * 100000); /* some of these enter the kernel */
        __asm__ volatile("" : "+r"(kept));
        free(kept);
    }
}

/* An item that is ended where it holds the allocator's lock would hold it for ever. */
DEVICE_TEST(a_limit_of_time_leaves_libraries_as_they_were, .skip = UNDER_ASAN)
{
    fault_args args = { NULL, NONE, NONE, NULL, 0, NULL };
    for (int round = 0; round < 12; round++) {
        struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
        options.workers = 1 + (uint32_t)round % 3;
        options.schedule = round % 2 == 0 ? NULL : "in-order";
        options.time_limit_ms = 5;
        struct weir_report *report = LAUNCH(
            device, &allocate_for_ever, weir_nd_range_1d(ITEMS, 1), &args, &options);
        ck_assert_ptr_nonnull(weir_report_incomplete(report));
        weir_report_free(report);
        for (size_t i = 0; i < 1000; i++) {
            free(malloc(i * 100));
        }
    }
}

MAIN("fault")
