/* SPDX-License-Identifier: MIT
 *
 * race_reference.h: which operations of a program race, by brute force. It judges by
 * the definition and by nothing else: it shares no code and no idea with the detector
 * that it is there to judge. */
#ifndef WEIR_TESTS_RACE_REFERENCE_H
#define WEIR_TESTS_RACE_REFERENCE_H

#include "race_program.h"

enum race_kind { RACE_NONE, RACE_DATA, RACE_SCOPE, RACE_MIXED };

struct judgement {
    unsigned n_races;
    unsigned n_ordered; /* conflicts of different items that do not race */
    uint8_t kinds[MOST_STEPS][MOST_STEPS]; /* of enum race_kind, both ways round */
};

void reference_judge(const struct program *program, struct judgement *judgement);

const char *race_kind_name(enum race_kind kind);

#endif
