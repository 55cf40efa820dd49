/* SPDX-License-Identifier: MIT
 *
 * icd-build.c: programs are built, compiled and linked. A program that was compiled
 * keeps its sources, which a link compiles to one module; the cache has the results of
 * compiling them. The lock is given back while the compiler runs. */
#include "config.h"

#include "opencl/platform/icd-facts.h"
#include "opencl/platform/icd-program.h"

#include <string.h>

typedef void(CL_CALLBACK *notify)(cl_program program, void *user);

struct built {
    notify callback;
    cl_program program;
    void *user;
};

static void call_built(void *data)
{
    struct built *built = data;
    built->callback(built->program, built->user);
    g_free(built);
}

static void tell(cl_program program, notify callback, void *user)
{
    if (callback != NULL) {
        struct built *built = g_new(struct built, 1);
        *built = (struct built){ callback, program, user };
        weiri_icd_later(call_built, built);
    }
}

/* ---- Sources for the compiler ---------------------------------------------------- */

static void clear_source(void *data)
{
    g_free((void *)((struct weiri_cl_source *)data)->headers);
}

/* The strings are the parts'. @parts: of struct weiri_icd_part */
static GArray *sources_of(const GPtrArray *parts)
{
    GArray *sources = g_array_new(FALSE, TRUE, sizeof(struct weiri_cl_source));
    g_array_set_clear_func(sources, clear_source);
    for (guint i = 0; i < parts->len; i++) {
        const struct weiri_icd_part *part = g_ptr_array_index(parts, i);
        struct weiri_cl_source source = { .name = part->name, .text = part->text };
        struct weiri_cl_source *headers
            = g_new0(struct weiri_cl_source, part->headers->len);
        for (guint k = 0; k < part->headers->len; k++) {
            const struct weiri_icd_part *header = g_ptr_array_index(part->headers, k);
            headers[k].name = header->name;
            headers[k].text = header->text;
        }
        source.headers = headers;
        source.n_headers = part->headers->len;
        g_array_append_val(sources, source);
    }
    return sources;
}

/* ---- Results --------------------------------------------------------------------- */

/* The first line of the log that tells of an error. Returns: (transfer full) */
static char *first_error(const GString *log)
{
    g_auto(GStrv) lines = g_strsplit(log->str, "\n", -1);
    for (size_t i = 0; lines[i] != NULL; i++) {
        if (strstr(lines[i], "error") != NULL) {
            return g_strdup(lines[i]);
        }
    }
    return g_strdup(lines[0] != NULL ? lines[0] : "");
}

/* OpenCL's code of an error of the compiler. Where that is not the program's fault, it
 * is printed, since programs print the number alone. */
static cl_int code_of(struct weiri_icd_call *call, const GError *error, GString *log,
                      cl_int failure, cl_int options)
{
    bool ours
        = error->domain != WEIRI_CL_ERROR || error->code == WEIRI_CL_ERROR_COMPILER;
    if (strstr(log->str, error->message) == NULL
        && (ours || error->code == WEIRI_CL_ERROR_OPTIONS)) {
        g_string_append_printf(log, "%s\n", error->message);
    }
    if (ours) {
        g_printerr("weir: %s: %s\n", call->function, error->message);
        return CL_COMPILER_NOT_AVAILABLE;
    }
    g_autofree char *line = first_error(log);
    return error->code == WEIRI_CL_ERROR_OPTIONS
        ? weiri_icd_fail(call, options, "%s", error->message)
        : weiri_icd_fail(call, failure, "%s", line[0] != '\0' ? line : error->message);
}

/* The requested form of a program. */
struct task {
    struct weiri_icd_call *call;
    cl_program program;
    const char *options; /* or NULL */
    cl_program_binary_type type;
    cl_int failure, wrong_options; /* the codes of these */
};

static cl_int check(const struct task *task, cl_uint n, const cl_device_id *devices,
                    notify callback, void *user)
{
    struct weiri_icd_call *call = task->call;
    cl_int code = weiri_icd_need(call, task->program, WEIRI_ICD_PROGRAM);
    if (code == CL_SUCCESS && (n > 0 || devices != NULL)) {
        code = weiri_icd_need_devices(call, n, devices);
    }
    if (code == CL_SUCCESS && callback == NULL && user != NULL) {
        code = weiri_icd_fail(call, CL_INVALID_VALUE,
                              "data for a callback is given, but no callback");
    }
    if (code == CL_SUCCESS && task->program->n_kernels > 0) {
        code = weiri_icd_fail(call, CL_INVALID_OPERATION,
                              "the program has %u kernel objects: release them first",
                              task->program->n_kernels);
    }
    if (code == CL_SUCCESS && task->program->status == CL_BUILD_IN_PROGRESS) {
        code = weiri_icd_fail(call, CL_INVALID_OPERATION,
                              "another thread builds the program");
    }
    return code;
}

/* A link has what was included when the source was compiled. Takes the files. */
static void keep_included(struct weiri_icd_part *part, GPtrArray *included)
{
    for (guint i = 0; included != NULL && i < included->len; i++) {
        const struct weiri_cl_included *file = g_ptr_array_index(included, i);
        g_ptr_array_add(part->headers, weiri_icd_part(file->name, file->text));
    }
    g_clear_pointer(&included, g_ptr_array_unref);
}

/* Runs the compiler. Meanwhile no other thread has the program. */
static cl_int build(const struct task *task)
{
    cl_program program = weiri_icd_use(task->program);
    const struct weiri_cl_facts *facts = weiri_icd_facts(weiri_icd_device());
    g_clear_pointer(&program->module, weiri_cl_module_free);
    g_string_truncate(program->log, 0);
    program->status = CL_BUILD_IN_PROGRESS;
    if (task->options != program->options) {
        g_free(program->options);
        program->options = g_strdup(task->options != NULL ? task->options : "");
    }
    g_autoptr(GArray) sources = sources_of(program->parts);
    const struct weiri_cl_source *list = (const void *)sources->data;
    g_autoptr(GError) error = NULL;
    bool done = true;
    GPtrArray *included = NULL; /* a program that is compiled has one source */
    weiri_icd_unlock();
    if (task->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) {
        program->module
            = weiri_cl_build(list, sources->len, program->options, facts,
                             weiri_cl_entries_wanted(), program->log, &error);
        done = program->module != NULL;
    } else {
        for (guint i = 0; done && i < sources->len; i++) {
            g_clear_pointer(&included, g_ptr_array_unref);
            done = weiri_cl_compile(&list[i], program->options, facts,
                                    weiri_cl_entries_wanted(), &included, program->log,
                                    &error);
        }
    }
    weiri_icd_lock();
    keep_included(g_ptr_array_index(program->parts, 0), included);
    program->status = done ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
    program->type = done ? task->type : CL_PROGRAM_BINARY_TYPE_NONE;
    cl_int code = done
        ? CL_SUCCESS
        : code_of(task->call, error, program->log, task->failure, task->wrong_options);
    weiri_icd_changed();
    weiri_icd_unuse(program);
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint n,
                                               const cl_device_id *devices,
                                               const char *options, notify callback,
                                               void *user)
{
    WEIRI_ICD_ENTER();
    struct task task = { .call = &call,
                         .program = program,
                         .options = options,
                         .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                         .failure = CL_BUILD_PROGRAM_FAILURE,
                         .wrong_options = CL_INVALID_BUILD_OPTIONS };
    cl_int code = check(&task, n, devices, callback, user);
    if (code != CL_SUCCESS) {
        return code;
    }
    if (program->source == NULL) { /* a binary keeps its options */
        task.options = program->options;
    }
    code = build(&task);
    tell(program, callback, user);
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint n,
                                                 const cl_device_id *devices,
                                                 const char *options, cl_uint n_headers,
                                                 const cl_program *headers,
                                                 const char **names, notify callback,
                                                 void *user)
{
    WEIRI_ICD_ENTER();
    const struct task task = { .call = &call,
                               .program = program,
                               .options = options,
                               .type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                               .failure = CL_COMPILE_PROGRAM_FAILURE,
                               .wrong_options = CL_INVALID_COMPILER_OPTIONS };
    cl_int code = check(&task, n, devices, callback, user);
    if (code == CL_SUCCESS && program->source == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_OPERATION,
                              "the program was not created with a source");
    }
    if (code == CL_SUCCESS
        && ((n_headers == 0) != (headers == NULL)
            || (n_headers == 0) != (names == NULL))) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "%u headers are given, but no list of the headers or of "
                              "their names",
                              n_headers);
    }
    for (cl_uint i = 0; code == CL_SUCCESS && i < n_headers; i++) {
        code = weiri_icd_need(&call, headers[i], WEIRI_ICD_PROGRAM);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_part *part = g_ptr_array_index(program->parts, 0);
    g_ptr_array_set_size(part->headers, 0);
    for (cl_uint i = 0; i < n_headers; i++) {
        g_ptr_array_add(
            part->headers,
            weiri_icd_part(names[i],
                           headers[i]->source != NULL ? headers[i]->source : ""));
    }
    code = build(&task);
    tell(program, callback, user);
    return code;
}

/* ---- Linking --------------------------------------------------------------------- */

/* Options of the linker, and which of them the compiler gets, too. */
static cl_int read_link_options(struct weiri_icd_call *call, const char *options,
                                GString *to_compiler, bool *library)
{
    static const char *const known[]
        = { "-cl-denorms-are-zero", "-cl-no-signed-zeroes",
            "-cl-no-signed-zeros",  "-cl-unsafe-math-optimizations",
            "-cl-finite-math-only", "-cl-fast-relaxed-math",
            "-cl-no-subgroup-ifp",  NULL };
    g_auto(GStrv) words = g_strsplit(options != NULL ? options : "", " ", -1);
    *library = false;
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], "-create-library") == 0) {
            *library = true;
        } else if (g_strv_contains(known, words[i])) {
            g_string_append_printf(to_compiler, " %s", words[i]);
        } else if (words[i][0] != '\0'
                   && strcmp(words[i], "-enable-link-options") != 0) {
            return weiri_icd_fail(call, CL_INVALID_LINKER_OPTIONS,
                                  "'%s' is not an option of clLinkProgram", words[i]);
        }
    }
    return CL_SUCCESS;
}

/* Adds the parts of a program that was compiled, and its options if the others have not
 * got these. */
static cl_int add_input(struct weiri_icd_call *call, cl_program program,
                        cl_program input, GString *options)
{
    if (input->type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
        && input->type != CL_PROGRAM_BINARY_TYPE_LIBRARY) {
        return weiri_icd_fail(call, CL_INVALID_OPERATION,
                              "a program to link was not compiled");
    }
    for (guint i = 0; i < input->parts->len; i++) {
        g_ptr_array_add(program->parts,
                        weiri_icd_part_copy(g_ptr_array_index(input->parts, i)));
    }
    if (input->options != NULL && strstr(options->str, input->options) == NULL) {
        g_string_append_printf(options, " %s", input->options);
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint n,
                                                  const cl_device_id *devices,
                                                  const char *given, cl_uint n_inputs,
                                                  const cl_program *inputs,
                                                  notify callback, void *user,
                                                  cl_int *result)
{
    WEIRI_ICD_ENTER();
    g_autoptr(GString) options = g_string_new(NULL);
    bool library = false;
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS && (n > 0 || devices != NULL)) {
        code = weiri_icd_need_devices(&call, n, devices);
    }
    if (code == CL_SUCCESS && (n_inputs == 0 || inputs == NULL)) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "no program to link is given");
    }
    if (code == CL_SUCCESS) {
        code = read_link_options(&call, given, options, &library);
    }
    for (cl_uint i = 0; code == CL_SUCCESS && i < n_inputs; i++) {
        code = weiri_icd_need(&call, inputs[i], WEIRI_ICD_PROGRAM);
    }
    cl_program program = code == CL_SUCCESS ? weiri_icd_program(context) : NULL;
    for (cl_uint i = 0; code == CL_SUCCESS && i < n_inputs; i++) {
        code = add_input(&call, program, inputs[i], options);
    }
    if (code == CL_SUCCESS && library) {
        program->type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
        program->status = CL_BUILD_SUCCESS;
        program->options = g_strdup(options->str);
    } else if (code == CL_SUCCESS) {
        const struct task task = { .call = &call,
                                   .program = program,
                                   .options = options->str,
                                   .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                                   .failure = CL_LINK_PROGRAM_FAILURE,
                                   .wrong_options = CL_INVALID_LINKER_OPTIONS };
        code = build(&task);
    } else if (program != NULL) {
        (void)weiri_icd_release(&call, program, WEIRI_ICD_PROGRAM);
        program = NULL;
    }
    (void)weiri_icd_result(result, code);
    if (program != NULL) {
        tell(program, callback, user);
    }
    return program;
}
