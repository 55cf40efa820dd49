/* SPDX-License-Identifier: MIT
 *
 * findings.c: a program that launches nothing and hands findings over as if it had: its
 * arguments name rows of the table below. So what is done with findings can be tested
 * for all kinds of them, under schedules that show them or do not. */
#include "report/options.h"
#include "report/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An item that is in line 12 of tree.c, which sums up. */
#define SUMMING(item_, access_, ...)                                                   \
    {                                                                                  \
        .state = WEIR_STATE_RUNNING, .items = #item_, .item = { item_, 0, 0 },         \
        .file = "tree.c", .function = "tree_sum__body", .line = 12,                    \
        .source = "scratch[lid] += scratch[lid + stride];", .access = access_,         \
        __VA_ARGS__                                                                    \
    }

static const struct weir_party reads = SUMMING(1, WEIR_ACCESS_READ, .phase = 1);
static const struct weir_party writes = SUMMING(3, WEIR_ACCESS_WRITE, .phase = 1);

/* The same by other items, of which the other one has the lower number. */
static const struct weir_party reads_late = SUMMING(5, WEIR_ACCESS_READ, .phase = 1);
static const struct weir_party writes_early = SUMMING(2, WEIR_ACCESS_WRITE, .phase = 1);

static const struct weir_party lost = SUMMING(63, WEIR_ACCESS_READ);

static const struct weir_frame path[] = {
    { "publish", "tree.c", 23 },
    { "kernel hand_over", "tree.c", 29 },
};

static const struct weir_party publisher = { .state = WEIR_STATE_RUNNING,
                                             .items = "0",
                                             .group = { 1, 0, 0 },
                                             .groups = NULL,
                                             .file = "tree.c",
                                             .function = "set_flag",
                                             .line = 18,
                                             .source = "*flag = 1;",
                                             .phase = 3,
                                             .n_path = 2,
                                             .path = path,
                                             .access = WEIR_ACCESS_WRITE };
static const struct weir_party waiter = { .state = WEIR_STATE_RUNNING,
                                          .items = "7",
                                          .item = { 7, 0, 0 },
                                          .group = { 4, 0, 0 },
                                          .file = "tree.c",
                                          .function = "hand_over__body",
                                          .line = 31,
                                          .source = "while (load(args->flag) == 0) {",
                                          .phase = 12,
                                          .access = WEIR_ACCESS_ATOMIC_LOAD,
                                          .order = "acquire",
                                          .scope = "work_group" };

static const struct weir_party odd[] = { { .state = WEIR_STATE_RUNNING,
                                           .items = "0",
                                           .file = "a<b>&\"c'.c",
                                           .function = "</pre><b>",
                                           .line = 1,
                                           .source = "</pre><script>alert(1)</script>",
                                           .access = WEIR_ACCESS_WRITE },
                                         { .state = WEIR_STATE_RUNNING,
                                           .items = "1",
                                           .item = { 1, 0, 0 },
                                           .file = "caf\xe9\x01.c",
                                           .line = 2,
                                           .source = "&amp; ]]>",
                                           .access = WEIR_ACCESS_READ } };

static const struct weir_party diverged[] = {
    { .state = WEIR_STATE_WAITING,
      .items = "0-4",
      .file = "tree.c",
      .function = "tree_sum__body",
      .line = 10,
      .source = "weir_barrier(item, WEIR_LOCAL);",
      .operation = "weir_barrier",
      .phase = 2 },
    { .state = WEIR_STATE_RETURNED,
      .items = "5-7",
      .item = { 5, 0, 0 },
      .file = "tree.c",
      .line = 7,
      .source = "return;",
      .phase = 1 },
};

/* The race in that line. */
#define RACE_SEEN(count_)                                                              \
    {                                                                                  \
        .kind = WEIR_FINDING_DATA_RACE, .kernel = "tree_sum",                          \
        .message = "data race in kernel 'tree_sum', group (0,0,0): local array of "    \
                   "tree.c:5[3]",                                                      \
        .space = "local", .object = "local array of tree.c:5", .index = 3,             \
        .why = "no barrier lies between the two",                                      \
        .fix = "weir_barrier(item, WEIR_LOCAL) between them", .count = count_,         \
        .n_parties = 2                                                                 \
    }

/* Under schedules whose names begin with @under, or all. */
struct row {
    const char *name;
    const char *under;
    struct weir_finding finding;
    const struct weir_party *parties[2];
};

static const struct row rows[] = {
    { .name = "race",
      .under = "in-order",
      .finding = RACE_SEEN(100),
      .parties = { &reads, &writes } },
    { .name = "race",
      .under = "random",
      .finding = RACE_SEEN(70),
      .parties = { &writes_early, &reads_late } },
    { .name = "scope",
      .finding = { .kind = WEIR_FINDING_SCOPE_RACE,
                   .kernel = "hand_over",
                   .message = "scope race in kernel 'hand_over': flag[0]",
                   .space = "global",
                   .object = "flag",
                   .why = "scope work_group of the load does not include group (1,0,0)",
                   .fix = "scope device for both",
                   .count = 1,
                   .n_parties = 2 },
      .parties = { &waiter, &publisher } },
    { .name = "bounds",
      .finding = { .kind = WEIR_FINDING_OUT_OF_BOUNDS,
                   .kernel = "tree_sum",
                   .message = "access out of bounds in kernel 'tree_sum', group "
                              "(0,0,0): local array of tree.c:5[-1]",
                   .space = "local",
                   .object = "local array of tree.c:5",
                   .index = -1,
                   .count = 1,
                   .n_parties = 1 },
      .parties = { &lost } },
    { .name = "note",
      .finding = { .kind = WEIR_FINDING_DATA_RACE,
                   .kernel = "tree_sum",
                   .message = "data race in kernel 'tree_sum': done[0]",
                   .note = true,
                   .space = "global",
                   .object = "done",
                   .count = 1,
                   .n_parties = 2 },
      .parties = { &writes, &writes } },
    { .name = "divergence",
      .finding = { .kind = WEIR_FINDING_BARRIER_DIVERGENCE,
                   .kernel = "tree_sum",
                   .message = "barrier divergence in kernel 'tree_sum', group (0,0,0), "
                              "phase 2: 5 of 8 items are at the barrier; the others "
                              "have returned",
                   .form = "exited item",
                   .parted = "tree.c:6",
                   .count = 2,
                   .n_parties = 2 },
      .parties = { &diverged[0], &diverged[1] } },
    { .name = "odd",
      .finding = { .kind = WEIR_FINDING_DATA_RACE,
                   .kernel = "<script>alert(\"k\")</script>",
                   .message = "data race in kernel '<script>alert(\"k\")</script>'\n"
                              "with a second line & \x02 <i>",
                   .space = "global",
                   .object = "<img src=x onerror=alert(1)>",
                   .why = "</dd><script>",
                   .fix = "'\"><svg onload=alert(1)>",
                   .count = 1,
                   .n_parties = 2 },
      .parties = { &odd[0], &odd[1] } },
};

int main(int argc, char **argv)
{
    struct weiri_options options;
    const char *line = getenv("WEIR_OPTIONS");
    GError *error = NULL;
    if (line == NULL || !weiri_options_read(line, &options, &error)) {
        fprintf(stderr, "findings: %s\n",
                error != NULL ? error->message : "no options");
        return 1;
    }
    struct weir_finding findings[G_N_ELEMENTS(rows)];
    struct weir_party parties[G_N_ELEMENTS(rows)][2];
    struct weiri_launch_record record = { .kernel = "tree_sum",
                                          .instrumented = true,
                                          .accesses = true,
                                          .schedule = options.schedule,
                                          .seed = options.launch.seed,
                                          .findings = findings };
    for (int i = 1; i < argc; i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
            const struct row *row = &rows[k];
            if (strcmp(row->name, argv[i]) != 0
                || (row->under != NULL
                    && !g_str_has_prefix(options.schedule, row->under))) {
                continue;
            }
            size_t n = record.n_findings++;
            findings[n] = row->finding;
            findings[n].parties = parties[n];
            for (size_t p = 0; p < row->finding.n_parties; p++) {
                parties[n][p] = *row->parties[p];
            }
        }
        if (strcmp(argv[i], "options") == 0) {
            puts(line);
        }
    }
    GString *text = weiri_record_to_line(&record);
    FILE *file = fopen(options.reports, "ab");
    bool written = file != NULL && fwrite(text->str, 1, text->len, file) == text->len
        && fclose(file) == 0;
    g_string_free(text, TRUE);
    weiri_options_clear(&options);
    return written ? 0 : 1;
}
