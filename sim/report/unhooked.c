/* SPDX-License-Identifier: MIT
 *
 * unhooked.c: see unhooked.h. A function with hooks calls __tsan_*() at its accesses.
 * One that accesses memory and calls none was compiled without them: by a plain
 * compiler, with no_sanitize, by link-time optimisation. Hooks are also missing at
 * streaming and masked stores, in some compilers.
 *
 * Calls are found by decoding: a call's target counts where a function of the symbol
 * table begins there, or where it is one of a library other than the system's. An
 * access is an operand in memory that is neither on the stack (own-stack.c) nor at a
 * constant address. Where the decoder (x86.c) meets a byte that it does not know, it
 * goes on at the next, and the function counts as one without accesses. */
#include "config.h"

#include "report/unhooked.h"

#include "report/functions.h"
#include "report/own-stack.h"
#include "report/result.h"
#include "report/symbol.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* Functions of a kernel that are looked at, those that a report names, and inlined
 * calls of one address. */
enum { MOST_FUNCTIONS = 1000, MOST_NAMED = 3, MOST_FRAMES = 16 };

static GMutex mutex;
static GHashTable *answers; /* checked entry: text, or "" */

/* ---- A kernel's code ------------------------------------------------------------- */

struct walk {
    GPtrArray *reached;              /* struct weiri_function */
    const struct weiri_function *at; /* the one that is looked at */
    GHashTable *seen;
    GPtrArray *named; /* what a report says of those without hooks; owned */
    bool plain;       /* one of them is a function without any, */
    bool results;     /* or the store of a call's result, */
    bool arguments;   /* or the read of a call's argument; */
    bool unknown;     /* some code was not found */
    bool sycl;        /* it calls functions of the SYCL headers, */
    bool unclear;     /* which some function without hooks may be */
};

/* Functions of Weir's own, and the hooks. */
static bool is_machine(const char *name)
{
    static const char *const prefixes[]
        = { "weiri_", "weir_", "__tsan_", "__sanitizer_", "__ubsan_", "__wrap_" };
    bool is = false;
    for (size_t i = 0; !is && i < G_N_ELEMENTS(prefixes); i++) {
        is = g_str_has_prefix(name, prefixes[i]);
    }
    return is;
}

/* Functions of Weir's header for C++, which copy a kernel for its items and call it. */
static bool is_header(const char *name)
{
    return g_str_has_prefix(name, "_ZN5weiri") || g_str_has_prefix(name, "_ZNK5weiri");
}

/* The kind of access that a hook reports: the rest of its name; or %NULL for other
 * functions. */
static const char *hook_of(const char *name)
{
    static const char prefix[] = "__tsan_";
    return g_str_has_prefix(name, prefix) ? name + sizeof(prefix) - 1 : NULL;
}

static void reach(struct walk *walk, const struct weiri_function *function)
{
    if (walk->reached->len < MOST_FUNCTIONS
        && g_hash_table_add(walk->seen, (void *)function->start)) {
        g_ptr_array_add(walk->reached, (void *)function);
    }
}

/* The innermost frame of the program's own code. Returns: false if all of it is code of
 * Weir or of a header of the system */
static bool find_frame(const unsigned char *pc, struct weir_frame *frame)
{
    struct weir_frame frames[MOST_FRAMES];
    size_t n = weiri_symbol_frames(pc + 1, frames, MOST_FRAMES);
    for (size_t i = 0; i < n; i++) {
        *frame = frames[i];
        if (frame->file == NULL
            || !(g_str_has_prefix(frame->file, "/usr/")
                 || strstr(frame->file, "/lib/clang/") != NULL)) {
            return true;
        }
    }
    return false;
}

/* Whether the program has no symbols, so that nothing is known of the function but its
 * code. */
static bool is_nameless(const struct weiri_function *function)
{
    return *function->name == '\0';
}

/* The act at @pc, or the function where @what is %NULL, in words. Returns: (transfer
 * full) (nullable): */
static char *describe(const struct walk *walk, const unsigned char *pc,
                      const char *what)
{
    struct weir_frame frame;
    if (is_nameless(walk->at)) {
        return what != NULL
            ? g_strdup_printf("%s (0x%zx)", what, weiri_functions_offset(pc))
            : g_strdup_printf("the function at 0x%zx",
                              weiri_functions_offset(walk->at->start));
    }
    if (!find_frame(pc, &frame)) {
        return NULL;
    }
    g_autofree char *place = frame.file != NULL
        ? g_strdup_printf(" (%s:%u)", frame.file, frame.line)
        : g_strdup("");
    bool kernel = g_str_has_prefix(frame.function, "kernel ");
    return what != NULL ? g_strconcat(what, place, NULL)
        : kernel        ? g_strdup("its own code")
                        : g_strdup_printf("%s()%s", frame.function, place);
}

/* Notes that hooks are missing at @pc. @what: the act there; or %NULL: the function has
 * no hooks at all */
static void name(struct walk *walk, const unsigned char *pc, const char *what)
{
    g_autofree char *text = describe(walk, pc, what);
    if (text == NULL) {
        return;
    }
    walk->plain |= what == NULL;
    if (!g_ptr_array_find_with_equal_func(walk->named, text, g_str_equal, NULL)) {
        g_ptr_array_add(walk->named, g_steal_pointer(&text));
    }
}

#ifdef __x86_64__

/* The function of a library that this entry of the procedure linkage table jumps to; or
 * %NULL, where it is not such an entry. */
static const char *library_function(const unsigned char *entry)
{
    static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
    enum { ENTRY_BYTES = 16 };
    if (!weiri_functions_contain(entry, ENTRY_BYTES)) {
        return NULL;
    }
    entry += memcmp(entry, landing, sizeof(landing)) == 0 ? sizeof(landing) : 0;
    entry += *entry == 0xf2;
    int32_t to; /* jmp *to(%rip) */
    memcpy(&to, entry + 2, sizeof(to));
    return entry[0] == 0xff && entry[1] == 0x25
        ? weiri_functions_imported(entry + 2 + sizeof(to) + to)
        : NULL;
}

/* Whether Weir knows what functions of the library do, or the compiler puts calls of
 * them into a program. */
static bool is_system(const char *library)
{
    static const char *const names[]
        = { "libc.*",      "libm.*",  "libmvec.*",    "libgcc_s.*",
            "libstdc++.*", "libc++*", "libpthread.*", "libdl.*",
            "librt.*",     "ld-*",    "libatomic.*",  "libglib-2.0.*",
            "libc-*",      "libm-*",  "libpthread-*", "linux-vdso.*" };
    g_autofree char *name = g_path_get_basename(library);
    bool is = false;
    for (size_t i = 0; !is && i < G_N_ELEMENTS(names); i++) {
        is = g_pattern_match_simple(names[i], name);
    }
    return is;
}

/* Whether code of the library calls hooks, which its own table of names shows. */
static bool has_hooks(const char *library)
{
    GMappedFile *mapped = g_mapped_file_new(library, FALSE, NULL);
    if (mapped == NULL) {
        return true; /* nothing is known of it */
    }
    bool has = memmem(g_mapped_file_get_contents(mapped),
                      g_mapped_file_get_length(mapped), "__tsan_", strlen("__tsan_"))
        != NULL;
    g_mapped_file_unref(mapped);
    return has;
}

/* A function of another library that the program brings is looked at like its own. */
static void reach_library(struct walk *walk, const char *name)
{
    Dl_info at;
    const Elf64_Sym *symbol = NULL;
    const void *start = dlsym(RTLD_DEFAULT, name);
    if (start == NULL || weiri_functions_at(start) != NULL
        || dladdr1(start, &at, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL
        || symbol->st_size == 0 || is_system(at.dli_fname) || has_hooks(at.dli_fname)) {
        return;
    }
    reach(walk, weiri_functions_add(start, symbol->st_size, name));
}

/* Notes a call at @pc of a function of the C library that accesses its caller's memory,
 * and that the linker has not redirected to Weir. */
static void name_library(struct walk *walk, const unsigned char *pc,
                         const unsigned char *entry)
{
    static const char *const patterns[]
        = { "mem*",         "str*",           "wcs*",      "wmem*",   "ato?",  "ato??",
            "__isoc*scanf", "sscanf",         "fread*",    "fwrite*", "fgets", "read",
            "write",        "__isoc*_strto*", "qsort*",    "bcopy",   "bcmp",  "bzero",
            "*printf",      "__*printf_chk",  "__atomic_*" };
    static const char *const harmless[]
        = { "strerror*", "strsignal",     "printf",          "__printf_chk",
            "fprintf",   "__fprintf_chk", "__atomic_*fence", "__atomic_is_lock_free" };
    const char *function = library_function(entry);
    if (function == NULL) {
        return;
    }
    bool known = false;
    for (size_t i = 0; !known && i < G_N_ELEMENTS(patterns); i++) {
        known = g_pattern_match_simple(patterns[i], function);
    }
    for (size_t i = 0; known && i < G_N_ELEMENTS(harmless); i++) {
        known = !g_pattern_match_simple(harmless[i], function);
    }
    if (known) {
        g_autofree char *what = g_strdup_printf("%s() of a library", function);
        name(walk, pc, what);
    }
    reach_library(walk, function);
}

/* Whether it is code of the program of which no table has a function. */
static bool is_unlisted(const unsigned char *target)
{
    return weiri_functions_contain(target, 1) && library_function(target) == NULL;
}

/* A function, and what is known of its code so far. */
struct seen {
    const unsigned char *start;
    struct weiri_own_stack *stack;
    struct weiri_result *result; /* of its last call */
    const unsigned char *access; /* or NULL */
    const unsigned char *bare;   /* a read without a hook since the last call */
    bool stored;                 /* it writes */
    bool hooked, entered;
    bool gnu;   /* gcc has compiled it */
    bool ready; /* the call before was a hook's, */
    bool wide;  /* of more than one register's bytes */
};

/* The function is not named once more as one without hooks. */
static void name_result(struct walk *walk, struct seen *seen, const unsigned char *pc)
{
    name(walk, pc, "the result of a call");
    walk->results = true;
    seen->hooked = true;
}

/* gcc reads a structure in the instructions between the last hook and the call. */
static void name_argument(struct walk *walk, struct seen *seen)
{
    name(walk, seen->bare, "an argument of a call");
    walk->arguments = true;
    seen->hooked = true;
}

/* A call at @pc of @target, or a jump there. */
static void look_at_call(struct walk *walk, struct seen *seen, const unsigned char *pc,
                         const unsigned char *target)
{
    struct weiri_symbol_result of = { 0 };
    const struct weiri_function *callee = weiri_functions_at(target);
    if (callee != NULL && is_machine(callee->name)) {
        const char *hook = hook_of(callee->name);
        bool entry = hook != NULL && g_str_has_prefix(hook, "func_");
        seen->ready = hook != NULL && !entry;
        seen->wide = seen->ready
            && (g_str_has_suffix(hook, "16") || g_str_has_suffix(hook, "_range"));
        seen->hooked |= seen->ready || strcmp(callee->name, "weiri_item_begin") == 0;
        seen->entered |= entry;
    } else if (callee != NULL) {
        reach(walk, callee);
        seen->ready = seen->wide = false;
        if (seen->gnu && seen->entered) {
            of = weiri_symbol_result(callee->start);
        }
        if (of.takes && seen->bare != NULL) {
            name_argument(walk, seen);
        }
    } else if (*pc == 0xe8) {
        name_library(walk, pc, target);
        walk->unknown |= is_nameless(walk->at) && is_unlisted(target);
    }
    if (weiri_result_call(seen->result, &of)
        && !weiri_symbol_result(seen->start).in_memory) {
        name_result(walk, seen, pc);
    }
}

static void look_at_access(struct walk *walk, struct seen *seen,
                           const unsigned char *pc, const struct weiri_instruction *in)
{
    bool own = weiri_own_stack_step(seen->stack, pc, in);
    if (!own && weiri_result_reads(seen->result, in) && !seen->ready && !seen->wide
        && seen->bare == NULL) {
        seen->bare = pc;
    }
    bool result = weiri_result_step(seen->result, in);
    if (!own && weiri_accesses(in)) {
        if (result && !seen->ready) {
            name_result(walk, seen, pc);
        }
        bool first = seen->access == NULL || (weiri_writes(in) && !seen->stored);
        seen->access = first ? pc : seen->access;
        seen->stored |= weiri_writes(in);
        seen->ready = false;
    }
}

/* Whether a function with a hook at its beginning, which writes without one, does not
 * just write its result. */
static bool may_lack_hooks(const struct weiri_function *function)
{
    return !is_nameless(function) && !weiri_symbol_result(function->start).in_memory;
}

/* The entry of a kernel has no hooks: it calls what has them. A function that has one
 * at its beginning may read what Weir's headers hide from hooks. */
static void look_at(struct walk *walk, const struct weiri_function *function)
{
    const unsigned char *end = function->start + function->bytes;
    struct seen seen = { .start = function->start,
                         .gnu = weiri_symbol_gnu(function->start),
                         .stack = weiri_own_stack_new(function->start, end),
                         .result = weiri_result_new() };
    bool known = true;
    walk->at = function;
    for (const unsigned char *at = function->start; at < end;) {
        const struct weiri_instruction in = weiri_decode(at, end);
        const unsigned char *next = at + MAX(in.bytes, 1);
        if (weiri_is_special(&in) && !seen.ready) {
            name(walk, at, "a streaming store or a masked access");
        }
        look_at_access(walk, &seen, at, &in);
        if (in.map == 0 && !in.vex && (in.opcode == 0xe8 || in.opcode == 0xe9)) {
            look_at_call(walk, &seen, at, next + in.to);
            seen.bare = NULL;
        }
        known &= in.bytes > 0;
        at = next;
    }
    weiri_own_stack_free(seen.stack);
    weiri_result_free(seen.result);
    if (seen.access != NULL && known && !seen.hooked && !is_header(function->name)
        && (!seen.entered || (seen.stored && may_lack_hooks(function)))) {
        if (walk->sycl && is_nameless(function)) {
            walk->unclear = true;
        } else {
            name(walk, seen.access, NULL);
        }
    }
}

#else

static void look_at(struct walk *walk, const struct weiri_function *function)
{
    (void)walk;
    (void)function;
}

#endif

/* Where no code without hooks was found. Returns: (transfer full): empty if all was
 * looked at */
static char *doubt_of(const struct walk *walk)
{
    return g_strdup(walk->unknown
                        ? "memory accesses may be unseen: the program has neither "
                          "symbols nor unwind tables of some of its code: check it "
                          "before they are removed"
                        : walk->unclear
                        ? "memory accesses may be unseen: without symbols functions "
                          "of the SYCL headers look like code without hooks: check "
                          "the program before its symbols are removed"
                        : "");
}

static char *text_of(const struct walk *walk)
{
    if (walk->named->len == 0) {
        return doubt_of(walk);
    }
    g_autoptr(GString) text = g_string_new("memory accesses are not seen in ");
    guint n = MIN(walk->named->len, MOST_NAMED);
    for (guint i = 0; i < n; i++) {
        g_string_append_printf(text, "%s%s",
                               i == 0                          ? ""
                                   : i + 1 == walk->named->len ? " and "
                                                               : ", ",
                               (char *)g_ptr_array_index(walk->named, i));
    }
    if (walk->named->len > n) {
        g_string_append_printf(text, " and %u more", walk->named->len - n);
    }
    if (walk->plain) {
        g_string_append_printf(
            text, ", which %s no hooks: compile %s with weir-cc or weir-c++",
            walk->named->len > 1 ? "have" : "has",
            walk->named->len > 1 ? "them" : "it");
    }
    if (walk->results) {
        g_string_append(text,
                        "; gcc stores a structure that a call returns without a "
                        "hook: put it into a variable of the kernel first");
    }
    if (walk->arguments) {
        g_string_append(text,
                        "; gcc reads a structure that a call takes by value without a "
                        "hook: put it into a variable of the kernel first");
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Kernels in OpenCL C and CUDA get their hooks from Weir itself. */
static bool is_compiled_by_weir(const struct weir_kernel *kernel)
{
    return kernel->language == WEIR_LANGUAGE_OPENCL
        || kernel->language == WEIR_LANGUAGE_CUDA;
}

const char *weiri_unhooked(const struct weir_kernel *kernel)
{
    const void *entry = (const void *)(uintptr_t)kernel->checked;
    if (entry == NULL || is_compiled_by_weir(kernel)) {
        return NULL;
    }
    g_mutex_lock(&mutex);
    if (answers == NULL) {
        weiri_functions_read();
        answers = g_hash_table_new(NULL, NULL);
    }
    const char *answer = g_hash_table_lookup(answers, entry);
    const struct weiri_function *root = weiri_functions_at(entry);
    if (answer == NULL) {
        struct walk walk
            = { .reached = g_ptr_array_new(),
                .seen = g_hash_table_new(NULL, NULL),
                .named = g_ptr_array_new_with_free_func(g_free),
                .sycl = kernel->language == WEIR_LANGUAGE_SYCL,
                .unknown = root == NULL && weiri_functions_contain(entry, 1) };
        if (root != NULL) {
            reach(&walk, root);
        }
        for (guint i = 0; i < walk.reached->len; i++) {
            look_at(&walk, g_ptr_array_index(walk.reached, i));
        }
        answer = text_of(&walk);
        g_hash_table_insert(answers, (void *)entry, (void *)answer);
        g_ptr_array_unref(walk.named);
        g_hash_table_unref(walk.seen);
        g_ptr_array_unref(walk.reached);
    }
    g_mutex_unlock(&mutex);
    return *answer != '\0' ? answer : NULL;
}
