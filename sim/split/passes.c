/* SPDX-License-Identifier: MIT
 *
 * passes.c: see passes.h. Passes are LLVM's own, named by a text as opt takes it, and
 * run before, between and after the steps of weir-split. The machine decides on costs
 * only in the last of them: without one, LLVM neither unrolls a loop in part nor makes
 * vectors, so that stops are not copied. */
#include "config.h"

#include "split/passes.h"

#include "split/ir.h"

#include <stdio.h>
#include <string.h>

/* Numbers of LLVM's interface. */
enum { RELOCATION_STATIC = 1, RELOCATION_PIC = 2 };
enum { CODE_MODEL_DEFAULT = 0, CODE_MODEL_TINY = 2 };

void weiri_passes_options(const struct weiri_level *level)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_ptr_array_add(words, (void *)"weir-split");
    /* Two stores to words of the frame, of which an item does one, stay two: LLVM would
     * make a scatter of one store with an address that is chosen. */
    g_ptr_array_add(words, (void *)"-sink-common-insts=false");
    /* The options of a pipeline would not do: "default<O2>" sets them by its level. */
    if (!level->vectorizes) {
        g_ptr_array_add(words, (void *)"-vectorize-loops=false");
    }
    if (!level->vectorizes_straight) {
        g_ptr_array_add(words, (void *)"-vectorize-slp=false");
    }
    for (guint i = 0; level->options != NULL && i < level->options->len; i++) {
        g_ptr_array_add(words, g_ptr_array_index(level->options, i));
    }
    llvm.ParseCommandLineOptions((int)words->len, (const char *const *)words->pdata,
                                 "");
}

/* If a list of passes names instcombine, LLVM 18 and later end the process where one
 * round of it was not enough. This is a test of theirs, which their own pipelines leave
 * out by a parameter. Older versions do not know it, and refuse the list before they
 * run any of its passes. */
static struct llvm_error *run_list(struct llvm_module *module, const char *passes,
                                   struct llvm_machine *machine,
                                   struct llvm_options *options)
{
    g_autoptr(GString) lenient = g_string_new(passes);
    if (g_string_replace(lenient, "instcombine", "instcombine<no-verify-fixpoint>", 0)
        > 0) {
        struct llvm_error *error
            = llvm.RunPasses(module, lenient->str, machine, options);
        if (error == NULL) {
            return NULL;
        }
        llvm.ConsumeError(error);
    }
    return llvm.RunPasses(module, passes, machine, options);
}

bool weiri_passes_run(struct llvm_module *module, const char *passes,
                      struct llvm_machine *machine, const struct weiri_level *level)
{
    struct llvm_options *options = llvm.CreatePassBuilderOptions();
    llvm.PassBuilderOptionsSetLoopInterleaving(options, level->unrolls);
    llvm.PassBuilderOptionsSetLoopUnrolling(options, level->unrolls);
    struct llvm_error *error = run_list(module, passes, machine, options);
    llvm.DisposePassBuilderOptions(options);
    if (error != NULL) {
        fprintf(stderr, "weir-split: passes %s: %s\n", passes,
                llvm.GetErrorMessage(error));
        return false;
    }
    return true;
}

/* Loops stay whole, since a stop that is copied is another one: LLVM unrolls a loop in
 * part, and makes vectors, only for a machine. The last passes do, and make vectors of
 * iterations. Vectors of straight code are made here, since the last passes do not find
 * them. */
bool weiri_passes_first(struct llvm_module *module, struct llvm_machine *machine,
                        const struct weiri_level *level)
{
    struct weiri_level first = { .level = '2', .unrolls = true };
    return weiri_passes_run(module, "default<O2>", NULL, &first)
        && (machine == NULL || !level->vectorizes_first
            || weiri_passes_run(module,
                                "function(slp-vectorizer,vector-combine,instcombine)",
                                machine, &first));
}

static const char *shown;

void weiri_passes_show(const char *step)
{
    shown = step;
}

bool weiri_passes_verify(struct llvm_module *module, const char *step)
{
    if (shown != NULL && strcmp(shown, step) == 0) {
        char *text = llvm.PrintModuleToString(module);
        fputs(text, stderr);
        llvm.DisposeMessage(text);
    }
    char *message = NULL;
    bool broken = llvm.VerifyModule(module, LLVM_RETURN_STATUS, &message) != 0;
    if (broken) {
        fprintf(stderr,
                "weir-split: internal error: the code is broken after the step '%s': "
                "%s\n",
                step, message);
    }
    llvm.DisposeMessage(message);
    return !broken;
}

/* Returns: the number that a flag of the module has, or -1 */
static int flag(struct llvm_module *module, const char *name)
{
    struct llvm_metadata *found = llvm.GetModuleFlag(module, name, strlen(name));
    if (found == NULL) {
        return -1;
    }
    struct llvm_value *value = llvm.MetadataAsValue(weiri_ir_context(), found);
    struct llvm_value *of
        = llvm.GetMDNodeNumOperands(value) == 1 ? llvm.GetOperand(value, 0) : NULL;
    return of == NULL || llvm.IsAConstantInt(of) == NULL
        ? -1
        : (int)llvm.ConstIntGetZExtValue(of);
}

struct llvm_machine *weiri_passes_machine(struct llvm_module *module,
                                          const struct weiri_level *level)
{
    const char *triple = llvm.GetTarget(module);
    struct llvm_target *target = NULL;
    char *message = NULL;
    if (!weiri_llvm_start_target(triple)
        || llvm.GetTargetFromTriple(triple, &target, &message) != 0) {
        return NULL;
    }
    int optimizes = level->level == '0' ? 0
        : level->level == '1'           ? 1
        : level->level == '3'           ? 3
                                        : 2;
    int model = flag(module, "Code Model");
    /* Where the source is code of LLVM, the arguments alone may say it. */
    bool moves = level->moves < 0 ? flag(module, "PIC Level") > 0 : level->moves;
    /* The processor is an attribute of each function. */
    return llvm.CreateTargetMachine(
        target, triple, "", "", optimizes, moves ? RELOCATION_PIC : RELOCATION_STATIC,
        model < 0 ? CODE_MODEL_DEFAULT : model + CODE_MODEL_TINY);
}

char *weiri_passes_default(const struct weiri_level *level)
{
    return g_strdup_printf("default<O%c>", level->level);
}
