/* SPDX-License-Identifier: MIT
 *
 * blind.h: which atomic operations of items are blind updates: see model/program.h. */
#ifndef WEIRI_NATIVE_BLIND_H
#define WEIRI_NATIVE_BLIND_H

#include "native/program.h"

/** The item has reached a new node, at which it stands. Its step becomes a blind update
 *  if it may be one; the item then stands elsewhere. */
void weiri_blind_look(struct weiri_native *native, uint32_t thread, uint32_t node);

/** No update of the cell's object is blind; the exploration begins anew. */
void weiri_blind_order(struct weiri_native *native, uint32_t cell);

#endif
