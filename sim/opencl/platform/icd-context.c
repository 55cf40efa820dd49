/* SPDX-License-Identifier: MIT
 *
 * icd-context.c: contexts. There is one device, so a context is little more than its
 * properties. */
#include "config.h"

#include "opencl/platform/icd.h"

/* A callback for the end of a context. */
struct ended {
    void(CL_CALLBACK *callback)(cl_context context, void *user);
    cl_context context;
    void *user;
};

static void call_ended(void *data)
{
    struct ended *ended = data;
    ended->callback(ended->context, ended->user);
    g_free(ended);
}

/* Callbacks run in the reverse of the order in which they were set. */
static void clear_context(void *object)
{
    struct _cl_context *context = object;
    for (guint i = context->ended != NULL ? context->ended->len : 0; i > 0; i--) {
        weiri_icd_later(call_ended,
                        g_memdup2(&g_array_index(context->ended, struct ended, i - 1),
                                  sizeof(struct ended)));
    }
    g_clear_pointer(&context->ended, g_array_unref);
    g_free(context->properties);
}

static cl_int check_property(struct weiri_icd_call *call, cl_context_properties name,
                             cl_context_properties value)
{
    switch (name) {
    case CL_CONTEXT_PLATFORM:
        (void)weiri_icd_platform();
        return weiri_icd_is((const void *)value, WEIRI_ICD_PLATFORM)
            ? CL_SUCCESS
            : weiri_icd_fail(call, CL_INVALID_PLATFORM,
                             "CL_CONTEXT_PLATFORM is not the platform of Weir");
    case CL_CONTEXT_INTEROP_USER_SYNC:
        return value == CL_TRUE || value == CL_FALSE
            ? CL_SUCCESS
            : weiri_icd_fail(call, CL_INVALID_PROPERTY,
                             "CL_CONTEXT_INTEROP_USER_SYNC is 0x%llx, neither CL_TRUE "
                             "nor CL_FALSE",
                             (unsigned long long)value);
    default:
        return weiri_icd_fail(call, CL_INVALID_PROPERTY, "property 0x%llx",
                              (unsigned long long)name);
    }
}

/* Reads properties, which end with 0. @n: (out): how many there are with it */
static cl_int read_properties(struct weiri_icd_call *call,
                              const cl_context_properties *properties, size_t *n)
{
    *n = 0;
    for (size_t i = 0; properties != NULL && properties[i] != 0; i += 2) {
        cl_int code = check_property(call, properties[i], properties[i + 1]);
        for (size_t k = 0; code == CL_SUCCESS && k < i; k += 2) {
            code = properties[k] != properties[i]
                ? code
                : weiri_icd_fail(call, CL_INVALID_PROPERTY,
                                 "property 0x%llx is given twice",
                                 (unsigned long long)properties[i]);
        }
        if (code != CL_SUCCESS) {
            return code;
        }
        *n = i + 2;
    }
    *n += properties != NULL ? 1 : 0;
    return CL_SUCCESS;
}

typedef void(CL_CALLBACK *notify)(const char *text, const void *data, size_t bytes,
                                  void *user);

static cl_context create(struct weiri_icd_call *call,
                         const cl_context_properties *properties, notify on_error,
                         void *user, cl_int *result)
{
    size_t n;
    cl_int code = read_properties(call, properties, &n);
    if (code == CL_SUCCESS && on_error == NULL && user != NULL) {
        code = weiri_icd_fail(call, CL_INVALID_VALUE,
                              "data for a callback is given, but no callback");
    }
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    cl_context context
        = weiri_icd_new(sizeof(*context), WEIRI_ICD_CONTEXT, clear_context);
    context->properties = g_memdup2(properties, n * sizeof(*properties));
    context->n_properties = n;
    return context;
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(
    const cl_context_properties *properties, cl_uint n, const cl_device_id *devices,
    notify on_error, void *user, cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need_devices(&call, n, devices);
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    return create(&call, properties, on_error, user, result);
}

CL_API_ENTRY cl_context CL_API_CALL
clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                        notify on_error, void *user, cl_int *result)
{
    WEIRI_ICD_ENTER();
    size_t n;
    cl_int code = read_properties(&call, properties, &n);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_type(&call, type);
    }
    if (code == CL_SUCCESS && !weiri_icd_has_type(type)) {
        code = CL_DEVICE_NOT_FOUND;
    }
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    return create(&call, properties, on_error, user, result);
}

WEIRI_ICD_COUNTED(clRetainContext, clReleaseContext, cl_context, WEIRI_ICD_CONTEXT)

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context,
                                                 cl_context_info name, size_t room,
                                                 void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(context, WEIRI_ICD_CONTEXT);
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, context->object.references);
    case CL_CONTEXT_NUM_DEVICES:
        return weiri_icd_give_uint(&answer, 1);
    case CL_CONTEXT_DEVICES:
        return weiri_icd_give_pointer(&answer, weiri_icd_device());
    case CL_CONTEXT_PROPERTIES:
        return weiri_icd_give(&answer, context->properties,
                              context->n_properties * sizeof(cl_context_properties));
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(
    cl_context context, void(CL_CALLBACK *callback)(cl_context context, void *user),
    void *user)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS && callback == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "the callback is NULL");
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    if (context->ended == NULL) {
        context->ended = g_array_new(FALSE, FALSE, sizeof(struct ended));
    }
    const struct ended ended = { callback, context, user };
    g_array_append_val(context->ended, ended);
    return CL_SUCCESS;
}
