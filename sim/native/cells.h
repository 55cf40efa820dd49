/* SPDX-License-Identifier: MIT
 *
 * cells.h: the memory of an explored launch, in cells of 1, 2, 4 or 8 bytes. Each
 * access consists of whole cells. A cell is a location of the explored program if an
 * atomic operation accesses it, or if several items access it and one of them writes
 * it. Other cells are real memory: the values that an item reads there follow from its
 * earlier reads.
 *
 * Cells and locations are learned from accesses. If an access does not fit the earlier
 * ones, the exploration must begin anew; see weiri_cells_touch(). */
#ifndef WEIRI_CELLS_H
#define WEIRI_CELLS_H

#include "exec/object.h"
#include "model/program.h"

#include <glib.h>

/* Stands for the location of a cell that is not a location of the program. */
enum { WEIRI_NO_LOCATION = UINT32_MAX };

struct weiri_native_cell {
    volatile char *address;
    uint8_t bytes;
    bool written, shared, atomic;
    bool noted;        /* the item that alone accesses it lists it as written */
    uint8_t blind;     /* the kind of its blind updates, see program.c; or 0 */
    uint8_t unwritten; /* 0: unknown; or IS_KNOWN, and a bit for each half that is
                          unwritten at the start; see cells.c */
    uint32_t thread;   /* the first that accesses it */
    uint32_t location; /* of the program, or WEIRI_NO_LOCATION */
    int64_t initial;
    const struct weiri_object *object;
};

struct weiri_cells {
    GArray *all;        /* of struct weiri_native_cell */
    GHashTable *words;  /* of 8 bytes, by address; owned */
    GArray *locations;  /* of struct weiri_program_location */
    GArray *cell_of;    /* of uint32_t, by location */
    uint64_t version;   /* another one whenever @all has changed */
    bool all_locations; /* each cell is to be a location */
    bool changed;       /* there are more locations than before */
    bool began_anew;    /* there are other cells than before */
    bool renumbered;    /* the same, since a caller that knows their numbers set it to
                           false */
    char *refused;      /* why the launch cannot be explored, owned; or NULL */
};

enum weiri_touch {
    WEIRI_TOUCH_READ = 1,
    WEIRI_TOUCH_WRITE = 2,
    WEIRI_TOUCH_ATOMIC = 4
};

void weiri_cells_init(struct weiri_cells *cells, bool all_locations);
void weiri_cells_clear(struct weiri_cells *cells);

/**
 * weiri_cells_touch:
 * @how: of enum weiri_touch
 * @pieces: (element-type uint32_t): set to the cells that the access consists of, in
 *          order
 *
 * Notes an access that is about to happen. Sets @changed where there is a new location,
 * and @began_anew where cells are smaller than before: then memory has its initial
 * contents afterwards, and nothing is known of it but the sizes of cells.
 */
void weiri_cells_touch(struct weiri_cells *cells, uint32_t thread,
                       volatile char *address, size_t bytes, unsigned how,
                       const struct weiri_object *object, GArray *pieces);

/** Notes that the launch cannot be explored. Takes @why; the first reason counts. */
void weiri_cells_refuse(struct weiri_cells *cells, char *why);

/** Gives all memory its initial contents. */
void weiri_cells_restore(const struct weiri_cells *cells);

/** Which bytes of the cell hold poison at the start, and not by chance: all, none, or
 *  of a cell of 8 bytes one half. Returns: a bit for each */
uint8_t weiri_cell_unwritten(const struct weiri_cells *cells, uint32_t index);

/** Gives the cell other contents at the start. */
void weiri_cell_begin_with(const struct weiri_cells *cells, uint32_t index,
                           int64_t value);

int64_t weiri_cell_read(const struct weiri_native_cell *cell);
/** The value as a signed integer of as many bytes as the cell has. */
int64_t weiri_cell_signed(const struct weiri_native_cell *cell, int64_t value);
void weiri_cell_write(const struct weiri_native_cell *cell, int64_t value);

static inline struct weiri_native_cell *weiri_cell_at(const struct weiri_cells *cells,
                                                      uint32_t index)
{
    return &g_array_index(cells->all, struct weiri_native_cell, index);
}

#endif
