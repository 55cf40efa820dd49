/* SPDX-License-Identifier: MIT
 *
 * back.c: see back.h. */
#include "config.h"

#include "opencl-cc/back.h"

#include "split/ir.h"
#include "split/stackless.h"

#include <string.h>

struct llvm_module *weiri_back_read(const char *path, bool lazily)
{
    struct llvm_buffer *buffer = NULL;
    struct llvm_module *module = NULL;
    char *message = NULL;
    if (llvm.CreateMemoryBufferWithContentsOfFile(path, &buffer, &message) != 0) {
        weiri_split_say(message);
        return NULL;
    }
    bool read
        = (lazily ? llvm.GetBitcodeModuleInContext2
                  : llvm.ParseBitcodeInContext2)(weiri_ir_context(), buffer, &module)
        == 0;
    if (!lazily) {
        llvm.DisposeMemoryBuffer(buffer);
    }
    if (!read) {
        g_autofree char *why = g_strdup_printf("%s is not bitcode", path);
        weiri_split_say(why);
        return NULL;
    }
    if (llvm.SetIsNewDbgInfoFormat != NULL) {
        llvm.SetIsNewDbgInfoFormat(module, 0); /* notes are calls */
    }
    return module;
}

void weiri_back_add_attribute(struct llvm_value *function, const char *name)
{
    unsigned kind = weiri_ir_attribute(name);
    llvm.AddAttributeAtIndex(
        function, LLVM_FUNCTION,
        kind != 0 ? llvm.CreateEnumAttribute(weiri_ir_context(), kind, 0)
                  : llvm.CreateStringAttribute(weiri_ir_context(), name,
                                               (unsigned)strlen(name), "", 0));
}

GPtrArray *weiri_back_hook_options(const char *text, const char *but)
{
    static const char *const coverage[]
        = { "-sanitizer-coverage-level=3", "-sanitizer-coverage-trace-pc",
            "-sanitizer-coverage-trace-compares" };
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], "-mllvm") == 0 && words[i + 1] != NULL
            && g_strcmp0(words[++i], but) != 0) {
            g_ptr_array_add(list, g_strdup(words[i]));
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(coverage); i++) {
        g_ptr_array_add(list, g_strdup(coverage[i]));
    }
    return list;
}

void weiri_back_take_attributes(struct llvm_value *function, struct llvm_value *from)
{
    static const char *const names[] = { "target-cpu", "tune-cpu", "target-features",
                                         "frame-pointer", "no-trapping-math" };
    static const char estimates[] = "reciprocal-estimates", none[] = "none";
    struct llvm_attribute *exact = llvm.CreateStringAttribute(
        weiri_ir_context(), estimates, sizeof(estimates) - 1, none, sizeof(none) - 1);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        unsigned length = (unsigned)strlen(names[i]);
        struct llvm_attribute *attribute
            = llvm.GetStringAttributeAtIndex(from, LLVM_FUNCTION, names[i], length);
        if (attribute != NULL) {
            llvm.AddAttributeAtIndex(function, LLVM_FUNCTION, attribute);
        }
    }
    llvm.AddAttributeAtIndex(function, LLVM_FUNCTION, exact);
}

bool weiri_back_make_object(struct llvm_module *module, const char *path,
                            const struct weiri_level *level, const char *last)
{
    struct llvm_machine *machine = weiri_passes_machine(module, level);
    if (machine == NULL) {
        weiri_split_say("LLVM has no code generator for this machine");
        return false;
    }
    g_autofree char *first = weiri_passes_default(level);
    g_autofree char *passes = g_strconcat(first, last, NULL);
    bool done = weiri_passes_run(module, passes, machine, level)
        && weiri_split_emit(module, machine, path);
    llvm.DisposeTargetMachine(machine);
    return done;
}

char *weiri_back_open(const char *resources, struct weiri_clang *clang)
{
    char *why = NULL;
    g_autofree char *version = g_path_get_basename(resources);
    g_autofree char *above = g_path_get_dirname(resources);
    clang->version = (unsigned)g_ascii_strtoull(version, NULL, 10);
    clang->libraries = g_path_get_dirname(above);
    weiri_llvm_open(clang->libraries, clang->version, &why);
    return why;
}
