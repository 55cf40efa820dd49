/* SPDX-License-Identifier: MIT
 *
 * table-fix.c: see table-fix.h. A change replaces the text of a cell, or puts a new one
 * before it, or the fence of another place. Rules make changes of texts alone, part by
 * part of the mnemonic. Changes that make no sense are refused by the parser, so that
 * rules need not know which parts go together.
 *
 *     list_changes()       by the rules, each with a cost
 *     search()             one change, then two, in the order of their costs
 *       is_fixed()         the changed table is printed, read and asked
 *
 * A change that leaves no execution would forbid everything, and is not taken. */
#include "config.h"

#include "answer/table-fix.h"

#include "litmus/program.h"

#include <string.h>

/* Changed tables that are tried: some seconds. */
enum { MOST_TRIED = 3000, MOST_FIXES = 3, MOST_EXECUTIONS = 500 };

/* What a change costs: a part that is stronger, an access that becomes strong, a fence
 * in another place, and an instruction more. */
enum { PART = 1, ACCESS = 2, MOVE = 2, INSTRUCTION = 3 };

/* @moves: the instruction @after is taken from @from_row of @from_thread */
struct change {
    uint32_t thread, row;
    unsigned cost;
    const char *before; /* or NULL: an instruction more, before that row */
    const char *after;
    bool moves;
    uint32_t from_thread, from_row;
};

struct fixer {
    const struct weiri_litmus *test;
    const struct weiri_model *model;
    uint32_t rounds;
    gint64 ends; /* the time limit; 0: none */
    uint32_t n_tried;
    unsigned classes; /* storage classes that the test has */
    GStringChunk *strings;
    GArray *changes; /* of struct change */
    GArray *fixes;   /* of struct weir_litmus_fix */
};

/* ---- Rules ----------------------------------------------------------------------- */

/* In an instruction that begins with one of the words of @of, the part @from becomes
 * @to; it can be several parts. */
static const struct rule {
    enum weiri_litmus_form form;
    const char *of, *from, *to;
    unsigned cost;
} rules[] = {
    { WEIRI_LITMUS_PTX, "ld", "relaxed", "acquire", PART },
    { WEIRI_LITMUS_PTX, "st", "relaxed", "release", PART },
    { WEIRI_LITMUS_PTX, "atom red", "relaxed", "acquire", PART },
    { WEIRI_LITMUS_PTX, "atom red", "relaxed", "release", PART },
    { WEIRI_LITMUS_PTX, "atom red", "relaxed", "acq_rel", PART },
    { WEIRI_LITMUS_PTX, "atom red", "acquire", "acq_rel", PART },
    { WEIRI_LITMUS_PTX, "atom red", "release", "acq_rel", PART },
    { WEIRI_LITMUS_PTX, "mbarrier", "relaxed", "release", PART },
    { WEIRI_LITMUS_PTX, "mbarrier", "relaxed", "acquire", PART },
    { WEIRI_LITMUS_PTX, "fence", "acquire", "acq_rel", PART },
    { WEIRI_LITMUS_PTX, "fence", "release", "acq_rel", PART },
    { WEIRI_LITMUS_PTX, "fence", "acq_rel", "sc", PART },
    { WEIRI_LITMUS_PTX, "bar barrier", "arrive", "sync", PART },
    { WEIRI_LITMUS_PTX, "ld st atom red fence mbarrier", "cta", "gpu", PART },
    { WEIRI_LITMUS_PTX, "ld st atom red fence mbarrier", "cluster", "gpu", PART },
    { WEIRI_LITMUS_PTX, "ld st atom red fence mbarrier", "gpu", "sys", PART },
    { WEIRI_LITMUS_PTX, "membar", "cta", "gl", PART },
    { WEIRI_LITMUS_PTX, "membar", "gl", "sys", PART },
    { WEIRI_LITMUS_PTX, "ld", "volatile", "acquire.sys", PART },
    { WEIRI_LITMUS_PTX, "st", "volatile", "release.sys", PART },
    { WEIRI_LITMUS_PTX, "ld", "weak", "relaxed.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "st", "weak", "relaxed.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "ld", "weak", "acquire.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "st", "weak", "release.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "ld", "ld", "ld.relaxed.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "st", "st", "st.relaxed.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "ld", "ld", "ld.acquire.gpu", ACCESS },
    { WEIRI_LITMUS_PTX, "st", "st", "st.release.gpu", ACCESS },
    { WEIRI_LITMUS_VULKAN, "ld st rmw membar cbar", "sg", "wg", PART },
    { WEIRI_LITMUS_VULKAN, "ld st rmw membar cbar", "wg", "qf", PART },
    { WEIRI_LITMUS_VULKAN, "ld st rmw membar cbar", "qf", "dv", PART },
    { WEIRI_LITMUS_VULKAN, "st", "st", "st.nonpriv", PART },
    { WEIRI_LITMUS_VULKAN, "ld", "ld", "ld.nonpriv", PART },
    { WEIRI_LITMUS_VULKAN, "st", "st", "st.av.wg", PART },
    { WEIRI_LITMUS_VULKAN, "st", "st", "st.av.qf", PART },
    { WEIRI_LITMUS_VULKAN, "st", "nonpriv", "av.wg", PART },
    { WEIRI_LITMUS_VULKAN, "st", "nonpriv", "av.qf", PART },
    { WEIRI_LITMUS_VULKAN, "ld", "ld", "ld.vis.wg", PART },
    { WEIRI_LITMUS_VULKAN, "ld", "ld", "ld.vis.qf", PART },
    { WEIRI_LITMUS_VULKAN, "ld", "nonpriv", "vis.wg", PART },
    { WEIRI_LITMUS_VULKAN, "ld", "nonpriv", "vis.qf", PART },
    { WEIRI_LITMUS_VULKAN, "ld", "atom", "atom.acq", PART },
    { WEIRI_LITMUS_VULKAN, "st", "atom", "atom.rel", PART },
    { WEIRI_LITMUS_VULKAN, "rmw", "atom", "atom.acq_rel", PART },
    { WEIRI_LITMUS_VULKAN, "rmw", "acq", "acq_rel", PART },
    { WEIRI_LITMUS_VULKAN, "rmw", "rel", "acq_rel", PART },
    { WEIRI_LITMUS_VULKAN, "membar cbar", "acq", "acq_rel", PART },
    { WEIRI_LITMUS_VULKAN, "membar cbar", "rel", "acq_rel", PART },
    { WEIRI_LITMUS_VULKAN, "cbar", "cbar", "cbar.acq_rel", PART },
};

static void add(struct fixer *fixer, uint32_t thread, uint32_t row, unsigned cost,
                const char *before, const char *after)
{
    const struct change change
        = { .thread = thread,
            .row = row,
            .cost = cost,
            .before = before == NULL
                ? NULL
                : g_string_chunk_insert_const(fixer->strings, before),
            .after = g_string_chunk_insert_const(fixer->strings, after) };
    g_array_append_val(fixer->changes, change);
}

static bool is_word_of(const char *words, const char *word)
{
    g_auto(GStrv) all = g_strsplit(words, " ", -1);
    return g_strv_contains((const char *const *)all, word);
}

/* Ends a mnemonic of Vulkan that has an order now: with the classes of the test, unless
 * it names some. */
static char *with_classes(const struct fixer *fixer, const char *mnemonic)
{
    GString *text = g_string_new(mnemonic);
    bool ordered = strstr(mnemonic, ".acq") != NULL || strstr(mnemonic, ".rel") != NULL;
    if (fixer->test->form == WEIRI_LITMUS_VULKAN && ordered
        && strstr(mnemonic, ".semsc") == NULL) {
        for (unsigned c = 0; fixer->classes >> c != 0; c++) {
            if ((fixer->classes >> c & 1) != 0) {
                g_string_append_printf(text, ".semsc%u", c);
            }
        }
    }
    return g_string_free(text, FALSE);
}

/* Adds the change that puts @mnemonic in the place of the cell's. */
static void add_mnemonic(struct fixer *fixer, uint32_t thread, uint32_t row,
                         unsigned cost, const char *mnemonic)
{
    const char *text = fixer->test->threads[thread].lines[row].text;
    const char *rest = strchr(text, ' ');
    g_autofree char *whole = with_classes(fixer, mnemonic);
    g_autofree char *after = g_strconcat(whole, rest != NULL ? rest : "", NULL);
    add(fixer, thread, row, cost, text, after);
}

static void apply_rules(struct fixer *fixer, uint32_t thread, uint32_t row,
                        char **parts)
{
    for (size_t r = 0; r < G_N_ELEMENTS(rules); r++) {
        for (size_t p = 0; parts[p] != NULL; p++) {
            if (rules[r].form == fixer->test->form && is_word_of(rules[r].of, parts[0])
                && strcmp(parts[p], rules[r].from) == 0) {
                char *kept = parts[p];
                parts[p] = (char *)rules[r].to;
                g_autofree char *mnemonic = g_strjoinv(".", parts);
                parts[p] = kept;
                add_mnemonic(fixer, thread, row, rules[r].cost, mnemonic);
            }
        }
    }
}

/* Returns: (transfer full): the mnemonic with a class more, before semav and semvis */
static char *with_class(char **parts, const char *class)
{
    GString *text = g_string_new(parts[0]);
    bool is_put = false;
    for (size_t p = 1; parts[p] != NULL; p++) {
        bool late = strcmp(parts[p], "semav") == 0 || strcmp(parts[p], "semvis") == 0;
        if (late && !is_put) {
            g_string_append_printf(text, ".%s", class);
        }
        is_put = is_put || late;
        g_string_append_printf(text, ".%s", parts[p]);
    }
    if (!is_put) {
        g_string_append_printf(text, ".%s", class);
    }
    return g_string_free(text, FALSE);
}

/* Vulkan: a part more: a class, semav or semvis. */
static void extend(struct fixer *fixer, uint32_t thread, uint32_t row, char **parts)
{
    g_autofree char *mnemonic = g_strjoinv(".", parts);
    for (unsigned c = 0; fixer->classes >> c != 0; c++) {
        g_autofree char *part = g_strdup_printf("semsc%u", c);
        g_autofree char *longer = with_class(parts, part);
        if (!g_strv_contains((const char *const *)parts, part)) {
            add_mnemonic(fixer, thread, row, PART, longer);
        }
    }
    static const char *const more[] = { "semav", "semvis", "semav.semvis" };
    for (size_t m = 0; m < G_N_ELEMENTS(more); m++) {
        g_autofree char *longer = g_strdup_printf("%s.%s", mnemonic, more[m]);
        add_mnemonic(fixer, thread, row, PART, longer);
    }
}

/* Fences before the row. */
static void insert(struct fixer *fixer, uint32_t thread, uint32_t row)
{
    static const char *const ptx[]
        = { "fence.acq_rel.gpu",   "fence.sc.gpu",         "fence.proxy.surface",
            "fence.proxy.texture", "fence.proxy.constant", "fence.proxy.async",
            "fence.proxy.alias" };
    static const char *const scopes[] = { "wg", "qf" };
    for (size_t f = 0; f < G_N_ELEMENTS(ptx) && fixer->test->form == WEIRI_LITMUS_PTX;
         f++) {
        add(fixer, thread, row, INSTRUCTION, NULL, ptx[f]);
    }
    for (size_t s = 0;
         s < G_N_ELEMENTS(scopes) && fixer->test->form == WEIRI_LITMUS_VULKAN; s++) {
        g_autofree char *fence = g_strdup_printf("membar.acq_rel.%s", scopes[s]);
        g_autofree char *whole = with_classes(fixer, fence);
        g_autofree char *text = g_strconcat(whole, ".semav.semvis", NULL);
        add(fixer, thread, row, INSTRUCTION, NULL, text);
    }
}

/* Moves the fence at the row to other places of its thread; and, since one of a proxy
 * belongs to the CTA of the access, to other threads. */
static void move(struct fixer *fixer, uint32_t thread, uint32_t row)
{
    const char *text = fixer->test->threads[thread].lines[row].text;
    bool of_proxy = g_str_has_prefix(text, "fence.proxy.");
    if (!of_proxy && !g_str_has_prefix(text, "fence.")
        && !g_str_has_prefix(text, "membar.")) {
        return;
    }
    for (uint32_t t = 0; t < fixer->test->n_threads; t++) {
        for (uint32_t to = 0; to < fixer->test->threads[t].n_lines; to++) {
            bool here = t == thread && (to == row || to == row + 1);
            if (here || (t != thread && !of_proxy)) {
                continue;
            }
            add(fixer, t, to, MOVE, NULL, text);
            struct change *change = &g_array_index(fixer->changes, struct change,
                                                   fixer->changes->len - 1);
            change->moves = true;
            change->from_thread = thread;
            change->from_row = row;
        }
    }
}

static gint by_cost(gconstpointer a, gconstpointer b)
{
    const struct change *one = a, *other = b;
    return (gint)one->cost - (gint)other->cost;
}

static void list_changes(struct fixer *fixer)
{
    for (uint32_t t = 0; t < fixer->test->n_threads; t++) {
        const struct weiri_litmus_thread *thread = &fixer->test->threads[t];
        for (uint32_t row = 0; row < thread->n_lines; row++) {
            g_auto(GStrv) words = g_strsplit(thread->lines[row].text, " ", 2);
            g_auto(GStrv) parts = g_strsplit(words[0], ".", -1);
            apply_rules(fixer, t, row, parts);
            if (fixer->test->form == WEIRI_LITMUS_VULKAN) {
                extend(fixer, t, row, parts);
            }
            move(fixer, t, row);
            insert(fixer, t, row);
        }
    }
    g_array_sort(fixer->changes, by_cost); /* stable */
}

/* ---- Judging --------------------------------------------------------------------- */

struct judged {
    const struct fixer *fixer;
    const struct weiri_litmus *test;
    const struct weiri_program *program;
    bool found; /* an execution that is looked for */
};

static bool counts(const struct judged *judged, const struct weiri_candidate *candidate)
{
    const struct weiri_litmus *test = judged->test;
    return candidate->end == WEIRI_END_COMPLETE
        && (test->filter == NULL
            || weiri_litmus_holds(test->filter, weiri_litmus_program_value,
                                  candidate->execution));
}

/* The value of the condition in the executions that are to be forbidden. */
static bool unwanted(const struct weiri_litmus *test)
{
    return test->quantifier != WEIRI_LITMUS_FORALL;
}

static bool may_be_unwanted(void *user)
{
    const struct judged *judged = user;
    return weiri_litmus_program_may(judged->program, unwanted(judged->test));
}

static bool is_early(const struct fixer *fixer)
{
    return fixer->ends == 0 || g_get_monotonic_time() < fixer->ends;
}

static bool go_on(void *user)
{
    const struct judged *judged = user;
    return is_early(judged->fixer);
}

static bool visit_unwanted(const struct weiri_candidate *candidate, void *user)
{
    struct judged *judged = user;
    judged->found = counts(judged, candidate)
        && weiri_litmus_holds(judged->test->condition, weiri_litmus_program_value,
                              candidate->execution)
            == unwanted(judged->test);
    return !judged->found;
}

static bool visit_racing(const struct weiri_candidate *candidate, void *user)
{
    struct judged *judged = user;
    uint32_t one, other;
    judged->found = counts(judged, candidate)
        && judged->fixer->model->race(candidate->facts, &one, &other);
    return !judged->found;
}

static bool visit_any(const struct weiri_candidate *candidate, void *user)
{
    struct judged *judged = user;
    judged->found = counts(judged, candidate);
    return !judged->found;
}

/* Whether an execution of that kind exists; also if that is not known. */
static bool exists(struct judged *judged,
                   bool (*visit)(const struct weiri_candidate *candidate, void *user))
{
    const struct weiri_enumerate_options how
        = { .model = judged->fixer->model,
            .most = MOST_EXECUTIONS * 64,
            .may = visit == visit_unwanted ? may_be_unwanted : NULL,
            .visit = visit,
            .go_on = go_on,
            .user = judged };
    judged->found = false;
    struct weiri_enumeration done = weiri_enumerate(judged->program, &how);
    return judged->found || !done.exhaustive;
}

static bool is_right(const struct fixer *fixer, const struct weiri_litmus *test)
{
    struct weiri_program *program = weiri_litmus_program(test, fixer->rounds);
    struct judged judged = { fixer, test, program, false };
    bool right = !exists(&judged, visit_unwanted)
        && (fixer->model->race == NULL || !exists(&judged, visit_racing))
        && exists(&judged, visit_any) && is_early(fixer);
    weiri_litmus_program_free(program);
    return right;
}

/* The lines of a thread with the changes that are about it. */
static struct weiri_litmus_line *changed_lines(const struct weiri_litmus_thread *thread,
                                               uint32_t t, const struct change *changes,
                                               size_t n, uint32_t *n_lines)
{
    struct weiri_litmus_line *lines
        = g_new0(struct weiri_litmus_line, thread->n_lines + n);
    *n_lines = 0;
    for (uint32_t row = 0; row < thread->n_lines; row++) {
        struct weiri_litmus_line line = thread->lines[row];
        bool stays = true;
        for (size_t c = 0; c < n; c++) {
            stays &= !changes[c].moves || changes[c].from_thread != t
                || changes[c].from_row != row;
            if (changes[c].thread != t || changes[c].row != row) {
                continue;
            }
            if (changes[c].before == NULL) {
                lines[(*n_lines)++].text = changes[c].after;
            } else {
                line.text = changes[c].after;
            }
        }
        if (stays) {
            lines[(*n_lines)++] = line;
        }
    }
    return lines;
}

/* Whether the changed test is one, and the claim asks in vain. */
static bool is_fixed(struct fixer *fixer, const struct change *changes, size_t n)
{
    const struct weiri_litmus *test = fixer->test;
    struct weiri_litmus changed = *test;
    struct weiri_litmus_thread *threads
        = g_memdup2(test->threads, test->n_threads * sizeof(*threads));
    changed.threads = threads;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        threads[t].lines
            = changed_lines(&test->threads[t], t, changes, n, &threads[t].n_lines);
    }
    g_autofree char *text = weiri_litmus_print(&changed);
    for (uint32_t t = 0; t < test->n_threads; t++) {
        g_free((void *)threads[t].lines);
    }
    g_free(threads);
    struct weiri_litmus *parsed
        = weiri_litmus_parse(text, strlen(text), "changed", NULL);
    bool fixed = parsed != NULL && is_right(fixer, parsed);
    weiri_litmus_free(parsed);
    fixer->n_tried++;
    return fixed;
}

/* ---- Searching ------------------------------------------------------------------- */

static void keep(struct fixer *fixer, const struct change *changes, size_t n)
{
    struct weir_litmus_fix fix = { .n_changes = n };
    for (size_t c = 0; c < n; c++) {
        const struct weiri_litmus_thread *thread
            = &fixer->test->threads[changes[c].thread];
        fix.changes[c] = (struct weir_litmus_change){
            .thread = changes[c].thread,
            .line = thread->lines[changes[c].row].place.line,
            .before = changes[c].before,
            .after = changes[c].after,
            .at = g_string_chunk_insert_const(fixer->strings,
                                              thread->lines[changes[c].row].text),
        };
        if (changes[c].moves) {
            const struct weiri_litmus_thread *from
                = &fixer->test->threads[changes[c].from_thread];
            fix.changes[c].from_thread = changes[c].from_thread;
            fix.changes[c].from_line = from->lines[changes[c].from_row].place.line;
        }
    }
    g_array_append_val(fixer->fixes, fix);
}

static bool goes_on(const struct fixer *fixer)
{
    return fixer->n_tried < MOST_TRIED && fixer->fixes->len < MOST_FIXES
        && is_early(fixer);
}

/* Tries all single changes of that cost, and all pairs without moves. */
static void search_cost(struct fixer *fixer, unsigned cost)
{
    const struct change *changes = (const struct change *)fixer->changes->data;
    uint32_t n = fixer->changes->len;
    for (uint32_t one = 0; one < n && goes_on(fixer); one++) {
        if (changes[one].cost == cost && is_fixed(fixer, &changes[one], 1)) {
            keep(fixer, &changes[one], 1);
        }
    }
    for (uint32_t one = 0; one < n; one++) {
        for (uint32_t other = one + 1; other < n && goes_on(fixer); other++) {
            const struct change both[] = { changes[one], changes[other] };
            bool apart = both[0].thread != both[1].thread || both[0].row != both[1].row;
            if (both[0].cost + both[1].cost == cost && apart && !both[0].moves
                && !both[1].moves && is_fixed(fixer, both, 2)) {
                keep(fixer, both, 2);
            }
        }
    }
}

static unsigned classes_of(const struct weiri_litmus *test)
{
    unsigned classes = 0;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            classes |= code->instructions[i].traits.storage;
        }
    }
    return classes;
}

GArray *weiri_table_fixes(const struct weiri_litmus *test,
                          const struct weiri_model *model, uint32_t rounds, gint64 ends,
                          GStringChunk *strings)
{
    struct fixer fixer
        = { .test = test,
            .model = model,
            .rounds = rounds,
            .ends = ends,
            .classes = classes_of(test),
            .strings = strings,
            .changes = g_array_new(FALSE, FALSE, sizeof(struct change)),
            .fixes = g_array_new(FALSE, TRUE, sizeof(struct weir_litmus_fix)) };
    list_changes(&fixer);
    for (unsigned cost = PART; cost <= 2 * INSTRUCTION && fixer.fixes->len == 0;
         cost++) {
        search_cost(&fixer, cost);
    }
    g_array_unref(fixer.changes);
    return fixer.fixes;
}
