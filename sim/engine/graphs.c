/* SPDX-License-Identifier: MIT
 *
 * graphs.c: the files of `weir litmus --graphs`: an SVG document for each drawing.
 *
 *     DIR/mp-sycl-1.svg           the first final state of mp
 *     DIR/mp-sycl-why.svg         the candidate of --explain
 *     DIR/mp-sycl-blocked-1.svg   a blocked execution */
#include "config.h"

#include "engine/litmus.h"

#include "show/litmus-graph.h"

#include <errno.h>
#include <string.h>

/* File systems allow 255 bytes; number, model and extension need some of them. */
enum { MOST_STEM_BYTES = 120 };

struct weiri_cli_graphs {
    char *folder;
    GHashTable *stems;
};

struct weiri_cli_graphs *weiri_cli_graphs_new(const char *folder)
{
    if (folder[0] == '\0' || g_mkdir_with_parents(folder, 0777) != 0) {
        weiri_cli_complain("--graphs: '%s': %s", folder,
                           g_strerror(folder[0] == '\0' ? ENOENT : errno));
        return NULL;
    }
    struct weiri_cli_graphs *graphs = g_new0(struct weiri_cli_graphs, 1);
    graphs->folder = g_strdup(folder);
    graphs->stems = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return graphs;
}

void weiri_cli_graphs_free(struct weiri_cli_graphs *graphs)
{
    if (graphs != NULL) {
        g_hash_table_unref(graphs->stems);
        g_free(graphs->folder);
        g_free(graphs);
    }
}

char *weiri_cli_graphs_stem(struct weiri_cli_graphs *graphs, const char *test)
{
    g_autofree char *safe = g_strndup(test, MOST_STEM_BYTES);
    for (char *at = safe; *at != '\0'; at++) {
        bool fine = g_ascii_isalnum(*at) || (at > safe && strchr("._+@-", *at) != NULL);
        *at = fine ? *at : '_';
    }
    char *stem = g_strdup(safe[0] != '\0' ? safe : "test");
    for (unsigned n = 2; g_hash_table_contains(graphs->stems, stem); n++) {
        g_free(stem);
        stem = g_strdup_printf("%s_%u", safe, n);
    }
    g_hash_table_add(graphs->stems, g_strdup(stem));
    return stem;
}

/* ---- Drawing --------------------------------------------------------------------- */

/* Returns: false after a complaint */
static bool write_drawing(const char *path, const struct weiri_litmus_drawing *drawing)
{
    g_autofree char *svg = weiri_litmus_graph(drawing);
    return weiri_cli_write_file("--graphs", path, svg);
}

static char *title_of(const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    return g_strdup_printf("%s, model %s", weir_litmus_name(result->test),
                           weir_model_name(verdict->model));
}

static bool draw_state(const struct weiri_litmus_result *result,
                       const struct weiri_drawing_names *names, size_t index,
                       const char *path)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    const struct weir_litmus_state *state
        = weir_litmus_answer_state(result->answer, index);
    g_autofree char *title = title_of(result), *claim = weir_litmus_claim(result->test);
    g_autofree char *which = g_strdup_printf("final state %zu of %zu: %s", index + 1,
                                             verdict->n_states, state->text);
    g_autofree char *how = state->executions == 1
        ? g_strdup("the execution that ends in it")
        : g_strdup_printf("one of %" PRIu64 " executions that end in it",
                          state->executions);
    g_autofree char *note = g_strdup_printf(
        "%s%s%s", how,
        weiri_litmus_is_asked_for(verdict, state)
            ? verdict->quantifier == WEIR_LITMUS_EXISTS ? "; the claim asks for it"
                                                        : "; it violates the claim"
            : "",
        state->race ? "; with a data race" : "");
    const char *notes[] = { claim, which, note };
    return write_drawing(path,
                         &(struct weiri_litmus_drawing){ .title = title,
                                                         .notes = notes,
                                                         .n_notes = 3,
                                                         .names = names,
                                                         .execution = state->witness });
}

static bool draw_explanation(const struct weiri_litmus_result *result,
                             const struct weiri_drawing_names *names, const char *path)
{
    const struct weir_litmus_explanation *why = result->explanation;
    g_autofree char *model = title_of(result);
    g_autofree char *title = g_strdup_printf("%s: forbidden", model);
    g_autofree char *claim = weir_litmus_claim(result->test);
    g_autofree char *which = g_strdup_printf("candidate that ends in %s", why->state);
    g_autofree char *axiom = why->n_violations > 0
        ? g_strdup_printf("violates %s: %s", why->violations[0].axiom,
                          why->violations[0].sentence)
        : g_strdup("");
    const char *notes[] = { claim, which, axiom };
    return write_drawing(path,
                         &(struct weiri_litmus_drawing){
                             .title = title,
                             .notes = notes,
                             .n_notes = 3,
                             .names = names,
                             .execution = why->execution,
                             .cycle = why->n_violations > 0 ? why->violations : NULL });
}

static bool draw_blocked(const struct weiri_litmus_result *result,
                         const struct weiri_drawing_names *names, size_t index,
                         const char *path)
{
    const struct weir_litmus_blocked *blocked
        = weir_litmus_answer_blocked(result->answer, index);
    size_t n_threads = weir_litmus_n_threads(result->test);
    g_autofree char *model = title_of(result);
    g_autofree char *title = g_strdup_printf("%s: blocked", model);
    g_autofree char *claim = weir_litmus_claim(result->test);
    g_autofree char *who = weiri_litmus_blocked_text(result->test, blocked);
    g_autofree char *how = blocked->executions == 1
        ? g_strdup_printf("the execution in which %s", who)
        : g_strdup_printf("one of %" PRIu64 " executions that never end: %s",
                          blocked->executions, who);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(notes, g_steal_pointer(&claim));
    g_ptr_array_add(notes, g_steal_pointer(&how));
    for (size_t t = 0; t < n_threads; t++) {
        g_ptr_array_add(notes, g_strdup_printf("P%zu %s", t, blocked->threads[t].text));
    }
    return write_drawing(
        path,
        &(struct weiri_litmus_drawing){ .title = title,
                                        .notes = (const char *const *)notes->pdata,
                                        .n_notes = notes->len,
                                        .names = names,
                                        .execution = blocked->execution });
}

/* The number of files between two progress lines: as often as people can read. */
enum { PROGRESS_EVERY = 50 };

static void show_progress(const char *stem, size_t done, size_t all)
{
    if (done > 0 && done % PROGRESS_EVERY == 0) {
        g_autofree char *line
            = g_strdup_printf("drawing %s: %zu of %zu", stem, done, all);
        weiri_cli_progress(line);
    }
}

bool weiri_cli_graphs_draw(struct weiri_cli_graphs *graphs, const char *stem,
                           struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    bool why = result->explanation != NULL && result->explanation->execution != NULL;
    size_t n = verdict->n_states, n_blocked = 0;
    while (weir_litmus_answer_blocked(result->answer, n_blocked) != NULL) {
        n_blocked++;
    }
    int digits = 1;
    for (size_t most = n; most >= 10; most /= 10) {
        digits++;
    }
    result->graphs = g_ptr_array_new_with_free_func(g_free);
    result->blocked_graphs = g_ptr_array_new_with_free_func(g_free);
    struct weiri_drawing_names *names = weiri_drawing_names_of(result->test);
    bool fine = true;
    for (size_t i = 0; i < n + n_blocked + why && fine; i++) {
        bool ends = i < n, never = !ends && i < n + n_blocked;
        g_autofree char *which = ends ? g_strdup_printf("%0*zu", digits, i + 1)
            : never                   ? g_strdup_printf("blocked-%zu", i - n + 1)
                                      : g_strdup("why");
        g_autofree char *name = g_strdup_printf("%s-%s-%s.svg", stem,
                                                weir_model_name(verdict->model), which);
        char *path = g_build_filename(graphs->folder, name, NULL);
        fine = ends ? draw_state(result, names, i, path)
            : never ? draw_blocked(result, names, i - n, path)
                    : draw_explanation(result, names, path);
        if (ends || never) {
            g_ptr_array_add(ends ? result->graphs : result->blocked_graphs, path);
        } else {
            result->explanation_graph = path;
        }
        show_progress(stem, i, n + n_blocked + why);
    }
    weiri_drawing_names_free(names);
    return fine;
}
