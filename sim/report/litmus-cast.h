/* SPDX-License-Identifier: MIT
 *
 * litmus-cast.h: who takes part in a litmus test: its threads, with the groups that
 * they are in, and the memory, as it is in the beginning. */
#ifndef WEIRI_LITMUS_CAST_H
#define WEIRI_LITMUS_CAST_H

#include "weir-model.h"

struct weiri_litmus_member {
    uint32_t group, device; /* 0 where the test is without placements */
};

struct weiri_litmus_initial {
    char *name;
    char *value;
};

/* All arrays are owned. */
struct weiri_litmus_cast {
    bool placed;      /* the test says which groups there are */
    GArray *threads;  /* of struct weiri_litmus_member */
    GArray *initials; /* of struct weiri_litmus_initial, by location */
};

/** Returns: (transfer full) */
struct weiri_litmus_cast *weiri_litmus_cast_new(const struct weir_litmus *test);
void weiri_litmus_cast_free(struct weiri_litmus_cast *cast);

#endif
