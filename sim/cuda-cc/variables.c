/* SPDX-License-Identifier: MIT
 *
 * variables.c: variables of the device. The fast entries' object defines them, for all
 * entries. Their names are not those of the host's variables, which stand for them
 * there: "weir." comes first. One that only its object may see has the number of the
 * translation unit in its name, and weir-nvcc hides it when the objects have become
 * one. Constants that have no name for others stay in each object.
 *
 * A managed variable is one of the host: clang makes a variable of the host for each
 * of the device, which only its object sees, and registers its address. So each access
 * of the device is by a pointer, weir.managed.NAME, that the runtime sets; the device's
 * own variable is an image of the first value. If the source declares it without
 * __device__, it is an ordinary one of the host, and the pointer has its address from
 * the start. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

enum { HIDDEN = 1, EXTERNAL_WEAK = 12 };

/* Whether the mangled name is of a static variable: "_ZL5count", "_ZN4deepL5countE".
 * clang gives such a variable to other objects if the host uses it. */
static bool is_static_name(const char *name)
{
    if (!g_str_has_prefix(name, "_ZN")) {
        return g_str_has_prefix(name, "_ZL");
    }
    const char *at = name + strlen("_ZN");
    while (g_ascii_isdigit(*at)) {
        char *end;
        size_t length = g_ascii_strtoull(at, &end, 10);
        at = end + MIN(length, strlen(end));
    }
    return *at == 'L';
}

static bool is_exported(struct llvm_value *global)
{
    int linkage = llvm.GetLinkage(global);
    return linkage != LLVM_INTERNAL && linkage != LLVM_PRIVATE
        && !is_static_name(weiri_cuda_name(global));
}

struct llvm_value *weiri_cuda_managed_pointer(struct weiri_cuda_code *code,
                                              struct llvm_value *global)
{
    bool exported = is_exported(global);
    g_autofree char *name = exported
        ? g_strconcat(WEIRI_CUDA_MANAGED, weiri_cuda_name(global), NULL)
        : g_strconcat(WEIRI_CUDA_MANAGED, code->id, ".", weiri_cuda_name(global), NULL);
    struct llvm_value *pointer
        = llvm.AddGlobal(code->module, llvm.TypeOf(global), name);
    llvm.SetVisibility(pointer, exported ? 0 : HIDDEN);
    return pointer;
}

/* The fast entries' object defines the pointer. The host's symbol is not known if its
 * variable has been registered: then the pointer is null until the runtime sets it. */
static void define_pointer(struct weiri_cuda_code *code,
                           const struct weiri_cuda_variable_of *variable, bool exported)
{
    struct llvm_value *global = variable->global, *host = NULL;
    if (exported) {
        host = llvm.AddGlobal(code->module, llvm.GlobalGetValueType(global),
                              variable->symbol);
        llvm.SetLinkage(host, EXTERNAL_WEAK);
    }
    llvm.SetInitializer(variable->pointer,
                        host != NULL ? host : llvm.ConstNull(llvm.TypeOf(global)));
    if (exported && llvm.GetLinkage(global) != LLVM_EXTERNAL) {
        llvm.SetLinkage(variable->pointer, LLVM_WEAK_ODR);
    }
}

static void place(struct weiri_cuda_code *code,
                  const struct weiri_cuda_variable_of *variable)
{
    struct llvm_value *global = variable->global;
    bool hidden = !is_exported(global);
    g_autofree char *name = hidden
        ? g_strconcat("weir.", code->id, ".", variable->symbol, NULL)
        : g_strconcat("weir.", variable->symbol, NULL);
    weiri_cuda_rename(global, name);
    llvm.SetComdat(global, NULL);
    if (llvm.IsDeclaration(global)) {
        return;
    }
    if (variable->pointer != NULL && code->mode == WEIRI_CUDA_FAST) {
        define_pointer(code, variable, !hidden);
    }
    if (code->mode != WEIRI_CUDA_FAST) {
        bool constant = llvm.IsGlobalConstant(global);
        llvm.SetLinkage(global, constant ? LLVM_AVAILABLE_EXTERNALLY : LLVM_EXTERNAL);
        if (!constant) {
            llvm.SetInitializer(global, NULL);
        }
    } else if (hidden) {
        llvm.SetLinkage(global, LLVM_EXTERNAL);
    } else if (llvm.GetLinkage(global) == LLVM_LINK_ONCE_ODR
               || llvm.GetLinkage(global) == LLVM_LINK_ONCE_ANY) {
        llvm.SetLinkage(global, LLVM_WEAK_ODR); /* other entries refer to it */
    }
    if (hidden) {
        llvm.SetVisibility(global, HIDDEN);
    }
}

void weiri_cuda_place_variables(struct weiri_cuda_code *code)
{
    for (guint i = 0; i < code->variables->len; i++) {
        place(code, g_ptr_array_index(code->variables, i));
    }
}
