/* SPDX-License-Identifier: MIT
 *
 * message-own.h: what the files of messages share: message-words.c has words, and
 * message-table.c what is said of tables alone. */
#ifndef WEIRI_MESSAGE_OWN_H
#define WEIRI_MESSAGE_OWN_H

#include "answer/message.h"

/** Returns: the text after the word "line": "12", or "12 of FILE"; borrowed */
const char *weiri_message_line(const struct weiri_messages *in, uint32_t event);

/** The line, with the thread if both events are in one line: "5 in P0". */
const char *weiri_message_line_beside(const struct weiri_messages *in, uint32_t event,
                                      uint32_t other);

/** Returns: the name of the thread of an event; borrowed */
const char *weiri_message_thread(const struct weiri_messages *in, uint32_t event);

/** Returns: "fence", "read" or "write" */
const char *weiri_message_noun(const struct weiri_messages *in, uint32_t event);

/** Returns: (transfer full): why the scopes of two events do not include each other's
 *  threads */
char *weiri_message_not_strong(const struct weiri_messages *in, uint32_t one,
                               uint32_t other);

/** Returns: (transfer full): why two accesses of a table are not ordered, for a reason
 *  other than a lack of synchronisation; %NULL if there is none, and for other tests */
char *weiri_message_table(const struct weiri_messages *in, uint32_t one,
                          uint32_t other);

/** Returns: (transfer full): how a model of a table orders a write and the read that
 *  reads it, or that PTX does not; %NULL if Vulkan does not, and for other tests */
char *weiri_message_table_link(const struct weiri_messages *in, uint32_t write,
                               uint32_t read);

#endif
