/* SPDX-License-Identifier: MIT
 *
 * race_program.c: programs of race_program.h as text, and made smaller. */
#include "race_program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Words --------------------------------------------------------------- */

static const char *const order_names[] = {
    [memory_order_relaxed] = "relaxed", [memory_order_consume] = "consume",
    [memory_order_acquire] = "acquire", [memory_order_release] = "release",
    [memory_order_acq_rel] = "acq_rel", [memory_order_seq_cst] = "seq_cst",
};
static const char *const scope_names[]
    = { "work_item", "sub_group", "work_group", "device", "system" };
static const char *const space_names[] = { "none", "local", "global", "both" };
static const char *const level_names[] = { "group", "sub-group" };
static const char *const rule_names[] = { "mutual", "same" };
static const char *const spaces_names[] = { "sycl", "opencl", "ptx" };
static const char *const atomic_names[] = {
#define X(name, text) text,
    WEIRI_ATOMICS(X)
#undef X
};
static const char *const collective_names[] = {
#define X(name, text) text,
    WEIRI_COLLECTIVES(X)
#undef X
};

/* Words of the line that is being read. */
struct words {
    char **all;
    unsigned at;
    const char *line;
};

static void wrong(const struct words *words, const char *what)
{
    g_error("not %s, at word %u of: %s", what, words->at, words->line);
}

static const char *next(struct words *words)
{
    while (words->all[words->at] != NULL && *words->all[words->at] == '\0') {
        words->at++;
    }
    const char *word = words->all[words->at];
    if (word == NULL) {
        wrong(words, "complete");
        return "";
    }
    words->at++;
    return word;
}

static bool more(struct words *words)
{
    while (words->all[words->at] != NULL && *words->all[words->at] == '\0') {
        words->at++;
    }
    return words->all[words->at] != NULL;
}

static unsigned one_of(struct words *words, const char *const names[], size_t n)
{
    const char *word = next(words);
    for (unsigned i = 0; i < n; i++) {
        if (names[i] != NULL && strcmp(names[i], word) == 0) {
            return i;
        }
    }
    wrong(words, "a word that is known here");
    return 0;
}
#define ONE_OF(words, names) one_of((words), (names), G_N_ELEMENTS(names))

static unsigned number(struct words *words, unsigned most)
{
    unsigned value;
    if (sscanf(next(words), "%u", &value) != 1 || value > most) {
        wrong(words, "a number of that size");
    }
    return value;
}

static void expect(struct words *words, const char *word)
{
    if (strcmp(next(words), word) != 0) {
        wrong(words, word);
    }
}

static unsigned item(struct words *words, const struct program *program)
{
    unsigned group, id;
    if (sscanf(next(words), "%u.%u", &group, &id) != 2 || group >= program->n_groups
        || id >= program->n_items) {
        wrong(words, "an item");
    }
    return group * program->n_items + id;
}

/* ---- From text ----------------------------------------------------------- */

static void read_head(struct program *program, struct words *words)
{
    program->n_groups = number(words, MOST_GROUPS);
    expect(words, "items");
    program->n_items = number(words, MOST_ITEMS / program->n_groups);
    expect(words, "sub-groups");
    program->sub_group_size = number(words, MOST_ITEMS);
    expect(words, "scopes");
    program->scopes = ONE_OF(words, rule_names);
    expect(words, "spaces");
    unsigned spaces = ONE_OF(words, spaces_names);
    program->ptx = spaces == 2;
    program->spaces = program->ptx ? WEIR_SPACES_SYCL : spaces;
}

static void read_object(struct program *program, struct words *words)
{
    char name[2] = { (char)('a' + program->n_objects), '\0' };
    expect(words, name);
    g_assert(program->n_objects < MOST_OBJECTS);
    struct object *object = &program->objects[program->n_objects++];
    object->local = ONE_OF(words, space_names) == WEIR_LOCAL;
    object->bytes = number(words, MOST_OBJECT_BYTES);
    if (object->local) {
        expect(words, "of");
        object->group = number(words, program->n_groups - 1);
    }
}

static void read_meeting(struct program *program, struct words *words)
{
    g_assert(number(words, MOST_MEETINGS - 1) == program->n_meetings);
    struct meeting *meeting = &program->meetings[program->n_meetings++];
    meeting->level = ONE_OF(words, level_names);
    meeting->kind = ONE_OF(words, collective_names);
    meeting->space = ONE_OF(words, space_names);
    meeting->scope = ONE_OF(words, scope_names);
    expect(words, "of");
    while (more(words)) {
        meeting->members |= 1u << item(words, program);
    }
}

/* "a[4..7]" */
static void read_bytes(const struct program *program, struct step *step,
                       struct words *words)
{
    char name;
    unsigned first, last;
    if (sscanf(next(words), "%c[%u..%u]", &name, &first, &last) != 3 || name < 'a'
        || (unsigned)(name - 'a') >= program->n_objects || last < first
        || last >= program->objects[name - 'a'].bytes) {
        wrong(words, "bytes of an object");
    }
    step->object = (unsigned)(name - 'a');
    step->offset = first;
    step->bytes = last + 1 - first;
}

static void read_atomic(const struct program *program, struct step *step,
                        struct words *words)
{
    step->kind = STEP_ATOMIC;
    words->at--; /* the word that is its name */
    step->atomic = ONE_OF(words, atomic_names);
    read_bytes(program, step, words);
    step->reads = step->atomic != WEIRI_ATOMIC_STORE;
    step->writes = step->atomic != WEIRI_ATOMIC_LOAD;
    step->order = step->failure = ONE_OF(words, order_names);
    if (step->atomic == WEIRI_ATOMIC_COMPARE_EXCHANGE) {
        step->failure = ONE_OF(words, order_names);
    }
    step->scope = ONE_OF(words, scope_names);
    if (more(words)) {
        expect(words, "failed");
        step->writes = false;
    }
}

static void read_step(struct program *program, struct words *words)
{
    g_assert(program->n_steps < MOST_STEPS);
    struct step *step = &program->steps[program->n_steps++];
    step->item = item(words, program);
    const char *what = next(words);
    if (strcmp(what, "arrive") == 0) {
        step->kind = STEP_ARRIVE;
        step->meeting = number(words, program->n_meetings - 1);
    } else if (strcmp(what, "fence") == 0) {
        step->kind = STEP_FENCE;
        step->atomic = WEIRI_ATOMIC_FENCE;
        step->order = step->failure = ONE_OF(words, order_names);
        step->scope = ONE_OF(words, scope_names);
        step->space = ONE_OF(words, space_names);
    } else if (strcmp(what, "read") == 0 || strcmp(what, "write") == 0
               || strcmp(what, "update") == 0) {
        step->kind = STEP_PLAIN;
        step->reads = *what != 'w';
        step->writes = *what != 'r';
        read_bytes(program, step, words);
    } else if (strcmp(what, "volatile_read") == 0
               || strcmp(what, "volatile_write") == 0) {
        step->kind = STEP_PLAIN;
        step->is_volatile = true;
        step->reads = strcmp(what, "volatile_read") == 0;
        step->writes = !step->reads;
        read_bytes(program, step, words);
    } else {
        read_atomic(program, step, words);
    }
}

void program_read(struct program *program, const char *text)
{
    memset(program, 0, sizeof(*program));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        char *comment = strchr(*line, '#');
        if (comment != NULL) {
            *comment = '\0';
        }
        g_auto(GStrv) all = g_strsplit(*line, " ", -1);
        struct words words = { .all = all, .line = *line };
        if (!more(&words)) {
            continue;
        }
        const char *first = next(&words);
        if (strcmp(first, "groups") == 0) {
            read_head(program, &words);
        } else if (strcmp(first, "object") == 0) {
            read_object(program, &words);
        } else if (strcmp(first, "meeting") == 0) {
            read_meeting(program, &words);
        } else {
            words.at--;
            read_step(program, &words);
        }
        if (more(&words)) {
            wrong(&words, "the end");
        }
    }
}

/* ---- To text ------------------------------------------------------------- */

static void add_item(GString *text, const struct program *program, unsigned id)
{
    g_string_append_printf(text, "%u.%u", id / program->n_items, id % program->n_items);
}

char *program_step_text(const struct program *program, unsigned index)
{
    const struct step *step = &program->steps[index];
    GString *text = g_string_new(NULL);
    add_item(text, program, step->item);
    if (step->kind == STEP_ARRIVE) {
        g_string_append_printf(text, " arrive %u", step->meeting);
        return g_string_free(text, FALSE);
    }
    if (step->kind == STEP_FENCE) {
        g_string_append_printf(text, " fence %s %s %s", order_names[step->order],
                               scope_names[step->scope], space_names[step->space]);
        return g_string_free(text, FALSE);
    }
    g_string_append_printf(
        text, " %s%s %c[%u..%u]", step->is_volatile ? "volatile_" : "",
        step->kind == STEP_ATOMIC ? atomic_names[step->atomic]
            : !step->writes       ? "read"
            : step->reads         ? "update"
                                  : "write",
        'a' + (int)step->object, step->offset, step->offset + step->bytes - 1);
    if (step->kind == STEP_ATOMIC) {
        g_string_append_printf(text, " %s", order_names[step->order]);
        if (step->atomic == WEIRI_ATOMIC_COMPARE_EXCHANGE) {
            g_string_append_printf(text, " %s", order_names[step->failure]);
        }
        g_string_append_printf(text, " %s", scope_names[step->scope]);
        if (step->atomic == WEIRI_ATOMIC_COMPARE_EXCHANGE && !step->writes) {
            g_string_append(text, " failed");
        }
    }
    return g_string_free(text, FALSE);
}

char *program_text(const struct program *program)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(
        text, "groups %u items %u sub-groups %u scopes %s spaces %s\n",
        program->n_groups, program->n_items, program->sub_group_size,
        rule_names[program->scopes], spaces_names[program->ptx ? 2u : program->spaces]);
    for (unsigned i = 0; i < program->n_objects; i++) {
        const struct object *object = &program->objects[i];
        g_string_append_printf(text, "object %c %s %u", 'a' + (int)i,
                               object->local ? "local" : "global", object->bytes);
        if (object->local) {
            g_string_append_printf(text, " of %u", object->group);
        }
        g_string_append_c(text, '\n');
    }
    for (unsigned i = 0; i < program->n_meetings; i++) {
        const struct meeting *meeting = &program->meetings[i];
        g_string_append_printf(
            text, "meeting %u %s %s %s %s of", i, level_names[meeting->level],
            collective_names[meeting->kind], space_names[meeting->space],
            scope_names[meeting->scope]);
        for (unsigned id = 0; id < MOST_ITEMS; id++) {
            if (meeting->members >> id & 1) {
                g_string_append_c(text, ' ');
                add_item(text, program, id);
            }
        }
        g_string_append_c(text, '\n');
    }
    for (unsigned i = 0; i < program->n_steps; i++) {
        g_autofree char *step = program_step_text(program, i);
        g_string_append_printf(text, "%s\n", step);
    }
    return g_string_free(text, FALSE);
}

/* ---- Smaller ------------------------------------------------------------- */

static void remove_meeting(struct program *program, unsigned meeting)
{
    unsigned n = 0;
    for (unsigned i = 0; i < program->n_steps; i++) {
        struct step step = program->steps[i];
        if (step.kind == STEP_ARRIVE && step.meeting == meeting) {
            continue;
        }
        if (step.kind == STEP_ARRIVE && step.meeting > meeting) {
            step.meeting--;
        }
        program->steps[n++] = step;
    }
    program->n_steps = n;
    program->n_meetings--;
    memmove(&program->meetings[meeting], &program->meetings[meeting + 1],
            (program->n_meetings - meeting) * sizeof(program->meetings[0]));
}

void program_remove(struct program *program, unsigned step)
{
    if (program->steps[step].kind == STEP_ARRIVE) {
        remove_meeting(program, program->steps[step].meeting);
        return;
    }
    program->n_steps--;
    memmove(&program->steps[step], &program->steps[step + 1],
            (program->n_steps - step) * sizeof(program->steps[0]));
}

/* ---- Questions ----------------------------------------------------------- */

unsigned program_meeting_ends(const struct program *program, unsigned meeting)
{
    uint32_t missing = program->meetings[meeting].members;
    for (unsigned i = 0; i < program->n_steps; i++) {
        const struct step *step = &program->steps[i];
        if (step->kind == STEP_ARRIVE && step->meeting == meeting) {
            missing &= ~(1u << step->item);
            if (missing == 0) {
                return i;
            }
        }
    }
    return UINT_MAX;
}

memory_order step_order(const struct step *step)
{
    bool failed = step->atomic == WEIRI_ATOMIC_COMPARE_EXCHANGE && !step->writes;
    return failed ? step->failure : step->order;
}

bool steps_overlap(const struct step *a, const struct step *b)
{
    return a->kind <= STEP_ATOMIC && b->kind <= STEP_ATOMIC && a->object == b->object
        && a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}
