/* SPDX-License-Identifier: MIT
 *
 * reason.h: how an execution leads to its failure, in a sentence. */
#ifndef WEIRI_NATIVE_REASON_H
#define WEIRI_NATIVE_REASON_H

#include "native/shown.h"

/** Returns: (transfer full): the sentence, or %NULL */
char *weiri_reason(const struct weiri_shown *shown, enum weiri_shows shows);

#endif
