/* SPDX-License-Identifier: MIT
 *
 * icd-facts.c: see icd-facts.h. Values that the profile of the device states are taken
 * from it; the others are the least that OpenCL asks of a full profile, or the
 * simulator's own. */
#include "config.h"

#include "opencl/platform/icd-facts.h"

#include "weir-kernel.h"

#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { MOST_VERSIONS = 32 };

/* All have version 1.0.0. */
#define EXTENSIONS                                                                     \
    "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "                  \
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "            \
    "cl_khr_local_int32_extended_atomics cl_khr_fp64 cl_khr_3d_image_writes "          \
    "cl_khr_depth_images"
#define EXTENSIONS_64 " cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"
#define EXTENSIONS_3 " cl_khr_subgroups"

static bool has_atomic64(cl_device_id device)
{
    return weir_device_get(device->device, WEIR_DEVICE_ATOMIC64) != 0;
}

static const char *extensions(cl_device_id device)
{
    return device->is_1_2
        ? (has_atomic64(device) ? EXTENSIONS EXTENSIONS_64 : EXTENSIONS)
        : (has_atomic64(device) ? EXTENSIONS EXTENSIONS_64 EXTENSIONS_3
                                : EXTENSIONS EXTENSIONS_3);
}

const struct weiri_cl_facts *weiri_icd_facts(cl_device_id device)
{
    static struct weiri_cl_facts facts;
    facts
        = (struct weiri_cl_facts){ .extensions = extensions(device),
                                   .features = device->is_1_2 ? "" : WEIRI_CL_FEATURES,
                                   .version = device->is_1_2 ? 120 : 300,
                                   .images = true };
    return &facts;
}

static cl_ulong global_bytes(void)
{
    struct sysinfo info;
    return sysinfo(&info) == 0 ? (cl_ulong)info.totalram * info.mem_unit : 1u << 30;
}

cl_ulong weiri_icd_max_alloc(void)
{
    return global_bytes() / 2;
}

/* ---- Lists of versions ------------------------------------------------------ */

static cl_int give_names(const struct weiri_icd_answer *answer, const char *names,
                         cl_version version)
{
    cl_name_version found[MOST_VERSIONS];
    memset(found, 0, sizeof(found));
    size_t n = 0;
    g_auto(GStrv) words = g_strsplit(names, " ", -1);
    for (size_t i = 0; words[i] != NULL && n < MOST_VERSIONS; i++) {
        if (words[i][0] != '\0') {
            found[n].version = version;
            g_strlcpy(found[n].name, words[i], sizeof(found[n].name));
            n++;
        }
    }
    return weiri_icd_give(answer, found, n * sizeof(found[0]));
}

/* OpenCL C 2.0 is compiled, too, but a device that states it must have pipes and
 * commands of kernels. So the version that all earlier ones are compatible with
 * (CL_DEVICE_OPENCL_C_VERSION) is 1.2: [CL30] 4.2. */
static cl_int give_languages(const struct weiri_icd_answer *answer, bool is_1_2)
{
    static const cl_name_version all[] = {
        { CL_MAKE_VERSION(1, 0, 0), "OpenCL C" },
        { CL_MAKE_VERSION(1, 1, 0), "OpenCL C" },
        { CL_MAKE_VERSION(1, 2, 0), "OpenCL C" },
        { CL_MAKE_VERSION(3, 0, 0), "OpenCL C" },
    };
    return weiri_icd_give(answer, all, is_1_2 ? 3 * sizeof(all[0]) : sizeof(all));
}

/* ---- Capabilities ----------------------------------------------------------- */

static cl_device_atomic_capabilities atomic_capabilities(cl_device_id device,
                                                         bool fence)
{
    uint64_t orders = weir_device_get(device->device,
                                      fence ? WEIR_DEVICE_FENCE_MEMORY_ORDERS
                                            : WEIR_DEVICE_ATOMIC_MEMORY_ORDERS);
    uint64_t scopes = weir_device_get(device->device,
                                      fence ? WEIR_DEVICE_FENCE_MEMORY_SCOPES
                                            : WEIR_DEVICE_ATOMIC_MEMORY_SCOPES);
    const struct {
        uint64_t set;
        unsigned bit;
        cl_device_atomic_capabilities capability;
    } rows[] = {
        { orders, memory_order_relaxed, CL_DEVICE_ATOMIC_ORDER_RELAXED },
        { orders, memory_order_acq_rel, CL_DEVICE_ATOMIC_ORDER_ACQ_REL },
        { orders, memory_order_seq_cst, CL_DEVICE_ATOMIC_ORDER_SEQ_CST },
        { fence ? scopes : 0, memory_scope_work_item,
          CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM },
        { scopes, memory_scope_work_group, CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP },
        { scopes, memory_scope_device, CL_DEVICE_ATOMIC_SCOPE_DEVICE },
        { scopes, memory_scope_system, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES },
    };
    cl_device_atomic_capabilities all = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        all |= (rows[i].set >> rows[i].bit & 1) != 0 ? rows[i].capability : 0;
    }
    return all;
}

static const cl_device_fp_config floats = CL_FP_DENORM | CL_FP_INF_NAN
    | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

static cl_device_fp_config single_config(void)
{
    return floats | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
}

/* ---- Questions of one kind of answer ------------------------------------ */

struct number {
    cl_device_info name;
    cl_ulong value;
};

static const struct number uints[] = {
    { CL_DEVICE_VENDOR_ID, 0 },
    { CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 16 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 8 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 2 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 2 },
    { CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 16 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 8 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 2 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 2 },
    { CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0 },
    { CL_DEVICE_MAX_CLOCK_FREQUENCY, 1000 },
    { CL_DEVICE_ADDRESS_BITS, 64 },
    { CL_DEVICE_IMAGE_SUPPORT, CL_TRUE },
    { CL_DEVICE_MAX_READ_IMAGE_ARGS, 128 },
    { CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64 },
    { CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 64 },
    { CL_DEVICE_MAX_SAMPLERS, 16 },
    { CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 0 },
    { CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 0 },
    { CL_DEVICE_MAX_PIPE_ARGS, 0 },
    { CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 0 },
    { CL_DEVICE_PIPE_MAX_PACKET_SIZE, 0 },
    { CL_DEVICE_PIPE_SUPPORT, CL_FALSE },
    { CL_DEVICE_MEM_BASE_ADDR_ALIGN, WEIRI_ICD_BASE_ALIGN * 8 },
    { CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, WEIRI_ICD_BASE_ALIGN },
    { CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE },
    { CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 64 },
    { CL_DEVICE_MAX_CONSTANT_ARGS, 32 },
    { CL_DEVICE_LOCAL_MEM_TYPE, CL_LOCAL },
    { CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE },
    { CL_DEVICE_HOST_UNIFIED_MEMORY, CL_TRUE },
    { CL_DEVICE_ENDIAN_LITTLE, CL_TRUE },
    { CL_DEVICE_AVAILABLE, CL_TRUE },
    { CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE },
    { CL_DEVICE_LINKER_AVAILABLE, CL_TRUE },
    { CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE },
    { CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0 },
    { CL_DEVICE_REFERENCE_COUNT, 1 },
    { CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 0 },
    { CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 0 },
    { CL_DEVICE_MAX_ON_DEVICE_QUEUES, 0 },
    { CL_DEVICE_MAX_ON_DEVICE_EVENTS, 0 },
    { CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 0 },
    { CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 0 },
    { CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 0 },
    { CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_TRUE },
    { CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, CL_TRUE },
    { CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_TRUE },
    { CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_TRUE },
};

static const struct number ulongs[] = {
    { CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 1 << 20 },
    { CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 1 << 20 },
    { CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE },
    { CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 0 },
    { CL_DEVICE_EXECUTION_CAPABILITIES, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL },
    { CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 0 },
    { CL_DEVICE_DOUBLE_FP_CONFIG,
      CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO
          | CL_FP_ROUND_TO_INF | CL_FP_FMA },
    { CL_DEVICE_HALF_FP_CONFIG, 0 },
    { CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 0 },
};

static const struct number sizes[] = {
    { CL_DEVICE_IMAGE2D_MAX_WIDTH, WEIRI_ICD_IMAGE_2D },
    { CL_DEVICE_IMAGE2D_MAX_HEIGHT, WEIRI_ICD_IMAGE_2D },
    { CL_DEVICE_IMAGE3D_MAX_WIDTH, WEIRI_ICD_IMAGE_3D },
    { CL_DEVICE_IMAGE3D_MAX_HEIGHT, WEIRI_ICD_IMAGE_3D },
    { CL_DEVICE_IMAGE3D_MAX_DEPTH, WEIRI_ICD_IMAGE_3D },
    { CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 1 << 27 },
    { CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, WEIRI_ICD_IMAGE_3D },
    { CL_DEVICE_MAX_PARAMETER_SIZE, 1024 },
    { CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1 },
    { CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 20 },
    { CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, 1 << 16 },
    { CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, 1 << 16 },
};

static const struct number *find(const struct number *rows, size_t n,
                                 cl_device_info name)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].name == name) {
            return &rows[i];
        }
    }
    return NULL;
}

static cl_int give_text(const struct weiri_icd_answer *answer, cl_device_id device,
                        cl_device_info name)
{
    bool is_1_2 = device->is_1_2;
    switch (name) {
    case CL_DEVICE_NAME:
        return weiri_icd_give_text(answer, weir_device_name(device->device));
    case CL_DEVICE_VENDOR:
        return weiri_icd_give_text(answer, "Weir");
    case CL_DRIVER_VERSION:
        return weiri_icd_give_text(answer, PACKAGE_VERSION);
    case CL_DEVICE_PROFILE:
        return weiri_icd_give_text(answer, "FULL_PROFILE");
    case CL_DEVICE_VERSION:
        return weiri_icd_give_text(answer,
                                   is_1_2 ? "OpenCL 1.2 Weir " PACKAGE_VERSION
                                          : "OpenCL 3.0 Weir " PACKAGE_VERSION);
    case CL_DEVICE_OPENCL_C_VERSION:
        return weiri_icd_give_text(answer, "OpenCL C 1.2 Weir " PACKAGE_VERSION);
    case CL_DEVICE_EXTENSIONS:
        return weiri_icd_give_text(answer, extensions(device));
    case CL_DEVICE_BUILT_IN_KERNELS:
    case CL_DEVICE_IL_VERSION:
        return weiri_icd_give_text(answer, "");
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: /* none, as a date */
        return weiri_icd_give_text(answer, "v0000-01-01-00");
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

static cl_int give_list(const struct weiri_icd_answer *answer, cl_device_id device,
                        cl_device_info name)
{
    const size_t most
        = weir_device_get(device->device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    const size_t items[] = { most, most, most };
    const cl_device_partition_property none = 0;
    switch (name) {
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return weiri_icd_give(answer, items, sizeof(items));
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE:
        return weiri_icd_give(answer, &none, sizeof(none));
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return give_names(answer, extensions(device), CL_MAKE_VERSION(1, 0, 0));
    case CL_DEVICE_OPENCL_C_FEATURES:
        return give_names(answer, device->is_1_2 ? "" : WEIRI_CL_FEATURES,
                          CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
        return give_languages(answer, device->is_1_2);
    case CL_DEVICE_ILS_WITH_VERSION:
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return weiri_icd_give(answer, NULL, 0);
    default:
        return give_text(answer, device, name);
    }
}

cl_int weiri_icd_fact(const struct weiri_icd_answer *answer, cl_device_id device,
                      cl_device_info name)
{
    struct weir_device *weir = device->device;
    const struct number *row;
    if ((row = find(uints, G_N_ELEMENTS(uints), name)) != NULL) {
        return weiri_icd_give_uint(answer, (cl_uint)row->value);
    }
    if ((row = find(ulongs, G_N_ELEMENTS(ulongs), name)) != NULL) {
        return weiri_icd_give_ulong(answer, row->value);
    }
    if ((row = find(sizes, G_N_ELEMENTS(sizes), name)) != NULL) {
        return weiri_icd_give_size(answer, row->value);
    }
    uint64_t group = weir_device_get(weir, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    uint64_t lanes = weir_device_get(weir, WEIR_DEVICE_SUB_GROUP_SIZE);
    switch (name) {
    case CL_DEVICE_TYPE:
        return weiri_icd_give_ulong(answer, device->type);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return weiri_icd_give_uint(
            answer, (cl_uint)weir_device_get(weir, WEIR_DEVICE_COMPUTE_UNITS));
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
        return weiri_icd_give_uint(answer, (cl_uint)(group / MAX(lanes, 1)));
    case CL_DEVICE_NUMERIC_VERSION:
        return weiri_icd_give_uint(answer,
                                   device->is_1_2 ? CL_MAKE_VERSION(1, 2, 0)
                                                  : CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return weiri_icd_give_size(answer, group);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return weiri_icd_give_size(answer, lanes);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return weiri_icd_give_ulong(answer,
                                    weir_device_get(weir, WEIR_DEVICE_LOCAL_MEM_SIZE));
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return weiri_icd_give_ulong(answer, global_bytes());
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return weiri_icd_give_ulong(answer, weiri_icd_max_alloc());
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return weiri_icd_give_ulong(answer, single_config());
    case CL_DEVICE_SVM_CAPABILITIES:
        return weiri_icd_give_ulong(
            answer, device->is_1_2 ? 0 : CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
        return weiri_icd_give_ulong(answer, atomic_capabilities(device, false));
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
        return weiri_icd_give_ulong(answer, atomic_capabilities(device, true));
    case CL_DEVICE_PLATFORM:
        return weiri_icd_give_pointer(answer, weiri_icd_platform());
    case CL_DEVICE_PARENT_DEVICE:
        return weiri_icd_give_pointer(answer, NULL);
    default:
        return give_list(answer, device, name);
    }
}
