/* SPDX-License-Identifier: MIT
 *
 * sizes.c: a kernel that counts up in a local array and in a buffer. Their sizes, and
 * how far it counts, are the words of the program; one may be the macro IN_LOCAL, and
 * has to be a constant then. The last word is how much farther it counts where no
 * variable chooses a size. sizes.sh reads what a check of it must propose. */
#include <stdio.h>
#include <stdlib.h>

#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int32_t *out;
    size_t in_local, n_local, stride, modulus, n_out;
} size_args;

enum { ITEMS = 4 };

#ifndef IN_LOCAL
#define IN_LOCAL args->in_local
#else
#undef weir_local_array
#define weir_local_array(item, type, count)                                            \
    ({                                                                                 \
        _Static_assert((count) > 0, "a constant");                                     \
        (type *)weiri_array(item, count, sizeof(type), WEIRI_SITE());                  \
    })
#endif

WEIR_KERNEL(counts, size_args)
{
    int32_t *t = weir_local_array(item, int32_t, IN_LOCAL);
    size_t l = weir_local_id(item, 0);
    if (l == 0) {
        for (size_t i = 0; i < args->n_local; i++) {
            t[i * args->stride % args->modulus] = (int32_t)i;
        }
    }
    if (l == ITEMS - 1) {
        for (size_t i = 0; i < args->n_out; i++) {
            args->out[i] = (int32_t)i;
        }
    }
}

int main(int argc, char **argv)
{
    size_t words[7] = { 0 };
    for (int i = 0; i < 7 && i + 1 < argc; i++) {
        words[i] = strtoull(argv[i + 1], NULL, 10);
    }
    const size_t in_out = words[4];
    words[1] += getenv("WEIR_TRIAL_MORE") == NULL ? words[6] : 0;
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *out = weir_new(device, int32_t, in_out, "out");
    if (!weir_launch(
            device, &counts, weir_nd_range_1d(ITEMS, ITEMS),
            (&(size_args){ out, words[0], words[1], words[2], words[3], words[5] }),
            &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    return 0;
}
