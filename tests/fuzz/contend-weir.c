/* SPDX-License-Identifier: MIT
 *
 * contend-weir.c: launches of kernels in C, for contend-run.c. */
#include "contend-machine.h"

#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct weir_device *device;

void contend_open(const char *source)
{
    (void)source;
    GError *error = NULL;
    device = weir_device_new("default", &error);
    if (device == NULL) {
        printf("%s\n", error->message);
        exit(2);
    }
}

bool contend_is_stackless(const struct contend_case *c)
{
    return c->kernel->stackless != NULL;
}

/* ---- Memory of a launch ---------------------------------------------------------- */

struct memory {
    uint32_t *in;
    struct contend_part parts[C_PARTS];
    struct contend_args args;
};

static void reset(struct memory *memory, const struct contend_part *parts)
{
    for (size_t i = 0; i < C_PARTS; i++) {
        memcpy(memory->parts[i].memory, parts[i].memory, parts[i].n * parts[i].element);
    }
}

static void allocate(struct memory *memory, const uint32_t *in,
                     const struct contend_part *parts)
{
    memory->in = weir_new(device, uint32_t, C_IN, "in");
    memcpy(memory->in, in, C_IN * sizeof(*in));
    for (size_t i = 0; i < C_PARTS; i++) {
        struct contend_part *here = &memory->parts[i];
        *here = parts[i];
        here->memory = here->element == 8
            ? (void *)weir_new(device, int64_t, here->n, here->name)
            : (void *)weir_new(device, int32_t, here->n, here->name);
    }
    memory->args = contend_args_of(memory->in, memory->parts);
    reset(memory, parts);
}

static void release(struct memory *memory)
{
    weir_free(device, memory->in);
    for (size_t i = 0; i < C_PARTS; i++) {
        weir_free(device, memory->parts[i].memory);
    }
}

/* Returns: the report. Ends the program where the launch fails. */
static struct weir_report *launch(const struct contend_case *c,
                                  const struct contend_shape *shape,
                                  const struct memory *memory,
                                  const struct weir_launch_options *options)
{
    size_t items = (size_t)shape->local * shape->groups;
    struct weir_nd_range range
        = { .dim = 1, .global = { items, 1, 1 }, .local = { shape->local, 1, 1 } };
    struct weir_report *report = NULL;
    GError *error = NULL;
    if (!weir_launch_with(device, c->kernel, range, &memory->args, options, &report,
                          &error)) {
        printf("%s: %s\n", c->name, error->message);
        exit(2);
    }
    return report;
}

/* Prints the findings, if there are any. Returns: whether there are none */
static bool is_clean(const struct contend_case *c, const struct contend_shape *shape,
                     const struct weir_report *report)
{
    bool clean = weir_report_n_findings(report) == 0;
    if (!clean) {
        char *text = weir_report_to_text(report);
        printf("%s: %u groups of %u: findings: %s\n", c->name, shape->groups,
               shape->local, text);
        free(text);
    }
    return clean;
}

bool contend_launch(const struct contend_case *c, const struct contend_shape *shape,
                    bool stackful, const uint32_t *in, struct contend_part *parts)
{
    struct memory memory;
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.stackful = stackful;
    options.workers = shape->workers;
    allocate(&memory, in, parts);
    struct weir_report *report = launch(c, shape, &memory, &options);
    bool clean = is_clean(c, shape, report);
    weir_report_free(report);
    for (size_t i = 0; i < C_PARTS; i++) {
        memcpy(parts[i].memory, memory.parts[i].memory, parts[i].n * parts[i].element);
    }
    release(&memory);
    return clean;
}

/* ---- Exploring ------------------------------------------------------------------- */

struct states {
    const struct memory *memory;
    GHashTable *sums; /* of final states */
};

/* A text that differs where memory does. */
static char *sum_of(const struct memory *memory)
{
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA1);
    for (size_t i = 0; i < C_PARTS; i++) {
        const struct contend_part *part = &memory->parts[i];
        g_checksum_update(checksum, part->memory, (gssize)(part->n * part->element));
    }
    char *sum = g_strdup(g_checksum_get_string(checksum));
    g_checksum_free(checksum);
    return sum;
}

static bool add_state(const void *args, void *user)
{
    (void)args;
    struct states *states = user;
    g_hash_table_add(states->sums, sum_of(states->memory));
    return true;
}

enum contend_answer contend_explore(const struct contend_case *c,
                                    const struct contend_shape *shape,
                                    const uint32_t *in, struct contend_part *parts,
                                    unsigned runs)
{
    enum { MOST_EXECUTIONS = 3000, MOST_MS = 1000 };
    struct memory memory;
    allocate(&memory, in, parts);
    struct states states
        = { &memory, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.explore = "sycl";
    options.max_executions = MOST_EXECUTIONS;
    options.time_limit_ms = MOST_MS;
    options.post_condition = add_state;
    options.post_condition_user = &states;
    struct weir_report *report = launch(c, shape, &memory, &options);
    const struct weir_exploration *found = weir_report_exploration(report);
    enum contend_answer answer
        = found == NULL || found->refused != NULL || !found->complete
        ? CONTEND_NOT_EXPLORED
        : is_clean(c, shape, report) ? CONTEND_ALLOWED
                                     : CONTEND_WRONG;
    weir_report_free(report);
    for (unsigned run = 0; answer == CONTEND_ALLOWED && run < runs; run++) {
        struct weir_launch_options fast = WEIR_LAUNCH_OPTIONS;
        fast.stackful = run % 2 != 0;
        fast.workers = 1 + run / 2 % 2;
        reset(&memory, parts);
        weir_report_free(launch(c, shape, &memory, &fast));
        g_autofree char *sum = sum_of(&memory);
        if (!g_hash_table_contains(states.sums, sum)) {
            printf("%s: %u groups of %u, %u workers, %s: no execution ends so\n",
                   c->name, shape->groups, shape->local, fast.workers,
                   fast.stackful ? "with stacks" : "without stacks, if it can");
            answer = CONTEND_WRONG;
        }
    }
    g_hash_table_unref(states.sums);
    release(&memory);
    return answer;
}
