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
 *     trim.c               removes all that the kernels do not reach
 *     LLVM                 splits the coroutine: the code after each stop is a part of
 *                          K__split_item.resume(), and its values are in a frame
 *     flow.c, flow-vary.c  find the effects of the parts, and which values differ
 *                          between items
 *     define.c, clone.c    the functions that K__stackless() calls: each part for one
 *                          item, and in a loop over the items of the group
 *     LLVM                 optimises that, but makes no vectors
 *     release.c            repeats which loops have independent iterations
 *     LLVM                 makes vectors of items where it can, and the object
 *
 * The module is verified after each step of ours. Code that is not known here is never
 * assumed to be harmless: see ir.h.
 *
 * The object has no entries of kernels that never wait: they would gain nothing.
 *
 * Exit status: 0; 1: clang or LLVM failed; 2: wrong use, or no clang or libLLVM; 3: no
 * kernel waits, and no object is written; 4: kernels use static variables. */
#include "config.h"

#include "split/aligned.h"
#include "split/copies.h"
#include "split/ir.h"
#include "split/object.h"
#include "split/parts.h"
#include "split/stackless.h"

#include <stdio.h>
#include <string.h>

static struct llvm_module *parse(struct llvm_buffer *buffer)
{
    struct llvm_module *module = NULL;
    bool read
        = llvm.ParseBitcodeInContext2(weiri_split_context(), buffer, &module) == 0;
    llvm.DisposeMemoryBuffer(buffer);
    if (read && llvm.SetIsNewDbgInfoFormat != NULL) {
        llvm.SetIsNewDbgInfoFormat(module, 0); /* notes are calls */
    }
    return read ? module : NULL;
}

static bool read_module(struct weiri_split_job *job)
{
    GByteArray *bytes = weiri_clang_compile(&job->clang, job->source, job->arguments);
    if (bytes == NULL) {
        return false;
    }
    struct llvm_buffer *buffer = llvm.CreateMemoryBufferWithMemoryRangeCopy(
        (const char *)bytes->data, bytes->len, "bitcode");
    g_byte_array_unref(bytes);
    job->module = parse(buffer);
    return job->module != NULL;
}

/* Makes clang's bitcode @from ready to be compiled, as @to. @hooks: it gets those that
 * clang leaves out. Without them, elements of vectors alone are stored, too. */
static bool make_ready(const char *from, const char *to, bool hooks)
{
    struct llvm_buffer *buffer;
    char *message = NULL;
    if (llvm.CreateMemoryBufferWithContentsOfFile(from, &buffer, &message) != 0) {
        g_autofree char *line = g_strdup_printf("%s: %s", from, message);
        weiri_split_say(line);
        llvm.DisposeMessage(message);
        return false;
    }
    struct llvm_module *module = parse(buffer);
    if (module == NULL) {
        return false;
    }
    if (hooks) {
        weiri_copies(module);
    } else {
        weiri_parts_divide_all(module);
    }
    return weiri_passes_verify(module, "copies")
        && llvm.WriteBitcodeToFile(module, to) == 0;
}

static const char usage[]
    = "usage: weir-split [--report] [--show=STEP] [--any-version] OBJECT SOURCE\n"
      "                  COMPILER-ARGUMENT...\n"
      "       weir-split [--any-version] --header COMPILER-ARGUMENT...\n"
      "       weir-split --copies BITCODE BITCODE\n"
      "       weir-split --parts BITCODE BITCODE\n"
      "       weir-split --never-aligned FOLDER COMPILER-ARGUMENT...\n"
      "       weir-split --never-odd FOLDER COMPILER-ARGUMENT...\n"
      "       weir-split --waits OBJECT\n"
      "       weir-split --names OBJECT HALF LOCAL BOTH\n"
      "       weir-split --version\n";

/* Returns: what is wrong, or NULL */
static char *prepare(struct weiri_split_job *job)
{
    char *why = weiri_clang_find(&job->clang);
    if (why != NULL) {
        return why;
    }
    if (!job->any && !weiri_clang_is_tried(job->clang.version)) {
        g_autofree char *tried = weiri_clang_tried();
        return g_strdup_printf("%s is of version %u, which was not tried with Weir (%s "
                               "were): kernels get only entries with stacks; "
                               "--stackless makes stackless entries, too",
                               job->clang.name, job->clang.version, tried);
    }
    weiri_llvm_open(job->clang.libraries, job->clang.version, &why);
    return why;
}

/* Has a step shown, if it is one. */
static bool show(const char *step)
{
    static const char *const steps[]
        = { "copies", "prepare", "mark", "define", "release", "optimise", NULL };
    if (!g_strv_contains(steps, step)) {
        g_autofree char *list = g_strjoinv(", ", (char **)steps);
        g_autofree char *line = g_strdup_printf(
            "--show=%s: no step has this name; the steps are %s", step, list);
        weiri_split_say(line);
        return false;
    }
    weiri_passes_show(step);
    return true;
}

/* Answers a question of weir-cc about files, which needs no LLVM. Returns: the exit
 * status, or -1 if the arguments ask none */
static int ask_files(int n, char **words)
{
    bool yes;
    if (n > 2 && strcmp(words[0], "--never-aligned") == 0) {
        yes = weiri_aligned_never(words[1], words + 2, false);
    } else if (n > 2 && strcmp(words[0], "--never-odd") == 0) {
        yes = weiri_aligned_never(words[1], words + 2, true);
    } else if (n == 2 && strcmp(words[0], "--waits") == 0) {
        yes = weiri_object_waits(words[1]);
    } else if (n == 5 && strcmp(words[0], "--names") == 0) {
        yes = weiri_object_names(words[1], words[2], words[3], words[4]);
    } else {
        return -1;
    }
    return yes ? WEIRI_SPLIT_DONE : WEIRI_SPLIT_NO_KERNEL;
}

int main(int argc, char **argv)
{
    int status = ask_files(argc - 1, argv + 1);
    if (status >= 0) {
        return status;
    }
    struct weiri_split_job job = { 0 };
    int i = 1;
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--report") == 0) {
            job.reports = true;
        } else if (strcmp(argv[i], "--any-version") == 0) {
            job.any = true;
        } else if (g_str_has_prefix(argv[i], "--show=")) {
            if (!show(argv[i] + strlen("--show="))) {
                return WEIRI_SPLIT_NO_CLANG;
            }
        } else {
            break;
        }
    }
    if (i < argc && strcmp(argv[i], "--help") == 0) {
        fputs(usage, stdout);
        return WEIRI_SPLIT_DONE;
    }
    bool version = i < argc && strcmp(argv[i], "--version") == 0;
    bool header = i < argc && strcmp(argv[i], "--header") == 0;
    bool copies = argc - i == 3 && strcmp(argv[i], "--copies") == 0;
    if (!version && argc - i < 2) {
        fputs(usage, stderr);
        return WEIRI_SPLIT_NO_CLANG;
    }
    bool parts = argc - i == 3 && strcmp(argv[i], "--parts") == 0;
    job.any = job.any || copies || parts; /* nothing is assumed of its code */
    g_autofree char *why = prepare(&job);
    if (why != NULL) {
        weiri_split_say(why);
        return WEIRI_SPLIT_NO_CLANG;
    }
    if (version) {
        printf("%s %u\n", job.clang.name, job.clang.version);
        return WEIRI_SPLIT_DONE;
    }
    if (header) {
        return weiri_clang_header(&job.clang, argv + i + 1) ? WEIRI_SPLIT_DONE
                                                            : WEIRI_SPLIT_FAILED;
    }
    if (copies || parts) {
        return make_ready(argv[i + 1], argv[i + 2], copies) ? WEIRI_SPLIT_DONE
                                                            : WEIRI_SPLIT_FAILED;
    }
    job.object = argv[i];
    job.source = argv[i + 1];
    job.arguments = argv + i + 2;
    job.generates = weiri_clang_level(job.arguments, &job.level);
    weiri_passes_options(&job.level);
    return (int)(read_module(&job) ? weiri_split(&job) : WEIRI_SPLIT_FAILED);
}
