/* SPDX-License-Identifier: MIT
 *
 * builtins-ptx-half.h: instructions of PTX for reals of 16 bits, and for two of them in
 * a word. A part of builtins.c, after builtins-ptx.h. */

/* A number with @fraction bits after the point, and 15 - @fraction of exponent. */
HELPER float ptx_widen(uint16_t half, uint32_t fraction)
{
    uint32_t size = half & 0x7fff, sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponents = (1u << (15 - fraction)) - 1, exponent = size >> fraction;
    if (fraction == 7) {
        return ptx_real_f32((uint32_t)half << 16);
    }
    if (exponent == exponents) {
        return ptx_real_f32(sign | 0x7f800000 | size << (23 - fraction));
    }
    if (exponent == 0) {
        /* binary16: units of 2 to the power of -24. */
        float value = (float)size * 0x1p-24f;
        return sign != 0 ? -value : value;
    }
    return ptx_real_f32(sign
                        | (size << (23 - fraction)) + ((127 - exponents / 2) << 23));
}

/* Whether a number that lies @rest units of @unit above its predecessor is rounded to
 * its successor. */
HELPER bool ptx_goes_up(uint64_t rest, uint64_t unit, bool odd, bool negative,
                        uint32_t mode)
{
    return mode == 0 ? rest > unit / 2 || (rest == unit / 2 && odd)
        : mode == 2  ? rest != 0 && !negative
        : mode == 3  ? rest != 0 && negative
                     : false;
}

/* From a double: so no number is rounded twice. */
HELPER uint16_t ptx_narrow(double a, uint32_t mode, uint32_t fraction)
{
    uint64_t bits = ptx_bits_f64(a), low = bits & ((1ull << 52) - 1);
    uint32_t exponents = (1u << (15 - fraction)) - 1;
    uint32_t infinity = exponents << fraction;
    int32_t bias = (int32_t)exponents / 2;
    int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
    bool negative = bits >> 63 != 0;
    uint32_t sign = negative ? 0x8000 : 0;
    if (exponent == 1024) {
        return (uint16_t)(low != 0 ? 0x7fff : sign | infinity);
    }
    if (exponent == -1023 && low == 0) {
        return (uint16_t)sign;
    }
    int32_t shift = 52 - (int32_t)fraction, least = 1 - bias;
    shift += exponent < least ? least - exponent : 0;
    shift = shift > 60 ? 60 : shift;
    low |= exponent == -1023 ? 0 : 1ull << 52;
    uint64_t unit = 1ull << shift;
    uint64_t size = low >> shift, rest = low & (unit - 1);
    if (exponent >= least) {
        size += (uint64_t)(exponent + bias - 1) << fraction;
    }
    size += ptx_goes_up(rest, unit, (size & 1) != 0, negative, mode);
    if (exponent > bias || size >= infinity) {
        bool stays = mode == 1 || (mode == 2 && negative) || (mode == 3 && !negative);
        size = stays ? infinity - 1 : infinity;
    }
    return (uint16_t)(sign | size);
}

/* Sums, products and quotients of two such numbers are exact in double, or have more
 * digits than a second rounding can tell; so has a product and a sum of binary16. */
#define X(s, fraction)                                                                 \
    PTX(float, f32_of_##s, uint16_t a)                                                 \
    {                                                                                  \
        return ptx_widen(a, (fraction));                                               \
    }                                                                                  \
    PTX(uint16_t, s##_of_f64, double a, uint32_t mode)                                 \
    {                                                                                  \
        return ptx_narrow(a, mode, (fraction));                                        \
    }                                                                                  \
    HELPER double ptx_double_##s(uint16_t a)                                           \
    {                                                                                  \
        return (double)ptx_widen(a, (fraction));                                       \
    }                                                                                  \
    PTX(uint16_t, add_##s, uint16_t a, uint16_t b)                                     \
    {                                                                                  \
        return ptx_narrow(ptx_double_##s(a) + ptx_double_##s(b), 0, (fraction));       \
    }                                                                                  \
    PTX(uint16_t, sub_##s, uint16_t a, uint16_t b)                                     \
    {                                                                                  \
        return ptx_narrow(ptx_double_##s(a) - ptx_double_##s(b), 0, (fraction));       \
    }                                                                                  \
    PTX(uint16_t, mul_##s, uint16_t a, uint16_t b)                                     \
    {                                                                                  \
        return ptx_narrow(ptx_double_##s(a) * ptx_double_##s(b), 0, (fraction));       \
    }                                                                                  \
    PTX(uint16_t, fma_##s, uint16_t a, uint16_t b, uint16_t c)                         \
    {                                                                                  \
        return ptx_narrow(ptx_double_##s(a) * ptx_double_##s(b) + ptx_double_##s(c),   \
                          0, (fraction));                                              \
    }                                                                                  \
    PTX(uint16_t, min_##s, uint16_t a, uint16_t b)                                     \
    {                                                                                  \
        return ptx_narrow(                                                             \
            weiri_cu_ptx_min_f64(item, site, ptx_double_##s(a), ptx_double_##s(b)), 0, \
            (fraction));                                                               \
    }                                                                                  \
    PTX(uint16_t, max_##s, uint16_t a, uint16_t b)                                     \
    {                                                                                  \
        return ptx_narrow(                                                             \
            weiri_cu_ptx_max_f64(item, site, ptx_double_##s(a), ptx_double_##s(b)), 0, \
            (fraction));                                                               \
    }                                                                                  \
    PTX(uint16_t, min_nan_##s, uint16_t a, uint16_t b)                                 \
    {                                                                                  \
        return ptx_narrow(weiri_cu_ptx_min_nan_f64(item, site, ptx_double_##s(a),      \
                                                   ptx_double_##s(b)),                 \
                          0, (fraction));                                              \
    }                                                                                  \
    PTX(uint16_t, max_nan_##s, uint16_t a, uint16_t b)                                 \
    {                                                                                  \
        return ptx_narrow(weiri_cu_ptx_max_nan_f64(item, site, ptx_double_##s(a),      \
                                                   ptx_double_##s(b)),                 \
                          0, (fraction));                                              \
    }                                                                                  \
    PTX(uint16_t, sat_##s, uint16_t a)                                                 \
    {                                                                                  \
        return ptx_narrow(weiri_cu_ptx_sat_f64(item, site, ptx_double_##s(a)), 0,      \
                          (fraction));                                                 \
    }                                                                                  \
    PTX(uint16_t, ex2_##s, uint16_t a)                                                 \
    {                                                                                  \
        return ptx_narrow(__builtin_exp2(ptx_double_##s(a)), 0, (fraction));           \
    }                                                                                  \
    PTX(uint16_t, tanh_##s, uint16_t a)                                                \
    {                                                                                  \
        return ptx_narrow(__builtin_tanh(ptx_double_##s(a)), 0, (fraction));           \
    }                                                                                  \
    PTX(uint16_t, abs_##s, uint16_t a)                                                 \
    {                                                                                  \
        return a & 0x7fff;                                                             \
    }                                                                                  \
    PTX(uint16_t, neg_##s, uint16_t a)                                                 \
    {                                                                                  \
        return a ^ 0x8000;                                                             \
    }
X(f16, 10)
X(bf16, 7)
#undef X

/* Two of them, each on its own. */
#define PTX_TWICE(name, s, parameters, LOW, HIGH)                                      \
    PTX(uint32_t, name##_##s##x2, PTX_LIST parameters)                                 \
    {                                                                                  \
        uint32_t low = weiri_cu_ptx_##name##_##s(item, site, PTX_LIST LOW);            \
        uint32_t high = weiri_cu_ptx_##name##_##s(item, site, PTX_LIST HIGH);          \
        return high << 16 | low;                                                       \
    }
#define PTX_LIST(...) __VA_ARGS__
#define PTX_LOW(a) (uint16_t)(a)
#define PTX_HIGH(a) (uint16_t)((a) >> 16)
#define ONE(name, s) PTX_TWICE(name, s, (uint32_t a), (PTX_LOW(a)), (PTX_HIGH(a)))
#define TWO(name, s)                                                                   \
    PTX_TWICE(name, s, (uint32_t a, uint32_t b), (PTX_LOW(a), PTX_LOW(b)),             \
              (PTX_HIGH(a), PTX_HIGH(b)))
#define X(s)                                                                           \
    TWO(add, s)                                                                        \
    TWO(sub, s)                                                                        \
    TWO(mul, s)                                                                        \
    TWO(min, s)                                                                        \
    TWO(max, s)                                                                        \
    TWO(min_nan, s)                                                                    \
    TWO(max_nan, s)                                                                    \
    ONE(sat, s)                                                                        \
    ONE(ex2, s)                                                                        \
    ONE(tanh, s)                                                                       \
    ONE(abs, s)                                                                        \
    ONE(neg, s)                                                                        \
    PTX_TWICE(fma, s, (uint32_t a, uint32_t b, uint32_t c),                            \
              (PTX_LOW(a), PTX_LOW(b), PTX_LOW(c)),                                    \
              (PTX_HIGH(a), PTX_HIGH(b), PTX_HIGH(c)))
X(f16)
X(bf16)
#undef X
#undef ONE
#undef TWO
#undef PTX_TWICE
#undef PTX_LIST
#undef PTX_LOW
#undef PTX_HIGH

/* Additions in memory: a loop of compare-exchanges on the word of 32 bits. Where one
 * number is added, the other keeps its bits. */
HELPER uint32_t ptx_add_in_word(struct weir_item *item, const struct weir_site *site,
                                void *word, uint32_t value, uint32_t at, bool both,
                                bool bfloat, int32_t order, int32_t scope)
{
    uint32_t fraction = bfloat ? 7 : 10;
    uint32_t old = weiri_u32_load(REF(u32, word, scope), memory_order_relaxed, site);
    for (;;) {
        uint32_t next = old;
        for (uint32_t i = both ? 0 : at; i <= (both ? 1 : at); i++) {
            double sum = (double)ptx_widen((uint16_t)(old >> (16 * i)), fraction)
                + (double)ptx_widen((uint16_t)(value >> (16 * i)), fraction);
            next &= ~(0xffffu << (16 * i));
            next |= (uint32_t)ptx_narrow(sum, 0, fraction) << (16 * i);
        }
        if (weiri_u32_compare_exchange(REF(u32, word, scope), &old, next,
                                       (memory_order)order, memory_order_relaxed, false,
                                       site)) {
            return old;
        }
    }
}

#define X(s, bfloat)                                                                   \
    PTX(uint32_t, atomic_add_##s##x2, void *p, uint32_t value, int32_t order,          \
        int32_t scope)                                                                 \
    {                                                                                  \
        return ptx_add_in_word(item, site, p, value, 0, true, (bfloat), order, scope); \
    }                                                                                  \
    PTX(uint16_t, atomic_add_##s, void *p, uint16_t value, int32_t order,              \
        int32_t scope)                                                                 \
    {                                                                                  \
        uint32_t at = (uint32_t)((uintptr_t)p >> 1 & 1);                               \
        void *word = (void *)((uintptr_t)p & ~(uintptr_t)3);                           \
        return (uint16_t)(ptx_add_in_word(item, site, word,                            \
                                          (uint32_t)value << (16 * at), at, false,     \
                                          (bfloat), order, scope)                      \
                          >> (16 * at));                                               \
    }
X(f16, false)
X(bf16, true)
#undef X

#undef PTX
#undef PTX_UNSIGNED
#undef PTX_SIGNED
#undef PTX_REALS
