/* SPDX-License-Identifier: MIT
 *
 * own-stack.c: see own-stack.h. A register holds an address of the stack after it was
 * computed from the stack or frame pointer, or copied from such a register, until
 * something else may write it. Calls preserve the registers that the ABI says. All
 * other instructions than moves and sums with constants, and all targets of jumps,
 * forget every register.
 *
 * Without optimisation an address may be kept in the frame across a call. A word of the
 * frame holds addresses of the stack if all stores to it are of such registers, and no
 * address that is taken in the frame is as low: below it no object of the program can
 * reach it. Compilers have their own words below all objects.
 *
 * Invariant: @words only grows, and each pass over the code is right if it was right
 * before that pass. */
#include "config.h"

#include "report/own-stack.h"

#ifdef __x86_64__

#include <glib.h>

enum { WORD_BYTES = 8, VECTOR_BYTES = 32 };

/* Registers as bits: the registers of the frame, and the registers that a call
 * preserves. */
enum {
    ALWAYS = 1u << WEIRI_RSP | 1u << WEIRI_RBP,
    PRESERVED = ALWAYS | 1u << WEIRI_RBX | 0xf000 /* r12 to r15 */
};

struct weiri_own_stack {
    GHashTable *targets; /* addresses that the function jumps to */
    GHashTable *words; /* offsets from the frame pointer: hold addresses of the stack */
    bool known;        /* no jump through a register */
    uint32_t marks;    /* a bit for each register that holds an address of the stack */
};

static bool is_marked(const struct weiri_own_stack *stack, unsigned number)
{
    return number != WEIRI_NO_REGISTER && (stack->marks >> number & 1) != 0;
}

static void mark(struct weiri_own_stack *stack, unsigned number, bool is)
{
    stack->marks = ((stack->marks & ~(1u << number)) | (uint32_t)is << number) | ALWAYS;
}

/* Whether it is a move between memory and registers for vectors, of SSE or AVX. */
static bool moves_vector(const struct weiri_instruction *in)
{
    unsigned op = in->opcode;
    return in->map == 1 && in->memory
        && (op == 0x10 || op == 0x11 || op == 0x12 || op == 0x13 || op == 0x16
            || op == 0x17 || op == 0x28 || op == 0x29 || op == 0x6f || op == 0x7f
            || op == 0xd6 || op == 0xe7);
}

static bool is_frame_word(const struct weiri_instruction *in)
{
    return in->memory && in->base == WEIRI_RBP && in->offset < 0;
}

/* Takes over what an instruction of the map 0 leaves in registers. */
static void step_plain(struct weiri_own_stack *stack,
                       const struct weiri_instruction *in)
{
    unsigned op = in->opcode;
    if (op == 0x8d) {
        mark(stack, in->other, in->wide && is_marked(stack, in->base));
    } else if (op == 0x8b) {
        bool word = is_frame_word(in)
            && g_hash_table_contains(stack->words, GINT_TO_POINTER(in->offset));
        mark(stack, in->other,
             in->wide && (in->memory ? word : is_marked(stack, in->base)));
    } else if (op == 0x89 && !in->memory) {
        mark(stack, in->base, in->wide && is_marked(stack, in->other));
    } else if (op == 0x8a || op == 0x63) {
        mark(stack, in->other, false);
    } else if (op >= 0xb8 && op <= 0xbf) {
        mark(stack, in->base, false);
    } else if (op == 0xa4 || op == 0xa5) {
        mark(stack, WEIRI_RCX, false);
    } else if (op == 0xe8 || (op == 0xff && in->reg == 2)) {
        stack->marks &= PRESERVED;
    } else if ((op == 0x81 || op == 0x83) && !in->memory
               && (in->reg == 0 || in->reg == 5)) {
        mark(stack, in->base, in->wide && is_marked(stack, in->base));
    } else if (!((op == 0x88 || op == 0x89 || op == 0xc6 || op == 0xc7) && in->memory)
               && !(op >= 0x50 && op <= 0x57)) {
        stack->marks = ALWAYS;
    }
}

bool weiri_own_stack_step(struct weiri_own_stack *stack, const unsigned char *at,
                          const struct weiri_instruction *in)
{
    if (!stack->known || in->bytes == 0 || g_hash_table_contains(stack->targets, at)) {
        stack->marks = ALWAYS;
    }
    bool moves = in->map == 0 && !in->vex && (in->opcode == 0xa4 || in->opcode == 0xa5);
    bool own = moves ? is_marked(stack, WEIRI_RSI) && is_marked(stack, WEIRI_RDI)
                     : in->memory && is_marked(stack, in->base);
    if (in->map == 0 && !in->vex) {
        step_plain(stack, in);
    } else if (in->map == 1 && !in->vex
               && (in->opcode == 0xb6 || in->opcode == 0xb7 || in->opcode == 0xbe
                   || in->opcode == 0xbf)) {
        mark(stack, in->other, false);
    } else if (!moves_vector(in)) {
        stack->marks = ALWAYS;
    }
    return own;
}

static void find_targets(struct weiri_own_stack *stack, const unsigned char *start,
                         const unsigned char *end)
{
    for (const unsigned char *at = start; at < end;) {
        const struct weiri_instruction in = weiri_decode(at, end);
        at += MAX(in.bytes, 1);
        unsigned op = in.opcode;
        if (in.map == 0 && !in.vex
            && ((op >= 0x70 && op <= 0x7f) || op == 0xeb
                || (op >= 0xe0 && op <= 0xe3))) {
            g_hash_table_add(stack->targets, (void *)(at + (signed char)in.to));
        } else if ((in.map == 0 && op == 0xe9)
                   || (in.map == 1 && op >= 0x80 && op <= 0x8f)) {
            g_hash_table_add(stack->targets, (void *)(at + in.to));
        } else if (in.bytes == 0
                   || (in.map == 0 && op == 0xff && (in.reg == 4 || in.reg == 5))) {
            stack->known = false;
        }
    }
}

/* Finds the words of the frame that hold addresses of the stack, by what is known of
 * others. Returns: whether there are new ones */
static bool find_words(struct weiri_own_stack *stack, const unsigned char *start,
                       const unsigned char *end)
{
    g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(int32_t));
    int32_t lowest = 0; /* address that is taken in the frame */
    for (const unsigned char *at = start; at < end;) {
        const struct weiri_instruction in = weiri_decode(at, end);
        bool whole = in.map == 0 && in.opcode == 0x89 && in.wide;
        bool own = whole && is_marked(stack, in.other)
            && !g_hash_table_contains(stack->targets, at);
        weiri_own_stack_step(stack, at, &in);
        at += MAX(in.bytes, 1);
        if (!is_frame_word(&in)) {
            continue;
        }
        if (in.map == 0 && in.opcode == 0x8d) {
            lowest = MIN(lowest, in.offset);
        } else if (own) {
            g_hash_table_add(found, GINT_TO_POINTER(in.offset));
        } else if (weiri_writes(&in) || in.map > 1) {
            g_array_append_val(others, in.offset);
        }
    }
    bool grown = false;
    GHashTableIter each;
    gpointer key;
    g_hash_table_iter_init(&each, found);
    while (g_hash_table_iter_next(&each, &key, NULL)) {
        int32_t offset = GPOINTER_TO_INT(key);
        bool is = offset + WORD_BYTES <= lowest;
        for (guint i = 0; is && i < others->len; i++) {
            int32_t other = g_array_index(others, int32_t, i);
            is = other >= offset + WORD_BYTES || other + VECTOR_BYTES <= offset;
        }
        grown |= is && g_hash_table_add(stack->words, key);
    }
    stack->marks = ALWAYS;
    return grown;
}

struct weiri_own_stack *weiri_own_stack_new(const unsigned char *start,
                                            const unsigned char *end)
{
    struct weiri_own_stack *stack = g_new(struct weiri_own_stack, 1);
    *stack = (struct weiri_own_stack){ g_hash_table_new(NULL, NULL),
                                       g_hash_table_new(NULL, NULL), true, ALWAYS };
    find_targets(stack, start, end);
    while (find_words(stack, start, end)) {}
    return stack;
}

void weiri_own_stack_free(struct weiri_own_stack *stack)
{
    g_hash_table_unref(stack->targets);
    g_hash_table_unref(stack->words);
    g_free(stack);
}

#endif
