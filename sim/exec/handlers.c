/* SPDX-License-Identifier: MIT
 *
 * handlers.c: see handlers.h. To take the handlers for a launch and to give them back
 * after it are ten calls of the system, which cost more than all else of a small
 * launch. So they are taken by the first launch and kept; a later one only looks
 * whether they still are Weir's. So is the stack, where the thread has none of its own.
 * What the program does with its handlers is to work as if Weir were not there:
 *
 *     before  | the program's first | one that it has set since | ...
 *               0                     1                           n - 1
 *                                                                 ^ next
 *
 * A signal that is the program's is not answered here while nothing is launched: Weir
 * steps aside. The handler that it has displaced is put in its place, and the signal
 * comes again, by the instruction that faults again or by being sent again: on the
 * stack, with the mask and with the effects that the program has asked for. Such a
 * handler may take Weir's for the one that it has displaced itself, and put it back for
 * the signal to come again: then it is the turn of the one before. The next launch
 * takes the handlers again.
 *
 * While a launch runs, other threads may have handlers that deal with faults and go on:
 * these are called from here, and Weir's stay, with a double in their place meanwhile:
 * where that is gone and Weir's are back, the program has put them back.
 *
 * A handler of the program's may also call the one that it has displaced. That Weir's
 * is called by it and not by the system is told by what it returns to; unless that is
 * the last thing that it does, and a jump. Then it looks as if another thread had
 * stepped aside since the system called, and the signal comes once more. */
#include "config.h"

#include "exec/handlers.h"

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

/* Room for the frame of a signal (some 3 KiB with wide vectors, more with
 * sanitizers) and for the handlers of others that are called from ours. */
enum { STACK_BYTES = 128 * 1024 };
/* Handlers of the program for one signal that call each other. */
enum { MOST_BEFORE = 8 };
/* The code that the kernel maps into each process is a page or two. */
enum { VDSO_BYTES = 64 * 1024 };

/* An item's own, by what the processor or the C library says of them. */
static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { N_SIGNALS = sizeof(signals) / sizeof(*signals) };

static struct place {
    struct sigaction before[MOST_BEFORE];
    int n;
    _Atomic int next; /* of @before: whose turn it is; -1: the default action */
    atomic_flag lock; /* guards: */
    unsigned n_calls; /* of a handler of the program's, from here, in a launch */
} places[N_SIGNALS];

static weiri_handler machine; /* who knows which signals are items' */
static const struct sigaction none = { .sa_handler = SIG_DFL };
static unsigned in_turn;         /* which signal a small launch looks at */
static _Atomic bool is_launched; /* a launch runs */
static _Atomic int n_stepping;   /* threads that are about to step aside, or to see that
                                    one does */
static _Atomic bool is_aside;    /* Weir has stepped aside since the latest began */

/* Of @before, which the thread calls; -1: none. Stale after a handler that has left by
 * a jump, and asked for only while one runs. */
static _Thread_local int called = -1;

/* The latest signal of the thread that came as if another thread had stepped aside. */
static _Thread_local struct {
    int signal;
    void *address;
} doubtful;

/* ---- The program's ------------------------------------------------------- */

static bool same_action(const struct sigaction *a, const struct sigaction *b)
{
    return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags;
}

/* Which of the program's it is, or how many there are where it is a new one. */
static int index_of(const struct place *place, const struct sigaction *action)
{
    int at = 0;
    while (at < place->n && !same_action(&place->before[at], action)) {
        at++;
    }
    return at;
}

/* The program has set @found since Weir's handler was. Where it goes back to one that
 * it had, those after that are gone. */
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

/* As the system would: the mask goes back when Weir's handler returns. */
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

/* The signal comes again when Weir's handler returns: the instruction is made again, or
 * what was sent is sent again. */
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

/* Where the handler has put Weir's back, or gives way after one time, the signal is the
 * one's before if it comes again; where it has set another one, that one's. */
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

/* Puts the program's handler in its place; false where a launch has begun. */
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

/* To the program, from the system. */
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

/* The same for one of the program's, the @caller'th, which was given the signal and has
 * called ours. @info, @context: NULL where it has none to hand on */
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

/* ---- Being called -------------------------------------------------------- */

/* Whether code that is called returns to the system. */
static bool is_systems(const void *return_address, const struct sigaction *action)
{
    uintptr_t vdso = (uintptr_t)getauxval(AT_SYSINFO_EHDR);
    if (action->sa_restorer != NULL) {
        return return_address == (const void *)(uintptr_t)action->sa_restorer;
    }
    return vdso == 0 || (uintptr_t)return_address - vdso < VDSO_BYTES;
}

/* @found is in the place of Weir's handler, and may have called it. */
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

/* Stands where Weir's handler was while one of the program's is called from it. */
static void double_of_ours(int signal, siginfo_t *info, void *context)
{
    answer(signal, info, context, __builtin_return_address(0));
}

/* ---- Taking -------------------------------------------------------------- */

/* Returns: whether the handler was another one */
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
    while (atomic_load(&n_stepping) > 0) { /* for some instructions of another thread */
        sched_yield();
    }
    all |= atomic_exchange(&is_aside, false);
    /* Who sets one of them, sets that of the first signal for the most part. */
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

/* The calling thread's. */
static _Thread_local struct {
    void *memory; /* owned, and freed when the thread ends */
    bool lent;    /* it is there, in the place of @before */
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
