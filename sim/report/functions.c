/* SPDX-License-Identifier: MIT
 *
 * functions.c: see functions.h. Symbols come from the program's file. Without them, the
 * table of .eh_frame_hdr has an entry for each function: its start, and the address of
 * its description, which has its size.
 *
 * Functions of Weir itself and the hooks need names, since calls of them mean more than
 * other calls. Their code is in sections of their own (archive.sh, hook-names.h). */
#include "config.h"

#include "report/functions.h"

#include "exec/hook-names.h"
#include "weir-kernel.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>

/* Set by the linker, if the sections exist: Weir's code, and its functions that replace
 * those of the C library. */
extern const unsigned char weir_start[] __asm__("__start_weiri_text")
    __attribute__((weak));
extern const unsigned char weir_stop[] __asm__("__stop_weiri_text")
    __attribute__((weak));
extern const unsigned char wrap_start[] __asm__("__start_weiri_wrap")
    __attribute__((weak));
extern const unsigned char wrap_stop[] __asm__("__stop_weiri_wrap")
    __attribute__((weak));

static GHashTable *functions; /* start: struct weiri_function; of the program; owned */
static GHashTable *slots;     /* of the procedure linkage table: a name */
static uintptr_t bias;        /* where the program was loaded */
static uintptr_t code_start, code_end; /* of the program */

const struct weiri_function *weiri_functions_add(const void *start, size_t bytes,
                                                 const char *name)
{
    struct weiri_function *function = g_new(struct weiri_function, 1);
    *function = (struct weiri_function){ start, bytes, name };
    g_hash_table_insert(functions, (void *)(uintptr_t)start, function);
    return function;
}

const struct weiri_function *weiri_functions_at(const void *start)
{
    return g_hash_table_lookup(functions, start);
}

const char *weiri_functions_imported(const void *slot)
{
    return g_hash_table_lookup(slots, slot);
}

bool weiri_functions_contain(const void *address, size_t bytes)
{
    return (uintptr_t)address >= code_start && (uintptr_t)address + bytes <= code_end;
}

size_t weiri_functions_offset(const void *address)
{
    return (uintptr_t)address - bias;
}

/* ---- The program's file ---------------------------------------------------------- */

/* Adds the functions of one symbol table. */
static void add_functions(const unsigned char *file, const Elf64_Shdr *table,
                          const Elf64_Shdr *strings)
{
    const Elf64_Sym *symbols = (const void *)(file + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF
            && symbol->st_size > 0 && symbol->st_name < strings->sh_size) {
            (void)weiri_functions_add(
                (const void *)(bias + symbol->st_value), symbol->st_size,
                (const char *)file + strings->sh_offset + symbol->st_name);
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
                      const Elf64_Shdr *table, const Elf64_Shdr *strings)
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

/* Returns: whether it is a table of symbols */
static bool read_section(const unsigned char *file, size_t bytes,
                         const Elf64_Shdr *sections, size_t n, size_t index)
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
        return false;
    }
    if (section->sh_type == SHT_SYMTAB) {
        add_functions(file, section, linked);
        return true;
    }
    if (section->sh_type == SHT_RELA && linked->sh_type == SHT_DYNSYM
        && linked->sh_link < n && fits(&sections[linked->sh_link], bytes)) {
        add_slots(file, section, linked, &sections[linked->sh_link]);
    }
    return false;
}

/* The mapping of the program's file stays: names point into it. Returns: whether the
 * file has symbols */
static bool read_file(void)
{
    GMappedFile *mapped = g_mapped_file_new("/proc/self/exe", FALSE, NULL);
    size_t bytes = mapped != NULL ? g_mapped_file_get_length(mapped) : 0;
    const unsigned char *file
        = bytes > 0 ? (const unsigned char *)g_mapped_file_get_contents(mapped) : NULL;
    const Elf64_Ehdr *head = (const void *)file;
    if (bytes < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0
        || head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shoff > bytes
        || head->e_shnum > (bytes - head->e_shoff) / sizeof(Elf64_Shdr)) {
        return false;
    }
    const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
    bool has = false;
    for (size_t i = 0; i < head->e_shnum; i++) {
        has |= read_section(file, bytes, sections, head->e_shnum, i);
    }
    return has;
}

/* ---- Tables for unwinding --------------------------------------------------------
 * Linux Standard Base Core, "Exception Frames". Only the encodings that linkers and
 * compilers choose on 64-bit machines are known. */

enum {
    UDATA4 = 0x03,         /* DW_EH_PE_udata4 */
    PCREL_SDATA4 = 0x1b,   /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
    DATAREL_SDATA4 = 0x3b, /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */
};

struct eh_header {
    uint8_t version, frame, count, table; /* the last three: encodings */
    int32_t frame_at;
    uint32_t n;
    struct {
        int32_t start, description; /* from the header's start */
    } entries[];
};

/* The description of a function's frame. */
struct frame {
    uint32_t bytes;
    uint32_t common_back; /* how far its common part is before this field */
    int32_t start;        /* from this field */
    uint32_t code_bytes;
};

/* Whether the description is of the function at @start, and so of the layout above. */
static bool is_at(const struct frame *frame, uintptr_t start)
{
    return frame->bytes != UINT32_MAX && frame->common_back != 0
        && (uintptr_t)&frame->start + (uintptr_t)(intptr_t)frame->start == start;
}

/* The name of a function, as far as it is one of Weir's. */
static const char *name_at(const unsigned char *start)
{
    const struct weiri_hook_name *hook = weiri_hook_names_start;
    while (hook < weiri_hook_names_stop && hook->start != start) {
        hook++;
    }
    if (hook < weiri_hook_names_stop) {
        return hook->name;
    }
    if (start == (const unsigned char *)(uintptr_t)weiri_item_begin) {
        return "weiri_item_begin";
    }
    return start >= weir_start && start < weir_stop ? "weiri_"
        : start >= wrap_start && start < wrap_stop  ? "__wrap_"
                                                    : "";
}

static void add_frames(const struct eh_header *header)
{
    if (header->version != 1 || header->count != UDATA4 || header->frame != PCREL_SDATA4
        || header->table != DATAREL_SDATA4) {
        return;
    }
    uintptr_t base = (uintptr_t)header;
    for (uint32_t i = 0; i < header->n; i++) {
        uintptr_t start = base + (uintptr_t)(intptr_t)header->entries[i].start;
        const struct frame *frame
            = (const void *)(base
                             + (uintptr_t)(intptr_t)header->entries[i].description);
        if (is_at(frame, start)) {
            const unsigned char *code = (const void *)start;
            (void)weiri_functions_add(code, frame->code_bytes, name_at(code));
        }
    }
}

static int take_bias(struct dl_phdr_info *object, size_t bytes, void *data)
{
    (void)bytes, (void)data;
    bias = object->dlpi_addr;
    return 1; /* the program is the first */
}

static int take_frames(struct dl_phdr_info *object, size_t bytes, void *data)
{
    (void)bytes, (void)data;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) {
            add_frames((const void *)(bias + object->dlpi_phdr[i].p_vaddr));
        }
    }
    return 1;
}

void weiri_functions_read(void)
{
    if (functions == NULL) {
        functions = g_hash_table_new(NULL, NULL);
        slots = g_hash_table_new(NULL, NULL);
        dl_iterate_phdr(take_bias, NULL);
        if (!read_file()) {
            dl_iterate_phdr(take_frames, NULL);
        }
    }
}
