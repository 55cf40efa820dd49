/* SPDX-License-Identifier: MIT
 *
 * message.h: what passes between threads, in words: the read that makes two events
 * synchronise, and why what was read, or a barrier, does not order two accesses. */
#ifndef WEIRI_MESSAGE_H
#define WEIRI_MESSAGE_H

#include "litmus/litmus.h"
#include "model/model.h"
#include "weir-model.h"

/* An execution, as it is shown and as the model has read it; all of it borrowed. */
struct weiri_messages {
    const struct weir_litmus_execution *drawn; /* its events; edges are not looked at */
    const struct weiri_litmus *test;
    const struct weiri_model *model;
    const struct weiri_facts *facts;
};

/** What carries the synchronisation of two events: "P1 (line 9) reads what P0 writes
 *  (line 6)". Returns: (transfer full) */
char *weiri_message_carrier(const struct weiri_messages *in, uint32_t from,
                            uint32_t to);

/** Why nothing orders two events that race, a sentence. Returns: (transfer full) */
char *weiri_message_race(const struct weiri_messages *in, uint32_t one, uint32_t other);

#endif
