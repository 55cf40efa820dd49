/* SPDX-License-Identifier: MIT
 *
 * device.h: a device in the machine: the numbers of its profile, and its memory. */
#ifndef WEIRI_DEVICE_H
#define WEIRI_DEVICE_H

#include "weir-kernel.h"
#include "weir.h"

#include <pthread.h>

/* Linux allows about 32 000 guarded stacks a process (vm.max_map_count). */
enum { WEIRI_MAX_RESIDENT_ITEMS = 16384 };
enum { WEIRI_MAX_WORKERS = 256 };

struct weir_device {
    char *name;
    char *summary;
    uint64_t max_work_group_size;
    uint64_t local_mem_size;
    uint64_t compute_units;
    uint64_t sub_group_sizes; /* bit n: size n */
    uint64_t sub_group_size;
    uint64_t atomic_orders; /* bit memory_order_* */
    uint64_t atomic_scopes; /* bit memory_scope_* */
    uint64_t fence_orders;
    uint64_t fence_scopes;
    uint64_t atomic64;

    pthread_mutex_t lock; /* guards what follows */
    GHashTable *memory;   /* start address -> struct weiri_memory, owned */
    GQueue freed;         /* of the same, owned, the oldest first */
    size_t freed_bytes;   /* their sum */
    GQueue retired;       /* of struct weiri_retired, owned, the oldest first */
    bool poisons;         /* new memory is filled with weiri_memory_poison() */
};

/* The built-in profiles, generated from profiles; ends at a NULL name. */
struct weiri_profile_source {
    const char *name;
    const char *text;
};
extern const struct weiri_profile_source weiri_profile_sources[];

/** weir_device_new() without the environment variable WEIR_OPTIONS. */
struct weir_device *weiri_device_new(const char *profile, GError **error);

/** Frees a device without memory; see weiri_memory_free_all(). */
void weiri_device_free(struct weir_device *device);

/** Whether the device has all atomics and fences. */
bool weiri_device_unrestricted(const struct weir_device *device);

/**
 * weiri_device_objection:
 * @language: the language whose words the text uses
 * @op: an atomic or a fence
 *
 * Returns: (transfer full): what @op needs and the device lacks, as the end of a
 *          sentence: "scope device of atomics (it has work_item, …)"; or %NULL
 */
char *weiri_device_objection(const struct weir_device *device,
                             enum weir_language language,
                             const struct weiri_atomic_op *op);

#endif
