/* SPDX-License-Identifier: MIT
 *
 * light.h: what nearly all C programs of tests include. gcc compiles it once for them,
 * and lib.sh has them include it first: to read these headers takes more than half of
 * the time of compiling a small program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weir-kernel.h>
#include <weir.h>
