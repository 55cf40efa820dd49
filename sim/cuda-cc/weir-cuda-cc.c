/* SPDX-License-Identifier: MIT
 *
 * weir-cuda-cc.c: weir-cuda-cc OPTION... SOURCE: turns the bitcode that clang's front
 * end makes of the device's side of a source in CUDA into objects of its kernels.
 * weir-nvcc runs it.
 *
 *     SOURCE           bitcode for this machine, with debug information
 *     source.c         kernels and variables
 *     ptx.c            asm statements become code; with Weir's headers, they are
 *     inlined checked          LLVM adds hooks: before anything is optimised, so that
 *     each
 *                      access of the source has one
 *     items.c, …       functions get the item; the module gets the builtins and entries
 *                      of a template (sim/cuda/device/entries.c)
 *     LLVM             inlines what is to be inlined always, and optimises
 *
 * A run makes 1.o, with fast entries and the device's variables; 2.o with checked
 * entries; 3.o with stackless ones; each where its template is given, in a process of
 * its own. The module is verified after each step of ours.
 *
 * Exit status: 0; 1: LLVM failed; 2: wrong use, or no libLLVM; 3: Weir lacks something
 * that the source calls. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda-cc/ptx.h"
#include "opencl-cc/back.h"
#include "split/copies.h"
#include "split/parts.h"
#include "split/stackless.h"

enum status { DONE, FAILED, WRONG_USE, MISSING };

static char *resources, *templates[3], *folder, *id, *headers;
static gboolean constraints;
static gboolean plain, relocatable;
static char **sources;

static const GOptionEntry options[] = {
    { "resources", 0, 0, G_OPTION_ARG_FILENAME, &resources, "of clang", "FOLDER" },
    { "fast", 0, 0, G_OPTION_ARG_FILENAME, &templates[0], "template", "FILE" },
    { "checked", 0, 0, G_OPTION_ARG_FILENAME, &templates[1], "template", "FILE" },
    { "stackless", 0, 0, G_OPTION_ARG_FILENAME, &templates[2], "template", "FILE" },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &folder, "of the objects", "FOLDER" },
    { "plain", 0, 0, G_OPTION_ARG_NONE, &plain, "do not optimise fast entries", NULL },
    { "relocatable", 0, 0, G_OPTION_ARG_NONE, &relocatable,
      "other objects may use its functions and variables", NULL },
    { "id", 0, 0, G_OPTION_ARG_STRING, &id, "of the translation unit", "TEXT" },
    { "constraints", 0, 0, G_OPTION_ARG_NONE, &constraints,
      "print SOURCE, preprocessed, with constraints for this machine", NULL },
    { "headers", 0, 0, G_OPTION_ARG_FILENAME, &headers, "Weir's own", "FOLDER" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sources, "bitcode",
      "SOURCE" },
    { 0 },
};

static const struct weiri_level optimised = { .level = '3',
                                              .vectorizes = true,
                                              .vectorizes_straight = true,
                                              .unrolls = true,
                                              .moves = 1 };

/* ---- Modules --------------------------------------------------------------- */

static char *path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

/* For work on this program, or to find a fault: WEIR_CUDA_KEEP. */
static void keep_text(struct llvm_module *module, const char *name)
{
    if (g_getenv("WEIR_CUDA_KEEP") != NULL) {
        g_autofree char *path
            = g_build_filename(g_getenv("WEIR_CUDA_KEEP"), name, NULL);
        char *text = llvm.PrintModuleToString(module);
        (void)g_file_set_contents(path, text, -1, NULL);
        llvm.DisposeMessage(text);
    }
}

/* ---- Hooks ----------------------------------------------------------------- */

/* Copies of structures become calls of memcpy(), which is a hook. LLVM may not make
 * loads and stores without hooks of them. */
static bool add_hooks(struct weiri_cuda_code *code, const struct weiri_level *level)
{
    weiri_cuda_find_polls(code);
    weiri_copies(code->module);
    weiri_cuda_watch_private(code);
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *function = g_ptr_array_index(code->functions, i);
        /* No attribute of the source hides accesses. */
        llvm.RemoveEnumAttributeAtIndex(
            function, LLVM_FUNCTION,
            weiri_ir_attribute("disable_sanitizer_instrumentation"));
        weiri_back_add_attribute(function, "sanitize_thread");
        weiri_back_add_attribute(function, "no-builtins");
    }
    return weiri_passes_run(code->module, "function(sroa)", NULL, level)
        && weiri_passes_run(code->module, "sancov-module,tsan-module,function(tsan)",
                            NULL, level);
}

/* ---- Linking --------------------------------------------------------------- */

/* Functions that a header has are inlined before; those that are left are copies. */
static void forget_inlined(struct weiri_cuda_code *code)
{
    GPtrArray *kept = g_ptr_array_new();
    for (struct llvm_value *f = llvm.GetFirstFunction(code->module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f)) {
            g_ptr_array_add(kept, f);
        }
    }
    code->functions = kept;
}

/* All functions become part of the kernels. With hooks none does: the hook at the
 * beginning of a function tells where it was called from, and would tell where its
 * caller was. */
static void decide_inlining(struct weiri_cuda_code *code)
{
    bool inlines = code->mode != WEIRI_CUDA_CHECKED;
    for (guint i = 0; i < code->functions->len; i++) {
        struct llvm_value *f = g_hash_table_lookup(
            code->with_item, g_ptr_array_index(code->functions, i));
        if (inlines || !weiri_cuda_is_kernel(code, f)) {
            llvm.RemoveEnumAttributeAtIndex(
                f, LLVM_FUNCTION,
                weiri_ir_attribute(inlines ? "noinline" : "alwaysinline"));
            weiri_back_add_attribute(f, inlines ? "alwaysinline" : "noinline");
        }
    }
}

/* The names that other objects use: entries, and what is not of this object alone. */
static bool is_known_outside(const char *name)
{
    return g_str_has_prefix(name, "weir.") || g_str_has_prefix(name, "__gnu_")
        || g_str_has_prefix(name, "__trunc") || g_str_has_prefix(name, "llvm.")
        || (g_str_has_prefix(name, "weiri_k_") && !g_str_has_suffix(name, "__cl")
            && !g_str_has_suffix(name, "__keep"));
}

static void make_internal(struct llvm_value *global)
{
    int linkage = llvm.GetLinkage(global);
    if (!llvm.IsDeclaration(global) && !is_known_outside(weiri_cuda_name(global))
        && (linkage == LLVM_EXTERNAL || linkage == LLVM_LINK_ONCE_ODR
            || linkage == LLVM_LINK_ONCE_ANY)) {
        llvm.SetVisibility(global, 0);
        llvm.SetLinkage(global, LLVM_INTERNAL);
        llvm.SetComdat(global, NULL);
    }
}

static void trim(struct llvm_module *module)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        make_internal(f);
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        make_internal(g);
    }
}

static struct llvm_type *item_type(struct llvm_module *module)
{
    struct llvm_value *function = llvm.GetNamedFunction(module, "weiri_k_0__cl");
    return function != NULL ? llvm.TypeOf(llvm.GetParam(function, 0)) : NULL;
}

/* Links the template, and makes the entries. */
static bool join(struct weiri_cuda_code *code, const char *template)
{
    struct llvm_module *other = weiri_back_read(template, false);
    if (other == NULL || llvm.LinkModules2(code->module, other) != 0) {
        return false;
    }
    code->item_type = item_type(code->module);
    if (code->item_type == NULL) {
        weiri_split_say("the template has no kernel");
        return false;
    }
    weiri_cuda_add_items(code);
    weiri_cuda_place_shared(code);
    weiri_cuda_outside(code);
    weiri_cuda_find_stacks(code);
    weiri_cuda_place_variables(code);
    weiri_cuda_make_entries(code);
    struct llvm_value *like = llvm.GetNamedFunction(code->module, "weiri_cu_shared");
    for (struct llvm_value *f = llvm.GetFirstFunction(code->module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f)) {
            weiri_back_take_attributes(f, like);
        }
    }
    decide_inlining(code);
    trim(code->module);
    return weiri_passes_verify(code->module, "cuda");
}

/* ---- Objects --------------------------------------------------------------- */

static bool finish_stackless(struct weiri_cuda_code *code,
                             const struct weiri_clang *clang,
                             const struct weiri_level *level)
{
    g_autofree char *object = path_of("3.o");
    struct weiri_split_job job = { .clang = *clang,
                                   .object = object,
                                   .source = sources[0],
                                   .level = *level,
                                   .module = code->module,
                                   .generates = true };
    return weiri_split(&job) == WEIRI_SPLIT_DONE;
}

static bool finish(struct weiri_cuda_code *code, const struct weiri_clang *clang,
                   const struct weiri_level *level)
{
    static const char *const objects[] = { "1.o", "2.o", "3.o" };
    static const char *const texts[] = { "1.ll", "2.ll", "3.ll" };
    if (!weiri_passes_run(code->module, "always-inline,globaldce", NULL, level)) {
        return false;
    }
    keep_text(code->module, texts[code->mode - 1]);
    g_autofree char *path = path_of(objects[code->mode - 1]);
    return code->mode == WEIRI_CUDA_STACKLESS
        ? finish_stackless(code, clang, level)
        : weiri_back_make_object(code->module, path, level, "");
}

static bool print_missing(const struct weiri_cuda_code *code)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < code->missing->len; i++) {
        const char *line = g_ptr_array_index(code->missing, i);
        if (g_hash_table_add(seen, (void *)line)) {
            weiri_split_say(line);
        }
    }
    return code->missing->len > 0;
}

/* Checked code has its blocks in the order of the source: with --lockstep the lanes of
 * a warp that are furthest back go first (deterministic/in-step.c). */
static const char in_order[] = "-disable-block-placement";

static struct weiri_level level_of(enum weiri_cuda_mode mode)
{
    struct weiri_level level = optimised;
    if (mode == WEIRI_CUDA_CHECKED) {
        level = (struct weiri_level){ .level = '1',
                                      .moves = 1,
                                      .options = weiri_back_hook_options(
                                          WEIRI_CUDA_HOOK_OPTIONS, NULL) };
        g_ptr_array_add(level.options, g_strdup(in_order));
    } else if (plain) {
        level = (struct weiri_level){ .level = '0', .moves = 1 };
    } else if (mode == WEIRI_CUDA_STACKLESS) {
        level.level = '2';
        level.vectorizes_first = true;
    }
    weiri_passes_options(&level);
    return level;
}

static enum status make(enum weiri_cuda_mode mode, const struct weiri_clang *clang)
{
    (void)weiri_split_context();
    const struct weiri_level level = level_of(mode);
    struct weiri_cuda_code code
        = { .module = weiri_back_read(sources[0], false),
            .mode = mode,
            .id = id,
            .headers = headers,
            .relocatable = relocatable,
            .entries = g_ptr_array_new(),
            .shared = g_ptr_array_new(),
            .variables = g_ptr_array_new(),
            .functions = g_ptr_array_new(),
            .exits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
            .with_item = g_hash_table_new(NULL, NULL),
            .managed = g_hash_table_new(NULL, NULL),
            .private_names = g_hash_table_new(NULL, NULL),
            .missing = g_ptr_array_new() };
    if (code.module == NULL) {
        return FAILED;
    }
    code.layout = llvm.GetModuleDataLayout(code.module);
    code.builder = llvm.CreateBuilderInContext(weiri_ir_context());
    if (mode != WEIRI_CUDA_CHECKED) {
        weiri_parts_divide_all(code.module);
    }
    if (!weiri_cuda_read(&code)) {
        return FAILED;
    }
    weiri_cuda_rename_calls(&code);
    if (!weiri_cuda_assembly(&code) || !weiri_cuda_find_exits(&code)) {
        return MISSING;
    }
    if (!weiri_passes_run(code.module, "always-inline", NULL, &level)) {
        return FAILED;
    }
    if (!weiri_cuda_make_exits(&code)) {
        return MISSING;
    }
    forget_inlined(&code);
    if (mode != WEIRI_CUDA_CHECKED) {
        weiri_cuda_add_turns(&code);
    }
    if ((mode == WEIRI_CUDA_CHECKED && !add_hooks(&code, &level))
        || !join(&code, templates[mode - 1])) {
        return print_missing(&code) ? MISSING : FAILED;
    }
    if (print_missing(&code)) {
        return MISSING;
    }
    return finish(&code, clang, &level) ? DONE : FAILED;
}

/* ---- The whole ------------------------------------------------------------- */

/* Each kind of entries in a process of its own: LLVM's options are of a process. The
 * fast ones' messages are for the user; the others would say the same. */
static int start(enum weiri_cuda_mode mode, const struct weiri_clang *clang)
{
    pid_t child = fork();
    if (child == 0) {
        if (mode == WEIRI_CUDA_STACKLESS && g_getenv("WEIR_CUDA_KEEP") == NULL) {
            (void)!freopen("/dev/null", "w", stderr);
        }
        _exit((int)make(mode, clang));
    }
    return child;
}

static int status_of(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

/* The source with constraints that clang takes: constraints.c. */
static int print_constraints(void)
{
    g_autofree char *source = NULL;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(sources[0], &source, NULL, &error)) {
        weiri_split_say(error->message);
        return WRONG_USE;
    }
    weiri_ptx_constraints(source);
    return fputs(source, stdout) >= 0 && fflush(stdout) == 0 ? DONE : FAILED;
}

int main(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    struct weiri_clang clang = { 0 };
    g_option_context_add_main_entries(context, options, NULL);
    bool parsed = g_option_context_parse(context, &argc, &argv, &error);
    if (parsed && constraints && sources != NULL) {
        return print_constraints();
    }
    if (!parsed || resources == NULL || folder == NULL || id == NULL
        || sources == NULL) {
        fprintf(stderr, "weir-cuda-cc: %s\n",
                error != NULL ? error->message : "an option is missing: see --help");
        return WRONG_USE;
    }
    g_autofree char *why = weiri_back_open(resources, &clang);
    if (why != NULL) {
        weiri_split_say(why);
        return WRONG_USE;
    }
    pid_t children[3] = { 0 };
    int worst = DONE;
    for (int i = 0; i < 3; i++) {
        bool wanted = templates[i] != NULL
            && (i + 1 != WEIRI_CUDA_STACKLESS || weiri_clang_is_tried(clang.version));
        children[i] = wanted ? start((enum weiri_cuda_mode)(i + 1), &clang) : -1;
    }
    for (int i = 0; i < 3; i++) {
        int status = children[i] > 0 ? status_of(children[i]) : DONE;
        if (i + 1 != WEIRI_CUDA_STACKLESS && status > worst) {
            worst = status;
        }
    }
    return worst;
}
