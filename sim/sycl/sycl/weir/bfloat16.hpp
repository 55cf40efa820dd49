/* SPDX-License-Identifier: MIT
 *
 * bfloat16.hpp: the upper half of a float, an extension of SYCL 2020: kept as its bits,
 * computed with as a float. */
#ifndef WEIR_SYCL_BFLOAT16_HPP
#define WEIR_SYCL_BFLOAT16_HPP

#include <cstdint>
#include <cstring>
#include <ostream>

namespace sycl
{
namespace ext
{
namespace oneapi
{

class bfloat16
{
    std::uint16_t bits;

    /* Rounds to the nearest, to even where two are as near. */
    static std::uint16_t narrow(float value) noexcept
    {
        std::uint32_t word;
        __builtin_memcpy(&word, &value, sizeof(word));
        if ((word & 0x7fffffff) > 0x7f800000) { /* no number */
            return static_cast<std::uint16_t>(word >> 16 | 0x40);
        }
        return static_cast<std::uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
    }

  public:
    bfloat16() noexcept = default;
    bfloat16(float value) noexcept : bits(narrow(value))
    {
    }
    operator float() const noexcept
    {
        const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
        float value;
        __builtin_memcpy(&value, &word, sizeof(value));
        return value;
    }
    bfloat16 operator-() const noexcept
    {
        return bfloat16(-float(*this));
    }
    bfloat16 &operator++() noexcept
    {
        return *this = bfloat16(float(*this) + 1.0f);
    }
    bfloat16 &operator--() noexcept
    {
        return *this = bfloat16(float(*this) - 1.0f);
    }

#define WEIRI_SYCL_OP(op)                                                              \
    friend bfloat16 operator op(const bfloat16 &a, const bfloat16 &b) noexcept         \
    {                                                                                  \
        return bfloat16(float(a) op float(b));                                         \
    }                                                                                  \
    friend bfloat16 &operator op##=(bfloat16 &a, const bfloat16 &b) noexcept           \
    {                                                                                  \
        return a = a op b;                                                             \
    }
    WEIRI_SYCL_OP(+)
    WEIRI_SYCL_OP(-)
    WEIRI_SYCL_OP(*)
    WEIRI_SYCL_OP(/)
#undef WEIRI_SYCL_OP

    friend std::ostream &operator<<(std::ostream &out, const bfloat16 &value)
    {
        return out << static_cast<float>(value);
    }
};

} // namespace oneapi
} // namespace ext
} // namespace sycl

#endif
