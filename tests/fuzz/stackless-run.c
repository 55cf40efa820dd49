/* SPDX-License-Identifier: MIT
 *
 * stackless-run.c: runs random kernels with stacks and without, and compares.
 *
 *   stackless-run [KERNEL]    all of them, or the one with this name
 *
 * What stackless-draw prints is linked with it. Exit status: 0: they agree;
 * 1: they do not; 2: something else is wrong. */
#include "stackless.h"

#include <stdio.h>
#include <stdlib.h>

struct result {
    uint64_t *out;
    uint32_t *counters;
    uint32_t *columns;
    char *text; /* of the findings */
    bool has_findings;
};

/* Removes from the findings the parts that may differ: addresses; after the phase of a
 * divergence, the words for what others do than the first item that waits; and of a
 * fault all but the first line, since a compiler may copy what faults. */
static void simplify(char *text)
{
    char *to = text;
    bool in_phase = false;
    if (strncmp(text, "fault ", 6) == 0) {
        text[strcspn(text, "\n")] = '\0';
    }
    for (const char *from = text; *from != '\0';) {
        if (strncmp(from, "0x", 2) == 0) {
            from += 2 + strspn(from + 2, "0123456789abcdef");
            *to++ = '@';
            continue;
        }
        in_phase |= strncmp(from, ", phase ", 8) == 0;
        if (in_phase && *from == ':') {
            from += strcspn(from, "\n");
            in_phase = false;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

static struct result run(struct weir_device *device, const struct fuzz_case *c,
                         const struct fuzz_shape *shape, size_t items, bool stackful)
{
    fuzz_args args
        = { .out = weir_new(device, uint64_t, items, "out"),
            .counters = weir_new(device, uint32_t, COUNTERS, "counters"),
            .scratch = weir_new(device, uint32_t, items * SCRATCH_PER_ITEM, "scratch"),
            .columns = weir_new(device, uint32_t, items * COLUMN, "columns") };
    uint32_t *in = weir_new(device, uint32_t, IN, "in");
    for (uint32_t i = 0; i < IN; i++) {
        in[i] = i * 0x9e3779b9u >> (i & 7);
    }
    args.in = in;
    uint32_t *wide = weir_new(device, uint32_t, WIDE, "wide");
    float *reals = weir_new(device, float, WIDE, "reals");
    for (uint32_t i = 0; i < WIDE; i++) {
        wide[i] = i * 0x85ebca6bu >> (i & 15);
        reals[i] = (float)(i * 77 % 1000) * 0.37f;
    }
    args.wide = wide;
    args.reals = reals;
    memset(args.columns, 0, items * COLUMN * sizeof(*args.columns));
    memset(args.out, 0, items * sizeof(*args.out));
    memset(args.counters, 0, COUNTERS * sizeof(*args.counters));
    memset(args.scratch, 0, items * SCRATCH_PER_ITEM * sizeof(*args.scratch));
    for (uint32_t i = 0; i < 4; i++) {
        args.uniform[i] = 3 * i + 1;
    }
    struct weir_nd_range range = { .dim = shape->dim };
    for (uint32_t d = 0; d < 3; d++) {
        range.global[d] = shape->groups[d] * shape->local[d];
        range.local[d] = shape->local[d];
    }
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.stackful = stackful;
    options.workers = c->wrong ? 1 : shape->workers;
    options.sub_group_size = shape->sub_group_size;
    options.stack_bytes = 256 << 10;
    struct weir_report *report = NULL;
    GError *error = NULL;
    if (!weir_launch_with(device, c->kernel, range, &args, &options, &report, &error)) {
        printf("%s: %s\n", c->kernel->name, error->message);
        exit(2);
    }
    struct result result
        = { g_memdup2(args.out, items * sizeof(*args.out)),
            g_memdup2(args.counters, COUNTERS * sizeof(*args.counters)),
            g_memdup2(args.columns, items * COLUMN * sizeof(*args.columns)),
            weir_report_to_text(report), false };
    simplify(result.text);
    result.has_findings = weir_report_n_findings(report) > 0;
    weir_report_free(report);
    weir_free(device, args.out);
    weir_free(device, args.counters);
    weir_free(device, args.scratch);
    weir_free(device, args.columns);
    weir_free(device, in);
    weir_free(device, wide);
    weir_free(device, reals);
    return result;
}

/* Returns: whether @c is the same both ways for @shape */
static bool agrees(struct weir_device *device, const struct fuzz_case *c,
                   const struct fuzz_shape *shape)
{
    size_t items = 1;
    for (uint32_t d = 0; d < 3; d++) {
        items *= shape->groups[d] * shape->local[d];
    }
    printf("%s %zux%zux%zu/%zux%zux%zu sub-groups of %u, %u workers\n", c->kernel->name,
           shape->groups[0], shape->groups[1], shape->groups[2], shape->local[0],
           shape->local[1], shape->local[2], shape->sub_group_size, shape->workers);
    fflush(stdout);
    struct result with = run(device, c, shape, items, true);
    struct result without = run(device, c, shape, items, false);
    bool same = true;
    if (c->wrong) {
        /* A fault in a pass over all items at once does not say whose it was. */
        same = strcmp(with.text, without.text) == 0
            || strstr(without.text, "one of the items from") != NULL;
        if (!same) {
            printf("%s: with stacks: %s\nwithout: %s\n", c->kernel->name, with.text,
                   without.text);
        }
    } else if (with.has_findings || without.has_findings) {
        same = false;
        printf("%s: findings in a kernel that is right, %s stacks: %s\n",
               c->kernel->name, with.has_findings ? "with" : "without",
               with.has_findings ? with.text : without.text);
    } else {
        size_t n = 0, first = 0;
        for (size_t i = items; i-- > 0;) {
            if (with.out[i] != without.out[i]) {
                first = i;
                n++;
            }
        }
        same = n == 0
            && memcmp(with.counters, without.counters,
                      COUNTERS * sizeof(*with.counters))
                == 0
            && memcmp(with.columns, without.columns,
                      items * COLUMN * sizeof(*with.columns))
                == 0;
        if (!same) {
            printf("%s: %zu of %zu items differ, the first one is %zu%s\n",
                   c->kernel->name, n, items, first,
                   n == 0 ? ": counters or columns" : "");
        }
    }
    free(with.out);
    free(with.counters);
    free(with.columns);
    free(with.text);
    free(without.out);
    free(without.counters);
    free(without.columns);
    free(without.text);
    return same;
}

int main(int argc, char **argv)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        printf("%s\n", error->message);
        return 2;
    }
    size_t bad = 0, without = 0, n = 0;
    for (size_t i = 0; i < fuzz_n_cases; i++) {
        const struct fuzz_case *c = &fuzz_cases[i];
        if (argc > 1 && strcmp(c->kernel->name, argv[1]) != 0) {
            continue;
        }
        n++;
        without += c->kernel->stackless != NULL;
        for (uint32_t s = 0; s < c->n_shapes; s++) {
            bool same = agrees(device, c, &c->shapes[s]);
            if (!same) {
                bad++;
                break;
            }
        }
    }
    weir_device_free(device);
    printf("%zu kernels, %zu of them stackless, %zu differ\n", n, without, bad);
    return bad > 0;
}
