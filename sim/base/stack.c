/* SPDX-License-Identifier: MIT
 *
 * stack.c: see stack.h for the layout. */
#include "config.h"

#include "base/stack.h"

#include "base/assert.h"
#include "base/co.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HAVE_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(low, bytes) ((void)(low))
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif
#if WEIRI_CO_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* Large enough that a frame which skips a page still hits it. */
enum { GUARD_BYTES = 64 * 1024 };
/* Tops are two cache lines apart and fill the 4 KiB of one way of a level-1 cache, so
 * that only every COLOURS-th stack uses the same sets. */
enum { COLOUR_BYTES = 128, COLOURS = 32 };

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

bool weiri_stacks_init(struct weiri_stacks *stacks, size_t stack_bytes,
                       uint32_t capacity, const char **reason)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t mapped
        = round_up(stack_bytes, page) + round_up(COLOUR_BYTES * COLOURS, page);
    size_t guard = round_up(GUARD_BYTES, page);
    if ((mapped + guard) / page % 2 == 0) {
        guard += page;
    }
    *stacks = (struct weiri_stacks){ .stride = mapped + guard,
                                     .guard_bytes = guard,
                                     .stack_bytes = stack_bytes,
                                     .capacity = capacity };
    if (capacity > SIZE_MAX / 2 / stacks->stride) {
        *reason = "the address space is too small";
        return false;
    }
    void *base = mmap(NULL, capacity * stacks->stride, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        *reason = strerror(errno);
        return false;
    }
    stacks->base = base;
    stacks->free = g_new(uint32_t, capacity);
    stacks->valgrind = g_new(unsigned, capacity);
    return true;
}

void weiri_stacks_clear(struct weiri_stacks *stacks)
{
    if (stacks->base == NULL) {
        return;
    }
    for (uint32_t id = 0; id < stacks->n_mapped; id++) {
        VALGRIND_STACK_DEREGISTER(stacks->valgrind[id]);
    }
    munmap(stacks->base, stacks->capacity * stacks->stride);
    g_free(stacks->free);
    g_free(stacks->valgrind);
    *stacks = (struct weiri_stacks){ 0 };
}

static char *low_end(const struct weiri_stacks *stacks, uint32_t id)
{
    return stacks->base + id * stacks->stride + stacks->guard_bytes;
}

void *weiri_stacks_bounds(const struct weiri_stacks *stacks, uint32_t id, size_t *bytes)
{
#if WEIRI_CO_ASAN
    /* The frames of an abandoned coroutine are still marked. */
    __asan_unpoison_memory_region(low_end(stacks, id),
                                  stacks->stride - stacks->guard_bytes);
#endif
    *bytes = stacks->stride - stacks->guard_bytes - id % COLOURS * COLOUR_BYTES;
    return low_end(stacks, id);
}

void weiri_stacks_clean(const struct weiri_stacks *stacks, uint32_t id,
                        size_t most_bytes)
{
    size_t bytes;
    char *low = weiri_stacks_bounds(stacks, id, &bytes);
    size_t clean = MIN(bytes, most_bytes);
    /* A coroutine has left these bytes below its stack pointer. */
    VALGRIND_MAKE_MEM_UNDEFINED(low + bytes - clean, clean);
    memset(low + bytes - clean, 0, clean);
}

uint32_t weiri_stacks_acquire(struct weiri_stacks *stacks)
{
    uint32_t id;
    if (stacks->n_free > 0) {
        id = stacks->free[--stacks->n_free];
    } else {
        if (stacks->n_mapped == stacks->capacity) {
            return WEIRI_NO_STACK;
        }
        id = stacks->n_mapped;
        size_t bytes = stacks->stride - stacks->guard_bytes;
        if (mprotect(low_end(stacks, id), bytes, PROT_READ | PROT_WRITE) != 0) {
            return WEIRI_NO_STACK;
        }
        stacks->valgrind[id]
            = VALGRIND_STACK_REGISTER(low_end(stacks, id), low_end(stacks, id) + bytes);
        stacks->n_mapped++;
    }
    return id;
}

void weiri_stacks_release(struct weiri_stacks *stacks, uint32_t id)
{
    weiri_assert_slow(id < stacks->n_mapped && stacks->n_free < stacks->n_mapped);
    stacks->free[stacks->n_free++] = id;
}

uint32_t weiri_stacks_find(const struct weiri_stacks *stacks, const void *address,
                           bool *in_guard)
{
    uintptr_t offset = (uintptr_t)address - (uintptr_t)stacks->base;
    if (stacks->base == NULL || offset >= stacks->capacity * stacks->stride) {
        return WEIRI_NO_STACK;
    }
    if (in_guard != NULL) {
        *in_guard = offset % stacks->stride < stacks->guard_bytes;
    }
    return (uint32_t)(offset / stacks->stride);
}
