/* SPDX-License-Identifier: MIT
 *
 * heap.c: malloc() and free() of kernels. The heap is one memory of the device, of the
 * size that cudaLimitMallocHeapSize states, made before the first launch of a program
 * whose kernels use it: what a launch may access is known when it begins. Blocks are
 * given out once; what is freed is not used again until the end of the heap is reached,
 * so that two threads seldom get the same block. */
#include "config.h"

#include "cuda/heap.h"
#include "cuda/runtime.h"

#include <string.h>

enum { ALIGNMENT = 16 };

void *weiri_cuda_malloc(size_t bytes);
void weiri_cuda_free(void *block);

/* A block that is free. */
struct hole {
    char *start;
    size_t bytes;
};

static GMutex mutex; /* guards: */
static char *heap;
static size_t heap_bytes, used;
static GArray *holes;
static GHashTable *sizes; /* of blocks, outside of the heap: a kernel's heap has what
                             kernels have written */

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
    g_mutex_lock(&mutex);
    heap = start;
    heap_bytes = start != NULL ? bytes : 0;
    holes = g_array_new(FALSE, FALSE, sizeof(struct hole));
    sizes = g_hash_table_new(NULL, NULL);
    g_mutex_unlock(&mutex);
}

/* Called with the lock. */
static char *take_hole(size_t bytes)
{
    for (guint i = 0; holes != NULL && i < holes->len; i++) {
        struct hole hole = g_array_index(holes, struct hole, i);
        if (hole.bytes >= bytes) {
            g_array_remove_index_fast(holes, i);
            return hole.start;
        }
    }
    return NULL;
}

void *weiri_cuda_malloc(size_t bytes)
{
    size_t whole = (MAX(bytes, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *block = NULL;
    g_mutex_lock(&mutex);
    if (bytes <= heap_bytes && whole <= heap_bytes - used) {
        block = heap + used;
        used += whole;
    } else if (bytes <= heap_bytes) {
        block = take_hole(whole);
    }
    if (block != NULL) {
        g_hash_table_insert(sizes, block, GSIZE_TO_POINTER(whole));
    }
    g_mutex_unlock(&mutex);
    return block;
}

void weiri_cuda_free(void *block)
{
    g_mutex_lock(&mutex);
    size_t whole = block != NULL && sizes != NULL
        ? GPOINTER_TO_SIZE(g_hash_table_lookup(sizes, block))
        : 0;
    if (whole != 0) {
        struct hole hole = { block, whole };
        g_hash_table_remove(sizes, block);
        g_array_append_val(holes, hole);
    }
    g_mutex_unlock(&mutex);
}
