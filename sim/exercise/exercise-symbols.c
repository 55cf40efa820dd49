/* SPDX-License-Identifier: MIT
 *
 * exercise-symbols.c: the names that an object file defines for others, from its table
 * of symbols. Every offset is looked at before it is followed: the file is made of what
 * a student has written. */
#include "config.h"

#include "exercise/exercise.h"

#include <elf.h>
#include <string.h>

struct object {
    const char *bytes;
    gsize n;
};

/* Returns: borrowed; or NULL where the file ends before */
static const void *part_of(const struct object *object, uint64_t offset, uint64_t bytes)
{
    return offset <= object->n && bytes <= object->n - offset ? object->bytes + offset
                                                              : NULL;
}

/* Adds the names of one table. Returns: false where it is malformed */
static bool add_names(const struct object *object, const Elf64_Shdr *table,
                      const Elf64_Shdr *strings, GPtrArray *names)
{
    const char *text = part_of(object, strings->sh_offset, strings->sh_size);
    const char *symbols = part_of(object, table->sh_offset, table->sh_size);
    if (text == NULL || symbols == NULL || strings->sh_size == 0
        || text[strings->sh_size - 1] != '\0') {
        return false;
    }
    for (size_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols + i * sizeof(symbol), sizeof(symbol));
        if (symbol.st_name >= strings->sh_size) {
            return false;
        }
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL
            && symbol.st_shndx != SHN_UNDEF) {
            g_ptr_array_add(names, g_strdup(text + symbol.st_name));
        }
    }
    return true;
}

/* Returns: false if the file is not an object that has symbols */
static bool read_names(const struct object *object, GPtrArray *names)
{
    const Elf64_Ehdr *head = part_of(object, 0, sizeof(*head));
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0
        || head->e_ident[EI_CLASS] != ELFCLASS64
        || head->e_shentsize != sizeof(Elf64_Shdr)) {
        return false;
    }
    const Elf64_Shdr *sections = part_of(object, head->e_shoff, sizeof(*sections));
    size_t n
        = head->e_shnum != 0 || sections == NULL ? head->e_shnum : sections->sh_size;
    if (n > object->n / sizeof(*sections)
        || part_of(object, head->e_shoff, n * sizeof(*sections)) == NULL) {
        return false;
    }
    bool has = false;
    for (size_t i = 0; i < n; i++) {
        if (sections[i].sh_type == SHT_SYMTAB) {
            has = sections[i].sh_link < n
                && add_names(object, &sections[i], &sections[sections[i].sh_link],
                             names);
            if (!has) {
                return false;
            }
        }
    }
    return has;
}

GPtrArray *weiri_exercise_names(const char *file, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *bytes = NULL;
    struct object object = { .n = 0 };
    if (!g_file_get_contents(file, &bytes, &object.n, error)) {
        return NULL;
    }
    object.bytes = bytes;
    bool read = read_names(&object, names);
    for (guint i = 0; i < names->len; i++) {
        read = read && !g_str_has_prefix(names->pdata[i], "__gnu_lto_");
    }
    if (!read) {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "the names in the compiled answer cannot be read: name a compiler "
                    "for this machine in CC, without -flto");
        return NULL;
    }
    return g_steal_pointer(&names);
}
