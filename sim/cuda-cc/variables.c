/* SPDX-License-Identifier: MIT
 *
 * variables.c: variables of the device. The fast entries' object defines them, for all
 * entries. Their names are not those of the host's variables, which stand for them
 * there: "weir." comes first. One that only its object may see has the number of the
 * translation unit in its name, and weir-nvcc hides it when the objects have become
 * one. Constants that have no name for others stay in each object. */
#include "config.h"

#include "cuda-cc/cuda.h"

#include <string.h>

enum { HIDDEN = 1 };

static bool is_exported(struct llvm_value *global)
{
    int linkage = llvm.GetLinkage(global);
    return linkage != LLVM_INTERNAL && linkage != LLVM_PRIVATE;
}

static void place(struct weiri_cuda_code *code,
                  const struct weiri_cuda_variable_of *variable)
{
    struct llvm_value *global = variable->global;
    if (variable->managed) {
        llvm.SetComdat(global, NULL);
        llvm.SetLinkage(global, LLVM_EXTERNAL);
        llvm.SetInitializer(global, NULL);
        return;
    }
    g_autofree char *name = is_exported(global)
        ? g_strconcat("weir.", variable->symbol, NULL)
        : g_strconcat("weir.", code->id, ".", variable->symbol, NULL);
    bool hidden = !is_exported(global);
    weiri_cuda_rename(global, name);
    llvm.SetComdat(global, NULL);
    if (llvm.IsDeclaration(global)) {
        return;
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
