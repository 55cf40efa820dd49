/* SPDX-License-Identifier: MIT
 *
 * co.h: coroutines: a stack, the registers that a call preserves, and the
 * switch between two of them.
 *
 * Contexts are values that the caller keeps, one cache line each, so that a
 * ring of them lies densely in memory while the stacks lie far apart. The
 * return address stays on the stack and the switch ends in a plain return: a
 * switch called in tail position costs one call and one return, and the
 * processor's prediction of returns stays in step as long as all coroutines
 * wait at the same place.
 *
 * Floating-point control words are not saved: kernels share the default ones.
 * Every switch is announced to AddressSanitizer. Threads may not exchange contexts. */
#ifndef WEIRI_CO_H
#define WEIRI_CO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define WEIRI_CO_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIRI_CO_ASAN 1
#endif
#endif
#ifndef WEIRI_CO_ASAN
#define WEIRI_CO_ASAN 0
#endif

#ifdef WEIRI_ASM
/* The registers that the platform's call preserves; drawn in co_*.S. */
#if defined(__x86_64__)
#define WEIRI_CO_REGISTERS 8
#elif defined(__aarch64__)
#define WEIRI_CO_REGISTERS 24
#else
#error "no assembly for this processor: configure with --disable-asm"
#endif
#else
#include <ucontext.h>
#endif

struct weiri_co {
#ifdef WEIRI_ASM
    uint64_t registers[WEIRI_CO_REGISTERS];
#else
    ucontext_t context;
#endif
#if WEIRI_CO_ASAN
    void *fake;      /* ASan's own stack of the coroutine while it is suspended */
    const void *low; /* its stack's bounds */
    size_t bytes;
#endif
} __attribute__((aligned(64)));

/**
 * weiri_co_init:
 * @co: becomes a context that starts @entry when it is first switched to
 * @low: lowest byte of the stack
 * @bytes: of the stack
 * @entry: must call weiri_co_entered() first and must not return
 */
void weiri_co_init(struct weiri_co *co, void *low, size_t bytes, void (*entry)(void));

#ifdef WEIRI_ASM
/* The code that switches. Between them a stack is in use with another's registers. */
extern const char weiri_co_code_begin[] __attribute__((visibility("hidden")));
extern const char weiri_co_code_end[] __attribute__((visibility("hidden")));
#endif

/**
 * weiri_co_switch: suspends the caller in @save and continues @load.
 * weiri_co_start: the same for a @load that weiri_co_init() has just made.
 * weiri_co_jump: continues @load; the caller never runs again.
 * weiri_co_entered: the first act of every entry function.
 */
#if defined(WEIRI_ASM) && !WEIRI_CO_ASAN
void weiri_co_switch_bare(struct weiri_co *save, const struct weiri_co *load);
void weiri_co_start_bare(struct weiri_co *save, const struct weiri_co *load);
_Noreturn void weiri_co_jump_bare(const struct weiri_co *load);

static inline void weiri_co_switch(struct weiri_co *save, const struct weiri_co *load)
{
    weiri_co_switch_bare(save, load);
}

static inline void weiri_co_start(struct weiri_co *save, const struct weiri_co *load)
{
    weiri_co_start_bare(save, load);
}

static inline _Noreturn void weiri_co_jump(const struct weiri_co *load)
{
#if defined(__x86_64__)
    __asm__ volatile("jmp weiri_co_jump_bare" : : "D"(load) : "memory");
    __builtin_unreachable();
#else
    weiri_co_jump_bare(load);
#endif
}

/* The return address of the entry function is 0: without this debuggers print a frame
 * for it. */
static inline __attribute__((always_inline)) void weiri_co_entered(void)
{
#if defined(__GCC_HAVE_DWARF2_CFI_ASM) && defined(__x86_64__)
    __asm__ volatile(".cfi_undefined rip");
#elif defined(__GCC_HAVE_DWARF2_CFI_ASM) && defined(__aarch64__)
    __asm__ volatile(".cfi_undefined x30");
#endif
}
#else
void weiri_co_switch(struct weiri_co *save, const struct weiri_co *load);
void weiri_co_start(struct weiri_co *save, const struct weiri_co *load);
_Noreturn void weiri_co_jump(const struct weiri_co *load);
void weiri_co_entered(void);
#endif

#endif
