/* SPDX-License-Identifier: MIT
 *
 * memory.h: device memory: what weir_new() gave out, with its name. */
#ifndef WEIRI_MEMORY_H
#define WEIRI_MEMORY_H

#include <stddef.h>

struct weir_device;

struct weiri_memory {
    void *start;
    size_t bytes;        /* as asked for */
    size_t mapped_bytes; /* whole pages */
    char *name;
};

/** Unmaps all memory of the device; its table is gone after it. */
void weiri_memory_free_all(struct weir_device *device);

#endif
