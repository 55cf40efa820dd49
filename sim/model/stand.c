/* SPDX-License-Identifier: MIT
 *
 * stand.c: see stand.h. */
#include "config.h"

#include "model/stand.h"

#include <inttypes.h>
#include <string.h>

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

/* ---- Words ----------------------------------------------------------------------- */

static struct weiri_source_place place_of(const struct weiri_program *program,
                                          uint32_t thread,
                                          const struct weiri_step *step)
{
    return program->words->place(program->self, thread, step->place);
}

/* "12", or "12 of FILE". Returns: (transfer full) */
static char *line_text(const struct weiri_program *program, uint32_t thread,
                       const struct weiri_step *step)
{
    struct weiri_source_place at = place_of(program, thread, step);
    return at.file == NULL ? g_strdup_printf("%u", at.line)
                           : g_strdup_printf("%u of %s", at.line, at.file);
}

static const char *location_of(const struct weiri_program *program,
                               const struct weiri_step *step)
{
    return program->locations[step->location].name;
}

/* "the barrier" or "barrier B". Returns: (transfer full) */
static char *barrier_text(const struct weiri_program *program,
                          const struct weiri_step *step)
{
    const char *label = program->words->label(program->self, step->label);
    return label[0] == '\0' ? g_strdup("the barrier")
                            : g_strdup_printf("barrier %s", label);
}

char *weiri_stand_turn(const struct weiri_program *program,
                       const struct weiri_taken *taken)
{
    const struct weiri_step *step = &taken->step;
    const char *several
        = taken->several ? ", one of several last writes that are not ordered" : "";
    if (taken->reads && taken->writes) {
        return g_strdup_printf("reads %s = %" PRId64 " and writes %" PRId64 "%s",
                               location_of(program, step), taken->read, taken->written,
                               several);
    }
    if (taken->reads) {
        return g_strdup_printf("reads %s = %" PRId64 "%s%s", location_of(program, step),
                               taken->read, several,
                               taken->spurious ? ", and fails without a reason" : "");
    }
    if (taken->writes) {
        return g_strdup_printf("writes %s = %" PRId64, location_of(program, step),
                               taken->written);
    }
    if (step->kind == WEIRI_STEP_ENTER) {
        g_autofree char *barrier = barrier_text(program, step);
        return g_strdup_printf("arrives at %s", barrier);
    }
    return g_strdup(step->kind == WEIRI_STEP_FENCE
                        ? "executes a fence"
                        : "goes round, and touches no memory");
}

/* What the next step of a thread would do. Returns: (transfer full) */
static char *next_text(const struct weiri_program *program,
                       const struct weiri_step *step)
{
    switch (step->kind) {
    case WEIRI_STEP_READ:
        return g_strdup_printf("read %s", location_of(program, step));
    case WEIRI_STEP_WRITE:
        return g_strdup_printf("write %s = %" PRId64, location_of(program, step),
                               step->value);
    case WEIRI_STEP_UPDATE:
    case WEIRI_STEP_BLIND:
        return g_strdup_printf("read and write %s", location_of(program, step));
    case WEIRI_STEP_FENCE:
        return g_strdup("execute a fence");
    case WEIRI_STEP_ENTER: {
        g_autofree char *barrier = barrier_text(program, step);
        return g_strdup_printf("arrive at %s", barrier);
    }
    default:
        return g_strdup("go round a loop");
    }
}

/* "a", "a and b", "a, b and c". Returns: (transfer full) */
static char *join(const GPtrArray *words)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < words->len; i++) {
        g_string_append_printf(text, "%s%s",
                               i == 0                    ? ""
                                   : i + 1 == words->len ? " and "
                                                         : ", ",
                               (const char *)g_ptr_array_index(words, i));
    }
    return g_string_free(text, FALSE);
}

static void add_once(GPtrArray *words, char *word)
{
    if (g_ptr_array_find_with_equal_func(words, word, g_str_equal, NULL)) {
        g_free(word);
    } else {
        g_ptr_array_add(words, word);
    }
}

/* ---- Where threads are ----------------------------------------------------------- */

static char *spin_text(const struct weiri_program *program,
                       const struct weiri_progress *progress, uint32_t thread)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) does = g_ptr_array_new_with_free_func(g_free);
    for (guint i = progress->n_before; i < progress->turns->len; i++) {
        const struct weiri_taken *taken
            = &g_array_index(progress->turns, struct weiri_taken, i);
        if (taken->thread == thread) {
            add_once(lines, line_text(program, thread, &taken->step));
            add_once(does, weiri_stand_turn(program, taken));
        }
    }
    g_autofree char *where = join(lines), *what = join(does);
    return g_strdup_printf("spins at line%s %s: it %s%s again and again",
                           lines->len > 1 ? "s" : "", where, what,
                           strchr(what, ',') != NULL ? "," : "");
}

static char *hang_text(const struct weiri_program *program,
                       const struct weiri_progress *progress, uint32_t thread)
{
    const struct weiri_step *step = &progress->last[thread];
    g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t t = 0; t < program->n_threads; t++) {
        if ((progress->missing[thread] & bit(t)) != 0) {
            g_ptr_array_add(missing, program->words->thread(program->self, t));
        }
    }
    g_autofree char *barrier = barrier_text(program, step), *who = join(missing);
    g_autofree char *line = line_text(program, thread, step);
    return step->quorum != 0
        ? g_strdup_printf("waits at %s of line %s, where %u must arrive", barrier, line,
                          step->quorum)
        : g_strdup_printf("waits at %s of line %s%s%s", barrier, line,
                          missing->len > 0 ? " for " : "", who);
}

struct weir_litmus_stand weiri_stand_of(const struct weiri_program *program,
                                        const struct weiri_progress *progress,
                                        uint32_t thread)
{
    const struct weiri_step *step = &progress->last[thread];
    if (step->kind == WEIRI_STEP_END) {
        return (struct weir_litmus_stand){ WEIR_LITMUS_FINISHED, g_strdup("has ended"),
                                           0, 0 };
    }
    struct weiri_source_place at = place_of(program, thread, step);
    if ((progress->spins & bit(thread)) != 0) {
        return (struct weir_litmus_stand){ WEIR_LITMUS_SPINS,
                                           spin_text(program, progress, thread),
                                           at.line, at.column };
    }
    if ((progress->waiting & bit(thread)) != 0) {
        return (struct weir_litmus_stand){ WEIR_LITMUS_HANGS,
                                           hang_text(program, progress, thread),
                                           at.line, at.column };
    }
    g_autofree char *next = next_text(program, step);
    g_autofree char *line = line_text(program, thread, step);
    return (struct weir_litmus_stand){
        WEIR_LITMUS_RESTS,
        g_strdup_printf("would %s at line %s, but need not run", next, line), at.line,
        at.column
    };
}
