/* SPDX-License-Identifier: MIT
 *
 * choose.c: the finding of a run that --finding names, for `weir shrink` and `weir
 * replay`. */
#include "config.h"

#include "engine/check.h"

#include "finding/identity.h"

#include <string.h>

/* Finding @index, from 0, of the findings of @run that are not notes, each counted
 * once. */
static const struct weir_finding *nth_finding(const struct weiri_cli_run_result *run,
                                              uint64_t index, size_t *launch)
{
    const struct weir_finding *finding, *other;
    for (size_t i = 0; (finding = weiri_cli_run_finding(run, i, launch)) != NULL; i++) {
        bool first = !finding->note;
        size_t unused;
        for (size_t k = 0; first && k < i; k++) {
            other = weiri_cli_run_finding(run, k, &unused);
            first = weiri_finding_compare(other, finding, WEIRI_IDENTITY_PLACES) != 0;
        }
        if (first && index-- == 0) {
            return finding;
        }
    }
    return NULL;
}

bool weiri_cli_choose_finding(const struct weiri_cli_run_result *run, const char *path,
                              const struct weir_schedule *schedule, const char *wanted,
                              const struct weir_finding **chosen, size_t *launch)
{
    const struct weir_finding *finding;
    const char *own = weir_schedule_get(schedule, "finding");
    bool is_asked = wanted != NULL;
    wanted = is_asked ? wanted : own;
    if (wanted == NULL) {
        *chosen = nth_finding(run, 0, launch);
        return true;
    }
    uint64_t number = 0, n = 0;
    bool numbered
        = g_ascii_string_to_unsigned(wanted, 10, 1, G_MAXUINT32, &number, NULL);
    for (; (finding = nth_finding(run, n, launch)) != NULL; n++) {
        g_autofree char *key = weiri_finding_fingerprint(finding);
        if (strcmp(key, wanted) == 0 || (numbered && n + 1 == number)) {
            *chosen = finding;
            return true;
        }
    }
    *chosen = nth_finding(run, 0, launch);
    if (!is_asked) { /* the file's own: it was cut by hand, perhaps */
        return true;
    }
    weiri_cli_complain("--finding %s: %s has %" PRIu64 " finding%s: give a number as "
                       "'weir replay' prints them, or a key of --json",
                       wanted, path, n, n == 1 ? "" : "s");
    return false;
}
