/* SPDX-License-Identifier: MIT
 *
 * ptx-7.5.h: causality order with proxies, which `ptx-7.5` and `ptx` share. */
#ifndef WEIRI_PTX_7_5_H
#define WEIRI_PTX_7_5_H

#include "model/ptx-steps.h"

/** Derives causality order from the steps, and what follows from it. */
void weiri_ptx_derive_proxies(struct weiri_facts *facts);

#endif
