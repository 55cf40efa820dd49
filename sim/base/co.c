/* SPDX-License-Identifier: MIT
 *
 * co.c: fresh contexts, and the switch as the rest of Weir calls it: bare
 * assembly or ucontext, announced to AddressSanitizer where it is on.
 *
 * A fresh stack on x86-64, as the first switch finds it:
 *
 *   top ->  +--------------------+
 *           | 0                  |  a return address that ends every backtrace
 *           | entry              |  <- rsp of the context: the switch returns here
 *           +--------------------+
 */
#include "config.h"

#include "base/co.h"

#include "base/assert.h"

#if WEIRI_CO_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

#ifdef WEIRI_ASM

#if WEIRI_CO_ASAN
void weiri_co_switch_bare(struct weiri_co *save, const struct weiri_co *load);
_Noreturn void weiri_co_jump_bare(const struct weiri_co *load);
#endif

static void set_entry(struct weiri_co *co, char *low, size_t bytes, void (*entry)(void))
{
    uintptr_t top = ((uintptr_t)low + bytes) & ~(uintptr_t)15;
#if defined(__x86_64__)
    co->registers[1] = 0; /* rbp: no frame above */
    uint64_t *frame = (uint64_t *)top - 2;
    frame[0] = (uintptr_t)entry;
    frame[1] = 0;
    co->registers[6] = (uintptr_t)frame;
#else
    co->registers[10] = 0;                /* x29: no frame above */
    co->registers[11] = (uintptr_t)entry; /* x30 */
    co->registers[12] = top;              /* sp */
#endif
}

#else

static void weiri_co_switch_bare(struct weiri_co *save, const struct weiri_co *load)
{
    int failed = swapcontext(&save->context, &load->context);
    weiri_assert(!failed);
}

static _Noreturn void weiri_co_jump_bare(const struct weiri_co *load)
{
    setcontext(&load->context);
    weiri_assert_fail("setcontext() returns", __FILE__, __LINE__);
}

static void set_entry(struct weiri_co *co, char *low, size_t bytes, void (*entry)(void))
{
    int failed = getcontext(&co->context);
    weiri_assert(!failed);
    co->context.uc_stack.ss_sp = low;
    co->context.uc_stack.ss_size = bytes;
    co->context.uc_link = NULL;
#if defined(__x86_64__) && defined(__GLIBC__)
    static const int kept[] = { REG_RBX, REG_R12, REG_R13, REG_R14, REG_R15 };
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
        co->context.uc_mcontext.gregs[kept[i]] = 0;
    }
#endif
    makecontext(&co->context, entry, 0);
}

#endif

#if WEIRI_CO_ASAN

/* The context that this thread switched away from last. After the first switch away
 * from the thread's own stack, ASan returns the bounds of that stack. */
static _Thread_local struct weiri_co *switched_from;

static void arrived(void *fake)
{
    const void *low;
    size_t bytes;
    __sanitizer_finish_switch_fiber(fake, &low, &bytes);
    if (switched_from != NULL) {
        switched_from->low = low;
        switched_from->bytes = bytes;
        switched_from = NULL;
    }
}

void weiri_co_entered(void)
{
    arrived(NULL);
}

void weiri_co_switch(struct weiri_co *save, const struct weiri_co *load)
{
    switched_from = save;
    __sanitizer_start_switch_fiber(&save->fake, load->low, load->bytes);
    weiri_co_switch_bare(save, load);
    arrived(save->fake);
}

void weiri_co_start(struct weiri_co *save, const struct weiri_co *load)
{
    weiri_co_switch(save, load);
}

_Noreturn void weiri_co_jump(const struct weiri_co *load)
{
    __sanitizer_start_switch_fiber(NULL, load->low, load->bytes);
    weiri_co_jump_bare(load);
}

#elif !defined(WEIRI_ASM)

void weiri_co_entered(void)
{
}

void weiri_co_switch(struct weiri_co *save, const struct weiri_co *load)
{
    weiri_co_switch_bare(save, load);
}

void weiri_co_start(struct weiri_co *save, const struct weiri_co *load)
{
    weiri_co_switch_bare(save, load);
}

_Noreturn void weiri_co_jump(const struct weiri_co *load)
{
    weiri_co_jump_bare(load);
}

#endif

void weiri_co_init(struct weiri_co *co, void *low, size_t bytes, void (*entry)(void))
{
    weiri_assert(bytes >= 1024);
    set_entry(co, low, bytes, entry);
#if WEIRI_CO_ASAN
    co->fake = NULL;
    co->low = low;
    co->bytes = bytes;
#endif
}
