/* SPDX-License-Identifier: MIT
 *
 * check_opencl_builtins.c: the builtins that the machine defines, by the kernels in
 * tests/opencl. Before each is a line that states what is expected of it:
 *
 *     // NAME GLOBAL LOCAL runs: 1 2 3       no finding, and what `out` begins with
 *     // NAME GLOBAL LOCAL finds: KIND TEXT  a finding of that kind, and the report's
 *                                            text has TEXT
 *
 * Sizes are "8", "4,2", or "8@10" with an offset. The first argument is 0, 1, 2 … and
 * the others are 0, each of 128 integers; images are as images.cl says. A kernel that
 * runs is run without checks, with and without stacks, and checked in two schedules.
 * Without clang and libclc the tests pass unseen. */
#include "support.h"

#include "opencl/device/image.h"
#include "opencl/opencl.h"

static const struct weiri_cl_facts facts
    = { .extensions = "cl_khr_fp64 cl_khr_byte_addressable_store cl_khr_subgroups "
                      "cl_khr_global_int32_base_atomics cl_khr_int64_base_atomics "
                      "cl_khr_int64_extended_atomics",
        .version = 300,
        .images = true };

enum { ELEMENTS = 128, SIDE = 4 };

/* The tests' folder: that of the sources, or the current one. */
static char *path_of(const char *file)
{
    const char *folder = g_getenv("top_srcdir");
    return g_build_filename(folder != NULL ? folder : "..", "tests/opencl", file, NULL);
}

/* Returns: NULL where this machine has no compiler for it */
static struct weiri_cl_module *build(const char *file, const char *text,
                                     enum weiri_cl_entries entries)
{
    struct weiri_cl_source source = { .name = file, .text = text };
    GString *log = g_string_new(NULL);
    GError *error = NULL;
    struct weiri_cl_module *module
        = weiri_cl_build(&source, 1, "-cl-std=CL2.0", &facts, entries, log, &error);
    bool none = module == NULL
        && g_error_matches(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER)
        && strstr(error->message, "apt-get") != NULL;
    if (module == NULL && !none) {
        ck_abort_msg("%s\n%s", error->message, log->str);
    }
    g_clear_error(&error);
    g_string_free(log, TRUE);
    return module;
}

static struct weiri_image *image_new(struct weir_device *device, const char *name)
{
    enum { CL_R = 0x10B0, CL_SIGNED_INT32 = 0x10D9, CL_FLOAT = 0x10DE };
    struct weiri_image *image = g_new0(struct weiri_image, 1);
    int *texels = weir_new(device, int, SIDE *SIDE, name);
    bool integers = strcmp(name, "i") == 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        float value = (float)i;
        texels[i] = i;
        if (!integers) {
            memcpy(&texels[i], &value, sizeof(value));
        }
    }
    *image = (struct weiri_image){ .data = texels,
                                   .form = WEIRI_IMAGE_2D,
                                   .order = CL_R,
                                   .type = integers ? CL_SIGNED_INT32 : CL_FLOAT,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .depth = 1,
                                   .layers = 1,
                                   .row_bytes = SIDE * sizeof(float),
                                   .slice_bytes = SIDE * SIDE * sizeof(float) };
    return image;
}

/* Fills the block of arguments. Returns: the second buffer */
static const int *fill(struct weir_device *device, const struct weiri_cl_kernel *kernel,
                       char *args, GPtrArray *images)
{
    const int *out = NULL;
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        const struct weiri_cl_parameter *parameter = &kernel->parameters[i];
        void *value;
        if (parameter->kind == WEIRI_CL_IMAGE) {
            value = image_new(device, parameter->name);
            g_ptr_array_add(images, value);
        } else {
            int *buffer = weir_new(device, int, ELEMENTS, parameter->name);
            for (int j = 0; j < ELEMENTS; j++) {
                buffer[j] = i == 0 ? j : 0;
            }
            value = buffer;
            out = i == 1 ? buffer : out;
        }
        memcpy(args + parameter->offset, &value, sizeof(value));
    }
    return out;
}

static uint32_t read_sizes(const char *text, size_t sizes[3])
{
    uint32_t dims = 0;
    char *end = (char *)text;
    do {
        sizes[dims++] = g_ascii_strtoull(*end == ',' ? end + 1 : end, &end, 10);
    } while (*end == ',' && dims < 3);
    return dims;
}

struct expectation {
    const char *kernel, *global, *local;
    bool runs;
    const char *what;
};

static void compare(const struct expectation *expectation, const int *out,
                    const char *how)
{
    g_auto(GStrv) values = g_strsplit(expectation->what, " ", -1);
    for (size_t i = 0; values[i] != NULL; i++) {
        ck_assert_msg(out[i] == (int)g_ascii_strtoll(values[i], NULL, 10),
                      "%s, %s: [%zu] is %d, not %s", expectation->kernel, how, i,
                      out[i], values[i]);
    }
}

static void compare_finding(const struct expectation *expectation,
                            const struct weir_report *report, const char *text)
{
    const char *blank = strchr(expectation->what, ' ');
    ck_assert_ptr_nonnull(blank);
    g_autofree char *kind
        = g_strndup(expectation->what, (gsize)(blank - expectation->what));
    bool found = false;
    for (size_t i = 0; i < weir_report_n_findings(report); i++) {
        enum weir_finding_kind one = weir_report_finding(report, i)->kind;
        found |= strcmp(weir_finding_kind_name(one), kind) == 0;
    }
    ck_assert_msg(found && strstr(text, blank + 1) != NULL,
                  "%s: no %s with \"%s\" in:\n%s", expectation->kernel, kind, blank + 1,
                  text);
}

/* @schedule: of a checked launch; or NULL */
static void run(const struct weiri_cl_module *module,
                const struct expectation *expectation, const char *schedule,
                bool stackful)
{
    GError *error = NULL;
    const struct weiri_cl_kernel *kernel
        = weiri_cl_module_kernel(module, expectation->kernel);
    ck_assert_msg(kernel != NULL, "no kernel %s", expectation->kernel);
    g_autoptr(weir_device) device = weir_device_new("default", &error);
    g_autofree char *args = g_malloc0(kernel->args_bytes);
    g_autoptr(GPtrArray) images = g_ptr_array_new_with_free_func(g_free);
    const int *out = fill(device, kernel, args, images);
    struct weiri_cl_launch range = { .work_dim = 1 };
    range.work_dim = read_sizes(expectation->global, range.global);
    (void)read_sizes(expectation->local, range.local);
    const char *at = strchr(expectation->global, '@');
    if (at != NULL) {
        (void)read_sizes(at + 1, range.offset);
    }
    struct weir_launch_options options = {
        .schedule = schedule,
        .check = schedule != NULL,
        .stackful = stackful,
        .spaces = schedule != NULL ? WEIR_SPACES_OPENCL : WEIR_SPACES_SYCL,
    };
    struct weir_report *report = NULL;
    if (!weiri_cl_launch(device, kernel, &range, args, &options, &report, &error)) {
        ck_abort_msg("%s: %s", expectation->kernel, error->message);
    }
    g_autofree char *text = weir_report_to_text(report);
    if (expectation->runs) {
        ck_assert_msg(weir_report_n_findings(report) == 0, "%s", text);
        compare(expectation, out, schedule != NULL ? schedule : "not checked");
    } else {
        compare_finding(expectation, report, text);
    }
    weir_report_free(report);
}

/* Runs the kernels of a file as their lines say. Returns: how many there are */
static unsigned check_file(const struct weiri_cl_module *module, const char *text)
{
    g_autoptr(GRegex) line = g_regex_new("^// (\\w+) (\\S+) (\\S+) (runs|finds): (.*)$",
                                         G_REGEX_MULTILINE, 0, NULL);
    GMatchInfo *match;
    unsigned n = 0;
    g_regex_match(line, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL), n++) {
        g_auto(GStrv) words = g_match_info_fetch_all(match);
        const struct expectation expectation
            = { words[1], words[2], words[3], strcmp(words[4], "runs") == 0, words[5] };
        run(module, &expectation, "in-order", false);
        if (expectation.runs) {
            run(module, &expectation, "random", false);
            run(module, &expectation, NULL, false);
            run(module, &expectation, NULL, true);
        }
    }
    g_match_info_free(match);
    return n;
}

/* The text with empty lines for the kernels whose expectation is @which. */
static char *without(const char *text, const char *which)
{
    g_autofree char *pattern = g_strdup_printf("^// \\w+ \\S+ \\S+ %s: ", which);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    bool inside = false;
    for (size_t i = 0; lines[i] != NULL; i++) {
        bool end = strcmp(lines[i], "}") == 0;
        inside = inside || g_regex_match_simple(pattern, lines[i], 0, 0);
        if (inside) {
            lines[i][0] = '\0';
        }
        inside = inside && !end;
    }
    return g_strjoinv("\n", lines);
}

/* Several files are one program, since some of the time of a build does not depend on
 * how many kernels there are. A kernel that is only checked needs no other entries,
 * which take most of the time: such kernels are a second program. */
static void check_files(const char *const *files)
{
    static const char *const others[] = { "finds", "runs" };
    static const enum weiri_cl_entries entries[] = { WEIRI_CL_ALL, WEIRI_CL_CHECKED };
    unsigned n[16] = { 0 };
    for (size_t k = 0; k < G_N_ELEMENTS(others); k++) {
        g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GString) whole = g_string_new(NULL);
        for (size_t i = 0; files[i] != NULL; i++) {
            g_autofree char *path = path_of(files[i]), *text = NULL;
            ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "no file %s",
                          path);
            g_ptr_array_add(texts, without(text, others[k]));
            g_string_append_printf(whole, "#line 1 \"%s\"\n%s\n", path,
                                   (char *)texts->pdata[i]);
        }
        struct weiri_cl_module *module = build("builtins.cl", whole->str, entries[k]);
        if (module == NULL) {
            return;
        }
        for (size_t i = 0; i < texts->len; i++) {
            n[i] += check_file(module, texts->pdata[i]);
        }
        weiri_cl_module_free(module);
    }
    for (size_t i = 0; files[i] != NULL; i++) {
        ck_assert_msg(n[i] >= 4, "%s states %u kernels", files[i], n[i]);
    }
}

CASE("families", .seconds = 600);

TEST(builtins_of_items_and_groups)
{
    static const char *const files[]
        = { "ids.cl", "groups.cl", "uneven.cl", "atomics.cl", "copies.cl", NULL };
    check_files(files);
}

/* No item waits in these, so that there are no stackless entries of them. */
TEST(vectors_memory_and_images)
{
    if (g_strcmp0(g_getenv("WEIR_ALL_COMPILERS"), "1") != 0) {
        g_setenv("WEIR_CL_STACKLESS", "0", TRUE);
    }
    static const char *const files[] = { "private.cl", "components.cl", "alignment.cl",
                                         "numbers.cl", "images.cl",     NULL };
    check_files(files);
}

/* Kernels are built with the files of the sources. */
static __attribute__((constructor)) void set_folders(void)
{
    const char *source = g_getenv("top_srcdir"), *builds = g_getenv("top_builddir");
    g_autofree char *top
        = g_canonicalize_filename(source != NULL ? source : "..", NULL),
        *out = g_canonicalize_filename(builds != NULL ? builds : ".", NULL),
        *include = g_build_filename(top, "sim", NULL),
        *data = g_build_filename(top, "sim", "opencl", "device", NULL),
        *cc = g_build_filename(out, "weir-opencl-cc", NULL),
        *cache = g_build_filename(out, "tests", "opencl-cache", NULL);
    g_setenv("WEIR_INCLUDE_DIR", include, TRUE);
    g_setenv("WEIR_OPENCL_DIR", data, TRUE);
    g_setenv("WEIR_OPENCL_CC", cc, TRUE);
    g_setenv("WEIR_CACHE_DIR", cache, TRUE);
}

MAIN("opencl-builtins")
