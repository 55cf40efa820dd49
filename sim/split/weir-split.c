/* SPDX-License-Identifier: MIT
 *
 * weir-split.c: weir-split OBJECT SOURCE COMPILER-ARGUMENT...: compiles the stackless
 * entries of the kernels in a file, as weir-machinery-split.h describes them. weir-cc,
 * the platform of OpenCL and the build of Weir's own kernels run it.
 *
 * clang compiles the source to bitcode, in which K__split_item() is an ordinary
 * function, and a stop a call. The rest is done in this process, by the libLLVM of that
 * clang:
 *
 *     loops.c, mark.c      K__split_item() becomes a coroutine of LLVM
 *     trim.c               what the kernels do not reach goes
 *     LLVM                 splits the coroutine: what follows each stop is a part of
 *                          K__split_item.resume(), and what it needs is in a frame
 *     flow.c, flow-vary.c  what the parts do, and what differs between items
 *     define.c, clone.c    the functions that K__stackless() calls: each part for one
 *                          item, and in a loop over the items of the group
 *     LLVM                 optimises that, but makes no vectors
 *     release.c            repeats which loops have independent iterations
 *     LLVM                 makes vectors of items where it can, and the object
 *
 * The module is verified after each step of ours. What the code here does not know is
 * never assumed to be harmless: see ir.h.
 *
 * The object has no entries of kernels that never wait: those gain nothing.
 *
 * Exit status: 0; 1: clang or LLVM failed; 2: wrong use, or no clang or libLLVM; 3: no
 * kernel waits, and there is no object; 4: kernels use static variables. */
#include "config.h"

#include "split/clang.h"
#include "split/define.h"
#include "split/ir.h"
#include "split/kernels.h"
#include "split/loops.h"
#include "split/mark.h"
#include "split/passes.h"
#include "split/release.h"
#include "split/trim.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status { DONE, FAILED, NO_CLANG, NO_KERNEL, STATICS };

struct job {
    struct weiri_clang clang;
    bool reports; /* a line for each kernel, to standard output */
    bool any;     /* of any version of clang */
    const char *object, *source;
    char **arguments;
    struct weiri_level level;
    bool generates; /* all that the arguments ask of the code is known here */
    struct llvm_module *module;
    GPtrArray *kernels; /* (element-type weiri_kernel): those that wait */
};

static void say(const char *message)
{
    fprintf(stderr, "weir-split: %s\n", message);
}

/* ---- Steps ---------------------------------------------------------------- */

static void diagnose(struct llvm_diagnostic *diagnostic, void *data)
{
    if (llvm.GetDiagInfoSeverity(diagnostic) == LLVM_ERROR) {
        char *message = llvm.GetDiagInfoDescription(diagnostic);
        say(message);
        llvm.DisposeMessage(message);
        *(bool *)data = true;
    }
}

static bool has_failed;

static bool read_module(struct job *job)
{
    GByteArray *bytes = weiri_clang_compile(&job->clang, job->source, job->arguments);
    if (bytes == NULL) {
        return false;
    }
    struct llvm_context *context = llvm.ContextCreate();
    llvm.ContextSetDiagnosticHandler(context, diagnose, &has_failed);
    weiri_ir_use(context);
    struct llvm_buffer *buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(
        (const char *)bytes->data, bytes->len, "bitcode");
    g_byte_array_unref(bytes);
    bool read = llvm.ParseBitcodeInContext2(context, buffer, &job->module) == 0;
    llvm.DisposeMemoryBuffer(buffer);
    if (read && llvm.SetIsNewDbgInfoFormat != NULL) {
        llvm.SetIsNewDbgInfoFormat(job->module, 0); /* notes are calls */
    }
    return read;
}

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
static bool prepare_kernels(struct job *job)
{
    g_autoptr(GPtrArray) all = weiri_kernels_find(job->module);
    if (all->len == 0) {
        return true;
    }
    struct llvm_machine *machine = weiri_passes_machine(job->module, &job->level);
    bool done = weiri_passes_run(job->module, "globalopt", NULL, &job->level);
    weiri_trim(job->module, all);
    done = done && weiri_passes_run(job->module, "globaldce", NULL, &job->level);
    GPtrArray *statics = weiri_trim_keep_statics(job->module);
    done = done && weiri_passes_first(job->module, machine, &job->level);
    weiri_trim_free_statics(job->module, statics);
    done = done && weiri_passes_verify(job->module, "prepare");
    if (machine != NULL) {
        llvm.DisposeTargetMachine(machine);
    }
    return done;
}

/* Keeps those that wait, with the places of their stops in @loops. */
static void choose_kernels(struct job *job, GPtrArray *loops)
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
            weiri_loops_free(found);
            weiri_ir_free(ir);
        }
    }
}

static bool mark_kernels(struct job *job, GPtrArray *loops)
{
    for (guint i = 0; i < job->kernels->len; i++) {
        weiri_mark(job->module, g_ptr_array_index(job->kernels, i),
                   g_ptr_array_index(loops, i));
    }
    return weiri_passes_verify(job->module, "mark");
}

static bool split_coroutines(struct job *job)
{
    static const char *const passes[] = { "coro-early", "coro-split", "coro-cleanup" };
    for (size_t i = 0; i < G_N_ELEMENTS(passes); i++) {
        if (!weiri_passes_run(job->module, passes[i], NULL, &job->level)) {
            return false;
        }
    }
    return true;
}

static bool define_kernels(struct job *job)
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
    return weiri_passes_verify(job->module, "define");
}

/* The last passes, by clang itself. */
static bool finish_by_clang(struct job *job)
{
    g_autofree char *bitcode
        = g_build_filename(g_get_tmp_dir(), "weir-split.XXXXXX", NULL);
    int file = g_mkstemp(bitcode);
    if (file < 0) {
        say("cannot write a temporary file");
        return false;
    }
    close(file);
    bool done = llvm.WriteBitcodeToFile(job->module, bitcode) == 0
        && weiri_clang_finish(&job->clang, bitcode, job->object, job->arguments);
    g_unlink(bitcode);
    return done;
}

static bool finish(struct job *job, struct llvm_machine *machine)
{
    g_autofree char *passes = weiri_passes_default(&job->level);
    char *message = NULL;
    if (!weiri_passes_run(job->module, passes, machine, &job->level)
        || !weiri_passes_verify(job->module, "optimise")) {
        return false;
    }
    if (job->reports) {
        weiri_release_count(job->module, job->kernels);
    }
    if (llvm.TargetMachineEmitToFile(machine, job->module, job->object,
                                     LLVM_OBJECT_FILE, &message)
            != 0
        || has_failed) {
        say(message != NULL ? message : "LLVM has written no object");
        return false;
    }
    return true;
}

static void report(const struct job *job)
{
    for (guint i = 0; job->reports && i < job->kernels->len; i++) {
        const struct weiri_kernel *kernel = g_ptr_array_index(job->kernels, i);
        printf("%s stops %u soft %u parts %u together %u vectors %u\n", kernel->called,
               kernel->n_stops, kernel->n_soft, kernel->n_parts, kernel->n_together,
               kernel->n_vector_loops);
    }
}

/* ---- The whole ------------------------------------------------------------ */

/* In each pass over the items a part is a loop of its own: vectors are for the end. */
static bool optimise(struct job *job)
{
    struct weiri_level first = { .level = '3' };
    struct llvm_machine *machine = weiri_passes_machine(job->module, &job->level);
    bool done = weiri_passes_run(job->module, "globaldce", NULL, &job->level)
        && weiri_passes_run(job->module, "default<O3>", machine, &first);
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

static enum status compile(struct job *job)
{
    g_autoptr(GPtrArray) loops = g_ptr_array_new();
    if (!read_module(job) || !prepare_kernels(job)) {
        return FAILED;
    }
    choose_kernels(job, loops);
    if (job->kernels->len == 0
        || llvm.GetNamedFunction(job->module, "weiri_split_tell") == NULL) {
        return NO_KERNEL;
    }
    for (guint i = 0; i < job->kernels->len; i++) {
        take_out_body(g_ptr_array_index(job->kernels, i));
    }
    weiri_kernels_rename(job->module, job->kernels);
    weiri_trim(job->module, job->kernels);
    if (!weiri_passes_run(job->module, "globaldce", NULL, &job->level)) {
        return FAILED;
    }
    unsigned n;
    g_autofree char *statics = weiri_trim_statics(job->module, &n);
    if (statics != NULL) {
        fprintf(
            stderr,
            "weir-split: %s: kernels use the static variables %s, which --stackless "
            "would make two of each: make them global\n",
            job->source, statics);
        return STATICS;
    }
    if (!mark_kernels(job, loops) || !split_coroutines(job) || !define_kernels(job)
        || !optimise(job)) {
        return FAILED;
    }
    report(job);
    return DONE;
}

static const char usage[]
    = "usage: weir-split [--report] [--show=STEP] [--any-version] OBJECT SOURCE\n"
      "                  COMPILER-ARGUMENT...\n"
      "       weir-split [--any-version] --header COMPILER-ARGUMENT...\n"
      "       weir-split --version\n";

/* Returns: what is wrong, or NULL */
static char *prepare(struct job *job)
{
    char *why = weiri_clang_find(&job->clang);
    if (why != NULL) {
        return why;
    }
    if (!job->any && !weiri_clang_is_tried(job->clang.version)) {
        g_autofree char *tried = weiri_clang_tried();
        return g_strdup_printf("%s is of version %u, which Weir was not tried with (%s "
                               "were): kernels have entries with stacks; --stackless "
                               "makes the others, too",
                               job->clang.name, job->clang.version, tried);
    }
    weiri_llvm_open(job->clang.libraries, job->clang.version, &why);
    return why;
}

int main(int argc, char **argv)
{
    struct job job = { 0 };
    int i = 1;
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--report") == 0) {
            job.reports = true;
        } else if (strcmp(argv[i], "--any-version") == 0) {
            job.any = true;
        } else if (g_str_has_prefix(argv[i], "--show=")) {
            weiri_passes_show(argv[i] + strlen("--show="));
        } else {
            break;
        }
    }
    bool version = i < argc && strcmp(argv[i], "--version") == 0;
    bool header = i < argc && strcmp(argv[i], "--header") == 0;
    if (!version && argc - i < 2) {
        fputs(usage, stderr);
        return NO_CLANG;
    }
    g_autofree char *why = prepare(&job);
    if (why != NULL) {
        say(why);
        return NO_CLANG;
    }
    if (version) {
        printf("%s %u\n", job.clang.name, job.clang.version);
        return DONE;
    }
    if (header) {
        return weiri_clang_header(&job.clang, argv + i + 1) ? DONE : FAILED;
    }
    job.object = argv[i];
    job.source = argv[i + 1];
    job.arguments = argv + i + 2;
    job.generates = weiri_clang_level(job.arguments, &job.level);
    weiri_passes_options(job.level.options);
    return (int)compile(&job);
}
