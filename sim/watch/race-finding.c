/* SPDX-License-Identifier: MIT
 *
 * race-finding.c: the words of the pairs that race-report.c has kept: a finding of
 * each, with two parties and the reason of race-reason.c. */
#include "config.h"

#include "watch/race-report.h"

#include "watch/race-reason.h"

static void add_party(struct weiri_draft *draft, const struct weiri_race_report *races,
                      const struct weiri_call_tree *call_tree,
                      const struct weiri_race_access *access, uint64_t phase)
{
    struct weiri_shape shape = races->context.shape;
    weiri_group_place(&shape, access->group);
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, &shape, access->site,
                                              NULL, phase, &access->item, 1);
    if (access->atomic && !access->is_volatile) {
        weiri_party_set_atomic(&party, access->kind, access->order, access->scope);
    } else {
        weiri_party_set_access(&party, access->reads, access->writes);
    }
    struct weiri_trail trail
        = weiri_trail_of(call_tree, access->site, access->pc, access->calls);
    weiri_draft_take(draft, &party, &trail);
}

static const char *kind_text(enum weir_finding_kind kind)
{
    return kind == WEIR_FINDING_SCOPE_RACE  ? "scope race"
        : kind == WEIR_FINDING_MIXED_ATOMIC ? "race of an atomic and a plain access"
                                            : "data race";
}

/* Whether both are plain accesses of one line. */
static bool is_of_line(const struct weiri_race_report *races, const void *pc,
                       const struct weiri_race_pair *pair)
{
    const struct weiri_symbols *symbols = races->context.symbols;
    return pair->kind == WEIR_FINDING_DATA_RACE && symbols != NULL && pc != NULL
        && symbols->same_line(pc, pair->first.pc)
        && symbols->same_line(pc, pair->second.pc);
}

/* Whether items change one element by one statement, as x++. Its read races with its
 * write, and the write with itself; in a[i] += a[i + 1] only the former does, and in
 * *sum = a[i] + a[i - 1] the latter, of another element. */
static bool loses_changes(const struct weiri_race_report *races,
                          const struct weiri_race_pair *pair)
{
    bool reads = false, writes = false;
    for (guint i = 0; i < races->pairs->len; i++) {
        const struct weiri_race_pair *other = g_ptr_array_index(races->pairs, i);
        const struct weiri_race_access *a = &other->first, *b = &other->second;
        if (other->object == pair->object && other->offset == pair->offset
            && is_of_line(races, pair->first.pc, pair)
            && is_of_line(races, pair->first.pc, other)) {
            reads |= (a->reads && b->writes) || (a->writes && b->reads);
            writes |= a->writes && b->writes;
        }
    }
    return reads && writes;
}

/* The first line of the finding, up to the groups and the memory. */
static char *head_text(const struct weiri_explained_pair *pair,
                       const struct weir_kernel *kernel)
{
    return pair->in_step
        ? g_strdup_printf("kernel '%s' relies on lockstep", kernel->name)
        : g_strdup_printf("%s in kernel '%s'", kind_text(pair->public.kind),
                          kernel->name);
}

static void add_finding(const struct weiri_race_report *races,
                        const struct weiri_explained_pair *pair,
                        const struct weir_kernel *kernel,
                        const struct weiri_call_tree *call_tree,
                        struct weir_report *report)
{
    const struct weiri_race_pair *public = &pair->public;
    struct weiri_shape shape = races->context.shape;
    weiri_group_place(&shape, MAX(public->first.group, public->second.group));
    g_autofree char *group = weiri_place_text(&shape, shape.group);
    weiri_group_place(&shape, MIN(public->first.group, public->second.group));
    g_autofree char *other = weiri_place_text(&shape, shape.group);
    bool one = public->first.group == public->second.group;
    struct weiri_draft draft = {
        .kind = public->kind,
        .kernel = kernel,
        .group_linear = (size_t)MIN(public->first.group, public->second.group),
        .note = pair->in_step
            || (public->same_value
                && races->context.rules.same_value == WEIR_SAME_VALUE_NOTE),
        .form = pair->in_step ? "relies on lockstep" : NULL,
        .space = weiri_object_space(public->object),
        .object = g_strdup(pair->object),
        .index = pair->index,
        .count = public->count,
    };
    g_autofree char *head = head_text(pair, kernel);
    draft.message = g_strdup_printf(
        "%s, group%s %s%s%s: %s[%" G_GINT64_FORMAT "]%s", head, one ? "" : "s",
        one ? group : other, one ? "" : " and ", one ? "" : group, pair->object,
        pair->index, public->same_value ? ", both write the same value" : "");
    draft.why = weiri_race_reason(&races->context, pair, kernel,
                                  loses_changes(races, public));
    draft.cause = pair->in_step ? NULL : weiri_race_cause(&races->context, pair);
    weiri_draft_init(&draft);
    add_party(&draft, races, call_tree, &public->first, pair->phases[0]);
    add_party(&draft, races, call_tree, &public->second, pair->phases[1]);
    weiri_report_add(report, &draft);
}

void weiri_race_report_findings(struct weiri_race_report *races,
                                const struct weir_kernel *kernel,
                                const struct weiri_call_tree *call_tree,
                                const struct weiri_symbols *symbols,
                                struct weir_report *report)
{
    races->context.symbols = symbols;
    races->context.language = kernel->language;
    for (guint i = 0; i < races->pairs->len; i++) {
        add_finding(races, g_ptr_array_index(races->pairs, i), kernel, call_tree,
                    report);
    }
}
