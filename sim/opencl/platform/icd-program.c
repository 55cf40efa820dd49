/* SPDX-License-Identifier: MIT
 *
 * icd-program.c: programs are created here, and asked; icd-build.c builds them. The
 * texts of a program are joined to one source. If a file near the program has the same
 * text, the source gets its name, so that findings name lines of that file
 * (icd-source.c). */
#include "config.h"

#include "opencl/platform/icd-program.h"

#include <string.h>

static void clear_program(void *object)
{
    struct _cl_program *program = object;
    g_clear_pointer(&program->module, weiri_cl_module_free);
    g_ptr_array_unref(program->parts);
    g_string_free(program->log, TRUE);
    g_free(program->source);
    g_free(program->options);
    weiri_icd_unuse(program->context);
}

cl_program weiri_icd_program(cl_context context)
{
    cl_program program
        = weiri_icd_new(sizeof(*program), WEIRI_ICD_PROGRAM, clear_program);
    program->context = weiri_icd_use(context);
    program->parts = g_ptr_array_new_with_free_func(weiri_icd_part_free);
    program->type = CL_PROGRAM_BINARY_TYPE_NONE;
    program->status = CL_BUILD_NONE;
    program->log = g_string_new(NULL);
    return program;
}

/* ---- Creation -------------------------------------------------------------------- */

/* The texts as one. Where a file is known that one of several comes from, its lines are
 * numbered as there. @name: (out): of the whole, or NULL */
static char *join(cl_uint n, const char **texts, const size_t *lengths, char **name)
{
    GString *whole = g_string_new(NULL);
    *name = NULL;
    for (cl_uint i = 0; i < n; i++) {
        size_t bytes
            = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
        bytes = strnlen(texts[i], bytes);
        g_autofree char *found = weiri_icd_find_source(texts[i], bytes);
        bool begins_line = whole->len == 0 || whole->str[whole->len - 1] == '\n';
        if (found != NULL && begins_line && whole->len > 0) {
            g_string_append_printf(whole, "#line 1 \"%s\"\n", found);
        }
        g_string_append_len(whole, texts[i], (gssize)bytes);
        if (*name == NULL) {
            *name = g_steal_pointer(&found);
        }
    }
    return g_string_free(whole, FALSE);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context,
                                                              cl_uint n,
                                                              const char **texts,
                                                              const size_t *lengths,
                                                              cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS && (n == 0 || texts == NULL)) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "no source is given");
    }
    for (cl_uint i = 0; code == CL_SUCCESS && i < n; i++) {
        code = texts[i] != NULL
            ? code
            : weiri_icd_fail(&call, CL_INVALID_VALUE, "string %u is NULL", i);
    }
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    cl_program program = weiri_icd_program(context);
    g_autofree char *name = NULL;
    program->source = join(n, texts, lengths, &name);
    g_ptr_array_add(program->parts, weiri_icd_part(name, program->source));
    return program;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(
    cl_context context, cl_uint n, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *statuses, cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_devices(&call, n, devices);
    }
    if (code == CL_SUCCESS
        && (lengths == NULL || binaries == NULL || lengths[0] == 0
            || binaries[0] == NULL)) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "no binary is given");
    }
    cl_program program = code == CL_SUCCESS ? weiri_icd_program(context) : NULL;
    if (program != NULL && !weiri_icd_from_binary(program, binaries[0], lengths[0])) {
        code = weiri_icd_fail(&call, CL_INVALID_BINARY,
                              "%zu bytes are not a binary of this device", lengths[0]);
        (void)weiri_icd_release(&call, program, WEIRI_ICD_PROGRAM);
        program = NULL;
    }
    if (statuses != NULL && n > 0) {
        statuses[0] = code;
    }
    (void)weiri_icd_result(result, code);
    return program;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(
    cl_context context, cl_uint n, const cl_device_id *devices, const char *names,
    cl_int *result)
{
    WEIRI_ICD_ENTER();
    (void)context;
    (void)n;
    (void)devices;
    return weiri_icd_refuse(&call, result, CL_INVALID_VALUE,
                            "the device has no built-in kernel '%s'",
                            names != NULL ? names : "");
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context,
                                                          const void *il, size_t bytes,
                                                          cl_int *result)
{
    WEIRI_ICD_ENTER();
    (void)il;
    (void)bytes;
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (code != CL_SUCCESS) {
        (void)weiri_icd_result(result, code);
        return NULL;
    }
    return weiri_icd_refuse(&call, result, CL_INVALID_OPERATION,
                            "the device takes no intermediate language");
}

WEIRI_ICD_COUNTED(clRetainProgram, clReleaseProgram, cl_program, WEIRI_ICD_PROGRAM)

CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK *callback)(cl_program program, void *user),
    void *user)
{
    WEIRI_ICD_ENTER();
    (void)program;
    (void)callback;
    (void)user;
    return weiri_icd_fail(&call, CL_INVALID_OPERATION,
                          "programs have no global destructors");
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program,
                                                                   cl_uint id,
                                                                   size_t bytes,
                                                                   const void *value)
{
    WEIRI_ICD_ENTER();
    (void)program;
    (void)id;
    (void)bytes;
    (void)value;
    return weiri_icd_fail(&call, CL_INVALID_OPERATION,
                          "the program was not made of an intermediate language");
}

/* ---- Questions ------------------------------------------------------------------- */

/* The names of the kernels, with semicolons between them. */
static char *kernel_names(const struct _cl_program *program, size_t *n)
{
    const struct weiri_cl_kernel *kernels = weiri_cl_module_kernels(program->module, n);
    GString *names = g_string_new(NULL);
    for (size_t i = 0; i < *n; i++) {
        g_string_append_printf(names, "%s%s", i > 0 ? ";" : "", kernels[i].name);
    }
    return g_string_free(names, FALSE);
}

/* Needs a program that was built. */
static cl_int give_kernels(const struct weiri_icd_answer *answer,
                           const struct _cl_program *program, cl_program_info name)
{
    if (program->module == NULL) {
        return weiri_icd_fail(answer->call, CL_INVALID_PROGRAM_EXECUTABLE,
                              "the program was not built");
    }
    size_t n;
    g_autofree char *names = kernel_names(program, &n);
    return name == CL_PROGRAM_NUM_KERNELS ? weiri_icd_give_size(answer, n)
                                          : weiri_icd_give_text(answer, names);
}

static cl_int give_binary(const struct weiri_icd_answer *answer,
                          const struct _cl_program *program, cl_program_info name)
{
    g_autoptr(GBytes) binary = weiri_icd_to_binary(program);
    size_t bytes;
    const void *data = g_bytes_get_data(binary, &bytes);
    bytes = program->type == CL_PROGRAM_BINARY_TYPE_NONE ? 0 : bytes;
    if (name == CL_PROGRAM_BINARY_SIZES) {
        return weiri_icd_give_size(answer, bytes);
    }
    unsigned char *const *places = answer->value;
    if (places != NULL && answer->room >= sizeof(*places) && places[0] != NULL) {
        memcpy(places[0], data, bytes);
    }
    const struct weiri_icd_answer size = { .bytes_ret = answer->bytes_ret };
    return weiri_icd_give(&size, NULL, sizeof(*places));
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program,
                                                 cl_program_info name, size_t room,
                                                 void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(program, WEIRI_ICD_PROGRAM);
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, program->object.references);
    case CL_PROGRAM_CONTEXT:
        return weiri_icd_give_pointer(&answer, program->context);
    case CL_PROGRAM_NUM_DEVICES:
        return weiri_icd_give_uint(&answer, 1);
    case CL_PROGRAM_DEVICES:
        return weiri_icd_give_pointer(&answer, weiri_icd_device());
    case CL_PROGRAM_SOURCE:
        return weiri_icd_give_text(&answer,
                                   program->source != NULL ? program->source : "");
    case CL_PROGRAM_IL:
        return weiri_icd_give(&answer, NULL, 0);
    case CL_PROGRAM_BINARY_SIZES:
    case CL_PROGRAM_BINARIES:
        return give_binary(&answer, program, name);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES:
        return give_kernels(&answer, program, name);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return weiri_icd_give_uint(&answer, CL_FALSE);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program,
                                                      cl_device_id device,
                                                      cl_program_build_info name,
                                                      size_t room, void *value,
                                                      size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    cl_int code = weiri_icd_need(&call, program, WEIRI_ICD_PROGRAM);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return weiri_icd_give_uint(&answer, (cl_uint)program->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return weiri_icd_give_text(&answer,
                                   program->options != NULL ? program->options : "");
    case CL_PROGRAM_BUILD_LOG:
        return weiri_icd_give_text(&answer, program->log->str);
    case CL_PROGRAM_BINARY_TYPE:
        return weiri_icd_give_uint(&answer, program->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return weiri_icd_give_size(
            &answer,
            program->module != NULL ? weiri_cl_module_variables(program->module) : 0);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}
