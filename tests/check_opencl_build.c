/* SPDX-License-Identifier: MIT
 *
 * check_opencl_build.c: kernels in OpenCL C are built, launched, and checked. Expected
 * values follow from OpenCL's rules. Without clang and libclc the tests pass unseen; a
 * machine that `quickstart test` has set up has both. */
#include "support.h"

#include "opencl/opencl.h"
#include "report/symbol.h"

#include <glib/gstdio.h>

static const struct weiri_cl_facts facts
    = { .extensions = "cl_khr_fp64 cl_khr_byte_addressable_store "
                      "cl_khr_global_int32_base_atomics cl_khr_int64_base_atomics",
        .version = 300,
        .images = true };

/* Whether this machine can build kernels. */
static bool can_build(void)
{
    static int can = -1;
    if (can < 0) {
        struct weiri_cl_source source
            = { .name = "try.cl", .text = "kernel void k() {}" };
        GString *log = g_string_new(NULL);
        GError *error = NULL;
        struct weiri_cl_module *module
            = weiri_cl_build(&source, 1, NULL, &facts, WEIRI_CL_ALL, log, &error);
        can = module != NULL
            || !g_error_matches(error, WEIRI_CL_ERROR, WEIRI_CL_ERROR_COMPILER)
            || strstr(error->message, "apt-get") == NULL;
        weiri_cl_module_free(module);
        g_clear_error(&error);
        g_string_free(log, TRUE);
    }
    return can != 0;
}

static struct weiri_cl_module *build(const char *text, const char *options)
{
    struct weiri_cl_source source = { .name = "test.cl", .text = text };
    GString *log = g_string_new(NULL);
    GError *error = NULL;
    struct weiri_cl_module *module
        = weiri_cl_build(&source, 1, options, &facts, WEIRI_CL_ALL, log, &error);
    if (module == NULL) {
        ck_abort_msg("%s\n%s", error->message, log->str);
    }
    g_string_free(log, TRUE);
    return module;
}

/* The errors of a program: the error's message and the log. */
static char *failure(const char *text, const char *options, int code)
{
    struct weiri_cl_source source = { .name = "test.cl", .text = text };
    GString *log = g_string_new(NULL);
    GError *error = NULL;
    struct weiri_cl_module *module
        = weiri_cl_build(&source, 1, options, &facts, WEIRI_CL_ALL, log, &error);
    ck_assert_ptr_null(module);
    ck_assert_msg(g_error_matches(error, WEIRI_CL_ERROR, code), "%s", error->message);
    g_error_free(error);
    return g_string_free(log, FALSE);
}

/* A launch of a kernel whose arguments are buffers of int, in one dimension. */
struct launch {
    const char *text, *options, *kernel;
    size_t global, local;
    size_t local_bytes; /* of arguments in local memory */
    int *buffers[4];
    struct weir_device *device;
    struct weir_report *report;
};

static struct launch of(const char *text, const char *options, const char *kernel,
                        size_t global, size_t local)
{
    return (struct launch){ .text = text,
                            .options = options,
                            .kernel = kernel,
                            .global = global,
                            .local = local };
}

/* Launches it in @schedule, or with NULL in the fast mode. Buffers have 64 elements, 0
 * to 63, or where they are the second or a later one, 0. */
static void launch(struct launch *launch, const char *schedule, bool stackful)
{
    GError *error = NULL;
    struct weiri_cl_module *module = build(launch->text, launch->options);
    const struct weiri_cl_kernel *kernel
        = weiri_cl_module_kernel(module, launch->kernel);
    ck_assert_ptr_nonnull(kernel);
    launch->device = weir_device_new("default", &error);
    char *args = g_malloc0(kernel->args_bytes);
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        const struct weiri_cl_parameter *parameter = &kernel->parameters[i];
        void *at = args + parameter->offset;
        if (parameter->kind == WEIRI_CL_LOCAL) {
            memcpy(at, &launch->local_bytes, sizeof(size_t));
        } else if (parameter->kind == WEIRI_CL_VALUE) {
            memcpy(at, &(int){ 3 }, sizeof(int));
        } else {
            int *buffer = weir_new(launch->device, int, 64, parameter->name);
            for (int j = 0; j < 64; j++) {
                buffer[j] = i == 0 ? j : 0;
            }
            memcpy(at, &buffer, sizeof(buffer));
            launch->buffers[i] = buffer;
        }
    }
    struct weiri_cl_launch range
        = { .work_dim = 1, .global = { launch->global }, .local = { launch->local } };
    struct weir_launch_options options
        = { .schedule = schedule, .check = schedule != NULL, .stackful = stackful };
    if (!weiri_cl_launch(launch->device, kernel, &range, args, &options,
                         &launch->report, &error)) {
        ck_abort_msg("%s", error->message);
    }
    g_free(args);
    weiri_cl_module_free(module);
}

static void clear(struct launch *launch)
{
    weir_report_free(launch->report);
    weir_device_free(launch->device);
}

/* Runs it in each way; @expected are the first elements of buffer @index. */
static void expect_values(struct launch made, size_t index, const int *expected,
                          size_t n)
{
    static const char *const schedules[] = { NULL, NULL, "in-order", "random" };
    for (size_t i = 0; i < G_N_ELEMENTS(schedules); i++) {
        struct launch one = made;
        launch(&one, schedules[i], i == 1);
        g_autofree char *text = weir_report_to_text(one.report);
        ck_assert_msg(weir_report_n_findings(one.report) == 0, "%s", text);
        for (size_t j = 0; j < n; j++) {
            ck_assert_msg(one.buffers[index][j] == expected[j], "[%zu] is %d, not %d",
                          j, one.buffers[index][j], expected[j]);
        }
        clear(&one);
    }
}

/* Runs it checked; its first finding is of @kind, and its text has @text. */
static void expect_finding(struct launch made, enum weir_finding_kind kind,
                           const char *text)
{
    launch(&made, "in-order", false);
    g_autofree char *report = weir_report_to_text(made.report);
    ck_assert_msg(weir_report_n_findings(made.report) > 0, "no finding");
    ck_assert_msg(weir_report_finding(made.report, 0)->kind == kind, "%s", report);
    ck_assert_msg(strstr(report, text) != NULL, "no \"%s\" in: %s", text, report);
    clear(&made);
}

#define RUNS(made, index, ...)                                                         \
    expect_values((made), (index), (const int[])__VA_ARGS__,                           \
                  G_N_ELEMENTS(((const int[])__VA_ARGS__)))

/* ---- Kernels --------------------------------------------------------------------- */

CASE("kernels");

static const char helpers[]
    = "void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
      "int exchange(local int *cell, int value) {\n"
      "    size_t l = get_local_id(0);\n"
      "    cell[l] = value;\n"
      "    meet();\n"
      "    return cell[l ^ 1];\n"
      "}\n"
      "kernel void pairs(global int *data) {\n"
      "    local int cell[4];\n"
      "    data[get_global_id(0)] = exchange(cell, data[get_global_id(0)]);\n"
      "}\n"
      "kernel void some(global int *data) {\n"
      "    local int cell[4];\n"
      "    if (get_local_id(0) < 2)\n"
      "        data[get_global_id(0)] = exchange(cell, data[get_global_id(0)]);\n"
      "}\n";

TEST(a_barrier_in_a_helper_is_one_of_the_kernel)
{
    if (can_build()) {
        RUNS(of(helpers, NULL, "pairs", 8, 4), 0, { 1, 0, 3, 2, 5, 4, 7, 6 });
        expect_finding(of(helpers, NULL, "some", 8, 4), WEIR_FINDING_BARRIER_DIVERGENCE,
                       "called from exchange at test.cl:5");
    }
}

TEST(halves_are_loaded_and_stored_without_arithmetic_of_half)
{
    /* 1.5 is 0x3e00; between 1 and its neighbours the direction of rounding shows. */
    static const char text[]
        = "constant ushort three[] = { 0x4200, 0x4200 };\n"
          "kernel void k(global int *out) {\n"
          "    local ushort shared[4];\n"
          "    ushort own[16];\n"
          "    global half *g = (global half *)out;\n"
          "    local half *l = (local half *)shared;\n"
          "    private half *p = (private half *)own;\n"
          "    vstore_half(1.5f, 0, g);\n"
          "    vstore_half(0.0, 1, g);\n"
          "    vstorea_half4_rtp((float4)(1.0001f), 0, l);\n"
          "    vstore_half3_rtz((double3)(1.0009), 1, p);\n"
          "    out[1] = vload_half4(0, l).y * 1024;\n"
          "    out[2] = vload_half3(1, p).z * 1024;\n"
          "    out[3] = vload_half2(0, (constant half *)three).s1 * 1024;\n"
          "}\n";
    if (can_build()) {
        RUNS(of(text, NULL, "k", 1, 1), 0, { 0x3e00, 1025, 1024, 3072 });
        RUNS(of(text, "-cl-std=CL2.0", "k", 1, 1), 0, { 0x3e00, 1025, 1024, 3072 });
        char *log = failure("kernel void k(global half *p) { *p = *p + *p; }", NULL,
                            WEIRI_CL_ERROR_SOURCE);
        ck_assert_msg(strstr(log, "half") != NULL, "%s", log);
        g_free(log);
    }
}

TEST(local_memory_is_named_and_bounded)
{
    static const char text[] = "kernel void sum(global int *in, local int *tile) {\n"
                               "    size_t l = get_local_id(0);\n"
                               "    tile[l] = in[l];\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    in[l] = tile[3 - l];\n"
                               "}\n";
    if (can_build()) {
        struct launch right = of(text, NULL, "sum", 4, 4);
        right.local_bytes = 16;
        RUNS(right, 0, { 3, 2, 1, 0 });
        struct launch wrong = of(text, NULL, "sum", 4, 4);
        wrong.local_bytes = 12;
        expect_finding(wrong, WEIR_FINDING_OUT_OF_BOUNDS, "tile[3] of 3 elements");
    }
}

TEST(pointers_to_local_memory_meet_in_a_variable)
{
    static const char text[] = "kernel void k(global int *out, int n) {\n"
                               "    local int a[4], b[4];\n"
                               "    size_t l = get_local_id(0);\n"
                               "    local int *mine = l & 1 ? a : b + 1;\n"
                               "    local int *both[2] = { a, b };\n"
                               "    a[l] = 0; b[l] = 0;\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    if (l < 2) *mine = (int)l + n;\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    out[l] = both[l & 1][l & 1 ? 1 : 0];\n"
                               "}\n";
    if (can_build()) { /* a[0] is 4, b[1] is 3 */
        RUNS(of(text, NULL, "k", 2, 2), 0, { 4, 3 });
    }
}

TEST(a_kernel_calls_a_kernel)
{
    static const char text[] = "kernel void inner(global int *p) {\n"
                               "    local int t[2];\n"
                               "    t[get_local_id(0)] = 5;\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    p[get_local_id(0)] = t[1 - get_local_id(0)];\n"
                               "}\n"
                               "kernel void outer(global int *p) { inner(p); }\n";
    if (can_build()) {
        RUNS(of(text, NULL, "outer", 2, 2), 0, { 5, 5, 2 });
    }
}

TEST(structs_vectors_and_switches_work)
{
    static const char text[]
        = "typedef struct { char c; int4 v; } S;\n"
          "constant int table[3] = { 10, 20, 30 };\n"
          "inline int square(int x) { return x * x; }\n"
          "S make(S s) { s.v.yw = s.v.wy; s.c++; return s; }\n"
          "kernel void k(global int *out) {\n"
          "    int i = (int)get_global_id(0);\n"
          "    S s = { (char)i, (int4)(1, 2, 3, 4) };\n"
          "    S t = make(s);\n"
          "    float second; float first = fract(2.75f, &second);\n"
          "    switch (i) {\n"
          "    case 0: out[i] = t.v.y * 10 + t.v.w; break;\n"
          "    case 1: out[i] = t.c; break;\n"
          "    case 2: out[i] = table[i] + square(3); break;\n"
          "    case 3: out[i] = (int)(first * 100) + (int)second; break;\n"
          "    case 4: vstore3((int3)(7, 8, 9), 0, out + i); break;\n"
          "    case 7: { float8 w = (float8)(i); out[i] = (int)dot(w.lo, w.hi); }\n"
          "    }\n"
          "}\n";
    if (can_build()) {
        RUNS(of(text, NULL, "k", 4, 4), 0, { 42, 2, 39, 77 });
        struct launch wide = of(text, NULL, "k", 8, 8);
        launch(&wide, NULL, false);
        ck_assert_int_eq(wide.buffers[0][7], 196);
        clear(&wide);
    }
}

TEST(variables_of_the_program_are_one_in_all_entries)
{
    static const char text[] = "global int count = 40;\n"
                               "kernel void k(global int *out) {\n"
                               "    out[get_global_id(0)] = count + 2;\n"
                               "}\n";
    if (can_build()) {
        RUNS(of(text, "-cl-std=CL2.0", "k", 2, 2), 0, { 42, 42, 2 });
    }
}

TEST(each_program_has_variables_of_its_own_as_initialised)
{
    static const char text[] = "global int count = 40;\n"
                               "global int4 rest[2];\n"
                               "kernel void k(global int *out) {\n"
                               "    out[0] = count + rest[1].x;\n"
                               "    count = count + 1;\n"
                               "    rest[1].x = 2;\n"
                               "}\n";
    static const char none[] = "kernel void k(global int *out) { out[0] = 40; }\n";
    if (can_build()) {
        RUNS(of(text, "-cl-std=CL2.0", "k", 1, 1), 0, { 40, 1 });
        struct weiri_cl_module *one = build(text, "-cl-std=CL2.0"),
                               *two = build(text, "-cl-std=CL2.0"),
                               *alone = build(none, NULL), *same = build(none, NULL);
        ck_assert_str_ne(weiri_cl_module_path(one), weiri_cl_module_path(two));
        ck_assert_uint_ge(weiri_cl_module_variables(one), 36);
        RUNS(of(text, "-cl-std=CL2.0", "k", 1, 1), 0, { 40, 1 });
        weiri_cl_module_free(one);
        RUNS(of(text, "-cl-std=CL2.0", "k", 1, 1), 0, { 40, 1 });
        ck_assert_str_eq(weiri_cl_module_path(alone), weiri_cl_module_path(same));
        ck_assert_uint_eq(weiri_cl_module_variables(alone), 0);
        weiri_cl_module_free(two);
        weiri_cl_module_free(alone);
        weiri_cl_module_free(same);
    }
}

TEST(kernels_may_have_names_of_c_and_of_weir)
{
    static const char *const names[]
        = { "tree", "free", "memcpy", "weiri_barrier", "item" };
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_string_append_printf(text,
                               "kernel void %s(global int *out) { out[0] = %zu; }\n",
                               names[i], i + 100);
    }
    for (size_t i = 0; can_build() && i < G_N_ELEMENTS(names); i++) {
        struct launch one = of(text->str, NULL, names[i], 1, 1);
        launch(&one, NULL, false);
        ck_assert_int_eq(one.buffers[0][0], (int)i + 100);
        clear(&one);
    }
    g_string_free(text, TRUE);
}

TEST(many_functions_are_one_kernel)
{
    GString *text = g_string_new("int f0(int x) { return x + 1; }\n");
    for (int i = 1; i < 64; i++) {
        g_string_append_printf(text, "int f%d(int x) { return f%d(x) + 1; }\n", i,
                               i - 1);
    }
    g_string_append(text,
                    "kernel void k(global int *out) {\n"
                    "    out[get_global_id(0)] = f63(out[get_global_id(0)]);\n"
                    "}\n");
    if (can_build()) {
        RUNS(of(text->str, NULL, "k", 2, 1), 0, { 64, 65, 2 });
    }
    g_string_free(text, TRUE);
}

TEST(unoptimised_kernels_run_and_are_checked)
{
    if (can_build()) {
        RUNS(of(helpers, "-cl-opt-disable", "pairs", 8, 4), 0,
             { 1, 0, 3, 2, 5, 4, 7, 6 });
    }
}

/* ---- Findings -------------------------------------------------------------- */

CASE("findings");

TEST(a_race_is_found_on_lines_of_the_source)
{
    static const char text[] = "kernel void wrong(global int *data) {\n"
                               "    local int tile[8];\n"
                               "    size_t l = get_local_id(0);\n"
                               "    tile[l] = data[l];\n"
                               "    data[l] = tile[7 - l];\n"
                               "}\n"
                               "kernel void right(global int *data) {\n"
                               "    local int tile[8];\n"
                               "    size_t l = get_local_id(0);\n"
                               "    tile[l] = data[l];\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    data[l] = tile[7 - l];\n"
                               "}\n";
    if (can_build()) {
        struct launch wrong = of(text, NULL, "wrong", 8, 8);
        expect_finding(wrong, WEIR_FINDING_DATA_RACE, "test.cl:4");
        expect_finding(wrong, WEIR_FINDING_DATA_RACE, "tile[4]");
        RUNS(of(text, NULL, "right", 8, 8), 0, { 7, 6, 5, 4, 3, 2, 1, 0 });
    }
}

TEST(an_index_of_a_member_is_checked)
{
    static const char text[] = "typedef struct { int value[3]; int end; } record;\n"
                               "kernel void k(global record *r, int which) {\n"
                               "    r[get_global_id(0)].value[which] = 1;\n"
                               "}\n"
                               "kernel void right(global record *r, int which) {\n"
                               "    r[get_global_id(0)].value[which - 1] = 1;\n"
                               "}\n";
    if (can_build()) {
        expect_finding(of(text, NULL, "k", 2, 2), WEIR_FINDING_OUT_OF_BOUNDS,
                       "index 3 of an array");
        RUNS(of(text, NULL, "right", 2, 2), 0, { 0, 1, 1, 3, 4, 5, 1, 7 });
    }
}

TEST(a_pointer_to_a_vector_asks_for_its_alignment)
{
    static const char text[] = "kernel void wrong(global int *in, global int *out) {\n"
                               "    out[0] = (*(global int4 *)(in + 1)).x;\n"
                               "}\n"
                               "kernel void right(global int *in, global int *out) {\n"
                               "    out[0] = vload4(0, in + 1).x;\n"
                               "}\n";
    if (can_build()) {
        expect_finding(of(text, NULL, "wrong", 1, 1), WEIR_FINDING_MISALIGNED,
                       "test.cl:2");
        RUNS(of(text, NULL, "right", 1, 1), 1, { 1 });
    }
}

TEST(variables_of_the_program_are_memory_with_names)
{
    static const char text[]
        = "global int count;\n"
          "kernel void wrong(global int *out) { count += out[get_global_id(0)]; }\n"
          "kernel void right(global int *out) { atomic_add(&count, 1); }\n";
    if (can_build()) {
        struct launch wrong = of(text, "-cl-std=CL2.0", "wrong", 4, 2);
        expect_finding(wrong, WEIR_FINDING_DATA_RACE, ": count");
        RUNS(of(text, "-cl-std=CL2.0", "right", 4, 2), 0, { 0, 1, 2 });
    }
}

/* ---- Programs that are wrong ----------------------------------------------- */

CASE("errors");

TEST(messages_of_the_compiler_have_lines_of_the_source)
{
    if (can_build()) {
        g_autofree char *log
            = failure("kernel void k(global int *p)\n{\n    *p = x;\n}\n", NULL,
                      WEIRI_CL_ERROR_SOURCE);
        ck_assert_msg(strstr(log, "test.cl:3:10: error: use of undeclared") != NULL,
                      "%s", log);
    }
}

TEST(a_function_that_nothing_defines_is_named)
{
    if (can_build()) {
        g_autofree char *log = failure(
            "int missing(int);\nkernel void k(global int *p) { *p = missing(1); }\n",
            NULL, WEIRI_CL_ERROR_LINK);
        ck_assert_msg(strstr(log, "missing()") != NULL, "%s", log);
    }
}

TEST(a_builtin_that_the_machine_lacks_is_named_once)
{
    if (can_build()) {
        g_autofree char *log
            = failure("void __attribute__((overloadable)) barrier(float4);\n"
                      "kernel void k(global float4 *p)\n"
                      "{\n    barrier(*p);\n    barrier(p[1]);\n}\n",
                      NULL, WEIRI_CL_ERROR_LINK);
        const char *first = strstr(log,
                                   "test.cl: error: Weir has no builtin "
                                   "barrier(float4) for these types");
        ck_assert_msg(first != NULL, "%s", log);
    }
}

TEST(an_option_that_opencl_lacks_is_refused)
{
    if (can_build()) {
        g_autofree char *log
            = failure("kernel void k() {}\n", "-march=native", WEIRI_CL_ERROR_OPTIONS);
        ck_assert_ptr_nonnull(strstr(log, "'-march=native'"));
    }
}

TEST(a_missing_compiler_is_an_error_that_names_its_package)
{
    g_setenv("WEIR_CLANG", "/nonexistent/clang", TRUE);
    g_autofree char *log
        = failure("kernel void k() {}\n", NULL, WEIRI_CL_ERROR_COMPILER);
    ck_assert_ptr_nonnull(strstr(log, "apt-get install clang libclc-14"));
    g_unsetenv("WEIR_CLANG");
}

/* The shared objects in the cache. */
static unsigned n_kept(void)
{
    g_autofree char *folder
        = g_build_filename(g_getenv("WEIR_CACHE_DIR"), "opencl", NULL);
    GDir *files = g_dir_open(folder, 0, NULL);
    unsigned n = 0;
    const char *name;
    while (files != NULL && (name = g_dir_read_name(files)) != NULL) {
        n += g_str_has_suffix(name, ".so");
    }
    g_clear_pointer(&files, g_dir_close);
    return n;
}

TEST(sources_are_linked_and_headers_are_found)
{
    struct weiri_cl_source header
        = { .name = "sub/add.h", .text = "int add(int x);\n" };
    struct weiri_cl_source sources[]
        = { { .name = "a.cl",
              .text = "#include \"sub/add.h\"\n"
                      "kernel void k(global int *p) { *p = add(N); }\n",
              .headers = &header,
              .n_headers = 1 },
            { .name = "b.cl", .text = "int add(int x) { return x + 1; }\n" } };
    /* Other tests keep objects, too. */
    g_autofree char *cache
        = g_build_filename(g_getenv("WEIR_CACHE_DIR"), "linked", NULL);
    g_setenv("WEIR_CACHE_DIR", cache, TRUE);
    if (can_build()) {
        GString *log = g_string_new(NULL);
        GError *error = NULL;
        GPtrArray *included;
        ck_assert(weiri_cl_compile(&sources[0], "-DN=4", &facts, WEIRI_CL_ALL,
                                   &included, log, &error));
        ck_assert_uint_eq(included->len, 0); /* it has its header */
        g_ptr_array_unref(included);
        g_autofree char *fresh = g_strdup_printf(
            "int add(int x%" G_GINT64_FORMAT ");\n", g_get_real_time());
        unsigned n_before = 0;
        for (int i = 0; i < 3; i++) { /* the second time it is in the cache */
            header.text = i < 2 ? "int add(int x);\n" : fresh;
            struct weiri_cl_module *module = weiri_cl_build(sources, 2, "-DN=4", &facts,
                                                            WEIRI_CL_ALL, log, &error);
            ck_assert_msg(module != NULL, "%s", error != NULL ? error->message : "");
            size_t n;
            (void)weiri_cl_module_kernels(module, &n);
            ck_assert_uint_eq(n, 1);
            weiri_cl_module_free(module);
            ck_assert(i == 0 || (n_kept() == n_before) == (i == 1));
            n_before = n_kept();
        }
        g_string_free(log, TRUE);
    }
}

CASE("modules");

/* The mappings of a module's object. */
static size_t n_mappings(const char *path)
{
    g_autofree char *text = NULL;
    size_t n = 0;
    ck_assert(g_file_get_contents("/proc/self/maps", &text, NULL, NULL));
    for (const char *at = text; (at = strstr(at, path)) != NULL; at++) {
        n++;
    }
    return n;
}

/* Whether an object is mapped after its module was freed. */
static bool stays(enum weiri_cl_entries entries)
{
    struct weiri_cl_source source
        = { .name = "stays.cl", .text = "kernel void k(global int *p) { *p = 1; }" };
    GString *log = g_string_new(NULL);
    GError *error = NULL;
    struct weiri_cl_module *module
        = weiri_cl_build(&source, 1, NULL, &facts, entries, log, &error);
    ck_assert_msg(module != NULL, "%s", error != NULL ? error->message : "");
    g_autofree char *path = g_strdup(weiri_cl_module_path(module));
    ck_assert_uint_gt(n_mappings(path), 0);
    weiri_cl_module_free(module);
    g_string_free(log, TRUE);
    return n_mappings(path) > 0;
}

TEST(code_is_unloaded_with_its_module)
{
    ck_assert(!can_build() || !stays(WEIRI_CL_FAST));
}

TEST(code_stays_loaded_where_findings_may_name_it)
{
    if (can_build()) {
        ck_assert(stays(WEIRI_CL_CHECKED));
        struct weir_frame frame;
        (void)weiri_symbol_frames((const void *)(uintptr_t)stays, &frame, 1);
        ck_assert(stays(WEIRI_CL_FAST));
    }
}

/* Everything is built once, in a cache of the test's own. */
static void set_folders(void)
{
    const char *source = g_getenv("top_srcdir"), *builds = g_getenv("top_builddir");
    char *sim = g_canonicalize_filename(source != NULL ? source : ".", NULL);
    char *include = g_build_filename(sim, "sim", NULL);
    char *data = g_build_filename(sim, "sim", "opencl", "device", NULL);
    char *build_dir = g_canonicalize_filename(builds != NULL ? builds : ".", NULL);
    char *cc = g_build_filename(build_dir, "weir-opencl-cc", NULL);
    char *cache = g_build_filename(build_dir, "tests", "opencl-cache", NULL);
    g_setenv("WEIR_INCLUDE_DIR", include, TRUE);
    g_setenv("WEIR_OPENCL_DIR", data, TRUE);
    g_setenv("WEIR_OPENCL_CC", cc, TRUE);
    g_setenv("WEIR_CACHE_DIR", cache, TRUE);
    char *owned[] = { sim, include, data, build_dir, cc, cache };
    for (size_t i = 0; i < G_N_ELEMENTS(owned); i++) {
        g_free(owned[i]);
    }
}

static __attribute__((constructor)) void set_up(void)
{
    set_folders();
}

MAIN("opencl build")
