/* SPDX-License-Identifier: MIT
 *
 * program.h: what the programs of this folder share. Each is right as it stands, ends
 * with status 0 if its answer is, and is made wrong by a row of a script, which changes
 * a word or removes a line. */
#ifndef FIXES_PROGRAM_H
#define FIXES_PROGRAM_H

#include <stdlib.h>
#include <string.h>
#include <weir-kernel.h>
#include <weir.h>

static inline struct weir_device *open_device(void)
{
    return weir_device_new("default", NULL);
}

/* Launches @kernel over @groups of @local items with the arguments that follow. */
#define LAUNCH(device, kernel, range, ...)                                             \
    do {                                                                               \
        if (!weir_launch(device, &kernel, range, __VA_ARGS__, NULL)) {                 \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

#endif
