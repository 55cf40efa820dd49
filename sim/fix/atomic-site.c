/* SPDX-License-Identifier: MIT
 *
 * atomic-site.c: see atomic-site.h. */
#include "config.h"

#include "fix/atomic-site.h"

#include "fix/sycl-change.h"

#include <string.h>

static int by_line(const void *a, const void *b)
{
    const struct weiri_site *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) * 2 - 1
                              : (x->order.begin > y->order.begin) * 2 - 1;
}

/* An argument of a call, empty where it has none. */
static struct weiri_range argument_of(const struct weiri_call *call, size_t which)
{
    return which < call->n_arguments ? call->arguments[which]
                                     : (struct weiri_range){ 0, 0 };
}

static void find_calls(const struct weir_finding *finding, const char *file,
                       const struct weiri_source *source, GArray *sites)
{
    const struct weiri_range all = { 0, weiri_source_at(source, 0)->end };
    const struct weiri_atomic_words *operation = weiri_words_of(source)->atomics;
    for (; operation->name != NULL; operation++) {
        struct weiri_call call;
        for (uint32_t i = 0; weiri_source_call(source, all, operation->name, i, &call);
             i++) {
            if (call.n_arguments >= operation->least
                && call.n_arguments <= operation->most) {
                uint32_t line = weiri_source_line_of(source, call.name.begin);
                uint32_t ends = weiri_source_line_of(source, call.all.end);
                struct weiri_site site = {
                    .source = source,
                    .file = file,
                    .side = operation->side,
                    .object
                    = argument_of(&call, operation->has_object ? 0 : WEIRI_NO_ARGUMENT),
                    .order = argument_of(&call, operation->order),
                    .scope = argument_of(&call, operation->scope),
                    .line = line,
                    .named = weiri_finding_names(finding, file, line, ends),
                };
                g_array_append_val(sites, site);
            }
            weiri_call_clear(&call);
        }
    }
}

GArray *weiri_sites_of(const struct weiri_search *search)
{
    GArray *sites = g_array_new(FALSE, FALSE, sizeof(struct weiri_site));
    const struct weir_finding *finding = search->finding;
    const char *last = NULL;
    for (size_t p = 0; p < finding->n_parties; p++) {
        const char *file = finding->parties[p].file;
        const struct weiri_source *source = weiri_sources_get(search->sources, file);
        if (source == NULL || g_strcmp0(file, last) == 0) {
            continue;
        }
        last = file;
        (weiri_source_is_cpp(source) ? weiri_sycl_find_sites : find_calls)(
            finding, g_intern_string(file), source, sites);
    }
    g_array_sort(sites, by_line);
    return sites;
}
