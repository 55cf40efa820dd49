/* SPDX-License-Identifier: MIT
 *
 * object.c: see object.h. nm would do, but loads all of LLVM where it has a plugin for
 * objects of LLVM. */
#include "config.h"

#include "split/object.h"

#include <fcntl.h>
#include <gelf.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char split_ending[] = "__split";
static const char fast_part[] = "E12kernel__fastE";
static const char *const waiting[] = { "weiri_barrier", "weiri_collect" };

static bool is_wanted(const GElf_Sym *symbol)
{
    return symbol->st_shndx == SHN_UNDEF;
}

static bool is_local(const GElf_Sym *symbol)
{
    return GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
}

typedef void on_symbol(void *data, const char *name, const GElf_Sym *symbol);

static void visit_table(Elf *elf, Elf_Scn *section, on_symbol *visit, void *data)
{
    GElf_Shdr header;
    Elf_Data *table = elf_getdata(section, NULL);
    if (table == NULL || gelf_getshdr(section, &header) == NULL
        || header.sh_type != SHT_SYMTAB) {
        return;
    }
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(table, i, &symbol) != NULL; i++) {
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != NULL && *name != '\0') {
            visit(data, name, &symbol);
        }
    }
}

/* Calls @visit for each symbol that has a name. Returns: whether the file is an object
 */
static bool visit_symbols(const char *path, on_symbol *visit, void *data)
{
    elf_version(EV_CURRENT);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    Elf *elf = elf_begin(file, ELF_C_READ, NULL);
    bool read = elf != NULL && elf_kind(elf) == ELF_K_ELF;
    for (Elf_Scn *s = NULL; read && (s = elf_nextscn(elf, s)) != NULL;) {
        visit_table(elf, s, visit, data);
    }
    elf_end(elf);
    close(file);
    return read;
}

/* ---- Whether it waits ----------------------------------------------------- */

struct waits {
    bool kernels;
    bool calls;
};

static void see_wait(void *data, const char *name, const GElf_Sym *symbol)
{
    struct waits *waits = data;
    bool weak = GELF_ST_BIND(symbol->st_info) == STB_WEAK;
    if ((weak && is_wanted(symbol) && g_str_has_suffix(name, split_ending))
        || strstr(name, fast_part) != NULL) {
        waits->kernels = true;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(waiting); i++) {
        if (is_wanted(symbol) && strcmp(name, waiting[i]) == 0) {
            waits->calls = true;
        }
    }
}

bool weiri_object_waits(const char *object)
{
    struct waits waits = { 0 };
    return visit_symbols(object, see_wait, &waits) && waits.kernels && waits.calls;
}

/* ---- Names ---------------------------------------------------------------- */

/* The names in the source's object and in the half. */
struct names {
    GHashTable *own; /* (element-type utf8): what the source defines, if it is local */
    GHashTable *others; /* the same, if it is not */
    GString *local, *both;
    bool complete;
};

static void see_own(void *data, const char *name, const GElf_Sym *symbol)
{
    const struct names *names = data;
    if (!is_wanted(symbol) && strstr(name, fast_part) != NULL) {
        g_hash_table_add(is_local(symbol) ? names->own : names->others, g_strdup(name));
    }
}

static void see_half(void *data, const char *name, const GElf_Sym *symbol)
{
    struct names *names = data;
    if (is_wanted(symbol) && strstr(name, fast_part) != NULL) {
        if (g_hash_table_contains(names->own, name)) {
            g_string_append_printf(names->local, "%s\n", name);
        } else if (!g_hash_table_contains(names->others, name)) {
            names->complete = false;
        }
    } else if (!is_wanted(symbol) && !is_local(symbol)
               && g_str_has_suffix(name, split_ending)) {
        g_string_append_printf(names->both, "%s\n", name);
    }
}

bool weiri_object_names(const char *object, const char *half, const char *local,
                        const char *both)
{
    struct names names
        = { .own = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
            .others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
            .local = g_string_new("# names\n"),
            .both = g_string_new(NULL),
            .complete = true };
    bool done = visit_symbols(object, see_own, &names)
        && visit_symbols(half, see_half, &names) && names.complete;
    g_string_prepend(names.both, names.local->str);
    done = done && g_file_set_contents(local, names.local->str, -1, NULL)
        && g_file_set_contents(both, names.both->str, -1, NULL);
    g_hash_table_unref(names.own);
    g_hash_table_unref(names.others);
    g_string_free(names.local, TRUE);
    g_string_free(names.both, TRUE);
    return done;
}
