/* SPDX-License-Identifier: MIT
 *
 * explore-order.c: whether --order has changed anything. The exploration gives the
 * lines with operations: the ones that items reached. A change at any other line would
 * leave the launch as it is, and the result would belong to another kernel than the one
 * that was asked for. */
#include "config.h"

#include "cmd/explore.h"

#include "report/record.h"

#include <string.h>

enum { MOST_NEAREST = 3 };

/* A part of --order. */
struct place {
    char *file, *words; /* owned */
    uint32_t line;
};

static void clear_place(struct place *place)
{
    g_free(place->file);
    g_free(place->words);
}

/* FILE may leave out folders. */
static bool is_file(const struct place *place, const char *file)
{
    size_t bytes = strlen(file), tail = strlen(place->file);
    return bytes >= tail && strcmp(file + bytes - tail, place->file) == 0
        && (bytes == tail || file[bytes - tail - 1] == '/');
}

/* ---- Sites ----------------------------------------------------------------------- */

/* Returns: (transfer full): of const struct weir_explored_site *, of all launches */
static GPtrArray *all_sites(const GPtrArray *records)
{
    GPtrArray *sites = g_ptr_array_new();
    for (guint i = 0; i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        for (size_t k = 0;
             record->n_explorations > 0 && k < record->explorations->n_sites; k++) {
            g_ptr_array_add(sites, (void *)&record->explorations->sites[k]);
        }
    }
    return sites;
}

/* Whether there is a launch, and each was explored. */
static bool are_explored(const GPtrArray *records)
{
    bool explored = records->len > 0;
    for (guint i = 0; i < records->len; i++) {
        const struct weiri_launch_record *record
            = g_ptr_array_index((GPtrArray *)records, i);
        explored = explored && record->n_explorations > 0
            && record->explorations->refused == NULL;
    }
    return explored;
}

/* Why items may not have reached an operation that the source has. */
static const char *hint_of(const GPtrArray *records)
{
    bool races = false, cut = false;
    for (guint i = 0; i < records->len; i++) {
        const struct weir_exploration *found
            = ((struct weiri_launch_record *)g_ptr_array_index((GPtrArray *)records, i))
                  ->explorations;
        races = races || (found->racy > 0 && found->positive + found->negative == 0);
        cut = cut || !found->complete;
    }
    return races ? " (an execution ends at its first race; --plain-events goes on)"
        : cut    ? " (not all executions were explored)"
                 : "";
}

/* ---- Complaints ------------------------------------------------------------------ */

static uint32_t distance(const struct place *place, uint32_t line)
{
    return line > place->line ? line - place->line : place->line - line;
}

static int by_number(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

/* Returns: (transfer full): the lines of FILE with operations that are nearest to the
 * place, in order */
static GArray *nearest(const struct place *place, const GPtrArray *sites)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t n = 0; n < MOST_NEAREST; n++) {
        uint32_t best = 0;
        for (guint i = 0; i < sites->len; i++) {
            const struct weir_explored_site *site
                = g_ptr_array_index((GPtrArray *)sites, i);
            bool known = false;
            for (guint k = 0; k < lines->len; k++) {
                known = known || g_array_index(lines, uint32_t, k) == site->line;
            }
            if (!known && is_file(place, site->file)
                && (best == 0 || distance(place, site->line) < distance(place, best))) {
                best = site->line;
            }
        }
        if (best != 0) {
            g_array_append_val(lines, best);
        }
    }
    g_array_sort(lines, by_number);
    return lines;
}

/* Returns: (transfer full): "a.c, b.c" */
static char *files_of(const GPtrArray *sites)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < sites->len; i++) {
        const struct weir_explored_site *site
            = g_ptr_array_index((GPtrArray *)sites, i);
        const char *slash = strrchr(site->file, '/');
        const char *name = slash != NULL ? slash + 1 : site->file;
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
            g_ptr_array_add(names, (void *)name);
        }
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

static bool complain_of_place(const struct place *place, const GPtrArray *sites,
                              const GPtrArray *records)
{
    g_autoptr(GArray) lines = nearest(place, sites);
    if (sites->len == 0) {
        weiri_cli_complain("--order %s:%u: no item executes an atomic operation, a "
                           "fence or a barrier",
                           place->file, place->line);
    } else if (lines->len == 0) {
        g_autofree char *files = files_of(sites);
        weiri_cli_complain("--order %s:%u: no file of that name has an operation; the "
                           "files with operations are: %s",
                           place->file, place->line, files);
    } else {
        g_autoptr(GString) text = g_string_new(NULL);
        for (guint i = 0; i < lines->len; i++) {
            g_string_append_printf(text, "%s%u", i > 0 ? ", " : "",
                                   g_array_index(lines, uint32_t, i));
        }
        weiri_cli_complain("--order %s:%u: no item executes an operation of that "
                           "line%s; the nearest lines with one: %s",
                           place->file, place->line, hint_of(records), text->str);
    }
    return false;
}

/* ---- Words ----------------------------------------------------------------------- */

/* The property that an operation needs for a word to change it. */
static const char *needed_by(const char *word, const struct weir_explored_site *site)
{
    static const char *const scopes[]
        = { "sub_group", "work_group", "device", "system", NULL };
    static const char *const spaces[] = { "local", "global", "none", NULL };
    bool barrier = site->order == NULL;
    return g_strv_contains(spaces, word) ? (barrier ? NULL
                                                    : "flags: it is not a "
                                                      "barrier")
        : g_strv_contains(scopes, word)
        ? (barrier || site->scope != NULL ? NULL : "scope")
        : barrier ? "memory order"
                  : NULL;
}

/* Whether each word changes some operation of the line. */
static bool check_place(const struct place *place, const GPtrArray *sites,
                        const GPtrArray *records)
{
    g_auto(GStrv) words = g_strsplit(place->words, "+", -1);
    bool any = false;
    for (size_t w = 0; words[w] != NULL; w++) {
        const char *lacks = NULL;
        bool fits = false;
        for (guint i = 0; i < sites->len; i++) {
            const struct weir_explored_site *site
                = g_ptr_array_index((GPtrArray *)sites, i);
            if (site->line == place->line && is_file(place, site->file)) {
                const char *needs = needed_by(words[w], site);
                any = true;
                fits = fits || needs == NULL;
                lacks = needs;
            }
        }
        if (any && !fits) {
            weiri_cli_complain("--order %s:%u=%s: the operation of that line has no %s",
                               place->file, place->line, words[w], lacks);
            return false;
        }
    }
    return any || complain_of_place(place, sites, records);
}

bool weiri_cli_explore_ordered(const char *order, const GPtrArray *records)
{
    if (order == NULL || !are_explored(records)) {
        return true;
    }
    bool fine = true;
    g_autoptr(GPtrArray) sites = all_sites(records);
    /* As sim/exec/override.c reads it. */
    g_autoptr(GRegex) form
        = g_regex_new("(.+?):([1-9][0-9]{0,8})=([a-z_/+]+)(?:,|$)", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(form, order, 0, &match);
    for (; fine && g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *line = g_match_info_fetch(match, 2);
        struct place place = { .file = g_match_info_fetch(match, 1),
                               .words = g_match_info_fetch(match, 3),
                               .line = (uint32_t)g_ascii_strtoull(line, NULL, 10) };
        fine = check_place(&place, sites, records);
        clear_place(&place);
    }
    return fine;
}
