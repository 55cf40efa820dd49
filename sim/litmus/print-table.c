/* SPDX-License-Identifier: MIT
 *
 * print-table.c: a table of instructions as text: its declarations, `ssw`, and the
 * rows. The cells of a thread follow each other without gaps. */
#include "config.h"

#include "litmus/table.h"

#include <string.h>

static void print_names(const struct weiri_litmus *test, GString *text)
{
    static const char *const proxies[] = {
        [WEIRI_PROXY_GENERIC] = "generic", [WEIRI_PROXY_SURFACE] = "surface",
        [WEIRI_PROXY_TEXTURE] = "texture", [WEIRI_PROXY_CONSTANT] = "constant",
        [WEIRI_PROXY_ASYNC] = "async",
    };
    for (uint32_t i = 0; i < test->n_references; i++) {
        const struct weiri_litmus_reference_name *name = &test->references[i];
        if (i < test->n_locations) {
            g_string_append_printf(text, " %s = %" G_GINT64_FORMAT ";", name->name,
                                   test->locations[i].initial);
            continue;
        }
        uint32_t of = name->address == i ? name->location : name->address;
        g_string_append_printf(text, " %s", name->name);
        if (test->form == WEIRI_LITMUS_PTX) {
            g_string_append_printf(text, " @ %s", proxies[name->proxy]);
        }
        g_string_append_printf(text, " aliases %s;", test->references[of].name);
    }
}

static void print_registers(const struct weiri_litmus *test, GString *text)
{
    for (uint32_t t = 0; t < test->n_threads; t++) {
        for (uint32_t i = 0; i < test->threads[t].n_registers; i++) {
            const struct weiri_litmus_register *reg = &test->threads[t].registers[i];
            if (reg->is_initial) {
                g_string_append_printf(text, " P%u:%s = %" G_GINT64_FORMAT ";", t,
                                       reg->name, reg->initial);
            }
        }
    }
}

static void print_thens(const struct weiri_litmus *test, GString *text)
{
    g_string_append(text, test->n_thens > 0 ? "{" : "");
    for (uint32_t i = 0; i < test->n_thens; i++) {
        g_string_append_printf(text, " ssw %u %u;", test->first_threads[i],
                               test->then_threads[i]);
    }
    g_string_append(text, test->n_thens > 0 ? " }\n" : "");
}

/* Whether clusters are stated. */
static bool has_clusters(const struct weiri_litmus *test)
{
    bool has = false;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        has = has || test->threads[t].cluster != test->threads[t].group;
    }
    return has;
}

/* The head of a column. */
static char *head(const struct weiri_litmus *test, uint32_t t)
{
    const struct weiri_litmus_thread *thread = &test->threads[t];
    if (test->form == WEIRI_LITMUS_VULKAN) {
        return g_strdup_printf("P%u@sg %u,wg %u,qf %u", t, thread->sub_group,
                               thread->group, thread->cluster);
    }
    return has_clusters(test)
        ? g_strdup_printf("P%u@cta %u,cluster %u,gpu %u", t, thread->group,
                          thread->cluster, thread->device)
        : g_strdup_printf("P%u@cta %u,gpu %u", t, thread->group, thread->device);
}

static const char *cell(const struct weiri_litmus *test, uint32_t t, uint32_t row)
{
    const struct weiri_litmus_thread *thread = &test->threads[t];
    return row < thread->n_lines ? thread->lines[row].text : "";
}

void weiri_litmus_print_table(const struct weiri_litmus *test, GString *text)
{
    uint32_t n_rows = 0;
    g_autofree char **heads = g_new0(char *, test->n_threads);
    g_autofree int *widths = g_new0(int, test->n_threads);
    for (uint32_t t = 0; t < test->n_threads; t++) {
        heads[t] = head(test, t);
        widths[t] = (int)strlen(heads[t]);
        n_rows = MAX(n_rows, test->threads[t].n_lines);
        for (uint32_t row = 0; row < test->threads[t].n_lines; row++) {
            widths[t] = MAX(widths[t], (int)strlen(cell(test, t, row)));
        }
    }
    g_string_append(text, "{");
    print_names(test, text);
    print_registers(test, text);
    g_string_append(text, " }\n");
    print_thens(test, text);
    for (uint32_t row = 0; row <= n_rows; row++) {
        for (uint32_t t = 0; t < test->n_threads; t++) {
            g_string_append_printf(text, " %-*s %s", widths[t],
                                   row == 0 ? heads[t] : cell(test, t, row - 1),
                                   t + 1 < test->n_threads ? "|" : ";\n");
        }
    }
    for (uint32_t t = 0; t < test->n_threads; t++) {
        g_free(heads[t]);
    }
}
