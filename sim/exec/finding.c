/* SPDX-License-Identifier: MIT
 *
 * finding.c: see finding.h for what is joined and who speaks. */
#include "config.h"

#include "exec/finding.h"

#include <pthread.h>
#include <string.h>

/* A finding as it is kept: the public value and what orders it. */
struct kept {
    struct weir_finding public; /* strings and parties owned by the report */
    size_t group_linear;
    GArray *parties;
};

struct weir_report {
    pthread_mutex_t lock; /* guards @kept until the report is closed */
    GPtrArray *kept;      /* of struct kept, owned */
};

const char *weir_finding_kind_name(enum weir_finding_kind kind)
{
    static const char *const names[] = {
#define X(name, text) text,
        WEIR_FINDING_KINDS(X)
#undef X
    };
    g_return_val_if_fail((size_t)kind < G_N_ELEMENTS(names), NULL);
    return names[kind];
}

/* ---- Parties ------------------------------------------------------------- */

static char *ranges(const uint32_t *items, size_t n)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < n;) {
        size_t last = i;
        while (last + 1 < n && items[last + 1] == items[last] + 1) {
            last++;
        }
        g_string_append_printf(text, "%s%u", i > 0 ? "," : "", items[i]);
        if (last > i) {
            g_string_append_printf(text, "-%u", items[last]);
        }
        i = last + 1;
    }
    return g_string_free(text, FALSE);
}

static void clear_party(void *data)
{
    struct weir_party *party = data;
    g_free((char *)party->items);
}

GArray *weiri_parties_new(void)
{
    GArray *parties = g_array_new(FALSE, FALSE, sizeof(struct weir_party));
    g_array_set_clear_func(parties, clear_party);
    return parties;
}

struct weir_party weiri_party_new(const char *state, const struct weiri_shape *shape,
                                  const struct weir_site *site, const char *operation,
                                  uint64_t phase, const uint32_t *items, size_t n)
{
    struct weir_party party = { .state = state,
                                .items = ranges(items, n),
                                .operation = operation,
                                .phase = phase };
    if (site != NULL) {
        party.file = site->file;
        party.function = site->function;
        party.line = site->line;
    }
    memcpy(party.group, shape->group, sizeof(party.group));
    if (n > 0) {
        weiri_seek(shape, items[0], party.item);
    }
    return party;
}

char *weiri_coordinates(const size_t at[3])
{
    return g_strdup_printf("(%zu,%zu,%zu)", at[0], at[1], at[2]);
}

/* ---- The report ---------------------------------------------------------- */

static void free_kept(void *data)
{
    struct kept *kept = data;
    g_free((char *)kept->public.message);
    g_array_unref(kept->parties);
    g_free(kept);
}

struct weir_report *weiri_report_new(void)
{
    struct weir_report *report = g_new(struct weir_report, 1);
    pthread_mutex_init(&report->lock, NULL);
    report->kept = g_ptr_array_new_with_free_func(free_kept);
    return report;
}

void weir_report_free(struct weir_report *report)
{
    if (report == NULL) {
        return;
    }
    g_ptr_array_unref(report->kept);
    pthread_mutex_destroy(&report->lock);
    g_free(report);
}

static int compare_parties(const struct weir_party *a, const struct weir_party *b)
{
    int order = g_strcmp0(a->file, b->file);
    if (order == 0 && a->line != b->line) {
        order = a->line < b->line ? -1 : 1;
    }
    if (order == 0) {
        order = g_strcmp0(a->state, b->state);
    }
    if (order == 0) {
        order = g_strcmp0(a->operation, b->operation);
    }
    return order;
}

/* By kind, kernel and sites; 0 where the two are one finding. */
static int compare_kind_and_sites(enum weir_finding_kind kind_a, const char *kernel_a,
                                  GArray *parties_a, const struct kept *b)
{
    if (kind_a != b->public.kind) {
        return kind_a < b->public.kind ? -1 : 1;
    }
    int order = strcmp(kernel_a, b->public.kernel);
    for (guint i = 0; order == 0 && i < parties_a->len && i < b->parties->len; i++) {
        order = compare_parties(&g_array_index(parties_a, struct weir_party, i),
                                &g_array_index(b->parties, struct weir_party, i));
    }
    if (order == 0 && parties_a->len != b->parties->len) {
        order = parties_a->len < b->parties->len ? -1 : 1;
    }
    return order;
}

static int compare_kept(const void *a, const void *b)
{
    const struct kept *first = *(const struct kept *const *)a;
    const struct kept *second = *(const struct kept *const *)b;
    return compare_kind_and_sites(first->public.kind, first->public.kernel,
                                  first->parties, second);
}

static void take_draft(struct kept *kept, struct weiri_draft *draft)
{
    kept->public.kind = draft->kind;
    kept->public.kernel = draft->kernel->name;
    kept->public.message = draft->message;
    kept->public.n_parties = draft->parties->len;
    kept->public.parties = (const struct weir_party *)(void *)draft->parties->data;
    kept->parties = draft->parties;
    kept->group_linear = draft->group_linear;
}

void weiri_report_add(struct weir_report *report, struct weiri_draft *draft)
{
    pthread_mutex_lock(&report->lock);
    struct kept *same = NULL;
    for (guint i = 0; same == NULL && i < report->kept->len; i++) {
        struct kept *kept = g_ptr_array_index(report->kept, i);
        if (compare_kind_and_sites(draft->kind, draft->kernel->name, draft->parties,
                                   kept)
            == 0) {
            same = kept;
        }
    }
    if (same == NULL) {
        same = g_new0(struct kept, 1);
        g_ptr_array_add(report->kept, same);
        take_draft(same, draft);
    } else if (draft->group_linear < same->group_linear) {
        g_free((char *)same->public.message);
        g_array_unref(same->parties);
        take_draft(same, draft);
    } else {
        g_free(draft->message);
        g_array_unref(draft->parties);
    }
    same->public.count++;
    pthread_mutex_unlock(&report->lock);
    *draft = (struct weiri_draft){ 0 };
}

bool weiri_report_again(struct weir_report *report, enum weir_finding_kind kind,
                        const struct weir_site *site, size_t group_linear)
{
    pthread_mutex_lock(&report->lock);
    bool again = false;
    for (guint i = 0; !again && i < report->kept->len; i++) {
        struct kept *kept = g_ptr_array_index(report->kept, i);
        const struct weir_party *first = kept->public.parties;
        again = kept->public.kind == kind && kept->group_linear <= group_linear
            && kept->public.n_parties == 1 && first->file == site->file
            && first->line == site->line && first->function == site->function;
        kept->public.count += again;
    }
    pthread_mutex_unlock(&report->lock);
    return again;
}

void weiri_report_close(struct weir_report *report)
{
    g_ptr_array_sort(report->kept, compare_kept);
}

size_t weir_report_n_findings(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, 0);
    return report->kept->len;
}

const struct weir_finding *weir_report_finding(const struct weir_report *report,
                                               size_t index)
{
    g_return_val_if_fail(report != NULL && index < report->kept->len, NULL);
    const struct kept *kept = g_ptr_array_index(report->kept, index);
    return &kept->public;
}
