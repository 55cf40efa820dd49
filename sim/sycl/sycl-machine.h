/* SPDX-License-Identifier: MIT
 *
 * sycl-machine.h: the SYCL header's way into the library. C, and C++ where machine.hpp
 * includes it in a namespace of its own, so that it has no includes: before it comes
 * weir-machinery-shared.h. Everything here is called by the header alone. */
#ifndef WEIR_SYCL_MACHINE_H
#define WEIR_SYCL_MACHINE_H

/* ---- In kernels ---------------------------------------------------------------- */

/* A site as a pointer that no memory has: exec/site.h takes it apart. */
#define WEIRI_SITE_PACK(file, line)                                                    \
    ((uintptr_t)(file) | (uintptr_t)((line)&0xffffu) << 47 | (uintptr_t)1 << 63)

/** The site of a place, the same one for the same place. @function: "operator()" is the
 *  body of the kernel that runs */
const struct weir_site *weiri_sycl_site(const char *file, unsigned line,
                                        const char *function);

/** Adds text to what the items of the running command print. */
void weiri_sycl_print(const char *text, size_t bytes);

/* ---- Memory -------------------------------------------------------------------- */

enum weiri_sycl_kind {
    WEIRI_SYCL_UNKNOWN,
    WEIRI_SYCL_HOST,
    WEIRI_SYCL_DEVICE,
    WEIRI_SYCL_SHARED,
    WEIRI_SYCL_BUFFER,
};

/** Memory of the device, which reports name as the variable that line declares.
 *  Returns: NULL if the system refuses */
void *weiri_sycl_new(size_t bytes, enum weiri_sycl_kind kind, const char *file,
                     unsigned line);
/** Frees it; NULL is allowed. */
void weiri_sycl_free(void *memory);
/** Of memory that contains @address. */
enum weiri_sycl_kind weiri_sycl_kind_of(const void *address);

/* ---- The device ---------------------------------------------------------------- */

enum weiri_sycl_number {
    WEIRI_SYCL_MAX_WORK_GROUP_SIZE,
    WEIRI_SYCL_LOCAL_MEM_SIZE,
    WEIRI_SYCL_COMPUTE_UNITS,
    WEIRI_SYCL_SUB_GROUP_SIZE,
    WEIRI_SYCL_SUB_GROUP_SIZES,
    WEIRI_SYCL_ATOMIC_MEMORY_ORDERS,
    WEIRI_SYCL_ATOMIC_MEMORY_SCOPES,
    WEIRI_SYCL_FENCE_MEMORY_ORDERS,
    WEIRI_SYCL_FENCE_MEMORY_SCOPES,
    WEIRI_SYCL_ATOMIC64,
    WEIRI_SYCL_GLOBAL_MEM_SIZE,
};

uint64_t weiri_sycl_number_of(enum weiri_sycl_number which);
const char *weiri_sycl_device_name(void);
const char *weiri_sycl_version(void);

/* ---- Launches ------------------------------------------------------------------ */

/* An array of local memory, and where in the arguments its address goes. */
struct weiri_sycl_local {
    uint32_t k; /* the number of the array */
    uint32_t offset;
    size_t count;
    size_t element_bytes;
    const struct weir_site *site;
};

struct weiri_sycl_locals {
    uint32_t n; /* places of addresses; those of one array follow each other */
    const struct weiri_sycl_local *of;
};

enum weiri_sycl_error {
    WEIRI_SYCL_OK,
    WEIRI_SYCL_BAD_RANGE,
    WEIRI_SYCL_NO_MEMORY,
    WEIRI_SYCL_FINDINGS,
    WEIRI_SYCL_FAILED,
};

struct weiri_sycl_launch {
    const char *name; /* of the kernel; NULL: the place is its name */
    const char *file; /* of the launch */
    unsigned line;
    void (*fast)(struct weir_group *group, size_t first);
    void (*checked)(struct weir_group *group, size_t first); /* NULL: there is none */
    void (*checked_item)(void); /* what the kernel is inlined into there */
    uint32_t dim;
    size_t global[3];
    size_t local[3];
    const void *args;
    size_t args_bytes;
    uint32_t sub_group_size; /* 0: the device's */
    bool hierarchical;       /* the entries run once for a group */
    char message[256];       /* (out): of an error */
};

enum weiri_sycl_error weiri_sycl_run(struct weiri_sycl_launch *launch);

/** Nanoseconds of a clock that never goes back. */
uint64_t weiri_sycl_now(void);

#endif
