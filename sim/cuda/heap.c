/* SPDX-License-Identifier: MIT
 *
 * heap.c: malloc() and free() of kernels. The heap is one memory of the device, of the
 * size that cudaLimitMallocHeapSize states, made before the first launch of a program
 * whose kernels use it: what a launch may access is known when it begins. Blocks are
 * given out once; what is freed is not used again until the end of the heap is reached,
 * so that an access after free() is found. A thread that gets memory which another one
 * has freed comes after it: free() gives what malloc() takes. */
#include "config.h"

#include "cuda/heap.h"
#include "cuda/runtime.h"
#include "exec/memory.h"

#include <string.h>

enum { ALIGNMENT = 16 };

void *weiri_cuda_malloc(size_t bytes);
void weiri_cuda_free(void *block);

/* A block, which is free after weiri_cuda_free(). */
struct block {
    char *start;
    size_t bytes; /* as requested, */
    size_t whole; /* and with what lies between it and the next one */
    bool live;
    uint64_t channel; /* of the thread that has freed it: see weiri_running_gives() */
};

static GMutex mutex; /* guards: */
static char *heap;
static size_t heap_bytes, used;
static GArray *blocks;  /* in order of addresses. Outside of the heap: a kernel's heap
                            has what kernels have written */
static guint next_free; /* where the search for freed blocks goes on */

/* The block with that address, or the last one before it; NULL: there is none. Called
 * with the lock. */
static struct block *block_at(const volatile char *address)
{
    guint from = 0, to = blocks != NULL ? blocks->len : 0;
    while (from < to) {
        guint middle = from + (to - from) / 2;
        if (g_array_index(blocks, struct block, middle).start <= address) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from > 0 ? &g_array_index(blocks, struct block, from - 1) : NULL;
}

static enum weiri_part part_of(const volatile void *address, size_t bytes)
{
    g_mutex_lock(&mutex);
    const struct block *block = block_at(address);
    size_t offset = block == NULL ? 0
                                  : (size_t)((const volatile char *)address
                                             - (const volatile char *)block->start);
    bool inside
        = block != NULL && offset <= block->bytes && bytes <= block->bytes - offset;
    enum weiri_part part = !inside ? WEIRI_PART_NONE
        : block->live              ? WEIRI_PART_LIVE
                                   : WEIRI_PART_FREED;
    g_mutex_unlock(&mutex);
    return part;
}

void weiri_cuda_heap_begin(void)
{
    g_mutex_lock(&mutex);
    bool made = heap != NULL;
    g_mutex_unlock(&mutex);
    size_t bytes = *weiri_cuda_limit(cudaLimitMallocHeapSize);
    struct weir_device *device = weiri_cuda_device();
    if (made || device == NULL) {
        return;
    }
    char *start = weir_memory_new(device, bytes, 1, "the heap of kernels", NULL);
    weiri_memory_divide(device, start, part_of);
    g_mutex_lock(&mutex);
    heap = start;
    heap_bytes = start != NULL ? bytes : 0;
    blocks = g_array_new(FALSE, FALSE, sizeof(struct block));
    g_mutex_unlock(&mutex);
}

/* Freed blocks next to each other that have enough bytes: the first one at or after
 * @from, and their number in @n. Returns: its index, or that of no block. Called with
 * the lock. */
static guint find_free(guint from, size_t whole, guint *n)
{
    size_t sum = 0;
    *n = 0;
    for (guint i = from; i < blocks->len && sum < whole; i++) {
        const struct block *block = &g_array_index(blocks, struct block, i);
        *n = block->live ? 0 : *n + 1;
        from = block->live ? i + 1 : from;
        sum = block->live ? 0 : sum + block->whole;
    }
    return sum >= whole ? from : blocks->len;
}

/* Makes one block of @n freed ones, and another one of what the last has too much.
 * Called with the lock, in the item that gets the block. */
static struct block *join_free(guint first, guint n, size_t whole)
{
    struct block *block = &g_array_index(blocks, struct block, first);
    size_t sum = 0;
    for (guint i = 0; i < n; i++) {
        sum += block[i].whole;
        weiri_running_takes(block[i].channel);
    }
    struct block rest = block[n - 1];
    rest.start = block->start + whole;
    rest.bytes = rest.whole = sum - whole;
    block->whole = whole;
    g_array_remove_range(blocks, first + 1, n - 1);
    if (rest.whole > 0) {
        g_array_insert_val(blocks, first + 1, rest);
    }
    next_free = first + 1;
    return &g_array_index(blocks, struct block, first);
}

/* Called with the lock. */
static struct block *take_free(size_t whole)
{
    guint n, first = find_free(next_free, whole, &n);
    if (first >= blocks->len) {
        first = find_free(0, whole, &n);
    }
    return first < blocks->len ? join_free(first, n, whole) : NULL;
}

/* Called with the lock. */
static struct block *add_block(size_t whole)
{
    const struct block block = { .start = heap + used, .whole = whole };
    used += whole;
    g_array_append_val(blocks, block);
    return &g_array_index(blocks, struct block, blocks->len - 1);
}

void *weiri_cuda_malloc(size_t bytes)
{
    struct block *block = NULL;
    g_mutex_lock(&mutex);
    if (bytes < heap_bytes) {
        /* The byte after a block is in none. */
        size_t whole = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
        block = whole <= heap_bytes - used ? add_block(whole) : take_free(whole);
    }
    if (block != NULL) {
        block->bytes = bytes;
        block->live = true;
    }
    void *start = block != NULL ? block->start : NULL;
    g_mutex_unlock(&mutex);
    return start;
}

void weiri_cuda_free(void *start)
{
    g_mutex_lock(&mutex);
    struct block *block = block_at(start);
    bool begins = block != NULL && block->start == start, frees = begins && block->live;
    if (frees) {
        block->live = false;
        block->channel = weiri_running_gives();
    }
    g_mutex_unlock(&mutex);
    if (start != NULL && !frees) {
        weiri_assert_failed_at(begins
                                   ? "free() or delete of a block that is freed already"
                                   : "free() or delete of what is not the start of a "
                                     "block of malloc() or new",
                               __builtin_return_address(0));
    }
}
