/* SPDX-License-Identifier: MIT
 *
 * fault.c: the signals of a launch. A fault in the guard of a worker's stack is an
 * overflow by the item that runs there. Any other fault on an item's stack is the
 * item's, unless the machine itself was at work there. The handler only records it, and
 * leaves by starting that stack afresh, or to the hub of a deterministic launch. The
 * finding is made there, where it is safe to allocate. A fault elsewhere goes to the
 * program's handler.
 *
 * abort() counts as a fault if the kernel's code called it, or a failed assert() did. A
 * library that calls it may be in a broken state, or hold a lock: then the program
 * ends.
 *
 * exit() and its like end the program, but in order: the item is ended, the launch ends
 * and reports its findings, and then the host calls exit(). This is for deterministic
 * launches only: they have one thread, so that no other thread holds a lock of exit().
 * An exploration goes on with other executions.
 *
 * The signal of the limit of time ends an item that runs on without calling the
 * machine. The handler leaves in the same way, but not from a part of the machine that
 * must be completed, and not from a library, which may hold a lock. Then the item runs
 * on, and the signal comes again.
 *
 * Two launches never run at once, so `texts` has one writer. */
#include "config.h"

#include "exec/fault.h"

#include "base/assert.h"
#include "base/backtrace.h"
#include "base/handlers.h"
#include "base/statics.h"
#include "exec/launch.h"
#include "exec/leave.h"
#include "exec/memory.h"
#include "exec/worker.h"

#include <assert.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

/* Nothing is mapped below this: such an address is a null pointer plus an offset. */
enum { NULL_BYTES = 64 * 1024 };

/* ---- Code ---------------------------------------------------------------- */

/* Executable segments of the program, and of the object that the kernel is in if that
 * is another. Linkers make one of each. */
enum { MOST_TEXTS = 8 };
static struct text {
    uintptr_t start;
    uintptr_t bytes;
} texts[MOST_TEXTS];

static bool in_own_text(uintptr_t pc)
{
    for (int i = 0; i < MOST_TEXTS; i++) {
        if (pc - texts[i].start < texts[i].bytes) {
            return true;
        }
    }
    return false;
}

struct search {
    const void *entry;
    int n_objects;
    int n_texts;
};

static int add_object(struct dl_phdr_info *object, size_t bytes, void *data)
{
    (void)bytes;
    struct search *search = data;
    struct text found[MOST_TEXTS];
    int n = 0;
    bool wanted = search->n_objects++ == 0; /* the program is the first */
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0
            && search->n_texts + n < MOST_TEXTS) {
            found[n]
                = (struct text){ object->dlpi_addr + header->p_vaddr, header->p_memsz };
            wanted |= (uintptr_t)search->entry - found[n].start < found[n].bytes;
            n++;
        }
    }
    for (int i = 0; wanted && i < n; i++) {
        texts[search->n_texts++] = found[i];
    }
    return 0;
}

/* An object that was unloaded may have left its place to a larger one. */
static void find_texts(const void *entry)
{
    static unsigned n_excluded WEIRI_NO_STATIC;
    unsigned n = weiri_statics_n_excluded();
    if (n != n_excluded || !in_own_text((uintptr_t)entry)) {
        n_excluded = n;
        memset(texts, 0, sizeof(texts));
        dl_iterate_phdr(add_object, &(struct search){ entry, 0, 0 });
    }
}

/* The stack pointer of the interrupted code; 0 where the processor is not known. */
static uintptr_t stack_pointer(const void *context)
{
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

/* The same. */
static uintptr_t code_pointer(const void *context)
{
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* The return address of a function at its first instruction; the same. */
static uintptr_t return_pointer(const void *context)
{
#if defined(__x86_64__)
    return *(const uintptr_t *)stack_pointer(context);
#elif defined(__aarch64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.regs[30];
#else
    (void)context;
    return 0;
#endif
}

/* Whether code switches from one stack to another, so that the stack pointer and the
 * other registers may be of two items. */
static bool is_switch(uintptr_t pc)
{
#ifdef WEIRI_ASM
    return pc - (uintptr_t)weiri_co_code_begin
        < (uintptr_t)(weiri_co_code_end - weiri_co_code_begin);
#else
    const void *function = weiri_backtrace_function((const void *)(pc + 1));
    return function == (const void *)(uintptr_t)swapcontext
        || function == (const void *)(uintptr_t)setcontext;
#endif
}

/* ---- Faults -------------------------------------------------------------- */

/* Describes an access to unmapped memory, or one that its memory does not allow. The
 * guards around memory of the device are mapped. */
static const char *explain_access(const siginfo_t *info, struct weiri_worker *worker)
{
    static const char begin[] = "read or wrote ";
    enum { LENGTH = sizeof(begin) - 1, ROOM = sizeof(worker->fault.text) - LENGTH };
    char *text = worker->fault.text;
    bool is_mapped = info->si_code == SEGV_ACCERR;
    const struct weiri_launch *launch = worker->launch;
    memcpy(text, begin, LENGTH);
    if (weiri_memory_describe(launch->device, launch->kernel->language, info->si_addr,
                              is_mapped, text + LENGTH, ROOM)) {
        return text;
    }
    return is_mapped ? "read or wrote memory that does not allow it, such as a constant"
                     : "read or wrote memory that is not mapped";
}

static const char *explain(int signal, const siginfo_t *info, uintptr_t pc,
                           struct weiri_worker *worker)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    bool is_null = address < NULL_BYTES;
    switch (signal) {
    case SIGSEGV:
        if (info->si_code != SEGV_MAPERR && info->si_code != SEGV_ACCERR) {
            return "read or wrote memory that is not mapped"; /* the address is
                                                                 unknown */
        }
        if (address == pc) {
            return is_null ? "called a function by a null pointer"
                           : "jumped to an address without code";
        }
        return is_null ? "read or wrote memory that is not mapped (a null pointer)"
                       : explain_access(info, worker);
    case SIGBUS:
        return info->si_code == BUS_ADRALN
            ? "read or wrote memory that is not aligned"
            : "read or wrote mapped memory that the system cannot provide";
    case SIGFPE:
        return info->si_code == FPE_INTDIV || info->si_code == FPE_INTOVF
            ? "divided an integer by zero (or the least integer by -1)"
            : "made a floating-point operation that traps";
    default:
        return "executed an illegal instruction";
    }
}

/* The section of libc-wrap.c's functions; set by the linker of a program that has
 * it. */
extern const char wraps_start[] __asm__("__start_weiri_wrap") __attribute__((weak));
extern const char wraps_stop[] __asm__("__stop_weiri_wrap") __attribute__((weak));

/* Whether code is the program's, and not of the wrappers of the C library. */
static bool is_the_programs(uintptr_t pc)
{
    bool wraps = pc - (uintptr_t)wraps_start < (uintptr_t)(wraps_stop - wraps_start);
    return in_own_text(pc) && !wraps;
}

/* Removes the innermost @n calls. */
static void drop(struct weiri_backtrace *calls, uint32_t n)
{
    calls->n -= n;
    memmove(calls->pc, calls->pc + n, calls->n * sizeof(*calls->pc));
}

/* Removes the calls inside libraries, up to the call of the library. */
static void drop_libraries(struct weiri_backtrace *calls)
{
    uint32_t n = 0;
    while (n < calls->n && !is_the_programs((uintptr_t)calls->pc[n] - 1)) {
        n++;
    }
    drop(calls, n);
}

static uintptr_t function_of(const void *return_address)
{
    return (uintptr_t)_Unwind_FindEnclosingFunction(
        (void *)((uintptr_t)return_address - 1));
}

/* In a recursion that overflows, replaces the place of the last call by the innermost
 * function that occurs twice. The last call itself is chance: it may be a call of the
 * machine, as each function that is checked makes one. */
static void join_recursion(struct weiri_backtrace *calls)
{
    for (uint32_t i = 0; i < calls->n; i++) {
        uintptr_t function = function_of(calls->pc[i]);
        for (uint32_t k = i + 1; function != 0 && k < calls->n; k++) {
            if (function_of(calls->pc[k]) == function) {
                calls->pc[0] = (const void *)(function + 1);
                calls->n = 1;
                return;
            }
        }
    }
}

/* Finds the calls that led to the interrupted code, which runs on @stack. Returns:
 * whether the kernel's entry is one of them */
static bool find_calls(struct weiri_backtrace *calls, const void *context,
                       const struct weiri_worker *worker, uint32_t stack)
{
    size_t bytes, guard_bytes = worker->stacks.guard_bytes;
    const char *low = weiri_stacks_bounds(&worker->stacks, stack, &bytes);
    bool found = weiri_backtrace_capture_interrupted(
        calls, (const void *)code_pointer(context),
        (const void *)(uintptr_t)worker->launch->entry, low - guard_bytes,
        guard_bytes + bytes);
    uintptr_t offset = stack_pointer(context) - (uintptr_t)low;
    if (calls->n == 0 && offset <= bytes - sizeof(void *)) {
        /* no code there: its caller */
        calls->pc[calls->n++] = (const void *)return_pointer(context);
    }
    return found;
}

/* If the calls lead to abort(), removes the calls inside the function that ended the
 * program. Returns: what the kernel's code did, or NULL if it did not call such a
 * function */
static const char *explain_abort(struct weiri_backtrace *calls)
{
    const struct {
        uintptr_t function;
        const char *what;
    } ends[] = {
        { (uintptr_t)abort, "called abort()" },
        { (uintptr_t)__assert_fail, "failed an assert()" },
        { (uintptr_t)g_assertion_message_expr, "failed a g_assert()" },
    };
    const char *what = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < calls->n; i++) {
        uintptr_t function = function_of(calls->pc[i]);
        for (size_t k = 0; k < G_N_ELEMENTS(ends); k++) {
            if (function == ends[k].function) {
                what = ends[k].what;
                n = i + 1;
            }
        }
    }
    drop(calls, n);
    bool direct = calls->n > 0 && is_the_programs((uintptr_t)calls->pc[0] - 1);
    return direct ? what : NULL;
}

/* The stack that is in use, by the stack pointer: the faulting address may be in
 * another item's stack. WEIRI_NO_STACK: it is the host's or the hub's, or is being
 * changed */
static uint32_t stack_in_use(const struct weiri_worker *worker, const void *context,
                             bool *in_guard)
{
    *in_guard = false;
    if (worker == NULL || worker->launch == NULL || worker->group == NULL
        || is_switch(code_pointer(context))) {
        return WEIRI_NO_STACK;
    }
    return weiri_stacks_find(&worker->stacks, (const void *)stack_pointer(context),
                             in_guard);
}

/* Whether the thread itself has raised the signal. */
static bool was_raised(const siginfo_t *info)
{
    return info->si_code == SI_TKILL && info->si_pid == getpid();
}

/* Returns: what the item did to cause the signal, or NULL if it did not cause it. Sets
 * the fault's calls. */
static const char *find_fault(int signal, const siginfo_t *info, const void *context,
                              struct weiri_worker *worker, uint32_t stack)
{
    struct weiri_backtrace *calls = &worker->fault.calls;
    uintptr_t pc = code_pointer(context);
    const char *what = NULL;
    if (signal != SIGABRT && info->si_code > 0) { /* not sent by a process */
        what = explain(signal, info, pc, worker);
        find_calls(calls, context, worker, stack);
        drop_libraries(calls);
    } else if (signal == SIGABRT && was_raised(info) && !weiri_assert_has_failed) {
        find_calls(calls, context, worker, stack);
        what = explain_abort(calls);
    }
    return what;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    if (info->si_code > 0 || was_raised(info)) {
        weiri_backtrace_give_up();
    }
    struct weiri_worker *worker = weiri_self.worker;
    bool pointer_in_guard, in_guard = false;
    uint32_t stack = stack_in_use(worker, context, &pointer_in_guard);
    if (stack != WEIRI_NO_STACK) {
        if ((signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0
            && weiri_stacks_find(&worker->stacks, info->si_addr, &in_guard) == stack
            && in_guard) {
            find_calls(&worker->fault.calls, context, worker, stack);
            drop_libraries(&worker->fault.calls);
            join_recursion(&worker->fault.calls);
            weiri_leave_from(worker, stack, WEIRI_STOP_OVERFLOWED);
        }
        if (worker->inside == 0 && !pointer_in_guard) {
            worker->fault.what = find_fault(signal, info, context, worker, stack);
            if (worker->fault.what != NULL) {
                weiri_leave_from(worker, stack, WEIRI_STOP_FAULTED);
            }
        }
    }
}

/* ---- Calls that are for the host ----------------------------------------- */

/* The stack of the item that runs on this thread; WEIRI_NO_STACK: the host runs, or the
 * machine */
static uint32_t items_stack(const struct weiri_worker *worker)
{
    bool is_item = worker != NULL && worker->launch != NULL && worker->group != NULL
        && worker->inside == 0;
    return is_item
        ? weiri_stacks_find(&worker->stacks, __builtin_frame_address(0), NULL)
        : WEIRI_NO_STACK;
}

void weiri_fault_refuse(const char *what, const void *caller)
{
    struct weiri_worker *worker = weiri_self.worker;
    uint32_t stack = items_stack(worker);
    if (stack != WEIRI_NO_STACK) {
        const void *entry = (const void *)(uintptr_t)worker->launch->entry;
        worker->inside++;
        weiri_backtrace_capture(&worker->fault.calls, caller, entry);
        drop_libraries(&worker->fault.calls);
        worker->fault.what = what;
        weiri_leave_from(worker, stack, WEIRI_STOP_FAULTED);
    }
}

void weiri_fault_exit(int status, const char *what, const void *caller)
{
    struct weiri_worker *worker = weiri_self.worker;
    if (items_stack(worker) == WEIRI_NO_STACK || !worker->launch->deterministic) {
        return;
    }
    struct weiri_launch *launch = worker->launch;
    if (launch->drive == NULL) { /* an exploration has other executions */
        launch->exits = true;
        launch->exit_status = status;
        atomic_store_explicit(&launch->stopped, WEIRI_STOPPED_BY_ERROR,
                              memory_order_relaxed); /* a hint, to this thread */
    }
    weiri_fault_refuse(what, caller);
}

#ifdef __GLIBC__
/* Called by exit(), on the stack of its caller: a library, or a program that is linked
 * without libc-wrap.c. The C library forgets it by that. */
static void on_exit_called(int status, void *unused)
{
    (void)unused;
    if (items_stack(weiri_self.worker) != WEIRI_NO_STACK) {
        on_exit(on_exit_called, NULL);
    }
    weiri_fault_exit(status, WEIRI_CALLED_EXIT, __builtin_return_address(0));
}
#endif

static void once_a_process(void)
{
#ifdef __GLIBC__
    on_exit(on_exit_called, NULL);
#endif
}

/* ---- The limit of time --------------------------------------------------- */

const void *weiri_fault_place(const void *context, uint32_t *stack)
{
    struct weiri_worker *worker = weiri_self.worker;
    bool in_guard;
    *stack = stack_in_use(worker, context, &in_guard);
    if (*stack == WEIRI_NO_STACK || worker->inside != 0
        || !in_own_text(code_pointer(context))) {
        *stack = WEIRI_NO_STACK;
        return NULL;
    }
    struct weiri_backtrace calls;
    bool found = find_calls(&calls, context, worker, *stack);
    return found ? calls.pc[calls.n - 1] : NULL;
}

uint64_t weiri_fault_registers(const void *context)
{
    uint64_t hash = 0;
#if defined(__x86_64__)
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
    for (int i = REG_R8; i <= REG_RIP; i++) {
        hash = (hash ^ (uint64_t)machine->gregs[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
#elif defined(__aarch64__)
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
    hash = machine->pc;
    for (int i = 0; i < 31; i++) {
        hash = (hash ^ machine->regs[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    }
#else
    (void)context;
#endif
    return hash;
}

/* Ends an item that runs on. */
static void on_limit(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    uint32_t stack;
    const void *place = weiri_fault_place(context, &stack);
    struct weiri_worker *worker = weiri_self.worker;
    if (stack != WEIRI_NO_STACK
        && atomic_load_explicit(&worker->launch->stopped, memory_order_relaxed)
            == WEIRI_STOPPED_BY_TIME) {
        worker->interrupted_at = place;
        weiri_leave_from(worker, stack, WEIRI_STOP_INTERRUPTED);
    }
}

/* ---- Coming and going ---------------------------------------------------- */

/* The program's action for that signal. Launches never run at once. */
static struct sigaction limit_before;

void weiri_fault_enter(void)
{
    weiri_handlers_lend_stack();
}

void weiri_fault_forget(void)
{
    weiri_handlers_forget();
}

void weiri_fault_begin(const struct weiri_launch *launch)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, once_a_process);
    bool is_small = launch->n_workers == 1 && !launch->deterministic;
    find_texts((const void *)(uintptr_t)launch->entry);
    weiri_handlers_lend_stack();
    weiri_handlers_begin(on_fault, !is_small);
    if (launch->time_limit_ms != 0) {
        struct sigaction ours = { .sa_sigaction = on_limit,
                                  .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
        sigaction(WEIRI_LIMIT_SIGNAL, &ours, &limit_before);
    }
}

void weiri_fault_end(const struct weiri_launch *launch)
{
    if (launch->time_limit_ms != 0) {
        sigaction(WEIRI_LIMIT_SIGNAL, &limit_before, NULL);
    }
    weiri_handlers_end();
    weiri_handlers_return_stack();
}
