/* SPDX-License-Identifier: MIT
 *
 * run.c: weir-opencl, the program that `weir check FILE.cl:KERNEL` and its like run: it
 * builds the file, makes the arguments, and launches the kernel once or several times.
 * The command passes on the user's words; with --prepare the program only builds and
 * reads, so that mistakes end the command before the first run. With --list it prints
 * kernels, or without a file the compiler of kernels, for `weir list`.
 *
 * A launch begins with the contents that were asked for, so that all of them do the
 * same. The values that --expect names are the launch's post-condition. */
#include "config.h"

#include "opencl/opencl.h"
#include "opencl/run/list.h"
#include "opencl/run/spec.h"

#include "weir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLEAN, FINDINGS, USAGE };

/* The command line. */
static struct {
    char *global, *local, *offset, *cl_options, *device, *name, *reps;
    char **args, **dump, **expect;
    gboolean prepare, list, json;
} given;

/* The things that kernels may use. */
static const struct weiri_cl_facts facts = {
    .extensions
    = "cl_khr_fp64 cl_khr_fp16 cl_khr_byte_addressable_store "
      "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
      "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
      "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
      "cl_khr_subgroups cl_khr_3d_image_writes",
    .features = WEIRI_CL_FEATURES,
    .version = 300,
    .images = true,
};

/* A parameter with its argument. */
struct argument {
    const struct weiri_cl_parameter *parameter;
    struct weiri_cl_spec spec;
    void *memory;   /* of the device; or %NULL */
    char *expected; /* of spec.bytes: the contents after the launch; or %NULL */
};

struct run {
    char *file;
    char *kernel_name; /* or %NULL: the file's only one */
    struct weiri_cl_module *module;
    const struct weiri_cl_kernel *kernel;
    struct weiri_cl_launch launch;
    struct argument *arguments;
    struct weir_device *device;
    uint64_t reps;
};

/* "weir check: text" on standard error. Returns: false */
static bool complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

static bool complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", given.name != NULL ? given.name : "weir-opencl", text);
    return false;
}

/* ---- The kernel ------------------------------------------------------------------ */

/* "global float *x, int n" */
static char *parameters_text(const struct weiri_cl_kernel *kernel)
{
    GString *out = g_string_new(NULL);
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        g_autofree char *declaration
            = weiri_cl_list_declaration(&kernel->parameters[i]);
        g_string_append_printf(out, "%s%s", i == 0 ? "" : ", ", declaration);
    }
    return g_string_free(out, FALSE);
}

static void list_kernels(const struct run *run)
{
    size_t n;
    const struct weiri_cl_kernel *kernels = weiri_cl_module_kernels(run->module, &n);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *parameters = parameters_text(&kernels[i]);
        fprintf(stderr, "  %s:%s(%s)\n", run->file, kernels[i].name, parameters);
    }
}

static bool find_kernel(struct run *run)
{
    size_t n;
    const struct weiri_cl_kernel *kernels = weiri_cl_module_kernels(run->module, &n);
    if (n == 0) {
        return complain("%s has no kernel", run->file);
    }
    if (run->kernel_name == NULL && n == 1) {
        run->kernel = kernels;
        return true;
    }
    run->kernel = run->kernel_name != NULL
        ? weiri_cl_module_kernel(run->module, run->kernel_name)
        : NULL;
    if (run->kernel != NULL) {
        return true;
    }
    if (run->kernel_name != NULL) {
        complain("%s has no kernel '%s'; it has:", run->file, run->kernel_name);
    } else {
        complain("%s has %zu kernels; name one of them:", run->file, n);
    }
    list_kernels(run);
    return false;
}

static bool build(struct run *run)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) log = g_string_new(NULL);
    if (!g_file_get_contents(run->file, &text, NULL, &error)) {
        return complain("%s", error->message);
    }
    const struct weiri_cl_source source = { .name = run->file, .text = text };
    /* The runs after --prepare are checked ones. */
    enum weiri_cl_entries entries
        = given.prepare ? WEIRI_CL_CHECKED : weiri_cl_entries_wanted();
    run->module
        = weiri_cl_build(&source, 1, given.cl_options, &facts, entries, log, &error);
    bool is_wrong
        = log->len > 0 && g_error_matches(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_SOURCE);
    if (run->module == NULL ? is_wrong : given.prepare || given.list) {
        fputs(log->str, stderr);
    }
    if (run->module != NULL) {
        return (given.list && run->kernel_name == NULL) || find_kernel(run);
    }
    return is_wrong ? complain("%s does not compile", run->file)
                    : complain("%s: %s", run->file, error->message);
}

/* ---- Sizes ----------------------------------------------------------------------- */

/* "X[,Y[,Z]]", each @least or more. Returns: how many there are; 0 after a complaint */
static uint32_t read_sizes(const char *option, const char *text, guint64 least,
                           size_t sizes[3])
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    uint32_t n = g_strv_length(parts);
    bool read = n >= 1 && n <= 3;
    for (uint32_t i = 0; i < n && read; i++) {
        guint64 size;
        read
            = g_ascii_string_to_unsigned(parts[i], 10, least, G_MAXUINT32, &size, NULL);
        sizes[i] = read ? size : 0;
    }
    if (!read) {
        complain("%s: '%s' is not one to three sizes from %u on, such as 64 or 16,16",
                 option, text, (unsigned)least);
    }
    return read ? n : 0;
}

static bool read_ranges(struct run *run)
{
    struct weiri_cl_launch *launch = &run->launch;
    *launch = (struct weiri_cl_launch){ .global = { 1, 1, 1 }, .local = { 0, 0, 0 } };
    if (given.global == NULL) {
        return complain("%s:%s: give --global X, X,Y or X,Y,Z: the items of the launch",
                        run->file, run->kernel->name);
    }
    launch->work_dim = read_sizes("--global", given.global, 1, launch->global);
    if (launch->work_dim == 0) {
        return false;
    }
    const struct {
        const char *option, *text;
        size_t *sizes;
    } others[] = { { "--local", given.local, launch->local },
                   { "--offset", given.offset, launch->offset } };
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        if (others[i].text == NULL) {
            continue;
        }
        uint32_t n = read_sizes(others[i].option, others[i].text, 0, others[i].sizes);
        if (n == 0) {
            return false;
        }
        if (n != launch->work_dim) {
            return complain("%s %s has %u dimensions, and --global %s has %u",
                            others[i].option, others[i].text, n, given.global,
                            launch->work_dim);
        }
    }
    return true;
}

/* ---- Arguments ------------------------------------------------------------------ */

static bool read_arguments(struct run *run)
{
    size_t n = given.args != NULL ? g_strv_length(given.args) : 0;
    size_t n_wanted = run->kernel->n_parameters;
    if (n != n_wanted) {
        g_autofree char *parameters = parameters_text(run->kernel);
        complain("%s(%s) has %zu parameter%s, and --arg is given %zu time%s; for "
                 "example:",
                 run->kernel->name, parameters, n_wanted, n_wanted == 1 ? "" : "s", n,
                 n == 1 ? "" : "s");
        g_autofree char *line
            = weiri_cl_list_line(run->file, run->kernel, given.global, given.local);
        fprintf(stderr, "  %s %s\n", given.name != NULL ? given.name : "weir-opencl",
                line);
        return false;
    }
    run->arguments = g_new0(struct argument, MAX(n, 1));
    for (size_t i = 0; i < n; i++) {
        g_autoptr(GError) error = NULL;
        struct argument *argument = &run->arguments[i];
        argument->parameter = &run->kernel->parameters[i];
        if (!weiri_cl_spec_read(given.args[i], argument->parameter, i, &argument->spec,
                                &error)) {
            return complain("--arg '%s' for %s %s: %s", given.args[i],
                            argument->parameter->type_name, argument->parameter->name,
                            error->message);
        }
    }
    return true;
}

/* A buffer or an image. */
static bool has_memory(const struct argument *argument)
{
    return argument->spec.kind == WEIRI_CL_SPEC_BUFFER
        || argument->spec.kind == WEIRI_CL_SPEC_IMAGE;
}

static struct argument *find_buffer(const struct run *run, const char *option,
                                    const char *name)
{
    for (size_t i = 0; i < run->kernel->n_parameters; i++) {
        struct argument *argument = &run->arguments[i];
        if (strcmp(argument->parameter->name, name) == 0) {
            if (has_memory(argument)) {
                return argument;
            }
            complain("%s: %s is not a buffer or an image", option, name);
            return NULL;
        }
    }
    complain("%s: %s has no parameter '%s'", option, run->kernel->name, name);
    return NULL;
}

/* --expect NAME=@FILE */
static bool read_expectations(struct run *run)
{
    for (size_t i = 0; given.expect != NULL && given.expect[i] != NULL; i++) {
        const char *text = given.expect[i], *equals = strstr(text, "=@");
        if (equals == NULL) {
            return complain("--expect: '%s' is not of the form NAME=@FILE", text);
        }
        g_autofree char *name = g_strndup(text, (gsize)(equals - text));
        struct argument *argument = find_buffer(run, "--expect", name);
        g_autoptr(GError) error = NULL;
        gsize length;
        if (argument == NULL) {
            return false;
        }
        g_clear_pointer(&argument->expected, g_free);
        if (!g_file_get_contents(equals + 2, &argument->expected, &length, &error)) {
            return complain("--expect: %s", error->message);
        }
        if (length != argument->spec.bytes) {
            return complain("--expect: %s has %zu bytes, and %s %zu", equals + 2,
                            (size_t)length, name, argument->spec.bytes);
        }
    }
    for (size_t i = 0; given.dump != NULL && given.dump[i] != NULL; i++) {
        if (find_buffer(run, "--dump", given.dump[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- The launch ------------------------------------------------------------------ */

static bool make_memory(struct run *run)
{
    for (size_t i = 0; i < run->kernel->n_parameters; i++) {
        struct argument *argument = &run->arguments[i];
        if (!has_memory(argument)) {
            continue;
        }
        g_autoptr(GError) error = NULL;
        size_t n = MAX(argument->spec.n, 1);
        argument->memory
            = weir_memory_new(run->device, argument->spec.n, argument->spec.bytes / n,
                              argument->parameter->name, &error);
        if (argument->memory == NULL) {
            return complain("%s: %s", argument->parameter->name, error->message);
        }
        argument->spec.image.data = argument->memory;
    }
    return true;
}

static void *make_block(const struct run *run)
{
    char *block = g_malloc0(run->kernel->args_bytes);
    for (size_t i = 0; i < run->kernel->n_parameters; i++) {
        const struct argument *argument = &run->arguments[i];
        const struct weiri_cl_spec *spec = &argument->spec;
        const struct weiri_image *image = &spec->image;
        char *to = block + argument->parameter->offset;
        if (spec->data != NULL && has_memory(argument)) {
            memcpy(argument->memory, spec->data, spec->bytes);
        }
        switch (spec->kind) {
        case WEIRI_CL_SPEC_VALUE:
            memcpy(to, spec->data, spec->bytes);
            break;
        case WEIRI_CL_SPEC_BUFFER:
            memcpy(to, &argument->memory, sizeof(argument->memory));
            break;
        case WEIRI_CL_SPEC_IMAGE:
            memcpy(to, &image, sizeof(image));
            break;
        case WEIRI_CL_SPEC_LOCAL:
            memcpy(to, &spec->bytes, sizeof(spec->bytes));
            break;
        case WEIRI_CL_SPEC_NULL:
            break;
        }
    }
    return block;
}

/* The launch's post-condition. */
static bool as_expected(const void *args, void *user)
{
    const struct run *run = user;
    (void)args;
    for (size_t i = 0; i < run->kernel->n_parameters; i++) {
        const struct argument *argument = &run->arguments[i];
        if (argument->expected != NULL
            && memcmp(argument->memory, argument->expected, argument->spec.bytes)
                != 0) {
            return false;
        }
    }
    return true;
}

static int launch_once(struct run *run)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    if (given.expect != NULL) {
        options.post_condition = as_expected;
        options.post_condition_user = run;
    }
    g_autoptr(GError) error = NULL;
    g_autofree void *block = make_block(run);
    if (weiri_cl_launch(run->device, run->kernel, &run->launch, block, &options, NULL,
                        &error)) {
        return CLEAN;
    }
    if (g_error_matches(error, WEIR_ERROR, WEIR_ERROR_FINDINGS)) {
        return FINDINGS;
    }
    complain("%s: %s", run->kernel->name, error->message);
    return USAGE;
}

static void dump(const struct run *run)
{
    for (size_t i = 0; given.dump != NULL && given.dump[i] != NULL; i++) {
        const struct argument *argument = find_buffer(run, "--dump", given.dump[i]);
        g_autofree char *text = weiri_cl_spec_text(argument->spec.type,
                                                   argument->memory, argument->spec.n);
        printf("%s=%s\n", given.dump[i], text);
    }
}

static int compare_times(const void *a, const void *b)
{
    gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return (x > y) - (x < y);
}

static int launch(struct run *run)
{
    int status = CLEAN;
    g_autofree gint64 *times = g_new(gint64, run->reps);
    for (uint64_t i = 0; i < run->reps && status == CLEAN; i++) {
        gint64 start = g_get_monotonic_time();
        status = launch_once(run);
        times[i] = g_get_monotonic_time() - start;
    }
    if (status == USAGE) {
        return status;
    }
    dump(run);
    if (given.reps != NULL && status == CLEAN) {
        qsort(times, run->reps, sizeof(*times), compare_times);
        printf("%s: best %.3f ms, median %.3f ms of %" G_GUINT64_FORMAT " launches\n",
               run->kernel->name, (double)times[0] * 1e-3,
               (double)times[run->reps / 2] * 1e-3, run->reps);
    }
    return status;
}

/* ---- What there is --------------------------------------------------------------- */

/* The kernels of the file, or the one that was named; without a file what compiles
 * them. */
static int list(struct run *run)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    if (run->file == NULL) {
        text = weiri_cl_list_about(&facts, given.json, &error);
    } else if (!build(run)) {
        return USAGE;
    } else {
        size_t n = 1;
        const struct weiri_cl_kernel *kernels = run->kernel != NULL
            ? run->kernel
            : weiri_cl_module_kernels(run->module, &n);
        text = weiri_cl_list_kernels(run->file, kernels, n, given.json);
    }
    if (text == NULL) {
        complain("%s", error->message);
        return USAGE;
    }
    if (fputs(text, stdout) == EOF || fflush(stdout) != 0) {
        complain("cannot write: %s", g_strerror(errno));
        return USAGE;
    }
    return CLEAN;
}

/* ---- The program ----------------------------------------------------------------- */

static bool read_line(int *argc, char ***argv, struct run *run)
{
    const GOptionEntry entries[] = {
        { "global", 0, 0, G_OPTION_ARG_STRING, &given.global, NULL, NULL },
        { "local", 0, 0, G_OPTION_ARG_STRING, &given.local, NULL, NULL },
        { "offset", 0, 0, G_OPTION_ARG_STRING, &given.offset, NULL, NULL },
        { "cl-options", 0, 0, G_OPTION_ARG_STRING, &given.cl_options, NULL, NULL },
        { "arg", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.args, NULL, NULL },
        { "dump", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.dump, NULL, NULL },
        { "expect", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.expect, NULL, NULL },
        { "device", 0, 0, G_OPTION_ARG_STRING, &given.device, NULL, NULL },
        { "reps", 0, 0, G_OPTION_ARG_STRING, &given.reps, NULL, NULL },
        { "as", 0, 0, G_OPTION_ARG_STRING, &given.name, NULL, NULL },
        { "prepare", 0, 0, G_OPTION_ARG_NONE, &given.prepare, NULL, NULL },
        { "list", 0, 0, G_OPTION_ARG_NONE, &given.list, NULL, NULL },
        { "json", 0, 0, G_OPTION_ARG_NONE, &given.json, NULL, NULL },
        { 0 },
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(GOptionContext) context = g_option_context_new("FILE.cl[:KERNEL]");
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, argc, argv, &error)) {
        return complain("%s", error->message);
    }
    if (*argc == 1 && given.list) {
        return true;
    }
    if (*argc != 2) {
        return complain("give one FILE.cl:KERNEL; 'weir check' runs this program");
    }
    const char *colon = strrchr((*argv)[1], ':');
    run->file = colon != NULL ? g_strndup((*argv)[1], (gsize)(colon - (*argv)[1]))
                              : g_strdup((*argv)[1]);
    run->kernel_name = colon != NULL ? g_strdup(colon + 1) : NULL;
    run->reps = 1;
    if (given.reps != NULL
        && !g_ascii_string_to_unsigned(given.reps, 10, 1, 1000000, &run->reps, NULL)) {
        return complain("--reps: '%s' is not a number of launches", given.reps);
    }
    return true;
}

int main(int argc, char **argv)
{
    struct run run = { 0 };
    if (!read_line(&argc, &argv, &run)) {
        return USAGE;
    }
    if (given.list) {
        return list(&run);
    }
    if (!build(&run) || !read_arguments(&run) || !read_ranges(&run)
        || !read_expectations(&run)) {
        return USAGE;
    }
    GError *error = NULL;
    run.device
        = weir_device_new(given.device != NULL ? given.device : "default", &error);
    if (run.device == NULL) {
        complain("%s", error->message);
        return USAGE;
    }
    struct weir_nd_range range;
    if (!weiri_cl_range(run.device, run.kernel, &run.launch, &range, &error)) {
        complain("%s: %s", run.kernel->name, error->message);
        return USAGE;
    }
    int status = given.prepare ? CLEAN : make_memory(&run) ? launch(&run) : USAGE;
    weir_device_free(run.device);
    return status;
}
