/* SPDX-License-Identifier: MIT
 *
 * icd-sampler.c: see icd-sampler.h. A sampler is checked when it is created, and
 * becomes the number of flags that kernels get (image.h). */
#include "config.h"

#include "opencl/platform/icd-sampler.h"

#include "opencl/device/image.h"

static void clear_sampler(void *object)
{
    struct _cl_sampler *sampler = object;
    g_free(sampler->properties);
    weiri_icd_unuse(sampler->context);
}

/* -1 for a number that is not a mode. */
static int addressing_flags(cl_addressing_mode mode)
{
    switch (mode) {
    case CL_ADDRESS_NONE:
        return WEIRI_SAMPLER_ADDRESS_NONE;
    case CL_ADDRESS_CLAMP_TO_EDGE:
        return WEIRI_SAMPLER_CLAMP_TO_EDGE;
    case CL_ADDRESS_CLAMP:
        return WEIRI_SAMPLER_CLAMP;
    case CL_ADDRESS_REPEAT:
        return WEIRI_SAMPLER_REPEAT;
    case CL_ADDRESS_MIRRORED_REPEAT:
        return WEIRI_SAMPLER_MIRRORED_REPEAT;
    default:
        return -1;
    }
}

static cl_sampler create(struct weiri_icd_call *call, cl_context context,
                         cl_bool normalized, cl_addressing_mode addressing,
                         cl_filter_mode filter, cl_int *result)
{
    cl_int code = weiri_icd_need(call, context, WEIRI_ICD_CONTEXT);
    int mode = addressing_flags(addressing);
    bool repeats
        = addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT;
    if (code == CL_SUCCESS
        && (mode < 0 || (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR)
            || (repeats && normalized == CL_FALSE))) {
        code = weiri_icd_fail(call, CL_INVALID_VALUE, "addressing 0x%x, filter 0x%x%s",
                              addressing, filter,
                              repeats ? ": it needs normalised coordinates" : "");
    }
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    cl_sampler sampler
        = weiri_icd_new(sizeof(*sampler), WEIRI_ICD_SAMPLER, clear_sampler);
    sampler->context = weiri_icd_use(context);
    sampler->normalized = normalized != CL_FALSE;
    sampler->addressing = addressing;
    sampler->filter = filter;
    sampler->flags = (uint32_t)mode
        | (normalized != CL_FALSE ? WEIRI_SAMPLER_NORMALIZED : 0)
        | (filter == CL_FILTER_LINEAR ? WEIRI_SAMPLER_LINEAR : WEIRI_SAMPLER_NEAREST);
    return sampler;
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context,
                                                    cl_bool normalized,
                                                    cl_addressing_mode addressing,
                                                    cl_filter_mode filter,
                                                    cl_int *result)
{
    WEIRI_ICD_ENTER();
    return create(&call, context, normalized, addressing, filter, result);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties *properties, cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    size_t n = 0;
    for (; properties != NULL && properties[n] != 0; n += 2) {
        switch (properties[n]) {
        case CL_SAMPLER_NORMALIZED_COORDS:
            normalized = (cl_bool)properties[n + 1];
            break;
        case CL_SAMPLER_ADDRESSING_MODE:
            addressing = (cl_addressing_mode)properties[n + 1];
            break;
        case CL_SAMPLER_FILTER_MODE:
            filter = (cl_filter_mode)properties[n + 1];
            break;
        default:
            return weiri_icd_refuse(&call, result, CL_INVALID_VALUE, "property 0x%llx",
                                    (unsigned long long)properties[n]);
        }
    }
    cl_sampler sampler = create(&call, context, normalized, addressing, filter, result);
    if (sampler != NULL && properties != NULL) {
        sampler->n_properties = n + 1;
        sampler->properties = g_memdup2(properties, (n + 1) * sizeof(*properties));
    }
    return sampler;
}

WEIRI_ICD_COUNTED(clRetainSampler, clReleaseSampler, cl_sampler, WEIRI_ICD_SAMPLER)

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler,
                                                 cl_sampler_info name, size_t room,
                                                 void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(sampler, WEIRI_ICD_SAMPLER);
    switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, sampler->object.references);
    case CL_SAMPLER_CONTEXT:
        return weiri_icd_give_pointer(&answer, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return weiri_icd_give_uint(&answer, sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return weiri_icd_give_uint(&answer, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE:
        return weiri_icd_give_uint(&answer, sampler->filter);
    case CL_SAMPLER_PROPERTIES:
        return weiri_icd_give(&answer, sampler->properties,
                              sampler->n_properties * sizeof(*sampler->properties));
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}
