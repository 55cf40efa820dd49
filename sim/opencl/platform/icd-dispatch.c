/* SPDX-License-Identifier: MIT
 *
 * icd-dispatch.c: how loaders find the entry points: the table that each object begins
 * with. No other file knows this one, since it refers to nearly all. */
#include "config.h"

#include "opencl/platform/icd.h"

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

/* The same of Direct3D, DirectX and EGL. Where their types are unknown, the header has
 * void pointers in their place, and as the slots of functions. */
static cl_mem CL_API_CALL no_resource(cl_context context, cl_mem_flags flags,
                                      void *resource, cl_int *result)
{
    (void)resource;
    return no_buffer(context, flags, 0, result);
}

static cl_mem CL_API_CALL no_subresource(cl_context context, cl_mem_flags flags,
                                         void *resource, unsigned part, cl_int *result)
{
    (void)part;
    return no_resource(context, flags, resource, result);
}

static cl_mem CL_API_CALL no_surface(cl_context context, cl_mem_flags flags,
                                     cl_uint adapter, void *surface, cl_uint plane,
                                     cl_int *result)
{
    (void)adapter;
    return no_subresource(context, flags, surface, plane, result);
}

static cl_mem CL_API_CALL no_egl_image(cl_context context, CLeglDisplayKHR display,
                                       CLeglImageKHR image, cl_mem_flags flags,
                                       const cl_egl_image_properties_khr *properties,
                                       cl_int *result)
{
    (void)display;
    (void)properties;
    return no_resource(context, flags, image, result);
}

static cl_event CL_API_CALL no_egl_event(cl_context context, CLeglSyncKHR sync,
                                         CLeglDisplayKHR display, cl_int *result)
{
    (void)context;
    (void)sync;
    (void)display;
    (void)no_memory(result);
    return NULL;
}

static cl_event CL_API_CALL no_gl_event(cl_context context, cl_GLsync sync,
                                        cl_int *result)
{
    (void)sync;
    return no_egl_event(context, NULL, NULL, result);
}

static cl_int CL_API_CALL no_devices(cl_platform_id platform, cl_uint source,
                                     void *object, cl_uint set, cl_uint room,
                                     cl_device_id *devices, cl_uint *n_ret)
{
    (void)platform;
    (void)source;
    (void)object;
    (void)set;
    (void)room;
    (void)devices;
    (void)n_ret;
    return CL_INVALID_OPERATION;
}

static cl_int CL_API_CALL no_adapters(cl_platform_id platform, cl_uint n, void *types,
                                      void *adapters, cl_uint set, cl_uint room,
                                      cl_device_id *devices, cl_uint *n_ret)
{
    (void)types;
    return no_devices(platform, n, adapters, set, room, devices, n_ret);
}

static cl_int CL_API_CALL no_parts(cl_device_id device,
                                   const cl_device_partition_property_ext *properties,
                                   cl_uint room, cl_device_id *devices, cl_uint *n_ret)
{
    (void)device;
    (void)properties;
    (void)room;
    (void)devices;
    (void)n_ret;
    return CL_INVALID_OPERATION;
}

/* Every slot has a function: loaders jump through them, and look at none. */
static const cl_icd_dispatch entries = {
#define X(name) .name = name,
#include "opencl/platform/icd-entries.def"
#undef X
    .clCreateSubDevicesEXT = no_parts,
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
    .clCreateEventFromGLsyncKHR = no_gl_event,
    .clCreateFromEGLImageKHR = no_egl_image,
    .clEnqueueAcquireEGLObjectsKHR = no_objects,
    .clEnqueueReleaseEGLObjectsKHR = no_objects,
    .clCreateEventFromEGLSyncKHR = no_egl_event,
    .clGetDeviceIDsFromD3D10KHR = (void *)no_devices,
    .clCreateFromD3D10BufferKHR = (void *)no_resource,
    .clCreateFromD3D10Texture2DKHR = (void *)no_subresource,
    .clCreateFromD3D10Texture3DKHR = (void *)no_subresource,
    .clEnqueueAcquireD3D10ObjectsKHR = (void *)no_objects,
    .clEnqueueReleaseD3D10ObjectsKHR = (void *)no_objects,
    .clGetDeviceIDsFromD3D11KHR = (void *)no_devices,
    .clCreateFromD3D11BufferKHR = (void *)no_resource,
    .clCreateFromD3D11Texture2DKHR = (void *)no_subresource,
    .clCreateFromD3D11Texture3DKHR = (void *)no_subresource,
    .clEnqueueAcquireD3D11ObjectsKHR = (void *)no_objects,
    .clEnqueueReleaseD3D11ObjectsKHR = (void *)no_objects,
    .clGetDeviceIDsFromDX9MediaAdapterKHR = (void *)no_adapters,
    .clCreateFromDX9MediaSurfaceKHR = (void *)no_surface,
    .clEnqueueAcquireDX9MediaSurfacesKHR = (void *)no_objects,
    .clEnqueueReleaseDX9MediaSurfacesKHR = (void *)no_objects,
};

/* When the library is loaded. */
__attribute__((constructor)) static void set_entries(void)
{
    weiri_icd_entries = &entries;
}
