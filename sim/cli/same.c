/* SPDX-License-Identifier: MIT
 *
 * same.c: which findings are one defect, however often and under whatever schedule it
 * is seen. Where items are in the source decides, and not which items they are. */
#include "config.h"

#include "cli/check.h"

#include "report/report.h"
#include "report/wire.h"

#include <string.h>

/* By where they are, and what they do to memory there; then by who they are. */
static int compare_parties(const struct weir_party *a, const struct weir_party *b)
{
    int order = g_strcmp0(a->file, b->file);
    if (order == 0 && a->line != b->line) {
        order = a->line < b->line ? -1 : 1;
    }
    if (order == 0) {
        order = g_strcmp0(weir_access_name(a->access), weir_access_name(b->access));
    }
    for (size_t dim = 0; order == 0 && dim < 6; dim++) {
        size_t first = dim < 3 ? a->group[dim] : a->item[dim - 3];
        size_t second = dim < 3 ? b->group[dim] : b->item[dim - 3];
        order = first < second ? -1 : first > second;
    }
    return order;
}

void weiri_cli_order_parties(const struct weiri_wire_record *record)
{
    for (size_t i = 0; i < record->n_findings; i++) {
        const struct weir_finding *finding = &record->findings[i];
        /* Records own their parties. */
        struct weir_party *parties = (struct weir_party *)finding->parties;
        if (finding->n_parties == 2 && weiri_report_is_race(finding)
            && compare_parties(&parties[0], &parties[1]) > 0) {
            struct weir_party first = parties[0];
            parties[0] = parties[1];
            parties[1] = first;
        }
    }
}

static bool same_party(const struct weir_party *a, const struct weir_party *b)
{
    bool same = a->line == b->line && g_strcmp0(a->file, b->file) == 0
        && a->access == b->access;
    return same
        && (a->access != WEIR_ACCESS_NONE
            || (a->state == b->state && g_strcmp0(a->operation, b->operation) == 0));
}

bool weiri_cli_same_finding(const struct weir_finding *a, const struct weir_finding *b)
{
    bool same = a->kind == b->kind && a->note == b->note && a->n_parties == b->n_parties
        && strcmp(a->kernel, b->kernel) == 0 && g_strcmp0(a->object, b->object) == 0;
    for (size_t i = 0; same && i < a->n_parties; i++) {
        same = same_party(&a->parties[i], &b->parties[i]);
    }
    return same;
}
