/* SPDX-License-Identifier: MIT
 *
 * explore-all.c: see explore-all.h. A table has a row for each final state that some
 * model allows, with the executions under each model that end in it. Executions go on
 * after a race, as the models are not comparable otherwise. */
#include "config.h"

#include "cmd/explore-all.h"

#include "show/record-read.h"

#include <inttypes.h>
#include <string.h>

const char *const weiri_cli_explored_models[]
    = { "sycl", "sycl-split", "rc11", "sc", "ptx", "vulkan", NULL };
enum { N_MODELS = 6 };

/* What the models say of the launches. */
struct answers {
    GPtrArray *records[N_MODELS];                 /* borrowed, or of @owned; or NULL */
    struct weiri_cli_run_result *owned[N_MODELS]; /* of a program */
};

/* The exploration of a launch under a model, or NULL. */
static const struct weir_exploration *found_at(const struct answers *answers, size_t m,
                                               guint launch)
{
    const GPtrArray *records = answers->records[m];
    if (records == NULL || launch >= records->len) {
        return NULL;
    }
    const struct weiri_launch_record *record = g_ptr_array_index(records, launch);
    return record->n_explorations > 0 && record->explorations->refused == NULL
        ? record->explorations
        : NULL;
}

static uint64_t executions_of(const struct weir_exploration *found, const char *state)
{
    for (size_t i = 0; found != NULL && i < found->n_states; i++) {
        if (strcmp(found->states[i].text, state) == 0) {
            return found->states[i].executions;
        }
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All states of the launch, sorted. Returns: (transfer container) */
static GPtrArray *states_of(const struct answers *answers, guint launch)
{
    GPtrArray *states = g_ptr_array_new();
    for (size_t m = 0; m < N_MODELS; m++) {
        const struct weir_exploration *found = found_at(answers, m, launch);
        for (size_t i = 0; found != NULL && i < found->n_states; i++) {
            const char *text = found->states[i].text;
            if (!g_ptr_array_find_with_equal_func(states, text, g_str_equal, NULL)) {
                g_ptr_array_add(states, (char *)text);
            }
        }
    }
    g_ptr_array_sort(states, by_text);
    return states;
}

static void add_row(struct weiri_cli_table *table, const struct answers *answers,
                    guint launch, const char *name,
                    uint64_t (*count)(const struct weir_exploration *found,
                                      const char *name))
{
    g_autoptr(GString) row = g_string_new(name[0] != '\0' ? name : "as at the start");
    for (size_t m = 0; m < N_MODELS; m++) {
        const struct weir_exploration *found = found_at(answers, m, launch);
        uint64_t n = found != NULL ? count(found, name) : 0;
        if (found == NULL) {
            g_string_append(row, "\t?");
        } else if (n == 0) {
            g_string_append(row, "\t-");
        } else {
            g_string_append_printf(row, "\t%" PRIu64, n);
        }
    }
    weiri_cli_table_add(table, "%s", row->str);
}

static uint64_t racy(const struct weir_exploration *found, const char *name)
{
    (void)name;
    return found->racy;
}

static uint64_t wrong(const struct weir_exploration *found, const char *name)
{
    (void)name;
    return found->negative;
}

static uint64_t endless(const struct weir_exploration *found, const char *name)
{
    (void)name;
    return found->blocked - found->faulted;
}

static uint64_t faulted(const struct weir_exploration *found, const char *name)
{
    (void)name;
    return found->faulted;
}

/* What the table does not show: models that have no answer, or not all of it. */
static void add_gaps(GString *out, const struct answers *answers, guint launch)
{
    for (size_t m = 0; m < N_MODELS; m++) {
        const GPtrArray *records = answers->records[m];
        const char *model = weiri_cli_explored_models[m];
        if (records == NULL || launch >= records->len) {
            g_string_append_printf(
                out, "%s: the program did not make this launch again\n", model);
            continue;
        }
        const struct weiri_launch_record *record = g_ptr_array_index(records, launch);
        const struct weir_exploration *found = record->explorations;
        if (record->n_explorations == 0) {
            g_string_append_printf(out, "%s: %s\n", model, record->error);
        } else if (found->refused != NULL) {
            g_string_append_printf(out, "%s: cannot be explored: %s\n", model,
                                   found->refused);
        } else if (record->incomplete != NULL) {
            g_string_append_printf(out, "%s: incomplete: %s\n", model,
                                   record->incomplete);
        } else if (!found->complete) {
            g_string_append_printf(
                out, "%s: incomplete: there may be more executions\n", model);
        }
        for (size_t i = 0; i < record->n_findings; i++) {
            if (!record->findings[i].note) {
                g_string_append_printf(out, "%s: %s\n", model,
                                       record->findings[i].message);
            }
        }
    }
}

static void add_launch(GString *out, const struct answers *answers, guint launch)
{
    struct weiri_cli_table *table = weiri_cli_table_new("lrrrrrr");
    g_autoptr(GPtrArray) states = states_of(answers, launch);
    weiri_cli_table_add(table, "final state\tsycl\tsycl-split\trc11\tsc\tptx\tvulkan");
    for (guint i = 0; i < states->len; i++) {
        add_row(table, answers, launch, g_ptr_array_index(states, i), executions_of);
    }
    add_row(table, answers, launch, "with a race", racy);
    add_row(table, answers, launch, "wrong results", wrong);
    add_row(table, answers, launch, "never end", endless);
    add_row(table, answers, launch, "end by a fault", faulted);
    weiri_cli_table_take_text(table, out);
    g_autoptr(GString) gaps = g_string_new(NULL);
    add_gaps(gaps, answers, launch);
    if (gaps->len > 0) {
        g_string_append_printf(out, "\n%s", gaps->str);
    }
}

/* Explores under the model. Returns: false after a complaint */
static bool ask(struct weiri_cli_exploring *exploring, struct answers *answers,
                size_t m)
{
    GError *error = NULL;
    exploring->options.explore = weiri_cli_explored_models[m];
    if (exploring->subject.program == NULL) {
        answers->records[m] = weiri_cli_explore_kernel(exploring, &error);
        return answers->records[m] != NULL || weiri_cli_take_error(error) == 0;
    }
    struct weiri_cli_run_result *run = weiri_cli_explore_program(exploring);
    answers->owned[m] = run;
    answers->records[m] = run->launches;
    if (run->error != NULL || run->launches->len == 0) {
        weiri_cli_complain("under %s: %s", weiri_cli_explored_models[m],
                           run->error != NULL            ? run->error->message
                               : run->incomplete != NULL ? run->incomplete
                                                         : "no launch was made");
        return false;
    }
    return true;
}

static int status_of(const struct answers *answers)
{
    int status = WEIRI_CLI_CLEAN;
    for (size_t m = 0; m < N_MODELS; m++) {
        uint64_t executions;
        enum weiri_cli_judgement judged
            = weiri_cli_judge_explored_all(answers->records[m], &executions);
        if (judged == WEIRI_CLI_WRONG) {
            return WEIRI_CLI_FINDINGS;
        }
        status = judged == WEIRI_CLI_UNKNOWN ? WEIRI_CLI_INCOMPLETE : status;
    }
    return status;
}

int weiri_cli_explore_all(struct weiri_cli_exploring *exploring)
{
    struct answers answers = { { NULL }, { NULL } };
    int status = WEIRI_CLI_USAGE;
    bool asked = true;
    exploring->options.plain_events = true;
    for (size_t m = 0; m < N_MODELS && asked; m++) {
        asked = ask(exploring, &answers, m);
    }
    if (asked) {
        GString *out = g_string_new(weiri_cli_subject_name(&exploring->subject));
        g_string_append(out, ", all models\n");
        for (guint i = 0; i < answers.records[0]->len; i++) {
            g_string_append_c(out, '\n');
            add_launch(out, &answers, i);
        }
        status = weiri_cli_finish(g_string_free(out, FALSE), status_of(&answers));
    }
    for (size_t m = 0; m < N_MODELS; m++) {
        if (answers.owned[m] != NULL) {
            weiri_cli_run_unref(answers.owned[m]);
        } else if (answers.records[m] != NULL) {
            g_ptr_array_unref(answers.records[m]);
        }
    }
    return status;
}
