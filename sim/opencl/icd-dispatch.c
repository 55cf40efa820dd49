/* SPDX-License-Identifier: MIT
 *
 * icd-dispatch.c: how loaders find the entry points: the table that each object begins
 * with. No other file knows this one, since it refers to nearly all. */
#include "config.h"

#include "opencl/icd.h"

#include <string.h>

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n,
                                                       cl_platform_id *platforms,
                                                       cl_uint *n_ret)
{
    return clGetPlatformIDs(n, platforms, n_ret);
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return name != NULL && strcmp(name, "clIcdGetPlatformIDsKHR") == 0
        ? (void *)clIcdGetPlatformIDsKHR
        : NULL;
}

CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform(cl_platform_id given, const char *name)
{
    (void)given;
    return clGetExtensionFunctionAddress(name);
}

static const cl_icd_dispatch entries = {
#define X(name) .name = name,
#include "opencl/icd-entries.def"
#undef X
};

/* When the library is loaded. */
__attribute__((constructor)) static void set_entries(void)
{
    weiri_icd_entries = &entries;
}
