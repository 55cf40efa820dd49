/* SPDX-License-Identifier: MIT
 *
 * build-units.h: a build from within, for build.c, which reads it, and build-again.c.
 *
 * A program is made of units: sources that a command compiled. A unit of a compilation
 * by -c has its own record and object; the units of a command that also linked have
 * that command's record in common. */
#ifndef WEIRI_BUILD_UNITS_H
#define WEIRI_BUILD_UNITS_H

#include "repair/build-record.h"
#include "repair/build.h"

#include <time.h>

struct weiri_build_unit {
    const struct weiri_build_record *record; /* borrowed from the build */
    size_t place;                            /* of the source among its arguments */
    char *path;                              /* owned, absolute */
};

struct weiri_build {
    char *program; /* owned, absolute */
    struct timespec built;
    GBytes *compile_section; /* owned; NULL where no object has a record */
    GBytes *link_section;    /* owned */
    GPtrArray *compiles;     /* of struct weiri_build_record, owned */
    GPtrArray *links;        /* the same; of one element */
    GArray *units;
    GPtrArray *sources; /* borrowed from the units */
};

static inline const struct weiri_build_record *weiri_build_link(
    const struct weiri_build *build)
{
    return g_ptr_array_index(build->links, 0);
}

static inline struct weiri_build_unit *weiri_build_unit_at(
    const struct weiri_build *build, size_t index)
{
    return &g_array_index(build->units, struct weiri_build_unit, index);
}

/** The file that a name means in a folder; if the file does not exist, its name from
 *  the root. Returns: (transfer full) */
char *weiri_build_resolve(const char *name, const char *folder);

#endif
