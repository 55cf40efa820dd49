/* SPDX-License-Identifier: MIT
 *
 * builtins.c: the machine's builtins of OpenCL C, as functions of C on weir-kernel.h.
 * The clang at hand compiles this file with each program's kernels, and inlines what
 * they call; so it is installed as a source, with its parts, the headers. builtins.def
 * has the table, and says how functions are named and called.
 *
 * What is inlined into a kernel with hooks gets the hooks of the kernel, whose places
 * are those of the source. So a function here that reads what is not the program's
 * does it out of sight: by WEIRI_UNSEEN(), or in a function that is not inlined. */
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

/* A variable or an argument of a kernel in local memory: its name is that of the site.
 * The rewriter calls it at the start of the kernel; it is no builtin of OpenCL. */
OWN void *weiri_cl_local(void *item, const void *site, size_t count,
                         size_t element_bytes)
{
#if WEIRI_FAT == 2
    return weiri_array(item, count, element_bytes, site);
#else
    (void)item;
    return weiri_cl_array(site, count, element_bytes);
#endif
}

/* A private variable begins to live: rewrite-private.c. */
OWN void weiri_cl_private(void *item, const void *site, void *address, size_t count,
                          size_t element_bytes, const char *members)
{
    (void)item;
    weiri_private_variable(address, count, element_bytes, members, site);
}

/* A vector is accessed whose type asks for an alignment of @bytes:
 * rewrite-memory.c. */
OWN void weiri_cl_aligned(const void *address, size_t bytes, const char *type,
                          int writes)
{
    if (((uintptr_t)address & (bytes - 1)) != 0) {
        weiri_hook_copy(address, bytes, bytes, type, writes);
    }
}
