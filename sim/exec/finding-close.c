/* SPDX-License-Identifier: MIT
 *
 * finding-close.c: the end of a report: addresses become lines of the source, findings
 * that have the same lines are joined, and all are put in order. */
#include "config.h"

#include "exec/finding.h"

#include "exec/finding-kept.h"
#include "finding/identity.h"

#include <string.h>

/* ---- Symbols ------------------------------------------------------------- */

/* Inlined calls that one return address may stand for, at most. */
enum { MOST_FRAMES = 32 };

static void take_frame(struct weir_party *party, const struct weir_frame *frame)
{
    party->file = frame->file;
    party->function = frame->function;
    party->line = frame->line;
}

/* The calls around the innermost one, up to the kernel. Code of Weir's own headers has
 * no frame: if the access is in such a function, the call of it is the site. */
static void look_up_path(struct weir_party *party, const struct weiri_backtrace *calls,
                         const struct weiri_symbols *symbols)
{
    struct weir_frame frames[MOST_FRAMES];
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(struct weir_frame));
    for (uint32_t i = 0; i < calls->n; i++) {
        if (calls->pc[i] == NULL) {
            continue; /* the site itself */
        }
        size_t n = symbols->frames(calls->pc[i], frames, MOST_FRAMES);
        for (size_t k = i == 0 ? 1 : 0; k < n; k++) { /* the first is the site */
            g_array_append_vals(path, &frames[k], 1);
        }
        if (n > 0 && g_str_has_prefix(frames[n - 1].function, "kernel ")) {
            break;
        }
    }
    if (party->function == NULL && party->file == NULL && path->len > 0) {
        take_frame(party, &g_array_index(path, struct weir_frame, 0));
        g_array_remove_index(path, 0);
    }
    party->n_path = path->len;
    party->path = path->len > 0
        ? g_memdup2(path->data, path->len * sizeof(struct weir_frame))
        : NULL;
}

static void look_up_party(struct weir_party *party, const struct weiri_trail *trail,
                          const struct weiri_symbols *symbols)
{
    struct weir_frame frames[MOST_FRAMES];
    for (size_t i = 0; i < WEIRI_MOST_PLACES && party->file == NULL
         && trail->at[i] != NULL && symbols->frames != NULL;
         i++) {
        if (symbols->frames(trail->at[i], frames, MOST_FRAMES) > 0) {
            take_frame(party, &frames[0]);
        }
    }
    if ((party->file == NULL || party->line == 0) && trail->site != NULL) {
        party->file = trail->site->file;
        party->function = trail->site->function;
        party->line = trail->site->line;
    }
    if (trail->calls.n > 0 && symbols->frames != NULL) {
        look_up_path(party, &trail->calls, symbols);
    }
    if (party->file != NULL && party->line > 0 && symbols->source != NULL) {
        party->source = symbols->source(party->file, party->line);
    }
}

static void look_up_parted(struct weiri_kept_finding *kept,
                           const struct weiri_symbols *symbols)
{
    struct weir_frame frame;
    if (kept->parted_site != NULL) {
        kept->public.parted = g_strdup_printf("%s:%u", kept->parted_site->file,
                                              kept->parted_site->line);
    } else if (kept->parted_pc != NULL && symbols->frames != NULL
               && symbols->frames(kept->parted_pc, &frame, 1) > 0 && frame.file != NULL
               && frame.line > 0) {
        kept->public.parted = g_strdup_printf("%s:%u", frame.file, frame.line);
    }
}

/* Whether two findings of accesses differ only in their code addresses: a compiler
 * makes many of one place in the source. */
static bool is_same_access(const struct weiri_kept_finding *a,
                           const struct weiri_kept_finding *b)
{
    bool known = a->counted && b->counted;
    for (size_t i = 0; known && i < a->public.n_parties; i++) {
        known = a->public.parties[i].file != NULL;
    }
    return known
        && weiri_finding_compare(&a->public, &b->public, WEIRI_IDENTITY_CALLS) == 0;
}

/* If two findings are joined, the finding of the lower group is shown, or else the one
 * found first. */
static void join_same_accesses(GPtrArray *all)
{
    for (guint i = 0; i < all->len; i++) {
        for (guint k = i + 1; k < all->len;) {
            struct weiri_kept_finding *first = g_ptr_array_index(all, i);
            struct weiri_kept_finding *second = g_ptr_array_index(all, k);
            if (!is_same_access(first, second)) {
                k++;
                continue;
            }
            uint64_t count = first->public.count + second->public.count;
            if (second->group_linear < first->group_linear) {
                all->pdata[i] = second;
                all->pdata[k] = first;
                first = second;
            }
            first->public.count = count;
            g_ptr_array_remove_index(all, k);
        }
    }
}

/* By what the reader sees, so that the order is the same in every build. */
static int compare_kept(const void *a, const void *b)
{
    const struct weir_finding *first
        = &(*(const struct weiri_kept_finding *const *)a)->public;
    const struct weir_finding *second
        = &(*(const struct weiri_kept_finding *const *)b)->public;
    int order = weiri_finding_compare(first, second, WEIRI_IDENTITY_PLACES);
    return order != 0 ? order : strcmp(first->message, second->message);
}

void weiri_report_close(struct weir_report *report, uint64_t n_steps, size_t items,
                        bool accesses, const struct weiri_symbols *symbols)
{
    report->n_steps = n_steps;
    report->items = items;
    report->accesses = accesses;
    for (guint i = 0; i < report->kept->len; i++) {
        struct weiri_kept_finding *kept = g_ptr_array_index(report->kept, i);
        for (guint k = 0; k < kept->parties->len; k++) {
            look_up_party(&g_array_index(kept->parties, struct weir_party, k),
                          &g_array_index(kept->trails, struct weiri_trail, k), symbols);
        }
        look_up_parted(kept, symbols);
        weiri_finding_order_parties(&kept->public,
                                    (struct weir_party *)(void *)kept->parties->data);
    }
    join_same_accesses(report->kept);
    g_ptr_array_sort(report->kept, compare_kept);
    if (report->stopped_party != NULL) {
        struct weir_party *party = report->stopped_party;
        look_up_party(party, &report->stopped_trail, symbols);
        g_autofree char *group = weiri_coordinates(party->group);
        g_autofree char *place = party->file != NULL
            ? g_strdup_printf("%s:%u", party->file, party->line)
            : g_strdup("an unknown place");
        char *line = g_strdup_printf("%s; item %s of group %s is at %s",
                                     report->incomplete, party->items, group, place);
        g_free(report->incomplete);
        report->incomplete = line;
    }
}
