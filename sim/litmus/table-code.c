/* SPDX-License-Identifier: MIT
 *
 * table-code.c: makes the code of a thread of a table. Its instructions are known when
 * the last row has been read; then jumps are resolved and loops are found.
 *
 * A jump to an earlier place, or to itself, makes a loop, whose head is its target. All
 * other jumps, and the instruction before it, enter the loop:
 *
 *     LC00:                  0: ENTER rounds      goto LC00, from before:  JUMP 0
 *                            1: HEAD                         from after:   JUMP 1
 *                            2: ROUND rounds
 *
 * Every cycle of the code has a first place, which is the target of a jump back, and
 * which the cycle reaches by such jumps only. So the cycle passes a ROUND and no ENTER
 * of the same loop, and each run ends, for any graph of jumps. A jump into the middle
 * of a loop does not begin to count its rounds again, which can only make the bound
 * come sooner.
 *
 * The models of tables take all that follows a branch to depend on it. So all code is
 * at depth 0, and a branch controls what is at the same depth. */
#include "config.h"

#include "litmus/table.h"

/* A label of a thread. @at: the instruction after it, %NOWHERE until it is defined;
 * @place: of the first use or, once it is defined, of that */
struct mark {
    const char *name;
    uint32_t at;
    struct weiri_litmus_place place;
};
enum { NOWHERE = -1 };

void weiri_litmus_init_column(struct weiri_litmus_thread_draft *thread)
{
    thread->code = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_instruction));
    thread->lines = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_line));
    thread->marks = g_array_new(FALSE, FALSE, sizeof(struct mark));
    thread->labels = g_hash_table_new(g_direct_hash, g_direct_equal);
}

void weiri_litmus_clear_column(struct weiri_litmus_thread_draft *thread)
{
    g_array_unref(thread->code);
    g_array_unref(thread->lines);
    g_array_unref(thread->marks);
    g_hash_table_unref(thread->labels);
}

struct weiri_litmus_instruction weiri_litmus_table_instruction(
    enum weiri_litmus_op op, struct weiri_litmus_place place)
{
    const struct weiri_litmus_operand none = { .slot = WEIRI_LITMUS_NO_SLOT };
    return (struct weiri_litmus_instruction){ .op = op,
                                              .type = WEIRI_LITMUS_LONG,
                                              .scope = memory_scope_work_item,
                                              .result = WEIRI_LITMUS_NO_SLOT,
                                              .old = WEIRI_LITMUS_NO_SLOT,
                                              .a = none,
                                              .b = none,
                                              .address = none,
                                              .since = WEIRI_LITMUS_NO_SLOT,
                                              .place = place };
}

/* ---- Labels ---------------------------------------------------------------------- */

static struct mark *mark_at(struct weiri_litmus_thread_draft *thread, uint32_t label)
{
    return &g_array_index(thread->marks, struct mark, label);
}

uint32_t weiri_litmus_label_of(struct weiri_litmus_parser *parser,
                               struct weiri_litmus_thread_draft *thread,
                               const struct weiri_litmus_token *name)
{
    const char *text = weiri_litmus_intern(parser, name);
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(thread->labels, text));
    if (known == 0) {
        const struct mark made = { text, (uint32_t)NOWHERE, name->place };
        g_array_append_val(thread->marks, made);
        known = thread->marks->len;
        g_hash_table_insert(thread->labels, (char *)text, GUINT_TO_POINTER(known));
    }
    return known - 1;
}

bool weiri_litmus_put_label(struct weiri_litmus_parser *parser,
                            struct weiri_litmus_thread_draft *thread,
                            const struct weiri_litmus_token *name)
{
    static const char *const reserved[]
        = { "locations", "filter", "exists", "forall", "not" };
    for (size_t i = 0; i < G_N_ELEMENTS(reserved); i++) {
        if (weiri_litmus_token_is(name, reserved[i])) {
            return weiri_litmus_refuse(&parser->lex, name->place,
                                       "'%s' begins the claim: give the label another "
                                       "name",
                                       reserved[i]);
        }
    }
    uint32_t label = weiri_litmus_label_of(parser, thread, name);
    struct mark *mark = mark_at(thread, label);
    if (mark->at != (uint32_t)NOWHERE) {
        return weiri_litmus_refuse(&parser->lex, name->place,
                                   "label '%s' is defined already, at %u:%u",
                                   mark->name, mark->place.line, mark->place.column);
    }
    mark->at = thread->code->len;
    mark->place = name->place;
    return true;
}

/* ---- Loops ----------------------------------------------------------------------- */

static bool jumps(const struct weiri_litmus_instruction *at)
{
    return at->op == WEIRI_LITMUS_OP_JUMP || at->op == WEIRI_LITMUS_OP_BRANCH;
}

/* Where instructions and loops go. */
struct layout {
    struct weiri_litmus_thread_draft *thread;
    uint32_t n; /* instructions of the draft */
    bool *loops;
    uint32_t *places; /* by instruction of the draft; of a loop, that of its ENTER */
    uint32_t n_places;
};

static struct weiri_litmus_instruction *drafted(const struct layout *layout, uint32_t i)
{
    return &g_array_index(layout->thread->code, struct weiri_litmus_instruction, i);
}

static void lay_out(struct layout *layout)
{
    for (uint32_t i = 0; i < layout->n; i++) {
        const struct weiri_litmus_instruction *at = drafted(layout, i);
        uint32_t target
            = jumps(at) ? mark_at(layout->thread, at->target)->at : layout->n;
        layout->loops[target] = layout->loops[target] || target <= i;
    }
    for (uint32_t i = 0; i <= layout->n; i++) {
        layout->places[i] = layout->n_places;
        layout->n_places += layout->loops[i] ? 4 : 1;
    }
}

/* Appends ENTER, HEAD and ROUND of the loop whose head the instruction is. */
static void append_loop(GArray *code, struct weiri_litmus_place place, uint32_t rounds)
{
    static const enum weiri_litmus_op ops[]
        = { WEIRI_LITMUS_OP_ENTER, WEIRI_LITMUS_OP_HEAD, WEIRI_LITMUS_OP_ROUND };
    for (size_t i = 0; i < G_N_ELEMENTS(ops); i++) {
        struct weiri_litmus_instruction made
            = weiri_litmus_table_instruction(ops[i], place);
        made.result = ops[i] == WEIRI_LITMUS_OP_HEAD ? WEIRI_LITMUS_NO_SLOT : rounds;
        g_array_append_val(code, made);
    }
}

/* Resolves what was not known when the instruction was read. */
static void resolve(const struct layout *layout, uint32_t i, uint32_t scratch,
                    const uint32_t *references, struct weiri_litmus_instruction *at)
{
    uint32_t *slots[] = { &at->result, &at->a.slot };
    for (size_t k = 0; k < G_N_ELEMENTS(slots); k++) {
        *slots[k] = *slots[k] == WEIRI_LITMUS_SCRATCH ? scratch : *slots[k];
    }
    if (at->op <= WEIRI_LITMUS_OP_COMPARE) {
        at->traits.reference = references[at->traits.reference];
    }
    if (jumps(at)) {
        uint32_t target = mark_at(layout->thread, at->target)->at;
        at->target = layout->places[target] + (target <= i ? 1 : 0);
        at->join = layout->n_places - 1;
    }
}

static const struct weiri_litmus_code *make_code(struct weiri_litmus_parser *parser,
                                                 const struct weiri_litmus_thread *of,
                                                 const struct layout *layout,
                                                 const uint32_t *references)
{
    struct weiri_litmus_memory *memory = parser->test->memory;
    g_autoptr(GArray) code
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_instruction));
    uint32_t scratch = of->n_registers, rounds = scratch + 1;
    for (uint32_t i = 0; i < layout->n; i++) {
        struct weiri_litmus_instruction at = *drafted(layout, i);
        if (layout->loops[i]) {
            append_loop(code, at.place, rounds++);
        }
        resolve(layout, i, scratch, references, &at);
        g_array_append_val(code, at);
    }
    struct weiri_litmus_instruction end
        = weiri_litmus_table_instruction(WEIRI_LITMUS_OP_END, of->place);
    g_array_append_val(code, end);

    struct weiri_litmus_code *made = weiri_litmus_memory_take(memory, sizeof(*made));
    int64_t *initial
        = weiri_litmus_memory_take(memory, of->n_registers * sizeof(*initial));
    for (uint32_t i = 0; i < of->n_registers; i++) {
        initial[i] = of->registers[i].initial;
    }
    *made = (struct weiri_litmus_code){ .n_instructions = code->len,
                                        .n_registers = of->n_registers,
                                        .n_slots = rounds,
                                        .n_depths = 1,
                                        .initial = initial,
                                        .n_done = WEIRI_LITMUS_NO_SLOT,
                                        .changed = WEIRI_LITMUS_NO_SLOT };
    made->instructions = weiri_litmus_memory_keep(memory, code);
    return made;
}

bool weiri_litmus_finish_code(struct weiri_litmus_parser *parser, uint32_t thread,
                              const uint32_t *references)
{
    struct weiri_litmus_thread_draft *draft = &parser->threads[thread];
    struct weiri_litmus_thread *of
        = (struct weiri_litmus_thread *)&parser->test->threads[thread];
    for (guint i = 0; i < draft->marks->len; i++) {
        const struct mark *mark = mark_at(draft, i);
        if (mark->at == (uint32_t)NOWHERE) {
            return weiri_litmus_refuse(&parser->lex, mark->place,
                                       "P%u has no label '%s'", thread, mark->name);
        }
    }
    uint32_t n = draft->code->len;
    g_autofree bool *loops = g_new0(bool, n + 1);
    g_autofree uint32_t *places = g_new0(uint32_t, n + 1);
    struct layout layout
        = { .thread = draft, .n = n, .loops = loops, .places = places };
    lay_out(&layout);
    of->code = make_code(parser, of, &layout, references);
    return true;
}
