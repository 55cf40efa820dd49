/* SPDX-License-Identifier: MIT
 *
 * builtins-ptx.h: instructions of PTX that are more than one of LLVM's: weir-cuda-cc
 * calls them for asm statements (sim/cuda-cc/ptx-table.c). A part of builtins.c.
 *
 * Follows: PTX ISA 8.5, section 9. */

#define PTX(T, name, ...) OWN T weiri_cu_ptx_##name(CALLER, __VA_ARGS__)

#define PTX_UNSIGNED(X) X(u16, uint16_t, 16) X(u32, uint32_t, 32) X(u64, uint64_t, 64)
#define PTX_SIGNED(X) X(s16, int16_t, 16) X(s32, int32_t, 32) X(s64, int64_t, 64)
#define PTX_REALS(X) X(f32, float, f) X(f64, double, )

/* ---- Addresses and lanes --------------------------------------------------- */

/* The address in the block's shared memory with these low bits: the block has less than
 * 4 GiB of it. */
PTX(void *, shared_address, uint32_t low)
{
    const struct weir_group *group = item->group;
    uintptr_t base = 0;
    if (WEIRI_UNSEEN(*(const size_t *)&group->arrays) != 0) {
        base = WEIRI_UNSEEN(*(const size_t *)&group->arrays->start);
    }
    return (void *)(base + (uintptr_t)(intptr_t)(int32_t)(low - (uint32_t)base));
}

#define X(name, value)                                                                 \
    OWN uint32_t weiri_cu_ptx_lanemask_##name(CALLER)                                  \
    {                                                                                  \
        uint32_t lane = weir_sub_group_local_id(item);                                 \
        return (value);                                                                \
    }
X(eq, 1u << lane)
X(lt, (1u << lane) - 1)
X(le, (2u << lane) - 1)
X(gt, ~((2u << lane) - 1))
X(ge, ~((1u << lane) - 1))
#undef X

PTX(uint32_t, lowest, uint32_t mask)
{
    return mask != 0 ? (uint32_t)__builtin_ctz(mask) : 0;
}

/* The predicate of shfl.sync: whether the lane that is read is in the segment. @c: the
 * clamp, and the mask of segments in bits 8 to 12. */
#define X(name, source, in_range)                                                      \
    PTX(uint32_t, shuffle_##name, uint32_t b, uint32_t c)                              \
    {                                                                                  \
        uint32_t lane = weir_sub_group_local_id(item), segment = c >> 8 & 31;          \
        uint32_t last = (lane & segment) | (c & 31 & ~segment);                        \
        uint32_t from = (source);                                                      \
        b &= 31;                                                                       \
        (void)from;                                                                    \
        return (in_range);                                                             \
    }
X(index, (lane & segment) | (b & 31 & ~segment), from <= last)
X(xor, lane ^ (b & 31), from <= last)
X(down, lane + (b & 31), from <= last)
X(up, lane, (int32_t)(lane - b) >= (int32_t)last)
#undef X

/* ---- Integers -------------------------------------------------------------- */

#define X(s, T, bits)                                                                  \
    PTX(T, sad_##s, T a, T b, T c)                                                     \
    {                                                                                  \
        return (T)(c + (a < b ? (T)(b - a) : (T)(a - b)));                             \
    }                                                                                  \
    /* A division by 0 has all bits, and the remainder is the dividend. */             \
    PTX(T, div_##s, T a, T b)                                                          \
    {                                                                                  \
        return b == 0                 ? (T)-1                                          \
            : b == (T)-1 && (T)-1 < 0 ? (T)(0 - (uint64_t)a)                           \
                                      : (T)(a / b);                                    \
    }                                                                                  \
    PTX(T, rem_##s, T a, T b)                                                          \
    {                                                                                  \
        return b == 0 ? a : b == (T)-1 && (T)-1 < 0 ? 0 : (T)(a % b);                  \
    }                                                                                  \
    PTX(T, min_##s, T a, T b)                                                          \
    {                                                                                  \
        return a < b ? a : b;                                                          \
    }                                                                                  \
    PTX(T, max_##s, T a, T b)                                                          \
    {                                                                                  \
        return a > b ? a : b;                                                          \
    }                                                                                  \
    PTX(T, shr_##s, T a, uint32_t n)                                                   \
    {                                                                                  \
        return n < (bits) ? (T)(a >> n) : a < 0 ? (T)-1 : 0;                           \
    }
PTX_UNSIGNED(X)
PTX_SIGNED(X)
#undef X

#define X(s, T, bits)                                                                  \
    PTX(T, abs_##s, T a)                                                               \
    {                                                                                  \
        return a < 0 ? (T)(0 - (uint64_t)a) : a;                                       \
    }                                                                                  \
    PTX(T, neg_##s, T a)                                                               \
    {                                                                                  \
        return (T)(0 - (uint64_t)a);                                                   \
    }
PTX_SIGNED(X)
#undef X

#define X(s, T, bits)                                                                  \
    PTX(T, shl_##s, T a, uint32_t n)                                                   \
    {                                                                                  \
        return n < (bits) ? (T)(a << n) : 0;                                           \
    }                                                                                  \
    PTX(T, cnot_##s, T a)                                                              \
    {                                                                                  \
        return a == 0;                                                                 \
    }
PTX_UNSIGNED(X)
#undef X

PTX(int32_t, add_sat_s32, int32_t a, int32_t b)
{
    int32_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT32_MIN : INT32_MAX) : sum;
}

PTX(int32_t, sub_sat_s32, int32_t a, int32_t b)
{
    int32_t sum;
    return __builtin_sub_overflow(a, b, &sum) ? (a < 0 ? INT32_MIN : INT32_MAX) : sum;
}

/* The nearest number that an integer of @bits has. */
PTX(uint64_t, clamp, uint64_t value, uint32_t from_signed, uint32_t bits,
    uint32_t to_signed)
{
    bool negative = from_signed != 0 && (int64_t)value < 0;
    uint64_t greatest = UINT64_MAX >> (64 - bits + (to_signed != 0));
    if (negative) {
        int64_t least = to_signed != 0 ? -(int64_t)greatest - 1 : 0;
        return (int64_t)value < least ? (uint64_t)least : value;
    }
    return value > greatest ? greatest : value;
}

/* ---- Bits ------------------------------------------------------------------ */

PTX(uint32_t, shf_l_wrap, uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)((((uint64_t)b << 32 | a) << (n & 31)) >> 32);
}

PTX(uint32_t, shf_r_wrap, uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) >> (n & 31));
}

PTX(uint32_t, shf_l_clamp, uint32_t a, uint32_t b, uint32_t n)
{
    return n >= 32 ? a : (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32);
}

PTX(uint32_t, shf_r_clamp, uint32_t a, uint32_t b, uint32_t n)
{
    return n >= 32 ? b : (uint32_t)(((uint64_t)b << 32 | a) >> n);
}

/* @n bits from bit @at: those above the number's are copies of its sign. */
#define X(s, T, bits)                                                                  \
    PTX(T, bfe_##s, T a, uint32_t at, uint32_t n)                                      \
    {                                                                                  \
        at &= 255;                                                                     \
        n &= 255;                                                                      \
        uint32_t end = at + n < (bits) ? at + n : (bits);                              \
        T sign = a < 0 ? (T)-1 : 0;                                                    \
        if (n == 0 || at >= (bits)) {                                                  \
            /* The sign bit is the one at the end of the field, or the last. */        \
            return n == 0 ? 0 : sign;                                                  \
        }                                                                              \
        return (T)((T)((uint64_t)a << ((bits)-end)) >> ((bits)-end + at));             \
    }
X(u32, uint32_t, 32)
X(u64, uint64_t, 64)
X(s32, int32_t, 32)
X(s64, int64_t, 64)
#undef X

#define X(s, T, bits)                                                                  \
    PTX(T, bfi_##s, T a, T b, uint32_t at, uint32_t n)                                 \
    {                                                                                  \
        at &= 255;                                                                     \
        n &= 255;                                                                      \
        if (n == 0 || at >= (bits)) {                                                  \
            return b;                                                                  \
        }                                                                              \
        T ones = n >= (bits) ? (T)-1 : (T)(((T)1 << n) - 1);                           \
        return (T)((b & ~(ones << at)) | (a & ones) << at);                            \
    }
X(u32, uint32_t, 32)
X(u64, uint64_t, 64)
#undef X

#define X(s, T, suffix, width)                                                         \
    PTX(uint32_t, popc_##s, T a)                                                       \
    {                                                                                  \
        return (uint32_t)__builtin_popcount##suffix(a);                                \
    }                                                                                  \
    PTX(uint32_t, clz_##s, T a)                                                        \
    {                                                                                  \
        return a != 0 ? (uint32_t)__builtin_clz##suffix(a) : (width);                  \
    }                                                                                  \
    PTX(T, brev_##s, T a)                                                              \
    {                                                                                  \
        return __builtin_bitreverse##width(a);                                         \
    }                                                                                  \
    PTX(uint32_t, bfind_##s, T a)                                                      \
    {                                                                                  \
        return a != 0 ? (width)-1 - (uint32_t)__builtin_clz##suffix(a) : UINT32_MAX;   \
    }                                                                                  \
    PTX(uint32_t, bfind_shift_##s, T a)                                                \
    {                                                                                  \
        return a != 0 ? (uint32_t)__builtin_clz##suffix(a) : UINT32_MAX;               \
    }
X(u32, uint32_t, , 32)
X(u64, uint64_t, ll, 64)
#undef X

/* The highest bit that differs from the sign. */
#define X(s, T, U, u)                                                                  \
    PTX(uint32_t, bfind_##s, T a)                                                      \
    {                                                                                  \
        return weiri_cu_ptx_bfind_##u(item, site, (U)(a < 0 ? ~a : a));                \
    }                                                                                  \
    PTX(uint32_t, bfind_shift_##s, T a)                                                \
    {                                                                                  \
        return weiri_cu_ptx_bfind_shift_##u(item, site, (U)(a < 0 ? ~a : a));          \
    }
X(s32, int32_t, uint32_t, u32)
X(s64, int64_t, uint64_t, u64)
#undef X

PTX(uint32_t, fns, uint32_t mask, uint32_t base, uint32_t offset)
{
    int32_t step = (int32_t)offset < 0 ? -1 : 1, left = (int32_t)offset * step;
    left = left == 0 ? 1 : left;
    bool here = offset == 0;
    for (int64_t bit = base; bit >= 0 && bit < 32; bit += step) {
        left -= (int32_t)(mask >> bit & 1);
        if (left == 0) {
            return (uint32_t)bit;
        }
        if (here) {
            break;
        }
    }
    return UINT32_MAX;
}

/* Byte @i of the eight in @b and @a; bit 3 copies the byte's sign. */
HELPER uint32_t ptx_byte(uint32_t a, uint32_t b, uint32_t i)
{
    uint32_t byte = (uint32_t)(((uint64_t)b << 32 | a) >> (8 * (i & 7))) & 255;
    return (i & 8) == 0 ? byte : (byte & 128) != 0 ? 255 : 0;
}

/* Four bytes: the number of the n-th is @index. */
#define X(name, index)                                                                 \
    PTX(uint32_t, name, uint32_t a, uint32_t b, uint32_t c)                            \
    {                                                                                  \
        uint32_t result = 0;                                                           \
        for (uint32_t n = 0; n < 4; n++) {                                             \
            result |= ptx_byte(a, b, (index)) << (8 * n);                              \
        }                                                                              \
        return result;                                                                 \
    }
X(prmt, c >> (4 * n) & 15)
X(prmt_f4e, ((c & 3) + n) & 7)
X(prmt_b4e, ((c & 3) - n) & 7)
X(prmt_rc8, c & 3)
X(prmt_ecl, n > (c & 3) ? n : c & 3)
X(prmt_ecr, n < (c & 3) ? n : c & 3)
X(prmt_rc16, (c & 1) * 2 + (n & 1))
#undef X

/* Bit 4a + 2b + c of @table is the result for bits a, b and c. */
PTX(uint32_t, lop3, uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t all = ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b)
            & ((i & 1) != 0 ? c : ~c);
        result |= (table >> i & 1) != 0 ? all : 0;
    }
    return result;
}

/* Bits @at and above of @a as a number of @bits, with a sign if @is_signed. */
HELPER int32_t ptx_part(uint32_t a, uint32_t at, uint32_t bits, bool is_signed)
{
    uint32_t high = a >> at << (32 - bits);
    return is_signed ? (int32_t)high >> (32 - bits) : (int32_t)(high >> (32 - bits));
}

/* @signs: bit 0: @a's numbers have a sign; bit 1: @b's do */
PTX(uint32_t, dp4a, uint32_t a, uint32_t b, uint32_t c, uint32_t signs, uint32_t first)
{
    (void)first;
    for (uint32_t i = 0; i < 4; i++) {
        c += (uint32_t)(ptx_part(a, 8 * i, 8, (signs & 1) != 0)
                        * ptx_part(b, 8 * i, 8, (signs & 2) != 0));
    }
    return c;
}

/* @first: of the bytes of @b that are taken */
PTX(uint32_t, dp2a, uint32_t a, uint32_t b, uint32_t c, uint32_t signs, uint32_t first)
{
    for (uint32_t i = 0; i < 2; i++) {
        c += (uint32_t)ptx_part(a, 16 * i, 16, (signs & 1) != 0)
            * (uint32_t)ptx_part(b, 8 * (first + i), 8, (signs & 2) != 0);
    }
    return c;
}

/* ---- Reals ----------------------------------------------------------------- */

HELPER uint32_t ptx_bits_f32(float a)
{
    union {
        float real;
        uint32_t bits;
    } as = { .real = a };
    return as.bits;
}

HELPER float ptx_real_f32(uint32_t bits)
{
    union {
        uint32_t bits;
        float real;
    } as = { .bits = bits };
    return as.real;
}

HELPER uint64_t ptx_bits_f64(double a)
{
    union {
        double real;
        uint64_t bits;
    } as = { .real = a };
    return as.bits;
}

/* Numbers that are not normal become 0 of their sign. */
PTX(float, flush, float a)
{
    uint32_t bits = ptx_bits_f32(a);
    return (bits & 0x7f800000) == 0 ? ptx_real_f32(bits & 0x80000000) : a;
}

/* The least and greatest of two: of 0 and -0, too; a NaN gives way, unless the name
 * says that it does not. */
#define X(s, T, f)                                                                     \
    PTX(T, fma_##s, T a, T b, T c)                                                     \
    {                                                                                  \
        return __builtin_fma##f(a, b, c);                                              \
    }                                                                                  \
    PTX(T, abs_##s, T a)                                                               \
    {                                                                                  \
        return __builtin_fabs##f(a);                                                   \
    }                                                                                  \
    PTX(T, neg_##s, T a)                                                               \
    {                                                                                  \
        return -a;                                                                     \
    }                                                                                  \
    PTX(T, min_##s, T a, T b)                                                          \
    {                                                                                  \
        return a < b || b != b     ? a                                                 \
            : b < a || a != a      ? b                                                 \
            : __builtin_signbit(a) ? a                                                 \
                                   : b;                                                \
    }                                                                                  \
    PTX(T, max_##s, T a, T b)                                                          \
    {                                                                                  \
        return a > b || b != b     ? a                                                 \
            : b > a || a != a      ? b                                                 \
            : __builtin_signbit(a) ? b                                                 \
                                   : a;                                                \
    }                                                                                  \
    PTX(T, min_nan_##s, T a, T b)                                                      \
    {                                                                                  \
        return a != a || b != b ? (T)__builtin_nan("")                                 \
                                : weiri_cu_ptx_min_##s(item, site, a, b);              \
    }                                                                                  \
    PTX(T, max_nan_##s, T a, T b)                                                      \
    {                                                                                  \
        return a != a || b != b ? (T)__builtin_nan("")                                 \
                                : weiri_cu_ptx_max_##s(item, site, a, b);              \
    }                                                                                  \
    PTX(T, sqrt_##s, T a)                                                              \
    {                                                                                  \
        return __builtin_sqrt##f(a);                                                   \
    }                                                                                  \
    PTX(T, rsqrt_##s, T a)                                                             \
    {                                                                                  \
        return 1 / __builtin_sqrt##f(a);                                               \
    }                                                                                  \
    PTX(T, sin_##s, T a)                                                               \
    {                                                                                  \
        return __builtin_sin##f(a);                                                    \
    }                                                                                  \
    PTX(T, cos_##s, T a)                                                               \
    {                                                                                  \
        return __builtin_cos##f(a);                                                    \
    }                                                                                  \
    PTX(T, lg2_##s, T a)                                                               \
    {                                                                                  \
        return __builtin_log2##f(a);                                                   \
    }                                                                                  \
    PTX(T, ex2_##s, T a)                                                               \
    {                                                                                  \
        return __builtin_exp2##f(a);                                                   \
    }                                                                                  \
    PTX(T, tanh_##s, T a)                                                              \
    {                                                                                  \
        return __builtin_tanh##f(a);                                                   \
    }                                                                                  \
    /* The sign is the first operand's. */                                             \
    PTX(T, copysign_##s, T a, T b)                                                     \
    {                                                                                  \
        return __builtin_copysign##f(b, a);                                            \
    }                                                                                  \
    PTX(T, sat_##s, T a)                                                               \
    {                                                                                  \
        return a > 1 ? 1 : a > 0 ? a : 0; /* and of NaN */                             \
    }                                                                                  \
    PTX(uint32_t, finite_##s, T a)                                                     \
    {                                                                                  \
        return __builtin_isfinite(a) != 0;                                             \
    }                                                                                  \
    PTX(uint32_t, infinite_##s, T a)                                                   \
    {                                                                                  \
        return __builtin_isinf(a) != 0;                                                \
    }                                                                                  \
    PTX(uint32_t, number_##s, T a)                                                     \
    {                                                                                  \
        return a == a;                                                                 \
    }                                                                                  \
    PTX(uint32_t, notanumber_##s, T a)                                                 \
    {                                                                                  \
        return a != a;                                                                 \
    }                                                                                  \
    PTX(uint32_t, normal_##s, T a)                                                     \
    {                                                                                  \
        return __builtin_isnormal(a) != 0;                                             \
    }                                                                                  \
    PTX(uint32_t, subnormal_##s, T a)                                                  \
    {                                                                                  \
        return __builtin_isfinite(a) && !__builtin_isnormal(a) && a != 0;              \
    }
PTX_REALS(X)
#undef X

/* @mode: an enum weiri_cuda_rounding: to nearest, towards zero, up, down */
PTX(double, integral_f64, double a, uint32_t mode)
{
    return mode == 0 ? __builtin_rint(a)
        : mode == 1  ? __builtin_trunc(a)
        : mode == 2  ? __builtin_ceil(a)
                     : __builtin_floor(a);
}

/* The nearest number that the integer has. NaN becomes 0 if @both_32, else the highest
 * bit alone. */
PTX(uint64_t, integer_of_f64, double a, uint32_t mode, uint32_t bits,
    uint32_t is_signed, uint32_t both_32)
{
    double whole = weiri_cu_ptx_integral_f64(item, site, a, mode);
    uint64_t greatest = UINT64_MAX >> (64 - bits + (is_signed != 0));
    double above = (double)(greatest / 2 + 1) * 2;
    double least = is_signed != 0 ? -above : 0;
    if (a != a) {
        return both_32 != 0 ? 0 : 1ull << (bits - 1);
    }
    if (whole >= above) {
        return greatest;
    }
    if (whole <= least) {
        return is_signed != 0 ? (uint64_t)(-(int64_t)greatest - 1) : 0;
    }
    return is_signed != 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
}
