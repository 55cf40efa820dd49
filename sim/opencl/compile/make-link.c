/* SPDX-License-Identifier: MIT
 *
 * make-link.c: the objects of a program become a shared object.
 *
 * The linker is run as such where the objects want nothing that clang adds: clang takes
 * five times as long to find its own libraries. */
#include "config.h"

#include "opencl/compile/make.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* The objects that there are. */
static GPtrArray *objects_of(const struct weiri_make *build)
{
    static const char *const names[] = { "1.o", "2.o", "3.o", "variables.o" };
    GPtrArray *objects = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        char *path = weiri_make_path(build, "%s", names[i]);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            g_ptr_array_add(objects, path);
        } else {
            g_free(path);
        }
    }
    return objects;
}

static bool run(const struct weiri_make *build, GPtrArray *words, GError **error)
{
    struct weiri_process step;
    char *log = weiri_make_path(build, "step.log");
    weiri_process_start(&step, words, log);
    bool done = weiri_process_wait(&step) || weiri_make_fail(&step, error);
    weiri_process_clear(&step);
    g_free(log);
    return done;
}

/* ---- Names ----------------------------------------------------------------- */

static void add_undefined(Elf *elf, Elf_Scn *section, GHashTable *names)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Data *table = elf_getdata(section, NULL);
    if (table == NULL || gelf_getshdr(section, &header) == NULL
        || header.sh_type != SHT_SYMTAB) {
        return;
    }
    for (int i = 1; gelf_getsym(table, i, &symbol) != NULL; i++) {
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (symbol.st_shndx == SHN_UNDEF && name != NULL) {
            g_hash_table_add(names, g_strdup(name));
        }
    }
}

/* nm would load LLVM where it has a plugin for it, so libelf reads the objects.
 * Returns: (element-type utf8) (transfer full): the set of names that an object wants
 * and does not define itself */
static GHashTable *undefined_names(GPtrArray *objects)
{
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    elf_version(EV_CURRENT);
    for (guint i = 0; i < objects->len; i++) {
        int file = open(g_ptr_array_index(objects, i), O_RDONLY | O_CLOEXEC);
        Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
        for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
            add_undefined(elf, s, names);
        }
        elf_end(elf);
        if (file >= 0) {
            close(file);
        }
    }
    return names;
}

static bool has_prefix(const char *name, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (g_str_has_prefix(name, *list)) {
            return true;
        }
    }
    return false;
}

static const char *const hooks[] = { "__tsan_", "__sanitizer_", "__ubsan_", NULL };

static bool is_hook(const char *name)
{
    return has_prefix(name, hooks) || strcmp(name, "memcpy") == 0
        || strcmp(name, "memmove") == 0 || strcmp(name, "memset") == 0;
}

/* Whether an object may want a function of the compiler's own library. */
static bool wants_compiler(GHashTable *names)
{
    static const char *const linkers[] = { "__start_", "__stop_", NULL };
    GHashTableIter iter;
    gpointer name;
    bool wants = false;
    for (g_hash_table_iter_init(&iter, names);
         g_hash_table_iter_next(&iter, &name, NULL);) {
        wants = wants
            || (g_str_has_prefix(name, "__") && !has_prefix(name, hooks)
                && !has_prefix(name, linkers));
    }
    return wants;
}

/* Gives hooks that the objects call the names that they have in the library. */
static bool rename_hooks(const struct weiri_make *build, GPtrArray *objects,
                         GHashTable *undefined, GError **error)
{
    char *table = weiri_make_path(build, "hooks");
    GString *names = g_string_new(NULL);
    GHashTableIter iter;
    gpointer name;
    for (g_hash_table_iter_init(&iter, undefined);
         g_hash_table_iter_next(&iter, &name, NULL);) {
        if (is_hook(name)) {
            g_string_append_printf(names, "%s weiri_hook_%s\n", (char *)name,
                                   (char *)name + strspn(name, "_"));
        }
    }
    bool done = g_file_set_contents(table, names->str, -1, error);
    char *option = g_strconcat("--redefine-syms=", table, NULL);
    for (guint i = 0; done && names->len > 0 && i < objects->len; i++) {
        GPtrArray *words = weiri_make_words("objcopy");
        weiri_process_add(words, option, g_ptr_array_index(objects, i), NULL);
        done = run(build, words, error);
    }
    g_free(option);
    g_string_free(names, TRUE);
    g_free(table);
    return done;
}

/* ---- The shared object ----------------------------------------------------- */

/* Makes an empty library with the name of Weir's own. An object that is linked with it
 * asks the loader for that name, and gets the library that is loaded. @path: in the
 * cache */
static bool make_import_library(const struct weiri_make *build, const char *path,
                                GError **error)
{
    if (weiri_cl_cache_has(path)) {
        weiri_cl_cache_touch(&build->tools, path, false);
        return true;
    }
    char *source = weiri_make_path(build, "import.c");
    char *made = weiri_make_path(build, "import.so");
    char *option = g_strconcat("-Wl,-soname,", build->tools.soname, NULL);
    GPtrArray *words = weiri_make_words(build->tools.clang);
    weiri_process_add(words, "-shared", "-nostdlib", option, source, "-o", made, NULL);
    bool done = g_file_set_contents(source, "", -1, error) && run(build, words, error)
        && weiri_cl_cache_keep(made, path, error);
    g_free(option);
    g_free(made);
    g_free(source);
    return done;
}

/* @direct: by the linker itself */
static bool link_by(const struct weiri_make *build, bool direct, GPtrArray *objects,
                    const char *import, const char *path, GError **error)
{
    GPtrArray *words = weiri_make_words(direct ? "ld" : build->tools.clang);
    weiri_process_add(words, "-shared", "-o", path, NULL);
    if (direct) {
        weiri_process_add(words, "--eh-frame-hdr", "-Bsymbolic", "-z", "noexecstack",
                          NULL);
    } else {
        weiri_process_add(words, "-Wl,-Bsymbolic", "-Wl,-z,noexecstack", NULL);
    }
    for (guint i = 0; i < objects->len; i++) {
        weiri_process_add(words, g_ptr_array_index(objects, i), NULL);
    }
    if (import != NULL) {
        const char *as = direct ? "" : "-Wl,";
        char *all = g_strconcat(as, "--no-as-needed", NULL);
        char *wanted = g_strconcat(as, "--as-needed", NULL);
        weiri_process_add(words, all, import, wanted, NULL);
        g_free(all);
        g_free(wanted);
    } else {
        static const char *const wrapped[] = { "memcpy", "memmove", "memset" };
        for (size_t i = 0; i < G_N_ELEMENTS(wrapped); i++) {
            char *word
                = g_strconcat(direct ? "--wrap=" : "-Wl,--wrap=", wrapped[i], NULL);
            weiri_process_add(words, word, NULL);
            g_free(word);
        }
    }
    weiri_process_add(words, "-lm", NULL);
    return run(build, words, error) && g_file_test(path, G_FILE_TEST_EXISTS);
}

bool weiri_make_link(const struct weiri_make *build, const char *path, GError **error)
{
    GPtrArray *objects = objects_of(build);
    GHashTable *names = undefined_names(objects);
    char *key
        = g_compute_checksum_for_string(G_CHECKSUM_SHA256, build->tools.identity, -1);
    char *import = build->tools.soname == NULL
        ? NULL
        : weiri_cl_cache_path(&build->tools, key, ".import");
    g_free(key);
    bool done = import == NULL
        || (rename_hooks(build, objects, names, error)
            && make_import_library(build, import, error));
    done = done
        && ((!wants_compiler(names)
             && link_by(build, true, objects, import, path, NULL))
            || link_by(build, false, objects, import, path, error));
    g_hash_table_unref(names);
    g_ptr_array_unref(objects);
    g_free(import);
    return done;
}
