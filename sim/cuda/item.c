/* SPDX-License-Identifier: MIT
 *
 * item.c: what code of the device calls that weir-cuda-cc has made. Functions that a
 * pointer or another object leads to have no parameter for the item: they ask which one
 * runs. */
#include "config.h"

#include "cuda/item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weir-kernel.h"

#define WEIRI_TURNED_MOVE(shape, group) (void)(group)
#include "weir-machinery-turned.h"

/* The item, and the shape that it sees if it is not the group's. */
struct self {
    struct weir_item item;
    struct weiri_shape shape;
};
_Static_assert(sizeof(struct self) <= WEIRI_CUDA_ITEM_BYTES, "code has that much room");

uint32_t weiri_cuda_item(void *room)
{
    struct self *self = room;
    struct weir_group *group = weiri_running_group();
    bool checked = weiri_running_checked();
    size_t at = (size_t)group->at;
    self->item = (struct weir_item){ .group = group,
                                     .shape = checked ? &group->shape : &self->shape,
                                     .local_linear = at,
                                     .args = group->args };
    if (checked) {
        weiri_seek(&group->shape, at, self->item.local);
    } else {
        self->shape = weiri_turned_shape(group);
        weiri_turned_seek(&self->shape, at, self->item.local);
    }
    return checked;
}

size_t weiri_cuda_fixed(const size_t *number)
{
    return *number;
}

void *weiri_cuda_array(const void *site, size_t count, size_t element_bytes)
{
    return weiri_local_array_at(count, element_bytes, site);
}

/* ---- The processor --------------------------------------------------------- */

static bool has(const char *feature)
{
#if defined(__x86_64__)
#define WEIRI_ROW(name)                                                                \
    if (strcmp(feature, name) == 0) {                                                  \
        return __builtin_cpu_supports(name);                                           \
    }
    WEIRI_ROW("avx")
    WEIRI_ROW("avx2")
    WEIRI_ROW("fma")
    WEIRI_ROW("bmi2")
    WEIRI_ROW("avx512f")
    WEIRI_ROW("avx512vl")
    WEIRI_ROW("avx512bw")
#undef WEIRI_ROW
#endif
    return true;
}

void weiri_cuda_needs(const char *const *features)
{
    for (; *features != NULL; features++) {
        if (!has(*features)) {
            fprintf(stderr,
                    "weir: this program was compiled for a processor with %s: compile "
                    "it again here, or with -Xcompiler -march=x86-64\n",
                    *features);
            _Exit(2);
        }
    }
}
