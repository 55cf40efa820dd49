/* SPDX-License-Identifier: MIT
 *
 * matters.h: chooses the events of an execution that a reader needs first. */
#ifndef WEIRI_NATIVE_MATTERS_H
#define WEIRI_NATIVE_MATTERS_H

#include "native/shown.h"

/** Marks the events that matter: those closest to the failure, as many as fit on a
 *  screen. @matters: by event, all false */
void weiri_matters_mark(const struct weiri_shown *shown, enum weiri_shows shows,
                        bool *matters);

#endif
