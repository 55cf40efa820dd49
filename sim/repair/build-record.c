/* SPDX-License-Identifier: MIT
 *
 * build-record.c: see build-record.h. The bytes may be anything: each offset and number
 * is checked against the size of the section before it is used. */
#include "config.h"

#include "repair/build-record.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const weiri_build_variables[WEIRI_BUILD_VARIABLES] = {
    "CC",
    "CXX",
    "WEIR_INCLUDE_DIR",
    "WEIR_LIB_DIR",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
};

/* ---- Records --------------------------------------------------------------------- */

void weiri_build_record_free(struct weiri_build_record *record)
{
    if (record != NULL) {
        g_free(record->source_places);
        g_free(record->arguments);
        g_free(record);
    }
}

/* The part of a section that is not read yet. */
struct rest {
    const char *from;
    size_t bytes;
};

static const char *next_text(struct rest *rest)
{
    const char *text = rest->from;
    const char *end = rest->bytes > 0 ? memchr(text, '\0', rest->bytes) : NULL;
    if (end == NULL) {
        return NULL;
    }
    rest->bytes -= (size_t)(end + 1 - text);
    rest->from = end + 1;
    return text;
}

static bool next_number(struct rest *rest, size_t most, size_t *number)
{
    const char *text = next_text(rest);
    guint64 value;
    if (text == NULL || !g_ascii_string_to_unsigned(text, 10, 0, most, &value, NULL)) {
        return false;
    }
    *number = (size_t)value;
    return true;
}

static bool next_texts(struct rest *rest, const char **texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        texts[i] = next_text(rest);
        if (texts[i] == NULL) {
            return false;
        }
    }
    return true;
}

static bool next_variables(struct rest *rest, struct weiri_build_record *record)
{
    if (!next_texts(rest, record->variables, WEIRI_BUILD_VARIABLES)) {
        return false;
    }
    for (size_t i = 0; i < WEIRI_BUILD_VARIABLES; i++) {
        const char *text = record->variables[i];
        if (text[0] != '\0' && text[0] != '=') {
            return false;
        }
        record->variables[i] = text[0] == '=' ? text + 1 : NULL;
    }
    return true;
}

static bool next_places(struct rest *rest, struct weiri_build_record *record)
{
    size_t before = 0;
    for (size_t i = 0; i < record->n_sources; i++) {
        size_t *place = &record->source_places[i];
        if (!next_number(rest, record->n_arguments, place) || *place <= before) {
            return false;
        }
        before = *place;
    }
    return true;
}

static bool next_record(struct rest *rest, struct weiri_build_record *record)
{
    const char *names[4];
    if (!next_texts(rest, names, G_N_ELEMENTS(names))
        || strcmp(names[0], "weir-build 2") != 0 || !g_path_is_absolute(names[1])
        || !g_path_is_absolute(names[2]) || names[3][0] == '\0'
        || !next_variables(rest, record)) {
        return false;
    }
    record->folder = names[1];
    record->command = names[2];
    record->output = names[3];
    /* Each of the texts that are counted takes a byte at least. */
    if (!next_number(rest, rest->bytes, &record->output_place)
        || !next_number(rest, rest->bytes, &record->n_sources)
        || !next_number(rest, rest->bytes, &record->n_arguments)
        || record->output_place > record->n_arguments) {
        return false;
    }
    record->source_places = g_new0(size_t, record->n_sources);
    record->arguments = g_new0(const char *, record->n_arguments);
    return next_places(rest, record)
        && next_texts(rest, record->arguments, record->n_arguments);
}

bool weiri_build_record_parse(const char *section, size_t bytes, GPtrArray *records)
{
    struct rest rest = { section, bytes };
    while (rest.bytes > 0) {
        struct weiri_build_record *record = g_new0(struct weiri_build_record, 1);
        g_ptr_array_add(records, record);
        if (!next_record(&rest, record)) {
            return false;
        }
    }
    return true;
}

/* ---- Sections of a file ---------------------------------------------------------- */

/* Part of a file, with a zero byte after it. Returns: (transfer full) or %NULL */
static char *read_part(int fd, uint64_t file_bytes, uint64_t offset, uint64_t bytes)
{
    if (offset > file_bytes || bytes > file_bytes - offset) {
        return NULL;
    }
    char *part = g_try_malloc(bytes + 1);
    if (part == NULL) {
        return NULL;
    }
    size_t done = 0;
    while (done < bytes) {
        ssize_t n = pread(fd, part + done, bytes - done, (off_t)(offset + done));
        if (n <= 0) {
            g_free(part);
            return NULL;
        }
        done += (size_t)n;
    }
    part[bytes] = '\0';
    return part;
}

static bool is_of_this_machine(const ElfW(Ehdr) * header)
{
    const int class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const int order = G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
        && header->e_ident[EI_CLASS] == class && header->e_ident[EI_DATA] == order
        && header->e_shentsize == sizeof(ElfW(Shdr))
        && header->e_shstrndx < header->e_shnum;
}

GBytes *weiri_build_record_section(int fd, const char *name)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return NULL;
    }
    uint64_t bytes = (uint64_t)status.st_size;
    g_autofree char *head = read_part(fd, bytes, 0, sizeof(ElfW(Ehdr)));
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)(const void *)head;
    if (header == NULL || !is_of_this_machine(header)) {
        return NULL;
    }
    size_t n = header->e_shnum;
    g_autofree char *table
        = read_part(fd, bytes, header->e_shoff, n * sizeof(ElfW(Shdr)));
    if (table == NULL) {
        return NULL;
    }
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(const void *)table;
    const ElfW(Shdr) *names = &sections[header->e_shstrndx];
    g_autofree char *texts = read_part(fd, bytes, names->sh_offset, names->sh_size);
    for (size_t i = 1; texts != NULL && i < n; i++) {
        const ElfW(Shdr) *section = &sections[i];
        if (section->sh_name < names->sh_size && section->sh_type == SHT_PROGBITS
            && strcmp(texts + section->sh_name, name) == 0) {
            char *part = read_part(fd, bytes, section->sh_offset, section->sh_size);
            return part != NULL ? g_bytes_new_take(part, section->sh_size) : NULL;
        }
    }
    return NULL;
}
