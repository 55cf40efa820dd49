/* SPDX-License-Identifier: MIT
 *
 * ptx-statements.c: the statements of a text of PTX, one after the other. Each label
 * begins a block, and "@p" makes two.
 */
#include "config.h"

#include "cuda-cc/ptx-make.h"

#include <string.h>

/* The block of the label that the first operand names, or NULL. */
static struct llvm_block *find_target(struct weiri_ptx_making *making)
{
    const struct weiri_ptx_operand *operand
        = g_ptr_array_index(making->statement->operands, 0);
    unsigned block = making->statement->block;
    do {
        for (guint i = 0; i < making->text->statements->len; i++) {
            const struct weiri_ptx_statement *s
                = g_ptr_array_index(making->text->statements, i);
            if (s->form == WEIRI_PTX_LABEL && s->block == block
                && g_strcmp0(s->name, operand->name) == 0) {
                return g_ptr_array_index(making->labels, i);
            }
        }
    } while (weiri_ptx_outer(making, &block));
    weiri_ptx_fail(making, "unknown label '%s'",
                   operand->name != NULL ? operand->name : "?");
    return NULL;
}

static void make_instruction(struct weiri_ptx_making *making)
{
    struct llvm_value *list[WEIRI_PTX_MOST];
    unsigned n = 0, next = 0;
    making->n_results = 0;
    weiri_ptx_pass(making, false, list, &n);
    if (making->row->operands[0] == 't') {
        making->target = find_target(making);
    }
    if (making->error == NULL) {
        making->row->make(making, list, n);
    }
    if (making->error == NULL) {
        weiri_ptx_pass(making, true, NULL, &next);
    }
}

static void make_guarded(struct weiri_ptx_making *making)
{
    const struct weiri_ptx_operand *guard = making->statement->guard;
    struct llvm_value *value
        = guard != NULL ? weiri_ptx_predicate(making, guard) : NULL;
    if (guard == NULL) {
        make_instruction(making);
    } else if (value != NULL) {
        struct llvm_block *then = weiri_ptx_new_block(making);
        struct llvm_block *after = weiri_ptx_new_block(making);
        (void)llvm.BuildCondBr(making->builder, value, then, after);
        llvm.PositionBuilderAtEnd(making->builder, then);
        make_instruction(making);
        (void)llvm.BuildBr(making->builder, after);
        llvm.PositionBuilderAtEnd(making->builder, after);
    }
}

static void make_statement(struct weiri_ptx_making *making)
{
    unsigned n = making->statement->operands->len;
    char *why = NULL;
    weiri_ptx_name_read(making->statement->name, &making->name);
    if ((making->name.flags & WEIRI_PTX_HINT) != 0 && n > 0) {
        n--;
    }
    making->row = weiri_ptx_find(&making->name, making->statement->name, n, &why);
    if (making->row != NULL) {
        make_guarded(making);
    } else if (making->error == NULL) {
        making->error = g_steal_pointer(&why);
    }
    g_free(why);
    g_free(making->name.key);
}

static void enter(struct weiri_ptx_making *making, struct llvm_block *block)
{
    (void)llvm.BuildBr(making->builder, block);
    llvm.PositionBuilderAtEnd(making->builder, block);
}

void weiri_ptx_make_all(struct weiri_ptx_making *making)
{
    const GPtrArray *statements = making->text->statements;
    for (guint i = 0; i < statements->len; i++) {
        const struct weiri_ptx_statement *s = g_ptr_array_index(statements, i);
        g_ptr_array_add(making->labels,
                        s->form == WEIRI_PTX_LABEL ? weiri_ptx_new_block(making)
                                                   : NULL);
    }
    for (guint i = 0; i < statements->len && making->error == NULL; i++) {
        making->statement = g_ptr_array_index(statements, i);
        switch (making->statement->form) {
        case WEIRI_PTX_LABEL:
            enter(making, g_ptr_array_index(making->labels, i));
            break;
        case WEIRI_PTX_REGISTER:
            weiri_ptx_add_register(making, making->statement);
            break;
        case WEIRI_PTX_INSTRUCTION:
            make_statement(making);
            break;
        }
    }
}
