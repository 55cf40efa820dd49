/* SPDX-License-Identifier: MIT
 *
 * finding.c: see finding.h. How a report ends: finding-close.c. */
#include "config.h"

#include "exec/finding.h"

#include "base/assert.h"
#include "exec/event.h"
#include "exec/finding-kept.h"
#include "exec/site.h"
#include "finding/identity.h"
#include "finding/names.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

/* ---- Parties ------------------------------------------------------------- */

char *weiri_uninitialized_message(const struct weir_kernel *kernel,
                                  const struct weir_party *party,
                                  const struct weiri_object *object,
                                  const volatile void *address)
{
    g_autofree char *group = weiri_coordinates(party->group);
    g_autofree char *item = weiri_coordinates(party->item);
    g_autofree char *name = weiri_object_name(object, address);
    size_t n = object->whole_bytes / object->element_bytes;
    return g_strdup_printf("%s in kernel '%s', group %s, item %s: %s of %s[%" PRId64
                           "] of %zu element%s, which was never written",
                           weir_finding_kind_name(WEIR_FINDING_UNINITIALIZED_READ),
                           kernel->name, group, item, weir_access_name(party->access),
                           name, weiri_object_index(object, address), n,
                           n == 1 ? "" : "s");
}

char *weiri_ranges(const uint32_t *numbers, size_t n)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < n;) {
        size_t last = i;
        while (last + 1 < n && numbers[last + 1] == numbers[last] + 1) {
            last++;
        }
        g_string_append_printf(text, "%s%u", i > 0 ? "," : "", numbers[i]);
        if (last > i) {
            g_string_append_printf(text, "-%u", numbers[last]);
        }
        i = last + 1;
    }
    return g_string_free(text, FALSE);
}

static void clear_party(void *data)
{
    struct weir_party *party = data;
    g_free((char *)party->items);
    g_free((char *)party->groups);
    g_free((char *)party->object);
    g_free((char *)party->value);
    g_free((char *)party->writer);
    g_free((struct weir_frame *)party->path);
}

/* Frees the texts that a finding has from a draft, before another one replaces them. */
static void free_words(const struct weir_finding *finding)
{
    g_free((char *)finding->message);
    g_free((char *)finding->object);
    g_free((char *)finding->why);
    g_free((char *)finding->cause);
    g_free((char *)finding->turns);
    g_free((char *)finding->no_turns);
    weiri_explored_free((struct weir_explored_execution *)finding->executions);
}

void weiri_explored_free(struct weir_explored_execution *execution)
{
    if (execution == NULL) {
        return;
    }
    for (size_t i = 0; i < execution->n_events; i++) {
        g_free((char *)execution->events[i].text);
        g_free((char *)execution->events[i].value);
        g_free((char *)execution->events[i].newest);
    }
    for (size_t i = 0; i < execution->n_locations; i++) {
        g_free((char *)execution->locations[i].name);
        g_free((char *)execution->locations[i].initial);
    }
    g_free((void *)execution->items);
    g_free((void *)execution->locations);
    g_free((void *)execution->events);
    g_free((void *)execution->edges);
    g_free(execution);
}

void weiri_draft_init(struct weiri_draft *draft)
{
    draft->parties = g_array_new(FALSE, FALSE, sizeof(struct weir_party));
    g_array_set_clear_func(draft->parties, clear_party);
    draft->trails = g_array_new(FALSE, FALSE, sizeof(struct weiri_trail));
}

void weiri_draft_clear(struct weiri_draft *draft)
{
    g_free(draft->message);
    g_free(draft->object);
    g_free(draft->why);
    g_free(draft->turns);
    g_free(draft->no_turns);
    weiri_explored_free(draft->execution);
    g_clear_pointer(&draft->parties, g_array_unref);
    g_clear_pointer(&draft->trails, g_array_unref);
    *draft = (struct weiri_draft){ 0 };
}

void weiri_draft_take(struct weiri_draft *draft, const struct weir_party *party,
                      const struct weiri_trail *trail)
{
    static const struct weiri_trail none;
    g_array_append_vals(draft->parties, party, 1);
    g_array_append_vals(draft->trails, trail != NULL ? trail : &none, 1);
}

void weiri_shown_place(uint32_t dim, bool reversed, const size_t at[3], size_t shown[3])
{
    for (uint32_t d = 0; d < 3; d++) {
        shown[d] = at[reversed && d < dim ? dim - 1 - d : d];
    }
}

struct weir_party weiri_party_new(enum weir_state state,
                                  const struct weiri_shape *shape,
                                  const struct weir_site *site, const char *operation,
                                  uint64_t phase, const uint32_t *items, size_t n)
{
    struct weir_party party = { .state = state,
                                .items = weiri_ranges(items, n),
                                .operation = operation,
                                .phase = phase };
    if (site != NULL) {
        struct weir_site read = weiri_site_read(site);
        party.file = read.file;
        party.function = read.function;
        party.line = read.line;
    }
    weiri_shown_place(shape->dim, shape->reversed != 0, shape->group, party.group);
    if (n > 0) {
        size_t item[3];
        weiri_seek(shape, items[0], item);
        weiri_shown_place(shape->dim, shape->reversed != 0, item, party.item);
    }
    return party;
}

enum weir_access weiri_access_of(bool reads, bool writes)
{
    return reads && writes ? WEIR_ACCESS_READ_WRITE
        : writes           ? WEIR_ACCESS_WRITE
                           : WEIR_ACCESS_READ;
}

enum weir_access weiri_access_of_atomic(enum weiri_atomic kind)
{
    G_STATIC_ASSERT((int)WEIR_ACCESS_ATOMIC_FETCH_NAND - (int)WEIR_ACCESS_ATOMIC_LOAD
                    == (int)WEIRI_ATOMIC_FETCH_NAND);
    return (enum weir_access)(WEIR_ACCESS_ATOMIC_LOAD + kind);
}

void weiri_party_set_access(struct weir_party *party, bool reads, bool writes)
{
    party->access = weiri_access_of(reads, writes);
}

void weiri_party_set_atomic(struct weir_party *party, enum weiri_atomic kind,
                            memory_order order, memory_scope scope)
{
    party->access = weiri_access_of_atomic(kind);
    party->order = weiri_order_name((unsigned)order);
    party->scope = weiri_scope_name((unsigned)scope);
}

/* A site has no return address: it is the NULL at the start of its calls. */
struct weiri_trail weiri_trail_of(const struct weiri_call_tree *call_tree,
                                  const struct weir_site *site, const void *pc,
                                  uint32_t calls)
{
    struct weiri_trail trail = { .at = { site == NULL ? pc : NULL } };
    weiri_call_tree_list(call_tree, calls, site == NULL ? pc : NULL, &trail.calls);
    if (trail.at[0] == NULL) {
        uint32_t n = MIN(trail.calls.n, WEIRI_MOST_CALLS - 1);
        memmove(&trail.calls.pc[1], &trail.calls.pc[0], n * sizeof(*trail.calls.pc));
        trail.calls.pc[0] = NULL;
        trail.calls.n = n + 1;
    }
    return trail;
}

char *weiri_coordinates(const size_t at[3])
{
    return g_strdup_printf("(%zu,%zu,%zu)", at[0], at[1], at[2]);
}

char *weiri_place_text(const struct weiri_shape *shape, const size_t at[3])
{
    size_t shown[3];
    weiri_shown_place(shape->dim, shape->reversed != 0, at, shown);
    return weiri_coordinates(shown);
}

/* ---- The moment of a finding --------------------------------------------- */

/* The statement keeps the call and its arguments. */
__attribute__((noinline)) void weiri_finding_made(enum weir_finding_kind kind,
                                                  const struct weiri_maker *first,
                                                  const struct weiri_maker *second)
{
    __asm__ volatile("" : : "r"(kind), "r"(first), "r"(second) : "memory");
}

/* ---- The report ---------------------------------------------------------- */

static void free_kept(void *data)
{
    struct weiri_kept_finding *kept = data;
    free_words(&kept->public);
    g_free((char *)kept->public.parted);
    g_clear_pointer(&kept->groups, g_hash_table_unref);
    g_array_unref(kept->parties);
    g_array_unref(kept->trails);
    g_free(kept);
}

struct weir_report *weiri_report_new(void)
{
    struct weir_report *report = g_new0(struct weir_report, 1);
    pthread_mutex_init(&report->lock, NULL);
    report->kept = g_ptr_array_new_with_free_func(free_kept);
    return report;
}

static void free_terminations(struct weir_exploration *exploration)
{
    for (size_t i = 0; i < exploration->n_terminations; i++) {
        const struct weir_explored_termination *one = &exploration->terminations[i];
        for (size_t s = 0; s < one->n_stands; s++) {
            g_free((char *)one->stands[s].name);
            g_free((char *)one->stands[s].text);
        }
        g_free((void *)one->stands);
        g_free((char *)one->undecided);
    }
    g_free((void *)exploration->terminations);
}

static void free_exploration(struct weir_exploration *exploration)
{
    for (size_t i = 0; exploration != NULL && i < exploration->n_states; i++) {
        g_free((char *)exploration->states[i].text);
    }
    for (size_t i = 0; exploration != NULL && i < exploration->n_residencies; i++) {
        g_free((char *)exploration->residencies[i].waits);
    }
    if (exploration != NULL) {
        free_terminations(exploration);
        g_free((void *)exploration->states);
        g_free((void *)exploration->residencies);
        g_free((void *)exploration->sites);
        g_free((char *)exploration->refused);
        g_free((char *)exploration->litmus);
        g_free((char *)exploration->no_litmus);
        g_free(exploration);
    }
}

void weiri_report_take_exploration(struct weir_report *report,
                                   struct weir_exploration *exploration)
{
    free_exploration(report->exploration);
    report->exploration = exploration;
}

const struct weir_exploration *weir_report_exploration(const struct weir_report *report)
{
    return report->exploration;
}

void weiri_report_take_play(struct weir_report *report, struct weir_play *play,
                            void (*free_play)(struct weir_play *play))
{
    weiri_assert(report->play == NULL);
    report->play = play;
    report->free_play = free_play;
}

const struct weir_play *weir_report_play(const struct weir_report *report)
{
    return report->play;
}

void weir_report_free(struct weir_report *report)
{
    if (report == NULL) {
        return;
    }
    if (report->play != NULL) {
        report->free_play(report->play);
    }
    free_exploration(report->exploration);
    g_ptr_array_unref(report->kept);
    g_clear_pointer(&report->steps, g_array_unref);
    g_free(report->incomplete);
    if (report->stopped_party != NULL) {
        clear_party(report->stopped_party);
        g_free(report->stopped_party);
    }
    pthread_mutex_destroy(&report->lock);
    g_free(report);
}

static bool is_same_trail(const struct weiri_trail *a, const struct weiri_trail *b)
{
    return a->at[0] == b->at[0] && a->calls.n == b->calls.n
        && memcmp(a->calls.pc, b->calls.pc, a->calls.n * sizeof(*a->calls.pc)) == 0;
}

/* Whether a draft is a finding that is kept, before addresses are looked up: the fields
 * that it has are the same, and so are the addresses. */
static bool is_same_draft(const struct weiri_draft *draft,
                          const struct weiri_kept_finding *kept)
{
    const struct weir_finding finding
        = { .kind = draft->kind,
            .kernel = draft->kernel->name,
            .note = draft->note,
            .object = draft->object,
            .n_parties = draft->parties->len,
            .parties = (const struct weir_party *)(void *)draft->parties->data };
    bool same
        = weiri_finding_compare(&finding, &kept->public, WEIRI_IDENTITY_CALLS) == 0;
    for (guint i = 0; same && i < draft->trails->len; i++) {
        same = is_same_trail(&g_array_index(draft->trails, struct weiri_trail, i),
                             &g_array_index(kept->trails, struct weiri_trail, i));
    }
    return same;
}

static void take_draft(struct weiri_kept_finding *kept, struct weiri_draft *draft)
{
    kept->public.kind = draft->kind;
    kept->public.kernel = draft->kernel->name;
    kept->public.message = draft->message;
    kept->public.n_parties = draft->parties->len;
    kept->public.parties = (const struct weir_party *)(void *)draft->parties->data;
    kept->public.form = draft->form;
    kept->public.note = draft->note;
    kept->parties = draft->parties;
    kept->trails = draft->trails;
    kept->parted_site = draft->parted_site;
    kept->parted_pc = draft->parted_pc;
    kept->public.space = draft->space;
    kept->public.object = draft->object;
    kept->public.index = draft->index;
    kept->public.why = draft->why;
    kept->public.cause = draft->cause;
    kept->public.turns = draft->turns;
    kept->public.no_turns = draft->no_turns;
    kept->public.n_executions = draft->execution != NULL;
    kept->public.executions = draft->execution;
    kept->counted = draft->count > 0;
    kept->group_linear = draft->group_linear;
}

void weiri_report_mute(struct weir_report *report, bool muted)
{
    report->muted = muted;
}

void weiri_report_add(struct weir_report *report, struct weiri_draft *draft)
{
    pthread_mutex_lock(&report->lock);
    if (report->muted) {
        weiri_draft_clear(draft);
        pthread_mutex_unlock(&report->lock);
        return;
    }
    gpointer speaker = (gpointer)(draft->group_linear + 1);
    uint64_t count = draft->count;
    struct weiri_kept_finding *same = NULL;
    for (guint i = 0; same == NULL && i < report->kept->len; i++) {
        struct weiri_kept_finding *kept = g_ptr_array_index(report->kept, i);
        if (is_same_draft(draft, kept)) {
            same = kept;
        }
    }
    if (same == NULL) {
        same = g_new0(struct weiri_kept_finding, 1);
        same->groups = g_hash_table_new(NULL, NULL);
        g_ptr_array_add(report->kept, same);
        take_draft(same, draft);
    } else if (draft->group_linear < same->group_linear) {
        free_words(&same->public);
        g_array_unref(same->parties);
        g_array_unref(same->trails);
        take_draft(same, draft);
    } else {
        weiri_draft_clear(draft);
    }
    bool is_new = g_hash_table_add(same->groups, speaker);
    same->public.count += count > 0 ? count : is_new;
    pthread_mutex_unlock(&report->lock);
    *draft = (struct weiri_draft){ 0 };
}

void weiri_report_explain(struct weir_report *report, const size_t group[3],
                          uint32_t item, struct weiri_draft *shown)
{
    g_autofree char *items = weiri_ranges(&item, 1);
    pthread_mutex_lock(&report->lock);
    for (guint i = 0; i < report->kept->len; i++) {
        struct weir_finding *finding
            = &((struct weiri_kept_finding *)g_ptr_array_index(report->kept, i))
                   ->public;
        const struct weir_party *party = finding->parties;
        bool same = finding->n_parties == 1 && !finding->note
            && (report->kept->len == 1
                || (memcmp(party->group, group, sizeof(party->group)) == 0
                    && strcmp(party->items, items) == 0));
        bool explained = finding->why != NULL || finding->n_executions > 0
            || finding->turns != NULL || finding->no_turns != NULL;
        if (same && !explained) {
            finding->n_executions = shown->execution != NULL;
            finding->why = g_steal_pointer(&shown->why);
            finding->executions = g_steal_pointer(&shown->execution);
            finding->turns = g_steal_pointer(&shown->turns);
            finding->no_turns = g_steal_pointer(&shown->no_turns);
            break;
        }
    }
    pthread_mutex_unlock(&report->lock);
    weiri_draft_clear(shown);
}

void weiri_report_sub_group_wait(struct weir_report *report)
{
    report->sub_group_wait = true; /* of a launch of one thread */
}

bool weiri_report_again(struct weir_report *report, enum weir_finding_kind kind,
                        const struct weir_site *site, const void *pc,
                        size_t group_linear)
{
    struct weir_site at = { 0 };
    if (site != NULL) {
        at = weiri_site_read(site);
        pc = NULL;
    }
    pthread_mutex_lock(&report->lock);
    bool again = false;
    for (guint i = 0; !again && i < report->kept->len; i++) {
        struct weiri_kept_finding *kept = g_ptr_array_index(report->kept, i);
        const struct weir_party *first = kept->public.parties;
        again = kept->public.kind == kind && kept->group_linear <= group_linear
            && kept->public.n_parties == 1 && first->file == at.file
            && first->line == at.line && first->function == at.function
            && g_array_index(kept->trails, struct weiri_trail, 0).at[0] == pc;
        kept->public.count += again;
    }
    pthread_mutex_unlock(&report->lock);
    return again;
}

void weiri_report_cut_short(struct weir_report *report, char *why,
                            struct weir_party *party, const struct weiri_trail *trail)
{
    pthread_mutex_lock(&report->lock);
    /* The first call may be of a thread that came too late to run an item. */
    if (report->incomplete == NULL
        || (report->stopped_party == NULL && party != NULL)) {
        g_free(report->incomplete);
        report->incomplete = why;
        if (party != NULL) {
            report->stopped_party = g_memdup2(party, sizeof(*party));
            report->stopped_trail = *trail;
        }
    } else {
        g_free(why);
        if (party != NULL) {
            clear_party(party);
        }
    }
    pthread_mutex_unlock(&report->lock);
}

void weiri_report_take_steps(struct weir_report *report, GArray *steps, uint64_t n_more)
{
    g_clear_pointer(&report->steps, g_array_unref);
    report->steps = steps;
    report->n_more_steps = n_more;
}

/* ---- Reading ------------------------------------------------------------- */

const char *weir_report_incomplete(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, NULL);
    return report->incomplete;
}

uint64_t weir_report_n_steps(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, 0);
    return report->n_steps;
}

size_t weir_report_group_items(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, 0);
    return report->items;
}

const struct weir_step *weir_report_steps(const struct weir_report *report, size_t *n,
                                          uint64_t *n_more)
{
    *n = 0;
    *n_more = 0;
    g_return_val_if_fail(report != NULL, NULL);
    if (report->steps == NULL) {
        return NULL;
    }
    *n = report->steps->len;
    *n_more = report->n_more_steps;
    return (const struct weir_step *)(void *)report->steps->data;
}

bool weir_report_saw_accesses(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, false);
    return report->accesses;
}

bool weir_report_saw_sub_group_wait(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, false);
    return report->sub_group_wait;
}

size_t weir_report_n_defects(const struct weir_report *report)
{
    g_return_val_if_fail(report != NULL, 0);
    size_t n = 0;
    for (guint i = 0; i < report->kept->len; i++) {
        n += !((const struct weiri_kept_finding *)g_ptr_array_index(report->kept, i))
                  ->public.note;
    }
    return n;
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
    const struct weiri_kept_finding *kept = g_ptr_array_index(report->kept, index);
    return &kept->public;
}
