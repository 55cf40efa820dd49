/* SPDX-License-Identifier: MIT
 *
 * litmus.c: the answer to a litmus test as text.
 *
 *     mp, model sycl (mp.litmus)
 *     exists (1:r0=1 /\ 1:r1=0)
 *
 *       executions  final state
 *                1  1:r0=0,1:r1=0
 *                1  1:r0=0,1:r1=1
 *                1  1:r0=1,1:r1=0  *
 *                1  1:r0=1,1:r1=1
 *
 *     Sometimes: the proposition holds in 1 of 4 executions (*)
 *     races: none
 *
 * A final state is marked if the claim is about it: with a star if it makes `exists`
 * true, with an exclamation mark if it makes `~exists` or `forall` false. An
 * explanation is a cycle in words, with a line for each event:
 *
 *         P0   W x=1 relaxed                     line 4
 *           1: is before, in program order,
 *         P0   W y=1 release                     line 5
 *           2: is read by, and so synchronises with,
 *
 * Invariant: the text is a function of the struct weiri_litmus_result. */
#include "config.h"

#include "show/litmus.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* ---- What the claim asks about --------------------------------------------------- */

bool weiri_litmus_is_asked_for(const struct weir_litmus_verdict *verdict,
                               const struct weir_litmus_state *state)
{
    return state->positive == (verdict->quantifier != WEIR_LITMUS_FORALL);
}

bool weiri_litmus_is_forbidden(const struct weir_litmus_answer *answer)
{
    const struct weir_litmus_verdict *verdict = weir_litmus_answer_verdict(answer);
    return verdict->complete
        && (verdict->quantifier != WEIR_LITMUS_FORALL ? verdict->positive
                                                      : verdict->negative)
        == 0;
}

static const char *quantifier_text(const struct weir_litmus_verdict *verdict)
{
    return verdict->quantifier == WEIR_LITMUS_FORALL ? "forall" : "~exists";
}

static const char *mark(const struct weir_litmus_verdict *verdict)
{
    return verdict->quantifier == WEIR_LITMUS_EXISTS ? "*" : "!";
}

/* ---- Words ----------------------------------------------------------------------- */

/* The words between an event of a cycle and the next one. */
static const char *words_of(enum weir_litmus_edge_kind kind)
{
    static const char *const words[] = {
        [WEIR_LITMUS_PO] = "is before, in program order,",
        [WEIR_LITMUS_RF] = "is read by",
        [WEIR_LITMUS_MO] = "is before, in modification order,",
        [WEIR_LITMUS_RB] = "reads a value older than",
        [WEIR_LITMUS_SW] = "synchronises with",
        [WEIR_LITMUS_BAR] = "is the entry to a barrier, before the exit that is",
        [WEIR_LITMUS_HB] = "happens before",
        [WEIR_LITMUS_PSC] = "is before, in the order of seq_cst operations,",
        [WEIR_LITMUS_FSC] = "is before, in the order of fence.sc operations,",
        [WEIR_LITMUS_LOCORD] = "is before, in location order,",
        [WEIR_LITMUS_RMW] = "is one read-modify-write with",
        [WEIR_LITMUS_ADDR] = "decides the address of",
        [WEIR_LITMUS_DATA] = "decides the value of",
        [WEIR_LITMUS_CTRL] = "decides whether to execute",
        [WEIR_LITMUS_RACE] = "races with",
        [WEIR_LITMUS_RF_BACK] = "reads from",
        [WEIR_LITMUS_RMW_BACK] = "is one read-modify-write with",
        [WEIR_LITMUS_NOT_HB] = "does not happen after, but reads from,",
    };
    return (unsigned)kind < G_N_ELEMENTS(words) ? words[kind] : "leads to";
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Appends lines of at most 80 columns, broken at blanks; all but the first are
 * indented. */
static void add_paragraph(GString *text, int indent, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static void add_paragraph(GString *text, int indent, const char *format, ...)
{
    enum { COLUMNS = 80 };
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *whole = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_auto(GStrv) words = g_strsplit(whole, " ", -1);
    glong column = 0;
    for (size_t i = 0; words[i] != NULL; i++) {
        glong width = g_utf8_strlen(words[i], -1);
        if (column > indent && column + 1 + width > COLUMNS) {
            g_string_append_printf(text, "\n%*s", indent, "");
            column = indent;
        } else if (i > 0) {
            g_string_append_c(text, ' ');
            column++;
        }
        for (const char *at = words[i]; *at != '\0'; at++) {
            g_string_append_c(text, g_ascii_iscntrl(*at) ? '?' : *at);
        }
        column += width;
    }
    g_string_append_c(text, '\n');
}

/* Appends a line of text from outside, without control characters. */
static void add_line(GString *text, const char *line)
{
    for (; *line != '\0'; line++) {
        g_string_append_c(text, g_ascii_iscntrl(*line) ? '?' : *line);
    }
    g_string_append_c(text, '\n');
}

/* ---- States ---------------------------------------------------------------------- */

static void add_states(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    if (verdict->n_states == 0) {
        g_string_append(text, "\n  no final state\n\n");
        return;
    }
    g_string_append(text, "\n  executions  final state\n");
    for (size_t i = 0; i < verdict->n_states; i++) {
        const struct weir_litmus_state *state
            = weir_litmus_answer_state(result->answer, i);
        bool asked = weiri_litmus_is_asked_for(verdict, state);
        g_string_append_printf(text, "  %10" PRIu64 "  %s%s%s\n", state->executions,
                               state->text, asked ? "  " : "",
                               asked ? mark(verdict) : "");
    }
    g_string_append_c(text, '\n');
}

/* The words after a number of executions that state which ones count; empty if all
 * do. */
static const char *that_end(const struct weir_litmus_verdict *verdict, uint64_t all)
{
    bool one = all == 1;
    if (verdict->blocked == 0) {
        return "";
    }
    if (verdict->filtered > 0) {
        return one ? " that ends and passes the filter"
                   : " that end and pass the filter";
    }
    return one ? " that ends" : " that end";
}

/* "in 1 of 4 executions that end" */
static void add_share(GString *line, const struct weir_litmus_verdict *verdict,
                      uint64_t n, uint64_t all)
{
    g_string_append_printf(line, "in %" PRIu64 " of %" PRIu64 " execution%s%s", n, all,
                           plural(all), that_end(verdict, all));
}

static void add_observation(GString *text, const struct weir_litmus_verdict *verdict)
{
    uint64_t all = verdict->positive + verdict->negative;
    bool some = verdict->observation == WEIR_OBSERVED_SOMETIMES;
    g_autofree char *nothing = weiri_litmus_nothing_counts(verdict);
    g_autoptr(GString) line = g_string_new(NULL);
    if (nothing != NULL) {
        g_string_append(line, nothing);
    } else if (verdict->quantifier == WEIR_LITMUS_EXISTS) {
        g_string_append(line, "the proposition holds ");
        add_share(line, verdict, verdict->positive, all);
        g_string_append(line, some ? " (*)" : "");
    } else if (verdict->holds) {
        g_string_append_printf(line,
                               "what %s claims is true of %s%" PRIu64 " execution%s%s",
                               quantifier_text(verdict), all == 1 ? "the " : "all ",
                               all, plural(all), that_end(verdict, all));
    } else {
        bool forall = verdict->quantifier == WEIR_LITMUS_FORALL;
        g_string_append_printf(line, "%s is violated, ", quantifier_text(verdict));
        add_share(line, verdict, forall ? verdict->negative : verdict->positive, all);
        g_string_append(line, " (!)");
    }
    if (nothing == NULL && verdict->blocked > 0) {
        g_string_append_printf(line, "; %" PRIu64 " %s blocked", verdict->blocked,
                               verdict->blocked == 1 ? "is" : "are");
    }
    add_paragraph(text, 2, "%s%s: %s", weir_observation_name(verdict->observation),
                  verdict->decided || some ? "" : " so far", line->str);
}

/* ---- What else there is ---------------------------------------------------------- */

static void add_event(GString *text, const char *indent, const char *file,
                      const struct weir_litmus_event *event)
{
    g_autofree char *who = g_strdup_printf("P%u", event->thread);
    if (file != NULL) {
        g_string_append_printf(text, "%s%-4s %s:%u:%u  ", indent, who, file,
                               event->line, event->column);
        add_line(text, event->text);
    } else {
        g_string_append_printf(text, "%s%-4s %-32s  line %u\n", indent, who,
                               event->text, event->line);
    }
}

/* The two accesses, and why the model does not order them. */
static void add_pair(GString *text, const struct weiri_litmus_result *result,
                     const struct weir_litmus_race *pair)
{
    const struct weir_litmus_event *events = pair->execution->events;
    add_event(text, "  ", result->file, &events[pair->first]);
    add_event(text, "  ", result->file, &events[pair->second]);
    add_paragraph(text, 7, "  why: %s", pair->why);
}

static void add_race(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    const struct weir_litmus_race *race = weir_litmus_answer_race(result->answer);
    const struct weir_litmus_race *unordered
        = weir_litmus_answer_unordered(result->answer);
    if (!verdict->judges_races) {
        g_string_append_printf(text, "races: %s does not judge them\n",
                               weir_model_name(verdict->model));
        if (unordered != NULL) {
            g_string_append(text, "not ordered, where that happens:\n");
            add_pair(text, result, unordered);
        }
    } else if (!verdict->race) {
        g_string_append_printf(text, "races: none%s%s\n",
                               verdict->blocked > 0 ? " in executions that end" : "",
                               verdict->complete ? "" : " so far");
    } else if (race == NULL) {
        g_string_append(text, "data race, in executions that are too large to show\n");
    } else {
        g_string_append(text, "data race, between\n");
        add_pair(text, result, race);
    }
}

/* Appends each reason why executions block, with an example. */
static void add_blocked(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_blocked *blocked;
    for (guint i = 0; (blocked = weir_litmus_answer_blocked(result->answer, i)) != NULL;
         i++) {
        g_autofree char *who = weiri_litmus_blocked_text(result->test, blocked);
        add_paragraph(
            text, 2, "blocked: %" PRIu64 " execution%s, not counted above%s %s",
            blocked->executions, plural(blocked->executions),
            blocked->executions == 1 ? ", in which" : "; in one of them", who);
        for (uint32_t t = 0; t < weir_litmus_n_threads(result->test); t++) {
            g_autofree char *name = g_strdup_printf("P%u", t);
            add_paragraph(text, 7, "  %-4s %s", name, blocked->threads[t].text);
        }
        if (result->blocked_graphs != NULL) {
            g_string_append(text, "  drawn in ");
            add_line(text, g_ptr_array_index(result->blocked_graphs, i));
        }
    }
}

static void add_limits(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    add_blocked(text, result);
    if (verdict->cut > 0) {
        add_paragraph(text, 2,
                      "cut: %" PRIu64 " execution%s in which a loop reached its limit "
                      "of rounds",
                      verdict->cut, plural(verdict->cut));
    }
    if (!verdict->complete) {
        add_paragraph(text, 2, "INCOMPLETE: %s: there may be more executions",
                      result->incomplete);
    }
}

static void add_hardware(GString *text, const char *models, bool several)
{
    add_paragraph(
        text, 2,
        "hardware: this is load buffering. Model%s %s forbid%s it, but GPUs show it: "
        "an H200 does so in 1 to 2 %% of the runs of the simplest such test. Model gpu "
        "allows it.",
        several ? "s" : "", models, several ? "" : "s");
}

/* ---- Why not --------------------------------------------------------------------- */

static void add_event_of_cycle(GString *text,
                               const struct weir_litmus_execution *execution,
                               uint32_t event)
{
    if (event == WEIR_LITMUS_INITIAL) {
        g_string_append(text, "    the initial value\n");
    } else {
        add_event(text, "    ", NULL, &execution->events[event]);
    }
}

/* Whether one of the synchronising events reads from the other. */
static bool reads_from(const struct weir_litmus_execution *execution,
                       const struct weir_litmus_edge *sw)
{
    for (size_t i = 0; i < execution->n_edges; i++) {
        const struct weir_litmus_edge *edge = &execution->edges[i];
        if (sw->kind == WEIR_LITMUS_SW && edge->kind == WEIR_LITMUS_RF
            && edge->from == sw->from && edge->to == sw->to) {
            return true;
        }
    }
    return false;
}

static void add_violation(GString *text, const struct weir_litmus_execution *execution,
                          const struct weir_litmus_violation *violation)
{
    add_paragraph(text, 2, "  It violates %s: %s", violation->axiom,
                  violation->sentence);
    for (size_t i = 0; i < violation->n_edges; i++) {
        const struct weir_litmus_edge *edge = &violation->edges[i];
        add_event_of_cycle(text, execution, edge->from);
        if (reads_from(execution, edge)) {
            g_string_append_printf(
                text, "      %zu: is read by, and so synchronises with,\n", i + 1);
        } else {
            add_paragraph(text, 9, "      %zu: %s%s%s", i + 1, words_of(edge->kind),
                          edge->how != NULL ? ", as " : "",
                          edge->how != NULL ? edge->how : "");
        }
        if (i + 1 == violation->n_edges) {
            add_event_of_cycle(text, execution, edge->to);
        }
    }
}

/* Why the search did not see all candidates; NULL if it did. */
static const char *limit_text(enum weir_litmus_limit limit)
{
    static const char *const texts[] = {
        [WEIR_LITMUS_LIMIT_SIZE]
        = "there are too many candidates to try, or one is too large",
        [WEIR_LITMUS_LIMIT_TIME] = "--time-limit ended the search",
        [WEIR_LITMUS_LIMIT_STOPPED] = "the search was stopped",
    };
    return (unsigned)limit < G_N_ELEMENTS(texts) ? texts[limit] : "a limit was hit";
}

static void add_explanation(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_explanation *why = result->explanation;
    if (why == NULL) {
        return;
    }
    const char *how = weiri_litmus_verdict(result)->quantifier == WEIR_LITMUS_FORALL
        ? "fails"
        : "holds";
    const char *ended = limit_text(why->limit);
    g_string_append_c(text, '\n');
    if (why->execution == NULL) {
        add_paragraph(text, 0,
                      ended != NULL
                          ? "Why not: no candidate in which the proposition %s was "
                            "found, but %s."
                          : "Why not: the proposition %s in no candidate, for any "
                            "values that the reads return.",
                      how, ended);
        return;
    }
    const char *coherent = why->coherent ? "coherent " : "";
    if (why->candidates == 1 && ended == NULL) {
        add_paragraph(text, 0,
                      "Why not: the only %scandidate in which the proposition %s ends "
                      "in",
                      coherent, how);
    } else {
        add_paragraph(text, 0,
                      "Why not: of %" PRIu64 " %scandidate%s in which the proposition "
                      "%s%s, the nearest ends in",
                      why->candidates, coherent, plural(why->candidates), how,
                      ended != NULL ? " and that were examined" : "");
    }
    g_string_append(text, "  ");
    add_line(text, why->state);
    if (ended != NULL) {
        add_paragraph(text, 2, "  Another candidate may be nearer: %s.", ended);
    }
    for (size_t i = 0; i < why->n_violations; i++) {
        add_violation(text, why->execution, &why->violations[i]);
    }
}

static void add_explained(GString *text, const struct weiri_litmus_result *result,
                          const char *indent)
{
    if (result->explanation_graph != NULL) {
        g_string_append_printf(text, "%sthe candidate is drawn in ", indent);
        add_line(text, result->explanation_graph);
    }
}

/* ---- One answer ------------------------------------------------------------------ */

static void add_head(GString *text, const struct weiri_litmus_result *result,
                     const char *model)
{
    g_string_append_printf(text, "%s%s%s (%s)\n", weir_litmus_name(result->test),
                           model != NULL ? ", model " : "", model != NULL ? model : "",
                           result->file);
    g_autofree char *claim = weir_litmus_claim(result->test);
    add_line(text, claim);
}

static void add_graphs(GString *text, const struct weiri_litmus_result *result)
{
    guint n = result->graphs != NULL ? result->graphs->len : 0;
    if (n == 1) {
        g_string_append(text, "drawn in ");
        add_line(text, g_ptr_array_index(result->graphs, 0));
    } else if (n > 1) {
        g_string_append_printf(text, "drawn in %u files, ", n);
        g_autofree char *range = g_strdup_printf(
            "%s to %s", (const char *)g_ptr_array_index(result->graphs, 0),
            (const char *)g_ptr_array_index(result->graphs, n - 1));
        add_line(text, range);
    }
}

/* Where the instruction was, if it is moved, and the end of the line. */
static void add_origin(GString *text, const struct weir_litmus_change *change)
{
    if (change->from_line != 0) {
        g_string_append_printf(text, ", moved from line %u", change->from_line);
    }
    if (change->from_line != 0 && change->from_thread != change->thread) {
        g_string_append_printf(text, " of P%u", change->from_thread);
    }
    g_string_append_c(text, '\n');
}

/* Changes of the table that forbid what the claim asks for. */
static void add_fixes(GString *text, const struct weiri_litmus_result *result)
{
    for (size_t f = 0; f < result->n_fixes; f++) {
        const struct weir_litmus_fix *fix = &result->fixes[f];
        g_string_append(text, f == 0 ? "\nFix, tried under this model:\n" : "  or\n");
        for (size_t c = 0; c < fix->n_changes; c++) {
            const struct weir_litmus_change *change = &fix->changes[c];
            g_string_append_printf(text, "    P%-3u line %-4u %s  %s  %s",
                                   change->thread, change->line, change->after,
                                   change->before != NULL ? "in place of" : "before",
                                   change->at);
            add_origin(text, change);
        }
    }
}

/* What a compiler does to reads of a test of PTX. */
static void add_reread(GString *text, const struct weiri_litmus_result *result)
{
    struct weir_litmus_reread reread;
    if (weir_model_takes(WEIR_MODEL_PTX, result->test)
        && weir_litmus_find_reread(result->test, &reread)) {
        add_paragraph(
            text, 2,
            "hardware: P%u reads '%s' in line %u, acquires by the read in line %u, and "
            "reads '%s' again in line %u. A compiler may drop the last read and keep "
            "the first value, as CUDA 13.0 does: an old value then, which this model "
            "forbids. Make the read in line %u relaxed, and put fence.acq_rel after "
            "it.",
            reread.thread, reread.location, reread.first_line, reread.acquire_line,
            reread.location, reread.again_line, reread.acquire_line);
    }
}

void weiri_litmus_add_text(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    const char *model = weir_model_name(verdict->model);
    add_head(text, result, model);
    add_states(text, result);
    add_observation(text, verdict);
    add_race(text, result);
    add_limits(text, result);
    if (result->buffering) {
        add_hardware(text, model, false);
    }
    add_reread(text, result);
    add_graphs(text, result);
    add_explanation(text, result);
    add_fixes(text, result);
    add_explained(text, result, "  ");
    g_string_append_c(text, '\n');
}

/* ---- Several models -------------------------------------------------------------- */

/* The answers about one state, by model; NULL: the model forbids it. */
struct cells {
    const struct weir_litmus_state *of[WEIR_N_MODELS];
};

/* Compares states, with numbers by value, which is the order within each answer. */
static int compare_states(const void *one, const void *other)
{
    const char *a = *(const char *const *)one, *b = *(const char *const *)other;
    while (*a != '\0' && *b != '\0') {
        bool digits
            = (g_ascii_isdigit(*a) || *a == '-') && (g_ascii_isdigit(*b) || *b == '-');
        if (digits) {
            char *after_a, *after_b;
            gint64 x = g_ascii_strtoll(a, &after_a, 10);
            gint64 y = g_ascii_strtoll(b, &after_b, 10);
            if (x != y) {
                return x < y ? -1 : 1;
            }
            if (after_a != a && after_b != b) {
                a = after_a;
                b = after_b;
                continue;
            }
        }
        if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        }
        a++;
        b++;
    }
    return (*a != '\0') - (*b != '\0');
}

/* Returns: (transfer container): the final states of all models, without repetitions */
static GPtrArray *all_states(const struct weiri_litmus_result *result, size_t n,
                             GHashTable *cells)
{
    GPtrArray *states = g_ptr_array_new();
    for (size_t i = 0; i < n; i++) {
        size_t n_states = weiri_litmus_verdict(&result[i])->n_states;
        for (size_t k = 0; k < n_states; k++) {
            const struct weir_litmus_state *state
                = weir_litmus_answer_state(result[i].answer, k);
            struct cells *row = g_hash_table_lookup(cells, state->text);
            if (row == NULL) {
                row = g_new0(struct cells, 1);
                g_hash_table_insert(cells, (char *)state->text, row);
                g_ptr_array_add(states, (char *)state->text);
            }
            row->of[i] = state;
        }
    }
    g_ptr_array_sort(states, compare_states);
    return states;
}

static void add_row(GString *text, const struct weiri_litmus_result *result, size_t n,
                    const struct cells *row)
{
    const char *sign = "", *name = "";
    for (size_t i = 0; i < n; i++) {
        const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(&result[i]);
        if (row->of[i] == NULL) {
            g_string_append_printf(text, "%10s ", verdict->complete ? "-" : "?");
            continue;
        }
        g_string_append_printf(text, "%10" PRIu64 " ", row->of[i]->executions);
        name = row->of[i]->text;
        sign = weiri_litmus_is_asked_for(verdict, row->of[i]) ? mark(verdict) : "";
    }
    g_string_append_printf(text, " %s%s%s\n", name, sign[0] != '\0' ? "  " : "", sign);
}

static const char *race_text(const struct weir_litmus_verdict *verdict)
{
    return !verdict->judges_races ? "-"
        : verdict->race           ? "race"
        : verdict->complete       ? "none"
                                  : "?";
}

static void add_foot(GString *text, const struct weiri_litmus_result *result, size_t n)
{
    bool incomplete = false, blocked = false;
    for (size_t i = 0; i < n; i++) {
        const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(&result[i]);
        bool vacuous = verdict->positive + verdict->negative == 0;
        g_autofree char *cell = g_strdup_printf(
            vacuous ? "(%s)" : "%s", weir_observation_name(verdict->observation));
        g_string_append_printf(text, "%10s ", cell);
        incomplete |= !verdict->complete;
        blocked |= verdict->blocked > 0;
    }
    g_string_append(text, " observation\n");
    for (size_t i = 0; i < n; i++) {
        g_string_append_printf(text, "%10s ",
                               race_text(weiri_litmus_verdict(&result[i])));
    }
    g_string_append(text, " data race\n");
    for (size_t i = 0; i < n && blocked; i++) {
        g_string_append_printf(text, "%10" PRIu64 " ",
                               weiri_litmus_verdict(&result[i])->blocked);
    }
    g_string_append(text, blocked ? " blocked\n" : "");
    for (size_t i = 0; i < n && incomplete; i++) {
        g_string_append_printf(
            text, "%10s ", weiri_litmus_verdict(&result[i])->complete ? "yes" : "NO");
    }
    g_string_append(text, incomplete ? " complete\n" : "");
}

static void add_hardware_of_all(GString *text, const struct weiri_litmus_result *result,
                                size_t n)
{
    g_autoptr(GString) models = g_string_new(NULL);
    size_t n_models = 0;
    for (size_t i = 0; i < n; i++) {
        if (result[i].buffering) {
            g_string_append_printf(
                models, "%s%s", n_models++ > 0 ? ", " : "",
                weir_model_name(weiri_litmus_verdict(&result[i])->model));
        }
    }
    if (n_models > 0) {
        g_string_append_c(text, '\n');
        add_hardware(text, models->str, n_models > 1);
    }
}

/* The text below the table for a model, in three parts. The first and the last are
 * often equal for several models. */
static void add_race_if_any(GString *text, const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    if (verdict->judges_races && verdict->race) {
        add_race(text, result);
    }
}

static void add_limits_and_graphs(GString *text,
                                  const struct weiri_litmus_result *result)
{
    const struct weir_litmus_verdict *verdict = weiri_litmus_verdict(result);
    if (verdict->blocked > 0 || verdict->positive + verdict->negative == 0) {
        add_observation(text, verdict);
    }
    add_limits(text, result);
    add_graphs(text, result);
    add_explained(text, result, "");
}

static void (*const parts[])(GString *text, const struct weiri_litmus_result *result)
    = { add_race_if_any, add_limits_and_graphs, add_explanation };

/* Prints a part once for all models for which it is equal. */
static void add_part(GString *text, const struct weiri_litmus_result *result, size_t n,
                     size_t part)
{
    GString *texts[WEIR_N_MODELS];
    for (size_t i = 0; i < n; i++) {
        texts[i] = g_string_new(NULL);
        parts[part](texts[i], &result[i]);
    }
    for (size_t i = 0; i < n; i++) {
        g_autoptr(GString) models = g_string_new(NULL);
        size_t n_models = 0;
        bool before = texts[i]->len == 0;
        for (size_t k = 0; k < n && !before; k++) {
            if (g_string_equal(texts[i], texts[k])) {
                before = k < i;
                g_string_append_printf(
                    models, "%s%s", n_models++ > 0 ? ", " : "",
                    weir_model_name(weiri_litmus_verdict(&result[k])->model));
            }
        }
        if (!before) {
            const char *own = texts[i]->str;
            g_string_append_printf(text, "\nModel%s %s:%s%s", plural(n_models),
                                   models->str, own[0] != '\n' ? "\n" : "", own);
        }
    }
    for (size_t i = 0; i < n; i++) {
        g_string_free(texts[i], TRUE);
    }
}

void weiri_litmus_add_table(GString *text, const struct weiri_litmus_result *result,
                            size_t n)
{
    g_return_if_fail(n > 0 && n <= WEIR_N_MODELS);
    g_autoptr(GHashTable) cells
        = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr(GPtrArray) states = all_states(result, n, cells);
    add_head(text, &result[0], NULL);
    g_string_append_c(text, '\n');
    for (size_t i = 0; i < n; i++) {
        g_string_append_printf(
            text, "%10s ", weir_model_name(weiri_litmus_verdict(&result[i])->model));
    }
    g_string_append(text, " final state\n");
    for (guint i = 0; i < states->len; i++) {
        const char *state = g_ptr_array_index(states, i);
        add_row(text, result, n, g_hash_table_lookup(cells, state));
    }
    add_foot(text, result, n);
    add_hardware_of_all(text, result, n);
    for (size_t part = 0; part < G_N_ELEMENTS(parts); part++) {
        add_part(text, result, n, part);
    }
    g_string_append_c(text, '\n');
}
