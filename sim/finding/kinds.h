/* SPDX-License-Identifier: MIT
 *
 * finding/kinds.h: from the names that reports and JSON use to constants of weir.h. The
 * way back is public: weir_finding_kind_name() and its sisters. */
#ifndef WEIRI_FINDING_NAMES_H
#define WEIRI_FINDING_NAMES_H

#include "weir.h"

/** Returns: an enum weir_finding_kind, or -1 where no kind has that name */
int weiri_finding_kind_named(const char *name);

/** The state or access of that name; NONE for %NULL and for a name of neither. */
enum weir_state weiri_finding_state_named(const char *name);
enum weir_access weiri_finding_access_named(const char *name);

#endif
