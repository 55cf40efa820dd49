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

/* Memory of OpenGL, which the device does not share. A program may call these without
 * asking for the extension, and loaders call what the table has. */
static cl_mem no_memory(cl_int *result)
{
    if (result != NULL) {
        *result = CL_INVALID_OPERATION;
    }
    return NULL;
}

static cl_mem CL_API_CALL no_buffer(cl_context context, cl_mem_flags flags,
                                    cl_GLuint name, cl_int *result)
{
    (void)context;
    (void)flags;
    (void)name;
    return no_memory(result);
}

static cl_mem CL_API_CALL no_texture(cl_context context, cl_mem_flags flags,
                                     cl_GLenum target, cl_GLint level, cl_GLuint name,
                                     cl_int *result)
{
    (void)target;
    (void)level;
    return no_buffer(context, flags, name, result);
}

static cl_int CL_API_CALL no_object(cl_mem memory, cl_gl_object_type *type,
                                    cl_GLuint *name)
{
    (void)memory;
    (void)type;
    (void)name;
    return CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL no_info(cl_mem memory, cl_gl_texture_info name, size_t room,
                                  void *value, size_t *bytes_ret)
{
    (void)memory;
    (void)name;
    (void)room;
    (void)value;
    (void)bytes_ret;
    return CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL no_objects(cl_command_queue queue, cl_uint n,
                                     const cl_mem *memories, cl_uint n_after,
                                     const cl_event *after, cl_event *event)
{
    (void)queue;
    (void)n;
    (void)memories;
    (void)n_after;
    (void)after;
    (void)event;
    return CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL no_context(const cl_context_properties *properties,
                                     cl_gl_context_info name, size_t room, void *value,
                                     size_t *bytes_ret)
{
    (void)properties;
    (void)name;
    (void)room;
    (void)value;
    (void)bytes_ret;
    return CL_INVALID_OPERATION;
}

static const cl_icd_dispatch entries = {
#define X(name) .name = name,
#include "opencl/icd-entries.def"
#undef X
    .clRetainDeviceEXT = clRetainDevice,
    .clReleaseDeviceEXT = clReleaseDevice,
    .clCreateFromGLBuffer = no_buffer,
    .clCreateFromGLRenderbuffer = no_buffer,
    .clCreateFromGLTexture2D = no_texture,
    .clCreateFromGLTexture3D = no_texture,
    .clCreateFromGLTexture = no_texture,
    .clGetGLObjectInfo = no_object,
    .clGetGLTextureInfo = no_info,
    .clEnqueueAcquireGLObjects = no_objects,
    .clEnqueueReleaseGLObjects = no_objects,
    .clGetGLContextInfoKHR = no_context,
};

/* When the library is loaded. */
__attribute__((constructor)) static void set_entries(void)
{
    weiri_icd_entries = &entries;
}
