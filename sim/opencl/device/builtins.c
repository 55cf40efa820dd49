/* SPDX-License-Identifier: MIT
 *
 * builtins.c: the machine's builtins of OpenCL C, as functions of C on weir-kernel.h.
 * The clang at hand compiles this file with each program's kernels, and inlines the
 * functions that they call; so it is installed as a source, with its parts, the
 * headers. builtins.def has the table, and says how functions are named and called.
 *
 * A function that is inlined into a kernel with hooks gets hooks, too, with the places
 * of the kernel's source. So a function here that reads memory which is not the
 * program's does it out of sight: by WEIRI_UNSEEN(), or in a function that is not
 * inlined. */
#include <weir-kernel.h>

#include "arguments.h"

#define OWN WEIRI_UNINSTRUMENTED __attribute__((always_inline))
#define HELPER static OWN __attribute__((unused))

/* Nothing but kernels calls these functions, by the table. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include "builtins-ids.h"

#include "builtins-groups.h"

#include "builtins-atomic.h"

#include "builtins-copy.h"

#include "builtins-print.h"

#include "builtins-image.h"

/* ---- Variables -------------------------------------------------------------- */

void weiri_hook_copy(const void *address, size_t alignment, size_t bytes,
                     const char *type, int writes);

/* To the compiler it reads and writes nothing: it is called once for a group; or not at
 * all, where nothing uses the array. */
__attribute__((const, nothrow)) void *weiri_cl_array(const void *site, size_t count,
                                                     size_t element_bytes);

/* A variable or an argument of a kernel in local memory, with the name of the site.
 * weir-opencl-cc calls this function at the start of the kernel; it is not a builtin of
 * OpenCL. Entries without stacks find the address in the group's own arguments, @slot
 * bytes after their start, unless @slot is 0. */
OWN void *weiri_cl_local(void *item, const void *site, size_t count,
                         size_t element_bytes, size_t slot)
{
#if WEIRI_FAT == 2
    (void)slot;
    return weiri_array(item, count, element_bytes, site);
#else
    const struct weir_item *self = item;
    if (WEIRI_SPLIT && slot != 0) {
        return *(void *const *)((const char *)self->args + slot);
    }
    return weiri_cl_array(site, count, element_bytes);
#endif
}

/* Puts it there, before the group's first item runs. */
OWN void weiri_cl_keep(void *to, const void *site, size_t count, size_t element_bytes)
{
    *(void **)to = weiri_cl_array(site, count, element_bytes);
}

/* A private variable begins to live: sim/opencl-cc/private.c. */
OWN void weiri_cl_private(void *item, const void *site, void *address, size_t count,
                          size_t element_bytes, const char *members)
{
    (void)item;
    weiri_private_variable(address, count, element_bytes, members, site);
}

/* A vector is accessed whose type asks for an alignment of @bytes:
 * sim/opencl-cc/accesses.c. */
OWN void weiri_cl_aligned(const void *address, size_t bytes, const char *type,
                          int writes)
{
    if (((uintptr_t)address & (bytes - 1)) != 0) {
        weiri_hook_copy(address, bytes, bytes, type, writes);
    }
}
