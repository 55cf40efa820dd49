/* SPDX-License-Identifier: MIT
 *
 * handlers.c: see handlers.h. Installing the handlers for a launch and restoring them
 * after it would take ten system calls, which cost more than all the rest of a small
 * launch. So the first launch installs them and they stay; a later launch only checks
 * that they still are Weir's. The stack stays, too, if the thread had none. The
 * program's own handlers must work as if Weir were not there:
 *
 *     before  | the program's first | one that it has set since | ...
 *               0                     1                           n - 1
 *                                                                 ^ next
 *
 * While no launch runs, a signal is the program's. Weir then steps aside: it puts the
 * handler that it displaced in its place, and makes the signal come again, since the
 * instruction faults again or the signal is sent again. So the program's handler runs
 * on the stack, with the mask and with the flags that the program set. Such a handler
 * may itself take Weir's for the one that it displaced, restore it, and let the signal
 * come again: then the handler before it is next. The next launch installs Weir's
 * handlers again.
 *
 * While a launch runs, handlers of other threads' faults are called from here and
 * Weir's stay installed. During the call a double of Weir's handler is installed in its
 * place: if that is gone afterwards and Weir's is back, the program has restored
 * Weir's.
 *
 * A handler of the program may also call the handler that it displaced, Weir's. Weir's
 * sees from its return address that it was not called by the system, unless the
 * program's handler ends in a tail call. Then it looks as if another thread had stepped
 * aside since the system called, and the signal comes once more. */
#include "config.h"

#include "base/handlers.h"

#include "base/assert.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Room for the frame of a signal (some 3 KiB with wide vectors, more with sanitizers)
 * and for the program's handlers that are called from Weir's. */
enum { STACK_BYTES = 128 * 1024 };
/* Handlers of the program for one signal that displace each other. */
enum { MOST_BEFORE = 8 };
/* The code that the kernel maps into each process is a page or two. */
enum { VDSO_BYTES = 64 * 1024 };

/* The signals that an item may cause. */
static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { N_SIGNALS = sizeof(signals) / sizeof(*signals) };

static struct place {
    struct sigaction before[MOST_BEFORE];
    int n;
    _Atomic int next; /* of @before, to handle the next signal; -1: the default
                         action */
    atomic_flag lock; /* guards: */
    unsigned n_calls; /* running calls of the program's handlers from here */
} places[N_SIGNALS];

static weiri_handler machine; /* handles the signals that items cause */
static const struct sigaction none = { .sa_handler = SIG_DFL };
static unsigned in_turn;         /* the signal that a small launch checks */
static _Atomic bool is_launched; /* a launch runs */
static _Atomic int n_stepping;   /* threads in step_aside() */
static _Atomic bool is_aside;    /* Weir has stepped aside since the latest launch */

/* The index in @before of the handler that the thread calls; -1: none. It is stale
 * after a handler that left by a jump, and used only while a handler runs. */
static _Thread_local int called = -1;

/* The latest signal of the thread after which another thread seemed to have stepped
 * aside. */
static _Thread_local struct {
    int signal;
    void *address;
} doubtful;

/* ---- The program's handlers ---------------------------------------------- */

static bool same_action(const struct sigaction *a, const struct sigaction *b)
{
    return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags;
}

/* The index of the handler in @before, or their number if it is new. */
static int index_of(const struct place *place, const struct sigaction *action)
{
    int at = 0;
    while (at < place->n && !same_action(&place->before[at], action)) {
        at++;
    }
    return at;
}

/* The program has installed @found over Weir's handler. If that is one of @before,
 * those after it are gone. */
static void remember(struct place *place, const struct sigaction *found)
{
    int at = index_of(place, found);
    at = at == MOST_BEFORE ? MOST_BEFORE - 1 : at;
    place->before[at] = *found;
    place->n = at + 1;
}

static struct sigaction nth_before(const struct place *place, int n)
{
    return n >= 0 && n < place->n ? place->before[n] : none;
}

static bool is_function(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0
        || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Calls a handler as the system would; the mask is restored when Weir's returns. */
static void call(int signal, siginfo_t *info, void *context,
                 const struct sigaction *action)
{
    sigset_t blocked = action->sa_mask;
    if ((action->sa_flags & SA_NODEFER) == 0) {
        sigaddset(&blocked, signal);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    if ((action->sa_flags & SA_SIGINFO) != 0) {
        action->sa_sigaction(signal, info, context);
    } else {
        action->sa_handler(signal);
    }
}

/* ---- Passing on ---------------------------------------------------------- */

static void on_signal(int signal, siginfo_t *info, void *context);
static void double_of_ours(int signal, siginfo_t *info, void *context);

static const struct sigaction *ours(bool doubled)
{
    /* SA_NODEFER: the handler is left by a switch, for an item. */
    static const struct sigaction actions[]
        = { { .sa_sigaction = on_signal,
              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER },
            { .sa_sigaction = double_of_ours,
              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER } };
    return &actions[doubled];
}

static bool is_ours(const struct sigaction *action)
{
    return action->sa_sigaction == on_signal || action->sa_sigaction == double_of_ours;
}

/* Makes the signal come again when Weir's handler returns: the instruction is executed
 * again, or the signal is sent again. */
static void come_again(int signal, siginfo_t *info)
{
    if (info != NULL && info->si_code <= 0) {
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, signal);
        pthread_sigmask(SIG_BLOCK, &blocked, NULL);
        syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info);
    }
}

static void lock(struct place *place)
{
    while (atomic_flag_test_and_set(&place->lock)) {}
}

/* If the handler has restored Weir's, or is to be reset after one call, the one before
 * it handles the next signal. */
static void call_in_launch(struct place *place, int turn, int signal, siginfo_t *info,
                           void *context)
{
    struct sigaction action = place->before[turn], found;
    lock(place);
    place->n_calls++;
    sigaction(signal, ours(true), NULL);
    atomic_flag_clear(&place->lock);
    called = turn;
    call(signal, info, context, &action);
    called = -1;
    lock(place);
    sigaction(signal, NULL, &found);
    bool stays = found.sa_sigaction == double_of_ours;
    if (--place->n_calls == 0 && stays) {
        sigaction(signal, ours(false), NULL);
    }
    atomic_flag_clear(&place->lock);
    if (!stays || (action.sa_flags & (int)SA_RESETHAND) != 0) {
        atomic_store(&place->next, turn - 1);
    }
}

/* Installs the program's handler. Returns: false if a launch has begun */
static bool step_aside(struct place *place, int turn, int signal)
{
    struct sigaction action = nth_before(place, turn);
    bool handled = is_function(&action);
    atomic_fetch_add(&n_stepping, 1);
    bool steps = !handled || !atomic_load(&is_launched);
    if (steps) {
        atomic_store(&is_aside, true);
        atomic_store(&place->next, turn > 0 ? turn - 1 : -1);
        sigaction(signal, handled ? &action : &none, NULL);
    }
    atomic_fetch_sub(&n_stepping, 1);
    return steps;
}

/* Passes a signal from the system to the program. */
static void pass_on(struct place *place, int signal, siginfo_t *info, void *context)
{
    int turn = atomic_load(&place->next);
    struct sigaction action = nth_before(place, turn);
    if (action.sa_handler == SIG_IGN && info->si_code <= 0) {
        return;
    }
    if (step_aside(place, turn, signal)) {
        come_again(signal, info);
    } else {
        call_in_launch(place, turn, signal, info, context);
    }
}

/* Passes on a signal that the program's handler @caller got and passed to Weir's.
 * @info, @context: NULL if it had none */
static void pass_on_for(struct place *place, int caller, int signal, siginfo_t *info,
                        void *context)
{
    struct sigaction action = nth_before(place, caller - 1);
    if (is_function(&action)) {
        int before = called;
        called = caller - 1;
        call(signal, info, context, &action);
        called = before;
    } else if (action.sa_handler != SIG_IGN || info == NULL || info->si_code > 0) {
        sigaction(signal, &none, NULL);
        come_again(signal, info);
    }
}

/* ---- Weir's handlers ----------------------------------------------------- */

/* Whether the return address of a handler is the system's. */
static bool is_systems(const void *return_address, const struct sigaction *action)
{
    uintptr_t vdso = (uintptr_t)getauxval(AT_SYSINFO_EHDR);
    if (action->sa_restorer != NULL) {
        return return_address == (const void *)(uintptr_t)action->sa_restorer;
    }
    return vdso == 0 || (uintptr_t)return_address - vdso < VDSO_BYTES;
}

/* @found is installed in the place of Weir's handler, and may have called it. */
static void answer_instead(struct place *place, const struct sigaction *found,
                           bool by_system, int signal, siginfo_t *info, void *context)
{
    bool informed = (found->sa_flags & SA_SIGINFO) != 0;
    if (informed) {
        machine(signal, info, context);
    }
    void *address = informed ? info->si_addr : NULL;
    bool may_be_aside = by_system && atomic_load(&is_aside);
    if (may_be_aside && (doubtful.signal != signal || doubtful.address != address)) {
        doubtful.signal = signal;
        doubtful.address = address;
        come_again(signal, informed ? info : NULL);
    } else {
        doubtful.signal = 0;
        pass_on_for(place, index_of(place, found), signal, informed ? info : NULL,
                    informed ? context : NULL);
    }
}

static inline __attribute__((always_inline)) void answer(int signal, siginfo_t *info,
                                                         void *context,
                                                         const void *return_address)
{
    int reason = errno, which = 0;
    struct sigaction found = { .sa_restorer = NULL }; /* not set everywhere */
    while (signals[which] != signal) {
        which++;
    }
    struct place *place = &places[which];
    sigaction(signal, NULL, &found);
    bool by_system = is_systems(return_address, &found);
    if (!is_ours(&found)) {
        answer_instead(place, &found, by_system, signal, info, context);
    } else if (by_system || called < 0) {
        machine(signal, info, context);
        pass_on(place, signal, info, context);
    } else {
        bool informed = (nth_before(place, called).sa_flags & SA_SIGINFO) != 0;
        pass_on_for(place, called, signal, informed ? info : NULL,
                    informed ? context : NULL);
    }
    errno = reason;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    answer(signal, info, context, __builtin_return_address(0));
}

/* Installed while Weir's handler calls one of the program's. */
static void double_of_ours(int signal, siginfo_t *info, void *context)
{
    answer(signal, info, context, __builtin_return_address(0));
}

/* ---- Installing ---------------------------------------------------------- */

/* Returns: whether another handler was installed */
static bool take(int which)
{
    struct place *place = &places[which];
    struct sigaction found;
    sigaction(signals[which], NULL, &found);
    bool changed = !is_ours(&found);
    if (changed) {
        remember(place, &found);
        sigaction(signals[which], ours(false), NULL);
    }
    atomic_store(&place->next, place->n - 1);
    return changed;
}

void weiri_handlers_begin(weiri_handler handler, bool all)
{
    machine = handler;
    atomic_store(&is_launched, true);
    while (atomic_load(&n_stepping) > 0) { /* a few instructions of another thread */
        sched_yield();
    }
    all |= atomic_exchange(&is_aside, false);
    /* A program that sets some of them mostly sets the first. */
    if (take(0) || all) {
        for (int i = 1; i < N_SIGNALS; i++) {
            take(i);
        }
    } else {
        take(1 + (int)(in_turn++ % (N_SIGNALS - 1)));
    }
}

void weiri_handlers_end(void)
{
    atomic_store(&is_launched, false);
}

void weiri_handlers_forget(void)
{
    atomic_store(&is_launched, false);
    atomic_store(&n_stepping, 0);
    for (int i = 0; i < N_SIGNALS; i++) {
        places[i].n_calls = 0;
        atomic_flag_clear(&places[i].lock);
    }
}

/* ---- Stacks -------------------------------------------------------------- */

/* The calling thread's stack for handlers. */
static _Thread_local struct {
    void *memory; /* owned, and freed when the thread ends */
    bool lent;    /* it is installed in the place of @before */
    stack_t before;
} stack;

static pthread_key_t stack_key;

static void free_stack(void *memory)
{
    stack_t found;
    if (sigaltstack(NULL, &found) == 0 && found.ss_sp == memory) {
        sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    }
    free(memory);
}

static void make_key(void)
{
    weiri_assert(pthread_key_create(&stack_key, free_stack) == 0);
}

static void make_stack(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    stack.memory = malloc(STACK_BYTES);
    weiri_assert(stack.memory != NULL);
    pthread_setspecific(stack_key, stack.memory);
}

void weiri_handlers_lend_stack(void)
{
    if (stack.memory == NULL) {
        make_stack();
    }
    stack_t wanted = { .ss_sp = stack.memory, .ss_size = STACK_BYTES };
    sigaltstack(&wanted, &stack.before);
    bool had_one = (stack.before.ss_flags & SS_DISABLE) == 0;
    stack.lent = had_one && stack.before.ss_sp != stack.memory;
}

void weiri_handlers_return_stack(void)
{
    if (stack.lent) {
        sigaltstack(&stack.before, NULL);
        stack.lent = false;
    }
}
