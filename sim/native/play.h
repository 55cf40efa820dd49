/* SPDX-License-Identifier: MIT
 *
 * play.h: an execution of a launch that grows by choices; the launch option play. */
#ifndef WEIRI_NATIVE_PLAY_H
#define WEIRI_NATIVE_PLAY_H

#include "native/final.h"
#include "native/native.h"
#include "native/program.h"

/** Adds the play to the launch's report, or sets @failure of @native. */
void weiri_native_play(struct weiri_native *native, struct weiri_finals *finals,
                       const struct weiri_native_options *options);

#endif
