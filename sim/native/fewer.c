/* SPDX-License-Identifier: MIT
 *
 * fewer.c: see fewer.h and residency.h. An execution of all groups that ends is counted
 * for each number of resident groups that permits it. An execution that does not end is
 * one of two things. Either all groups have started, and the execution of the whole
 * launch itself does not end. Or the groups that have started wait for one that has
 * not: that is an execution of the first groups alone, so the launch is explored again
 * with its first group alone, with its first two, and so on.
 *
 * The program then has fewer threads. The record of such an execution counts as many
 * threads as it had, so the program has that number again when it is cleared or
 * reported. */
#include "config.h"

#include "native/fewer.h"

#include "native/residency.h"

/* The record of an execution of the first groups alone counts their items. */
static void clear_starved(struct weiri_fewer *fewer)
{
    struct weiri_program *program = &fewer->native->program;
    uint32_t n_threads = program->n_threads;
    program->n_threads = fewer->starved_threads;
    weiri_kept_clear(&fewer->starved.kept);
    program->n_threads = n_threads;
    fewer->starved.executions = 0;
    fewer->starved_groups = fewer->starved_threads = 0;
}

void weiri_fewer_forget(struct weiri_fewer *fewer)
{
    for (guint i = 0; i < fewer->residencies->len; i++) {
        g_free(
            (char *)g_array_index(fewer->residencies, struct weir_residency, i).waits);
    }
    g_array_set_size(fewer->residencies, 0);
    clear_starved(fewer);
}

void weiri_fewer_begin(struct weiri_fewer *fewer)
{
    uint32_t asked = fewer->options->resident,
             n_groups = fewer->native->machine.hub.n_resident;
    for (uint32_t groups = 1; groups < n_groups; groups++) {
        const struct weir_residency one = { .groups = groups, .complete = true };
        if (asked == groups || asked == WEIR_RESIDENT_EACH
            || fewer->options->limited == groups) {
            g_array_append_val(fewer->residencies, one);
        }
    }
}

static bool permits(const struct weiri_fewer *fewer, const struct weiri_graph *graph,
                    const struct weir_residency *residency)
{
    return weiri_residency_permits(graph, fewer->native->machine.n_items,
                                   (uint32_t)residency->groups);
}

void weiri_fewer_count(struct weiri_fewer *fewer, const struct weiri_graph *graph)
{
    for (guint i = 0; i < fewer->residencies->len; i++) {
        struct weir_residency *one
            = &g_array_index(fewer->residencies, struct weir_residency, i);
        one->executions += permits(fewer, graph, one);
    }
}

/* Returns: (transfer full): "groups 0, 1 and 2" */
static char *names_of(const uint32_t *groups, uint32_t n)
{
    GString *text = g_string_new(n == 1 ? "group " : "groups ");
    for (uint32_t i = 0; i < n; i++) {
        g_string_append_printf(text, "%s%u",
                               i == 0           ? ""
                                   : i + 1 == n ? " and "
                                                : ", ",
                               groups[i]);
    }
    return g_string_free(text, FALSE);
}

/* Returns: (transfer full): which groups wait, and where the first item is that does */
static char *text_of_wait(const struct weiri_fewer *fewer,
                          const struct weiri_graph *graph, const uint32_t *groups,
                          uint32_t n)
{
    uint32_t t = groups[0] * fewer->native->machine.n_items;
    while (weiri_graph_next(graph, t)->kind == WEIRI_STEP_END) {
        t++;
    }
    const struct weir_site *site
        = weiri_native_request(fewer->native, weiri_graph_state(graph, t))->site;
    g_autofree char *names = names_of(groups, n);
    g_autofree char *first
        = n == 1 ? g_strdup("") : g_strdup_printf(", group %u", groups[0]);
    return site == NULL
        ? g_strdup_printf("%s wait%s for ever", names, n == 1 ? "s" : "")
        : g_strdup_printf("%s wait%s for ever%s at %s:%u", names, n == 1 ? "s" : "",
                          first, site->file, site->line);
}

void weiri_fewer_note(struct weiri_fewer *fewer, const struct weiri_graph *graph,
                      enum weiri_execution_end why)
{
    uint32_t n_items = fewer->native->machine.n_items;
    g_autofree uint32_t *groups = g_new(uint32_t, graph->frame->n_threads / n_items);
    uint32_t n_unended = weiri_residency_unended(graph, n_items, groups);
    bool all = graph->frame->n_threads == fewer->native->machine.n_threads;
    for (guint i = 0; i < fewer->residencies->len && why != WEIRI_END_FAULT; i++) {
        struct weir_residency *one
            = &g_array_index(fewer->residencies, struct weir_residency, i);
        /* With less than that, it could not have come so far; with more, another group
         * would have started. */
        if (one->groups < n_unended || (one->groups > n_unended && !all)) {
            continue;
        }
        if (why == WEIRI_END_BOUND) {
            one->complete = false;
        } else if (permits(fewer, graph, one)) {
            one->waits = one->blocked++ > 0
                ? one->waits
                : text_of_wait(fewer, graph, groups, n_unended);
            if (!all && one->groups > fewer->starved_groups) {
                clear_starved(fewer);
                fewer->starved_groups = (uint32_t)one->groups;
                fewer->starved_threads = graph->frame->n_threads;
                fewer->starved_why = why;
            }
            if (!all && one->groups == fewer->starved_groups) {
                fewer->starved.executions++;
                if (fewer->starved_threads == graph->frame->n_threads) {
                    weiri_kept_note(&fewer->starved.kept, graph, 0, 0);
                }
            }
        }
    }
}

static bool go_on(void *user, const struct weiri_graph *graph, bool race)
{
    (void)user;
    (void)graph;
    (void)race;
    return true;
}

static void note_starved(void *user, const struct weiri_graph *graph,
                         enum weiri_execution_end why)
{
    weiri_fewer_note(user, graph, why);
}

bool weiri_fewer_explore(struct weiri_fewer *fewer, struct weiri_explore_options how,
                         bool complete)
{
    struct weiri_native *native = fewer->native;
    uint32_t n_threads = native->program.n_threads;
    how.execution = go_on;
    how.stuck = note_starved;
    how.user = fewer;
    for (uint32_t n = native->machine.n_items;
         n < n_threads && fewer->residencies->len > 0; n += native->machine.n_items) {
        native->program.n_threads = n;
        how.time_limit = weiri_native_time_left(native);
        if (!native->program.stopped) {
            complete &= weiri_explore(&native->program, &how).complete;
        }
    }
    native->program.n_threads = n_threads;
    for (guint i = 0; i < fewer->residencies->len; i++) {
        g_array_index(fewer->residencies, struct weir_residency, i).complete
            &= complete;
    }
    return complete;
}

void weiri_fewer_report(const struct weiri_fewer *fewer,
                        const struct weiri_findings *findings)
{
    if (fewer->starved.executions == 0) {
        return;
    }
    struct weiri_program *program = &fewer->native->program;
    uint32_t n_threads = program->n_threads;
    program->n_threads = fewer->starved_threads;
    weiri_findings_report_stuck(findings, &fewer->starved, fewer->starved_why,
                                fewer->starved_groups);
    program->n_threads = n_threads;
}

void weiri_fewer_init(struct weiri_fewer *fewer, struct weiri_native *native,
                      const struct weiri_native_options *options)
{
    *fewer = (struct weiri_fewer){
        .native = native,
        .options = options,
        .residencies = g_array_new(FALSE, FALSE, sizeof(struct weir_residency)),
    };
}

void weiri_fewer_give(struct weiri_fewer *fewer, struct weir_exploration *result)
{
    result->n_residencies = fewer->residencies->len;
    result->residencies = (const struct weir_residency *)(void *)g_array_steal(
        fewer->residencies, NULL);
}

void weiri_fewer_clear(struct weiri_fewer *fewer)
{
    weiri_fewer_forget(fewer);
    g_array_unref(fewer->residencies);
}
