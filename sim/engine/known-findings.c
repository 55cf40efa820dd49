/* SPDX-License-Identifier: MIT
 *
 * known-findings.c: findings that are not new: those that --suppress covers, and those
 * that the baseline has. The output counts them, and they do not change the status. */
#include "config.h"

#include "engine/verdict.h"

#include "show/baseline.h"

/* Returns: (transfer full): the file's bytes, or NULL after a complaint */
static char *read_file(const char *option, const char *path, size_t *bytes)
{
    g_autoptr(GError) error = NULL;
    char *text;
    if (!g_file_get_contents(path, &text, bytes, &error)) {
        weiri_cli_complain("%s: %s", option, error->message);
        return NULL;
    }
    return text;
}

static bool read_suppressions(struct weiri_cli_check *check)
{
    check->suppressions = check->suppress != NULL ? weiri_suppress_new() : NULL;
    for (size_t i = 0; check->suppress != NULL && check->suppress[i] != NULL; i++) {
        const char *path = check->suppress[i];
        GError *error = NULL;
        size_t bytes;
        g_autofree char *text = read_file("--suppress", path, &bytes);
        if (text == NULL) {
            return false;
        }
        if (!weiri_suppress_add(check->suppressions, text, bytes, path, &error)) {
            weiri_cli_take_error(error);
            return false;
        }
    }
    return true;
}

bool weiri_cli_known_read(struct weiri_cli_check *check)
{
    if (!read_suppressions(check)) {
        return false;
    }
    if (check->baseline == NULL) {
        return true;
    }
    size_t bytes;
    g_autofree char *text = read_file("--baseline", check->baseline, &bytes);
    GError *error = NULL;
    if (text != NULL) {
        check->known = weiri_baseline_parse(text, bytes, check->baseline, &error);
    }
    if (error != NULL) {
        weiri_cli_take_error(error);
    }
    return check->known != NULL;
}

void weiri_cli_known_mark(const struct weiri_cli_check *check, GPtrArray *verdicts,
                          bool complete)
{
    for (guint v = 0; v < verdicts->len; v++) {
        struct weiri_cli_verdict *verdict = g_ptr_array_index(verdicts, v);
        verdict->complete = complete;
        for (guint i = 0; i < verdict->found->len; i++) {
            struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
            found->suppression = check->suppressions != NULL
                ? weiri_suppress_find(check->suppressions, found->finding)
                : NULL;
            found->known = check->known != NULL
                && weiri_baseline_has(check->known, found->finding);
        }
    }
    for (size_t i = 0; complete && check->suppressions != NULL
         && i < weiri_suppress_n(check->suppressions);
         i++) {
        const struct weiri_suppression *entry
            = weiri_suppress_entry(check->suppressions, i);
        if (entry->n_findings == 0) {
            weiri_cli_complain("%s:%zu: unused: it matches no finding", entry->file,
                               entry->line);
        }
    }
}

GPtrArray *weiri_cli_known_gone(const struct weiri_cli_verdict *verdict)
{
    GPtrArray *gone = g_ptr_array_new_with_free_func(g_free);
    const struct weiri_baseline *known = verdict->check->known;
    for (size_t i = 0;
         known != NULL && verdict->complete && i < weiri_baseline_n(known); i++) {
        const char *kernel, *text = weiri_baseline_gone(known, i, &kernel);
        if (text != NULL
            && g_ptr_array_find_with_equal_func(verdict->kernels, kernel, g_str_equal,
                                                NULL)) {
            g_ptr_array_add(gone, g_strdup(text));
        }
    }
    return gone;
}
