/* SPDX-License-Identifier: MIT
 *
 * files.c: the files of --sarif and --report. All verdicts become one document
 * (show/document.h), in which a finding is followed by the findings that have the
 * same cause; each kind of file is a function of that document. */
#include "config.h"

#include "repair/fixes.h"

#include "repair/patch.h"
#include "report/record.h"
#include "show/document.h"

static char *subject_text(const struct weiri_cli_verdict *verdict)
{
    return verdict->subject.program != NULL
        ? g_strjoinv(" ", (char **)verdict->subject.program)
        : g_strdup(verdict->subject.row->name);
}

static void clear_finding(void *data)
{
    struct weiri_document_finding *found = data;
    g_free((char *)found->shown);
    g_free((char *)found->again);
    g_free((char *)found->finding.fix);
    g_clear_pointer(&found->changes, g_array_unref);
}

static GArray *changes_of(const struct weiri_cli_fix *fix)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(struct weiri_document_change));
    for (guint i = 0; i < fix->parts->len; i++) {
        const struct weiri_fix_candidate *part = g_ptr_array_index(fix->parts, i);
        for (guint k = 0; k < part->edits->len; k++) {
            const struct weiri_edit *edit
                = &g_array_index(part->edits, struct weiri_edit, k);
            const struct weiri_document_change change
                = { part->file, edit->begin, edit->end, edit->text };
            g_array_append_val(changes, change);
        }
    }
    return changes;
}

static void add_finding(struct weiri_document *document,
                        const struct weiri_cli_verdict *verdict,
                        const struct weiri_cli_found *found)
{
    const struct weiri_cli_run_result *run = found->run;
    const struct weiri_launch_record *launch = found->launch - 1 < run->launches->len
        ? g_ptr_array_index(run->launches, found->launch - 1)
        : NULL;
    struct weiri_document_finding added = {
        .finding = *found->finding,
        .shown = weiri_cli_shown_text(verdict, found),
        .again = weiri_cli_shown_again(verdict->check, &verdict->subject, run->schedule,
                                       run->seed),
        .local = launch != NULL ? launch->group_items : 0,
        .known = found->known,
        .suppression = found->suppression,
    };
    added.finding.count = found->count;
    weiri_cli_found_words(verdict, found, &added.finding);
    if (added.finding.fix != NULL && found->leader == NULL) {
        added.changes = changes_of(verdict->fix);
    }
    g_array_append_val(document->findings, added);
}

/* A finding and those that are reported under it. */
static void add_group(struct weiri_document *document,
                      const struct weiri_cli_verdict *verdict,
                      const struct weiri_cli_found *leader)
{
    guint first = document->findings->len;
    add_finding(document, verdict, leader);
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (found->leader == leader) {
            add_finding(document, verdict, found);
        }
    }
    g_array_index(document->findings, struct weiri_document_finding, first).n_under
        = document->findings->len - first - 1;
}

static void add_verdict(struct weiri_document *document,
                        const struct weiri_cli_verdict *verdict)
{
    for (guint i = 0; i < verdict->found->len; i++) {
        const struct weiri_cli_found *found = g_ptr_array_index(verdict->found, i);
        if (found->leader == NULL) {
            add_group(document, verdict, found);
        }
    }
    for (guint i = 0; i < verdict->notes->len; i++) {
        g_ptr_array_add(document->notes,
                        g_strdup(g_ptr_array_index(verdict->notes, i)));
    }
    GPtrArray *gone = weiri_cli_known_gone(verdict);
    g_ptr_array_extend_and_steal(document->gone, gone);
    const struct weiri_cli_summary *run;
    const char *reason = weiri_cli_verdict_incomplete(verdict, &run);
    if (reason != NULL && document->incomplete == NULL) {
        document->incomplete = g_strdup(reason);
    }
    for (guint i = 0; document->failure == NULL && i < verdict->runs->len; i++) {
        run = weiri_cli_verdict_run(verdict, i);
        document->failure
            = weiri_cli_verdict_explains(verdict, run) ? NULL : g_strdup(run->failure);
    }
}

static struct weiri_document *new_document(const struct weiri_cli_check *check,
                                           GPtrArray *verdicts,
                                           const struct weiri_cli_totals *totals,
                                           size_t ended_early)
{
    struct weiri_document *document = g_new0(struct weiri_document, 1);
    document->command = "weir check";
    document->findings
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_document_finding));
    g_array_set_clear_func(document->findings, clear_finding);
    document->notes = g_ptr_array_new_with_free_func(g_free);
    document->gone = g_ptr_array_new_with_free_func(g_free);
    document->subject = verdicts->len == 1
        ? subject_text(g_ptr_array_index(verdicts, 0))
        : g_strdup_printf("%u kernels", verdicts->len);
    document->totals = weiri_cli_totals_text(verdicts, totals, ended_early);
    document->compared = check->known != NULL;
    document->silent = totals->n_silent > 0;
    for (guint i = 0; i < verdicts->len; i++) {
        add_verdict(document, g_ptr_array_index(verdicts, i));
    }
    if (ended_early > 0 && document->incomplete == NULL) {
        document->incomplete = g_strdup(check->why_ended);
    }
    return document;
}

static void free_document(struct weiri_document *document)
{
    g_array_unref(document->findings);
    g_ptr_array_unref(document->notes);
    g_ptr_array_unref(document->gone);
    g_free((char *)document->subject);
    g_free((char *)document->totals);
    g_free((char *)document->incomplete);
    g_free((char *)document->failure);
    g_free(document);
}

bool weiri_cli_files_write(const struct weiri_cli_check *check, GPtrArray *verdicts,
                           const struct weiri_cli_totals *totals, size_t ended_early)
{
    if (check->sarif == NULL && check->report == NULL) {
        return true;
    }
    struct weiri_document *document
        = new_document(check, verdicts, totals, ended_early);
    bool written = true;
    if (check->sarif != NULL) {
        g_autofree char *text = weiri_sarif_to_text(document);
        written = weiri_cli_write_file("--sarif", check->sarif, text);
    }
    if (check->report != NULL) {
        g_autoptr(GString) page = g_string_new(NULL);
        weiri_html_add(page, document);
        written = weiri_cli_write_file("--report", check->report, page->str) && written;
    }
    free_document(document);
    return written;
}
