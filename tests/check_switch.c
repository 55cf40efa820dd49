/* SPDX-License-Identifier: MIT
 *
 * check_switch.c: a signal may come between any two instructions, also where one item's
 * stack is in use with another's registers. So a launch runs in single steps, and after
 * each of them the handler looks where the item is, as the handlers of Weir do. */
#include "config.h"

#include "support.h"

#include "base/co.h"
#include "exec/fault.h"
#include "exec/worker.h"

#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#if defined(__x86_64__)
#define CAN_STEP 1
#else
#define CAN_STEP 0
#endif

enum { ITEMS = 4, ROUNDS = 2 };

typedef struct {
    int32_t *out;
} step_args;

/* The observations of the handler. */
static struct {
    size_t n, n_in_switch, n_in_kernel, n_ended;
    const char *wrong;
} steps;

#if CAN_STEP

/* A trap after each instruction of this thread; below the red zone. */
#define STEPS_BEGIN                                                                    \
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; "    \
                     "lea 128(%%rsp), %%rsp"                                           \
                     :                                                                 \
                     :                                                                 \
                     : "memory", "cc")
#define STEPS_END                                                                      \
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; "  \
                     "lea 128(%%rsp), %%rsp"                                           \
                     :                                                                 \
                     :                                                                 \
                     : "memory", "cc")

static uintptr_t code_of(const void *context)
{
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

#else
#define STEPS_BEGIN ((void)0)
#define STEPS_END ((void)0)

static uintptr_t code_of(const void *context)
{
    (void)context;
    return 0;
}
#endif

static bool is_in_switch(uintptr_t pc)
{
#ifdef WEIRI_ASM
    return pc >= (uintptr_t)weiri_co_code_begin && pc < (uintptr_t)weiri_co_code_end;
#else
    (void)pc;
    return false;
#endif
}

/* A walk up the interrupted stack. */
struct walk {
    uintptr_t pc; /* of the interrupted code; 0 once it is found */
    const struct weiri_worker *worker;
    uintptr_t at; /* the stack pointer of the latest call */
    size_t n_calls;
    bool leaves; /* a caller is not further up the same stack, or not a function */
};

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
    struct walk *walk = data;
    uintptr_t pc = _Unwind_GetIP(context), at = _Unwind_GetCFA(context);
    if (walk->pc != 0) {
        bool found = pc == walk->pc;
        walk->pc = found ? 0 : walk->pc;
        walk->at = found ? at : 0;
        return pc == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
    }
    if (pc == 0) {
        return _URC_END_OF_STACK;
    }
    uint32_t stack
        = weiri_stacks_find(&walk->worker->stacks, (const void *)walk->at, NULL);
    walk->leaves |= at < walk->at
        || weiri_stacks_find(&walk->worker->stacks, (const void *)at, NULL) != stack
        || weiri_backtrace_function((const void *)pc) == NULL;
    walk->at = at;
    walk->n_calls++;
    return walk->leaves ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    const struct weiri_worker *worker = weiri_self.worker;
    uintptr_t pc = code_of(context);
    uint32_t stack;
    const void *place = weiri_fault_place(context, &stack);
    steps.n++;
    steps.n_in_kernel += place != NULL;
    if (is_in_switch(pc)) {
        steps.n_in_switch++;
        if (stack != WEIRI_NO_STACK || place != NULL) {
            steps.wrong = "the handler takes a switch for the code of an item";
        }
        struct walk walk = { .pc = pc, .worker = worker };
        _Unwind_Backtrace(visit, &walk);
        steps.n_ended += walk.n_calls == 0;
        if (walk.pc != 0 || walk.leaves) {
            steps.wrong = "a walk does not stay on the stack";
        }
    } else if (place != NULL
               && weiri_backtrace_function(place)
                   != (const void *)(uintptr_t)worker->launch->entry) {
        steps.wrong = "the place is not in the kernel";
    }
}

WEIR_KERNEL(meet, step_args)
{
    int32_t *left = weir_local_array(item, int32_t, ITEMS);
    size_t self = weir_local_id(item, 0);
    if (self == 0) {
        STEPS_BEGIN;
    }
    for (int round = 0; round < ROUNDS; round++) {
        left[self] = (int32_t)self + round;
        weir_barrier(item, WEIR_LOCAL);
        args->out[self] = left[(self + 1) % ITEMS];
        weir_barrier(item, WEIR_LOCAL);
    }
    if (self == ITEMS - 1) {
        STEPS_END;
    }
}

/* Under valgrind and sanitizers there is more code than Weir's on the stack. */
#define STEPPED .skip = !CAN_STEP || UNDER_ASAN || under_valgrind()

static void run_in_steps(const char *schedule)
{
    struct sigaction action
        = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    struct weir_device *device = device_open("default");
    int32_t *out = weir_new(device, int32_t, ITEMS, "out");
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.workers = 1;
    options.schedule = schedule;
    memset(&steps, 0, sizeof(steps));
    sigaction(SIGTRAP, &action, NULL);
    LAUNCH_SILENT(device, &meet, weir_nd_range_1d(ITEMS, ITEMS), &(step_args){ out },
                  &options);
    for (int32_t i = 0; i < ITEMS; i++) {
        ck_assert_int_eq(out[i], (i + 1) % ITEMS + ROUNDS - 1);
    }
    weir_device_free(device);
    ck_assert_msg(steps.wrong == NULL, "%s", steps.wrong);
    ck_assert_uint_gt(steps.n_in_kernel, 0);
#ifdef WEIRI_ASM
    ck_assert_uint_gt(steps.n_in_switch, 0);
    ck_assert_uint_gt(steps.n_ended, 0);
    ck_assert_uint_lt(steps.n_ended, steps.n_in_switch);
#endif
}

TEST(a_handler_may_interrupt_each_instruction_of_a_fast_launch, STEPPED)
{
    run_in_steps(NULL);
}

TEST(a_handler_may_interrupt_each_instruction_of_a_deterministic_launch, STEPPED)
{
    run_in_steps("in-order");
}

MAIN("switch")
