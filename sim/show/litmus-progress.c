/* SPDX-License-Identifier: MIT
 *
 * litmus-progress.c: whether a litmus test ends, as text and as JSON.
 *
 *     handover (handover.litmus)
 *       terminates under fair: yes
 *       terminates under hsa: no
 *         P0   spins at line 4: it reads x = 0 again and again
 *         P1   would write x = 1 at line 9, but need not run
 *
 * With @schedule, the steps of such an execution follow, one a line. */
#include "config.h"

#include "show/litmus.h"

#include <json-glib/json-glib.h>

static void add_clean(GString *text, const char *line)
{
    for (; *line != '\0'; line++) {
        g_string_append_c(text, g_ascii_iscntrl(*line) ? '?' : *line);
    }
    g_string_append_c(text, '\n');
}

/* ---- Text ------------------------------------------------------------------------ */

static void add_turns(GString *text, const struct weir_litmus_termination *answer,
                      size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct weir_litmus_turn *turn = &answer->turns[i];
        g_autofree char *who = g_strdup_printf("P%u", turn->thread);
        g_autofree char *line
            = g_strdup_printf("      %-4s line %u: %s", who, turn->line, turn->text);
        add_clean(text, line);
    }
}

static void add_schedule(GString *text, const struct weir_litmus_termination *answer)
{
    if (answer->n_before > 0) {
        g_string_append(text, "    These steps lead there:\n");
        add_turns(text, answer, 0, answer->n_before);
    }
    if (answer->n_turns > answer->n_before) {
        g_string_append_printf(text, "    %s for ever:\n",
                               answer->n_before > 0 ? "Then these steps are repeated"
                                                    : "These steps are repeated");
        add_turns(text, answer, answer->n_before, answer->n_turns);
    }
}

/* "yes", or what else is known. */
static const char *answer_text(const struct weir_litmus_termination *answer)
{
    return !answer->decided  ? "not known: "
        : answer->terminates ? "yes"
        : answer->weak       ? "no, by an execution that is not sequentially "
                               "consistent"
                             : "no";
}

static void add_one(GString *text, const struct weir_litmus_termination *answer,
                    bool schedule)
{
    g_autofree char *line = g_strdup_printf(
        "  terminates under %s: %s%s", weir_forward_name(answer->forward),
        answer_text(answer), answer->decided ? "" : answer->undecided);
    add_clean(text, line);
    for (size_t t = 0; t < answer->n_threads; t++) {
        g_autofree char *who = g_strdup_printf("P%zu", t);
        g_autofree char *where
            = g_strdup_printf("    %-4s %s", who, answer->threads[t].text);
        add_clean(text, where);
    }
    if (schedule) {
        add_schedule(text, answer);
    }
}

void weiri_litmus_add_termination(GString *text,
                                  const struct weiri_litmus_terminations *of,
                                  bool schedule)
{
    g_autofree char *head
        = g_strdup_printf("%s (%s)", weir_litmus_name(of->test), of->file);
    add_clean(text, head);
    for (size_t i = 0; i < of->n; i++) {
        add_one(text, &of->answers[i], schedule);
    }
    g_string_append_c(text, '\n');
}

/* ---- JSON ------------------------------------------------------------------------ */

static void add_place(JsonBuilder *builder, uint32_t line, uint32_t column)
{
    if (line == 0) {
        weiri_json_null(builder, "line");
        weiri_json_null(builder, "column");
    } else {
        weiri_json_int(builder, "line", line);
        weiri_json_int(builder, "column", column);
    }
}

static void add_waits(JsonBuilder *builder,
                      const struct weir_litmus_termination *answer)
{
    static const char *const standings[] = { [WEIR_LITMUS_FINISHED] = "ended",
                                             [WEIR_LITMUS_SPINS] = "spins",
                                             [WEIR_LITMUS_HANGS] = "hangs",
                                             [WEIR_LITMUS_RESTS] = "rests" };
    weiri_json_array(builder, "waits");
    for (size_t t = 0; t < answer->n_threads; t++) {
        const struct weir_litmus_stand *stand = &answer->threads[t];
        json_builder_begin_object(builder);
        weiri_json_int(builder, "thread", t);
        weiri_json_text(builder, "end", standings[stand->standing]);
        weiri_json_text(builder, "text", stand->text);
        add_place(builder, stand->line, stand->column);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

static void add_steps(JsonBuilder *builder, const char *name,
                      const struct weir_litmus_termination *answer, size_t from,
                      size_t to)
{
    weiri_json_array(builder, name);
    for (size_t i = from; i < to; i++) {
        const struct weir_litmus_turn *turn = &answer->turns[i];
        json_builder_begin_object(builder);
        weiri_json_int(builder, "thread", turn->thread);
        weiri_json_text(builder, "text", turn->text);
        add_place(builder, turn->line, turn->column);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

void weiri_litmus_add_termination_members(JsonBuilder *builder,
                                          const struct weiri_litmus_terminations *of,
                                          size_t index)
{
    const struct weir_litmus_termination *answer = &of->answers[index];
    weiri_json_text(builder, "test", weir_litmus_name(of->test));
    weiri_json_text(builder, "file", of->file);
    weiri_json_text(builder, "model", weir_model_name(of->model));
    weiri_json_text(builder, "progress", weir_forward_name(answer->forward));
    if (answer->decided) {
        weiri_json_bool(builder, "terminates", answer->terminates);
    } else {
        weiri_json_null(builder, "terminates");
    }
    weiri_json_text(builder, "undecided", answer->undecided);
    weiri_json_int(builder, "visited", answer->states);
    weiri_json_bool(builder, "weak", answer->weak);
    add_waits(builder, answer);
    add_steps(builder, "before", answer, 0, answer->n_before);
    add_steps(builder, "loop", answer, answer->n_before, answer->n_turns);
}
