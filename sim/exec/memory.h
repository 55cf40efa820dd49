/* SPDX-License-Identifier: MIT
 *
 * memory.h: device memory: what weir_new() gave out, with its name. */
#ifndef WEIRI_MEMORY_H
#define WEIRI_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct weir_device;
struct weiri_group;

struct weiri_memory {
    void *start;
    size_t bytes;         /* as asked for */
    size_t element_bytes; /* the same */
    size_t mapped_bytes;  /* whole pages */
    char *name;
};

/**
 * weiri_memory_name:
 * @group: whose local memory is looked at too
 * @index: (out): the element of the object
 *
 * Returns: (transfer full): the name of the object that holds @address, "local array
 *          of FILE:LINE" for local memory; or %NULL
 */
char *weiri_memory_name(const struct weir_device *device,
                        const struct weiri_group *group, const volatile void *address,
                        uint64_t *index);

/** A number that tells the contents of all memory of the device, and of the program's
 *  statics, from others. */
uint64_t weiri_memory_fingerprint(const struct weir_device *device);

/** @hash with @bytes more at @data. */
uint64_t weiri_fingerprint(uint64_t hash, const void *data, size_t bytes);

/** Unmaps all memory of the device; its table is gone after it. */
void weiri_memory_free_all(struct weir_device *device);

#endif
