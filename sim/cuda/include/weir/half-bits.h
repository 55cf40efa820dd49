/* SPDX-License-Identifier: MIT
 *
 * weir/half-bits.h: numbers of 16 and 8 bits as bits: IEEE's binary16, with 5 bits of
 * exponent and 10 of fraction, bfloat16, with 8 and 7, and those of cuda_fp8.h: E5M2,
 * with 5 and 2, and E4M3, with 4 and 3. Conversions to and from float and double, with
 * the four rounding modes.
 *
 * A float has all numbers of the formats, and 24 bits: enough that the sum, difference,
 * product, quotient or root of two of them, rounded to float and again to 16 bits, is
 * rounded right (a format of p bits needs 2p + 2). */
#ifndef WEIR_CUDA_HALF_BITS_H
#define WEIR_CUDA_HALF_BITS_H

#include <stdint.h>

#include <host_defines.h>
#include <weir/bits.h>
#include <weir/convert.h>

namespace weiri
{

/* @fraction_bits of the format, the others but the sign are of the exponent. @over
 * follows the largest number: infinity, or NaN if the format has no infinity. */
template <int fraction_bits, int bits_,
          uint32_t over = ((1u << (bits_ - 1 - fraction_bits)) - 1) << fraction_bits>
struct small_real {
    static constexpr int exponent_bits = bits_ - 1 - fraction_bits;
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr uint32_t infinity = over;
    static constexpr uint32_t nan = (1u << (bits_ - 1)) - 1;

    /* From the bits of a double, so that no conversion rounds twice. NaN is the one
     * without a sign that CUDA's conversions make. */
    static WEIRI_BOTH uint16_t of_double(double x, int rounding)
    {
        uint64_t bits = weiri_bits<uint64_t>(x);
        uint32_t sign = (uint32_t)(bits >> 63) << (bits_ - 1);
        int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
        uint64_t fraction = bits & ((1ull << 52) - 1);
        if (exponent == 1024) {
            return (uint16_t)(fraction != 0 ? nan : sign | infinity);
        }
        /* The bits that go, and the exponent of the format's least normal number. */
        int least = 1 - bias;
        int dropped = 52 - fraction_bits;
        if (exponent < least) {
            dropped += least - exponent;
        }
        if (exponent == -1023) {
            if (fraction == 0) {
                return (uint16_t)sign;
            }
            dropped = 62; /* less than any number of the format */
        }
        fraction |= 1ull << 52;
        if (dropped > 62) {
            dropped = 62;
        }
        uint64_t rest = fraction & ((1ull << dropped) - 1);
        uint64_t middle = 1ull << (dropped - 1);
        uint32_t result = (uint32_t)(fraction >> dropped);
        bool up = rounding == WEIRI_RN
            ? rest > middle || (rest == middle && (result & 1) != 0)
            : rest != 0
                && ((rounding == WEIRI_RU && sign == 0)
                    || (rounding == WEIRI_RD && sign != 0));
        /* The bit before the point adds 1 to the exponent, and so does a carry. */
        result += up;
        if (exponent >= least) {
            result += (uint32_t)(exponent + bias - 1) << fraction_bits;
        }
        if (exponent > bias + 1 || result >= infinity) {
            bool to_infinity = rounding == WEIRI_RN || (rounding == WEIRI_RU && !sign)
                || (rounding == WEIRI_RD && sign);
            result = to_infinity ? infinity : infinity - 1;
        }
        return (uint16_t)(sign | result);
    }

    /* To the nearest, it is without branches, so that loops over it become vectors. A
     * number below the least normal one is rounded by a sum with a number whose last
     * bit is worth what the format's last bit is. */
    static WEIRI_BOTH uint16_t of_float(float x, int rounding)
    {
        if (rounding != WEIRI_RN) {
            return of_double((double)x, rounding);
        }
        constexpr int dropped = 23 - fraction_bits;
        constexpr uint32_t least = (uint32_t)(128 - bias) << 23;
        constexpr uint32_t rounder = (uint32_t)(151 - bias - fraction_bits) << 23;
        uint32_t bits = weiri_bits<uint32_t>(x), size = bits & 0x7fffffff;
        uint32_t sign = bits >> 31 << (bits_ - 1);
        uint32_t up = (1u << (dropped - 1)) - 1 + (size >> dropped & 1);
        uint32_t result = (size + up - ((uint32_t)(127 - bias) << 23)) >> dropped;
        uint32_t small
            = weiri_bits<uint32_t>(weiri_bits<float>(size) + weiri_bits<float>(rounder))
            - rounder;
        result = bias < 127 && size < least ? small : result;
        result = result > infinity ? infinity : result;
        return (uint16_t)(size > 0x7f800000 ? nan : sign | result);
    }

    /* Without branches, too. A number below the least normal one is what its fraction
     * adds to that. */
    static WEIRI_BOTH float to_float(uint16_t half)
    {
        constexpr uint32_t least = (uint32_t)(128 - bias) << 23;
        constexpr uint32_t rebias = (uint32_t)(127 - bias) << 23;
        uint32_t size = (uint32_t)(half & nan) << (23 - fraction_bits);
        uint32_t sign = (uint32_t)(half >> (bits_ - 1) & 1) << 31;
        float small = weiri_bits<float>(size + least) - weiri_bits<float>(least);
        uint32_t result = size + rebias;
        result = bias < 127 && size < 1u << 23 ? weiri_bits<uint32_t>(small) : result;
        result = (half & nan) >= infinity ? result | 0x7f800000 : result;
        return weiri_bits<float>(sign | result);
    }
};

typedef small_real<10, 16> binary16;
typedef small_real<7, 16> bfloat16;
typedef small_real<2, 8> e5m2;
typedef small_real<3, 8, 0x7f> e4m3;

} // namespace weiri

#endif
