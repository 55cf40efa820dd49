/* SPDX-License-Identifier: MIT
 *
 * weir-opencl-cc.c: weir-opencl-cc OPTION... SOURCE...: turns the bitcode that clang's
 * front end makes of an OpenCL program into objects of its kernels. libweir-opencl.so
 * runs it, in a process of its own since a program may have a libLLVM of its own.
 *
 *     SOURCE           bitcode for SPIR-V, for which a vector is a vector in each call,
 *                      as libclc has it
 *     convert.c, …     each becomes a part of a module of the machine's, which has the
 *                      builtins and a template of entries (sim/opencl/device/entries.c)
 *     entries.c        the entries of each kernel
 *     LLVM             links what is needed of libclc; inlines what is to be inlined
 *                      always, before anything is optimised: optimisation of a builtin
 *                      by itself makes addresses of its reads, and the item could not
 *                      stay in registers then
 *     fast             LLVM optimises, and makes 1.o
 *     stackless        LLVM optimises, sim/split makes 3.o, in a process of its own
 *                      beside the other
 *     checked          LLVM optimises, adds hooks, and makes 2.o
 *
 * variables.o has the program's variables in global memory, which all entries share.
 * The module is verified after each step of ours. Standard output has a line for each
 * function that a source calls, and that Weir lacks: "SOURCE WORDS".
 *
 * Exit status: 0; 1: LLVM failed; 2: wrong use, or no libLLVM; 3: functions are
 * missing. */
#include "config.h"

#include "opencl-cc/back.h"
#include "opencl-cc/kernels.h"
#include "opencl-cc/template.h"
#include "split/ir.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "split/stackless.h"

enum status { DONE, FAILED, WRONG_USE, MISSING };

static char *resources, *machine_file, *stackless_file, *libclc, *folder;
static gboolean checked, plain, without_variables;
static char **sources;

static const GOptionEntry options[] = {
    { "resources", 0, 0, G_OPTION_ARG_FILENAME, &resources, "of clang", "FOLDER" },
    { "machine", 0, 0, G_OPTION_ARG_FILENAME, &machine_file, "builtins", "FILE" },
    { "stackless", 0, 0, G_OPTION_ARG_FILENAME, &stackless_file,
      "builtins for stackless entries, which are made, too", "FILE" },
    { "libclc", 0, 0, G_OPTION_ARG_FILENAME, &libclc, "its bitcode", "FILE" },
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &folder, "of the objects", "FOLDER" },
    { "checked", 0, 0, G_OPTION_ARG_NONE, &checked, "make checked entries", NULL },
    { "plain", 0, 0, G_OPTION_ARG_NONE, &plain, "do not optimise", NULL },
    { "no-variables", 0, 0, G_OPTION_ARG_NONE, &without_variables,
      "another run makes them", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sources, "sources",
      "SOURCE" },
    { 0 },
};

static const struct weiri_level optimised = { .level = '3',
                                              .vectorizes = true,
                                              .vectorizes_straight = true,
                                              .unrolls = true,
                                              .moves = 1 };

/* ---- Modules -------------------------------------------------------------- */

static void add_flag(struct llvm_module *module, const char *name, unsigned value)
{
    enum { WARNING = 1 };
    llvm.AddModuleFlag(module, WARNING, name, strlen(name),
                       llvm.ValueAsMetadata(weiri_ir_constant(32, value)));
}

static void add_debug_flags(struct llvm_module *module)
{
    enum { DEBUG_VERSION = 3, DWARF_VERSION = 4 }; /* valgrind reads no later one */
    add_flag(module, "Debug Info Version", DEBUG_VERSION);
    add_flag(module, "Dwarf Version", DWARF_VERSION);
}

/* The units of debug information that functions of the source are of. */
static void add_units(struct llvm_module *from, struct llvm_module *to)
{
    static const char name[] = "llvm.dbg.cu";
    unsigned n = llvm.GetNamedMetadataNumOperands(from, name);
    g_autofree struct llvm_value **units = g_new(struct llvm_value *, n + 1);
    llvm.GetNamedMetadataOperands(from, name, units);
    for (unsigned i = 0; i < n; i++) {
        llvm.AddNamedMetadataOperand(to, name, units[i]);
    }
}

/* ---- The program ---------------------------------------------------------- */

struct program {
    struct llvm_module *module, *variables;
    struct llvm_debug *variables_debug;
    GPtrArray *kernels;
    GHashTable *defined;
    bool misses;
};

static void print_missing(struct program *program, unsigned source, GPtrArray *missing)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < missing->len; i++) {
        const char *words = g_ptr_array_index(missing, i);
        if (g_hash_table_add(seen, (void *)words)) {
            printf("%u %s\n", source, words);
            program->misses = true;
        }
    }
    fflush(stdout);
}

static bool add_source(struct program *program, unsigned number)
{
    struct llvm_module *source = weiri_back_read(sources[number], false);
    if (source == NULL) {
        return false;
    }
    struct weiri_clc clc = {
        .source = source,
        .module = program->module,
        .variables = program->variables,
        .layout = llvm.GetModuleDataLayout(program->module),
        .checked = checked,
        .alone = sources[1] == NULL,
        .number = number,
        .missing = g_ptr_array_new(),
        .kernels = program->kernels,
        .defined = program->defined,
        .types = g_hash_table_new(NULL, NULL),
        .globals = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) },
        .texts = g_hash_table_new(g_str_hash, g_str_equal),
        .debug = llvm.CreateDIBuilder(program->module),
        .variables_debug = program->variables_debug,
    };
    clc.no_expression = llvm.DIBuilderCreateExpression(clc.debug, NULL, 0);
    add_units(source, program->module);
    weiri_clc_convert(&clc);
    if (!without_variables) {
        weiri_clc_define_variables(&clc);
    }
    print_missing(program, number, clc.missing);
    return true;
}

static bool convert(struct program *program, const char *machine)
{
    program->module = weiri_back_read(machine, weiri_clc_fetches());
    if (program->module == NULL) {
        return false;
    }
    weiri_clc_fetch_template(program->module);
    program->kernels = g_ptr_array_new();
    program->defined = g_hash_table_new(g_str_hash, g_str_equal);
    program->variables
        = llvm.ModuleCreateWithNameInContext("variables", weiri_ir_context());
    llvm.SetTarget(program->variables, llvm.GetTarget(program->module));
    llvm.SetDataLayout(program->variables, llvm.GetDataLayoutStr(program->module));
    program->variables_debug = weiri_template_debug(program->variables, "variables");
    add_debug_flags(program->module);
    add_debug_flags(program->variables);
    for (unsigned i = 0; sources[i] != NULL; i++) {
        if (!add_source(program, i)) {
            return false;
        }
    }
    llvm.DIBuilderFinalize(program->variables_debug);
    if (program->misses) {
        return true;
    }
    weiri_clc_entries(program->module, program->kernels);
    weiri_clc_fetch_used(program->module);
    return true;
}

/* ---- Linking -------------------------------------------------------------- */

/* Makes each definition one that is linked only where something refers to it. */
static void make_lazy(struct llvm_module *library)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(library); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f) && llvm.GetLinkage(f) == LLVM_EXTERNAL) {
            llvm.SetLinkage(f, LLVM_LINK_ONCE_ODR);
        }
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(library); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        if (!llvm.IsDeclaration(g) && llvm.GetLinkage(g) == LLVM_EXTERNAL) {
            llvm.SetLinkage(g, LLVM_LINK_ONCE_ODR);
        }
    }
}

/* libclc reads its tables as vectors at any byte, and says that they are aligned. */
static void relax_loads(struct llvm_value *function)
{
    for (struct llvm_block *block = llvm.GetFirstBasicBlock(function); block != NULL;
         block = llvm.GetNextBasicBlock(block)) {
        for (struct llvm_value *at = llvm.GetFirstInstruction(block); at != NULL;
             at = llvm.GetNextInstruction(at)) {
            if (llvm.GetInstructionOpcode(at) == LLVM_LOAD
                && llvm.GetTypeKind(llvm.TypeOf(at)) == LLVM_VECTOR) {
                llvm.SetAlignment(at, 1);
            }
        }
    }
}

static GHashTable *defined_functions(struct llvm_module *module)
{
    GHashTable *all = g_hash_table_new(NULL, NULL);
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f)) {
            g_hash_table_add(all, f);
        }
    }
    return all;
}

static bool link_libclc(struct program *program)
{
    g_autoptr(GHashTable) own = defined_functions(program->module);
    struct llvm_module *library = weiri_back_read(libclc, true);
    if (library == NULL) {
        return false;
    }
    llvm.SetTarget(library, llvm.GetTarget(program->module));
    llvm.SetDataLayout(library, llvm.GetDataLayoutStr(program->module));
    make_lazy(library);
    if (llvm.LinkModules2(program->module, library) != 0) {
        return false;
    }
    g_autoptr(GHashTable) all = defined_functions(program->module);
    GHashTableIter each;
    void *function;
    for (g_hash_table_iter_init(&each, all);
         g_hash_table_iter_next(&each, &function, NULL);) {
        if (!g_hash_table_contains(own, function)) {
            relax_loads(function);
        }
    }
    return true;
}

/* The names that stay visible: the other objects and the library use them. */
static bool is_known_outside(const char *name)
{
    static const char *const names[]
        = { "weiri_cl_kernels", "weiri_cl_variables", "weiri_cl_version" };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    /* Conversions of halves; and entries, by the linkage that the template has. */
    return g_str_has_prefix(name, "__gnu_") || g_str_has_prefix(name, "__trunc")
        || (g_str_has_prefix(name, "weiri_k_") && !g_str_has_suffix(name, "__cl")
            && !g_str_has_suffix(name, "__keep"));
}

static void make_internal(struct llvm_value *global)
{
    size_t length;
    int linkage = llvm.GetLinkage(global);
    if (!llvm.IsDeclaration(global)
        && !is_known_outside(llvm.GetValueName2(global, &length))
        && (linkage == LLVM_EXTERNAL || linkage == LLVM_LINK_ONCE_ODR)) {
        llvm.SetVisibility(global, 0);
        llvm.SetLinkage(global, LLVM_INTERNAL);
    }
}

/* A function that clang has compiled for this machine. */
static struct llvm_value *example(struct llvm_module *module)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        size_t length;
        if (!llvm.IsDeclaration(f)
            && g_str_has_prefix(llvm.GetValueName2(f, &length), "weiri_k_")) {
            return f;
        }
    }
    return NULL;
}

static void trim(struct program *program, struct llvm_value *of)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(program->module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (!llvm.IsDeclaration(f) && of != NULL) {
            weiri_back_take_attributes(f, of);
        }
        make_internal(f);
    }
    for (struct llvm_value *g = llvm.GetFirstGlobal(program->module); g != NULL;
         g = llvm.GetNextGlobal(g)) {
        make_internal(g);
    }
}

/* Whether a function of OpenCL C is called that libclc may have. */
static bool needs_libclc(struct llvm_module *module)
{
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        size_t length;
        if (llvm.IsDeclaration(f)
            && g_str_has_prefix(llvm.GetValueName2(f, &length), "_Z")) {
            return true;
        }
    }
    return false;
}

/* Builtins that no source calls go first: most do. */
static bool link_all(struct program *program)
{
    struct llvm_value *of = example(program->module);
    trim(program, of);
    if (!weiri_passes_run(program->module, "globaldce", NULL, &optimised)
        || !weiri_passes_verify(program->module, "convert")
        || !weiri_passes_verify(program->variables, "variables")) {
        return false;
    }
    if (needs_libclc(program->module)) {
        if (!link_libclc(program)) {
            return false;
        }
        trim(program, example(program->module));
        return weiri_passes_run(program->module, "globaldce", NULL, &optimised)
            && weiri_passes_verify(program->module, "link");
    }
    return true;
}

/* ---- Inlining ------------------------------------------------------------- */

/* Sizes are numbers of instructions. */
enum { MOST_INLINED = 200000, LARGE = 200 };

/* A function once all that it calls is inlined. */
struct inlined {
    uint64_t size;
    bool waits; /* calls what an item waits in, or may */
};

static bool is_inlined(struct llvm_value *function)
{
    return llvm.GetEnumAttributeAtIndex(function, LLVM_FUNCTION,
                                        weiri_ir_attribute("alwaysinline"))
        != NULL;
}

static bool is_wait(struct llvm_value *call)
{
    return weiri_ir_calls(call, "weiri_split_stop")
        || weiri_ir_calls(call, "weiri_barrier")
        || weiri_ir_calls(call, "weiri_collect");
}

/* @known: (element-type inlined): by function; one that is being measured has no size,
 * so that recursion ends */
static const struct inlined *measure(struct llvm_value *function, GHashTable *known)
{
    struct inlined *found = g_hash_table_lookup(known, function);
    if (found != NULL) {
        return found;
    }
    found = g_new0(struct inlined, 1);
    g_hash_table_insert(known, function, found);
    uint64_t size = 0;
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            struct llvm_value *callee = llvm.GetInstructionOpcode(v) == LLVM_CALL
                ? llvm.GetCalledValue(v)
                : NULL;
            size++;
            found->waits = found->waits || (callee != NULL && is_wait(v));
            if (callee != NULL && llvm.IsAFunction(callee) != NULL) {
                const struct inlined *other = measure(callee, known);
                size += is_inlined(callee) ? other->size : 0;
                found->waits = found->waits || other->waits;
            }
        }
    }
    found->size = MIN(size, UINT32_MAX);
    return found;
}

/* Code in which every function is inlined in each of its callers can be thousands of
 * times the size of the source. Where it is, large functions in which no item waits
 * stay functions, unless LLVM finds that one pays. */
static void limit_inlining(struct llvm_module *module)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    uint64_t all = 0;
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        const struct inlined *found = measure(f, known);
        all += is_inlined(f) ? 0 : found->size;
    }
    struct llvm_value *first = llvm.GetFirstFunction(module);
    for (struct llvm_value *f = all > MOST_INLINED ? first : NULL; f != NULL;
         f = llvm.GetNextFunction(f)) {
        const struct inlined *found = measure(f, known);
        if (is_inlined(f) && !found->waits && found->size > LARGE) {
            llvm.RemoveEnumAttributeAtIndex(f, LLVM_FUNCTION,
                                            weiri_ir_attribute("alwaysinline"));
        }
    }
}

static bool inline_all(struct llvm_module *module, const struct weiri_level *level)
{
    limit_inlining(module);
    return weiri_passes_run(module, "always-inline,globaldce", NULL, level);
}

/* ---- Objects -------------------------------------------------------------- */

static char *path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

/* For work on this program, or to find a fault: WEIR_CL_KEEP. */
static void keep_text(struct llvm_module *module, const char *name)
{
    if (g_getenv("WEIR_CL_KEEP") != NULL) {
        g_autofree char *path = path_of(name);
        char *text = llvm.PrintModuleToString(module);
        (void)g_file_set_contents(path, text, -1, NULL);
        llvm.DisposeMessage(text);
    }
}

/* @last: passes after the level's own, or "" */
static bool make_object(struct llvm_module *module, const char *name,
                        const struct weiri_level *level, const char *last)
{
    g_autofree char *path = path_of(name);
    return weiri_back_make_object(module, path, level, last);
}

static bool make_variables(const struct program *program)
{
    static const struct weiri_level level = { .level = '0', .moves = 1 };
    return llvm.GetFirstGlobal(program->variables) == NULL
        || make_object(program->variables, "variables.o", &level, "");
}

static bool make_checked(const struct program *program)
{
    g_autoptr(GPtrArray) words
        = weiri_back_hook_options(WEIRI_CL_HOOK_OPTIONS, "-tsan-distinguish-volatile");
    struct weiri_level level
        = { .level = plain ? '0' : '1', .moves = 1, .options = words };
    weiri_passes_options(&level);
    return make_object(program->module, "2.o", &level,
                       ",sancov-module,tsan-module,function(tsan)");
}

static bool make_fast(const struct program *program)
{
    static const struct weiri_level none = { .level = '0', .moves = 1 };
    const struct weiri_level *level = plain ? &none : &optimised;
    return inline_all(program->module, level)
        && make_object(program->module, "1.o", level, "");
}

/* ---- Stackless entries ---------------------------------------------------- */

static int make_stackless(const struct weiri_clang *clang)
{
    struct program program = { 0 };
    g_autofree char *object = path_of("3.o");
    struct weiri_split_job job = { .clang = *clang,
                                   .object = object,
                                   .source = sources[0],
                                   .level = optimised,
                                   .generates = true };
    job.level.level = '2';
    job.level.vectorizes_first = true;
    (void)weiri_split_context();
    weiri_passes_options(&job.level);
    if (!convert(&program, stackless_file) || program.misses || !link_all(&program)
        || !inline_all(program.module, &job.level)) {
        return FAILED;
    }
    keep_text(program.module, "3-inlined.ll");
    job.module = program.module;
    return weiri_split(&job) == WEIRI_SPLIT_DONE ? DONE : FAILED;
}

/* ---- The whole ------------------------------------------------------------ */

static enum status compile(void)
{
    struct program program = { 0 };
    (void)weiri_split_context();
    if (!convert(&program, machine_file)) {
        return FAILED;
    }
    if (program.misses) {
        return MISSING;
    }
    if (!link_all(&program)) {
        return FAILED;
    }
    keep_text(program.module, checked ? "2-linked.ll" : "1-linked.ll");
    bool done = (without_variables || make_variables(&program))
        && (checked ? make_checked(&program) : make_fast(&program));
    return done ? DONE : FAILED;
}

int main(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    struct weiri_clang clang = { 0 };
    g_option_context_add_main_entries(context, options, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error) || resources == NULL
        || machine_file == NULL || libclc == NULL || folder == NULL
        || sources == NULL) {
        fprintf(stderr, "weir-opencl-cc: %s\n",
                error != NULL ? error->message : "an option is missing: see --help");
        return WRONG_USE;
    }
    g_autofree char *why = weiri_back_open(resources, &clang);
    if (why != NULL) {
        weiri_split_say(why);
        return WRONG_USE;
    }
    bool splits = stackless_file != NULL && !checked && !plain
        && weiri_clang_is_tried(clang.version);
    pid_t other = splits ? fork() : -1;
    if (other == 0) {
        /* Messages are for the first; without stackless entries kernels have others. */
        (void)!freopen("/dev/null", "w", stdout);
        _exit(make_stackless(&clang));
    }
    enum status status = compile();
    if (other > 0) {
        while (waitpid(other, NULL, 0) < 0) {}
    }
    return (int)status;
}
