/* SPDX-License-Identifier: MIT
 *
 * opencl.h: from the text of an OpenCL C program to kernels that can be launched. The
 * entry points of OpenCL (icd-*.c) are made of it; docs/opencl.md has the steps.
 *
 *     struct weiri_cl_source source = { .name = "sum.cl", .text = text };
 *     GString *log = g_string_new(NULL);
 *     struct weiri_cl_module *module
 *         = weiri_cl_build(&source, 1, "-cl-std=CL2.0", &facts, log, &error);
 *     const struct weiri_cl_kernel *kernel = weiri_cl_module_kernel(module, "sum");
 *     void *args = g_malloc0(kernel->args_bytes);
 *     memcpy((char *)args + kernel->parameters[0].offset, &pointer, sizeof(pointer));
 *     struct weiri_cl_launch launch = { .work_dim = 1, .global = { 1024 } };
 *     weiri_cl_launch(device, kernel, &launch, args, NULL, NULL, &error);
 *
 * Dimension 0 is the fastest one, as in OpenCL, and the last one in Weir. */
#ifndef WEIRI_OPENCL_H
#define WEIRI_OPENCL_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opencl/device/arguments.h"
#include "weir.h"

G_BEGIN_DECLS

/* ---- Building -------------------------------------------------------------- */

/* The features of OpenCL C 3.0 that the machine has. */
#define WEIRI_CL_FEATURES                                                              \
    "__opencl_c_3d_image_writes __opencl_c_atomic_order_acq_rel "                      \
    "__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "                  \
    "__opencl_c_atomic_scope_all_devices __opencl_c_fp64 "                             \
    "__opencl_c_generic_address_space __opencl_c_images __opencl_c_int64 "             \
    "__opencl_c_program_scope_global_variables __opencl_c_read_write_images "          \
    "__opencl_c_subgroups __opencl_c_work_group_collective_functions"

/**
 * weiri_cl_facts: what a program sees of the device
 * @extensions: their names, separated by blanks, as CL_DEVICE_EXTENSIONS: each is a
 *              macro. "cl_khr_fp64", "cl_khr_int64_base_atomics", … Without
 *              "cl_khr_fp64" the type double is an error
 * @features: likewise the features of OpenCL C 3.0, such as %WEIRI_CL_FEATURES; %NULL:
 *            none
 * @version: __OPENCL_VERSION__, such as 300
 * @images: __IMAGE_SUPPORT__ is defined
 */
struct weiri_cl_facts {
    const char *extensions;
    const char *features;
    uint32_t version;
    bool images;
};

/**
 * weiri_cl_source: one program, or a header of clCompileProgram()
 * @name: the path that findings, messages and __FILE__ have; its includes are looked
 *        for in its folder first. %NULL: the text is written to a file of the cache,
 *        whose path is the name. For a header: as #include has it
 * @text: the source
 * @headers: @n_headers of them; they are found before the folders of -I
 */
struct weiri_cl_source {
    const char *name;
    const char *text;
    const struct weiri_cl_source *headers;
    size_t n_headers;
};

struct weiri_cl_module;

/**
 * weiri_cl_included: a file that a source includes, as it was when that was compiled
 * @name: as #include has it
 */
struct weiri_cl_included {
    char *name;
    char *text;
};

void weiri_cl_included_free(void *file);

/**
 * weiri_cl_build_error:
 * @WEIRI_CL_ERROR_OPTIONS: the options have one that OpenCL does not know, or one
 *                          without its argument; CL_INVALID_BUILD_OPTIONS
 * @WEIRI_CL_ERROR_SOURCE: the program is wrong: @log has the compiler's messages;
 *                         CL_BUILD_PROGRAM_FAILURE
 * @WEIRI_CL_ERROR_LINK: a function is declared and called, but not defined: @log;
 *                       CL_LINK_PROGRAM_FAILURE
 * @WEIRI_CL_ERROR_COMPILER: clang or libclc is missing, or failed on correct input; the
 *                           message names the package; CL_COMPILER_NOT_AVAILABLE
 */
enum weiri_cl_build_error {
    WEIRI_CL_ERROR_OPTIONS,
    WEIRI_CL_ERROR_SOURCE,
    WEIRI_CL_ERROR_LINK,
    WEIRI_CL_ERROR_COMPILER,
};
#define WEIRI_CL_ERROR (weiri_cl_error_quark())
GQuark weiri_cl_error_quark(void);

/**
 * weiri_cl_entries: what kernels are compiled for
 * @WEIRI_CL_FAST: launches that check nothing
 * @WEIRI_CL_CHECKED: launches that are checked, explored or follow a schedule
 * @WEIRI_CL_ALL: both, in one module
 *
 * A command needs one of the first two, and so compiles half as much.
 */
enum weiri_cl_entries {
    WEIRI_CL_FAST = 1,
    WEIRI_CL_CHECKED,
    WEIRI_CL_ALL,
};

/** The kind of launches that WEIR_OPTIONS asks for. */
enum weiri_cl_entries weiri_cl_entries_wanted(void);

/**
 * weiri_cl_compile:
 * @options: of clCompileProgram(), or %NULL
 * @included: (out) (transfer full): of struct weiri_cl_included: files that a link
 *            needs, or %NULL after an error
 * @log: where the compiler's messages are added, of a success too
 *
 * Compiles a program that need not define all that it calls, for its messages.
 *
 * Errors: %WEIRI_CL_ERROR, but for _LINK
 */
bool weiri_cl_compile(const struct weiri_cl_source *source, const char *options,
                      const struct weiri_cl_facts *facts, enum weiri_cl_entries entries,
                      GPtrArray **included, GString *log, GError **error);

/**
 * weiri_cl_build:
 * @sources: @n_sources programs that are linked to one
 * @options: of clBuildProgram(), for each of them; or %NULL
 *
 * Returns: (transfer full): the module, loaded; or %NULL
 * Errors:  %WEIRI_CL_ERROR; codes of GFileError, if the cache cannot be written
 * Threads: any
 */
struct weiri_cl_module *weiri_cl_build(const struct weiri_cl_source *sources,
                                       size_t n_sources, const char *options,
                                       const struct weiri_cl_facts *facts,
                                       enum weiri_cl_entries entries, GString *log,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- What was built: struct weiri_cl_kernel of arguments.h ----------------- */

/** The kernels, @n of them, in the order of the source; borrowed. */
const struct weiri_cl_kernel *weiri_cl_module_kernels(
    const struct weiri_cl_module *module, size_t *n);

/** The kernel of that name, or %NULL; borrowed. */
const struct weiri_cl_kernel *weiri_cl_module_kernel(
    const struct weiri_cl_module *module, const char *name);

/** The shared object that the module is loaded from, for CL_PROGRAM_BINARIES; borrowed.
 *  Only this machine, with these versions of Weir and clang, can load it. */
const char *weiri_cl_module_path(const struct weiri_cl_module *module);

/** The bytes of the program's variables in global memory. */
size_t weiri_cl_module_variables(const struct weiri_cl_module *module);

/** Whether a module of this process that was loaded from the file has variables:
 *  another module needs a copy of the file for its own. */
bool weiri_cl_module_is_taken(const char *path);

/** Loads what weiri_cl_module_path() named, with variables as their initializers have
 *  them. With @stays it is never unloaded, as findings of checked entries need it.
 *  Returns: (transfer full): the module; or %NULL with %WEIRI_CL_ERROR_COMPILER where
 *  it is not one of this version */
struct weiri_cl_module *weiri_cl_module_load(const char *path, bool stays,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** Frees the module. Its code and names stay loaded where findings may refer to
 *  them. */
void weiri_cl_module_free(struct weiri_cl_module *module);

/* ---- Launching ------------------------------------------------------------- */

/**
 * weiri_cl_range:
 * @launch: what the program gave; local sizes of 0 are chosen, and written to it
 * @range: (out): the same for Weir
 *
 * For callers that launch themselves. The block of arguments begins with *@launch.
 *
 * Errors: %WEIR_ERROR_RANGE where local sizes are not those that the kernel wants, or
 *         are larger than the device's
 */
bool weiri_cl_range(const struct weir_device *device,
                    const struct weiri_cl_kernel *kernel,
                    struct weiri_cl_launch *launch, struct weir_nd_range *range,
                    GError **error);

/**
 * weiri_cl_launch:
 * @launch: dimensions, sizes and offset, as the program gave them
 * @args: of @kernel->args_bytes; its head is set to *@launch
 * @options: as of weir_launch_with(), with @report and @error
 */
bool weiri_cl_launch(struct weir_device *device, const struct weiri_cl_kernel *kernel,
                     const struct weiri_cl_launch *launch, void *args,
                     const struct weir_launch_options *options,
                     struct weir_report **report, GError **error);

/** Kernels call them: a number in the head of their arguments; and the group's array of
 *  local memory for a struct weir_site. */
size_t weiri_cl_fixed(const size_t *number);
void *weiri_cl_array(const void *site, size_t count, size_t element_bytes);

/* ---- Names of hooks ------------------------------------------------------------
 * A kernel's shared object calls hooks of the library by names of Weir's own, if the
 * library is a shared object, too: libweir-opencl.so, which a program may load that has
 * ThreadSanitizer's runtime. The name is weiri_hook_ and the compiler's without the
 * underscores that it begins with: weiri_hook_tsan_read4(), weiri_hook_memcpy(). In a
 * program that has libweir.a itself, and exports its names (-rdynamic), hooks keep the
 * compiler's names. */

G_END_DECLS

#endif
