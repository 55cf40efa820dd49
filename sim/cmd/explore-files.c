/* SPDX-License-Identifier: MIT
 *
 * explore-files.c: the files of `weir explore`: with --graphs an SVG document for each
 * execution that is shown, with --report a page of HTML that has all of them.
 *
 *     DIR/reduce_last_group_relaxed-sycl-1.svg   of the first finding */
#include "config.h"

#include "cmd/explore.h"

#include "engine/explore-record.h"
#include "engine/litmus.h"
#include "report/record.h"
#include "show/document.h"
#include "show/explored-graph.h"

#include <string.h>

static const struct weiri_launch_record *launch_at(
    const struct weiri_cli_explored *explored, guint i)
{
    return g_ptr_array_index((GPtrArray *)explored->records, i);
}

/* ---- Drawings -------------------------------------------------------------------- */

static bool draw_launch(struct weiri_cli_graphs *graphs, const char *folder,
                        const struct weiri_launch_record *launch)
{
    if (launch->n_explorations == 0) {
        return true;
    }
    g_autofree char *name
        = g_strdup_printf("%s-%s", launch->kernel, launch->explorations->model);
    g_autofree char *stem = weiri_cli_graphs_stem(graphs, name);
    bool fine = true;
    for (size_t i = 0; i < launch->n_findings && fine; i++) {
        if (launch->findings[i].n_executions > 0) {
            g_autofree char *file = g_strdup_printf("%s-%zu.svg", stem, i + 1);
            g_autofree char *path = g_build_filename(folder, file, NULL);
            g_autofree char *svg = weiri_explored_graph(&launch->findings[i], NULL);
            fine = weiri_cli_write_file("--graphs", path, svg);
        }
    }
    return fine;
}

static bool draw(const struct weiri_cli_explored *explored)
{
    struct weiri_cli_graphs *graphs = weiri_cli_graphs_new(explored->graphs);
    bool fine = graphs != NULL;
    for (guint i = 0; i < explored->records->len && fine; i++) {
        fine = draw_launch(graphs, explored->graphs, launch_at(explored, i));
    }
    weiri_cli_graphs_free(graphs);
    return fine;
}

/* ---- The page -------------------------------------------------------------------- */

static void clear_finding(void *data)
{
    g_free((char *)((struct weiri_document_finding *)data)->shown);
}

static void add_states(GPtrArray *lines, const struct weir_exploration *found)
{
    for (size_t i = 0; i < found->n_states; i++) {
        const struct weir_explored_state *state = &found->states[i];
        g_ptr_array_add(
            lines,
            g_strdup_printf("%" PRIu64 " × %s%s", state->executions,
                            state->text[0] != '\0' ? state->text : "as at the start",
                            state->holds ? "" : " (wrong)"));
    }
}

static void add_launch(struct weiri_document *document,
                       const struct weiri_cli_explored *explored, guint index)
{
    const struct weiri_launch_record *launch = launch_at(explored, index);
    const struct weir_exploration *found = launch->explorations;
    const char *refused = launch->n_explorations == 0 ? launch->error : found->refused;
    const char *reason = refused != NULL ? refused
        : launch->incomplete != NULL     ? launch->incomplete
        : !found->complete               ? "there may be more executions"
                                         : NULL;
    if (document->incomplete == NULL) {
        document->incomplete = reason;
    }
    if (launch->n_explorations == 0) {
        return;
    }
    add_states(document->states, found);
    for (size_t i = 0; i < launch->n_findings; i++) {
        const char *replay
            = weiri_cli_replays_command(explored->replays, &launch->findings[i]);
        const struct weiri_document_finding added = {
            .finding = launch->findings[i],
            .shown = explored->records->len > 1
                ? g_strdup_printf("in launch %u, under model %s", index + 1,
                                  found->model)
                : g_strdup_printf("under model %s", found->model),
            .again = replay != NULL ? replay : explored->again,
            .local = launch->group_items,
        };
        g_array_append_val(document->findings, added);
    }
}

static bool write_page(const struct weiri_cli_explored *explored)
{
    g_autoptr(GArray) findings
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_document_finding));
    g_array_set_clear_func(findings, clear_finding);
    g_autoptr(GPtrArray) notes = g_ptr_array_new();
    g_autoptr(GPtrArray) states = g_ptr_array_new_with_free_func(g_free);
    struct weiri_document document = { .command = "weir explore",
                                       .subject = explored->what,
                                       .totals = explored->totals,
                                       .findings = findings,
                                       .states = states,
                                       .notes = notes,
                                       .gone = notes };
    for (guint i = 0; i < explored->records->len; i++) {
        add_launch(&document, explored, i);
    }
    g_autoptr(GString) page = g_string_new(NULL);
    weiri_html_add(page, &document);
    return weiri_cli_write_file("--report", explored->report, page->str);
}

bool weiri_cli_explore_write(const struct weiri_cli_explored *explored)
{
    return (explored->graphs == NULL || draw(explored))
        && (explored->report == NULL || write_page(explored));
}

/* ---- The command line ------------------------------------------------------------ */

char *weiri_cli_explore_line(int argc, char **argv)
{
    GString *line = g_string_new("weir explore");
    for (int i = 1; i < argc; i++) {
        bool plain
            = argv[i]
                  [strspn(argv[i], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_=./+^,:")]
                == '\0'
            && argv[i][0] != '\0';
        g_autofree char *word = plain ? g_strdup(argv[i]) : g_shell_quote(argv[i]);
        g_string_append_printf(line, " %s", word);
    }
    return g_string_free(line, FALSE);
}
