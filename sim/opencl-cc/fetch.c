/* SPDX-License-Identifier: MIT
 *
 * fetch.c: functions of the machine's bitcode, most of which a program does not use,
 * are read one by one.
 *
 * A module that is read lazily has functions without blocks that are not declarations.
 * LLVM reads the body of one when a pass of functions is about to run on it; the list
 * of passes here is empty. LLVM reads the metadata of the module with the first body.
 */
#include "config.h"

#include "opencl-cc/clc.h"
#include "opencl-cc/kernels.h"
#include "opencl-cc/template.h"

bool weiri_clc_fetches(void)
{
    return llvm.CreateFunctionPassManagerForModule != NULL
        && llvm.RunFunctionPassManager != NULL && llvm.DisposePassManager != NULL;
}

static bool is_unread(struct llvm_value *function)
{
    return !llvm.IsDeclaration(function) && llvm.GetFirstBasicBlock(function) == NULL;
}

/* The template; and conversions of halves, which LLVM's code generator calls. */
static bool is_always_read(struct llvm_value *function)
{
    size_t length;
    const char *name = llvm.GetValueName2(function, &length);
    return g_str_has_prefix(name, WEIRI_TEMPLATE) || g_str_has_prefix(name, "__");
}

static bool is_used(struct llvm_value *function)
{
    return llvm.GetFirstUse(function) != NULL;
}

/* Returns: whether one was read */
static bool fetch(struct llvm_module *module, struct llvm_passes *none,
                  bool (*is_wanted)(struct llvm_value *))
{
    bool any = false;
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;
         f = llvm.GetNextFunction(f)) {
        if (is_unread(f) && is_wanted(f)) {
            llvm.RunFunctionPassManager(none, f);
            any = true;
        }
    }
    return any;
}

static struct llvm_passes *no_passes(struct llvm_module *module)
{
    return weiri_clc_fetches() ? llvm.CreateFunctionPassManagerForModule(module) : NULL;
}

void weiri_clc_fetch_template(struct llvm_module *module)
{
    struct llvm_passes *none = no_passes(module);
    if (none != NULL) {
        (void)fetch(module, none, is_always_read);
        llvm.DisposePassManager(none);
    }
}

void weiri_clc_fetch_used(struct llvm_module *module)
{
    struct llvm_passes *none = no_passes(module);
    if (none == NULL) {
        return;
    }
    while (fetch(module, none, is_used)) {}
    llvm.DisposePassManager(none);
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL;) {
        struct llvm_value *next = llvm.GetNextFunction(f);
        if (is_unread(f)) {
            llvm.DeleteFunction(f);
        }
        f = next;
    }
}
