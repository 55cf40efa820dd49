/* SPDX-License-Identifier: MIT
 *
 * run-record.c: see run-record.h. The first line has the result's own members, which a
 * table of fields names; a line for each launch follows, as programs write them.
 * Writing and reading use the same table, so they cannot drift apart. */
#include "config.h"

#include "engine/run-record.h"

#include "show/record-read.h"

#include <string.h>

/* The members of the first line. */
struct line {
    uint64_t n_open;
    bool overlap;
    const char *incomplete, *failure, *said;
    int64_t status;
    bool answers;
    const char *error;
    int64_t code; /* of domain WEIR_ERROR, or -1 */
    uint64_t elements, local, groups;
    size_t n_wrong;
    const struct weir_finding *wrong;
};

#define FIELD(name_, type_)                                                            \
    {                                                                                  \
        .name = #name_, .type = WEIRI_FIELD_##type_,                                   \
        .offset = offsetof(struct line, name_)                                         \
    }
static const struct weiri_field fields[] = {
    FIELD(n_open, NUMBER),
    FIELD(overlap, TRUTH),
    FIELD(incomplete, TEXT),
    FIELD(failure, TEXT),
    FIELD(said, TEXT),
    FIELD(status, NUMBER),
    FIELD(answers, TRUTH),
    FIELD(error, TEXT),
    FIELD(code, NUMBER),
    FIELD(elements, NUMBER),
    FIELD(local, NUMBER),
    FIELD(groups, NUMBER),
    { .name = "wrong",
      .type = WEIRI_FIELD_LIST,
      .offset = offsetof(struct line, wrong),
      .beside = offsetof(struct line, n_wrong),
      .bytes = sizeof(struct weir_finding),
      .fields = weiri_finding_fields },
    { .name = NULL },
};

GString *weiri_cli_run_to_lines(const struct weiri_cli_run_result *run)
{
    const GError *error = run->error;
    bool ours = error != NULL && error->domain == WEIR_ERROR;
    const struct line line = { .n_open = run->n_open,
                               .overlap = run->overlap,
                               .incomplete = run->incomplete,
                               .failure = run->failure,
                               .said = run->said,
                               .status = run->status,
                               .answers = run->answers,
                               .error = error != NULL ? error->message : NULL,
                               .code = ours ? error->code : -1,
                               .elements = run->elements,
                               .local = run->local,
                               .groups = run->groups,
                               .n_wrong = run->wrong != NULL,
                               .wrong = run->wrong };
    GString *text = weiri_fields_to_line(fields, &line);
    for (guint i = 0; i < run->launches->len; i++) {
        g_autoptr(GString) launch
            = weiri_record_to_line(g_ptr_array_index(run->launches, i));
        g_string_append_len(text, launch->str, (gssize)launch->len);
    }
    return text;
}

/* As run-one.c makes it. */
static struct weir_finding *own_wrong(const struct weir_finding *read)
{
    struct weir_finding *finding = g_new0(struct weir_finding, 1);
    finding->kind = read->kind;
    finding->kernel = g_intern_string(read->kernel);
    finding->count = read->count;
    finding->message = g_strdup(read->message);
    return finding;
}

bool weiri_cli_run_read(const char *text, size_t bytes,
                        struct weiri_cli_run_result *run, GError **error)
{
    struct line line = { .n_open = 0 };
    const char *end = memchr(text, '\n', bytes);
    struct weiri_store *store = weiri_store_new();
    bool read = end != NULL
        && weiri_fields_read(store, fields, text, (size_t)(end - text), &line)
        && weiri_cli_run_take_records(run, end + 1, bytes - (size_t)(end + 1 - text));
    if (read) {
        run->n_open = line.n_open;
        run->overlap = line.overlap;
        run->incomplete = g_strdup(line.incomplete);
        run->failure = g_strdup(line.failure);
        run->said = g_strdup(line.said);
        run->status = (int)line.status;
        run->answers = line.answers;
        run->elements = line.elements;
        run->local = line.local;
        run->groups = line.groups;
        run->wrong = line.n_wrong > 0 ? own_wrong(line.wrong) : NULL;
        run->error = line.error == NULL
            ? NULL
            : g_error_new_literal(line.code >= 0 ? WEIR_ERROR : G_FILE_ERROR,
                                  (gint)MAX(line.code, 0), line.error);
    } else {
        g_set_error(error, WEIR_ERROR, WEIR_ERROR_INPUT,
                    "the result of a run cannot be read from the process that made it");
    }
    weiri_store_free(store);
    return read;
}
