/* SPDX-License-Identifier: MIT
 *
 * stackless.c: see stackless.h; weir-split.c has the steps. weiri_split() is a chain of
 * these steps on one module, each of which ends the chain if it fails. Kernels without
 * a stop, or with one that cannot be split, are dropped first: they keep their entries
 * with stacks. Last passes run in this process, or by clang, if its arguments ask for
 * something that is not known here. */
#include "config.h"

#include "split/stackless.h"

#include "split/define.h"
#include "split/ir.h"
#include "split/kernels.h"
#include "split/loops.h"
#include "split/mark.h"
#include "split/parts.h"
#include "split/release.h"
#include "split/trim.h"
#include "split/turns.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- Entries -------------------------------------------------------------- */

static const char *const left_alone[] = { "noinline", "optnone" };

static bool has(struct llvm_value *function, const char *attribute)
{
    return llvm.GetEnumAttributeAtIndex(function, LLVM_FUNCTION,
                                        weiri_ir_attribute(attribute))
        != NULL;
}

/* Adds to @entries what a constant has of K__stackless(). */
static void find_entries(struct llvm_value *constant, GPtrArray *entries)
{
    size_t length;
    if (llvm.IsAFunction(constant) != NULL) {
        if (strstr(llvm.GetValueName2(constant, &length), "__stackless") != NULL
            && !llvm.IsDeclaration(constant) && !has(constant, "noinline")) {
            g_ptr_array_add(entries, constant);
        }
    } else if (llvm.IsAConstantStruct(constant) != NULL) {
        for (int i = 0; i < llvm.GetNumOperands(constant); i++) {
            find_entries(llvm.GetOperand(constant, (unsigned)i), entries);
        }
    }
}

/* The passes that the entries of kernels get before the first ones. */
static const char simplifies[] = "function(sroa,early-cse,instcombine,simplifycfg)";

/* The entries of kernels are long, and nothing is known yet of the functions that they
 * call: LLVM does no more for them until define.c has written these. */
static GPtrArray *leave_entries(const GPtrArray *kernels)
{
    GPtrArray *entries = g_ptr_array_new();
    for (guint i = 0; i < kernels->len; i++) {
        const struct weiri_kernel *kernel = g_ptr_array_index(kernels, i);
        struct llvm_value *all
            = kernel->form == NULL ? NULL : llvm.GetInitializer(kernel->form);
        if (all != NULL) {
            find_entries(all, entries);
        }
    }
    for (guint i = 0; i < entries->len; i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(left_alone); k++) {
            llvm.AddAttributeAtIndex(
                g_ptr_array_index(entries, i), LLVM_FUNCTION,
                llvm.CreateEnumAttribute(weiri_ir_context(),
                                         weiri_ir_attribute(left_alone[k]), 0));
        }
    }
    return entries;
}

static void take_entries(GPtrArray *entries)
{
    for (guint i = 0; i < entries->len; i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(left_alone); k++) {
            llvm.RemoveEnumAttributeAtIndex(g_ptr_array_index(entries, i),
                                            LLVM_FUNCTION,
                                            weiri_ir_attribute(left_alone[k]));
        }
    }
    g_ptr_array_unref(entries);
}

/* ---- Steps ---------------------------------------------------------------- */

/* In C++ the form has the address of the body, so that it is compiled. */
static void take_out_body(struct weiri_kernel *kernel)
{
    if (llvm.GetFirstUse(kernel->item) != NULL) {
        llvm.ReplaceAllUsesWith(kernel->item,
                                llvm.ConstNull(llvm.TypeOf(kernel->item)));
    }
}

/* Drops what kernels do not reach, when variables that nothing in the source writes are
 * known to be constant, and optimises the rest. */
static bool prepare_kernels(struct weiri_split_job *job)
{
    g_autoptr(GPtrArray) all = weiri_kernels_find(job->module);
    if (all->len == 0) {
        return true;
    }
    weiri_parts_divide_all(job->module);
    struct llvm_machine *machine = weiri_passes_machine(job->module, &job->level);
    bool done = weiri_passes_run(job->module, "globalopt", NULL, &job->level);
    weiri_trim(job->module, all);
    done = done && weiri_passes_run(job->module, "globaldce", NULL, &job->level);
    GPtrArray *statics = weiri_trim_keep_statics(job->module);
    done = done && weiri_passes_run(job->module, simplifies, NULL, &job->level);
    GPtrArray *entries = leave_entries(all);
    done = done && weiri_passes_first(job->module, machine, &job->level);
    take_entries(entries);
    weiri_trim_free_statics(job->module, statics);
    weiri_turns_note(job->module);
    done = done && weiri_passes_verify(job->module, "prepare");
    if (machine != NULL) {
        llvm.DisposeTargetMachine(machine);
    }
    return done;
}

/* How many stops a function has, with those that it calls. */
static unsigned count_stops(struct llvm_value *function, GHashTable *seen)
{
    unsigned n = 0;
    if (llvm.IsAFunction(function) == NULL || !g_hash_table_add(seen, function)) {
        return 0;
    }
    for (struct llvm_block *b = llvm.GetFirstBasicBlock(function); b != NULL;
         b = llvm.GetNextBasicBlock(b)) {
        for (struct llvm_value *v = llvm.GetFirstInstruction(b); v != NULL;
             v = llvm.GetNextInstruction(v)) {
            if (weiri_ir_calls(v, "weiri_split_stop")) {
                n++;
            } else if (llvm.GetInstructionOpcode(v) == LLVM_CALL) {
                n += count_stops(llvm.GetCalledValue(v), seen);
            }
        }
    }
    return n;
}

/* A kernel that was not chosen: if it waits, says why. The first stop is its start. */
static void say_why(const struct weiri_split_job *job,
                    const struct weiri_kernel *kernel, const struct weiri_loops *found)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    if (!job->any || kernel->form == NULL || count_stops(kernel->item, seen) < 2) {
        return;
    }
    fprintf(stderr, "weir-split: %s: the items of kernel '%s' have stacks: %s\n",
            job->source, kernel->called,
            found->why != NULL ? found->why
                               : "they wait in a function that was not inlined");
}

/* Keeps the kernels that wait, with the places of their stops in @loops. */
static void choose_kernels(struct weiri_split_job *job, GPtrArray *loops)
{
    struct llvm_layout *layout = llvm.GetModuleDataLayout(job->module);
    GPtrArray *all = weiri_kernels_find(job->module);
    job->kernels = g_ptr_array_new();
    for (guint i = 0; i < all->len; i++) {
        struct weiri_kernel *kernel = g_ptr_array_index(all, i);
        weiri_mark_without_notes(kernel);
        struct weiri_ir *ir = weiri_ir_new(kernel->item, weiri_mark_resumed());
        struct weiri_loops *found = weiri_loops_find(ir, layout);
        if (kernel->form != NULL && found->why == NULL
            && (found->n_stops > 1 || found->n_loops > 0)) {
            g_ptr_array_add(job->kernels, kernel);
            g_ptr_array_add(loops, found);
        } else {
            say_why(job, kernel, found);
            weiri_loops_free(found);
            weiri_ir_free(ir);
        }
    }
}

static bool mark_kernels(struct weiri_split_job *job, GPtrArray *loops)
{
    for (guint i = 0; i < job->kernels->len; i++) {
        weiri_mark(job->module, g_ptr_array_index(job->kernels, i),
                   g_ptr_array_index(loops, i));
    }
    return weiri_passes_verify(job->module, "mark");
}

static bool split_coroutines(struct weiri_split_job *job)
{
    static const char *const passes[] = { "coro-early", "coro-split", "coro-cleanup" };
    for (size_t i = 0; i < G_N_ELEMENTS(passes); i++) {
        if (!weiri_passes_run(job->module, passes[i], NULL, &job->level)) {
            return false;
        }
    }
    return true;
}

static bool define_kernels(struct weiri_split_job *job)
{
    for (guint i = 0; i < job->kernels->len; i++) {
        struct weiri_kernel *kernel = g_ptr_array_index(job->kernels, i);
        const char *why = weiri_define(job->module, kernel);
        if (why != NULL) {
            fprintf(stderr, "weir-split: kernel %s: LLVM has made %s\n", kernel->called,
                    why);
            return false;
        }
    }
    weiri_define_end(job->module);
    weiri_turns_end(job->module);
    return weiri_passes_verify(job->module, "define");
}

/* The last passes, by clang itself. */
static bool finish_by_clang(struct weiri_split_job *job)
{
    g_autofree char *bitcode
        = g_build_filename(g_get_tmp_dir(), "weir-split.XXXXXX", NULL);
    int file = g_mkstemp(bitcode);
    if (file < 0) {
        weiri_split_say("cannot write a temporary file");
        return false;
    }
    close(file);
    bool done = llvm.WriteBitcodeToFile(job->module, bitcode) == 0
        && weiri_clang_finish(&job->clang, bitcode, job->object, job->arguments);
    g_unlink(bitcode);
    return done;
}

static bool finish(struct weiri_split_job *job, struct llvm_machine *machine)
{
    g_autofree char *passes = weiri_passes_default(&job->level);
    if (!weiri_passes_run(job->module, passes, machine, &job->level)
        || !weiri_passes_verify(job->module, "optimise")) {
        return false;
    }
    if (job->reports) {
        weiri_release_count(job->module, job->kernels);
    }
    return weiri_split_emit(job->module, machine, job->object);
}

static void report(const struct weiri_split_job *job)
{
    for (guint i = 0; job->reports && i < job->kernels->len; i++) {
        const struct weiri_kernel *kernel = g_ptr_array_index(job->kernels, i);
        printf("%s stops %u soft %u parts %u together %u vectors %u\n", kernel->called,
               kernel->n_stops, kernel->n_soft, kernel->n_parts, kernel->n_together,
               kernel->n_vector_loops);
    }
}

/* ---- The whole ------------------------------------------------------------ */

/* In each pass over the items a part is a loop of its own: vectors are for the end.
 * LLVM makes none for an unknown machine. */
static bool optimise(struct weiri_split_job *job)
{
    struct weiri_level first = { .level = '3' };
    struct llvm_machine *machine = weiri_passes_machine(job->module, &job->level);
    bool done = weiri_passes_run(job->module, "globaldce", NULL, &job->level)
        && weiri_passes_run(job->module, "default<O3>", NULL, &first);
    if (done) {
        weiri_release(job->module);
        done = weiri_passes_verify(job->module, "release");
    }
    done = done
        && (job->generates && machine != NULL ? finish(job, machine)
                                              : finish_by_clang(job));
    if (machine != NULL) {
        llvm.DisposeTargetMachine(machine);
    }
    return done;
}

enum weiri_split_status weiri_split(struct weiri_split_job *job)
{
    g_autoptr(GPtrArray) loops = g_ptr_array_new();
    if (!prepare_kernels(job)) {
        return WEIRI_SPLIT_FAILED;
    }
    choose_kernels(job, loops);
    if (job->kernels->len == 0
        || llvm.GetNamedFunction(job->module, "weiri_split_tell") == NULL) {
        return WEIRI_SPLIT_NO_KERNEL;
    }
    for (guint i = 0; i < job->kernels->len; i++) {
        take_out_body(g_ptr_array_index(job->kernels, i));
    }
    weiri_kernels_rename(job->module, job->kernels);
    weiri_trim(job->module, job->kernels);
    if (!weiri_passes_run(job->module, "globaldce", NULL, &job->level)) {
        return WEIRI_SPLIT_FAILED;
    }
    unsigned n;
    g_autofree char *statics = weiri_trim_statics(job->module, &n);
    if (statics != NULL) {
        fprintf(
            stderr,
            "weir-split: %s: kernels use the static variables %s, which --stackless "
            "would duplicate: make them global\n",
            job->source, statics);
        return WEIRI_SPLIT_STATICS;
    }
    if (!mark_kernels(job, loops) || !split_coroutines(job) || !define_kernels(job)
        || !optimise(job)) {
        return WEIRI_SPLIT_FAILED;
    }
    report(job);
    return WEIRI_SPLIT_DONE;
}
