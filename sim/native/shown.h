/* SPDX-License-Identifier: MIT
 *
 * shown.h: the part of an explored launch's execution that is shown for a finding: its
 * events, its drawing and an order to read it in, and words for its items, locations
 * and lines. */
#ifndef WEIRI_NATIVE_SHOWN_H
#define WEIRI_NATIVE_SHOWN_H

#include "exec/finding.h"
#include "model/model.h"
#include "native/history.h"
#include "native/kept.h"
#include "native/sequence.h"

#include "weir-model.h"

/** The kind of finding that an execution shows. */
enum weiri_shows {
    WEIRI_SHOWS_RACE,
    WEIRI_SHOWS_ACCESSES, /* what is before the accesses of a race; it is not drawn */
    WEIRI_SHOWS_RESULT,   /* a wrong one */
    WEIRI_SHOWS_BARRIER,
    WEIRI_SHOWS_LOOP, /* items that wait in loops for ever */
    WEIRI_SHOWS_FAULT,
};

/**
 * weiri_shown: part of a kept execution; its own execution, program and locations have
 *              only the parts that the shown events need
 * @native: the explored program, and @model: its model; both borrowed
 * @symbols: borrowed
 * @program: the program of @native, with @locations
 * @locations: owned, with their names
 * @objects: by location; owned array
 * @events: by thread, and @first: by thread, its first event; both owned
 * @execution: of @program, with @events
 * @one, @other: events that race, if it shows a race
 * @one_file: all events are of one source file
 * @small: it can be shown: @drawn has its events
 */
struct weiri_shown {
    const struct weiri_native *native;
    const struct weiri_symbols *symbols;
    const struct weiri_model *model;
    struct weiri_program program;
    struct weiri_program_location *locations;
    const struct weiri_object **objects;
    struct weiri_execution_event *events;
    uint32_t *first;
    struct weiri_execution execution;
    uint32_t one, other;
    bool one_file, small;
    struct weir_litmus_execution drawn;
    struct weiri_sequence sequence;
};

/** It refers to itself, so it must not be moved. Returns: false if there are too many
 *  events for an order of them; it needs no weiri_shown_clear() then */
bool weiri_shown_init(struct weiri_shown *shown, const struct weiri_native *native,
                      const struct weiri_symbols *symbols,
                      const struct weiri_model *model, const struct weiri_kept *kept,
                      enum weiri_shows shows);
void weiri_shown_clear(struct weiri_shown *shown);

/** Names all locations, for executions that are shown whole: it has nothing but
 *  @program, with its words and @locations. */
void weiri_shown_name_all(struct weiri_shown *shown, const struct weiri_native *native,
                          const struct weiri_symbols *symbols);

/** Where the request of a node is in the source. */
struct weir_frame weiri_shown_frame(const struct weiri_shown *shown, uint32_t node);

/** The item that a thread is. */
void weiri_shown_item(const struct weiri_shown *shown, uint32_t thread,
                      struct weir_explored_item *item);

/** Returns: (transfer full): the name of the object that the cell belongs to; for a
 *  local array the name of its variable, if the source shows it */
char *weiri_shown_object(const struct weiri_symbols *symbols,
                         const struct weiri_native_cell *cell);

/** Returns: (transfer full): "item 3 of group 0" */
char *weiri_shown_name(const struct weiri_shown *shown, uint32_t thread);

/** Returns: (transfer full): "line 12", or "line 12 of FILE" */
char *weiri_shown_line(const struct weiri_shown *shown, uint32_t event);

#endif
