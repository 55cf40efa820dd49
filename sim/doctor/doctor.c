/* SPDX-License-Identifier: MIT
 *
 * doctor.c: `weir doctor`: which features of Weir work on this machine, the purpose of
 * each, and a remedy for each that does not.
 *
 * Each feature is used: kernels run, a program is compiled and must behave, gdb runs
 * it. A broken tool is thus reported like a missing one.
 *
 * `--json` prints {version, works, features: [{name, state, necessary, needed_for,
 * found, remedy}]}; state is ok, limited or missing, and remedy is null where nothing
 * is wrong. */
#include "config.h"

#include "doctor/doctor.h"

#include "cli/child.h"
#include "cli/complete.h"
#include "cli/own.h"
#include "cli/program.h"

#include <stdlib.h>
#include <string.h>

static const char SUMMARY[]
    = "Tries the features of Weir on this machine. For each feature that does not\n"
      "work it reports what needs the feature, and what to do. Without FEATURE it\n"
      "tries all of them.";

static const char EPILOGUE[]
    = "Exit status: 0 if every necessary feature (*), or each named FEATURE, works; 2\n"
      "otherwise. A limited feature counts as working.";

/* All rows, in the order of the output. */
static GPtrArray *all_features(void)
{
    const struct weiri_doctor_feature *const tables[]
        = { weiri_doctor_machine, weiri_doctor_build, weiri_doctor_tools };
    GPtrArray *rows = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        for (size_t k = 0; tables[i][k].name != NULL; k++) {
            g_ptr_array_add(rows, (void *)&tables[i][k]);
        }
    }
    return rows;
}

/* The rows that @names name. Returns: (transfer full): or NULL after a complaint */
static GPtrArray *named_features(const GPtrArray *all, char *const *names)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    for (size_t i = 0; names[i] != NULL; i++) {
        g_autoptr(GString) known = g_string_new(NULL);
        guint row = 0;
        for (; row < all->len; row++) {
            const struct weiri_doctor_feature *feature = g_ptr_array_index(all, row);
            if (strcmp(feature->name, names[i]) == 0) {
                g_ptr_array_add(rows, (void *)feature);
                break;
            }
            g_string_append_printf(known, "%s%s", row > 0 ? ", " : "", feature->name);
        }
        if (row == all->len) {
            weiri_cli_complain("unknown feature '%s': give some of %s", names[i],
                               known->str);
            return NULL;
        }
    }
    return g_steal_pointer(&rows);
}

static const char *const state_names[] = {
    [WEIRI_DOCTOR_OK] = "ok",
    [WEIRI_DOCTOR_LIMITED] = "limited",
    [WEIRI_DOCTOR_MISSING] = "missing",
};

static char *to_text(const GPtrArray *rows, const GArray *findings, bool works,
                     bool named)
{
    GString *out = g_string_new(NULL);
    struct weiri_cli_table *table = weiri_cli_table_new("lll");
    weiri_cli_table_add(table, "state\tfeature\tfound");
    guint wrong = 0;
    for (guint i = 0; i < rows->len; i++) {
        const struct weiri_doctor_feature *feature = g_ptr_array_index(rows, i);
        const struct weiri_doctor_finding *finding
            = &g_array_index(findings, struct weiri_doctor_finding, i);
        bool ok = finding->state == WEIRI_DOCTOR_OK;
        wrong += !ok;
        weiri_cli_table_add(
            table, "%s\t%s%s\t%s\nfor: %s%s%s", state_names[finding->state],
            feature->name, feature->necessary ? " *" : "", finding->found,
            feature->needed_for, ok ? "" : "\nremedy: ", ok ? "" : finding->remedy);
    }
    weiri_cli_table_take_text(table, out);
    g_string_append_printf(out, "\n%s %s; %u of %u %s limited or missing\n",
                           works ? "Everything" : "Not everything",
                           named ? "named works" : "necessary works (*)", wrong,
                           rows->len, wrong == 1 ? "is" : "are");
    return g_string_free(out, FALSE);
}

static char *to_json(const GPtrArray *rows, const GArray *findings, bool works)
{
    JsonBuilder *builder = json_builder_new();
    json_builder_begin_object(builder);
    weiri_json_text(builder, "version", PACKAGE_VERSION);
    weiri_json_bool(builder, "works", works);
    weiri_json_array(builder, "features");
    for (guint i = 0; i < rows->len; i++) {
        const struct weiri_doctor_feature *feature = g_ptr_array_index(rows, i);
        const struct weiri_doctor_finding *finding
            = &g_array_index(findings, struct weiri_doctor_finding, i);
        weiri_json_object(builder, NULL);
        weiri_json_text(builder, "name", feature->name);
        weiri_json_text(builder, "state", state_names[finding->state]);
        weiri_json_bool(builder, "necessary", feature->necessary);
        weiri_json_text(builder, "needed_for", feature->needed_for);
        weiri_json_text(builder, "found", finding->found);
        weiri_json_text(builder, "remedy", finding->remedy);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    return weiri_json_take(builder);
}

static void clear_finding(void *data)
{
    struct weiri_doctor_finding *finding = data;
    g_free(finding->found);
    g_free(finding->remedy);
}

/* A finding that is kept for more than one row. */
static void free_kept(struct weiri_doctor_finding *finding)
{
    if (finding != NULL) {
        clear_finding(finding);
        g_free(finding);
    }
}

/* Returns: (transfer full): one a row, or NULL after a complaint */
static GArray *examine(const GPtrArray *rows)
{
    GError *error = NULL;
    struct weiri_doctor doctor = { .folder = weiri_cli_folder(&error) };
    if (doctor.folder == NULL) {
        g_prefix_error(&error, "set TMPDIR to a folder for files: ");
        weiri_cli_take_error(error);
        return NULL;
    }
    doctor.own = weiri_cli_own();
    doctor.own = doctor.own != NULL ? doctor.own : g_strdup("weir");
    GArray *findings = g_array_new(FALSE, TRUE, sizeof(struct weiri_doctor_finding));
    g_array_set_clear_func(findings, clear_finding);
    for (guint i = 0; i < rows->len; i++) {
        const struct weiri_doctor_feature *feature = g_ptr_array_index(rows, i);
        g_autofree char *progress = g_strdup_printf("trying %s", feature->name);
        weiri_cli_progress(progress);
        struct weiri_doctor_finding finding = feature->probe(&doctor);
        g_array_append_val(findings, finding);
    }
    weiri_cli_folder_remove();
    g_free(doctor.own);
    g_free(doctor.output);
    g_free(doctor.said);
    g_free(doctor.weir_cc);
    g_free(doctor.include_dir);
    free_kept(doctor.paths);
    free_kept(doctor.compiled);
    return findings;
}

static int doctor(int argc, char **argv)
{
    gboolean json = FALSE;
    const GOptionEntry entries[] = {
        WEIRI_CLI_JSON(&json),
        { 0 },
    };
    g_autoptr(GPtrArray) all = all_features();
    for (guint i = 0; i < all->len; i++) {
        const struct weiri_doctor_feature *feature = g_ptr_array_index(all, i);
        weiri_complete_add("FEATURE", feature->name, feature->needed_for);
    }
    int status;
    if (!weiri_cli_parse(entries, "[FEATURE…]", SUMMARY, EPILOGUE, &argc, &argv,
                         &status)) {
        return status;
    }
    bool named = argc > 1;
    g_autoptr(GPtrArray) chosen = named ? named_features(all, argv + 1) : NULL;
    if (named && chosen == NULL) {
        return WEIRI_CLI_USAGE;
    }
    const GPtrArray *rows = named ? chosen : all;
    g_autoptr(GArray) findings = examine(rows);
    if (findings == NULL) {
        return WEIRI_CLI_USAGE;
    }
    bool works = true;
    for (guint i = 0; i < rows->len; i++) {
        const struct weiri_doctor_feature *feature = g_ptr_array_index(rows, i);
        bool missing = g_array_index(findings, struct weiri_doctor_finding, i).state
            == WEIRI_DOCTOR_MISSING;
        works = works && !(missing && (named || feature->necessary));
    }
    char *text
        = json ? to_json(rows, findings, works) : to_text(rows, findings, works, named);
    return weiri_cli_finish(text, works ? WEIRI_CLI_CLEAN : WEIRI_CLI_USAGE);
}

int main(int argc, char **argv)
{
    return weiri_cli_program("doctor", doctor, argc, argv);
}
