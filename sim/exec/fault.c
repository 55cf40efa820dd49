/* SPDX-License-Identifier: MIT
 *
 * fault.c: the signals of a launch. A fault in the guard of a worker's stack is an
 * overflow of the item that runs there. The handler only notes it and leaves by
 * starting that stack afresh, or to the hub of a deterministic launch; the finding is
 * made there, where allocating is safe. Any other fault is not ours and goes to the
 * handler that was there before.
 *
 * The signal of a limit of time ends an item that runs on without coming to the
 * machine: it leaves the handler the same way. Not while it is in a part of the machine
 * that must come to its end, such as one that allocates.
 *
 * The process's handlers are ours during a launch only. Two launches never run
 * at once, so `before_us` has one writer. */
#include "config.h"

#include "exec/fault.h"

#include "base/assert.h"
#include "exec/launch.h"
#include "exec/trail.h"
#include "exec/worker.h"

#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

/* Room for the frame of a signal (some 3 KiB with wide vectors, more with
 * sanitizers) and for the handlers of others that we pass a fault on to. */
enum { HANDLER_STACK_BYTES = 128 * 1024 };

static const struct weiri_fault_state *before_us;

static void pass_on(int signal, siginfo_t *info, void *context)
{
    const struct sigaction *old = &before_us->segv;
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

/* Of the interrupted code; NULL where the processor is not known. */
static const char *stack_pointer(const void *context)
{
#if defined(__x86_64__)
    return (const char *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (const char *)((const ucontext_t *)context)->uc_mcontext.sp;
#else
    (void)context;
    return NULL;
#endif
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    struct weiri_worker *worker = weiri_self.worker;
    bool in_guard = false;
    if (worker != NULL && worker->group != NULL) {
        /* The stack in use, by its pointer: a guard that another stack's item hits
         * from above is no overflow, and that stack may be anybody's. */
        uint32_t stack = weiri_stacks_find(&worker->stacks, info->si_addr, &in_guard);
        bool pointer_in_guard;
        const char *pointer = stack_pointer(context);
        if (stack != WEIRI_NO_STACK && in_guard
            && (weiri_stacks_find(&worker->stacks, pointer, &pointer_in_guard) == stack
                || pointer == NULL)) {
            worker->overflowed = true;
            weiri_worker_restart(worker, stack);
        }
    }
    pass_on(signal, info, context);
}

/* The item runs on: the outermost of its calls that lies in the kernel is told. */
static void on_limit(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    struct weiri_worker *worker = weiri_self.worker;
    if (worker == NULL || worker->launch == NULL || worker->group == NULL
        || worker->inside != 0
        || atomic_load_explicit(&worker->launch->stopped, memory_order_relaxed)
            != WEIRI_STOPPED_BY_TIME) {
        return;
    }
    uint32_t stack = weiri_stacks_find(&worker->stacks, stack_pointer(context), NULL);
    if (stack != WEIRI_NO_STACK) {
        struct weiri_calls calls;
        bool found
            = weiri_trails_capture(&calls, NULL, (const void *)worker->launch->entry);
        worker->interrupted = true;
        worker->interrupted_at = found ? calls.pc[calls.n - 1] : NULL;
        weiri_worker_restart(worker, stack);
    }
}

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
                              struct weiri_fault_state *before, bool limited)
{
    make_stack(state);
    memset(before, 0, sizeof(*before));
    sigaltstack(&state->stack, &before->stack);
    before_us = before;
    /* SA_NODEFER: the handler is left by a switch, never by returning. */
    struct sigaction ours = { .sa_sigaction = on_fault,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    sigaction(SIGSEGV, &ours, &before->segv);
    if (limited) {
        ours.sa_sigaction = on_limit;
        sigaction(WEIRI_LIMIT_SIGNAL, &ours, &before->limit);
    }
}

void weiri_fault_leave_caller(const struct weiri_fault_state *before, bool limited)
{
    sigaction(SIGSEGV, &before->segv, NULL);
    if (limited) {
        sigaction(WEIRI_LIMIT_SIGNAL, &before->limit, NULL);
    }
    sigaltstack(&before->stack, NULL);
    before_us = NULL;
}
