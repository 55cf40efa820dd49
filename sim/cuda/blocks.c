/* SPDX-License-Identifier: MIT
 *
 * blocks.c: the memory that CUDA's functions have allocated or registered, by address.
 * */
#include "config.h"

#include "cuda/runtime.h"

static GMutex mutex;    /* guards: */
static GTree *memories; /* first address: struct weiri_cuda_memory; owned */

static int compare(const void *a, const void *b, void *data)
{
    (void)data;
    return (uintptr_t)a < (uintptr_t)b ? -1 : (uintptr_t)a > (uintptr_t)b;
}

/* Called with the lock held. */
static const struct weiri_cuda_memory *find(const void *address)
{
    GTreeNode *node = memories != NULL ? g_tree_upper_bound(memories, address) : NULL;
    node = node != NULL    ? g_tree_node_previous(node)
        : memories != NULL ? g_tree_node_last(memories)
                           : NULL;
    const struct weiri_cuda_memory *found
        = node != NULL ? g_tree_node_value(node) : NULL;
    return found != NULL
            && (uintptr_t)address - (uintptr_t)found->start < MAX(found->bytes, 1)
        ? found
        : NULL;
}

struct weiri_cuda_memory weiri_cuda_memory_at(const void *address)
{
    g_mutex_lock(&mutex);
    const struct weiri_cuda_memory *found = find(address);
    struct weiri_cuda_memory memory = { .kind = WEIRI_CUDA_UNKNOWN };
    if (found != NULL) {
        memory = *found;
    }
    g_mutex_unlock(&mutex);
    const struct weiri_cuda_variable *variable
        = found == NULL ? weiri_cuda_variable_at(address) : NULL;
    if (variable != NULL) {
        memory = (struct weiri_cuda_memory){ weiri_cuda_variable_address(variable),
                                             variable->bytes, WEIRI_CUDA_VARIABLE, 0 };
    }
    return memory;
}

void weiri_cuda_memory_add(const struct weiri_cuda_memory *memory)
{
    g_mutex_lock(&mutex);
    if (memories == NULL) {
        memories = g_tree_new_full(compare, NULL, NULL, g_free);
    }
    g_tree_insert(memories, memory->start, g_memdup2(memory, sizeof(*memory)));
    g_mutex_unlock(&mutex);
}

bool weiri_cuda_memory_take(const void *start, unsigned kinds,
                            struct weiri_cuda_memory *memory)
{
    g_mutex_lock(&mutex);
    const struct weiri_cuda_memory *found
        = memories != NULL ? g_tree_lookup(memories, start) : NULL;
    bool fits = found != NULL && (kinds >> found->kind & 1) != 0;
    if (fits) {
        *memory = *found;
        g_tree_remove(memories, start);
    }
    g_mutex_unlock(&mutex);
    return fits;
}

struct sharing {
    void (*each)(const struct weiri_cuda_memory *memory, void *data);
    void *data;
};

static gboolean visit(void *key, void *value, void *data)
{
    (void)key;
    const struct weiri_cuda_memory *memory = value;
    const struct sharing *sharing = data;
    if (memory->kind != WEIRI_CUDA_DEVICE) {
        sharing->each(memory, sharing->data);
    }
    return FALSE;
}

void weiri_cuda_each_shared(void (*each)(const struct weiri_cuda_memory *memory,
                                         void *data),
                            void *data)
{
    struct sharing sharing = { each, data };
    g_mutex_lock(&mutex);
    if (memories != NULL) {
        g_tree_foreach(memories, visit, &sharing);
    }
    g_mutex_unlock(&mutex);
}

void weiri_cuda_memory_end(void)
{
    g_mutex_lock(&mutex);
    g_clear_pointer(&memories, g_tree_destroy);
    g_mutex_unlock(&mutex);
}
