/* SPDX-License-Identifier: MIT
 *
 * builtins-ptx.h: instructions of PTX that no function of C++ stands for. A part of
 * builtins.c. weir-cuda-cc makes calls of these of a program's inline assembly; names
 * are those of instructions. [PTX8] 9.7 */

/* ---- Bits -------------------------------------------------------------------------- */

/* @n bits of @word from bit @at on, of which those above the word are 0, or the sign. */
OWN uint32_t weiri_cu_bfe_u32(CALLER, uint32_t word, uint32_t at, uint32_t n)
{
    at &= 0xff;
    n &= 0xff;
    uint64_t bits = at < 32 ? word >> at : 0;
    return (uint32_t)(n < 32 ? bits & ((UINT64_C(1) << n) - 1) : bits);
}

OWN uint64_t weiri_cu_bfe_u64(CALLER, uint64_t word, uint32_t at, uint32_t n)
{
    at &= 0xff;
    n &= 0xff;
    uint64_t bits = at < 64 ? word >> at : 0;
    return n < 64 ? bits & ((UINT64_C(1) << n) - 1) : bits;
}

/* The sign is the highest bit of the field, or of the word where it ends before. */
OWN int64_t weiri_cu_bfe_s64(CALLER, int64_t word, uint32_t at, uint32_t n)
{
    at &= 0xff;
    n &= 0xff;
    if (n == 0) {
        return 0;
    }
    uint32_t last = at + n - 1 < 63 ? at + n - 1 : 63;
    if (at > 63) {
        return word >> 63;
    }
    return (int64_t)((uint64_t)word << (63 - last)) >> (63 - last) >> at;
}

OWN int32_t weiri_cu_bfe_s32(CALLER, int32_t word, uint32_t at, uint32_t n)
{
    at &= 0xff;
    n &= 0xff;
    if (n == 0) {
        return 0;
    }
    uint32_t last = at + n - 1 < 31 ? at + n - 1 : 31;
    if (at > 31) {
        return word >> 31;
    }
    return (int32_t)((uint32_t)word << (31 - last)) >> (31 - last) >> at;
}

/* The lower @n bits of @field in place of those of @word from bit @at on. */
OWN uint64_t weiri_cu_bfi_b64(CALLER, uint64_t field, uint64_t word, uint32_t at,
                              uint32_t n)
{
    at &= 0xff;
    n &= 0xff;
    if (at > 63 || n == 0) {
        return word;
    }
    uint64_t mask = (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << at;
    return (word & ~mask) | (field << at & mask);
}

OWN uint32_t weiri_cu_bfi_b32(CALLER, uint32_t field, uint32_t word, uint32_t at,
                              uint32_t n)
{
    at &= 0xff;
    n &= 0xff;
    if (at > 31 || n == 0) {
        return word;
    }
    uint32_t mask = (n < 32 ? (UINT32_C(1) << n) - 1 : UINT32_MAX) << at;
    return (word & ~mask) | (field << at & mask);
}

/* The place of the highest bit that is not the sign, or UINT32_MAX. */
OWN uint32_t weiri_cu_bfind_u32(CALLER, uint32_t word)
{
    return word != 0 ? 31 - (uint32_t)__builtin_clz(word) : UINT32_MAX;
}

OWN uint32_t weiri_cu_bfind_u64(CALLER, uint64_t word)
{
    return word != 0 ? 63 - (uint32_t)__builtin_clzll(word) : UINT32_MAX;
}

OWN uint32_t weiri_cu_bfind_s32(CALLER, int32_t word)
{
    return weiri_cu_bfind_u32(item, site, (uint32_t)(word < 0 ? ~word : word));
}

OWN uint32_t weiri_cu_bfind_s64(CALLER, int64_t word)
{
    return weiri_cu_bfind_u64(item, site, (uint64_t)(word < 0 ? ~word : word));
}

/* Each bit of the result is the bit of @table at the number that the three bits make. */
OWN uint32_t weiri_cu_lop3_b32(CALLER, uint32_t a, uint32_t b, uint32_t c,
                               uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++) {
        if ((table >> i & 1) != 0) {
            result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b)
                & ((i & 1) != 0 ? c : ~c);
        }
    }
    return result;
}

/* The modes of prmt, in the order of the manual. */
enum {
    PRMT_INDEX,
    PRMT_F4E,  /* four bytes forwards from the place */
    PRMT_B4E,  /* four bytes backwards */
    PRMT_RC8,  /* one byte four times */
    PRMT_ECL,  /* the place is the greatest, on the left */
    PRMT_ECR,  /* on the right */
    PRMT_RC16, /* half a word twice */
};

/* The byte of the eight that goes to place @i. */
HELPER uint32_t prmt_place(uint32_t mode, uint32_t selector, uint32_t i)
{
    uint32_t s = selector & 3;
    switch (mode) {
    case PRMT_F4E:
        return s + i;
    case PRMT_B4E:
        return (s - i) & 7;
    case PRMT_RC8:
        return s;
    case PRMT_ECL:
        return i > s ? i : s;
    case PRMT_ECR:
        return i < s ? i : s;
    case PRMT_RC16:
        return (s & 1) * 2 + (i & 1);
    default:
        return selector >> 4 * i & 7;
    }
}

OWN uint32_t weiri_cu_prmt_b32(CALLER, uint32_t a, uint32_t b, uint32_t selector,
                               uint32_t mode)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t byte = bytes >> 8 * prmt_place(mode, selector, i) & 0xff;
        if (mode == PRMT_INDEX && (selector >> 4 * i & 8) != 0) {
            byte = (byte & 0x80) != 0 ? 0xff : 0; /* its sign in all bits */
        }
        result |= byte << 8 * i;
    }
    return result;
}

/* shf.l and shf.r, which wrap the distance or clamp it to 32. */
OWN uint32_t weiri_cu_shf_l_b32(CALLER, uint32_t a, uint32_t b, uint32_t n,
                                uint32_t clamp)
{
    n = clamp != 0 ? n < 32 ? n : 32 : n & 31;
    return (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32);
}

OWN uint32_t weiri_cu_shf_r_b32(CALLER, uint32_t a, uint32_t b, uint32_t n,
                                uint32_t clamp)
{
    n = clamp != 0 ? n < 32 ? n : 32 : n & 31;
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}

/* ---- Special registers -------------------------------------------------------------- */

OWN uint32_t weiri_cu_lanemask_eq(CALLER)
{
    return UINT32_C(1) << weir_sub_group_local_id(item);
}

OWN uint32_t weiri_cu_lanemask_lt(CALLER)
{
    return weiri_cu_lanemask_eq(item, site) - 1;
}

OWN uint32_t weiri_cu_lanemask_le(CALLER)
{
    return weiri_cu_lanemask_eq(item, site) | weiri_cu_lanemask_lt(item, site);
}

OWN uint32_t weiri_cu_lanemask_gt(CALLER)
{
    return ~weiri_cu_lanemask_le(item, site);
}

OWN uint32_t weiri_cu_lanemask_ge(CALLER)
{
    return ~weiri_cu_lanemask_lt(item, site);
}

/* One multiprocessor runs all blocks. */
OWN uint32_t weiri_cu_smid(CALLER)
{
    return 0;
}

OWN uint32_t weiri_cu_nsmid(CALLER)
{
    return 1;
}
