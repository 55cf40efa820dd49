/* SPDX-License-Identifier: MIT
 *
 * icd-platform.c: the platform, of which a process has one. */
#include "config.h"

#include "opencl/platform/icd.h"

static struct _cl_platform_id *platform;

cl_platform_id weiri_icd_platform(void)
{
    if (platform == NULL) {
        platform = weiri_icd_new(sizeof(*platform), WEIRI_ICD_PLATFORM, NULL);
    }
    return platform;
}

/* The program may give NULL. */
static cl_int need(struct weiri_icd_call *call, cl_platform_id given)
{
    (void)weiri_icd_platform();
    return given == NULL ? CL_SUCCESS : weiri_icd_need(call, given, WEIRI_ICD_PLATFORM);
}

static cl_int list(struct weiri_icd_call *call, cl_uint n, cl_platform_id *platforms,
                   cl_uint *n_ret)
{
    if ((n == 0 && platforms != NULL) || (platforms == NULL && n_ret == NULL)) {
        return weiri_icd_fail(call, CL_INVALID_VALUE, "no room for a platform");
    }
    if (platforms != NULL) {
        platforms[0] = weiri_icd_platform();
    }
    if (n_ret != NULL) {
        *n_ret = 1;
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint n, cl_platform_id *platforms,
                                                 cl_uint *n_ret)
{
    WEIRI_ICD_ENTER();
    return list(&call, n, platforms, n_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id given,
                                                  cl_platform_info name, size_t room,
                                                  void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    const cl_name_version icd = { CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd" };
    cl_int code = need(&call, given);
    if (code != CL_SUCCESS) {
        return code;
    }
    switch (name) {
    case CL_PLATFORM_PROFILE:
        return weiri_icd_give_text(&answer, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return weiri_icd_give_text(&answer, "OpenCL 3.0 Weir " PACKAGE_VERSION);
    case CL_PLATFORM_NUMERIC_VERSION:
        return weiri_icd_give_uint(&answer, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
        return weiri_icd_give_text(&answer, "Weir");
    case CL_PLATFORM_EXTENSIONS:
        return weiri_icd_give_text(&answer, "cl_khr_icd");
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return weiri_icd_give(&answer, &icd, sizeof(icd));
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return weiri_icd_give_text(&answer, "WEIR");
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return weiri_icd_give_ulong(&answer, 1);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler(void)
{
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id given)
{
    WEIRI_ICD_ENTER();
    return need(&call, given);
}
