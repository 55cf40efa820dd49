/* SPDX-License-Identifier: MIT
 *
 * fault.c: the signals of a launch. A fault in the guard of a worker's stack is an
 * overflow of the item that runs there; any other fault on an item's stack is what that
 * item did, unless the machine itself was at work there. The handler only notes it and
 * leaves by starting that stack afresh, or to the hub of a deterministic launch; the
 * finding is made there, where allocating is safe. A fault elsewhere is not ours and
 * goes to the handler that was there before.
 *
 * The signal of a limit of time ends an item that runs on without coming to the
 * machine: it leaves the handler the same way. Not while it is in a part of the machine
 * that must come to its end, and not in a library, which may hold a lock: then the item
 * runs on, and the signal comes again.
 *
 * The process's handlers are ours during a launch only. Two launches never run
 * at once, so `before_us` and `texts` have one writer. */
#include "config.h"

#include "exec/fault.h"

#include "base/assert.h"
#include "exec/launch.h"
#include "exec/trail.h"
#include "exec/worker.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

/* Room for the frame of a signal (some 3 KiB with wide vectors, more with
 * sanitizers) and for the handlers of others that we pass a fault on to. */
enum { HANDLER_STACK_BYTES = 128 * 1024 };
/* Nothing is mapped below: what lies here is a null pointer and some members. */
enum { NULL_BYTES = 64 * 1024 };

static const int fault_signals[WEIRI_N_FAULT_SIGNALS]
    = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
static const struct weiri_fault_state *before_us;

/* ---- Code ---------------------------------------------------------------- */

/* Executable segments of the program and, where kernels lie in another object, of that
 * one: few, for linkers make one. */
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

static void find_texts(const void *entry)
{
    if (!in_own_text((uintptr_t)entry)) {
        memset(texts, 0, sizeof(texts));
        dl_iterate_phdr(add_object, &(struct search){ entry, 0, 0 });
    }
}

/* Of the interrupted code; 0 where the processor is not known. */
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

/* Where a function returns to that has done nothing yet; the same. */
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

/* ---- Faults -------------------------------------------------------------- */

static void pass_on(int signal, siginfo_t *info, void *context)
{
    int which = 0;
    while (fault_signals[which] != signal) {
        which++;
    }
    const struct sigaction *old = &before_us->faults[which];
    if ((old->sa_flags & SA_SIGINFO) != 0) {
        old->sa_sigaction(signal, info, context);
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(signal);
    } else {
        /* The instruction faults again on return, with the default action. */
        struct sigaction die = { .sa_handler = SIG_DFL };
        sigaction(signal, &die, NULL);
    }
}

static const char *explain(int signal, const siginfo_t *info, uintptr_t pc)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    bool is_null = address < NULL_BYTES;
    switch (signal) {
    case SIGSEGV:
        if (info->si_code != SEGV_MAPERR && info->si_code != SEGV_ACCERR) {
            return "read or wrote memory that is not mapped"; /* no address is told */
        }
        if (address == pc) {
            return is_null ? "called a function by a null pointer"
                           : "went to code that is not there";
        }
        return is_null ? "read or wrote memory that is not mapped (a null pointer)"
            : info->si_code == SEGV_MAPERR
            ? "read or wrote memory that is not mapped"
            : "read or wrote memory that does not allow it, such as a constant";
    case SIGBUS:
        return info->si_code == BUS_ADRALN
            ? "read or wrote memory that is not aligned"
            : "read or wrote memory that has nothing behind it";
    case SIGFPE:
        return info->si_code == FPE_INTDIV || info->si_code == FPE_INTOVF
            ? "made an integer division by zero (or of the least number by -1)"
            : "made a floating-point operation that traps";
    default:
        return "came to an illegal instruction";
    }
}

/* Where wrap.c's functions are, in a program that has them; the linker's names. */
extern const char wraps_start[] __asm__("__start_weiri_wrap") __attribute__((weak));
extern const char wraps_stop[] __asm__("__stop_weiri_wrap") __attribute__((weak));

/* Whether code is the program's, and not what stands between it and the C library. */
static bool is_the_programs(uintptr_t pc)
{
    bool wraps = pc - (uintptr_t)wraps_start < (uintptr_t)(wraps_stop - wraps_start);
    return in_own_text(pc) && !wraps;
}

/* Which way the item came to the code at @pc. What lies in libraries is left out, where
 * they were called is what counts. */
static void find_calls(struct weiri_calls *calls, uintptr_t pc, const void *context,
                       const struct weiri_launch *launch)
{
    const void *entry = (const void *)(uintptr_t)launch->entry;
    weiri_trails_capture(calls, (const void *)(pc + 1), entry);
    if (calls->n == 0) { /* there is no code: whoever called it */
        calls->pc[calls->n++] = (const void *)return_pointer(context);
    }
    uint32_t n = 0;
    while (n < calls->n && !is_the_programs((uintptr_t)calls->pc[n] - 1)) {
        n++;
    }
    calls->n -= n;
    memmove(calls->pc, calls->pc + n, calls->n * sizeof(*calls->pc));
}

/* The item's stack that is in use, by its pointer: an access to another's memory or
 * guard says nothing of that one's item. WEIRI_NO_STACK: the host's or the hub's */
static uint32_t stack_in_use(const struct weiri_worker *worker, const void *context,
                             bool *in_guard)
{
    *in_guard = false;
    if (worker == NULL || worker->launch == NULL || worker->group == NULL) {
        return WEIRI_NO_STACK;
    }
    return weiri_stacks_find(&worker->stacks, (const void *)stack_pointer(context),
                             in_guard);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    struct weiri_worker *worker = weiri_self.worker;
    bool pointer_in_guard, in_guard = false;
    uint32_t stack = stack_in_use(worker, context, &pointer_in_guard);
    if (stack != WEIRI_NO_STACK && info->si_code > 0) { /* not sent by a process */
        if ((signal == SIGSEGV || signal == SIGBUS)
            && weiri_stacks_find(&worker->stacks, info->si_addr, &in_guard) == stack
            && in_guard) {
            worker->overflowed = true;
            weiri_worker_restart(worker, stack);
        }
        if (worker->inside == 0 && !pointer_in_guard) {
            uintptr_t pc = code_pointer(context);
            worker->faulted = true;
            worker->fault.what = explain(signal, info, pc);
            find_calls(&worker->fault.calls, pc, context, worker->launch);
            weiri_worker_restart(worker, stack);
        }
    }
    pass_on(signal, info, context);
}

/* ---- The limit of time --------------------------------------------------- */

/* The item runs on: the outermost of its calls that lies in the kernel is told. */
static void on_limit(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    struct weiri_worker *worker = weiri_self.worker;
    bool in_guard;
    uint32_t stack = stack_in_use(worker, context, &in_guard);
    if (stack == WEIRI_NO_STACK || worker->inside != 0
        || !in_own_text(code_pointer(context))
        || atomic_load_explicit(&worker->launch->stopped, memory_order_relaxed)
            != WEIRI_STOPPED_BY_TIME) {
        return;
    }
    struct weiri_calls calls;
    bool found
        = weiri_trails_capture(&calls, NULL, (const void *)worker->launch->entry);
    worker->interrupted = true;
    worker->interrupted_at = found ? calls.pc[calls.n - 1] : NULL;
    weiri_worker_restart(worker, stack);
}

/* ---- Coming and going ---------------------------------------------------- */

static void make_stack(struct weiri_fault_state *state)
{
    if (state->memory == NULL) {
        state->memory = malloc(HANDLER_STACK_BYTES);
        weiri_assert(state->memory != NULL);
        state->stack
            = (stack_t){ .ss_sp = state->memory, .ss_size = HANDLER_STACK_BYTES };
    }
}

void weiri_fault_enter(struct weiri_fault_state *state)
{
    make_stack(state);
    sigaltstack(&state->stack, NULL);
}

void weiri_fault_enter_caller(struct weiri_fault_state *state,
                              struct weiri_fault_state *before, const void *entry,
                              bool limited)
{
    make_stack(state);
    find_texts(entry);
    memset(before, 0, sizeof(*before));
    sigaltstack(&state->stack, &before->stack);
    before_us = before;
    /* SA_NODEFER: the handler is left by a switch, never by returning. */
    struct sigaction ours = { .sa_sigaction = on_fault,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    for (int i = 0; i < WEIRI_N_FAULT_SIGNALS; i++) {
        sigaction(fault_signals[i], &ours, &before->faults[i]);
    }
    if (limited) {
        ours.sa_sigaction = on_limit;
        sigaction(WEIRI_LIMIT_SIGNAL, &ours, &before->limit);
    }
}

void weiri_fault_leave_caller(const struct weiri_fault_state *before, bool limited)
{
    for (int i = 0; i < WEIRI_N_FAULT_SIGNALS; i++) {
        sigaction(fault_signals[i], &before->faults[i], NULL);
    }
    if (limited) {
        sigaction(WEIRI_LIMIT_SIGNAL, &before->limit, NULL);
    }
    sigaltstack(&before->stack, NULL);
    before_us = NULL;
}
