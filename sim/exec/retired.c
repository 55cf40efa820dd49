/* SPDX-License-Identifier: MIT
 *
 * retired.c: see retired.h. What is kept is address space and a few names. Sites are
 * in the
 * program's own memory, which a launch may outlive where the program unloads a part of
 * itself: so names are made when a launch is over. */
#include "config.h"

#include "exec/retired.h"

#include "exec/device.h"
#include "exec/object.h"

#include <sys/mman.h>

/* Launches that are kept: a pointer is mostly used in the next one. */
enum { MOST_LAUNCHES = 8 };

struct weiri_retired {
    char *base;
    size_t bytes;
    GArray *arrays; /* of struct weiri_object, owned, whose names are, too */
};

static void clear_array(void *data)
{
    g_free((char *)((struct weiri_object *)data)->name);
}

static void free_past(void *data)
{
    struct weiri_retired *past = data;
    munmap(past->base, past->bytes);
    g_array_unref(past->arrays);
    g_free(past);
}

void weiri_retired_keep(struct weir_device *device, char *base, size_t bytes,
                        GArray *arrays)
{
    struct weiri_retired *past = g_new(struct weiri_retired, 1);
    *past = (struct weiri_retired){ base, bytes, arrays };
    for (guint i = 0; i < arrays->len; i++) {
        struct weiri_object *array = &g_array_index(arrays, struct weiri_object, i);
        array->name = weiri_object_name(array, array->start);
        array->site = NULL;
        array->kind = WEIRI_OBJECT_PAST;
        array->bytes = 0;
    }
    g_array_set_clear_func(arrays, clear_array);
    if (mmap(base, bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0)
        == MAP_FAILED) {
        free_past(past);
        return;
    }
    pthread_mutex_lock(&device->lock);
    g_queue_push_tail(&device->past, past);
    struct weiri_retired *oldest
        = device->past.length > MOST_LAUNCHES ? g_queue_pop_head(&device->past) : NULL;
    pthread_mutex_unlock(&device->lock);
    if (oldest != NULL) {
        free_past(oldest);
    }
}

void weiri_retired_each(const struct weir_device *device,
                        void (*add)(const struct weiri_object *array, void *data),
                        void *data)
{
    for (const GList *one = device->past.head; one != NULL; one = one->next) {
        const struct weiri_retired *past = one->data;
        for (guint i = 0; i < past->arrays->len; i++) {
            add(&g_array_index(past->arrays, struct weiri_object, i), data);
        }
    }
}

struct search {
    const char *at;
    const struct weiri_object *found;
};

static void compare(const struct weiri_object *array, void *data)
{
    struct search *search = data;
    if (search->at >= array->low && search->at < array->high) {
        search->found = array;
    }
}

bool weiri_retired_tell(const struct weir_device *device, const void *address,
                        char *text, size_t room)
{
    struct search search = { address, NULL };
    pthread_mutex_t *lock = (pthread_mutex_t *)&device->lock;
    if (pthread_mutex_trylock(lock) != 0) {
        return false;
    }
    weiri_retired_each(device, compare, &search);
    if (search.found != NULL) {
        g_snprintf(text, room,
                   "%s[%" G_GINT64_FORMAT "], local memory of an earlier launch",
                   search.found->name, weiri_object_index(search.found, address));
    }
    pthread_mutex_unlock(lock);
    return search.found != NULL;
}

void weiri_retired_free_all(struct weir_device *device)
{
    g_queue_clear_full(&device->past, free_past);
}
