/* SPDX-License-Identifier: MIT
 *
 * blocked.c: see blocked.h. Why a thread has stopped is found by resuming its code from
 * its final state: it stops there again. The events show which threads it waits for at
 * a barrier, and the values that it reads in a loop. */
#include "config.h"

#include "answer/blocked.h"

#include "base/assert.h"
#include "litmus/code.h"
#include "litmus/program.h"

#include <inttypes.h>

/* ---- Which one is shown ---------------------------------------------------------- */

void weiri_blocked_note(struct weiri_blocked *blocked, const struct weiri_graph *graph,
                        const struct weiri_execution *execution)
{
    blocked->executions++;
    if (graph != NULL) {
        weiri_graph_keep(graph, &blocked->kept);
    } else if (blocked->kept == NULL
               || weiri_execution_compare(execution, blocked->kept) < 0) {
        weiri_execution_free(blocked->kept);
        blocked->kept = weiri_execution_copy(execution);
    }
}

/* ---- Barriers -------------------------------------------------------------------- */

/* How often the thread has entered that barrier before. */
static int64_t round_of(const struct weiri_execution_event *entry)
{
    return (entry->traits.flags & WEIRI_TRAIT_STATED) != 0 ? entry->position
                                                           : entry->value;
}

/* The thread's entry with the label and number of @entry, with the same flags, or with
 * other flags; or NULL. */
static const struct weiri_execution_event *entry_like(
    const struct weiri_execution *execution, uint32_t thread,
    const struct weiri_execution_event *entry, bool same_flags)
{
    for (uint32_t e = execution->first[thread]; e < execution->first[thread + 1]; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        if (event->kind == WEIRI_ENTERS && event->label == entry->label
            && event->value == entry->value && round_of(event) == round_of(entry)
            && (event->spaces == entry->spaces) == same_flags) {
            return event;
        }
    }
    return NULL;
}

/* Appends to "P1, P2 and P3". */
static void add_name(GString *names, uint32_t thread, bool last)
{
    g_string_append_printf(names, "%sP%u",
                           names->len == 0 ? ""
                               : last      ? " and "
                                           : ", ",
                           thread);
}

/* "waits at barrier B1 (line 10) for P1". The parentheses also contain the flags, if
 * another thread waits with other flags, and the number of the entry, if it is not the
 * first. No thread is missing where one waits for itself, or too few are there for a
 * quorum. */
static char *barrier_text(const struct weiri_litmus *test,
                          const struct weiri_execution *execution,
                          const struct weiri_execution_event *entry, uint32_t line,
                          bool any_flags)
{
    static const char *const memories[]
        = { "no memory", "local memory", "global memory", "both memories" };
    const struct weiri_program *program = execution->program;
    const char *label = test->labels[entry->label];
    bool flags = false;
    uint32_t last = entry->thread;
    g_autoptr(GString) missing = g_string_new(NULL);
    for (int pass = 0; pass < 2; pass++) { /* the first pass finds the last name */
        for (uint32_t t = 0; t < program->n_threads; t++) {
            bool other = weiri_event_gathers(program->threads, entry, t)
                && entry_like(execution, t, entry, true) == NULL;
            bool differs = other && entry_like(execution, t, entry, false) != NULL;
            if (!other || (differs && any_flags)) {
                continue;
            }
            flags = flags || differs;
            if (pass == 0) {
                last = t;
            } else {
                add_name(missing, t, t == last);
            }
        }
    }
    g_autofree char *time = round_of(entry) == 0
        ? g_strdup("")
        : g_strdup_printf(", time %" PRId64, round_of(entry) + 1);
    return g_strdup_printf(
        "waits at %sbarrier%s%s (line %u%s%s%s)%s%s", label[0] == '\0' ? "the " : "",
        label[0] == '\0' ? "" : " ", label, line, time, flags ? ", " : "",
        flags ? memories[entry->spaces & (WEIR_LOCAL | WEIR_GLOBAL)] : "",
        missing->len > 0 ? " for " : ", which is never complete", missing->str);
}

/* ---- Loops ----------------------------------------------------------------------- */

/* Returns: (transfer full): the values that the thread's latest @n events have read,
 * without repetitions: "y=0 (line 14)" */
static char *reads_of(const struct weiri_execution *execution, uint32_t thread,
                      uint32_t n)
{
    g_autoptr(GPtrArray) reads = g_ptr_array_new_with_free_func(g_free);
    uint32_t end = execution->first[thread + 1];
    for (uint32_t e = end - n; e < end; e++) {
        const struct weiri_execution_event *event = &execution->events[e];
        if (event->kind != WEIRI_READS_MEMORY) {
            continue;
        }
        const struct weiri_program *program = execution->program;
        char *read = g_strdup_printf(
            "%s=%" PRId64 " (line %u)", program->locations[event->location].name,
            event->value,
            program->words->place(program->self, thread, event->place).line);
        if (g_ptr_array_find_with_equal_func(reads, read, g_str_equal, NULL)) {
            g_free(read);
        } else {
            g_ptr_array_add(reads, read);
        }
    }
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < reads->len; i++) {
        g_string_append_printf(text, "%s%s",
                               i == 0                    ? ""
                                   : i + 1 == reads->len ? " and "
                                                         : ", ",
                               (const char *)g_ptr_array_index(reads, i));
    }
    return g_string_free(text, FALSE);
}

static char *spin_text(const struct weiri_litmus *test,
                       const struct weiri_execution *execution, uint32_t thread,
                       const struct weiri_litmus_run *run, uint32_t line)
{
    uint32_t n_round = weiri_litmus_round(test->threads[thread].code, run);
    g_autofree char *reads = reads_of(execution, thread, n_round);
    return reads[0] == '\0'
        ? g_strdup_printf("repeats the loop of line %u for ever: it reads nothing",
                          line)
        : g_strdup_printf("waits in the loop of line %u: it keeps reading %s", line,
                          reads);
}

/* ---- Faults ---------------------------------------------------------------------- */

static char *shift_text(const struct weiri_litmus_instruction *at,
                        const struct weiri_litmus_run *run)
{
    return g_strdup_printf("shifts by %" PRId64 " (line %u), where 0 to %d are allowed",
                           weiri_litmus_value(run, &at->b), at->place.line,
                           at->type == WEIRI_LITMUS_LONG ? 63 : 31);
}

static char *beyond_text(const struct weiri_litmus *test,
                         const struct weiri_litmus_instruction *at,
                         const struct weiri_litmus_run *run)
{
    const char *name = test->locations[at->location].name;
    int64_t offset = weiri_litmus_value(run, &at->address);
    const char *does = at->op == WEIRI_LITMUS_OP_READ ? "reads"
        : at->op == WEIRI_LITMUS_OP_WRITE             ? "writes"
                                                      : "updates";
    return g_strdup_printf("%s %s %c %" PRIu64 " (line %u), which is beyond %s", does,
                           name, offset < 0 ? '-' : '+',
                           offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset,
                           at->place.line, name);
}

/* ---- Where each thread is -------------------------------------------------------- */

static struct weir_litmus_thread_end end_of(const struct weiri_litmus *test,
                                            const struct weiri_execution *execution,
                                            uint32_t thread, bool any_flags)
{
    const struct weiri_litmus_code *code = test->threads[thread].code;
    g_autofree int64_t *slots = g_new(int64_t, MAX(code->n_slots, 1));
    struct weiri_litmus_run run = { .slots = slots };
    uint32_t end = execution->first[thread + 1];
    const struct weiri_execution_event *last
        = end > execution->first[thread] ? &execution->events[end - 1] : NULL;
    enum weiri_litmus_stop stop = weiri_litmus_program_stop(
        execution->program, thread, execution->states[thread], &run);
    const struct weiri_litmus_instruction *at = &code->instructions[run.at];
    uint32_t line = at->place.line, column = at->place.column;
    switch (stop) {
    case WEIRI_LITMUS_DONE:
        return (struct weir_litmus_thread_end){ WEIR_LITMUS_ENDED, 0, 0,
                                                g_strdup("has ended") };
    case WEIRI_LITMUS_EVENT:
        weiri_assert(last != NULL && last->kind == WEIRI_ENTERS);
        return (struct weir_litmus_thread_end){ WEIR_LITMUS_AT_BARRIER, line, column,
                                                barrier_text(test, execution, last,
                                                             line, any_flags) };
    case WEIRI_LITMUS_SPIN:
        return (struct weir_litmus_thread_end){ WEIR_LITMUS_IN_LOOP, line, column,
                                                spin_text(test, execution, thread, &run,
                                                          line) };
    case WEIRI_LITMUS_BOUND:
        return (struct weir_litmus_thread_end){
            WEIR_LITMUS_IN_LOOP, line, column,
            g_strdup_printf("has reached the limit of rounds of the loop of line %u",
                            line)
        };
    default:
        return (struct weir_litmus_thread_end){
            WEIR_LITMUS_FAULTED, line, column,
            stop == WEIRI_LITMUS_SHIFT ? shift_text(at, &run)
                : stop == WEIRI_LITMUS_BEYOND
                ? beyond_text(test, at, &run)
                : g_strdup_printf("divides by 0 (line %u)", line)
        };
    }
}

struct weir_litmus_thread_end *weiri_blocked_ends(
    const struct weiri_litmus *test, const struct weiri_execution *execution,
    bool any_flags)
{
    struct weir_litmus_thread_end *ends
        = g_new(struct weir_litmus_thread_end, test->n_threads);
    for (uint32_t t = 0; t < test->n_threads; t++) {
        ends[t] = end_of(test, execution, t, any_flags);
    }
    return ends;
}

void weiri_blocked_ends_free(struct weir_litmus_thread_end *ends, uint32_t n)
{
    for (uint32_t t = 0; t < n; t++) {
        g_free((char *)ends[t].text);
    }
    g_free(ends);
}

/* ---- Showing it ------------------------------------------------------------------ */

void weiri_blocked_show(struct weiri_blocked *blocked, const struct weiri_litmus *test,
                        const struct weiri_program *program,
                        const struct weiri_model *model, enum weir_litmus_end why)
{
    blocked->kept->program = program;
    blocked->n_ends = test->n_threads;
    blocked->ends = weiri_blocked_ends(test, blocked->kept, model->any_flags);
    weiri_drawn_fill(&blocked->drawn, blocked->kept, model);
    weiri_drawn_drop_race(&blocked->drawn); /* they are judged in complete executions
                                               only */
    blocked->shown = (struct weir_litmus_blocked){ .why = why,
                                                   .executions = blocked->executions,
                                                   .threads = blocked->ends,
                                                   .execution = &blocked->drawn };
}

void weiri_blocked_clear(struct weiri_blocked *blocked)
{
    weiri_blocked_ends_free(blocked->ends, blocked->n_ends);
    weiri_drawn_clear(&blocked->drawn);
    weiri_execution_free(blocked->kept);
    *blocked = (struct weiri_blocked){ 0 };
}
