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

#include "report/own-stack.h"
#include "report/result.h"
#include "report/symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

/* Functions of a kernel that are looked at, those that a report names, and inlined
 * calls of one address. */
enum { MOST_FUNCTIONS = 1000, MOST_NAMED = 3, MOST_FRAMES = 16 };

struct function {
    const unsigned char *start;
    size_t bytes;
    const char *name; /* of the symbol */
};

static GMutex mutex;
static GHashTable *functions;          /* start: struct function; of the program */
static GHashTable *slots;              /* of the procedure linkage table: a name */
static GHashTable *answers;            /* checked entry: text, or "" */
static uintptr_t code_start, code_end; /* of the program */

/* ---- Symbols --------------------------------------------------------------------- */

static int take_bias(struct dl_phdr_info *object, size_t bytes, void *data)
{
    (void)bytes;
    *(uintptr_t *)data = object->dlpi_addr;
    return 1; /* the program is the first */
}

/* Adds the functions of one symbol table. */
static void add_functions(const unsigned char *file, const Elf64_Shdr *table,
                          const Elf64_Shdr *strings, uintptr_t bias)
{
    const Elf64_Sym *symbols = (const void *)(file + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF
            && symbol->st_size > 0 && symbol->st_name < strings->sh_size) {
            struct function *function = g_new(struct function, 1);
            *function = (struct function){
                (const unsigned char *)(bias + symbol->st_value), symbol->st_size,
                (const char *)file + strings->sh_offset + symbol->st_name
            };
            g_hash_table_insert(functions, (void *)function->start, function);
        }
    }
}

/* Whether a part of the file is in it. */
static bool fits(const Elf64_Shdr *section, size_t bytes)
{
    return section->sh_offset <= bytes
        && section->sh_size <= bytes - section->sh_offset;
}

/* Adds the names of functions of libraries. */
static void add_slots(const unsigned char *file, const Elf64_Shdr *relocations,
                      const Elf64_Shdr *table, const Elf64_Shdr *strings,
                      uintptr_t bias)
{
    const Elf64_Rela *all = (const void *)(file + relocations->sh_offset);
    const Elf64_Sym *symbols = (const void *)(file + table->sh_offset);
    for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
        size_t index = ELF64_R_SYM(all[i].r_info);
        if (index > 0 && index < table->sh_size / sizeof(*symbols)
            && symbols[index].st_name < strings->sh_size) {
            g_hash_table_insert(
                slots, (void *)(bias + all[i].r_offset),
                (void *)(file + strings->sh_offset + symbols[index].st_name));
        }
    }
}

static void read_section(const unsigned char *file, size_t bytes,
                         const Elf64_Shdr *sections, size_t n, size_t index,
                         uintptr_t bias)
{
    const Elf64_Shdr *section = &sections[index];
    if ((section->sh_flags & SHF_EXECINSTR) != 0) {
        uintptr_t start = bias + section->sh_addr;
        code_start = code_start == 0 ? start : MIN(code_start, start);
        code_end = MAX(code_end, start + section->sh_size);
    }
    const Elf64_Shdr *linked
        = section->sh_link < n ? &sections[section->sh_link] : NULL;
    if (linked == NULL || !fits(section, bytes) || !fits(linked, bytes)) {
        return;
    }
    if (section->sh_type == SHT_SYMTAB) {
        add_functions(file, section, linked, bias);
    } else if (section->sh_type == SHT_RELA && linked->sh_type == SHT_DYNSYM
               && linked->sh_link < n && fits(&sections[linked->sh_link], bytes)) {
        add_slots(file, section, linked, &sections[linked->sh_link], bias);
    }
}

/* The mapping of the program's file stays: names point into it. */
static void read_functions(void)
{
    functions = g_hash_table_new(NULL, NULL);
    slots = g_hash_table_new(NULL, NULL);
    GMappedFile *mapped = g_mapped_file_new("/proc/self/exe", FALSE, NULL);
    size_t bytes = mapped != NULL ? g_mapped_file_get_length(mapped) : 0;
    const unsigned char *file
        = bytes > 0 ? (const unsigned char *)g_mapped_file_get_contents(mapped) : NULL;
    const Elf64_Ehdr *head = (const void *)file;
    uintptr_t bias = 0;
    if (bytes < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0
        || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shoff > bytes
        || head->e_shnum > (bytes - head->e_shoff) / sizeof(Elf64_Shdr)) {
        return;
    }
    dl_iterate_phdr(take_bias, &bias);
    const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum; i++) {
        read_section(file, bytes, sections, head->e_shnum, i, bias);
    }
}

/* ---- A kernel's code ------------------------------------------------------------- */

struct walk {
    GPtrArray *reached; /* struct function */
    GHashTable *seen;
    GPtrArray *named; /* what a report says of those without hooks; owned */
    bool plain;       /* one of them is a function without any, */
    bool results;     /* or the store of a call's result, */
    bool arguments;   /* or the read of a call's argument */
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

static void reach(struct walk *walk, const struct function *function)
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

/* Notes that hooks are missing at @pc. @what: the act there; or %NULL: the function has
 * no hooks at all */
static void name(struct walk *walk, const unsigned char *pc, const char *what)
{
    struct weir_frame frame;
    if (!find_frame(pc, &frame)) {
        return;
    }
    g_autofree char *place = frame.file != NULL
        ? g_strdup_printf(" (%s:%u)", frame.file, frame.line)
        : g_strdup("");
    bool kernel = g_str_has_prefix(frame.function, "kernel ");
    g_autofree char *text = what != NULL ? g_strconcat(what, place, NULL)
        : kernel                         ? g_strdup("its own code")
                 : g_strdup_printf("%s()%s", frame.function, place);
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
    if ((uintptr_t)entry < code_start || (uintptr_t)entry + ENTRY_BYTES > code_end) {
        return NULL;
    }
    entry += memcmp(entry, landing, sizeof(landing)) == 0 ? sizeof(landing) : 0;
    entry += *entry == 0xf2;
    int32_t to; /* jmp *to(%rip) */
    memcpy(&to, entry + 2, sizeof(to));
    return entry[0] == 0xff && entry[1] == 0x25
        ? g_hash_table_lookup(slots, entry + 2 + sizeof(to) + to)
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
    if (start == NULL || g_hash_table_contains(functions, start)
        || dladdr1(start, &at, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL
        || symbol->st_size == 0 || is_system(at.dli_fname) || has_hooks(at.dli_fname)) {
        return;
    }
    struct function *function = g_new(struct function, 1);
    *function = (struct function){ start, symbol->st_size, name };
    g_hash_table_insert(functions, (void *)start, function);
    reach(walk, function);
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
    const struct function *callee = g_hash_table_lookup(functions, target);
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

/* The entry of a kernel has no hooks: it calls what has them. A function that has one
 * at its beginning may read what Weir's headers hide from hooks, and so counts if it
 * writes, unless that is its result. */
static void look_at(struct walk *walk, const struct function *function)
{
    const unsigned char *end = function->start + function->bytes;
    struct seen seen = { .start = function->start,
                         .gnu = weiri_symbol_gnu(function->start),
                         .stack = weiri_own_stack_new(function->start, end),
                         .result = weiri_result_new() };
    bool known = true;
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
    if (seen.access != NULL && known && !seen.hooked && (seen.stored || !seen.entered)
        && !is_header(function->name)
        && (!seen.entered || !weiri_symbol_result(seen.start).in_memory)) {
        name(walk, seen.access, NULL);
    }
}

#else

static void look_at(struct walk *walk, const struct function *function)
{
    (void)walk;
    (void)function;
}

#endif

static char *text_of(const struct walk *walk)
{
    g_autoptr(GString) text = g_string_new(NULL);
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
    if (functions == NULL) {
        read_functions();
        answers = g_hash_table_new(NULL, NULL);
    }
    const char *answer = g_hash_table_lookup(answers, entry);
    const struct function *root = g_hash_table_lookup(functions, entry);
    if (answer == NULL) {
        struct walk walk = { g_ptr_array_new(),
                             g_hash_table_new(NULL, NULL),
                             g_ptr_array_new_with_free_func(g_free),
                             false,
                             false,
                             false };
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
