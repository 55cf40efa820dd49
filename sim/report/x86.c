/* SPDX-License-Identifier: MIT
 *
 * x86.c: see x86.h. An opcode's map and number say whether a ModRM byte and how many
 * constant bytes follow; both are taken from a few ranges of numbers.
 *
 * Follows Intel's manual, volume 2, appendix A. */
#include "config.h"

#include "report/x86.h"

#ifdef __x86_64__

#include <glib.h>
#include <string.h>

enum { REX_B = 1, REX_R = 4, REX_W = 8 };

static bool has_modrm(unsigned map, unsigned char op)
{
    if (map == 0) {
        return op < 0x40 ? (op & 7) < 4
                         : op == 0x63 || op == 0x69 || op == 0x6b
                || (op >= 0x80 && op <= 0x8f) || op == 0xc0 || op == 0xc1 || op == 0xc6
                || op == 0xc7 || (op >= 0xd0 && op <= 0xd3)
                || (op >= 0xd8 && op <= 0xdf) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
    }
    return map > 1
        || !(op == 0x05 || op == 0x06 || op == 0x08 || op == 0x09 || op == 0x0b
             || (op >= 0x30 && op <= 0x37) || op == 0x77 || (op >= 0x80 && op <= 0x8f)
             || (op >= 0xa0 && op <= 0xa2) || (op >= 0xa8 && op <= 0xaa)
             || (op >= 0xc8 && op <= 0xcf));
}

/* The bytes of a constant operand. @reg: of ModRM; @word: a prefix halves it */
static size_t constant_bytes(unsigned map, unsigned char op, unsigned reg, bool word,
                             bool wide)
{
    size_t full = word ? 2 : 4;
    if (map == 1) {
        return op >= 0x80 && op <= 0x8f ? 4
                                        : (op >= 0x70 && op <= 0x73) || op == 0xa4
                || op == 0xac || op == 0xba || op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
    }
    if (map != 0) {
        return map == 3;
    }
    if (op < 0x40) {
        return (op & 7) == 4 ? 1 : (op & 7) == 5 ? full : 0;
    }
    switch (op) {
    case 0x69:
    case 0x81:
    case 0xc7:
    case 0x68:
    case 0xa9:
        return full;
    case 0xe8:
    case 0xe9:
        return 4;
    case 0x6a:
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xa8:
    case 0xcd:
    case 0xeb:
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3:
        return 1;
    case 0xc2:
        return 2;
    case 0xc8:
        return 3;
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa3:
        return 8;
    case 0xf6:
        return reg < 2;
    case 0xf7:
        return reg < 2 ? full : 0;
    default:
        return (op >= 0x70 && op <= 0x7f) || (op >= 0xb0 && op <= 0xb7) ? 1
            : op >= 0xb8 && op <= 0xbf ? (wide ? 8 : full)
                                       : 0;
    }
}

/* ModRM and what follows it. Returns: their bytes */
static size_t operand(const unsigned char *at, unsigned rex,
                      struct weiri_instruction *in)
{
    unsigned mod = at[0] >> 6, rm = at[0] & 7, base = rm;
    in->reg = at[0] >> 3 & 7;
    in->other = in->reg + ((rex & REX_R) != 0 ? 8 : 0);
    in->base = rm + ((rex & REX_B) != 0 ? 8 : 0);
    size_t bytes = 1;
    if (mod == 3) {
        return bytes;
    }
    in->memory = true;
    if (rm == 4) {
        base = at[1] & 7;
        bytes++;
    }
    bool constant = mod == 0 && base == 5;
    in->base = constant ? WEIRI_NO_REGISTER : base + ((rex & REX_B) != 0 ? 8 : 0);
    in->fixed = constant || in->base == WEIRI_RSP || in->base == WEIRI_RBP;
    if (mod == 1) {
        in->offset = (signed char)at[bytes++];
    } else if (mod == 2 || constant) {
        memcpy(&in->offset, at + bytes, sizeof(in->offset));
        bytes += sizeof(in->offset);
    }
    return bytes;
}

struct weiri_instruction weiri_decode(const unsigned char *code,
                                      const unsigned char *end)
{
    struct weiri_instruction in = { 0 };
    const unsigned char *at = code;
    bool word = false;
    unsigned rex = 0;
    enum { LONGEST = 15 };
    unsigned char copy[LONGEST + 5] = { 0 }; /* an operand may be cut off at the end */
    memcpy(copy, code, MIN((size_t)(end - code), (size_t)LONGEST));
    at = copy;
    while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0xf0 || *at == 0x2e
           || *at == 0x36 || *at == 0x3e || *at == 0x26 || *at == 0x64 || *at == 0x65) {
        word |= *at++ == 0x66;
        if (at - copy > LONGEST / 2) {
            return in;
        }
    }
    if ((*at & 0xf0) == 0x40) {
        rex = *at++;
    }
    if (*at == 0xc5 || *at == 0xc4 || *at == 0x62) {
        size_t prefix = *at == 0xc5 ? 2 : *at == 0xc4 ? 3 : 4;
        in.vex = true;
        in.map = prefix == 2 ? 1 : at[1] & (prefix == 3 ? 0x1f : 7);
        rex = prefix == 2 || (at[1] & 0x20) != 0 ? 0 : REX_B; /* inverted there */
        at += prefix;
        word = false;
        if (in.map == 0 || in.map > 3) {
            return in;
        }
    } else if (*at == 0x0f) {
        in.map = at[1] == 0x38 ? 2 : at[1] == 0x3a ? 3 : 1;
        at += in.map == 1 ? 1 : 2;
    }
    in.wide = (rex & REX_W) != 0;
    in.opcode = *at++;
    in.base = (in.opcode & 7) + ((rex & REX_B) != 0 ? 8 : 0);
    if (has_modrm(in.map, in.opcode) && !(in.vex && in.map == 1 && in.opcode == 0x77)) {
        at += operand(at, rex, &in);
    }
    size_t constant
        = constant_bytes(in.map, in.opcode, in.reg, word, (rex & REX_W) != 0);
    memcpy(&in.to, at, MIN(constant, sizeof(in.to)));
    at += constant;
    if (at - copy <= end - code) {
        in.bytes = (size_t)(at - copy);
    }
    return in;
}

bool weiri_accesses(const struct weiri_instruction *in)
{
    bool strings = in->map == 0 && !in->vex
        && ((in->opcode >= 0xa4 && in->opcode <= 0xa7)
            || (in->opcode >= 0xaa && in->opcode <= 0xaf));
    bool names_it = in->map == 0
        ? in->opcode == 0x8d || (in->opcode == 0xff && in->reg >= 2) /* lea, call */
        : in->map == 1 && !in->vex
            && (in->opcode == 0x0d || (in->opcode >= 0x18 && in->opcode <= 0x1f));
    return strings || (in->memory && !in->fixed && !names_it);
}

bool weiri_writes(const struct weiri_instruction *in)
{
    unsigned op = in->opcode;
    if (in->map == 0) {
        return (op < 0x38 && (op & 2) == 0) || op == 0x88 || op == 0x89 || op == 0xc6
            || op == 0xc7 || (op >= 0x80 && op <= 0x83 && in->reg != 7)
            || (op >= 0xfe && in->reg < 2) || (op >= 0xc0 && op <= 0xc1)
            || (op >= 0xd0 && op <= 0xd3) || ((op & ~1u) == 0xf6 && in->reg >= 2)
            || op == 0xa4 || op == 0xa5 || op == 0xaa || op == 0xab
            || (op >= 0xd9 && op <= 0xdf && (op & 1) != 0 && in->reg >= 1
                && in->reg != 5);
    }
    return in->map == 1
        && (op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b
            || op == 0x7e || op == 0x7f || op == 0xc3 || op == 0xd6 || op == 0xe7);
}

bool weiri_is_special(const struct weiri_instruction *in)
{
    unsigned op = in->opcode;
    bool streams = in->map == 1 && in->memory && !in->fixed
        && (op == 0x2b || op == 0xc3 || op == 0xe7);
    bool masks = (in->map == 1 && op == 0xf7 && !in->memory)
        || (in->map == 2 && in->vex && in->memory
            && ((op >= 0x2c && op <= 0x2f) || op == 0x8c || op == 0x8e));
    return streams || masks;
}

#endif
