/* SPDX-License-Identifier: MIT
 *
 * cells.c: see cells.h. Memory is looked up by words of 8 bytes, each of which consists
 * of cells of one size, the largest that all accesses to the word allow. */
#include "config.h"

#include "native/cells.h"

#include "exec/memory.h"

#include <string.h>

enum { WORD_BYTES = 8 };

struct word {
    bool accessed;
    uint8_t bytes;              /* of a cell */
    uint8_t atomic;             /* of the smallest atomic operation, or 0 */
    uint32_t cells[WORD_BYTES]; /* by offset: from 1; 0: not accessed */
};

void weiri_cells_init(struct weiri_cells *cells, bool all_locations)
{
    *cells = (struct weiri_cells){
        .all = g_array_new(FALSE, FALSE, sizeof(struct weiri_native_cell)),
        .words = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .locations = g_array_new(FALSE, FALSE, sizeof(struct weiri_program_location)),
        .cell_of = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .all_locations = all_locations,
    };
}

void weiri_cells_clear(struct weiri_cells *cells)
{
    g_array_unref(cells->all);
    g_hash_table_unref(cells->words);
    g_array_unref(cells->locations);
    g_array_unref(cells->cell_of);
    g_free(cells->refused);
}

/* ---- Contents -------------------------------------------------------------- */

int64_t weiri_cell_read(const struct weiri_native_cell *cell)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)cell->address, cell->bytes);
    return (int64_t)value;
}

void weiri_cell_write(const struct weiri_native_cell *cell, int64_t value)
{
    memcpy((void *)cell->address, &value, cell->bytes);
}

void weiri_cells_restore(const struct weiri_cells *cells)
{
    for (guint i = 0; i < cells->all->len; i++) {
        const struct weiri_native_cell *cell = weiri_cell_at(cells, i);
        weiri_cell_write(cell, cell->initial);
    }
}

/* ---- Poison ---------------------------------------------------------------- */

/* The byte at @offset of the object at the start. */
static unsigned char initial_byte(const struct weiri_cells *cells,
                                  const struct weiri_object *object, size_t offset)
{
    uintptr_t at = (uintptr_t)object->start + offset;
    const struct word *word
        = g_hash_table_lookup(cells->words, (void *)(at / WORD_BYTES * WORD_BYTES));
    uint32_t number
        = word == NULL ? 0 : word->cells[at % WORD_BYTES / word->bytes * word->bytes];
    if (number == 0) {
        return (unsigned char)object->start[offset];
    }
    unsigned char bytes[sizeof(int64_t)];
    memcpy(bytes, &weiri_cell_at(cells, number - 1)->initial, sizeof(bytes));
    return bytes[at % word->bytes];
}

/* In device memory a byte that was written may equal its poison, so a whole word must
 * hold it; and of a struct, which has padding, all of it. */
static bool holds_poison(const struct weiri_cells *cells,
                         const struct weiri_native_cell *cell, size_t first, size_t end)
{
    const struct weiri_object *object = cell->object;
    if (object->kind == WEIRI_OBJECT_GLOBAL) {
        size_t unit = sizeof(uint32_t);
        if (cell->bytes < unit && object->element_bytes > cell->bytes) {
            first -= first % object->element_bytes;
            end = first + object->element_bytes;
        }
        first -= first % unit;
        end = (end + unit - 1) / unit * unit;
    } else if (object->kind != WEIRI_OBJECT_LOCAL) {
        return false;
    }
    bool holds = end <= object->bytes;
    for (; holds && first < end; first++) {
        holds = initial_byte(cells, object, first)
            == weiri_memory_poison_byte(first, WEIRI_POISON_PLAIN);
    }
    return holds;
}

enum { LOW = 1, HIGH = 2, IS_KNOWN = 4 };

uint8_t weiri_cell_unwritten(const struct weiri_cells *cells, uint32_t index)
{
    struct weiri_native_cell *cell = weiri_cell_at(cells, index);
    size_t half = cell->bytes == WORD_BYTES ? WORD_BYTES / 2 : cell->bytes;
    if (cell->unwritten == 0) {
        size_t first
            = (size_t)((const volatile char *)cell->address - cell->object->start);
        bool low = holds_poison(cells, cell, first, first + half);
        bool high = half == cell->bytes
            ? low
            : holds_poison(cells, cell, first + half, first + cell->bytes);
        cell->unwritten = (uint8_t)(IS_KNOWN | (low ? LOW : 0) | (high ? HIGH : 0));
    }
    unsigned bits = (1u << half) - 1;
    return (uint8_t)(((cell->unwritten & LOW) != 0 ? bits : 0)
                     | (half < cell->bytes && (cell->unwritten & HIGH) != 0
                            ? bits << half
                            : 0));
}

void weiri_cell_begin_with(const struct weiri_cells *cells, uint32_t index,
                           int64_t value)
{
    struct weiri_native_cell *cell = weiri_cell_at(cells, index);
    weiri_cell_write(cell, value);
    cell->initial = weiri_cell_read(cell);
    if (cell->location != WEIRI_NO_LOCATION) {
        g_array_index(cells->locations, struct weiri_program_location, cell->location)
            .initial
            = cell->initial;
    }
}

/* ---- Refusal --------------------------------------------------------------- */

void weiri_cells_refuse(struct weiri_cells *cells, char *why)
{
    if (cells->refused != NULL) {
        g_free(why);
    } else {
        cells->refused = why;
    }
}

/* ---- Learning -------------------------------------------------------------- */

/* All but the sizes was learned of other cells. */
static void forget(struct weiri_cells *cells)
{
    GHashTableIter words;
    void *word;
    weiri_cells_restore(cells);
    g_array_set_size(cells->all, 0);
    cells->version++;
    g_array_set_size(cells->locations, 0);
    g_array_set_size(cells->cell_of, 0);
    g_hash_table_iter_init(&words, cells->words);
    while (g_hash_table_iter_next(&words, NULL, &word)) {
        memset(((struct word *)word)->cells, 0, sizeof(((struct word *)word)->cells));
    }
    cells->changed = cells->began_anew = cells->renumbered = true;
}

static struct word *word_at(struct weiri_cells *cells, uintptr_t address)
{
    void *key = (void *)(address / WORD_BYTES * WORD_BYTES);
    struct word *word = g_hash_table_lookup(cells->words, key);
    if (word == NULL) {
        word = g_new0(struct word, 1);
        word->bytes = WORD_BYTES;
        g_hash_table_insert(cells->words, key, word);
    }
    return word;
}

/* The bytes of an access in the word at its beginning. */
static size_t part_of(uintptr_t at, size_t left)
{
    return MIN(left, WORD_BYTES - at % WORD_BYTES);
}

/* Makes the cells of the words small enough. Returns: whether they were too large */
static bool fit(struct weiri_cells *cells, uintptr_t address, size_t bytes, bool atomic)
{
    bool changed = false;
    for (size_t part, done = 0; done < bytes; done += part) {
        uintptr_t at = address + done;
        part = part_of(at, bytes - done);
        struct word *word = word_at(cells, at);
        size_t edges = at | part; /* what the cells' size must divide */
        uint8_t size = word->bytes;
        while (edges % size != 0) {
            size /= 2;
        }
        if (atomic && (word->atomic == 0 || bytes < word->atomic)) {
            word->atomic = (uint8_t)bytes;
        }
        changed |= size != word->bytes && word->accessed;
        word->bytes = size;
        word->accessed = true;
        if ((atomic && size != bytes) || (word->atomic != 0 && size < word->atomic)) {
            weiri_cells_refuse(
                cells,
                g_strdup_printf(
                    "an atomic operation of %u bytes, and accesses to parts of them: "
                    "give the launch to weir check",
                    MAX(word->atomic, (unsigned)bytes)));
        }
    }
    return changed;
}

static uint32_t cell_at(struct weiri_cells *cells, uint32_t thread, uintptr_t address,
                        const struct weiri_object *object)
{
    struct word *word = word_at(cells, address);
    uint32_t *cell = &word->cells[address % WORD_BYTES];
    if (*cell == 0) {
        struct weiri_native_cell new = { .address = (volatile char *)address,
                                         .bytes = word->bytes,
                                         .thread = thread,
                                         .location = WEIRI_NO_LOCATION,
                                         .object = object };
        new.initial = weiri_cell_read(&new);
        g_array_append_val(cells->all, new);
        cells->version++;
        *cell = cells->all->len;
    }
    return *cell - 1;
}

static void make_location(struct weiri_cells *cells, uint32_t index)
{
    struct weiri_native_cell *cell = weiri_cell_at(cells, index);
    const struct weiri_program_location location
        = { .space
            = cell->object->kind == WEIRI_OBJECT_LOCAL ? WEIR_LOCAL : WEIR_GLOBAL,
            .initial = cell->initial,
            .atomic = cell->atomic };
    cell->location = cells->locations->len;
    g_array_append_val(cells->locations, location);
    g_array_append_val(cells->cell_of, index);
    cells->changed = true;
}

void weiri_cells_touch(struct weiri_cells *cells, uint32_t thread,
                       volatile char *address, size_t bytes, unsigned how,
                       const struct weiri_object *object, GArray *pieces)
{
    bool atomic = (how & WEIRI_TOUCH_ATOMIC) != 0;
    g_array_set_size(pieces, 0);
    if (fit(cells, (uintptr_t)address, bytes, atomic)) {
        forget(cells);
    }
    uintptr_t end = (uintptr_t)address + bytes;
    for (uintptr_t at = (uintptr_t)address; at < end;) {
        uint32_t index = cell_at(cells, thread, at, object);
        struct weiri_native_cell *cell = weiri_cell_at(cells, index);
        cell->written |= (how & WEIRI_TOUCH_WRITE) != 0;
        cell->shared |= thread != cell->thread;
        cell->atomic |= atomic;
        if (cell->location == WEIRI_NO_LOCATION
            && (cells->all_locations || cell->atomic
                || (cell->written && cell->shared))) {
            make_location(cells, index);
        }
        g_array_append_val(pieces, index);
        at += cell->bytes;
    }
}

int64_t weiri_cell_signed(const struct weiri_native_cell *cell, int64_t value)
{
    unsigned shift = 64 - 8u * cell->bytes;
    return (int64_t)((uint64_t)value << shift) >> shift;
}
