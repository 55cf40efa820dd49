/* SPDX-License-Identifier: MIT
 *
 * result.c: see result.h. A result of up to two words is in registers after the call;
 * if it is longer, the caller passes an address in RDI: of other memory, or of room on
 * the stack from where it copies the result. So the analysis follows registers that
 * hold addresses of the stack or parts of the result, and words of the frame where such
 * addresses are kept for later. After an instruction of an unknown kind, nothing is
 * known of its registers.
 *
 * Addresses of the stack are not forgotten at targets of jumps, unlike in own-stack.c:
 * here an unknown address is a reason to report.
 *
 * Follows the System V ABI for x86-64, 3.2. */
#include "config.h"

#include "report/result.h"

#ifdef __x86_64__

#include <glib.h>

enum { RAX = 0, RDX = 2, N_REGISTERS = WEIRI_NO_REGISTER };

/* Registers that a call preserves; and registers of a result, in which the SSE
 * registers have the bits from N_REGISTERS on. */
static const uint32_t preserved = 1u << WEIRI_RBX | 0xf000; /* r12 to r15 */
static const uint32_t returned = 1u << RAX | 1u << RDX | 3u << N_REGISTERS;

/* An address of the stack: what is added to RSP or RBP; or another base, not known. */
struct slot {
    bool known;
    unsigned base;
    int32_t offset;
};

/* A word of the frame that holds an address of the stack. */
struct kept {
    unsigned base;
    int32_t offset;
    struct slot held;
};

struct weiri_result {
    struct slot slots[N_REGISTERS];
    GArray *kept;     /* struct kept */
    uint32_t parts;   /* a bit for each register that holds a part of the result */
    struct slot room; /* of the result, */
    size_t bytes;     /* so long */
};

/* The address of the stack that a register holds. */
static struct slot held(const struct weiri_result *result, unsigned number)
{
    bool frame = number == WEIRI_RSP || number == WEIRI_RBP;
    return frame               ? (struct slot){ true, number, 0 }
        : number < N_REGISTERS ? result->slots[number]
                               : (struct slot){ false, 0, 0 };
}

/* That of an operand in memory. */
static struct slot slot_of(const struct weiri_result *result,
                           const struct weiri_instruction *in)
{
    struct slot slot = held(result, in->base);
    slot.offset += in->offset;
    return slot;
}

static bool is_in_room(const struct weiri_result *result,
                       const struct weiri_instruction *in)
{
    struct slot slot = slot_of(result, in);
    int64_t offset = (int64_t)slot.offset - result->room.offset;
    return result->room.known && slot.known && slot.base == result->room.base
        && offset >= 0 && (uint64_t)offset < result->bytes;
}

/* The word of the frame that an instruction names, if it holds an address of the stack;
 * or %NULL. */
static struct kept *find_kept(const struct weiri_result *result,
                              const struct weiri_instruction *in)
{
    for (guint i = 0; i < result->kept->len; i++) {
        struct kept *kept = &g_array_index(result->kept, struct kept, i);
        if (kept->base == in->base && kept->offset == in->offset) {
            return kept;
        }
    }
    return NULL;
}

/* Notes what a store leaves in a word of the frame. */
static void keep(struct weiri_result *result, const struct weiri_instruction *in,
                 struct slot held)
{
    struct kept *kept = find_kept(result, in);
    if (in->base != WEIRI_RSP && in->base != WEIRI_RBP) {
        return;
    }
    if (kept != NULL) {
        kept->held = held;
    } else if (held.known) {
        struct kept new = { in->base, in->offset, held };
        g_array_append_val(result->kept, new);
    }
}

/* Moves: into a register, from one, or neither. *@sse: of SSE or AVX */
enum move { OTHER, LOAD, STORE };

static enum move move_of(const struct weiri_instruction *in, bool *sse)
{
    unsigned op = in->opcode;
    *sse = in->map == 1;
    if (in->map == 0 && !in->vex) {
        return op == 0x88 || op == 0x89 ? STORE
            : op == 0x8a || op == 0x8b  ? LOAD
                                        : OTHER;
    }
    if (in->map != 1) {
        return OTHER;
    }
    return op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x7f
            || op == 0xd6
        ? STORE
        : op == 0x10 || op == 0x12 || op == 0x16 || op == 0x28 || op == 0x6f
            || (op == 0x7e && in->memory)
        ? LOAD
        : OTHER;
}

static void set(struct weiri_result *result, unsigned number, bool sse,
                struct slot slot, bool part)
{
    uint32_t bit = number < N_REGISTERS ? 1u << number << (sse ? N_REGISTERS : 0) : 0;
    result->parts = part ? result->parts | bit : result->parts & ~bit;
    if (!sse && number < N_REGISTERS) {
        result->slots[number] = slot;
    }
}

static bool is_part(const struct weiri_result *result, unsigned number, bool sse)
{
    return number < N_REGISTERS
        && (result->parts >> number >> (sse ? N_REGISTERS : 0) & 1) != 0;
}

/* The contents of registers after an instruction that moves nothing. A sum with an
 * address of the stack still is one, and bits of a part of the result still are a
 * part. */
static void compute(struct weiri_result *result, const struct weiri_instruction *in)
{
    static const struct slot none = { false, 0, 0 };
    unsigned op = in->opcode;
    bool plain = in->map == 0 && !in->vex;
    bool constant
        = plain && (op == 0x81 || op == 0x83 || op == 0xc1 || op == 0xc6 || op == 0xc7);
    bool sums = plain && (op == 0x01 || op == 0x03) && !in->memory;
    bool sums_rax = plain && (op == 0x05 || op == 0x2d);          /* with a constant */
    bool moves = in->map == 1 && (op & 0xf0) == 0x40 && !in->vex; /* cmov */
    if (plain && op == 0x8d) {                                    /* lea */
        set(result, in->other, false, slot_of(result, in), false);
    } else if (sums && in->base < N_REGISTERS) {
        unsigned to = op == 0x01 ? in->base : in->other;
        unsigned with = op == 0x01 ? in->other : in->base;
        struct slot slot = held(result, held(result, to).known ? to : with);
        slot.base = N_REGISTERS; /* an element of an array there */
        set(result, to, false, slot, false);
    } else if (sums_rax) {
        result->slots[RAX].base = N_REGISTERS;
    } else if (moves && !in->memory && in->base < N_REGISTERS
               && held(result, in->base).known && held(result, in->other).known) {
        result->slots[in->other].base = N_REGISTERS;
    } else if (constant && !in->memory && op != 0xc6 && op != 0xc7) {
        struct slot slot = result->slots[in->base];
        slot.base = N_REGISTERS;
        set(result, in->base, false, slot, is_part(result, in->base, false));
    } else if (!plain || !((op >= 0x50 && op <= 0x57) || op == 0x98)) { /* push, cltq */
        if (!constant) {
            set(result, in->other, false, none, false);
            set(result, in->other, true, none, false);
        }
        if (!in->memory) {
            set(result, in->base, false, none, false);
        }
    }
}

static bool is_string_move(const struct weiri_instruction *in)
{
    return in->map == 0 && !in->vex && (in->opcode & 0xfe) == 0xa4; /* movs */
}

bool weiri_result_reads(const struct weiri_result *result,
                        const struct weiri_instruction *in)
{
    return is_string_move(in)
        ? !result->slots[WEIRI_RSI].known
        : weiri_accesses(in) && !weiri_writes(in) && !slot_of(result, in).known;
}

bool weiri_result_step(struct weiri_result *result, const struct weiri_instruction *in)
{
    bool sse;
    enum move move = move_of(in, &sse);
    if (is_string_move(in)) {
        struct slot *from = &result->slots[WEIRI_RSI];
        bool part = from->known && result->room.known && from->base == result->room.base
            && from->offset == result->room.offset;
        return part && !result->slots[WEIRI_RDI].known;
    }
    if (move == OTHER) {
        compute(result, in);
        return false;
    }
    if (in->memory) {
        static const struct slot none = { false, 0, 0 };
        if (move == STORE) {
            keep(result, in, sse ? none : held(result, in->other));
            return is_part(result, in->other, sse) && !slot_of(result, in).known;
        }
        const struct kept *kept = find_kept(result, in);
        set(result, in->other, sse, kept != NULL ? kept->held : none,
            is_in_room(result, in));
        return false;
    }
    unsigned from = move == STORE ? in->other : in->base;
    unsigned to = move == STORE ? in->base : in->other;
    struct slot none = { false, 0, 0 };
    set(result, to, sse, sse ? none : held(result, from), is_part(result, from, sse));
    return false;
}

bool weiri_result_call(struct weiri_result *result,
                       const struct weiri_symbol_result *of)
{
    struct slot room = result->slots[WEIRI_RDI];
    result->bytes = of->bytes;
    result->room = of->in_memory ? room : (struct slot){ false, 0, 0 };
    result->parts = of->bytes > 0 && !of->in_memory ? returned : 0;
    for (unsigned i = 0; i < N_REGISTERS; i++) {
        result->slots[i].known &= (preserved >> i & 1) != 0;
    }
    return of->in_memory && !room.known;
}

struct weiri_result *weiri_result_new(void)
{
    struct weiri_result *result = g_new0(struct weiri_result, 1);
    result->kept = g_array_new(FALSE, FALSE, sizeof(struct kept));
    return result;
}

void weiri_result_free(struct weiri_result *result)
{
    g_array_unref(result->kept);
    g_free(result);
}

#endif
