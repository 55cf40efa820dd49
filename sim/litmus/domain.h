/* SPDX-License-Identifier: MIT
 *
 * domain.h: the values that a location can have, where the code of the threads shows
 * all of them. */
#ifndef WEIRI_LITMUS_DOMAIN_H
#define WEIRI_LITMUS_DOMAIN_H

#include "litmus/litmus.h"

/* The most values that are listed: loops that wait for each other mostly write two. */
enum { WEIRI_LITMUS_DOMAIN_VALUES = 8 };

/* @n: how many values; 0: any value is possible */
struct weiri_litmus_domain {
    uint32_t n;
    int64_t values[WEIRI_LITMUS_DOMAIN_VALUES];
};

/** Finds the values of each location. Returns: (transfer full): an array */
struct weiri_litmus_domain *weiri_litmus_find_domains(const struct weiri_litmus *test);

#endif
