/* SPDX-License-Identifier: MIT
 *
 * message.c: see message.h. A message is a read of a value that another thread wrote,
 * directly or through read-modify-writes. If two accesses race, then either no messages
 * and barriers lead from one to the other, or at least one of these does not
 * synchronise. The first one that does not is reported, with the property that it
 * lacks.
 *
 * The model decides whether there is order. The reason is searched for in the sequence
 * in which axioms require it: atomic, release, acquire, scopes, address spaces. */
#include "config.h"

#include "answer/message-own.h"
#include "model/ptx-steps.h"
#include "model/vulkan-steps.h"

typedef struct weiri_execution_event happening;

/* ---- Events ---------------------------------------------------------------------- */

static const struct weiri_execution *execution_of(const struct weiri_messages *in)
{
    return in->facts->execution;
}

static const happening *event_of(const struct weiri_messages *in, uint32_t event)
{
    return &execution_of(in)->events[event];
}

static const struct weiri_program_location *location_of(const struct weiri_messages *in,
                                                        uint32_t access)
{
    return &execution_of(in)->program->locations[event_of(in, access)->location];
}

static const char *name_of(const struct weiri_messages *in, uint32_t access)
{
    return location_of(in, access)->name;
}

/* The write that a read-modify-write has read, if @write belongs to one; otherwise
 * WEIRI_INITIAL. */
static uint32_t updated_by(const struct weiri_messages *in, uint32_t write)
{
    return event_of(in, write)->update ? event_of(in, write - 1)->from : WEIRI_INITIAL;
}

static bool is_fence(const struct weiri_messages *in, uint32_t event)
{
    return event_of(in, event)->kind == WEIRI_FENCES;
}

static bool is_strong(const struct weiri_messages *in, uint32_t one, uint32_t other)
{
    return weiri_relation_has(in->facts->algebra, in->facts->strong, one, other);
}

static unsigned space_of(const struct weiri_messages *in, uint32_t access)
{
    return location_of(in, access)->space;
}

static const char *space_name(unsigned spaces)
{
    return spaces == (WEIR_LOCAL | WEIR_GLOBAL) ? "local and global"
        : spaces == WEIR_LOCAL                  ? "local"
        : spaces == WEIR_GLOBAL                 ? "global"
                                                : "no";
}

/* Whether a fence names all these address spaces; true for other events. */
static bool names(const struct weiri_messages *in, uint32_t event, unsigned spaces)
{
    return !is_fence(in, event) || (event_of(in, event)->spaces & spaces) == spaces;
}

/* ---- Messages -------------------------------------------------------------------- */

/* Returns: (transfer full): "P1 (line 9) reads what P0 writes (line 6), by way of the
 * read-modify-write in line 7". @later: the write is not the first of its release
 * sequence */
static char *text_of(const struct weiri_messages *in, uint32_t write, uint32_t read,
                     bool later)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    uint32_t n = 0;
    for (uint32_t w = event_of(in, read)->from; w != write; w = updated_by(in, w)) {
        g_autofree char *line = g_strdup_printf("%s%s", weiri_message_line(in, w),
                                                n == 0       ? ""
                                                    : n == 1 ? " and "
                                                             : ", ");
        g_string_prepend(lines, line);
        n++;
    }
    g_autofree char *way = n == 0
        ? g_strdup("")
        : g_strdup_printf(", by way of the read-modify-write%s in line%s %s",
                          n > 1 ? "s" : "", n > 1 ? "s" : "", lines->str);
    return g_strdup_printf("%s (line %s) reads what %s writes%s (line %s)%s",
                           weiri_message_thread(in, read), weiri_message_line(in, read),
                           weiri_message_thread(in, write), later ? " later" : "",
                           weiri_message_line(in, write), way);
}

/* ---- What carries a synchronisation ---------------------------------------------- */

/* Whether @from releases by the write: it is the write itself, a fence before it, or an
 * earlier write of its thread to the same location. */
static bool releases_by(const struct weiri_messages *in, uint32_t from, uint32_t write)
{
    const happening *begin = event_of(in, from), *sent = event_of(in, write);
    return sent->thread == begin->thread && sent->atomic && write >= from
        && (is_fence(in, from) || sent->location == begin->location);
}

/* Finds the write by which @from has released the value that @read reads. Returns: how
 * well it meets the model's requirements; 0: not found */
static int find_sent(const struct weiri_messages *in, uint32_t from, uint32_t read,
                     uint32_t to, uint32_t *sent)
{
    bool strong = true;
    for (uint32_t r = read, w = event_of(in, read)->from; w != WEIRI_INITIAL;
         r = w - 1, w = updated_by(in, w)) {
        strong = strong && is_strong(in, w, r);
        if (releases_by(in, from, w)) {
            unsigned space = space_of(in, w);
            bool named = names(in, from, space) && names(in, to, space);
            *sent = w;
            bool needed = in->model->scopes == WEIRI_SCOPES_EQUAL ? named : strong;
            return 1 + needed + (strong && named);
        }
    }
    return 0;
}

char *weiri_message_carrier(const struct weiri_messages *in, uint32_t from, uint32_t to)
{
    const happening *end = event_of(in, to);
    uint32_t sent = WEIRI_INITIAL, got = WEIRI_INITIAL;
    int best = 0;
    for (uint32_t r = is_fence(in, to) ? execution_of(in)->first[end->thread] : to;
         r <= to; r++) {
        const happening *read = event_of(in, r);
        uint32_t write;
        int fit = read->kind == WEIRI_READS_MEMORY && read->atomic
            ? find_sent(in, from, r, to, &write)
            : 0;
        if (fit > best) {
            best = fit;
            sent = write;
            got = r;
        }
    }
    bool later = !is_fence(in, from) && sent != from;
    return best == 0 ? NULL : text_of(in, sent, got, later);
}

/* ---- What an order lacks --------------------------------------------------------- */

/* The storage classes of a set: "sc0 and sc2". Returns: (transfer full) */
static char *classes_text(unsigned classes)
{
    GString *text = g_string_new(NULL);
    for (unsigned c = 0; classes >> c != 0; c++) {
        if ((classes >> c & 1) != 0) {
            g_string_append_printf(text, "%ssc%u", text->len > 0 ? " and " : "", c);
        }
    }
    g_string_append(text, text->len == 0 ? "no class" : "");
    return g_string_free(text, FALSE);
}

/* Vulkan: the ends order storage classes. Returns: (transfer full): the end that does
 * not order the class of the flag or of the data; or NULL */
static char *why_other_class(const struct weiri_messages *in, uint32_t begin,
                             uint32_t read, uint32_t end, uint32_t data)
{
    const uint32_t ends[] = { begin, end }, what[] = { read, data };
    for (size_t w = 0; w < G_N_ELEMENTS(what); w++) {
        unsigned class = event_of(in, what[w])->traits.storage;
        for (size_t e = 0; e < G_N_ELEMENTS(ends); e++) {
            unsigned orders = event_of(in, ends[e])->traits.semantics;
            bool is_own = w == 0 && !is_fence(in, ends[e]);
            if ((orders & class) == 0 && !is_own) {
                g_autofree char *named = classes_text(orders);
                g_autofree char *needed = classes_text(class);
                return g_strdup_printf(
                    "the semantics of the %s in line %s have %s, but '%s' is in %s",
                    is_fence(in, ends[e]) ? "fence" : weiri_message_noun(in, ends[e]),
                    weiri_message_line(in, ends[e]), named, name_of(in, what[w]),
                    needed);
            }
        }
    }
    return NULL;
}

/* For models that order address spaces separately. Returns: (transfer full): why
 * synchronisation through the location of @read does not order @data; or NULL */
static char *why_apart(const struct weiri_messages *in, uint32_t begin, uint32_t read,
                       uint32_t end, uint32_t data)
{
    const uint32_t ends[] = { begin, end };
    const uint32_t what[] = { read, data };
    if (in->model->form != WEIRI_FORM_C) {
        return in->model->form == WEIRI_FORM_VULKAN
            ? why_other_class(in, begin, read, end, data)
            : NULL;
    }
    bool fences = is_fence(in, begin) && is_fence(in, end);
    for (size_t w = 0; w < G_N_ELEMENTS(what); w++) {
        unsigned space = space_of(in, what[w]);
        for (size_t e = 0; e < G_N_ELEMENTS(ends); e++) {
            if (!names(in, ends[e], space) && (w == 0 || fences)) {
                return g_strdup_printf(
                    "the fence in line %s orders %s memory, but '%s' is in %s memory",
                    weiri_message_line(in, ends[e]),
                    space_name(event_of(in, ends[e])->spaces), name_of(in, what[w]),
                    space_name(space));
            }
        }
    }
    if (space_of(in, read) == space_of(in, data)) {
        return NULL;
    }
    return g_strdup_printf("the flag '%s' is in %s memory, which orders %s memory only",
                           name_of(in, read), space_name(space_of(in, read)),
                           space_name(space_of(in, read)));
}

/* ---- Messages that make no order ------------------------------------------------- */

/* A step from one thread to another, by a message or a barrier. */
struct step {
    uint32_t since;  /* where the step before arrived in the thread that this one
                        leaves */
    uint32_t leaves; /* a write, or the entry of a barrier */
    uint32_t arrives;
    uint32_t until; /* the end of the way in the thread at which this one arrives */
    uint32_t data;  /* an access that it should order */
};

static bool has_kind(const struct weiri_messages *in, unsigned kind, uint32_t event)
{
    return weiri_event_set_has(in->facts->kinds[kind], event);
}

static bool is_release(const struct weiri_messages *in, uint32_t event)
{
    if (in->model->form == WEIRI_FORM_PTX && is_fence(in, event)) {
        return has_kind(in, WEIRI_PTX_RELEASE_FENCES, event);
    }
    return in->model->form == WEIRI_FORM_VULKAN
        ? has_kind(in, WEIRI_VULKAN_RELEASES, event)
        : weiri_event_set_has(in->facts->release, event);
}

static bool is_acquire(const struct weiri_messages *in, uint32_t event)
{
    if (in->model->form == WEIRI_FORM_PTX) {
        return has_kind(in, WEIRI_PTX_ACQUIRE_FENCES, event)
            || has_kind(in, WEIRI_PTX_ACQUIRES, event);
    }
    return in->model->form == WEIRI_FORM_VULKAN
        ? has_kind(in, WEIRI_VULKAN_ACQUIRES, event)
        : weiri_event_set_has(in->facts->acquire, event);
}

/* If writes of other threads end release sequences: one between two writes of a thread;
 * otherwise WEIRI_INITIAL. */
static uint32_t gap_between(const struct weiri_messages *in, uint32_t release,
                            uint32_t write)
{
    const happening *from = event_of(in, release), *to = event_of(in, write);
    for (uint32_t e = 0; e < execution_of(in)->n_events; e++) {
        const happening *between = event_of(in, e);
        if (in->model->scopes == WEIRI_SCOPES_EQUAL
            && between->kind == WEIRI_WRITES_MEMORY && !between->update
            && between->location == to->location && between->thread != to->thread
            && between->position > from->position && between->position < to->position) {
            return e;
        }
    }
    return WEIRI_INITIAL;
}

/* Returns: the first event from @e on by which the thread releases the step's write, or
 * WEIRI_INITIAL. @gap: (out): a write that prevents one of them */
static uint32_t next_release(const struct weiri_messages *in, const struct step *step,
                             uint32_t e, uint32_t *gap)
{
    for (; e <= step->leaves; e++) {
        if (!is_release(in, e) || !releases_by(in, e, step->leaves)) {
            continue;
        }
        uint32_t between
            = is_fence(in, e) ? WEIRI_INITIAL : gap_between(in, e, step->leaves);
        if (between == WEIRI_INITIAL) {
            return e;
        }
        *gap = between;
    }
    return WEIRI_INITIAL;
}

/* The same for the events by which the other thread acquires: the read, and fences
 * after it. */
static uint32_t next_acquire(const struct weiri_messages *in, const struct step *step,
                             uint32_t e)
{
    for (; e < step->until || e == step->arrives; e++) {
        if (is_acquire(in, e) && (e == step->arrives || is_fence(in, e))) {
            return e;
        }
    }
    return WEIRI_INITIAL;
}

/* Returns: (transfer full): what the release and acquire ends lack, for those that lack
 * the least; NULL if they lack nothing */
static char *why_ends(const struct weiri_messages *in, const struct step *step)
{
    char *why = NULL;
    uint32_t gap = WEIRI_INITIAL;
    uint32_t begin = next_release(in, step, step->since + 1, &gap);
    for (; begin != WEIRI_INITIAL; begin = next_release(in, step, begin + 1, &gap)) {
        uint32_t end = next_acquire(in, step, step->arrives);
        for (; end != WEIRI_INITIAL; end = next_acquire(in, step, end + 1)) {
            if (is_strong(in, begin, end)) {
                g_free(why);
                return why_apart(in, begin, step->arrives, end, step->data);
            }
            why = why != NULL ? why : weiri_message_not_strong(in, begin, end);
        }
    }
    return why;
}

/* Returns: (transfer full): why a read and the write that it reads do not include each
 * other in their scopes; or NULL */
static char *why_link(const struct weiri_messages *in, const struct step *step)
{
    if (in->model->scopes == WEIRI_SCOPES_EQUAL) {
        return NULL; /* such a model compares the scopes of the ends only */
    }
    uint32_t r = step->arrives, w = event_of(in, r)->from;
    while (is_strong(in, w, r)) {
        if (w == step->leaves) {
            return NULL;
        }
        r = w - 1;
        w = updated_by(in, w);
    }
    return weiri_message_not_strong(in, w, r);
}

/* Returns: (transfer full): why a message does not synchronise */
static char *why_message(const struct weiri_messages *in, const struct step *step)
{
    uint32_t gap = WEIRI_INITIAL;
    if (!event_of(in, step->leaves)->atomic || !event_of(in, step->arrives)->atomic) {
        return g_strdup(in->model->form == WEIRI_FORM_PTX ? "they are not both strong"
                                                          : "they are not both atomic");
    }
    if (next_release(in, step, step->since + 1, &gap) == WEIRI_INITIAL) {
        return gap == WEIRI_INITIAL
            ? g_strdup("the write is not a release, and no release fence is before it")
            : g_strdup_printf(
                "the write is not a release, and %s's write (line %s) ends "
                "the release sequence of the one before it",
                weiri_message_thread(in, gap), weiri_message_line(in, gap));
    }
    if (next_acquire(in, step, step->arrives) == WEIRI_INITIAL) {
        return g_strdup("the read is not an acquire, and no acquire fence is after it");
    }
    char *why = why_link(in, step);
    why = why != NULL ? why : why_ends(in, step);
    return why != NULL ? why : g_strdup("the model requires more");
}

/* ---- From one access to another -------------------------------------------------- */

/* The event after @at at which a step to @event leaves the thread: the write that is
 * read, or the entry to the barrier; or WEIRI_INITIAL. */
static uint32_t leaves_for(const struct weiri_messages *in, uint32_t at, uint32_t event)
{
    const struct weiri_execution *execution = execution_of(in);
    uint32_t end = execution->first[event_of(in, at)->thread + 1];
    const happening *to = event_of(in, event);
    if (to->kind == WEIRI_READS_MEMORY) {
        uint32_t w = to->from;
        while (w != WEIRI_INITIAL && (w <= at || w >= end)) {
            w = updated_by(in, w);
        }
        return w;
    }
    for (uint32_t e = at + 1; e < end && to->kind == WEIRI_EXITS; e++) {
        if (weiri_relation_has(in->facts->algebra, in->facts->bar, e, event)) {
            return e;
        }
    }
    return WEIRI_INITIAL;
}

/* Returns: (transfer full): a shortest way from @one to @other, an array of struct
 * step; empty if no way exists */
static GArray *find_way(const struct weiri_messages *in, uint32_t one, uint32_t other)
{
    uint32_t n = execution_of(in)->n_events, n_queued = 0;
    g_autofree uint32_t *queue = g_new(uint32_t, n + 1);
    g_autofree struct step *by = g_new0(struct step, n + 1); /* by the event at which
                                                                they arrive */
    GArray *way = g_array_new(FALSE, FALSE, sizeof(struct step));
    uint32_t thread = event_of(in, other)->thread, end = WEIRI_INITIAL;
    queue[n_queued++] = one;
    for (uint32_t i = 0; i < n_queued && end == WEIRI_INITIAL; i++) {
        for (uint32_t e = n; e-- > 0 && end == WEIRI_INITIAL;) {
            const happening *event = event_of(in, e);
            uint32_t leaves
                = event->thread == event_of(in, queue[i])->thread || by[e].until != 0
                ? WEIRI_INITIAL
                : leaves_for(in, queue[i], e);
            if (leaves != WEIRI_INITIAL) {
                by[e] = (struct step){ queue[i], leaves, e, n, one };
                queue[n_queued++] = e;
                end = event->thread == thread && e < other ? e : end;
            }
        }
    }
    uint32_t until = other;
    for (uint32_t e = end; e != WEIRI_INITIAL && e != one; e = by[e].since) {
        by[e].until = until;
        until = by[e].leaves;
        g_array_prepend_val(way, by[e]);
    }
    return way;
}

/* Whether the step orders @one before the events after the step. */
static bool is_ordered(const struct weiri_messages *in, uint32_t one,
                       const struct step *step)
{
    for (uint32_t o = 0; o < in->facts->n_orders; o++) {
        const struct weiri_model_order *order = &in->facts->orders[o];
        for (uint32_t e = step->arrives; e <= step->until; e++) {
            if (weiri_event_set_has(order->memory, one)
                && weiri_relation_has(in->facts->algebra, order->hb, one, e)) {
                return true;
            }
        }
    }
    return false;
}

/* Returns: (transfer full): why the first step of the way that does not synchronise
 * does not */
static char *why_way(const struct weiri_messages *in, const GArray *way, uint32_t one)
{
    guint i = 0;
    const struct step *step = &g_array_index(way, struct step, 0);
    while (i + 1 < way->len && is_ordered(in, one, step)) {
        step = &g_array_index(way, struct step, ++i);
    }
    if (event_of(in, step->leaves)->kind == WEIRI_ENTERS) {
        g_autofree char *whose = way->len == 1
            ? g_strdup("them")
            : g_strdup_printf("%s and %s (line %s)",
                              weiri_message_thread(in, step->leaves),
                              weiri_message_thread(in, step->arrives),
                              weiri_message_line(in, step->leaves));
        return g_strdup_printf(
            in->model->form == WEIRI_FORM_VULKAN
                ? "the barrier between %s orders no memory in the storage class of '%s'"
                : "the barrier between %s does not order the memory of '%s'",
            whose, name_of(in, one));
    }
    g_autofree char *what = text_of(in, step->leaves, step->arrives, false);
    g_autofree char *lacks = why_message(in, step);
    return g_strdup_printf("%s, but that does not synchronise: %s", what, lacks);
}

/* Whether the thread of @one enters a barrier after it, and the thread of @other leaves
 * one before it. */
static bool barriers_between(const struct weiri_messages *in, uint32_t one,
                             uint32_t other)
{
    const struct weiri_execution *execution = execution_of(in);
    uint32_t end = execution->first[event_of(in, one)->thread + 1];
    bool after = false, before = false;
    for (uint32_t e = one + 1; e < end; e++) {
        after |= event_of(in, e)->kind == WEIRI_ENTERS;
    }
    for (uint32_t e = execution->first[event_of(in, other)->thread]; e < other; e++) {
        before |= event_of(in, e)->kind == WEIRI_EXITS;
    }
    return after && before;
}

char *weiri_message_unordered(const struct weiri_messages *in, uint32_t one,
                              uint32_t other)
{
    const struct weiri_program_thread *threads = execution_of(in)->program->threads;
    uint32_t first = event_of(in, one)->thread, second = event_of(in, other)->thread;
    g_autoptr(GArray) there = find_way(in, one, other);
    g_autoptr(GArray) back = find_way(in, other, one);
    if (there->len > 0 && (back->len == 0 || there->len <= back->len)) {
        return why_way(in, there, one);
    }
    if (back->len > 0) {
        return why_way(in, back, other);
    }
    if (threads[first].group != threads[second].group
        && (barriers_between(in, one, other) || barriers_between(in, other, one))) {
        return g_strdup_printf("%s and %s are in different groups, and a barrier "
                               "synchronises one group only",
                               weiri_message_thread(in, one),
                               weiri_message_thread(in, other));
    }
    return g_strdup("no barrier and no release/acquire pair orders the two accesses");
}

/* "line 3 is a plain access to 'x', which is atomic; ", or nothing.
 * Returns: (transfer full) */
static char *plain_text(const struct weiri_messages *in, uint32_t one, uint32_t other)
{
    bool first = !event_of(in, one)->atomic, second = !event_of(in, other)->atomic;
    if (!location_of(in, one)->atomic) {
        return g_strdup("");
    }
    if (first && second) {
        return g_strdup_printf(
            "lines %s and %s are plain accesses to '%s', which is atomic; ",
            weiri_message_line(in, one), weiri_message_line(in, other),
            name_of(in, one));
    }
    return g_strdup_printf("line %s is a plain access to '%s', which is atomic; ",
                           weiri_message_line(in, first ? one : other),
                           name_of(in, one));
}

char *weiri_message_race(const struct weiri_messages *in, uint32_t one, uint32_t other)
{
    char *stated = weiri_message_table(in, one, other);
    if (stated != NULL) {
        return stated;
    }
    if (event_of(in, one)->atomic && event_of(in, other)->atomic) {
        g_autofree char *scopes = weiri_message_not_strong(in, one, other);
        return g_strdup_printf("both are atomic, but %s", scopes);
    }
    g_autofree char *plain = plain_text(in, one, other);
    g_autofree char *why = weiri_message_unordered(in, one, other);
    return g_strconcat(plain, why, NULL);
}

char *weiri_message_link(const struct weiri_messages *in, uint32_t write, uint32_t read)
{
    char *link = weiri_message_table_link(in, write, read);
    if (link != NULL || in->model->form == WEIRI_FORM_C) {
        return link;
    }
    g_autofree char *why = weiri_message_race(in, write, read);
    return g_strdup_printf("not in location order: %s", why);
}
