/* SPDX-License-Identifier: MIT
 *
 * half.hpp: numbers of 16 bits, [SYCL20] 4.14.2 and IEEE 754 binary16: kept as their
 * bits, computed with as floats. */
#ifndef WEIR_SYCL_HALF_HPP
#define WEIR_SYCL_HALF_HPP

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <ostream>
#include <type_traits>

namespace sycl
{

class half
{
    std::uint16_t bits;

    static std::uint32_t word_of(float value) noexcept
    {
        std::uint32_t word;
        __builtin_memcpy(&word, &value, sizeof(word));
        return word;
    }
    static float float_of(std::uint32_t word) noexcept
    {
        float value;
        __builtin_memcpy(&value, &word, sizeof(value));
        return value;
    }

    /* Rounds to the nearest, to even where two are as near. */
    static std::uint16_t narrow(float value) noexcept
    {
        const std::uint32_t word = word_of(value);
        const auto sign = static_cast<std::uint16_t>(word >> 16 & 0x8000);
        const std::uint32_t size = word & 0x7fffffff;
        if (size >= 0x7f800000) { /* infinite, or no number */
            return static_cast<std::uint16_t>(sign | 0x7c00
                                              | (size > 0x7f800000 ? 0x200 : 0));
        }
        if (size >= 0x477ff000) { /* rounds to 65536 or more */
            return static_cast<std::uint16_t>(sign | 0x7c00);
        }
        if (size < 0x38800000) { /* less than the least normal number, 2^-14 */
            /* adding 0.5 aligns the last bit of a half with the last bit of the
             * float */
            const float aligned = float_of(size) + 0.5f;
            return static_cast<std::uint16_t>(sign | (word_of(aligned) - 0x3f000000));
        }
        const std::uint32_t odd = size >> 13 & 1;
        return static_cast<std::uint16_t>(sign
                                          | ((size - 0x38000000 + 0xfff + odd) >> 13));
    }

    static float widen(std::uint16_t half_) noexcept
    {
        const std::uint32_t sign = static_cast<std::uint32_t>(half_ & 0x8000) << 16;
        const std::uint32_t size = half_ & 0x7fff;
        if (size >= 0x7c00) {
            return float_of(sign | 0x7f800000 | (size & 0x3ff) << 13);
        }
        if (size < 0x400) {
            const float value = static_cast<float>(size) * 0x1p-24f;
            return sign != 0 ? -value : value;
        }
        return float_of(sign | (size + 0x1c000) << 13);
    }

  public:
    half() noexcept = default;
    half(float value) noexcept : bits(narrow(value))
    {
    }
    operator float() const noexcept
    {
        return widen(bits);
    }

    half &operator+=(const half &b) noexcept
    {
        return *this = half(float(*this) + float(b));
    }
    half &operator-=(const half &b) noexcept
    {
        return *this = half(float(*this) - float(b));
    }
    half &operator*=(const half &b) noexcept
    {
        return *this = half(float(*this) * float(b));
    }
    half &operator/=(const half &b) noexcept
    {
        return *this = half(float(*this) / float(b));
    }
    half &operator++() noexcept
    {
        return *this += half(1.0f);
    }
    half &operator--() noexcept
    {
        return *this -= half(1.0f);
    }
    half operator++(int) noexcept
    {
        const half before = *this;
        ++*this;
        return before;
    }
    half operator--(int) noexcept
    {
        const half before = *this;
        --*this;
        return before;
    }
    half operator-() const noexcept
    {
        return half(-float(*this));
    }

    friend std::ostream &operator<<(std::ostream &out, const half &value)
    {
        return out << static_cast<float>(value);
    }
};

/* With a whole number the result is a half, with another real number it is that. */
#define WEIRI_SYCL_OP(op)                                                              \
    inline half operator op(const half &a, const half &b) noexcept                     \
    {                                                                                  \
        return half(float(a) op float(b));                                             \
    }                                                                                  \
    template <class N_, class = std::enable_if_t<std::is_arithmetic_v<N_>>>            \
    inline auto operator op(const half &a, N_ b) noexcept                              \
    {                                                                                  \
        using result = std::conditional_t<std::is_integral_v<N_>, half, N_>;           \
        return result(float(a) op b);                                                  \
    }                                                                                  \
    template <class N_, class = std::enable_if_t<std::is_arithmetic_v<N_>>>            \
    inline auto operator op(N_ a, const half &b) noexcept                              \
    {                                                                                  \
        using result = std::conditional_t<std::is_integral_v<N_>, half, N_>;           \
        return result(a op float(b));                                                  \
    }
WEIRI_SYCL_OP(+)
WEIRI_SYCL_OP(-)
WEIRI_SYCL_OP(*)
WEIRI_SYCL_OP(/)
#undef WEIRI_SYCL_OP

} // namespace sycl

#endif
