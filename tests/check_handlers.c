/* SPDX-License-Identifier: MIT
 *
 * check_handlers.c: the program's own handlers of faults beside Weir's. Whatever the
 * program has set, and whenever, it gets what is its own, as if Weir were not there;
 * and a fault of an item is a finding all the same, which no handler of the program's
 * hears of. */
#include "support.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { ITEMS = 8 };

typedef struct {
    int32_t *out;
    int32_t *wrong; /* that item 5 reads, or NULL where it is to be right */
    bool faults;
} fault_args;

WEIR_KERNEL(may_fault, fault_args)
{
    int32_t value = 1;
    if (args->faults && weir_local_linear_id(item) == 5) {
        value = *(volatile int32_t *)args->wrong;
    }
    args->out[weir_global_linear_id(item)] = value;
}

static struct weir_device *device;
static int32_t *out;

static void launch(const struct weir_launch_options *options)
{
    LAUNCH_SILENT(device, &may_fault, weir_nd_range_1d(ITEMS, ITEMS),
                  (&(fault_args){ out, NULL, false }), options);
}

static void launch_fault(const struct weir_launch_options *options)
{
    fault_args args = { out, NULL, true };
    LAUNCH_FINDING(WEIR_FINDING_FAULT, device, &may_fault,
                   weir_nd_range_1d(ITEMS, ITEMS), &args, options);
}

/* Ways of launching that look for changed handlers in different ways. */
static const struct weir_launch_options ways[] = {
    { .workers = 1 },
    { .workers = 3 },
    { .workers = 1, .schedule = "in-order" },
};
enum { N_WAYS = G_N_ELEMENTS(ways) };

/* ---- The program's handlers ------------------------------------------------- */

static sigjmp_buf back;
static volatile sig_atomic_t n_first, n_second, n_blocked, on_its_stack;
static struct sigaction before_second;
static char own_stack[64 * 1024];

static void first(int signal)
{
    n_first++;
    siglongjmp(back, signal);
}

/* The compiler does not know that it is null: it may leave out a store to a null
 * pointer that it sees. */
static volatile int32_t *volatile nowhere;

static void fault(void)
{
    *nowhere = 1;
}

/* A fault of the host that its handler has it come back from. */
static void expect_back(volatile sig_atomic_t *n, sig_atomic_t expected)
{
    if (sigsetjmp(back, 1) == 0) {
        fault();
        ck_abort_msg("the fault did not reach its handler");
    }
    ck_assert_int_eq(*n, expected);
}

static void set_up(void)
{
    device = device_open("default");
    out = weir_new(device, int32_t, ITEMS, "out");
    n_first = n_second = n_blocked = on_its_stack = 0;
}

static void tear_down(void)
{
    static const int all[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        signal(all[i], SIG_DFL);
    }
    weir_device_free(device);
}

/* A checker of addresses would act before the processor does. */
#define SETUP                                                                          \
    .setup = set_up, .teardown = tear_down, .skip = UNDER_ASAN || under_valgrind()

CASE("kept", SETUP);

TEST_EACH(a_handler_from_before_gets_the_hosts_faults, N_WAYS)
{
    signal(SIGSEGV, first);
    for (sig_atomic_t i = 1; i <= 3; i++) {
        launch_fault(&ways[_i % N_WAYS]);
        expect_back(&n_first, i);
    }
    launch_fault(&ways[_i % N_WAYS]);
    ck_assert_int_eq(n_first, 3);
}

TEST_EACH(a_handler_from_between_launches_gets_the_hosts_faults, N_WAYS)
{
    launch(&ways[_i % N_WAYS]);
    signal(SIGSEGV, first);
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_first, 1);
    signal(SIGSEGV, SIG_DFL);
    launch_fault(&ways[_i % N_WAYS]);
    signal(SIGSEGV, first);
    expect_back(&n_first, 2);
    launch_fault(&ways[_i % N_WAYS]);
    ck_assert_int_eq(n_first, 2);
}

/* A call that comes back, or a jump; compilers make one of it that is the last. */
static bool jumps;

static void second_chains(int signal, siginfo_t *info, void *context)
{
    n_second++;
    if ((before_second.sa_flags & SA_SIGINFO) == 0) {
        before_second.sa_handler(signal);
    } else if (jumps) {
        before_second.sa_sigaction(signal, info, context);
        return;
    } else {
        before_second.sa_sigaction(signal, info, context);
    }
    __asm__ volatile("" ::: "memory");
}

static void set_second(void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action
        = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };
    sigaction(SIGSEGV, &action, &before_second);
}

TEST_EACH(a_handler_may_call_the_one_that_was_there, 2 * N_WAYS)
{
    jumps = _i >= N_WAYS;
    signal(SIGSEGV, first);
    launch(&ways[_i % N_WAYS]);
    set_second(second_chains, SA_NODEFER);
    expect_back(&n_first, 1); /* Weir's in between, nothing launched since */
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_first, 2);
    launch_fault(&ways[_i % N_WAYS]);
    ck_assert_int_eq(n_first, 2);
    ck_assert(n_second == 2 || jumps); /* it may have to hear of it twice */
}

static void (*before_third)(int);

/* As simple programs do: what it does not know of a signal, it cannot hand on. */
static void third_chains(int signal)
{
    n_second++;
    if (jumps) {
        before_third(signal);
        return;
    }
    before_third(signal);
    __asm__ volatile("" ::: "memory");
}

TEST_EACH(a_handler_may_call_the_one_that_was_there_with_the_signal_alone, N_WAYS)
{
    jumps = _i >= N_WAYS;
    signal(SIGSEGV, first);
    launch(&ways[_i % N_WAYS]);
    before_third = signal(SIGSEGV, third_chains);
    expect_back(&n_first, 1);
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_first, 2);
    launch_fault(&ways[_i % N_WAYS]);
    ck_assert_int_eq(n_first, 2);
    ck_assert(n_second == 2 || jumps); /* it may have to hear of it twice */
}

static void second_puts_back(int signal, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    n_second++;
    sigaction(signal, &before_second, NULL); /* and the instruction faults again */
}

TEST_EACH(a_handler_may_put_the_one_back_that_was_there, N_WAYS)
{
    signal(SIGSEGV, first);
    launch(&ways[_i % N_WAYS]);
    set_second(second_puts_back, 0);
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_first, 1);
    ck_assert_int_eq(n_second, 1);
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_first, 2);
}

/* Reporters of crashes: without a handler before, the process is to end. */
TEST_EACH(a_handler_that_steps_aside_leaves_the_fault_to_the_system, N_WAYS,
          .signal = SIGSEGV)
{
    launch(&ways[_i % N_WAYS]);
    set_second(second_puts_back, 0);
    launch_fault(&ways[_i % N_WAYS]);
    fault();
}

static void second_looks(int signal, siginfo_t *info, void *context)
{
    (void)context;
    char here;
    sigset_t mask;
    n_second++;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    n_blocked += sigismember(&mask, signal) + sigismember(&mask, SIGUSR1);
    on_its_stack = &here >= own_stack && &here < own_stack + sizeof(own_stack);
    ck_assert_ptr_null(info->si_addr);
    siglongjmp(back, 1);
}

TEST_EACH(a_handler_has_its_mask_and_its_stack, N_WAYS)
{
    stack_t alternate = { .ss_sp = own_stack, .ss_size = sizeof(own_stack) }, found;
    ck_assert_int_eq(sigaltstack(&alternate, NULL), 0);
    launch(&ways[_i % N_WAYS]);
    struct sigaction action
        = { .sa_sigaction = second_looks, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGSEGV, &action, NULL);
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_second, 1);
    ck_assert_int_eq(n_blocked, 2);
    ck_assert(on_its_stack);
    sigaltstack(NULL, &found);
    ck_assert_ptr_eq(found.ss_sp, own_stack);
    sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    launch_fault(&ways[_i % N_WAYS]);
}

TEST_EACH(a_handler_for_one_time_is_for_one_time, N_WAYS)
{
    struct sigaction action = { .sa_handler = first, .sa_flags = (int)SA_RESETHAND };
    struct sigaction found;
    sigaction(SIGSEGV, &action, NULL);
    launch_fault(&ways[_i % N_WAYS]);
    expect_back(&n_first, 1);
    sigaction(SIGSEGV, NULL, &found);
    ck_assert(found.sa_handler == SIG_DFL);
}

/* ---- While a launch runs ------------------------------------------------------ */

CASE("launched", SETUP);

static int32_t *guarded;
static _Atomic bool over;

/* As a collector of garbage does that wants to know of writes. */
static void unprotect(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    if (info->si_addr != guarded) {
        _exit(8);
    }
    mprotect(guarded, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
    n_second++;
}

static void *write_guarded(void *unused)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    while (!atomic_load(&over)) {
        mprotect(guarded, page, PROT_READ);
        *(volatile int32_t *)guarded = 1;
    }
    return unused;
}

TEST_EACH(another_threads_faults_are_dealt_with_while_items_fault, N_WAYS)
{
    pthread_t thread;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    guarded = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    atomic_store(&over, false);
    set_second(unprotect, 0);
    launch_fault(&ways[_i % N_WAYS]);
    pthread_create(&thread, NULL, write_guarded, NULL);
    for (int i = 0; i < 200 || n_second < 10; i++) {
        launch_fault(&ways[_i % N_WAYS]);
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    munmap(guarded, page);
}

/* ---- Signals that are sent ---------------------------------------------------- */

CASE("sent", SETUP);

static void count_first(int signal)
{
    (void)signal;
    n_first++;
}

TEST_EACH(a_signal_that_is_sent_reaches_the_programs_handler, N_WAYS)
{
    static const int sent[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
    launch(&ways[_i % N_WAYS]);
    for (size_t i = 0; i < G_N_ELEMENTS(sent); i++) {
        signal(sent[i], count_first);
        launch_fault(&ways[_i % N_WAYS]);
        raise(sent[i]);
        raise(sent[i]);
        ck_assert_int_eq(n_first, 2 * (sig_atomic_t)i + 2);
    }
}

TEST_EACH(a_signal_that_is_ignored_stays_so, N_WAYS)
{
    signal(SIGFPE, SIG_IGN);
    launch_fault(&ways[_i % N_WAYS]);
    raise(SIGFPE);
    launch_fault(&ways[_i % N_WAYS]);
    raise(SIGFPE);
}

TEST_EACH(a_signal_that_is_sent_ends_a_program_without_a_handler, N_WAYS,
          .signal = SIGBUS)
{
    launch_fault(&ways[_i % N_WAYS]);
    raise(SIGBUS);
}

TEST_EACH(an_abort_of_the_host_is_its_own, N_WAYS, .signal = SIGABRT)
{
    launch_fault(&ways[_i % N_WAYS]);
    abort();
}

static void take_abort(int signal)
{
    ck_assert_int_eq(signal, SIGABRT);
    siglongjmp(back, 1);
}

TEST_EACH(an_abort_of_the_host_reaches_its_handler, N_WAYS)
{
    launch(&ways[_i % N_WAYS]);
    signal(SIGABRT, take_abort);
    launch_fault(&ways[_i % N_WAYS]);
    if (sigsetjmp(back, 1) == 0) {
        abort();
    }
    launch_fault(&ways[_i % N_WAYS]);
}

MAIN("handlers")
