/* SPDX-License-Identifier: MIT
 *
 * reread.c: reads that a compiler may drop. A thread that reads a location by a plain
 * read, then another one by an acquiring one, then the first again, must see a newer
 * value by every model. But compilers for GPUs have been seen to keep the first value
 * over the acquiring read; they do not keep it over a fence. See litmus/reread.h. */
#include "config.h"

#include "litmus/reread.h"

typedef const struct weiri_litmus_instruction instruction;

static bool is_plain_read(instruction *at)
{
    return at->op == WEIRI_LITMUS_OP_READ && !at->atomic
        && at->traits.proxy == WEIRI_PROXY_GENERIC;
}

static bool is_acquiring_read(instruction *at)
{
    bool reads = at->op == WEIRI_LITMUS_OP_READ || at->op == WEIRI_LITMUS_OP_UPDATE
        || at->op == WEIRI_LITMUS_OP_COMPARE;
    return reads && at->atomic && weiri_step_acquires(at->order);
}

/* Whether no compiler keeps a value of the location over the instruction: a fence, a
 * barrier, or a write to it. */
static bool ends_keeping(instruction *at, uint32_t location)
{
    bool writes = at->op == WEIRI_LITMUS_OP_WRITE || at->op == WEIRI_LITMUS_OP_UPDATE
        || at->op == WEIRI_LITMUS_OP_COMPARE;
    return at->op == WEIRI_LITMUS_OP_FENCE || at->op == WEIRI_LITMUS_OP_BARRIER
        || (writes && at->location == location);
}

/* Looks from the plain read @first on. */
static bool find_again(const struct weiri_litmus_code *code, uint32_t first,
                       struct weiri_litmus_reread *found)
{
    instruction *acquire = NULL, *read = &code->instructions[first];
    for (uint32_t i = first + 1; i < code->n_instructions; i++) {
        instruction *at = &code->instructions[i];
        if (acquire != NULL && is_plain_read(at) && at->location == read->location) {
            *found = (struct weiri_litmus_reread){ .location = read->location,
                                                   .first = read->place.line,
                                                   .acquire = acquire->place.line,
                                                   .again = at->place.line };
            return true;
        }
        if (ends_keeping(at, read->location)) {
            return false;
        }
        acquire = acquire == NULL && is_acquiring_read(at) ? at : acquire;
    }
    return false;
}

bool weiri_litmus_find_reread(const struct weiri_litmus *test,
                              struct weiri_litmus_reread *found)
{
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            if (is_plain_read(&code->instructions[i]) && find_again(code, i, found)) {
                found->thread = t;
                return true;
            }
        }
    }
    return false;
}
