/* SPDX-License-Identifier: MIT
 *
 * 13_patterns.c: how many cache lines a sub-group touches at once.
 *
 * The items of a sub-group load together. A device fetches whole cache lines, here of
 * 64 bytes: if 16 items load 16 neighbours, that is one line, and if their elements are
 * far apart, it is 16. Nothing is measured in this program: each item writes down the
 * element that it loads in its first step, and the host counts lines.
 *
 *   one each     item i loads element i, and no other one
 *   chunk        item i loads 1024 elements in a row, from 1024 i on
 *   strided      item i loads i, then i + n, for n items
 *   interleaved  a sub-group shares one stretch of memory: item i loads words i,
 *                16 + i, 32 + i ... of it
 *   vector       item i loads four neighbours at once, from 4 i on, and no others */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 64, GROUP = 32, SUB_GROUP = 16, CHUNK = 1024, BLOCK = 256, LINE = 64 };

enum pattern { ONE_EACH, CHUNKED, STRIDED, INTERLEAVED, VECTOR, PATTERNS };

typedef struct {
    enum pattern pattern;
    size_t *first;  /* one an item: the first element that it loads */
    size_t *second; /* the first element that it loads next */
} pattern_args;

WEIR_KERNEL(touch, pattern_args)
{
    size_t i = weir_global_id(item, 0), lane = i % SUB_GROUP, lanes = i / SUB_GROUP;
    switch (args->pattern) {
    case ONE_EACH:
        args->first[i] = args->second[i] = i;
        break;
    case CHUNKED:
        args->first[i] = i * CHUNK;
        args->second[i] = i * CHUNK + 1;
        break;
    case STRIDED:
        args->first[i] = i;
        args->second[i] = i + ITEMS;
        break;
    case INTERLEAVED:
        args->first[i] = lanes * SUB_GROUP * BLOCK + lane;
        args->second[i] = args->first[i] + SUB_GROUP;
        break;
    default:
        args->first[i] = args->second[i] = 4 * i;
        break;
    }
}

/* Lines that the items of the first sub-group touch at once: each of them loads so many
 * elements from its own on. */
static int lines(const size_t *element, size_t elements)
{
    bool touched[ITEMS * CHUNK * sizeof(int32_t) / LINE] = { false };
    int n = 0;
    for (int i = 0; i < SUB_GROUP; i++) {
        for (size_t e = 0; e < elements; e++) {
            size_t line = (element[i] + e) * sizeof(int32_t) / LINE;
            n += !touched[line];
            touched[line] = true;
        }
    }
    return n;
}

int main(void)
{
    static const struct {
        const char *name;
        size_t elements; /* that an item loads at once */
    } patterns[PATTERNS] = { [ONE_EACH] = { "one each", 1 },
                             [CHUNKED] = { "chunk", 1 },
                             [STRIDED] = { "strided", 1 },
                             [INTERLEAVED] = { "interleaved", 1 },
                             [VECTOR] = { "vector", 4 } };
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    pattern_args args = { .first = weir_new(device, size_t, ITEMS, "first"),
                          .second = weir_new(device, size_t, ITEMS, "second") };
    printf("             items 0, 1, 2 load    then           bytes  lines\n");
    for (int p = 0; p < PATTERNS; p++) {
        args.pattern = (enum pattern)p;
        if (!weir_launch(device, &touch, weir_nd_range_1d(ITEMS, GROUP), &args,
                         &error)) {
            fprintf(stderr, "%s\n", error->message);
            return EXIT_FAILURE;
        }
        printf("%-12s %5zu %5zu %5zu", patterns[p].name, args.first[0], args.first[1],
               args.first[2]);
        if (args.second[0] != args.first[0]) {
            printf("  %5zu %5zu %5zu", args.second[0], args.second[1], args.second[2]);
        } else {
            printf("                   ");
        }
        printf("  %5zu  %5d\n", patterns[p].elements * sizeof(int32_t) * SUB_GROUP,
               lines(args.first, patterns[p].elements));
    }
    weir_device_free(device);
    return EXIT_SUCCESS;
}
