/* SPDX-License-Identifier: MIT
 *
 * backtrace.c: see backtrace.h. Stacks are walked by the unwinder of C++ exceptions
 * (_Unwind_Backtrace() of the compiler's library), which needs no frame pointers: every
 * object has its tables. */
#include "config.h"

#include "base/backtrace.h"

#include <glib.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#ifdef HAVE_VALGRIND
#include <valgrind/memcheck.h>
#endif

/* ---- Calls --------------------------------------------------------------- */

const void *weiri_backtrace_function(const void *pc)
{
    return _Unwind_FindEnclosingFunction((void *)((uintptr_t)pc - 1));
}

struct capture {
    struct weiri_backtrace *calls;
    uintptr_t entry;
    const void *first; /* the innermost call that counts; NULL once it is found */
    bool found;
    uintptr_t low; /* the stack that the calls are on; @bytes is 0: not known */
    size_t bytes;
    uintptr_t at;  /* the stack pointer of the latest call */
    int n_skipped; /* calls before @first */
};

/* A handler of a signal that walks has fewer calls than this below the code that was
 * interrupted. */
enum { MOST_SKIPPED = 256 };

/* The walk of this thread that ends if it faults; NULL: none. */
static _Thread_local sigjmp_buf *walking;

/* Whether a call is where the calls that it has made leave room for it. */
static bool is_on_stack(struct capture *capture, struct _Unwind_Context *context)
{
    uintptr_t at = (uintptr_t)_Unwind_GetCFA(context); /* of the calls that it has made:
                                                          its own stack pointer */
    bool is_further = at >= capture->at && at - capture->low <= capture->bytes;
    capture->at = at;
    return capture->bytes == 0 || is_further;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data)
{
    struct capture *capture = data;
    int exact
        = 0; /* the instruction that a signal interrupted, and not the one after */
    uintptr_t pc = _Unwind_GetIPInfo(context, &exact);
    pc += pc != 0 && exact;
    if (capture->first != NULL) {
        if (pc != (uintptr_t)capture->first) {
            bool ends = pc == 0
                || (capture->bytes > 0 && capture->n_skipped++ == MOST_SKIPPED);
            return ends ? _URC_END_OF_STACK : _URC_NO_REASON;
        }
        capture->first = NULL;
    }
    if (pc == 0 || !is_on_stack(capture, context)
        || capture->calls->n == WEIRI_MOST_CALLS) {
        return _URC_END_OF_STACK;
    }
    capture->calls->pc[capture->calls->n++] = (const void *)pc;
    capture->found
        = (uintptr_t)weiri_backtrace_function((const void *)pc) == capture->entry;
    return capture->found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool weiri_backtrace_capture(struct weiri_backtrace *calls, const void *first,
                             const void *entry)
{
    calls->n = 0;
    struct capture capture
        = { .calls = calls, .entry = (uintptr_t)entry, .first = first };
    _Unwind_Backtrace(visit, &capture);
    return capture.found;
}

bool weiri_backtrace_capture_interrupted(struct weiri_backtrace *calls, const void *pc,
                                         const void *entry, const void *low,
                                         size_t bytes)
{
    calls->n = 0;
    struct capture capture = { .calls = calls,
                               .entry = (uintptr_t)entry,
                               .first = (const char *)pc + 1,
                               .low = (uintptr_t)low,
                               .bytes = bytes };
    sigjmp_buf back;
    if (sigsetjmp(back, 1) != 0) {
        walking = NULL;
        return false;
    }
    walking = &back;
    _Unwind_Backtrace(visit, &capture);
    walking = NULL;
    return capture.found;
}

void weiri_backtrace_give_up(void)
{
    if (walking != NULL) {
        siglongjmp(*walking, 1);
    }
}

unsigned weiri_backtrace_hash(const void *key)
{
    const struct weiri_backtrace *calls = key;
    uint64_t hash = calls->n;
    for (uint32_t i = 0; i < calls->n; i++) {
        hash = (hash ^ (uintptr_t)calls->pc[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    return (unsigned)hash;
}

int weiri_backtrace_equal(const void *a, const void *b)
{
    const struct weiri_backtrace *first = a, *second = b;
    return first->n == second->n
        && memcmp(first->pc, second->pc, first->n * sizeof(*first->pc)) == 0;
}

/* ---- Fingerprints -------------------------------------------------------- */

/* A fingerprint reads all of a stack, uninitialised bytes and red zones included. */
#if defined(__clang__)
#define UNSANITIZED __attribute__((no_sanitize("address")))
#else
#define UNSANITIZED __attribute__((no_sanitize_address))
#endif

/* The DWARF numbers of the registers that a call keeps. */
#if defined(__x86_64__)
static const int kept_registers[] = { 3, 6, 12, 13, 14, 15 };
#elif defined(__aarch64__)
static const int kept_registers[] = { 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29 };
#else
static const int kept_registers[] = { 0 };
#endif

struct fingerprint {
    uintptr_t caller;
    uintptr_t top;
    uint64_t hash;
};

UNSANITIZED static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

UNSANITIZED static _Unwind_Reason_Code visit_caller(struct _Unwind_Context *context,
                                                    void *data)
{
    struct fingerprint *print = data;
    if (_Unwind_GetIP(context) != print->caller) {
        return _Unwind_GetIP(context) == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kept_registers); i++) {
        print->hash = mix(print->hash, _Unwind_GetGR(context, kept_registers[i]));
    }
    const uint64_t *end = (const uint64_t *)print->top;
    const uint64_t *at = (const uint64_t *)(_Unwind_GetCFA(context) & ~(uintptr_t)7);
    for (; at < end; at++) {
        print->hash = mix(print->hash, *at);
    }
    return _URC_END_OF_STACK;
}

uint64_t weiri_backtrace_fingerprint(const void *caller, const void *top)
{
    struct fingerprint print = { (uintptr_t)caller, (uintptr_t)top, (uintptr_t)caller };
    _Unwind_Backtrace(visit_caller, &print);
#ifdef HAVE_VALGRIND
    /* Uninitialised bytes may be read; they are the same every time. */
    VALGRIND_MAKE_MEM_DEFINED(&print.hash, sizeof(print.hash));
#endif
    return print.hash;
}
