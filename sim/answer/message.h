/* SPDX-License-Identifier: MIT
 *
 * message.h: explanations of synchronisation in words: the read that makes two events
 * synchronise, and why reads and barriers between two accesses do not order them. */
#ifndef WEIRI_MESSAGE_H
#define WEIRI_MESSAGE_H

#include "model/model.h"
#include "weir-model.h"

#include <glib.h>

/* The facts that the model has derived from an execution, and where names are kept; all
 * borrowed. */
struct weiri_messages {
    const struct weiri_model *model;
    const struct weiri_facts *facts;
    GStringChunk *strings;
};

/** Returns: (transfer full): the message by which two events synchronise: "P1 (line 9)
 *  reads what P0 writes (line 6)" */
char *weiri_message_carrier(const struct weiri_messages *in, uint32_t from,
                            uint32_t to);

/** Returns: (transfer full): why two accesses are not ordered, a sentence */
char *weiri_message_unordered(const struct weiri_messages *in, uint32_t one,
                              uint32_t other);

/** Returns: (transfer full) (nullable): what a model of PTX or Vulkan says of a read
 *  and its write: whether they are morally strong, or the write available and visible;
 *  %NULL for other models */
char *weiri_message_link(const struct weiri_messages *in, uint32_t write,
                         uint32_t read);

/** Returns: (transfer full): why two racing events are not ordered, a sentence */
char *weiri_message_race(const struct weiri_messages *in, uint32_t one, uint32_t other);

#endif
