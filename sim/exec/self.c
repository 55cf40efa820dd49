/* SPDX-License-Identifier: MIT
 *
 * self.c: the words of a thread that kernels' code reads; struct weiri_self in
 * weir-machinery.h has their meaning. */
#include "config.h"

#include "weir-kernel.h"

_Thread_local struct weiri_self weiri_self __attribute__((tls_model("initial-exec")));
