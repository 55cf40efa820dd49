/* SPDX-License-Identifier: MIT
 *
 * build-record.h: the commands of weir-cc and weir-c++, as they record them in the
 * files that they make.
 *
 * An object holds in the section .weir.build the command that compiled it, and the
 * linker joins the sections of all objects in the program's. A program holds in the
 * section .weir.link the command that linked it. Neither section is loaded when the
 * program runs. A section is a sequence of records, and a record a sequence of strings,
 * each ended by a zero byte:
 *
 *   weir-build 2
 *   FOLDER                where the command ran
 *   COMMAND               weir-cc or weir-c++, from the root
 *   OUTPUT                the object or program, relative to FOLDER
 *   eight variables       CC, CXX, WEIR_INCLUDE_DIR, WEIR_LIB_DIR, CPATH,
 *                         C_INCLUDE_PATH, CPLUS_INCLUDE_PATH, LIBRARY_PATH: '=' and the
 *                         value, or nothing if it was not set
 *   PLACE                 which argument names the output, from 1; 0: none does
 *   N-SOURCES  N-ARGUMENTS
 *   a PLACE per source    increasing
 *   the arguments
 *
 * A compilation has one source, the source of the object. */
#ifndef WEIRI_BUILD_RECORD_H
#define WEIRI_BUILD_RECORD_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

enum { WEIRI_BUILD_VARIABLES = 8 };

extern const char *const weiri_build_variables[WEIRI_BUILD_VARIABLES];

/* One command. Texts are borrowed from the section. */
struct weiri_build_record {
    const char *folder;
    const char *command;
    const char *output;
    const char *variables[WEIRI_BUILD_VARIABLES]; /* value, or NULL if not set */
    size_t output_place;                          /* 0: none */
    size_t n_sources;
    size_t *source_places; /* owned */
    size_t n_arguments;
    const char **arguments; /* owned; place 1 is arguments[0] */
};

void weiri_build_record_free(struct weiri_build_record *record);

/** Appends the records of a section to an array of struct weiri_build_record *.
 * Returns: %false where the section is malformed. */
bool weiri_build_record_parse(const char *section, size_t bytes, GPtrArray *records);

/** Reads a section of an ELF file of this machine's kind. Returns: (transfer full) its
 * bytes, or %NULL if it has no such section. */
GBytes *weiri_build_record_section(int fd, const char *name);

#endif
