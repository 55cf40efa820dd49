/* SPDX-License-Identifier: MIT
 *
 * self.c: what each thread knows of the worker that it is; see weir-machinery.h. */
#include "config.h"

#include "weir-kernel.h"

_Thread_local struct weiri_self weiri_self __attribute__((tls_model("initial-exec")));
